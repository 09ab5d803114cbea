// Functions of the language to be compiled: one that is called and those that it calls, for the derivatives
// that are asked for.
//
// The code of a function does what the frame machine does with double, Dual<double> or Dual<Dual<double>>,
// to the bit. Tables, external functions and functions that are too large are called back; whatever fails is
// run again by the frame machine, which has the messages.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "generate/function_calls.h"

namespace cutset::native {

constexpr std::size_t most_function_steps = 20'000;  // times parts; larger ones are interpreted
constexpr std::size_t most_expanded_steps = 3'000;   // times parts²; with what is called in place of calls

struct FunctionPlan {
    CalleeIndex callee;
    FunctionKind kind = FunctionKind::Value;
    bool careful = false;  // takes its time to make good code, under a name of its own
    const FunctionCode* code = nullptr;
    std::shared_ptr<const FunctionCode> expanded;  // that is `code`, where calls were replaced
    const FunctionData* data = nullptr;
    // Neither it nor what it calls has loops, arrays or external code: it ends and cannot fail, so that steps
    // and calls within calls are counted by its caller.
    struct Bound {
        std::uint32_t steps = 0, depth = 0;  // at most
    };
    std::optional<Bound> bound;
    struct Call {
        bool native = false;  // else through RuntimeFunctions::callee
        FunctionKind kind = FunctionKind::Value;
        std::uint32_t outputs = 1;
        std::optional<Bound> bound;
    };
    std::vector<Call> calls;  // by FunctionCode::calls
    RememberedCalls remembered;
    RememberedCalls with_derivative;  // of a value: calls in one direction, which have it too
};

class FunctionPlanner {
  public:
    FunctionPlanner(const Program& program, bool careful);

    // By call site; for one result where the function cannot be compiled.
    std::vector<CallForm> forms() const;

    // The function and all that it calls, as far as no earlier call gave them. Nothing when it must be
    // interpreted.
    std::vector<FunctionPlan> missing(CalleeIndex callee, FunctionKind kind);
    // Its code has come from elsewhere.
    void done(CalleeIndex callee, FunctionKind kind) { planned_.emplace(callee.value, kind); }

  private:
    bool can_compile(CalleeIndex callee, FunctionKind kind) const;
    void find_bounds();
    void expand(FunctionPlan& plan) const;

    const Program& program_;
    const bool careful_;
    const FunctionUses uses_;
    bool pairs_ = false;       // some values come with derivatives
    std::vector<bool> known_;  // by callee: all its operations are such that machine code has
    std::vector<std::optional<FunctionPlan::Bound>> bounds_;  // by callee
    std::set<std::pair<std::size_t, FunctionKind>> planned_;
};

}  // namespace cutset::native
