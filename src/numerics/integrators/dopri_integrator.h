// DOPRI 5(4), the explicit Runge-Kutta method of Dormand and Prince with local extrapolation, the dense
// output of fourth order and the measure of stiffness of Hairer and Wanner. Private to src/numerics.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "numerics/integrators/step_controller.h"
#include "numerics/integrators/stepping_integrator.h"

namespace cutset {

class DopriIntegrator : public SteppingIntegrator {
  public:
    explicit DopriIntegrator(IvpProblem problem);
    std::string_view first_method() const override { return "dopri"; }

    // The steps are limited by stability rather than accuracy, and have been for some time.
    bool stiff() const { return stiff_steps_ >= stiff_limit; }

  protected:
    void remember_past(MemoryStream& memory) override;
    void begin() override;
    Attempt attempt(double h) override;
    void accept(double h) override;
    void dense(double theta, std::span<double> x, std::span<double> dx) const override;
    double after_accepted(double h, double error) override { return controller_.accepted(h, error); }
    double after_rejected(double h, double error) override { return controller_.rejected(h, error); }
    double after_obstacle(double h, double retry) override;
    double order() const override { return 5; }

  private:
    static constexpr int stiff_limit = 15;
    static constexpr int calm_limit = 6;

    StepController controller_;
    std::array<std::vector<double>, 7> k_;      // stages; k_[0] and k_[6] are the derivatives at the ends
    std::array<std::vector<double>, 5> dense_;  // coefficients
    std::vector<double> stage_, last_stage_, error_;
    double dense_step_ = 0;  // its length
    int stiff_steps_ = 0, calm_steps_ = 0;
};

}  // namespace cutset
