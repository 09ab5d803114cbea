#include "support.h"

using namespace cutset;
using namespace cutset::test;

TEST(Structure, IfElseifElse) {
    const auto text = [](int n) {
        return "model m\n structure parameter n=" + std::to_string(n) + R"(
  local x
  if n = 1 then begin
    local y
    y = 1
    x = y
  end
  elseif n = 2 then begin
    x = 2
  end
  else begin
    x = 3
  end
end)";
    };
    EXPECT_EQ(Flattened(text(1)).equations(), "y = 1\nx = y\n");
    EXPECT_EQ(Flattened(text(2)).equations(), "x = 2\n");
    EXPECT_EQ(Flattened(text(5)).equations(), "x = 3\n");
}

TEST(Structure, Case) {
    const Flattened run(
        "model m\n structure parameter n=2\n local x\n case n of 1: x = 1; 2: x = time end\nend");
    EXPECT_EQ(run.equations(), "x = time\n");
}

TEST(Structure, NestedLoops) {
    const Flattened run(R"(
model m
  local A[2,2]
  for i:=1 to 2 do begin
    for j:=1 to 2 do A[i,j] = i + 10*j
  end
end)");
    EXPECT_EQ(run.equations(), "A[1,1] = 11\nA[1,2] = 21\nA[2,1] = 12\nA[2,2] = 22\n");
}

TEST(Structure, ConditionInsideLoop) {
    const Flattened run(R"(
model m
  local x[3]
  for i:=1 to 3 do
    if i = 1 then begin
      x[i] = 0
    end
    else begin
      x[i] = x[i-1] + 1
    end
end)");
    EXPECT_EQ(run.equations(), "x[1] = 0\nx[2] = x[1] + 1\nx[3] = x[2] + 1\n");
}

TEST(Structure, RecursionThatEnds) {
    const Flattened run(R"(
model type tree
  structure parameter n=1
  local x
  x = n
  if n > 1 then begin
    submodel (tree) t(n=n-1)
  end
end
model m
  submodel (tree) t(n=3)
end)");
    EXPECT_EQ(run.value("t.t.t.n"), 1);
    EXPECT_EQ(run.model->instances.size(), 4u);
}

TEST(Structure, EmptyArraysAndLoops) {
    const Flattened run(
        "model type s\n local x\n x=1\nend\nmodel m\n structure parameter n=0\n local y[n]\n submodel (s) "
        "s[n]\n"
        " for i:=1 to n do y[i] = s[i].x\nend");
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_EQ(run.equations(), "");
}

TEST(Structure, InPlaceModels) {
    const Flattened run("model m\n model a\n  terminal x\n  x = 1\n end\n local y\n y = a.x\nend");
    EXPECT_EQ(run.equations(), "y = a.x\na.x = 1\n");
    EXPECT_EQ(run.model->instances[InstanceIndex(1)].type, "a");
}

TEST(Structure, Errors) {
    expect_error("model m\n local x[2]\n x[3] = 1\nend", "index-out-of-range", "3:4",
                 {"index 3 of x", "1 to 2"});
    expect_error("model m\n parameter n=1.5\n local x[n]\n x=1\nend", "not-an-integer", "3:10",
                 {"1.5", "size of x"});
    expect_error("model m\n parameter n=-1\n local x[n]\nend", "negative-size", "3:10");
    expect_error("model m\n local x y\n if x > 1 then begin\n y = 1\n end\n x=1\nend", "choice-without-else",
                 "3:2", {"else"});
    expect_error("model m\n structure parameter n\n local x[n]\n x=1\nend", "missing-value", "");
    expect_error("model m\n parameter n=1e7\n local x[n]\n x=1\nend", "too-large", "3:8",
                 {"10000000", "5 million"});
    expect_error("model m\n local x\n for i:=1 to 1e8 do x = i\nend", "too-large", "3:2", {"100000000"});
    expect_error(
        "model type a\n submodel (b) x\nend\nmodel type b\n submodel (a) y\nend\nmodel m\n submodel (a) "
        "z\nend",
        "recursive-model", "", {"contains itself"});
    expect_error(
        "model type a\n structure parameter n=1\n if n > 0 then begin\n submodel (a) x(n=n+1)\n end\nend\n"
        "model m\n submodel (a) z\nend",
        "recursive-model", "", {"1000"});
    expect_error("model type s\n local x\n x=1\nend\nmodel m\n submodel (s) a[2]\n local y\n y = a.x\nend",
                 "index-missing", "", {"a vector of 2", "a[1]"});
    expect_error("model m\n local x\n for i:=1 to 2 do begin\n local z\n end\n x=1\nend", "defined-twice",
                 "4:8");
}

TEST(Structure, DeepSubmodels) {
    // Deep but not endless: every level is a model type of its own.
    std::string text = "model type t0\n local x\n x = 1\nend\n";
    for (int k = 1; k < 900; ++k)
        text += "model type t" + std::to_string(k) + "\n submodel (t" + std::to_string(k - 1) + ") s\nend\n";
    text += "model m\n submodel (t899) s\nend";
    const Flattened run(text);
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_EQ(run.model->instances.size(), 901u);
}
