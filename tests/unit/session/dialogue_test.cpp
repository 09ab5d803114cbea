// Sessions with a model: what is typed, what is shown.
#include <cmath>

#include "results/reader.h"
#include "scripted_host.h"

namespace cutset {
namespace {

class DialogueTest : public SessionTest {
  protected:
    void SetUp() override {
        SessionTest::SetUp();
        file("triod.dym", triod_dym);
        run("SYST TRIOD\nERROR 1E-9\n");
        ASSERT_EQ(failures, 0) << host.out;
    }
};

TEST_F(DialogueTest, Example2OnTheSameModelInAnotherLanguage) {
    run("PLOT U\nAXES H 0 25 V -5 5\nSIMU 0 25\n");
    ASSERT_EQ(failures, 0) << host.out;
    ASSERT_EQ(host.last.curves.size(), 1u);
    EXPECT_EQ(host.last.curves[0].x.back(), 25);
    EXPECT_NEAR(host.last.curves[0].y.back(), 2.22866, 2e-5);
    EXPECT_EQ(host.last.title, "PLOT U");
    EXPECT_EQ(host.last.x_range->high, 25);
    run("INIT U:6\nINIT V:-10\nSIMU\n");
    ASSERT_EQ(host.last.curves.size(), 2u) << host.out;
    EXPECT_EQ(host.last.curves[1].y.front(), 6);
    EXPECT_EQ(host.last.curves[0].y.front(), 0.25);
    run("AXES\n");
    EXPECT_TRUE(session->picture().curves.empty());
    EXPECT_EQ(session->picture().x_range->high, 25);
    EXPECT_EQ(failures, 0);
    run("STOP");
    EXPECT_TRUE(stopped);
}

TEST_F(DialogueTest, ValuesAreDisplayed) {
    run("SIMU 0 25\n");
    EXPECT_EQ(answer("DISP U V EPS"), "U=2.23 V=0.716 EPS=1.\n");
    EXPECT_EQ(answer("disp(tp) u"), "U=2.23\n");
    const std::string all = answer("DISP");
    EXPECT_NE(all.find("MODEL TRIOD\nSTATE : U       2.22866     V       0.71616"), std::string::npos) << all;
    EXPECT_NE(all.find("INIT  : U       0.250000    V       0.000000\n"), std::string::npos) << all;
    EXPECT_NE(all.find("PAR   : EPS     1.00000\n"), std::string::npos) << all;
    EXPECT_EQ(answer("DISP(LP) U"), "APPENDED TO listing.txt\n");
    EXPECT_EQ(content("listing.txt"), "U=2.23\n");
}

TEST_F(DialogueTest, ParametersTakeNumbersVariablesAndArithmetic) {
    EXPECT_EQ(answer("PAR EPS:3\nDISP EPS"), "EPS=3.\n");
    EXPECT_EQ(answer("PAR EPS : U + 1\nDISP EPS"), "EPS=1.25\n");
    EXPECT_EQ(answer("INIT U=-V+2\nDISP U"), "U=2.\n");
    answer("PAR U:1");
    EXPECT_EQ(host.codes, std::vector<std::string>{"not-a-parameter"});
    answer("INIT EPS:1");
    EXPECT_EQ(host.codes, std::vector<std::string>{"not-a-state"});
    answer("PAR EPSS:1");
    EXPECT_EQ(host.codes, std::vector<std::string>{"unknown-variable"});
    EXPECT_NE(host.out.find("did you mean EPS?"), std::string::npos);
    answer("PAR EPS");
    EXPECT_EQ(host.codes, std::vector<std::string>{"command-form"});
    answer("PAR EPS:1/0");
    EXPECT_EQ(host.codes, std::vector<std::string>{"value-not-finite"});
}

TEST_F(DialogueTest, ARunGoesOn) {
    run("SIMU 0 25\nDISP U\n");
    const double once =
        session->facts().run->result->value("U", session->facts().run->result->rows() - 1).value();
    run("PLOT U\nSIMU 0 10\nSIMU 0 15 -CONT\n");
    ASSERT_EQ(failures, 0) << host.out;
    EXPECT_EQ(session->facts().time, 25);
    ASSERT_EQ(host.last.curves.size(), 1u);
    EXPECT_NEAR(host.last.curves[0].y.back(), once, 1e-6);
}

TEST_F(DialogueTest, StoredVariablesGoToAFileAndAreShown) {
    run("STORE U V\nSIMU 0 25/SIM1\n");
    ASSERT_EQ(failures, 0) << host.out;
    EXPECT_TRUE(content("SIM1.csv").starts_with("time,U,V\n")) << content("SIM1.csv").substr(0, 80);
    run("SIMU 0 5 -CONT\n");
    Diagnostics diagnostics;
    const auto result = read_result("SIM1.csv", diagnostics);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->time(0), 0);
    EXPECT_EQ(result->time(result->rows() - 1), 30);
    EXPECT_EQ(answer("SHOW -LIST/SIM1"), "time U V\n");
    run("SHOW V (U)-MARK\n");
    ASSERT_EQ(host.last.curves.size(), 1u) << host.out;
    EXPECT_EQ(host.last.x_label, "U");
    EXPECT_FALSE(host.last.marks.empty());
    run("STORE\nSIMU 0 1/ALL\n");
    EXPECT_NE(content("ALL.csv").find("EPS"), std::string::npos);
    EXPECT_EQ(failures, 0) << host.out;
    std::filesystem::remove("SIM1.csv");
    run("SIMU\n");
    EXPECT_FALSE(std::filesystem::exists("SIM1.csv"));
    answer("SHOW U/NONE");
    EXPECT_EQ(host.codes, std::vector<std::string>{"no-result"});
}

TEST_F(DialogueTest, FilesOfOthersAreLeftAlone) {
    file("MINE.csv", "name,price\nbolt,3\n");
    answer("SIMU 0 1/MINE");
    EXPECT_EQ(host.codes, std::vector<std::string>{"would-overwrite"});
    EXPECT_EQ(content("MINE.csv"), "name,price\nbolt,3\n");
    file("notes.t", "my notes\n");
    answer("SAVE NOTES");
    EXPECT_EQ(host.codes, std::vector<std::string>{"would-overwrite"});
    EXPECT_EQ(content("notes.t"), "my notes\n");
}

TEST_F(DialogueTest, ValuesAreSavedAndRestored) {
    run("PAR EPS:2.5\nINIT U:-1\nSAVE VALUES\n");
    EXPECT_EQ(content("VALUES.t"), "[TRIOD]\nU:-1\nV:0\nEPS:2.5\n");
    run("PAR EPS:1\nINIT U:0\nGET VALUES\n");
    EXPECT_EQ(failures, 0) << host.out;
    EXPECT_EQ(answer("DISP EPS U"), "EPS=2.5 U=-1.\n");
    run("SAVE P-PAR\nSAVE I TRIOD-INIT\n");
    EXPECT_EQ(content("P.t"), "[TRIOD]\nEPS:2.5\n");
    EXPECT_EQ(content("I.t"), "[TRIOD]\nU:-1\nV:0\n");
    file("bad.t", "[TRIOD]\nEPS:7\nQ:1\n");
    answer("GET BAD");
    EXPECT_EQ(host.codes, std::vector<std::string>{"bad-line"});
    EXPECT_NE(host.out.find("line 3: Q:1"), std::string::npos) << host.out;
    EXPECT_EQ(answer("DISP EPS"), "EPS=2.5\n");
}

TEST_F(DialogueTest, Example6APhasePlaneByAMacro) {
    run("MACRO TRAJ X Y      \" DEFINE THE MACRO TRAJ\n  >INIT U:X\n  >INIT V:Y\n  >SIMU 0 25\n  >END\n"
        ">PLOT V (U)          \" PLOT V VERSUS U\n>AXES H -10 10 V -8 8\n");
    EXPECT_EQ(answer(">TURN MACOM ON      \" ECHO THE MACRO COMMANDS\n>TRAJ 6 8\n>TRAJ -6 8\n"
                     ">TURN MACOM OFF    \" DON'T ECHO THE MACRO COMMANDS\n"),
              "<MACRO TRAJ X Y\n<INIT U : 6\n<INIT V : 8\n<SIMU 0 25\n<END\n"
              "<MACRO TRAJ X Y\n<INIT U : -6\n<INIT V : 8\n<SIMU 0 25\n<END\n");
    EXPECT_EQ(answer("TRAJ -6 -8\nTRAJ 6 -8\nTRAJ 0.25 0\n"), "");
    EXPECT_EQ(failures, 0) << host.out;
    ASSERT_EQ(host.last.curves.size(), 5u);
    EXPECT_EQ(host.last.x_label, "U");
    EXPECT_EQ(host.last.curves[2].x.front(), -6);
    EXPECT_EQ(host.last.curves[2].y.front(), -8);
    EXPECT_EQ(host.last.title, "PLOT V (U)");
}

TEST_F(DialogueTest, CheckpointsAndFutures) {
    run("PLOT U\nSIMU 0 5\nCHECKPOINT A/point\nSIMU 0 5-CONT\nRESTORE A\nPAR EPS:3\nSIMU -CONT\n");
    ASSERT_EQ(failures, 0) << host.out;
    ASSERT_EQ(host.last.curves.size(), 2u);
    EXPECT_EQ(host.last.curves[1].x.front(), 5);
    EXPECT_EQ(host.last.curves[1].x.back(), 10);
    EXPECT_NE(host.last.curves[0].y.back(), host.last.curves[1].y.back());
    run("RESTORE B/point\n");
    EXPECT_EQ(session->facts().time, 5);
    EXPECT_EQ(answer("DISP EPS"), "EPS=1.\n");
    answer("RESTORE NONE");
    EXPECT_EQ(host.codes, std::vector<std::string>{"unknown-checkpoint"});
    const std::string compared = answer("CLEAR\nBRANCH EPS:2 5\n");
    EXPECT_NE(compared.find("U: "), std::string::npos) << compared;
    EXPECT_EQ(host.last.curves.size(), 2u);
}

TEST_F(DialogueTest, StatesJumpInAStandingRun) {
    answer("STATE U:1");
    EXPECT_EQ(host.codes, std::vector<std::string>{"no-run"});
    EXPECT_EQ(answer("SIMU 0 1\nSTATE U:1.5\nDISP U\n").find("U=1.5\n") != std::string::npos, true)
        << host.out;
}

TEST_F(DialogueTest, OperationsGetTheModelAndWhatWasChanged) {
    run("PAR EPS:2\nINIT U:1\nlinearize --json\n");
    EXPECT_EQ(host.called, (std::vector<std::string>{"linearize", "triod.dym", "--set", "EPS=2", "--init",
                                                     "U=1", "--json"}));
    run("WHY g\n");
    EXPECT_EQ(host.called, (std::vector<std::string>{"equations", "triod.dym", "--set", "EPS=2", "--init",
                                                     "U=1", "--where", "G"}));
    run("BODE --input u --output V  \" a comment\n");
    EXPECT_EQ(host.called, (std::vector<std::string>{"bode", "triod.dym", "--set", "EPS=2", "--init", "U=1",
                                                     "--inputs", "U", "--outputs", "V"}));
    run("check triod.dym\n");
    EXPECT_EQ(host.called, (std::vector<std::string>{"check", "triod.dym"}));
    EXPECT_EQ(failures, 0);
    run("linearize fail\n");
    EXPECT_EQ(failures, 1);
}

TEST_F(DialogueTest, WrongCommandsAreExplained) {
    const std::pair<const char*, const char*> cases[] = {{"SIM 0 1 2 3", "command-form"},
                                                         {"PLTO U", "unknown-command"},
                                                         {"STO", "ambiguous-command"},
                                                         {"PLOT W", "unknown-variable"},
                                                         {"AXES H 1", "command-form"},
                                                         {"AXES H 2 1", "bad-limits"},
                                                         {"SIMU 1 0", "bad-interval"},
                                                         {"SIMU 0", "command-form"},
                                                         {"SIMU 0 1 -CONTT", "unknown-option"},
                                                         {"ALGOR FAST", "unknown-algorithm"},
                                                         {"ERROR 0", "bad-error-bound"},
                                                         {"TURN X ON", "unknown-switch"},
                                                         {"SYST", "command-form"},
                                                         {"GET NONE", "file-not-found"},
                                                         {"LIST NONE", "file-not-found"},
                                                         {"HCOPY x.gif", "no-picture"},
                                                         {"PLOT U (V) G", "command-form"},
                                                         {"PLOT (V)", "variable-expected"},
                                                         {"=3", "not-a-command"},
                                                         {"SIMU 0 1/", "missing-file-name"},
                                                         {"NEXT K", "only-in-macro"}};
    for (const auto& [line, code] : cases) {
        answer(line);
        EXPECT_EQ(host.codes, std::vector<std::string>{code}) << line << ": " << host.out;
    }
    EXPECT_EQ(failures, static_cast<int>(std::size(cases)));
}

TEST_F(DialogueTest, WhatIsPossibleIsCompleted) {
    const auto candidates = [&](const std::string& line) {
        return session->complete(line, line.size()).candidates;
    };
    using List = std::vector<std::string>;
    EXPECT_EQ(candidates("SIM"), List{"SIMU"});
    EXPECT_EQ(candidates("> line"), List{"linearize"});
    EXPECT_EQ(candidates("PAR "), List{"EPS"});
    EXPECT_EQ(candidates("INIT "), (List{"U", "V"}));
    EXPECT_EQ(candidates("PLOT U "), (List{"EPS", "G", "U", "V"}));
    EXPECT_EQ(candidates("PLOT U(v"), List{"V"});
    EXPECT_EQ(candidates("SYST tri"), List{"triod.dym"});
    EXPECT_EQ(candidates("SIMU 0 1 -"), (List{"-CONT", "-MARK"}));
    EXPECT_EQ(candidates("TURN W"), List{"WARN"});
    EXPECT_EQ(candidates("TURN WARN O"), (List{"OFF", "ON"}));
    EXPECT_EQ(candidates("bode --s"), List{"--set"});
    EXPECT_EQ(session->complete("PLOT U", 6).begin, 5u);
}

TEST_F(DialogueTest, TheTranscriptIsAScriptAndAMacro) {
    run("PAR EPS:2\nPLTO U\nDISP EPS\nLOG all\nLOG again-MACRO\n");
    EXPECT_NE(content("all.log").find(">PAR EPS:2\n>PLTO U\n"), std::string::npos) << content("all.log");
    EXPECT_NE(content("all.log").find("\" EPS=2.\n"), std::string::npos);
    const std::string macro = content("again.t");
    EXPECT_TRUE(macro.starts_with("MACRO again\n"));
    EXPECT_NE(macro.find("PAR EPS:2\nDISP EPS\nEND\n"), std::string::npos) << macro;
    EXPECT_EQ(macro.find("PLTO"), std::string::npos);
    EXPECT_EQ(answer("PAR EPS:5\nagain\n"), "EPS=2.\n");
    EXPECT_EQ(failures, 1);
}

TEST_F(DialogueTest, EditorsWriteFilesAtTheEndOnly) {
    EXPECT_EQ(answer("EDIT NEW\nFIRST LINE\nSECOND\n\nE\n"), "FILE NOT FOUND: NEW\nINPUT\nEDIT\n");
    EXPECT_EQ(content("NEW.t"), "FIRST LINE\nSECOND\n");
    EXPECT_EQ(answer("EDIT new\nN\nR X\nLEAVE\n"), "EDIT\n");
    EXPECT_EQ(content("NEW.t"), "FIRST LINE\nSECOND\n");
    answer("EDIT NEW\nN\nR X\n");
    EXPECT_EQ(host.codes, std::vector<std::string>{"input-ended"});
    EXPECT_EQ(content("NEW.t"), "FIRST LINE\nSECOND\n");
    EXPECT_EQ(answer("LIST NEW"), "FIRST LINE\nSECOND\n");
}

TEST_F(DialogueTest, WhatOthersWroteMeanwhileIsKept) {
    file("shared.t", "ONE\n");
    host.on_read = [&](const std::string& line) {
        if (line == "E") file("shared.t", "OTHER\n");
    };
    answer("EDIT shared\nN\nR TWO\nE\n");
    EXPECT_EQ(host.codes, std::vector<std::string>{"changed-meanwhile"});
    EXPECT_EQ(content("shared.t"), "TWO\n");
    EXPECT_EQ(content("shared.t.old"), "OTHER\n");
}

TEST_F(DialogueTest, InputsAreZeroUntilTheyAreGiven) {
    file("lag.dym", "model lag\n  input u\n  local x\n  der(x) = u - x\n  x(0) = 0\nend\n");
    answer("SYST lag\nSIMU 0 1\nDISP x\n");
    EXPECT_EQ(host.codes.front(), "input-not-given");
    EXPECT_EQ(failures, 0) << host.out;
    EXPECT_NE(host.out.find("x=0.\n"), std::string::npos) << host.out;
    EXPECT_EQ(answer("INPUT u 2\nSIMU 0 1\nDISP x\n"), "x=1.26\n");
    // x' + x = sin t, x(0) = 0: x(1) = (sin 1 - cos 1 + 1/e)/2
    answer("ERROR 1E-9\nINPUT u:SIN(TIME)\nSIMU 0 1\n");
    EXPECT_EQ(failures, 0) << host.out;
    const auto run = session->facts().run;
    EXPECT_NEAR(run->result->value("x", run->result->rows() - 1).value(),
                (std::sin(1) - std::cos(1) + std::exp(-1)) / 2, 1e-7);
    this->run("bode --input u --output x\n");
    EXPECT_EQ(host.called, (std::vector<std::string>{"bode", "lag.dym", "--input", "u=sin(time)", "--inputs",
                                                     "u", "--outputs", "x"}));
}

TEST_F(DialogueTest, PicturesAreWritten) {
    run("PLOT U V\nSIMU 0 10 -MARK\nHCOPY curve.svg\nHCOPY curve.png\nHCOPY other\n");
    EXPECT_EQ(failures, 0) << host.out;
    EXPECT_TRUE(content("curve.svg").find("<svg") != std::string::npos);
    EXPECT_TRUE(std::filesystem::exists("curve.png"));
    EXPECT_TRUE(std::filesystem::exists("other.svg"));
}

TEST_F(DialogueTest, ARunIsInterruptedAndGoesOn) {
    host.stop_when_growing = true;
    const std::string out = answer("PLOT U\nSIMU 0 1E6 0.5\n");
    EXPECT_NE(out.find("INTERRUPTED AT TIME "), std::string::npos) << out;
    EXPECT_EQ(host.shown_growing, 1);
    const double time = *session->facts().time;
    EXPECT_LT(time, 1e6);
    EXPECT_GT(time, 0);
    host.stop_when_growing = false;
    run("SIMU 0 5-CONT\n");
    EXPECT_NEAR(*session->facts().time, time + 5, 1e-9);
    EXPECT_EQ(host.last.curves.size(), 1u);
    // A macro stops as a whole.
    host.stop_when_growing = true;
    answer("MACRO M\nSIMU 0 1E6\nWRITE 'NEVER'\nEND\nM\n");
    EXPECT_EQ(host.out.find("NEVER\n"), std::string::npos) << host.out;
    EXPECT_EQ(answer("WRITE 'ALIVE'"), "ALIVE\n");
}

TEST_F(DialogueTest, AParameterChangesNoTranslation) {
    run("PLOT U\nSIMU 0 1\nPAR EPS:2\nSIMU\nINIT U:1\nSIMU\n");
    EXPECT_EQ(failures, 0) << host.out;
    EXPECT_EQ(session->facts().runs, 3u);
    EXPECT_EQ(session->facts().changed, (std::vector<std::string>{"PAR EPS:2", "INIT U:1"}));
}

TEST_F(SessionTest, WithoutASystemCommandsSaySo) {
    for (const char* line : {"PLOT U", "SIMU", "PAR A:1", "INIT A:1", "DISP", "STORE U", "SAVE X",
                             "linearize", "WHY X", "CHECKPOINT"}) {
        answer(line);
        EXPECT_EQ(host.codes, std::vector<std::string>{"no-system"}) << line;
    }
}

TEST_F(SessionTest, AMissingFileDoesNotSwallowAScript) {
    file("nowhere1.dym", triod_dym);
    const std::string out = answer("SYST NOWHERE\nTURN WARN OFF\nTURN\n");
    EXPECT_NE(out.find("did you mean nowhere1?"), std::string::npos) << out;
    EXPECT_EQ(host.codes, std::vector<std::string>{"file-not-found"});
    EXPECT_NE(out.find("WARN OFF"), std::string::npos) << out;
    EXPECT_EQ(failures, 1);
}

}  // namespace
}  // namespace cutset
