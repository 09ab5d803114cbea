// What the program and the module libcutset_native.so share. The module alone knows LLVM; it is loaded when
// machine code pays, so that a short run does not spend its time on loading a compiler.
#pragma once

#include <cstdint>
#include <string>

#include "generate/machine_code.h"
#include "native/code_image.h"
#include "native/function_plan.h"
#include "native/plan.h"

namespace cutset::native {

constexpr const char* module_file = "libcutset_native.so";
constexpr std::uint32_t module_version = 5;  // of this header

// Functions of the program that machine code calls.
struct HostFunctions {
    RuntimeFunctions runtime;
    const void* functions[256] = {};  // elementary functions by Op
    double (*power)(double, double) = nullptr;
    double (*pow)(double, double) = nullptr;
    bool images = true;  // code that can be kept, if the target has it
};

class Compiler {
  public:
    virtual ~Compiler() = default;
    // One image for each piece; false and `problem` when LLVM refuses. `optimise`: slower to compile, for
    // kernels.
    virtual bool compile(const Piece* const* pieces, std::size_t count, bool optimise, CodeImage* images,
                         std::string& problem) = 0;
    // Functions of the language; those that they call are among them or have been compiled before.
    virtual bool compile(const FunctionPlan* const* plans, std::size_t count, CodeImage* images,
                         std::string& problem) = 0;
    // Whether images can be kept. Else LLVM puts code into memory, where it lives as long as the compiler.
    virtual bool makes_images() const = 0;
    // The file of LLVM's library.
    virtual std::string library() const = 0;
};

// Exported by the module: nothing and `problem` when there is no machine code for this processor.
using MakeCompiler = Compiler* (*)(std::uint32_t version, const HostFunctions& host, std::string& problem);
constexpr const char* make_compiler_name = "cutset_make_native_compiler";

}  // namespace cutset::native
