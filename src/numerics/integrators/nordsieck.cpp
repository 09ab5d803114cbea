#include "numerics/integrators/nordsieck.h"

#include <algorithm>
#include <utility>

#include "base/diagnostic.h"

namespace cutset {

namespace {

// Calls f.template operator()<order>().
template <class F>
void for_order(int order, F f) {
    switch (order) {
        case 1:
            return f.template operator()<1>();
        case 2:
            return f.template operator()<2>();
        case 3:
            return f.template operator()<3>();
        case 4:
            return f.template operator()<4>();
        case 5:
            return f.template operator()<5>();
        default:
            CUTSET_ASSERT(false);
    }
}

// Two states at a time. Numbers are moved by name, not by memcpy, so that they stay in registers.
using Pair [[gnu::vector_size(2 * sizeof(double))]] = double;

Pair pair_at(const double* p) {
    return Pair{p[0], p[1]};
}
double one_at(const double* p) {
    return *p;
}
void put(double* p, const Pair& v) {
    p[0] = v[0];
    p[1] = v[1];
}
void put(double* p, double v) {
    *p = v;
}

// c(ratio s + ratio): Pascal's triangle.
template <int Order, class Number>
void move_origin(Number* c, const double* powers) {
    for (int j = 1; j <= Order; ++j) c[j] = powers[j] * c[j];
    for (int k = 1; k <= Order; ++k)
        for (int j = Order; j >= k; --j) c[j - 1] += c[j];
}

template <int Order>
std::array<double, Order + 1> powers_of(double ratio) {
    std::array<double, Order + 1> p{1};
    for (int j = 1; j <= Order; ++j)
        p[static_cast<std::size_t>(j)] = p[static_cast<std::size_t>(j - 1)] * ratio;
    return p;
}

}  // namespace

Nordsieck::Nordsieck(std::size_t n) : n_(n), columns_((most_order + 1) * n), predicted_(2 * n) {}

void Nordsieck::begin(std::span<const double> x, std::span<const double> slope, double h) {
    past_steps_.fill(0);
    taken_.correction = nullptr;
    std::copy(x.begin(), x.end(), columns_.begin());
    begin_again(slope, h);
}

void Nordsieck::begin_again(std::span<const double> slope, double h) {
    settle();
    order_ = 1;
    step_ = h;
    for (std::size_t i = 0; i < n_; ++i) columns_[n_ + i] = h * slope[i];
}

namespace {

// States begin..end of the columns z: with a step that was taken (unless `correction` is null), then the
// prediction p of another one (unless it is null).
template <int Order>
void work(double* z, std::size_t n, std::size_t begin, std::size_t end, double taken_ratio, const double* l,
          const double* correction, double ratio, double* p) {
    const auto taken_powers = powers_of<Order>(taken_ratio), powers = powers_of<Order>(ratio);
    const auto step = [&](std::size_t i, auto load) {
        decltype(load(z)) c[Order + 1];
#pragma GCC unroll 8
        for (int j = 0; j <= Order; ++j) c[j] = load(z + static_cast<std::size_t>(j) * n + i);
        if (correction) {
            move_origin<Order>(c, taken_powers.data());
            const auto change = load(correction + i);
#pragma GCC unroll 8
            for (int j = 0; j <= Order; ++j) {
                c[j] += l[j] * change;
                put(z + static_cast<std::size_t>(j) * n + i, c[j]);
            }
        }
        if (!p) return;
        move_origin<Order>(c, powers.data());
        put(p + i, c[0]);
        put(p + n + i, c[1]);
    };
    std::size_t i = begin;
    for (; i + 2 <= end; i += 2) step(i, pair_at);
    if (i < end) step(i, one_at);
}

}  // namespace

void Nordsieck::predict_piece(std::size_t begin, std::size_t end) {
    for_order(order_, [&]<int Order>() {
        work<Order>(columns_.data(), n_, begin, end, taken_.ratio, taken_.l.data(), taken_.correction, ratio_,
                    predicted_.data());
    });
}

void Nordsieck::settle() const {
    if (!taken_.correction) return;
    for_order(order_, [&]<int Order>() {
        work<Order>(columns_.data(), n_, 0, n_, taken_.ratio, taken_.l.data(), taken_.correction, 1, nullptr);
    });
    taken_.correction = nullptr;
}

void Nordsieck::take(double h, std::span<const double> l, std::span<const double> correction) {
    settle();
    taken_.ratio = ratio_;
    std::copy_n(l.begin(), order_ + 1, taken_.l.begin());
    taken_.correction = correction.data();
    std::shift_right(past_steps_.begin(), past_steps_.end(), 1);
    past_steps_[0] = h;
    step_ = h;
}

void Nordsieck::copy_last_column(std::span<double> x) const {
    const double* z = columns_.data() + offset(order_);
    const double* c = taken_.correction;
    double power = 1;
    for (int j = 0; j < order_; ++j) power *= taken_.ratio;
    const double l = taken_.l[static_cast<std::size_t>(order_)];
    if (c)
        for (std::size_t i = 0; i < n_; ++i) x[i] = power * z[i] + l * c[i];
    else
        for (std::size_t i = 0; i < n_; ++i) x[i] = z[i];
}

// The polynomial of degree q + 1 that agrees with the present one at the past q points and whose last column
// shows `difference`.
void Nordsieck::raise(std::span<const double> difference) {
    CUTSET_ASSERT(order_ < most_order);
    settle();
    std::array<double, most_order + 2> l{};
    l[2] = 1;
    double alpha0 = -1, alpha1 = 1, product = 1, before = 1, sum = step_;
    for (int j = 1; j < order_; ++j) {
        sum += past_steps_[static_cast<std::size_t>(j)];
        const double xi = sum / step_;
        product *= xi;
        alpha0 -= 1.0 / (j + 1);
        alpha1 += 1 / xi;
        for (int i = j + 2; i >= 2; --i) l[i] = l[i] * before + l[i - 1];
        before = xi;
    }
    const double scale = (-alpha0 - alpha1) / product;
    double* last = columns_.data() + offset(order_ + 1);
    for (std::size_t i = 0; i < n_; ++i) last[i] = scale * difference[i];
    for (int j = 2; j <= order_; ++j) {
        double* column = columns_.data() + offset(j);
        for (std::size_t i = 0; i < n_; ++i) column[i] += l[j] * last[i];
    }
    ++order_;
}

// Without the oldest point.
void Nordsieck::lower() {
    CUTSET_ASSERT(order_ > 1);
    settle();
    std::array<double, most_order + 2> l{};
    l[2] = 1;
    double sum = 0;
    for (int j = 1; j <= order_ - 2; ++j) {
        sum += past_steps_[static_cast<std::size_t>(j - 1)];
        const double xi = sum / step_;
        for (int i = j + 2; i >= 2; --i) l[i] = l[i] * xi + l[i - 1];
    }
    const double* last = columns_.data() + offset(order_);
    for (int j = 2; j < order_; ++j) {
        double* column = columns_.data() + offset(j);
        for (std::size_t i = 0; i < n_; ++i) column[i] -= l[j] * last[i];
    }
    --order_;
}

void Nordsieck::at(double s, std::span<double> x, std::span<double> dx) const {
    settle();
    for (std::size_t i = 0; i < n_; ++i) {
        double value = columns_[offset(order_) + i];
        for (int j = order_; j-- > 0;) value = columns_[offset(j) + i] + s * value;
        x[i] = value;
    }
    for (std::size_t i = 0; i < dx.size(); ++i) {
        double value = order_ * columns_[offset(order_) + i];
        for (int j = order_; j-- > 1;) value = j * columns_[offset(j) + i] + s * value;
        dx[i] = value / step_;
    }
}

}  // namespace cutset
