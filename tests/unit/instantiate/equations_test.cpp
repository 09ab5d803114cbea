#include "support.h"

using namespace cutset;
using namespace cutset::test;

TEST(Equations, Expressions) {
    const Flattened run(R"(
model m
  parameter a=2
  local x y z
  x' = -a*x + sin(time)
  y = if x > 1 and not y < 0 then sqrt(x) else abs(x)**3
  z = min(x, y, 2) - max(x, 1)/2 + atan2(x, y) + mod(x, 3) + int(y)
end)");
    EXPECT_EQ(run.equations(),
              "x' = sin(time) - x*a\n"
              "y = if x > 1 and not y < 0 then sqrt(x) else abs(x)^3\n"
              "z = mod(x, 3) - 0.5*max(x, 1) + int(y) + atan2(x, y) + min(x, y, 2)\n");
}

TEST(Equations, Derivatives) {
    const Flattened run(R"(
model m
  parameter m=2 R=3
  local x v q
  discrete d=1
  m*x'' + der2(x) = 0
  v = der(x*R + d)
  q = der(v*x)
  when time > 1 then
    new(d) = 2
  end
end)");
    // x*R + d is continuous although d jumps: it has a variable of its own.
    EXPECT_EQ(run.equations(), "m*x'' + x'' = 0\n(x*R + d) = x*R + d\nv = (x*R + d)'\nq = v*x' + x*v'\n");
}

TEST(Equations, DerivativesOfWhatSwitches) {
    const Flattened run(R"(
model m
  local x y z
  x' = 1
  y = der(if x > 0 then 2*x else x)
  der(if time > 1 then 2*z else z) = 0
  z(0) = 3
end)");
    // Branch by branch where the variables are continuous anyway; else what is differentiated is.
    EXPECT_EQ(run.equations(),
              "x' = 1\n(if x > 0 then 2*x else x) = if x > 0 then 2*x else x\n"
              "y = if x > 0 then 2*x' else x'\n"
              "(if time > 1 then 2*z else z) = if time > 1 then 2*z else z\n"
              "(if time > 1 then 2*z else z)' = 0\n");
    // The initial value of z is one of what stands in its place: it is known, so it is no equation.
    ASSERT_EQ(run.model->initial_equations.size(), 0u);
    ASSERT_TRUE(run.model->variables.back().start);
}

TEST(Equations, Starts) {
    const Flattened run(R"(
model m
  parameter x0=3
  local x y z
  der(x, x0) = -x
  y(0) = 2*x0
  der2(z, 1, 2) = 0
  y' = der(x*y, 7)
end)");
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_EQ(run.start("x"), "x0");
    EXPECT_EQ(run.start("y"), "2*x0");
    EXPECT_EQ(run.start("z"), "1");
    ASSERT_EQ(run.model->derivative_starts.size(), 1u);
    EXPECT_EQ(run.model->derivative_starts[0].order, 1u);
    EXPECT_TRUE(run.model->derivative_starts[0].start.value->is_number(2));
    EXPECT_EQ(run.initial_equations(), "x*y = 7\n");
}

TEST(Equations, EnclosingModelReplacesStarts) {
    const Flattened run(
        "model type t\n local x\n x' = 1\n x(0) = 5\nend\nmodel m\n submodel (t) a b\n a.x(0) = 7\nend");
    EXPECT_EQ(run.start("a.x"), "7");
    EXPECT_EQ(run.start("b.x"), "5");
    expect_error("model m\n local x\n x' = 1\n x(0) = 5\n x(0) = 6\nend", "start-given-twice", "5:2",
                 {"the first one"});
    EXPECT_TRUE(Flattened("model m\n local x\n x' = 1\n x(0) = 5\n x(0) = 5\nend").model);
}

TEST(Equations, InitialAndValid) {
    const Flattened run("model m\n local x\n x' = 1\n initial x' + x = 5\n valid x > 0 and x < 10\nend");
    EXPECT_EQ(run.initial_equations(), "x + x' = 5\n");
    ASSERT_EQ(run.model->validities.size(), 1u);
    EXPECT_EQ(to_text(run.model->validities[0].condition, run.model->printer()), "x > 0 and x < 10");
}

TEST(Equations, ArraysElementByElement) {
    const Flattened run(R"(
model m
  parameter A[2,2] = ((1, 2), (3, 4)), k=5
  local x[2] y[2] s B[2,2]
  x' = A*x + k*y
  y = (x - y)/2
  s = x*y
  B = A*A - k*A
end)");
    EXPECT_EQ(run.equations(),
              "x[1]' = x[1]*A[1,1] + x[2]*A[1,2] + k*y[1]\n"
              "x[2]' = x[1]*A[2,1] + x[2]*A[2,2] + k*y[2]\n"
              "y[1] = 0.5*(x[1] - y[1])\n"
              "y[2] = 0.5*(x[2] - y[2])\n"
              "s = x[1]*y[1] + x[2]*y[2]\n"
              "B[1,1] = A[1,1]^2 + A[1,2]*A[2,1] - A[1,1]*k\n"
              "B[1,2] = A[1,1]*A[1,2] + A[1,2]*A[2,2] - A[1,2]*k\n"
              "B[2,1] = A[1,1]*A[2,1] + A[2,1]*A[2,2] - A[2,1]*k\n"
              "B[2,2] = A[1,2]*A[2,1] + A[2,2]^2 - A[2,2]*k\n");
}

TEST(Equations, ZeroVectorAndRows) {
    const Flattened run("model m\n local A[2,3] x[3]\n A = 0\n x(0) = 1\n x' = A[2]\nend");
    EXPECT_EQ(run.equations(),
              "A[1,1] = 0\nA[1,2] = 0\nA[1,3] = 0\nA[2,1] = 0\nA[2,2] = 0\nA[2,3] = 0\n"
              "x[1]' = A[2,1]\nx[2]' = A[2,2]\nx[3]' = A[2,3]\n");
    EXPECT_EQ(run.start("x[3]"), "1");
}

TEST(Equations, When) {
    const Flattened run(R"(
model m
  local x v
  discrete n=0 t0
  x' = v
  v' = -9.81
  when x < 0 then
    reinit(v, -0.8*pre(v))
    new(n) = pre(n) + 1
    new(t0) = time + new(n)
  end
  when sample(0, 0.1) or start() then
    new(t0) = delay(x, 1)
  end
  when n > 5 then
    terminate("enough")
  end
end)");
    ASSERT_TRUE(run.model) << run.messages();
    ASSERT_EQ(run.model->whens.size(), 3u);
    const auto names = run.model->printer();
    const WhenClause& w = run.model->whens[0];
    EXPECT_EQ(to_text(w.condition, names), "x < 0");
    ASSERT_EQ(w.actions.size(), 3u);
    EXPECT_EQ(to_text(std::get<WhenReinit>(w.actions[0]).value, names), "-0.8*pre(v)");
    EXPECT_EQ(to_text(std::get<WhenAssign>(w.actions[1]).value, names), "pre(n) + 1");
    EXPECT_EQ(to_text(std::get<WhenAssign>(w.actions[2]).value, names), "time + n");
    EXPECT_EQ(to_text(run.model->whens[1].condition, names), "sample(0, 0.1) or start()");
    EXPECT_EQ(std::get<WhenTerminate>(run.model->whens[2].actions[0]).message, "enough");
}

TEST(Equations, ValueBeforeTheEvent) {
    const Flattened run("model m\n discrete c=0\n when sample(0, 1) then\n new(c) = c + 1\n end\nend");
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_EQ(to_text(std::get<WhenAssign>(run.model->whens[0].actions[0]).value, run.model->printer()),
              "pre(c) + 1");
    EXPECT_NE(run.find("value-before"), nullptr);
}

TEST(Equations, ReferencesToAllLowerLevels) {
    const Flattened run(
        "model type a\n local v\n v = 1\nend\nmodel type b\n submodel (a) a\nend\n"
        "model m\n submodel (b) b[2]\n local x\n x = b[2]::a.v\nend");
    EXPECT_EQ(run.equations(), "x = b[2].a.v\nb[1].a.v = 1\nb[2].a.v = 1\n");
}

TEST(Equations, Errors) {
    const std::string m = "model m\n local x y v[3] w[2]\n parameter p=1\n ";
    expect_error(m + "v = w\nend", "size-mismatch", "4:2", {"a vector of 3", "a vector of 2"});
    expect_error(m + "x = v\nend", "size-mismatch", "4:2", {"a scalar"});
    expect_error(m + "x = v*w\nend", "size-mismatch", "", {"product"});
    expect_error(m + "x = v + 1\nend", "size-mismatch", "", {"sum"});
    expect_error(m + "x = 1/v\nend", "size-mismatch", "");
    expect_error(m + "x = p[1]\nend", "wrong-index-count", "", {"p is a scalar"});
    expect_error(m + "x = v[y]\nend", "structure-varies", "4:8", {"depends on y"});
    expect_error(m + "x = (y > 1) + 2\nend", "condition-as-number", "4:6");
    expect_error(m + "x = if y then 1 else 2\nend", "number-as-condition", "4:9");
    expect_error(m + "x = if y > 1 then 1 else y < 2\nend", "condition-as-number", "");
    expect_error(m + "x = sinn(y)\nend", "unknown-function", "4:6", {"`sin`"});
    expect_error(m + "x = y(2)\nend", "unknown-function", "", {"y[i]"});
    expect_error(m + "x = sin(y, 2)\nend", "wrong-argument-count", "", {"1 argument", "given 2"});
    expect_error(m + "x = max(y)\nend", "wrong-argument-count", "");
    expect_error(m + "x = new(y)\nend", "new-outside-when", "");
    expect_error(m + "p(0) = 3\nend", "start-of-parameter", "");
    expect_error(m + "when x > 1 then\n new(p) = 2\n end\nend", "when-target", "5:6", {"a parameter"});
    expect_error(m + "default x = 2\nend", "default-of-local", "");
    expect_error("model type t\n local v\n v=1\nend\nmodel m\n submodel (t) a\n local x\n x = 2*a\nend",
                 "not-a-variable", "8:8", {"submodel", "a.v"});
}

TEST(Equations, OneMessageForManySubmodels) {
    const Flattened run("model type t\n local v\n v = q\nend\nmodel m\n submodel (t) a[50]\nend");
    EXPECT_EQ(run.diagnostics.error_count(), 1u);
    EXPECT_EQ(run.diagnostics.all()[0].submodel, "a[1]");
}

TEST(Equations, UnitWarning) {
    const Flattened run("model m\n local a [kPa] b [Pa] c [K]\n a = b\n b = c\n c = 1\nend");
    ASSERT_TRUE(run.model);
    EXPECT_EQ(run.diagnostics.all().size(), 2u) << run.messages();
    EXPECT_EQ(run.diagnostics.all()[0].severity, Severity::Warning);
}
