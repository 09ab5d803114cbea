#include "base/cache_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/private_file.h"

namespace cutset {

namespace fs = std::filesystem;

namespace {

// A folder of ours that others may write into is closed to them; false when it is not ours.
bool close_to_others(const std::string& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat status {};
    const bool closed = descriptor >= 0 && ::fstat(descriptor, &status) == 0 &&
                        status.st_uid == ::geteuid() && ::fchmod(descriptor, 0700) == 0;
    if (descriptor >= 0) ::close(descriptor);
    return closed;
}

}  // namespace

std::string cache_folder() {
    const auto variable = [](const char* name) -> std::string {
        const char* value = std::getenv(name);
        return value ? value : "";
    };
    std::string folder = variable("CUTSET_CACHE");
    if (folder == "off") return "";
    const bool named = !folder.empty();
    if (folder.empty() && !variable("XDG_CACHE_HOME").empty())
        folder = variable("XDG_CACHE_HOME") + "/cutset";
    if (folder.empty() && !variable("HOME").empty()) folder = variable("HOME") + "/.cache/cutset";
    std::error_code ec;
    if (folder.empty() || !fs::exists(folder, ec) || is_private_folder(folder)) return folder;
    return !named && close_to_others(folder) ? folder : "";
}

std::string file_version(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return "";
    return fmt::format("{}.{}.{}.{}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
                       status.st_ino);
}

void remove_oldest(const std::string& folder, const std::vector<std::string>& endings,
                   std::uintmax_t most_bytes, const std::string& newest) {
    struct Entry {
        fs::file_time_type used;
        std::uintmax_t size;
        fs::path path;
    };
    std::vector<Entry> entries;
    std::uintmax_t sum = 0;
    std::error_code ec;
    for (fs::directory_iterator at(folder, ec), end; !ec && at != end; at.increment(ec)) {
        std::error_code gone;
        const std::string ending = at->path().extension().string();
        const bool meant =
            endings.empty() || std::find(endings.begin(), endings.end(), ending) != endings.end();
        if (!meant || !at->is_regular_file(gone)) continue;
        const auto used = at->last_write_time(gone);
        const std::uintmax_t size = gone ? 0 : at->file_size(gone);
        if (gone) continue;  // another program has removed it
        entries.push_back({used, size, at->path()});
        sum += size;
    }
    if (sum <= most_bytes) return;
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
    for (const Entry& entry : entries) {
        if (sum <= most_bytes) return;
        if (entry.path == newest) continue;
        if (fs::remove(entry.path, ec)) sum -= entry.size;
    }
}

}  // namespace cutset
