// Calls of functions from sections: results that are remembered, machine code or the frame machine, and
// memory that is used again.
//
// Sections ask for one output or one derivative at a time, and the same ones again in other sections: each
// function keeps the results of some calls, found by the bits of the arguments. Functions that reach external
// code keep the last one only.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "generate/frame_machine.h"
#include "generate/machine_code.h"

namespace cutset {

// How a Program calls a function, by CalleeIndex.
struct FunctionUse {
    bool external = false;         // or calls external code
    std::vector<std::uint8_t> by;  // arguments that first derivatives are asked by, in order
    // Two first derivatives at a time: those of the pair that `argument` belongs to.
    struct Directions {
        std::uint8_t by[2];
        std::uint32_t count;
        FunctionKind kind() const {
            return count == 2 ? FunctionKind::TwoDirections : FunctionKind::OneDirection;
        }
    };
    Directions directions(std::uint8_t argument) const;
    FunctionKind kind(const CallSite& site) const;
};
std::vector<FunctionUse> function_uses(const Program& program);

class FunctionCalls {
  public:
    explicit FunctionCalls(const Program& program);
    // A copy knows the functions, but remembers no calls.
    FunctionCalls(const FunctionCalls& other) : uses_(other.uses_), remembered_(other.remembered_.size()) {}
    FunctionCalls& operator=(const FunctionCalls& other);

    // What a site of a function asks for; nothing when it failed: then context.error says why.
    const double* call(const CallSite& site, const double* arguments, FrameContext& context,
                       MachineCode* code);
    FrameStore& store() { return store_; }

    // For machine code of functions: RuntimeFunctions::callee.
    static int call_back(FunctionRun* run, std::uint32_t callee, std::uint32_t kind, std::uint32_t inputs,
                         const double* in, double* out, std::int32_t depth);

  private:
    // Rows of arguments and results; the row for a call is given by the bits of its arguments and by what is
    // asked for.
    struct Remembered {
        std::uint32_t rows = 0, inputs = 0, outputs = 0;
        std::vector<std::uint32_t> keys;  // by row: what it has the results of; 0: nothing
        std::vector<double> numbers;

        std::size_t row(std::uint64_t hash, std::uint32_t key) const;
        double* arguments(std::size_t row) { return numbers.data() + row * (inputs + outputs); }
        double* results(std::size_t row) { return arguments(row) + inputs; }
        bool knows(std::size_t row, std::uint32_t key, const double* at);
        void take(std::size_t row, std::uint32_t key, const double* at);  // its results are set
    };
    bool run_native(NativeCallee code, const FunctionUse& use, const CallSite& site, const double* arguments,
                    FrameContext& context, Remembered& calls, std::uint64_t hash);
    bool run_frames(const CallSite& site, std::span<const double> arguments, FrameContext& context,
                    double* results);

    std::shared_ptr<const std::vector<FunctionUse>> uses_;
    std::vector<Remembered> remembered_;  // by CalleeIndex
    std::vector<double> in_, out_, arena_;
    FrameStore store_;
};

}  // namespace cutset
