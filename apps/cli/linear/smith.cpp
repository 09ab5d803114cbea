// cutset smith: Smith, Smith-McMillan and Hermite forms, exactly.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "linear/exact_report.h"
#include "operations/linear/transfer_study.h"

namespace cutset::cli {

namespace {

struct SmithOptions : SmithRequest, ExactOptions {};

void add_form(ExactReport& out, const HermiteStudy& hermite, bool transformations) {
    const bool rows = hermite.by == HermiteBy::Rows;
    out.value("form_name",
              rows ? "Hermite form by row operations, H = U P" : "Hermite form by column operations, H = P V",
              rows ? "hermite rows" : "hermite columns");
    out.add("H", hermite.form.form);
    if (transformations) out.add(rows ? "U" : "V", hermite.form.transformation);
}

void add_form(ExactReport& out, const SmithForm& s, bool transformations) {
    out.value("form_name", "Smith form, S = U P V", "smith");
    out.add("S", s.form);
    if (transformations && s.left.rows() > 0) {
        out.add("U", s.left);
        out.add("V", s.right);
    }
    Json list = Json::array();
    std::string words;
    ExactPolynomial zeros(1);
    for (const ExactPolynomial& e : s.invariants) {
        list.push_back(out.plain(e));
        words += (words.empty() ? "" : ",  ") + out.factors(e);
        zeros = zeros * e;
    }
    out.value("invariant_polynomials", "invariant polynomials  " + (words.empty() ? "none" : words),
              std::move(list));
    out.value("rank", fmt::format("rank                   {}", s.invariants.size()), s.invariants.size());
    if (zeros.is_numeric()) out.detail("zeros", [zeros] { return complex_json(roots(zeros)); });
    out.exceptions(s.exceptions);
}

void add_form(ExactReport& out, const SmithMcMillanForm& m, bool transformations) {
    out.value("form_name", "Smith-McMillan form, M = U G V", "smith-mcmillan");
    out.add("M", m);
    if (transformations && m.left.rows() > 0) {
        out.add("U", m.left);
        out.add("V", m.right);
    }
    out.value("pole_polynomial", "pole polynomial  " + out.factors(m.poles), out.plain(m.poles));
    out.value("zero_polynomial", "zero polynomial  " + out.factors(m.zeros), out.plain(m.zeros));
    if (!out.has_symbols()) {
        out.detail("poles", [&m] { return complex_json(roots(m.poles)); });
        out.detail("zeros", [&m] { return complex_json(roots(m.zeros)); });
    }
    out.value("degree", fmt::format("McMillan degree  {}", m.degree()), m.degree());
    out.value("rank", fmt::format("rank             {}", m.diagonal.size()), m.diagonal.size());
    out.exceptions(m.exceptions);
}

ExactReport smith_report(const SmithStudy& study, bool transformations) {
    ExactReport out(study.matrix);
    std::visit([&](const auto& form) { add_form(out, form, transformations); }, study.form);
    return out;
}

int smith(const SmithOptions& options) {
    return run_study(options, smith_study,
                     {.json = [](const SmithStudy& study) { return smith_report(study, true).json(); },
                      .print =
                          [&](const SmithStudy& study) {
                              print_exact(smith_report(study, options.transformations), options.latex);
                          },
                      .notes = Notes::Added});
}

}  // namespace

void add_smith(CommandLine& line) {
    auto o = std::make_shared<SmithOptions>();
    Command& c = line.add("smith", groups::linear, "Smith, Smith-McMillan and Hermite forms, exactly",
                          [o] { return smith(*o); });
    add_linear_options(c, *o);
    c.choice("--hermite", o->hermite, {{"rows", HermiteBy::Rows}, {"columns", HermiteBy::Columns}},
             "Hermite form by row or column operations");
    c.flag("--transformations", o->transformations,
           "the unimodular matrices too (--json of matrices without symbols always has them)");
    c.flag("--latex", o->latex, "as LaTeX");
    c.footer(
        "Examples:\n"
        "  cutset smith --tf \"[s, s^2; 1, s+1]\"                  a polynomial matrix: its Smith form\n"
        "  cutset smith --tf \"[1/(s+1), 1/s; 0, 2/(s+1)]\"        a transfer matrix: Smith-McMillan\n"
        "  cutset smith --tf \"[s^2+1, s; s, 1]\" --hermite rows --transformations");
}

}  // namespace cutset::cli
