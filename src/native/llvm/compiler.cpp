// The module's compiler: pieces to objects by target machines that differ in the effort they make. On x86-64
// the functions of an object become images; elsewhere ORC puts objects into memory.
#include <dlfcn.h>
#include <llvm-c/Core.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Pass.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Transforms/Scalar.h>

#include <cstring>
#include <new>
#include <tuple>

#include "native/llvm/emit.h"
#include "native/llvm/functions.h"
#include "native/llvm/object_image.h"
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
        images_ = host.images && builder->getTargetTriple().isOSBinFormatELF() &&
                  builder->getTargetTriple().getArch() == llvm::Triple::x86_64;
        builder->getOptions().FunctionSections = images_;
        builder->getOptions().DataSections = images_;
        // Pieces of images are static, since the places that they name are no addresses but absolute numbers.
        const auto of_pieces = images_ ? llvm::Reloc::Static : llvm::Reloc::PIC_;
        // Constants within reach of an instruction; calls that go farther get stubs.
        builder->setCodeModel(llvm::CodeModel::Small);
        for (auto [machine, level, model] :
             {std::tuple(&fast_, llvm::CodeGenOptLevel::None, of_pieces),
              std::tuple(&selecting_, llvm::CodeGenOptLevel::None, llvm::Reloc::PIC_),
              std::tuple(&careful_, llvm::CodeGenOptLevel::Less, of_pieces),
              std::tuple(&careful_functions_, llvm::CodeGenOptLevel::Less, llvm::Reloc::PIC_)}) {
            builder->setCodeGenOptLevel(level);
            builder->setRelocationModel(model);
            auto made = builder->createTargetMachine();
            if (!made) return fail(made.takeError(), problem);
            *machine = std::move(*made);
        }
        selecting_->setFastISel(false);
        selecting_->setO0WantsFastISel(false);
        if (images_) return true;
        builder->setRelocationModel(llvm::Reloc::PIC_);
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
        define("cutset_call_all", host.runtime.call_all);
        define("cutset_solve", host.runtime.solve);
        define("cutset_delay", host.runtime.delay);
        define("cutset_callee", host.runtime.callee);
        define("memcpy", std::memcpy);
        define("cutset_power", host.power);
        define("cutset_pow", host.pow);
        for (std::size_t op = 0; op < 256; ++op)
            define(function_symbol(static_cast<Op>(op)), host.functions[op]);
        if (auto error = jit_->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))))
            return fail(std::move(error), problem);
        return true;
    }

    bool makes_images() const override { return images_; }
    std::string library() const override {
        Dl_info info{};
        const bool found = dladdr(reinterpret_cast<const void*>(&LLVMContextCreate), &info) != 0;
        return found && info.dli_fname ? info.dli_fname : "";
    }

    bool compile(const Piece* const* pieces, std::size_t count, bool optimise, CodeImage* images,
                 std::string& problem) override {
        llvm::LLVMContext context;
        llvm::Module module("cutset", context);
        llvm::TargetMachine& machine = optimise ? *careful_ : *fast_;
        module.setDataLayout(machine.createDataLayout());
        module.setTargetTriple(machine.getTargetTriple().str());
        std::vector<std::string> names;
        for (std::size_t i = 0; i < count; ++i) {
            names.push_back(name(made_++));
            emit(module, *pieces[i], names.back(), optimise, images_);
        }
        return link(module, machine, names, images, problem);
    }

    bool compile(const FunctionPlan* const* plans, std::size_t count, CodeImage* images,
                 std::string& problem) override {
        // Selecting instructions over whole blocks makes long polynomials faster by more than it costs.
        // Careful code is faster by a quarter again, and takes four times as long to make.
        llvm::TargetMachine& machine = count > 0 && plans[0]->careful ? *careful_functions_ : *selecting_;
        llvm::LLVMContext context;
        llvm::Module module("cutset", context);
        module.setDataLayout(machine.createDataLayout());
        module.setTargetTriple(machine.getTargetTriple().str());
        llvm::legacy::FunctionPassManager passes(&module);
        passes.add(llvm::createEarlyCSEPass());
        std::vector<std::string> names;
        for (std::size_t i = 0; i < count; ++i) {
            names.push_back(function_name(plans[i]->callee, plans[i]->kind, plans[i]->careful));
            passes.run(*emit(module, *plans[i], names.back(), images_));
        }
        return link(module, machine, names, images, problem);
    }

  private:
    bool link(llvm::Module& module, llvm::TargetMachine& machine, const std::vector<std::string>& names,
              CodeImage* images, std::string& problem) {
#ifdef CUTSET_VERIFY_CODE
        if (llvm::verifyModule(module, &llvm::errs())) {
            problem = "the code is not well formed";
            return false;
        }
#endif
        auto object = llvm::orc::SimpleCompiler(machine)(module);
        if (!object) return fail(object.takeError(), problem);
        if (images_) return make_images((*object)->getMemBufferRef(), names, images, problem);
        if (auto error = jit_->addObjectFile(std::move(*object))) return fail(std::move(error), problem);
        for (std::size_t i = 0; i < names.size(); ++i) {
            auto address = jit_->lookup(names[i]);
            if (!address) return fail(address.takeError(), problem);
            images[i].linked = address->toPtr<void*>();
        }
        return true;
    }
    static std::string name(std::uint64_t number) {
        return "piece_" + std::to_string(number);
    }
    static bool fail(llvm::Error error, std::string& problem) {
        problem = text(std::move(error));
        return false;
    }

    std::unique_ptr<llvm::TargetMachine> fast_, selecting_, careful_, careful_functions_;
    std::unique_ptr<llvm::orc::LLJIT> jit_;
    std::uint64_t made_ = 0;
    bool images_ = false;
};

}  // namespace

}  // namespace cutset::native

extern "C" __attribute__((visibility("default"))) cutset::native::Compiler* cutset_make_native_compiler(
    std::uint32_t version, const cutset::native::HostFunctions& host, std::string& problem) {
    if (version != cutset::native::module_version) {
        problem = "it belongs to another version of the program";
        return nullptr;
    }
    // It would abort; the caller gets an exception instead.
    static const bool told = [] {
        llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { throw std::bad_alloc(); });
        return true;
    }();
    (void)told;
    auto compiler = std::make_unique<cutset::native::LlvmCompiler>();
    if (!compiler->start(host, problem)) return nullptr;
    return compiler.release();
}
