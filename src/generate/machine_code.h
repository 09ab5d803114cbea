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

  protected:
    explicit MachineCode(std::size_t sections)
        : size_(sections), table_(new std::atomic<const CompiledSection*>[sections]) {
        for (std::size_t i = 0; i < sections; ++i) table_[i].store(nullptr, std::memory_order_relaxed);
    }
    // The section is about to be interpreted, by any thread: counts it, asks for its code, or makes it.
    virtual const CompiledSection* missing(const Section& section) = 0;
    void publish(std::uint32_t number, const CompiledSection* code) {
        table_[number].store(code, std::memory_order_release);
    }
    const CompiledSection* published(std::uint32_t number) const {
        return table_[number].load(std::memory_order_acquire);
    }

  private:
    std::size_t size_;
    std::unique_ptr<std::atomic<const CompiledSection*>[]> table_;
};

}  // namespace cutset
