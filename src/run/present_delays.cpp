#include "run/present_delays.h"

#include <cmath>

namespace cutset {

namespace {

// Calls visit(number) for the delays that a section asks, its loops included.
template <class Visit>
void for_each_delay(const Program& program, const Section& section, Visit visit) {
    for (const Instruction& i : section.instructions) {
        if (i.code == Code::Delay) visit(i.a);
        if (i.code != Code::Solve) continue;
        for (const Instruction& inner : program.loops[i.a].residual.instructions)
            if (inner.code == Code::Delay) visit(inner.a);
    }
}

// Which delays' values have a part in which delays' arguments, by slots of the section that computes them.
class ArgumentGraph {
  public:
    explicit ArgumentGraph(const Program& program)
        : program_(program), n_(program.layout.delay_arguments.size()), from_(program.layout.slots) {
        run(program.past);
    }
    // Whether the argument of a delay depends on its own value, over those of others.
    bool is_circular(std::size_t delay) const {
        Flags seen(n_);
        std::vector<std::size_t> open{delay};
        while (!open.empty()) {
            const Slot slot = program_.layout.delay_arguments[open.back()];
            open.pop_back();
            for (std::size_t d = 0; d < from_[slot].size(); ++d) {
                if (!from_[slot][d] || seen[d]) continue;
                if (d == delay) return true;
                seen[d] = true;
                open.push_back(d);
            }
        }
        return false;
    }

  private:
    using Set = std::vector<bool>;
    void unite(Set& to, const Set& with) const {
        if (with.empty()) return;
        to.resize(n_);
        for (std::size_t d = 0; d < n_; ++d)
            if (with[d]) to[d] = true;
    }
    void run(const Section& section) {
        for (const Instruction& i : section.instructions) {
            if (i.code == Code::Solve) {
                solve(program_.loops[i.a]);
                continue;
            }
            Set read;
            for_each_slot(i, program_.calls, [&](Slot slot, bool written) {
                if (!written) unite(read, from_[slot]);
            });
            if (i.code == Code::Delay) {
                read.resize(n_);
                read[i.a] = true;
            }
            for_each_slot(i, program_.calls, [&](Slot slot, bool written) {
                if (written) from_[slot] = read;
            });
        }
    }
    // All unknowns of a loop depend on all that stands in it.
    void solve(const Loop& loop) {
        Set all;
        for (const Instruction& i : loop.residual.instructions) {
            if (i.code == Code::Delay) {
                all.resize(n_);
                all[i.a] = true;
            }
            for_each_slot(i, program_.calls, [&](Slot slot, bool written) {
                if (!written) unite(all, from_[slot]);
            });
        }
        for (Slot slot : loop.torn) from_[slot] = all;
        for (const Instruction& i : loop.residual.instructions)
            for_each_slot(i, program_.calls, [&](Slot slot, bool written) {
                if (written) from_[slot] = all;
            });
    }

    const Program& program_;
    const std::size_t n_;
    std::vector<Set> from_;  // by slot; empty: none
};

}  // namespace

DelayStructure::DelayStructure(const Program& program) {
    const std::size_t n = program.layout.delay_arguments.size();
    feeds.assign(n, false);
    circular.assign(n, false);
    for (const DelayLine& d : program.partition->delays)
        varies.push_back(depends_on(d.duration, [&](Expr leaf) {
            return leaf->op == Op::Time || (leaf->op == Op::Variable &&
                                            program.partition->model.variables[leaf->variable()].variability >
                                                Variability::Parameter);
        }));
    if (n == 0) return;
    for (const Section* section : {&program.derivatives, &program.event_indicators})
        for_each_delay(program, *section, [&](std::size_t d) { feeds[d] = true; });
    bool any = false;
    for_each_delay(program, program.past, [&](std::size_t) { any = true; });
    if (!any) return;
    const ArgumentGraph graph(program);
    for (std::size_t d = 0; d < n; ++d) circular[d] = graph.is_circular(d);
}

bool find_present_arguments(Instant& now, FunctionRef<bool()> arguments) {
    DelayBuffer& delays = now.state.delays;
    const std::vector<Slot>& slots = now.layout.delay_arguments;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        delays.forget_asked();
        if (!arguments()) return false;
        bool same = true;
        for (std::size_t i = 0; i < slots.size(); ++i) {
            const double value = now.values[slots[i]], before = delays.present(i);
            same = same && std::abs(value - before) <= 1e-13 * std::max(std::abs(value), std::abs(before));
            delays.set_present(i, value);
        }
        if (same || !delays.asked()) return true;
    }
    return false;
}

}  // namespace cutset
