#include "operations/collocation/second_derivatives.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "base/diagnostic.h"
#include "generate/arithmetic.h"

namespace cutset {

namespace {

// Which directions every slot depends on, found by walking the sections once.
class Dependencies {
  public:
    Dependencies(const Program& program, std::size_t directions)
        : program_(program), words_((directions + 63) / 64), sets_(program.layout.slots * words_, 0) {}

    void seed(Slot slot, std::size_t direction) {
        sets_[slot * words_ + direction / 64] |= std::uint64_t(1) << (direction % 64);
    }
    bool has(Slot slot, std::size_t direction) const {
        return (sets_[slot * words_ + direction / 64] >> (direction % 64)) & 1;
    }

    void walk(const Section& section) {
        std::size_t branch_end = 0;  // up to here an instruction may be jumped over
        for (std::size_t at = 0; at < section.instructions.size(); ++at) {
            const Instruction& i = section.instructions[at];
            if (i.code == Code::Jump || i.code == Code::JumpFalse)
                branch_end = std::max(branch_end, std::size_t(i.to));
            if (i.code == Code::Solve) {
                solve(program_.loops[i.a]);
                continue;
            }
            std::vector<std::uint64_t> united(words_, 0);
            for_each_slot(i, program_.calls, [&](Slot s, bool written) {
                if (!written) {
                    for (std::size_t w = 0; w < words_; ++w) united[w] |= sets_[s * words_ + w];
                    return;
                }
                const bool may_not_run = at < branch_end;
                for (std::size_t w = 0; w < words_; ++w) {
                    std::uint64_t& set = sets_[s * words_ + w];
                    set = may_not_run ? set | united[w] : united[w];
                }
            });
        }
    }

  private:
    // Each unknown of a loop depends on what any residual depends on.
    void solve(const Loop& loop) {
        walk(loop.residual);
        for (std::size_t w = 0; w < words_; ++w) {
            std::uint64_t all = 0;
            for (Slot s : loop.residual_slots) all |= sets_[s * words_ + w];
            for (Slot s : loop.torn) sets_[s * words_ + w] = all;
        }
        walk(loop.residual);
    }

    const Program& program_;
    std::size_t words_;
    std::vector<std::uint64_t> sets_;  // by slot
};

// The parts of a number that carry derivatives, in order.
void derivative_parts(const Dual<double>& x, std::vector<double>& parts) {
    parts.assign({x.d});
}
void derivative_parts(const Dual<Dual<double>>& x, std::vector<double>& parts) {
    parts.assign({x.v.d, x.d.v, x.d.d});
}
void subtract_part(Dual<double>& x, std::size_t, double value) {
    x.d -= value;
}
void subtract_part(Dual<Dual<double>>& x, std::size_t part, double value) {
    (part == 0 ? x.v.d : part == 1 ? x.d.v : x.d.d) -= value;
}

SparsePattern pattern_of(std::size_t n,
                         const std::vector<std::pair<std::uint32_t, std::uint32_t>>& column_and_row) {
    SparsePattern p;
    p.rows = p.columns = n;
    p.starts.assign(n + 1, 0);
    for (const auto& [column, row] : column_and_row) {
        ++p.starts[column + 1];
        p.row.push_back(row);
    }
    for (std::size_t c = 0; c < n; ++c) p.starts[c + 1] += p.starts[c];
    return p;
}

}  // namespace

SecondDerivatives::SecondDerivatives(const Program& program)
    : program_(program),
      equations_(*program.linearized),
      states_(equations_.states),
      kept_(equations_.states + equations_.by.size()),
      rows_(equations_.states + equations_.of.size()),
      intermediates_(equations_.intermediates),
      active_(kept_ + 1, false),
      columns_(intermediates_),
      loops_(program.loops.size()),
      first_(program.layout.slots),
      left_(rows_ + intermediates_),
      moves_(intermediates_ * kept_),
      column_(kept_) {
    for (const Instruction& i : equations_.section.instructions)
        if (i.code == Code::Call && program.calls[i.a].derivatives >= 2) available_ = false;
    for (std::size_t l = 0; l < loops_.size(); ++l) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
        for (const JacobianEntry& e : program.loops[l].jacobian_entries) places.emplace_back(e.column, e.row);
        loops_[l].lu.set_pattern(pattern_of(program.loops[l].torn.size(), std::move(places)));
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> inner, transposed;
    for (std::size_t i = 0; i < equations_.entries.size(); ++i) {
        const JacobianEntry& e = equations_.entries[i];
        if (e.row < rows_ || e.column < kept_) continue;
        inner.emplace_back(e.column - kept_, e.row - rows_);
        transposed.emplace_back(e.row - rows_, e.column - kept_);
        inner_order_.push_back(inner_order_.size());
    }
    std::sort(inner_order_.begin(), inner_order_.end(),
              [&](std::size_t a, std::size_t b) { return transposed[a] < transposed[b]; });
    std::sort(transposed.begin(), transposed.end());
    if (intermediates_ > 0) {
        inner_.set_pattern(pattern_of(intermediates_, std::move(inner)));
        inner_transposed_.set_pattern(pattern_of(intermediates_, std::move(transposed)));
    }
    find_pattern();
}

Slot SecondDerivatives::direction_slot(std::size_t j) const {
    if (j < states_) return program_.layout.state[j];
    if (j < kept_) return program_.layout.variable[equations_.by[j - states_].value];
    return program_.layout.time;
}

Slot SecondDerivatives::row_slot(std::size_t row) const {
    return row < states_ ? program_.layout.derivative[row]
                         : program_.layout.variable[equations_.of[row - states_].value];
}

void SecondDerivatives::find_pattern() {
    const std::size_t time = kept_;
    Dependencies depend(program_, kept_ + 1);
    for (std::size_t j = 0; j <= kept_; ++j) depend.seed(direction_slot(j), j);
    for (const Section* s :
         {&program_.parameters, &program_.fixed, &program_.stepwise, &equations_.equations})
        depend.walk(*s);
    // The seeds again: sections do not write them.
    for (std::size_t row = 0; row < rows_; ++row)
        time_matters_ = time_matters_ || depend.has(row_slot(row), time);
    depend.walk(equations_.section);

    // An intermediate quantity moves with all columns of the equations it is connected with.
    std::vector<std::vector<bool>> moves(intermediates_, std::vector<bool>(kept_, false));
    std::vector<std::vector<std::uint32_t>> row_columns(intermediates_);
    for (const JacobianEntry& e : equations_.entries)
        if (e.row >= rows_) row_columns[e.row - rows_].push_back(e.column);
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& list : row_columns) {
            std::vector<bool> all(kept_, false);
            for (std::uint32_t c : list) {
                if (c < kept_)
                    all[c] = true;
                else
                    for (std::size_t i = 0; i < kept_; ++i) all[i] = all[i] || moves[c - kept_][i];
            }
            for (std::uint32_t c : list)
                if (c >= kept_ && moves[c - kept_] != all) {
                    moves[c - kept_] = all;
                    changed = true;
                }
        }
    }
    for (std::size_t z = 0; z < intermediates_; ++z)
        for (std::uint32_t i = 0; i < kept_; ++i)
            if (moves[z][i]) columns_[z].push_back(i);

    std::vector<std::vector<bool>> pairs(kept_ + 1, std::vector<bool>(kept_ + 1, false));
    for (const JacobianEntry& e : equations_.entries)
        for (std::size_t j = 0; j <= kept_; ++j) {
            if (!depend.has(e.slot, j)) continue;
            active_[j] = true;
            const auto mark = [&](std::size_t i) { pairs[std::min(i, j)][std::max(i, j)] = true; };
            if (e.column < kept_)
                mark(e.column);
            else
                for (std::uint32_t i : columns_[e.column - kept_]) mark(i);
        }
    if (time_matters_) pairs[time][time] = true;
    pattern_.rows = pattern_.columns = kept_ + 1;
    pattern_.starts.push_back(0);
    for (std::size_t c = 0; c <= kept_; ++c) {
        for (std::size_t r = c; r <= kept_; ++r)
            if (pairs[c][r]) pattern_.row.push_back(std::int64_t(r));
        pattern_.starts.push_back(std::int64_t(pattern_.row.size()));
    }
}

// ---- running sections

std::optional<double> SecondDerivatives::call(const CallSite& site, std::span<const double> arguments) {
    return at_->call(site, arguments);
}

template <class T>
std::optional<Dual<T>> SecondDerivatives::call(const CallSite& site, std::span<const Dual<T>> arguments) {
    std::vector<T> values;
    for (const Dual<T>& a : arguments) values.push_back(a.v);
    const auto value = call(site, std::span<const T>(values));
    if (!value) return std::nullopt;
    T derivative(0.0);
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        if (!varies(arguments[k].d)) continue;
        if (site.derivatives >= 2) return std::nullopt;
        CallSite more = site;
        more.by[more.derivatives++] = std::uint16_t(k);
        const auto partial = call(more, std::span<const T>(values));
        if (!partial) return std::nullopt;
        derivative = derivative + *partial * arguments[k].d;
    }
    return Dual<T>(*value, derivative);
}

template <class T>
bool SecondDerivatives::run(const Section& section, std::vector<T>& r) {
    const Instruction* const code = section.instructions.data();
    const std::size_t end = section.instructions.size();
    for (std::size_t at = 0; at < end;) {
        const Instruction& i = code[at++];
        if (compute_slot(i, r.data())) continue;
        switch (i.code) {
            case Code::Jump:
                at = i.to;
                break;
            case Code::JumpFalse:
                if (plain(r[i.a]) == 0) at = i.to;
                break;
            case Code::Call: {
                const CallSite& site = program_.calls[i.a];
                std::vector<T> arguments;
                for (Slot s : site.arguments) arguments.push_back(r[s]);
                const auto result = call(site, std::span<const T>(arguments));
                if (!result) return false;
                r[i.to] = *result;
                break;
            }
            case Code::Solve:
                if (!solve(i.a, r)) return false;
                break;
            case Code::Switch:  // evaluated anew, as it stands
                break;
            case Code::Delay:
                return false;
            default:
                CUTSET_ASSERT(!"an instruction that computes");
        }
    }
    return true;
}

// z - J⁻¹ r(z) with J at the solution: each step gives one more order of derivatives exactly.
template <class T>
bool SecondDerivatives::solve(std::size_t number, std::vector<T>& r) {
    const Loop& loop = program_.loops[number];
    LoopMatrix& matrix = loops_[number];
    const std::size_t n = loop.torn.size();
    std::vector<double> parts, right;
    for (Slot s : loop.torn) r[s] = T(plain(r[s]));
    constexpr int steps = std::is_same_v<T, Second> ? 2 : 1;
    for (int step = 0; step < steps; ++step) {
        if (!run(loop.residual, r)) return false;
        if (!matrix.factored) {
            if (!run(loop.jacobian, r)) return false;
            std::vector<double> elements;
            for (const JacobianEntry& e : loop.jacobian_entries) elements.push_back(plain(r[e.slot]));
            if (!matrix.lu.factor(elements)) return false;
            matrix.factored = true;
        }
        derivative_parts(r[loop.residual_slots[0]], parts);
        const std::size_t count = parts.size();
        for (std::size_t part = 0; part < count; ++part) {
            right.clear();
            for (Slot s : loop.residual_slots) {
                derivative_parts(r[s], parts);
                right.push_back(parts[part]);
            }
            matrix.lu.solve(right);
            for (std::size_t i = 0; i < n; ++i) subtract_part(r[loop.torn[i]], part, right[i]);
        }
    }
    return run(loop.residual, r);
}

template <class T>
void SecondDerivatives::load(std::vector<T>& r) const {
    const std::span<const double> values = at_->values();
    r.resize(values.size());
    for (std::size_t s = 0; s < values.size(); ++s) r[s] = T(values[s]);
}

bool SecondDerivatives::run_equations(std::vector<First>& r) {
    return run(program_.parameters, r) && run(program_.fixed, r) && run(program_.stepwise, r) &&
           run(equations_.equations, r);
}

bool SecondDerivatives::take(const Interpreter& at) {
    if (at_)
        for (Slot s = 0; s < at.values().size(); ++s) (*at_)[s] = at[s];
    else {
        at_.emplace(at);
        at_->set_machine_code(nullptr);
    }
    for (LoopMatrix& m : loops_) m.factored = false;
    return true;
}

bool SecondDerivatives::by_time(std::span<double> rows) {
    if (!time_matters_) {
        std::fill(rows.begin(), rows.end(), 0);
        return true;
    }
    load(first_);
    first_[program_.layout.time].d = 1;
    if (!run_equations(first_)) return false;
    for (std::size_t row = 0; row < rows_; ++row) rows[row] = first_[row_slot(row)].d;
    return true;
}

// l and -E⁻¹P, from the elements of M as the last run left them.
bool SecondDerivatives::eliminate(std::span<const double> weights) {
    std::copy(weights.begin(), weights.end(), left_.begin());
    if (intermediates_ == 0) return true;
    std::vector<double> inner, transposed;
    std::fill(moves_.begin(), moves_.end(), 0);
    const std::span<double> mu = std::span(left_).subspan(rows_);
    std::fill(mu.begin(), mu.end(), 0);
    for (const JacobianEntry& e : equations_.entries) {
        const double value = plain(first_[e.slot]);
        if (e.row < rows_ && e.column >= kept_)
            mu[e.column - kept_] -= weights[e.row] * value;
        else if (e.row >= rows_ && e.column < kept_)
            moves_[e.column * intermediates_ + (e.row - rows_)] -= value;
        else if (e.row >= rows_)
            inner.push_back(value);
    }
    for (std::size_t i : inner_order_) transposed.push_back(inner[i]);
    if (!inner_.factor(inner) || !inner_transposed_.factor(transposed)) return false;
    for (std::size_t c = 0; c < kept_; ++c)
        inner_.solve(std::span(moves_).subspan(c * intermediates_, intermediates_));
    inner_transposed_.solve(mu);
    return true;
}

bool SecondDerivatives::evaluate(std::span<const double> weights, std::span<double> elements) {
    const std::size_t time = kept_;
    std::fill(elements.begin(), elements.end(), 0);
    bool eliminated = false;
    for (std::size_t j = 0; j <= kept_; ++j) {
        if (!active_[j]) continue;
        load(first_);
        first_[direction_slot(j)].d = 1;
        if (!run_equations(first_) || !run(equations_.section, first_)) return false;
        if (!eliminated && !eliminate(weights)) return false;
        eliminated = true;
        std::fill(column_.begin(), column_.end(), 0);
        for (const JacobianEntry& e : equations_.entries) {
            const double value = left_[e.row] * first_[e.slot].d;
            if (value == 0) continue;
            if (e.column < kept_)
                column_[e.column] += value;
            else
                for (std::uint32_t i : columns_[e.column - kept_])
                    column_[i] += value * moves_[i * intermediates_ + (e.column - kept_)];
        }
        if (j < time) {
            for (auto k = pattern_.starts[j]; k < pattern_.starts[j + 1]; ++k)
                if (const auto row = std::size_t(pattern_.row[std::size_t(k)]); row < time)
                    elements[std::size_t(k)] = column_[row];
        } else {
            for (std::size_t c = 0; c < time; ++c)
                for (auto k = pattern_.starts[c]; k < pattern_.starts[c + 1]; ++k)
                    if (std::size_t(pattern_.row[std::size_t(k)]) == time)
                        elements[std::size_t(k)] = column_[c];
        }
    }
    if (time_matters_) {
        load(second_);
        second_[program_.layout.time] = Second(First(at_->values()[program_.layout.time], 1.0), First(1.0));
        if (!run(program_.parameters, second_) || !run(program_.fixed, second_) ||
            !run(program_.stepwise, second_) || !run(equations_.equations, second_))
            return false;
        double sum = 0;
        for (std::size_t row = 0; row < rows_; ++row) sum += weights[row] * second_[row_slot(row)].d.d;
        elements.back() = sum;
    }
    return true;
}

}  // namespace cutset
