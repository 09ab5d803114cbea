// The native engine: makes machine code of the sections of a Program, at once or on another thread.
//
// Native: a section is compiled when it is to be run for the first time. Auto: sections are interpreted, and
// when so much has been interpreted that compiling pays, those that run often are compiled on a thread of the
// engine, the busiest first. The destructor waits for the function at hand only (some milliseconds).
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "generate/machine_code.h"

namespace cutset {

class CodeStore;

enum class Engine { Auto, Native, Interpret };

struct NativeStatistics {
    std::size_t sections = 0;      // compiled
    std::size_t functions = 0;     // of the language, with each kind of derivatives
    std::size_t kernels = 0;       // functions that loop over rows
    std::size_t kernel_rows = 0;   // statements or sequences of them in kernels
    std::size_t chunks = 0;        // functions of straight-line code
    std::size_t instructions = 0;  // in functions, compiled
    // Of the kernels, chunks and functions: made by LLVM, and found on disk.
    std::size_t units_compiled = 0, units_found = 0, found_bytes = 0;
    double load_seconds = 0, plan_seconds = 0, compile_seconds = 0;
};

class NativeEngine : public MachineCode {
  public:
    // The Program must outlive the engine. Nothing when there can be no machine code, and why, if asked for
    // Native; Auto finds that out later and goes on interpreting. `store`: code of earlier runs, and where
    // that of this one is kept when the engine ends.
    static std::shared_ptr<NativeEngine> make(const Program& program, Engine engine, std::string& problem,
                                              std::shared_ptr<CodeStore> store = nullptr);

    virtual NativeStatistics statistics() const = 0;
    // As `waited`, in seconds of the processor.
    virtual double waited_processor() const = 0;
    // Auto: waits until what has been asked for is compiled. For tests.
    virtual void settle() = 0;
    // Writes the code made so far to the store. The destructor does it; this is for programs that end without
    // it, and does not wait for what is being compiled.
    virtual void keep() = 0;

  protected:
    using MachineCode::MachineCode;
};

}  // namespace cutset
