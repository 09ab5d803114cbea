// What a model one experiments with holds, its values, changes and runs; its points: live_points.cpp.
#include <algorithm>
#include <cmath>

#include "ir/find_variables.h"
#include "live/live_implementation.h"
#include "live/live_messages.h"
#include "run/named_point.h"
#include "run/result_columns.h"
#include "run/run_point.h"
#include "transform/leave_open.h"
#include "translate/external_system.h"

namespace cutset {

std::vector<SystemSummary> systems_of(const Partition& partition);  // live_systems.cpp

namespace {

constexpr std::size_t most_kept = 8;  // translations

// M1.der(theta) is der(M1.theta): as results have it.
std::string quantity_path(const std::string& name) {
    const std::string path = plain_path(name);
    const std::size_t open = path.find('(');
    const std::size_t dot = open == std::string::npos ? open : path.rfind('.', open);
    if (dot == std::string::npos) return path;
    return path.substr(dot + 1, open - dot) + path.substr(0, dot + 1) + path.substr(open + 1);
}

// ±w of exact elimination.
struct Signed {
    VariableIndex variable;
    double sign = 1;
};
std::optional<Signed> as_signed(Expr e) {
    double sign = 1;
    if (e->op == Op::Multiply && e->argument_count == 2 && e->arg(0)->is_number(-1)) {
        sign = -1;
        e = e->arg(1);
    }
    if (e->op != Op::Variable || e->order != 0) return std::nullopt;
    return Signed{e->variable(), sign};
}

// The variable that stands for v, through a chain of equal ones.
Signed representative(const Partition& partition, VariableIndex v) {
    Signed result{v, 1};
    for (std::size_t steps = 0; steps <= partition.eliminated.size(); ++steps) {
        const auto e = std::find_if(partition.eliminated.begin(), partition.eliminated.end(),
                                    [&](const Eliminated& x) { return x.variable == result.variable; });
        if (e == partition.eliminated.end()) break;
        const auto next = as_signed(e->value);
        if (!next) break;
        result = {next->variable, result.sign * next->sign};
    }
    return result;
}

const char* words(LiveModel::Kind kind) {
    switch (kind) {
        case LiveModel::Kind::Parameter:
            return "a parameter";
        case LiveModel::Kind::StructureParameter:
            return "a structure parameter";
        case LiveModel::Kind::Input:
            return "an input";
        case LiveModel::Kind::State:
            return "a state";
        case LiveModel::Kind::Discrete:
            return "a discrete variable";
        case LiveModel::Kind::Other:
            break;
    }
    return "computed from equations";
}

}  // namespace

// The translation for the changes as they are; nothing when errors were reported.
LiveTranslation* LiveModel::Implementation::translation(Diagnostics& diagnostics) {
    if (current) return translations.front().get();
    for (std::size_t i = 0; i < translations.size(); ++i)
        if (translations[i]->is_valid_for(changes)) {
            std::rotate(translations.begin(), translations.begin() + std::ptrdiff_t(i),
                        translations.begin() + std::ptrdiff_t(i) + 1);
            current = true;
            if (i > 0) list_quantities();
            return translations.front().get();
        }
    ++made;
    const std::size_t errors = diagnostics.error_count();
    auto t = LiveTranslation::make(source, changes, last, diagnostics);
    if (!t) return nullptr;
    if (!t->is_valid_for(changes)) {
        for (const auto& [path, value] : changes.parameters)
            if (path.ends_with(']')) diagnostics.report(live_messages::element_shapes_model(path));
        if (diagnostics.error_count() > errors) return nullptr;
    }
    translations.insert(translations.begin(), std::move(t));
    if (translations.size() > most_kept) translations.pop_back();
    current = true;
    list_quantities();
    return translations.front().get();
}

SimulateOptions LiveModel::Implementation::options(LiveTranslation& t, const SimulateOptions& given,
                                                   Diagnostics& diagnostics) {
    SimulateOptions o = given;
    o.keep_point = true;
    t.apply(changes, o);
    o.machine_code = t.code(o.solver, diagnostics).machine_code;
    return o;
}

// The point, in terms of that translation.
bool LiveModel::Implementation::place(LiveTranslation& t, Diagnostics& diagnostics) {
    if (!point || point_partition == t.partition()) return point != nullptr;
    Diagnostics unreported;  // of an initialization that is only there for what is new
    const SimulateOptions o = options(t, last, unreported);
    const Program& program = *t.code(o.solver, diagnostics).program;
    auto placed = place_point(name_point(*point, *point_partition), *t.partition(),
                              [&] { return start_point(program, o, unreported); });
    if (!placed) {
        for (const Diagnostic& d : unreported.all()) diagnostics.report(d);
        return false;
    }
    placed->point.changed = true;
    point = std::make_shared<const RunPoint>(std::move(placed->point));
    point_partition = t.partition();
    return true;
}

const RunPoint* LiveModel::Implementation::show(Diagnostics& diagnostics) {
    if (shown) return shown.get();
    LiveTranslation* const t = translation(diagnostics);
    if (!t) return nullptr;
    const SimulateOptions o = options(*t, last, diagnostics);
    const Program& program = *t->code(o.solver, diagnostics).program;
    if (point && !place(*t, diagnostics)) return nullptr;
    Diagnostics own;
    const auto found = point ? settled_point(program, o, *point, own) : start_point(program, o, own);
    if (!found && point && !touched) {  // where it failed: what is known there
        shown = point;
        return shown.get();
    }
    if (!found) {
        for (const Diagnostic& d : own.all()) diagnostics.report(d);
        return nullptr;
    }
    shown = std::make_shared<const RunPoint>(*found);
    return shown.get();
}

const std::vector<double>& LiveModel::Implementation::parameter_values(Diagnostics& diagnostics) {
    if (parameters) return *parameters;
    LiveTranslation* t = translation(diagnostics);
    if (!t) t = &present();
    const SimulateOptions o = options(*t, last, diagnostics);
    parameters = cutset::parameter_values(*t->code(o.solver, diagnostics).program, o);
    return *parameters;
}

// Takes the changes, unless the model cannot be translated with them.
bool LiveModel::Implementation::change(LiveChanges next, Diagnostics& diagnostics) {
    std::swap(changes, next);
    const bool was_current = std::exchange(current, false);
    const auto undo = [&] {
        std::swap(changes, next);
        current = was_current;
    };
    try {
        if (!translation(diagnostics)) {
            undo();
            return false;
        }
    } catch (...) {
        undo();
        throw;
    }
    touched = true;
    forget_shown();
    return true;
}

bool LiveModel::Implementation::is_finite(const std::string& path, double value, Diagnostics& diagnostics) {
    if (std::isfinite(value)) return true;
    diagnostics.report(live_messages::not_finite(path));
    return false;
}

const LiveModel::Quantity* LiveModel::Implementation::find(const std::string& path,
                                                           Diagnostics& diagnostics) {
    if (const auto found = quantity_of.find(path); found != quantity_of.end())
        return &quantities[found->second];
    // An array is what its first element is.
    const std::vector<VariableIndex> elements = find_variables(present().model(), path);
    if (!elements.empty())
        if (const auto found = quantity_of.find(present().model().path(elements[0]));
            found != quantity_of.end())
            return &quantities[found->second];
    diagnostics.report(live_messages::unknown_name(path, nearest_path(present().model(), path)));
    return nullptr;
}

void LiveModel::Implementation::list_quantities() {
    const Partition& partition = *present().partition();
    quantities.clear();
    quantity_of.clear();
    const FlatModel& model = partition.model;
    std::vector<Kind> kinds(model.variables.size(), Kind::Other);
    for (VariableIndex v : shown_states(partition)) kinds[v.value] = Kind::State;
    for (VariableIndex v : inputs_of(model)) kinds[v.value] = Kind::Input;
    const std::vector<bool> without = without_values(partition);
    for (VariableIndex v{0}; v < model.variables.end_index(); ++v.value) {
        const Variable& variable = model.variables[v];
        if (variable.internal || without[v.value]) continue;
        Kind kind = kinds[v.value];
        if (variable.variability == Variability::Parameter)
            kind = changes.inputs.contains(model.path(v))                  ? Kind::Input
                   : variable.declared == VariableKind::StructureParameter ? Kind::StructureParameter
                                                                           : Kind::Parameter;
        else if (variable.variability == Variability::Discrete && !variable.free_parameter)
            kind = Kind::Discrete;
        quantity_of.emplace(model.path(v), quantities.size());
        quantities.push_back({model.path(v), variable.unit, kind});
    }
}

void LiveModel::Implementation::remember(const SimulateOptions& options) {
    last = options;
    last.interrupt = nullptr;
    last.progress = nullptr;
    last.observer = nullptr;
    last.tried_step = nullptr;
}

LiveModel::LiveModel(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
LiveModel::~LiveModel() = default;

std::unique_ptr<LiveModel> LiveModel::make(Workspace& workspace, Settings settings) {
    if (workspace.diagnostics.has_errors()) return nullptr;
    auto i = std::make_unique<Implementation>();
    i->source = {&workspace, settings.model, std::move(settings.experiment), std::move(settings.transform),
                 settings.engine};
    i->last = settings.run;
    Diagnostics own;
    if (!settings.model.empty()) workspace.text.refer_to(settings.model, own);
    const bool good = i->translation(own) != nullptr;
    for (const Diagnostic& d : own.all()) workspace.diagnostics.report(d);
    if (!good) return nullptr;
    return std::unique_ptr<LiveModel>(new LiveModel(std::move(i)));
}

const std::vector<LiveModel::Quantity>& LiveModel::quantities() const {
    return implementation_->quantities;
}

std::optional<LiveModel::Kind> LiveModel::kind(const std::string& path) const {
    Diagnostics unreported;
    const Quantity* q = implementation_->find(quantity_path(path), unreported);
    return q ? std::optional(q->kind) : std::nullopt;
}

const Partition& LiveModel::partition() const {
    return *implementation_->present().partition();
}

std::optional<double> LiveModel::value(const std::string& name, Diagnostics& diagnostics) {
    Implementation& i = *implementation_;
    const std::string path = quantity_path(name);
    if (path == "time") return time();
    LiveTranslation* const t = i.translation(diagnostics);
    if (!t) return std::nullopt;
    const FlatModel& model = t->model();
    std::vector<VariableIndex> found = t->find(path);
    if (found.size() == 1 && model.variables[found[0]].variability <= Variability::Parameter)
        return i.parameter_values(diagnostics)[found[0].value];
    double sign = 1;
    std::optional<std::size_t> state;
    if (found.empty()) state = t->state_of(path);
    if (const auto differentiated = differentiated_path(path); found.empty() && !state && differentiated)
        if (const auto of = t->find(*differentiated); of.size() == 1) {
            const Signed x = representative(*t->partition(), of[0]);
            const std::string other = derivative_name(model.path(x.variable));
            sign = x.sign;
            state = t->state_of(other);
            if (!state) found = t->find(other);  // x'' occurs: x' is a variable of its own
        }
    if (!state && found.size() != 1) {
        diagnostics.report(live_messages::unknown_name(path, nearest_path(model, path)));
        return std::nullopt;
    }
    const RunPoint* point = i.show(diagnostics);
    if (!point) return std::nullopt;
    const double value = state ? sign * point->derivatives[*state] : sign * point->values[found[0].value];
    if (std::isfinite(value)) return value + 0.0;
    diagnostics.report(live_messages::no_value(path, point->time));
    return std::nullopt;
}

std::optional<double> LiveModel::initial(const std::string& name) const {
    Implementation& i = *implementation_;
    const std::string path = quantity_path(name);
    if (const auto given = i.changes.initials.find(path); given != i.changes.initials.end())
        return given->second;
    const FlatModel& model = i.present().model();
    const std::vector<VariableIndex> found = i.present().find(path);
    if (found.size() != 1) return std::nullopt;
    const Variable& v = model.variables[found[0]];
    const Expr start = v.variability == Variability::Discrete ? v.binding
                       : v.start                              ? v.start->value
                                                              : nullptr;
    if (!start || v.variability <= Variability::Parameter) return std::nullopt;
    Diagnostics unreported;
    const std::vector<double>& parameters = i.parameter_values(unreported);
    Environment environment;
    environment.leaf = [&](Expr leaf) -> std::optional<double> {
        if (leaf->op == Op::Time) return i.last.start;
        if (leaf->op != Op::Variable || leaf->order != 0 ||
            model.variables[leaf->variable()].variability > Variability::Parameter)
            return std::nullopt;
        return parameters[leaf->index];
    };
    return evaluate(start, environment);
}

bool LiveModel::started() const {
    return implementation_->point != nullptr;
}

double LiveModel::time() const {
    return implementation_->point ? implementation_->point->time : implementation_->last.start;
}

bool LiveModel::set_parameter(const std::string& name, double value, Diagnostics& diagnostics) {
    Implementation& i = *implementation_;
    const std::string path = quantity_path(name);
    const Quantity* q = i.find(path, diagnostics);
    if (!q || !i.is_finite(path, value, diagnostics)) return false;
    if (q->kind != Kind::Parameter && q->kind != Kind::StructureParameter) {
        const bool starts = q->kind == Kind::State || q->kind == Kind::Discrete;
        diagnostics.report(live_messages::wrong_kind(
            path, "parameter", words(q->kind),
            starts                   ? "its initial value can be set, or its value in the run that stands"
            : q->kind == Kind::Input ? "an input is given an expression or a number"
                                     : ""));
        return false;
    }
    LiveChanges next = i.changes;
    next.parameters[path] = value;
    return i.change(std::move(next), diagnostics);
}

bool LiveModel::set_initial(const std::string& name, double value, Diagnostics& diagnostics) {
    Implementation& i = *implementation_;
    const std::string path = quantity_path(name);
    const Quantity* q = i.find(differentiated_path(path).value_or(path), diagnostics);
    if (!q || !i.is_finite(path, value, diagnostics)) return false;
    if (q->kind != Kind::State && q->kind != Kind::Discrete && q->kind != Kind::Other) {
        diagnostics.report(
            live_messages::wrong_kind(path, "variable with an initial value", words(q->kind), ""));
        return false;
    }
    LiveChanges next = i.changes;
    next.initials[path] = value;
    return i.change(std::move(next), diagnostics);
}

bool LiveModel::set_input(const std::string& name, const std::string& expression, Diagnostics& diagnostics) {
    Implementation& i = *implementation_;
    const std::string path = quantity_path(name);
    if (!i.find(path, diagnostics)) return false;
    LiveChanges::Input input = LiveChanges::Input::from(expression);
    if (input.number && !i.is_finite(path, *input.number, diagnostics)) return false;
    LiveChanges next = i.changes;
    next.inputs[path] = std::move(input);
    return i.change(std::move(next), diagnostics);
}

bool LiveModel::set_state(const std::string& name, double value, Diagnostics& diagnostics) {
    Implementation& i = *implementation_;
    const std::string path = quantity_path(name);
    const Quantity* q = i.find(path, diagnostics);
    if (!q || !i.is_finite(path, value, diagnostics)) return false;
    if (!i.point) {
        diagnostics.report(live_messages::not_started());
        return false;
    }
    LiveTranslation* const t = i.translation(diagnostics);
    if (!t || !i.place(*t, diagnostics)) return false;
    const Partition& partition = *t->partition();
    const std::vector<VariableIndex> found = t->find(path);
    const Signed x = found.size() == 1 ? representative(partition, found[0]) : Signed{VariableIndex(0), 1};
    const std::vector<VariableIndex> states = shown_states(partition);
    const bool is_state =
        found.size() == 1 && std::find(states.begin(), states.end(), x.variable) != states.end();
    const bool is_discrete =
        found.size() == 1 && partition.model.variables[x.variable].variability == Variability::Discrete;
    if (!is_state && !is_discrete) {
        diagnostics.report(live_messages::wrong_kind(path, "state", words(q->kind),
                                                     "the states are " + states_text(partition)));
        return false;
    }
    RunPoint moved = *i.point;
    moved.values[x.variable.value] = x.sign * value;
    moved.moved.push_back(x.variable);
    i.point = std::make_shared<const RunPoint>(std::move(moved));
    i.touched = true;
    i.forget_shown();
    return true;
}

RunSummary LiveModel::Implementation::finish(RunSummary summary, std::optional<RunPoint> end,
                                             LiveTranslation& t) {
    forget_shown();
    end_external_systems(source.workspace->text.classes());
    touched = false;
    point = end ? std::make_shared<const RunPoint>(std::move(*end)) : nullptr;
    point_partition = t.partition();
    return summary;
}

RunSummary LiveModel::run(const SimulateOptions& options, RowSink& sink, Diagnostics& diagnostics) {
    Implementation& i = *implementation_;
    i.remember(options);
    LiveTranslation* const t = i.translation(diagnostics);
    if (!t) return {};
    const SimulateOptions o = i.options(*t, options, diagnostics);
    std::optional<RunPoint> end;
    const RunSummary summary = simulate(*t->code(o.solver, diagnostics).program, o, sink, diagnostics, end);
    return i.finish(summary, std::move(end), *t);
}

RunSummary LiveModel::go_on(const SimulateOptions& options, RowSink& sink, Diagnostics& diagnostics) {
    Implementation& i = *implementation_;
    RunSummary nothing;
    nothing.time = time();
    if (!i.point) {
        diagnostics.report(live_messages::not_started());
        return nothing;
    }
    if (!(options.stop > i.point->time)) {
        diagnostics.report(live_messages::already_there(i.point->time, options.stop));
        return nothing;
    }
    i.remember(options);
    LiveTranslation* const t = i.translation(diagnostics);
    if (!t || !i.place(*t, diagnostics)) return nothing;
    const SimulateOptions o = i.options(*t, options, diagnostics);
    std::optional<RunPoint> end;
    const std::shared_ptr<const RunPoint> from = i.point;
    const RunSummary summary =
        simulate_from(*t->code(o.solver, diagnostics).program, o, *from, sink, diagnostics, end);
    if (!end) end = *from;  // it could not even begin: other changes may help
    return i.finish(summary, std::move(end), *t);
}

const LiveChanges& LiveModel::changes() const {
    return implementation_->changes;
}

std::vector<SystemSummary> LiveModel::systems() const {
    const Workspace& workspace = *implementation_->source.workspace;
    return workspace.text.systems().empty() ? systems_of(partition()) : workspace.text.systems();
}

std::size_t LiveModel::translations() const {
    return implementation_->made;
}

}  // namespace cutset
