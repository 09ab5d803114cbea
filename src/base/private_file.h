// Files that only their user could have written: what is kept between runs is used without being checked
// for sense, so it must come from the user's own hand.
//
// A private file is a regular file (no link, no FIFO, no device) that belongs to the user and that no other
// may read or write. Looking at one never waits.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cutset {

class PrivateFile {
  public:
    // Nothing when there is none, when it is not private, or has more than `largest` bytes.
    static std::optional<PrivateFile> open(const std::string& path, std::size_t largest);
    PrivateFile(PrivateFile&& other) noexcept;
    PrivateFile& operator=(PrivateFile&&) = delete;
    ~PrivateFile();

    std::size_t size() const { return size_; }  // when it was opened
    std::size_t left() const { return size_ - done_; }
    // The next bytes, all of them; false when there are fewer.
    bool read(char* to, std::size_t count);
    // It was used: what was not goes first (remove_oldest). Noted at most once in an hour.
    void touch() const;

  private:
    PrivateFile(int descriptor, std::size_t size) : descriptor_(descriptor), size_(size) {}
    int descriptor_;
    std::size_t size_, done_ = 0;
};

// The whole of it.
std::optional<std::string> read_private_file(const std::string& path, std::size_t largest);
// Replaces it atomically; false when it cannot be written.
bool write_private_file(const std::string& path, std::string_view bytes);
// Makes the folder and those above it that are missing, for this user only. False when it is not there then.
bool make_private_folder(const std::string& path);
// Whether the folder belongs to the user and no other may write into it.
bool is_private_folder(const std::string& path);

}  // namespace cutset
