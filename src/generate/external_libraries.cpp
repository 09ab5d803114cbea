#include "generate/external_libraries.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>

namespace cutset {

namespace {

constexpr std::size_t most_arguments = 10;

template <class... First>
double call_with(void* symbol, std::span<const double> a, First... first) {
    using D = double;
    switch (a.size()) {
        case 0:
            return reinterpret_cast<D (*)(First...)>(symbol)(first...);
        case 1:
            return reinterpret_cast<D (*)(First..., D)>(symbol)(first..., a[0]);
        case 2:
            return reinterpret_cast<D (*)(First..., D, D)>(symbol)(first..., a[0], a[1]);
        case 3:
            return reinterpret_cast<D (*)(First..., D, D, D)>(symbol)(first..., a[0], a[1], a[2]);
        case 4:
            return reinterpret_cast<D (*)(First..., D, D, D, D)>(symbol)(first..., a[0], a[1], a[2], a[3]);
        case 5:
            return reinterpret_cast<D (*)(First..., D, D, D, D, D)>(symbol)(first..., a[0], a[1], a[2], a[3],
                                                                            a[4]);
        case 6:
            return reinterpret_cast<D (*)(First..., D, D, D, D, D, D)>(symbol)(first..., a[0], a[1], a[2],
                                                                               a[3], a[4], a[5]);
        case 7:
            return reinterpret_cast<D (*)(First..., D, D, D, D, D, D, D)>(symbol)(first..., a[0], a[1], a[2],
                                                                                  a[3], a[4], a[5], a[6]);
        case 8:
            return reinterpret_cast<D (*)(First..., D, D, D, D, D, D, D, D)>(symbol)(
                first..., a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
        case 9:
            return reinterpret_cast<D (*)(First..., D, D, D, D, D, D, D, D, D)>(symbol)(
                first..., a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]);
        default:
            return reinterpret_cast<D (*)(First..., D, D, D, D, D, D, D, D, D, D)>(symbol)(
                first..., a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9]);
    }
}

bool check_finite(const FunctionData& function, std::span<const double> arguments,
                  std::span<const double> results, const char* what, std::string& problem) {
    for (double r : results) {
        if (std::isfinite(r)) continue;
        problem = "external function " + call_text(function.name, arguments) + what + number_text(r);
        return false;
    }
    return true;
}

}  // namespace

std::string call_text(const std::string& name, std::span<const double> arguments) {
    std::string text = name + "(";
    for (std::size_t i = 0; i < arguments.size(); ++i) text += (i ? ", " : "") + number_text(arguments[i]);
    return text + ")";
}

ExternalLibraries::~ExternalLibraries() {
    for (const auto& [file, handle] : handles_) dlclose(handle);
}

const ExternalLibraries::Entry* ExternalLibraries::find(const FunctionData& function, std::string& problem) {
    const std::lock_guard lock(mutex_);
    if (const auto known = functions_.find(&function); known != functions_.end()) return &known->second;
    const ExternalCode& code = *function.external;
    const auto fail = [&](const std::string& why) {
        problem = "external function " + function.name + ": " + why;
        return nullptr;
    };
    if (function.outputs == 1 && function.inputs > most_arguments + (function.impure ? 2 : 0))
        return fail("more than " + std::to_string(most_arguments) + " arguments");
    void*& handle = handles_[code.library];
    if (!handle) {
        handle = dlopen(code.library.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle) {
            const char* why = dlerror();
            handles_.erase(code.library);
            return fail(std::string("the library cannot be loaded: ") + (why ? why : code.library));
        }
    }
    const std::string symbol = code.symbol.empty() ? function.name : code.symbol;
    Entry entry;
    entry.function = dlsym(handle, symbol.c_str());
    if (!entry.function) return fail(code.library + " has no function " + symbol);
    if (!code.derivative.empty()) {
        entry.derivative = dlsym(handle, code.derivative.c_str());
        if (!entry.derivative) return fail(code.library + " has no function " + code.derivative);
    }
    return &functions_.emplace(&function, entry).first->second;
}

bool ExternalLibraries::call_routine(const FunctionData& function, std::span<const double> arguments,
                                     std::vector<double>& results, std::string& problem) {
    const RoutineCall* call = nullptr;
    {
        const std::lock_guard lock(mutex_);
        auto known = routines_.find(&function);
        if (known == routines_.end()) {
            auto read = routine_call_of(function.external->symbol);
            if (!read) {
                problem = "external function " + function.name + ": no library is named";
                return false;
            }
            known = routines_.emplace(&function, std::move(*read)).first;
        }
        call = &known->second;
    }
    return run_routine(*call, arguments, results, problem) &&
           check_finite(function, arguments, results, " returned ", problem);
}

bool ExternalLibraries::call(const FunctionData& function, std::span<const double> arguments,
                             std::vector<double>& results, std::string& problem) {
    if (function.external->library.empty()) return call_routine(function, arguments, results, problem);
    const Entry* entry = find(function, problem);
    if (!entry) return false;
    results.assign(function.outputs, 0);
    if (function.outputs == 1) {
        results[0] = call_with(entry->function, arguments);
    } else {
        using Several = void (*)(const double*, double*);
        reinterpret_cast<Several>(entry->function)(arguments.data(), results.data());
    }
    return check_finite(function, arguments, results, " returned ", problem);
}

bool ExternalLibraries::derivative(const FunctionData& function, std::span<const double> arguments,
                                   std::uint32_t by, std::vector<double>& results, std::string& problem) {
    const bool routine = function.external->library.empty();
    const Entry* entry = routine ? nullptr : find(function, problem);
    if (!routine && !entry) return false;
    if (entry && entry->derivative && function.outputs == 1) {
        results.assign(1, call_with(entry->derivative, arguments, static_cast<int>(by)));
        return check_finite(function, arguments, results, " has a derivative of ", problem);
    }
    // (f(x + h) - f(x - h))/(2h) with h near the cube root of the rounding error.
    std::vector<double> at(arguments.begin(), arguments.end()), above, below;
    const double h = 6e-6 * std::max(std::abs(at[by]), 1e-3);
    at[by] = arguments[by] + h;
    const double upper = at[by];
    if (!call(function, at, above, problem)) return false;
    at[by] = arguments[by] - h;
    if (!call(function, at, below, problem)) return false;
    results.resize(above.size());
    for (std::size_t i = 0; i < above.size(); ++i) results[i] = (above[i] - below[i]) / (upper - at[by]);
    return true;
}

}  // namespace cutset
