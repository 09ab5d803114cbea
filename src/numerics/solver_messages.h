// The flags that SUNDIALS returns, each with a sentence for the modeller. Private to src/numerics.
#pragma once

#include <string>
#include <string_view>

namespace cutset {

// `detail` is SUNDIALS' own message, used only for flags that a modeller should never see.
std::string explain_cvode_flag(int flag, std::string_view detail);
std::string explain_ida_flag(int flag, std::string_view detail);

std::string explain_too_accurate();
std::string explain_error_test();
std::string explain_convergence();
std::string explain_evaluation_at_start();
std::string explain_fixed_step_impossible();
std::string explain_fixed_step_unstable();
// The step has become too small to change the time.
std::string explain_step_underflow();
std::string explain_root_function_not_a_number();
std::string explain_root_function_failed();
std::string explain_evaluation_failed();
std::string explain_asked_to_stop();
std::string explain_zero_tolerance();

}  // namespace cutset
