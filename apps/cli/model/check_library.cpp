#include "model/check_library.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "base/internal_error.h"
#include "base/json.h"
#include "output/console.h"
#include "output/json_output.h"
#include "translate/open_inputs.h"
#include "translate/translator.h"

namespace cutset::cli {

namespace {

using object::Class;
using object::ClassKind;

struct CheckedClass {
    std::string name;
    std::optional<std::size_t> equations;  // of a model that was translated
    std::optional<Diagnostic> error;       // the first
};

bool is_translated(const Class& c) {
    return !c.partial && (c.kind == ClassKind::Model || c.kind == ClassKind::Block);
}

std::optional<Diagnostic> first_error(const Diagnostics& diagnostics) {
    for (const Diagnostic& d : diagnostics.all())
        if (d.severity == Severity::Error) return d;
    return std::nullopt;
}

// As a model of its own: what it does not say about its connectors is left open.
CheckedClass check_class(const Workspace& workspace, const Class& c) {
    CheckedClass checked{ClassLibrary::path(c), {}, {}};
    if (!is_translated(c)) return checked;
    StageTimes times;
    const Translator translator(workspace.text, times);
    Diagnostics own;
    try {
        if (auto flat = flatten_open(translator, checked.name, {}, own))
            if (const auto sorted = sort_equations(std::move(*flat), {}, own))
                checked.equations = sorted->flat_equations;
    } catch (...) {  // of one class; the others are checked
        own.report(failure_diagnostic(current_failure()));
    }
    checked.error = first_error(own);
    return checked;
}

std::string place_text(const Diagnostic& d, const Sources& sources) {
    if (!d.where.known()) return "";
    const Location at = sources.locate(d.where);
    return fmt::format("{}:{}:{}: ", at.file, at.line, at.column);
}

Json as_json(const CheckedClass& c, const Sources& sources) {
    Json out = {{"class", c.name}, {"status", c.error ? "error" : c.equations ? "translated" : "read"}};
    if (c.equations) out["equations"] = *c.equations;
    if (c.error) out["error"] = place_text(*c.error, sources) + c.error->message;
    return out;
}

void print_line(const CheckedClass& c, const Sources& sources) {
    if (c.error)
        fmt::print("{:<60} error: {}{}\n", c.name, place_text(*c.error, sources), c.error->message);
    else if (c.equations)
        fmt::print("{:<60} {} equations\n", c.name, *c.equations);
    else
        fmt::print("{:<60} read\n", c.name);
}

}  // namespace

int check_library(const ModelRequest& request, const OutputOptions& output) {
    Workspace workspace;
    workspace.text.load(request.file, {.libraries = request.library}, workspace.diagnostics);
    if (workspace.diagnostics.has_errors()) return finish(workspace, output);
    ObjectText& objects = *workspace.text.objects();
    Json list = Json::array();
    std::size_t translated = 0, read = 0, wrong = 0;
    for (const Class* own : objects.own) {
        objects.library.attach(workspace.text.sources(), workspace.diagnostics);
        for (const Class* c : all_classes(objects.library, *own)) {
            const CheckedClass checked = check_class(workspace, *c);
            ++(checked.error ? wrong : checked.equations ? translated : read);
            if (output.json)
                list.push_back(as_json(checked, workspace.text.sources()));
            else if (!output.quiet || checked.error)
                print_line(checked, workspace.text.sources());
        }
    }
    // Files with errors, of which nothing or not all could be used.
    for (const Diagnostic& d : workspace.diagnostics.all()) wrong += d.concern == Concern::RestNotRead;
    if (output.json)
        print_json(
            {{"classes", std::move(list)}, {"translated", translated}, {"read", read}, {"errors", wrong}});
    else
        fmt::print("{} models translated, {} other classes read, {} with errors\n", translated, read, wrong);
    const int status = finish(workspace, output);
    return wrong > 0 ? 1 : status;
}

}  // namespace cutset::cli
