#include "numerics/solver_messages.h"

#include <cvode/cvode.h>
#include <fmt/format.h>
#include <ida/ida.h>

#include <span>

namespace cutset {

namespace {

struct FlagSentence {
    int flag;
    const char* sentence;
};

constexpr const char* too_accurate =
    "the tolerance asks for more digits than double precision has; use a larger relative or absolute "
    "tolerance";
constexpr const char* error_test =
    "the error test failed again and again even with very short steps: the solution changes too fast here, "
    "or jumps "
    "without an event";
constexpr const char* convergence =
    "the equations of one step could not be solved, not even with a very short step: the solution may have a "
    "singularity, or the derivatives jump or have a kink without an event";
constexpr const char* evaluation_stopped = "the evaluation of the derivatives failed and asked to stop";
constexpr const char* evaluation_at_start =
    "the derivatives cannot be evaluated at the start of the integration (a value is not finite or an "
    "equation system "
    "has no solution)";
constexpr const char* evaluation_repeated =
    "the derivatives cannot be evaluated near this point, not even with a very short step (a value is not "
    "finite or an "
    "equation system has no solution)";
constexpr const char* root_function = "an event condition could not be evaluated";
constexpr const char* jacobian = "the derivatives with respect to the states could not be evaluated";
constexpr const char* linear_system = "the linear equations of one step could not be solved";
constexpr const char* no_memory = "there is not enough memory";

constexpr FlagSentence cvode_sentences[] = {
    {CV_TOO_MUCH_ACC, too_accurate},
    {CV_ERR_FAILURE, error_test},
    {CV_CONV_FAILURE, convergence},
    {CV_LSETUP_FAIL, jacobian},
    {CV_LSOLVE_FAIL, linear_system},
    {CV_RHSFUNC_FAIL, evaluation_stopped},
    {CV_FIRST_RHSFUNC_ERR, evaluation_at_start},
    {CV_REPTD_RHSFUNC_ERR, evaluation_repeated},
    {CV_UNREC_RHSFUNC_ERR, evaluation_repeated},
    {CV_RTFUNC_FAIL, root_function},
    {CV_NLS_SETUP_FAIL, convergence},
    {CV_NLS_FAIL, convergence},
    {CV_MEM_FAIL, no_memory},
};

constexpr FlagSentence ida_sentences[] = {
    {IDA_TOO_MUCH_ACC, too_accurate},
    {IDA_ERR_FAIL, error_test},
    {IDA_CONV_FAIL, convergence},
    {IDA_LSETUP_FAIL, jacobian},
    {IDA_LSOLVE_FAIL, linear_system},
    {IDA_RES_FAIL, evaluation_stopped},
    {IDA_REP_RES_ERR, evaluation_repeated},
    {IDA_RTFUNC_FAIL, root_function},
    {IDA_FIRST_RES_FAIL, evaluation_at_start},
    {IDA_NLS_SETUP_FAIL, convergence},
    {IDA_NLS_FAIL, convergence},
    {IDA_MEM_FAIL, no_memory},
};

std::string explain(std::span<const FlagSentence> table, const char* solver, int flag,
                    std::string_view detail) {
    for (const FlagSentence& entry : table)
        if (entry.flag == flag) return entry.sentence;
    return fmt::format("the integrator {} stopped with code {}: {}", solver, flag, detail);
}

}  // namespace

std::string explain_cvode_flag(int flag, std::string_view detail) {
    return explain(cvode_sentences, "CVODE", flag, detail);
}

std::string explain_ida_flag(int flag, std::string_view detail) {
    return explain(ida_sentences, "IDA", flag, detail);
}

std::string explain_too_accurate() {
    return too_accurate;
}

std::string explain_error_test() {
    return error_test;
}

std::string explain_convergence() {
    return convergence;
}

std::string explain_evaluation_at_start() {
    return evaluation_at_start;
}

std::string explain_fixed_step_impossible() {
    return "the derivatives cannot be evaluated within one step (a value is not finite or an equation system "
           "has "
           "no solution); the step size is fixed: try a shorter one, or an integrator with variable step";
}

std::string explain_fixed_step_unstable() {
    return "the values have grown beyond all bounds: with fixed steps of this length the method is unstable "
           "here, or the "
           "solution itself grows without bound; try a shorter step, or an integrator with variable step";
}

std::string explain_step_underflow() {
    return "the step has become too short to move time: the solution grows without bound here, or changes "
           "too fast";
}

std::string explain_root_function_not_a_number() {
    return "an event condition is not a number";
}

std::string explain_root_function_failed() {
    return root_function;
}

std::string explain_evaluation_failed() {
    return evaluation_repeated;
}

std::string explain_asked_to_stop() {
    return evaluation_stopped;
}

std::string explain_zero_tolerance() {
    return "the absolute tolerance is zero and so is the value of a state: no error at all would be allowed "
           "there; use a "
           "positive absolute tolerance";
}

}  // namespace cutset
