// A Program with all that it refers to as bytes, and back: for caches on disk.
//
// The bytes are meant for the very program that wrote them; whoever keeps them has to see to that.
// Expressions are written as a list of nodes in the order of their age, so that a Pool that is read back has
// the same order. Bytes that are damaged give nothing, never a wrong Program: a checksum stands before them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "ir/program.h"

namespace cutset {

struct ArchivedProgram {
    Program program;
    std::vector<Diagnostic> messages;  // of its translation
};

// The bytes, after `before`. Nothing when the Partition has decisions, which are functions, or when they are
// more than `largest`.
std::optional<std::string> archive(const Program& program, const std::vector<Diagnostic>& messages,
                                   std::size_t largest = std::string::npos, std::string before = {});
std::optional<ArchivedProgram> unarchive(std::string_view bytes);

// 128 bits of a text, for keys and checks.
struct Fingerprint {
    std::uint64_t high = 0, low = 0;
    bool operator==(const Fingerprint&) const = default;
    std::string text() const;  // 32 hexadecimal digits
};
Fingerprint fingerprint(std::string_view bytes);

}  // namespace cutset
