#include <gtest/gtest.h>

#include "parsing.h"

namespace cutset::dymola {
namespace {

TEST(Declarations, ListsAreSeparatedByCommasOrBlanks) {
    EXPECT_EQ(items("parameter R, C L=2"), "parameter R\nparameter C\nparameter L = 2\n");
    EXPECT_EQ(items("parameter Al=1, A2=1 H=0, Area, dens"),
              "parameter Al = 1\nparameter A2 = 1\nparameter H = 0\nparameter Area\nparameter dens\n");
    EXPECT_EQ(items("parameter a=-2 b=(x + y) c=d, e=2*f, g=h-1"),
              "parameter a = (-2)\nparameter b = (x + y)\nparameter c = d\nparameter e = (2 * f)\nparameter "
              "g = (h - 1)\n");
    EXPECT_EQ(items("PARAMETER r\nLOCAL R"), "parameter r\nlocal R\n");
}

TEST(Declarations, Kinds) {
    EXPECT_EQ(
        items("constant g=9.81\nlocal h, v\ndiscrete c=0\nterminal T\ninput u\noutput y\ninternal "
              "Tamb\nexternal p\n"
              "structure parameter n=10"),
        "constant g = 9.81\nlocal h\nlocal v\ndiscrete c = 0\nterminal T\ninput u\noutput y\ninternal Tamb\n"
        "external p\nstructure parameter n = 10\n");
    EXPECT_EQ(items("default P1=0, P2=0 a.x=-1"), "default P1 = 0\ndefault P2 = 0\ndefault a.x = (-1)\n");
}

TEST(Declarations, SizesTouchTheNameUnitsStandApart) {
    EXPECT_EQ(items("local x[3] A[n,n] y [m/s^2]"), "local x[3]\nlocal A[n, n]\nlocal y [m/s^2]\n");
    EXPECT_EQ(items("parameter R=5 [Ohm] \"armature resistance\""),
              "parameter R = 5 [Ohm] \"armature resistance\"\n");
    EXPECT_EQ(items("parameter R=R0[2] [Ohm] S=R0 [K]"), "parameter R = R0[2] [Ohm]\nparameter S = R0 [K]\n");
    EXPECT_EQ(items("parameter T=20 [°C] x=1[%]"), "parameter T = 20 [°C]\nparameter x = 1 [%]\n");
    EXPECT_EQ(items("parameter v[3] = [1, 2, 3] [m]"), "parameter v[3] = [1, 2, 3] [m]\n");
    EXPECT_EQ(items("terminal T [K] = 3"), "terminal T = 3 [K]\n");
}

TEST(Declarations, Attributes) {
    EXPECT_EQ(items("local y nominal 1e-12"), "local y nominal 1e-12\n");
    EXPECT_EQ(items("local p [Pa] \"pressure\" nominal 1e5 min 0 max (2*p0) quantity \"pressure\", q min -5"),
              "local p [Pa] \"pressure\" nominal 100000 min 0 max (2 * p0) quantity \"pressure\"\nlocal q "
              "min (-5)\n");
    EXPECT_EQ(items("local nominal min max quantity"),
              "local nominal\nlocal min\nlocal max\nlocal quantity\n");
    EXPECT_EQ(items("parameter min=0 max=1"), "parameter min = 0\nparameter max = 1\n");
}

TEST(Declarations, ContextualWordsAreNames) {
    EXPECT_EQ(
        items("local linear smooth hold extrapolate error index time while der new pre step"),
        "local linear\nlocal smooth\nlocal hold\nlocal extrapolate\nlocal error\nlocal index\nlocal time\n"
        "local while\nlocal der\nlocal new\nlocal pre\nlocal step\n");
}

TEST(Submodels, TypesAndParameters) {
    EXPECT_EQ(items("submodel (T) a(R=5) b(7.5, C=2) c"),
              "submodel (T) a(R=5)\nsubmodel (T) b(7.5, C=2)\nsubmodel (T) c\n");
    EXPECT_EQ(items("submodel Tank Pipe"), "submodel (Tank) Tank\nsubmodel (Pipe) Pipe\n");
    EXPECT_EQ(items("submodel Tank(A=5 H=10)"), "submodel (Tank) Tank(A=5, H=10)\n");
    EXPECT_EQ(items("submodel (diode) Diode1(3.5E-9,28),\n  Diode2(7.3E-9,32)"),
              "submodel (diode) Diode1(3.5e-09, 28)\nsubmodel (diode) Diode2(7.3e-09, 32)\n");
    EXPECT_EQ(items("submodel(resistor) R1 R2"), "submodel (resistor) R1\nsubmodel (resistor) R2\n");
    EXPECT_EQ(items("submodel (s) a(5 -3 x)"), "submodel (s) a(5, (-3), x)\n");
    EXPECT_EQ(items("submodel (s) a(5 - 3, d=d, e=2*f g=(h+1))"),
              "submodel (s) a((5 - 3), d=d, e=(2 * f), g=(h + 1))\n");
    EXPECT_EQ(items("submodel (s) a()"), "submodel (s) a\n");
    EXPECT_EQ(items("submodel (s) a \"left one\" b"), "submodel (s) a \"left one\"\nsubmodel (s) b\n");
}

TEST(Submodels, SeveralTypesInOneStatement) {
    EXPECT_EQ(items("submodel (resistor) Rbb(Rb) (varcapacitor) Cemit, Ccoll"),
              "submodel (resistor) Rbb(Rb)\nsubmodel (varcapacitor) Cemit\nsubmodel (varcapacitor) Ccoll\n");
    EXPECT_EQ(items("submodel (r) R1, R2 (c) C1"), "submodel (r) R1\nsubmodel (r) R2\nsubmodel (c) C1\n");
    EXPECT_EQ(items("submodel Transistor ( Rb = 20)"), "submodel (Transistor) Transistor(Rb=20)\n");
    EXPECT_EQ(items("submodel (r) R1 (5) R2 (x)"), "submodel (r) R1(5)\nsubmodel (r) R2(x)\n");
}

TEST(Submodels, Arrays) {
    EXPECT_EQ(items("submodel (section) s[n](m=2*index)"), "submodel (section) s[n](m=(2 * index))\n");
    EXPECT_EQ(items("submodel section[n]"), "submodel (section) section[n]\n");
    EXPECT_EQ(items("submodel (cell) c[n, 2*m]"), "submodel (cell) c[n, (2 * m)]\n");
}

TEST(Cuts, AcrossAndThrough) {
    EXPECT_EQ(items("cut A(Va, Ta / I, -Q)"), "cut A (Va, Ta / I, -Q)\n");
    EXPECT_EQ(items("cut A(Va / I) B(Vb / -I)"), "cut A (Va / I)\ncut B (Vb / -I)\n");
    EXPECT_EQ(items("cut inlet(P0,.,., dens / -qin)"), "cut inlet (P0, ., ., dens / -qin)\n");
    EXPECT_EQ(items("cut A(P0 . . dens / . -q)"), "cut A (P0, ., ., dens / ., -q)\n");
    EXPECT_EQ(items("cut A(Vb / .)"), "cut A (Vb / .)\n");
    EXPECT_EQ(items("cut A(/ I)\ncut B(V /)\ncut C()"), "cut A (/ I)\ncut B (V)\ncut C ()\n");
    EXPECT_EQ(items("cut A(T [K] / Q [W], x[2])"), "cut A (T [K] / Q [W], x[2])\n");
    EXPECT_EQ(items("cut mech(omega, tauL, JL)"), "cut mech (omega, tauL, JL)\n");
}

TEST(Cuts, OpenNestedAndMain) {
    EXPECT_EQ(items("cut B\nnode N1, N2 N3"), "cut B\nnode N1\nnode N2\nnode N3\n");
    EXPECT_EQ(items("cut A, B\ncut C(A, B)\ncut D[A, B]"),
              "cut A\ncut B\ncut C (A, B)\ncut D (cut A, cut B)\n");
    EXPECT_EQ(items("main cut (w / T)"), "main cut (w / T)\n");
    EXPECT_EQ(items("main cut D[A,B,C]\ncut A B C"),
              "main cut D (cut A, cut B, cut C)\ncut A\ncut B\ncut C\n");
    EXPECT_EQ(items("cut heat ((Q1), (Q2), (Q3 / W))"), "cut heat ((Q1), (Q2), (Q3 / W))\n");
    EXPECT_EQ(items("cut C[a:x, b::d:y]"), "cut C (cut a:x, cut b::d:y)\n");
    EXPECT_EQ(items("cut C(a:x, v / w)"), "cut C (cut a:x, v / w)\n");
}

TEST(Cuts, Arrays) {
    EXPECT_EQ(items("cut hole[n](x / F)"), "cut hole[n] (x / F)\n");
    EXPECT_EQ(items("cut hole[n]\nnode N[2*n, 3]"), "cut hole[n]\nnode N[(2 * n), 3]\n");
    EXPECT_EQ(items("structure parameter n\ncut hole[n](x[index] / F[index])"),
              "structure parameter n\ncut hole[n] (x[index] / F[index])\n");
}

TEST(Paths, BothBracketsAndCutsInPlace) {
    EXPECT_EQ(items("path P (A - B)\npath Q <A-B>\nmain path R(A - B)"),
              "path P <A - B>\npath Q <A - B>\nmain path R <A - B>\n");
    EXPECT_EQ(items("main path ( (Omega1 / T1) - (Omega2 / -T2) )"),
              "main path <(Omega1 / T1) - (Omega2 / -T2)>\n");
    EXPECT_EQ(items("path feedwater ( (W, H, . ) - (W, H, P2) )"),
              "path feedwater <(W, H, .) - (W, H, P2)>\n");
    EXPECT_EQ(items("path e ( (W, H, P) - ( (W1, H, P), (W2, H, P) ) )"),
              "path e <(W, H, P) - ((W1, H, P), (W2, H, P))>\n");
    EXPECT_EQ(items("path P (A - B), Q <C - D>\nlocal x"), "path P <A - B>\npath Q <C - D>\nlocal x\n");
    EXPECT_EQ(items("path water < inwater - outwater >\nlocal x"),
              "path water <inwater - outwater>\nlocal x\n");
}

TEST(Tables, FileOrRows) {
    EXPECT_EQ(items("table rho(h) \"air.csv\""), "table rho(h) linear hold \"air.csv\"\n");
    EXPECT_EQ(items("table rho(h) = (0, 1.293), (300, 1.256),\n  (600, 1.22)"),
              "table rho(h) linear hold (0, 1.293) (300, 1.256) (600, 1.22)\n");
    EXPECT_EQ(items("table f(x y) smooth extrapolate = (0 0 1) (1 -1 2) (0, 1, k)"),
              "table f(x, y) smooth extrapolate (0, 0, 1) (1, (-1), 2) (0, 1, k)\n");
    EXPECT_EQ(items("table cl(a) \"wing.db:cl\" smooth, error"), "table cl(a) smooth error \"wing.db:cl\"\n");
}

TEST(Declarations, Mistakes) {
    EXPECT_EQ(problems("local ia, if, wi"), "keyword-as-name@1:11");
    EXPECT_EQ(problems("local ia, if\nparameter path"), "keyword-as-name@1:11 keyword-as-name@2:11");
    EXPECT_EQ(problems("parameter R to"), "keyword-as-name@1:13");
    EXPECT_EQ(problems("constant g"), "constant-needs-value@1:10");
    EXPECT_EQ(problems("default v"), "default-needs-value@1:9");
    EXPECT_EQ(problems("submodel (T) a(R=1, 5)"), "positional-after-named@1:21");
    EXPECT_EQ(problems("submodel (T)"), "submodel-needs-name@1:11");
    EXPECT_EQ(problems("structure n=3"), "unexpected@1:11");
    EXPECT_EQ(problems("cut (a / b)"), "cut-needs-name@1:5");
    EXPECT_EQ(problems("cut A(a / b / c)"), "two-slashes@1:13");
    EXPECT_EQ(problems("main node N"), "main-node@1:6");
    EXPECT_EQ(problems("path P A"), "path-needs-ends@1:6");
    EXPECT_EQ(problems("path P (A to B)"), "foreign-operator@1:11");
    EXPECT_EQ(problems("table f(x)"), "table-without-data@1:7");
    EXPECT_EQ(problems("table f(x) = (1, 2, 3)"), "table-row@1:14");
    EXPECT_EQ(problems("table f(x y z w) \"a.csv\""), "table-arguments@1:8");
    EXPECT_EQ(problems("parameter R=5 [Ohm"), "unclosed-bracket@1:15");
    EXPECT_EQ(problems("parameter R := 5"), "assignment-in-equation@1:13");
    EXPECT_EQ(problems("local x \"a\" \"b\""), "attribute-twice@1:13");
}

}  // namespace
}  // namespace cutset::dymola
