// The module's compiler: pieces to objects by target machines that differ in the effort they make, and
// objects into memory by ORC.
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Pass.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Transforms/Scalar.h>

#include <cstring>

#include "native/llvm/emit.h"
#include "native/llvm/functions.h"
#include "native/llvm/operations.h"

namespace cutset::native {

namespace {

std::string text(llvm::Error error) {
    return llvm::toString(std::move(error));
}

class LlvmCompiler : public Compiler {
  public:
    bool start(const HostFunctions& host, std::string& problem) {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
        auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
        if (!builder) return fail(builder.takeError(), problem);
        builder->setRelocationModel(llvm::Reloc::PIC_);
        // Constants within reach of an instruction; calls that go farther get their stubs from the linker.
        builder->setCodeModel(llvm::CodeModel::Small);
        for (auto [machine, level] : {std::pair(&fast_, llvm::CodeGenOptLevel::None),
                                      std::pair(&selecting_, llvm::CodeGenOptLevel::None),
                                      std::pair(&careful_, llvm::CodeGenOptLevel::Less)}) {
            builder->setCodeGenOptLevel(level);
            auto made = builder->createTargetMachine();
            if (!made) return fail(made.takeError(), problem);
            *machine = std::move(*made);
        }
        selecting_->setFastISel(false);
        selecting_->setO0WantsFastISel(false);
        auto jit = llvm::orc::LLJITBuilder()
                       .setJITTargetMachineBuilder(*builder)
                       .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                       .create();
        if (!jit) return fail(jit.takeError(), problem);
        jit_ = std::move(*jit);

        llvm::orc::SymbolMap symbols;
        const auto define = [&](const std::string& name, auto* function) {
            if (function)
                symbols[jit_->mangleAndIntern(name)] = {
                    llvm::orc::ExecutorAddr::fromPtr(function),
                    llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
        };
        define("cutset_call", host.runtime.call);
        define("cutset_solve", host.runtime.solve);
        define("cutset_delay", host.runtime.delay);
        define("cutset_callee", host.runtime.callee);
        define("memcpy", std::memcpy);
        define("cutset_power", host.power);
        define("cutset_pow", host.pow);
        define("cutset_atan2", host.atan2);
        for (std::size_t op = 0; op < 256; ++op) define(unary_name(static_cast<Op>(op)), host.unary[op]);
        if (auto error = jit_->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))))
            return fail(std::move(error), problem);
        return true;
    }

    bool compile(const Piece* const* pieces, std::size_t count, bool optimise, NativeFunction* functions,
                 std::string& problem) override {
        llvm::LLVMContext context;
        llvm::Module module("cutset", context);
        llvm::TargetMachine& machine = optimise ? *careful_ : *fast_;
        module.setDataLayout(machine.createDataLayout());
        module.setTargetTriple(machine.getTargetTriple().str());
        const std::uint64_t first = made_;
        for (std::size_t i = 0; i < count; ++i) emit(module, *pieces[i], name(made_++), optimise);
        if (!link(module, machine, problem)) return false;
        for (std::size_t i = 0; i < count; ++i) {
            auto address = jit_->lookup(name(first + i));
            if (!address) return fail(address.takeError(), problem);
            functions[i] = address->toPtr<NativeFunction>();
        }
        return true;
    }

    bool compile(const std::vector<FunctionPlan>& plans, NativeCallee* functions,
                 std::string& problem) override {
        // Selecting instructions over whole blocks makes long polynomials faster by more than it costs.
        // Careful code is faster by a quarter again, and takes four times as long to make.
        llvm::TargetMachine& machine = !plans.empty() && plans[0].careful ? *careful_ : *selecting_;
        llvm::LLVMContext context;
        llvm::Module module("cutset", context);
        module.setDataLayout(machine.createDataLayout());
        module.setTargetTriple(machine.getTargetTriple().str());
        llvm::legacy::FunctionPassManager passes(&module);
        passes.add(llvm::createEarlyCSEPass());
        for (const FunctionPlan& plan : plans) passes.run(*emit(module, plan));
        if (!link(module, machine, problem)) return false;
        for (const FunctionPlan& plan : plans) {
            auto address = jit_->lookup(function_name(plan.callee, plan.kind, plan.careful));
            if (!address) return fail(address.takeError(), problem);
            *functions++ = address->toPtr<NativeCallee>();
        }
        return true;
    }

  private:
    bool link(llvm::Module& module, llvm::TargetMachine& machine, std::string& problem) {
#ifdef CUTSET_VERIFY_CODE
        if (llvm::verifyModule(module, &llvm::errs())) {
            problem = "the code is not well formed";
            return false;
        }
#endif
        auto object = llvm::orc::SimpleCompiler(machine)(module);
        if (!object) return fail(object.takeError(), problem);
        if (auto error = jit_->addObjectFile(std::move(*object))) return fail(std::move(error), problem);
        return true;
    }
    static std::string name(std::uint64_t number) {
        return "piece_" + std::to_string(number);
    }
    static bool fail(llvm::Error error, std::string& problem) {
        problem = text(std::move(error));
        return false;
    }

    std::unique_ptr<llvm::TargetMachine> fast_, selecting_, careful_;
    std::unique_ptr<llvm::orc::LLJIT> jit_;
    std::uint64_t made_ = 0;
};

}  // namespace

}  // namespace cutset::native

extern "C" __attribute__((visibility("default"))) cutset::native::Compiler* cutset_make_native_compiler(
    std::uint32_t version, const cutset::native::HostFunctions& host, std::string& problem) {
    if (version != cutset::native::module_version) {
        problem = "it belongs to another version of the program";
        return nullptr;
    }
    auto compiler = std::make_unique<cutset::native::LlvmCompiler>();
    if (!compiler->start(host, problem)) return nullptr;
    return compiler.release();
}
