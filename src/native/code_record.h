// What the machine code of a Program consisted of when it was last run: units by key, with the places that
// they work on. The next start of the same Program puts all of it into memory without a plan, and without
// LLVM.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fingerprint.h"
#include "generate/machine_code.h"

namespace cutset::native {

struct RecordedStep {
    Fingerprint key;
    std::uint64_t count = 1;
    std::vector<std::uint32_t> places, table;
};

struct RecordedSection {
    std::uint32_t number = 0;
    std::uint64_t scratch = 0;
    std::vector<RecordedStep> steps;
};

struct RecordedFunction {
    std::uint32_t callee = 0;
    FunctionKind kind = FunctionKind::Value;
    std::uint8_t careful = 0;
    std::uint32_t places[2] = {0, 0};  // FunctionPlan::remembered, with_derivative
    Fingerprint key;
    std::vector<std::uint32_t> called;  // the callee of each of its sites
};

struct CodeRecord {
    std::vector<RecordedSection> sections;
    std::vector<RecordedFunction> functions;

    std::string archive() const;
    static std::optional<CodeRecord> unarchive(std::string_view bytes);
};

}  // namespace cutset::native
