#include <gtest/gtest.h>

#include <cmath>

#include "control/connections.h"
#include "control/decompositions.h"
#include "control/frequency_response.h"
#include "control/lyapunov.h"
#include "control/matrix_functions.h"
#include "control/modes.h"
#include "control/realization.h"
#include "control/sampling.h"
#include "control/staircase.h"
#include "control/time_response.h"
#include "control/zeros.h"
#include "systems.h"

namespace cutset {
namespace {

using Complex = std::complex<double>;

double singular_norm(const Eigen::MatrixXcd& m) {
    return singular_values(m)[0];
}

double largest(const Eigen::MatrixXcd& m) {
    return m.cwiseAbs().maxCoeff();
}

TEST(Zeros, OneInputOneOutput) {
    // (s + 3)(s^2 + 4)/(s^4 + 10 s^3 + 35 s^2 + 50 s + 24) in controller form
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(4, 4), B = Eigen::MatrixXd::Zero(4, 1), C(1, 4);
    A.row(0) << -10, -35, -50, -24;
    A.block(1, 0, 3, 3).setIdentity();
    B(0) = 1;
    C << 1, 3, 4, 12;
    const StateSpace s = make_system(A, B, C);
    const auto z = invariant_zeros(s);
    ASSERT_TRUE(z);
    ASSERT_EQ(z->finite.size(), 3u);
    EXPECT_NEAR(std::abs(z->finite[0] - Complex(0, 2)), 0, 1e-12);
    EXPECT_NEAR(std::abs(z->finite[1] - Complex(0, -2)), 0, 1e-12);
    EXPECT_NEAR(std::abs(z->finite[2] + 3.0), 0, 1e-12);
    EXPECT_NEAR(zero_pole_gain(s, z->finite, *poles(s.A)), 1, 1e-10);
}

// The determinant of Kailath's transfer matrix has numerator s^3 (s+2)... : zeros of the Smith-McMillan form
// are s (first invariant factor) and s^2 (second): s = 0 three times.
TEST(Zeros, ManyInputsAndOutputs) {
    const auto z = invariant_zeros(kailath());
    ASSERT_TRUE(z);
    EXPECT_EQ(z->normal_rank, 2);
    ASSERT_EQ(z->finite.size(), 3u);
    for (const Complex& v : z->finite) EXPECT_LT(std::abs(v), 1e-4);  // a triple zero: eps^(1/3)
}

TEST(Zeros, NotSquareAndDegenerate) {
    // Two outputs that both vanish only where both numerators do: (s+1)/(s+2)(s+3), (s+1)/(s+2)(s+4) share s
    // = -1.
    Eigen::MatrixXd A = Eigen::Vector3d(-2, -3, -4).asDiagonal(), B = Eigen::MatrixXd::Ones(3, 1), C(2, 3);
    // (s+1)/((s+2)(s+3)) = -1/(s+2) + 2/(s+3); (s+1)/((s+2)(s+4)) = -0.5/(s+2) + 1.5/(s+4)
    C << -1, 2, 0, -0.5, 0, 1.5;
    auto z = invariant_zeros(make_system(A, B, C));
    ASSERT_TRUE(z);
    ASSERT_EQ(z->finite.size(), 1u);
    EXPECT_NEAR(z->finite[0].real(), -1, 1e-12);
    C(0, 1) = 3;
    EXPECT_TRUE(invariant_zeros(make_system(A, B, C))->finite.empty());
    // Twice the same output: the second row adds nothing, and two inputs cannot be told apart.
    Eigen::MatrixXd twice(2, 3), two(3, 2);
    twice << -1, 2, 0, -1, 2, 0;
    two << 1, 1, 1, 1, 1, 1;
    z = invariant_zeros(make_system(A, two, twice));
    ASSERT_TRUE(z);
    EXPECT_TRUE(z->degenerate);
    EXPECT_EQ(z->normal_rank, 1);
    // No way from input to output at all.
    z = invariant_zeros(make_system(A, Eigen::MatrixXd::Zero(3, 1), C));
    EXPECT_EQ(z->normal_rank, 0);
}

TEST(Zeros, DoNotDependOnUnits) {
    StateSpace s = kailath();
    s.D(0, 0) = 1e-3;
    const auto before = invariant_zeros(s);
    const Eigen::VectorXd unit = (Eigen::VectorXd(5) << 1, 1e5, 1e-4, 10, 1e7).finished();
    StateSpace t = s;
    t.A = unit.asDiagonal() * s.A * unit.cwiseInverse().asDiagonal();
    t.B = unit.asDiagonal() * s.B * 1e6;
    t.C = s.C * unit.cwiseInverse().asDiagonal();
    t.D *= 1e6;
    const auto after = invariant_zeros(t);
    ASSERT_TRUE(before && after);
    ASSERT_EQ(before->finite.size(), after->finite.size());
    for (std::size_t i = 0; i < before->finite.size(); ++i)
        EXPECT_NEAR(std::abs(before->finite[i] - after->finite[i]), 0, 1e-5);
}

TEST(Staircase, NamesWhatIsNotReached) {
    Eigen::MatrixXd A = Eigen::Vector3d(-1, -2, 3).asDiagonal();
    Eigen::MatrixXd B(3, 1), C(1, 3);
    B << 1, 1, 0;
    C << 0, 1, 1;
    const StateSpace s = make_system(A, B, C);
    const auto reach = examine_controllability(s);
    EXPECT_EQ(reach.rank, 2);
    ASSERT_EQ(reach.fixed.size(), 1u);
    EXPECT_NEAR(reach.fixed[0].eigenvalue.real(), 3, 1e-12);
    EXPECT_EQ(reach.fixed[0].states.front(), 2);
    const auto show = examine_observability(s);
    EXPECT_EQ(show.rank, 2);
    EXPECT_NEAR(show.fixed[0].eigenvalue.real(), -1, 1e-12);
    EXPECT_EQ(show.fixed[0].states.front(), 0);
    for (const auto& d : reach.distances)
        if (d.eigenvalue.real() > 0)
            EXPECT_LT(d.distance, 1e-14);
        else
            EXPECT_GT(d.distance, 1e-3);
}

TEST(Staircase, IndicesOfKailath) {
    const StateSpace s = kailath();
    EXPECT_EQ(controllability_indices(s), (std::vector<Eigen::Index>{3, 2}));
    EXPECT_EQ(controllability_indices(s, CrateSearch::Columns), (std::vector<Eigen::Index>{4, 1}));
    EXPECT_TRUE(examine_controllability(s).complete());
    EXPECT_TRUE(examine_observability(s).complete());
}

// Controllable, of order 50, hidden by an orthogonal change of states together with 5 states that are not
// reached.
TEST(Staircase, RandomOfOrderFifty) {
    const Eigen::Index n = 55, k = 50;
    Eigen::MatrixXd A = random_matrix(n, n, 1) / std::sqrt(50.0);
    A.bottomLeftCorner(n - k, k).setZero();
    Eigen::MatrixXd B = random_matrix(n, 2, 2);
    B.bottomRows(n - k).setZero();
    const Eigen::MatrixXd Q =
        controllability_staircase(
            make_system(random_matrix(n, n, 3), random_matrix(n, 1, 4), Eigen::MatrixXd(0, n)))
            .Q;
    EXPECT_LT((Q.transpose() * Q - Eigen::MatrixXd::Identity(n, n)).norm(), 1e-12);
    const StateSpace s = make_system(Q * A * Q.transpose(), Q * B, random_matrix(1, n, 5));
    const Staircase form = controllability_staircase(s);
    EXPECT_EQ(form.reached, k);
    EXPECT_LT(form.largest_dropped, 1e-12);
    EXPECT_GT(form.smallest_kept, 1e-4);
}

TEST(Realization, MinimalKeepsTheTransferFunction) {
    // Kailath's system beside a copy that no input reaches and a state that no output shows.
    const StateSpace k = kailath();
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(7, 7), B = Eigen::MatrixXd::Zero(7, 2),
                    C = Eigen::MatrixXd::Zero(2, 7);
    A.topLeftCorner(5, 5) = k.A;
    A(5, 5) = 2;
    A(0, 5) = 1;
    A(6, 6) = -3;
    A(6, 1) = 1;
    B.topRows(5) = k.B;
    B(6, 0) = 1;
    C.leftCols(5) = k.C;
    const auto small = minimal_realization(make_system(A, B, C));
    EXPECT_EQ(small.system.order(), 5);
    EXPECT_EQ(small.uncontrollable, 1);
    EXPECT_EQ(small.unobservable, 1);
    const FrequencyResponse g(small.system);
    for (double w : {0.1, 1.0, 7.0})
        EXPECT_LT(largest(g.at(Complex(0, w)) - kailath_transfer({0, w})), 1e-12);
    const auto same = minimal_realization(k);
    EXPECT_EQ(same.system.states, k.states);
    EXPECT_EQ(same.system.A, k.A);
}

TEST(Lyapunov, ContinuousAndSampled) {
    const Eigen::MatrixXd R = random_matrix(30, 30, 7), Q = R * R.transpose();
    Eigen::MatrixXd A = random_matrix(30, 30, 8);
    auto x = solve_lyapunov(A, Q, false);
    ASSERT_TRUE(x);
    EXPECT_LT((A * x->X + x->X * A.transpose() + Q).norm() / Q.norm(), 1e-9);
    EXPECT_LT(x->residual, 1e-12);
    A /= 12;
    x = solve_lyapunov(A, Q, true);
    ASSERT_TRUE(x);
    EXPECT_LT((A * x->X * A.transpose() - x->X + Q).norm() / Q.norm(), 1e-12);
    // s and -s: no unique solution
    Eigen::MatrixXd saddle = Eigen::Vector2d(1, -1).asDiagonal();
    const auto none = solve_lyapunov(saddle, Eigen::MatrixXd::Identity(2, 2), false);
    EXPECT_TRUE(!none || none->residual > 1e-3 || none->X.norm() > 1e10);
}

TEST(Gramian, ClosedForm) {
    // x' = -a x + u: 1/(2a)
    Diagnostics diagnostics;
    Eigen::MatrixXd A(1, 1), B(1, 1), C(1, 1);
    A << -4;
    B << 2;
    C << 3;
    const auto g = gramians(make_system(A, B, C), diagnostics);
    ASSERT_TRUE(g);
    EXPECT_NEAR(g->controllability(0, 0), 0.5, 1e-14);
    EXPECT_NEAR(g->observability(0, 0), 9.0 / 8, 1e-14);
    EXPECT_NEAR(g->hankel[0], 0.75, 1e-14);
}

TEST(Gramian, FactorOfRandomSystem) {
    for (bool sampled : {false, true}) {
        Eigen::MatrixXd A = random_matrix(20, 20, 9) / 5;
        if (sampled)
            A /= 2;
        else
            A -= 2.0 * Eigen::MatrixXd::Identity(20, 20);
        StateSpace s = make_system(A, random_matrix(20, 3, 10), random_matrix(2, 20, 11));
        if (sampled) s.sample_time = 0.1;
        Diagnostics diagnostics;
        const auto g = gramians(s, diagnostics);
        ASSERT_TRUE(g);
        EXPECT_LT(g->controllability_residual, 1e-13);
        EXPECT_LT(g->observability_residual, 1e-13);
        const auto balanced = balanced_realization(s, {}, diagnostics);
        ASSERT_TRUE(balanced);
        const auto again = gramians(balanced->system, diagnostics);
        const Eigen::MatrixXd sigma = balanced->hankel.head(balanced->order).asDiagonal();
        EXPECT_LT((again->controllability - sigma).norm() / sigma.norm(), 1e-8);
        EXPECT_LT((again->observability - sigma).norm() / sigma.norm(), 1e-8);
        // Truncation keeps the promise of its bound.
        const auto few = balanced_realization(s, 6, diagnostics);
        const FrequencyResponse full(s), small(few->system);
        for (double w : {0.0, 0.3, 1.0, 3.0, 10.0}) {
            const std::vector<double> at{w};
            const double error = singular_norm(full.at_frequencies(at)[0] - small.at_frequencies(at)[0]);
            EXPECT_LE(error, few->error_bound * (1 + 1e-9));
        }
    }
}

TEST(Gramian, SaysWhichModeIsNotStable) {
    Eigen::MatrixXd A = Eigen::Vector2d(-1, 0).asDiagonal();
    Diagnostics diagnostics;
    EXPECT_FALSE(
        gramians(make_system(A, Eigen::MatrixXd::Ones(2, 1), Eigen::MatrixXd::Ones(1, 2)), diagnostics));
    ASSERT_EQ(diagnostics.all().size(), 1u);
    EXPECT_NE(diagnostics.all()[0].message.find("0 (x2)"), std::string::npos) << diagnostics.all()[0].message;
}

TEST(MatrixFunctions, ExponentialAndLogarithm) {
    Eigen::MatrixXd A(2, 2);
    A << 0, 1, -1, 0;
    const Eigen::MatrixXd turn = *matrix_exponential(A * 2.5);
    EXPECT_NEAR(turn(0, 0), std::cos(2.5), 1e-14);
    EXPECT_NEAR(turn(0, 1), std::sin(2.5), 1e-14);
    A << -1, 1e8, 0, -2;  // badly scaled: exact value known
    const Eigen::MatrixXd e = *matrix_exponential(A);
    EXPECT_NEAR(e(0, 1) / (1e8 * (std::exp(-1) - std::exp(-2))), 1, 1e-14);
    const Eigen::MatrixXd R = random_matrix(12, 12, 12) / 4;
    EXPECT_LT((*matrix_logarithm(*matrix_exponential(R)) - R).norm(), 1e-11);
    EXPECT_FALSE(matrix_logarithm(-Eigen::MatrixXd::Identity(2, 2)));
}

TEST(Sampling, HoldOfDoubleIntegratorAndBack) {
    Eigen::MatrixXd A(2, 2), B(2, 1), C(1, 2);
    A << 0, 1, 0, 0;
    B << 0, 1;
    C << 1, 0;
    Diagnostics diagnostics;
    const StateSpace s = make_system(A, B, C);
    const auto d = sample(s, 0.2, SamplingMethod::ZeroOrderHold, diagnostics);
    ASSERT_TRUE(d);
    EXPECT_NEAR(d->A(0, 1), 0.2, 1e-15);
    EXPECT_NEAR(d->B(0), 0.02, 1e-15);
    EXPECT_NEAR(d->B(1), 0.2, 1e-15);
    const auto back = continuous_from_sampled(*d, SamplingMethod::ZeroOrderHold, diagnostics);
    ASSERT_TRUE(back);
    EXPECT_LT((back->A - A).norm() + (back->B - B).norm(), 1e-12);
}

TEST(Sampling, TustinKeepsTheResponseAtItsFrequency) {
    const StateSpace s = kailath();
    Diagnostics diagnostics;
    const double period = 0.3, w = 2;
    const auto d = sample(s, period, SamplingMethod::Tustin, diagnostics, w);
    ASSERT_TRUE(d);
    EXPECT_LT(largest(FrequencyResponse(*d).at(std::polar(1.0, w * period)) - kailath_transfer({0, w})),
              1e-12);
    const auto plain = sample(s, period, SamplingMethod::Tustin, diagnostics);
    const Complex z = std::polar(1.0, 0.4);
    EXPECT_LT(largest(FrequencyResponse(*plain).at(z) - kailath_transfer(2 / period * (z - 1.0) / (z + 1.0))),
              1e-12);
    const auto back = continuous_from_sampled(*plain, SamplingMethod::Tustin, diagnostics);
    EXPECT_LT(
        (back->A - s.A).norm() + (back->B - s.B).norm() + (back->C - s.C).norm() + (back->D - s.D).norm(),
        1e-11);
}

TEST(TimeResponse, StepOfOscillator) {
    // w = 2, zeta = 0.3
    const double w = 2, zeta = 0.3, wd = w * std::sqrt(1 - zeta * zeta);
    Eigen::MatrixXd A(2, 2), B(2, 1), C(1, 2);
    A << 0, 1, -w * w, -2 * zeta * w;
    B << 0, w * w;
    C << 1, 0;
    const StateSpace s = make_system(A, B, C);
    Diagnostics diagnostics;
    const auto grid = response_grid(s, {}, {}, diagnostics);
    const auto response = step_response(s, 0, *grid);
    ASSERT_TRUE(response);
    for (std::size_t k = 0; k < response->time.size(); k += 37) {
        const double t = response->time[k];
        const double y = 1 - std::exp(-zeta * w * t) * (std::cos(wd * t) + zeta * w / wd * std::sin(wd * t));
        EXPECT_NEAR(response->outputs(k, 0), y, 1e-12);
    }
    const auto info = step_information(*response, 0, dc_gain(s)(0, 0), StepEnd::Settles);
    EXPECT_NEAR(*info.overshoot, 100 * std::exp(-M_PI * zeta / std::sqrt(1 - zeta * zeta)), 1e-4);
    EXPECT_NEAR(*info.peak_time, M_PI / wd, 1e-5);
    ASSERT_TRUE(info.settling_time);
    const double t = *info.settling_time;
    EXPECT_NEAR(std::abs(std::exp(-zeta * w * t) * (std::cos(wd * t) + zeta * w / wd * std::sin(wd * t))),
                0.02, 1e-6);
    // First order: rise time ln(9)/a
    const StateSpace lag =
        make_system(-Eigen::MatrixXd::Ones(1, 1), Eigen::MatrixXd::Ones(1, 1), Eigen::MatrixXd::Ones(1, 1));
    const auto slow = step_response(lag, 0, *response_grid(lag, {}, {}, diagnostics));
    EXPECT_NEAR(*step_information(*slow, 0, 1, StepEnd::Settles).rise_time, std::log(9.0), 1e-6);
    EXPECT_NEAR(*step_information(*slow, 0, 1, StepEnd::Settles).settling_time, std::log(50.0), 1e-6);
}

TEST(Connections, FeedbackAndSeries) {
    // 1/s in a loop with gain 5: 1/(s+5)
    const StateSpace integrator =
        make_system(Eigen::MatrixXd::Zero(1, 1), Eigen::MatrixXd::Ones(1, 1), Eigen::MatrixXd::Ones(1, 1));
    Diagnostics diagnostics;
    const auto closed =
        feedback(integrator, static_gain(Eigen::MatrixXd::Constant(1, 1, 5), {"a"}, {"b"}, {}), diagnostics);
    ASSERT_TRUE(closed);
    EXPECT_NEAR(closed->A(0, 0), -5, 1e-15);
    EXPECT_NEAR(dc_gain(*closed)(0, 0), 0.2, 1e-15);
    EXPECT_TRUE(std::isinf(dc_gain(integrator)(0, 0)));
    const auto both = series(*closed, *closed, diagnostics);
    EXPECT_NEAR(dc_gain(*both)(0, 0), 0.04, 1e-15);
    EXPECT_NEAR(std::abs(FrequencyResponse(*parallel(*closed, *both, diagnostics)).at(Complex(0, 5))(0, 0) -
                         (1.0 / Complex(5, 5) + 1.0 / (Complex(5, 5) * Complex(5, 5)))),
                0, 1e-14);
}

TEST(FrequencyResponseTest, DenseSparseAndDirectAgree) {
    for (Eigen::Index n : {1, 2, 3, 40}) {
        StateSpace s = make_system(random_matrix(n, n, 20), random_matrix(n, 2, 21), random_matrix(3, n, 22));
        s.D = random_matrix(3, 2, 23);
        for (bool transposed : {false, true}) {
            const StateSpace t = transposed ? dual(s) : s;
            const FrequencyResponse g(t);
            for (double w : {0.0, 0.5, 30.0}) {
                const Eigen::MatrixXcd M =
                    Complex(0, w) * Eigen::MatrixXcd::Identity(n, n) - t.A.cast<Complex>();
                const Eigen::MatrixXcd direct =
                    t.C.cast<Complex>() * ComplexSolver(M).solve(t.B.cast<Complex>()) + t.D.cast<Complex>();
                EXPECT_LT(largest(g.at(Complex(0, w)) - direct), 1e-10 * (1 + largest(direct)));
            }
        }
    }
    // Heat in a rod of 300 pieces, sparse, against cosh: the form with E as well.
    const Eigen::Index n = 300;
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n), B = Eigen::MatrixXd::Zero(n, 1),
                    C = Eigen::MatrixXd::Zero(1, n);
    SparseElements a{n, n, {}}, e{n, n, {}};
    for (Eigen::Index i = 0; i < n; ++i) {
        A(i, i) = i + 1 < n ? -2 : -1;
        if (i > 0) A(i, i - 1) = 1;
        if (i + 1 < n) A(i, i + 1) = 1;
        e.elements.push_back({i, i, 2});
        for (Eigen::Index j = 0; j < n; ++j)
            if (A(i, j) != 0) a.elements.push_back({i, j, 2 * A(i, j)});
    }
    B(0) = 1;
    C(n - 1) = 1;
    const FrequencyResponse rod(make_system(A, B, C)), form(e, a, 2 * B, C, Eigen::MatrixXd::Zero(1, 1));
    EXPECT_TRUE(rod.uses_sparse());
    for (double w : {1e-6, 1e-4, 1e-2}) {
        // x_{i+1} - (2 + s) x_i + x_{i-1} = 0 with x_{n+1} = x_n: 1/(cosh((n + 1/2) k)/cosh(k/2)), 2 cosh k =
        // 2 + s
        const Complex k = std::acosh(1.0 + Complex(0, w) / 2.0);
        const Complex exact = std::cosh(k / 2.0) / std::cosh((n + 0.5) * k);
        EXPECT_LT(std::abs(rod.at(Complex(0, w))(0, 0) - exact) / std::abs(exact), 1e-9);
        EXPECT_LT(std::abs(form.at(Complex(0, w))(0, 0) - exact) / std::abs(exact), 1e-9);
    }
}

}  // namespace
}  // namespace cutset
