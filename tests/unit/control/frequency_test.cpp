// Zeros, poles, gain, phase, margins and root loci against closed forms and textbook values.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "control/margins.h"
#include "control/root_locus.h"
#include "control/transfer_realization.h"

namespace cutset {
namespace {

constexpr double pi = std::numbers::pi;

TransferFunction parsed_function(const std::string& text) {
    Sources sources;
    Diagnostics diagnostics;
    const auto g = parse_transfer_matrix(sources.add("--tf", text), sources, {}, diagnostics).value();
    return transfer_function(g.elements[0][0], g.delays[0][0], g.sample_time);
}

double phase(const std::string& text, double w) {
    return frequency_point(parsed_function(text), w).phase * 180 / pi;
}

TEST(TransferFunction, OfStateSpace) {
    // Mass and spring with a mode that is not controllable: (s + 2)/(s² + 3 s + 2) loses it.
    StateSpace s;
    s.A.resize(3, 3);
    s.A << 0, 1, 0, -2, -3, 0, 1, 0, -5;
    s.B.resize(3, 1);
    s.B << 0, 1, 0;
    s.C.resize(1, 3);
    s.C << 2, 1, 0;
    s.D = Eigen::MatrixXd::Zero(1, 1);
    const auto g = transfer_function(s, 0, 0);
    ASSERT_TRUE(g);
    // (s + 2)/((s + 1)(s + 2)): as computed, the common factor is not controllable and observable together.
    ASSERT_EQ(g->poles.size(), 1u);
    EXPECT_NEAR(g->poles[0].real(), -1, 1e-12);
    EXPECT_TRUE(g->zeros.empty());
    EXPECT_NEAR(g->gain, 1, 1e-12);
}

TEST(TransferFunction, ZerosAndGainOfRelativeDegree) {
    Diagnostics diagnostics;
    Sources sources;
    const auto g =
        parse_transfer_matrix(sources.add("--tf", "7*(s+3)*(s^2+s+9)/((s+1)^2*(s+4)*(s^2+2*s+5)*(s+10))"),
                              sources, {}, diagnostics);
    const auto s = realize(*g, diagnostics);
    ASSERT_TRUE(s);
    const auto f = transfer_function(*s, 0, 0);
    ASSERT_TRUE(f);
    ASSERT_EQ(f->zeros.size(), 3u);
    EXPECT_NEAR(f->gain, 7, 1e-9);
    EXPECT_NEAR(f->zeros[0].real(), -3, 1e-9);
    EXPECT_NEAR(std::abs(f->at({0, 2})),
                std::abs(parsed_function("7*(s+3)*(s^2+s+9)/((s+1)^2*(s+4)*(s^2+2*s+5)*(s+10))").at({0, 2})),
                1e-9);
}

TEST(Phase, CountedFromRoots) {
    EXPECT_NEAR(phase("1/s^2", 1), -180, 1e-9);
    EXPECT_NEAR(phase("1/s^5", 1), -450, 1e-9);
    EXPECT_NEAR(phase("-1", 1), -180, 1e-9);
    EXPECT_NEAR(phase("1/(s-1)", 1e-6), -180, 1e-3);
    EXPECT_NEAR(phase("1/(s-1)", 1e6), -90, 1e-3);
    EXPECT_NEAR(phase("(1-s)/(1+s)", 1e6), -180, 1e-3);
    EXPECT_NEAR(phase("1/(s^2+1)", 0.5), 0, 1e-9);
    EXPECT_NEAR(phase("1/(s^2+1)", 2), -180, 1e-9);
    EXPECT_NEAR(phase("exp(-2*s)", 10), -20 * 180 / pi, 1e-9);
    // Sampled: a delay of one sample turns by -180° at the Nyquist frequency, an integrator from -90°.
    EXPECT_NEAR(phase("1/z", pi), -180, 1e-9);
    EXPECT_NEAR(phase("1/(z-1)", 1e-6), -90, 1e-3);
    EXPECT_NEAR(phase("1/(z-1)", pi), -180, 1e-9);
    EXPECT_NEAR(phase("1/(z-2)", 1e-9), -180, 1e-6);
}

TEST(Margins, Textbook) {
    // 10/(s (s+1) (s+5)): gain margin 30/10 at √5.
    const Margins m = stability_margins(parsed_function("10/(s*(s+1)*(s+5))"));
    ASSERT_TRUE(m.gain && m.phase);
    EXPECT_NEAR(m.gain->factor, 3, 1e-9);
    EXPECT_NEAR(m.gain->frequency, std::sqrt(5), 1e-9);
    const double w = m.phase->frequency;
    EXPECT_NEAR(w * w * (1 + w * w) * (25 + w * w), 100, 1e-6);
    EXPECT_NEAR(m.phase->degrees, 90 - (std::atan(w) + std::atan(w / 5)) * 180 / pi, 1e-9);
    EXPECT_TRUE(m.stable());
    EXPECT_EQ(m.encirclements, 0);
    // 8/(s+1)³ is on the border, 10/(s+1)³ encircles twice.
    EXPECT_EQ(stability_margins(parsed_function("8/(s+1)^3")).closed_loop, Margins::ClosedLoop::Border);
    EXPECT_EQ(stability_margins(parsed_function("10/(s+1)^3")).encirclements, 2);
    // Nothing reaches -180° or 1.
    const Margins none = stability_margins(parsed_function("0.5/(s+1)"));
    EXPECT_FALSE(none.gain || none.phase);
    // A delay: |L| = 1 at 1 rad/s for 1/s, margin 90° - T.
    EXPECT_NEAR(stability_margins(parsed_function("exp(-0.5*s)/s")).phase->degrees, 90 - 0.5 * 180 / pi,
                1e-9);
}

TEST(Margins, EncirclementsByCountAndByCurve) {
    // The same loops with a delay too small to matter are counted along the curve, not from the closed-loop
    // polynomial.
    for (const std::string text :
         {"2/(s-1)", "0.5/(s-1)", "10/(s+1)^3", "5/(s*(s+1)*(s+2))", "7/(s*(s+1)*(s+2))", "1/(s^2+1)",
          "(s+1)/(s^2*(s+10))", "(s+3)/(s*(s-1))", "0.5*(s+3)/(s*(s-1))", "20/(s^2*(s+1))"}) {
        const Margins exact = stability_margins(parsed_function(text)),
                      curve = stability_margins(parsed_function(std::string("exp(-1e-7*s)*") + text));
        EXPECT_EQ(exact.open_loop_unstable, curve.open_loop_unstable) << text;
        if (exact.encirclements) {
            EXPECT_EQ(exact.encirclements, curve.encirclements) << text;
        }
    }
    EXPECT_EQ(stability_margins(parsed_function("2/(s-1)")).encirclements, -1);
    EXPECT_TRUE(stability_margins(parsed_function("2/(s-1)")).stable());
    // 1.2 exp(-2s)/s is beyond the limit π/4 · … : unstable with two poles.
    EXPECT_EQ(stability_margins(parsed_function("1.2*exp(-2*s)/s")).closed_loop_unstable, 2);
    EXPECT_TRUE(stability_margins(parsed_function("0.7*exp(-2*s)/s")).stable());
}

TEST(Margins, AtZeroAndAtInfiniteFrequency) {
    // L(0) = -1/2: the gain may be doubled; 1 - 0.5 k/(s + 1).
    Margins m = stability_margins(parsed_function("-0.5/(s+1)"));
    ASSERT_TRUE(m.gain);
    EXPECT_EQ(m.gain->frequency, 0);
    EXPECT_NEAR(m.gain->factor, 2, 1e-12);
    EXPECT_TRUE(m.stable());
    // A constant.
    m = stability_margins(parsed_function("-0.25"));
    ASSERT_TRUE(m.gain);
    EXPECT_NEAR(m.gain->factor, 4, 1e-12);
    EXPECT_FALSE(m.phase);
    EXPECT_NEAR(m.sensitivity, 1 / 0.75, 1e-12);
    EXPECT_TRUE(m.stable());
    EXPECT_FALSE(stability_margins(parsed_function("3")).gain);
    // -0.5 (s+1)/(s+2): (1 - k/2) s + 2 - k/2, beyond k = 2 unstable though L(0) = -1/4.
    m = stability_margins(parsed_function("-0.5*(s+1)/(s+2)"));
    ASSERT_TRUE(m.gain);
    EXPECT_NEAR(m.gain->factor, 2, 1e-12);
    EXPECT_TRUE(std::isinf(m.gain->frequency));
    // |L(0)| = 1 and less elsewhere: no crossing is read from rounding.
    m = stability_margins(parsed_function("1/(s+1)"));
    ASSERT_EQ(m.phases.size(), 1u);
    EXPECT_EQ(m.phases[0].frequency, 0);
    EXPECT_EQ(m.phases[0].degrees, 180);
    // -1/(s+1): closed loop s = 0, on the border; both margins at 0.
    m = stability_margins(parsed_function("-1/(s+1)"));
    EXPECT_EQ(m.closed_loop, Margins::ClosedLoop::Border);
    EXPECT_NEAR(m.gain->factor, 1, 1e-12);
    EXPECT_EQ(m.phase->degrees, 0);
    // The phase of a double integrator is -180° everywhere.
    m = stability_margins(parsed_function("4/s^2"));
    EXPECT_EQ(m.closed_loop, Margins::ClosedLoop::Border);
    EXPECT_NEAR(m.gain->factor, 1, 1e-9);
    EXPECT_NEAR(m.gain->frequency, 2, 1e-9);
}

TEST(Margins, IllPosedAndInfinitelyUnstable) {
    using ClosedLoop = Margins::ClosedLoop;
    EXPECT_EQ(stability_margins(parsed_function("-1")).closed_loop, ClosedLoop::IllPosed);
    EXPECT_EQ(stability_margins(parsed_function("(1-s)/(1+s)")).closed_loop, ClosedLoop::IllPosed);
    EXPECT_EQ(stability_margins(parsed_function("-(s+1)/(s+2)")).closed_loop, ClosedLoop::IllPosed);
    EXPECT_EQ(stability_margins(parsed_function("-(z+0.5)/(z+0.2)")).closed_loop, ClosedLoop::IllPosed);
    // -2 (s+1)/(s+4): -s + 2, unstable; -3 (s+1)/(s+1/2): -2 s - 2.5, stable.
    EXPECT_EQ(stability_margins(parsed_function("-2*(s+1)/(s+4)")).closed_loop, ClosedLoop::Unstable);
    EXPECT_EQ(stability_margins(parsed_function("-3*(s+1)/(s+1/2)")).closed_loop, ClosedLoop::Stable);
    // Neutral equations: |D| decides.
    EXPECT_EQ(stability_margins(parsed_function("2*exp(-s)")).closed_loop, ClosedLoop::InfinitelyUnstable);
    EXPECT_EQ(stability_margins(parsed_function("exp(-s)*(2*s+1)/(s+3)")).closed_loop,
              ClosedLoop::InfinitelyUnstable);
    EXPECT_EQ(stability_margins(parsed_function("exp(-s)*s")).closed_loop, ClosedLoop::InfinitelyUnstable);
    EXPECT_FALSE(stability_margins(parsed_function("2*exp(-s)")).encirclements);
    EXPECT_EQ(stability_margins(parsed_function("exp(-s)")).closed_loop, ClosedLoop::Border);
    EXPECT_EQ(stability_margins(parsed_function("0.5*exp(-s)")).closed_loop, ClosedLoop::Stable);
    EXPECT_NEAR(stability_margins(parsed_function("0.5*exp(-s)")).sensitivity, 2, 1e-9);
    EXPECT_EQ(stability_margins(parsed_function("0.5*exp(-s)*(s+1)/(s+2)")).closed_loop, ClosedLoop::Stable);
}

TEST(Margins, DelaysWithManyTurns) {
    // k exp(-s)/s is stable for k < π/2 and gains two unstable poles at each k = π/2 + 2πn.
    for (int n = 0; n < 30; ++n) {
        const double k = pi / 2 + 2 * pi * n;
        EXPECT_EQ(
            stability_margins(parsed_function(std::to_string(k - 0.1) + "*exp(-s)/s")).closed_loop_unstable,
            2 * n);
        EXPECT_EQ(
            stability_margins(parsed_function(std::to_string(k + 0.1) + "*exp(-s)/s")).closed_loop_unstable,
            2 * n + 2);
    }
    EXPECT_NEAR(stability_margins(parsed_function("exp(-s)/s")).gain->factor, pi / 2, 1e-9);
    // 100000/(s+1) with a delay of 1: |L| = 1 at w = √(10¹⁰ - 1), phase -w - atan w.
    const double w = std::sqrt(1e10 - 1), turns = std::floor((w + std::atan(w) - pi) / (2 * pi)) + 1;
    EXPECT_EQ(stability_margins(parsed_function("100000*exp(-s)/(s+1)")).closed_loop_unstable,
              static_cast<int>(2 * turns));
}

TEST(Margins, HiddenPoles) {
    // A mode at +1 that the loop does not reach.
    StateSpace s;
    s.A = Eigen::MatrixXd::Zero(2, 2);
    s.A << -1, 0, 0, 1;
    s.B.resize(2, 1);
    s.B << 1, 0;
    s.C.resize(1, 2);
    s.C << 1, 1;
    s.D = Eigen::MatrixXd::Zero(1, 1);
    s.states = {"x", "y"};
    s.inputs = {"u"};
    s.outputs = {"v"};
    Diagnostics diagnostics;
    const auto m = stability_margins(s, 0, 0, diagnostics);
    ASSERT_TRUE(m);
    EXPECT_EQ(m->closed_loop, Margins::ClosedLoop::Unstable);
    EXPECT_EQ(m->hidden_unstable, 1);
    EXPECT_EQ(m->encirclements, 0);
}

RootLocus locus(const std::string& text, std::optional<double> low = {}, std::optional<double> high = {}) {
    const TransferFunction g = parsed_function(text);
    return root_locus(locus_polynomial(g.zeros, g.poles, g.gain, g.sample_time), low, high);
}

TEST(RootLocus, ThroughInfinity) {
    // 1 - k (s+1)/(s+2): (1 - k) s + 2 - k; root -(2 - k)/(1 - k), unstable between 1 and 2, stable beyond 2.
    RootLocus r = locus("-(s+1)/(s+2)", 0, 5);
    ASSERT_EQ(r.passages.size(), 1u);
    EXPECT_NEAR(r.passages[0], 1, 1e-12);
    ASSERT_EQ(r.stable.size(), 2u);
    EXPECT_EQ(r.stable[0].low, 0);
    EXPECT_NEAR(r.stable[0].high, 1, 1e-9);
    EXPECT_NEAR(r.stable[1].low, 2, 1e-9);
    EXPECT_EQ(r.stable[1].high, 5);
    EXPECT_EQ(r.branches.size(), 2u);
    // 1 - k (s-1)²/(s+1)²: the roots of s² + 2 s (1 + k)/(1 - k) + 1 pass through infinity at k = 1: stable
    // below.
    r = locus("-(s-1)^2/(s+1)^2", 0, 4);
    ASSERT_EQ(r.stable.size(), 1u);
    EXPECT_NEAR(r.stable[0].high, 1, 1e-9);
    // Improper: 1 + k (s+1)²/(s+3): k s² + (2 k + 1) s + k + 3, stable for all k > 0.
    r = locus("(s+1)^2/(s+3)");
    ASSERT_EQ(r.stable.size(), 1u);
    EXPECT_EQ(r.stable[0].low, 0);
    EXPECT_EQ(r.stable[0].high, r.high);
    EXPECT_EQ(r.branches.size(), 2u);
}

TEST(RootLocus, ThreePoles) {
    // 1/(s (s+1) (s+2)): breakaway -1 + 1/√3 at k = 2/(3√3), crossing at k = 6, s = ±√2 j, asymptotes from
    // -1.
    const RootLocus r = locus("1/(s*(s+1)*(s+2))");
    ASSERT_EQ(r.meetings.size(), 1u);
    EXPECT_NEAR(r.meetings[0].root.real(), -1 + 1 / std::sqrt(3), 1e-9);
    EXPECT_NEAR(r.meetings[0].gain, 2 / (3 * std::sqrt(3)), 1e-9);
    ASSERT_EQ(r.crossings.size(), 1u);
    EXPECT_NEAR(r.crossings[0].gain, 6, 1e-9);
    EXPECT_NEAR(r.crossings[0].frequency, std::sqrt(2), 1e-9);
    ASSERT_EQ(r.stable.size(), 1u);
    EXPECT_NEAR(r.stable[0].high, 6, 1e-9);
    ASSERT_TRUE(r.asymptotes);
    EXPECT_NEAR(r.asymptotes->center, -1, 1e-12);
    EXPECT_EQ(r.asymptotes->angles.size(), 3u);
}

TEST(RootLocus, BranchesStayJoined) {
    for (const std::string text :
         {"1/(s*(s+1)*(s+2))", "(s+1)/(s^2*(s+10))", "(s+1)/(s^2*(s+9))", "1/(s^4+4)", "(s+2)/(s^2+2*s+3)",
          "1/((s+1)^4)", "(s^2+2*s+4)/(s*(s+4)*(s+6)*(s^2+1.4*s+1))", "z/((z-1)*(z-0.5))"}) {
        const RootLocus r = locus(text);
        const TransferFunction g = parsed_function(text);
        ASSERT_EQ(r.branches.size(), g.poles.size()) << text;
        double scale = 1;
        for (const Complex& p : g.poles) scale = std::max(scale, std::abs(p));
        for (const LocusBranch& b : r.branches) {
            EXPECT_EQ(b.gain.front(), 0) << text;
            EXPECT_EQ(b.gain.back(), r.high) << text;
            for (std::size_t i = 1; i < b.root.size(); ++i) {
                EXPECT_GE(b.gain[i], b.gain[i - 1]);
                EXPECT_LT(std::abs(b.root[i] - b.root[i - 1]), 0.1 * std::max(scale, std::abs(b.root[i])))
                    << text << " k = " << b.gain[i];
                const Complex residual =
                    value_at(g.denominator(), b.root[i]) + b.gain[i] * value_at(g.numerator(), b.root[i]);
                EXPECT_LT(std::abs(residual), 1e-6 * std::pow(std::max(scale, std::abs(b.root[i])),
                                                              static_cast<double>(g.poles.size())))
                    << text;
            }
        }
    }
}

TEST(RootLocus, TripleRoot) {
    // (s+1)/(s²(s+9)) has a triple root at -3 for k = 27.
    const RootLocus r = locus("(s+1)/(s^2*(s+9))");
    const auto at = std::find_if(r.meetings.begin(), r.meetings.end(),
                                 [](const auto& m) { return std::abs(m.root + 3.0) < 1e-3; });
    ASSERT_NE(at, r.meetings.end());
    EXPECT_EQ(at->multiplicity, 3u);
    EXPECT_NEAR(at->gain, 27, 1e-4);
    EXPECT_NEAR(at->root.real(), -3, 1e-6);
}

TEST(RootLocus, DepartureAngle) {
    // 1/(s (s² + 2 s + 2)): from -1 + j at 180 - 90 - 135 = -45°.
    const RootLocus r = locus("1/(s*(s^2+2*s+2))");
    for (const auto& a : r.departures)
        if (a.root.imag() > 0) {
            EXPECT_NEAR(a.angle, -45, 1e-9);
        }
}

TEST(RootLocus, OfAMatrix) {
    // det(I + k G) for G = [1/s², 1/s; -1/s², 0] is s³ + k s + k².
    Sources sources;
    Diagnostics diagnostics;
    const auto g =
        parse_transfer_matrix(sources.add("--tf", "[1/s^2, 1/s; -1/s^2, 0]"), sources, {}, diagnostics)
            .value();
    const LocusPolynomial p = locus_polynomial(right_coprime(right_fraction(g)).fraction, {});
    const std::vector<double> at2 = p.at(2);
    ASSERT_EQ(at2.size(), 4u);
    const double sign = at2[0];
    EXPECT_NEAR(at2[1] / sign, 0, 1e-15);
    EXPECT_NEAR(at2[2] / sign, 2, 1e-15);
    EXPECT_NEAR(at2[3] / sign, 4, 1e-15);
    // Its discriminant -4 k³ - 27 k⁴ vanishes at k = -4/27.
    const RootLocus r = root_locus(p, -2, 2);
    const bool found = std::any_of(r.meetings.begin(), r.meetings.end(),
                                   [](const auto& m) { return std::fabs(m.gain + 4.0 / 27) < 1e-6; });
    EXPECT_TRUE(found);
}

}  // namespace
}  // namespace cutset
