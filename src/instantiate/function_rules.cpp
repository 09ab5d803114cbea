#include "instantiate/function_rules.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>

#include "flat/rule_arguments.h"
#include "instantiate/lookup.h"
#include "instantiate/messages.h"

namespace cutset {

namespace {

using Sizes = std::vector<std::uint32_t>;

std::uint32_t slots_of(const Sizes& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), 1u, std::multiplies<>());
}

class RuleAdder {
  public:
    RuleAdder(Context& c, const tree::Function& f, ClassInfo* in, const tree::File* file,
              const FunctionInstance& made)
        : c_(c), f_(f), in_(in), file_(file), made_(made) {}

    void add() {
        for (const tree::Function::Rule& rule : f_.derivatives)
            if (!add_derivative(rule))
                c_.report(messages::derivative_rule(rule.where, f_.name, rule.function));
        if (!data().time_derivatives.empty()) c_.pool.set_derivative(made_.callee, data().time_derivatives);
        for (const tree::Function::Rule& rule : f_.inverses)
            if (!add_inverse(rule))
                c_.report(messages::inverse_rule(rule.where, f_.name, rule.argument, rule.function));
    }

  private:
    FunctionData& data() { return std::get<FunctionData>(c_.model.callees[made_.callee]); }

    std::optional<FunctionInstance> find(const tree::Function::Rule& rule, const std::vector<Sizes>& sizes) {
        const FoundCallee found = find_callee(c_, in_, file_, rule.function);
        if (!found.function) {
            c_.report(messages::unknown_function(rule.where, "", rule.function,
                                                 nearest_name(rule.function, visible_callees(c_, in_, file_)),
                                                 false));
            return std::nullopt;
        }
        std::vector<Value> arguments(sizes.size());
        for (std::size_t k = 0; k < sizes.size(); ++k) {
            arguments[k].dimensions = sizes[k];
            if (sizes[k].empty()) arguments[k].scalar = c_.pool.number(0);
        }
        return function_callee(c_, *found.function, found.in, found.in ? found.in->file : file_, arguments);
    }

    // False: the function that it names does not fit. What it is lacking otherwise has been reported.
    bool add_derivative(const tree::Function::Rule& rule) {
        std::vector<RuleInput> inputs;
        std::size_t named = 0;
        for (std::size_t k = 0; k < f_.inputs.size(); ++k) {
            const auto is_in = [&](const std::vector<std::string>& list) {
                return std::find(list.begin(), list.end(), f_.inputs[k].name) != list.end();
            };
            RuleInput input{slots_of(made_.shapes.inputs[k])};
            if (is_in(rule.without)) input.how = RuleInput::How::Ignored;
            if (is_in(rule.constant)) input.how = RuleInput::How::Constant;
            named += input.how != RuleInput::How::Differentiated;
            inputs.push_back(input);
        }
        const auto arguments = rule_arguments(inputs, rule.order);
        if (!arguments || named != rule.without.size() + rule.constant.size()) return false;
        std::vector<Sizes> sizes = made_.shapes.inputs;
        for (std::size_t k : arguments->passed) sizes.push_back(made_.shapes.inputs[k]);
        const auto found = find(rule, sizes);
        if (!found) return true;
        if (found->shapes.inputs != sizes || found->shapes.outputs != made_.shapes.outputs) return false;
        if (rule.order == 1 && named == 0) {
            data().derivative = found->callee;
            c_.pool.set_derivative(made_.callee, found->callee);
        } else {
            data().time_derivatives.push_back({found->callee, arguments->by_slot});
        }
        return true;
    }

    bool add_inverse(const tree::Function::Rule& inverse) {
        const auto argument =
            std::find_if(f_.inputs.begin(), f_.inputs.end(),
                         [&](const tree::VariableDeclaration& v) { return v.name == inverse.argument; });
        const std::size_t k = static_cast<std::size_t>(argument - f_.inputs.begin());
        const bool scalars = argument != f_.inputs.end() && made_.shapes.inputs[k].empty() &&
                             made_.shapes.outputs.size() == 1 && made_.shapes.outputs[0].empty();
        if (!scalars) return false;
        const auto rule = find(inverse, made_.shapes.inputs);
        if (!rule) return true;
        if (rule->shapes.inputs != made_.shapes.inputs || rule->shapes.outputs != made_.shapes.outputs)
            return false;
        std::uint32_t slot = 0;
        for (std::size_t i = 0; i < k; ++i) slot += slots_of(made_.shapes.inputs[i]);
        data().inverses.emplace_back(slot, rule->callee);
        return true;
    }

    Context& c_;
    const tree::Function& f_;
    ClassInfo* in_;
    const tree::File* file_;
    const FunctionInstance& made_;
};

}  // namespace

void add_function_rules(Context& c, const tree::Function& f, ClassInfo* in, const tree::File* file,
                        const FunctionInstance& made) {
    RuleAdder(c, f, in, file, made).add();
}

}  // namespace cutset
