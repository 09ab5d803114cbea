#include "numerics/linear/block_factors.h"

#include <algorithm>
#include <vector>

namespace cutset {

namespace {

constexpr std::size_t narrow = 8;     // columns that are factored one by one
constexpr std::size_t longest = 256;  // sums of a tile; longer ones are put together from several
constexpr std::size_t high = 192;     // rows of a block, about as many as stay in the cache

// out := a b, with a of `Vectors` times `Width` rows and b of `Columns` columns, both laid out so that they
// are read one number after the other; out by columns.
#define TILE(name, Width, Vectors, Columns, ...)                                                           \
    __VA_ARGS__ void name(std::size_t length, const double* a, const double* b, double* out) {             \
        using Numbers [[gnu::vector_size(Width * sizeof(double)), gnu::aligned(sizeof(double))]] = double; \
        Numbers sums[Vectors][Columns] = {};                                                               \
        for (std::size_t k = 0; k < length; ++k, a += Vectors * Width, b += Columns) {                     \
            Numbers rows[Vectors];                                                                         \
            _Pragma("GCC unroll 8") for (std::size_t i = 0; i < Vectors; ++i) rows[i] =                    \
                *reinterpret_cast<const Numbers*>(a + i * Width);                                          \
            _Pragma("GCC unroll 8") for (std::size_t j = 0; j < Columns; ++j)                              \
                _Pragma("GCC unroll 8") for (std::size_t i = 0; i < Vectors; ++i) sums[i][j] +=            \
                rows[i] * b[j];                                                                            \
        }                                                                                                  \
        _Pragma("GCC unroll 8") for (std::size_t j = 0; j < Columns; ++j)                                  \
                _Pragma("GCC unroll 8") for (std::size_t i = 0; i < Vectors; ++i) *                        \
            reinterpret_cast<Numbers*>(out + j * Vectors * Width + i * Width) = sums[i][j];                \
    }
TILE(tile, 2, 2, 6)
#if defined(__x86_64__) && defined(__GNUC__)
#define CUTSET_WIDE_TILES
TILE(wide_tile, 4, 2, 6, [[gnu::target("avx2")]])
TILE(widest_tile, 8, 3, 8, [[gnu::target("avx512f")]])
#endif
#undef TILE

struct Tile {
    std::size_t rows, columns;
    void (*multiply)(std::size_t length, const double* a, const double* b, double* out);
};
constexpr std::size_t largest_tile = 24 * 8;

const Tile& best_tile() {
    static const Tile best = [] {
#ifdef CUTSET_WIDE_TILES
        if (__builtin_cpu_supports("avx512f")) return Tile{24, 8, widest_tile};
        if (__builtin_cpu_supports("avx2")) return Tile{8, 6, wide_tile};
#endif
        return Tile{4, 6, tile};
    }();
    return best;
}

std::size_t round_up(std::size_t n, std::size_t to) {
    return (n + to - 1) / to * to;
}

// Real numbers have one part, complex ones two.
constexpr std::size_t parts(const double*) {
    return 1;
}
constexpr std::size_t parts(const std::complex<double>*) {
    return 2;
}
double part(double v, std::size_t) {
    return v;
}
double part(std::complex<double> v, std::size_t p) {
    return p == 0 ? v.real() : v.imag();
}

template <class Scalar>
struct Matrix {  // by columns
    Scalar* first;
    std::size_t stride;  // from column to column

    Scalar& at(std::size_t i, std::size_t j) const { return first[i + j * stride]; }
    Matrix from(std::size_t i, std::size_t j) const { return {first + i + j * stride, stride}; }
};

template <class Scalar>
class BlockFactors {
  public:
    explicit BlockFactors(std::size_t n) {
        const std::size_t length = std::min(n, longest);
        left_.resize(count_ * length * round_up(std::min(n, high), tile_.rows));
        right_.resize(count_ * length * round_up(n, tile_.columns));
    }

    // Of the m by n matrix a, m >= n.
    int factor(std::size_t m, std::size_t n, Matrix<Scalar> a, int* pivots) {
        if (n <= narrow) return factor_columns(m, n, a, pivots);
        const std::size_t half = round_up(n / 2, narrow), rest = n - half;
        const int first = factor(m, half, a, pivots);
        exchange(a.from(0, half), rest, pivots, half);
        solve_lower(half, rest, a, a.from(0, half));
        subtract_product(m - half, rest, half, a.from(half, 0), a.from(0, half), a.from(half, half));
        const int second = factor(m - half, rest, a.from(half, half), pivots + half);
        exchange(a.from(half, 0), half, pivots + half, rest);
        for (std::size_t k = half; k < n; ++k) pivots[k] += static_cast<int>(half);
        return first != 0 ? first : second != 0 ? second + static_cast<int>(half) : 0;
    }

  private:
    static int factor_columns(std::size_t m, std::size_t n, Matrix<Scalar> a, int* pivots) {
        int first_zero = 0;
        for (std::size_t k = 0; k < n; ++k) {
            Scalar* const column = &a.at(0, k);
            const std::size_t p = find_pivot(column, k, m);
            pivots[k] = static_cast<int>(p + 1);
            if (column[p] == Scalar(0)) {
                if (first_zero == 0) first_zero = static_cast<int>(k + 1);
                continue;
            }
            if (p != k)
                for (std::size_t j = 0; j < n; ++j) std::swap(a.at(k, j), a.at(p, j));
            divide_by_pivot(m - k, column + k);
            for (std::size_t j = k + 1; j < n; ++j)
                subtract_multiple(m - k - 1, a.at(k, j), column + k + 1, &a.at(k + 1, j));
        }
        return first_zero;
    }

    // Exchanges rows of n columns as the pivots say.
    static void exchange(Matrix<Scalar> a, std::size_t n, const int* pivots, std::size_t count) {
        for (std::size_t j = 0; j < n; ++j) {
            Scalar* const column = &a.at(0, j);
            for (std::size_t k = 0; k < count; ++k)
                std::swap(column[k], column[static_cast<std::size_t>(pivots[k] - 1)]);
        }
    }

    // b := L^-1 b, with b of n columns.
    void solve_lower(std::size_t m, std::size_t n, Matrix<Scalar> l, Matrix<Scalar> b) {
        if (m <= narrow) {
            for (std::size_t j = 0; j < n; ++j)
                for (std::size_t k = 0; k + 1 < m; ++k)
                    subtract_multiple(m - k - 1, b.at(k, j), &l.at(k + 1, k), &b.at(k + 1, j));
            return;
        }
        const std::size_t half = round_up(m / 2, narrow);
        solve_lower(half, n, l, b);
        subtract_product(m - half, n, half, l.from(half, 0), b, b.from(half, 0));
        solve_lower(m - half, n, l.from(half, half), b.from(half, 0));
    }

    // c := c - a b, with c of m by n and sums of `length` products.
    void subtract_product(std::size_t m, std::size_t n, std::size_t length, Matrix<Scalar> a,
                          Matrix<Scalar> b, Matrix<Scalar> c) {
        for (std::size_t k = 0; k < length; k += longest) {
            const std::size_t sums = std::min(longest, length - k);
            lay_out_right(sums, n, b.from(k, 0));
            for (std::size_t i = 0; i < m; i += high) {
                const std::size_t rows = std::min(high, m - i);
                lay_out_left(rows, sums, a.from(i, k));
                for (std::size_t j = 0; j < n; j += tile_.columns)
                    for (std::size_t r = 0; r < rows; r += tile_.rows)
                        subtract_tile(sums, r, j, std::min(tile_.rows, rows - r),
                                      std::min(tile_.columns, n - j), c.from(i + r, j));
            }
        }
    }

    // Tiles one after the other, of each its parts, of each the numbers in the order in which they are read;
    // zeros where the matrix ends.
    void lay_out_left(std::size_t m, std::size_t length, Matrix<Scalar> a) {
        double* to = left_.data();
        for (std::size_t i = 0; i < m; i += tile_.rows) {
            const std::size_t rows = std::min(tile_.rows, m - i);
            for (std::size_t p = 0; p < count_; ++p)
                for (std::size_t k = 0; k < length; ++k, to += tile_.rows) {
                    const Scalar* const from = &a.at(i, k);
                    for (std::size_t r = 0; r < rows; ++r) to[r] = part(from[r], p);
                    std::fill(to + rows, to + tile_.rows, 0.0);
                }
        }
    }
    void lay_out_right(std::size_t length, std::size_t n, Matrix<Scalar> b) {
        double* to = right_.data();
        for (std::size_t j = 0; j < n; j += tile_.columns) {
            const std::size_t columns = std::min(tile_.columns, n - j);
            for (std::size_t p = 0; p < count_; ++p, to += length * tile_.columns)
                for (std::size_t c = 0; c < tile_.columns; ++c)
                    for (std::size_t k = 0; k < length; ++k)
                        to[k * tile_.columns + c] = c < columns ? part(b.at(k, j + c), p) : 0.0;
        }
    }

    void subtract_tile(std::size_t length, std::size_t r, std::size_t j, std::size_t rows,
                       std::size_t columns, Matrix<Scalar> c) const {
        const std::size_t left_size = length * tile_.rows, right_size = length * tile_.columns;
        const double* const a = left_.data() + r / tile_.rows * count_ * left_size;
        const double* const b = right_.data() + j / tile_.columns * count_ * right_size;
        double products[count_ * count_][largest_tile];  // part of a, part of b
        for (std::size_t p = 0; p < count_ * count_; ++p)
            tile_.multiply(length, a + p / count_ * left_size, b + p % count_ * right_size, products[p]);
        for (std::size_t y = 0; y < columns; ++y) {
            Scalar* const to = &c.at(0, y);
            const std::size_t at = y * tile_.rows;
            for (std::size_t x = 0; x < rows; ++x)
                if constexpr (count_ == 1)
                    to[x] -= products[0][at + x];
                else
                    to[x] -= Scalar(products[0][at + x] - products[3][at + x],
                                    products[1][at + x] + products[2][at + x]);
        }
    }

    static constexpr std::size_t count_ = parts(static_cast<const Scalar*>(nullptr));
    const Tile tile_ = best_tile();
    std::vector<double> left_, right_;  // laid out
};

}  // namespace

int factor_blocks(std::size_t n, double* a, int* pivots) {
    return BlockFactors<double>(n).factor(n, n, {a, n}, pivots);
}
int factor_blocks(std::size_t n, std::complex<double>* a, int* pivots) {
    return BlockFactors<std::complex<double>>(n).factor(n, n, {a, n}, pivots);
}

}  // namespace cutset
