#include "shell/shell_history.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace cutset::cli {

namespace {

constexpr std::size_t most_lines = 2000;
constexpr std::size_t longest_line = 4096;

// Folders of our own are private.
void make_folder(const std::filesystem::path& folder) {
    std::error_code ignored;
    if (folder.empty() || std::filesystem::exists(folder, ignored)) return;
    std::filesystem::create_directories(folder.parent_path(), ignored);
    ::mkdir(folder.c_str(), 0700);
}

bool write_all(int file, const std::string& text) {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t n = ::write(file, text.data() + done, text.size() - done);
        if (n <= 0) return false;
        done += static_cast<std::size_t>(n);
    }
    return true;
}

// A plain file of this user, which no other user may read from now on: lines are neither taken from others
// nor shown to them.
bool is_ours(int file) {
    struct stat found {};
    if (::fstat(file, &found) != 0 || !S_ISREG(found.st_mode) || found.st_uid != ::geteuid()) return false;
    return (found.st_mode & 077) == 0 || ::fchmod(file, 0600) == 0;
}

}  // namespace

std::string state_folder() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value ? value : "");
    };
    if (const std::string state = variable("XDG_STATE_HOME"); !state.empty()) return state + "/cutset";
    if (const std::string home = variable("HOME"); !home.empty()) return home + "/.local/state/cutset";
    return {};
}

std::string recovery_folder() {
    const std::string folder = state_folder();
    return folder.empty() ? folder : folder + "/unwritten";
}

std::optional<std::string> History::default_path() {
    if (const char* given = std::getenv("CUTSET_HISTORY")) {
        const std::string path = given;
        if (path.empty() || path == "off") return std::nullopt;
        return path;
    }
    const std::string folder = state_folder();
    if (folder.empty()) return std::nullopt;
    return folder + "/history";
}

History::History(std::optional<std::string> path) : path_(std::move(path)) {
    if (!path_) return;
    std::error_code ignored;
    if (std::filesystem::exists(*path_, ignored) && !std::filesystem::is_regular_file(*path_, ignored)) {
        path_.reset();
        return;
    }
    make_folder(std::filesystem::path(*path_).parent_path());
    // The lock keeps two sessions from shortening at once, or one from appending to what is replaced.
    const int file = ::open(path_->c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    if (file < 0) return;
    if (!is_ours(file)) {
        ::close(file);
        path_.reset();
        return;
    }
    ::flock(file, LOCK_EX);
    std::ifstream in(*path_);
    for (std::string line; std::getline(in, line);)
        if (!line.empty() && line.size() <= longest_line) lines_.push_back(line);
    if (lines_.size() > most_lines) {
        lines_.erase(lines_.begin(), lines_.end() - static_cast<std::ptrdiff_t>(most_lines / 2));
        std::string text;
        for (const std::string& line : lines_) text += line + "\n";
        const std::string fresh = fmt::format("{}.{}", *path_, ::getpid());
        const int replacement = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (replacement >= 0) {
            const bool written = write_all(replacement, text) && ::fsync(replacement) == 0;
            ::close(replacement);
            if (!written || std::rename(fresh.c_str(), path_->c_str()) != 0) ::unlink(fresh.c_str());
        }
    }
    ::close(file);
}

void History::add(const std::string& line) {
    if (line.empty() || line[0] == ' ' || line.size() > longest_line) return;
    if (line.find_first_of("\r\n") != std::string::npos) return;
    if (!lines_.empty() && lines_.back() == line) return;
    lines_.push_back(line);
    if (!path_) return;
    for (int attempt = 0; attempt < 3; ++attempt) {
        const int file = ::open(path_->c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
        if (file < 0) return;
        ::flock(file, LOCK_EX);
        // Another session may have replaced the file while we waited.
        struct stat ours {
        }, there{};
        const bool same = is_ours(file) && ::fstat(file, &ours) == 0 && ::stat(path_->c_str(), &there) == 0 &&
                          ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
        if (same) write_all(file, line + "\n");
        ::close(file);
        if (same) return;
    }
}

}  // namespace cutset::cli
