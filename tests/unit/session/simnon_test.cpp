// The dialogues of the Simnon manual.
#include <cmath>
#include <cstdlib>

#include "scripted_host.h"

namespace cutset {
namespace {

class SimnonTest : public SessionTest {
  protected:
    void systems() {
        file("TRIOD.t",
             "CONTINUOUS SYSTEM TRIOD\nSTATE U V\nDER DU DV\nG = IF ABS(U)<SQRT(2) THEN 2-U*U ELSE 0\n"
             "DU = V\nU:0.25\nDV = -U-EPS*(1-G)*V\nEPS:1\nEND\n");
        file("MOTOR.t",
             "CONTINUOUS SYSTEM MOTOR\nINPUT U\nOUTPUT Y\nSTATE TH THDOT\nDER DTH DTHDT\n"
             "OUTPUT\nY=CT*TH\nCT:0.033\nDYNAMICS\nI=(U-KM*THDOT)/R\nME=KM*I\nDTH=THDOT\n"
             "DTHDT=ME/J\nKM:6.2E-3\nR:5.3\nJ:7.5E-7\nEND\n");
        file("CPID.t",
             "CONTINUOUS SYSTEM CPID\nINPUT YREF Y\nOUTPUT U\nSTATE I X\nDER DI DX\nOUTPUT\nE=YREF-Y\n"
             "P=G*E\nD=-GD*(Y-X)\nU=P+I+D\nDYNAMICS\nDI=E/TI\nDX=-GD/TD*(X-Y)\n"
             "G:1\nTI:1E10\nGD:0\nTD:1\nEND\n");
        file("DPID.t",
             "DISCRETE SYSTEM DPID\nINPUT YREF Y\nOUTPUT U\nSTATE I X\nNEW NI NX\nTIME T\nTSAMP TS\n"
             "OUTPUT\nE=YREF-Y\nP=G*E\nD=-TD*(Y-X)/DT\nU=P+I+D\nDYNAMICS\nNI=I+E/TI*DT\nNX=Y\n"
             "TS=T+DT\nG:1\nTI:1E10\nTD:0\nDT:1\nEND\n");
        file("SERVO.t",
             "CONNECTING SYSTEM SERVO\nTIME T\nYR=IF T<0.5 THEN 0 ELSE 1\nYREF[CPID]=YR\n"
             "Y[CPID]=Y[MOTOR]\nYREF[DPID]=YR\nY[DPID]=Y[MOTOR]\n"
             "U[MOTOR]=IF CONT THEN U[CPID] ELSE U[DPID]\nCONT:1\nUP=A*U[MOTOR]+B\nA:1\nB:0\nEND\n");
    }
    double last(const std::string& name) {
        const auto run = session->facts().run;
        return run->result->value(name, run->result->rows() - 1).value_or(NAN);
    }
};

// With the typing errors and their correction.
TEST_F(SimnonTest, Example2) {
    const std::string out = answer(
        ">SYST TRIOD           \" DEFINE THE SYSTEM\n"
        "CONTINUOUS SYSTEM TRIOD\nSTATE U V\nDER DU DV\nG=IF ABS U)<SQRT(2) THEN 2-U*U ELSE 0\n"
        ">           \" CORRECT THE LINE\n>C /ABS /ABS(/\n>           \" CHANGE MODE TO INPUT\n>\n"
        "DU=V\nU:0.25\nDV=-U-EPS*(1-G)*V\nEND\n"
        ">           \" DEFINE THE PARAMETER EPS\n>R EPS:1\n>\nEND\n\n>E           \" EXIT\n"
        ">           \" SELECT U FOR PLOTTING\n>PLOT U\n>AXES H 0 25 V -5 5   \" DRAW AXES\n>ERROR 1E-9\n"
        ">SIMU 0 25           \" SIMULATE\n");
    EXPECT_EQ(failures, 0) << out;
    EXPECT_TRUE(out.starts_with("FILE NOT FOUND: TRIOD\nINPUT\n")) << out;
    EXPECT_NE(out.find("MISSING LEFT PARENTHESIS"), std::string::npos) << out;
    EXPECT_NE(out.find("EDIT\nG=IF ABS(U)<SQRT(2) THEN 2-U*U ELSE 0\nINPUT\n"), std::string::npos) << out;
    EXPECT_NE(out.find("UNASSIGNED: EPS"), std::string::npos) << out;
    EXPECT_EQ(content("TRIOD.t"),
              "CONTINUOUS SYSTEM TRIOD\nSTATE U V\nDER DU DV\nG=IF ABS(U)<SQRT(2) THEN 2-U*U ELSE 0\nDU=V\n"
              "U:0.25\nDV=-U-EPS*(1-G)*V\nEPS:1\nEND\n");
    EXPECT_NEAR(last("U"), 2.22866, 2e-5);
    // The figures of page 6.10, accurate.
    const std::string disp = answer(">DISP");
    EXPECT_TRUE(disp.starts_with("CONTINUOUS SYSTEM TRIOD\nSTATE : U       2.22866     V       0.71616"))
        << disp;
    EXPECT_NE(disp.find("\nINIT  : U       0.250000    V       0.000000\nDER   : DU      0.71616"),
              std::string::npos)
        << disp;
    EXPECT_NE(disp.find("\nPAR   : EPS     1.00000\nVAR   : G       0.000000\n"), std::string::npos) << disp;
    EXPECT_EQ(answer(">DISP U V EPS"), "U=2.23 V=0.716 EPS=1.\n");
    run(">INIT U:6           \" CHANGE INITIAL VALUES\n>INIT V:-10\n>SIMU\n>STOP\n");
    EXPECT_TRUE(stopped);
    EXPECT_EQ(host.last.curves.size(), 2u);
    EXPECT_EQ(failures, 0);
}

TEST_F(SimnonTest, Example5) {
    systems();
    const std::string out = answer(
        ">SYST MOTOR CPID DPID SERVO - EDIT\n>E \" EXIT FROM MOTOR\n>E \" EXIT FROM CPID\n>E \" EXIT FROM "
        "DPID\n"
        ">DIS ON\n>B\n>E \" EXIT FROM SERVO\n");
    EXPECT_EQ(failures, 0) << out;
    // Figure 4.
    EXPECT_EQ(
        out,
        "EDIT\nEDIT\nEDIT\nEDIT\nCONNECTING SYSTEM SERVO\nTIME T\nYR=IF T<0.5 THEN 0 ELSE 1\nYREF[CPID]=YR\n"
        "Y[CPID]=Y[MOTOR]\n  PRECEDED BY EXECUTION OF OUTPUT-SECTION OF MOTOR\n"
        "  WARNING: U IS UNDEFINED IN OUTPUT-SECTION OF MOTOR\n"
        "YREF[DPID]=YR\nY[DPID]=Y[MOTOR]\nU[MOTOR]=IF CONT THEN U[CPID] ELSE U[DPID]\n"
        "  PRECEDED BY EXECUTION OF OUTPUT-SECTION OF CPID\n"
        "  PRECEDED BY EXECUTION OF OUTPUT-SECTION OF DPID IF SAMPLING\n"
        "CONT:1\nUP=A*U[MOTOR]+B\nA:1\nB:0\nEND\n");
    EXPECT_EQ(answer(">PLOT UP Y(MOTOR) YR\n>AXES H 0 2.5 V -0.1 2.5\n>PAR A:0.5\n>PAR B:1.5\n>PAR DT:10\n"
                     ">SIMU 0 2.5 - MARK\n>DISP G(CPID) TD(CPID) GD(CPID)\n"),
              "G[CPID]=1. TD[CPID]=1. GD[CPID]=0.\n");
    // y = 5.3/(p(1 + 0.1p)) u, u = 1 - y: a step response of second order; its exact parameters.
    const double y = last("MOTOR.Y");
    {
        const double a = 6.2e-3 * 6.2e-3 / (5.3 * 7.5e-7), k = 0.033 * 6.2e-3 / (5.3 * 7.5e-7), t = 2.0;
        const double s = a / 2, w = std::sqrt(k - s * s);
        EXPECT_NEAR(y, 1 - std::exp(-s * t) * (std::cos(w * t) + s / w * std::sin(w * t)), 1e-5);
    }
    EXPECT_EQ(host.last.marks.size(), 15u);
    EXPECT_EQ(answer(">PAR G(CPID):3\n>PAR TD(CPID):0.08\n>PAR GD(CPID):5\n>AXES\n>SIMU\n"
                     ">DISP G(CPID) TD(CPID) GD(CPID)\n"),
              "G[CPID]=3. TD[CPID]=0.08 GD[CPID]=5.\n");
    EXPECT_NEAR(last("MOTOR.Y"), 1.00000012467913, 1e-6);
    EXPECT_EQ(answer(">PAR CONT:0\n>PAR DT:0.05\n>AXES\n>SIMU\n>DISP G(DPID) TD(DPID)\n"),
              "G[DPID]=1. TD[DPID]=0.\n");
    EXPECT_NEAR(last("MOTOR.Y"), 1.00001448740038, 1e-6);
    EXPECT_EQ(answer(">PAR G(DPID):3\n>PAR TD(DPID):0.15\n>AXES\n>SIMU\n>DISP G(DPID) TD(DPID)\n"),
              "G[DPID]=3. TD[DPID]=0.15\n");
    EXPECT_EQ(failures, 0) << host.out;
    EXPECT_EQ(host.last.curves.size(), 3u);
    EXPECT_NEAR(last("MOTOR.Y"), 1.00000001736874, 1e-7);
    EXPECT_EQ(answer("DISP T T[DPID]"), "T=2.5 T[DPID]=2.5\n");
    answer("PAR G:3");
    EXPECT_EQ(host.codes, std::vector<std::string>{"ambiguous-variable"});
}

TEST_F(SimnonTest, BothFormsOfNamesAreCompleted) {
    systems();
    run("TURN WARN OFF\nTURN COMPU OFF\nSYST MOTOR CPID DPID SERVO\n");
    const auto candidates = [&](const std::string& line) {
        return session->complete(line, line.size()).candidates;
    };
    using List = std::vector<std::string>;
    EXPECT_EQ(candidates("PLOT Y[M"), List{"Y[MOTOR]"});
    EXPECT_EQ(candidates("PLOT MOTOR.TH"), (List{"MOTOR.TH", "MOTOR.THDOT"}));
    EXPECT_EQ(candidates("PLOT UP YR Y["), (List{"Y[CPID]", "Y[DPID]", "Y[MOTOR]"}));
    EXPECT_EQ(candidates("PAR G["), (List{"G[CPID]", "G[DPID]"}));
    EXPECT_EQ(candidates("PAR k"), (List{"KM", "KM[MOTOR]"}));
    EXPECT_EQ(candidates("SYST MO"), List{"MOTOR"});
    EXPECT_EQ(candidates("SAVE F MOT"), List{"MOTOR"});
    EXPECT_EQ(candidates("INIT THD"), (List{"THDOT", "THDOT[MOTOR]"}));
}

TEST_F(SimnonTest, RemarksFollowTheSwitches) {
    systems();
    const std::string both = answer("SYST MOTOR CPID DPID SERVO");
    EXPECT_NE(both.find("Y[CPID]=Y[MOTOR]\n  PRECEDED BY"), std::string::npos) << both;
    EXPECT_NE(both.find("WARNING: U IS UNDEFINED"), std::string::npos) << both;
    const std::string one = answer("TURN COMPU OFF\nSYST MOTOR CPID DPID SERVO");
    EXPECT_EQ(one.find("PRECEDED"), std::string::npos) << one;
    EXPECT_NE(one.find("WARNING: U IS UNDEFINED"), std::string::npos) << one;
    EXPECT_EQ(answer("TURN WARN OFF\nSYST MOTOR CPID DPID SERVO"), "");
    EXPECT_EQ(failures, 0);
}

TEST_F(SimnonTest, Example6) {
    systems();
    run("SYST TRIOD\nMACRO TRAJ X Y\nINIT U:X\nINIT V:Y\nSIMU 0 25\nEND\nPLOT V (U)\nAXES H -10 10 V -8 8\n"
        "TURN MACOM ON\n");
    EXPECT_EQ(answer("TRAJ 6 8\n"), "<MACRO TRAJ X Y\n<INIT U : 6\n<INIT V : 8\n<SIMU 0 25\n<END\n");
    run("TURN MACOM OFF\nTRAJ -6 8\nTRAJ -6 -8\nTRAJ 6 -8\nTRAJ 0.25 0\n");
    EXPECT_EQ(failures, 0) << host.out;
    EXPECT_EQ(host.last.curves.size(), 5u);
    // All trajectories come to the same limit cycle: its largest amplitude agrees.
    for (const Curve& curve : host.last.curves) {
        double amplitude = 0;
        for (std::size_t k = curve.x.size() * 2 / 3; k < curve.x.size(); ++k)
            amplitude = std::max(amplitude, std::fabs(curve.x[k]));
        EXPECT_GT(amplitude, 2.0);
        EXPECT_LT(amplitude, 3.5);
    }
}

TEST_F(SimnonTest, StartsThatAreComputedCannotBeChanged) {
    file("INI.t",
         "CONTINUOUS SYSTEM INI\nSTATE X Y\nDER DX "
         "DY\nINITIAL\nX=2*A\nOUTPUT\nDYNAMICS\nDX=-X\nDY=-Y\nA:3\nY:1\nEND\n");
    answer("SYST INI\nINIT X:1\n");
    EXPECT_EQ(host.codes, std::vector<std::string>{"start-is-computed"}) << host.out;
    EXPECT_EQ(answer("PAR A:4\nINIT Y:2\nDISP X Y\nSAVE VALUES\nGET VALUES\n"), "X=8. Y=2.\n");
    EXPECT_EQ(content("VALUES.t"), "[INI]\nY:2\nA:4\n");
    EXPECT_EQ(failures, 1);
}

TEST_F(SimnonTest, TheExampleOfAMacroFile) {
    const std::string root = CUTSET_ROOT;
    for (const char* name : {"triod.t", "phase.mac"})
        std::filesystem::copy(root + "/examples/simnon/" + name, folder_ / name);
    answer("PHASE\n");
    EXPECT_EQ(failures, 0) << host.out;
    ASSERT_EQ(host.last.curves.size(), 5u);
    EXPECT_EQ(host.last.curves[1].x.front(), -6);
    EXPECT_EQ(host.last.curves[1].y.front(), 8);
    EXPECT_EQ(host.last.curves[4].x.front(), 0.25);
    EXPECT_EQ(host.last.curves[0].label, "V, U:-6, V:-8");
}

TEST_F(SimnonTest, Example7) {
    const std::string root = CUTSET_ROOT;
    for (const char* name : {"area.t", "reset.t", "twop.t", "secan.c"})
        std::filesystem::copy(root + "/examples/simnon/" + name, folder_ / name);
    answer("SYST AREA SECAN RESET TWOP\nTURN WARN OFF\nTURN COMPU OFF\n");
    EXPECT_EQ(host.codes.front(), "not-compiled") << host.out;
    ASSERT_EQ(std::system(("cc -shared -fPIC -I " + root + "/include -o secan.so secan.c").c_str()), 0);
    answer("SYST AREA SECAN RESET TWOP\n");
    EXPECT_EQ(host.codes.front(), "external-not-allowed") << host.out;
    failures = 0;
    host.person = true;  // only then
    run(">TURN EXTERNAL ON\n>SYST AREA SECAN RESET TWOP\n>PLOT R LAM[AREA]\n>AXES H 0 5 V -10 5\n>PAR R1:1\n"
        ">PAR R2:0.8\n>PAR Y0:-2\n>PAR Y1:2\n>SIMU 0 5\n>\n"
        ">MACRO DISVA\n  >DISP R1 R2\n  >DISP Y0 Y1\n  >END\n>\n");
    ASSERT_EQ(failures, 0) << host.out;
    EXPECT_EQ(answer(">DISVA\n>\" SEE FIGURE 11\n"), "R1=1. R2=0.8\nY0=-2. Y1=2.\n");
    const std::string out =
        answer(">PLOT R(X)\n>AXES H -0.5 2 V 0 1.5\n>PAR EPS[SECAN]:1E-9\n>ERROR 1E-9\n>SIMU 0 1000\n");
    EXPECT_EQ(failures, 0) << out;
    EXPECT_NE(out.find("STOPPED BY THE MODEL"), std::string::npos) << out;
    ASSERT_EQ(host.last.curves.size(), 1u);
    const Curve& curve = host.last.curves[0];
    // Each shot is a curve of its own, from (0, 1); the last one ends at (1, 0.8).
    std::size_t gaps = 0;
    for (const double y : curve.y) gaps += std::isnan(y);
    EXPECT_GE(gaps, 3u);
    EXPECT_LT(gaps, 50u);
    EXPECT_EQ(host.last.x_label, "X");
    double near = 9;
    for (std::size_t k = 0; k < curve.x.size(); ++k)
        if (std::fabs(curve.x[k] - 1) < 1e-9 && std::isfinite(curve.y[k]))
            near = std::min(near, std::fabs(curve.y[k] - 0.8));
    EXPECT_LT(near, 1e-6);
}

TEST_F(SimnonTest, AWrongFileIsCorrectedInTheEditor) {
    file("BAD.t", "CONTINUOUS SYSTEM BAD\nSTATE X\nDER DX\nDX = -A*(X\nA:2\nX:1\nEND\n");
    const std::string out = answer("SYST BAD\nP\nC /(X/X/\nE\nSIMU 0 1\nDISP X\n");
    EXPECT_NE(out.find("EDIT\nDX = -A*(X\nDX = -A*X\n"), std::string::npos) << out;
    EXPECT_EQ(failures, 0) << out;
    EXPECT_NE(out.find("X=0.135\n"), std::string::npos) << out;
    EXPECT_NE(content("BAD.t").find("DX = -A*X\n"), std::string::npos);
}

TEST_F(SimnonTest, ATranscriptWithTheEditorCanBeExecuted) {
    answer(
        "SYST LAG\nCONTINUOUS SYSTEM LAG\nSTATE X\nDER DX\nDX=-X)\nR DX=-X\n\nX:1\nEND\n\nE\nDISP X\nLOG "
        "first\n");
    EXPECT_EQ(failures, 0) << host.out;
    const std::string text = content("LAG.t"), log = content("first.log");
    std::filesystem::remove("LAG.t");
    std::string lines;
    std::istringstream stream(log);
    for (std::string line; std::getline(stream, line);) lines += line + "\n";
    EXPECT_NE(answer(lines).find("X=1.\n"), std::string::npos) << log;
    EXPECT_EQ(failures, 0) << host.out;
    EXPECT_EQ(content("LAG.t"), text);
}

TEST_F(SimnonTest, ACommandLeavesTheEditorAfterAnError) {
    file("BAD.t", "CONTINUOUS SYSTEM BAD\nSTATE X\nDER DX\nDX = -A*(X\nA:2\nX:1\nEND\n");
    const std::string before = content("BAD.t");
    answer("SYST BAD\nSIMU 0 1\n");
    EXPECT_EQ(host.codes.back(), "no-system");
    EXPECT_EQ(content("BAD.t"), before);
    EXPECT_EQ(failures, 1);
}

}  // namespace
}  // namespace cutset
