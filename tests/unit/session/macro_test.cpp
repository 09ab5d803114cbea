#include "scripted_host.h"

namespace cutset {
namespace {

using MacroTest = SessionTest;

TEST_F(MacroTest, LoopsTestsAndJumps) {
    EXPECT_EQ(answer("MACRO COUNT N\n"
                     "LET S = 0\n"
                     "FOR K = 1 TO N\n"
                     "LET S = S + K^2\n"
                     "NEXT K\n"
                     "IF S GT 50 GOTO BIG\n"
                     "WRITE 'SMALL' S\n"
                     "GOTO OUT\n"
                     "LABEL BIG\n"
                     "WRITE 'BIG' S\n"
                     "LABEL OUT\n"
                     "END\n"
                     "COUNT 3\n"
                     "count 5\n"),
              "SMALL 14\nBIG 55\n");
    EXPECT_EQ(failures, 0);
}

TEST_F(MacroTest, LoopsCountExactlyAndMayBeEmpty) {
    EXPECT_EQ(answer("FOR X = 0 TO 0.3 STEP 0.1\nWRITE X\nNEXT X\n"), "0\n0.1\n0.2\n0.3\n");
    EXPECT_EQ(answer("FOR X = 2 TO 1\nWRITE X\nNEXT X\nWRITE 'DONE'\n"), "DONE\n");
    EXPECT_EQ(answer("FOR X = 2 TO 1 STEP -1\nFOR Y = 1 TO 2\nWRITE X Y\nNEXT Y\nNEXT X\n"),
              "2 1\n2 2\n1 1\n1 2\n");
    EXPECT_EQ(failures, 0);
}

TEST_F(MacroTest, MacrosCallEachOtherAndHaveDefaults) {
    EXPECT_EQ(answer("MACRO INNER A B\nDEFAULT B = 7\nWRITE A B\nEND\n"
                     "MACRO OUTER X\nINNER X\nINNER X 1\nEND\n"
                     "OUTER 5\n"),
              "5 7\n5 1\n");
    EXPECT_EQ(failures, 0);
}

TEST_F(MacroTest, ArgumentsAreCounted) {
    answer("MACRO M A B\nWRITE A B\nEND\nM 1\n");
    EXPECT_EQ(host.codes, std::vector<std::string>{"macro-arguments"});
    answer("M 1 2 3\n");
    EXPECT_EQ(host.codes, std::vector<std::string>{"macro-arguments"});
    EXPECT_EQ(failures, 2);
}

TEST_F(MacroTest, ABrokenMacroNamesItsLine) {
    answer("MACRO M\nWRITE 'A'\nPLOTT U\nWRITE 'B'\nEND\nM\n");
    EXPECT_NE(host.out.find("There is no command PLOTT"), std::string::npos);
    EXPECT_NE(host.out.find("did you mean PLOT"), std::string::npos);
    EXPECT_NE(host.out.find("MACRO M:3:1"), std::string::npos) << host.out;
    EXPECT_EQ(host.out.find("B\n"), std::string::npos);
}

TEST_F(MacroTest, MistakesInDefinitionsAreFoundAtOnce) {
    answer("MACRO M\nGOTO NOWHERE\nEND\n");
    EXPECT_EQ(host.codes, std::vector<std::string>{"unknown-label"});
    answer("MACRO M\nFOR K = 1 TO 2\nEND\n");
    EXPECT_EQ(host.codes, std::vector<std::string>{"macro-form"});
    answer("MACRO M\nWRITE 'X'\n");
    EXPECT_EQ(host.codes, std::vector<std::string>{"macro-form"});
    answer("MACRO SIMU\nEND\n");
    EXPECT_EQ(host.codes, std::vector<std::string>{"macro-form"});
    answer("MM\n");
    EXPECT_EQ(host.codes, std::vector<std::string>{"unknown-command"});
}

TEST_F(MacroTest, EndlessMacrosStop) {
    answer("MACRO M\nM\nEND\nM\n");
    EXPECT_EQ(host.codes.front(), "macros-too-deep");
    answer("MACRO L\nLABEL A\nGOTO A\nEND\nL\n");
    EXPECT_EQ(host.codes.front(), "endless-loop");
    EXPECT_EQ(answer("WRITE 'ALIVE'"), "ALIVE\n");
}

TEST_F(MacroTest, SuspendedMacrosGoOn) {
    EXPECT_EQ(answer("MACRO M\nWRITE 'ONE'\nSUSPEND\nWRITE 'TWO' X\nEND\nM\nLET X = 5\nRESUME\n"),
              "ONE\nSUSPENDED: RESUME GOES ON WITH M\nTWO 5\n");
    answer("RESUME");
    EXPECT_EQ(host.codes, std::vector<std::string>{"nothing-suspended"});
}

TEST_F(MacroTest, ValuesAreRead) {
    EXPECT_EQ(
        answer("MACRO M\nREAD A NUM\nREAD B YESNO\nIF B EQ YES GOTO Y\nWRITE 'NO'\nLABEL Y\nWRITE A\nEND\n"
               "M\nabc\n2.5\nY\n"),
        "A NUM?\nnote: Please give a number.\nB YESNO?\n2.5\n");
}

TEST_F(MacroTest, FilesHoldMacrosToo) {
    file("hello.t", "\" says hello\nMACRO HELLO NAME\nWRITE 'HELLO' NAME\nEND\n");
    EXPECT_EQ(answer("HELLO WORLD\nhello again\n"), "HELLO WORLD\nHELLO again\n");
    file("bad.t", "MACRO BAD\nWRITE 'X'\n");
    answer("BAD\n");
    EXPECT_EQ(host.codes, std::vector<std::string>{"macro-form"});
    EXPECT_NE(host.out.find("bad.t:1:1"), std::string::npos) << host.out;
}

TEST_F(MacroTest, VariablesAtThePromptReplaceWords) {
    EXPECT_EQ(answer("LET K = 2*3\nWRITE K\nFREE K\nWRITE K\n"), "6\nK\n");
    answer("FREE K\n");
    EXPECT_EQ(host.codes, std::vector<std::string>{"unknown-name"});
}

TEST_F(MacroTest, TheEchoShowsWhatIsExecuted) {
    EXPECT_EQ(answer("TURN MACOM ON\nMACRO M X\nWRITE 'V:' X\nEND\nM -6\nTURN MACOM OFF\nM 1\n"),
              "<MACRO M X\n<WRITE 'V:' X\nV: -6\n<END\nV: 1\n");
}

}  // namespace
}  // namespace cutset
