#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "parsing.h"

namespace cutset::dymola {
namespace {

TEST(Recovery, ManyErrorsInOneFileAndTheRestIsUnderstood) {
    const Parsed p(
        "model type A\n"
        "  parameter R=\n"
        "  local x, if\n"
        "  x = (1 + 2\n"
        "  y == 3\n"
        "  z := 4\n"
        "  for i:=1 to 3 begin\n"
        "    u[i] = 1\n"
        "  end\n"
        "  w = 5\n"
        "end\n"
        "model B\n"
        "  q = 1 +\n"
        "  local t\n"
        "end\n");
    EXPECT_EQ(p.codes(),
              "incomplete-statement@2:15 keyword-as-name@3:12 unclosed-bracket@4:7 foreign-operator@5:5 "
              "assignment-in-equation@6:5 missing-do@7:17 incomplete-statement@13:10");
    EXPECT_EQ(p.tree(),
              "model type A\n  local x\n  y = 3\n  z = 4\n  for i := 1 to 3\n    u[i] = 1\n  w = 5\nmodel "
              "B\n  local t\n");
}

TEST(Recovery, UnmatchedBracketPointsToTheOpeningOne) {
    const Parsed p("model A\n  x = 2*(a + sin(b)\n  y = 3\nend\n");
    EXPECT_EQ(p.codes(), "unclosed-bracket@2:9");
    EXPECT_EQ(p.tree(), "model A\n  y = 3\n");
    EXPECT_EQ(problems("x = (a]"), "unclosed-bracket@1:5");
    EXPECT_EQ(problems("x = a)\ny = 1"), "unmatched-bracket@1:6");
    EXPECT_EQ(problems("x = a[1\ny = 1"), "unclosed-bracket@1:6");
    EXPECT_EQ(problems("submodel (T a\nlocal x"), "unclosed-bracket@1:10");
    EXPECT_EQ(problems("x = (a b"), "unclosed-bracket@1:5");
}

TEST(Recovery, WordsWhereAnOperandShouldStand) {
    EXPECT_EQ(problems("Lf*der(if) = uf - Rf*if\nx = 1"), "keyword-as-name@1:8");
    EXPECT_EQ(problems("x = 2*if\ny = (3"), "keyword-as-name@1:7 unclosed-bracket@2:5");
    EXPECT_EQ(problems("x = a and or b"), "operand-missing@1:11");
    EXPECT_EQ(problems("R1 to to R2"), "operand-missing@1:7");
    EXPECT_EQ(problems("x = path"), "keyword-as-name@1:5");
}

TEST(Recovery, MissingEnd) {
    EXPECT_EQ(Parsed("model A\n x = 1\n").codes(), "missing-end@1:1");
    const Parsed p("model type A\n  for i:=1 to 2 do begin\n    x[i] = 1\n  y = 2\nend\n\nmodel B\nend\n");
    EXPECT_EQ(p.codes(), "missing-end@1:1");
    EXPECT_NE(p.messages().find("test.dym:5:1: an `end` may be missing before this line"), std::string::npos)
        << p.messages();
    const Parsed q("model type A\n  x = 1\n\nmodel B\n  y = 1\nend\n");
    EXPECT_NE(q.messages().find("test.dym:4:1: an `end` may be missing before this line"), std::string::npos)
        << q.messages();
}

TEST(Recovery, EndTooMany) {
    EXPECT_EQ(Parsed("model A\nend\nend\nx = 1\nmodel B\nend\n").codes(), "end-closes-nothing@3:1");
    const Parsed p("model A\n  if c then\n    x = 1\n    y = 2\n  end\nend\n");
    EXPECT_EQ(p.codes(), "end-closes-nothing@6:1");
    EXPECT_NE(p.messages().find("test.dym:2:3: without `begin`"), std::string::npos) << p.messages();
    EXPECT_EQ(Parsed("x = 1\ny = 2\nmodel A\nend\n").codes(), "outside-model@1:1");
}

TEST(Recovery, ElseWithoutBegin) {
    const Parsed p("model A\n  if c then\n    x = 1\n    y = 2\n  else\n    z = 1\nend\n");
    ASSERT_EQ(p.codes(), "else-without-if@5:3");
    EXPECT_NE(p.messages().find("put `begin` and `end` around"), std::string::npos);
}

TEST(Recovery, WordsOfOtherLanguages) {
    EXPECT_EQ(problems("for i:=1 to 2 do begin\nx = 1\nendfor\ny = 2"), "foreign-end@3:1");
    EXPECT_EQ(problems("when a then\nnew(x) = 1\nend when;\ny = 2"), "word-after-end@3:5");
    EXPECT_EQ(problems("x = 3 // a comment"), "foreign-operator@1:7");
    EXPECT_EQ(problems("x = 3 # a comment"), "stray-character@1:7");
    EXPECT_EQ(problems("x = a \xE2\x88\x92 b"), "stray-character@1:7");
    EXPECT_EQ(problems("x = \xE2\x80\x9Ctext\xE2\x80\x9D"), "stray-character@1:5");
    EXPECT_NE(Parsed("model A\nx = a \xE2\x88\x92 b\nend").messages().find("write `-`"), std::string::npos);
    EXPECT_EQ(problems("str\xC3\xB6m = 1\n\xC3\xA5 = 2"), "stray-character@1:1 stray-character@2:1");
}

TEST(Recovery, Structure) {
    EXPECT_EQ(problems("if n > 2 begin\nx = 1\nend\ny = 1"), "missing-then@1:10");
    EXPECT_EQ(problems("when n > 2\nnew(x) = 1\nend\ny = 1"), "missing-then@1:11");
    EXPECT_EQ(problems("for to:=1 to 3 do begin\nx = 1\nend\ny = 1"), "keyword-as-name@1:5");
    EXPECT_EQ(problems("case n of\nx = 1\nend"), "case-label@2:1");
    EXPECT_EQ(problems("begin\nx = 1"), "begin-alone@1:1");
    EXPECT_EQ(problems("reinit(x, 1)\nterminate(\"a\")\nnew(x) = 3"),
              "when-only@1:1 when-only@2:1 when-only@3:1");
    EXPECT_EQ(problems("when a then\nsin(x) = 1\nparameter p\nend"), "when-statement@2:1 when-statement@3:1");
    EXPECT_EQ(problems("when a then\nend"), "empty-when@1:1");
    EXPECT_EQ(problems("x + y"), "missing-equals@1:1");
    EXPECT_EQ(problems("library \"a.dym\""), "library-in-model@1:1");
    EXPECT_EQ(problems("x ="), "incomplete-statement@1:4");
    EXPECT_EQ(problems("x = a b"), "unexpected@1:7");
    EXPECT_EQ(problems("x = a.f(2)"), "call-of-member@1:8");
    EXPECT_EQ(problems("x = ."), "dot-outside-cut@1:5");
}

TEST(Recovery, TextAndCommentsWithoutEndPointToTheirStart) {
    EXPECT_EQ(Parsed("model A\n x = 1\n { never closed\n y = 1\nend\n").codes(), "unterminated-comment@3:2");
    EXPECT_EQ(Parsed("model A\n parameter R \"ohm\n x = 1\nend\n").codes(), "unterminated-text@2:14");
    EXPECT_EQ(Parsed("model A\n { one\n x = 1\n { two }\n y = 1\nend\n").codes(), "comment-in-comment@4:2");
}

TEST(Recovery, EveryMessageHasAPlaceAndASentence) {
    const Parsed p(
        "model A\nx == 1.2.3 +\nlocal if\nfor\nwhen\ncase\nfunction\ntable\npath\nmain\ncut (\nmodel\n");
    EXPECT_GE(p.diagnostics.all().size(), 8u);
    for (const Diagnostic& d : p.diagnostics.all()) {
        EXPECT_TRUE(d.where.known());
        EXPECT_FALSE(d.message.empty());
        EXPECT_FALSE(d.code.empty());
    }
}

TEST(Recovery, ErrorsAreCounted) {
    std::string text = "model A\n";
    for (int i = 0; i < 100000; ++i) text += "x = = \"\n";
    const Parsed p(text + "end\n");
    EXPECT_LE(p.diagnostics.all().size(), 202u);
    EXPECT_EQ(p.diagnostics.all().back().code, "too-many-errors");
}

TEST(Recovery, DeepModelsAreRefused) {
    for (const char* open :
         {"model a\n", "if a then ", "for i:=1 to 2 do ", "for i:=1 to 2 do begin ",
          "case n of 1: ", "if a then begin x=1 end else begin ", "when a then when b then "}) {
        std::string text = "model M\n";
        for (int i = 0; i < 20000; ++i) text += open;
        const Parsed p(text);
        EXPECT_TRUE(p.diagnostics.has_errors()) << open;
        EXPECT_LE(p.diagnostics.all().size(), 102u) << open;
    }
    std::string cuts = "model M\ncut A(";
    for (int i = 0; i < 20000; ++i) cuts += "(";
    EXPECT_EQ(Parsed(cuts).diagnostics.all().at(0).code, "nesting-too-deep");
}

TEST(Recovery, Corpus) {
    std::size_t count = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(CUTSET_ROOT "/tests/fuzz/corpus/dymola")) {
        if (!entry.is_regular_file()) continue;
        std::ifstream in(entry.path(), std::ios::binary);
        const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
        const Parsed p(text);
        p.tree();
        p.messages();
        expression(text);
        ++count;
    }
    EXPECT_GE(count, 5u);
}

}  // namespace
}  // namespace cutset::dymola
