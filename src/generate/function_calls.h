// Calls of functions from sections: results that are remembered, machine code or the frame machine, and
// memory that is used again.
//
// Sections ask for one output or one derivative at a time, and the same ones again in other sections;
// functions ask each other for the same as well. Each function keeps the results of some calls, found by the
// bits of the arguments: machine code by itself, in memory that belongs to the run, and what is called
// otherwise here. Functions that reach external code, or have long arguments, keep the last one only.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "generate/frame_machine.h"
#include "generate/machine_code.h"

namespace cutset {

// How a Program calls a function, by CalleeIndex.
struct FunctionUse {
    bool external = false;          // or calls external code
    std::vector<std::uint16_t> by;  // arguments that first derivatives are asked by, in order
    // Two first derivatives at a time: those of the pair that `argument` belongs to.
    struct Directions {
        std::uint16_t by[2];
        std::uint32_t count;
        FunctionKind kind() const {
            return count == 2 ? FunctionKind::TwoDirections : FunctionKind::OneDirection;
        }
    };
    Directions directions(std::uint16_t argument) const;
    FunctionKind kind(const CallSite& site) const;

    RememberedCalls remembered[function_kinds];  // by its machine code
    bool quick = false;   // machine code is called by CallForm: it is short, or remembers
    bool varies = false;  // some output has derivatives that are not zero; a number of a case has none
};
struct FunctionUses {
    std::vector<FunctionUse> of;         // by CalleeIndex
    std::size_t remembered_numbers = 0;  // that FunctionRun::remembered has
    // By Program::calls: the site of a derivative by the same arguments that is asked for as often as this
    // value, which comes with it.
    std::vector<std::optional<std::uint32_t>> comes_with;
};
FunctionUses function_uses(const Program& program);
// By Program::calls.
std::vector<CallForm> call_forms(const Program& program, const FunctionUses& uses);

class FunctionCalls {
  public:
    explicit FunctionCalls(const Program& program);
    // A copy knows the functions, but remembers no calls.
    FunctionCalls(const FunctionCalls& other) : uses_(other.uses_), remembered_(other.remembered_.size()) {}
    FunctionCalls& operator=(const FunctionCalls& other);

    // Calls run for the owner of that context, by that code; both outlive the calls, and `this`.
    void bind(const Program& program, FrameContext context, MachineCode* code);
    void unbind() {
        bound_.reset();
        section_run_ = {};
    }

    // For machine code of sections; without an interpreter it is not bound.
    SectionRun& section_run() { return section_run_; }
    // All outputs by the CallForm of a site. False when it failed: then error() says why.
    bool call_all(std::uint32_t site, const double* in, double* out);
    std::optional<RunError>& error() { return bound_->error; }

    // What a site of a function asks for, if it is remembered here.
    const double* known(const CallSite& site, const double* arguments) {
        Remembered& calls = remembered_[site.callee.value];
        if (calls.rows == 0) return nullptr;
        const std::uint64_t key = key_of(site.derivatives, site.by);
        const std::size_t row = calls.row(calls.hash(arguments), key);
        return calls.knows(row, key, arguments) ? calls.results(row) + site.output : nullptr;
    }
    // The same, computed; nothing when it failed: then context.error says why.
    const double* call(const CallSite& site, const double* arguments, FrameContext& context,
                       MachineCode* code);
    FrameStore& store() { return store_; }

    // For machine code of functions: RuntimeFunctions::callee.
    static int call_back(FunctionRun* run, std::uint32_t callee, std::uint32_t kind, std::uint32_t inputs,
                         const double* in, double* out, std::int32_t depth);

  private:
    static std::uint64_t key_of(std::uint32_t derivatives, const std::uint16_t* by) {
        std::uint64_t key = 1 + derivatives;
        for (std::uint32_t k = 0; k < derivatives; ++k) key |= std::uint64_t(by[k]) << (8 + 16 * k);
        return key;
    }

    // Rows of arguments and results; the row for a call is given by the bits of its arguments and by what is
    // asked for.
    struct Remembered {
        std::uint32_t rows = 0, inputs = 0, outputs = 0;
        std::vector<std::uint64_t> keys;  // by row: what it has the results of; 0: nothing
        std::vector<double> numbers;

        std::uint64_t hash(const double* at) const {
            std::uint64_t result = 0;
            for (std::uint32_t i = 0; i < inputs && rows > 1; ++i)
                result = (std::rotl(result, 23) ^ std::bit_cast<std::uint64_t>(at[i])) * 0x9e3779b97f4a7c15u;
            return result;
        }
        std::size_t row(std::uint64_t hash, std::uint64_t key) const {
            return ((hash ^ key) * 0xd6e8feb86659fd93u >> 32) & (rows - 1);
        }
        double* arguments(std::size_t row) { return numbers.data() + row * (inputs + outputs); }
        double* results(std::size_t row) { return arguments(row) + inputs; }
        bool knows(std::size_t row, std::uint64_t key, const double* at) {
            if (keys[row] != key) return false;
            const double* const known = arguments(row);
            for (std::uint32_t i = 0; i < inputs; ++i)
                if (std::bit_cast<std::uint64_t>(at[i]) != std::bit_cast<std::uint64_t>(known[i]))
                    return false;
            return true;
        }
        void take(std::size_t row, std::uint64_t key, const double* at);  // its results are set
    };
    void prepare_run(FunctionRun& run, FrameContext& context);
    const double* call_impure(const FunctionData& data, const CallSite& site, const double* arguments,
                              FrameContext& context);
    bool run_native(NativeCallee code, const FunctionUse& use, const CallSite& site, const double* arguments,
                    FrameContext& context, Remembered& calls, std::uint64_t hash);
    bool run_frames(const CallSite& site, std::span<const double> arguments, FrameContext& context,
                    double* results);

    std::shared_ptr<const FunctionUses> uses_;
    std::vector<Remembered> remembered_;  // by CalleeIndex
    // Of impure functions, by callee, arguments and what is asked for: those at the last event, and those
    // that are made once.
    std::map<std::vector<double>, std::vector<double>> at_instant_, once_;
    double instant_ = 0;
    std::vector<double> in_, out_;
    // For arrays of functions, and FunctionRun::remembered. Pages that are not touched cost nothing.
    struct Free {
        void operator()(double* p) const { std::free(p); }
    };
    std::unique_ptr<double[], Free> arena_, memory_;
    FrameStore store_;
    std::vector<CallForm> forms_;  // by Program::calls, once bound
    std::optional<FrameContext> bound_;
    MachineCode* code_ = nullptr;
    FunctionRun run_;
    SectionRun section_run_;
};

}  // namespace cutset
