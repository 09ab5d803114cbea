// Hamming's modified predictor-corrector method of fourth order, the standard method of Simnon (HAMPC):
//     p = x[n-3] + 4h/3 (2 f[n] - f[n-1] + 2 f[n-2])
//     m = p - 112/121 (p - c)[n]
//     c = (9 x[n] - x[n-2] + 3h (f(m) + 2 f[n] - f[n-1])) / 8
//     x[n+1] = c + 9/121 (p - c),   which is also the estimate of the error
// The step is doubled by leaving out every second point of the past and halved by interpolation in it. The
// first points are computed by the classical Runge-Kutta method, two half steps compared with a whole one.
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>

#include "numerics/integrators/classical_runge_kutta.h"
#include "numerics/integrators/hermite.h"
#include "numerics/integrators/integrator_makers.h"
#include "numerics/integrators/stepping_integrator.h"

namespace cutset {

namespace {

constexpr double error_to_double = 1.0 / 50;  // twice the step gives 32 times the error
constexpr double error_of_a_jump = 1e4;       // so much is no matter of the step: begin anew
constexpr std::size_t points_to_step = 4;
constexpr std::size_t points_to_double = 7;

class HammingIntegrator : public SteppingIntegrator {
  public:
    explicit HammingIntegrator(IvpProblem problem)
        : SteppingIntegrator(std::move(problem)),
          runge_kutta_(size()),
          predicted_(size()),
          modified_(size()),
          slope_(size()),
          difference_(size()),
          last_difference_(size()),
          error_(size()),
          middle_{std::vector<double>(size()), std::vector<double>(size())} {
        statistics_.last_order = 4;
    }
    std::string_view first_method() const override { return "hamming"; }

  private:
    struct Point {
        std::vector<double> x, f;
    };

    void remember_past(MemoryStream& memory) override {
        std::size_t points = past_.size();
        memory("points", points);
        if (points > points_to_double) return memory.fail();
        past_.resize(points, Point{std::vector<double>(size()), std::vector<double>(size())});
        for (Point& p : past_) {
            memory("past", p.x);
            memory("past slope", p.f);
        }
        memory("spacing", spacing_);
        memory("steps since change", steps_since_change_);
        memory("multistep", multistep_);
        memory("last difference", last_difference_);
        quintic_.remember(memory);
        memory("dense from", dense_from_);
        memory("dense step", step_);
    }

    void begin() override { past_.clear(); }

    Attempt attempt(double h) override {
        multistep_ = past_.size() >= points_to_step && std::abs(h - spacing_) <= 1e-9 * spacing_;
        return multistep_ ? predict_and_correct(h) : two_runge_kutta_steps(h);
    }

    Attempt two_runge_kutta_steps(double h) {
        auto& whole = predicted_;
        if (!runge_kutta_.step(functions_, t_, y_, f_, h, whole) ||
            !runge_kutta_.step(functions_, t_, y_, f_, h / 2, middle_.x) ||
            evaluate(t_ + h / 2, middle_.x, middle_.f) != 0 ||
            !runge_kutta_.step(functions_, t_ + h / 2, middle_.x, middle_.f, h / 2, next_) ||
            evaluate(t_ + h, next_, next_f_) != 0)
            return {Attempt::Outcome::Impossible};
        for (std::size_t i = 0; i < size(); ++i) error_[i] = (next_[i] - whole[i]) / 15;
        return {Attempt::Outcome::Done, error_norm(error_)};
    }

    Attempt predict_and_correct(double h) {
        const auto& [p0, p1, p2, p3] = std::tie(past_[0], past_[1], past_[2], past_[3]);
        for (std::size_t i = 0; i < size(); ++i) {
            predicted_[i] = p3.x[i] + 4 * h / 3 * (2 * p0.f[i] - p1.f[i] + 2 * p2.f[i]);
            modified_[i] = predicted_[i] - 112.0 / 121 * last_difference_[i];
        }
        if (evaluate(t_ + h, modified_, slope_) != 0) return {Attempt::Outcome::Impossible};
        for (std::size_t i = 0; i < size(); ++i) {
            const double corrected =
                (9 * p0.x[i] - p2.x[i] + 3 * h * (slope_[i] + 2 * p0.f[i] - p1.f[i])) / 8;
            difference_[i] = predicted_[i] - corrected;
            error_[i] = 9.0 / 121 * difference_[i];
            next_[i] = corrected + error_[i];
        }
        if (evaluate(t_ + h, next_, next_f_) != 0) return {Attempt::Outcome::Impossible};
        return {Attempt::Outcome::Done, error_norm(error_)};
    }

    void accept(double h) override {
        step_ = h;
        using Node = HermiteInterpolant::Node;
        if (multistep_) {
            quintic_.set(h, std::array{Node{past_[1].x, past_[1].f}, Node{y_, f_}, Node{next_, next_f_}});
            dense_from_ = h;
            std::swap(last_difference_, difference_);
            ++steps_since_change_;
        } else {
            quintic_.set(h / 2, std::array{Node{y_, f_}, Node{middle_.x, middle_.f}, Node{next_, next_f_}});
            dense_from_ = 0;
            if (past_.empty() || std::abs(spacing_ - h / 2) > 1e-9 * spacing_) {
                past_.clear();
                past_.push_front({y_, f_});
            }
            spacing_ = h / 2;
            past_.push_front(middle_);
            std::fill(last_difference_.begin(), last_difference_.end(), 0.0);
            steps_since_change_ = 0;
        }
        past_.push_front({next_, next_f_});
        while (past_.size() > points_to_double) past_.pop_back();
    }

    void dense(double theta, std::span<double> x, std::span<double> dx) const override {
        quintic_.evaluate(dense_from_ + theta * step_, x, dx);
    }

    double after_accepted(double h, double error) override {
        if (!multistep_) {
            if (error < error_to_double) return 2 * h;  // the points gathered so far lie too close
            return past_.size() >= points_to_step ? spacing_ : h;
        }
        if (error < error_to_double && past_.size() >= points_to_double &&
            steps_since_change_ >= points_to_step && 2 * spacing_ <= functions_.problem().max_step) {
            for (std::size_t k = 1; k < points_to_step; ++k) past_[k] = std::move(past_[2 * k]);
            past_.resize(points_to_step);
            change_spacing(2 * spacing_);
        }
        return spacing_;
    }

    double after_rejected(double h, double error) override {
        if (!multistep_ || error > error_of_a_jump || !halve()) {
            past_.clear();
            return h * std::clamp(0.9 * std::pow(error, -0.2), 0.1, 0.5);
        }
        return spacing_;
    }

    double after_obstacle(double h, double retry) override {
        past_.clear();
        return h * retry;
    }

    // The points at n - 1/2 and n - 3/2 by the polynomial of sixth degree through the past.
    bool halve() {
        const double h = spacing_;
        Point first{std::vector<double>(size()), std::vector<double>(size())}, second = first;
        const auto& [p0, p1, p2, p3] = std::tie(past_[0], past_[1], past_[2], past_[3]);
        for (std::size_t i = 0; i < size(); ++i) {
            first.x[i] = (80 * p0.x[i] + 135 * p1.x[i] + 40 * p2.x[i] + p3.x[i] +
                          15 * h * (-p0.f[i] + 6 * p1.f[i] + p2.f[i])) /
                         256;
            second.x[i] = (12 * p0.x[i] + 135 * p1.x[i] + 108 * p2.x[i] + p3.x[i] +
                           3 * h * (-p0.f[i] - 18 * p1.f[i] + 9 * p2.f[i])) /
                          256;
        }
        if (evaluate(t_ - h / 2, first.x, first.f) != 0 || evaluate(t_ - 3 * h / 2, second.x, second.f) != 0)
            return false;
        past_[2] = std::move(past_[1]);
        past_[1] = std::move(first);
        past_[3] = std::move(second);
        past_.resize(points_to_step);
        change_spacing(h / 2);
        return true;
    }

    void change_spacing(double spacing) {
        spacing_ = spacing;
        steps_since_change_ = 0;
        std::fill(last_difference_.begin(), last_difference_.end(), 0.0);
    }

    double order() const override { return 5; }

    ClassicalRungeKutta runge_kutta_;
    std::deque<Point> past_;  // the newest first, `spacing_` apart
    double spacing_ = 0;
    std::size_t steps_since_change_ = 0;
    bool multistep_ = false;  // the last attempt
    std::vector<double> predicted_, modified_, slope_, difference_, last_difference_, error_;
    Point middle_;
    HermiteInterpolant quintic_;
    double dense_from_ = 0, step_ = 0;
};

}  // namespace

std::unique_ptr<Integrator> make_hamming_integrator(IvpProblem problem) {
    return std::make_unique<HammingIntegrator>(std::move(problem));
}

}  // namespace cutset
