// cutset subspace: kernels, images, intersections and invariant subspaces, exactly.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "commands.h"
#include "linear/linear_options.h"
#include "operations/linear/subspace_study.h"

namespace cutset::cli {

namespace {

struct SubspaceOptions : SubspaceRequest, OutputOptions {
    bool latex = false;
};

// The key in JSON, and the words above the matrix.
struct Title {
    const char* key;
    std::string words;
};

Title title_of(const SubspaceAnswer& answer) {
    const std::string& of = answer.of;
    switch (answer.question) {
        case SubspaceQuestion::Kernel:
            return {"kernel", "kernel of " + of + ", columns:"};
        case SubspaceQuestion::Image:
            return {"image", "image of " + of + ", columns:"};
        case SubspaceQuestion::Echelon:
            return {"echelon", "echelon form of " + of + ":"};
        case SubspaceQuestion::GramSchmidt:
            return {"orthogonal", "orthogonal basis of the columns of " + of + ":"};
        case SubspaceQuestion::Solution:
            return {"solution", "a solution of A X = B:"};
        case SubspaceQuestion::SolutionKernel:
            return {"kernel", "and to each column may be added:"};
        case SubspaceQuestion::InverseImage:
            return {"inverse_image", "all x with A x in the image of B, columns:"};
        case SubspaceQuestion::Intersection:
            return {"intersection", "intersection, columns:"};
        case SubspaceQuestion::Invariant:
            return {"invariant", "largest A-invariant subspace in " + of + ", columns:"};
        case SubspaceQuestion::ControlledInvariant:
            return {"controlled_invariant", "largest (A, B)-invariant subspace in " + of + ", columns:"};
    }
    return {"", ""};
}

Json subspaces_json(const std::vector<SubspaceAnswer>& answers) {
    Json out = Json::object();
    for (const SubspaceAnswer& a : answers) {
        const std::string key = title_of(a).key;
        out[key] =
            a.symbols.empty() ? matrix_json(numbers(a.columns)) : Json(texts_of(a.columns, a.symbols, false));
        out[key + "_dimension"] = a.columns.columns();
    }
    return out;
}

void print_subspace(const SubspaceAnswer& a, bool latex) {
    if (latex) {
        fmt::print("{}\n", matrix_latex(texts_of(a.columns, a.symbols, true)));
        return;
    }
    fmt::print("{}\n", title_of(a).words);
    if (a.columns.columns() == 0)
        fmt::print("  only the zero vector\n");
    else
        fmt::print("{}", matrix_text(texts_of(a.columns, a.symbols, false), "  "));
}

int subspace(const SubspaceOptions& options) {
    Workspace workspace;
    const std::vector<SubspaceAnswer> answers = subspace_study(options, workspace);
    if (!options.json)
        for (const SubspaceAnswer& answer : answers) print_subspace(answer, options.latex);
    else if (!workspace.diagnostics.has_errors())
        return finish_json(subspaces_json(answers), workspace, Notes::Added);
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
    c.list("--solve", o->solve,
           "two matrices with a comma between, \"A,B\" or \"[1, 2; 3, 4],[5; 6]\": all X with A X = B");
    c.list("--inverse-image", o->inverse_image, "two, \"A,B\": all x with A x in the image of B");
    c.list("--intersection", o->intersection, "two, \"M,N\": of the two spans");
    c.option("--invariant", o->invariant, "the largest A-invariant subspace in this one");
    c.option("--controlled-invariant", o->controlled_invariant,
             "the largest (A, B)-invariant subspace in this one");
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
