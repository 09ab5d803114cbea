#include <gtest/gtest.h>

#include <cmath>

#include "control/canonical.h"
#include "control/decompositions.h"
#include "control/frequency_response.h"
#include "control/margins.h"
#include "control/modes.h"
#include "control/norms.h"
#include "control/pole_placement.h"
#include "control/regulator.h"
#include "control/riccati.h"
#include "control/sampling.h"
#include "systems.h"

namespace cutset {
namespace {

using Complex = std::complex<double>;
using Indices = std::vector<Eigen::Index>;

Eigen::MatrixXd identity(Eigen::Index n) {
    return Eigen::MatrixXd::Identity(n, n);
}

StateSpace double_integrator() {
    Eigen::MatrixXd A(2, 2), B(2, 1), C(1, 2);
    A << 0, 1, 0, 0;
    B << 0, 1;
    C << 1, 0;
    return make_system(A, B, C);
}

TEST(Riccati, Scalar) {
    // 2 a x - b^2 x^2/r + q = 0
    const double a = 0.7, b = 2, q = 3, r = 0.5;
    const auto one = [](double v) { return Eigen::MatrixXd::Constant(1, 1, v); };
    auto s = solve_riccati({one(a), one(b), one(q), one(r), {}, false});
    ASSERT_TRUE(s);
    const double x = r / (b * b) * (a + std::sqrt(a * a + b * b * q / r));
    EXPECT_NEAR(s->X(0, 0), x, 1e-14);
    EXPECT_NEAR(s->K(0, 0), b * x / r, 1e-14);
    EXPECT_NEAR(s->poles[0].real(), -std::sqrt(a * a + b * b * q / r), 1e-13);
    // sampled, a = b = q = r = 1: x^2 - x - 1 = 0
    s = solve_riccati({one(1), one(1), one(1), one(1), {}, true});
    ASSERT_TRUE(s);
    EXPECT_NEAR(s->X(0, 0), (1 + std::sqrt(5.0)) / 2, 1e-14);
}

TEST(Riccati, DoubleIntegrator) {
    Diagnostics diagnostics;
    Eigen::MatrixXd Q = identity(2);
    const auto r = design_lqr(double_integrator(), {Q, identity(1), {}}, diagnostics);
    ASSERT_TRUE(r);
    EXPECT_NEAR(r->K(0, 0), 1, 1e-13);
    EXPECT_NEAR(r->K(0, 1), std::sqrt(3.0), 1e-13);
    EXPECT_LT(r->residual, 1e-13);
    // The same with cost on the output only: K = [1, sqrt 2], Butterworth.
    const auto y = design_lqr(double_integrator(), output_cost(double_integrator(), identity(1), identity(1)),
                              diagnostics);
    ASSERT_TRUE(y);
    EXPECT_NEAR(y->K(0, 1), std::sqrt(2.0), 1e-13);
    // A cross term that only shifts the feedback: with N = N0, Q = Q0 + N0 R^-1 N0^T the solution is that of
    // A - B R^-1 N0^T.
    Eigen::MatrixXd N(2, 1);
    N << 0.3, -0.2;
    const auto c = design_lqr(double_integrator(), {Q + N * N.transpose(), identity(1), N}, diagnostics);
    ASSERT_TRUE(c);
    const StateSpace d = double_integrator();
    const auto shifted = solve_riccati({d.A - d.B * N.transpose(), d.B, Q, identity(1), {}, false});
    EXPECT_LT((c->X - shifted->X).norm(), 1e-12);
    EXPECT_TRUE(diagnostics.all().empty());
}

TEST(Riccati, RandomOfOrderFifty) {
    for (bool sampled : {false, true}) {
        const Eigen::MatrixXd A = random_matrix(50, 50, 30) / (sampled ? 7.0 : 1.0),
                              B = random_matrix(50, 3, 31);
        const Eigen::MatrixXd F = random_matrix(50, 50, 32), Q = F * F.transpose();
        const auto s = solve_riccati({A, B, Q, identity(3), {}, sampled});
        ASSERT_TRUE(s);
        EXPECT_LT(s->residual, 1e-11);
        EXPECT_GT(symmetric_eigen(s->X)->values[0], 0);
    }
}

// Units of states and costs that differ by many powers of ten.
TEST(Riccati, DoesNotDependOnUnits) {
    const Eigen::MatrixXd A = random_matrix(6, 6, 33), B = random_matrix(6, 2, 34);
    const auto plain = solve_riccati({A, B, identity(6), identity(2), {}, false});
    const Eigen::VectorXd u = (Eigen::VectorXd(6) << 1, 1e6, 1e-5, 100, 1e-3, 1e4).finished(),
                          i = u.cwiseInverse();
    const auto other = solve_riccati({u.asDiagonal() * A * i.asDiagonal(),
                                      u.asDiagonal() * B * 1e-4,
                                      i.cwiseProduct(i).asDiagonal() * 1e3,
                                      identity(2) * 1e-8 * 1e3,
                                      {},
                                      false});
    ASSERT_TRUE(plain && other);
    const Eigen::MatrixXd X = u.asDiagonal() * other->X * u.asDiagonal() / 1e3;
    EXPECT_LT((X - plain->X).norm() / plain->X.norm(), 1e-9);
}

// Time scales from 10^-e to 10^e beside each other.
TEST(Riccati, Stiff) {
    // Uncoupled, A = diag(a), B = Q = R = 1: X = a + √(a² + 1).
    const Eigen::VectorXd a = (Eigen::VectorXd(5) << -1e-9, -1e9, -1, 1e-6, 1e3).finished();
    const auto s = solve_riccati({a.asDiagonal(), identity(5), identity(5), identity(5), {}, false});
    ASSERT_TRUE(s);
    for (Eigen::Index i = 0; i < 5; ++i) {
        const double x =
            a[i] < 0 ? 1 / (std::sqrt(a[i] * a[i] + 1) - a[i]) : a[i] + std::sqrt(a[i] * a[i] + 1);
        EXPECT_NEAR(s->X(i, i) / x, 1, 1e-9) << i;
    }
    // An actuator with rate L before x' = -e x: by spectral factorisation the closed loop is s² + c1 s + c0
    // with c0 = L √(1 + e²), c1² = e² + L² + 2 c0; K = [c0 - e (c1 - e), c1 - e - L]/L.
    for (double e : {1e-3, 1.0, -1.0, -1e-6, 0.0})
        for (double L : {1e3, 1e6, 1e9, 1e12}) {
            Eigen::MatrixXd A(2, 2), B(2, 1), Q(2, 2);
            A << -e, 1, 0, -L;
            B << 0, L;
            Q << 1, 0, 0, 0;
            const auto k = solve_riccati({A, B, Q, identity(1), {}, false});
            ASSERT_TRUE(k) << e << ' ' << L;
            const double c0 = L * std::sqrt(1 + e * e), c1 = std::sqrt(e * e + L * L + 2 * c0);
            // c1 - e - L without cancellation
            const double small = (e * e + 2 * c0) / (c1 + L) - e;
            const double k1 = (c0 - e * (L + small)) / L, k2 = small / L;
            EXPECT_NEAR(k->K(0, 0) / k1, 1, 1e-6) << e << ' ' << L;
            EXPECT_NEAR(k->K(0, 1) / k2, 1, 1e-6) << e << ' ' << L;
            EXPECT_LT(k->residual, 1e-9);
        }
}

TEST(Lqr, RefusesInWords) {
    StateSpace s = double_integrator();
    Diagnostics a, b, c, d, e;
    EXPECT_FALSE(design_lqr(s, {identity(2), Eigen::MatrixXd::Zero(1, 1), {}}, a));
    EXPECT_EQ(a.all()[0].code, "not-definite");
    EXPECT_FALSE(design_lqr(s, {identity(3), identity(1), {}}, b));
    EXPECT_EQ(b.all()[0].code, "wrong-size");
    Eigen::MatrixXd Q(2, 2);
    Q << 1, 1, 0, 1;
    EXPECT_FALSE(design_lqr(s, {Q, identity(1), {}}, c));
    EXPECT_EQ(c.all()[0].code, "not-symmetric");
    // x1 unstable, the input acts on x2 only
    s.A << 1, 0, 0, -1;
    EXPECT_FALSE(design_lqr(s, {identity(2), identity(1), {}}, d));
    EXPECT_EQ(d.all()[0].code, "not-stabilizable");
    EXPECT_NE(d.all()[0].message.find("1 (x1)"), std::string::npos) << d.all()[0].message;
    // an integrator without weight
    EXPECT_FALSE(design_lqr(double_integrator(), {Eigen::Vector2d(0, 1).asDiagonal(), identity(1), {}}, e));
    EXPECT_EQ(e.all()[0].code, "border-mode");
}

TEST(Kalman, FirstOrderAndSteadyState) {
    // x' = -x + w, y = x + v with W = 3, V = 1: P = 1 (from 2P + P^2 = 3)
    Diagnostics diagnostics;
    StateSpace s = make_system(-identity(1), identity(1), identity(1));
    const auto k = design_kalman(s, {3 * identity(1), identity(1), {}}, diagnostics);
    ASSERT_TRUE(k);
    EXPECT_NEAR(k->P(0, 0), 1, 1e-14);
    EXPECT_NEAR(k->L(0, 0), 1, 1e-14);
    // random walk observed with noise: P = (q + sqrt(q^2 + 4 q r))/2
    s.A(0, 0) = 1;
    s.sample_time = 1;
    const auto d = design_kalman(s, {0.5 * identity(1), 2 * identity(1), {}}, diagnostics);
    ASSERT_TRUE(d);
    const double P = (0.5 + std::sqrt(0.25 + 4)) / 2;
    EXPECT_NEAR(d->P(0, 0), P, 1e-13);
    EXPECT_NEAR(d->M(0, 0), P / (P + 2), 1e-13);
}

TEST(Lqg, PolesOfRegulatorAndFilterTogether) {
    Diagnostics diagnostics;
    const StateSpace s = double_integrator();
    const auto r = design_lqr(s, {identity(2), identity(1), {}}, diagnostics);
    const auto k = design_kalman(s, {identity(2), identity(1), {}}, diagnostics);
    const auto g = design_lqg(s, *r, *k, diagnostics);
    ASSERT_TRUE(g);
    std::vector<Complex> expected = r->poles;
    expected.insert(expected.end(), k->poles.begin(), k->poles.end());
    for (const Complex& pole : g->poles) {
        double nearest = INFINITY;
        for (const Complex& e : expected) nearest = std::min(nearest, std::abs(e - pole));
        EXPECT_LT(nearest, 1e-6);
    }
}

TEST(PolePlacementTest, OneInput) {
    Diagnostics diagnostics;
    const auto p = place_poles(double_integrator(), {{-1, 1}, {-1, -1}}, diagnostics);
    ASSERT_TRUE(p);
    EXPECT_NEAR(p->K(0, 0), 2, 1e-14);
    EXPECT_NEAR(p->K(0, 1), 2, 1e-14);
    // a double pole
    const auto two = place_poles(double_integrator(), {-3, -3}, diagnostics);
    ASSERT_TRUE(two);
    EXPECT_NEAR(two->K(0, 0), 9, 1e-12);
    EXPECT_NEAR(two->K(0, 1), 6, 1e-12);
    EXPECT_TRUE(diagnostics.all().empty());
}

// Kautsky, Nichols and Van Dooren's first example (a chemical reactor): two inputs, four states.
TEST(Placement, RobustWithTwoInputs) {
    Eigen::MatrixXd A(4, 4), B(4, 2);
    A << 1.380, -0.2077, 6.715, -5.676, -0.5814, -4.290, 0, 0.6750, 1.067, 4.273, -6.654, 5.893, 0.0480,
        4.273, 1.343, -2.104;
    B << 0, 0, 5.679, 0, 1.136, -3.146, 1.136, 0;
    const StateSpace s = make_system(A, B, identity(4));
    Diagnostics diagnostics;
    const std::vector<std::complex<double>> poles = {-0.2, -0.5, -5.0566, -8.6659};
    const auto robust = place_poles(s, poles, diagnostics, PlacementMethod::Robust);
    const auto schur = place_poles(s, poles, diagnostics, PlacementMethod::Schur);
    const auto chosen = place_poles(s, poles, diagnostics);
    ASSERT_TRUE(robust && schur && chosen);
    EXPECT_LT(robust->error, 1e-12);
    EXPECT_EQ(robust->method, PlacementMethod::Robust);
    // Published: 3.3 for the eigenvectors of the best method.
    EXPECT_LT(robust->sensitivity, 4);
    EXPECT_LE(chosen->sensitivity, std::min(robust->sensitivity, schur->sensitivity) * 1.0001);
    // Pairs, and a double pole with two inputs.
    for (const std::vector<std::complex<double>>& wanted :
         {std::vector<std::complex<double>>{{-1, 2}, {-1, -2}, {-3, 1}, {-3, -1}},
          std::vector<std::complex<double>>{-1, -1, -2, -2},
          std::vector<std::complex<double>>{{-1, 1}, {-1, -1}, -2, -5}}) {
        const auto p = place_poles(s, wanted, diagnostics, PlacementMethod::Robust);
        const auto q = place_poles(s, wanted, diagnostics, PlacementMethod::Schur);
        ASSERT_TRUE(p && q);
        EXPECT_EQ(p->method, PlacementMethod::Robust);
        EXPECT_LT(p->error, 1e-12);
        EXPECT_LT(p->sensitivity, 1.01 * q->sensitivity);
    }
    // Four times the same with two inputs: no full set of eigenvectors, Schur's method does it.
    const auto p = place_poles(s, {-2, -2, -2, -2}, diagnostics);
    ASSERT_TRUE(p);
    EXPECT_EQ(p->method, PlacementMethod::Schur);
}

TEST(PolePlacementTest, RandomAndOddMixtures) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const Eigen::Index n = 9;
        const StateSpace s = make_system(random_matrix(n, n, 100 + seed),
                                         random_matrix(n, 1 + seed % 3, 200 + seed), Eigen::MatrixXd(0, n));
        std::vector<Complex> wanted;
        for (unsigned i = 0; i < seed % 5; ++i) {
            wanted.push_back({-1.0 - i, 2.0 + i});
            wanted.push_back({-1.0 - i, -2.0 - i});
        }
        while (wanted.size() < static_cast<std::size_t>(n))
            wanted.push_back(-0.5 * static_cast<double>(wanted.size()) - 1);
        Diagnostics diagnostics;
        const auto p = place_poles(s, wanted, diagnostics);
        ASSERT_TRUE(p) << seed;
        EXPECT_LT(p->error, 1e-5) << seed;
    }
}

TEST(PolePlacementTest, NamesWhatCannotBeMoved) {
    Eigen::MatrixXd A = Eigen::Vector3d(-1, -2, -3).asDiagonal(), B(3, 1);
    B << 1, 0, 1;
    const StateSpace s = make_system(A, B, Eigen::MatrixXd(0, 3));
    Diagnostics a, b, c, d;
    EXPECT_FALSE(place_poles(s, {-4, -5, -6}, a));
    EXPECT_EQ(a.all()[0].code, "not-controllable");
    EXPECT_NE(a.all()[0].message.find("-2 (x2)"), std::string::npos) << a.all()[0].message;
    const auto kept = place_poles(s, {-4, -2, -6}, b);
    ASSERT_TRUE(kept);
    EXPECT_LT(kept->error, 1e-12);
    EXPECT_FALSE(place_poles(s, {-4, -2}, c));
    EXPECT_EQ(c.all()[0].code, "pole-count");
    EXPECT_FALSE(place_poles(s, {{-4, 1}, -2, -1}, d));
    EXPECT_EQ(d.all()[0].code, "pole-conjugate");
}

// Example 6.4-6: canonical controllability forms by both searches of the crate.
TEST(Canonical, KailathControllability) {
    Diagnostics diagnostics;
    const auto rows = canonical_form(kailath(), CanonicalForm::Controllability, diagnostics);
    ASSERT_TRUE(rows);
    Eigen::MatrixXd A(5, 5), B(5, 2), C(2, 5);
    A << 0, 0, -2, 0, 0, 1, 0, -5, 0, 0, 0, 1, -4, 0, 0, 0, 0, 2, 0, -4, 0, 0, 1, 1, -4;
    B << 1, 0, 0, 0, 0, 0, 0, 1, 0, 0;
    C << 0, 0, 1, 1, -4, -1, 4, -12, -1, 4;
    EXPECT_LT((rows->system.A - A).norm(), 1e-11) << rows->system.A;
    EXPECT_LT((rows->system.B - B).norm(), 1e-11);
    EXPECT_LT((rows->system.C - C).norm(), 1e-11) << rows->system.C;
    const auto columns =
        canonical_form(kailath(), CanonicalForm::Controllability, diagnostics, CrateSearch::Columns);
    ASSERT_TRUE(columns);
    A << 0, 0, 0, -4, 2, 1, 0, 0, -12, 5, 0, 1, 0, -13, 4, 0, 0, 1, -6, 1, 0, 0, 0, 0, -2;
    B << 1, 0, 0, 0, 0, 0, 0, 0, 0, 1;
    C << 0, 0, 1, -6, 1, -1, 4, -12, 32, -1;
    EXPECT_LT((columns->system.A - A).norm(), 1e-11) << columns->system.A;
    EXPECT_LT((columns->system.B - B).norm(), 1e-11);
    EXPECT_LT((columns->system.C - C).norm(), 1e-11) << columns->system.C;
}

// Examples 6.4-1 and 6.4-2: structure and transfer matrix of controller and observer form.
TEST(Canonical, KailathControllerAndObserver) {
    for (CanonicalForm form : {CanonicalForm::Controller, CanonicalForm::Observer,
                               CanonicalForm::Observability, CanonicalForm::Modal}) {
        Diagnostics diagnostics;
        const auto c = canonical_form(kailath(), form, diagnostics);
        ASSERT_TRUE(c);
        EXPECT_LT(c->residual, 1e-12);
        const FrequencyResponse g(c->system);
        for (double w : {0.2, 1.0, 5.0})
            EXPECT_LT((g.at(Complex(0, w)) - kailath_transfer({0, w})).norm(),
                      form == CanonicalForm::Modal ? 1e-7 : 1e-11);
        if (form == CanonicalForm::Controller) {
            EXPECT_EQ(c->indices, (Indices{3, 2}));
            const Eigen::MatrixXd& A = c->system.A;
            for (Eigen::Index i : {1, 2, 4})
                for (Eigen::Index j = 0; j < 5; ++j) EXPECT_EQ(A(i, j), j == i - 1 ? 1 : 0);
            // first row of the first block: s^3 + 4 s^2 + 5 s + 2 = (s+1)^2 (s+2)
            EXPECT_NEAR(A(0, 0), -4, 1e-12);
            EXPECT_NEAR(A(0, 1), -5, 1e-12);
            EXPECT_NEAR(A(0, 2), -2, 1e-12);
        }
        if (form == CanonicalForm::Observer) {
            EXPECT_EQ(c->indices, (Indices{3, 2}));
            EXPECT_NEAR(c->system.A(0, 0), -4, 1e-11);
            EXPECT_EQ(c->system.A(0, 1), 1);
        }
    }
}

TEST(Canonical, ModalBlocksAndRefusal) {
    Eigen::MatrixXd A(3, 3);
    A << 0, 1, 0, -5, -2, 0, 0, 0, -7;
    Diagnostics diagnostics;
    const auto m = canonical_form(make_system(A, Eigen::MatrixXd::Ones(3, 1), Eigen::MatrixXd::Ones(1, 3)),
                                  CanonicalForm::Modal, diagnostics);
    ASSERT_TRUE(m);
    Eigen::MatrixXd expected(3, 3);
    expected << -1, 2, 0, -2, -1, 0, 0, 0, -7;
    EXPECT_LT((m->system.A - expected).norm(), 1e-13) << m->system.A;
    Eigen::MatrixXd B(3, 1);
    B << 0, 1, 0;
    EXPECT_FALSE(canonical_form(make_system(A, B, Eigen::MatrixXd::Ones(1, 3)), CanonicalForm::Controller,
                                diagnostics));
    EXPECT_NE(diagnostics.all().back().message.find("-7 (x3)"), std::string::npos)
        << diagnostics.all().back().message;
}

TEST(Norms, ClosedForms) {
    // 1/(s^2 + 2 z w s + w^2) * w^2: peak 1/(2 z sqrt(1-z^2)) at w sqrt(1 - 2 z^2); H2^2 = w/(4 z)
    const double w = 5, z = 0.01;
    Eigen::MatrixXd A(2, 2), B(2, 1), C(1, 2);
    A << 0, 1, -w * w, -2 * z * w;
    B << 0, w * w;
    C << 1, 0;
    Diagnostics diagnostics;
    const StateSpace s = make_system(A, B, C);
    const auto peak = hinf_norm(s, diagnostics);
    ASSERT_TRUE(peak);
    EXPECT_NEAR(peak->gain, 1 / (2 * z * std::sqrt(1 - z * z)), 1e-6);
    EXPECT_NEAR(peak->frequency, w * std::sqrt(1 - 2 * z * z), 1e-3);
    EXPECT_NEAR(*h2_norm(s, diagnostics), std::sqrt(w / (4 * z)), 1e-10);
    const auto sampled = sample(s, 0.1, SamplingMethod::Tustin, diagnostics);
    EXPECT_NEAR(hinf_norm(*sampled, diagnostics)->gain, peak->gain, 1e-5);
    EXPECT_FALSE(h2_norm(double_integrator(), diagnostics));
}

TEST(MarginsTest, ThirdOrderLag) {
    // k/(s+1)^3: phase -180 at sqrt(3), where the gain is k/8
    Eigen::MatrixXd A(3, 3), B(3, 1), C(1, 3);
    A << -1, 1, 0, 0, -1, 1, 0, 0, -1;
    B << 0, 0, 4;
    C << 1, 0, 0;
    Diagnostics diagnostics;
    const auto m = stability_margins(make_system(A, B, C), 0, 0, diagnostics);
    ASSERT_TRUE(m);
    EXPECT_TRUE(m->stable());
    ASSERT_EQ(m->gains.size(), 1u);
    EXPECT_NEAR(m->gain->factor, 2, 1e-10);
    EXPECT_NEAR(m->gain->frequency, std::sqrt(3.0), 1e-10);
    // |L| = 1: (1 + w^2)^3 = 16
    const double w = std::sqrt(std::cbrt(16.0) - 1);
    EXPECT_NEAR(m->phase->frequency, w, 1e-10);
    EXPECT_NEAR(m->phase->degrees, 180 - 3 * std::atan(w) * 180 / M_PI, 1e-8);
    EXPECT_NEAR(m->delay->delay, (M_PI - 3 * std::atan(w)) / w, 1e-10);
    // The distance to -1 by brute force.
    double least = 1;
    for (double x = 0; x < 10; x += 1e-4)
        least = std::min(least, std::abs(1.0 + 4.0 / std::pow(std::complex<double>(1, x), 3)));
    EXPECT_NEAR(1 / m->sensitivity, least, 1e-8);
}

TEST(MarginsTest, IntegratorAndSampled) {
    // 1/(s (s+1)): crosses at sqrt((sqrt 5 - 1)/2), margin 51.83 degrees, no gain limit
    Eigen::MatrixXd A(2, 2), B(2, 1), C(1, 2);
    A << 0, 1, 0, -1;
    B << 0, 1;
    C << 1, 0;
    Diagnostics diagnostics;
    const StateSpace s = make_system(A, B, C);
    const auto m = stability_margins(s, 0, 0, diagnostics);
    ASSERT_TRUE(m);
    EXPECT_FALSE(m->gain);
    EXPECT_NEAR(m->phase->frequency, std::sqrt((std::sqrt(5.0) - 1) / 2), 1e-10);
    EXPECT_NEAR(m->phase->degrees, 51.8273, 1e-3);
    // Sampled with hold: the gain is limited. Known from the characteristic polynomial (Jury): K < 2.3922 at
    // T = 1.
    const auto d = sample(s, 1, SamplingMethod::ZeroOrderHold, diagnostics);
    const auto n = stability_margins(*d, 0, 0, diagnostics);
    ASSERT_TRUE(n && n->gain);
    EXPECT_NEAR(n->gain->factor, 2.3922, 1e-4);
}

}  // namespace
}  // namespace cutset
