// Programs that are kept on disk: they run as those that were translated, and serve only what they were made
// for.
#include "driver/translation_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "ir/archive.h"

namespace cutset {
namespace {

namespace fs = std::filesystem;

class KeptRows : public RowSink {
  public:
    std::optional<std::string> begin(const Columns& columns) override {
        for (const Column& c : columns) names.push_back(c.name);
        return std::nullopt;
    }
    std::optional<std::string> row(std::span<const double> row) override {
        values.insert(values.end(), row.begin(), row.end());
        return std::nullopt;
    }
    std::vector<std::string> names;
    std::vector<double> values;
};

KeptRows run(const Program& program) {
    SimulateOptions options;
    options.stop = 0.3;
    options.points = 7;
    KeptRows rows;
    Diagnostics diagnostics;
    simulate(program, options, rows, diagnostics);
    return rows;
}

TEST(Archive, examples_run_the_same) {
    std::size_t tried = 0;
    for (const auto& entry : fs::directory_iterator(fs::path(CUTSET_ROOT) / "examples")) {
        if (entry.path().extension() != ".dym") continue;
        Workspace workspace;
        if (!workspace.load(entry.path().string())) continue;
        const auto program = workspace.program("", {}, {}, JacobianKind::States);
        if (!program) continue;
        ++tried;
        const auto bytes = archive(*program, workspace.diagnostics.all());
        ASSERT_TRUE(bytes) << entry.path();
        const auto again = unarchive(*bytes);
        ASSERT_TRUE(again) << entry.path();
        EXPECT_EQ(again->messages.size(), workspace.diagnostics.all().size());
        EXPECT_EQ(print(*again->program.partition), print(*program->partition)) << entry.path();
        const KeptRows one = run(*program), two = run(again->program);
        EXPECT_EQ(one.names, two.names) << entry.path();
        const bool equal =
            std::equal(one.values.begin(), one.values.end(), two.values.begin(), two.values.end(),
                       [](double a, double b) { return a == b || (a != a && b != b); });
        EXPECT_TRUE(equal) << entry.path();
    }
    EXPECT_GT(tried, 20u);
}

Workspace loaded(const std::string& text) {
    const fs::path file = fs::temp_directory_path() / "cutset-archive-test.dym";
    std::ofstream(file) << text;
    Workspace workspace;
    EXPECT_TRUE(workspace.load(file.string()));
    fs::remove(file);
    return workspace;
}

TEST(Archive, numbers_keep_their_bits) {
    Workspace workspace = loaded(
        "model m\n  parameter a=0.1 b=-1.7976931348623157e308 c=5e-324 d=2 e=-3 f=1e-7 g=123456789.123\n"
        "  local x y\n  der(x) = 0.30000000000000004*a + b*0 + c + d*e*f + 4503599627370497*y\n"
        "  y = 1/3*g - 65536\n  x(0) = -1e300\nend\n");
    const auto program = workspace.program("", {});
    ASSERT_TRUE(program);
    const auto again = unarchive(*archive(*program, {}));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->program.constants, program->constants);
    const FlatModel &one = program->partition->model, &two = again->program.partition->model;
    for (VariableIndex v(0); v < one.variables.end_index(); ++v.value)
        EXPECT_EQ(one.variables[v].value, two.variables[v].value) << one.path(v);
    EXPECT_EQ(run(*program).values, run(again->program).values);
}

// A model of a million equations must find its place in the cache.
TEST(Archive, takes_a_few_bytes_for_each_equation) {
    Workspace workspace = loaded(
        "library \"" CUTSET_ROOT
        "/libraries/electrical.dym\"\nmodel type Cell\n  cut p n\n  main path (p - n)\n  parameter R C\n"
        "  submodel (Resistor) r(R=R)\n  submodel (Capacitor) c(C=C)\n  submodel Ground\n  p to r to n\n"
        "  n to c to Ground\nend\nmodel ladder\n  structure parameter n=1000\n  submodel (VoltageSource) "
        "source\n"
        "  submodel Ground\n  submodel (Cell) cell[n](R=1/index, C=1/index**2)\n"
        "  Ground to source..(n - p) to cell[1]\n  for i:=1 to n-1 do cell[i] to cell[i+1]\n"
        "  source.V = sin(time)\nend\n");
    const auto program = workspace.program("", {}, {}, JacobianKind::States);
    ASSERT_TRUE(program);
    const auto bytes = archive(*program, {});
    ASSERT_TRUE(bytes);
    EXPECT_LT(bytes->size(), 150 * program->partition->model.equations.size());
}

TEST(Archive, damaged_bytes_give_nothing) {
    Workspace workspace;
    ASSERT_TRUE(workspace.load(std::string(CUTSET_ROOT) + "/examples/tanks.dym"));
    const auto program = workspace.program("", {});
    ASSERT_TRUE(program);
    const std::string bytes = *archive(*program, {});
    for (std::size_t at = 0; at < bytes.size(); at += 97) {
        std::string damaged = bytes;
        damaged[at] = char(damaged[at] ^ 0x10);
        EXPECT_FALSE(unarchive(damaged)) << at;
    }
    EXPECT_FALSE(unarchive(bytes.substr(0, bytes.size() / 2)));
    EXPECT_FALSE(unarchive(""));
}

class Kept : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / "cutset-cache-test";
        fs::remove_all(folder_);
        fs::create_directories(folder_);
        write("model m\n  parameter a=2\n  local x\n  der(x) = -a*x\n  x(0) = 1\nend\n");
    }
    void TearDown() override { fs::remove_all(folder_); }
    void write(const std::string& text) { std::ofstream(file()) << text; }
    std::string file() const { return (folder_ / "m.dym").string(); }
    bool stored_then_found(const std::string& asked_first, const std::string& asked_then) {
        Workspace workspace;
        EXPECT_TRUE(workspace.load(file()));
        const auto program = workspace.program("", {});
        cache_.store(asked_first, workspace, workspace.diagnostics, *program);
        Workspace other;
        return cache_.find(asked_then, other).has_value();
    }
    fs::path folder_;
    TranslationCache cache_{(fs::temp_directory_path() / "cutset-cache-test" / "cache").string(), 0};
};

TEST_F(Kept, serves_the_same_question) {
    EXPECT_TRUE(stored_then_found("q", "q"));
    EXPECT_FALSE(stored_then_found("q", "another"));
}

TEST_F(Kept, not_when_the_text_changed) {
    ASSERT_TRUE(stored_then_found("q", "q"));
    write("model m\n  parameter a=3\n  local x\n  der(x) = -a*x\n  x(0) = 1\nend\n");
    Workspace other;
    EXPECT_FALSE(cache_.find("q", other));
}

TEST_F(Kept, not_when_a_library_directory_changed) {
    fs::create_directories(folder_ / "library");
    Workspace workspace;
    workspace.library_directories = {(folder_ / "library").string()};
    ASSERT_TRUE(workspace.load(file()));
    cache_.store("q", workspace, workspace.diagnostics, *workspace.program("", {}));
    Workspace same;
    EXPECT_TRUE(cache_.find("q", same));
    std::ofstream(folder_ / "library" / "new.dym") << "model type T\nend\n";
    Workspace other;
    EXPECT_FALSE(cache_.find("q", other));
}

TEST_F(Kept, not_with_tables_from_files) {
    std::ofstream(folder_ / "t.csv") << "x,f\n0,0\n1,2\n";
    write("model m\n  table f(x) \"t.csv\"\n  local y\n  der(y) = f(y)\nend\n");
    Workspace workspace;
    ASSERT_TRUE(workspace.load(file()));
    const auto program = workspace.program("", {});
    ASSERT_TRUE(program) << (workspace.diagnostics.all().empty() ? ""
                                                                 : workspace.diagnostics.all()[0].message);
    EXPECT_TRUE(program->partition->model.reads_files);
    cache_.store("q", workspace, workspace.diagnostics, *program);
    Workspace other;
    EXPECT_FALSE(cache_.find("q", other));
}

}  // namespace
}  // namespace cutset
