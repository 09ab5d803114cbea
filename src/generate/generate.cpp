// The layout of a Program and its sections.
#include "generate/generate.h"

#include <algorithm>
#include <numeric>
#include <type_traits>
#include <utility>

#include "base/integer_map.h"
#include "generate/function_compiler.h"
#include "generate/loop_builder.h"
#include "generate/needed_blocks.h"
#include "generate/partition_expressions.h"
#include "generate/section_builder.h"
#include "generate/state_jacobian.h"
#include "ir/verification.h"

namespace cutset {

namespace {

// Variables whose value before an event is asked for: pre(x), change(x), the variables of edge(b).
std::vector<bool> used_before(const Partition& p) {
    std::vector<bool> used(p.model.variables.size(), false);
    for (std::size_t i = 0; i < used.size(); ++i)
        used[i] = p.model.variables[VariableIndex(i)].variability == Variability::Discrete;
    const auto look = [&](Expr e) {
        if (!e) return;
        for_each_node(e, [&](Expr n) {
            if (n->op == Op::Previous) used[n->index] = true;
            if (n->op == Op::Edge || n->op == Op::Change)
                for_each_leaf(n, [&](Expr leaf) {
                    if (leaf->op == Op::Variable) used[leaf->index] = true;
                });
        });
    };
    for_each_expression(p, look);
    for (const Switch& s : p.switches) {
        look(s.crossing);
        look(s.instant);
        look(s.rate);
    }
    return used;
}

// The variables that one declaration makes, in all instances of its model, stand one after the other: code
// that runs over the instances then reads memory as it comes.
std::vector<std::size_t> by_declaration(const FlatModel& model) {
    const std::size_t n = model.variables.size();
    // How many variables each declaration makes, the declarations in the order in which they are met.
    IntegerMap<std::uint32_t> met;
    std::vector<std::uint64_t> places;
    std::vector<std::size_t> count;
    std::vector<std::uint32_t> declaration(n);
    for (std::size_t v = 0; v < n; ++v) {
        const Span where = model.variables[VariableIndex(v)].origin.where;
        const std::uint64_t place = std::uint64_t(where.source.value) << 32 | where.begin;
        std::uint32_t& after = met[place];
        if (after == 0) {
            places.push_back(place);
            count.push_back(0);
            after = static_cast<std::uint32_t>(places.size());
        }
        declaration[v] = after - 1;
        ++count[after - 1];
    }
    std::vector<std::uint32_t> sorted(places.size());
    std::iota(sorted.begin(), sorted.end(), std::uint32_t(0));
    std::sort(sorted.begin(), sorted.end(),
              [&](std::uint32_t a, std::uint32_t b) { return places[a] < places[b]; });
    std::size_t next = 0;
    for (std::uint32_t d : sorted) next += std::exchange(count[d], next);
    std::vector<std::size_t> order(n);
    for (std::size_t v = 0; v < n; ++v) order[count[declaration[v]]++] = v;
    return order;
}

// Slot 0 is the time, so that 0 can mean "none" elsewhere.
void lay_out(ProgramBuilder& b) {
    const Partition& p = b.partition;
    Layout& layout = b.program.layout;
    const auto one = [&] { return b.quantity(); };
    const auto many = [&](std::size_t n) {
        std::vector<Slot> slots(n);
        for (Slot& s : slots) s = b.quantity();
        return slots;
    };
    layout.time = one();
    layout.starting = one();
    layout.ending = one();
    // States one after the other, then their derivatives: the integrator's vectors are copied as they are.
    layout.variable.assign(p.model.variables.size(), 0);
    layout.state = many(p.states.size());
    for (std::size_t i = 0; i < p.states.size(); ++i) layout.variable[p.states[i].value] = layout.state[i];
    layout.derivative = many(p.states.size());
    for (const std::size_t v : by_declaration(p.model))
        if (layout.variable[v] == 0) layout.variable[v] = one();
    const std::vector<bool> used = used_before(p);
    layout.previous.assign(used.size(), 0);
    for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i]) layout.previous[i] = one();
    layout.switches = many(p.switches.size());
    layout.switches_before = many(p.switches.size());
    layout.clocks = many(p.clocks.size());
    layout.crossings = many(p.switches.size());
    layout.instants = many(p.switches.size());
    layout.crossing_rates = many(p.switches.size());
    layout.when_conditions = many(p.model.whens.size());
    for (const WhenClause& w : p.model.whens) {
        std::vector<Slot> values, guards;
        for (const WhenAction& a : w.actions) {
            values.push_back(std::holds_alternative<WhenTerminate>(a) ? 0 : one());
            guards.push_back(guard_of(a) ? one() : 0);
        }
        layout.when_values.push_back(std::move(values));
        layout.when_guards.push_back(std::move(guards));
    }
    layout.validity = many(p.model.validities.size());
    layout.delay_arguments = many(p.delays.size());
    layout.delay_durations = many(p.delays.size());
    for (std::size_t i = 0; i < p.clocks.size(); ++i) {
        const Slot first = one(), period = one();
        layout.clock_parameters.emplace_back(first, period);
    }
    for (const StateSelection& s : p.selections)
        layout.selection_jacobians.push_back(many(s.constraints.size() * s.candidates.size()));
}

Section parameters(ProgramBuilder& b, const std::vector<VariableIndex>& given) {
    SectionBuilder code(b, SectionBuilder::Use::Plain);
    for (VariableIndex v : b.partition.parameters) {
        if (std::find(given.begin(), given.end(), v) != given.end()) continue;
        const Variable& variable = b.partition.model.variables[v];
        code.assign(b.program.layout.variable[v.value],
                    variable.binding ? variable.binding : b.partition.model.pool->number(variable.value));
        code.compiler().forget_all();  // a run may hold its value: no other one is computed from its slot
    }
    return code.finish();
}

Section clocks(ProgramBuilder& b) {
    SectionBuilder code(b, SectionBuilder::Use::Plain);
    for (std::size_t i = 0; i < b.partition.clocks.size(); ++i) {
        code.assign(b.program.layout.clock_parameters[i].first, b.partition.clocks[i].first);
        code.assign(b.program.layout.clock_parameters[i].second, b.partition.clocks[i].period);
    }
    return code.finish();
}

bool computes_the_same(const Block& a, const Block& b) {
    return a.kind == b.kind && a.constant_matrix == b.constant_matrix && a.torn == b.torn &&
           std::equal(a.inner.begin(), a.inner.end(), b.inner.begin(), b.inner.end(),
                      [](const SolvedEquation& x, const SolvedEquation& y) {
                          return x.unknown == y.unknown && x.value == y.value;
                      }) &&
           std::equal(
               a.residuals.begin(), a.residuals.end(), b.residuals.begin(), b.residuals.end(),
               [](const ResidualEquation& x, const ResidualEquation& y) { return x.residual == y.residual; });
}

// The linear loop of initialization, built already, that this loop of the run is too: mostly that is the
// states and then the equations of the run. (Nonlinear ones have a past, which initialization does not
// share.)
std::optional<std::uint32_t> loop_of_start(const ProgramBuilder& b, const Block& block) {
    const std::vector<Block>&run = b.partition.blocks, &start = b.partition.initial_blocks;
    const bool of_run = &block >= run.data() && &block < run.data() + run.size();
    if (!of_run || block.kind != BlockKind::Linear || start.size() < run.size()) return std::nullopt;
    const Block& twin = start[start.size() - run.size() + static_cast<std::size_t>(&block - run.data())];
    const auto known = b.loops.find(&twin);
    if (known == b.loops.end() || !computes_the_same(block, twin)) return std::nullopt;
    return known->second;
}

void add_block(ProgramBuilder& b, SectionBuilder& code, const Block& block) {
    if (block.torn.empty()) {
        for (const SolvedEquation& s : block.inner) code.assign(b.slot_of(s.unknown), s.value);
        return;
    }
    const auto [loop, is_new] = b.loops.emplace(&block, static_cast<std::uint32_t>(b.program.loops.size()));
    if (is_new) {
        if (const auto known = loop_of_start(b, block))
            loop->second = *known;
        else
            b.program.loops.push_back(build_loop(b, block));
    }
    code.solve(loop->second);
}

// With what discrete equations determine first; at a jump it is known already.
Section blocks(ProgramBuilder& b, const std::vector<Block>& list, bool with_discrete = true) {
    SectionBuilder code(b, SectionBuilder::Use::Plain);
    if (with_discrete)
        for (const DiscreteAssignment& d : b.partition.discrete)
            code.assign(b.program.layout.variable[d.variable.value], d.value);
    for (const Block& block : list) add_block(b, code, block);
    // Eliminated variables are computed on demand, but those under pre() must be there when an event begins.
    for (const Eliminated& e : b.partition.eliminated)
        if (b.program.layout.previous[e.variable.value])
            code.assign(b.program.layout.variable[e.variable.value], e.value);
    return code.finish();
}

void add_blocks(ProgramBuilder& b, SectionBuilder& code, const std::vector<bool>& needed) {
    for (std::size_t i = 0; i < needed.size(); ++i)
        if (needed[i]) add_block(b, code, b.partition.blocks[i]);
}

NeededBlocks needed_for_derivatives(const ProgramBuilder& b) {
    NeededBlocks needed(b);
    for (VariableIndex v : b.partition.states) needed.want(Unknown{v, 1});
    return needed;
}

std::vector<bool> blocks_of_derivatives(const ProgramBuilder& b) {
    return needed_for_derivatives(b).find();
}

// Those that the derivatives and these outputs need.
std::vector<bool> blocks_of(const ProgramBuilder& b, const std::vector<VariableIndex>& outputs) {
    NeededBlocks needed(b);
    for (VariableIndex v : b.partition.states) needed.want(Unknown{v, 1});
    for (VariableIndex v : outputs) needed.want(b.partition.model.pool->variable(v));
    return needed.find();
}

Section derivative_section(ProgramBuilder& b) {
    SectionBuilder code(b, SectionBuilder::Use::Plain);
    NeededBlocks needed = needed_for_derivatives(b);
    add_blocks(b, code, needed.find());
    for (std::size_t i = 0; i < b.partition.blocks.size(); ++i)
        if (const auto loop = b.loops.find(&b.partition.blocks[i]); loop != b.loops.end())
            b.program.loops[loop->second].rest = build_rest(b, b.partition.blocks[i], needed.inner()[i]);
    return code.finish_hoisted();
}

// The derivatives and these outputs.
Section outputs(ProgramBuilder& b, const std::vector<bool>& needed, const std::vector<VariableIndex>& list) {
    SectionBuilder code(b, SectionBuilder::Use::Plain);
    add_blocks(b, code, needed);
    for (VariableIndex v : list)
        if (const std::uint32_t position = b.eliminated_position[v.value])
            code.assign(b.program.layout.variable[v.value], b.partition.eliminated[position - 1].value);
    return code.finish_hoisted();
}

Section event_indicators(ProgramBuilder& b) {
    SectionBuilder code(b, SectionBuilder::Use::Plain);
    NeededBlocks needed(b);
    for (const Switch& s : b.partition.switches)
        if (!s.instant) needed.want(s.crossing);
    add_blocks(b, code, needed.find());
    for (std::size_t i = 0; i < b.partition.switches.size(); ++i)
        if (!b.partition.switches[i].instant)
            code.assign(b.program.layout.crossings[i], b.partition.switches[i].crossing);
    return code.finish_hoisted();
}

void add_delays(ProgramBuilder& b, SectionBuilder& code) {
    for (std::size_t i = 0; i < b.partition.delays.size(); ++i) {
        code.assign(b.program.layout.delay_arguments[i], b.partition.delays[i].argument);
        code.assign(b.program.layout.delay_durations[i], b.partition.delays[i].duration);
    }
}

Section past(ProgramBuilder& b) {
    SectionBuilder code(b, SectionBuilder::Use::Plain);
    NeededBlocks needed(b);
    for (const auto& delay : b.partition.delays) {
        needed.want(delay.argument);
        needed.want(delay.duration);
    }
    add_blocks(b, code, needed.find());
    add_delays(b, code);
    return code.finish_hoisted();
}

Section eliminated(ProgramBuilder& b) {
    SectionBuilder code(b, SectionBuilder::Use::Plain);
    code.set_eliminated_known();
    for (const Eliminated& e : b.partition.eliminated)
        code.assign(b.program.layout.variable[e.variable.value], e.value);
    return code.finish();
}

Section crossings(ProgramBuilder& b) {
    SectionBuilder code(b, SectionBuilder::Use::Plain);
    for (std::size_t i = 0; i < b.partition.switches.size(); ++i) {
        const Switch& s = b.partition.switches[i];
        code.assign(b.program.layout.crossings[i], s.crossing);
        if (s.instant) code.assign(b.program.layout.instants[i], s.instant);
        if (s.rate) code.assign(b.program.layout.crossing_rates[i], s.rate);
    }
    return code.finish();
}

Section conditions(ProgramBuilder& b) {
    const Layout& layout = b.program.layout;
    SectionBuilder code(b, SectionBuilder::Use::Plain);
    for (std::size_t i = 0; i < b.partition.model.whens.size(); ++i)
        code.assign(layout.when_conditions[i], b.partition.model.whens[i].condition);
    for (std::size_t i = 0; i < b.partition.model.validities.size(); ++i)
        code.assign(layout.validity[i], b.partition.model.validities[i].condition);
    add_delays(b, code);
    return code.finish();
}

Section selections(ProgramBuilder& b) {
    SectionBuilder code(b, SectionBuilder::Use::Plain);
    for (std::size_t i = 0; i < b.partition.selections.size(); ++i) {
        const StateSelection& s = b.partition.selections[i];
        const std::vector<Slot>& slots = b.program.layout.selection_jacobians[i];
        for (std::size_t r = 0; r < s.jacobian.size(); ++r)
            for (std::size_t c = 0; c < s.candidates.size(); ++c)
                if (s.jacobian[r][c]) code.assign(slots[r * s.candidates.size() + c], s.jacobian[r][c]);
    }
    return code.finish();
}

Section when_actions(ProgramBuilder& b, std::size_t number) {
    SectionBuilder code(b, SectionBuilder::Use::Plain);
    const WhenClause& w = b.partition.model.whens[number];
    for (std::size_t i = 0; i < w.actions.size(); ++i)
        std::visit(
            [&](const auto& a) {
                if (a.guard) code.assign(b.program.layout.when_guards[number][i], a.guard);
                if constexpr (!std::is_same_v<std::decay_t<decltype(a)>, WhenTerminate>)
                    code.assign(b.program.layout.when_values[number][i], a.value);
                if constexpr (std::is_same_v<std::decay_t<decltype(a)>, WhenAssign>)
                    if (a.in_order) code.assign(b.program.layout.variable[a.target.value], a.value);
            },
            w.actions[i]);
    return code.finish();
}

}  // namespace

Program generate(std::shared_ptr<const Partition> partition, JacobianKind jacobian,
                 const std::vector<VariableIndex>& given, const DerivativeRequest* derivatives) {
    Program program;
    program.partition = std::move(partition);
    const Partition& from = *program.partition;
    ProgramBuilder b(from, program);
    lay_out(b);
    for (const Callee& callee : from.model.callees) {
        const auto* function = std::get_if<FunctionData>(&callee);
        program.functions.push_back(function && !function->external ? compile_function(*function)
                                                                    : FunctionCode{});
    }
    program.parameters = parameters(b, given);
    program.clocks = clocks(b);
    program.initial = blocks(b, from.initial_blocks);
    if (!from.actual_parts.empty()) program.homotopy = blocks(b, from.homotopy_blocks);
    if (!from.jump_causes.empty()) program.jump = blocks(b, from.jump_blocks, false);
    program.continuous = blocks(b, from.blocks);
    program.derivatives = derivative_section(b);
    program.event_indicators = event_indicators(b);
    program.past = past(b);
    if (jacobian == JacobianKind::States)
        program.jacobian = build_state_jacobian(b, blocks_of_derivatives(b), false);
    else if (jacobian == JacobianKind::StatesAndLoops)
        program.jacobian = build_state_jacobian(b, std::vector<bool>(from.blocks.size(), true), true);
    if (derivatives) {
        const std::vector<bool> needed = blocks_of(b, derivatives->of);
        Section equations = outputs(b, needed, derivatives->of);
        program.linearized = build_linearized(b, from.blocks, needed, *derivatives, false);
        if (program.linearized) program.linearized->equations = std::move(equations);
        const std::vector<bool> all(from.initial_blocks.size(), true);
        if (derivatives->start)
            program.linearized_start = build_linearized(b, from.initial_blocks, all, *derivatives, true);
    }
    program.fixed.instructions = std::move(b.fixed);
    program.stepwise.instructions = std::move(b.stepwise);
    program.eliminated = eliminated(b);
    program.crossings = crossings(b);
    program.conditions = conditions(b);
    program.selections = selections(b);
    for (std::size_t i = 0; i < from.model.whens.size(); ++i)
        program.when_actions.push_back(when_actions(b, i));
    b.relocate();
    if (verifies_by_default()) verify(program);
    return program;
}

}  // namespace cutset
