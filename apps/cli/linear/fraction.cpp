// cutset fraction: coprime matrix fractions, exactly.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "linear/exact_report.h"
#include "operations/linear/transfer_study.h"

namespace cutset::cli {

namespace {

struct FractionOptions : FractionRequest, ExactOptions {
    bool right = false;  // the default
    bool transformations = false;
};

void add_steps(ExactReport& out, const FractionStudy& study) {
    const bool left = study.left;
    const FractionStudy::Reduced& r = *study.reduced;
    out.value("first",
              study.given ? "as given"
              : left      ? "from the least common denominators of the rows"
                          : "from the least common denominators of the columns",
              nullptr);
    out.add("D0", study.first.D);
    out.add("N0", study.first.N);
    out.value("coprime",
              left ? "greatest common left divisor L, D0 = L D1, N0 = L N1"
                   : "greatest common right divisor R, D0 = D1 R, N0 = N1 R",
              nullptr);
    out.add(left ? "L" : "R", r.coprime.divisor);
    out.add("D1", r.coprime.fraction.D);
    out.add("N1", r.coprime.fraction.N);
    out.value("reduced", left ? "row reduced, D = U D1, N = U N1" : "column reduced, D = D1 U, N = N1 U",
              nullptr);
    out.add("U", r.reduced.transformation);
}

ExactReport fraction_report(const FractionStudy& study, bool transformations) {
    ExactReport out(study.matrix);
    const bool left = study.left;
    out.value("side", left ? "left matrix fraction, G = D^-1 N" : "right matrix fraction, G = N D^-1",
              left ? "left" : "right");
    if (!study.reduced) {
        out.add("D", study.first.D);
        out.add("N", study.first.N);
        return out;
    }
    if (transformations) add_steps(out, study);
    const FractionStudy::Reduced& r = *study.reduced;
    out.add("D", r.reduced.fraction.D);
    out.add("N", r.reduced.fraction.N);
    std::string words;
    for (int d : r.degrees) words += (words.empty() ? "" : ", ") + std::to_string(d);
    out.value("degrees", fmt::format("{} degrees {}", left ? "row" : "column", words), r.degrees);
    out.value("determinant", "det D = " + out.factors(r.determinant), out.plain(r.determinant));
    out.exceptions(study.exceptions);
    if (!out.has_symbols()) out.detail("poles", [&r] { return complex_json(roots(r.determinant)); });
    return out;
}

int fraction(const FractionOptions& options) {
    const auto report = [&](const FractionStudy& study) {
        return fraction_report(study, options.transformations);
    };
    return run_study(options, fraction_study,
                     {.json = [&](const FractionStudy& study) { return report(study).json(); },
                      .print = [&](const FractionStudy& study) { print_exact(report(study), options.latex); },
                      .notes = Notes::Added});
}

}  // namespace

void add_fraction(CommandLine& line) {
    auto o = std::make_shared<FractionOptions>();
    Command& c = line.add("fraction", groups::linear, "coprime matrix fractions N D^-1 and D^-1 N, exactly",
                          [o] { return fraction(*o); });
    add_linear_options(c, *o);
    c.flag("--left", o->left, "G = D^-1 N");
    c.flag("--right", o->right, "G = N D^-1 (default)").excludes("--left");
    c.option("--numerator", o->text.numerator,
             "N of a fraction that is given, instead of a system: \"[1, s; 0, 1]\"");
    c.option("--denominator", o->text.denominator, "D of a fraction that is given");
    c.choice(
        "--only", o->steps, {{"coprime", FractionSteps::Coprime}, {"reduced", FractionSteps::Reduced}},
        "one step only: coprime (a common divisor is taken out) or reduced (columns of D, with --left rows)");
    c.flag("--raw", o->raw, "as the common denominators give it: neither coprime nor reduced");
    c.flag("--transformations", o->transformations, "all steps: common divisor and unimodular matrix");
    c.flag("--latex", o->latex, "as LaTeX");
    c.footer(
        "Examples:\n"
        "  cutset fraction --tf \"[s/((s+1)*(s+2))^2, s/(s+2)^2; -s/(s+2)^2, -s/(s+2)^2]\" --right "
        "--transformations\n"
        "  cutset fraction system.json --left\n"
        "  cutset fraction --numerator \"[s, 0; 1, s]\" --denominator \"[s^2, s; 0, s+1]\" --only coprime");
}

}  // namespace cutset::cli
