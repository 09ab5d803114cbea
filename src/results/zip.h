// ZIP archives, as far as .npz files need them: members that are stored as they are, of any size (the 64-bit
// fields are always there); for reading also deflated ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutset::zip {

struct Member {
    std::string name;
    std::uint32_t crc = 0;
    std::uint64_t size = 0;    // of its content
    std::uint64_t offset = 0;  // of its header in the file
};

// What stands before the content.
std::string local_header(const Member& member);

// What stands at the end of the file; `offset`: how much stands before it.
std::string directory(const std::vector<Member>& members, std::uint64_t offset);

std::uint32_t crc_of(std::uint32_t before, std::string_view bytes);

// A file in memory, which must outlive it.
class Archive {
  public:
    struct Entry {
        std::string name;
        std::uint64_t offset = 0, packed = 0, size = 0;
        std::uint32_t crc = 0;
        unsigned method = 0;
    };
    // Nothing, with the reason, when it is none or damaged.
    static std::optional<Archive> open(std::string_view bytes, std::string& problem);
    const std::vector<Entry>& entries() const { return entries_; }
    // The content, in `unpacked` where it was deflated; with its checksum looked at, unless it is still
    // growing.
    std::optional<std::string_view> read(const Entry& entry, bool growing, std::string& unpacked,
                                         std::string& problem) const;

  private:
    std::string_view bytes_;
    std::vector<Entry> entries_;
};

}  // namespace cutset::zip
