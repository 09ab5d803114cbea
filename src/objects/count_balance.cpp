#include "objects/count_balance.h"

namespace cutset::objects {

namespace {

struct Balance {
    std::int32_t equations = 0, unknowns = 0;
    std::int32_t given = 0;  // by the outside: through flow variables and inputs
    bool open = false;       // cannot be told
};

class BalanceCount {
  public:
    BalanceCount(FlatModel& model, const Walked& walked, Connections& connections)
        : model_(model), walked_(walked), connections_(connections), of_(model.instances.size()) {}

    void run() {
        leave_open();
        count_variables();
        count_equations();
        std::vector<std::int32_t> given_inside(of_.size());
        for (std::size_t i = 1; i < of_.size(); ++i)
            if (!model_.instances[InstanceIndex(i)].part) given_inside[around(i)] += of_[i].given;
        for (std::size_t i = 0; i < of_.size(); ++i) {
            const Balance& b = of_[i];
            if (!b.open)
                model_.instances[InstanceIndex(i)].surplus =
                    b.equations + b.given - b.unknowns - given_inside[i];
        }
    }

  private:
    Balance& owner(InstanceIndex i) { return of_[model_of(model_, i).value]; }
    // The model around the one that an instance belongs to.
    std::size_t around(std::size_t i) const {
        const InstanceIndex own = model_of(model_, InstanceIndex(i));
        return own.value == 0 ? 0 : model_of(model_, model_.instances[own].parent).value;
    }

    void leave_open() {
        for (const ComponentInstance* c : walked_.instances) {
            const std::size_t i = c->flat.value;
            if (c->type->text->language != object::Language::Modelica)
                of_[i].open = of_[around(i)].open = true;
            if (connections_.has_open_balance(*c->type)) owner(c->flat).open = of_[around(i)].open = true;
        }
    }

    void count_variables() {
        for (const DeclaredVariable& v : walked_.declarations.variables) {
            const std::size_t n = count(v.dimensions);
            for (std::size_t k = 0; k < n; ++k) {
                if (!is_determined(model_.variables[VariableIndex(v.first.value + k)])) continue;
                Balance& b = owner(v.instance);
                ++b.unknowns;
                if (v.flow == object::Flow::Flow ||
                    (v.causality == object::Causality::Input && (v.top_level || !v.binding)))
                    ++b.given;
            }
        }
    }

    void count_equations() {
        for (const Equation& e : model_.equations) count_equation(e);
        for (const Equation& e : model_.discrete_equations) count_equation(e);
        const std::vector<std::int32_t> joined = connections_.equations_by_instance();
        for (std::size_t i = 0; i < joined.size(); ++i) owner(InstanceIndex(i)).equations += joined[i];
    }
    void count_equation(const Equation& e) {
        if (e.kind == EquationKind::Written) ++owner(e.origin.instance).equations;
        // A flow variable that nothing is connected to: the model around says so.
        if (e.kind == EquationKind::Unconnected && model_of(model_, e.origin.instance).value != 0)
            ++of_[around(e.origin.instance.value)].equations;
    }

    FlatModel& model_;
    const Walked& walked_;
    Connections& connections_;
    std::vector<Balance> of_;  // by instance; of connectors and records nothing
};

}  // namespace

void count_balance(FlatModel& model, const Walked& walked, Connections& connections) {
    BalanceCount(model, walked, connections).run();
}

}  // namespace cutset::objects
