#include "support.h"

using namespace cutset;
using namespace cutset::test;

namespace {

const char* tanks = R"(
model type Tank
  parameter Area
  constant g=9.81
  local h
  input qin
  h(0) = 1
  Area*h' = qin
end
model m
  structure parameter n=2
  parameter k=3
  parameter v[2] = (1, 2)
  submodel (Tank) Tank1(Area=k) s[n](Area=index)
  input u
  discrete d=4
  Tank1.qin = u
  for i:=1 to n do s[i].qin = d
end
)";

}  // namespace

TEST(Experiment, Set) {
    const Flattened run(tanks, {.set = {"Tank1.Area=2*k", "s[2].Area=9", "n=3", "v[2]=7"}, .input = {"u=1"}});
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_EQ(run.value("Tank1.Area"), 6);
    EXPECT_EQ(run.binding("Tank1.Area"), "2*k");
    EXPECT_EQ(run.value("s[2].Area"), 9);
    EXPECT_EQ(run.value("s[3].Area"), 3);
    EXPECT_EQ(run.value("v[2]"), 7);
    EXPECT_EQ(run.value("v[1]"), 1);
    const Flattened all(tanks, {.set = {"s.Area=5"}, .input = {"u=1"}});
    EXPECT_EQ(all.value("s[1].Area"), 5);
    EXPECT_EQ(all.value("s[2].Area"), 5);
}

TEST(Experiment, SetErrors) {
    expect_error(tanks, "unknown-path", "", {"--set Tank1.area", "`Area`", "case"},
                 {.set = {"Tank1.area=1"}, .input = {"u=1"}});
    expect_error(tanks, "unknown-path", "", {"--set Tnk1.Area", "`Tank1`"},
                 {.set = {"Tnk1.Area=1"}, .input = {"u=1"}});
    expect_error(tanks, "unknown-path", "", {"a vector of 2"}, {.set = {"s[3].Area=1"}, .input = {"u=1"}});
    expect_error(tanks, "set-not-parameter", "", {"a constant"}, {.set = {"Tank1.g=1"}, .input = {"u=1"}});
    expect_error(tanks, "set-not-parameter", "", {"a variable", "--init"},
                 {.set = {"Tank1.h=1"}, .input = {"u=1"}});
    expect_error(tanks, "set-not-parameter", "", {"an input", "--input"}, {.set = {"u=1"}, .input = {"u=1"}});
}

TEST(Experiment, Init) {
    const Flattened run(tanks, {.init = {"Tank1.h=k/2", "d=9"}, .input = {"u=1"}});
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_EQ(run.start("Tank1.h"), "0.5*k");
    EXPECT_TRUE(run.variable("Tank1.h").start->from_user);
    EXPECT_EQ(run.start("s[1].h"), "1");
    EXPECT_EQ(run.binding("d"), "9");
    expect_error(tanks, "init-of-parameter", "", {"--set k"}, {.init = {"k=1"}, .input = {"u=1"}});
    expect_error(tanks, "unknown-path", "", {"--init x"}, {.init = {"x=1"}, .input = {"u=1"}});
}

TEST(Experiment, Inputs) {
    const Flattened run(tanks, {.input = {"u=sin(k*time)"}});
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_NE(run.equations().find("u = sin(k*time)\n"), std::string::npos);
    expect_error(tanks, "input-not-given", "", {"the input u is given no value", "--input \"u="});
    expect_error("model m\n input u w\n local x\n x = u + w\nend", "input-not-given", "2:8",
                 {"2 inputs", "u", "w"});
    expect_error(tanks, "not-an-input", "", {"a parameter", "--set"}, {.input = {"u=1", "k=2"}});
    expect_error(tanks, "input-given-twice", "", {}, {.input = {"u=1", "u=2"}});
    expect_error(tanks, "input-given-twice", "", {"Tank1.qin"}, {.input = {"u=1", "Tank1.qin=2"}});
}

TEST(Experiment, InputsOfSubmodels) {
    const std::string text =
        "model type t\n input V\n local x\n x = V\nend\nmodel m\n submodel (t) E F\n F.V = 1\nend";
    expect_error(text, "input-not-given", "7:15", {"in submodel E", "E.V", "declared here"});
    EXPECT_EQ(Flattened(text, {.input = {"E.V=10"}}).equations(),
              "F.V = 1\nE.x = E.V\nF.x = F.V\nE.V = 10\n");
}

TEST(Experiment, DefaultsOfInputs) {
    EXPECT_EQ(Flattened("model m\n input u\n default u=5\n local x\n x = u\nend").equations(),
              "x = u\nu = 5\n");
    EXPECT_EQ(
        Flattened("model m\n input u\n default u=5\n local x\n x = u\nend", {.input = {"u=7"}}).equations(),
        "x = u\nu = 7\n");
}

TEST(Experiment, InputFiles) {
    Sources sources;
    Diagnostics diagnostics;
    ClassTree classes;
    const SourceId id = sources.add("test.dym", "model m\n input u\n local x\n x = u\nend");
    classes.files.push_back(dymola::parse_file(sources, id, diagnostics));
    Experiment experiment;
    TableData table;
    table.x = {0, 1};
    table.values = {5, 6};
    experiment.input_files.push_back({"u", table});
    const auto model = instantiate(classes, "", experiment, sources, diagnostics);
    ASSERT_TRUE(model);
    EXPECT_EQ(model->text(model->equations[EquationIndex(1)]), "u = u(time)");
    EXPECT_EQ(model->equations[EquationIndex(1)].kind, EquationKind::Input);
}
