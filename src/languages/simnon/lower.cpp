#include "languages/simnon/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "languages/simnon/lower_external.h"
#include "languages/simnon/messages.h"
#include "languages/simnon/walk.h"

namespace cutset::simnon {

namespace {

using Kind = tree::ExpressionKind;

tree::Expression variable(const std::string& name, Span where) {
    tree::Expression e;
    e.kind = Kind::Reference;
    e.where = where;
    e.reference.where = where;
    e.reference.parts.push_back({tree::Separator::None, name, {}, where});
    return e;
}

tree::Expression call(std::string function, std::vector<tree::Expression> arguments, Span where) {
    tree::Expression e;
    e.kind = Kind::Call;
    e.text = std::move(function);
    e.where = where;
    e.arguments = std::move(arguments);
    return e;
}

tree::Expression binary(Kind kind, tree::Expression left, tree::Expression right, std::string text = "") {
    tree::Expression e;
    e.kind = kind;
    e.text = std::move(text);
    e.where = left.where;
    e.arguments.push_back(std::move(left));
    e.arguments.push_back(std::move(right));
    return e;
}

// Inputs that are read as they were before the sampling.
void read_before(tree::Expression& e, const System& system) {
    if (e.kind == Kind::Reference) {
        const auto found = e.reference.parts.size() == 1 && !is_time(e.reference)
                               ? system.find(e.reference.parts[0].name)
                               : std::nullopt;
        if (!found || !system.variables[*found].read_before) return;
        const Span where = e.where;
        std::vector<tree::Expression> argument;
        argument.push_back(std::move(e));
        e = call("pre", std::move(argument), where);
        return;
    }
    for (tree::Expression& argument : e.arguments) read_before(argument, system);
}

bool parametric(const System& system, const tree::Expression& e, bool time_too) {
    bool result = true;
    for_each_reference(e, [&](const tree::Reference& r) {
        if (is_time(r)) {
            result = result && time_too;
            return;
        }
        const auto found = r.parts.size() == 1 ? system.find(r.parts[0].name) : std::nullopt;
        result =
            result && found &&
            (system.variables[*found].role == SystemRole::Parameter ||
             (system.variables[*found].role == SystemRole::Auxiliary && system.variables[*found].initial));
    });
    return result;
}

// Makes the items of a class.
class ClassMaker {
  public:
    explicit ClassMaker(const System& system) : system_(system), class_(std::make_shared<tree::Class>()) {
        class_->name = system.name;
        class_->where = system.where;
        class_->whole = system.whole;
        class_->source = system.where.source;
        class_->in_place = system.kind == SystemKind::Connecting;
        for (const std::string& line : system.text)
            class_->documentation += (class_->documentation.empty() ? "" : "\n") + line;
    }

    std::shared_ptr<tree::Class> take() { return std::move(class_); }

    template <class What>
    void add(What what) {
        class_->items.push_back({std::move(what)});
    }

    void declare(VariableKind kind, const SystemVariable& v, std::optional<tree::Expression> value = {}) {
        tree::VariableDeclaration d;
        d.kind = kind;
        d.name = v.name;
        d.where = v.where;
        d.value = std::move(value);
        add(std::move(d));
    }
    void equation(tree::Expression left, tree::Expression right, Span where) {
        add(tree::Equation{std::move(left), std::move(right), where});
    }
    void start(const SystemVariable& v, tree::Expression value, Span where) {
        add(tree::InitialValue{variable(v.name, where).reference, std::move(value), where});
    }

    // Parameters, and what the INITIAL section computes from them.
    void parameters() {
        for (const SystemVariable& v : system_.variables)
            if (v.role == SystemRole::Parameter)
                declare(VariableKind::Parameter, v, number(v.constant.value_or(0), v.constant_where));
        for (const SystemAssignment& a : system_.assignments) {
            if (a.section != Section::Initial) continue;
            const SystemVariable& v = system_.variables[*system_.find(a.target)];
            if (v.role != SystemRole::Auxiliary) continue;
            // What depends on the initial time is a discrete variable that nothing changes.
            declare(depends_on_time(a.value) ? VariableKind::Discrete : VariableKind::Parameter, v, a.value);
        }
    }

    bool depends_on_time(const tree::Expression& e) const {
        bool result = false;
        for_each_reference(e, [&](const tree::Reference& r) {
            if (is_time(r)) {
                result = true;
                return;
            }
            const auto found = system_.find(r.parts[0].name);
            if (!found || !system_.variables[*found].initial ||
                system_.variables[*found].role != SystemRole::Auxiliary)
                return;
            const auto declared =
                std::find_if(class_->items.begin(), class_->items.end(), [&](const tree::Item& item) {
                    const auto* d = std::get_if<tree::VariableDeclaration>(&item.what);
                    return d && d->name == system_.variables[*found].name;
                });
            result = result ||
                     (declared != class_->items.end() &&
                      std::get<tree::VariableDeclaration>(declared->what).kind == VariableKind::Discrete);
        });
        return result;
    }

    void continuous() {
        using K = VariableKind;
        parameters();
        std::vector<const SystemVariable*> states, rates;
        for (const SystemVariable& v : system_.variables) {
            switch (v.role) {
                case SystemRole::Input:
                    declare(K::Input, v);
                    break;
                case SystemRole::Output:
                    declare(K::Output, v);
                    break;
                case SystemRole::State:
                    declare(K::Local, v);
                    states.push_back(&v);
                    break;
                case SystemRole::Derivative:
                    declare(K::Local, v);
                    rates.push_back(&v);
                    break;
                case SystemRole::Auxiliary:
                    if (v.assigned) declare(K::Local, v);
                    break;
                default:
                    break;
            }
        }
        for (std::size_t i = 0; i < states.size() && i < rates.size(); ++i) {
            const SystemVariable& x = *states[i];
            tree::Expression rate;
            rate.kind = Kind::Derivative;
            rate.number = 1;
            rate.where = x.where;
            rate.arguments.push_back(variable(x.name, x.where));
            equation(std::move(rate), variable(rates[i]->name, rates[i]->where), rates[i]->where);
            const SystemAssignment* initial = x.initial ? &system_.assignments[*x.initial] : nullptr;
            if (!initial)
                start(x, number(x.constant.value_or(0), x.where), x.constant ? x.constant_where : x.where);
            else if (parametric(system_, initial->value, false))
                start(x, initial->value, initial->where);
            else
                add(tree::InitialEquation{{variable(x.name, x.where), initial->value, initial->where}});
        }
        for (const SystemAssignment& a : system_.assignments)
            if (a.section != Section::Initial && a.system.empty())
                equation(variable(a.target, a.target_where), a.value, a.where);
    }

    // The value before the first sampling.
    tree::Expression before(const SystemVariable& v, tree::Expression otherwise) const {
        if (v.initial) return system_.assignments[*v.initial].value;
        if (v.constant) return number(*v.constant, v.constant_where);
        return otherwise;
    }

    void discrete() {
        using K = VariableKind;
        parameters();
        std::vector<const SystemVariable*> states, next;
        for (const SystemVariable& v : system_.variables) {
            if (v.role == SystemRole::State) states.push_back(&v);
            if (v.role == SystemRole::New) next.push_back(&v);
            if (v.role == SystemRole::Input) declare(K::Input, v);
        }
        // What is computed in INITIAL comes in that order, since each may depend on those before it.
        const auto state = [&](const SystemVariable& x) {
            declare(K::Discrete, x, before(x, number(0, x.where)));
        };
        const auto output = [&](const SystemVariable& y) {
            declare(K::Output, y);
            start(y, before(y, number(0, y.where)), y.where);
        };
        const auto sample_time = [&](const SystemVariable& t) {
            declare(K::Discrete, t, before(t, variable("time", t.where)));
        };
        for (const SystemVariable& v : system_.variables) {
            if (v.initial) continue;
            if (v.role == SystemRole::State) state(v);
            if (v.role == SystemRole::Output) output(v);
            if (v.role == SystemRole::SampleTime) sample_time(v);
        }
        for (const SystemAssignment& a : system_.assignments) {
            if (a.section != Section::Initial) continue;
            const SystemVariable& v = system_.variables[*system_.find(a.target)];
            if (v.role == SystemRole::State) state(v);
            if (v.role == SystemRole::Output) output(v);
            if (v.role == SystemRole::SampleTime) sample_time(v);
        }
        for (std::size_t i = 0; i < states.size() && i < next.size(); ++i)
            declare(K::Discrete, *next[i], variable(states[i]->name, next[i]->where));
        for (const SystemVariable& v : system_.variables)
            if (v.role == SystemRole::Auxiliary && v.assigned) declare(K::Discrete, v, number(0, v.where));

        tree::When when;
        when.where = system_.where;
        when.condition = sampling_condition(system_);
        for (std::size_t i = 0; i < states.size() && i < next.size(); ++i) {
            std::vector<tree::Expression> argument;
            argument.push_back(variable(next[i]->name, next[i]->where));
            when.statements.push_back(
                {tree::WhenAssignment{variable(states[i]->name, states[i]->where).reference,
                                      call("pre", std::move(argument), next[i]->where), states[i]->where}});
        }
        for (const SystemAssignment& a : system_.assignments)
            if (a.section != Section::Initial && !refers_outside(a)) {
                tree::Expression value = a.value;
                read_before(value, system_);
                when.statements.push_back({tree::WhenAssignment{variable(a.target, a.target_where).reference,
                                                                std::move(value), a.where}});
            }
        add(std::move(when));
        // Else it is never sampled again.
        for (const SystemVariable& v : system_.variables)
            if (v.role == SystemRole::SampleTime && v.assigned)
                add(tree::Valid{
                    binary(Kind::Relation, variable(v.name, v.where), variable("time", v.where), ">"),
                    system_.assignments[*v.assigned].where});
    }

    // start() makes it act at initialization too.
    static tree::Expression sampling_condition(const System& system, const std::string& prefix = "") {
        const auto time_variable =
            std::find_if(system.variables.begin(), system.variables.end(),
                         [](const SystemVariable& v) { return v.role == SystemRole::SampleTime; });
        const std::string name = time_variable == system.variables.end() ? "time" : time_variable->name;
        const Span where = system.where;
        const auto due = [&] {
            tree::Expression at = variable(name, where);
            if (!prefix.empty()) put_prefix(at, prefix);
            return binary(Kind::Relation, variable("time", where), std::move(at), ">=");
        };
        return binary(Kind::Or, due(), binary(Kind::And, call("start", {}, where), due()));
    }

    void connecting(const std::vector<System>& systems) {
        parameters();
        for (const System::Reference& r : system_.systems) component(r.name, r.where);
        for (const System& s : systems)
            if (std::none_of(system_.systems.begin(), system_.systems.end(),
                             [&](const System::Reference& r) { return r.name == s.name; }))
                component(s.name, s.where);
        for (const SystemVariable& v : system_.variables)
            if (v.role == SystemRole::Auxiliary && v.assigned) declare(VariableKind::Local, v);
        for (const SystemAssignment& a : system_.assignments) {
            if (a.section == Section::Initial) continue;
            tree::Expression target = variable(a.target, a.target_where);
            if (!a.system.empty()) put_prefix(target, a.system);
            equation(std::move(target), a.value, a.where);
        }
        for (const System& s : systems) {
            if (s.kind != SystemKind::Discrete) continue;
            tree::When when;
            when.where = s.where;
            when.condition = sampling_condition(s, s.name);
            for (const SystemAssignment& a : s.assignments) {
                if (a.section == Section::Initial || !refers_outside(a)) continue;
                tree::Expression target = variable(a.target, a.target_where), value = a.value;
                put_prefix(target, a.system.empty() ? s.name : a.system);
                read_before(value, s);
                put_prefix(value, s.name);
                if (a.system.empty())
                    when.statements.push_back(
                        {tree::WhenAssignment{std::move(target.reference), std::move(value), a.where}});
                else
                    when.statements.push_back(
                        {tree::WhenReinit{std::move(target.reference), std::move(value), a.where}});
            }
            if (!when.statements.empty()) add(std::move(when));
        }
        first_samples(systems);
    }

  private:
    void component(const std::string& name, Span where) {
        tree::Component c;
        c.type = c.name = name;
        c.type_where = c.where = where;
        add(std::move(c));
    }

    // A state that a discrete system sets at initialization begins with that value, unless it was given
    // another one: equations need not make sense for the 0 that it would have for an instant only.
    void first_samples(const std::vector<System>& systems) {
        for (const System& s : systems) {
            const auto sample_time =
                std::find_if(s.variables.begin(), s.variables.end(),
                             [](const SystemVariable& v) { return v.role == SystemRole::SampleTime; });
            if (s.kind != SystemKind::Discrete || sample_time == s.variables.end() || sample_time->initial ||
                !s.library.empty())
                continue;
            for (const SystemAssignment& a : s.assignments) {
                if (a.system.empty()) continue;
                const auto owner = std::find_if(systems.begin(), systems.end(),
                                                [&](const System& o) { return o.name == a.system; });
                const auto found = owner == systems.end() ? std::nullopt : owner->find(a.target);
                if (!found) continue;
                const SystemVariable& x = owner->variables[*found];
                if (x.constant || x.initial) continue;
                tree::Expression target = variable(a.target, a.target_where), value = a.value;
                put_prefix(target, a.system);
                put_prefix(value, s.name);
                if (held(value, systems, 0))
                    add(tree::InitialValue{std::move(target.reference), std::move(value), a.where});
            }
        }
    }

    // Whether a value is known without the continuous systems: parameters, discrete variables, inputs that
    // are connected to such.
    bool held(const tree::Expression& e, const std::vector<System>& systems, int depth) const {
        if (depth > 20) return false;
        bool result = true;
        for_each_reference(e, [&](const tree::Reference& r) {
            if (!result || is_time(r)) return;
            if (r.parts.size() == 1) {
                const auto own = system_.find(r.parts[0].name);
                if (!own) {
                    result = false;
                } else if (const SystemVariable& v = system_.variables[*own]; v.assigned) {
                    result = held(system_.assignments[*v.assigned].value, systems, depth + 1);
                }
                return;
            }
            const auto owner = std::find_if(systems.begin(), systems.end(),
                                            [&](const System& o) { return o.name == r.parts[0].name; });
            const auto found = owner == systems.end() ? std::nullopt : owner->find(r.parts[1].name);
            if (!found) {
                result = false;
                return;
            }
            const SystemVariable& v = owner->variables[*found];
            if (v.role == SystemRole::Parameter) return;
            if (v.role != SystemRole::Input) {
                result = owner->kind == SystemKind::Discrete;
                return;
            }
            const auto connected = std::find_if(
                system_.assignments.begin(), system_.assignments.end(),
                [&](const SystemAssignment& a) { return a.system == owner->name && a.target == v.name; });
            result = connected != system_.assignments.end() && held(connected->value, systems, depth + 1);
        });
        return result;
    }

    const System& system_;
    std::shared_ptr<tree::Class> class_;
};

}  // namespace

std::shared_ptr<tree::Class> lower_system(const System& system, bool outside, Diagnostics& diagnostics) {
    if (!outside && !system.systems.empty())
        diagnostics.report(
            needs_connecting(system.systems.front().where, system.name, system.systems.front().name));
    if (!system.library.empty()) return lower_external(system);
    ClassMaker maker(system);
    if (system.kind == SystemKind::Discrete)
        maker.discrete();
    else
        maker.continuous();
    return maker.take();
}

std::shared_ptr<tree::Class> lower_connecting(const System& connecting, const std::vector<System>& systems) {
    ClassMaker maker(connecting);
    maker.connecting(systems);
    return maker.take();
}

SystemSummary summary(const System& system, bool at_top) {
    SystemSummary s;
    s.kind = system.kind;
    s.name = system.name;
    if (!at_top) s.path = system.name;
    for (const SystemVariable& v : system.variables) s.variables.push_back({v.name, v.role});
    return s;
}

}  // namespace cutset::simnon
