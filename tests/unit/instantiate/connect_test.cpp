#include "support.h"

using namespace cutset;
using namespace cutset::test;

namespace {

// A part with two ends and a path; no equations of its own.
const std::string parts = R"(
model type part
  cut A(v / i) B(w / j)
  main path P (A - B)
end
model type end_part
  main cut A(v / i)
end
)";

std::string joined(const std::string& statements,
                   const std::string& declarations = "submodel (part) a b c d") {
    const Flattened run(parts + "model m\n " + declarations + "\n " + statements + "\nend");
    if (!run.model) return run.messages();
    std::string out;
    for (const Equation& e : run.model->equations)
        if (e.kind == EquationKind::Across || e.kind == EquationKind::Through)
            out += run.model->text(e) + "\n";
    return out;
}

}  // namespace

TEST(Connect, At) {
    EXPECT_EQ(joined("a:A at b:B"), "a.v = b.w\na.i + b.j = 0\n");
    EXPECT_EQ(joined("a:A = b:B"), "a.v = b.w\na.i + b.j = 0\n");
    EXPECT_EQ(joined("a:A at b:A at c:A"), "a.v = b.v\nb.v = c.v\na.i + b.i + c.i = 0\n");
}

TEST(Connect, To) {
    EXPECT_EQ(joined("a to b"), "a.w = b.v\na.j + b.i = 0\n");
    EXPECT_EQ(joined("a - b"), "a.w = b.v\na.j + b.i = 0\n");
    // (C1-C2) to (C3-C4) is (C1-C4): its ends go on
    EXPECT_EQ(joined("(a to b) to c"), joined("a to b to c"));
    EXPECT_EQ(joined("a to b to c"), "a.w = b.v\nb.w = c.v\na.j + b.i = 0\nb.j + c.i = 0\n");
    EXPECT_EQ(joined("a to (b to c)"), joined("a to b to c"));
    // C1 to (C2-C3) is C3
    EXPECT_EQ(joined("a:A to b to c:B"), "a.v = b.v\nb.w = c.w\na.i + b.i = 0\nb.j + c.j = 0\n");
    // (C1-C2) to C3 is C1
    EXPECT_EQ(joined("(a to b:A) to c:A"), "a.v = c.v\na.w = b.v\na.i + c.i = 0\na.j + b.i = 0\n");
    EXPECT_EQ(joined("a:A to b:A"), "a.v = b.v\na.i + b.i = 0\n");
}

TEST(Connect, From) {
    EXPECT_EQ(joined("a from b"), "a.v = b.w\na.i + b.j = 0\n");
    EXPECT_EQ(joined("a < b"), "a.v = b.w\na.i + b.j = 0\n");
    // (C3-C2): the next one comes before b
    EXPECT_EQ(joined("a from b from c"), "a.v = b.w\nb.v = c.w\na.i + b.j = 0\nb.i + c.j = 0\n");
    // C1 from (C2-C3) is C2
    EXPECT_EQ(joined("a:A from b from c:A"), "a.v = b.w\nb.v = c.v\na.i + b.j = 0\nb.i + c.i = 0\n");
    // (C1-C2) from C3 is C2
    EXPECT_EQ(joined("(a from b:A) to c"), "a.v = b.v\na.w = c.v\na.i + b.i = 0\na.j + c.i = 0\n");
}

TEST(Connect, ParAndLoop) {
    EXPECT_EQ(joined("a par b"), "a.v = b.v\na.w = b.w\na.i + b.i = 0\na.j + b.j = 0\n");
    EXPECT_EQ(joined("a // b"), joined("a par b"));
    EXPECT_EQ(joined("a:A par b:A"), "a.v = b.v\na.i + b.i = 0\n");
    EXPECT_EQ(joined("a loop b"), "a.v = b.w\na.w = b.v\na.i + b.j = 0\na.j + b.i = 0\n");
    EXPECT_EQ(joined("a loop b"), joined("a par reversed b"));
    EXPECT_EQ(joined("a par \\ b"), joined("a loop b"));
    EXPECT_EQ(joined("reversed a to b"), "a.v = b.v\na.i + b.i = 0\n");
}

TEST(Connect, ReportExample36) {
    EXPECT_EQ(joined("a to (b par (c to d)) par e", "submodel (part) a b c d e"),
              "a.v = e.v\na.w = b.v\nb.v = c.v\nb.w = d.w\nd.w = e.w\nc.w = d.v\n"
              "a.i + e.i = 0\na.j + b.i + c.i = 0\nb.j + d.j + e.j = 0\nc.j + d.i = 0\n");
}

TEST(Connect, NamedPathsAndCuts) {
    const std::string text = R"(
model type t
  cut A(v) B(w) heat(T)
  path water (A - B)
end
model m
  submodel (t) a b c
  cut heat(T)
  T = 300
  connect (water) a to b, b to c
  connect (heat) heat to a
end)";
    EXPECT_EQ(Flattened(text).equations(), "T = 300\na.w = b.v\na.T = T\nb.w = c.v\n");
}

TEST(Connect, PathBeforeCutOfTheSameName) {
    const std::string t = "model type t\n cut A(v) P(w)\n main cut M(u)\n main path P (A - P)\nend\n";
    EXPECT_EQ(Flattened(t + "model m\n submodel (t) a b\n a to b\nend").equations(), "a.w = b.v\n");
    EXPECT_EQ(Flattened(t + "model m\n submodel (t) a b\n a at b\nend").equations(), "a.u = b.u\n");
    EXPECT_EQ(Flattened(t + "model m\n submodel (t) a b\n a:P at b\nend").equations(), "a.w = b.u\n");
    EXPECT_EQ(Flattened(t + "model m\n submodel (t) a b\n a..P to b\nend").equations(), "a.w = b.v\n");
}

TEST(Connect, PathInPlace) {
    EXPECT_EQ(joined("a..(B - A) to b"), "a.v = b.v\na.i + b.i = 0\n");
}

TEST(Connect, NodesAndTemporaryCuts) {
    // All three at one node.
    EXPECT_EQ(joined("a:A at N\n b:A at N\n N at c:A", "submodel (part) a b c\n node N"),
              "a.v = b.v\nb.v = c.v\na.i + b.i + c.i = 0\n");
    const std::string resistor = "model type r\n cut A(v / i) B(w / -i)\n main cut C(A, B)\nend\n";
    EXPECT_EQ(Flattened(resistor +
                        "model m\n submodel (r) a b\n node N1 N2 N3\n a at (N1, N2)\n b at (N2, N3)\nend")
                  .equations(),
              "a.w = b.v\nb.i - a.i = 0\na.i = 0\nb.i = 0\n");
    EXPECT_EQ(Flattened(resistor + "model m\n submodel (r) a b c\n a at (b:B, c:A)\nend").equations(),
              "a.v = b.w\na.w = c.v\na.i - b.i = 0\nc.i - a.i = 0\nb.i = 0\nc.i = 0\n");
    // M at (N, N, N): all parts of a hierarchical cut at one node
    EXPECT_EQ(Flattened("model type t\n cut A(v1) B(v3) C(v5)\n main cut D[A, B, C]\nend\n"
                        "model m\n submodel (t) M\n node N\n connect M at (N, N, N)\nend")
                  .equations(),
              "M.v1 = M.v3\nM.v3 = M.v5\n");
}

TEST(Connect, SuperfluousJoinsAreHarmless) {
    EXPECT_EQ(joined("a:A at b:A\n b:A at c:A\n c:A at a:A\n a:A at b:A\n a:A at a:A"),
              "a.v = b.v\nb.v = c.v\na.i + b.i + c.i = 0\n");
}

TEST(Connect, OwnCutInsideCountsTheOtherWay) {
    const std::string r = "model type r\n cut A(v / i) B(w / -i)\n main path P (A - B)\nend\n";
    const std::string box =
        r +
        "model type box\n cut A(V / I) B(W / -I)\n main path P (A - B)\n submodel (r) x\n A to x to B\nend\n";
    EXPECT_EQ(Flattened(box + "model m\n submodel (box) a\n submodel (r) b\n a to b to a\nend").equations(),
              "a.V = b.w\na.W = b.v\na.x.v = a.V\na.x.w = a.W\n"
              "a.I - b.i = 0\nb.i - a.I = 0\na.x.i - a.I = 0\na.I - a.x.i = 0\n");
}

TEST(Connect, OpenCutsJoinLevels) {
    const std::string text = R"(
model type r
  cut A(v / i) B(w / -i)
  main path P (A - B)
end
model type box
  cut A B
  main path P (A - B)
  submodel (r) x y
  A to x to y to B
end
model m
  submodel (box) a
  submodel (r) b
  a loop b
end)";
    EXPECT_EQ(
        Flattened(text).equations(),
        "a.x.v = b.w\na.x.w = a.y.v\na.y.w = b.v\na.x.i - b.i = 0\na.y.i - a.x.i = 0\nb.i - a.y.i = 0\n");
}

TEST(Connect, Dots) {
    // Through: no sum where a dot takes part. Across: says nothing.
    EXPECT_EQ(Flattened("model type s\n cut A(v / .)\nend\nmodel type t\n cut A(w / i)\nend\n"
                        "model m\n submodel (s) a\n submodel (t) b c\n a:A at b:A at c:A\nend")
                  .equations(),
              "a.v = b.w\nb.w = c.w\n");
    EXPECT_EQ(Flattened("model type s\n cut A(., v / i)\nend\nmodel type t\n cut A(p, w / j)\nend\n"
                        "model m\n submodel (s) a\n submodel (t) b\n a:A at b:A\nend")
                  .equations(),
              "a.v = b.w\na.i + b.j = 0\n");
}

TEST(Connect, ValuesInTemporaryCuts) {
    EXPECT_EQ(joined("connect (., 5 / -0.2) to a",
                     "submodel (t) a\n model type t\n cut A(u, v / q) B(w)\n main path P (A - B)\n end"),
              "a.v = 5\na.q - 0.2 = 0\n");
}

TEST(Connect, HierarchicalCutsByPosition) {
    const std::string text = R"(
model type plug
  cut mech(w / T) elect(u)
  cut both[mech, elect]
end
model m
  submodel (plug) a b
  a:both at b:both
end)";
    EXPECT_EQ(Flattened(text).equations(), "a.w = b.w\na.u = b.u\na.T + b.T = 0\n");
}

TEST(Connect, InPlaceGroups) {
    const std::string text = R"(
model type chamber
  cut heat((Q1), (Q2))
end
model type wall
  cut heat(Q)
end
model m
  submodel (chamber) c
  submodel (wall) a b
  connect (heat) c to (a, b)
end)";
    EXPECT_EQ(Flattened(text).equations(), "c.Q1 = a.Q\nc.Q2 = b.Q\n");
}

TEST(Connect, IndexedCuts) {
    const std::string text = R"(
model type lever
  structure parameter n=2
  cut hole[n](x / F)
  for i:=1 to n do x[i] = i*F[i]
end
model m
  submodel (lever) a(n=3) b
  a:hole[3] at b:hole[1]
end)";
    EXPECT_EQ(Flattened(text).equations(),
              "a.x[1] = a.F[1]\na.x[2] = 2*a.F[2]\na.x[3] = 3*a.F[3]\nb.x[1] = b.F[1]\nb.x[2] = 2*b.F[2]\n"
              "a.x[3] = b.x[1]\na.F[3] + b.F[1] = 0\na.F[1] = 0\na.F[2] = 0\nb.F[2] = 0\n");
}

TEST(Connect, VectorsInCuts) {
    const std::string text =
        "model type t\n terminal r[2]\n terminal f[2]\n cut A(r / f)\nend\n"
        "model m\n submodel (t) a b\n a:A at b:A\nend";
    EXPECT_EQ(Flattened(text).equations(),
              "a.r[1] = b.r[1]\na.r[2] = b.r[2]\na.f[1] + b.f[1] = 0\na.f[2] + b.f[2] = 0\n");
}

TEST(Connect, AnonymousMainCutAndPath) {
    const std::string text = R"(
model m
  model motor
    main cut (w / T)
  end
  model gear
    main path ((w1 / T1) - (w2 / T2))
  end
  model load
    main cut (w / T)
  end
  motor to gear to load
end)";
    EXPECT_EQ(Flattened(text).equations(),
              "motor.w = gear.w1\ngear.w2 = load.w\nmotor.T + gear.T1 = 0\ngear.T2 + load.T = 0\n");
}

TEST(Connect, LoopsOfSubmodels) {
    const std::string text = R"(
model type s
  cut A(v) B(w)
  path hot (A - B)
end
model m
  structure parameter n=3
  submodel (s) s[n]
  cut in out
  path hot (in - out)
  for i:=1 to n-1 do
    connect (hot) s[i] to s[i+1]
  in to s[1]..hot
  s[n]..hot to out
end)";
    EXPECT_EQ(Flattened(text).equations(), "s[1].w = s[2].v\ns[2].w = s[3].v\n");
}

TEST(Connect, SubmodelsOfSubmodels) {
    EXPECT_EQ(
        Flattened(parts +
                  "model type box\n submodel (part) x\nend\nmodel m\n submodel (box) a b\n a::x to b::x\nend")
            .equations(),
        "a.x.w = b.x.v\na.x.j + b.x.i = 0\na.x.i = 0\nb.x.j = 0\n");
}

TEST(Connect, LongChains) {
    std::string text = parts + "model m\n structure parameter n=1000\n submodel (part) s[n]\n connect s[1]";
    for (int k = 2; k <= 1000; ++k) text += " to ->\n s[" + std::to_string(k) + "]";
    const Flattened run(text + "\nend");
    ASSERT_TRUE(run.model) << run.messages().substr(0, 2000);
    EXPECT_EQ(run.model->connection_sets, 999u);
}

TEST(Connect, CountsSets) {
    EXPECT_EQ(Flattened(parts + "model m\n submodel (part) a b c d\n a to b to c\n d par c\nend")
                  .model->connection_sets,
              3u);
}

TEST(Connect, UnconnectedThroughIsZero) {
    EXPECT_EQ(
        Flattened("model type t\n cut A(p / q)\n p = 1\nend\nmodel m\n submodel (t) a\nend").equations(),
        "a.p = 1\na.q = 0\n");
    // An equation outside refers to it: which of the two holds is decided by matching (settle_loose_ends).
    EXPECT_EQ(Flattened("model type t\n cut A(p / q)\n p = 1\nend\nmodel m\n submodel (t) a\n a.q = 5\nend")
                  .equations(),
              "a.q = 5\na.p = 1\na.q = 0\n");
    // The other end of a resistor is open: no current.
    EXPECT_EQ(Flattened("model type r\n cut A(v / i) B(w / -i)\n main path P (A - B)\nend\n"
                        "model m\n submodel (r) a b\n a:A at b:A\nend")
                  .equations(),
              "a.v = b.v\na.i + b.i = 0\na.i = 0\nb.i = 0\n");
}

TEST(Connect, DefaultsOfTerminals) {
    const std::string pipe =
        "model type pipe\n cut A(P1 / q) B(P2 / -q)\n main path P (A - B)\n default P1=0 P2=7\nend\n"
        "model type source\n main cut A(P / q)\n P = 3\nend\n";
    // The open end is held at its default pressure, so the flow is free.
    EXPECT_EQ(Flattened(pipe + "model m\n submodel (pipe) a\n submodel (source) s\n s to a\nend").equations(),
              "s.P = 3\na.P1 = s.P\na.q + s.q = 0\na.P2 = 7\n");
    // An equation outside may end the default, which is decided by matching (settle_loose_ends).
    EXPECT_EQ(
        Flattened("model type t\n terminal u\n default u=25\nend\nmodel m\n submodel (t) a b\n a.u = 1\nend")
            .equations(),
        "a.u = 1\na.u = 25\nb.u = 25\n");
}

TEST(Connect, ParametersAsCutVariables) {
    const std::string t =
        "model type tank\n cut port(P, A, H / q)\n parameter A=1 H=0\nend\n"
        "model type pipe\n cut inlet(P, A, H / q)\n parameter A H=0\nend\n";
    const Flattened run(t +
                        "model m\n submodel (tank) a\n submodel (pipe) b(A=0.05)\n a:port at b:inlet\nend");
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_EQ(run.value("a.A"), 0.05);
    EXPECT_EQ(run.binding("a.A"), "b.A");
    EXPECT_EQ(run.value("a.H"), 0);
    EXPECT_EQ(run.equations(), "a.P = b.P\na.q + b.q = 0\n");
    expect_error(t + "model m\n submodel (tank) a(A=2)\n submodel (pipe) b(A=0.05)\n a:port at b:inlet\nend",
                 "joined-parameters-differ", "12:2", {"a.A = 2", "b.A = 0.05"});
    // A value in a temporary cut, and on through several joins.
    const Flattened fed(R"(
model type pipe
  cut inlet(P, dens / q) outlet(P2, dens / -q)
  main path P (inlet - outlet)
  parameter dens
end
model m
  submodel (pipe) a b
  connect (., 1000 / -1) to a to b
end)");
    ASSERT_TRUE(fed.model) << fed.messages();
    EXPECT_EQ(fed.value("a.dens"), 1000);
    EXPECT_EQ(fed.value("b.dens"), 1000);
}

TEST(Connect, ValueForParametersAndVariables) {
    const Flattened run(
        "model type s\n cut A(d, e)\n parameter d\nend\nmodel type t\n cut A(x, y)\nend\n"
        "model m\n submodel (s) a\n submodel (t) b\n connect (5, .) at a:A at b:A\nend");
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_EQ(run.value("a.d"), 5);
    EXPECT_EQ(run.equations(), "a.d = b.x\na.e = b.y\n");
}

// The transistor of a logical inverter: open cuts, reversed and parallel paths, a path in place through two
// levels.
TEST(Connect, TransistorAcrossLevels) {
    const Flattened run(R"(
model type part
  cut A(v / i) B(w / -i)
  main path P (A - B)
end
model type Common
  main cut C(v / .)
  v = 0
end
model type Transistor
  submodel (part) D1 C1 R
  cut Base Emitter Collector
  node N
  Emitter - ( \ D1 // C1 ) - N
  Base - R - N
  Collector - N
end
model m
  submodel (Transistor) T
  submodel (part) E L
  submodel Common
  Common - E - T..(Base - Emitter) - Common
  Common - L - T:Collector
end)");
    EXPECT_EQ(run.equations(),
              "Common.v = 0\n"
              "T.D1.v = T.C1.w\nT.C1.w = T.R.w\nT.R.w = L.w\n"
              "T.D1.w = T.C1.v\nT.C1.v = E.v\nE.v = L.v\nL.v = Common.v\n"
              "T.R.v = E.w\n"
              "T.D1.i - T.C1.i - T.R.i - L.i = 0\nT.R.i - E.i = 0\n");
}

TEST(Connect, UnitsAtJoins) {
    const auto text = [](const std::string& a, const std::string& b) {
        return "model type s\n cut A(p [" + a + "] / q)\nend\nmodel type t\n cut A(p [" + b +
               "] / q)\nend\nmodel m\n submodel (s) a\n submodel (t) b\n a:A at b:A\nend";
    };
    EXPECT_EQ(Flattened(text("Pa", "Pa")).equations(), "a.p = b.p\na.q + b.q = 0\n");
    EXPECT_EQ(Flattened(text("Pa", "kPa")).equations(), "a.p = 1000*b.p\na.q + b.q = 0\n");
    EXPECT_EQ(Flattened(text("K", "degC")).equations(), "a.p = b.p + 273.15\na.q + b.q = 0\n");
    expect_error(text("Pa", "K"), "unit-mismatch", "10:2", {"a.p [Pa]", "b.p [K]"});
}

TEST(Connect, Mismatches) {
    expect_error(
        "model type s\n cut A(v / i)\nend\nmodel type t\n cut A(v, w / i)\nend\nmodel m\n submodel (s) a\n"
        " submodel (t) b\n a:A at b:A\nend",
        "cut-mismatch", "10:2",
        {"a:A (v / i)", "b:A (v, w / i)", "test.dym:2:", "test.dym:5:", "2 elements"});
    expect_error(
        "model type s\n cut A(v / i)\nend\nmodel type t\n cut A(v, i)\nend\nmodel m\n submodel (s) a\n"
        " submodel (t) b\n a:A at b:A\nend",
        "cut-mismatch", "10:2", {"across", "through"});
    expect_error(
        "model type s\n cut A(v / i)\nend\nmodel type t\n cut B(v / i)\n cut A(B)\nend\nmodel m\n submodel "
        "(s) a\n"
        " submodel (t) b\n a:A at b:A\nend",
        "cut-mismatch", "11:2");
}

TEST(Connect, Errors) {
    const std::string m =
        parts + "model m\n submodel (part) a b\n submodel (end_part) e f\n node N\n local x\n x = 1\n ";
    expect_error(m + "a:a at b:A\nend", "unknown-cut", "", {"`A`", "case"});
    expect_error(m + "a at b:A\nend", "no-main-cut", "", {"no main cut", "a:A"});
    expect_error(m + "a..Q to b\nend", "unknown-path", "");
    expect_error(m + "e loop f\nend", "path-expected", "");
    expect_error(m + "reversed e to f\nend", "path-expected", "");
    expect_error(m + "a par e\nend", "path-expected", "");
    expect_error(m + "connect (water) a to N\nend", "no-such-connection", "", {"water", "part"});
    expect_error(m + "connect a to c\nend", "not-connectable", "");
    expect_error(m + "connect a to x\nend", "not-connectable", "", {"variable"});
    expect_error("model type t\n node N\nend\nmodel m\n submodel (t) a\n node M\n a:N at M\nend",
                 "node-from-outside", "");
    EXPECT_NE(Flattened("model type t\n cut A(B)\n cut B(A)\nend\nmodel m\n submodel (t) a\nend")
                  .find("cut-contains-itself"),
              nullptr);
}
