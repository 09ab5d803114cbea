// cutset translate: the loaded classes, or the sorted model as a program, in another language.
#include <fmt/format.h>

#include <memory>

#include "base/json.h"
#include "commands.h"
#include "export/export_program.h"
#include "output/console.h"
#include "results/messages.h"
#include "runs/run_options.h"
#include "translate/open_inputs.h"
#include "translate/translator.h"
#include "translate/written_classes.h"

namespace cutset::cli {

namespace {

struct TranslateOptions : RunOptions {
    TargetLanguage to = TargetLanguage::C;
    std::string output;
};

std::optional<std::string> program_text(TranslateOptions& options, Workspace& workspace,
                                        const Experiment& experiment) {
    if (!apply_experiment_line(workspace.text, options, workspace.diagnostics)) return std::nullopt;
    const auto run = experiment_options(options, workspace.diagnostics);
    if (!run) return std::nullopt;
    TranslationQuestion question;
    question.model = options.model;
    question.experiment = experiment;
    question.transform = transform_options(options, workspace.text);
    question.jacobian = jacobian_for(run->solver);
    question.run = &*run;
    Diagnostics own;
    Translator translator(workspace);
    auto translation = translator.translate(question, own);
    if (!translation && lacks_inputs(own)) {
        own = {};
        if (auto flat = flatten_open(translator, options.model, experiment, own)) {
            inputs_as_parameters(*flat, question.transform, own);
            if (!own.has_errors())
                translation = cutset::translate(
                    std::move(*flat), {.transform = question.transform, .jacobian = question.jacobian}, own);
        }
    }
    for (const Diagnostic& d : own.all()) workspace.diagnostics.report(d);
    if (!translation) return std::nullopt;
    const std::size_t slash = options.file.find_last_of('/');
    return export_program(*translation->program, options.to, *run,
                          slash == std::string::npos ? options.file : options.file.substr(slash + 1),
                          workspace.diagnostics);
}

int translate(const TranslateOptions& given) {
    TranslateOptions options = given;
    Workspace workspace;
    if (const auto experiment = open_model(options, workspace)) {
        std::optional<std::string> text;
        switch (entry_of(options.to).stage) {
            case ExportedStage::Classes:
                text = options.to == TargetLanguage::Omola
                           ? omola_text(workspace.text, options.file, workspace.diagnostics)
                           : modelica_text(workspace.text, options.file);
                break;
            case ExportedStage::SortedEquations:
                text = program_text(options, workspace, *experiment);
                break;
        }
        std::string problem;
        if (workspace.diagnostics.has_errors() || !text) {
            // reported below
        } else if (options.output.empty()) {
            fmt::print("{}",
                       options.json
                           ? json_text({{"language", entry_of(options.to).name}, {"text", *text}}, 2) + "\n"
                           : for_output(*text));
        } else if (!write_file(options.output, *text, problem)) {
            workspace.diagnostics.report(
                results_messages::cannot_write(fmt::format("cannot write {}: {}", options.output, problem)));
        }
    }
    std::fflush(stdout);
    return finish(workspace, options);
}

}  // namespace

void add_translate(CommandLine& line) {
    auto o = std::make_shared<TranslateOptions>();
    Command& c =
        line.add("translate", groups::results,
                 "write the model as a program in C or Fortran, for Simnon, as LaTeX, Modelica or Omola",
                 [o] { return translate(*o); });
    add_model_options(c, *o);
    Words<TargetLanguage> languages;
    for (const TargetLanguageEntry& entry : target_languages())
        languages.emplace_back(entry.name, entry.language);
    c.choice(
         "--to", o->to, languages,
         "the language: c and fortran give a program that simulates the model; simnon and latex the sorted "
         "equations; modelica and omola the classes as they were written")
        .required();
    c.option("-o,--output", o->output, "file to write (standard output)");
    add_run_options(c, *o);
    c.footer(
        "Examples:\n"
        "  cutset translate tanks.dym --to c -o tanks.c && cc -O2 -o tanks tanks.c -lm\n"
        "  ./tanks Tank1.Area=3 --stop 400 > tanks.csv\n"
        "  cutset translate tanks.dym --to fortran -o tanks.f90 && gfortran -O2 -o tanks tanks.f90\n"
        "  cutset translate tanks.dym --to simnon -o tanks.t\n"
        "  cutset translate tanks.dym --to latex -o tanks.tex\n"
        "  cutset translate tanks.dym --to modelica -o Tanks.mo\n"
        "  cutset translate reactor.om --to modelica -o Reactor.mo\n"
        "  cutset translate reactor.om --to omola");
}

}  // namespace cutset::cli
