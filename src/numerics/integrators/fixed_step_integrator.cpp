// Methods with fixed step, as real-time programs use them: Euler's and the classical Runge-Kutta method. The
// dense output is the cubic through values and derivatives at both ends.
#include <algorithm>
#include <array>
#include <cmath>

#include "numerics/integrators/classical_runge_kutta.h"
#include "numerics/integrators/hermite.h"
#include "numerics/integrators/integrator_makers.h"
#include "numerics/integrators/stepping_integrator.h"

namespace cutset {

namespace {

class FixedStepIntegrator : public SteppingIntegrator {
  public:
    explicit FixedStepIntegrator(IvpProblem problem) : SteppingIntegrator(std::move(problem)) {}

  protected:
    // next_ from y_, f_; false when a derivative cannot be evaluated.
    virtual bool formula(double h) = 0;

    void remember_past(MemoryStream& memory) override {
        cubic_.remember(memory);
        memory("dense step", step_);
        memory("spacing", spacing_);
        memory("origin", origin_);
    }
    void begin() override {
        if (!origin_) origin_ = t_;
    }
    Attempt attempt(double h) override {
        if (!formula(h) || evaluate(t_ + h, next_, next_f_) != 0) return {Attempt::Outcome::Impossible};
        return {};
    }
    void accept(double h) override {
        step_ = h;
        cubic_.set(h, std::array{HermiteInterpolant::Node{y_, f_}, HermiteInterpolant::Node{next_, next_f_}});
    }
    void dense(double theta, std::span<double> x, std::span<double> dx) const override {
        cubic_.evaluate(theta * step_, x, dx);
    }
    double after_accepted(double h, double) override { return h; }
    double after_rejected(double h, double) override { return h; }
    bool fixed() const override { return true; }
    // To the next point of the grid, also after an event between its points.
    double next_fixed_step(double t_stop) override {
        if (spacing_ == 0) {
            const double longest = functions_.problem().max_step;
            spacing_ = functions_.problem().fixed_step.value_or(
                std::isfinite(longest) ? longest : (t_stop - t_) / 1000);
        }
        const double done = (t_ - *origin_) / spacing_;
        double next = std::floor(done) + 1;
        if (next - done < 1e-6) next += 1;  // the rounding of times
        return *origin_ + next * spacing_ - t_;
    }

  private:
    HermiteInterpolant cubic_;
    double step_ = 0;
    double spacing_ = 0;
    std::optional<double> origin_;
};

class EulerIntegrator : public FixedStepIntegrator {
  public:
    explicit EulerIntegrator(IvpProblem problem) : FixedStepIntegrator(std::move(problem)) {
        statistics_.last_order = 1;
    }
    std::string_view first_method() const override { return "euler"; }

  private:
    bool formula(double h) override {
        for (std::size_t i = 0; i < size(); ++i) next_[i] = y_[i] + h * f_[i];
        return true;
    }
    double order() const override { return 1; }
};

class Rk4Integrator : public FixedStepIntegrator {
  public:
    explicit Rk4Integrator(IvpProblem problem)
        : FixedStepIntegrator(std::move(problem)), runge_kutta_(size()) {
        statistics_.last_order = 4;
    }
    std::string_view first_method() const override { return "rk4"; }

  private:
    bool formula(double h) override { return runge_kutta_.step(functions_, t_, y_, f_, h, next_); }
    double order() const override { return 4; }

    ClassicalRungeKutta runge_kutta_;
};

}  // namespace

std::unique_ptr<Integrator> make_euler_integrator(IvpProblem problem) {
    return std::make_unique<EulerIntegrator>(std::move(problem));
}

std::unique_ptr<Integrator> make_rk4_integrator(IvpProblem problem) {
    return std::make_unique<Rk4Integrator>(std::move(problem));
}

}  // namespace cutset
