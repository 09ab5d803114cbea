#include <gtest/gtest.h>

#include "parsing.h"

namespace cutset::dymola {
namespace {

// The printed connections and equations of a model that declares a few submodels, cuts, nodes and paths.
std::string joined(const std::string& body) {
    const std::string declared =
        "submodel (T) R1 R2 R3 C E Bus1 Bus2 Line1 Tank s[n]\ncut A, B\nnode N, N1, N2\npath P (A - B)\n";
    const Parsed p("model M\n" + declared + body + "\nend\n");
    std::string out = p.messages();
    for (const tree::Item& i : p.file->classes.at(0)->items)
        if (std::holds_alternative<tree::Connection>(i.what) ||
            std::holds_alternative<tree::Equation>(i.what))
            out += tree_text(i);
    return out;
}

TEST(Connections, ExamplesOfTheReport) {
    EXPECT_EQ(joined("R1 to ( C par ( R2 to R3 ) ) par E"), "connect ((R1 to (C par (R2 to R3))) par E)\n");
    EXPECT_EQ(joined("Line1 from Bus1 to Bus2"), "connect ((Line1 from Bus1) to Bus2)\n");
    EXPECT_EQ(joined("N - R1 - E - ((R2 - R3) // C // Tank..(Base - Emitter)) - N"),
              "connect ((((N to R1) to E) to (((R2 to R3) par C) par Tank..<Base - Emitter>)) to N)\n");
    EXPECT_EQ(joined("A - ( \\ R1 // C // R2 ) - N"),
              "connect ((A to (((reversed R1) par C) par R2)) to N)\n");
    EXPECT_EQ(joined("connect (water) R1 to R2 to R3"), "connect (water) ((R1 to R2) to R3)\n");
    EXPECT_EQ(joined("connect (extractsteam) R1 to A, R2 to B,\n R3 to N"),
              "connect (extractsteam) (R1 to A), (R2 to B), (R3 to N)\n");
    EXPECT_EQ(joined("R1:conn at (N1,N2)"), "connect (R1:conn at {N1, N2})\n");
    EXPECT_EQ(joined("R1 at (C:wire2, E:wire1)"), "connect (R1 at {C:wire2, E:wire1})\n");
    EXPECT_EQ(joined("connect (heat) C to (R1, R2, E to (R3, A))"),
              "connect (heat) (C to {R1, R2, (E to {R3, A})})\n");
    EXPECT_EQ(joined("A to s[1]..hot\ns[n]..hot to B"),
              "connect (A to s[1]..hot)\nconnect (s[n]..hot to B)\n");
    EXPECT_EQ(joined("(., ., ., 1000 / 0.2) to Tank"), "connect ({., ., ., =1000 / =0.2} to Tank)\n");
    EXPECT_EQ(joined("Tank to R1 to R2..bottom to R3"), "connect (((Tank to R1) to R2..bottom) to R3)\n");
}

TEST(Connections, NamesTellThemFromEquations) {
    EXPECT_EQ(joined("R1 - R2 = N"), "connect ((R1 to R2) at N)\n");
    EXPECT_EQ(joined("A = N"), "connect (A at N)\n");
    EXPECT_EQ(joined("A < R1 // R2"), "connect ((A from R1) par R2)\n");
    EXPECT_EQ(joined("x - y = z"), "(x - y) = z\n");
    EXPECT_EQ(joined("R1.I = R2.I"), "R1.I = R2.I\n");
    EXPECT_EQ(joined("R1.V - E.V = C.V"), "(R1.V - E.V) = C.V\n");
    EXPECT_EQ(joined("s[2] - s[3] = N"), "connect ((s[2] to s[3]) at N)\n");
    EXPECT_EQ(joined("s[2].T - s[3].T = N1"), "(s[2].T - s[3].T) = N1\n");
    EXPECT_EQ(joined("R1::x - N = R2"), "connect ((R1::x to N) at R2)\n");
    EXPECT_EQ(joined("R1::x.v = R2.v"), "R1::x.v = R2.v\n");
    EXPECT_EQ(joined("R1 - typo = N"), "connect ((R1 to typo) at N)\n");
    EXPECT_EQ(joined("P = R1"), "connect (P at R1)\n");
}

TEST(Connections, NamesMayBeDeclaredLaterOrInStructure) {
    EXPECT_EQ(items("a - b = c\nsubmodel (T) a\nif n then begin node b end\nfor i:=1 to 2 do cut c"),
              "connect ((a to b) at c)\nsubmodel (T) a\nif n\n  node b\nfor i := 1 to 2\n  cut c\n");
    EXPECT_EQ(
        items("model m\n x = y\n cut x y\nend\nm - k = m\nx = y\nsubmodel k"),
        "model m\n  connect (x at y)\n  cut x\n  cut y\nsubmodel (m) m\nconnect ((m to k) at m)\nx = y\n"
        "submodel (k) k\n");
}

TEST(Connections, PathsInPlace) {
    EXPECT_EQ(joined("R1 par (N1 - N2)"), "connect (R1 par <N1 - N2>)\n");
    EXPECT_EQ(joined("R1 par (R2 - R3)"), "connect (R1 par (R2 to R3))\n");
    EXPECT_EQ(joined("R1 // (C:a - E:b)"), "connect (R1 par <C:a - E:b>)\n");
    EXPECT_EQ(joined("R1 // ((N1, N2) - (A, B))"), "connect (R1 par <{N1, N2} - {A, B}>)\n");
    EXPECT_EQ(joined("R1 to C..(x - (y, z))"), "connect (R1 to C..<x - {y, z}>)\n");
    EXPECT_EQ(joined("R1 to \\ C..(x - y)"), "connect (R1 to (reversed C..<x - y>))\n");
    EXPECT_EQ(joined("(A - N)"), "connect (A to N)\n");
}

TEST(Connections, ReversedBindsToItsOperand) {
    EXPECT_EQ(joined("R1 to reversed R2 to R3"), "connect ((R1 to (reversed R2)) to R3)\n");
    EXPECT_EQ(joined("reversed R1 to R2"), "connect ((reversed R1) to R2)\n");
    EXPECT_EQ(joined("\\\\R1 - R2"), "connect (R1 to R2)\n");
    EXPECT_EQ(joined("\\(R1 - R2) - N"), "connect ((reversed (R1 to R2)) to N)\n");
}

TEST(Connections, ConnectWithAndWithoutName) {
    EXPECT_EQ(joined("connect R1 to R2"), "connect (R1 to R2)\n");
    EXPECT_EQ(joined("connect (R1 to R2) par R3"), "connect ((R1 to R2) par R3)\n");
    EXPECT_EQ(joined("connect (R1) to R2"), "connect (R1 to R2)\n");
    EXPECT_EQ(joined("connect (heat) (A, B) at R2"), "connect (heat) ({A, B} at R2)\n");
    EXPECT_EQ(joined("connect (p) \\R1 - R2"), "connect (p) ((reversed R1) to R2)\n");
    EXPECT_EQ(joined("connect (cold) s [i+1] to s[i]"), "connect (cold) (s[(i + 1)] to s[i])\n");
}

TEST(Connections, TemporaryCutsWithValues) {
    EXPECT_EQ(joined("(p0, T0 / .) to Tank"), "connect ({p0, T0 / .} to Tank)\n");
    EXPECT_EQ(joined("Tank at (2*p0, . / -q)"), "connect (Tank at {=(2 * p0), . / =(-q)})\n");
    EXPECT_EQ(joined("(5 / .) to Tank:a"), "connect ({=5 / .} to Tank:a)\n");
    EXPECT_EQ(joined("(sin(time) / 0) to Tank"), "connect ({=sin(time) / =0} to Tank)\n");
    EXPECT_EQ(joined("Tank at (N1 N2)"), "connect (Tank at {N1, N2})\n");
}

TEST(Connections, Mistakes) {
    EXPECT_EQ(problems("submodel (T) a b\na to\nlocal x"), "incomplete-statement@2:5");
    EXPECT_EQ(problems("submodel (T) a b\nconnect a"), "nothing-connected@2:9");
    EXPECT_EQ(problems("submodel (T) a b\na to 5"), "unexpected@2:6");
    EXPECT_EQ(problems("submodel (T) a b\na to b / a"), "foreign-operator@2:8");
    EXPECT_EQ(problems("submodel (T) a b\na to (b"), "unclosed-bracket@2:6");
    EXPECT_EQ(problems("submodel (T) a b\na to node"), "keyword-as-name@2:6");
}

TEST(Connections, VeryLongChainsAreRefusedWithTheFigure) {
    std::string fits = "model M\nsubmodel a\nconnect a", text = fits;
    for (int i = 0; i < 900; ++i) fits += " to a";
    EXPECT_EQ(Parsed(fits + "\nend\n").codes(), "");
    for (int i = 0; i < 100000; ++i) text += " to a";
    const Parsed p(text + "\nend\n");
    ASSERT_EQ(p.diagnostics.all().size(), 1u);
    EXPECT_EQ(p.diagnostics.all()[0].code, "chain-too-long");
    EXPECT_NE(p.diagnostics.all()[0].message.find("1000"), std::string::npos);
}

}  // namespace
}  // namespace cutset::dymola
