#include "support.h"

using namespace cutset;
using namespace cutset::test;

namespace {

const char* resistor = R"(
model type resistor
  cut A(Va / I) B(Vb / -I)
  main path P (A - B)
  parameter R, L=2*R
  R*I + L*I' = Va - Vb
end
)";

}  // namespace

TEST(Parameters, PositionalNamedAndMixed) {
    const Flattened run(std::string(resistor) + R"(
model m
  parameter k=3
  submodel (resistor) a(5) b(R=7, L=1) c(4, L=k*R) d(R=k)
  parameter R=10
end)");
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_EQ(run.value("a.R"), 5);
    EXPECT_EQ(run.value("a.L"), 10);
    EXPECT_EQ(run.value("b.L"), 1);
    EXPECT_EQ(run.value("c.L"), 30);  // R of the enclosing model, not of the resistor
    EXPECT_EQ(run.binding("c.L"), "k*R");
    EXPECT_EQ(run.binding("a.L"), "2*a.R");
    EXPECT_EQ(run.value("d.R"), 3);
}

TEST(Parameters, SameNameInside) {
    const Flattened run("model type s\n parameter d\nend\nmodel m\n parameter d=4\n submodel s(d=d)\nend");
    EXPECT_EQ(run.binding("s.d"), "d");
    EXPECT_EQ(run.value("s.d"), 4);
}

TEST(Parameters, DefaultsInAnyOrder) {
    const Flattened run("model m\n parameter a=b+1\n parameter b=c*2\n parameter c=5\nend");
    EXPECT_EQ(run.value("a"), 11);
}

TEST(Parameters, LongChainsNeedNoDeepStack) {
    std::string text = "model m\n";
    for (int k = 1; k < 20000; ++k)
        text += "parameter p" + std::to_string(k) + "=p" + std::to_string(k + 1) + "+1\n";
    text += "parameter p20000=0\nend";
    const Flattened run(text);
    EXPECT_EQ(run.value("p1"), 19999);
}

TEST(Parameters, Cycle) {
    expect_error("model m\n parameter a=b\n parameter b=a+1\nend", "parameter-cycle", "2:12",
                 {"a", "b", "circle"});
    expect_error("model m\n parameter a=a\nend", "parameter-cycle", "2:12", {"depends on itself"});
}

TEST(Parameters, MissingValuesAreListedTogether) {
    expect_error("model type t\n parameter p q\nend\nmodel m\n parameter r\n submodel (t) a b(q=1)\nend",
                 "missing-value", "5:12", {"4 parameters", "r", "a.p", "a.q", "b.p"});
    expect_error("model type t\n parameter p\nend\nmodel m\n submodel (t) a\nend", "missing-value", "2:12",
                 {"parameter a.p has no value", "a(p = …)", "--set a.p="});
}

TEST(Parameters, ModelInPlaceMeantAsType) {
    expect_error("model m\n model r\n  parameter R\n end\n submodel (r) r1(5)\nend", "missing-value", "3:13",
                 {"model type r"});
}

TEST(Parameters, IndexOfArrayElements) {
    const Flattened run("model type s\n parameter m\nend\nmodel t\n submodel (s) a[3](m=2*index)\nend");
    EXPECT_EQ(run.value("a[1].m"), 2);
    EXPECT_EQ(run.value("a[3].m"), 6);
}

TEST(Parameters, Arrays) {
    const Flattened run(R"(
model m
  structure parameter n=2
  parameter v[3] = (1, 2, 3)
  parameter A[2,n] = ((1, 2), (3, 4))
  parameter z[3] = 0
  parameter k = v[2] + A[2,1]
end)");
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_EQ(run.value("v[3]"), 3);
    EXPECT_EQ(run.value("A[2,1]"), 3);
    EXPECT_EQ(run.value("z[2]"), 0);
    EXPECT_EQ(run.value("k"), 5);
    EXPECT_TRUE(run.variable("n").structural);
}

TEST(Parameters, Errors) {
    const std::string r = resistor;
    expect_error(r + "model m\nsubmodel (resistor) a(5, 6, 7)\nend", "too-many-arguments", "",
                 {"R and L", "(2)"});
    expect_error(r + "model m\nsubmodel (resistor) a(r=5)\nend", "unknown-argument", "", {"`R`", "case"});
    expect_error(r + "model m\nsubmodel (resistor) a(5, R=6)\nend", "argument-given-twice", "");
    expect_error(r + "model m\nsubmodel (resistor) a(R=5, Va=6)\nend", "argument-not-parameter", "",
                 {"terminal", "a.Va = …"});
    expect_error("model type t\n constant c=1\nend\nmodel m\n submodel (t) a(c=2)\nend",
                 "argument-not-parameter", "", {"constant"});
    expect_error("model m\n local x\n parameter p=2*x\n x=1\nend", "parameter-varies", "3:14", {"x"});
    expect_error("model m\n parameter p=1/q q=0\nend", "parameter-not-finite", "2:14", {"p", "1/q"});
    expect_error("model m\n parameter v[3]=(1, 2)\nend", "size-mismatch", "",
                 {"a vector of 3", "a vector of 2"});
}

TEST(Parameters, StructuralByUse) {
    const Flattened run(R"(
model m
  parameter a=2 b=a+1 c=1
  local x[b]
  for i:=1 to b do x[i] = c
end)");
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_TRUE(run.variable("a").structural);
    EXPECT_TRUE(run.variable("b").structural);
    EXPECT_FALSE(run.variable("c").structural);
}

TEST(Parameters, FunctionsAndTablesInValues) {
    const Flattened run(R"(
function square(x) returns y
  y := x*x
end
table t(x) = (0, 0), (2, 20)
model m
  parameter a=square(3) + t(1)
end)");
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_EQ(run.value("a"), 19);
}
