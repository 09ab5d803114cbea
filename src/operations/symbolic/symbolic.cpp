#include "operations/symbolic/symbolic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "expr/simplify.h"
#include "ir/find_variables.h"
#include "operations/symbolic/symbolic_messages.h"
#include "operations/symbolic/symbolic_read.h"

namespace cutset {

SymbolicSystem::SymbolicSystem(const FlatModel& model) : pool_(model.pool), assumptions_(*pool_) {
    for (VariableIndex v{0}; v < model.variables.end_index(); ++v.value) {
        names_.push_back(model.path(v));
        const Variability variability = model.variables[v].variability;
        varies_.push_back(variability == Variability::Continuous || variability == Variability::Discrete);
    }
    for (const Callee& c : model.callees)
        callees_.push_back(std::visit([](const auto& data) { return data.name; }, c));
    for (const Equation& e : model.equations) equations_.push_back(e);
}

std::optional<SymbolicSystem> SymbolicSystem::of_expression(const tree::Expression& text,
                                                            Diagnostics& diagnostics) {
    SymbolicSystem s(std::make_shared<Pool>());
    s.bare_ = true;
    const bool equation = text.kind == tree::ExpressionKind::Relation && text.text == "=";
    if (!equation) {
        s.expression_ = s.read(text, true, diagnostics);
        if (!s.expression_) return std::nullopt;
        return s;
    }
    Equation e;
    e.left = s.read(text.arguments[0], true, diagnostics);
    e.right = s.read(text.arguments[1], true, diagnostics);
    if (!e.left || !e.right) return std::nullopt;
    s.equations_.push_back(e);
    return s;
}

Printer SymbolicSystem::printer() const {
    Printer p;
    p.variable = [this](VariableIndex v) { return names_[v.value]; };
    p.callee = [this](CalleeIndex c) { return callees_[c.value]; };
    return p;
}

std::optional<VariableIndex> SymbolicSystem::find(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) return std::nullopt;
    return VariableIndex(static_cast<std::uint32_t>(found - names_.begin()));
}

Expr SymbolicSystem::read(const tree::Expression& e, bool declare, Diagnostics& diagnostics) {
    const auto variable = [&](const std::string& name, Span where) -> std::optional<VariableIndex> {
        if (const auto v = find(name)) return v;
        if (!declare) {
            diagnostics.report(symbolic_messages::unknown_name(name, names_, where));
            return std::nullopt;
        }
        names_.push_back(name);
        varies_.push_back(true);
        return VariableIndex(static_cast<std::uint32_t>(names_.size() - 1));
    };
    std::vector<Expr> divisors;
    const Expr result = read_symbolic(*pool_, e, variable, divisors, diagnostics);
    if (result && !result->boolean) keep_divisors(divisors, {result});
    return result;
}

// What was divided by and has cancelled must not be zero all the same.
void SymbolicSystem::keep_divisors(const std::vector<Expr>& divisors, const std::vector<Expr>& after) {
    std::vector<Expr> still;
    for (Expr e : after)
        for (Expr d : divisors_of(e)) still.push_back(d);
    std::vector<Expr> pending = divisors;
    while (!pending.empty()) {
        const Expr d = pending.back();
        pending.pop_back();
        if (d->op == Op::Multiply)
            pending.insert(pending.end(), d->args().begin(), d->args().end());
        else if (d->op == Op::Sqrt || (d->op == Op::Power && d->arg(1)->is_number()))
            pending.push_back(d->arg(0));
        else if (!d->is_number() && std::find(still.begin(), still.end(), d) == still.end())
            need(differs_from_zero(*pool_, d));
    }
}

// What must not be zero is not zero at the solutions.
bool SymbolicSystem::fulfil(Expr leaf, Solutions& solutions) {
    for (Expr c : conditions_) {
        if (!contains(c, leaf)) continue;
        std::erase_if(solutions.list, [&](Solution& s) {
            Substitution put(*pool_);
            put.replace(leaf, s.value);
            const Expr here = cutset::simplify(*pool_, put(c), assumptions_);
            const auto truth =
                here->op == Op::Truth ? std::optional(here->index != 0) : assumptions_.decides(here);
            if (!truth && std::find(s.conditions.begin(), s.conditions.end(), here) == s.conditions.end())
                s.conditions.push_back(here);
            return truth && !*truth;
        });
    }
    if (solutions.list.empty()) return false;
    if (bare_) std::erase_if(conditions_, [&](Expr c) { return contains(c, leaf); });
    return true;
}

// x, der(x), x'.
Expr SymbolicSystem::unknown(const std::string& text, Diagnostics& diagnostics) const {
    std::string name = text;
    std::uint32_t order = 0;
    while (!name.empty() && name.back() == '\'') {
        name.pop_back();
        ++order;
    }
    if (auto of = differentiated_path(name)) {
        name = std::move(*of);
        ++order;
    }
    const auto v = find(name);
    if (!v) {
        diagnostics.report(symbolic_messages::unknown_name(name, names_));
        return nullptr;
    }
    return pool_->variable(*v, order);
}

void SymbolicSystem::need(Expr condition) {
    const auto truth = assumptions_.decides(condition);
    if (truth && *truth) return;
    if (std::find(conditions_.begin(), conditions_.end(), condition) == conditions_.end())
        conditions_.push_back(condition);
}

template <class Change>
void SymbolicSystem::for_all(Change change) {
    for (auto* list : {&equations_, &eliminated_})
        for (Equation& e : *list) {
            e.left = change(e.left);
            e.right = change(e.right);
        }
    if (expression_) expression_ = change(expression_);
    for (Branch& b : branches_) b.solution.value = change(b.solution.value);
}

bool SymbolicSystem::rename(const std::string& from, const std::string& to, Diagnostics& diagnostics) {
    const auto v = find(from);
    if (!v) {
        diagnostics.report(symbolic_messages::unknown_name(from, names_));
        return false;
    }
    if (find(to)) {
        diagnostics.report(symbolic_messages::name_taken(to));
        return false;
    }
    const bool good = !to.empty() && std::isalpha(static_cast<unsigned char>(to[0])) &&
                      std::all_of(to.begin(), to.end(), [](unsigned char c) {
                          return std::isalnum(c) || c == '_' || c == '.' || c == '[' || c == ']' || c == ',';
                      });
    if (!good) {
        diagnostics.report(symbolic_messages::bad_name(to));
        return false;
    }
    names_[v->value] = to;
    return true;
}

namespace {

// v by a value everywhere, its derivatives by those of the value.
class Replacement {
  public:
    Replacement(Pool& pool, Expr leaf, Expr value, const std::vector<bool>& varies) : put_(pool) {
        put_.replace(leaf, value);
        Expr derivative = value;
        constexpr std::uint32_t highest = 6;
        for (std::uint32_t k = 1; k <= highest; ++k) {
            derivative = time_derivative(pool, derivative, [&](VariableIndex w) {
                return w.value < varies.size() && varies[w.value];
            });
            if (contains(derivative, leaf)) break;
            put_.replace(pool.variable(leaf->variable(), leaf->order + k), derivative);
        }
    }
    Expr operator()(Expr e) { return put_(e); }

  private:
    Substitution put_;
};

// Whether an equation has derivatives, apart from `leaf`: those that have none are algebraic and come first.
bool has_derivative(const Equation& e, Expr leaf) {
    bool any = false;
    for (Expr side : {e.left, e.right})
        for_each_leaf(side, [&](Expr l) { any |= l->op == Op::Variable && l->order > 0 && l != leaf; });
    return any;
}

bool occurs(Expr e, Expr leaf) {
    return contains(e, leaf);
}

}  // namespace

bool SymbolicSystem::substitute(const std::string& name, const tree::Expression& text,
                                Diagnostics& diagnostics) {
    const Expr leaf = unknown(name, diagnostics);
    const Expr value = read(text, bare_, diagnostics);
    if (!leaf || !value) return false;
    bool itself = false;
    for_each_leaf(value,
                  [&](Expr l) { itself |= l->op == Op::Variable && l->variable() == leaf->variable(); });
    if (itself) {
        diagnostics.report(symbolic_messages::contains_itself(name));
        return false;
    }
    Replacement put(*pool_, leaf, value, varies_);
    std::vector<Expr> divisors, after;
    for_all([&](Expr old) {
        for (Expr d : divisors_of(old)) divisors.push_back(put(d));
        after.push_back(put(old));
        return after.back();
    });
    for (Expr& c : conditions_) c = put(c);
    keep_divisors(divisors, after);
    Equation e;
    e.left = leaf;
    e.right = value;
    given_.push_back(e);
    return true;
}

// The equation that is best solved for a leaf: linear with a coefficient that is not zero for certain first,
// then with the fewest conditions and branches, then the shortest.
std::optional<std::size_t> SymbolicSystem::equation_for(Expr leaf, std::optional<std::size_t> chosen,
                                                        Solutions& solutions) {
    std::optional<std::size_t> best;
    std::tuple<std::size_t, bool, std::size_t, std::size_t> least;
    for (std::size_t i = 0; i < equations_.size(); ++i) {
        if (chosen && *chosen != i) continue;
        const Equation& e = equations_[i];
        if (!occurs(e.left, leaf) && !occurs(e.right, leaf)) continue;
        if (e.left->boolean || e.right->boolean) continue;
        Solutions found = solve_for(*pool_, e.left, e.right, leaf, assumptions_);
        if (found.solvability == Solvability::Solved && !fulfil(leaf, found))
            found.solvability = Solvability::None;
        if (found.empty()) {  // the first that says why
            if (!best && solutions.solvability == Solvability::NoFormula) solutions = std::move(found);
            continue;
        }
        std::size_t conditions = 0, size = 0;
        for (const Solution& s : found.list) {
            conditions += s.conditions.size();
            size += operation_count(s.value);
        }
        const std::tuple rank(found.list.size(), has_derivative(e, leaf), conditions, size);
        if (best && least <= rank) continue;
        best = i;
        least = rank;
        solutions = std::move(found);
    }
    return best;
}

bool SymbolicSystem::eliminate(const std::string& name, Diagnostics& diagnostics) {
    if (expression_) {
        diagnostics.report(symbolic_messages::only_for_equations("eliminate"));
        return false;
    }
    const std::size_t at = name.find('@');
    const Expr leaf = unknown(name.substr(0, at), diagnostics);
    if (!leaf) return false;
    std::optional<std::size_t> chosen;
    if (at != std::string::npos) chosen = static_cast<std::size_t>(std::atoi(name.c_str() + at + 1)) - 1;
    Solutions solutions;
    const auto i = equation_for(leaf, chosen, solutions);
    const Printer names = printer();
    if (!i) {
        std::vector<std::string> around;
        for (const Equation& e : equations_)
            if (occurs(e.left, leaf) || occurs(e.right, leaf))
                around.push_back(to_text(e.left, names) + " = " + to_text(e.right, names));
        diagnostics.report(around.empty() ? symbolic_messages::in_no_equation(name)
                           : solutions.solvability == Solvability::None
                               ? symbolic_messages::no_real_solution(name, around)
                               : symbolic_messages::no_formula(name, around));
        return false;
    }
    if (solutions.list.size() > 1) {
        std::vector<std::string> list;
        for (const Solution& s : solutions.list) list.push_back(to_text(s.value, names));
        diagnostics.report(symbolic_messages::several_branches(
            name, to_text(equations_[*i].left, names) + " = " + to_text(equations_[*i].right, names), list));
        return false;
    }
    const Solution& s = solutions.list[0];
    for (Expr c : s.conditions) need(c);
    equations_.erase(equations_.begin() + static_cast<std::ptrdiff_t>(*i));
    Replacement put(*pool_, leaf, s.value, varies_);
    std::vector<Expr> divisors, after;
    for_all([&](Expr e) {
        for (Expr d : divisors_of(e)) divisors.push_back(put(d));
        const Expr replaced = put(e);
        after.push_back(replaced);
        return replaced == e ? e : cutset::simplify(*pool_, replaced, assumptions_);
    });
    for (Expr& c : conditions_) c = put(c);
    keep_divisors(divisors, after);
    Equation done;
    done.left = leaf;
    done.right = s.value;
    eliminated_.push_back(done);
    // What has become 0 = 0 says nothing.
    std::erase_if(equations_, [](const Equation& e) { return e.left == e.right; });
    return true;
}

bool SymbolicSystem::solve(const std::vector<std::string>& texts, Diagnostics& diagnostics) {
    std::vector<Expr> unknowns;
    std::vector<std::optional<std::size_t>> chosen;
    if (texts.empty()) {
        diagnostics.report(symbolic_messages::nothing_to_solve_for());
        return false;
    }
    for (const std::string& text : texts) {
        const std::size_t at = text.find('@');
        const Expr leaf = unknown(text.substr(0, at), diagnostics);
        if (!leaf) return false;
        unknowns.push_back(leaf);
        chosen.emplace_back();
        if (at == std::string::npos) continue;
        const int number = std::atoi(text.c_str() + at + 1);
        if (number < 1 || static_cast<std::size_t>(number) > equations_.size()) {
            diagnostics.report(symbolic_messages::no_equation(text.substr(at + 1), equations_.size()));
            return false;
        }
        chosen.back() = static_cast<std::size_t>(number - 1);
    }
    if (expression_) {  // expression = 0
        Equation e;
        e.left = expression_;
        e.right = pool_->number(0);
        equations_.push_back(e);
        expression_ = nullptr;
    }
    if (unknowns.size() > 1) return solve_together(unknowns, diagnostics);
    const Expr leaf = unknowns[0];
    Solutions solutions;
    if (bare_ && equations_.size() == 1 && !occurs(equations_[0].left, leaf) &&
        !occurs(equations_[0].right, leaf))
        solutions = solve_for(*pool_, equations_[0].left, equations_[0].right, leaf, assumptions_);
    const auto i = equation_for(leaf, chosen[0], solutions);
    const Printer names = printer();
    if (!i && (solutions.solvability == Solvability::None || solutions.solvability == Solvability::Every)) {
        verdicts_.push_back({leaf, solutions.solvability == Solvability::Every});
        for (Expr c : solutions.conditions) need(c);
        return true;
    }
    if (!i) {
        std::vector<std::string> around;
        for (const Equation& e : equations_)
            if (occurs(e.left, leaf) || occurs(e.right, leaf))
                around.push_back(to_text(e.left, names) + " = " + to_text(e.right, names));
        diagnostics.report(around.empty() ? symbolic_messages::in_no_equation(texts[0])
                                          : symbolic_messages::no_formula(texts[0], around));
        return false;
    }
    if (solutions.list.size() > 1 || !solutions.list[0].note.empty()) {
        for (Solution& s : solutions.list) branches_.push_back({leaf, std::move(s)});
        return true;
    }
    for (Expr c : solutions.list[0].conditions) need(c);
    equations_[*i].left = leaf;
    equations_[*i].right = solutions.list[0].value;
    return true;
}

bool SymbolicSystem::solve_together(const std::vector<Expr>& unknowns, Diagnostics& diagnostics) {
    // Algebraic equations first; those with derivatives only where they are needed.
    std::vector<std::size_t> rows;
    std::vector<std::pair<Expr, Expr>> equations;
    std::size_t algebraic = 0;
    const auto differential = [&](const Equation& e) {
        return std::all_of(unknowns.begin(), unknowns.end(), [&](Expr u) { return has_derivative(e, u); });
    };
    for (const bool with_derivatives : {false, true}) {
        for (std::size_t i = 0; i < equations_.size(); ++i) {
            const Equation& e = equations_[i];
            if (e.left->boolean || e.right->boolean || differential(e) != with_derivatives) continue;
            const bool any = std::any_of(unknowns.begin(), unknowns.end(),
                                         [&](Expr u) { return occurs(e.left, u) || occurs(e.right, u); });
            if (!any || !as_linear_form(*pool_, pool_->subtract(e.left, e.right), unknowns)) continue;
            rows.push_back(i);
            equations.emplace_back(e.left, e.right);
        }
        if (!with_derivatives) algebraic = rows.size();
    }
    auto solution =
        solve_linear(*pool_, {equations.begin(), equations.begin() + static_cast<std::ptrdiff_t>(algebraic)},
                     unknowns, assumptions_);
    if (!solution) solution = solve_linear(*pool_, equations, unknowns, assumptions_);
    if (!solution) {
        std::string names;
        for (Expr u : unknowns) names += (names.empty() ? "" : ", ") + to_text(u, printer());
        diagnostics.report(symbolic_messages::not_linear_together(names));
        return false;
    }
    for (Expr c : solution->conditions) need(c);
    determinant_ = solution->determinant;
    for (std::size_t k = 0; k < unknowns.size(); ++k) {
        Equation& e = equations_[rows[solution->rows[k]]];
        e.left = unknowns[k];
        e.right = solution->values[k];
    }
    return true;
}

bool SymbolicSystem::differentiate(const std::string& what, Diagnostics& diagnostics) {
    if (expression_) {
        const Expr leaf = what == "time" ? pool_->time() : unknown(what, diagnostics);
        if (!leaf) return false;
        expression_ = cutset::differentiate(*pool_, expression_, leaf);
        return true;
    }
    std::size_t index = equations_.size();
    const Printer names = printer();
    if (!what.empty() &&
        std::all_of(what.begin(), what.end(), [](unsigned char c) { return std::isdigit(c); })) {
        const std::size_t number = what.size() > 9 ? 0 : static_cast<std::size_t>(std::stoul(what));
        if (number < 1 || number > equations_.size()) {
            diagnostics.report(symbolic_messages::no_equation(what, equations_.size()));
            return false;
        }
        index = number - 1;
    } else {
        const Expr leaf = unknown(what, diagnostics);
        if (!leaf) return false;
        std::vector<std::string> around;
        for (std::size_t i = 0; i < equations_.size() && index == equations_.size(); ++i) {
            const Equation& e = equations_[i];
            if (e.left == leaf || e.right == leaf) index = i;
            if (occurs(e.left, leaf) || occurs(e.right, leaf))
                around.push_back(
                    fmt::format("{}  {} = {}", i + 1, to_text(e.left, names), to_text(e.right, names)));
        }
        if (index == equations_.size()) {
            diagnostics.report(symbolic_messages::not_given_by_one(what, around));
            return false;
        }
    }
    Equation d = equations_[index];
    const auto varies = [&](VariableIndex v) { return v.value < varies_.size() && varies_[v.value]; };
    d.left = time_derivative(*pool_, d.left, varies);
    d.right = time_derivative(*pool_, d.right, varies);
    d.kind = EquationKind::Derivative;
    equations_.insert(equations_.begin() + static_cast<std::ptrdiff_t>(index + 1), d);
    return true;
}

bool SymbolicSystem::assume(const tree::Expression& text, Diagnostics& diagnostics) {
    const Expr condition = read(text, bare_, diagnostics);
    if (!condition) return false;
    const std::string shown = to_text(condition, printer());
    if (!condition->boolean) {
        diagnostics.report(symbolic_messages::not_a_condition(shown));
        return false;
    }
    if (condition->op == Op::Truth ? condition->index != 0 : assumptions_.decides(condition) == true)
        return true;
    if (condition->op == Op::Truth || assumptions_.decides(condition) == false ||
        !assumptions_.add(condition)) {
        const bool relation = condition->op == Op::Less || condition->op == Op::LessEqual ||
                              condition->op == Op::Equal || condition->op == Op::NotEqual ||
                              condition->op == Op::And || condition->op == Op::Truth ||
                              condition->op == Op::Not;
        diagnostics.report(relation ? symbolic_messages::contradiction(shown)
                                    : symbolic_messages::not_a_condition(shown));
        return false;
    }
    simplify();
    std::erase_if(conditions_, [&](Expr c) { return assumptions_.decides(c) == true; });
    for (Branch& b : branches_)
        std::erase_if(b.solution.conditions, [&](Expr c) { return assumptions_.decides(c) == true; });
    std::erase_if(branches_, [&](const Branch& b) {
        const Range wanted = assumptions_.range(b.unknown), found = assumptions_.range(b.solution.value);
        return (wanted.positive() && found.not_positive()) || (wanted.negative() && found.not_negative()) ||
               std::any_of(b.solution.conditions.begin(), b.solution.conditions.end(),
                           [&](Expr c) { return assumptions_.decides(c) == false; });
    });
    return true;
}

void SymbolicSystem::simplify() {
    for_all([&](Expr e) { return cutset::simplify(*pool_, e, assumptions_); });
    std::erase_if(equations_, [](const Equation& e) { return e.left == e.right; });
}

void SymbolicSystem::expand() {
    for_all([&](Expr e) { return cutset::expand(*pool_, e); });
}

void SymbolicSystem::factor() {
    for_all([&](Expr e) { return factored(*pool_, e); });
}

bool SymbolicSystem::collect(const std::string& name, Diagnostics& diagnostics) {
    const Expr leaf = unknown(name, diagnostics);
    if (!leaf) return false;
    for_all([&](Expr e) { return collected(*pool_, e, leaf); });
    return true;
}

}  // namespace cutset
