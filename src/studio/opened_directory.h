// The directory that a studio was opened with: its files by name, and nothing outside of it.
//
// Names are relative, with `/`. The kernel resolves them beneath the directory (openat2), so that neither
// `..` nor a link leads out. Only regular files of the languages that are read, of at most 16 MB and in
// UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "studio/message.h"

namespace cutset::studio {

// "dymola" for plant.dym; nothing for files that are no models.
std::optional<std::string> language_of(std::string_view file);
struct LanguageEnding {
    const char* name;
    const char* ending;
};
const std::vector<LanguageEnding>& languages();

// Why a name is none, or nothing: empty, absolute, `..`, hidden, control characters, another ending.
std::optional<Refusal> bad_name(const std::string& name);

// Whether a file is the one that was read.
struct FileVersion {
    std::uint64_t inode = 0, size = 0, hash = 0;
    std::int64_t modified = 0;  // nanoseconds
    bool operator==(const FileVersion&) const = default;
};
std::uint64_t hash_of(std::string_view bytes);

struct ReadText {
    std::string text;
    FileVersion version;
};
struct ListedFile {
    std::string name;
    std::uint64_t size = 0;
};

class OpenedDirectory {
  public:
    // Nothing with the reason when it cannot be opened.
    static std::optional<OpenedDirectory> open(const std::string& path, std::string& problem);
    OpenedDirectory(OpenedDirectory&& other) noexcept;
    OpenedDirectory& operator=(OpenedDirectory&&) = delete;
    ~OpenedDirectory();

    const std::string& path() const { return path_; }  // absolute, without links
    // Sorted by name; at most 10000, `truncated` when there are more. Hidden folders are left out.
    std::vector<ListedFile> list(bool& truncated) const;
    // Folders with models, for those who watch them; "" is the directory itself.
    std::vector<std::string> folders() const;
    bool exists(const std::string& name) const;
    std::variant<ReadText, Refusal> read(const std::string& name) const;
    // Replaces it atomically and durably; mode and owner stay, a link within the directory is followed.
    std::variant<FileVersion, Refusal> write(const std::string& name, std::string_view text) const;
    // Into .cutset-trash of the directory.
    std::optional<Refusal> remove(const std::string& name) const;
    std::optional<Refusal> rename(const std::string& from, const std::string& to) const;

  private:
    OpenedDirectory(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
    int open_beneath(const std::string& name, int flags) const;
    int open_folder(const std::string& name, std::string& last) const;

    int descriptor_;
    std::string path_;
};

}  // namespace cutset::studio
