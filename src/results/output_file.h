// A file that grows while a run goes on and gets its final name at the end, by rename. Until then it has a
// name beside it (`out.partial.csv`), under which it can be read at any moment. It is locked (flock) as long
// as that is its name, so that what a program that was ended has left can be told from what grows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cutset {

// What went wrong, naming the file; nothing when all is well.
using Problem = std::optional<std::string>;

class OutputFile {
  public:
    OutputFile() = default;
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile() { close(true); }

    Problem open(const std::string& path);
    bool is_open() const { return descriptor_ >= 0; }
    // False for a pipe or a terminal.
    bool can_overwrite() const { return !direct_; }

    // Appends; `written` tells how much of `bytes` arrived when a problem is returned.
    Problem append(std::string_view bytes, std::size_t& written);
    Problem overwrite(std::uint64_t offset, std::string_view bytes);
    // Cuts the end off, so that what remains is whole.
    void truncate(std::uint64_t size);
    std::uint64_t size() const { return size_; }
    int descriptor() const { return descriptor_; }  // to read what was written

    // Keeps the file under its final name, or removes it and leaves an older file of that name alone.
    Problem close(bool keep);

  private:
    Problem failed(const char* what, int error) const;

    std::string path_;       // as the user wrote it
    std::string target_;     // with symbolic links followed
    std::string temporary_;  // empty when written directly
    bool direct_ = false;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

// Of `out.partial.csv` and `out.partial-2.csv`: `out.csv`. Nothing for other names.
std::optional<std::string> target_of_partial(const std::string& name);
// Removes the partial file of a program that was ended; one that is being written stays.
void remove_abandoned(const std::string& partial);

// A text as a file of its own, atomically.
Problem write_whole_file(const std::string& path, std::string_view text);

}  // namespace cutset
