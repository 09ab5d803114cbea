#include "flat/unit_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "flat/messages.h"

namespace cutset {

namespace {

// The unit of SI, by a name of its own where it has one.
std::string si_text(const Unit& measured) {
    for (const char* name : {"N", "Pa", "J", "W", "C", "V", "F", "Ohm", "S", "Wb", "T", "H"})
        if (parse_unit(name)->exponents == measured.exponents) return name;
    static constexpr const char* names[] = {"m", "kg", "s", "A", "K", "mol", "cd", "rad"};
    std::string above, below;
    for (std::size_t k = 0; k < measured.exponents.size(); ++k) {
        const int power = measured.exponents[k];
        if (power == 0) continue;
        std::string& side = power > 0 ? above : below;
        side += (side.empty() ? "" : ".") + std::string(names[k]);
        if (std::abs(power) > 1) side += std::to_string(std::abs(power));
    }
    const std::string unit = above.empty() ? "1" : above;
    if (below.empty()) return unit;
    return unit + (below.find('.') == std::string::npos ? "/" + below : "/(" + below + ")");
}

}  // namespace

class UnitsOfEquation {
  public:
    UnitsOfEquation(UnitCheck& all, const Origin& origin) : all_(all), origin_(origin) {}

    void check(Expr left, Expr right) {
        const Measure a = measure(left), b = measure(right);
        compare(a, b);
    }

  private:
    // What is known of the unit of an expression.
    struct Measure {
        bool known = false;   // which quantity
        bool scaled = false;  // and in which unit
        // A number of a function, sin(time): without unit as a factor of something, but where it stands alone
        // it takes the unit that fits, as literals do.
        bool bare = false;
        Unit unit;
        Expr of = nullptr;  // for messages
    };

    Measure measure(Expr e) {
        if (const auto known = measured_.find(e); known != measured_.end()) return known->second;
        Measure m = of_node(e);
        m.of = e;
        measured_.emplace(e, m);
        return m;
    }

    static Measure pure() { return {.known = true, .scaled = true}; }
    static Measure bare() { return {.known = true, .scaled = true, .bare = true}; }

    Measure of_node(Expr e) {
        switch (e->op) {
            case Op::Variable:
            case Op::Previous:
                return of_variable(e);
            case Op::Add:
                return of_sum(e->args());
            case Op::Multiply:
                return of_product(e);
            case Op::Power:
                return of_power(e);
            case Op::Sqrt:
                return raised(measure(e->arg(0)), 0.5);
            case Op::Abs:
            case Op::NoEvent:
            case Op::Truncate:
            case Op::Floor:
                return measure(e->arg(0));
            case Op::Delay:
                compare(measure(e->arg(1)), with_unit("s"));
                return measure(e->arg(0));
            case Op::Min:
            case Op::Max:
                return of_sum(e->args());
            case Op::Remainder:
            case Op::Modulo:
                return of_sum(e->args());
            case Op::If:
                return of_choice(e);
            case Op::Less:
            case Op::LessEqual:
            case Op::Equal:
            case Op::NotEqual:
                compare(measure(e->arg(0)), measure(e->arg(1)));
                return {};
            case Op::Sin:
            case Op::Cos:
            case Op::Tan:
                compare(measure(e->arg(0)), with_unit("rad"));
                return bare();
            case Op::Exp:
            case Op::Ln:
            case Op::Sinh:
            case Op::Cosh:
            case Op::Tanh:
                if (const Measure m = measure(e->arg(0)); !all_.constants_are_numbers_) compare(m, pure());
                return bare();
            default:
                for (Expr argument : e->args()) measure(argument);
                return {};
        }
    }

    static bool takes_unit(const Measure& m) { return !m.known || m.bare; }

    Measure with_unit(const std::string& text) {
        const Unit* const unit = all_.unit(text);
        if (!unit) return {};
        return {.known = true, .scaled = true, .unit = *unit};
    }
    Measure of_variable(Expr e) {
        const std::string& unit = all_.text_of(e->variable());
        if (unit.empty() || (unit == "1" && all_.constants_are_numbers_)) return {};
        Measure m = with_unit(unit);
        if (e->op == Op::Variable && e->order > 0) {
            m.unit.offset = 0;
            m.unit.exponents[2] -= static_cast<int>(e->order);
            m.scaled = false;  // the time of a model may count minutes or hours
        }
        return m;
    }

    // Terms that are known measure the same. A number among them may convert: T - 273.15.
    Measure of_sum(std::span<const Expr> terms) {
        Measure sum;
        bool number = false, open = false;
        std::size_t minus = 0;
        for (Expr term : terms) {
            const Measure m = measure(term);
            number = number || term->is_number();
            open = open || (takes_unit(m) && !term->is_number());
            if (takes_unit(m)) continue;
            minus += term->op == Op::Multiply && term->arg(0)->is_number() && term->arg(0)->number < 0;
            if (!sum.known)
                sum = m;
            else
                compare(sum, m, true);
        }
        if (number || open) sum.scaled = false;
        // A difference of temperatures has no zero.
        if (minus > 0) sum.scaled = sum.scaled && sum.unit.offset == 0;
        return sum;
    }
    Measure of_product(Expr e) {
        Measure product = bare();
        for (Expr factor : e->args()) {
            if (factor->is_number(-1)) continue;
            const Measure m = measure(factor);
            product.bare = product.bare && m.bare;
            product.known = product.known && m.known;
            product.scaled = product.scaled && m.scaled && product.known;
            if (!product.known) continue;
            for (std::size_t k = 0; k < m.unit.exponents.size(); ++k)
                product.unit.exponents[k] += m.unit.exponents[k];
            product.unit.counts_cycles = product.unit.counts_cycles || m.unit.counts_cycles;
            // Minus a temperature is one still; a temperature times something is not.
            product.unit.offset = e->argument_count == 2 && e->arg(0)->is_number(-1) ? m.unit.offset : 0;
            product.unit.factor *= m.unit.factor;
        }
        return product.known ? product : Measure{};
    }
    Measure of_power(Expr e) {
        const Measure base = measure(e->arg(0));
        if (e->arg(1)->is_number()) return raised(base, e->arg(1)->number);
        measure(e->arg(1));
        return {};
    }
    static Measure raised(const Measure& base, double exponent) {
        if (takes_unit(base)) return base;
        Measure m = base;
        m.unit.offset = 0;
        m.unit.factor = std::pow(base.unit.factor, exponent);
        for (std::size_t k = 0; k < m.unit.exponents.size(); ++k) {
            const double power = base.unit.exponents[k] * exponent;
            if (power != std::round(power)) return {};
            m.unit.exponents[k] = static_cast<int>(power);
        }
        return m;
    }
    Measure of_choice(Expr e) {
        std::vector<Expr> values;
        const std::size_t n = e->argument_count;
        for (std::size_t k = 0; k < n; ++k) {
            if (k % 2 == 0 && k + 1 < n)
                measure(e->arg(k));
            else
                values.push_back(e->arg(k));
        }
        return all_.constants_are_numbers_ ? common(values) : of_sum(values);
    }
    // Of branches that need not measure the same, as in `0 = if open then i else v`.
    Measure common(const std::vector<Expr>& values) {
        Measure all = measure(values[0]);
        for (const Expr value : values) {
            const Measure m = measure(value);
            if (takes_unit(all)) all = m;
            if (takes_unit(m)) continue;
            if (!same_quantity(all.unit, m.unit)) return {};
            all.scaled = all.scaled && m.scaled && !differ(all.unit, m.unit, false);
        }
        return all;
    }

    void compare(const Measure& a, const Measure& b, bool within_sum = false) {
        if (takes_unit(a) || takes_unit(b) || told_) return;
        const bool same = same_quantity(a.unit, b.unit);
        const bool scales = a.scaled && b.scaled;
        if (same && !(scales && differ(a.unit, b.unit, within_sum))) return;
        told_ = true;
        all_.diagnostics_.report(flat_messages::equation_units(origin_.where,
                                                               all_.model_.path(origin_.instance), text(a),
                                                               unit_text(a), text(b), unit_text(b), same));
    }
    // In a sum, a difference of temperatures stands beside a temperature.
    static bool differ(const Unit& a, const Unit& b, bool within_sum) {
        const Conversion k = conversion(a, b);
        return std::abs(k.factor - 1) > 1e-9 || (!within_sum && a.offset != b.offset);
    }

    std::string text(const Measure& m) const {
        if (!m.of) return "what is wanted in its place";
        std::string out = to_text(m.of, all_.model_.printer());
        if (m.of->op != Op::Variable) return out;
        const auto found = all_.inferred_.find(m.of->index);
        if (found == all_.inferred_.end()) return out;
        return fmt::format("{} (equal to {})", out, all_.model_.path(found->second.from));
    }
    std::string unit_text(const Measure& m) const {
        if (m.of && m.of->op == Op::Variable && m.of->order == 0) return all_.text_of(m.of->variable());
        std::string unit = si_text(m.unit);
        if (m.scaled && std::abs(m.unit.factor - 1) > 1e-9)
            unit = fmt::format("{:g} {}", m.unit.factor, unit);
        return unit;
    }

    UnitCheck& all_;
    Origin origin_;
    bool told_ = false;
    std::unordered_map<Expr, Measure> measured_;
};

const Unit* UnitCheck::unit(const std::string& text) {
    const auto [found, added] = units_.try_emplace(text);
    if (added) found->second = parse_unit(text);
    return found->second ? &*found->second : nullptr;
}

const std::string& UnitCheck::text_of(VariableIndex v) const {
    const auto found = inferred_.find(v.value);
    return found == inferred_.end() ? model_.variables[v].unit : found->second.unit;
}

void UnitCheck::check(Expr left, Expr right, const Origin& origin) {
    if (!checked_.emplace(origin.where.source.value, origin.where.begin).second) return;
    UnitsOfEquation(*this, origin).check(left, right);
}

void UnitCheck::infer() {
    std::unordered_map<std::uint32_t, std::vector<VariableIndex>> equal;  // of variables without a unit
    std::vector<VariableIndex> open;  // with one, whose equals have none yet
    const auto alone = [](Expr e) {
        if (e->op == Op::Multiply && e->argument_count == 2 && e->arg(0)->is_number(-1)) e = e->arg(1);
        return e->op == Op::Variable && e->order == 0 ? e : nullptr;
    };
    for (const Equation& e : model_.equations) {
        const Expr a = alone(e.left), b = alone(e.right);
        if (!a || !b) continue;
        equal[a->index].push_back(b->variable());
        equal[b->index].push_back(a->variable());
        for (Expr side : {a, b})
            if (!model_.variables[side->variable()].unit.empty()) open.push_back(side->variable());
    }
    while (!open.empty()) {
        const VariableIndex v = open.back();
        open.pop_back();
        const auto known = inferred_.find(v.value);
        const Inferred passed_on =
            known == inferred_.end() ? Inferred{model_.variables[v].unit, v} : known->second;
        for (const VariableIndex other : equal[v.value])
            if (model_.variables[other].unit.empty() && inferred_.emplace(other.value, passed_on).second)
                open.push_back(other);
    }
}

}  // namespace cutset
