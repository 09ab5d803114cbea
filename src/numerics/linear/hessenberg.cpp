#include "numerics/linear/hessenberg.h"

#include <cmath>
#include <limits>

// The machine's wide registers where it has them.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define CUTSET_WIDE __attribute__((target_clones("arch=haswell", "default")))
#else
#define CUTSET_WIDE
#endif

namespace cutset {

namespace {

// y -= f v
CUTSET_WIDE void subtract(std::size_t n, double f, const double* __restrict v, double* __restrict y) {
    for (std::size_t i = 0; i < n; ++i) y[i] -= f * v[i];
}

CUTSET_WIDE double dot(std::size_t n, const double* __restrict x, const double* __restrict y) {
    double sums[8] = {};
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (std::size_t k = 0; k < 8; ++k) sums[k] += x[i + k] * y[i + k];
    double sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    for (; i < n; ++i) sum += x[i] * y[i];
    return sum;
}

// column -= f y + g v, then y_new += h column
CUTSET_WIDE void update(std::size_t n, double f, const double* __restrict y, double g,
                        const double* __restrict v, double h, double* __restrict column,
                        double* __restrict y_new) {
    for (std::size_t i = 0; i < n; ++i) {
        const double value = column[i] - f * y[i] - g * v[i];
        column[i] = value;
        y_new[i] += h * value;
    }
}

// One column of the elimination when the working column w is the pivot: b -= z w, then w := q - r w with q =
// -h.
CUTSET_WIDE void keep(std::size_t n, double zr, double zi, double rr, double ri, const double* __restrict h,
                      double* __restrict wr, double* __restrict wi, double* __restrict br,
                      double* __restrict bi) {
    for (std::size_t i = 0; i < n; ++i) {
        const double x = wr[i], y = wi[i];
        br[i] -= zr * x - zi * y;
        bi[i] -= zr * y + zi * x;
        wr[i] = -h[i] - (rr * x - ri * y);
        wi[i] = -(rr * y + ri * x);
    }
}

// When the next column q = -h is the pivot: b -= z q, then w := w - r q.
CUTSET_WIDE void exchange(std::size_t n, double zr, double zi, double rr, double ri,
                          const double* __restrict h, double* __restrict wr, double* __restrict wi,
                          double* __restrict br, double* __restrict bi) {
    for (std::size_t i = 0; i < n; ++i) {
        const double q = -h[i];
        br[i] -= zr * q;
        bi[i] -= zi * q;
        wr[i] -= rr * q;
        wi[i] -= ri * q;
    }
}

// Further right-hand sides: b -= z f.
CUTSET_WIDE void subtract_complex(std::size_t n, double zr, double zi, const double* __restrict fr,
                                  const double* __restrict fi, double* __restrict br, double* __restrict bi) {
    for (std::size_t i = 0; i < n; ++i) {
        br[i] -= zr * fr[i] - zi * fi[i];
        bi[i] -= zr * fi[i] + zi * fr[i];
    }
}
CUTSET_WIDE void subtract_real(std::size_t n, double zr, double zi, const double* __restrict h,
                               double* __restrict br, double* __restrict bi) {
    for (std::size_t i = 0; i < n; ++i) {
        br[i] += zr * h[i];
        bi[i] += zi * h[i];
    }
}

}  // namespace

void reduce_to_hessenberg(std::size_t n, double* a, std::size_t m, double* b, std::size_t p, double* ct) {
    if (n < 3) return;
    // Reflector k, v with support k+1..n-1 and v^T v = 2/tau: A := A - tau v z^T - tau y' v^T with z = A^T v,
    // y = A v, y' = y - tau (v^T y) v. The update of step k is done in the pass over memory that also forms y
    // and z of step k+1.
    std::vector<double> v(n), z(n), y(n), v_new(n), y_new(n), z_new(n);
    double tau = 0;
    for (std::size_t k = 0; k + 2 < n; ++k) {
        double* column = a + k * n;
        if (tau != 0) {
            subtract(n, tau * v[k], y.data(), column);
            subtract(n, tau * z[k], v.data(), column);
        }
        // The reflector that leaves only column[k+1] below the diagonal.
        double norm = 0;
        for (std::size_t i = k + 1; i < n; ++i) norm = std::hypot(norm, column[i]);
        double below = 0;
        for (std::size_t i = k + 2; i < n; ++i) below = std::max(below, std::abs(column[i]));
        double tau_new = 0;
        std::fill(v_new.begin(), v_new.end(), 0.0);
        if (below > 0) {
            const double first = column[k + 1], beta = first >= 0 ? -norm : norm;
            const double scale = 1 / (first - beta);
            v_new[k + 1] = 1;
            for (std::size_t i = k + 2; i < n; ++i) v_new[i] = column[i] * scale;
            tau_new = (beta - first) / beta;
            column[k + 1] = beta;
            for (std::size_t i = k + 2; i < n; ++i) column[i] = 0;
        }
        std::fill(y_new.begin(), y_new.end(), 0.0);
        std::fill(z_new.begin(), z_new.end(), 0.0);
        for (std::size_t j = k + 1; j < n; ++j) {
            double* other = a + j * n;
            update(n, tau * v[j], y.data(), tau * z[j], v.data(), v_new[j], other, y_new.data());
            z_new[j] = dot(n - k - 1, other + k + 1, v_new.data() + k + 1);
        }
        for (std::size_t j = 0; j < m; ++j) {
            double* right = b + j * n;
            subtract(n, tau_new * dot(n, right, v_new.data()), v_new.data(), right);
        }
        for (std::size_t j = 0; j < p; ++j) {
            double* left = ct + j * n;
            subtract(n, tau_new * dot(n, left, v_new.data()), v_new.data(), left);
        }
        subtract(n, tau_new * dot(n, v_new.data(), y_new.data()), v_new.data(), y_new.data());
        v.swap(v_new);
        y.swap(y_new);
        z.swap(z_new);
        tau = tau_new;
    }
    for (std::size_t j = n - 2; j < n; ++j) {
        subtract(n, tau * v[j], y.data(), a + j * n);
        subtract(n, tau * z[j], v.data(), a + j * n);
    }
}

HessenbergResponse::HessenbergResponse(std::size_t n, const double* h, std::size_t m, const double* b,
                                       std::size_t p, const double* ct)
    : n_(n), m_(m), p_(p), h_(h), b_(b), ct_(ct), w_re_(n), w_im_(n), b_re_(n * m), b_im_(n * m), c_(p) {}

void HessenbergResponse::evaluate(std::complex<double> s, std::complex<double>* g) {
    using Complex = std::complex<double>;
    std::fill(g, g + p_ * m_, Complex(0));
    if (n_ == 0 || m_ == 0) return;
    std::copy(b_, b_ + n_ * m_, b_re_.begin());
    std::fill(b_im_.begin(), b_im_.end(), 0.0);
    double *wr = w_re_.data(), *wi = w_im_.data();
    // The working column of s I - H, and its element of C.
    const double* last = h_ + (n_ - 1) * n_;
    for (std::size_t i = 0; i < n_; ++i) {
        wr[i] = -last[i];
        wi[i] = 0;
    }
    wr[n_ - 1] += s.real();
    wi[n_ - 1] += s.imag();
    for (std::size_t i = 0; i < p_; ++i) c_[i] = ct_[i * n_ + n_ - 1];
    const auto finish_row = [&](std::size_t k, Complex pivot, std::size_t j) {
        return Complex(b_re_[j * n_ + k], b_im_[j * n_ + k]) / pivot;
    };
    for (std::size_t k = n_ - 1; k > 0; --k) {
        const double* h = h_ + (k - 1) * n_;
        const Complex w(wr[k], wi[k]);
        const double q = -h[k];
        // Above row k both columns have k elements; s stands in row k - 1 of the next one.
        if (std::abs(w.real()) + std::abs(w.imag()) >= std::abs(q)) {
            if (w == Complex(0)) {
                std::fill(g, g + p_ * m_, Complex(std::numeric_limits<double>::infinity()));
                return;
            }
            const Complex r = q / w, z0 = finish_row(k, w, 0);
            for (std::size_t j = 0; j < m_; ++j) {
                const Complex z = j ? finish_row(k, w, j) : z0;
                for (std::size_t i = 0; i < p_; ++i) g[j * p_ + i] += c_[i] * z;
                if (j) subtract_complex(k, z.real(), z.imag(), wr, wi, &b_re_[j * n_], &b_im_[j * n_]);
            }
            keep(k, z0.real(), z0.imag(), r.real(), r.imag(), h, wr, wi, b_re_.data(), b_im_.data());
            wr[k - 1] += s.real();
            wi[k - 1] += s.imag();
            for (std::size_t i = 0; i < p_; ++i) c_[i] = ct_[i * n_ + k - 1] - r * c_[i];
        } else {
            const Complex r = w / q;
            for (std::size_t i = 0; i < p_; ++i) {
                const double next = ct_[i * n_ + k - 1];
                for (std::size_t j = 0; j < m_; ++j) g[j * p_ + i] += next * finish_row(k, q, j);
                c_[i] -= r * next;
            }
            const Complex z0 = finish_row(k, q, 0);
            for (std::size_t j = 0; j < m_; ++j) {
                const Complex z = finish_row(k, q, j), shift = z * s;
                if (j) subtract_real(k, z.real(), z.imag(), h, &b_re_[j * n_], &b_im_[j * n_]);
                b_re_[j * n_ + k - 1] -= shift.real();
                b_im_[j * n_ + k - 1] -= shift.imag();
            }
            exchange(k, z0.real(), z0.imag(), r.real(), r.imag(), h, wr, wi, b_re_.data(), b_im_.data());
            const Complex shift = r * s;
            wr[k - 1] -= shift.real();
            wi[k - 1] -= shift.imag();
        }
    }
    const Complex w(wr[0], wi[0]);
    for (std::size_t j = 0; j < m_; ++j)
        for (std::size_t i = 0; i < p_; ++i)
            g[j * p_ + i] = w == Complex(0) ? Complex(std::numeric_limits<double>::infinity())
                                            : g[j * p_ + i] + c_[i] * finish_row(0, w, j);
}

}  // namespace cutset
