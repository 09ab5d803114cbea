#include "languages/modelica/write.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "languages/dymola/parse.h"

namespace cutset::modelica {
namespace {

std::string translate(const std::string& text) {
    Sources sources;
    Diagnostics diagnostics;
    ClassTree classes;
    classes.files.push_back(
        dymola::parse_file(sources, sources.add("dir/some model.dym", text), diagnostics));
    std::string out;
    for (const Diagnostic& d : diagnostics.all()) out += render(d, sources);
    return out + write_modelica(classes);
}

// The text of one model of the package.
std::string model(const std::string& name, const std::string& text) {
    const std::string all = translate(text);
    const std::size_t begin = all.find("  model " + name);
    const std::string end = "  end " + name + ";\n";
    const std::size_t last = all.find(end, begin);
    if (begin == std::string::npos || last == std::string::npos) return all;
    return all.substr(begin, last + end.size() - begin);
}

// The lines after `equation` of a model M with this body.
std::string equations(const std::string& body, const std::string& before = "") {
    const std::string all = model("M", before + "model type M\n" + body + "\nend\n");
    const std::size_t at = all.rfind("  equation\n");
    if (at == std::string::npos) return all;
    return all.substr(at + 11, all.rfind("  end M;") - at - 11);
}

std::string declarations(const std::string& body) {
    std::string all = model("M", "model type M\n" + body + "\nend\n");
    return all.substr(0, all.find("  equation\n"));
}

const std::string electrical =
    "model type resistor\n cut A(Va / I) B(Vb / -I)\n main path P (A - B)\n local V\n parameter R, T=300\n V "
    "= Va-Vb\n R*I = V\nend\n";

TEST(Modelica, WholePackage) {
    EXPECT_EQ(
        translate("{ Electrical parts }\n\n" + electrical +
                  "model network\n submodel (resistor) R1(5) R2(R=2)\n node N\n R1 to N\n N to R2\nend\n"),
        R"(package Some_model "Electrical parts"

  connector Cut_1_1 "1 across variable, 1 through variable"
    Real a1;
    flow Real t1;
  end Cut_1_1;

  model resistor
    Real Va;
    Real I;
    Cut_1_1 A;
    Real Vb;
    Cut_1_1 B;
    Real V;
    parameter Real R;
    parameter Real T = 300;
  equation
    A.a1 = Va;
    A.t1 = I;
    B.a1 = Vb;
    B.t1 = -I;
    V = Va - Vb;
    R*I = V;
  end resistor;

  model network
    resistor R1(R = 5);
    resistor R2(R = 2);
  protected
    Cut_1_1 N;
  equation
    connect(R1.B, N);
    connect(N, R2.A);
  end network;
end Some_model;
)");
}

TEST(Modelica, Expressions) {
    EXPECT_EQ(equations("x = a*(b + c)/(d*e) - (f - g)"), "    x = a*(b + c)/(d*e) - (f - g);\n");
    EXPECT_EQ(equations("x = -a**2 + (-a)**2 + a**-b + 2**(a*b)"),
              "    x = -a^2 + (-a)^2 + a^(-b) + 2^(a*b);\n");
    EXPECT_EQ(equations("x = a * -b"), "    x = a*(-b);\n");
    EXPECT_EQ(equations("x'' = der(a.v) + (v*r)'"), "    der(der(x)) = der(a.v) + der(v*r);\n");
    EXPECT_EQ(equations("x = ln(a) + log(b) + noevent(mod(c, 2)) + min(a, b, c)"),
              "    x = log(a) + log(b) + noEvent(mod(c, 2)) + min(a, min(b, c));\n");
    EXPECT_EQ(equations("x = 2*int(y)"), "    x = 2*(if y < 0 then ceil(y) else floor(y));\n");
    EXPECT_EQ(equations("x = if a = b and not c then 1 elseif d <> e or f then 2 else 3"),
              "    x = if a == b and not c then 1 elseif d <> e or f then 2 else 3;\n");
    EXPECT_EQ(equations("x = 1 + (if a then 1 else 2)"), "    x = 1 + (if a then 1 else 2);\n");
    EXPECT_EQ(equations("s[i+1].x[2] = a::b.v + time + flow"),
              "    s[i + 1].x[2] = a.b.v + time + 'flow';\n");
    EXPECT_EQ(equations("x = [1, 2; 3, 4]"), "    x = {{1, 2}, {3, 4}};\n");
    EXPECT_EQ(equations("(y1, y2) = f(x)"), "    (y1, y2) = f(x);\n");
}

TEST(Modelica, Declarations) {
    EXPECT_EQ(declarations("parameter R=5 [Ohm] \"the \"\"big\"\" one\"\nstructure parameter n=3\nconstant "
                           "g=9.81\nlocal x[n] "
                           "nominal 1e5 min 0 max 9, flow\ndiscrete c=2\ninput u\ninput w\noutput "
                           "y\ninternal T\nexternal p\n"
                           "default w=7\nterminal q quantity \"Flow\"\ndefault q=1"),
              R"(  model M
    parameter Real R(unit = "Ohm") = 5 "the \"big\" one";
    parameter Integer n = 3;
    constant Real g = 9.81;
    Real x[n](each min = 0, each max = 9, each nominal = 100000);
    Real 'flow';
    discrete Real c(start = 2, fixed = true);
    input Real u;
    input Real w = 7;
    output Real y;
    inner Real T;
    outer Real p;
    Real q(quantity = "Flow");
    // default q = 1: holds where nothing outside refers to it; Modelica needs an equation there
  end M;
)");
}

TEST(Modelica, InitialValues) {
    EXPECT_EQ(model("M",
                    "model type M\nlocal x y z\nx' = -x\nder(z, 4) = 1\nx(0) = 2\ny(0) = 3\na.v(0) = "
                    "5\ninitial y = x\nend\n"),
              R"(  model M
    Real x(start = 2, fixed = true);
    Real y(start = 3);
    Real z(start = 4, fixed = true);
  initial equation
    y = x;
    a.v = 5;
  equation
    der(x) = -x;
    der(z) = 1;
  end M;
)");
}

TEST(Modelica, ConnectionOperators) {
    const std::string before = electrical + "model type bus\n main cut c(V / I)\nend\n";
    const auto joins = [&](const std::string& e) {
        return equations("submodel (resistor) R1 R2 R3\nsubmodel (bus) b1 b2\nnode N\n" + e, before);
    };
    EXPECT_EQ(joins("R1 to R2 to R3"), "    connect(R1.B, R2.A);\n    connect(R2.B, R3.A);\n");
    EXPECT_EQ(joins("R1 from R2"), "    connect(R1.A, R2.B);\n");
    EXPECT_EQ(joins("R1 par R2 par R3"),
              "    connect(R1.A, R2.A);\n    connect(R1.B, R2.B);\n    connect(R1.A, R3.A);\n    "
              "connect(R1.B, R3.B);\n");
    EXPECT_EQ(joins("R1 loop R2"), "    connect(R1.A, R2.B);\n    connect(R1.B, R2.A);\n");
    EXPECT_EQ(joins("R1 to \\R2 to N"), "    connect(R1.B, R2.B);\n    connect(R2.A, N);\n");
    EXPECT_EQ(joins("R1 from b1 to b2"), "    connect(R1.A, b1.c);\n    connect(R1.B, b2.c);\n");
    EXPECT_EQ(joins("b1 at N"), "    connect(b1.c, N);\n");
    EXPECT_EQ(joins("N to R1 to b1"), "    connect(N, R1.A);\n    connect(R1.B, b1.c);\n");
    EXPECT_EQ(joins("R1 // (N - b1:c)"), "    connect(R1.A, N);\n    connect(R1.B, b1.c);\n");
    EXPECT_EQ(joins("b1 to R1..(B - A) to b2"), "    connect(b1.c, R1.B);\n    connect(R1.A, b2.c);\n");
    EXPECT_EQ(joins("R1 to unknown"),
              "    // a connection was not written: `unknown` is not a submodel, cut, node or path\n");
}

TEST(Modelica, OpenCutsTakeTheStructureOfTheirPartners) {
    EXPECT_EQ(model("M", electrical + "model type M\n submodel (resistor) R1 R2\n cut p, n\n node N\n R2 to "
                                      "n\n N to R2\n R1 to N\n p to R1\nend\n"),
              R"(  model M
    resistor R1;
    resistor R2;
    Cut_1_1 p;
    Cut_1_1 n;
  protected
    Cut_1_1 N;
  equation
    connect(R2.B, n);
    connect(N, R2.A);
    connect(R1.B, N);
    connect(p, R1.A);
  end M;
)");
    EXPECT_NE(translate("model type M\n cut a\nend\n").find("// the structure of cut a is not known"),
              std::string::npos);
}

TEST(Modelica, HierarchicalCuts) {
    const std::string motor =
        "model type motor\n cut mech(w, phi / tau)\n cut elect(u / i)\n main cut both[mech, elect]\nend\n";
    EXPECT_EQ(equations("submodel (motor) a b\nnode N, K\na at b\na at (N, K)", motor),
              "    connect(a.mech, b.mech);\n    connect(a.elect, b.elect);\n    connect(a.mech, N);\n"
              "    connect(a.elect, K);\n");
    const std::string chamber =
        "model type chamber\n cut heat((/ Q1), (/ Q2))\nend\nmodel type wall\n cut heat(/ Q)\nend\n";
    EXPECT_EQ(equations("submodel (chamber) c\nsubmodel (wall) v w\nconnect (heat) c to (v, w)", chamber),
              "    connect(v.heat, c.heat.c1);\n    connect(w.heat, c.heat.c2);\n");
    EXPECT_EQ(
        model("chamber", chamber),
        "  model chamber\n    Real Q1;\n    Real Q2;\n    CutGroup1 heat;\n  equation\n    heat.c1.t1 = Q1;\n"
        "    heat.c2.t1 = Q2;\n  end chamber;\n");
}

TEST(Modelica, TemporaryCutsWithValues) {
    const std::string tank =
        "model type tank\n cut inlet(p, T / q)\n cut port(pp, . / .)\n main path P (inlet - port)\nend\n";
    EXPECT_EQ(
        model("M",
              tank + "model type M\n parameter q0\n submodel (tank) Tank1\n (., 300 / 2*q0) to Tank1\nend\n"),
        R"(  model M
    model Values1 "a cut with given values"
      Cut_2_1 c;
      input Real a2;
      input Real t1;
    equation
      c.a2 = a2;
      c.t1 = t1;
    end Values1;
    parameter Real q0;
    tank Tank1;
  protected
    Values1 values1(a2 = 300, t1 = 2*q0);
  equation
    connect(values1.c, Tank1.inlet);
  end M;
)");
}

TEST(Modelica, ArraysLoopsAndConditions) {
    EXPECT_EQ(
        model(
            "M",
            "model type section\n cut i(T / q), o(T2 / -q)\n path hot <i - o>\n parameter m, k\nend\n"
            "model type M\n structure parameter n=10\n submodel (section) s[n](m=2*index, k=3)\n"
            " for j:=1 to n-1 do connect (hot) s[j] to s[j+1]\n"
            " if n > 3 then begin submodel (section) extra; x = 1 end\n elseif n = 2 then x = 2 else x = 3\n"
            " local x\nend\n"),
        R"(  model M
    parameter Integer n = 10;
    section s[n](m = {2*index for index in 1:n}, each k = 3);
    section extra if (n > 3);
    Real x;
  equation
    for j in 1:n - 1 loop
      connect(s[j].o, s[j + 1].i);
    end for;
    if n > 3 then
      x = 1;
    elseif n == 2 then
      x = 2;
    else
      x = 3;
    end if;
  end M;
)");
    EXPECT_EQ(model("lever", "model type lever\n structure parameter n\n cut hole[n](x / F)\nend\n"),
              "  model lever\n    parameter Integer n;\n    Real x[n];\n    Real F[n];\n    Cut_1_1 "
              "hole[n];\n  equation\n"
              "    for index in 1:n loop\n      hole[index].a1 = x[index];\n      hole[index].t1 = "
              "F[index];\n    end for;\n"
              "  end lever;\n");
}

TEST(Modelica, Events) {
    EXPECT_EQ(equations("when h < 0 or start() then\nnew(n) = pre(n) + 1\nreinit(v, "
                        "-e*v)\nterminate(\"down\")\nend\nvalid h > -1"),
              "    when h < 0 or initial() then\n      n = pre(n) + 1;\n      reinit(v, (-e)*v);\n"
              "      terminate(\"down\");\n    end when;\n"
              "    assert(h > -1, \"outside the region in which M is valid\", AssertionLevel.warning);\n");
}

TEST(Modelica, ModelsInPlaceAndEqualNames) {
    EXPECT_EQ(translate("model type Tank\nend\nmodel M\n submodel Tank\n model S\n  local x\n end\nend\n"),
              "package Some_model\n\n  model Tank\n  end Tank;\n\n  model M\n    model S_model\n      Real "
              "x;\n    end S_model;\n"
              "    .Some_model.Tank Tank;\n    S_model S;\n  end M;\nend Some_model;\n");
}

TEST(Modelica, FunctionsAndTables) {
    EXPECT_EQ(translate("function f(u, n) returns y -- a sum\n local s\n constant k=2\n s := 0\n for i:=1 to "
                        "n step 2 do s := s + k*u\n"
                        " while s > 10 do begin s := s/2 end\n if s < 0 then y := -s else y := s\nend\n"
                        "function g(u) returns y external \"lib.so\" name \"c_g\" end\n"),
              R"(package Some_model

  function f "a sum"
    input Real u;
    input Real n;
    output Real y;
  protected
    Real s;
    constant Real k = 2;
  algorithm
    s := 0;
    for i in 1:2:n loop
      s := s + k*u;
    end for;
    while s > 10 loop
      s := s/2;
    end while;
    if s < 0 then
      y := -s;
    else
      y := s;
    end if;
  end f;

  function g
    input Real u;
    output Real y;
  external "C" y = c_g(u) annotation(Library = "lib.so");
  end g;
end Some_model;
)");
    EXPECT_EQ(translate("table rho(h) = (300, 1.2), (0, 1.3)\n"),
              R"(package Some_model

  function rho "table, held outside its range"
    input Real h;
    output Real value;
  protected
    constant Real xs[:] = {0, 300};
    constant Real ys[:] = {1.3, 1.2};
    Integer k;
    Real w;
  algorithm
    k := 1;
    while k < size(xs, 1) - 1 and h >= xs[k + 1] loop
      k := k + 1;
    end while;
    w := max(0, min(1, (h - xs[k])/(xs[k + 1] - xs[k])));
    value := ys[k] + w*(ys[k + 1] - ys[k]);
  end rho;
end Some_model;
)");
    const std::string grid = translate("table f(x, y) = (0,0,1) (0,1,2) (1,0,3) (1,1,4) error\n");
    EXPECT_NE(grid.find("constant Real zs[:, :] = {{1, 2}, {3, 4}};"), std::string::npos);
    EXPECT_NE(grid.find("assert(w >= 0 and w <= 1"), std::string::npos);
    EXPECT_NE(translate("table f(x) \"data.csv\"\n").find("constant Real xs[:];"), std::string::npos);
}

TEST(Modelica, Corpus) {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(CUTSET_ROOT "/tests/fuzz/corpus/dymola")) {
        std::ifstream in(entry.path(), std::ios::binary);
        count += !translate({std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}).empty();
    }
    EXPECT_GE(count, 5u);
}

TEST(Modelica, NamesUsedTwiceDoNoHarm) {
    EXPECT_NE(
        translate("model M\n model a\n end\n model a\n cut x(y)\n end\n cut c(p), c(q)\n main cut (u)\n cut "
                  "main_cut(v)\n"
                  " path P ((r) - c)\n cut P_from\n local P_to\n path P ((r) - (s))\nend\nmodel M\nend\n")
            .find("hidden by the one above"),
        std::string::npos);
}

TEST(Modelica, Documentation) {
    EXPECT_EQ(translate("{ First.\n\n  More\n    indented }\nmodel M\nend\n"),
              "package Some_model \"First.\"\n\n  model M \"First.\"\n    annotation(Documentation(info = "
              "\"More\n  "
              "indented\"));\n  end M;\n  annotation(Documentation(info = \"More\n  indented\"));\nend "
              "Some_model;\n");
}

TEST(Modelica, CutsOfCutsDoNotGrowWithoutBound) {
    std::string text = "model type M\n cut c0(x / y)\n";
    for (int i = 1; i < 60; ++i) text += fmt::format(" cut c{0}(c{1}, c{1})\n", i, i - 1);
    text += " node N\n c59 at N\n cut a(b), b(a)\n a at b\nend\n";
    EXPECT_LT(translate(text).size(), 5'000'000u);
    std::string classes = "model type M0\n main cut c(x / y)\nend\n";
    for (int i = 1; i < 3000; ++i)
        classes +=
            fmt::format("model type M{0}\n submodel (M{1}) a b\n main cut c[a:c, b:c]\nend\n", i, i - 1);
    EXPECT_LT(translate(classes).size(), 5'000'000u);
    EXPECT_NE(translate("model type A\n submodel (A) a\n main cut c[a:c]\n a at c\nend\n").find("model A"),
              std::string::npos);
}

}  // namespace
}  // namespace cutset::modelica
