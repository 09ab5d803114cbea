#include "export/listing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <type_traits>
#include <unordered_set>

#include "base/function_ref.h"
#include "export/listed_temporaries.h"
#include "generate/needed_blocks.h"
#include "generate/partition_expressions.h"

namespace cutset {

Slot Listing::slot_of(Unknown u) const {
    if (u.order == 0) return variable[u.variable.value];
    CUTSET_ASSERT(u.order == 1 && state_position[u.variable.value]);
    return static_cast<Slot>(partition->states.size()) + state_position[u.variable.value];
}

namespace {

constexpr std::size_t most_elements = 200000;  // of a Jacobian that is written down
constexpr std::size_t most_columns = 2000;     // of one that is factored as a full matrix

// What all procedures of a listing share while it is made.
struct Maker {
    const Partition& partition;
    Listing& listing;
    Pool& pool;
    const ProgramBuilder& builder;  // positions of states and eliminated variables
    std::unordered_map<const Block*, std::uint32_t> loops;
};

// Positions of the eliminated variables that e needs, also by way of others, in order of computation. Only of
// those that `is_new` says yes to is looked further.
std::vector<std::uint32_t> eliminated_in(const Maker& maker, Expr e,
                                         FunctionRef<bool(std::uint32_t position)> is_new) {
    std::vector<std::uint32_t> needed;
    std::vector<Expr> open{e};
    while (!open.empty()) {
        const Expr next = open.back();
        open.pop_back();
        for_each_leaf(next, [&](Expr leaf) {
            if (leaf->op != Op::Variable || leaf->order != 0) return;
            const std::uint32_t number = maker.builder.eliminated_position[leaf->index];  // 0: not eliminated
            if (number == 0 || !is_new(number - 1)) return;
            needed.push_back(number - 1);
            open.push_back(maker.partition.eliminated[number - 1].value);
        });
    }
    std::sort(needed.begin(), needed.end());
    return needed;
}

// One procedure under construction.
class ProcedureMaker {
  public:
    explicit ProcedureMaker(Maker& maker) : maker_(maker) {}

    void assign(Place place, Expr e) {
        e = lowered(e);
        prepare(e);
        procedure_.lines.push_back({CodeLine::Kind::Assign, place, e, 0});
    }
    void assign(Slot slot, Expr e) { assign(Place{Place::Kind::Quantity, slot}, e); }
    void parameter(std::uint32_t number, Slot slot, Expr e) {
        procedure_.lines.push_back({CodeLine::Kind::Parameter, {Place::Kind::Quantity, slot}, e, number});
    }
    void solve(std::uint32_t loop) { procedure_.lines.push_back({CodeLine::Kind::Solve, {}, nullptr, loop}); }
    // A new temporary with that value, as a leaf.
    Expr temporary(Expr e) {
        const std::uint32_t number = procedure_.temporaries++;
        assign(Place{Place::Kind::Temporary, number}, e);
        return maker_.pool.local(listed_temporary + number);
    }
    void set_eliminated_known() { eliminated_known_ = true; }

    Procedure finish() {
        name_shared(procedure_);
        return std::move(procedure_);
    }

  private:
    // The eliminated variables that e needs and that this procedure has not computed yet.
    void prepare(Expr e) {
        if (eliminated_known_) return;
        const auto& eliminated = maker_.partition.eliminated;
        const auto is_new = [&](std::uint32_t position) { return computed_.insert(position).second; };
        for (std::uint32_t position : eliminated_in(maker_, e, is_new))
            procedure_.lines.push_back(
                {CodeLine::Kind::Assign,
                 {Place::Kind::Quantity, maker_.listing.variable[eliminated[position].variable.value]},
                 eliminated[position].value,
                 0});
    }

    // change(x) = x <> pre(x); edge(b) = b and not b with its variables and switches as they were.
    Expr lowered(Expr e) {
        Pool& pool = maker_.pool;
        Substitution replace(pool);
        bool any = false;
        for_each_node(e, [&](Expr n) {
            if (n->op != Op::Edge && n->op != Op::Change) return;
            Substitution before(pool);
            for_each_leaf(n, [&](Expr leaf) {
                if (leaf->op == Op::Variable && leaf->order == 0)
                    before.replace(leaf, pool.previous(leaf->variable()));
            });
            for_each_node(n, [&](Expr node) {
                if (const auto found = maker_.listing.switches.find(node);
                    found != maker_.listing.switches.end() && node->boolean)
                    before.replace(node, pool.not_equal(pool.local(found->second), pool.number(0)));
            });
            const Expr now = n->arg(0), then = before(now);
            const Expr both[2] = {now, pool.negation(then)};
            replace.replace(n, n->op == Op::Change ? pool.not_equal(now, then) : pool.all_of(both));
            any = true;
        });
        return any ? replace(e) : e;
    }

    Maker& maker_;
    Procedure procedure_;
    std::unordered_set<std::uint32_t> computed_;
    bool eliminated_known_ = false;
};

// Partial derivatives of computed quantities by chosen columns, as expressions.
class ListedChain {
  public:
    using Row = std::map<std::uint32_t, Expr>;
    ListedChain(Maker& maker, ProcedureMaker& code) : maker_(maker), code_(code) {}

    void set_column(Unknown u, std::uint32_t column) { rows_[key(u)] = {{column, maker_.pool.number(1)}}; }
    void define(Unknown u, Row row) { rows_[key(u)] = std::move(row); }

    Row row(Expr e) {
        define_eliminated(e);
        return row_of_known(e);
    }

  private:
    static std::uint64_t key(Unknown u) { return std::uint64_t(u.variable.value) << 8 | u.order; }

    Row row_of_known(Expr e) {
        std::map<std::uint32_t, std::vector<Expr>> terms;
        const auto one = [&](Expr t) {
            for_each_leaf(t, [&](Expr leaf) {
                if (leaf->op != Op::Variable) return;
                const auto row = rows_.find(key({leaf->variable(), leaf->order}));
                if (row == rows_.end() || row->second.empty()) return;
                const Expr d = differentiate(maker_.pool, t, leaf);
                if (d->is_number(0)) return;
                for (const auto& [column, partial] : row->second)
                    terms[column].push_back(maker_.pool.multiply(d, partial));
            });
        };
        if (e->op == Op::Add)
            for (Expr t : e->args()) one(t);
        else
            one(e);
        Row result;
        for (auto& [column, list] : terms) {
            const Expr sum = maker_.pool.add(list);
            if (sum->is_number(0)) continue;
            // Numbers, leaves and their negatives stay as they are.
            const bool plain =
                sum->argument_count == 0 || (sum->op == Op::Multiply && sum->argument_count == 2 &&
                                             sum->arg(0)->is_number() && sum->arg(1)->argument_count == 0);
            result.emplace(column, plain ? sum : code_.temporary(sum));
        }
        return result;
    }

    void define_eliminated(Expr e) {
        const auto& eliminated = maker_.partition.eliminated;
        std::unordered_set<std::uint32_t> met;
        const auto is_new = [&](std::uint32_t position) {
            return !rows_.contains(key({eliminated[position].variable, 0})) && met.insert(position).second;
        };
        for (std::uint32_t position : eliminated_in(maker_, e, is_new))
            define({eliminated[position].variable, 0}, row_of_known(eliminated[position].value));
    }

    Maker& maker_;
    ProcedureMaker& code_;
    std::unordered_map<std::uint64_t, Row> rows_;
};

ListedLoop make_loop(Maker& m, const Block& block) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    ListedLoop loop;
    loop.block = &block;
    loop.linear = block.kind == BlockKind::Linear;
    for (Unknown u : block.torn) {
        const Variable& v = m.partition.model.variables[u.variable];
        loop.torn.push_back(m.listing.slot_of(u));
        loop.nominal.push_back(u.order == 0 ? nominal_of(v) : 1);
        loop.minimum.push_back(u.order == 0 ? v.minimum.value_or(-infinite) : -infinite);
        loop.maximum.push_back(u.order == 0 ? v.maximum.value_or(infinite) : infinite);
    }
    ProcedureMaker residual(m), jacobian(m);
    for (const SolvedEquation& s : block.inner) residual.assign(m.listing.slot_of(s.unknown), s.value);
    const auto n = static_cast<std::uint32_t>(block.torn.size());
    for (std::uint32_t i = 0; i < n; ++i)
        residual.assign({Place::Kind::Residual, i}, block.residuals[i].residual);
    ListedChain chain(m, jacobian);
    for (std::uint32_t j = 0; j < n; ++j) chain.set_column(block.torn[j], j);
    for (const SolvedEquation& s : block.inner) chain.define(s.unknown, chain.row(s.value));
    for (std::uint32_t i = 0; i < n; ++i)
        for (const auto& [column, partial] : chain.row(block.residuals[i].residual))
            jacobian.assign({Place::Kind::Jacobian, i * n + column}, partial);
    loop.residual = residual.finish();
    loop.jacobian = jacobian.finish();
    return loop;
}

void add_block(Maker& m, ProcedureMaker& code, const Block& block) {
    if (block.torn.empty()) {
        for (const SolvedEquation& s : block.inner) code.assign(m.listing.slot_of(s.unknown), s.value);
        return;
    }
    const auto [loop, is_new] = m.loops.emplace(&block, static_cast<std::uint32_t>(m.listing.loops.size()));
    if (is_new) m.listing.loops.push_back(make_loop(m, block));
    code.solve(loop->second);
}

// Eliminated variables are computed on demand, but those under pre() must be there when an event begins.
void add_previous(Maker& m, ProcedureMaker& code) {
    for (const Eliminated& e : m.partition.eliminated)
        if (m.listing.previous[e.variable.value]) code.assign(m.listing.variable[e.variable.value], e.value);
}

// What discrete equations determine comes before the blocks; between events they find it as it is.
void add_discrete(Maker& m, ProcedureMaker& code) {
    for (const DiscreteAssignment& d : m.partition.discrete)
        code.assign(m.listing.variable[d.variable.value], d.value);
}

Procedure blocks(Maker& m, const std::vector<Block>& list, bool with_discrete = true) {
    ProcedureMaker code(m);
    if (with_discrete) add_discrete(m, code);
    for (const Block& block : list) add_block(m, code, block);
    add_previous(m, code);
    return code.finish();
}

void lay_out(Listing& l) {
    const Partition& p = *l.partition;
    const std::size_t n = p.model.variables.size(), states = p.states.size();
    l.state_position.assign(n, 0);
    l.variable.assign(n, 0);
    l.previous.assign(n, 0);
    for (std::size_t i = 0; i < states; ++i) {
        l.state_position[p.states[i].value] = static_cast<std::uint32_t>(i + 1);
        l.variable[p.states[i].value] = static_cast<Slot>(i + 1);
    }
    l.slots = static_cast<std::uint32_t>(1 + 2 * states);
    for (Slot& slot : l.variable)
        if (slot == 0) slot = l.slots++;
    std::vector<bool> used(n, false);
    for (std::size_t i = 0; i < n; ++i)
        used[i] = p.model.variables[VariableIndex(i)].variability == Variability::Discrete;
    const auto look = [&](Expr e) {
        for_each_node(e, [&](Expr node) {
            if (node->op == Op::Previous) used[node->index] = true;
            if (node->op == Op::Edge || node->op == Op::Change)
                for_each_leaf(node, [&](Expr leaf) {
                    if (leaf->op == Op::Variable) used[leaf->index] = true;
                });
        });
    };
    for_each_expression(p, look);
    for (const Switch& s : p.switches)
        for (Expr e : {s.crossing, s.instant})
            if (e) look(e);
    for (std::size_t i = 0; i < n; ++i)
        if (used[i]) l.previous[i] = l.slots++;
    for (const bool by_equation : {true, false})
        for (VariableIndex v{0}; v < p.model.variables.end_index(); ++v.value)
            if (used[v.value] && p.model.variables[v].by_equation == by_equation) l.before.push_back(v);
    for (std::uint32_t i = 0; i < p.switches.size(); ++i) l.switches.emplace(p.switches[i].node, i);
    for (std::uint32_t i = 0; i < p.clocks.size(); ++i) l.clocks.emplace(p.clocks[i].node, i);
    for (std::uint32_t i = 0; i < p.delays.size(); ++i) l.delays.emplace(p.delays[i].node, i);
}

// Initial values as guesses, the values of discrete variables before the first event; then v = e, with all of
// e given, where unknowns are iterated: a better guess for v than 0.
Procedure guesses(Maker& m, const std::vector<double>& solved) {
    const FlatModel& model = m.partition.model;
    ProcedureMaker code(m);
    code.set_eliminated_known();
    std::vector<bool> known;
    for (VariableIndex v{0}; v < model.variables.end_index(); ++v.value) {
        const Variable& variable = model.variables[v];
        known.push_back(variable.variability != Variability::Continuous || variable.start.has_value());
        if (variable.variability == Variability::Discrete && variable.binding)
            code.assign(m.listing.variable[v.value], variable.binding);
        else if (variable.variability == Variability::Continuous && variable.start)
            code.assign(m.listing.variable[v.value], variable.start->value);
    }
    const bool iterates = std::any_of(m.partition.initial_blocks.begin(), m.partition.initial_blocks.end(),
                                      [](const Block& b) { return b.kind == BlockKind::Nonlinear; });
    constexpr int longest_chain = 5;
    for (int pass = 0; iterates && pass < longest_chain; ++pass) {
        bool changed = false;
        for (const Equation& e : model.equations)
            for (const auto& [x, definition] : {std::pair(e.left, e.right), std::pair(e.right, e.left)}) {
                if (x->op != Op::Variable || x->order > 0 || known[x->index]) continue;
                const bool open = depends_on(definition, [&](Expr leaf) {
                    return leaf->op != Op::Time &&
                           (leaf->op != Op::Variable || leaf->order > 0 || !known[leaf->index]);
                });
                if (open) continue;
                code.assign(m.listing.variable[x->index], definition);
                known[x->index] = changed = true;
            }
        if (!changed) break;
    }
    for (const auto* list : {&m.partition.initial_blocks, &m.partition.homotopy_blocks})
        for (const Block& block : *list)
            for (Unknown u : block.torn)
                if (block.kind == BlockKind::Nonlinear && u.order == 0 && u.variable.value < solved.size() &&
                    std::isfinite(solved[u.variable.value]))
                    code.assign(m.listing.variable[u.variable.value],
                                m.pool.number(solved[u.variable.value]));
    return code.finish();
}

std::optional<ListedJacobian> state_jacobian(Maker& m, const std::vector<bool>& needed) {
    const Partition& p = m.partition;
    ListedJacobian result;
    result.states = result.columns = p.states.size();
    ProcedureMaker code(m);
    ListedChain chain(m, code);
    for (std::uint32_t i = 0; i < p.states.size(); ++i) chain.set_column({p.states[i], 0}, i);
    std::size_t elements = 0;
    std::vector<std::pair<std::uint32_t, ListedChain::Row>> rows;
    try {
        for (std::size_t b = 0; b < p.blocks.size(); ++b) {
            if (!needed[b]) continue;
            const auto first = static_cast<std::uint32_t>(result.columns);
            for (Unknown u : p.blocks[b].torn)
                chain.set_column(u, static_cast<std::uint32_t>(result.columns++));
            for (const SolvedEquation& s : p.blocks[b].inner) {
                auto row = chain.row(s.value);
                elements += row.size();
                chain.define(s.unknown, std::move(row));
            }
            for (std::uint32_t i = 0; i < p.blocks[b].residuals.size(); ++i)
                rows.emplace_back(first + i, chain.row(p.blocks[b].residuals[i].residual));
            if (elements > most_elements || result.columns > most_columns) return std::nullopt;
        }
    } catch (const std::domain_error&) {  // a third derivative of a table or function
        return std::nullopt;
    }
    for (std::uint32_t i = 0; i < p.states.size(); ++i)
        rows.emplace_back(i, chain.row(m.pool.variable(p.states[i], 1)));
    const auto n = static_cast<std::uint32_t>(result.columns);
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [row, list] : rows)
        for (const auto& [column, partial] : list)
            code.assign({Place::Kind::Jacobian, row * n + column}, partial);
    result.elements = code.finish();
    return result;
}

Procedure compute_parameters(Maker& m, const std::vector<Expr>& frequencies) {
    const Partition& p = m.partition;
    ProcedureMaker code(m);
    for (std::uint32_t i = 0; i < p.parameters.size(); ++i) {
        const Variable& variable = p.model.variables[p.parameters[i]];
        code.parameter(i, m.listing.variable[p.parameters[i].value],
                       variable.binding ? variable.binding : m.pool.number(variable.value));
    }
    for (std::uint32_t i = 0; i < frequencies.size(); ++i)
        code.assign({Place::Kind::Frequency, i}, frequencies[i]);
    return code.finish();
}

Procedure compute_clocks(Maker& m) {
    ProcedureMaker code(m);
    for (std::uint32_t i = 0; i < m.partition.clocks.size(); ++i) {
        code.assign({Place::Kind::ClockFirst, i}, m.partition.clocks[i].first);
        code.assign({Place::Kind::ClockPeriod, i}, m.partition.clocks[i].period);
    }
    return code.finish();
}

// The continuous equations: what the derivatives need, and the rest.
void add_continuous(Maker& m) {
    const Partition& p = m.partition;
    NeededBlocks wanted(m.builder);
    for (VariableIndex v : p.states) wanted.want(Unknown{v, 1});
    const std::vector<bool> needed = wanted.find();
    ProcedureMaker derivatives(m), auxiliaries(m);
    add_discrete(m, derivatives);
    for (std::size_t i = 0; i < p.blocks.size(); ++i)
        add_block(m, needed[i] ? derivatives : auxiliaries, p.blocks[i]);
    add_previous(m, auxiliaries);
    m.listing.derivatives = derivatives.finish();
    m.listing.auxiliaries = auxiliaries.finish();
    if (!p.states.empty()) m.listing.jacobian = state_jacobian(m, needed);
}

Procedure eliminated(Maker& m) {
    ProcedureMaker code(m);
    code.set_eliminated_known();
    for (const Eliminated& e : m.partition.eliminated)
        code.assign(m.listing.variable[e.variable.value], e.value);
    return code.finish();
}

Procedure crossings(Maker& m) {
    ProcedureMaker code(m);
    for (std::uint32_t i = 0; i < m.partition.switches.size(); ++i) {
        const Switch& s = m.partition.switches[i];
        code.assign({Place::Kind::Crossing, i}, s.crossing);
        if (s.instant) code.assign({Place::Kind::Instant, i}, s.instant);
    }
    return code.finish();
}

Procedure conditions(Maker& m) {
    const Partition& p = m.partition;
    ProcedureMaker code(m);
    for (std::uint32_t i = 0; i < p.model.whens.size(); ++i)
        code.assign({Place::Kind::Condition, i}, p.model.whens[i].condition);
    for (std::uint32_t i = 0; i < p.model.validities.size(); ++i)
        code.assign({Place::Kind::Valid, i}, p.model.validities[i].condition);
    for (std::uint32_t i = 0; i < p.delays.size(); ++i) {
        code.assign({Place::Kind::DelayArgument, i}, p.delays[i].argument);
        code.assign({Place::Kind::DelayDuration, i}, p.delays[i].duration);
    }
    return code.finish();
}

Procedure selections(Maker& m) {
    ProcedureMaker code(m);
    std::uint32_t first = 0;
    for (const StateSelection& s : m.partition.selections) {
        const auto n = static_cast<std::uint32_t>(s.candidates.size());
        for (std::uint32_t r = 0; r < s.jacobian.size(); ++r)
            for (std::uint32_t c = 0; c < n; ++c)
                if (s.jacobian[r][c])
                    code.assign({Place::Kind::Selection, first + r * n + c}, s.jacobian[r][c]);
        first += static_cast<std::uint32_t>(s.jacobian.size()) * n;
    }
    return code.finish();
}

// By switch: the iteration variable of an algebraic loop whose sign it asks for, or 0.
std::vector<Slot> branches(const Maker& m) {
    const Partition& p = m.partition;
    std::vector<bool> iterated(p.model.variables.size(), false);
    for (const Block& block : p.blocks)
        for (const Unknown& u : block.torn)
            if (block.kind == BlockKind::Nonlinear && u.order == 0) iterated[u.variable.value] = true;
    std::vector<Slot> list;
    for (const Switch& s : p.switches) {
        const Op op = s.node->op;
        const bool is_branch = !s.instant && !s.kink && s.crossing->op == Op::Variable &&
                               s.crossing->order == 0 && iterated[s.crossing->index] &&
                               (op == Op::Sign || op == Op::Less || op == Op::LessEqual);
        list.push_back(is_branch ? m.listing.variable[s.crossing->index] : 0);
    }
    return list;
}

// One action of a when clause; its value and its guard get places of their own.
ListedAction list_action(Maker& m, ProcedureMaker& code, std::uint32_t when, const WhenAction& action) {
    Listing& l = m.listing;
    ListedAction listed;
    listed.when = when;
    if (const Expr guard = guard_of(action)) {
        code.assign({Place::Kind::Value, l.values}, m.pool.choose(guard, m.pool.number(1), m.pool.number(0)));
        listed.guard = ++l.values;
    }
    if (const auto* end = std::get_if<WhenTerminate>(&action)) {
        listed.kind = ListedAction::Kind::Terminate;
        listed.message = end->message;
        return listed;
    }
    const auto* assign = std::get_if<WhenAssign>(&action);
    const auto* reinit = std::get_if<WhenReinit>(&action);
    listed.kind = assign ? ListedAction::Kind::Assign : ListedAction::Kind::Reinit;
    listed.target = l.variable[(assign ? assign->target : reinit->target).value];
    if (assign) listed.before = l.previous[assign->target.value];
    listed.value = l.values++;
    code.assign({Place::Kind::Value, listed.value}, assign ? assign->value : reinit->value);
    return listed;
}

void add_when(Maker& m, std::uint32_t number) {
    const WhenClause& when = m.partition.model.whens[number];
    ProcedureMaker code(m);
    std::size_t at_start = is_sampled(when) ? 1 : 0;
    for_each_node(when.condition, [&](Expr e) {
        if (e->op == Op::Starting) at_start |= 2;
    });
    m.listing.acts_at_start.push_back(at_start);
    m.listing.branches_before.push_back(when.branch);
    for (const WhenAction& action : when.actions)
        m.listing.actions.push_back(list_action(m, code, number, action));
    m.listing.when_values.push_back(code.finish());
}

}  // namespace

Listing make_listing(const Partition& p, const std::vector<Expr>& frequencies,
                     const std::vector<double>& solved) {
    Listing l;
    l.partition = &p;
    lay_out(l);
    Program positions;
    const ProgramBuilder builder(p, positions);
    Maker m{p, l, *p.model.pool, builder, {}};

    l.parameters = p.parameters;
    l.compute_parameters = compute_parameters(m, frequencies);
    l.compute_clocks = compute_clocks(m);
    l.guesses = guesses(m, solved);
    l.initial = blocks(m, p.initial_blocks);
    if (!p.actual_parts.empty()) l.homotopy = blocks(m, p.homotopy_blocks);
    if (!p.jump_causes.empty()) l.jump = blocks(m, p.jump_blocks, false);
    add_continuous(m);
    l.eliminated = eliminated(m);
    l.crossings = crossings(m);
    l.conditions = conditions(m);
    l.selections = selections(m);
    l.branches = branches(m);
    for (std::uint32_t w = 0; w < p.model.whens.size(); ++w) add_when(m, w);
    return l;
}

}  // namespace cutset
