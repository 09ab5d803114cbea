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

// 0 when a call or a loop failed. `context` is the Interpreter; `table` has `count` rows.
using NativeFunction = int (*)(double* values, double* scratch, void* context, const std::uint32_t* table,
                               std::uint64_t count);

// A function of the language: numbers with their derivatives one after the other, as in Dual. 0 when
// something is not as usual (an index out of range, a loop without end): then it is to be interpreted.
using NativeCallee = int (*)(const double* arguments, double* results, void* context);

struct CompiledStep {
    NativeFunction function = nullptr;
    const std::uint32_t* table = nullptr;
    std::uint64_t count = 1;
};

struct CompiledSection {
    const Section* section = nullptr;
    std::vector<CompiledStep> steps;
    std::size_t scratch = 0;                         // numbers that pass from statement to statement
    std::vector<std::vector<std::uint32_t>> tables;  // that the steps point to
};

// What machine code calls back, `context` being the Interpreter.
struct RuntimeFunctions {
    int (*call)(void* context, std::uint32_t site, const double* arguments, double* result);
    int (*solve)(void* context, std::uint32_t loop);
    double (*delay)(void* context, std::uint32_t number, double time);
    // A table, with `level` levels of derivatives in its arguments and result.
    int (*table)(void* context, std::uint32_t callee, std::uint32_t level, const double* arguments,
                 std::uint32_t count, double* result);
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

    // Of a function of the language, with 0, 1 or 2 levels of derivatives.
    NativeCallee find(CalleeIndex callee, std::uint32_t level) {
        const std::size_t at = 3 * std::size_t(callee.value) + level;
        if (at >= 3 * functions_size_) return nullptr;
        if (const NativeCallee code = functions_[at].load(std::memory_order_acquire)) return code;
        return missing(callee, level);
    }

  protected:
    MachineCode(std::size_t sections, std::size_t functions)
        : size_(sections),
          functions_size_(functions),
          table_(new std::atomic<const CompiledSection*>[sections]),
          functions_(new std::atomic<NativeCallee>[3 * functions]) {
        for (std::size_t i = 0; i < sections; ++i) table_[i].store(nullptr, std::memory_order_relaxed);
        for (std::size_t i = 0; i < 3 * functions; ++i)
            functions_[i].store(nullptr, std::memory_order_relaxed);
    }
    // The section is about to be interpreted, by any thread: counts it, asks for its code, or makes it.
    virtual const CompiledSection* missing(const Section& section) = 0;
    virtual NativeCallee missing(CalleeIndex callee, std::uint32_t level) = 0;
    void publish(CalleeIndex callee, std::uint32_t level, NativeCallee code) {
        functions_[3 * std::size_t(callee.value) + level].store(code, std::memory_order_release);
    }
    NativeCallee published(CalleeIndex callee, std::uint32_t level) const {
        return functions_[3 * std::size_t(callee.value) + level].load(std::memory_order_acquire);
    }
    void publish(std::uint32_t number, const CompiledSection* code) {
        table_[number].store(code, std::memory_order_release);
    }
    const CompiledSection* published(std::uint32_t number) const {
        return table_[number].load(std::memory_order_acquire);
    }

  private:
    std::size_t size_, functions_size_;
    std::unique_ptr<std::atomic<const CompiledSection*>[]> table_;
    std::unique_ptr<std::atomic<NativeCallee>[]> functions_;  // by callee and level
};

}  // namespace cutset
