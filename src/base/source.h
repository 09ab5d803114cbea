// Source texts and regions of them. A Span is a small value that every node carries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/index.h"

namespace cutset {

using SourceId = Index<struct SourceTag>;

// Bytes [begin, end) of one source. Source 0 is the empty text "<none>", for nodes with no place of their
// own.
struct Span {
    SourceId source;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool known() const { return source.value != 0; }
    bool operator==(const Span&) const = default;
};

// From the start of `a` to the end of `b`, both in one source.
Span join(Span a, Span b);

struct Location {
    std::string file;
    std::size_t line = 0;    // from 1
    std::size_t column = 0;  // from 1, in characters
};

class Sources {
  public:
    Sources();
    SourceId add(std::string name, std::string text);
    SourceId end() const { return files_.end_index(); }
    const std::string& name(SourceId id) const { return files_[id].name; }
    const std::string& text(SourceId id) const { return files_[id].text; }
    std::string_view text(Span span) const;
    Location locate(SourceId id, std::uint32_t offset) const;
    Location locate(Span span) const { return locate(span.source, span.begin); }
    std::string_view line(SourceId id, std::size_t number) const;

  private:
    struct File {
        std::string name;
        std::string text;
        std::vector<std::uint32_t> line_starts;
    };
    IndexedVector<SourceId, File> files_;
};

enum class InputKind {
    Any,       // what the user names: also a pipe or the terminal
    FileOnly,  // what a model or a folder names: nothing that may wait or never end
};
// The whole file, or nothing with the reason in `problem`. Devices are not read, but for /dev/null.
std::optional<std::string> read_file(const std::string& path, std::string& problem, InputKind kind);
std::optional<std::string> read_file(const std::string& path, std::string& problem);  // of any kind

// Replaces `path` atomically (base/write_replacing.h); its permissions stay, those of a new file are what the
// user's umask leaves. False with a reason on failure.
bool write_file(const std::string& path, std::string_view text, std::string& problem);

}  // namespace cutset
