#include "generate/section_builder.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <queue>

#include "base/diagnostic.h"
#include "generate/hoist.h"

namespace cutset {

ProgramBuilder::ProgramBuilder(const Partition& partition, Program& program)
    : partition(partition), program(program) {
    const std::size_t n = partition.model.variables.size();
    eliminated_position.assign(n, 0);
    state_position.assign(n, 0);
    for (std::size_t i = 0; i < partition.eliminated.size(); ++i)
        eliminated_position[partition.eliminated[i].variable.value] = static_cast<std::uint32_t>(i + 1);
    for (std::size_t i = 0; i < partition.states.size(); ++i)
        state_position[partition.states[i].value] = static_cast<std::uint32_t>(i + 1);
    const auto number = [](auto& map, const auto& list) {
        for (std::size_t i = 0; i < list.size(); ++i)
            map.emplace(list[i].node, static_cast<std::uint32_t>(i));
    };
    number(switches, partition.switches);
    number(clocks, partition.clocks);
    number(delays, partition.delays);
}

Slot ProgramBuilder::constant(double v) {
    Slot& after = constants_[std::bit_cast<std::uint64_t>(v)];
    if (after == 0) {
        program.constants.push_back(v);
        after = static_cast<Slot>(program.constants.size());
    }
    return slot_tag::constant + after - 1;
}

Slot ProgramBuilder::slot_of(Unknown u) const {
    if (u.order == 0) return program.layout.variable[u.variable.value];
    CUTSET_ASSERT(u.order == 1 && state_position[u.variable.value]);
    return program.layout.derivative[state_position[u.variable.value] - 1];
}

void ProgramBuilder::relocate() {
    Layout& layout = program.layout;
    layout.constants = quantities;
    const Slot first_temporary = quantities + static_cast<Slot>(program.constants.size());
    layout.slots = first_temporary + temporaries + loop_temporaries;
    const auto place = [&](Slot& s) {
        const Slot number = s & ~slot_tag::mask;
        switch (s & slot_tag::mask) {
            case slot_tag::constant:
                s = layout.constants + number;
                break;
            case slot_tag::temporary:
                s = first_temporary + number;
                break;
            case slot_tag::loop_temporary:
                s = first_temporary + temporaries + number;
                break;
            default:
                break;
        }
    };
    const auto section = [&](Section& s) {
        for (Instruction& i : s.instructions) {
            if (i.code == Code::Call) {  // its arguments below, with all call sites
                place(i.to);
                continue;
            }
            for_each_slot(i, program.calls, [&](Slot& slot, bool) { place(slot); });
        }
    };
    std::uint32_t number = 0;
    for_each_section(program, [&](Section& s) {
        s.number = number++;
        section(s);
    });
    for (Loop& loop : program.loops)
        for (JacobianEntry& e : loop.jacobian_entries) place(e.slot);
    if (program.jacobian)
        for (JacobianEntry& e : program.jacobian->entries) place(e.slot);
    for (auto* linearized : {&program.linearized, &program.linearized_start})
        if (*linearized)
            for (JacobianEntry& e : (*linearized)->entries) place(e.slot);
    for (CallSite& c : program.calls)
        for (Slot& s : c.arguments) place(s);
}

// ---- a section

void SectionBuilder::prepare(Expr e) {
    if (eliminated_known_) return;
    const auto& needed = program_.needed_eliminated(e, [&](Expr leaf) { return compiler_.knows(leaf); });
    for (std::uint32_t position : needed) {
        const Eliminated& eliminated = program_.partition.eliminated[position];
        compiler_.define(program_.partition.model.pool->variable(eliminated.variable),
                         compiler_.compile(eliminated.value));
    }
}

void SectionBuilder::assign(Slot to, Expr e) {
    prepare(e);
    compiler_.compile(e, to);
}

Slot SectionBuilder::value(Expr e) {
    prepare(e);
    return compiler_.compile(e);
}

void SectionBuilder::solve(std::uint32_t loop) {
    emit({Code::Solve, Op::Number, 0, loop, 0});
}

void SectionBuilder::land(std::size_t at) {
    Instruction& i = section_.instructions[at];
    (i.code == Code::Switch ? i.b : i.to) = static_cast<Slot>(position());
}

std::uint32_t SectionBuilder::call_site(CallSite site) {
    program_.program.calls.push_back(std::move(site));
    return static_cast<std::uint32_t>(program_.program.calls.size() - 1);
}

Slot SectionBuilder::leaf(Expr e) {
    const Layout& layout = program_.program.layout;
    switch (e->op) {
        case Op::Variable:
            return program_.slot_of({e->variable(), e->order});
        case Op::Previous:
            CUTSET_ASSERT(layout.previous[e->index] != 0);
            return layout.previous[e->index];
        case Op::Time:
            return layout.time;
        case Op::Starting:
            return layout.starting;
        case Op::Ending:
            return layout.ending;
        case Op::Local:  // a slot by its number; made by `lower`
            return e->index;
        case Op::Sample: {
            const auto clock = program_.clocks.find(e);
            CUTSET_ASSERT(clock != program_.clocks.end());
            return layout.clocks[clock->second];
        }
        default:
            CUTSET_ASSERT(!"a leaf of the model");
            return 0;
    }
}

void SectionBuilder::load_element(Slot, Slot, Expr) {
    CUTSET_ASSERT(!"array elements occur in functions only");
}

std::optional<std::uint32_t> SectionBuilder::switch_number(Expr e) {
    const auto found = program_.switches.find(e);
    if (found == program_.switches.end()) return std::nullopt;
    return found->second;
}

std::uint32_t SectionBuilder::delay_number(Expr e) {
    const auto found = program_.delays.find(e);
    CUTSET_ASSERT(found != program_.delays.end());
    return found->second;
}

// change(x) = x <> pre(x); edge(b) = b and not b with all its variables and switches as they were.
Expr SectionBuilder::lower(Expr e) {
    Pool& pool = *program_.partition.model.pool;
    Substitution before(pool);
    for_each_leaf(e, [&](Expr leaf) {
        if (leaf->op == Op::Variable && leaf->order == 0)
            before.replace(leaf, pool.previous(leaf->variable()));
    });
    for_each_node(e, [&](Expr node) {
        if (const auto found = program_.switches.find(node);
            found != program_.switches.end() && node->boolean)
            before.replace(node,
                           pool.not_equal(pool.local(program_.program.layout.switches_before[found->second]),
                                          pool.number(0)));
    });
    const Expr now = e->arg(0), then = before(now);
    if (e->op == Op::Change) return pool.not_equal(now, then);
    const Expr both[2] = {now, pool.negation(then)};
    return pool.all_of(both);
}

Section SectionBuilder::finish_hoisted() {
    hoist(program_, section_.instructions);
    return finish();
}

Section SectionBuilder::finish() {
    // [first, last] instruction of each temporary. Jumps go forward only, so that this is its life.
    struct Life {
        std::size_t last = 0;
        Slot place = std::numeric_limits<Slot>::max();
    };
    std::vector<Life> lives(temporaries_);
    std::vector<CallSite>& calls = program_.program.calls;
    const auto is_temporary = [](Slot s) { return (s & slot_tag::mask) == slot_tag::temporary; };
    const auto life = [&](Slot s) -> Life& { return lives[s & ~slot_tag::mask]; };
    for (std::size_t at = 0; at < section_.instructions.size(); ++at)
        for_each_slot(section_.instructions[at], calls, [&](Slot& s, bool) {
            if (is_temporary(s)) life(s).last = at;
        });

    const Slot tag = use_ == Use::InLoop ? slot_tag::loop_temporary : slot_tag::temporary;
    Slot& most = use_ == Use::InLoop ? program_.loop_temporaries : program_.temporaries;
    Slot used = 0;
    std::priority_queue<Slot, std::vector<Slot>, std::greater<>> free;
    std::vector<Slot> ended;
    const auto give_back = [&] {
        for (Slot place : ended) free.push(place);
        ended.clear();
    };
    for (std::size_t at = 0; at < section_.instructions.size(); ++at) {
        for_each_slot(section_.instructions[at], calls, [&](Slot& s, bool written) {
            if (!is_temporary(s)) return;
            Life& l = life(s);
            if (l.place == std::numeric_limits<Slot>::max()) {
                CUTSET_ASSERT(written);
                give_back();  // what is read here for the last time may be overwritten by the result
                if (free.empty()) {
                    l.place = used++;
                } else {
                    l.place = free.top();
                    free.pop();
                }
            }
            if (l.last == at) {
                l.last = std::numeric_limits<std::size_t>::max();  // given back once
                ended.push_back(l.place);
            }
            s = tag + l.place;
        });
        give_back();
    }
    most = std::max(most, used);
    Section done = std::move(section_);
    section_ = {};
    temporaries_ = 0;
    compiler_.forget_all();
    return done;
}

}  // namespace cutset
