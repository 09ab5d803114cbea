#include "transform/clock_partitions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "transform/clock_messages.h"

namespace cutset {

namespace {

using ClockKind = ClockOperator::Kind;

Fraction fraction(std::int64_t n, std::int64_t d) {
    const std::int64_t common = std::max<std::int64_t>(1, std::gcd(n, d));
    return {n / common, d / common};
}
Fraction times(const Fraction& a, const Fraction& b) {
    return fraction(a.numerator * b.numerator, a.denominator * b.denominator);
}
Fraction plus(const Fraction& a, const Fraction& b) {
    return fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

// The rate of the result of a ratio operator, or backwards that of its argument.
ClockRate through(const ClockOperator& op, ClockRate rate, bool backwards) {
    const Fraction factor{std::int64_t(op.factor), 1}, part{1, std::int64_t(op.factor)};
    const auto shift = [&](std::int64_t sign) {
        rate.begin =
            plus(rate.begin,
                 times(rate.interval, fraction(sign * std::int64_t(op.factor), std::int64_t(op.resolution))));
    };
    switch (op.kind) {
        case ClockKind::SubSample:
            rate.interval = times(rate.interval, backwards ? part : factor);
            break;
        case ClockKind::SuperSample:
            rate.interval = times(rate.interval, backwards ? factor : part);
            break;
        case ClockKind::Shift:
            shift(backwards ? -1 : 1);
            break;
        case ClockKind::Back:
            shift(backwards ? 1 : -1);
            break;
        default:
            break;
    }
    return rate;
}

bool is_ratio(ClockKind kind) {
    return kind == ClockKind::SubSample || kind == ClockKind::SuperSample || kind == ClockKind::Shift ||
           kind == ClockKind::Back;
}
// Its factor follows from the two clocks.
bool is_inferred(const ClockOperator& op) {
    return op.factor == 0 && (op.kind == ClockKind::SubSample || op.kind == ClockKind::SuperSample);
}
// The argument is of another partition.
bool parts(ClockKind kind) {
    return is_ratio(kind) || kind == ClockKind::Sample || kind == ClockKind::Hold ||
           kind == ClockKind::NoClock || kind == ClockKind::Event;
}

constexpr std::uint32_t no_unknown = 0xFFFFFFFFu;

}  // namespace

bool Fraction::in_range() const {
    return std::abs(numerator) < 1'000'000'000 && denominator < 1'000'000'000;
}

ClockPartitions::ClockPartitions(const FlatModel& model, Diagnostics& diagnostics)
    : model_(model), diagnostics_(diagnostics), sets_(model.variables.size()) {
    list_unknowns();
    list_operators();
}

std::vector<ClockPartition> ClockPartitions::find() {
    const std::size_t before = diagnostics_.error_count();
    join_variables();
    find_clocked();
    distribute();
    find_rates();
    std::vector<ClockPartition> found;
    if (diagnostics_.error_count() > before) return found;
    for (auto& [root, p] : parts_) found.push_back(std::move(p.found));
    return found;
}

VariableIndex ClockPartitions::result(const ClockOperator& op) const {
    CUTSET_ASSERT(op.kind != ClockKind::Member);
    return model_.equations[op.equation].left->variable();
}

// ---- partitions

// What is declared discrete and set by no when clause may be clocked.
void ClockPartitions::list_unknowns() {
    std::vector<bool> set(model_.variables.size());
    for (const WhenClause& when : model_.whens)
        for (const WhenAction& action : when.actions)
            if (const auto* assign = std::get_if<WhenAssign>(&action)) set[assign->target.value] = true;
    unknown_.resize(model_.variables.size());
    for (VariableIndex v(0); v < model_.variables.end_index(); ++v.value) {
        const Variable& x = model_.variables[v];
        unknown_[v.value] =
            x.variability == Variability::Continuous ||
            (x.variability == Variability::Discrete && !x.free_parameter && !x.by_equation && !set[v.value]);
    }
}

void ClockPartitions::list_operators() {
    operator_of_.assign(model_.equations.size(), nullptr);
    for (const ClockOperator& op : model_.clock_operators) {
        CUTSET_ASSERT(op.kind == ClockKind::Member || model_.equations[op.equation].left->op == Op::Variable);
        operator_of_[op.equation.value] = &op;
        if (op.kind == ClockKind::Periodic || op.kind == ClockKind::Event) definitions_.push_back(&op);
    }
}

// Joins the unknowns of an expression with each other; one of them.
std::uint32_t ClockPartitions::join_leaves(Expr e, std::uint32_t with) {
    for_each_leaf(e, [&](Expr leaf) {
        if ((leaf->op != Op::Variable && leaf->op != Op::Previous) || !is_unknown(leaf->variable())) return;
        if (with != no_unknown) sets_.join_to_least(with, leaf->index);
        with = leaf->index;
    });
    return with;
}
std::uint32_t ClockPartitions::member(const Equation& e) {
    return join_leaves(e.right, join_leaves(e.left, no_unknown));
}
// An unknown of the argument, if it has any.
std::uint32_t ClockPartitions::argument(const ClockOperator& op) {
    return join_leaves(model_.equations[op.equation].right, no_unknown);
}
ClockPartitions::Part* ClockPartitions::part(std::uint32_t v) {
    if (v == no_unknown) return nullptr;
    const auto found = parts_.find(sets_.root(v));
    return found == parts_.end() ? nullptr : &found->second;
}

void ClockPartitions::join_variables() {
    for (EquationIndex e(0); e < model_.equations.end_index(); ++e.value) {
        const ClockOperator* op = operator_of_[e.value];
        if (!op || op->kind == ClockKind::Member) {
            const std::uint32_t of = member(model_.equations[e]);
            if (op && of != no_unknown) sets_.join_to_least(of, op->clock->value);
            continue;
        }
        const std::uint32_t of =
            op->kind == ClockKind::Sample || op->kind == ClockKind::Event ? no_unknown : argument(*op);
        if (op->clock) sets_.join_to_least(result(*op).value, op->clock->value);
        if (!parts(op->kind) && of != no_unknown) sets_.join_to_least(result(*op).value, of);
    }
}

void ClockPartitions::set_clocked(std::uint32_t v) {
    if (v != no_unknown) parts_[sets_.root(v)];
}

void ClockPartitions::find_clocked() {
    for (const ClockOperator& op : model_.clock_operators) {
        if (op.kind == ClockKind::Member) {
            set_clocked(op.clock->value);
            continue;
        }
        if (op.kind != ClockKind::Hold) set_clocked(result(op).value);
        if (op.kind == ClockKind::Hold || is_ratio(op.kind)) set_clocked(argument(op));
    }
    for (VariableIndex v : model_.asked_before)
        if (is_unknown(v) && !part(v.value))
            diagnostics_.report(clock_messages::previous_unclocked(model_, v));
}

// What belongs to each of them.
void ClockPartitions::distribute() {
    for (const ClockOperator& op : model_.clock_operators) {
        if (op.kind == ClockKind::Member) continue;
        if (is_ratio(op.kind) && !is_inferred(op))
            if (const std::uint32_t of = argument(op); of != no_unknown) {
                part(of)->ratios.emplace_back(&op, false);
                part(result(op).value)->ratios.emplace_back(&op, true);
            }
        if (op.kind != ClockKind::Solved) continue;
        const ClockOperator*& solved = part(result(op).value)->found.solved;
        if (solved && solved->solver != op.solver)
            diagnostics_.report(clock_messages::two_solvers(where(op), where(*solved)));
        solved = &op;
    }
    for (EquationIndex e(0); e < model_.equations.end_index(); ++e.value) {
        const ClockOperator* op = operator_of_[e.value];
        if (op && op->kind == ClockKind::Hold) continue;
        if (Part* p =
                part(op && op->kind != ClockKind::Member ? result(*op).value : member(model_.equations[e])))
            p->found.equations.push_back(e);
    }
    for (EquationIndex e(0); e < model_.initial_equations.end_index(); ++e.value)
        for (Expr side : {model_.initial_equations[e].left, model_.initial_equations[e].right}) {
            Part* p = nullptr;
            for_each_leaf(side, [&](Expr leaf) {
                if (!p && (leaf->op == Op::Variable || leaf->op == Op::Previous)) p = part(leaf->index);
            });
            if (!p) continue;
            p->found.initial_equations.push_back(e);
            break;
        }
    for (VariableIndex v(0); v < model_.variables.end_index(); ++v.value)
        if (is_unknown(v))
            if (Part* p = part(v.value)) p->found.unknowns.push_back(v);
}

// ---- rates

void ClockPartitions::find_rates() {
    for (const ClockOperator* definition : definitions_) spread(*definition);
    for (const auto& [root, p] : parts_) check(p, VariableIndex(root));
    for (const ClockOperator& op : model_.clock_operators)
        if (is_inferred(op)) check_inferred(op);
}

// From a clock of its own along the ratios.
void ClockPartitions::spread(const ClockOperator& definition) {
    std::vector<std::uint32_t> open;
    const std::uint32_t at = sets_.root(result(definition).value);
    if (reach(at, definition, ClockRate{}, where(definition))) open.push_back(at);
    while (!open.empty()) {
        const std::uint32_t from = open.back();
        open.pop_back();
        const Part& p = parts_.at(from);
        for (const auto& [op, backwards] : p.ratios) {
            const ClockRate next = through(*op, p.found.rate, backwards);
            if (!next.interval.in_range() || !next.begin.in_range()) {
                diagnostics_.report(clock_messages::ratio_too_large(where(*op)));
                return;
            }
            const std::uint32_t to = sets_.root(backwards ? argument(*op) : result(*op).value);
            if (reach(to, definition, next, where(*op))) open.push_back(to);
        }
    }
}

// Whether the partition had no clock yet.
bool ClockPartitions::reach(std::uint32_t to, const ClockOperator& definition, const ClockRate& rate,
                            Span where) {
    Part& p = parts_.at(to);
    if (!p.found.base) {
        p.found.base = &definition;
        p.found.rate = rate;
        return true;
    }
    if (!agree(p, definition, rate))
        diagnostics_.report(
            clock_messages::do_not_fit(model_, where, this->where(*p.found.base), VariableIndex(to)));
    return false;
}

// Whether a partition that has a clock has the same one by this definition too.
bool ClockPartitions::agree(const Part& p, const ClockOperator& definition, const ClockRate& rate) const {
    const ClockOperator& base = *p.found.base;
    if (base.kind != definition.kind) return false;
    const Expr period = model_.equations[base.equation].right,
               other = model_.equations[definition.equation].right;
    if (period == other) return p.found.rate == rate;
    if (definition.kind == ClockKind::Event || !period->is_number() || !other->is_number()) return false;
    const auto same = [](double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); };
    const ClockRate& own = p.found.rate;
    return same(period->number * own.interval.value(), other->number * rate.interval.value()) &&
           same(period->number * own.begin.value() + 1, other->number * rate.begin.value() + 1);
}

void ClockPartitions::check(const Part& p, VariableIndex member) {
    const ClockRate& rate = p.found.rate;
    if (!p.found.base)
        diagnostics_.report(clock_messages::no_clock(model_, member));
    else if (rate.begin.numerator < 0)
        diagnostics_.report(clock_messages::before_start(model_, member));
    else if (p.found.base->kind == ClockKind::Event &&
             (rate.interval.denominator > 1 || rate.begin.denominator > 1))
        diagnostics_.report(clock_messages::ratio_of_events(model_, member, where(*p.found.base)));
    if (!p.found.base || p.found.solver() != ClockSolver::None) return;
    for (const EquationIndex e : p.found.equations)
        for (Expr side : {model_.equations[e].left, model_.equations[e].right})
            for_each_leaf(side, [&](Expr leaf) {
                if (leaf->op == Op::Variable && leaf->order > 0)
                    diagnostics_.report(clock_messages::derivative(
                        model_, leaf->variable(), model_.equations[e].origin, where(*p.found.base)));
            });
}

// Seconds between ticks, where they are known.
std::optional<double> ClockPartitions::period(const Part& p) const {
    if (!p.found.base || p.found.base->kind != ClockKind::Periodic) return std::nullopt;
    const Expr base = model_.equations[p.found.base->equation].right;
    if (!base->is_number()) return std::nullopt;
    return base->number * p.found.rate.interval.value();
}

// Both clocks are known; one has to be a multiple of the other.
void ClockPartitions::check_inferred(const ClockOperator& op) {
    const Part *from = part(argument(op)), *to = part(result(op).value);
    if (!from || !to || !from->found.base || !to->found.base) return;
    const auto a = period(*from), b = period(*to);
    const bool equal_base = from->found.base == to->found.base;
    if (!equal_base && (!a || !b)) return;
    const double factor =
        equal_base ? from->found.rate.interval.value() / to->found.rate.interval.value() : *a / *b;
    const double whole = op.kind == ClockKind::SubSample ? 1 / factor : factor;
    if (whole < 0.5 || std::abs(whole - std::round(whole)) > 1e-9 * whole)
        diagnostics_.report(clock_messages::no_whole_factor(where(op), where(*from->found.base),
                                                            where(*to->found.base), whole));
}

}  // namespace cutset
