// The past of a multistep method as a polynomial in s = (t - end) / h, where `end` is the end of the last
// step and h its length (Nordsieck's form):  x(s) = z_0 + z_1 s + ... + z_q s^q. To predict is to move the
// origin, to change the step to scale the columns. A prediction stands beside the past until it is taken, so
// that a failed step leaves nothing to undo. Private to src/numerics.
#pragma once

#include <array>
#include <span>
#include <vector>

namespace cutset {

class Nordsieck {
  public:
    static constexpr int most_order = 5;

    explicit Nordsieck(std::size_t n);

    // Order 1: the tangent.
    void begin(std::span<const double> x, std::span<const double> slope, double h);
    // The slope anew, order 1; the lengths of the past steps stay.
    void begin_again(std::span<const double> slope, double h);

    int order() const { return order_; }
    double step() const { return step_; }
    // Lengths of the past steps, the last one first.
    std::span<const double> past_steps() const { return past_steps_; }
    std::span<const double> column(int j) const { return {columns_.data() + offset(j), n_}; }
    std::span<const double> predicted(int j) const { return {predicted_.data() + offset(j), n_}; }

    // The polynomial seen from the end of a step h.
    void predict(double h);
    // The step h is done: what was predicted plus l_j times the correction.
    void take(double h, std::span<const double> l, std::span<const double> correction);
    // One order more, where `difference` is the last correction; one less.
    void raise(std::span<const double> difference);
    void lower();

    // State and, when not empty, derivative.
    void at(double s, std::span<double> x, std::span<double> dx) const;

  private:
    std::size_t offset(int j) const { return static_cast<std::size_t>(j) * n_; }
    template <int Order>
    void predict_order(double ratio);
    template <int Order>
    void take_order(const double* l, const double* correction);

    std::size_t n_;
    int order_ = 1;
    double step_ = 0;
    std::array<double, most_order + 1> past_steps_{};
    std::vector<double> columns_, predicted_;
};

}  // namespace cutset
