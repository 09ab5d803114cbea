// BDF by CVODE.
#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>

#include <cmath>

#include "base/diagnostic.h"
#include "numerics/integrators/integrator_makers.h"
#include "numerics/integrators/iteration_matrix.h"
#include "numerics/integrators/sundials_integrator.h"
#include "numerics/solver_messages.h"

namespace cutset {

namespace {

struct CvodeDeleter {
    void operator()(void* memory) const { CVodeFree(&memory); }
};

class CvodeIntegrator : public SundialsIntegrator {
  public:
    explicit CvodeIntegrator(IvpProblem problem) : SundialsIntegrator(std::move(problem)) {
        const IvpProblem& p = functions_.problem();
        absolute_ = make_vector(p.n, context_.get());
        std::copy(p.absolute_tolerance.begin(), p.absolute_tolerance.end(),
                  elements(absolute_.get()).begin());
        memory_.reset(CVodeCreate(CV_BDF, context_.get()));
        CUTSET_ASSERT(memory_);
        void* m = memory_.get();
        check(CVodeSetErrHandlerFn(m, keep_message, &message_));
        check(CVodeInit(m, rhs, 0, y_.get()));
        check(CVodeSetUserData(m, this));
        check(CVodeSVtolerances(m, p.relative_tolerance, absolute_.get()));
        jacobian_.emplace(functions_);
        iteration_.emplace(*jacobian_);
        matrix_ = make_empty_matrix(context_.get());
        linear_solver_ =
            make_linear_solver([this](std::span<double> b) { solve(*iteration_, b); }, context_.get());
        check(CVodeSetLinearSolver(m, linear_solver_.get(), matrix_.get()));
        check(CVodeSetLinSysFn(m, linear_system));
        if (std::isfinite(p.max_step)) check(CVodeSetMaxStep(m, p.max_step));
        check(CVodeSetMaxNumSteps(m, -1));
        check(CVodeSetMaxHnilWarns(m, -1));
    }

    std::string_view first_method() const override { return "cvode"; }

  private:
    static CvodeIntegrator& self(void* data) { return *static_cast<CvodeIntegrator*>(data); }
    static int rhs(double t, N_Vector x, N_Vector dx, void* data) {
        return self(data).functions_.rhs(t, elements(x), elements(dx));
    }
    // M := I - gamma J, factored; with the last J when that is good enough for the solver.
    static int linear_system(double t, N_Vector x, N_Vector fx, SUNMatrix, booleantype usable,
                             booleantype* evaluated, double gamma, void* data, N_Vector weights, N_Vector,
                             N_Vector) {
        CvodeIntegrator& integrator = self(data);
        return integrator.functions_.guarded([&] {
            *evaluated = !usable;
            if (!usable) {
                double h = 0;
                CVodeGetCurrentStep(integrator.memory_.get(), &h);
                CVodeGetErrWeights(integrator.memory_.get(), weights);
                if (int flag =
                        integrator.jacobian_->evaluate(t, elements(x), elements(fx), elements(weights), h))
                    return flag;
            }
            return integrator.factor(*integrator.iteration_, 1, -gamma);
        });
    }

    int reinitialize(double t, std::span<const double> x, double first_step) override {
        std::copy(x.begin(), x.end(), elements(y_.get()).begin());
        jacobian_->forget();
        if (int flag = CVodeReInit(memory_.get(), t, y_.get())) return flag;
        return CVodeSetInitStep(memory_.get(), first_step);
    }
    int advance(double t_stop, bool new_stop, double& reached) override {
        if (new_stop)
            if (int flag = CVodeSetStopTime(memory_.get(), t_stop)) return flag;
        return CVode(memory_.get(), t_stop, y_.get(), &reached, CV_ONE_STEP);
    }
    int derivative(double t, int order, N_Vector result) override {
        return CVodeGetDky(memory_.get(), t, order, result);
    }
    void errors_and_weights(N_Vector errors, N_Vector weights) const override {
        if (CVodeGetEstLocalErrors(memory_.get(), errors) != CV_SUCCESS) N_VConst(0, errors);
        if (CVodeGetErrWeights(memory_.get(), weights) != CV_SUCCESS) N_VConst(1, weights);
    }
    double internal_time() const override {
        double t = 0;
        CVodeGetCurrentTime(memory_.get(), &t);
        return t;
    }
    double internal_last_step() const override {
        double h = 0;
        CVodeGetLastStep(memory_.get(), &h);
        return h;
    }
    void add_new_counters(IntegratorStatistics& sum) const override {
        long value = 0;
        CVodeGetNumSteps(memory_.get(), &value);
        sum.steps += value;
        CVodeGetNumNonlinSolvIters(memory_.get(), &value);
        sum.newton_iterations += value;
        CVodeGetNumErrTestFails(memory_.get(), &value);
        sum.error_test_failures += value;
        CVodeGetNumStepSolveFails(memory_.get(), &value);
        sum.convergence_failures += value;
        CVodeGetLastOrder(memory_.get(), &sum.last_order);
    }
    std::string explain(int flag, const std::string& detail) const override {
        return explain_cvode_flag(flag, detail);
    }

    static void check(int flag) { CUTSET_ASSERT(flag == CV_SUCCESS); }

    VectorPtr absolute_;
    std::optional<JacobianMatrix> jacobian_;
    std::optional<IterationMatrix<double>> iteration_;
    MatrixPtr matrix_;
    LinearSolverPtr linear_solver_;
    std::unique_ptr<void, CvodeDeleter> memory_;  // freed before what it points to
};

}  // namespace

std::unique_ptr<Integrator> make_cvode_integrator(IvpProblem problem) {
    return std::make_unique<CvodeIntegrator>(std::move(problem));
}

}  // namespace cutset
