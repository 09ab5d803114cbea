#include "routines/numeric_routines.h"

#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <utility>

namespace cutset {

namespace {

using Arguments = std::vector<std::vector<double>>;

// ---- random generators of the xorshift family (Vigna 2014), with states of 64 bits as pairs of 32, the
// lower one first

std::uint64_t word_of(const std::vector<double>& halves, std::size_t k) {
    const auto low = static_cast<std::uint32_t>(static_cast<std::int64_t>(halves[2 * k]));
    const auto high = static_cast<std::uint32_t>(static_cast<std::int64_t>(halves[2 * k + 1]));
    return std::uint64_t{high} << 32 | low;
}

void set_word(std::vector<double>& halves, std::size_t k, std::uint64_t word) {
    halves[2 * k] = static_cast<std::int32_t>(static_cast<std::uint32_t>(word));
    halves[2 * k + 1] = static_cast<std::int32_t>(static_cast<std::uint32_t>(word >> 32));
}

// In (0, 1): the word as a signed number, scaled.
double uniform(std::uint64_t word) {
    return static_cast<double>(static_cast<std::int64_t>(word)) * 0x1p-64 + 0.5;
}

bool has_sizes(const Arguments& a, std::size_t state, std::string& problem) {
    if (a.size() == 3 && a[0].size() == state && a[1].size() == state && a[2].size() == 1) return true;
    problem = "this random generator has a state of " + std::to_string(state) + " whole numbers";
    return false;
}

bool xorshift64star(Arguments& a, double&, std::string& problem) {
    if (!has_sizes(a, 2, problem)) return false;
    std::uint64_t x = word_of(a[0], 0);
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    x *= 2685821657736338717u;
    set_word(a[1], 0, x);
    a[2][0] = uniform(x);
    return true;
}

bool xorshift128plus(Arguments& a, double&, std::string& problem) {
    if (!has_sizes(a, 4, problem)) return false;
    std::uint64_t s1 = word_of(a[0], 0);
    const std::uint64_t s0 = word_of(a[0], 1);
    s1 ^= s1 << 23;
    const std::uint64_t next = (s1 ^ s0 ^ (s1 >> 17) ^ (s0 >> 26)) + s0;
    set_word(a[1], 0, s0);
    set_word(a[1], 1, next);
    a[2][0] = uniform(next);
    return true;
}

bool xorshift1024star(Arguments& a, double&, std::string& problem) {
    if (!has_sizes(a, 33, problem)) return false;
    const auto p = static_cast<std::size_t>(static_cast<std::int64_t>(a[0][32]) & 15);
    const std::size_t q = (p + 1) & 15;
    std::uint64_t s0 = word_of(a[0], p), s1 = word_of(a[0], q);
    s1 ^= s1 << 31;
    s1 ^= s1 >> 11;
    s0 ^= s0 >> 30;
    const std::uint64_t next = s0 ^ s1;
    a[1] = a[0];
    set_word(a[1], q, next);
    a[1][32] = static_cast<double>(q);
    a[2][0] = uniform(next * 1181783497276652981u);
    return true;
}

// A seed from the clock would make each run another one.
bool automatic_seed(Arguments&, double& result, std::string&) {
    result = 20150101;
    return true;
}

// ---- Fourier transform

using Complex = std::complex<double>;

// Of a power of two, in place (Cooley and Tukey).
void transform(std::vector<Complex>& a, bool back) {
    const std::size_t n = a.size();
    for (std::size_t i = 1, j = 0; i < n; ++i) {
        std::size_t bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) std::swap(a[i], a[j]);
    }
    for (std::size_t length = 2; length <= n; length <<= 1) {
        const double angle = (back ? 2 : -2) * std::numbers::pi / static_cast<double>(length);
        for (std::size_t k = 0; k < length / 2; ++k) {
            const Complex w = std::polar(1.0, angle * static_cast<double>(k));
            for (std::size_t i = k; i < n; i += length) {
                const Complex x = a[i], y = a[i + length / 2] * w;
                a[i] = x + y;
                a[i + length / 2] = x - y;
            }
        }
    }
}

// Of any length, as a convolution of twice its length (Bluestein): jk = (j² + k² - (k - j)²)/2.
std::vector<Complex> transform_any(const std::vector<double>& u) {
    const std::size_t n = u.size();
    std::size_t m = 1;
    while (m < 2 * n) m <<= 1;
    std::vector<Complex> chirp(n), a(m), b(m);
    for (std::size_t k = 0; k < n; ++k) {
        const auto square = static_cast<double>(static_cast<std::uint64_t>(k) * k % (2 * n));
        chirp[k] = std::polar(1.0, -std::numbers::pi * square / static_cast<double>(n));
        a[k] = u[k] * chirp[k];
        b[k] = std::conj(chirp[k]);
        if (k) b[m - k] = b[k];
    }
    transform(a, false);
    transform(b, false);
    for (std::size_t k = 0; k < m; ++k) a[k] *= b[k];
    transform(a, true);
    std::vector<Complex> result(n);
    for (std::size_t k = 0; k < n; ++k) result[k] = a[k] * chirp[k] / static_cast<double>(m);
    return result;
}

// Amplitudes over the number of frequencies, as the library's raw transform gives them.
bool raw_real_transform(Arguments& a, double& result, std::string& problem) {
    const bool fits = a.size() == 6 && a[4].size() == a[0].size() / 2 + 1 && a[5].size() == a[4].size();
    if (!fits) {
        problem = "the transform of n values has n/2 + 1 amplitudes and phases";
        return false;
    }
    result = a[0].size() % 2 != 0 ? 1 : 0;
    if (result != 0) return true;
    const auto frequencies = static_cast<double>(a[4].size());
    real_fourier_transform(a[0], a[4], a[5]);
    for (double& x : a[4]) x /= frequencies;
    return true;
}

}  // namespace

void real_fourier_transform(const std::vector<double>& u, std::vector<double>& amplitudes,
                            std::vector<double>& phases) {
    const std::size_t n = u.size();
    std::vector<Complex> c;
    if (n > 0 && (n & (n - 1)) == 0) {
        c.assign(u.begin(), u.end());
        transform(c, false);
    } else {
        c = transform_any(u);
    }
    amplitudes.assign(n / 2 + 1, 0.0);
    phases.assign(n / 2 + 1, 0.0);
    for (std::size_t k = 0; k <= n / 2 && k < n; ++k) {
        amplitudes[k] = std::abs(c[k]);
        phases[k] = std::arg(c[k]);
    }
}

NumericRoutine find_numeric_routine(std::string_view symbol) {
    static constexpr std::array<std::pair<std::string_view, NumericRoutine>, 5> all = {{
        {"ModelicaRandom_xorshift64star", xorshift64star},
        {"ModelicaRandom_xorshift128plus", xorshift128plus},
        {"ModelicaRandom_xorshift1024star", xorshift1024star},
        {"ModelicaRandom_automaticGlobalSeed", automatic_seed},
        {"ModelicaFFT_kiss_fftr", raw_real_transform},
    }};
    for (const auto& [name, routine] : all)
        if (name == symbol) return routine;
    return nullptr;
}

}  // namespace cutset
