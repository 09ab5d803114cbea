#include <gtest/gtest.h>

#include "languages/dymola/tokens.h"
#include "parsing.h"

namespace cutset::dymola {
namespace {

TEST(Text, EveryByteBelongsToOneToken) {
    const std::string text =
        "\xEF\xBB\xBFmodel type  M -- a\r\n{ b\nc } x' = a:b..c::d ->\n ** 5e \"t\"\"u\" ; \xC3\xA5 # "
        "&&\n\"open\n{";
    Diagnostics diagnostics;
    bool cut_short = false;
    std::string again;
    for (const Token& t : tokenize(text, SourceId(1), diagnostics, cut_short))
        again += text.substr(t.begin, t.end - t.begin);
    EXPECT_EQ(again, text);
    EXPECT_TRUE(cut_short);
}

TEST(Text, Comments) {
    EXPECT_EQ(items("-- a\nx = 1 -- b\n{ c\n d } y = 2 {e} -- f"), "x = 1\ny = 2\n");
    EXPECT_EQ(items("x = a--b"), "x = (a - (-b))\n");
    EXPECT_EQ(items("x = a --b"), "x = a\n");
    EXPECT_EQ(items("x = { a } 1"), "x = 1\n");
}

TEST(Text, StatementsEndAtNewLinesAndSemicolons) {
    EXPECT_EQ(items("x = 1; y = 2;; z = 3"), "x = 1\ny = 2\nz = 3\n");
    EXPECT_EQ(items("x = 1\n-y = 2\n+z = 3\n(a) = b"), "x = 1\n(-y) = 2\nz = 3\na = b\n");
}

TEST(Text, StatementsGoOn) {
    EXPECT_EQ(items("x = (a\n + b)\ny = f(a,\n\n b)"), "x = (a + b)\ny = f(a, b)\n");
    EXPECT_EQ(items("x = a +\n b\ny =\n c\nparameter p,\n q"),
              "x = (a + b)\ny = c\nparameter p\nparameter q\n");
    EXPECT_EQ(items("x = a +  -- more follows\n { here } b"), "x = (a + b)\n");
    EXPECT_EQ(items("parameter p ->\n q -> -- and\n r"), "parameter p\nparameter q\nparameter r\n");
    EXPECT_EQ(items("x = a\n * b\n / c\n ** d"), "x = (a * b / (c ** d))\n");
    EXPECT_EQ(items("x\n = a"), "x = a\n");
    EXPECT_EQ(items("x = if a\n and b\n or c\n then 1\n elseif d then 2\n else 3"),
              "x = (if ((a and b) or c) then 1 elseif d then 2 else 3)\n");
    EXPECT_EQ(items("submodel (T) a b c\na to b\n to c\na\n at b\na\n from b\n par c\n loop a"),
              "submodel (T) a\nsubmodel (T) b\nsubmodel (T) c\nconnect ((a to b) to c)\nconnect (a at b)\n"
              "connect (((a from b) par c) loop a)\n");
    EXPECT_EQ(items("y = if a then\n 1 else\n 2"), "y = (if a then 1 else 2)\n");
}

TEST(Text, LayoutOfTheFileDoesNotMatter) {
    const std::string expected = "model type M\n  parameter R\n  x = (a + b)\n";
    EXPECT_EQ(Parsed("model type M\nparameter R\nx = a +\nb\nend\n").tree(), expected);
    EXPECT_EQ(Parsed("model type M\r\nparameter R\r\nx = a +\r\nb\r\nend\r\n").tree(), expected);
    EXPECT_EQ(Parsed("\xEF\xBB\xBFmodel\ttype\tM\n\tparameter\tR\n\tx\t=\ta +\n\tb\nend").tree(), expected);
    EXPECT_EQ(Parsed("MODEL TYPE M; PARAMETER R; x = a + b; END").tree(), expected);
    for (const char* empty : {"", "\n", "  ", "-- only a comment", "{ one }\n", "\xEF\xBB\xBF", ";;\n;"}) {
        const Parsed p(empty);
        EXPECT_EQ(p.tree() + p.messages(), "") << empty;
    }
}

TEST(Equations, FirstOutermostEqualSplits) {
    EXPECT_EQ(items("R*I = V1-V2"), "(R * I) = (V1 - V2)\n");
    EXPECT_EQ(items("if c = d then a else b = x"), "(if (c = d) then a else b) = x\n");
    EXPECT_EQ(items("b = (x = y)"), "b = (x = y)\n");
    EXPECT_EQ(items("0 = if open then v else i"), "0 = (if open then v else i)\n");
    EXPECT_EQ(items("valid T > 0 and n = 3"), "valid ((T > 0) and (n = 3))\n");
    EXPECT_EQ(items("La*der(ia) = ua - ui - Ra*ia"), "(La * der1(ia)) = (ua - ui - (Ra * ia))\n");
}

TEST(Equations, InitialValues) {
    EXPECT_EQ(items("initial x = 2*p"), "initial x = (2 * p)\n");
    EXPECT_EQ(items("initial x' = 0"), "initial der1(x) = 0\n");
    EXPECT_EQ(items("x(0) = e\na.x (0) = 1\ns[2].x(0.) = 3"), "x(0) = e\na.x(0) = 1\ns[2].x(0) = 3\n");
    EXPECT_EQ(items("x'(0) = 5"), "initial der1(x) = 5\n");
    EXPECT_EQ(items("table f(x) \"a.csv\"\nf(0) = y\nx(1) = 3"),
              "table f(x) linear hold \"a.csv\"\nf(0) = y\nx(1) = 3\n");
    EXPECT_EQ(items("initial x(0) = 3"), "initial x = 3\n");
}

TEST(Equations, Procedures) {
    EXPECT_EQ(items("y1 y2 y3 = Proc(u1 u2)"), "{y1, y2, y3} = Proc(u1, u2)\n");
    EXPECT_EQ(items("a.y, z[2] = f(x)"), "{a.y, z[2]} = f(x)\n");
    EXPECT_EQ(items("(y1, y2) = f(x, 2*z)"), "{y1, y2} = f(x, (2 * z))\n");
    EXPECT_EQ(items("y = f(x)"), "y = f(x)\n");
    EXPECT_EQ(problems("y1 y2 = x + 3"), "procedure-needs-call@1:9");
}

TEST(Models, TypesAndModelsInPlace) {
    EXPECT_EQ(
        Parsed("model S1\n model type M\n end\n submodel (M) S2\n model S3\n  local x\n end\nend").tree(),
        "model S1\n  model type M\n  submodel (M) S2\n  model S3\n    local x\n  submodel (S3) S3\n");
}

TEST(Models, ParentsAndPlaces) {
    const Parsed p("model type A\n model B\n end\nend\n");
    const auto& a = p.file->classes.at(0);
    const auto& b = std::get<std::shared_ptr<tree::Class>>(a->items.at(0).what);
    EXPECT_EQ(b->parent, a.get());
    EXPECT_EQ(a->parent, nullptr);
    EXPECT_EQ(p.sources.text(a->where), "A");
    EXPECT_EQ(p.sources.text(a->whole), "model type A\n model B\n end\nend");
    EXPECT_EQ(p.sources.text(b->whole), "model B\n end");
}

TEST(Models, EndMayNameTheModel) {
    EXPECT_EQ(Parsed("model type Tank\nend Tank\nmodel X\nend").messages(), "");
    EXPECT_EQ(Parsed("model type Tank\nend Pipe\n").codes(), "end-names-another@2:5");
    EXPECT_FALSE(Parsed("model type Tank\nend Pipe\n").diagnostics.has_errors());
}

TEST(Models, Documentation) {
    EXPECT_EQ(Parsed("{ Above }\nmodel type A\nend\n\nmodel type B -- beside\n{ below\n  it }\nend\n").tree(),
              "model type A {Above}\nmodel type B {beside|below|it}\n");
    EXPECT_EQ(Parsed("-- far away\n\nmodel type A\n\n-- inside\nend -- A\nmodel type B\nend").tree(),
              "model type A\nmodel type B\n");
    EXPECT_EQ(Parsed("-- one\n-- two\n--------\nmodel type A\nend").tree(), "model type A {one|two}\n");
    EXPECT_EQ(Parsed("{ What this file shows }\n\nmodel A\nend").file->documentation, "What this file shows");
}

TEST(Models, Libraries) {
    EXPECT_EQ(Parsed("library \"a.dym\", \"b/c.dym\"\nlibrary \"d.dym\"\ntable f(x) \"f.csv\"\nmodel M\nend")
                  .tree(),
              "library \"a.dym\"\nlibrary \"b/c.dym\"\nlibrary \"d.dym\"\ntable f(x) linear hold "
              "\"f.csv\"\nmodel M\n");
}

TEST(Structure, For) {
    const std::string expected = "for i := 1 to (n - 1)\n  T[i] = T[(i + 1)]\n";
    EXPECT_EQ(items("for i:=1 to n-1 do T[i] = T[i+1]"), expected);
    EXPECT_EQ(items("for i:=1 to n-1 do\n T[i] = T[i+1]"), expected);
    EXPECT_EQ(items("for i = 1 to n-1 do begin\n T[i] = T[i+1]\nend"), expected);
    EXPECT_EQ(items("for i:=1 to n-1 do\n  begin\n T[i] = T[i+1]\n  end\nx = 1"), expected + "x = 1\n");
    EXPECT_EQ(items("for i:=1 to n do begin x[i] = 1; y[i] = 2; end; z = 3"),
              "for i := 1 to n\n  x[i] = 1\n  y[i] = 2\nz = 3\n");
    EXPECT_EQ(items("for i:=1 to n do for j:=1 to i do\nA[i,j] = 0\nz = 3"),
              "for i := 1 to n\n  for j := 1 to i\n    A[i, j] = 0\nz = 3\n");
}

TEST(Structure, If) {
    EXPECT_EQ(items("if n > 1 then begin\n local a\n a = 1\nend\nelseif n = 1 then b = 2\nelse begin c = 3 "
                    "end\nz = 0"),
              "if (n > 1)\n  local a\n  a = 1\nelseif (n = 1)\n  b = 2\nelse\n  c = 3\nz = 0\n");
    EXPECT_EQ(items("if n then x = 1 else x = 2"), "if n\n  x = 1\nelse\n  x = 2\n");
    EXPECT_EQ(items("if n then\n x = 1\nelse\n x = 2\ny = 3"), "if n\n  x = 1\nelse\n  x = 2\ny = 3\n");
    EXPECT_EQ(items("if n then x = 1; else x = 2"), "if n\n  x = 1\nelse\n  x = 2\n");
    EXPECT_EQ(items("if a then begin x = 1 end else if b then x = 2 else x = 3"),
              "if a\n  x = 1\nelseif b\n  x = 2\nelse\n  x = 3\n");
    EXPECT_EQ(items("submodel (T) a b\nif n then a to b else b to a"),
              "submodel (T) a\nsubmodel (T) b\nif n\n  connect (a to b)\nelse\n  connect (b to a)\n");
    EXPECT_EQ(items("if n then x = if a then 1 else 2\ny = 1"), "if n\n  x = (if a then 1 else 2)\ny = 1\n");
}

TEST(Structure, Case) {
    const std::string expected =
        "if (n = 1)\n  x = 1\n  y = 1\nelseif ((n = 2) or (n = 3))\n  x = 2\nelse\n  x = 3\nz = 0\n";
    EXPECT_EQ(items("case n of 1: x = 1; y = 1; 2, 3: x = 2; else x = 3 end\nz = 0"), expected);
    EXPECT_EQ(
        items("case n of\n 1: begin\n  x = 1\n  y = 1\n end\n 2, 3:\n  x = 2\n else\n  x = 3\nend\nz = 0"),
        expected);
    EXPECT_EQ(items("case k of -1: x = 1; kind: x = 2 end"),
              "if (k = (-1))\n  x = 1\nelseif (k = kind)\n  x = 2\n");
}

TEST(Structure, When) {
    EXPECT_EQ(items("when h < 0 then\n new(bounces) = pre(bounces) + 1\n reinit(v, -e*v)\nend\nx = 1"),
              "when (h < 0)\n  new(bounces) = (pre(bounces) + 1)\n  reinit(v, ((-e) * v))\nx = 1\n");
    EXPECT_EQ(items("when sample(0, 1) then new(d) = x end"), "when sample(0, 1)\n  new(d) = x\n");
    EXPECT_EQ(items("when T = 3 then begin\n u = 1; terminate(\"hot\") end"),
              "when (T = 3)\n  new(u) = 1\n  terminate(\"hot\")\n");
    EXPECT_EQ(items("when a then\n if b then new(c) = 1\n new(d) = 2\nend").substr(0, 12), "when a\n  if ");
}

TEST(Functions, WrittenInTheLanguage) {
    EXPECT_EQ(Parsed("function f(u1, u2 [m]) returns y\n local s i\n constant k=2\n s := 0\n for i:=1 to 10 "
                     "step 2 do begin\n"
                     "  s = s + u1\n end\n while s > 1 do s := s/2\n if s < 0 then y = 1\n elseif s = 0 then "
                     "begin y = 2 end\n"
                     " else y = k*s\nend f\n")
                  .tree(),
              "function f\n  input u1\n  input u2 [m]\n  output y\n  local s\n  local i\n  constant k = 2\n  "
              "s := 0\n"
              "  for i := 1 to 10 step 2\n    s := (s + u1)\n  while (s > 1)\n    s := (s / 2)\n  if (s < "
              "0)\n    y := 1\n"
              "  elseif (s = 0)\n    y := 2\n  else\n    y := (k * s)\n");
    EXPECT_EQ(items("function f(x) returns y1, y2\n y1 = x\n y2 = -x\nend\na b = f(c)"),
              "function f\n  input x\n  output y1\n  output y2\n  y1 := x\n  y2 := (-x)\n{a, b} = f(c)\n");
}

TEST(Functions, External) {
    EXPECT_EQ(Parsed("function f(u1, u2) returns y external \"lib.so\" end\n").tree(),
              "function f\n  input u1\n  input u2\n  output y\n  external \"lib.so\" name \"f\"\n");
    EXPECT_EQ(Parsed("function f(u) returns y\n external \"lib.so\" name \"c_f\" derivative \"c_df\"\nend\n")
                  .tree(),
              "function f\n  input u\n  output y\n  external \"lib.so\" name \"c_f\" derivative \"c_df\"\n");
}

TEST(Functions, Mistakes) {
    EXPECT_EQ(Parsed("function f(u)\n y = u\nend\n").codes(), "function-without-result@1:10");
    EXPECT_EQ(Parsed("function f(u) returns y\n submodel (T) a\n y = u\nend\n").codes(),
              "not-in-function@2:2");
    EXPECT_EQ(Parsed("function f(u) returns y\n y = u\n").codes(), "missing-end@1:1");
}

}  // namespace
}  // namespace cutset::dymola
