#include "numerics/nordsieck.h"

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

}  // namespace

Nordsieck::Nordsieck(std::size_t n)
    : n_(n), columns_((most_order + 1) * n), predicted_((most_order + 1) * n) {}

void Nordsieck::begin(std::span<const double> x, std::span<const double> slope, double h) {
    past_steps_.fill(0);
    std::copy(x.begin(), x.end(), columns_.begin());
    begin_again(slope, h);
}

void Nordsieck::begin_again(std::span<const double> slope, double h) {
    order_ = 1;
    step_ = h;
    for (std::size_t i = 0; i < n_; ++i) columns_[n_ + i] = h * slope[i];
}

template <int Order>
void Nordsieck::predict_order(double ratio) {
    const double* z = columns_.data();
    double* p = predicted_.data();
    const std::size_t n = n_;
    double power[Order + 1] = {1};
    for (int j = 1; j <= Order; ++j) power[j] = power[j - 1] * ratio;
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) {
        double c[Order + 1];
        for (int j = 0; j <= Order; ++j) c[j] = power[j] * z[static_cast<std::size_t>(j) * n + i];
        // Pascal's triangle: p(s + 1)
        for (int k = 1; k <= Order; ++k)
            for (int j = Order; j >= k; --j) c[j - 1] += c[j];
        for (int j = 0; j <= Order; ++j) p[static_cast<std::size_t>(j) * n + i] = c[j];
    }
}

void Nordsieck::predict(double h) {
    for_order(order_, [&]<int Order>() { predict_order<Order>(h / step_); });
}

template <int Order>
void Nordsieck::take_order(const double* l, const double* correction) {
    double* z = columns_.data();
    const double* p = predicted_.data();
    const std::size_t n = n_;
    for (int j = 0; j <= Order; ++j) {
        const double factor = l[j];
        double* column = z + static_cast<std::size_t>(j) * n;
        const double* from = p + static_cast<std::size_t>(j) * n;
#pragma GCC ivdep
        for (std::size_t i = 0; i < n; ++i) column[i] = from[i] + factor * correction[i];
    }
}

void Nordsieck::take(double h, std::span<const double> l, std::span<const double> correction) {
    for_order(order_, [&]<int Order>() { take_order<Order>(l.data(), correction.data()); });
    std::shift_right(past_steps_.begin(), past_steps_.end(), 1);
    past_steps_[0] = h;
    step_ = h;
}

// The polynomial of degree q + 1 that agrees with the present one at the past q points and whose last column
// shows `difference`.
void Nordsieck::raise(std::span<const double> difference) {
    CUTSET_ASSERT(order_ < most_order);
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
