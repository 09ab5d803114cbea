// cutset subspace: kernels, images, intersections and invariant subspaces, exactly.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "base/json.h"
#include "commands.h"
#include "control/subspaces.h"
#include "linear/linear_output.h"
#include "linear/linear_source.h"

namespace cutset::cli {

namespace {

struct SubspaceOptions : LinearOptions {
    std::string kernel, image, gram_schmidt, echelon;
    std::vector<std::string> solve, inverse_image, intersection;
    std::string invariant, controlled;
    bool latex = false;
};

class Matrices {
  public:
    Matrices(const SubspaceOptions& options, Workspace& workspace)
        : options_(options), workspace_(workspace) {}
    SymbolNames symbols;

    // "[1, 2; 3, 4]", "A" … "D" of the file, or "ker C".
    std::optional<ExactMatrix> read(const std::string& text) {
        if (text.rfind("ker ", 0) == 0 || text.rfind("ker(", 0) == 0) {
            std::string inner = text.substr(4);
            if (text[3] == '(' && !inner.empty() && inner.back() == ')') inner.pop_back();
            const auto m = read(inner);
            if (!m) return std::nullopt;
            return kernel(*m);
        }
        if (!text.empty() && text[0] == '[') {
            auto g = parse_transfer_matrix(workspace_.text.sources().add("matrix", text),
                                           workspace_.text.sources(), {}, workspace_.diagnostics);
            if (!g) return std::nullopt;
            ExactMatrix m(g->rows(), g->columns());
            if (symbols.empty()) symbols = g->symbols;
            if (symbols != g->symbols && !g->symbols.empty())
                return fail(fmt::format("{}: symbols must be the same in all matrices", text));
            for (std::size_t i = 0; i < g->rows(); ++i)
                for (std::size_t k = 0; k < g->columns(); ++k) {
                    const ExactFraction f = reduced(g->elements[i][k]);
                    if (!f.numerator.is_constant() || !f.denominator.is_constant())
                        return fail(fmt::format("{}: numbers and symbols are expected, not functions of {}",
                                                text, g->variable));
                    m(i, k) = f.numerator[0];
                }
            return m;
        }
        if (text != "A" && text != "B" && text != "C" && text != "D")
            return fail(fmt::format("{} is no matrix", text),
                        "write [1, 2; 3, 4], or A, B, C, D of the system, or \"ker C\"");
        if (!system_) {
            if (failed_) return std::nullopt;
            auto s = open_state_space(options_, workspace_, false);
            failed_ = !s;
            if (!s) return std::nullopt;
            system_ = std::move(*s);
        }
        return exact(text == "A"   ? system_->A
                     : text == "B" ? system_->B
                     : text == "C" ? system_->C
                                   : system_->D);
    }
    std::nullopt_t fail(const std::string& message, const std::string& help = "") {
        workspace_.diagnostics.report(bad_option(message, help));
        return std::nullopt;
    }

  private:
    const SubspaceOptions& options_;
    Workspace& workspace_;
    std::optional<StateSpace> system_;
    bool failed_ = false;
};

int subspace(const SubspaceOptions& options) {
    Workspace workspace;
    Matrices matrices(options, workspace);
    Json out = Json::object();
    bool any = false;
    const auto show = [&](const std::string& key, const std::string& words, const ExactMatrix& m) {
        any = true;
        const bool numeric = matrices.symbols.empty();
        if (options.json) {
            out[key] = numeric ? matrix_json(numbers(m)) : Json(texts_of(m, matrices.symbols, false));
            out[key + "_dimension"] = m.columns();
        } else if (options.latex) {
            fmt::print("{}\n", matrix_latex(texts_of(m, matrices.symbols, true)));
        } else {
            fmt::print("{}\n", words);
            if (m.columns() == 0)
                fmt::print("  only the zero vector\n");
            else
                fmt::print("{}", matrix_text(texts_of(m, matrices.symbols, false), "  "));
        }
    };
    const auto fits = [&](bool ok, const std::string& what) {
        if (!ok) matrices.fail(what + ": the sizes of the matrices do not fit");
        return ok;
    };
    if (!options.kernel.empty())
        if (const auto m = matrices.read(options.kernel))
            show("kernel", "kernel of " + options.kernel + ", columns:", kernel(*m));
    if (!options.image.empty())
        if (const auto m = matrices.read(options.image))
            show("image", "image of " + options.image + ", columns:", basis_of(*m));
    if (!options.echelon.empty())
        if (const auto m = matrices.read(options.echelon))
            show("echelon", "echelon form of " + options.echelon + ":", echelon_form(*m).matrix);
    if (!options.gram_schmidt.empty())
        if (const auto m = matrices.read(options.gram_schmidt))
            show("orthogonal", "orthogonal basis of the columns of " + options.gram_schmidt + ":",
                 gram_schmidt(*m));
    const auto two = [&](const std::vector<std::string>& names,
                         const char* option) -> std::optional<std::pair<ExactMatrix, ExactMatrix>> {
        if (names.empty()) return std::nullopt;
        if (names.size() != 2) {
            matrices.fail(fmt::format("{} needs two matrices, separated by a comma", option));
            return std::nullopt;
        }
        const auto a = matrices.read(names[0]);
        const auto b = a ? matrices.read(names[1]) : std::nullopt;
        if (!a || !b || !fits(a->rows() == b->rows(), option)) return std::nullopt;
        return std::pair(*a, *b);
    };
    if (const auto m = two(options.solve, "--solve")) {
        if (const auto x = solve_exactly(m->first, m->second)) {
            show("solution", "a solution of A X = B:", x->particular);
            show("kernel", "and to each column may be added:", x->kernel);
        } else {
            matrices.fail("A X = B has no solution", "columns of B lie outside of the image of A");
        }
    }
    if (const auto m = two(options.inverse_image, "--inverse-image"))
        show("inverse_image",
             "all x with A x in the image of B, columns:", inverse_image(m->first, m->second));
    if (const auto m = two(options.intersection, "--intersection"))
        show("intersection", "intersection, columns:", intersection(m->first, m->second));
    for (const bool controlled : {false, true}) {
        const std::string& within = controlled ? options.controlled : options.invariant;
        if (within.empty()) continue;
        const auto A = matrices.read("A");
        const auto B = !A           ? std::nullopt
                       : controlled ? matrices.read("B")
                                    : std::optional(ExactMatrix(A->rows(), 0));
        const auto k = B ? matrices.read(within) : std::nullopt;
        if (!k || !fits(k->rows() == A->rows(), controlled ? "--controlled-invariant" : "--invariant"))
            continue;
        show(controlled ? "controlled_invariant" : "invariant",
             fmt::format("largest {} subspace in {}, columns:",
                         controlled ? "(A, B)-invariant" : "A-invariant", within),
             controlled ? largest_controlled_invariant(*A, *B, *k) : largest_invariant(*A, *k));
    }
    if (!any && !workspace.diagnostics.has_errors())
        matrices.fail("there is no question", "for example --kernel C, or --invariant \"ker C\"");
    if (options.json && !workspace.diagnostics.has_errors()) return print_json(std::move(out), workspace);
    std::fflush(stdout);
    return finish(workspace, options);
}

}  // namespace

void add_subspace(CommandLine& line) {
    auto o = std::make_shared<SubspaceOptions>();
    Command& c = line.add("subspace", groups::linear, "kernels, intersections, invariant subspaces, exactly",
                          [o] { return subspace(*o); });
    add_linear_options(c, *o);
    c.option("--kernel", o->kernel, "{x | M x = 0}");
    c.option("--image", o->image, "a basis of the columns");
    c.option("--echelon", o->echelon, "the matrix after Gaussian elimination (Hermite form)");
    c.option("--gram-schmidt", o->gram_schmidt, "an orthogonal basis of the columns");
    c.list("--solve", o->solve, "A,B: all X with A X = B");
    c.list("--inverse-image", o->inverse_image, "A,B: all x with A x in the image of B");
    c.list("--intersection", o->intersection, "M,N: of the two spans");
    c.option("--invariant", o->invariant, "the largest A-invariant subspace in this one");
    c.option("--controlled-invariant", o->controlled, "the largest (A, B)-invariant subspace in this one");
    c.flag("--latex", o->latex, "as LaTeX");
    c.footer(
        "Matrices: [1, 2; 3, 4] (symbols are possible), A, B, C, D of the system, or \"ker C\".\n"
        "Examples:\n"
        "  cutset subspace system.json --invariant \"ker C\"               what the outputs do not show\n"
        "  cutset subspace system.json --controlled-invariant \"ker C\"    where feedback can hide the "
        "state\n"
        "  cutset subspace --kernel \"[1, a; 2, 2*a]\"");
}

}  // namespace cutset::cli
