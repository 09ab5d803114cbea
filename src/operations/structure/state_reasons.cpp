#include "operations/structure/state_reasons.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutset {

namespace {

using Outcome = StateGroup::Outcome;
using Answer = StateReason::Answer;

constexpr std::size_t most_tied_shown = 6;

std::string tied_text(const std::vector<std::string>& names) {
    std::string out;
    for (std::size_t i = 0; i < names.size() && i < most_tied_shown; ++i) out += (i ? ", " : "") + names[i];
    if (names.size() > most_tied_shown) out += fmt::format(" and {} more", names.size() - most_tied_shown);
    return out;
}

class StateReasons {
  public:
    explicit StateReasons(const Partition& p) : p_(p), model_(p.model) {
        is_state_.assign(model_.variables.size(), false);
        place_.assign(model_.variables.size(), {none, none});
        for (VariableIndex v : p.states) is_state_[v.value] = true;
        for (std::size_t g = 0; g < p.state_groups.size(); ++g)
            for (std::size_t i = 0; i < p.state_groups[g].candidates.size(); ++i)
                place_[p.state_groups[g].candidates[i].variable.value] = {g, i};
    }

    bool is_candidate(VariableIndex v) const { return is_state_[v.value] || place_[v.value].first != none; }

    StateReason operator()(VariableIndex v) const {
        if (const auto [g, i] = place_[v.value]; g != none) return in_group(p_.state_groups[g], i);
        if (is_state_[v.value])
            return {v,
                    Answer::State,
                    "its derivative stands in the equations, and no constraint ties it to other states",
                    {}};
        for (const Eliminated& e : p_.eliminated) {
            if (e.variable != v) continue;
            std::string text = "it is " + to_text(e.value, model_.printer()) + " at all times";
            const bool of_state = e.alias && e.value->op == Op::Variable && is_state_[e.value->index];
            if (of_state) text += ", which is a state";
            return {v, Answer::No, text, {}};
        }
        return {
            v, Answer::No, "its derivative does not occur in the equations, and no `state` asks for it", {}};
    }

  private:
    static constexpr std::size_t none = ~std::size_t(0);

    std::vector<std::string> names(const StateGroup& group, Outcome outcome, VariableIndex but) const {
        std::vector<std::string> found;
        for (const StateGroup::Candidate& c : group.candidates)
            if (c.outcome == outcome && c.variable != but && !model_.variables[c.variable].internal)
                found.push_back(model_.path(c.variable));
        return found;
    }

    StateReason in_group(const StateGroup& group, std::size_t i) const {
        const StateGroup::Candidate& c = group.candidates[i];
        const StateSelect select = model_.variables[c.variable].state_select;
        std::string text;
        switch (c.outcome) {
            case Outcome::State: {
                text = speaks_for(c, select);
                const auto others = names(group, Outcome::Dependent, c.variable);
                if (!others.empty()) text += "; constraints give " + tied_text(others) + " instead";
                return {c.variable, Answer::State, text, {}};
            }
            case Outcome::ChosenLater:
                text = fmt::format("the run chooses among it and {}, as no choice is good everywhere",
                                   tied_text(names(group, Outcome::ChosenLater, c.variable)));
                return {c.variable, Answer::AtTimes, text, {}};
            case Outcome::Dependent:
                text = c.by ? fmt::format("{} gives it from others", model_.text(model_.equations[*c.by]))
                            : std::string("constraints give it from others");
                if (select < StateSelect::Default)
                    text += fmt::format(", and `state {}` asks for that", word(select));
                else if (!c.differentiated)
                    text += ", and the model does not differentiate it itself";
                if (const auto states = names(group, Outcome::State, c.variable); !states.empty())
                    text += "; states instead: " + tied_text(states);
                return {c.variable, Answer::No, text, c.by};
        }
        return {c.variable, Answer::No, text, {}};
    }

    static std::string speaks_for(const StateGroup::Candidate& c, StateSelect select) {
        if (select == StateSelect::Always) return "`state always` asks for it";
        if (select == StateSelect::Prefer) return "`state` asks for it";
        if (c.reinitialized) return "a `reinit` sets it";
        if (c.differentiated && c.has_start) return "the model differentiates it and gives an initial value";
        if (c.has_start) return "it has an initial value";
        if (c.differentiated) return "the model differentiates it";
        return "the others can be computed from it";
    }

    const Partition& p_;
    const FlatModel& model_;
    std::vector<bool> is_state_;                              // by variable
    std::vector<std::pair<std::size_t, std::size_t>> place_;  // by variable: group and number in it
};

}  // namespace

StateReason why_state(const Partition& partition, VariableIndex v) {
    return StateReasons(partition)(v);
}

std::vector<StateReason> why_states(const Partition& partition) {
    const StateReasons why(partition);
    std::vector<StateReason> found;
    for (VariableIndex v{0}; v < partition.model.variables.end_index(); ++v.value)
        if (why.is_candidate(v) && !partition.model.variables[v].internal) found.push_back(why(v));
    return found;
}

std::string sentence(const StateReason& reason, const FlatModel& model) {
    const char* const is = reason.answer == Answer::State     ? "is a state"
                           : reason.answer == Answer::AtTimes ? "is a state at times"
                                                              : "is no state";
    return fmt::format("{} {}: {}", model.path(reason.variable), is, reason.text);
}

}  // namespace cutset
