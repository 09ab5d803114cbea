// Whole programs as text: which parts of the run-time systems they have.
#include <gtest/gtest.h>

#include "../generate/sample_model.h"
#include "export/emitters.h"
#include "export/runtime_text.h"

namespace cutset {
namespace {

struct Decay : SampleModel {
    VariableIndex k = parameter("k", 1), x = state("x");
    Decay() { assign(x, mul(n(-1), mul(at(k), at(x))), 1); }
};

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

TEST(RuntimeText, IncludesOfOtherPartsAreLeftOut) {
    for (const char* part : {c_runtime::values, c_runtime::events, c_runtime::program}) {
        EXPECT_FALSE(has(part, "#include")) << part;
        EXPECT_NE(std::string_view(part).front(), '\n');
        EXPECT_EQ(std::string_view(part).back(), '\n');
    }
}

TEST(Emit, CHasThePartsThatTheModelNeeds) {
    Decay s;
    Diagnostics diagnostics;
    const auto text = emit_c(s.p, {}, diagnostics);
    ASSERT_TRUE(text);
    EXPECT_TRUE(has(*text, "m.der_x = -m.k*m.x;") || has(*text, "m.der_x = -(m.k*m.x);")) << *text;
    EXPECT_TRUE(has(*text, c_runtime::no_delays));
    EXPECT_TRUE(has(*text, c_runtime::no_state_selection));
    EXPECT_TRUE(has(*text, c_runtime::rodas));
    EXPECT_FALSE(has(*text, c_runtime::algebraic_loops));
    EXPECT_FALSE(has(*text, c_runtime::tables));
    EXPECT_FALSE(has(*text, "example_"));
}

TEST(Emit, FortranHasThePartsThatTheModelNeeds) {
    Decay s;
    Diagnostics diagnostics;
    const auto text = emit_fortran(s.p, {}, diagnostics);
    ASSERT_TRUE(text);
    EXPECT_TRUE(has(*text, "v(der_x) = "));
    EXPECT_TRUE(has(*text, fortran_runtime::no_delays));
    EXPECT_TRUE(has(*text, fortran_runtime::no_state_selection));
    EXPECT_TRUE(has(*text, fortran_runtime::rodas));
    EXPECT_FALSE(has(*text, fortran_runtime::delay_lines));
    EXPECT_FALSE(has(*text, fortran_runtime::tables));
}

TEST(Emit, EqualityOfContinuousQuantitiesIsRefused) {
    Decay s;
    Switch sw;
    sw.node = s.pool.equal(s.at(s.x), s.n(0.5));
    sw.crossing = s.sub(s.at(s.x), s.n(0.5));
    s.p.switches.push_back(sw);
    Diagnostics diagnostics;
    EXPECT_FALSE(emit_c(s.p, {}, diagnostics));
    ASSERT_EQ(diagnostics.error_count(), 1u);
    EXPECT_TRUE(has(diagnostics.all()[0].message, "cannot be located by the C program"));
}

TEST(Emit, SimnonIsTheEquations) {
    Decay s;
    s.m.variables[s.x].start.emplace().value = s.n(1);
    Diagnostics diagnostics;
    ExportOptions options;
    options.source = "decay.dym";
    const auto text = emit_simnon(s.p, options, diagnostics);
    ASSERT_TRUE(text);
    EXPECT_TRUE(has(*text, "made by Cutset from decay.dym"));
    EXPECT_TRUE(has(*text, "CONTINUOUS SYSTEM")) << *text;
    EXPECT_TRUE(has(*text, "STATE x")) << *text;
}

TEST(Emit, LatexIsADocument) {
    Decay s;
    Diagnostics diagnostics;
    const auto text = emit_latex(s.p, {}, diagnostics);
    ASSERT_TRUE(text);
    EXPECT_TRUE(has(*text, "\\documentclass"));
    EXPECT_TRUE(has(*text, "\\end{document}"));
}

}  // namespace
}  // namespace cutset
