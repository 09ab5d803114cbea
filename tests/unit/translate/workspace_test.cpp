#include "translate/workspace.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

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
    w.load(file("a.dym",
                "{ A model.\n  experiment: --stop 5 --input \"u=1 + 2\" --plot x }\nmodel a\n  local x\n  x "
                "= 1\nend\n"));
    EXPECT_EQ(w.experiment_line(),
              (std::vector<std::string>{"--stop", "5", "--input", "u=1 + 2", "--plot", "x"}));
    Workspace v;
    v.load(file("b.dym", "model b\n  local x\n  x = 1\nend\n-- experiment: --stop 5\n"));
    EXPECT_TRUE(v.experiment_line().empty());
}

TEST_F(WorkspaceTest, AFileThatCannotBeReadIsNamed) {
    Workspace w;
    EXPECT_FALSE(w.load((folder_ / "missing.dym").string()));
    ASSERT_EQ(w.diagnostics.error_count(), 1u);
    EXPECT_NE(w.diagnostics.all()[0].message.find("missing.dym"), std::string::npos);
}

// Names of the classes that were read, in the order of search.
std::vector<std::string> classes_of(const Workspace& w) {
    std::vector<std::string> names;
    for (const auto& file : w.classes.files)
        for (const auto& c : file->classes) names.push_back(c->name);
    return names;
}

TEST_F(WorkspaceTest, ABrokenLibraryIsAWarningWhereItIsReferredTo) {
    file("broken.dym", "model type whole\n  local x\n  x = 1\nend\nmodel type broken\n  cut (\n");
    std::filesystem::create_directories(folder_ / "models");
    Workspace w;
    w.library_directories = {folder_.string()};
    EXPECT_TRUE(w.load(file("models/a.dym", "model a\n  local x\n  x = sin(1)\nend\n")));
    EXPECT_TRUE(w.diagnostics.all().empty());
    Workspace v;
    v.library_directories = {folder_.string()};
    EXPECT_TRUE(v.load(file("models/b.dym", "model b\n  submodel whole\nend\n")));
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
        w.library_directories = {folder_.string()};
        return w.load(file("models/m.dym", "model m\n" + body + "end\n"));
    };
    using Names = std::vector<std::string>;
    {
        Workspace w;  // through functions to further files
        EXPECT_TRUE(load(w, "  submodel part\n"));
        EXPECT_EQ(classes_of(w), (Names{"m", "part", "twice", "twice", "c_main"}));
        EXPECT_TRUE(w.collect("", {}));
        std::string problem;
        EXPECT_EQ(w.looked.files.size(), 5u + library_files(standard_library_directory(), problem).size());
    }
    {
        Workspace w;  // a file by its name
        EXPECT_TRUE(load(w, "  submodel c\n"));
        EXPECT_EQ(classes_of(w), (Names{"m", "c_main"}));
        EXPECT_TRUE(w.collect("", {}));
    }
    {
        Workspace w;  // in the order of the files, whichever was read first
        EXPECT_TRUE(load(w, "  local x\n  x = f(1)\n"));
        w.refer_to("twice");
        EXPECT_EQ(classes_of(w), (Names{"m", "part", "twice", "twice", "c_main"}));
        const auto flat = w.collect("twice", {});
        ASSERT_TRUE(flat);
        EXPECT_EQ(flat->path(VariableIndex(0)), "a");
    }
    {
        Workspace w;  // expressions from outside and models that are named
        EXPECT_TRUE(load(w, "  parameter p = 1\n  local x\n  x = p\n"));
        EXPECT_EQ(classes_of(w), Names{"m"});
        const auto setting = w.parse_setting("--set", "p=f(3)");
        ASSERT_TRUE(setting);
        EXPECT_EQ(classes_of(w), (Names{"m", "twice", "c_main"}));
        Experiment experiment;
        experiment.parameters.push_back(*setting);
        EXPECT_TRUE(w.collect("", experiment));
        EXPECT_TRUE(w.collect("lonely", {}));
    }
    {
        Workspace w;  // a name that is nowhere: all, for the sake of the message
        EXPECT_TRUE(load(w, "  submodel lonley\n"));
        EXPECT_FALSE(w.collect("", {}));
        ASSERT_EQ(w.diagnostics.error_count(), 1u);
        EXPECT_NE(render(w.diagnostics.all()[0], w.sources).find("lonely"), std::string::npos);
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
    ASSERT_TRUE(w.load(file("a.dym", "library \"lib.dym\"\nmodel a\n  submodel (used) u\nend\n")));
    const ClassTree used = used_classes(w.classes);
    ASSERT_EQ(used.files.size(), 2u);
    ASSERT_EQ(used.files[1]->classes.size(), 1u);
    EXPECT_EQ(used.files[1]->classes[0]->name, "used");
    ASSERT_EQ(used.files[1]->functions.size(), 2u);
}

// The derivative of a temperature that many parts refer to is no quantity that several equations share.
TEST_F(WorkspaceTest, TheMatrixOfARodHasItsStatesOnly) {
    Workspace w;
    ASSERT_TRUE(w.load(
        file("rod.dym",
             "library \"" CUTSET_ROOT "/libraries/thermal.dym\"\nmodel rod\n  structure parameter n=50\n"
             "  submodel (HeatConductor) g[n](G=n)\n  submodel (HeatCapacity) c[n](C=1/n, T0=1)\n"
             "  submodel (Temperature) wall\n  wall to g[1]\n"
             "  for i:=1 to n-1 do g[i]:b at g[i+1]:a\n  for i:=1 to n do g[i]:b at c[i]\n"
             "  wall.Tset = sin(time)\nend\n")));
    const auto program = w.program("", {}, {}, JacobianKind::States);
    ASSERT_TRUE(program && program->jacobian);
    EXPECT_EQ(program->jacobian->columns, 50u);
}

}  // namespace
}  // namespace cutset
