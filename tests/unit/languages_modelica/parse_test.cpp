// The reader of Modelica text: what is understood, and each mistake with its place.
#include "languages/modelica/parse.h"

#include <gtest/gtest.h>

#include <random>

#include "ir/object_text.h"
#include "languages/modelica/tokens.h"

namespace cutset::modelica {
namespace {

struct Read {
    Sources sources;
    Diagnostics diagnostics;
    std::shared_ptr<object::File> file;

    explicit Read(const std::string& text) {
        file = parse_file(sources, sources.add("x.mo", text), diagnostics);
    }
    std::string tree() const { return diagnostics.has_errors() ? errors() : object::object_text(*file); }
    // "line:column message" of all errors, a line each.
    std::string errors() const {
        std::string list;
        for (const Diagnostic& d : diagnostics.all()) {
            const Location at = sources.locate(d.where);
            list += std::to_string(at.line) + ":" + std::to_string(at.column) + " " + d.message + "\n";
        }
        return list;
    }
};

std::string expression(const std::string& text) {
    Sources sources;
    Diagnostics diagnostics;
    const auto e = parse_expression(sources, sources.add("e", text), diagnostics);
    return e ? object::object_text(*e) : "error: " + diagnostics.all().at(0).message;
}

TEST(ModelicaParse, OperatorsBindAsInTheSpecification) {
    EXPECT_EQ(expression("-a*b + c/d^2"), "((-a*b) + (c/(d^2)))");
    EXPECT_EQ(expression("not a and b or c < d"), "(((not a) and b) or (c < d))");
    EXPECT_EQ(expression("a .* b ./ c"), "((a .* b) ./ c)");
    EXPECT_EQ(expression("1:2:n+1"), "(1:2:(n + 1))");
    EXPECT_EQ(expression("if a then 1 elseif b then 2 else 3"), "(if a then 1 elseif b then 2 else 3)");
    EXPECT_EQ(expression("a - b - c"), "((a - b) - c)");
}

TEST(ModelicaParse, ReferencesCallsAndArrays) {
    EXPECT_EQ(expression(".A.B[1, :].c[end]"), ".A.B[1, :].c[end]");
    EXPECT_EQ(expression("f(a, k = 2, g = function h(x = 1))"), "f(a, k = 2, g = function h(x = 1))");
    EXPECT_EQ(expression("{i^2 for i in 1:3, j}"), "{(i^2) for i in (1:3), j}");
    EXPECT_EQ(expression("sum(x[i] for i)"), "sum(x[i] for i)");
    EXPECT_EQ(expression("[1, 2; 3, 4]"), "[1, 2; 3, 4]");
    EXPECT_EQ(expression("(a, , b)"), "(a, :, b)");
    EXPECT_EQ(expression("(f(x))[2]"), "(f(x))[2]");
    EXPECT_EQ(expression("der(x) + 'quoted name'"), "(der(x) + 'quoted name')");
    EXPECT_EQ(expression("1.5e-3 + .5 + 2."), "((0.0015 + 0.5) + 2)");
}

TEST(ModelicaParse, ExpressionsRefused) {
    EXPECT_EQ(expression("a * -b"), "error: two signs in a row");
    EXPECT_EQ(expression("a < b < c"), "error: a relation has two sides");
    EXPECT_EQ(expression("a +"),
              "error: the end of the text where a name, a number or a bracket should stand");
    EXPECT_EQ(expression("f(a = 1, 2)"), "error: an argument without a name after one with a name");
    EXPECT_EQ(expression("1e999"), "error: 1e999 is too large for a number");
}

TEST(ModelicaParse, AllKindsOfElements) {
    const Read r(R"(within A.B;
package P "a package"
  import M = Modelica.Math; import A.*; import A.{b, c};
  type E = enumeration(one "1", two);
  type V = Real[3](each unit = "m");
  function f_x = der(f, x);
  partial model Base
    replaceable model T = Thing(a = 1) constrainedby Thing;
    extends Other(redeclare replaceable T x(final y = 2) "new", break z, break connect(a, b));
    flow Real i, u[2](start = {1, 2}) = v if c "two" annotation(Dialog(group = "x)"));
  protected
    inner outer parameter Integer n(min = 1) = 3;
    end Base;
    model extends Inherited(k = 3) equation connect(a, b.c[1]);
    end Inherited;
    function g input Real x;
    output Real y;
    external "C" y = g_of(x) annotation(Library = "m");
    end g;
    end P;
)");
    EXPECT_EQ(r.tree(), R"(within A.B
package P "a package"
  import M = Modelica.Math
  import A.*
  import A.{b, c}
  type E = enumeration(one, two)
  type V = Real[3](each unit = "m")
  function f_x = der(f, x)
  partial model Base
    replaceable 
    model T = Thing(a = 1) constrainedby Thing
    extends Other(redeclare replaceable T x(final y = 2) "new", break z, break connect(a, b))
    flow Real i
    flow Real u[2](start = {1, 2}) = v if c "two"
    protected inner outer parameter Integer n(min = 1) = 3
  end Base
  model extends Inherited(k = 3)
    equation
      connect(a, b.c[1])
  end Inherited
  function g
    input Real x
    output Real y
    external "C" y = g_of(x)
  end g
end P
)");
}

TEST(ModelicaParse, EquationsAndStatements) {
    const Read r(R"(model M
equation
  der(x) = -x "decay";
  (a, b) = f(x);
  for i in 1:n, j in 1:m loop y[i] = i; end for;
  if c then x = 1; elseif d then x = 2; else x = 3; end if;
  when {c, d} then reinit(x, 1); elsewhen e then y = pre(y) + 1; end when;
  assert(x > 0, "positive");
initial algorithm
  x := 1;
  (a, b) := f(x);
  while x > 1 loop x := x/2; if x < 0 then break; end if; end while;
  return;
end M;
)");
    EXPECT_EQ(r.tree(), R"(model M
  equation
    der(x) = (-x) "decay"
    (a, b) = f(x)
    for i in (1:n), j in (1:m) loop
      y[i] = i
    end for
    if c then
      x = 1
    elseif d then
      x = 2
    else
      x = 3
    end if
    when {c, d} then
      reinit(x, 1)
    elsewhen e then
      y = (pre(y) + 1)
    end when
    assert((x > 0), "positive")
  initial algorithm
    x := 1
    (a, b) := f(x)
    while (x > 1) loop
      x := (x/2)
      if (x < 0) then
        break
      end if
    end while
    return
end M
)");
}

TEST(ModelicaParse, AnnotationsAreReadOnDemand) {
    Read r(
        "model M annotation(experiment(StopTime = 2, Tolerance = 1e-6), Icon(graphics = {Line(points = "
        "{{0, 1}})})); end M;");
    ASSERT_EQ(r.errors(), "");
    const auto m = parse_annotation(r.sources, r.file->classes[0]->annotation, r.diagnostics);
    ASSERT_EQ(m.arguments.size(), 2u);
    EXPECT_EQ(object::object_text(*m.arguments[0].value), "(StopTime = 2, Tolerance = 1e-06)");
}

TEST(ModelicaParse, MistakesWithTheirPlaces) {
    EXPECT_EQ(Read("model M\n  Real x\n  Real y;\nend M;").errors(), "2:8 `;` is missing after `x`\n");
    EXPECT_EQ(Read("model M\nend N;").errors(), "2:5 `end N` where `end M` should stand\n");
    EXPECT_EQ(Read("model M\n paramter Real x;\nend M;").errors(), "2:2 `paramter` begins nothing\n");
    EXPECT_EQ(Read("model M\nequation\n x == 1;\nend M;").errors(),
              "3:2 `==` compares and gives true or false\n");
    EXPECT_EQ(Read("model M\n x = 1;\nend M;").errors(), "2:2 an equation among the declarations\n");
    EXPECT_EQ(Read("model M\nalgorithm\n x = 1;\nend M;").errors(), "3:4 `=` in an algorithm\n");
    EXPECT_EQ(Read("model M\nequation\n for i in 1:2 loop x = 1; end if;\nend M;").errors(),
              "3:27 `end if` where `end for` should stand\n");
    EXPECT_EQ(Read("model M\n Real x(start = 1;\nend M;").errors(), "2:18 `;` where `)` should stand\n");
    EXPECT_EQ(Read("model M\n  String s = \"abc;\nend M;").errors(),
              "2:14 this text has no closing quotation mark\n");
    EXPECT_EQ(Read("").errors(), "1:1 there is no class in this text\n");
    EXPECT_EQ(Read("model M\n Real final;\nend M;").errors(),
              "2:7 `final` is a word of the language, the name of what is declared should stand here\n");
}

TEST(ModelicaParse, AMissingEndIsSaidOfItsClass) {
    EXPECT_EQ(Read("package P\n model A\n  Real x;\nend P;").errors(), "4:1 model A has no end\n");
}

TEST(ModelicaParse, OtherClassesOfTheFileAreRead) {
    const Read r("model A\n Real x = ;\nend A;\nmodel B Real y; end B;");
    EXPECT_EQ(r.diagnostics.error_count(), 1u);
    ASSERT_EQ(r.file->classes.size(), 2u);
    EXPECT_EQ(r.file->classes[1]->name, "B");
}

TEST(ModelicaParse, DepthIsBounded) {
    const std::string deep = std::string(100000, '(') + "1";
    EXPECT_NE(Read("model M Real x = " + deep + "; end M;").errors().find("nested more than"),
              std::string::npos);
    std::string chain = "model M Real x = 1";
    for (int i = 0; i < 100000; ++i) chain += "+1";
    EXPECT_NE(Read(chain + "; end M;").errors().find("operands in a row"), std::string::npos);
    std::string classes;
    for (int i = 0; i < 100000; ++i) classes += "model M ";
    EXPECT_NE(Read(classes).errors().find("nested more than"), std::string::npos);
}

// Every byte is in one token or in layout.
TEST(ModelicaTokens, NothingIsLost) {
    const std::string text = "model M // c\n 'a b' .+ 1.5e3 \"t\\\"x\" /* y */ <> x.y[1]; end M;\xEF";
    Diagnostics diagnostics;
    const Tokens tokens =
        tokenize(text, 0, static_cast<std::uint32_t>(text.size()), SourceId(1), diagnostics);
    std::uint32_t at = 0;
    for (const Token& t : tokens.all) {
        ASSERT_LE(at, t.begin);
        const std::string between = text.substr(at, t.begin - at);
        EXPECT_TRUE(between.find_first_not_of(" \n") == std::string::npos ||
                    between.find("//") != std::string::npos || between.find("/*") != std::string::npos)
            << between;
        at = t.end;
    }
    EXPECT_EQ(at, text.size());
}

// Words of a model in any order: each text is read or refused, with at least one message.
TEST(ModelicaParse, MutatedTexts) {
    const char* words[] = {
        "model",    "M",          "end",     ";",         "Real",        "x",         "=",     "(",
        ")",        "equation",   "if",      "then",      "else",        "for",       "in",    "1",
        "loop",     "when",       "{",       "}",         "[",           "]",         ",",     ".",
        "\"t\"",    "annotation", "extends", "redeclare", "replaceable", "algorithm", ":=",    "connect",
        "function", "der",        "+",       "-",         "/*",          "'",         "break", "\n"};
    std::mt19937 random(1);
    for (int i = 0; i < 20000; ++i) {
        std::string text = "model M Real x; equation ";
        for (unsigned n = random() % 30; n > 0; --n)
            text += std::string(words[random() % std::size(words)]) + " ";
        const Read r(text);
        for (const Diagnostic& d : r.diagnostics.all()) render(d, r.sources);
        EXPECT_TRUE(r.diagnostics.has_errors() || !r.file->classes.empty()) << text;
    }
}

}  // namespace
}  // namespace cutset::modelica
