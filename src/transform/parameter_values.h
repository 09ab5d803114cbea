// The values of parameters, as the passes see them.
//
// What a pass decides by a value may come out otherwise with another value: after an edit, in a sweep. So
// each question is remembered with its answer (Partition::decisions, when asked for), and there is no other
// way to a value: while the passes run the values are taken out of the model (Variable::value is not a number
// there), and this object alone has them.
//
//     ask(e, what)   a number, its sign, or whether it is 0; the less is asked, the more other values do as
//     well decide(d)      a decision with a form of its own (ir/decisions.h), taken and remembered as a whole
//     later(e)       a number that may turn out not to be needed: remembered once it is looked at
//     unremembered(e)  a look for something to decide; what is decided then is asked for
//     present(p)     the same of a parameter that may be left open, for guesses
//     shown(e)       text for a message, which decides nothing
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/flat_model.h"
#include "transform/decisions.h"

namespace cutset::passes {

struct Analysis;

class ParameterValues {
  public:
    using Asked = ValueDecision::Asked;

    // Takes the values out of the model of `a`, which must stay where it is.
    explicit ParameterValues(Analysis& a);
    // Puts them back: the passes are done.
    void give_back();

    // The value of a parametric expression, if it can be had: not where a parameter is left open, nor of what
    // is no matter of parameters.
    std::optional<double> ask(Expr e, Asked asked = Asked::Number);
    // The same without a memory of it: for looking whether there is something to decide.
    std::optional<double> unremembered(Expr e) { return number(e); }
    // Whether it can be had.
    bool can_ask(Expr e) { return number(e).has_value(); }
    // Whether the leaf is a parameter that is exactly 0 and not left open.
    bool is_zero(Expr leaf) {
        if (remembers_) ask(leaf, Asked::Zero);
        return leaf->index < zero_.size() && zero_[leaf->index];
    }

    template <class D>
    auto decide(D decision) {
        decision.result = outcome(decision, [this](Expr e) { return number(e); });
        auto result = decision.result;
        if (remembers_) remember(std::move(decision));
        return result;
    }

    class Later {
      public:
        Later() = default;
        bool has_value() const { return of_ != nullptr; }
        double look(ParameterValues& values) const {
            if (values.remembers_) values.ask(of_);
            return number_;
        }

      private:
        friend class ParameterValues;
        Expr of_ = nullptr;
        double number_ = 0;
    };
    // Without a value where it is not finite.
    Later later(Expr e);
    // The value that a parameter has at present, where any value will do: also of one that is left open.
    double present(Expr parameter) {
        if (remembers_) ask(parameter);
        return value_[parameter->index];
    }

    std::optional<std::string> shown(Expr e);
    std::string shown(VariableIndex parameter) const;

  private:
    std::optional<double> number(Expr e);
    template <class D>
    void remember(D decision);

    Analysis& a_;
    bool remembers_;
    std::vector<double> value_;                       // by VariableIndex
    std::vector<bool> zero_;                          // by VariableIndex
    std::unordered_set<std::uint64_t> asked_before_;  // node and what of its value was asked for
};

}  // namespace cutset::passes
