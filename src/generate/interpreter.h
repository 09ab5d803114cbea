// The reference engine: runs the sections of a Program over one array of numbers.
//
// The Program is const and may be shared; an Interpreter is one run's values and can be copied (a copy is a
// checkpoint, or a second place to compute outputs without touching the first). Loops and delays are handed
// to the objects given to `run`, because solving them is the business of a later layer.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "generate/machine_code.h"
#include "ir/program.h"

namespace cutset {

class Interpreter;
class ExternalLibraries;
class FunctionCalls;
struct FrameContext;

// Solves a torn block: finds values of loop.torn with zero residuals, and leaves all slots of the block set.
class LoopSolver {
  public:
    virtual ~LoopSolver() = default;
    // False when it failed; the reason is kept by the solver.
    virtual bool solve(const Loop& loop, std::size_t number, Interpreter& values) = 0;
};

class DelaySource {
  public:
    virtual ~DelaySource() = default;
    // The argument of delay line `number` at an earlier time.
    virtual double value(std::size_t number, double time) = 0;
};

// Why a run cannot go on: a function that failed, an array index out of range, an endless loop, a table left.
struct RunError {
    enum class Kind { ExternalFailed, IndexRange, EndlessLoop, TableRange, AssertionFailed };
    Kind kind;
    std::string message;  // with names and values
    Span where;
    // It may be otherwise at a point nearby: what is only tried becomes a shorter step.
    bool belongs_to_point() const { return kind == Kind::TableRange || kind == Kind::AssertionFailed; }
};

class Interpreter {
  public:
    struct Hooks {
        LoopSolver* loops = nullptr;
        DelaySource* delays = nullptr;
        bool allow_external = false;
    };
    Interpreter(const Program& program, Hooks hooks);

    const Program& program() const { return *program_; }
    double operator[](Slot slot) const { return values_[slot]; }
    double& operator[](Slot slot) { return values_[slot]; }
    std::span<const double> values() const { return values_; }
    const Hooks& hooks() const { return hooks_; }
    void set_hooks(Hooks hooks) { hooks_ = hooks; }
    // All values of another run of the same program; nothing else of it.
    void take_values(const Interpreter& other) {
        values_ = other.values_;
        error_.reset();
        failed_loop_.reset();
    }

    // Frozen: a switch has its stored value (Layout::switches). Live: its relation is evaluated anew, nothing
    // is stored.
    void set_live_switches(bool live) { live_ = live; }
    bool live_switches() const { return live_; }

    // False when a loop failed or a call reported an error; then `error` says what, and values are as far as
    // it got. Values that are not finite are no error here: callers look at the results they need.
    // Runs machine code where there is some; `interpret` never does, and leaves temporaries as they were
    // computed.
    bool run(const Section& section) {
        if (machine_code_ && !live_)
            if (const CompiledSection* code = machine_code_->find(section)) return run(*code);
        return interpret(section);
    }
    // The residuals of a loop on the way to its solution: of all that they are computed from, only what the
    // Jacobian and `rest` need is sure to be left in memory.
    bool run_trial(const Loop& loop) {
        if (machine_code_ && !live_)
            if (const CompiledSection* code = machine_code_->find(loop.residual)) {
                const CompiledSection* trial = code->trial.load(std::memory_order_acquire);
                return run(trial ? *trial : *code);
            }
        return interpret(loop.residual);
    }
    bool interpret(const Section& section);
    const std::optional<RunError>& error() const { return error_; }
    void clear_error() { error_.reset(); }
    // What was only tried, and failed because of the point, does not count.
    void forgive_point() {
        if (error_ && error_->belongs_to_point()) error_.reset();
    }
    void set_error(RunError error) { error_ = std::move(error); }

    // Machine code for the sections of this Program; results are the same without it, to the bit.
    void set_machine_code(std::shared_ptr<MachineCode> code);
    static RuntimeFunctions runtime_functions();

    // Tables whose range was left since the last call, by CalleeIndex; for the one warning each deserves.
    std::vector<CalleeIndex> take_tables_left();

    // Runs the section again, operation by operation, and describes the first one whose result is not finite:
    // the equation, the operation, its operands by name with their values. Nothing when all results are
    // finite.
    struct NonFinite {
        std::string description;  // "division by zero in I = V/R: V = 3, R = 0"
        Origin origin;
        std::optional<VariableIndex> variable;  // that the equation computes
    };
    std::optional<NonFinite> explain_non_finite(const Section& section);

    // What single instructions do, for those who follow a section step by step.
    // A table, function or one of its partial derivatives; nothing when it failed, then error_ is set.
    std::optional<double> call(const CallSite& site, std::span<const double> arguments);
    bool solve(std::uint32_t loop);

  private:
    friend class Explainer;
    bool run(const CompiledSection& code);
    double delayed(std::uint32_t line, double time);
    FrameContext frame_context();

    const Program* program_;
    Hooks hooks_;
    std::vector<double> values_;
    bool live_ = false;
    std::optional<RunError> error_;
    std::optional<std::size_t> failed_loop_;  // the last that could not be solved, in this run
    std::vector<bool> tables_left_;           // by CalleeIndex

    std::vector<double> argument_buffer_;
    // A copy knows the same functions and remembers no calls.
    struct CallsOwner {
        explicit CallsOwner(const Program& program);
        CallsOwner(const CallsOwner& other);
        CallsOwner& operator=(const CallsOwner& other);
        ~CallsOwner();
        std::unique_ptr<FunctionCalls> calls;
    };
    CallsOwner function_calls_;
    std::shared_ptr<ExternalLibraries> libraries_;
    std::shared_ptr<MachineCode> machine_code_;

    // Numbers that machine code passes from statement to statement, by depth of sections under way. They mean
    // nothing between runs, so that a copy has none.
    struct Scratch {
        std::vector<std::vector<double>> levels;
        std::size_t depth = 0;
        Scratch() = default;
        Scratch(const Scratch&) {}
        Scratch& operator=(const Scratch&) { return *this; }
    };
    Scratch scratch_;
};

}  // namespace cutset
