#include "results/linear_file.h"

#include <gtest/gtest.h>

#include "base/mat_matrices.h"
#include "temporary_directory.h"

namespace cutset {
namespace {

std::string code_of(const std::string& text) {
    Sources sources;
    Diagnostics diagnostics;
    read_linear_json("a.json", text, sources, diagnostics);
    return diagnostics.all().empty() ? "" : diagnostics.all().front().code;
}

StateSpace read(const std::string& text) {
    Sources sources;
    Diagnostics diagnostics;
    const auto s = read_linear_json("a.json", text, sources, diagnostics);
    return s ? std::get<StateSpace>(*s) : StateSpace();
}

TEST(LinearFile, MatricesWithAndWithoutNames) {
    const StateSpace s = read(
        R"({"A": [[0,1],[-2,-3]], "B": [[0],[1]], "C": [[1,0]], "states": ["h","v"], "sample_time": 0.1})");
    EXPECT_EQ(s.states, (std::vector<std::string>{"h", "v"}));
    EXPECT_EQ(s.inputs, (std::vector<std::string>{"u"}));
    EXPECT_EQ(s.D.rows(), 1);
    EXPECT_EQ(s.sample_time, 0.1);
    EXPECT_EQ(read(R"({"A": [[1]]})").outputs.size(), 1u);
}

TEST(LinearFile, DescriptorForm) {
    // x' = -x + z, 0 = z - 2 u, y = x + z
    const StateSpace s = read(R"({"A": [[-1,1],[0,1]], "B": [[0],[-2]], "C": [[1,1]], "E": [[1,0],[0,0]]})");
    ASSERT_EQ(s.order(), 1);
    EXPECT_DOUBLE_EQ(s.B(0, 0), 2);
    EXPECT_DOUBLE_EQ(s.D(0, 0), 2);
    const StateSpace turned =
        read(R"({"A": [[-1,1],[-1,-1]], "B": [[1],[1]], "C": [[1,0]], "E": [[1,1],[1,1]]})");
    EXPECT_EQ(turned.order(), 1);
    EXPECT_EQ(code_of(R"({"A": [[-1,1],[1,0]], "B": [[0],[1]], "C": [[1,0]], "E": [[1,0],[0,0]]})"),
              "descriptor-not-proper");
}

TEST(LinearFile, Mistakes) {
    EXPECT_EQ(code_of("{"), "linear-file-json");
    EXPECT_EQ(code_of("[1]"), "linear-file");
    EXPECT_EQ(code_of("{}"), "linear-file");
    EXPECT_EQ(code_of(R"({"A": [[1,2]]})"), "linear-file");
    EXPECT_EQ(code_of(R"({"A": [[1,2],[3]]})"), "linear-file");
    EXPECT_EQ(code_of(R"({"A": [[1]], "B": [[1],[2]]})"), "linear-file");
    EXPECT_EQ(code_of(R"({"A": [[1]], "inputs": ["a","b"], "B": [[1]]})"), "linear-file");
    EXPECT_EQ(code_of(R"({"num": [1]})"), "linear-file");
    EXPECT_EQ(code_of(R"({"num": [1], "den": [0]})"), "transfer-zero-denominator");
    EXPECT_EQ(code_of(R"({"num": "x", "den": [1]})"), "linear-file");
    EXPECT_EQ(code_of(R"({"tf": "1/(s"})"), "transfer-bracket");
    EXPECT_EQ(code_of(R"({"A": [[1]], "sample_time": "x"})"), "linear-file");
}

TEST(LinearFile, RoundTrips) {
    TemporaryDirectory directory;
    StateSpace s = read(
        R"({"A": [[0,1],[-2,-0.1]], "B": [[0],[1]], "C": [[1,0],[0,1]], "states": ["h","velocity"], "sample_time": 0.5})");
    for (const char* name : {"a.json", "a.mat", "a.mim"}) {
        const std::string path = directory.file(name);
        ASSERT_FALSE(write_linear_file(s, path));
        Sources sources;
        Diagnostics diagnostics;
        const auto back = read_linear_file(path, sources, diagnostics);
        ASSERT_TRUE(back) << name;
        const StateSpace& t = std::get<StateSpace>(*back);
        EXPECT_EQ(t.A, s.A) << name;
        EXPECT_EQ(t.C, s.C) << name;
        if (name == std::string("a.mim")) continue;
        EXPECT_EQ(t.states, s.states) << name;
        EXPECT_EQ(t.sample_time, s.sample_time) << name;
    }
    EXPECT_TRUE(write_linear_file(s, directory.file("a.txt")));
}

TEST(LinearFile, TransferMatrices) {
    Sources sources;
    Diagnostics diagnostics;
    const auto s =
        read_linear_json("a.json", R"({"num": [[[1],[2,3]],[[0],[1]]], "den": [[[1,1],[1,2]],[[1],[1,0]]]})",
                         sources, diagnostics);
    ASSERT_TRUE(s);
    const auto& g = std::get<ExactTransferMatrix>(*s);
    EXPECT_EQ(g.rows(), 2u);
    EXPECT_EQ(to_text(g.elements[0][1], "s", {}), "(2*s + 3)/(s + 2)");
}

}  // namespace
}  // namespace cutset
