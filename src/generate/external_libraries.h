// External functions: shared libraries loaded when first called, C calling convention.
//
//     double f(double, double, …)               one result
//     void f(const double* in, double* out)     several results
//     double df(int argument, double, …)        ∂f/∂argument, arguments counted from 0; optional, one result
//     only
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/flat_model.h"
#include "routines/routines.h"

namespace cutset {

class ExternalLibraries {
  public:
    ExternalLibraries() = default;
    ~ExternalLibraries();
    ExternalLibraries(const ExternalLibraries&) = delete;
    ExternalLibraries& operator=(const ExternalLibraries&) = delete;

    // All results of the function. False with a reason when it cannot be loaded or a result is not finite.
    bool call(const FunctionData& function, std::span<const double> arguments, std::vector<double>& results,
              std::string& problem);
    // ∂results/∂argument: from the derivative function if there is one, else by central differences.
    bool derivative(const FunctionData& function, std::span<const double> arguments, std::uint32_t by,
                    std::vector<double>& results, std::string& problem);

  private:
    struct Entry {
        void* function = nullptr;
        void* derivative = nullptr;
    };
    bool call_routine(const FunctionData& function, std::span<const double> arguments,
                      std::vector<double>& results, std::string& problem);
    const Entry* find(const FunctionData& function, std::string& problem);

    std::mutex mutex_;  // interpreters of several threads may share the libraries
    std::unordered_map<std::string, void*> handles_;  // by file
    std::unordered_map<const FunctionData*, Entry> functions_;
    std::unordered_map<const FunctionData*, RoutineCall> routines_;
};

// "f(1, 2.5)" for messages.
std::string call_text(const std::string& name, std::span<const double> arguments);

}  // namespace cutset
