// Random generators and the Fourier transform of real signals.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cutset {

// All arguments of the call, those that are changed among them. False with a reason where they do not fit.
using NumericRoutine = bool (*)(std::vector<std::vector<double>>& arguments, double& result,
                                std::string& problem);
NumericRoutine find_numeric_routine(std::string_view symbol);

// Amplitudes |c_k| and phases of c_k = Σ u_j exp(-2πi jk/n), k = 0 … n/2; n is even. Any n takes O(n log n).
void real_fourier_transform(const std::vector<double>& u, std::vector<double>& amplitudes,
                            std::vector<double>& phases);

}  // namespace cutset
