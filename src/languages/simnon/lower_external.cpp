#include "languages/simnon/lower_external.h"

#include <fmt/format.h>

namespace cutset::simnon {

namespace {

using Kind = tree::ExpressionKind;

class ExternalMaker {
  public:
    explicit ExternalMaker(const System& system)
        : system_(system), where_(system.where), class_(std::make_shared<tree::Class>()) {
        class_->name = system.name;
        class_->where = class_->whole = where_;
        class_->source = where_.source;
        class_->documentation = fmt::format("External system in {}.", system.library);
    }

    std::shared_ptr<tree::Class> make() {
        for (SystemRole role : {SystemRole::Parameter, SystemRole::Initial})
            for (const SystemVariable* v : all(role))
                declare(VariableKind::Parameter, v->name, number(v->constant.value_or(0)));
        for (const SystemVariable* v : all(SystemRole::Input)) declare(VariableKind::Input, v->name);
        if (system_.kind == SystemKind::Discrete)
            discrete();
        else
            continuous();
        // terminate acts at the instant at which the flag is set.
        tree::When stop;
        stop.where = where_;
        stop.condition = relation(variable("LSTOP"), ">", number(0.5));
        stop.statements.push_back(
            {tree::WhenTerminate{fmt::format("system {} has set LSTOP", system_.name), where_}});
        add(std::move(stop));
        return std::move(class_);
    }

  private:
    std::vector<const SystemVariable*> all(SystemRole role) const {
        std::vector<const SystemVariable*> list;
        for (const SystemVariable& v : system_.variables)
            if (v.role == role) list.push_back(&v);
        return list;
    }

    // ---- trees

    tree::Expression number(double value) const {
        tree::Expression e;
        e.number = value;
        e.where = where_;
        return e;
    }
    tree::Expression variable(const std::string& name) const {
        tree::Expression e;
        e.kind = Kind::Reference;
        e.where = e.reference.where = where_;
        e.reference.parts.push_back({tree::Separator::None, name, {}, where_});
        return e;
    }
    tree::Expression previous(const std::string& name) const {
        tree::Expression e;
        e.kind = Kind::Call;
        e.text = "pre";
        e.where = where_;
        e.arguments.push_back(variable(name));
        return e;
    }
    tree::Expression relation(tree::Expression left, const char* sign, tree::Expression right) const {
        tree::Expression e;
        e.kind = Kind::Relation;
        e.text = sign;
        e.where = where_;
        e.arguments.push_back(std::move(left));
        e.arguments.push_back(std::move(right));
        return e;
    }
    // Result `output` (from 0) of a part.
    tree::Expression call(const std::string& function, std::size_t output,
                          const std::vector<tree::Expression>& arguments) const {
        tree::Expression e;
        e.kind = Kind::Call;
        e.text = function;
        e.number = static_cast<double>(output + 1);
        e.where = where_;
        e.arguments = arguments;
        return e;
    }

    template <class What>
    void add(What what) {
        class_->items.push_back({std::move(what)});
    }
    void declare(VariableKind kind, const std::string& name, std::optional<tree::Expression> value = {}) {
        tree::VariableDeclaration d;
        d.kind = kind;
        d.name = name;
        d.where = where_;
        d.value = std::move(value);
        add(std::move(d));
    }
    void equation(tree::Expression left, tree::Expression right) {
        add(tree::Equation{std::move(left), std::move(right), where_});
    }

    // void cutset_system_PART(const double* in, double* out)
    std::string function(const std::string& part, std::size_t inputs, std::size_t outputs) {
        auto f = std::make_shared<tree::Function>();
        f->name = part + "_" + system_.name;
        f->where = where_;
        const auto declare_slots = [&](std::vector<tree::VariableDeclaration>& list, const char* name,
                                       std::size_t count) {
            for (std::size_t i = 0; i < count; ++i) {
                tree::VariableDeclaration d;
                d.name = fmt::format("{}{}", name, i + 1);
                d.where = where_;
                list.push_back(std::move(d));
            }
        };
        declare_slots(f->inputs, "in", inputs);
        declare_slots(f->outputs, "out", outputs);
        ExternalCode code;
        code.library = system_.library;
        code.symbol = "cutset_system_" + part;
        code.where = where_;
        f->external = std::move(code);
        const std::string name = f->name;
        add(std::move(f));
        return name;
    }

    void append(std::vector<tree::Expression>& list, SystemRole role) const {
        for (const SystemVariable* v : all(role)) list.push_back(variable(v->name));
    }
    void append_previous(std::vector<tree::Expression>& list, SystemRole role) const {
        for (const SystemVariable* v : all(role)) list.push_back(previous(v->name));
    }

    // time PAR INIT
    std::vector<tree::Expression> constants() const {
        std::vector<tree::Expression> list;
        list.push_back(variable("time"));
        append(list, SystemRole::Parameter);
        append(list, SystemRole::Initial);
        return list;
    }

    void continuous() {
        const auto states = all(SystemRole::State), rates = all(SystemRole::Derivative),
                   outputs = all(SystemRole::Output), variables = all(SystemRole::Auxiliary);
        const std::vector<tree::Expression> start = constants();
        const std::string initial = function("initial", start.size(), states.size() + outputs.size() + 2);
        std::vector<tree::Expression> arguments = start;
        append(arguments, SystemRole::State);
        append(arguments, SystemRole::Input);
        const std::string compute = function("compute", arguments.size(), outputs.size() + rates.size() + 2);
        const std::string accept = function("accept", arguments.size(), variables.size() + 2);
        for (const SystemVariable* y : outputs) declare(VariableKind::Output, y->name);
        for (const auto* list : {&states, &rates, &variables})
            for (const SystemVariable* v : *list) declare(VariableKind::Local, v->name);
        declare(VariableKind::Local, "LSTOP");
        declare(VariableKind::Local, "LDARK");
        for (std::size_t i = 0; i < states.size() && i < rates.size(); ++i) {
            tree::Expression rate;
            rate.kind = Kind::Derivative;
            rate.number = 1;
            rate.where = where_;
            rate.arguments.push_back(variable(states[i]->name));
            equation(std::move(rate), variable(rates[i]->name));
            add(tree::InitialEquation{{variable(states[i]->name), call(initial, i, start), where_}});
        }
        std::size_t k = 0;
        for (const auto* list : {&outputs, &rates})
            for (const SystemVariable* v : *list) equation(variable(v->name), call(compute, k++, arguments));
        equation(variable("LSTOP"), call(compute, k, arguments));
        k = 0;
        for (const SystemVariable* v : variables) equation(variable(v->name), call(accept, k++, arguments));
        equation(variable("LDARK"), call(accept, k, arguments));
    }

    void discrete() {
        const auto states = all(SystemRole::State), next = all(SystemRole::New),
                   outputs = all(SystemRole::Output), variables = all(SystemRole::Auxiliary),
                   sample_times = all(SystemRole::SampleTime);
        const std::vector<tree::Expression> start = constants();
        const std::string initial =
            function("initial", start.size(), states.size() + outputs.size() + sample_times.size() + 2);
        std::size_t k = 0;
        for (const SystemVariable* x : states)
            declare(VariableKind::Discrete, x->name, call(initial, k++, start));
        for (const SystemVariable* y : outputs) {
            declare(VariableKind::Output, y->name);
            add(tree::InitialValue{variable(y->name).reference, call(initial, k++, start), where_});
        }
        for (const SystemVariable* t : sample_times)
            declare(VariableKind::Discrete, t->name, call(initial, k++, start));
        for (std::size_t i = 0; i < next.size() && i < states.size(); ++i)
            declare(VariableKind::Discrete, next[i]->name, variable(states[i]->name));
        for (const SystemVariable* v : variables) declare(VariableKind::Discrete, v->name, number(0));
        declare(VariableKind::Discrete, "LSTOP", number(0));
        declare(VariableKind::Discrete, "LDARK", number(0));

        std::vector<tree::Expression> arguments = start;
        append_previous(arguments, SystemRole::New);  // the states at this sampling
        for (const SystemVariable* u : all(SystemRole::Input))
            arguments.push_back(u->read_before ? previous(u->name) : variable(u->name));
        append_previous(arguments, SystemRole::Output);
        append_previous(arguments, SystemRole::SampleTime);
        append_previous(arguments, SystemRole::Auxiliary);
        const std::string compute =
            function("compute", arguments.size(),
                     outputs.size() + next.size() + sample_times.size() + variables.size() + 2);
        tree::When when;
        when.where = where_;
        const auto due = [&] {
            return relation(variable("time"), ">=", variable(sample_times.front()->name));
        };
        tree::Expression start_call;
        start_call.kind = Kind::Call;
        start_call.text = "start";
        start_call.where = where_;
        tree::Expression at_start = start_call;
        at_start.kind = Kind::And;
        at_start.text.clear();
        at_start.arguments.push_back(start_call);
        at_start.arguments.push_back(due());
        when.condition.kind = Kind::Or;
        when.condition.where = where_;
        when.condition.arguments.push_back(due());
        when.condition.arguments.push_back(std::move(at_start));
        const auto set = [&](const std::string& name, tree::Expression value) {
            when.statements.push_back(
                {tree::WhenAssignment{variable(name).reference, std::move(value), where_}});
        };
        for (std::size_t i = 0; i < states.size() && i < next.size(); ++i)
            set(states[i]->name, previous(next[i]->name));
        k = 0;
        for (const auto* list : {&outputs, &next, &sample_times, &variables})
            for (const SystemVariable* v : *list) set(v->name, call(compute, k++, arguments));
        set("LSTOP", call(compute, k, arguments));
        // Counts: a curve is broken where it changes.
        tree::Expression more;
        more.kind = Kind::Sum;
        more.text = "++";
        more.where = where_;
        more.arguments.push_back(previous("LDARK"));
        more.arguments.push_back(call(compute, k + 1, arguments));
        set("LDARK", std::move(more));
        add(std::move(when));
    }

    const System& system_;
    Span where_;
    std::shared_ptr<tree::Class> class_;
};

}  // namespace

std::shared_ptr<tree::Class> lower_external(const System& system) {
    return ExternalMaker(system).make();
}

}  // namespace cutset::simnon
