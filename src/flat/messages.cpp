#include "flat/messages.h"

#include <fmt/format.h>

#include "base/message_parts.h"

namespace cutset::flat_messages {

namespace {

Diagnostic make(const char* code, Span where, const std::string& submodel, std::string message,
                std::string help = "") {
    Diagnostic d = make_error(where, code, std::move(message), std::move(help));
    d.submodel = submodel;
    return d;
}

}  // namespace

Diagnostic sizes_differ(Span where, const std::string& submodel, const std::string& what,
                        const std::string& first, const std::string& second) {
    std::string help;
    if (what == "product") help = "columns of the left must equal rows of the right";
    return make("size-mismatch", where, submodel,
                fmt::format("sizes do not fit in this {}: {} and {}", what, first, second), help);
}

Diagnostic equation_units(Span where, const std::string& submodel, const std::string& a,
                          const std::string& unit_a, const std::string& b, const std::string& unit_b,
                          bool same_quantity) {
    Diagnostic d =
        make("unit-mismatch", where, submodel,
             same_quantity ? fmt::format("{} is in {} and {} in {}: an equation does not convert units", a,
                                         unit_a, b, unit_b)
                           : fmt::format("{} is in {}, {} in {}: they do not measure the same quantity", a,
                                         unit_a, b, unit_b),
             same_quantity ? "write the factor into the equation, or use one unit" : "");
    d.severity = Severity::Warning;
    return d;
}

Diagnostic not_an_input(const std::string& path, const std::string& kind, Span declared, bool parameter) {
    return with_related(
        make("not-an-input", {}, "", fmt::format("--input {}: this is {}, not an input", path, kind),
             parameter ? fmt::format("a parameter is given by --set {}=…", path) : ""),
        declared, "declared here");
}

Diagnostic input_given_inside(const std::string& path, Span declared) {
    return with_related(make("input-given-twice", {}, "",
                             fmt::format("--input {}: the model itself refers to this input", path)),
                        declared, "declared here");
}

Diagnostic input_given_twice(const std::string& path) {
    return make("input-given-twice", {}, "", fmt::format("--input {}: given twice", path));
}

Diagnostic inputs_not_given(Span where, const std::vector<std::string>& inputs,
                            const std::string& in_the_text) {
    Diagnostic d =
        make("input-not-given", where, "",
             inputs.size() == 1 ? fmt::format("the input {} is given no value", inputs[0])
                                : fmt::format("{} inputs are given no values", inputs.size()),
             fmt::format("give it by --input \"{}=expression of time\"{}", inputs[0], in_the_text));
    d.concern = Concern::OpenInputs;
    if (inputs.size() > 1) add_names(d, inputs);
    return d;
}

Diagnostic known_not_variable(const std::string& path, const std::string& kind, Span declared,
                              bool parameter) {
    return with_related(
        make("bad-known", {}, "",
             fmt::format("--known {}: this is {}; only a variable that equations determine can be a known",
                         path, kind),
             parameter ? fmt::format("a parameter is given by --set {}=…", path) : ""),
        declared, "declared here");
}

Diagnostic known_twice(const std::string& option, const std::string& path) {
    return make("bad-known", {}, "", fmt::format("{} {}: given twice", option, path));
}

Diagnostic known_and_unknown(const std::string& path) {
    return make("bad-known", {}, "", fmt::format("--unknown {}: it is given at the same time", path),
                "remove either its value or --unknown");
}

Diagnostic knowns_without_value(const std::vector<std::string>& knowns) {
    Diagnostic d =
        make("known-without-value", {}, "",
             knowns.size() == 1 ? fmt::format("the known {} has no value", knowns[0])
                                : fmt::format("{} knowns have no value: {}", knowns.size(), and_list(knowns)),
             fmt::format("give it as an expression of time, --known \"{0}=sin(time)\", or from a file, "
                         "--known {0}=file.csv",
                         knowns[0]));
    d.concern = Concern::OpenInputs;
    return d;
}

Diagnostic unknown_shapes_model(const std::string& path, Span declared) {
    return with_related(
        make("bad-unknown", {}, "",
             fmt::format("--unknown {}: the structure of the model depends on this parameter, so it "
                         "cannot be computed from the equations",
                         path)),
        declared, "declared here");
}

Diagnostic unknown_not_free(const std::string& path, const std::string& kind, Span declared) {
    return with_related(
        make("bad-unknown", {}, "",
             fmt::format("--unknown {}: this is {}; only an input or a parameter can be freed", path, kind)),
        declared, "declared here");
}

Diagnostic unknown_already(const std::string& path, Span declared) {
    return with_related(
        make("bad-unknown", {}, "",
             fmt::format("--unknown {}: it is an unknown already, the model refers to it", path),
             "name the input or parameter of the model that is to be computed instead of given"),
        declared, "declared here");
}

}  // namespace cutset::flat_messages
