// Machine code of sections, as the Interpreter sees it: a table by section number that another thread may
// fill while sections are being interpreted. Results are the same to the bit, so that the moment of the
// change does not matter.
//
// A compiled section is a list of steps. Each calls one function; a function that stands for many statements
// of one shape runs over the rows of an index table.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ir/program.h"

namespace cutset {

struct SectionRun;

// 0 when a call or a loop failed. `table` has `count` rows.
using NativeFunction = int (*)(double* values, double* scratch, SectionRun* run, const std::uint32_t* table,
                               std::uint64_t count);

struct CompiledStep {
    NativeFunction function = nullptr;
    const std::uint32_t* table = nullptr;
    std::uint64_t count = 1;
};

struct CompiledSection {
    const Section* section = nullptr;
    mutable std::atomic<std::uint32_t> runs{0};  // a count that another thread overtakes does not matter
    static constexpr std::uint32_t never = ~std::uint32_t(0);
    mutable std::atomic<std::uint32_t> often{never};  // runs after which MachineCode::often is called next
    // Of the residuals of a loop whose unknowns are not final yet: the same, without what is not read then.
    mutable std::atomic<const CompiledSection*> trial{nullptr};
    std::vector<CompiledStep> steps;
    std::size_t scratch = 0;                         // numbers that pass from statement to statement
    std::vector<std::vector<std::uint32_t>> tables;  // that the steps point to
};

// Functions of the language in machine code. Each number is a row of parts: its value, then its derivatives
// in the order of Dual.
enum class FunctionKind : std::uint8_t {
    Value,          // v
    OneDirection,   // v, d
    TwoDirections,  // v, d, e
    Second          // as Dual<Dual<double>>
};
constexpr std::size_t function_kinds = 4;
constexpr std::uint32_t parts_of(FunctionKind kind) {
    return static_cast<std::uint32_t>(kind) + 1;
}

// What functions share during one call from outside.
struct FunctionRun {
    std::int64_t steps_left = 0;   // counts at least as many as the frame machine
    double* arena_end = nullptr;   // of the memory for arrays
    void* context = nullptr;       // the FrameContext
    double* remembered = nullptr;  // calls by arguments, see RememberedCalls
};

// Where the machine code of a function keeps the results of its last calls: rows of arguments, outputs and
// the steps that the call took, 0 in an empty row. The row of a call is given by the bits of its arguments.
struct RememberedCalls {
    static constexpr std::uint32_t row_bits = 5, rows = 1u << row_bits;
    std::uint32_t offset = 0;  // in FunctionRun::remembered
    bool any = false;          // else every call is computed
};

// All outputs. 0 when it failed, for whatever reason: the frame machine then says which. `arena` is the
// memory that is free, `depth` the calls within calls that are allowed.
using NativeCallee = int (*)(const double* in, double* out, FunctionRun* run, double* arena,
                             std::int32_t depth);

// What machine code of sections gets.
struct SectionRun {
    void* interpreter = nullptr;
    const std::atomic<NativeCallee>* functions = nullptr;  // see MachineCode::functions
    FunctionRun* calls = nullptr;                          // for those
    double* arena = nullptr;
};

// How machine code of sections calls a function: for all outputs at once, so that sites which ask for others
// of them share the call.
struct CallForm {
    std::uint32_t code = 0;     // place in SectionRun::functions
    std::uint32_t inputs = 0;   // arguments, each with `parts` numbers
    std::uint32_t outputs = 0;  // of the same kind
    std::uint32_t parts = 0;    // 0: the site is asked for its one result, see RuntimeFunctions::call
    std::uint32_t seeds = 0;    // a bit for each number of the arguments that is 1; other derivatives are 0
    std::uint32_t result = 0;   // number of the outputs that the site is about
    static constexpr std::uint32_t most_numbers = 32;
};

// What machine code calls back.
struct RuntimeFunctions {
    int (*call)(SectionRun* run, std::uint32_t site, const double* arguments, double* result);
    // By the CallForm of the site: for where there is no machine code of the function, or it failed.
    int (*call_all)(SectionRun* run, std::uint32_t site, const double* in, double* out);
    int (*solve)(SectionRun* run, std::uint32_t loop);
    double (*delay)(SectionRun* run, std::uint32_t number, double time);
    // A table, external function or function without machine code, called by a function.
    int (*callee)(FunctionRun* run, std::uint32_t callee, std::uint32_t kind, std::uint32_t inputs,
                  const double* in, double* out, std::int32_t depth);
};

class MachineCode {
  public:
    virtual ~MachineCode() = default;

    // Nothing as long as there is no code for it.
    const CompiledSection* find(const Section& section) {
        if (section.number >= size_) return nullptr;
        const CompiledSection* code = table_[section.number].load(std::memory_order_acquire);
        if (!code) code = missing(section);
        return code && code->section == &section ? code : nullptr;
    }

    // Nothing as long as there is no code for it: then it is about to be interpreted.
    NativeCallee find(CalleeIndex callee, FunctionKind kind) {
        if (callee.value >= functions_size_) return nullptr;
        if (const NativeCallee code = published(callee, kind)) return code;
        return missing(callee, kind);
    }

    // Where the code of functions appears, by `place`; before, there stands code that fails.
    const std::atomic<NativeCallee>* functions() const { return functions_.get(); }
    static std::size_t place(CalleeIndex callee, FunctionKind kind) {
        return callee.value * function_kinds + static_cast<std::size_t>(kind);
    }

    // A function has been interpreted and took so many steps.
    virtual void interpreted(CalleeIndex, FunctionKind, std::uint64_t) {}
    // It has been run so often that better code may pay, of itself or of the functions that it calls.
    virtual void often(const CompiledSection&) {}

    // Seconds for which those who run sections have waited for code so far: in this thread, or all of them.
    virtual double waited() const { return 0; }
    virtual double waited_by_all() const { return 0; }

  protected:
    MachineCode(std::size_t sections, std::size_t callees)
        : size_(sections),
          functions_size_(callees),
          table_(new std::atomic<const CompiledSection*>[sections]),
          functions_(new std::atomic<NativeCallee>[callees * function_kinds]) {
        for (std::size_t i = 0; i < sections; ++i) table_[i].store(nullptr, std::memory_order_relaxed);
        for (std::size_t i = 0; i < callees * function_kinds; ++i)
            functions_[i].store(no_code, std::memory_order_relaxed);
    }
    // The section is about to be interpreted, by any thread: counts it, asks for its code, or makes it.
    virtual const CompiledSection* missing(const Section& section) = 0;
    virtual NativeCallee missing(CalleeIndex callee, FunctionKind kind) = 0;
    void publish(std::uint32_t number, const CompiledSection* code) {
        table_[number].store(code, std::memory_order_release);
    }
    const CompiledSection* published(std::uint32_t number) const {
        return table_[number].load(std::memory_order_acquire);
    }
    void publish(CalleeIndex callee, FunctionKind kind, NativeCallee code) {
        functions_[place(callee, kind)].store(code, std::memory_order_release);
    }
    NativeCallee published(CalleeIndex callee, FunctionKind kind) const {
        const NativeCallee code = functions_[place(callee, kind)].load(std::memory_order_acquire);
        return code == no_code ? nullptr : code;
    }

  private:
    static int no_code(const double*, double*, FunctionRun*, double*, std::int32_t) { return 0; }

    std::size_t size_, functions_size_;
    std::unique_ptr<std::atomic<const CompiledSection*>[]> table_;
    std::unique_ptr<std::atomic<NativeCallee>[]> functions_;  // by callee and kind
};

}  // namespace cutset
