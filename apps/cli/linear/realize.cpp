// cutset realize: smallest state space forms of transfer matrices, exactly.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "linear/exact_report.h"
#include "operations/linear/transfer_study.h"
#include "results/linear_file.h"

namespace cutset::cli {

namespace {

struct RealizeOptions : RealizeRequest, ExactOptions {
    std::string output;
};

Words<ExactForm> exact_forms() {
    return {{"controller", ExactForm::Controller},
            {"observer", ExactForm::Observer},
            {"controllability", ExactForm::Controllability},
            {"observability", ExactForm::Observability}};
}

std::string exact_form_word(ExactForm wanted) {
    for (const auto& [word, form] : exact_forms())
        if (form == wanted) return word;
    return "";
}

ExactReport realize_report(const RealizeStudy& study, ExactForm form) {
    ExactReport out(study.matrix);
    const ExactStateSpace& s = study.system;
    const std::string word = exact_form_word(form);
    out.value("form", fmt::format("{} form, {} state{}", word, s.order(), s.order() == 1 ? "" : "s"), word);
    out.add("A", s.A);
    out.add("B", s.B);
    out.add("C", s.C);
    out.add("D", s.D);
    const ExactTransferMatrix& g = study.matrix;
    out.detail("states", [&s] {
        std::vector<std::string> states;
        complete_names(states, s.order(), "x");
        return Json(states);
    });
    out.detail("inputs", [&g] { return Json(g.inputs); });
    out.detail("outputs", [&g] { return Json(g.outputs); });
    if (g.sample_time) out.detail("sample_time", [&g] { return Json(*g.sample_time); });
    out.exceptions(study.exceptions);
    if (out.has_symbols()) out.detail("symbols", [&g] { return Json(g.symbols); });
    return out;
}

bool write_realization(const RealizeStudy& study, const std::string& path, Diagnostics& diagnostics) {
    if (path.empty()) return true;
    if (!study.matrix.symbols.empty())
        diagnostics.report(
            bad_option("a system with symbols cannot be written to a file", "give them values with --set"));
    else if (const auto problem = write_linear_file(numeric_system(study), path))
        diagnostics.report(bad_option(*problem));
    return !diagnostics.has_errors();
}

int realize_command(const RealizeOptions& options) {
    const auto report = [&](const RealizeStudy& study) { return realize_report(study, options.form); };
    return run_study(options, realize_study,
                     {.write =
                          [&](const RealizeStudy& study, Diagnostics& diagnostics) {
                              if (!options.json) print_exact(report(study), options.latex);
                              return write_realization(study, options.output, diagnostics);
                          },
                      .json = [&](const RealizeStudy& study) { return report(study).json(); },
                      .print = [](const RealizeStudy&) {},
                      .notes = Notes::Added});
}

}  // namespace

void add_realize(CommandLine& line) {
    auto o = std::make_shared<RealizeOptions>();
    Command& c =
        line.add("realize", groups::linear, "smallest state space form of a transfer matrix, exactly",
                 [o] { return realize_command(*o); });
    add_linear_options(c, *o);
    c.choice("--form", o->form, exact_forms(), "which form; default: controller");
    c.option("--crate", o->crate,
             "search for the basis: 1, each input's chain to its end; 2, all inputs in turn (default)");
    c.option(
        "--numerator", o->text.numerator,
        "N of a fraction instead of a system, N D^-1 for controller forms and D^-1 N for observer forms: its "
        "own form, smallest when it is coprime");
    c.option("--denominator", o->text.denominator, "D of that fraction");
    c.flag("--latex", o->latex, "as LaTeX");
    c.option("-o,--output", o->output, "write A B C D to .json, .mat or .mim");
    c.footer(
        "Examples:\n"
        "  cutset realize --tf \"(s+3)/(s^2+3*s+2)\"\n"
        "  cutset realize --tf \"[1/s, 2/(s+1); 0, 1/(s+1)]\" --form observer -o system.json\n"
        "  cutset realize --tf \"K/(s^2+a*s+b)\" --latex\n"
        "  cutset realize --numerator \"[1, 0]\" --denominator \"[s^2, 0; 1, s+a]\"");
}

}  // namespace cutset::cli
