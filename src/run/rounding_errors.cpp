#include "run/rounding_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace cutset {

namespace {

class RoundingErrors {
  public:
    RoundingErrors(const Loop& loop, Interpreter& values, double noise_of_calls)
        : loop_(loop), values_(values), noise_of_calls_(noise_of_calls) {
        // Tearing variables are found up to the rounding of their nominal values.
        for (std::size_t i = 0; i < loop.torn.size(); ++i) {
            const double x = values[loop.torn[i]];
            known_[loop.torn[i]] = {x, std::max(std::abs(x), loop.nominal[i])};
        }
    }

    bool explain_residuals() {
        const std::vector<Instruction>& code = loop_.residual.instructions;
        for (std::size_t at = 0; at < code.size();) {
            const Instruction& i = code[at++];
            switch (i.code) {
                case Code::Jump:
                    at = std::max<std::size_t>(at, i.to);
                    break;
                case Code::JumpFalse:
                    if (of(i.a).value == 0) at = std::max<std::size_t>(at, i.to);
                    break;
                case Code::Switch:
                    if (values_.live_switches()) break;
                    known_[i.to] = {values_[values_.program().layout.switches[i.a]], 0};
                    at = std::max<std::size_t>(at, i.b);
                    break;
                case Code::Call: {
                    const CallSite& site = values_.program().calls[i.a];
                    std::vector<double> arguments;
                    for (Slot slot : site.arguments) arguments.push_back(of(slot).value);
                    const auto value = values_.call(site, arguments);
                    if (!value) return false;
                    known_[i.to] = {*value, noise_of_calls_ * std::abs(*value)};
                    break;
                }
                case Code::Delay: {  // of the same past at each evaluation
                    const Section alone{{i}, 0};
                    if (values_[i.b] != of(i.b).value || !values_.interpret(alone)) return false;
                    known_[i.to] = {values_[i.to], std::abs(values_[i.to])};
                    break;
                }
                case Code::Solve:
                    return false;
                default:
                    known_[i.to] = result(i);
                    break;
            }
        }
        return std::all_of(loop_.residual_slots.begin(), loop_.residual_slots.end(), [&](Slot slot) {
            const Estimate e = of(slot);
            return std::isfinite(e.error) && std::abs(e.value) <= 4 * unit * e.error;
        });
    }

  private:
    static constexpr double unit = std::numeric_limits<double>::epsilon();
    struct Estimate {
        double value, error;  // the error as a multiple of the unit of rounding
    };

    Estimate of(Slot slot) const {
        const auto found = known_.find(slot);
        return found == known_.end() ? Estimate{values_[slot], std::abs(values_[slot])} : found->second;
    }
    Estimate result(const Instruction& i) const {
        const Estimate a = of(i.a), b = of(i.b);
        const auto rounded = [](double value, double error) {
            return Estimate{value, error + std::abs(value)};
        };
        switch (i.code) {
            case Code::Copy:
                return a;
            case Code::Negate:
                return {-a.value, a.error};
            case Code::Add:
                return rounded(a.value + b.value, a.error + b.error);
            case Code::Subtract:
                return rounded(a.value - b.value, a.error + b.error);
            case Code::Multiply:
                return rounded(a.value * b.value, a.error * std::abs(b.value) + std::abs(a.value) * b.error);
            case Code::Divide: {
                const double quotient = a.value / b.value;
                return rounded(quotient, (a.error + std::abs(quotient) * b.error) / std::abs(b.value));
            }
            default:
                break;
        }
        // How far the value of a function moves when its arguments do.
        const auto at = [&](double x, double y) {
            return i.code == Code::Unary ? apply_unary(i.op, x) : apply_binary(i.op, x, y);
        };
        const double here = at(a.value, b.value);
        const auto farthest = [&](double part) {
            double far = 0;
            for (double side : {part * unit, -part * unit})
                for (double there :
                     {at(a.value + side * a.error, b.value), at(a.value, b.value + side * b.error)})
                    if (std::isfinite(there)) far = std::max(far, std::abs(there - here));
            return far;
        };
        double far = farthest(1);
        // A jump (x**y at x = y = 0) is no rounding: it stays when the arguments move by less and less.
        if (i.code == Code::Binary && far > 0 && farthest(1e-6) > 0.5 * far) far = 0;
        return rounded(here, far / unit);
    }

    const Loop& loop_;
    Interpreter& values_;
    double noise_of_calls_;
    std::unordered_map<Slot, Estimate> known_;  // looked up only
};

}  // namespace

bool residuals_are_rounding(const Loop& loop, Interpreter& values, double noise_of_calls) {
    return RoundingErrors(loop, values, noise_of_calls).explain_residuals();
}

}  // namespace cutset
