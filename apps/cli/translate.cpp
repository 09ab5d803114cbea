// cutset translate: the loaded classes in another language.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "console.h"
#include "driver/used_classes.h"
#include "languages/modelica/write.h"
#include "model_options.h"

namespace cutset::cli {

namespace {

struct TranslateOptions : ModelOptions {
    std::string to;
    std::string output;
};

int translate(const TranslateOptions& options) {
    Workspace workspace;
    if (open_model(options, workspace)) {
        const std::string text = modelica::write_modelica(used_classes(workspace.classes));
        std::string problem;
        if (workspace.diagnostics.has_errors()) {
            // reported below
        } else if (options.output.empty()) {
            fmt::print("{}", options.json
                                 ? nlohmann::json{{"language", options.to}, {"text", text}}.dump(2) + "\n"
                                 : text);
        } else if (!write_file(options.output, text, problem)) {
            Diagnostic d;
            d.code = "cannot-write";
            d.message = fmt::format("cannot write {}: {}", options.output, problem);
            workspace.diagnostics.report(std::move(d));
        }
    }
    std::fflush(stdout);
    return finish(workspace, options);
}

}  // namespace

void add_translate(CommandLine& line) {
    auto o = std::make_shared<TranslateOptions>();
    Command& c = line.add("translate", groups::results, "write the loaded classes in another language",
                          [o] { return translate(*o); });
    add_model_options(c, *o);
    c.choice("--to", o->to, {"modelica"}, "the language: modelica").required();
    c.option("-o,--output", o->output, "file to write (standard output)");
    c.footer("Example:\n  cutset translate tanks.dym --to modelica -o Tanks.mo");
}

}  // namespace cutset::cli
