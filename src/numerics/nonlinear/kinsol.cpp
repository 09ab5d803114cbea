// Second method for F(x) = 0: KINSOL's Newton iteration with its own line search.
#include <kinsol/kinsol.h>
#include <kinsol/kinsol_ls.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "numerics/integrators/sundials_support.h"
#include "numerics/nonlinear/nonlinear_system.h"

namespace cutset {

namespace {

struct KinsolDeleter {
    void operator()(void* memory) const { KINFree(&memory); }
};

struct KinsolData {
    NonlinearSystem& system;
    std::exception_ptr thrown;
    // The iteration corrects itself: no refinement, and only an exact zero stops the factorisation.
    MatrixLu lu{{.singular_when = DenseLu::SingularWhen::ExactZero, .refine = false}};
    std::vector<double> values;
};

int kinsol_residual(N_Vector u, N_Vector f, void* data) {
    auto& d = *static_cast<KinsolData*>(data);
    try {
        return d.system.inside(elements(u)) && d.system.residual(elements(u), elements(f)) ? 0 : 1;
    } catch (...) {
        d.thrown = std::current_exception();
        return -1;
    }
}

int kinsol_jacobian(N_Vector u, N_Vector f, SUNMatrix, void* data, N_Vector, N_Vector) {
    auto& d = *static_cast<KinsolData*>(data);
    try {
        return d.system.jacobian(elements(u), elements(f), d.values) && d.lu.factor(d.values) ? 0 : 1;
    } catch (...) {
        d.thrown = std::current_exception();
        return -1;
    }
}
void no_information(const char*, const char*, char*, void*) {}

}  // namespace

bool NonlinearSystem::kinsol(std::span<double> x) {
    const std::size_t n = size();
    if (!residual(x, f_) || !jacobian(x, f_, jacobian_)) return false;
    ContextPtr context = make_context();
    VectorPtr u = make_vector(n, context.get());
    VectorPtr u_scale = make_vector(n, context.get());
    VectorPtr f_scale = make_vector(n, context.get());
    std::copy(x.begin(), x.end(), elements(u.get()).begin());
    std::vector<double> rows(n, 0.0);
    for_each_element([&](std::size_t k, std::size_t i, std::size_t j) {
        rows[i] = std::max(rows[i], std::abs(jacobian_[k]) * weight(j, x[j]));
    });
    for (std::size_t i = 0; i < n; ++i) {
        const double row = rows[i];
        elements(f_scale.get())[i] = row > 0 && std::isfinite(1 / row) && std::isfinite(row) ? 1 / row : 1;
        elements(u_scale.get())[i] = 1 / weight(i, x[i]);
    }

    KinsolData data{*this};
    data.lu.set_pattern(pattern());
    data.values.resize(pattern().elements());
    std::string message;
    MatrixPtr matrix = make_empty_matrix(context.get());
    LinearSolverPtr solver =
        make_linear_solver([&data](std::span<double> b) { data.lu.solve(b); }, context.get());
    std::unique_ptr<void, KinsolDeleter> memory(KINCreate(context.get()));
    void* m = memory.get();
    if (!m || KINSetErrHandlerFn(m, keep_message, &message) ||
        KINSetInfoHandlerFn(m, no_information, nullptr) || KINInit(m, kinsol_residual, u.get()) ||
        KINSetUserData(m, &data) || KINSetLinearSolver(m, solver.get(), matrix.get()) ||
        KINSetJacFn(m, kinsol_jacobian) || KINSetMaxSetupCalls(m, 1) ||
        KINSetNumMaxIters(m, 2 * options_.max_iterations) || KINSetFuncNormTol(m, 1e-9))
        return false;
    int flag = KINSol(m, u.get(), KIN_LINESEARCH, u_scale.get(), f_scale.get());
    if (data.thrown) std::rethrow_exception(data.thrown);
    long iterations = 0;
    KINGetNumNonlinSolvIters(m, &iterations);
    result.iterations += static_cast<int>(iterations);
    std::span<const double> found = elements(u.get());
    std::copy(found.begin(), found.end(), x.begin());
    return flag >= 0;
}

}  // namespace cutset
