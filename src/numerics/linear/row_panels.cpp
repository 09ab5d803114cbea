#include "numerics/linear/row_panels.h"

#include <algorithm>
#include <cmath>

namespace cutset {

namespace {

constexpr std::size_t shortest_rows = 24;  // elements of L; rows that have fewer are factored by themselves
constexpr std::size_t at_once = 8;         // rows of U that are subtracted in one go

// Four numbers at any address; memory need not be as wide registers like it.
using Anywhere [[gnu::vector_size(4 * sizeof(double)), gnu::aligned(sizeof(double))]] = double;

// x[columns] -= sum_i m_i u_i, with `Count` rows u_i.
#define SUBTRACT_ROWS(name, ...)                                                                   \
    template <std::size_t Count>                                                                   \
    __VA_ARGS__ void name(const Anywhere* m, const double* const* u, std::span<const int> columns, \
                          Anywhere* x) {                                                           \
        for (std::size_t t = 0; t < columns.size(); ++t) {                                         \
            Anywhere sum = m[0] * u[0][t];                                                         \
            _Pragma("GCC unroll 8") for (std::size_t i = 1; i < Count; ++i) sum += m[i] * u[i][t]; \
            x[columns[t]] -= sum;                                                                  \
        }                                                                                          \
    }
SUBTRACT_ROWS(subtract_rows)
// The same numbers to the bit, in the wide registers of newer processors.
#if defined(__x86_64__) && defined(__GNUC__)
#define CUTSET_WIDE_ROWS
SUBTRACT_ROWS(subtract_wide_rows, [[gnu::target("avx2")]])
#endif
#undef SUBTRACT_ROWS

using Subtract = void (*)(const Anywhere* m, const double* const* u, std::span<const int> columns,
                          Anywhere* x);
// By number of rows.
const Subtract* subtractions() {
    static constexpr Subtract plain[at_once + 1] = {nullptr,          subtract_rows<1>, subtract_rows<2>,
                                                    subtract_rows<3>, subtract_rows<4>, subtract_rows<5>,
                                                    subtract_rows<6>, subtract_rows<7>, subtract_rows<8>};
#ifdef CUTSET_WIDE_ROWS
    static constexpr Subtract wide[at_once + 1] = {nullptr,
                                                   subtract_wide_rows<1>,
                                                   subtract_wide_rows<2>,
                                                   subtract_wide_rows<3>,
                                                   subtract_wide_rows<4>,
                                                   subtract_wide_rows<5>,
                                                   subtract_wide_rows<6>,
                                                   subtract_wide_rows<7>,
                                                   subtract_wide_rows<8>};
    static const bool has_wide = __builtin_cpu_supports("avx2");
    if (has_wide) return wide;
#endif
    return plain;
}

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

}  // namespace

void RowPanels::set_structure(const Pattern& p) {
    *this = {};
    const std::size_t n = p.l_begins.size();
    panel_starts_.push_back(0);
    std::vector<int> panel_at(n, -1);
    for (std::size_t b = 0; b + 1 < p.blocks.size(); ++b) {
        const std::size_t end = at(p.blocks[b + 1]);
        for (std::size_t k = at(p.blocks[b]); k + rows <= end;) {
            int next[rows];
            std::size_t elements = 0, fewest = n;
            for (std::size_t r = 0; r < rows; ++r) {
                next[r] = p.l_begins[k + r];
                const auto length = at(p.l_ends[k + r] - p.l_begins[k + r]);
                elements += length;
                fewest = std::min(fewest, length);
            }
            if (fewest < shortest_rows) {
                ++k;
                continue;
            }
            const std::size_t first = columns_.size();
            for (;;) {
                auto column = static_cast<int>(k);
                for (std::size_t r = 0; r < rows; ++r)
                    if (next[r] < p.l_ends[k + r]) column = std::min(column, p.l_columns[at(next[r])]);
                if (column == static_cast<int>(k)) break;
                columns_.push_back(column);
                for (std::size_t r = 0; r < rows; ++r) {
                    const bool here = next[r] < p.l_ends[k + r] && p.l_columns[at(next[r])] == column;
                    places_.push_back(here ? next[r]++ : static_cast<int>(p.l_columns.size()));
                }
            }
            // Zeros take as long as other numbers.
            if (2 * rows * (columns_.size() - first) > 3 * elements) {
                columns_.resize(first);
                places_.resize(rows * first);
                ++k;
                continue;
            }
            panel_at[k] = static_cast<int>(panel_starts_.size()) - 1;
            panel_starts_.push_back(static_cast<int>(columns_.size()));
            k += rows;
        }
    }
    if (panel_starts_.size() == 1) return;
    panel_at_ = std::move(panel_at);
    work_.assign(n, FourNumbers{});

    group_end_.resize(n);
    for (std::size_t j = n; j-- > 0;) {
        group_end_[j] = static_cast<int>(j);
        const int begin = p.u_starts[j], end = p.u_starts[j + 1];
        if (begin == end || p.u_columns[at(begin)] != static_cast<int>(j) + 1) continue;
        const int next = p.u_starts[j + 1], next_end = p.u_starts[j + 2];
        if (end - begin == next_end - next + 1 &&
            std::equal(p.u_columns.begin() + begin + 1, p.u_columns.begin() + end,
                       p.u_columns.begin() + next))
            group_end_[j] = group_end_[j + 1];
    }
}

void RowPanels::clear_work() {
    std::fill(work_.begin(), work_.end(), FourNumbers{});
}

std::array<bool, RowPanels::rows> RowPanels::eliminate(std::size_t place, const Factors& f,
                                                       const std::array<double, rows>& limits) {
    const std::size_t panel = at(panel_at_[place]);
    const std::size_t end = at(panel_starts_[panel + 1]);
    FourNumbers* const x = work_.data();
    const Subtract* const subtract = subtractions();
    std::array<bool, rows> good;
    good.fill(true);
    FourNumbers m[at_once];
    const double* tails[at_once];
    for (std::size_t c = at(panel_starts_[panel]); c < end;) {
        // Rows of one group, from the first that is met to its end or to the panel: what a row has filled in
        // the next ones are among them.
        const std::size_t first = at(columns_[c]),
                          last = std::min({at(group_end_[first]), place - 1, first + at_once - 1});
        for (std::size_t j = first; j <= last; ++j, ++c) {
            FourNumbers& here = x[j];
            const FourNumbers factor = m[j - first] = here;
            here = FourNumbers{};
            const FourNumbers l = factor * f.inverse_pivots[j];
            for (std::size_t r = 0; r < rows; ++r) {
                f.l[places_[rows * c + r]] = l[r];
                good[r] &= std::abs(l[r]) <= limits[r] * f.judge[j];
            }
            const double* const u = f.u + f.u_starts[j];
            for (std::size_t t = j + 1; t <= last; ++t) x[t] -= factor * u[t - j - 1];
            tails[j - first] = u + (last - j);
        }
        const int tail = f.u_starts[last], tail_end = f.u_starts[last + 1];
        subtract[last - first + 1](reinterpret_cast<const Anywhere*>(m), tails,
                                   f.u_columns.subspan(at(tail), at(tail_end - tail)),
                                   reinterpret_cast<Anywhere*>(x));
    }
    return good;
}

}  // namespace cutset
