// The residual form  0 = x' - f(t, x, z), 0 = g(t, x, z)  by IDA: with algebraic
// unknowns z the loops of a model are solved together with the integration step.
#include <ida/ida.h>
#include <ida/ida_ls.h>

#include <cmath>

#include "base/diagnostic.h"
#include "numerics/integrators/integrator_makers.h"
#include "numerics/integrators/iteration_matrix.h"
#include "numerics/integrators/sundials_integrator.h"
#include "numerics/solver_messages.h"

namespace cutset {

namespace {

struct IdaDeleter {
    void operator()(void* memory) const { IDAFree(&memory); }
};

class IdaIntegrator : public SundialsIntegrator {
  public:
    explicit IdaIntegrator(IvpProblem problem)
        : SundialsIntegrator(std::move(problem)), jacobian_(functions_), iteration_(jacobian_) {
        const IvpProblem& p = functions_.problem();
        absolute_ = make_vector(p.n, context_.get());
        derivatives_ = make_vector(p.n, context_.get());
        right_hand_side_.resize(p.n);
        N_VConst(0, derivatives_.get());
        std::copy(p.absolute_tolerance.begin(), p.absolute_tolerance.end(),
                  elements(absolute_.get()).begin());
        memory_.reset(IDACreate(context_.get()));
        CUTSET_ASSERT(memory_);
        void* m = memory_.get();
        check(IDASetErrHandlerFn(m, keep_message, &message_));
        check(IDAInit(m, residual, 0, y_.get(), derivatives_.get()));
        check(IDASetUserData(m, this));
        check(IDASVtolerances(m, p.relative_tolerance, absolute_.get()));
        matrix_ = make_empty_matrix(context_.get());
        linear_solver_ =
            make_linear_solver([this](std::span<double> b) { solve(iteration_, b); }, context_.get());
        check(IDASetLinearSolver(m, linear_solver_.get(), matrix_.get()));
        check(IDASetJacFn(m, jacobian));
        if (std::isfinite(p.max_step)) check(IDASetMaxStep(m, p.max_step));
        check(IDASetMaxNumSteps(m, -1));
        check(IDASetMaxErrTestFails(
            m, 40));  // a fast transient may need a first step far below the one proposed
        if (p.algebraic > 0) {
            kinds_ = make_vector(p.n, context_.get());
            N_VConst(1, kinds_.get());
            for (double& kind : elements(kinds_.get()).last(p.algebraic)) kind = 0;
            check(IDASetId(m, kinds_.get()));
        }
    }

    std::string_view first_method() const override { return "ida"; }

  private:
    static IdaIntegrator& self(void* data) { return *static_cast<IdaIntegrator*>(data); }
    static int residual(double t, N_Vector x, N_Vector dx, N_Vector r, void* data) {
        int flag = self(data).functions_.rhs(t, elements(x), elements(r));
        if (flag == 0)
            for (std::size_t i = 0; i < self(data).differential(); ++i)
                elements(r)[i] = elements(dx)[i] - elements(r)[i];
        return flag;
    }
    // M := dr/dx + cj dr/dx' = cj I - J, in algebraic rows J; factored.
    static int jacobian(double t, double cj, N_Vector x, N_Vector dx, N_Vector r, SUNMatrix, void* data,
                        N_Vector weights, N_Vector, N_Vector) {
        IdaIntegrator& integrator = self(data);
        return integrator.functions_.guarded([&] {
            std::span<double> f = integrator.right_hand_side_;
            for (std::size_t i = 0; i < f.size(); ++i)
                f[i] = i < integrator.differential() ? elements(dx)[i] - elements(r)[i] : elements(r)[i];
            double h = 0;
            IDAGetCurrentStep(integrator.memory_.get(), &h);
            IDAGetErrWeights(integrator.memory_.get(), weights);
            if (int flag = integrator.jacobian_.evaluate(t, elements(x), f, elements(weights), h))
                return flag;
            return integrator.factor(integrator.iteration_, cj, -1);
        });
    }

    int reinitialize(double t, std::span<const double> x, double first_step) override {
        std::copy(x.begin(), x.end(), elements(y_.get()).begin());
        jacobian_.forget();
        int rhs_flag = functions_.rhs(t, x, elements(derivatives_.get()));
        if (rhs_flag != 0) return rhs_flag > 0 ? IDA_FIRST_RES_FAIL : IDA_RES_FAIL;
        for (double& rate : elements(derivatives_.get()).last(functions_.problem().algebraic)) rate = 0;
        if (int flag = IDAReInit(memory_.get(), t, y_.get(), derivatives_.get())) return flag;
        return IDASetInitStep(memory_.get(), first_step);
    }
    int advance(double t_stop, bool new_stop, double& reached) override {
        if (new_stop)
            if (int flag = IDASetStopTime(memory_.get(), t_stop)) return flag;
        return IDASolve(memory_.get(), t_stop, &reached, y_.get(), derivatives_.get(), IDA_ONE_STEP);
    }
    int derivative(double t, int order, N_Vector result) override {
        return IDAGetDky(memory_.get(), t, order, result);
    }
    void errors_and_weights(N_Vector errors, N_Vector weights) const override {
        if (IDAGetEstLocalErrors(memory_.get(), errors) != IDA_SUCCESS) N_VConst(0, errors);
        if (IDAGetErrWeights(memory_.get(), weights) != IDA_SUCCESS) N_VConst(1, weights);
    }
    double internal_time() const override {
        double t = 0;
        IDAGetCurrentTime(memory_.get(), &t);
        return t;
    }
    double internal_last_step() const override {
        double h = 0;
        IDAGetLastStep(memory_.get(), &h);
        return h;
    }
    void add_new_counters(IntegratorStatistics& sum) const override {
        long value = 0;
        IDAGetNumSteps(memory_.get(), &value);
        sum.steps += value;
        IDAGetNumNonlinSolvIters(memory_.get(), &value);
        sum.newton_iterations += value;
        IDAGetNumErrTestFails(memory_.get(), &value);
        sum.error_test_failures += value;
        IDAGetNumStepSolveFails(memory_.get(), &value);
        sum.convergence_failures += value;
        IDAGetLastOrder(memory_.get(), &sum.last_order);
    }
    std::string explain(int flag, const std::string& detail) const override {
        return explain_ida_flag(flag, detail);
    }

    std::size_t differential() const { return functions_.problem().n - functions_.problem().algebraic; }
    static void check(int flag) { CUTSET_ASSERT(flag == IDA_SUCCESS); }

    JacobianMatrix jacobian_;
    IterationMatrix<double> iteration_;
    VectorPtr absolute_;
    VectorPtr kinds_;  // 1 differential, 0 algebraic
    VectorPtr derivatives_;
    std::vector<double> right_hand_side_;
    MatrixPtr matrix_;
    LinearSolverPtr linear_solver_;
    std::unique_ptr<void, IdaDeleter> memory_;  // freed before what it points to
};

}  // namespace

std::unique_ptr<Integrator> make_ida_integrator(IvpProblem problem) {
    return std::make_unique<IdaIntegrator>(std::move(problem));
}

}  // namespace cutset
