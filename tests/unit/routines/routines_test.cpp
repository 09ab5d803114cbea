// Random generators against whole-number arithmetic of any length, transforms against the sum that defines
// them, LAPACK against systems whose solutions are known.
#include "routines/routines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "routines/numeric_routines.h"

namespace cutset {
namespace {

std::vector<double> run(const std::string& text, const std::vector<double>& inputs) {
    const auto call = routine_call_of(text);
    EXPECT_TRUE(call.has_value()) << text;
    std::vector<double> outputs;
    std::string problem;
    EXPECT_TRUE(call && run_routine(*call, inputs, outputs, problem)) << problem;
    return outputs;
}

TEST(Routines, StateOf64Bits) {
    const std::string call = "c ModelicaRandom_xorshift64star i[2] i[2]=0! r=0!";
    const std::vector<std::vector<double>> expected = {{-694415943, 258662467, 0.5602245488758941},
                                                       {-1896660471, 522593730, 0.621675834655389},
                                                       {-99418680, -1366667926, 0.18179782735576205}};
    std::vector<double> state = {123456789, -987654321};
    for (const auto& step : expected) {
        const std::vector<double> found = run(call, state);
        EXPECT_EQ(found, step);
        state = {found[0], found[1]};
    }
}

TEST(Routines, StateOf128Bits) {
    const std::string call = "c ModelicaRandom_xorshift128plus i[4] i[4]=0! r=0!";
    std::vector<double> found = run(call, {1, 2, -3, 4});
    EXPECT_EQ(found, (std::vector<double>{-3, 4, -8454528, 16777355, 0.5039062825958318}));
    found.pop_back();
    found = run(call, found);
    found.pop_back();
    EXPECT_EQ(run(call, found).back(), 0.7695371016156839);
}

TEST(Routines, StateOf1024Bits) {
    std::vector<double> state;
    for (std::int64_t i = 0; i < 32; ++i)
        state.push_back(static_cast<double>(i * i * 1234567 % 2147483648 * (i % 2 ? -1 : 1)));
    state.push_back(5);
    double last = 0;
    for (int k = 0; k < 20; ++k) {
        state = run("c ModelicaRandom_xorshift1024star i[33] i[33]=0! r=0!", state);
        last = state.back();
        state.pop_back();
    }
    EXPECT_EQ(state[0], 1102707832);
    EXPECT_EQ(state[3], -1367179533);
    EXPECT_EQ(state[32], 9);
    EXPECT_EQ(last, 0.061801411899939984);
}

TEST(Routines, FourierTransformIsItsSum) {
    for (const std::size_t n : {2u, 8u, 30u, 64u, 98u, 250u}) {
        std::vector<double> u;
        for (std::size_t k = 0; k < n; ++k) u.push_back(std::sin(0.3 * static_cast<double>(k * k)) + 0.2);
        std::vector<double> amplitudes, phases;
        real_fourier_transform(u, amplitudes, phases);
        ASSERT_EQ(amplitudes.size(), n / 2 + 1);
        for (std::size_t k = 0; k <= n / 2; ++k) {
            std::complex<double> sum;
            for (std::size_t j = 0; j < n; ++j)
                sum += std::polar(
                    u[j], -2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n));
            EXPECT_NEAR(amplitudes[k], std::abs(sum), 1e-11 * static_cast<double>(n));
            if (std::abs(sum) > 1e-3)
                EXPECT_NEAR(std::abs(std::polar(1.0, phases[k]) - sum / std::abs(sum)), 0, 1e-8);
        }
    }
}

// {{1, 2}, {3, 5}} x = {8, 21}: x = {2, 3}; by rows as the languages have them.
TEST(Routines, LinearSystem) {
    const auto x = run("fortran dgesv i=2 i=1 r[2,2] i=2 i[2]=0 r[2]! i=2 i=0!", {1, 2, 3, 5, 8, 21});
    ASSERT_EQ(x.size(), 3u);
    EXPECT_NEAR(x[0], 2, 1e-14);
    EXPECT_NEAR(x[1], 3, 1e-14);
    EXPECT_EQ(x[2], 0);
    EXPECT_EQ(run("fortran dgesv i=2 i=1 r[2,2] i=2 i[2]=0 r[2]! i=2 i=0!", {1, 2, 2, 4, 1, 1}).back(), 2);
}

// (s + 1)(s + 2)(s + 4)
TEST(Routines, Eigenvalues) {
    const std::vector<double> found =
        run("fortran dgeev \"N\" \"V\" i=3 r[3,3] i=3 r[3]=0! r[3]=0! r[1,1]=0 i=1 r[3,3]=0! i=3 r[36]=0 "
            "i=36 i=0!",
            {0, 1, 0, 0, 0, 1, -8, -14, -7});
    std::vector<double> real(found.begin(), found.begin() + 3);
    std::sort(real.begin(), real.end());
    EXPECT_NEAR(real[0], -4, 1e-12);
    EXPECT_NEAR(real[1], -2, 1e-12);
    EXPECT_NEAR(real[2], -1, 1e-12);
    // A column of the vectors is (1, s, s²).
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[9 + k] / found[6 + k], found[k], 1e-12);
    EXPECT_EQ(found.back(), 0);
}

// A call whose sizes are wrong neither writes beyond its arrays nor ends the program.
TEST(Routines, WrongSizes) {
    const auto call = routine_call_of("fortran dgesv i i=1 r[2,2] i=2 i[2]=0 r[2]! i=2 i=0!");
    ASSERT_TRUE(call);
    std::vector<double> outputs;
    std::string problem;
    EXPECT_FALSE(run_routine(*call, std::vector<double>{50, 1, 2, 3, 5, 8, 21}, outputs, problem));
    EXPECT_NE(problem.find("refuses"), std::string::npos) << problem;
    EXPECT_FALSE(run_routine(*call, std::vector<double>{1e9, 1, 2, 3, 5, 8, 21}, outputs, problem));
    EXPECT_NE(problem, "");
    EXPECT_FALSE(run_routine(*call, std::vector<double>{1, 2}, outputs, problem));
}

TEST(Routines, TextOfACall) {
    const std::string text = "fortran dgeev \"N\" i=3 r[3,3] i[2]=0! r -> i";
    const auto call = routine_call_of(text);
    ASSERT_TRUE(call);
    EXPECT_EQ(to_text(*call), text);
    EXPECT_EQ(call->inputs(), 10u);
    EXPECT_EQ(call->outputs(), 3u);
    for (const char* bad : {"", "c", "fortran f x", "c f r[", "c f r[2", "c f i=x", "c f r[2]?", "dgesv i"})
        EXPECT_FALSE(routine_call_of(bad)) << bad;
}

}  // namespace
}  // namespace cutset
