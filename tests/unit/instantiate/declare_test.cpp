#include "support.h"

using namespace cutset;
using namespace cutset::test;

TEST(Declare, KindsAndAttributes) {
    const Flattened run(R"(
model m
  parameter R=5 [Ohm] "armature resistance"
  constant g=9.81
  local y nominal 1e-12
  input u
  output z
  discrete c=0
  default u=1
  y = R*u
  z = y + c
  when time > 1 then
    new(c) = 2
  end
end)");
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_EQ(run.variable("R").unit, "Ohm");
    EXPECT_EQ(run.variable("R").description, "armature resistance");
    EXPECT_EQ(run.variable("R").variability, Variability::Parameter);
    EXPECT_EQ(run.variable("g").variability, Variability::Constant);
    EXPECT_EQ(run.variable("y").nominal, 1e-12);
    EXPECT_TRUE(run.variable("u").top_input);
    EXPECT_TRUE(run.variable("z").top_output);
    EXPECT_EQ(run.variable("c").variability, Variability::Discrete);
    EXPECT_EQ(run.binding("c"), "0");
}

TEST(Declare, InternalAndExternal) {
    const Flattened run(R"(
model type diode
  external T
  terminal v
  v = 2*T
end
model type amplifier
  submodel (diode) d
end
model m
  internal T
  submodel (amplifier) a
  T = time
end)");
    EXPECT_EQ(run.equations(), "T = time\na.d.v = 2*T\n");
}

TEST(Declare, NearestInternalCounts) {
    const Flattened run(R"(
model type inner
  external T
  terminal v
  v = T
end
model type middle
  internal T
  T = 5
  submodel (inner) i
end
model m
  internal T
  submodel (middle) b
  T = 7
end)");
    EXPECT_EQ(run.equations(), "T = 7\nb.T = 5\nb.i.v = b.T\n");
}

TEST(Declare, ExternalErrors) {
    const std::string diode = "model type d\n external T\n local v\n v = T\nend\n";
    expect_error(diode + "model m\n submodel (d) a\nend", "external-not-found", "2:11", {"internal T"});
    expect_error(diode + "model m\n parameter T=3\n submodel (d) a\nend", "external-not-found", "2:11",
                 {"model m has `T`"});
}

TEST(Declare, ParameterMadeInternal) {
    const Flattened run(
        "model type d\n external g\n local v\n v = 2*g\nend\nmodel m\n parameter g=9\n internal g\n submodel "
        "(d) a\nend");
    EXPECT_EQ(run.equations(), "a.v = 2*g\n");
}

TEST(Declare, TerminalAndCutAreOneVariable) {
    const Flattened run("model m\n terminal T [K]\n cut A(T / Q [W])\n T = 300\n Q = 5\nend");
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_EQ(run.variable("T").unit, "K");
    EXPECT_EQ(run.variable("Q").unit, "W");
    EXPECT_EQ(run.model->variables.size(), 2u);
}

TEST(Declare, LocalThatWhenAssignsIsDiscrete) {
    const Flattened run(
        "model m\n local n x\n n(0) = 3\n x' = 1\n when x > 1 then\n new(n) = pre(n) + 1\n end\nend");
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_EQ(run.variable("n").variability, Variability::Discrete);
    EXPECT_EQ(run.binding("n"), "3");
    EXPECT_EQ(run.variable("x").variability, Variability::Continuous);
}

TEST(Declare, BooleanVariables) {
    const Flattened run(R"(
model m
  local h on
  discrete open=false
  h' = if on then 1 else 2
  on = h < 3 and not open
  when h > 5 then
    new(open) = true
  end
end)");
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_TRUE(run.variable("on").is_boolean());
    EXPECT_TRUE(run.variable("open").is_boolean());
    EXPECT_EQ(run.binding("open"), "0");
    EXPECT_EQ(run.model->equations.size(), 2u);
    EXPECT_FALSE(run.model->equations[EquationIndex(1)].left->boolean);
}

TEST(Declare, Errors) {
    expect_error("model m\n local x\n parameter x=1\n x=1\nend", "defined-twice", "3:12",
                 {"first declared here"});
    expect_error("model m\n local x x\n x=1\nend", "defined-twice", "2:10");
    expect_error("model t\n local y\n y=1\nend\nmodel m\n submodel (t) a a\nend", "defined-twice", "",
                 {"submodel `a`"});
    expect_error("model m\n local speed\n sped = 1\n speed = 2\nend", "unknown-name", "3:2", {"`speed`"});
    expect_error("model m\n local Speed\n speed = 1\nend", "unknown-name", "3:2", {"`Speed`", "case"});
    expect_error("model m\n local x\n x = 2*pi\nend", "unknown-name", "", {"constant pi = 3.14159"});
    expect_error("model type t\n local v\n v = k\nend\nmodel m\n parameter k=1\n submodel (t) a\nend",
                 "unknown-name", "3:6", {"in submodel a", "enclosing model m", "external k"});
    expect_error("model m\n local x=3\n x=1\nend", "variable-with-value", "2:8", {"x(0)"});
    expect_error("model m\n local x\n x = tnak.h\nend", "unknown-submodel", "3:6", {"tnak"});
    expect_error("model type t\n local h\n h=1\nend\nmodel m\n submodel (t) tank\n local x\n x = tank.H\nend",
                 "unknown-name", "8:11", {"`h`", "case", "tank"});
    expect_error("model m\n submodel (Tnak) a\nend\n", "unknown-type", "2:12", {"`Tank`", "test.dym"},
                 {.libraries = {{"lib.dym", "model type Tank\nend"}}});
}

TEST(Lookup, InsideOutThenFileThenLibraries) {
    const Flattened run(
        R"(
model type part
  constant w=1
end
model outer
  model type part
    constant w=2
  end
  model inner
    submodel (part) a
  end
  submodel (part) b
end
model m
  submodel (part) c
  submodel (outer) o
  submodel (other) d
end)",
        {.libraries = {
             {"one.dym", "model type part\n constant w=3\nend\nmodel type other\n submodel (part) p\nend"},
             {"two.dym", "model type other\n constant w=9\nend"}}});
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_EQ(run.value("c.w"), 1);
    EXPECT_EQ(run.value("o.b.w"), 2);
    EXPECT_EQ(run.value("o.inner.a.w"), 2);
    EXPECT_EQ(run.value("d.p.w"), 3);
}

TEST(Lookup, ByFileName) {
    const Flattened run(
        "model m\n submodel (pump) p\nend",
        {.libraries = {
             {"lib/pump.dym", "model type helper\nend\nmodel type centrifugal\n constant w=4\nend"}}});
    EXPECT_EQ(run.value("p.w"), 4);
}

TEST(Lookup, DefaultModelAndByName) {
    const std::string text =
        "model a\n local x\n x=1\nend\nmodel type t\n local y\n y=1\nend\nmodel b\n local z\n z=1\nend\n"
        "model type u\n local w\n w=1\nend";
    EXPECT_EQ(Flattened(text).equations(), "z = 1\n");
    EXPECT_EQ(Flattened(text, {.model = "t"}).equations(), "y = 1\n");
    expect_error(text, "unknown-model", "", {"`B`", "`b`"}, {.model = "B"});
}
