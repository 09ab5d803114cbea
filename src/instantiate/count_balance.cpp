#include "instantiate/count_balance.h"

#include <algorithm>

namespace cutset {

namespace {

using tree::Role;

struct Balance {
    std::int32_t equations = 0, unknowns = 0;
    std::int32_t given = 0;     // by the outside: through variables and inputs
    std::int32_t possible = 0;  // terminals that the outside may give, or not
    bool open = false;          // cannot be told
};

// A cut: where it has more across than through variables, the outside may give the rest.
struct CutSides {
    std::int32_t across = 0, through = 0;
};

class BalanceCount {
  public:
    explicit BalanceCount(Context& c)
        : c_(c), model_(c.model), of_(c.model.instances.size()), seen_(c.model.variables.size()) {}

    void run() {
        count_cuts();
        count_variables();
        count_equations();
        // What a model gives to its submodels is taken off its own equations.
        std::vector<Balance> inside(of_.size());
        for (std::size_t i = 1; i < of_.size(); ++i) {
            Balance& parent = inside[model_.instances[InstanceIndex(i)].parent.value];
            parent.given += of_[i].given;
            parent.possible += of_[i].possible;
        }
        for (std::size_t i = 0; i < of_.size(); ++i) {
            const Balance& b = of_[i];
            if (b.open) continue;
            const std::int32_t surplus = b.equations + b.given - b.unknowns - inside[i].given;
            std::int32_t& told = model_.instances[InstanceIndex(i)].surplus;
            if (surplus > inside[i].possible) told = surplus - inside[i].possible;
            if (surplus < -b.possible) told = surplus + b.possible;
        }
    }

  private:
    bool counts(VariableIndex v) const { return is_determined(model_.variables[v]); }
    Balance& owner(VariableIndex v) { return of_[model_.variables[v].origin.instance.value]; }

    void count_cuts() {
        std::vector<CutSides> sides(c_.ports.size());
        for (const PortPart& p : c_.parts) {
            if (p.inside || p.port == none) continue;
            CutSides& cut = sides[p.port];
            if (p.kind == ElementKind::Dot) ++(p.role == Role::Across ? cut.across : cut.through);
            if (p.kind != ElementKind::Variable || !counts(VariableIndex(p.first))) continue;
            ++(p.role == Role::Across ? cut.across : cut.through);
            seen_[p.first] = true;
            // Of a hierarchical cut, the parts belong to the submodels inside.
            if (p.role == Role::Through &&
                model_.variables[VariableIndex(p.first)].origin.instance == c_.ports[p.port].instance)
                ++owner(VariableIndex(p.first)).given;
        }
        for (std::size_t k = 0; k < sides.size(); ++k)
            of_[c_.ports[k].instance.value].possible += std::max(0, sides[k].across - sides[k].through);
        // Open cuts and nodes take part in joins of several levels.
        for (const Port& p : c_.ports)
            if (!p.body && !p.node) {
                of_[p.instance.value].open = true;
                of_[model_.instances[p.instance].parent.value].open = true;
            }
    }

    void count_variables() {
        for (VariableIndex v(0); v < model_.variables.end_index(); ++v.value) {
            if (!counts(v)) continue;
            const Variable& variable = model_.variables[v];
            Balance& b = owner(v);
            ++b.unknowns;
            if (variable.declared == VariableKind::Internal) b.open = true;
            if (v.value < seen_.size() && seen_[v.value]) continue;
            if (variable.declared == VariableKind::Input) ++b.given;
            if (variable.declared == VariableKind::Terminal) ++b.possible;
        }
        for (std::size_t i = 0; i < of_.size(); ++i)
            if (const ClassInfo* info = c_.instances[InstanceIndex(i)].info)
                for (const tree::VariableDeclaration* d : info->first_declaration)
                    if (d && d->kind == VariableKind::External) of_[i].open = true;
    }

    void count_equations() {
        for (const Equation& e : model_.equations) count(e);
        for (const Equation& e : model_.discrete_equations) count(e);
    }
    void count(const Equation& e) {
        const InstanceIndex i = e.origin.instance;
        switch (e.kind) {
            case EquationKind::Input:
                break;  // from outside: counted with the inputs
            case EquationKind::Unconnected:
            case EquationKind::Default:
                if (i.value != 0) ++of_[model_.instances[i].parent.value].equations;
                break;
            default:
                ++of_[i.value].equations;
        }
    }

    Context& c_;
    FlatModel& model_;
    std::vector<Balance> of_;  // by instance
    std::vector<bool> seen_;   // by variable: stands in a cut
};

}  // namespace

void count_balance(Context& c) {
    BalanceCount(c).run();
}

}  // namespace cutset
