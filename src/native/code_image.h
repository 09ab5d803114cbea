// Machine code of one unit (a piece of a section, a function of the language) as bytes that may lie anywhere:
// what is put into memory, and what is kept on disk from one start of the program to the next.
//
// Nothing in it belongs to one process or to one Program: the places of the values it works on and what it
// calls are filled in when it is put into memory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generate/machine_code.h"

namespace cutset::native {

// What code may call: elementary functions by Op, others of the program, or what a call site of a function of
// the language names, with its kind of derivatives (site_target).
enum HostTarget : std::uint32_t {
    function_target = 0,
    call_target = 256,
    solve_target,
    delay_target,
    callee_target,
    call_all_target,
    power_target,
    pow_target,
    memcpy_target,
    first_site = 512
};
constexpr std::uint32_t most_sites = 1u << 24;
constexpr std::uint32_t site_target(std::size_t site, FunctionKind kind) {
    return static_cast<std::uint32_t>(first_site + site * function_kinds + static_cast<std::size_t>(kind));
}
constexpr bool is_site(std::uint32_t target) {
    return target >= first_site && target < site_target(most_sites, FunctionKind::Value);
}
constexpr std::uint32_t site_of(std::uint32_t target) {
    return (target - first_site) / function_kinds;
}
constexpr FunctionKind kind_of(std::uint32_t target) {
    return static_cast<FunctionKind>((target - first_site) % function_kinds);
}

struct CodeImage {
    std::string bytes;  // code, then its constants; it begins with the entry
    struct Place {
        std::uint32_t at = 0;      // these 32 bits are
        std::uint32_t column = 0;  // 8·(place of this column)
        std::int32_t addend = 0;   //   + addend
    };
    struct Call {
        std::uint32_t at = 0;  // these 32 bits are the way from their end
        std::uint32_t target = 0;
    };
    std::vector<Place> places;
    std::vector<Call> calls;
    void* linked =
        nullptr;  // in memory already, for targets whose code is put there by LLVM; the rest is empty

    std::string archive() const;
    // Nothing when it is no image, or when something in it lies outside.
    static std::optional<CodeImage> unarchive(std::string_view bytes);
};

// Memory for code: written, then made executable, never both.
class CodeMemory {
  public:
    CodeMemory() = default;
    ~CodeMemory();
    CodeMemory(const CodeMemory&) = delete;
    CodeMemory& operator=(const CodeMemory&) = delete;

    // Copies the images side by side and says where they begin. False when there is no memory for them.
    bool open(std::span<const CodeImage* const> images, std::vector<char*>& begins);
    // Fills in one of them. `places` by column; `target`: where a function is.
    void link(char* begin, const CodeImage& image, std::span<const std::uint32_t> places,
              const std::function<const void*(std::uint32_t)>& target);
    // What was opened becomes executable.
    bool close();

  private:
    struct Block {
        char* begin = nullptr;
        std::size_t size = 0;
    };
    std::vector<Block> blocks_;
    std::size_t used_ = 0;    // of the last block; whole pages
    std::size_t opened_ = 0;  // where the open part begins
};

}  // namespace cutset::native
