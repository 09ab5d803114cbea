#include "instantiate/functions.h"

#include "flat/function_value.h"
#include "support.h"

using namespace cutset;
using namespace cutset::test;

namespace {

double call(const Flattened& run, std::vector<double> arguments, std::uint32_t output = 0,
            std::size_t callee = 0) {
    if (!run.model) {
        ADD_FAILURE() << run.messages();
        return 0;
    }
    return function_value(*run.model, CalleeIndex(callee), output, arguments).value_or(-999);
}

}  // namespace

TEST(Functions, ScalarCall) {
    const Flattened run(
        "function f(u, v) returns y\n local a\n a := u*v\n y := a + 1\nend\n"
        "model m\n local x\n x = f(x, 2)\nend");
    EXPECT_EQ(run.equations(), "x = f(x, 2)\n");
    EXPECT_EQ(call(run, {3, 4}), 13);
}

TEST(Functions, Procedures) {
    const Flattened run(
        "function p(u1, u2) returns y1, y2\n y1 = u1 + u2\n y2 = u1 - u2\nend\n"
        "model m\n local a b\n a b = p(time, 1)\nend");
    ASSERT_TRUE(run.model) << run.messages();
    ASSERT_EQ(run.model->equations.size(), 2u);
    EXPECT_EQ(run.model->equations[EquationIndex(1)].right->order, 1u);
    EXPECT_EQ(call(run, {5, 3}, 0), 8);
    EXPECT_EQ(call(run, {5, 3}, 1), 2);
}

TEST(Functions, LoopsAndBranches) {
    const Flattened run(R"(
function f(n) returns y
  local k
  y := 0
  for i := 1 to n do begin
    if i > 2 then begin
      y := y + i
    end
  end
  k := 3
  while k > 0 do begin
    y := y + 100
    k := k - 1
  end
end
model m
  local x
  x = f(time)
end)");
    EXPECT_EQ(call(run, {5}), 312);
}

TEST(Functions, ArraysAndConstantsOfTheModel) {
    const Flattened run(R"(
model m
  constant n=3 c=10
  function f(u[3]) returns y
    local a[3,2] = 1
    local b[3]
    for i := 1 to n do begin
      a[i,2] := u[i]*c
      b[i] := a[i,1]
    end
    b := u - b
    y := a[1,2] + a[3,2] + b*u
  end
  parameter p = f((1, 2, 3))
  local v[3] x
  v = 1
  x = f(v)
end)");
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_EQ(run.value("p"), 48);  // 10 + 30 + 0*1 + 1*2 + 2*3
}

TEST(Functions, NestedCalls) {
    const Flattened run(
        "function g(x) returns y\n y := 2*x\nend\nfunction f(x) returns y\n y := g(g(x)) + 1\nend\n"
        "model m\n parameter p=f(3)\n local x\n x = p\nend");
    EXPECT_EQ(run.value("p"), 13);
}

TEST(Functions, External) {
    const Flattened run(
        "function f(x) returns y\n external \"mylib.so\" name \"c_f\"\nend\nmodel m\n local x\n x = "
        "f(time)\nend",
        {.file = "some/dir/test.dym"});
    ASSERT_TRUE(run.model) << run.messages();
    const auto& f = std::get<FunctionData>(run.model->callees[CalleeIndex(0)]);
    ASSERT_TRUE(f.external);
    EXPECT_EQ(f.external->library, "some/dir/mylib.so");
    EXPECT_EQ(f.external->symbol, "c_f");
    EXPECT_EQ(f.inputs, 1u);
    EXPECT_EQ(f.outputs, 1u);
}

TEST(Functions, Errors) {
    const std::string m = "\nmodel m\n parameter k=1\n local x\n x = f(x)\nend";
    expect_error("function f(u) returns y\n y := u + q\nend" + m, "unknown-name", "2:11", {"arguments"});
    expect_error("function f(u) returns y\n y := u + k\nend" + m, "unknown-name", "");
    expect_error("function f(u) returns y\n u := 1\n y := u\nend" + m, "function-assigns-input", "2:2");
    expect_error("function f(u) returns y, z\n y := u\n z := u\nend" + m, "several-results", "");
    expect_error("function f(u) returns y\n local a\n a := u\nend" + m, "result-not-assigned", "1:23");
    expect_error("function f(u) returns y\n y := u\n break\nend" + m, "break-outside-loop", "3:2");
    expect_error("function f(u) returns y\n local a[u]\n y := u\nend" + m, "unknown-name", "2:10");
    expect_error("function f(u) returns y\n derivative g\n y := u\nend" + m, "unknown-function", "2:13");
    expect_error("function f(u) returns y\n derivative f\n y := u\nend" + m, "derivative-rule", "2:13");
    expect_error("function f(u) returns y\n inverse w = f\n y := u\nend" + m, "inverse-rule", "2:14");
    expect_error("function f(u, v) returns y\n y := u\nend" + m, "wrong-argument-count", "");
    expect_error("function f(u[2]) returns y\n y := u[1]\nend" + m, "size-mismatch", "",
                 {"a vector of 2", "a scalar"});
    expect_error("function f(u) returns y\n y := der(u)\nend" + m, "not-in-function", "");
}
