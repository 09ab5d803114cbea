// The reader of Simnon text: roles, values, errors one by one.
#include "languages/simnon/parse.h"

#include <gtest/gtest.h>

#include <random>

#include "languages/simnon/lower.h"
#include "languages/simnon/order.h"

namespace cutset::simnon {
namespace {

struct Read {
    Sources sources;
    Diagnostics diagnostics;
    std::vector<System> systems;

    explicit Read(const std::string& text) {
        systems = parse_systems(sources, sources.add("x.t", text), diagnostics);
    }
    // "line:column MESSAGE" of all errors.
    std::vector<std::string> errors() const {
        std::vector<std::string> list;
        for (const Diagnostic& d : diagnostics.all()) {
            const Location at = sources.locate(d.where);
            list.push_back(std::to_string(at.line) + ":" + std::to_string(at.column) + " " + d.message);
        }
        return list;
    }
    std::string only() const {
        const auto list = errors();
        return list.size() == 1 ? list[0] : "errors: " + std::to_string(list.size());
    }
};

std::string body(const std::string& lines) {
    return "CONTINUOUS SYSTEM S\nINPUT U\nOUTPUT Y\nSTATE X\nDER DX\nTIME T\n" + lines + "\nEND\n";
}

std::string discrete(const std::string& lines) {
    return "DISCRETE SYSTEM S\nINPUT U\nOUTPUT Y\nSTATE X\nNEW NX\nTIME T\nTSAMP TS\n" + lines + "\nEND\n";
}

TEST(SimnonParse, RolesByFirstAppearance) {
    const Read r(body("A = B*U\nY = A\nDX = Y\nB: -1.5E-3\nX:2"));
    ASSERT_TRUE(r.errors().empty()) << r.errors()[0];
    const System& s = r.systems[0];
    EXPECT_EQ(s.variables[*s.find("A")].role, SystemRole::Auxiliary);
    EXPECT_EQ(s.variables[*s.find("B")].role, SystemRole::Parameter);
    EXPECT_EQ(*s.variables[*s.find("b")].constant, -1.5e-3);
    EXPECT_EQ(*s.variables[*s.find("X")].constant, 2);
}

TEST(SimnonParse, AnyCaseOfWordsAndNames) {
    const Read r("continuous system s\nState Theta\nDer dtheta\nDTHETA = -THETA\nend\n");
    EXPECT_TRUE(r.errors().empty());
    EXPECT_EQ(r.systems[0].assignments[0].target, "dtheta");
}

TEST(SimnonParse, MessagesOfExpressions) {
    const auto at = [](const std::string& line) { return Read(body(line + "\nY = 0\nDX = 0")).only(); };
    EXPECT_EQ(at("G = IF ABS U)<SQRT(2) THEN 2-U*U ELSE 0"), "7:12 MISSING LEFT PARENTHESIS");
    EXPECT_EQ(at("G = U)"), "7:6 MISSING LEFT PARENTHESIS");
    EXPECT_EQ(at("G = (U"), "7:7 MISSING RIGHT PARENTHESIS");
    EXPECT_EQ(at("G = IF T<1 ELSE 2"), "7:12 MISSING THEN");
    EXPECT_EQ(at("G = IF T<1 THEN 2"), "7:18 MISSING ELSE");
    EXPECT_EQ(at("G = U*"), "7:7 MISSING OPERAND");
    EXPECT_EQ(at("G = U T"), "7:7 MISSING OPERATOR before T");
    EXPECT_EQ(at("G = 2 + IF T<1 THEN 2 ELSE 3"), "7:9 IF MUST STAND IN PARENTHESES");
    EXPECT_EQ(at("G = U <= 1"), "7:7 ILLEGAL OPERATOR: <=");
    EXPECT_EQ(at("G = SINH(U)"), "7:5 UNKNOWN FUNCTION: SINH");
    EXPECT_EQ(at("G = MIN(U)"), "7:5 WRONG NUMBER OF ARGUMENTS: MIN");
    EXPECT_EQ(at("G = 1.2.3"), "7:5 ILLEGAL NUMBER: 1.2.3");
    EXPECT_EQ(at("G = U # 3"), "7:7 ILLEGAL CHARACTER: #");
    EXPECT_EQ(at("G = 0 < U < 1"), "7:11 TWO RELATIONS IN A ROW");
    EXPECT_EQ(at("G = " + std::string(300, '(') + "U" + std::string(300, ')')), "7:205 EXPRESSION TOO DEEP");
}

TEST(SimnonParse, MessagesOfStatements) {
    EXPECT_EQ(Read(body("Y = EPS*U\nDX = 0")).only(), "7:5 UNASSIGNED: EPS");
    EXPECT_EQ(Read(body("Y = A\nA = 1\nDX = 0")).only(), "7:5 USED BEFORE ASSIGNED: A");
    EXPECT_EQ(Read(body("Y = 1\nY = 2\nDX = 0")).only(), "8:1 ASSIGNED TWICE: Y");
    EXPECT_EQ(Read(body("Y = 1\nDX = 0\nA:1\nA:2")).only(), "10:1 ASSIGNED TWICE: A");
    EXPECT_EQ(Read(body("DX = 0")).only(), "3:8 UNASSIGNED: Y");
    EXPECT_EQ(Read(body("Y = DX\nDX = 0")).only(), "7:5 USED BEFORE ASSIGNED: DX");
    EXPECT_EQ(Read(body("Y = 0\nDX = 0\nX = 1")).only(), "9:1 STATE X NOT ALLOWED IN OUTPUT SECTION");
    EXPECT_EQ(Read(body("Y = 0\nDX = 0\nU = 1")).only(), "9:1 INPUT U CANNOT BE ASSIGNED");
    EXPECT_EQ(Read(body("Y = 0\nDX = 0\nU:1")).only(), "9:1 CONSTANT NOT ALLOWED: U");
    EXPECT_EQ(Read(body("DYNAMICS\nDX = 0\nOUTPUT\nY = 0")).only(), "9:1 WRONG ORDER: OUTPUT");
    EXPECT_EQ(Read(body("Y = 0\nDX = V[OTHER]")).only(), "8:6 V[OTHER] NOT ALLOWED IN CONTINUOUS SYSTEM");
    EXPECT_EQ(Read(body("INITIAL\nA = U\nOUTPUT\nY = A\nDX = 0")).only(),
              "8:5 U NOT ALLOWED IN INITIAL SECTION");
    EXPECT_EQ(Read(body("Y = 0\nDX = 0\nSTATE Z")).errors()[0], "9:1 WRONG ORDER: STATE");
    EXPECT_EQ(Read("CONTINUOUS SYSTEM S\nSTATE A B\nDER DA\nDA = 1\nEND").only(),
              "3:5 STATE AND DER DO NOT MATCH");
    EXPECT_EQ(Read("CONTINUOUS SYSTEM S\nSTATE A\nDER DA\nDA = 1\n").only(), "5:1 MISSING END");
    EXPECT_EQ(Read("STATE A\nDER DA\nDA = 1\n").only(), "1:1 MISSING SYSTEM HEADING");
    EXPECT_EQ(Read("CONTINUOUS SYSTEM S\nNEW A\nEND").only(), "2:1 NEW NOT ALLOWED IN CONTINUOUS SYSTEM");
    EXPECT_EQ(Read("CONTINUOUS SYSTEM S\nTIME T S\nEND").only(), "2:8 ONLY ONE TIME VARIABLE");
    EXPECT_EQ(Read("CONTINUOUS SYSTEM S\nCONNECT\nEND").only(),
              "2:1 CONNECT NOT ALLOWED IN CONTINUOUS SYSTEM");
    EXPECT_EQ(Read("DISCRETE SYSTEM S\nEND").only(), "1:17 MISSING TSAMP");
    EXPECT_EQ(Read("CONTINUOUS SYSTEM S\nSTAET X\nEND").only(), "2:1 ILLEGAL STATEMENT: STAET");
    EXPECT_EQ(Read("").only(), "1:1 NO SYSTEM IN THIS FILE");
}

TEST(SimnonParse, OneErrorForALine) {
    const Read r(body("A = # 1\nB = A + (\nY = A + B\nDX = Y Y"));
    EXPECT_EQ(r.errors(), (std::vector<std::string>{"7:5 ILLEGAL CHARACTER: #", "8:10 MISSING OPERAND",
                                                    "10:8 MISSING OPERATOR before Y"}));
}

TEST(SimnonParse, DiscreteMayUseHeldValues) {
    EXPECT_TRUE(Read(discrete("Y = X\nNX = U\nTS = TS+1")).errors().empty());
    EXPECT_TRUE(Read(discrete("INITIAL\nY = 1\nOUTPUT\nY = Y+1\nNX = U\nTS = T+1")).errors().empty());
    EXPECT_EQ(Read(discrete("Y = Y+1\nNX = U\nTS = T+1")).only(), "8:5 USED BEFORE ASSIGNED: Y");
    EXPECT_EQ(Read(discrete("Y = 1\nNX = U")).only(), "7:7 UNASSIGNED: TS");
    EXPECT_EQ(Read(discrete("Y = 1\nNX = U\nTS = T+1\nTS:3")).only(), "11:1 CONSTANT NOT ALLOWED: TS");
}

TEST(SimnonParse, LongListsAreNotDeep) {
    std::string choice = "Y = ", sum = "DX = 1";
    for (int i = 0; i < 3000; ++i) {
        choice += "IF T<" + std::to_string(i) + " THEN " + std::to_string(i) + " ELSE ";
        sum += "+U*U";
    }
    EXPECT_TRUE(Read(body(choice + "0\n" + sum)).errors().empty());
    EXPECT_EQ(Read(body("Y = U" + std::string(3000, '^') + "\nDX=0")).only().substr(0, 9), "7:7 MISSI");
    std::string tower = "Y = U";
    for (int i = 0; i < 3000; ++i) tower += "^2";
    EXPECT_NE(Read(body(tower + "\nDX=0")).only().find("TOO DEEP"), std::string::npos);
}

TEST(SimnonParse, NoBytesCrash) {
    std::mt19937 random(7);
    const std::string pieces[] = {"CONTINUOUS SYSTEM A\n",
                                  "DISCRETE SYSTEM B\n",
                                  "CONNECTING SYSTEM C\n",
                                  "STATE X\n",
                                  "DER DX\n",
                                  "TSAMP TS\n",
                                  "NEW N\n",
                                  "END\n",
                                  "OUTPUT\n",
                                  "INITIAL\n",
                                  "X",
                                  "DX",
                                  "=",
                                  "[",
                                  "]",
                                  "(",
                                  ")",
                                  "IF ",
                                  "THEN ",
                                  "ELSE ",
                                  "NOT ",
                                  "AND ",
                                  ":",
                                  "1",
                                  "E5",
                                  ".",
                                  "\n",
                                  "\"",
                                  "\xE2\x86\x91",
                                  "\xE2",
                                  "^",
                                  "-",
                                  "*",
                                  "ABS",
                                  ",",
                                  std::string(1, '\0')};
    for (int n = 0; n < 3000; ++n) {
        std::string text;
        for (int i = 0; i < 60; ++i) text += pieces[random() % std::size(pieces)];
        Read r(text);
        std::vector<System> others;
        for (const System& s : r.systems) {
            Diagnostics diagnostics;
            if (s.kind == SystemKind::Connecting) {
                System connecting = s;
                resolve(
                    connecting, others, [](const std::string&) { return std::string(); }, diagnostics);
                order_of_computation(connecting, others);
                report_loops(&connecting, others, false, diagnostics);
                lower_connecting(connecting, others);
            } else {
                lower_system(s, true, diagnostics);
                others.push_back(s);
            }
            for (const Diagnostic& d : r.diagnostics.all()) render(d, r.sources);
        }
    }
}

TEST(SimnonOrder, FigureFour) {
    Read r(
        "CONTINUOUS SYSTEM M\nINPUT U\nOUTPUT Y\nSTATE X\nDER DX\nY = X\nDX = U\nEND\n"
        "DISCRETE SYSTEM D\nINPUT R Y\nOUTPUT U\nTIME T\nTSAMP TS\nU = R-Y\nTS = T+1\nEND\n"
        "CONNECTING SYSTEM C\nR[D] = 1\nY[D] = Y[M]\nU[M] = U[D]\nEND\n");
    ASSERT_TRUE(r.errors().empty());
    System connecting = r.systems.back();
    r.systems.pop_back();
    resolve(
        connecting, r.systems, [](const std::string&) { return std::string(); }, r.diagnostics);
    std::vector<std::string> lines;
    for (const ComputationRemark& remark : order_of_computation(connecting, r.systems))
        lines.push_back(std::to_string(r.sources.locate(remark.statement).line) + " " + remark.text);
    EXPECT_EQ(lines,
              (std::vector<std::string>{"19 PRECEDED BY EXECUTION OF OUTPUT-SECTION OF M",
                                        "19 WARNING: U IS UNDEFINED IN OUTPUT-SECTION OF M",
                                        "20 PRECEDED BY EXECUTION OF OUTPUT-SECTION OF D IF SAMPLING"}));
}

}  // namespace
}  // namespace cutset::simnon
