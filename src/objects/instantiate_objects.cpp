#include "objects/instantiate_objects.h"

#include <set>
#include <tuple>

#include "flat/unit_check.h"
#include "ir/discrete_equations.h"
#include "ir/discrete_starts.h"
#include "ir/impure_calls.h"
#include "objects/class_instances.h"
#include "objects/connections.h"
#include "objects/connector_rules.h"
#include "objects/count_balance.h"
#include "objects/experiment.h"
#include "objects/functions.h"
#include "objects/instance_messages.h"
#include "objects/instances.h"
#include "objects/lookup.h"
#include "objects/parameter_values.h"
#include "objects/subtypes.h"
#include "objects/walk_instances.h"
#include "objects/write_declarations.h"

namespace cutset {

namespace objects {

namespace {

// A.B.'c.d' as parts.
object::Name split_name(const std::string& dotted) {
    object::Name name;
    bool quoted = false;
    name.parts.emplace_back();
    for (const char ch : dotted) {
        if (ch == '\'') quoted = !quoted;
        if (ch == '.' && !quoted)
            name.parts.emplace_back();
        else
            name.parts.back().name += ch;
    }
    return name;
}

const char* kind_word(object::ClassKind kind) {
    using Kind = object::ClassKind;
    switch (kind) {
        case Kind::Class:
            return "class";
        case Kind::Model:
            return "model";
        case Kind::Block:
            return "block";
        case Kind::Record:
        case Kind::OperatorRecord:
            return "record";
        case Kind::Connector:
        case Kind::ExpandableConnector:
            return "connector";
        case Kind::Type:
            return "type";
        case Kind::Package:
            return "package";
        case Kind::Function:
        case Kind::OperatorFunction:
            return "function";
        case Kind::Operator:
            return "operator";
        case Kind::Attributes:
            return "class of attributes";
    }
    return "class";
}

// The model to be made; reported and nothing when there is none of that name.
ClassInstance* find_model(InstanceTree& tree, ClassLibrary& library, const std::string& class_name,
                          Diagnostics& diagnostics) {
    const object::Name name = split_name(class_name);
    // Any class of the text can be asked for, also one that other classes could not refer to.
    Found f = find_member(tree, tree.top(), name.parts[0].name);
    std::size_t parts = 1;
    for (; f.type && parts < name.parts.size(); ++parts)
        f = find_member(tree, *f.type, name.parts[parts].name);
    if (!f.type || parts < name.parts.size()) {
        std::vector<std::string> near = library.top_names();
        diagnostics.report(messages::no_model(class_name, nearest_name(class_name, near)));
        return nullptr;
    }
    using Kind = object::ClassKind;
    const Kind kind = f.type->text->kind;
    tree.complete(*f.type);
    if (f.type->is_builtin() || (kind != Kind::Class && kind != Kind::Model && kind != Kind::Block)) {
        diagnostics.report(messages::not_a_model(f.type->text->where, class_name, kind_word(kind)));
        return nullptr;
    }
    if (f.type->text->partial) {
        diagnostics.report(messages::partial_model(f.type->text->where, class_name, kind_word(kind)));
        return nullptr;
    }
    return f.type;
}

void check_units(const FlatModel& model, Diagnostics& diagnostics) {
    UnitCheck units(model, diagnostics, true);
    units.infer();
    for (const Equation& e : model.equations) units.check(e.left, e.right, e.origin);
}

// Once for each place of the text, however many components share it.
void report_once(const Diagnostics& from, Diagnostics& to) {
    std::set<std::tuple<std::string, std::uint32_t, std::uint32_t, std::string>> seen;
    for (const Diagnostic& d : from.all()) {
        const std::string what = d.where.known() ? std::string() : d.message;
        if (seen.emplace(d.code, d.where.source.value, d.where.begin, what).second) to.report(d);
    }
}

}  // namespace

}  // namespace objects

std::optional<FlatModel> instantiate_objects(ClassLibrary& library, const std::string& class_name,
                                             const Experiment& experiment, Sources& sources,
                                             Diagnostics& all) {
    using namespace objects;
    Diagnostics diagnostics;
    FlatModel model;
    model.whens_together = true;
    UserValues settings = read_user_values(experiment.parameters);
    UserValues initials = read_user_values(experiment.initials);
    try {
        InstanceTree tree(library, diagnostics);
        ClassInstance* type = find_model(tree, library, class_name, diagnostics);
        if (!type) {
            report_once(diagnostics, all);
            return std::nullopt;
        }
        model.name = type->path;
        Evaluator evaluator(model, sources, diagnostics);
        evaluator.functions().resource = [&](const std::string& uri) { return library.resource(uri); };
        Instances instances(tree, evaluator, settings, initials);
        instances.root = &tree.make_root(*type);

        Walked walked = walk_instances(instances);
        if (walked.too_large) {
            report_once(diagnostics, all);
            return std::nullopt;
        }
        check_connectors(instances, walked);
        check_replacements(tree);
        Connections connections(instances);
        instances.connections = &connections;
        connections.collect(walked);
        write_declarations(evaluator, walked.declarations, connections);
        connections.add_equations(walked.flows);
        check_units(model, diagnostics);

        evaluate_parameters(model, diagnostics);
        check_user_values(instances, experiment, settings, initials);
        add_derivative_starts(instances, experiment);
        add_boundaries(instances, experiment);
        separate_discrete(model);
        settle_discrete(model);
        date_impure_calls(model);
        count_balance(model, walked, connections);
        add_quantities(instances, experiment);
    } catch (Refused& refused) {
        diagnostics.report(std::move(refused.diagnostic));
    }
    report_once(diagnostics, all);
    if (diagnostics.has_errors()) return std::nullopt;
    return model;
}

}  // namespace cutset
