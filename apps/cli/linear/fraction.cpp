// cutset smith, fraction and realize: polynomial matrices and realisations, exactly.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "base/json.h"
#include "commands.h"
#include "control/matrix_fraction.h"
#include "control/transfer_realization.h"
#include "linear/linear_output.h"
#include "linear/linear_source.h"

namespace cutset::cli {

namespace {

struct ExactOptions : LinearOptions {
    bool latex = false;
    bool transformations = false;
    std::string hermite;  // rows, columns
    bool left = false, right = false, raw = false;
    std::string form = "controller";
    int crate = 2;
    std::string output;
};

constexpr Eigen::Index largest_order = 40;

// The exact transfer matrix; a state space is taken with its numbers as they stand.
std::optional<ExactTransferMatrix> open_exact(const LinearOptions& options, Workspace& workspace) {
    auto system = open_linear(options, workspace);
    if (!system) return std::nullopt;
    if (auto* g = std::get_if<ExactTransferMatrix>(&*system)) {
        for (std::size_t i = 0; i < g->rows(); ++i)
            for (std::size_t k = 0; k < g->columns(); ++k)
                if (g->delays[i][k] != 0) {
                    workspace.diagnostics.report(bad_option(
                        fmt::format("{} has a delay, which is no rational function", element_name(*g, i, k)),
                        "use an approximation: --pade 3"));
                    return std::nullopt;
                }
        return std::move(*g);
    }
    const StateSpace& s = std::get<StateSpace>(*system);
    if (s.order() > largest_order) {
        workspace.diagnostics.report(
            bad_option(fmt::format("exact arithmetic is for up to {} states, and the system has {}",
                                   largest_order, s.order()),
                       "reduce it first, or take numeric transfer functions: cutset tf"));
        return std::nullopt;
    }
    ExactTransferMatrix g = transfer_matrix_of({exact(s.A), exact(s.B), exact(s.C), exact(s.D)});
    g.inputs = s.inputs;
    g.outputs = s.outputs;
    g.sample_time = s.sample_time;
    g.variable = s.is_sampled() ? "z" : "s";
    return g;
}

Json texts_json(const std::vector<std::vector<std::string>>& texts) {
    return Json(texts);
}

class FractionPrinter {
  public:
    FractionPrinter(const ExactTransferMatrix& g, const ExactOptions& options) : g_(g), options_(options) {}

    void add(const std::string& name, const PolynomialMatrix& m) {
        // A reader wants factors; a program the plain coefficients.
        if (options_.json) {
            Json rows = Json::array();
            for (std::size_t i = 0; i < m.rows(); ++i) {
                rows.push_back(Json::array());
                for (std::size_t k = 0; k < m.columns(); ++k) {
                    if (m(i, k).is_numeric())
                        rows.back().push_back(m(i, k).numbers());
                    else
                        rows.back().push_back(to_text(m(i, k), g_.variable, g_.symbols));
                }
            }
            json_[name] = std::move(rows);
            json_[name + "_text"] = texts_json(texts_of(m, g_.variable, g_.symbols, false, true));
        } else if (options_.latex) {
            fmt::print("{} = {}\n", name, matrix_latex(texts_of(m, g_.variable, g_.symbols, true, true)));
        } else {
            fmt::print("{} =\n{}", name,
                       matrix_text(texts_of(m, g_.variable, g_.symbols, false, true), "  "));
        }
    }
    void add(const std::string& name, const ExactMatrix& m) {
        if (options_.json) {
            const bool numeric = g_.symbols.empty();
            json_[name] = numeric ? matrix_json(numbers(m)) : texts_json(texts_of(m, g_.symbols, false));
            if (numeric) json_[name + "_text"] = texts_json(texts_of(m, g_.symbols, false));
        } else if (options_.latex) {
            fmt::print("{} = {}\n", name, matrix_latex(texts_of(m, g_.symbols, true)));
        } else {
            fmt::print("{} =\n{}", name, matrix_text(texts_of(m, g_.symbols, false), "  "));
        }
    }
    void value(const std::string& key, const std::string& words, Json j) {
        if (options_.json)
            json_[key] = std::move(j);
        else if (!options_.latex)
            fmt::print("{}\n", words);
    }
    Json& object() { return json_; }
    int end(Workspace& workspace) {
        if (options_.json) return print_json(std::move(json_), workspace);
        std::fflush(stdout);
        return finish(workspace, options_);
    }

  private:
    const ExactTransferMatrix& g_;
    const ExactOptions& options_;
    Json json_ = Json::object();
};

std::string joined_factors(const ExactPolynomial& p, const ExactTransferMatrix& g) {
    return factored_text(p, g.variable, g.symbols);
}

int smith(const ExactOptions& options) {
    Workspace workspace;
    const auto g = open_exact(options, workspace);
    if (!g) return finish(workspace, options);
    FractionPrinter out(*g, options);
    bool polynomial = true;
    PolynomialMatrix p(g->rows(), g->columns());
    for (std::size_t i = 0; i < g->rows(); ++i)
        for (std::size_t k = 0; k < g->columns(); ++k) {
            const ExactFraction f = reduced(g->elements[i][k]);
            polynomial = polynomial && f.denominator.is_constant();
            p(i, k) = f.numerator;
        }
    if (!options.hermite.empty()) {
        if (!polynomial) {
            workspace.diagnostics.report(
                bad_option("the Hermite form is of polynomial matrices, and this one has denominators",
                           "cutset smith without --hermite gives the Smith-McMillan form"));
            return finish(workspace, options);
        }
        const bool rows = options.hermite == "rows";
        const HermiteForm h = rows ? row_hermite_form(p) : column_hermite_form(p);
        out.value(
            "form_name",
            rows ? "Hermite form by row operations, H = U P" : "Hermite form by column operations, H = P V",
            rows ? "hermite rows" : "hermite columns");
        out.add("H", h.form);
        if (options.transformations || options.json) out.add(rows ? "U" : "V", h.transformation);
        return out.end(workspace);
    }
    if (polynomial) {
        const SmithForm s = smith_form(p);
        out.value("form_name", "Smith form, S = U P V", "smith");
        out.add("S", s.form);
        if (options.transformations || options.json) {
            out.add("U", s.left);
            out.add("V", s.right);
        }
        Json list = Json::array();
        std::string words;
        for (const ExactPolynomial& e : s.invariants) {
            list.push_back(to_text(e, g->variable, g->symbols));
            words += (words.empty() ? "" : ",  ") + joined_factors(e, *g);
        }
        out.value("invariant_polynomials", "invariant polynomials  " + (words.empty() ? "none" : words),
                  std::move(list));
        out.value("rank", fmt::format("rank                   {}", s.invariants.size()), s.invariants.size());
        ExactPolynomial zeros(1);
        for (const ExactPolynomial& e : s.invariants) zeros = zeros * e;
        if (zeros.is_numeric()) out.value("zeros", "", complex_json(roots(zeros)));
        return out.end(workspace);
    }
    const SmithMcMillanForm m = smith_mcmillan_form(*g);
    out.value("form_name", "Smith-McMillan form, M = U G V", "smith-mcmillan");
    std::vector<std::vector<std::string>> texts(m.rows, std::vector<std::string>(m.columns, "0"));
    std::vector<std::vector<std::string>> latex = texts;
    Json diagonal = Json::array();
    for (std::size_t i = 0; i < m.diagonal.size(); ++i) {
        texts[i][i] = to_text(m.diagonal[i], g->variable, g->symbols, true);
        latex[i][i] = to_latex(m.diagonal[i], g->variable, g->symbols, true);
        Json one = {{"text", texts[i][i]}};
        if (g->symbols.empty()) {
            one["num"] = m.diagonal[i].numerator.numbers();
            one["den"] = m.diagonal[i].denominator.numbers();
        }
        diagonal.push_back(std::move(one));
    }
    if (options.latex)
        fmt::print("M = {}\n", matrix_latex(latex));
    else if (!options.json)
        fmt::print("M =\n{}", matrix_text(texts, "  "));
    out.object()["M"] = texts;
    out.object()["diagonal"] = std::move(diagonal);
    if (options.transformations || options.json) {
        out.add("U", m.left);
        out.add("V", m.right);
    }
    out.value("pole_polynomial", "pole polynomial  " + joined_factors(m.poles, *g),
              to_text(m.poles, g->variable, g->symbols));
    out.value("zero_polynomial", "zero polynomial  " + joined_factors(m.zeros, *g),
              to_text(m.zeros, g->variable, g->symbols));
    if (g->symbols.empty() && options.json) {
        out.object()["poles"] = complex_json(roots(m.poles));
        out.object()["zeros"] = complex_json(roots(m.zeros));
    }
    out.value("degree", fmt::format("McMillan degree  {}", m.degree()), m.degree());
    out.value("rank", fmt::format("rank             {}", m.diagonal.size()), m.diagonal.size());
    return out.end(workspace);
}

int fraction(const ExactOptions& options) {
    Workspace workspace;
    const auto g = open_exact(options, workspace);
    if (!g) return finish(workspace, options);
    FractionPrinter out(*g, options);
    const bool left = options.left;
    const MatrixFraction first = left ? left_fraction(*g) : right_fraction(*g);
    out.value("side", left ? "left matrix fraction, G = D^-1 N" : "right matrix fraction, G = N D^-1",
              left ? "left" : "right");
    if (options.raw) {
        out.add("D", first.D);
        out.add("N", first.N);
        return out.end(workspace);
    }
    const CoprimeFraction coprime = left ? left_coprime(first) : right_coprime(first);
    const ReducedFraction done = left ? row_reduced(coprime.fraction) : column_reduced(coprime.fraction);
    if (options.transformations) {
        out.value("first",
                  left ? "from the least common denominators of the rows"
                       : "from the least common denominators of the columns",
                  nullptr);
        out.add("D0", first.D);
        out.add("N0", first.N);
        out.value("coprime",
                  left ? "greatest common left divisor L, D0 = L D1, N0 = L N1"
                       : "greatest common right divisor R, D0 = D1 R, N0 = N1 R",
                  nullptr);
        out.add(left ? "L" : "R", coprime.divisor);
        out.add("D1", coprime.fraction.D);
        out.add("N1", coprime.fraction.N);
        out.value("reduced", left ? "row reduced, D = U D1, N = U N1" : "column reduced, D = D1 U, N = N1 U",
                  nullptr);
        out.add("U", done.transformation);
    }
    out.add("D", done.fraction.D);
    out.add("N", done.fraction.N);
    const ExactPolynomial poles = determinant(done.fraction.D);
    std::vector<int> degrees = column_degrees(left ? done.fraction.D.transposed() : done.fraction.D);
    std::string words;
    for (int d : degrees) words += (words.empty() ? "" : ", ") + std::to_string(d);
    out.value("degrees", fmt::format("{} degrees {}", left ? "row" : "column", words), degrees);
    out.value("determinant", "det D = " + joined_factors(poles, *g), to_text(poles, g->variable, g->symbols));
    if (g->symbols.empty() && options.json) out.object()["poles"] = complex_json(roots(poles));
    return out.end(workspace);
}

int realize_command(const ExactOptions& options) {
    Workspace workspace;
    const auto g = open_exact(options, workspace);
    if (!g) return finish(workspace, options);
    for (std::size_t i = 0; i < g->rows(); ++i)
        for (std::size_t k = 0; k < g->columns(); ++k)
            if (const ExactFraction f = reduced(g->elements[i][k]); !f.is_proper()) {
                ExactTransferMatrix numeric = *g;
                numeric.symbols.clear();
                check_realizable(numeric, workspace.diagnostics);
                return finish(workspace, options);
            }
    report_cancelled(*g, workspace.diagnostics);
    if (options.crate != 1 && options.crate != 2) {
        workspace.diagnostics.report(bad_option("--crate is 1 or 2"));
        return finish(workspace, options);
    }
    const Crate crate = options.crate == 1 ? Crate::Columns : Crate::Rows;
    ExactStateSpace s;
    const auto right = [&] {
        return controller_form(column_reduced(right_coprime(right_fraction(*g)).fraction).fraction);
    };
    const auto left = [&] {
        return observer_form(row_reduced(left_coprime(left_fraction(*g)).fraction).fraction);
    };
    if (options.form == "observer")
        s = left();
    else if (options.form == "controllability")
        s = *controllability_form(right(), crate);
    else if (options.form == "observability")
        s = *observability_form(left(), crate);
    else
        s = right();
    FractionPrinter out(*g, options);
    out.value("form", fmt::format("{} form, {} state{}", options.form, s.order(), s.order() == 1 ? "" : "s"),
              options.form);
    out.add("A", s.A);
    out.add("B", s.B);
    out.add("C", s.C);
    out.add("D", s.D);
    if (options.json) {
        std::vector<std::string> states;
        complete_names(states, s.order(), "x");
        out.object()["states"] = states;
        out.object()["inputs"] = g->inputs;
        out.object()["outputs"] = g->outputs;
        if (g->sample_time) out.object()["sample_time"] = *g->sample_time;
        if (!g->symbols.empty()) out.object()["symbols"] = g->symbols;
    }
    if (!options.output.empty()) {
        if (!g->symbols.empty()) {
            workspace.diagnostics.report(bad_option("a system with symbols cannot be written to a file",
                                                    "give them values with --set"));
            return finish(workspace, options);
        }
        StateSpace written;
        written.A = numbers(s.A);
        written.B = numbers(s.B);
        written.C = numbers(s.C);
        written.D = numbers(s.D);
        written.inputs = g->inputs;
        written.outputs = g->outputs;
        written.sample_time = g->sample_time;
        complete(written);
        if (const auto problem = write_linear_file(written, options.output)) {
            workspace.diagnostics.report(bad_option(*problem));
            return finish(workspace, options);
        }
    }
    return out.end(workspace);
}

}  // namespace

void add_smith(CommandLine& line) {
    auto o = std::make_shared<ExactOptions>();
    Command& c = line.add("smith", groups::linear, "Smith, Smith-McMillan and Hermite forms, exactly",
                          [o] { return smith(*o); });
    add_linear_options(c, *o);
    c.choice("--hermite", o->hermite, {"rows", "columns"}, "Hermite form by row or column operations");
    c.flag("--transformations", o->transformations, "the unimodular matrices too");
    c.flag("--latex", o->latex, "as LaTeX");
    c.footer(
        "Examples:\n"
        "  cutset smith --tf \"[s, s^2; 1, s+1]\"                  a polynomial matrix: its Smith form\n"
        "  cutset smith --tf \"[1/(s+1), 1/s; 0, 2/(s+1)]\"        a transfer matrix: Smith-McMillan\n"
        "  cutset smith --tf \"[s^2+1, s; s, 1]\" --hermite rows --transformations");
}

void add_fraction(CommandLine& line) {
    auto o = std::make_shared<ExactOptions>();
    Command& c = line.add("fraction", groups::linear, "coprime matrix fractions N D^-1 and D^-1 N, exactly",
                          [o] { return fraction(*o); });
    add_linear_options(c, *o);
    c.flag("--left", o->left, "G = D^-1 N");
    c.flag("--right", o->right, "G = N D^-1 (default)").excludes("--left");
    c.flag("--raw", o->raw, "as the common denominators give it: neither coprime nor reduced");
    c.flag("--transformations", o->transformations, "all steps: common divisor and unimodular matrix");
    c.flag("--latex", o->latex, "as LaTeX");
    c.footer(
        "Examples:\n"
        "  cutset fraction --tf \"[s/((s+1)*(s+2))^2, s/(s+2)^2; -s/(s+2)^2, -s/(s+2)^2]\" --right "
        "--transformations\n"
        "  cutset fraction system.json --left");
}

void add_realize(CommandLine& line) {
    auto o = std::make_shared<ExactOptions>();
    Command& c =
        line.add("realize", groups::linear, "smallest state space form of a transfer matrix, exactly",
                 [o] { return realize_command(*o); });
    add_linear_options(c, *o);
    c.choice("--form", o->form, {"controller", "observer", "controllability", "observability"},
             "which form; default: controller");
    c.option("--crate", o->crate,
             "search for the basis: 1, each input's chain to its end; 2, all inputs in turn (default)");
    c.flag("--latex", o->latex, "as LaTeX");
    c.option("-o,--output", o->output, "write A B C D to .json, .mat or .mim");
    c.footer(
        "Examples:\n"
        "  cutset realize --tf \"(s+3)/(s^2+3*s+2)\"\n"
        "  cutset realize --tf \"[1/s, 2/(s+1); 0, 1/(s+1)]\" --form observer -o system.json\n"
        "  cutset realize --tf \"K/(s^2+a*s+b)\" --latex");
}

}  // namespace cutset::cli
