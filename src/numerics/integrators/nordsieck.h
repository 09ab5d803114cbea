// The past of a multistep method as a polynomial in s = (t - end) / h, where `end` is the end of the last
// step and h its length (Nordsieck's form):  x(s) = z_0 + z_1 s + ... + z_q s^q. To predict is to move the
// origin, to change the step to scale the columns. Of a prediction only its first two columns are kept; a
// failed step leaves nothing to undo. A step that is taken is worked into the columns by the next prediction,
// in the same pass over memory, or when they are read: systems with many states spend their time
// on moving memory. Private to src/numerics.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "base/memory.h"

namespace cutset {

class Nordsieck {
  public:
    static constexpr int most_order = 5;

    explicit Nordsieck(std::size_t n);

    // Order 1: the tangent.
    void begin(std::span<const double> x, std::span<const double> slope, double h);
    // The slope anew, order 1; the lengths of the past steps stay.
    void begin_again(std::span<const double> slope, double h);

    void remember(MemoryStream& memory) {
        if (!memory.restores()) settle();
        memory("columns", columns_);
        memory("order of columns", order_);
        memory("step of columns", step_);
        memory("past steps", past_steps_);
        if (order_ < 1 || order_ > most_order) memory.fail();
        if (memory.restores()) taken_.correction = nullptr;
    }

    int order() const { return order_; }
    double step() const { return step_; }
    // Lengths of the past steps, the last one first.
    std::span<const double> past_steps() const { return past_steps_; }
    std::span<const double> column(int j) const {
        settle();
        return {columns_.data() + offset(j), n_};
    }
    // x := the column of the highest power.
    void copy_last_column(std::span<double> x) const;
    // j = 0, 1.
    std::span<const double> predicted(int j) const { return {predicted_.data() + offset(j), n_}; }

    // The polynomial seen from the end of a step h. `visit(begin, x)` is called for pieces of a few hundred
    // states, in order, with x the states from `begin` on as they are now.
    template <class Visit>
    void predict(double h, Visit visit) {
        ratio_ = h / step_;
        for (std::size_t begin = 0; begin < n_; begin += piece) {
            const std::size_t end = n_ - begin < piece ? n_ : begin + piece;
            predict_piece(begin, end);
            visit(begin, std::span<const double>(columns_.data() + begin, end - begin));
        }
        taken_.correction = nullptr;
    }
    void predict(double h) {
        predict(h, [](std::size_t, std::span<const double>) {});
    }
    // The step h that was predicted is done: what was predicted plus l_j times the correction, whose memory
    // must stay as it is until the next prediction or change of the order.
    void take(double h, std::span<const double> l, std::span<const double> correction);
    // One order more, where `difference` is the last correction; one less.
    void raise(std::span<const double> difference);
    void lower();

    // State and, when not empty, derivative.
    void at(double s, std::span<double> x, std::span<double> dx) const;

  private:
    static constexpr std::size_t piece = 256;

    std::size_t offset(int j) const { return static_cast<std::size_t>(j) * n_; }
    void predict_piece(std::size_t begin, std::size_t end);
    // The columns with the step that was taken.
    void settle() const;

    // A step that is not worked in yet.
    struct Taken {
        double ratio = 1;
        std::array<double, most_order + 1> l{};
        const double* correction = nullptr;  // none: all is worked in
    };

    std::size_t n_;
    int order_ = 1;
    double step_ = 0;
    double ratio_ = 1;  // of the step predicted to the last one
    std::array<double, most_order + 1> past_steps_{};
    mutable std::vector<double> columns_;
    mutable Taken taken_;
    std::vector<double> predicted_;
};

}  // namespace cutset
