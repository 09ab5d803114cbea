#include "run/switch_structure.h"

#include <set>
#include <unordered_map>

#include "base/diagnostic.h"
#include "run/continuous_inputs.h"

namespace cutset {

namespace {

bool is_consecutive(const std::vector<Slot>& slots) {
    return slots.empty() || slots.back() - slots.front() + 1 == slots.size();
}

// By slot, after the equations and the zero-crossing functions ran: whether its value depends on the solution
// of a loop.
std::vector<bool> slots_from_loops(const Program& program) {
    std::vector<bool> found(program.layout.slots);
    const auto pass = [&](const Section& section) {
        for (const Instruction& i : section.instructions) {
            if (i.code == Code::Solve) {
                const Loop& loop = program.loops[i.a];
                for (Slot slot : loop.torn) found[slot] = true;
                for (const Instruction& inner : loop.residual.instructions)
                    for_each_slot(inner, program.calls, [&](Slot slot, bool written) {
                        if (written) found[slot] = true;
                    });
                continue;
            }
            bool any = false;
            for_each_slot(i, program.calls, [&](Slot slot, bool written) {
                if (written)
                    found[slot] = any;
                else
                    any = any || found[slot];
            });
        }
    };
    pass(program.continuous);
    pass(program.crossings);
    return found;
}

bool has_bends(Expr root) {
    bool found = false;
    for_each_node(root, [&](Expr e) {
        switch (e->op) {
            case Op::Abs:
            case Op::Min:
            case Op::Max:
            case Op::Sign:
            case Op::If:
            case Op::Apply:
                found = true;
                break;
            default:
                break;
        }
    });
    return found;
}

// The expressions that clauses look at and set discrete variables by, with those of the Booleans in them.
std::set<Expr> read_by_clauses(const Partition& partition) {
    const FlatModel& model = partition.model;
    std::vector<Expr> definitions(model.variables.size(), nullptr);  // of Booleans
    const auto define = [&](VariableIndex v, Expr value) {
        if (model.variables[v].is_boolean()) definitions[v.value] = value;
    };
    for (const Block& block : partition.blocks)
        for (const SolvedEquation& s : block.inner)
            if (s.unknown.order == 0) define(s.unknown.variable, s.value);
    for (const Eliminated& e : partition.eliminated) define(e.variable, e.value);

    std::set<Expr> seen;
    std::vector<Expr> open;
    for (const WhenClause& clause : model.whens) {
        open.push_back(clause.condition);
        for (const WhenAction& action : clause.actions) {
            open.push_back(guard_of(action));
            if (const auto* assign = std::get_if<WhenAssign>(&action)) open.push_back(assign->value);
            if (const auto* reinit = std::get_if<WhenReinit>(&action)) open.push_back(reinit->value);
        }
    }
    while (!open.empty()) {
        const Expr root = open.back();
        open.pop_back();
        if (!root) continue;
        for_each_node(root, [&](Expr e) {
            if (!seen.insert(e).second || e->op != Op::Variable || e->order != 0) return;
            if (const Expr definition = definitions[e->index]) open.push_back(definition);
        });
    }
    return seen;
}

}  // namespace

SwitchStructure::SwitchStructure(const Program& program, bool fixed) {
    const Partition& partition = *program.partition;
    const FlatModel& model = partition.model;
    const Layout& layout = program.layout;
    for (const std::vector<Slot>* list :
         {&layout.switches, &layout.switches_before, &layout.crossings, &layout.when_conditions})
        CUTSET_ASSERT(is_consecutive(*list));
    std::vector<bool> iterated(model.variables.size(), false);
    for (const Block& block : partition.blocks)
        for (const Unknown& u : block.torn)
            if (block.kind == BlockKind::Nonlinear && u.order == 0) iterated[u.variable.value] = true;
    std::unordered_map<Expr, std::size_t> number;  // looked up only
    for (std::size_t i = 0; i < partition.switches.size(); ++i) number.emplace(partition.switches[i].node, i);
    feeds_discrete.assign(partition.switches.size(), false);
    for (const DiscreteAssignment& d : partition.discrete)
        for_each_node(d.value, [&](Expr e) {
            if (const auto found = number.find(e); found != number.end())
                feeds_discrete[found->second] = true;
        });
    const std::set<Expr> looked_at = read_by_clauses(partition);
    for (std::size_t i = 0; i < partition.switches.size(); ++i) {
        const Switch& s = partition.switches[i];
        const Op op = s.node->op;
        ops.push_back(op);
        may_slide.push_back((op == Op::Sign || op == Op::Less || op == Op::LessEqual) && !s.kink &&
                            !feeds_discrete[i] && !looked_at.count(s.node));
        simple.push_back(op == Op::Less && !s.instant);
        all_simple = all_simple && simple.back();
        bends.push_back(has_bends(s.crossing) || (s.rate && has_bends(s.rate)));
        (s.instant ? time : state).push_back(i);
        if (!s.instant && !s.kink && s.crossing->op == Op::Variable && s.crossing->order == 0 &&
            iterated[s.crossing->index] && (op == Op::Sign || op == Op::Less || op == Op::LessEqual))
            branch.push_back(i);
    }

    inputs = continuous_inputs(program);
    std::vector<bool> read(layout.slots), is_state(layout.slots);
    for (Slot slot : layout.state) is_state[slot] = true;
    for (Slot slot : inputs) {
        read[slot] = true;
        if (!is_state[slot]) discrete_inputs.push_back(slot);
    }
    for (Slot slot : layout.switches) acts.push_back(read[slot]);
    repeatable = fixed && partition.delays.empty() && branch.empty();

    std::vector<bool> eliminated(model.variables.size());
    for (const Eliminated& e : partition.eliminated) eliminated[e.variable.value] = true;
    for (VariableIndex v{0}; v < model.variables.end_index(); ++v.value)
        if (model.variables[v].variability == Variability::Continuous && !eliminated[v.value])
            unknowns.push_back(layout.variable[v.value]);
    find_loops(program);
}

// The algebraic loops that contain conditions, and those conditions.
void SwitchStructure::find_loops(const Program& program) {
    const Partition& partition = *program.partition;
    std::vector<bool> inside(partition.switches.size()), discrete(program.layout.slots);
    for (const DiscreteAssignment& d : partition.discrete)
        discrete[program.layout.variable[d.variable.value]] = true;
    bool in_discrete = false;  // a loop reads what discrete equations determine
    for (const Instruction& solve : program.continuous.instructions) {
        if (solve.code != Code::Solve) continue;
        const Loop& loop = program.loops[solve.a];
        bool switched = false;
        for (const Instruction& i : loop.residual.instructions)
            if (i.code == Code::Switch) {
                inside[i.a] = switched = true;
            } else {
                for_each_slot(i, program.calls, [&](Slot slot, bool written) {
                    if (!written && discrete[slot]) in_discrete = switched = true;
                });
            }
        if (switched && !loop.linear) loops.push_back(solve.a);
    }
    const std::vector<bool> from_loops = slots_from_loops(program);
    // A loop that the condition decides about by way of a discrete variable.
    for (std::size_t i : state)
        if (in_discrete && feeds_discrete[i] && from_loops[program.layout.crossings[i]]) inside[i] = true;
    for (std::size_t i : state) {
        const Op op = ops[i];
        if (partition.switches[i].kink || (op != Op::Less && op != Op::LessEqual && op != Op::Sign)) continue;
        if (inside[i]) in_loops.push_back(i);
        if (inside[i] || from_loops[program.layout.crossings[i]]) uncertain.push_back(i);
    }
}

}  // namespace cutset
