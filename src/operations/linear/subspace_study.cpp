#include "operations/linear/subspace_study.h"

#include "control/subspaces.h"
#include "operations/linear/linear_messages.h"

namespace cutset {

namespace {

// The matrices of a request; the system is opened when one of its own is asked for.
class Matrices {
  public:
    Matrices(const SubspaceRequest& request, Workspace& workspace)
        : request_(request), workspace_(workspace) {}
    SymbolNames symbols;

    // "[1, 2; 3, 4]", "A" … "D" of the file, "[A, B]" made of these, or "ker C".
    std::optional<ExactMatrix> read(const std::string& text) {
        if (text.rfind("ker ", 0) == 0 || text.rfind("ker(", 0) == 0) {
            std::string inner = text.substr(4);
            if (text[3] == '(' && !inner.empty() && inner.back() == ')') inner.pop_back();
            const auto m = read(inner);
            if (!m) return std::nullopt;
            return kernel(*m);
        }
        if (const auto rows = blocks_in(text); !rows.empty() && !request_.file.empty())
            return joined(rows, text);
        if (!text.empty() && text[0] == '[') {
            auto g = parse_transfer_matrix(workspace_.text.sources().add("matrix", text),
                                           workspace_.text.sources(), {}, workspace_.diagnostics);
            if (!g) return std::nullopt;
            ExactMatrix m(g->rows(), g->columns());
            if (symbols.empty()) symbols = g->symbols;
            if (symbols != g->symbols && !g->symbols.empty())
                return fail(linear_messages::symbols_differ(text));
            for (std::size_t i = 0; i < g->rows(); ++i)
                for (std::size_t k = 0; k < g->columns(); ++k) {
                    const ExactFraction f = reduced(g->elements[i][k]);
                    if (!f.numerator.is_constant() || !f.denominator.is_constant())
                        return fail(linear_messages::numbers_expected(text, g->variable));
                    m(i, k) = f.numerator[0];
                }
            return m;
        }
        if (text.size() != 1 || text[0] < 'A' || text[0] > 'D')
            return fail(linear_messages::no_matrix_called(text));
        if (!system_) {
            if (failed_) return std::nullopt;
            auto s = open_state_space(request_, workspace_, Signals::NotNeeded);
            failed_ = !s;
            if (!s) return std::nullopt;
            system_ = std::move(*s);
        }
        const Eigen::MatrixXd* const matrices[] = {&system_->A, &system_->B, &system_->C, &system_->D};
        return exact(*matrices[text[0] - 'A']);
    }
    std::nullopt_t fail(Diagnostic d) {
        workspace_.diagnostics.report(std::move(d));
        return std::nullopt;
    }

  private:
    // "[A, B; C, D]" by rows; nothing where an element is none of these letters.
    static std::vector<std::vector<std::string>> blocks_in(const std::string& text) {
        if (text.size() < 3 || text.front() != '[' || text.back() != ']') return {};
        std::vector<std::vector<std::string>> rows(1, {""});
        for (char c : text.substr(1, text.size() - 2)) {
            if (c == ';')
                rows.push_back({""});
            else if (c == ',')
                rows.back().emplace_back();
            else if (c != ' ')
                rows.back().back() += c;
        }
        for (const auto& row : rows)
            for (const std::string& name : row)
                if (name.size() != 1 || name[0] < 'A' || name[0] > 'D') return {};
        return rows;
    }
    std::optional<ExactMatrix> joined(const std::vector<std::vector<std::string>>& names,
                                      const std::string& text) {
        std::vector<std::vector<ExactMatrix>> blocks;
        std::size_t rows = 0, columns = 0;
        for (const auto& line : names) {
            auto& row = blocks.emplace_back();
            std::size_t wide = 0;
            for (const std::string& name : line) {
                const auto block = read(name);
                if (!block) return std::nullopt;
                if (!row.empty() && block->rows() != row[0].rows())
                    return fail(linear_messages::matrices_do_not_fit(text));
                wide += block->columns();
                row.push_back(*block);
            }
            if (rows > 0 && wide != columns) return fail(linear_messages::matrices_do_not_fit(text));
            columns = wide;
            rows += row[0].rows();
        }
        ExactMatrix all(rows, columns);
        std::size_t i0 = 0;
        for (const auto& row : blocks) {
            std::size_t k0 = 0;
            for (const ExactMatrix& block : row) {
                for (std::size_t i = 0; i < block.rows(); ++i)
                    for (std::size_t k = 0; k < block.columns(); ++k) all(i0 + i, k0 + k) = block(i, k);
                k0 += block.columns();
            }
            i0 += row[0].rows();
        }
        return all;
    }

    const SubspaceRequest& request_;
    Workspace& workspace_;
    std::optional<StateSpace> system_;
    bool failed_ = false;
};

using Pair = std::pair<ExactMatrix, ExactMatrix>;

// Two matrices with as many rows.
std::optional<Pair> two_matrices(Matrices& matrices, const std::vector<std::string>& names,
                                 const char* option) {
    if (names.empty()) return std::nullopt;
    if (names.size() != 2) return matrices.fail(linear_messages::two_matrices_needed(option));
    const auto a = matrices.read(names[0]);
    const auto b = a ? matrices.read(names[1]) : std::nullopt;
    if (!a || !b) return std::nullopt;
    if (a->rows() != b->rows()) return matrices.fail(linear_messages::matrices_do_not_fit(option));
    return Pair(*a, *b);
}

std::optional<ExactMatrix> largest_within(Matrices& matrices, const std::string& within, bool controlled) {
    const auto A = matrices.read("A");
    const auto B = !A           ? std::nullopt
                   : controlled ? matrices.read("B")
                                : std::optional(ExactMatrix(A->rows(), 0));
    const auto k = B ? matrices.read(within) : std::nullopt;
    if (!k) return std::nullopt;
    if (k->rows() != A->rows())
        return matrices.fail(
            linear_messages::matrices_do_not_fit(controlled ? "--controlled-invariant" : "--invariant"));
    return controlled ? largest_controlled_invariant(*A, *B, *k) : largest_invariant(*A, *k);
}

}  // namespace

std::vector<SubspaceAnswer> subspace_study(const SubspaceRequest& request, Workspace& workspace) {
    std::vector<SubspaceAnswer> answers;
    Matrices matrices(request, workspace);
    const auto add = [&](SubspaceQuestion question, const std::string& of, ExactMatrix columns) {
        answers.push_back({question, of, std::move(columns), matrices.symbols});
    };
    const auto of_one = [&](SubspaceQuestion question, const std::string& text, auto compute) {
        if (text.empty()) return;
        if (const auto m = matrices.read(text)) add(question, text, compute(*m));
    };
    of_one(SubspaceQuestion::Kernel, request.kernel, [](const ExactMatrix& m) { return kernel(m); });
    of_one(SubspaceQuestion::Image, request.image, [](const ExactMatrix& m) { return basis_of(m); });
    of_one(SubspaceQuestion::Echelon, request.echelon,
           [](const ExactMatrix& m) { return echelon_form(m).matrix; });
    of_one(SubspaceQuestion::GramSchmidt, request.gram_schmidt,
           [](const ExactMatrix& m) { return gram_schmidt(m); });
    if (const auto m = two_matrices(matrices, request.solve, "--solve")) {
        if (auto x = solve_exactly(m->first, m->second)) {
            add(SubspaceQuestion::Solution, "", std::move(x->particular));
            add(SubspaceQuestion::SolutionKernel, "", std::move(x->kernel));
        } else {
            matrices.fail(linear_messages::no_solution());
        }
    }
    if (const auto m = two_matrices(matrices, request.inverse_image, "--inverse-image"))
        add(SubspaceQuestion::InverseImage, "", inverse_image(m->first, m->second));
    if (const auto m = two_matrices(matrices, request.intersection, "--intersection"))
        add(SubspaceQuestion::Intersection, "", intersection(m->first, m->second));
    for (const bool controlled : {false, true}) {
        const std::string& within = controlled ? request.controlled_invariant : request.invariant;
        if (within.empty()) continue;
        if (auto found = largest_within(matrices, within, controlled))
            add(controlled ? SubspaceQuestion::ControlledInvariant : SubspaceQuestion::Invariant, within,
                std::move(*found));
    }
    if (answers.empty() && !workspace.diagnostics.has_errors())
        matrices.fail(linear_messages::no_subspace_question());
    return answers;
}

}  // namespace cutset
