// What a call gives to a function: by position, then by name, the rest by defaults.
#include <algorithm>

#include "instantiate/expression_parts.h"
#include "instantiate/functions.h"
#include "instantiate/messages.h"
#include "instantiate/value_types.h"

namespace cutset {

namespace {

// The input that `k=2` names; nothing where it is a comparison or another expression.
std::optional<std::size_t> named_input(const tree::Function& f, const tree::Expression& e) {
    if (e.kind != tree::ExpressionKind::Relation || e.text != "=") return std::nullopt;
    const tree::Expression& name = e.arguments[0];
    if (name.kind != tree::ExpressionKind::Reference || name.reference.parts.size() != 1 ||
        !name.reference.parts[0].indices.empty())
        return std::nullopt;
    for (std::size_t k = 0; k < f.inputs.size(); ++k)
        if (f.inputs[k].name == name.reference.parts[0].name) return k;
    return std::nullopt;
}

// A value of the type that the input is declared with; a truth value as 0 or 1.
Value argument_value(Context& c, const tree::Function& f, const tree::VariableDeclaration& input,
                     const tree::Expression& e, const Scope& s) {
    const std::string submodel = s.function ? "" : c.submodel(s.instance);
    if (input.type == ValueType::Boolean) {
        const Value v = translate(c, e, s);
        if (v.failed()) return v;
        if (!v.is_condition()) {
            c.report(messages::argument_type(e.where, submodel, f.name, input.name, "a truth value",
                                             input.where, "compare it, for example `… <> 0`"));
            return {};
        }
        return each(v, [&](Expr x) { return number_of(c, x); });
    }
    const Value v = numeric(c, e, s);
    if (input.type == ValueType::Integer && !s.function)
        for (std::size_t k = 0; k < v.size() && !v.failed(); ++k)
            if (!is_whole(c.model, v[k])) {
                c.report(messages::argument_type(e.where, submodel, f.name, input.name, "a whole number",
                                                 input.where, "int(…) makes a whole number of it"));
                return {};
            }
    return v;
}

}  // namespace

std::optional<CallArguments> call_arguments(Context& c, const tree::Function& f, ClassInfo* in,
                                            const tree::File* file,
                                            const std::vector<tree::Expression>& given, Span where,
                                            const Scope& s) {
    const std::string submodel = s.function ? "" : c.submodel(s.instance);
    const auto refuse = [&](Diagnostic d) {
        c.report(std::move(d));
        return std::nullopt;
    };
    const auto wrong_count = [&](std::size_t n) {
        return refuse(
            messages::wrong_argument_count(where, submodel, f.name, std::to_string(f.inputs.size()), n));
    };
    std::vector<std::optional<Value>> values(f.inputs.size());
    CallArguments result;
    result.places.assign(f.inputs.size(), where);
    bool failed = false, by_name = false;
    std::size_t next = 0;
    for (const tree::Expression& e : given) {
        const auto named = named_input(f, e);
        if (by_name && !named) return refuse(messages::argument_after_named(e.where, submodel, f.name));
        by_name = named.has_value();
        const std::size_t k = named ? *named : next++;
        if (k >= f.inputs.size()) return wrong_count(given.size());
        if (values[k]) return refuse(messages::argument_twice(e.where, submodel, f.name, f.inputs[k].name));
        values[k] = argument_value(c, f, f.inputs[k], named ? e.arguments[1] : e, s);
        result.places[k] = e.where;
        failed |= values[k]->failed();
    }
    if (failed) return std::nullopt;
    FunctionScope constants;
    constants.function = &f;
    constants.in = in;
    constants.file = file;
    constants.constants_only = true;
    for (std::size_t k = 0; k < f.inputs.size(); ++k) {
        if (!values[k] && !f.inputs[k].value) return wrong_count(given.size());
        if (!values[k])
            values[k] = argument_value(c, f, f.inputs[k], *f.inputs[k].value,
                                       Scope{.instance = InstanceIndex(0), .function = &constants});
        if (values[k]->failed()) return std::nullopt;
        result.values.push_back(std::move(*values[k]));
    }
    return result;
}

}  // namespace cutset
