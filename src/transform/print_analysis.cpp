// The Analysis as text: the equations that are live, and what the passes have found so far.
#include <fmt/format.h>

#include "ir/stage_text.h"
#include "transform/pass.h"

namespace cutset::passes {

namespace {

class AnalysisPrinter {
  public:
    AnalysisPrinter(Analysis& a, const char* after)
        : a_(a), p_(a.partition), model_(p_.model), names_(model_.printer()), out_(title(a, after)) {}

    std::string print() {
        parameters();
        list("structural parameters", p_.structural_parameters);
        variables();
        equations("equations", model_.equations, true);
        equations("equations that are no longer needed", model_.equations, false);
        out_.section("initial equations");
        for (const Equation& e : model_.initial_equations) out_.line(model_.text(e));
        out_.section("when clauses");
        for (const WhenClause& w : model_.whens) write_when(out_, model_, w, "=");
        out_.section("valid");
        for (const Validity& v : model_.validities) out_.line(to_text(v.condition, names_));
        out_.section("eliminated");
        for (const Eliminated& e : p_.eliminated)
            out_.line(fmt::format("{} := {}{}", model_.path(e.variable), to_text(e.value, names_),
                                  e.unused ? "  -- in no equation" : ""));
        differentiated();
        before_elimination();
        index_reduction();
        matching();
        out_.section("wanted as tearing variables");
        for (const TornWish& w : a_.torn)
            out_.line(text_of(model_, w.unknown) + (w.used ? "  -- in a loop" : ""));
        discrete();
        out_.section("order of computation");
        write_blocks(out_, model_, p_.blocks);
        initialization();
        write_events(out_, p_);
        return out_.take();
    }

  private:
    static std::string title(const Analysis& a, const char* after) {
        std::size_t equations = 0, unknowns = 0;
        for (bool live : a.live) equations += live;
        for (VariableIndex v(0); v < a.partition.model.variables.end_index(); ++v.value)
            unknowns += a.is_unknown(v);
        return fmt::format("model {} after {}: {}, {}", a.partition.model.name, after,
                           cutset::counted(equations, "equation"), cutset::counted(unknowns, "unknown"));
    }

    void list(const char* heading, const std::vector<VariableIndex>& variables) {
        out_.section(heading);
        for (VariableIndex v : variables) out_.line(model_.path(v));
    }

    void parameters() {
        const bool ordered = !p_.parameters.empty();
        std::vector<VariableIndex> all = p_.parameters;
        for (VariableIndex v(0); v < model_.variables.end_index() && !ordered; ++v.value)
            if (model_.variables[v].variability <= Variability::Parameter) all.push_back(v);
        out_.section(ordered ? "parameters, in order of computation" : "parameters");
        for (VariableIndex v : all) {
            const Expr binding = model_.variables[v].binding;
            out_.line(model_.path(v) + " := " + (binding ? to_text(binding, names_) : a_.values.shown(v)));
        }
    }

    void variables() {
        out_.section("discrete variables");
        for_each_variable([&](VariableIndex i, const Variable& v) {
            if (v.variability != Variability::Discrete) return;
            out_.line(model_.path(i) + (v.binding ? "(0) = " + to_text(v.binding, i, names_) : ""));
        });
        out_.section("initial values");
        for_each_variable([&](VariableIndex i, const Variable& v) {
            if (v.variability == Variability::Continuous && v.start)
                out_.line(model_.path(i) + "(0) = " + to_text(v.start->value, names_));
        });
    }
    template <class Visit>
    void for_each_variable(Visit visit) {
        for (VariableIndex i(0); i < model_.variables.end_index(); ++i.value) visit(i, model_.variables[i]);
    }

    void equations(const char* heading, const IndexedVector<EquationIndex, Equation>& all, bool live) {
        out_.section(heading);
        for (EquationIndex e(0); e < all.end_index(); ++e.value)
            if (a_.live[e.value] == live) out_.line(model_.text(all[e]));
    }

    void differentiated() {
        out_.section("differentiated variables");
        for (VariableIndex v(0); v < model_.variables.end_index(); ++v.value)
            if (a_.differentiated[v.value]) out_.line(model_.path(v));
    }

    void before_elimination() {
        out_.section("equations before elimination, for jumps");
        for (const Equation& e : a_.before_elimination) out_.line(model_.text(e));
        out_.section("initial values before elimination, for jumps");
        for (VariableIndex v(0); v.value < a_.starts_before.size(); ++v.value)
            if (const auto& start = a_.starts_before[v.value])
                out_.line(model_.path(v) + "(0) = " + to_text(start->value, names_));
    }

    void index_reduction() {
        out_.section("differentiated equations");
        for (EquationIndex e : p_.differentiated) out_.line(model_.text(model_.equations[e]));
        list("no longer states, determined by constraints", p_.dependent);
        out_.section("states chosen during the run");
        for (const StateSelection& s : p_.selections) {
            std::string candidates;
            for (VariableIndex v : s.candidates)
                candidates += (candidates.empty() ? "" : ", ") + model_.path(v);
            out_.line(fmt::format("{} of {}", s.states.size(), candidates));
        }
        list("discrete variables that make states jump", p_.jump_causes);
    }

    void matching() {
        list("states", p_.states);
        const System& system = a_.continuous;
        out_.section("matching");
        for (std::size_t r = 0; r < system.rows.size(); ++r) {
            const std::uint32_t c = system.matching.variable_of_equation[r];
            if (c == graph::unmatched) continue;
            out_.line(fmt::format("{} from {}", to_text(system.columns[c], names_),
                                  model_.text(model_.equations[system.rows[r].equation])));
        }
    }

    void discrete() {
        out_.section(p_.discrete.empty() ? "discrete equations"
                                         : "discrete equations, in order of computation at events");
        if (p_.discrete.empty())
            for (const Equation& e : model_.discrete_equations) out_.line(model_.text(e));
        for (const DiscreteAssignment& d : p_.discrete)
            out_.line(model_.path(d.variable) + " := " + to_text(d.value, d.variable, names_));
    }

    void initialization() {
        out_.section("initialization, in order of computation");
        write_blocks(out_, model_, p_.initial_blocks);
        out_.section("initialization by homotopy, in order of computation");
        write_blocks(out_, model_, p_.homotopy_blocks);
        out_.section("after a jump, in order of computation");
        write_blocks(out_, model_, p_.jump_blocks);
        list("initial values of 0, as none is given", p_.zero_starts);
        out_.section("initial values that others determine");
        for (const StartCheck& c : p_.start_checks)
            out_.line(model_.path(c.variable) + (c.value ? " = " + to_text(c.value, names_) : ""));
    }

    Analysis& a_;
    const Partition& p_;
    const FlatModel& model_;
    Printer names_;
    SectionedText out_;
};

}  // namespace

std::string print(Analysis& a, const char* after) {
    return AnalysisPrinter(a, after).print();
}

}  // namespace cutset::passes
