// Units of machine code in memory: found on disk, or compiled by LLVM, which is loaded when the first unit
// must be compiled. Used by one thread at a time; functions with and without care may be made by two at the
// same time, since LLVM does not know of one compilation during another.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "native/code_image.h"
#include "native/code_key.h"
#include "native/code_record.h"
#include "native/code_store.h"
#include "native/compiler.h"

namespace cutset::native {

struct UnitStatistics {
    std::size_t compiled = 0, found = 0, found_bytes = 0;
    double load_seconds = 0;  // of LLVM
};

RecordedFunction recorded(const FunctionPlan& plan, const Fingerprint& key);

class CodeUnits {
  public:
    // Without a store nothing is looked for, and nothing is kept. `images`: see HostFunctions; for tests.
    explicit CodeUnits(std::shared_ptr<CodeStore> store, bool images = true);
    ~CodeUnits();

    // Loads LLVM if that is not done yet.
    bool load(std::string& problem) {
        const std::lock_guard lock(mutex_);
        return loaded(problem);
    }
    // Something may be found, or has been.
    bool may_find() const { return store_ && store_->ready(); }
    UnitStatistics statistics() {
        const std::lock_guard lock(mutex_);
        return statistics_;
    }

    // One function for each piece.
    struct Unit {
        Fingerprint key;
        NativeFunction function = nullptr;
        bool is_new = false;  // not in memory before
    };
    bool make(const std::vector<Piece>& pieces, bool optimise, std::vector<Unit>& units,
              std::string& problem);

    // Functions of the language; `compiled`: those that were made before.
    using FindFunction = std::function<NativeCallee(CalleeIndex, FunctionKind)>;
    struct FunctionUnit {
        Fingerprint key;
        NativeCallee function = nullptr;
    };
    // They are compiled some at a time; `stopped` is asked in between, and what was compiled is kept.
    bool make(const std::vector<FunctionPlan>& plans, const FindFunction& compiled,
              const std::function<bool()>& stopped, std::vector<FunctionUnit>& units, std::string& problem);

    // What was recorded of a Program. Sections of which a unit is missing are left out, and all functions
    // when one is.
    struct Restored {
        std::vector<std::unique_ptr<CompiledSection>> sections;  // `section` is not set
        std::vector<std::uint32_t> numbers;                      // of these
        std::vector<NativeCallee> functions;                     // by place in the record; none when missing
        CodeRecord record;                                       // of these
    };
    std::optional<Restored> restore(const Program& program);
    // Whether there is a place for a record, and the Program is not too large for it.
    bool records(const Program& program) const;
    // Writes down what was compiled since the last time, and the record; at any time, by any thread.
    void keep(const Program& program, const CodeRecord& record);

  private:
    using Images = std::unordered_map<Fingerprint, CodeImage, KeyHash>;
    bool loaded(std::string& problem);
    const std::string& identity() const;
    bool find(const Fingerprint& key, CodeImage& image);
    void made(const Fingerprint& key, const CodeImage& image);
    const void* host(std::uint32_t target) const;

    std::mutex mutex_;  // for all but what LLVM does
    std::shared_ptr<CodeStore> store_;
    std::unique_ptr<Compiler> compiler_;
    HostFunctions host_;
    CodeMemory memory_;
    std::unordered_map<Fingerprint, NativeFunction, KeyHash> whole_;  // in memory, without places
    std::mutex keep_mutex_;                                           // for the next two
    std::vector<std::pair<Fingerprint, std::string>> pending_;        // to be kept
    std::string kept_identity_;                                       // that keys of units have
    std::size_t pending_bytes_ = 0;
    UnitStatistics statistics_;
    bool tried_ = false;
    std::string problem_;
};

}  // namespace cutset::native
