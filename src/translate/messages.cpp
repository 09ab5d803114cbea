#include "translate/messages.h"

#include <fmt/format.h>

#include "base/message_parts.h"

namespace cutset::translate_messages {

namespace {

constexpr const char* largest_number = "numbers reach up to about 1.8e308";

}  // namespace

Diagnostic cannot_read(Span from, const std::string& path, const std::string& problem,
                       const std::string& near) {
    Diagnostic d;
    d.code = "cannot-read";
    d.where = from;
    d.message = fmt::format("cannot read {}: {}", path, problem);
    d.help =
        did_you_mean(near, from.known() ? "files named in a model are relative to its file, or stand in a "
                                          "directory of --library"
                                        : "check the name, and the directory that you are in");
    return d;
}

Diagnostic library_left_out(const std::string& path, const Diagnostic& first) {
    Diagnostic d = first;
    d.severity = Severity::Warning;
    d.code = "library-errors";
    d.message =
        fmt::format("the library {} has errors; what could be read of it is used: {}", path, first.message);
    return d;
}

Diagnostic bad_external_system(Span from, const std::string& path, const std::string& problem) {
    Diagnostic d;
    d.code = "bad-external-system";
    d.where = from;
    d.message = fmt::format("{} is no system: {}", path, problem);
    d.help = "include/cutset_system.h says how a system is written in C and compiled";
    return d;
}

Diagnostic external_not_allowed(Span from, const std::string& path) {
    Diagnostic d;
    d.code = "external-not-allowed";
    d.where = from;
    d.message = fmt::format("the system in {} is external code, which runs only with --allow-external", path);
    d.help = "give --allow-external if you trust this file";
    return d;
}

Diagnostic not_compiled(Span from, const std::string& name, const std::string& code) {
    Diagnostic d;
    d.code = "not-compiled";
    d.where = from;
    d.message = fmt::format("system {} is code in C that was not compiled: {}", name, code);
    const std::string stem = code.substr(0, code.rfind('.'));
    d.help = fmt::format(
        "cc -O2 -shared -fPIC -I include -o {}.so {} with the folder of cutset_system.h for include", stem,
        code);
    return d;
}

Diagnostic bad_setting(const std::string& option, const std::string& text, const std::string& form) {
    Diagnostic d;
    d.code = "bad-option";
    d.concern = Concern::Request;
    d.message = fmt::format("{} {}: expected {}", option, text, form);
    return d;
}

Diagnostic bad_experiment_line(Span where, const std::string& problem) {
    Diagnostic d;
    d.code = "bad-experiment-line";
    d.where = where;
    d.message = "the experiment line: " + problem;
    return d;
}

Diagnostic bad_integral(Span where, const std::string& option, bool nested) {
    Diagnostic d;
    d.code = "bad-option";
    d.concern = Concern::Request;
    d.where = where;
    d.message = nested ? fmt::format("{}: one integral(…) cannot stand inside another", option)
                       : fmt::format("{}: integral(…) takes one expression", option);
    d.help = "it is the integral over time, from the start to the end: integral(x**2 + u**2)";
    return d;
}

Diagnostic bad_input_file(const std::string& option, const std::string& file, const std::string& problem) {
    Diagnostic d;
    d.code = "bad-input-file";
    d.message = fmt::format("{}: cannot use {}: {}", option, file, problem);
    d.help = "the file needs a column of times, rising, and a column of values";
    return d;
}

Diagnostic no_such_library(Span where, const std::string& name, const std::string& ending) {
    return make_error(
        where, "no-such-library", fmt::format("there is no library {}", name),
        fmt::format("put {}{}, or a directory {} of such files, beside this one, or name its directory "
                    "by --library",
                    name, ending, name));
}

Diagnostic body_is_a_program(Span where, const std::string& name) {
    return make_note(where, "body-is-a-program", fmt::format("the BODY of {} is more than one run", name),
                     "cutset experiment executes it; here its model is used, with options of its own");
}

Diagnostic no_classes_in_file(const std::string& path) {
    return make_error("no-model", fmt::format("{} declares no classes", path),
                      "a model is written NAME ISA Model WITH … END; in a file .om, COMPONENT name … END "
                      "COMPONENT in a file .el");
}

Diagnostic no_model_in_file(const std::string& path) {
    return make_error(
        "no-model", fmt::format("{} holds no model that could be run", path),
        "components with construction parameters need values for them: use them in another one");
}

Diagnostic no_such_file(Span where, const std::string& name) {
    return make_error(where, "no-such-file", fmt::format("there is no file {}", name),
                      "it is looked for beside this file and in the directories of --library");
}

Diagnostic not_omola(const std::string& path) {
    return make_error("not-omola", fmt::format("{} is no Omola text", path),
                      "Omola text is written from files .om; any model can be written with --to modelica");
}

Diagnostic no_classes(const std::string& directory) {
    return with_concern(make_error("no-classes", fmt::format("{} holds no classes", directory),
                                   "a directory of classes has files .mo, or directories with package.mo"),
                        Concern::MissingFile);
}

Diagnostic no_such_class(const std::string& name, const std::vector<std::string>& libraries,
                         const std::string& near_class) {
    const std::string top = name.substr(0, name.find('.'));
    std::string help =
        "give its directory with --library, list it in MODELICAPATH, or have it remembered by "
        "`cutset library add DIR`";
    if (!near_class.empty())
        help = did_you_mean(near_class);
    else if (const std::string near = nearest_name(top, libraries); near == top)
        help = fmt::format("the library {} is there, but has no such class", top);
    else if (!near.empty())
        help = did_you_mean(near);
    return with_concern(
        make_error("unknown-class", fmt::format("{} is neither a file nor a class of a library", name), help),
        Concern::MissingFile);
}

Diagnostic experiment_not_a_number(Span where) {
    return make_warning(where, "experiment-not-a-number", "this value of the experiment is not a number",
                        "write it as a number; give --start, --stop, --step or --tolerance instead");
}

Diagnostic input_differentiated(const std::string& input) {
    Diagnostic d;
    d.severity = Severity::Error;
    d.code = "input-differentiated";
    d.message = fmt::format("the input {} is given no value, and the equations need its derivative", input);
    d.help = fmt::format("give it as a function of time: --input \"{}=sin(time)\"", input);
    return d;
}

Diagnostic inputs_are_parameters(const std::vector<std::string>& inputs) {
    Diagnostic d;
    d.severity = Severity::Note;
    d.code = "inputs-are-parameters";
    std::string list;
    for (const std::string& name : inputs) list += (list.empty() ? "" : ", ") + name;
    d.message = fmt::format("no value is given for {}: in the program {} 0 unless it sets {}", list,
                            inputs.size() == 1 ? "it is" : "they are", inputs.size() == 1 ? "it" : "them");
    return d;
}

Diagnostic unknown_output(const std::string& path, const std::string& near) {
    Diagnostic d;
    d.code = "unknown-name";
    d.message = fmt::format("the model has no variable {}", path);
    d.help = did_you_mean(near, "`cutset equations --flat` lists the variables");
    return d;
}

Diagnostic no_derivative(const std::string& model) {
    Diagnostic d;
    d.code = "no-derivative";
    d.message = fmt::format("the equations of {} cannot be differentiated by formula", model);
    d.help = "index reduction has differentiated a table or function twice already; a smooth formula helps";
    return d;
}

Diagnostic open_input_differentiated(const FlatModel& model, VariableIndex input, const Equation& e) {
    Diagnostic d;
    const std::string name = model.path(input);
    d.code = "input-differentiated";
    d.where = e.origin.where;
    d.submodel = model.path(e.origin.instance);
    d.message = fmt::format(
        "the derivative of {} stands in this equation, but {} is left open here and has none", name, name);
    d.details.push_back(model.text(e));
    d.help =
        fmt::format("let {} pass a small lag first, v' = ({} - v)/T, and take v in its place", name, name);
    return d;
}

Diagnostic bad_variation(const std::string& text) {
    Diagnostic d;
    d.code = "bad-variation";
    d.message =
        fmt::format("--vary {}: expected NAME=FROM:TO:COUNT, NAME=log:FROM:TO:COUNT or NAME=V1,V2,…", text);
    d.help =
        "for example --vary R=1:10:100, --vary C=log:1e-9:1e-6:4, --vary \"x(0)=0,1,5\"; values are numbers, "
        "the count is at least 1, and FROM and TO of a log have the same sign";
    return d;
}

Diagnostic bad_cases(const std::string& path, const std::string& problem) {
    Diagnostic d;
    d.code = "bad-cases";
    d.message = fmt::format("--cases: cannot use {}: {}", path, problem);
    d.help = "the first line names parameters, or initial values as x(0); each further line is a case";
    return d;
}

Diagnostic bad_case_value(const std::string& path, std::size_t line, const std::string& value,
                          bool too_large) {
    if (!too_large) return bad_cases(path, fmt::format("line {}: \"{}\" is not a number", line, value));
    Diagnostic d = bad_cases(path, fmt::format("line {}: {} is too large for a number", line, value));
    d.help = largest_number;
    return d;
}

Diagnostic variation_too_large(const std::string& text, const std::string& value) {
    Diagnostic d = bad_variation(text);
    d.message = fmt::format("--vary {}: {} is too large for a number", text, value);
    d.help = largest_number;
    return d;
}

Diagnostic varied_twice(const std::string& option, const std::string& name) {
    Diagnostic d;
    d.code = "varied-twice";
    d.message = fmt::format("{}: {} is given twice", option, name);
    d.help = "give all its values at once, for example --vary " + name + "=1,2,5";
    return d;
}

Diagnostic too_many_cases(double count, std::size_t most) {
    Diagnostic d;
    d.code = "too-many-cases";
    d.message = fmt::format("these variations combine to {:.3g} cases; at most {} are run", count, most);
    d.help = "--cases FILE runs the combinations that you list";
    return d;
}

}  // namespace cutset::translate_messages
