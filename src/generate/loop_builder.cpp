#include "generate/loop_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace cutset {

namespace {

// A partial derivative: zero (absent), a number, or a value in a slot.
struct Partial {
    bool is_number = true;
    double number = 0;
    Slot slot = 0;
};

// ∂z/∂torn as pairs of column and value, columns rising.
using Row = std::vector<std::pair<std::uint32_t, Partial>>;

class JacobianBuilder {
  public:
    JacobianBuilder(ProgramBuilder& program, const Block& block)
        : program_(program),
          block_(block),
          pool_(*program.partition.model.pool),
          code_(program, SectionBuilder::Use::InLoop) {
        for (std::uint32_t j = 0; j < block.torn.size(); ++j)
            rows_[block.torn[j]] = {{j, Partial{true, 1, 0}}};
    }

    void build(Loop& loop) {
        for (const SolvedEquation& s : block_.inner) rows_[s.unknown] = row(s.value);
        std::vector<JacobianEntry> entries;
        for (std::uint32_t i = 0; i < block_.residuals.size(); ++i)
            for (const auto& [column, partial] : row(block_.residuals[i].residual))
                entries.push_back({i, column, kept(partial)});
        std::sort(entries.begin(), entries.end(), [](const JacobianEntry& a, const JacobianEntry& b) {
            return std::pair(a.column, a.row) < std::pair(b.column, b.row);
        });
        loop.jacobian_entries = std::move(entries);
        loop.jacobian = code_.finish();
    }

  private:
    // A place where the value stays: its own if it is no temporary.
    Slot kept(const Partial& p) {
        if (p.is_number) return program_.constant(p.number);
        if ((p.slot & slot_tag::mask) != slot_tag::temporary) return p.slot;
        const Slot to = program_.quantity();
        code_.emit({Code::Copy, Op::Number, to, p.slot, 0});
        return to;
    }

    Slot slot(const Partial& p) { return p.is_number ? program_.constant(p.number) : p.slot; }

    Partial value(Expr e) {
        if (e->is_number()) return {true, e->number, 0};
        return {false, 0, code_.value(e)};
    }

    Partial times(const Partial& a, const Partial& b) {
        if (a.is_number && b.is_number) return {true, a.number * b.number, 0};
        if (b.is_number) return times(b, a);
        if (a.is_number && a.number == 1) return b;
        if (a.is_number && a.number == -1) {
            const Slot to = code_.temporary();
            code_.emit({Code::Negate, Op::Number, to, b.slot, 0});
            return {false, 0, to};
        }
        return {false, 0, code_.compiler().binary(Code::Multiply, slot(a), b.slot)};
    }

    Partial plus(const Partial& a, const Partial& b) {
        if (a.is_number && b.is_number) return {true, a.number + b.number, 0};
        return {false, 0, code_.compiler().binary(Code::Add, slot(a), slot(b))};
    }

    // ∂e/∂u for the unknowns u of this block that occur in e, oldest first. Sums term by term: a sum of n
    // terms in n unknowns takes n steps, not n².
    std::vector<std::pair<Unknown, Expr>> gradient(Expr e) {
        std::vector<std::pair<Unknown, Expr>> all;
        const auto term = [&](Expr t) {
            for_each_leaf(t, [&](Expr leaf) {
                if (leaf->op != Op::Variable) return;
                const Unknown u{leaf->variable(), leaf->order};
                if (!rows_.contains(u)) return;
                const Expr d = differentiate(pool_, t, leaf);
                if (!d->is_number(0)) all.emplace_back(u, d);
            });
        };
        if (e->op != Op::Add) {
            term(e);
            return all;
        }
        for (Expr t : e->args()) term(t);
        std::stable_sort(all.begin(), all.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<std::pair<Unknown, Expr>> merged;
        std::vector<Expr> terms;
        for (std::size_t i = 0; i < all.size();) {
            const Unknown u = all[i].first;
            terms.clear();
            for (; i < all.size() && all[i].first == u; ++i) terms.push_back(all[i].second);
            merged.emplace_back(u, pool_.add(terms));
        }
        return merged;
    }

    // de/dtorn = Σ ∂e/∂u · du/dtorn
    Row row(Expr e) {
        // Eliminated variables are functions of the unknowns too: e in terms of what is computed.
        e = without_eliminated(e);
        Row terms;
        for (const auto& [u, d] : gradient(e)) {
            const Row& inner = rows_.at(u);
            if (inner.empty() || d->is_number(0)) continue;
            const Partial outer = value(d);
            for (const auto& [column, partial] : inner) terms.emplace_back(column, times(outer, partial));
        }
        std::stable_sort(terms.begin(), terms.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        Row sum;
        for (const auto& [column, partial] : terms) {
            if (!sum.empty() && sum.back().first == column)
                sum.back().second = plus(sum.back().second, partial);
            else
                sum.emplace_back(column, partial);
        }
        return sum;
    }

    Expr without_eliminated(Expr e) {
        if (program_.partition.eliminated.empty()) return e;
        for (;;) {
            Substitution s(pool_);
            for_each_leaf(e, [&](Expr leaf) {
                if (leaf->op != Op::Variable || leaf->order != 0) return;
                if (const std::uint32_t position = program_.eliminated_position[leaf->index])
                    s.replace(leaf, program_.partition.eliminated[position - 1].value);
            });
            if (s.empty()) return e;
            e = s(e);
        }
    }

    ProgramBuilder& program_;
    const Block& block_;
    Pool& pool_;
    SectionBuilder code_;
    std::map<Unknown, Row> rows_;
};

double nominal_of(const FlatModel& model, Unknown u) {
    if (u.order > 0) return 1;
    const Variable& v = model.variables[u.variable];
    if (v.nominal && *v.nominal != 0) return std::abs(*v.nominal);
    double size = 0;
    for (const auto& bound : {v.minimum, v.maximum})
        if (bound && std::isfinite(*bound)) size = std::max(size, std::abs(*bound));
    if (size > 0) return size;
    if (v.start && v.start->value->is_number() && v.start->value->number != 0)
        return std::abs(v.start->value->number);
    return 1;
}

}  // namespace

Loop build_loop(ProgramBuilder& program, const Block& block) {
    const FlatModel& model = program.partition.model;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    Loop loop;
    loop.linear = block.kind == BlockKind::Linear;
    loop.constant_matrix = block.constant_matrix;
    loop.block = &block;
    for (Unknown u : block.torn) {
        const Variable& v = model.variables[u.variable];
        loop.torn.push_back(program.slot_of(u));
        loop.nominal.push_back(nominal_of(model, u));
        loop.minimum.push_back(u.order == 0 ? v.minimum.value_or(-infinite) : -infinite);
        loop.maximum.push_back(u.order == 0 ? v.maximum.value_or(infinite) : infinite);
    }
    SectionBuilder residual(program, SectionBuilder::Use::InLoop);
    for (const SolvedEquation& s : block.inner) residual.assign(program.slot_of(s.unknown), s.value);
    for (const ResidualEquation& r : block.residuals) {
        loop.residual_slots.push_back(program.quantity());
        residual.assign(loop.residual_slots.back(), r.residual);
    }
    loop.residual = residual.finish();
    JacobianBuilder(program, block).build(loop);
    return loop;
}

}  // namespace cutset
