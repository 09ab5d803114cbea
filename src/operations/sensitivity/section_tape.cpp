#include "operations/sensitivity/section_tape.h"

#include <algorithm>
#include <cmath>

#include "expr/dual.h"

namespace cutset {

// The matrix R_z of a loop and its transpose, each with its own factors.
struct SectionTape::LoopMatrix {
    MatrixLu lu, transposed;
    bool has_transposed = false;
    std::vector<std::size_t> order;  // of the elements of the transpose among those of the loop
    std::vector<double> values;
};

SectionTape::SectionTape(const Program& program)
    : program_(program), varying_(program.layout.slots, 0), origin_(program.layout.slots, 0) {}
SectionTape::~SectionTape() = default;

bool SectionTape::record(std::span<const Section* const> sections, Interpreter& values, bool backward) {
    entries_.clear();
    loops_.clear();
    problem_.clear();
    for (const Section* section : sections)
        if (!record(*section, values, backward, false)) return false;
    return true;
}

void SectionTape::add(Kind kind, Slot to, Slot a, double da, Slot b, double db) {
    entries_.push_back({to, a, b, kind, da, db});
}

bool SectionTape::record(const Section& section, Interpreter& r, bool backward, bool inside_loop) {
    const Instruction* const code = section.instructions.data();
    const std::size_t end = section.instructions.size();
    // to := f with partial derivatives by a and b, as far as those vary
    const auto depends = [&](const Instruction& i, double da, double db, bool two) {
        const bool by_a = varying_[i.a], by_b = two && varying_[i.b];
        if (by_a || by_b) {
            add(Kind::Set, i.to, by_a ? i.a : i.b, by_a ? da : db, by_b ? i.b : i.a, by_a && by_b ? db : 0);
            varying_[i.to] = true;
        } else if (varying_[i.to]) {
            add(Kind::Clear, i.to, 0, 0);
            varying_[i.to] = false;
        }
    };
    for (std::size_t at = 0; at < end;) {
        const Instruction& i = code[at++];
        switch (i.code) {
            case Code::Copy:
                depends(i, 1, 0, false);
                r[i.to] = r[i.a];
                break;
            case Code::Add:
                depends(i, 1, 1, true);
                r[i.to] = r[i.a] + r[i.b];
                break;
            case Code::Subtract:
                depends(i, 1, -1, true);
                r[i.to] = r[i.a] - r[i.b];
                break;
            case Code::Multiply:
                depends(i, r[i.b], r[i.a], true);
                r[i.to] = r[i.a] * r[i.b];
                break;
            case Code::Divide: {
                const double quotient = r[i.a] / r[i.b];
                depends(i, 1 / r[i.b], -quotient / r[i.b], true);
                r[i.to] = quotient;
                break;
            }
            case Code::Negate:
                depends(i, -1, 0, false);
                r[i.to] = -r[i.a];
                break;
            case Code::Unary: {
                const double x = r[i.a];
                depends(i, varying_[i.a] ? function_of(i.op, Dual<double>(x, 1)).d : 0, 0, false);
                r[i.to] = apply_unary(i.op, x);
                break;
            }
            case Code::Binary: {
                const double x = r[i.a], y = r[i.b];
                depends(i, varying_[i.a] ? function_of(i.op, Dual<double>(x, 1), Dual<double>(y, 0)).d : 0,
                        varying_[i.b] ? function_of(i.op, Dual<double>(x, 0), Dual<double>(y, 1)).d : 0,
                        true);
                r[i.to] = apply_binary(i.op, x, y);
                break;
            }
            case Code::Jump:
                at = i.to;
                break;
            case Code::JumpFalse:
                if (r[i.a] == 0) at = i.to;
                break;
            case Code::Call: {
                const CallSite& site = program_.calls[i.a];
                std::vector<double> arguments;
                for (Slot s : site.arguments) arguments.push_back(r[s]);
                const auto value = r.call(site, arguments);
                if (!value) return failed("a function failed");
                std::vector<Entry> parts;
                for (std::size_t k = 0; k < site.arguments.size(); ++k) {
                    if (!varying_[site.arguments[k]]) continue;
                    if (site.derivatives >= 2) return failed("a function has no third derivatives");
                    CallSite by = site;
                    by.by[by.derivatives++] = static_cast<std::uint16_t>(k);
                    const auto derivative = r.call(by, arguments);
                    if (!derivative) return failed("a function has no derivative");
                    const Slot a = site.arguments[k];
                    parts.push_back({i.to, a, a, Kind::Add, *derivative, 0});
                }
                // A result that is an argument too is read before it is overwritten.
                std::stable_partition(parts.begin(), parts.end(), [](const Entry& e) { return e.a == e.to; });
                const bool any = !parts.empty();
                if (any) parts.front().kind = Kind::Set;
                entries_.insert(entries_.end(), parts.begin(), parts.end());
                if (!any && varying_[i.to]) add(Kind::Clear, i.to, 0, 0);
                varying_[i.to] = any;
                r[i.to] = *value;
                break;
            }
            case Code::Solve:
                if (inside_loop) return failed("a loop within a loop");
                if (!r.solve(i.a)) return failed("a loop could not be solved");
                if (!record_loop(i.a, r, backward)) return false;
                break;
            case Code::Switch:
                if (varying_[i.to]) add(Kind::Clear, i.to, 0, 0);
                varying_[i.to] = false;
                r[i.to] = r[program_.layout.switches[i.a]];
                at = i.b;
                break;
            case Code::Delay:
                return failed("the model has delays");
        }
    }
    return true;
}

bool SectionTape::record_loop(std::uint32_t number, Interpreter& values, bool backward) {
    const Loop& loop = program_.loops[number];
    const std::size_t n = loop.torn.size();
    const std::size_t begin = entries_.size();
    add(Kind::Loop, static_cast<Slot>(loops_.size()), 0, 0);
    const std::size_t here = loops_.size();
    loops_.push_back({number, 0});
    for (Slot slot : loop.torn) varying_[slot] = true;
    if (!record(loop.residual, values, backward, true)) return false;
    loops_[here].end = entries_.size();
    // Unknowns vary when anything but them makes the residuals vary; the inner entries tell.
    enum : char { unseen, from_torn, from_outside };
    bool any = false;
    for (Slot slot : loop.torn) origin_[slot] = from_torn;
    for (std::size_t k = begin + 1; k < entries_.size(); ++k) {
        const Entry& e = entries_[k];
        if (e.kind == Kind::Clear) {
            origin_[e.to] = from_torn;
            continue;
        }
        const bool outside = origin_[e.a] != from_torn || (e.db != 0 && origin_[e.b] != from_torn) ||
                             (e.kind == Kind::Add && origin_[e.to] == from_outside);
        origin_[e.to] = outside ? from_outside : from_torn;
        any = any || outside;
    }
    for (Slot slot : loop.torn) origin_[slot] = unseen;
    for (std::size_t k = begin + 1; k < entries_.size(); ++k) origin_[entries_[k].to] = unseen;
    if (!any) {
        std::vector<Slot> constant = loop.torn;
        for (std::size_t k = begin + 1; k < entries_.size(); ++k) constant.push_back(entries_[k].to);
        entries_.resize(begin);
        loops_.pop_back();
        for (Slot slot : constant) {
            varying_[slot] = false;
            add(Kind::Clear, slot, 0, 0);
        }
        return true;
    }
    if (!values.run(loop.jacobian)) return failed("a loop has no derivatives");
    auto& matrix = matrices_[number];
    if (!matrix) {
        matrix = std::make_unique<LoopMatrix>();
        SparsePattern pattern, transposed;
        pattern.rows = pattern.columns = transposed.rows = transposed.columns = n;
        pattern.starts.assign(n + 1, 0);
        transposed.starts.assign(n + 1, 0);
        for (const JacobianEntry& e : loop.jacobian_entries) {
            ++pattern.starts[e.column + 1];
            ++transposed.starts[e.row + 1];
            pattern.row.push_back(e.row);
        }
        for (std::size_t k = 0; k < n; ++k) {
            pattern.starts[k + 1] += pattern.starts[k];
            transposed.starts[k + 1] += transposed.starts[k];
        }
        std::vector<std::int64_t> next(transposed.starts.begin(), transposed.starts.end() - 1);
        matrix->order.resize(loop.jacobian_entries.size());
        transposed.row.resize(loop.jacobian_entries.size());
        for (std::size_t k = 0; k < loop.jacobian_entries.size(); ++k) {
            const JacobianEntry& e = loop.jacobian_entries[k];
            const auto place = static_cast<std::size_t>(next[e.row]++);
            matrix->order[place] = k;
            transposed.row[place] = e.column;
        }
        matrix->lu.set_pattern(std::move(pattern));
        matrix->transposed.set_pattern(std::move(transposed));
    }
    matrix->values.resize(loop.jacobian_entries.size());
    for (std::size_t k = 0; k < matrix->values.size(); ++k)
        matrix->values[k] = values[loop.jacobian_entries[k].slot];
    if (!backward) {
        if (!matrix->lu.factor(matrix->values)) return failed("a loop is singular");
        return true;
    }
    std::vector<double> turned(matrix->values.size());
    for (std::size_t k = 0; k < turned.size(); ++k) turned[k] = matrix->values[matrix->order[k]];
    matrix->has_transposed = matrix->transposed.factor(turned);
    if (!matrix->has_transposed) return failed("a loop is singular");
    return true;
}

void SectionTape::forward(std::span<double> tangents, std::size_t width) {
    forward(0, entries_.size(), tangents.data(), width);
}

namespace {

// An infinite derivative does no harm where nothing varies.
inline double times(double d, double t) {
    return t == 0 ? 0 : d * t;
}

}  // namespace

void SectionTape::forward(std::size_t begin, std::size_t end, double* t, std::size_t width) {
    for (std::size_t k = begin; k < end; ++k) {
        const Entry& e = entries_[k];
        double* const to = t + std::size_t(e.to) * width;
        const double* const a = t + std::size_t(e.a) * width;
        const double* const b = t + std::size_t(e.b) * width;
        switch (e.kind) {
            case Kind::Set:
                if (std::isfinite(e.da) && std::isfinite(e.db)) {
                    if (e.db == 0)
                        for (std::size_t j = 0; j < width; ++j) to[j] = e.da * a[j];
                    else
                        for (std::size_t j = 0; j < width; ++j) to[j] = e.da * a[j] + e.db * b[j];
                } else {
                    for (std::size_t j = 0; j < width; ++j) to[j] = times(e.da, a[j]) + times(e.db, b[j]);
                }
                break;
            case Kind::Add:
                for (std::size_t j = 0; j < width; ++j) to[j] += times(e.da, a[j]);
                break;
            case Kind::Clear:
                std::fill_n(to, width, 0.0);
                break;
            case Kind::Loop: {
                const LoopEntry& entry = loops_[e.to];
                const Loop& loop = program_.loops[entry.loop];
                const std::size_t n = loop.torn.size();
                for (Slot slot : loop.torn) std::fill_n(t + std::size_t(slot) * width, width, 0.0);
                forward(k + 1, entry.end, t, width);
                std::vector<double> column(n), all(n * width);
                for (std::size_t j = 0; j < width; ++j) {
                    for (std::size_t i = 0; i < n; ++i)
                        column[i] = -t[std::size_t(loop.residual_slots[i]) * width + j];
                    if (std::any_of(column.begin(), column.end(), [](double v) { return v != 0; }))
                        matrices_.at(entry.loop)->lu.solve(column);
                    std::copy(column.begin(), column.end(), all.begin() + static_cast<std::ptrdiff_t>(j * n));
                }
                for (std::size_t i = 0; i < n; ++i)
                    for (std::size_t j = 0; j < width; ++j)
                        t[std::size_t(loop.torn[i]) * width + j] = all[j * n + i];
                forward(k + 1, entry.end, t, width);
                k = entry.end - 1;
                break;
            }
        }
    }
}

void SectionTape::backward(std::span<double> adjoints) {
    backward(0, entries_.size(), adjoints.data());
}

void SectionTape::backward(std::size_t begin, std::size_t end, double* w) {
    // Ends of loops, the last first.
    std::size_t loop_at = loops_.size();
    while (loop_at > 0 && loops_[loop_at - 1].end > end) --loop_at;
    for (std::size_t k = end; k-- > begin;) {
        if (loop_at > 0 && loops_[loop_at - 1].end == k + 1) {
            const LoopEntry& entry = loops_[loop_at - 1];
            const Loop& loop = program_.loops[entry.loop];
            const std::size_t n = loop.torn.size();
            // The first inner entry stands after the Loop entry.
            std::size_t first = k + 1;
            while (entries_[first - 1].kind != Kind::Loop) --first;
            // d(sum) = w_z dz + …,  R_z dz = -R_u du:  m = -R_z^-T w_z  goes back through the residuals.
            const auto inner = [&] {
                for (std::size_t i = k + 1; i-- > first;) {
                    const Entry& e = entries_[i];
                    const double v = w[e.to];
                    if (e.kind != Kind::Add) w[e.to] = 0;
                    if (e.kind == Kind::Clear) continue;
                    w[e.a] += times(v, e.da);
                    if (e.db != 0) w[e.b] += times(v, e.db);
                }
            };
            inner();
            std::vector<double> m(n);
            for (std::size_t i = 0; i < n; ++i) m[i] = -w[loop.torn[i]];
            matrices_.at(entry.loop)->transposed.solve(m);
            for (std::size_t i = 0; i < n; ++i) w[loop.residual_slots[i]] = m[i];
            inner();
            for (Slot slot : loop.torn) w[slot] = 0;
            --loop_at;
            k = first - 1;  // the Loop entry itself
            continue;
        }
        const Entry& e = entries_[k];
        const double v = w[e.to];
        if (e.kind != Kind::Add) w[e.to] = 0;
        if (e.kind == Kind::Clear || v == 0) continue;
        w[e.a] += v * e.da;
        if (e.db != 0) w[e.b] += v * e.db;
    }
}

}  // namespace cutset
