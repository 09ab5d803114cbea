// A file replaced in one go: what was there stays until all of the new content is written.
#pragma once

#include <string>
#include <string_view>

namespace cutset {

enum class FileMode {
    AsBefore,  // that of the file replaced; of a new one what the user's mask of permissions (umask) leaves
    Private,   // 0600
};

// Writes a temporary file in the same folder and renames it. False with the reason in `problem`.
bool write_replacing(const std::string& path, std::string_view bytes, FileMode mode, std::string& problem);

}  // namespace cutset
