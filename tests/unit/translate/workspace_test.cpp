#include "translate/workspace.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "translate/experiment_text.h"
#include "translate/translator.h"
#include "translate/used_classes.h"

namespace cutset {
namespace {

class WorkspaceTest : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  ("cutset-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::string file(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name) << text;
        return (folder_ / name).string();
    }
    std::filesystem::path folder_;
};

TEST_F(WorkspaceTest, TheExperimentLineIsReadFromTheHeadOfTheFileOnly) {
    Workspace w;
    w.text.load(
        file("a.dym",
             "{ A model.\n  experiment: --stop 5 --input \"u=1 + 2\" --plot x }\nmodel a\n  local x\n "
             " x = 1\nend\n"),
        {}, w.diagnostics);
    EXPECT_EQ(experiment_line(w.text),
              (std::vector<std::string>{"--stop", "5", "--input", "u=1 + 2", "--plot", "x"}));
    Workspace v;
    v.text.load(file("b.dym", "model b\n  local x\n  x = 1\nend\n-- experiment: --stop 5\n"), {},
                v.diagnostics);
    EXPECT_TRUE(experiment_line(v.text).empty());
}

TEST_F(WorkspaceTest, AFileThatCannotBeReadIsNamed) {
    Workspace w;
    EXPECT_FALSE(w.text.load((folder_ / "missing.dym").string(), {}, w.diagnostics));
    ASSERT_EQ(w.diagnostics.error_count(), 1u);
    EXPECT_NE(w.diagnostics.all()[0].message.find("missing.dym"), std::string::npos);
}

// Names of the classes that were read, in the order of search.
std::vector<std::string> classes_of(const Workspace& w) {
    std::vector<std::string> names;
    for (const auto& file : w.text.classes().files)
        for (const auto& c : file->classes) names.push_back(c->name);
    return names;
}

TEST_F(WorkspaceTest, ABrokenLibraryIsAWarningWhereItIsReferredTo) {
    file("broken.dym", "model type whole\n  local x\n  x = 1\nend\nmodel type broken\n  cut (\n");
    std::filesystem::create_directories(folder_ / "models");
    Workspace w;
    const ModelText::Options options{.libraries = {folder_.string()}};
    EXPECT_TRUE(
        w.text.load(file("models/a.dym", "model a\n  local x\n  x = sin(1)\nend\n"), options, w.diagnostics));
    EXPECT_TRUE(w.diagnostics.all().empty());
    Workspace v;
    EXPECT_TRUE(
        v.text.load(file("models/b.dym", "model b\n  submodel whole\nend\n"), options, v.diagnostics));
    ASSERT_EQ(v.diagnostics.all().size(), 1u);
    EXPECT_EQ(v.diagnostics.all()[0].severity, Severity::Warning);
    EXPECT_NE(v.diagnostics.all()[0].message.find("broken.dym"), std::string::npos);
}

TEST_F(WorkspaceTest, LibrariesAreReadAsFarAsTheyAreReferredTo) {
    file("a.dym", "model type part\n  local x\n  x = f(2)\nend\nmodel type twice\n  local a\n  a = 1\nend\n");
    file("b.dym", "function f(x) returns y\n  y := g(x)\nend\nmodel type twice\n  local b\n  b = 1\nend\n");
    file("c.dym",
         "{ part } function g(x) returns y\n  y := x\nend\nmodel type c_main\n  local x\n  x = 1\nend\n");
    file("d.dym", "model type lonely\n  local x\n  x = 1\nend\n");
    std::filesystem::create_directories(folder_ / "models");
    const auto load = [&](Workspace& w, const std::string& body) {
        return w.text.load(file("models/m.dym", "model m\n" + body + "end\n"),
                           {.libraries = {folder_.string()}}, w.diagnostics);
    };
    const auto collect = [](Workspace& w, const std::string& model, const Experiment& experiment) {
        if (!model.empty()) w.text.refer_to(model, w.diagnostics);
        return Translator(w).collect(model, experiment, w.diagnostics);
    };
    using Names = std::vector<std::string>;
    {
        Workspace w;  // through functions to further files
        EXPECT_TRUE(load(w, "  submodel part\n"));
        EXPECT_EQ(classes_of(w), (Names{"m", "part", "twice", "twice", "c_main"}));
        EXPECT_TRUE(collect(w, "", {}));
        std::string problem;
        EXPECT_EQ(w.text.looked().files.size(),
                  5u + library_files(standard_library_directory(), problem).size());
    }
    {
        Workspace w;  // a file by its name
        EXPECT_TRUE(load(w, "  submodel c\n"));
        EXPECT_EQ(classes_of(w), (Names{"m", "c_main"}));
        EXPECT_TRUE(collect(w, "", {}));
    }
    {
        Workspace w;  // in the order of the files, whichever was read first
        EXPECT_TRUE(load(w, "  local x\n  x = f(1)\n"));
        w.text.refer_to("twice", w.diagnostics);
        EXPECT_EQ(classes_of(w), (Names{"m", "part", "twice", "twice", "c_main"}));
        const auto flat = collect(w, "twice", {});
        ASSERT_TRUE(flat);
        EXPECT_EQ(flat->path(VariableIndex(0)), "a");
    }
    {
        Workspace w;  // expressions from outside and models that are named
        EXPECT_TRUE(load(w, "  parameter p = 1\n  local x\n  x = p\n"));
        EXPECT_EQ(classes_of(w), Names{"m"});
        const auto setting = parse_setting(w.text, "--set", "p=f(3)", w.diagnostics);
        ASSERT_TRUE(setting);
        EXPECT_EQ(classes_of(w), (Names{"m", "twice", "c_main"}));
        Experiment experiment;
        experiment.parameters.push_back(*setting);
        EXPECT_TRUE(collect(w, "", experiment));
        EXPECT_TRUE(collect(w, "lonely", {}));
    }
    {
        Workspace w;  // a name that is nowhere: all, for the sake of the message
        EXPECT_TRUE(load(w, "  submodel lonley\n"));
        EXPECT_FALSE(collect(w, "", {}));
        ASSERT_EQ(w.diagnostics.error_count(), 1u);
        EXPECT_NE(render(w.diagnostics.all()[0], w.text.sources()).find("lonely"), std::string::npos);
    }
}

TEST_F(WorkspaceTest, UsedClassesFollowTypesAndFunctions) {
    file("lib.dym",
         "function g(x) returns y\n  y := 2*x\nend\n"
         "function f(x) returns y\n  y := g(x)\nend\n"
         "function h(x) returns y\n  y := x\nend\n"
         "model type used\n  local x\n  x = f(1)\nend\n"
         "model type unused\n  local x\n  x = h(1)\nend\n");
    Workspace w;
    ASSERT_TRUE(w.text.load(file("a.dym", "library \"lib.dym\"\nmodel a\n  submodel (used) u\nend\n"), {},
                            w.diagnostics));
    const ClassTree used = used_classes(w.text.classes());
    ASSERT_EQ(used.files.size(), 2u);
    ASSERT_EQ(used.files[1]->classes.size(), 1u);
    EXPECT_EQ(used.files[1]->classes[0]->name, "used");
    ASSERT_EQ(used.files[1]->functions.size(), 2u);
}

// The derivative of a temperature that many parts refer to is no quantity that several equations share.
TEST_F(WorkspaceTest, TheMatrixOfARodHasItsStatesOnly) {
    Workspace w;
    ASSERT_TRUE(w.text.load(
        file("rod.dym",
             "library \"" CUTSET_ROOT "/libraries/thermal.dym\"\nmodel rod\n  structure parameter n=50\n"
             "  submodel (HeatConductor) g[n](G=n)\n  submodel (HeatCapacity) c[n](C=1/n, T0=1)\n"
             "  submodel (Temperature) wall\n  wall to g[1]\n"
             "  for i:=1 to n-1 do g[i]:b at g[i+1]:a\n  for i:=1 to n do g[i]:b at c[i]\n"
             "  wall.Tset = sin(time)\nend\n"),
        {}, w.diagnostics));
    TranslationQuestion question;
    question.jacobian = JacobianKind::States;
    const auto translation = Translator(w).translate(question, w.diagnostics);
    ASSERT_TRUE(translation && translation->program->jacobian);
    EXPECT_EQ(translation->program->jacobian->columns, 50u);
}

}  // namespace
}  // namespace cutset
