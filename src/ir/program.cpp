// Program: text and verification.
#include "ir/program.h"

#include <fmt/format.h>

#include <array>
#include <set>

#include "ir/require.h"
#include "ir/stage_text.h"

namespace cutset {

namespace {

// What lives in each slot, as a reader knows it; temporaries are %1, %2, …
std::vector<std::string> slot_names(const Program& program) {
    const Layout& layout = program.layout;
    const FlatModel& model = program.partition->model;
    std::vector<std::string> names(layout.slots);
    const auto name = [&](Slot slot, std::string text) {
        if (slot < names.size() && names[slot].empty()) names[slot] = std::move(text);
    };
    const auto number = [&](const std::vector<Slot>& slots, const char* what) {
        for (std::size_t i = 0; i < slots.size(); ++i) name(slots[i], fmt::format("{}[{}]", what, i));
    };
    name(layout.time, "time");
    name(layout.starting, "starting");
    name(layout.ending, "ending");
    for (std::size_t i = 0; i < layout.state.size(); ++i) {
        name(layout.state[i], model.path(program.partition->states[i]));
        name(layout.derivative[i], text_of(model, {program.partition->states[i], 1}));
    }
    for (std::size_t v = 0; v < layout.variable.size(); ++v)
        name(layout.variable[v], model.path(VariableIndex(v)));
    for (std::size_t v = 0; v < layout.previous.size(); ++v)
        if (layout.previous[v]) name(layout.previous[v], "pre(" + model.path(VariableIndex(v)) + ")");
    number(layout.switches, "switch");
    number(layout.switches_before, "switch_before");
    number(layout.clocks, "clock");
    number(layout.crossings, "crossing");
    number(layout.instants, "instant");
    number(layout.crossing_rates, "crossing_rate");
    number(layout.when_conditions, "when");
    for (std::size_t w = 0; w < layout.when_values.size(); ++w)
        for (std::size_t i = 0; i < layout.when_values[w].size(); ++i)
            if (layout.when_values[w][i])
                name(layout.when_values[w][i], fmt::format("when[{}].value[{}]", w, i));
    for (std::size_t w = 0; w < layout.when_guards.size(); ++w)
        for (std::size_t i = 0; i < layout.when_guards[w].size(); ++i)
            if (layout.when_guards[w][i])
                name(layout.when_guards[w][i], fmt::format("when[{}].if[{}]", w, i));
    number(layout.validity, "valid");
    number(layout.delay_arguments, "delayed");
    number(layout.delay_durations, "delay");
    for (std::size_t i = 0; i < layout.clock_parameters.size(); ++i) {
        name(layout.clock_parameters[i].first, fmt::format("clock[{}].first", i));
        name(layout.clock_parameters[i].second, fmt::format("clock[{}].period", i));
    }
    for (std::size_t i = 0; i < layout.selection_jacobians.size(); ++i)
        number(layout.selection_jacobians[i], fmt::format("selection[{}]", i).c_str());
    for (std::size_t i = 0; i < program.constants.size(); ++i)
        name(Slot(layout.constants + i), number_text(program.constants[i]));
    std::size_t temporaries = 0;
    for (std::string& text : names)
        if (text.empty()) text = fmt::format("%{}", ++temporaries);
    return names;
}

class ProgramPrinter {
  public:
    explicit ProgramPrinter(const Program& program)
        : program_(program),
          names_(slot_names(program)),
          out_(fmt::format("program {}: {}, {}, {}", program.partition->model.name,
                           counted(program.layout.slots, "slot"), counted(program.constants.size(), "number"),
                           counted(program.loops.size(), "loop"))) {
        slots_.variable = [this](VariableIndex slot) { return names_[slot.value]; };
        slots_.callee = program.partition->model.printer().callee;
    }

    std::string print() {
        const Program& p = program_;
        section("parameters", p.parameters);
        section("clocks", p.clocks);
        section("initial: all variables at initialization", p.initial);
        section("homotopy", p.homotopy);
        section("jump", p.jump);
        section("continuous: derivatives and auxiliary variables", p.continuous);
        section("fixed: once, from parameters only", p.fixed);
        section("stepwise: after events, from discrete variables", p.stepwise);
        section("derivatives: the right-hand side, and what it needs", p.derivatives);
        section("event_indicators: the zero-crossing functions, and what they need", p.event_indicators);
        section("past: arguments of delays", p.past);
        section("eliminated", p.eliminated);
        section("crossings: zero-crossing functions and instants of time events", p.crossings);
        section("selections: what the choice of states is judged by", p.selections);
        section("conditions: when clauses, validities, delays", p.conditions);
        for (std::size_t i = 0; i < p.when_actions.size(); ++i)
            section(fmt::format("when[{}]: the values of its actions", i), p.when_actions[i]);
        if (p.jacobian) {
            section("jacobian", p.jacobian->section);
            entries("elements of the Jacobian, by row and column", p.jacobian->entries);
        }
        linearized("linearized", p.linearized);
        linearized("linearized start", p.linearized_start);
        for (std::size_t i = 0; i < p.loops.size(); ++i) loop(i);
        functions();
        return out_.take();
    }

  private:
    void section(const std::string& heading, const Section& s) {
        out_.section(heading);
        for (std::size_t i = 0; i < s.instructions.size(); ++i)
            out_.line(fmt::format("{:>3}  {}", i, text(s.instructions[i])));
    }
    void entries(const std::string& heading, const std::vector<JacobianEntry>& list) {
        out_.section(heading);
        for (const JacobianEntry& e : list)
            out_.line(fmt::format("[{}, {}] {}", e.row, e.column, names_[e.slot]));
    }
    void linearized(const std::string& heading, const std::optional<LinearizedEquations>& l) {
        if (!l) return;
        section(heading + ": equations", l->equations);
        section(heading, l->section);
        entries("elements of " + heading + ", by row and column", l->entries);
    }
    void loop(std::size_t number) {
        const Loop& l = program_.loops[number];
        std::string torn, residuals;
        for (Slot s : l.torn) torn += (torn.empty() ? "" : ", ") + names_[s];
        for (Slot s : l.residual_slots) residuals += (residuals.empty() ? "" : ", ") + names_[s];
        const std::string of = fmt::format("loop[{}]", number);
        out_.section(of);
        out_.line(fmt::format("{}{}, for {}, residuals {}", l.linear ? "linear" : "nonlinear",
                              l.constant_matrix ? " with constant coefficients" : "", torn, residuals));
        section(of + ".residual", l.residual);
        section(of + ".jacobian", l.jacobian);
        entries(of + ".elements, by row and column", l.jacobian_entries);
        section(of + ".rest", l.rest);
    }
    void functions() {
        out_.section("functions");
        for (std::size_t i = 0; i < program_.functions.size(); ++i)
            if (const FunctionCode& f = program_.functions[i]; !f.steps.empty())
                out_.line(fmt::format("{}: {}, {}, {} of its frame", slots_.callee(CalleeIndex(i)),
                                      counted(f.steps.size(), "step"), counted(f.inputs, "input"),
                                      counted(f.frame, "slot")));
    }

    std::string call(const CallSite& site) {
        std::string text = slots_.callee(site.callee);
        if (site.output > 0) text += fmt::format(".{}", site.output);
        for (int i = 0; i < site.derivatives; ++i) text += fmt::format("_by{}", site.by[i] + 1);
        text += "(";
        for (std::size_t i = 0; i < site.arguments.size(); ++i)
            text += (i ? ", " : "") + names_[site.arguments[i]];
        return text + ")";
    }
    // A function or relation of slots, as an expression of these.
    std::string operation(Op op, Slot a, std::optional<Slot> b) {
        std::array<Expr, 2> of = {pool_.variable(VariableIndex(a)),
                                  b ? pool_.variable(VariableIndex(*b)) : nullptr};
        switch (op) {
            case Op::Less:
                return to_text(pool_.less(of[0], of[1]), slots_);
            case Op::LessEqual:
                return to_text(pool_.less_equal(of[0], of[1]), slots_);
            case Op::Equal:
                return to_text(pool_.equal(of[0], of[1]), slots_);
            case Op::NotEqual:
                return to_text(pool_.not_equal(of[0], of[1]), slots_);
            case Op::And:
                return names_[a] + " and " + names_[*b];
            case Op::Or:
                return names_[a] + " or " + names_[*b];
            case Op::Not:
                return "not " + names_[a];
            case Op::Power:
                return to_text(pool_.power(of[0], of[1]), slots_);
            default:
                return to_text(pool_.call(op, std::span<const Expr>(of.data(), b ? 2 : 1)), slots_);
        }
    }
    std::string text(const Instruction& i) {
        const auto of = [&](Slot s) -> const std::string& { return names_[s]; };
        const auto infix = [&](const char* sign) {
            return fmt::format("{} := {} {} {}", of(i.to), of(i.a), sign, of(i.b));
        };
        switch (i.code) {
            case Code::Copy:
                return of(i.to) + " := " + of(i.a);
            case Code::Add:
                return infix("+");
            case Code::Subtract:
                return infix("-");
            case Code::Multiply:
                return infix("*");
            case Code::Divide:
                return infix("/");
            case Code::Negate:
                return of(i.to) + " := -" + of(i.a);
            case Code::Unary:
                return of(i.to) + " := " + operation(i.op, i.a, std::nullopt);
            case Code::Binary:
                return of(i.to) + " := " + operation(i.op, i.a, i.b);
            case Code::Jump:
                return fmt::format("go to {}", i.to);
            case Code::JumpFalse:
                return fmt::format("if not {} go to {}", of(i.a), i.to);
            case Code::Call:
                return of(i.to) + " := " + call(program_.calls[i.a]);
            case Code::Solve:
                return fmt::format("solve loop[{}]", i.a);
            case Code::Switch:
                return fmt::format("if frozen {} := switch[{}], go to {}", of(i.to), i.a, i.b);
            case Code::Delay:
                return fmt::format("{} := delayed[{}] at time - {}", of(i.to), i.a, of(i.b));
        }
        return "";
    }

    const Program& program_;
    std::vector<std::string> names_;
    SectionedText out_;
    Pool pool_;
    Printer slots_;
};

class ProgramVerifier {
  public:
    explicit ProgramVerifier(const Program& program) : p_(program) {}

    void run() {
        require(p_.partition != nullptr, "a program has a partition");
        layout();
        std::uint32_t number = 0;
        for_each_section(p_, [&](const Section& s) {
            require(s.number == number, fmt::format("section {} has its number", number));
            section(s, fmt::format("section {}", number));
            ++number;
        });
        temporaries();
        for (const Loop& l : p_.loops) loop(l);
        if (p_.jacobian) entries(p_.jacobian->entries, p_.jacobian->columns, "the Jacobian");
        for (const CallSite& c : p_.calls) {
            require(c.callee < p_.partition->model.callees.end_index(), "a call has a callee");
            for (Slot s : c.arguments) require(in_range(s), "an argument of a call is a slot");
        }
    }

  private:
    bool in_range(Slot s) const { return s < p_.layout.slots; }

    void layout() {
        const Layout& l = p_.layout;
        const Partition& partition = *p_.partition;
        require(l.variable.size() == partition.model.variables.size(), "each variable has a slot");
        require(l.state.size() == partition.states.size() && l.derivative.size() == l.state.size(),
                "each state and its derivative have a slot");
        for (std::size_t i = 0; i + 1 < l.state.size(); ++i)
            require(l.state[i] + 1 == l.state[i + 1] && l.derivative[i] + 1 == l.derivative[i + 1],
                    "the states stand one after the other, and so do their derivatives");
        require(l.constants + p_.constants.size() <= l.slots, "numbers have slots");
        require(p_.when_actions.size() == partition.model.whens.size(), "each when clause has its actions");
    }

    void section(const Section& s, const std::string& name) {
        const std::size_t length = s.instructions.size();
        for (std::size_t at = 0; at < length; ++at) {
            const Instruction& i = s.instructions[at];
            if (i.code == Code::Call) require(i.a < p_.calls.size(), name + " calls nothing");
            if (i.code == Code::Solve) require(i.a < p_.loops.size(), name + " solves no loop");
            if (i.code == Code::Switch)
                require(i.a < p_.layout.switches.size(), name + " looks at no switch");
            if (i.code == Code::Delay)
                require(i.a < p_.layout.delay_arguments.size(), name + " looks at no delay");
            if (i.code == Code::Jump || i.code == Code::JumpFalse)
                require(i.to > at && i.to <= length, name + " jumps forward, within itself");
            if (i.code == Code::Switch)
                require(i.b > at && i.b <= length, name + " jumps forward, within itself");
            for_each_slot(i, p_.calls, [&](Slot slot, bool is_written) {
                require(in_range(slot), name + " uses a slot that is none");
                if (is_written) {
                    require(slot < p_.layout.constants || slot >= p_.layout.constants + p_.constants.size(),
                            name + " changes a number");
                    written_.insert(slot);
                } else {
                    read_.insert(slot);
                }
            });
        }
    }

    // What stands behind the numbers is computed by some section.
    void temporaries() {
        const std::size_t first = p_.layout.constants + p_.constants.size();
        for (auto slot = read_.lower_bound(Slot(first)); slot != read_.end(); ++slot)
            require(written_.contains(*slot), "a temporary is used that is not computed");
    }

    void loop(const Loop& l) {
        const std::size_t n = l.torn.size();
        require(n > 0 && l.residual_slots.size() == n, "a loop has a residual for each tearing variable");
        require(l.nominal.size() == n && l.minimum.size() == n && l.maximum.size() == n,
                "a loop knows the size and the bounds of its tearing variables");
        for (Slot s : l.torn) require(in_range(s), "a tearing variable has a slot");
        for (Slot s : l.residual_slots) require(in_range(s), "a residual has a slot");
        entries(l.jacobian_entries, n, "a loop");
    }

    void entries(const std::vector<JacobianEntry>& list, std::size_t columns, const std::string& of) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            require(list[i].column < columns && in_range(list[i].slot),
                    "the elements of " + of + " have a column and a slot");
            if (i > 0)
                require(
                    std::pair(list[i - 1].column, list[i - 1].row) < std::pair(list[i].column, list[i].row),
                    "the elements of " + of + " stand by column, then by row");
        }
    }

    const Program& p_;
    std::set<Slot> read_, written_;
};

}  // namespace

std::string print(const Program& program) {
    return ProgramPrinter(program).print();
}

void verify(const Program& program) {
    ProgramVerifier(program).run();
}

}  // namespace cutset
