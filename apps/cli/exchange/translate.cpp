// cutset translate: the loaded classes, or the sorted model as a program, in another language.
#include "export/translate.h"

#include <fmt/format.h>

#include <memory>

#include "base/json.h"
#include "commands.h"
#include "languages/modelica/write.h"
#include "output/console.h"
#include "runs/run_options.h"
#include "translate/translator.h"
#include "translate/used_classes.h"

namespace cutset::cli {

namespace {

struct TranslateOptions : RunOptions {
    std::string to;
    std::string output;
};

std::optional<std::string> program_text(TranslateOptions& options, Workspace& workspace,
                                        const Experiment& experiment) {
    std::string problem;
    if (!apply_experiment_line(experiment_line(workspace.text), options, problem)) {
        workspace.diagnostics.report(bad_option("the experiment line of " + options.file + ": " + problem));
        return std::nullopt;
    }
    const auto run = experiment_options(options, workspace.diagnostics);
    if (!run) return std::nullopt;
    TranslationQuestion question;
    question.model = options.model;
    question.experiment = experiment;
    question.transform = transform_options(options, workspace.text);
    question.jacobian = jacobian_for(run->solver);
    question.run = &*run;
    const auto translation = Translator(workspace).translate(question, workspace.diagnostics);
    if (!translation) return std::nullopt;
    const TargetLanguage language = options.to == "c"         ? TargetLanguage::C
                                    : options.to == "fortran" ? TargetLanguage::Fortran
                                    : options.to == "simnon"  ? TargetLanguage::Simnon
                                                              : TargetLanguage::Latex;
    const std::size_t slash = options.file.find_last_of('/');
    return translate_program(*translation->program, language, *run,
                             slash == std::string::npos ? options.file : options.file.substr(slash + 1),
                             workspace.diagnostics);
}

int translate(const TranslateOptions& given) {
    TranslateOptions options = given;
    Workspace workspace;
    if (const auto experiment = open_model(options, workspace)) {
        std::optional<std::string> text;
        if (options.to == "modelica")
            text = modelica::write_modelica(used_classes(workspace.text.classes()));
        else
            text = program_text(options, workspace, *experiment);
        std::string problem;
        if (workspace.diagnostics.has_errors() || !text) {
            // reported below
        } else if (options.output.empty()) {
            fmt::print("{}",
                       options.json ? Json{{"language", options.to}, {"text", *text}}.dump(2) + "\n" : *text);
        } else if (!write_file(options.output, *text, problem)) {
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
    Command& c = line.add("translate", groups::results,
                          "write the model as a program in C or Fortran, for Simnon, as LaTeX or Modelica",
                          [o] { return translate(*o); });
    add_model_options(c, *o);
    c.choice(
         "--to", o->to, {"c", "fortran", "simnon", "latex", "modelica"},
         "the language: c and fortran give a program that simulates the model; simnon and latex the sorted "
         "equations; modelica the classes as they were written")
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
        "  cutset translate tanks.dym --to modelica -o Tanks.mo");
}

}  // namespace cutset::cli
