#include "native/schedule.h"

#include <queue>
#include <tuple>

#include "base/diagnostic.h"

namespace cutset::native {

namespace {

constexpr std::uint32_t none = ~0u;

// Calls visit(kind, place, written) for the places that a statement reads or writes.
template <class Visit>
void visit_places(const Program& program, const Statements& statements, std::size_t s, Visit visit) {
    const Shape& shape = statements.shapes[statements.shape[s]];
    const auto operands = statements.operands_of(s);
    for (std::size_t c = 0; c < shape.columns.size(); ++c) {
        const ShapeColumn& column = shape.columns[c];
        if (column.kind == ColumnKind::Number) continue;
        if (column.read) visit(column.kind, operands[c], false);
        if (column.written) visit(column.kind, operands[c], true);
    }
    if (shape.code.size() != 1 || shape.code[0].code != Code::Solve) return;
    const Loop& loop = program.loops[operands[0]];
    const auto value = [&](Slot slot, bool written) {
        if (!is_temporary(program, slot)) visit(ColumnKind::Value, slot, written);
    };
    value(program.layout.time, false);
    for (const Section* section : {&loop.residual, &loop.jacobian})
        for (const Instruction& i : section->instructions) {
            for_each_slot(i, program.calls, value);
            if (i.code == Code::Switch) value(program.layout.switches[i.a], false);
        }
    for (Slot slot : loop.torn) {
        value(slot, false);  // a guess
        value(slot, true);
    }
    for (Slot slot : loop.residual_slots) {
        value(slot, false);
        value(slot, true);
    }
    for (const JacobianEntry& e : loop.jacobian_entries) value(e.slot, false);
}

}  // namespace

std::vector<std::pair<std::uint32_t, std::uint32_t>> dependences(const Program& program,
                                                                 const Statements& statements,
                                                                 SlotWork& work) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    // By place that is written at all: the last statement that wrote it, and a list of those that read it
    // since.
    const std::uint32_t stamp = ++work.now;
    std::vector<std::uint32_t> scratch_writer(statements.scratch, none),
        scratch_readers(statements.scratch, 0);
    struct Reader {
        std::uint32_t statement, next;
    };
    std::vector<Reader> readers{{none, 0}};
    for (std::size_t s = 0; s < statements.size(); ++s)
        visit_places(program, statements, s, [&](ColumnKind kind, std::uint32_t place, bool written) {
            if (!written || kind != ColumnKind::Value) return;
            work.stamp[place] = stamp;
            work.place[place] = none;
            work.version[place] = 0;  // of quantities it is free
        });
    std::uint32_t last_effect = none;
    for (std::uint32_t s = 0; s < statements.size(); ++s) {
        const auto after = [&](std::uint32_t earlier) {
            if (earlier != none && earlier != s) edges.emplace_back(earlier, s);
        };
        visit_places(program, statements, s, [&](ColumnKind kind, std::uint32_t place, bool written) {
            const bool scratch = kind == ColumnKind::Scratch;
            if (!scratch && work.stamp[place] != stamp) return;
            std::uint32_t& writer = scratch ? scratch_writer[place] : work.place[place];
            std::uint32_t& list = scratch ? scratch_readers[place] : work.version[place];
            if (written) {
                after(writer);
                for (std::uint32_t r = list; r; r = readers[r].next) after(readers[r].statement);
                list = 0;
                writer = s;
            } else {
                after(writer);
                if (list && readers[list].statement == s) return;
                readers.push_back({s, list});
                list = static_cast<std::uint32_t>(readers.size() - 1);
            }
        });
        for (const ShapeInstruction& i : statements.shapes[statements.shape[s]].code)
            if (i.code == Code::Call || i.code == Code::Solve) {
                after(last_effect);
                last_effect = s;
                break;
            }
    }
    return edges;
}

Schedule schedule(const Program& program, const Statements& statements, SlotWork& work) {
    const std::size_t n = statements.size(), shapes = statements.shapes.size();
    std::vector<std::uint32_t> first(n + 1, 0), later, waiting(n, 0);
    {
        const auto edges = dependences(program, statements, work);
        for (const auto& [a, b] : edges) {
            ++first[a + 1];
            ++waiting[b];
        }
        for (std::size_t s = 0; s < n; ++s) first[s + 1] += first[s];
        later.resize(edges.size());
        std::vector<std::uint32_t> at(first.begin(), first.end() - 1);
        for (const auto& [a, b] : edges) later[at[a]++] = b;
    }

    // Ready statements of each shape: a list in the order in which they became ready.
    std::vector<std::uint32_t> head(shapes, none), tail(shapes, none), next(n, none), ready(shapes, 0),
        remaining(shapes, 0);
    for (std::size_t s = 0; s < n; ++s) ++remaining[statements.shape[s]];
    // (all that remain, how many, shape): the newest entry of a shape is the valid one.
    std::priority_queue<std::tuple<bool, std::uint32_t, std::uint32_t>> candidates;
    std::uint32_t current = none;
    bool running = false;
    const auto offer = [&](std::uint32_t shape) {
        // Smaller numbers of shapes first among equals.
        candidates.emplace(ready[shape] == remaining[shape], ready[shape], none - shape);
    };
    const auto make_ready = [&](std::uint32_t s) {
        const std::uint32_t shape = statements.shape[s];
        (head[shape] == none ? head[shape] : next[tail[shape]]) = s;
        tail[shape] = s;
        ++ready[shape];
        if (running && shape != current) offer(shape);
    };
    for (std::uint32_t s = 0; s < n; ++s)
        if (!waiting[s]) make_ready(s);
    for (std::uint32_t shape = 0; shape < shapes; ++shape)
        if (ready[shape]) offer(shape);
    running = true;

    Schedule out;
    out.order.reserve(n);
    while (!candidates.empty()) {
        const auto [all, count, inverted] = candidates.top();
        candidates.pop();
        const std::uint32_t shape = none - inverted;
        if (ready[shape] != count || count == 0 || all != (ready[shape] == remaining[shape])) continue;
        Group group{shape, static_cast<std::uint32_t>(out.order.size()), 0};
        current = shape;
        while (head[shape] != none) {
            const std::uint32_t s = head[shape];
            head[shape] = next[s];
            --ready[shape];
            --remaining[shape];
            ++group.count;
            out.order.push_back(s);
            for (std::uint32_t e = first[s]; e < first[s + 1]; ++e)
                if (--waiting[later[e]] == 0) make_ready(later[e]);
        }
        current = none;
        out.groups.push_back(group);
    }
    CUTSET_ASSERT(out.order.size() == n);
    return out;
}

}  // namespace cutset::native
