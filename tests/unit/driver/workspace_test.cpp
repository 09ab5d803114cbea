#include "driver/workspace.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "driver/used_classes.h"

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

TEST_F(WorkspaceTest, ABrokenLibraryIsAWarningOnly) {
    file("broken.dym", "model type broken\n  cut (\n");
    Workspace w;
    w.library_directories = {folder_.string()};
    std::filesystem::create_directories(folder_ / "models");
    EXPECT_TRUE(w.load(file("models/a.dym", "model a\n  local x\n  x = 1\nend\n")));
    ASSERT_FALSE(w.diagnostics.all().empty());
    EXPECT_EQ(w.diagnostics.all()[0].severity, Severity::Warning);
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

}  // namespace
}  // namespace cutset
