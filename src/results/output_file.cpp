#include "results/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "results/messages.h"

namespace cutset {

namespace {

// Locks a file that was just made. False when remove_abandoned came in between.
bool claim(int descriptor) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
    struct stat info;
    return ::fstat(descriptor, &info) == 0 && info.st_nlink > 0;
}

}  // namespace

Problem OutputFile::failed(const char* what, int error) const {
    return fmt::format("{}: {}: {}", path_, what, std::strerror(error));
}

Problem OutputFile::open(const std::string& path) {
    path_ = path;
    target_ = path;
    size_ = 0;
    std::optional<mode_t> mode;  // of the file that is replaced
    struct stat info;
    if (::stat(path.c_str(), &info) == 0) {
        if (S_ISDIR(info.st_mode)) return failed("cannot be written", EISDIR);
        direct_ = !S_ISREG(info.st_mode);
        if (!direct_ && ::access(path.c_str(), W_OK) != 0) return failed("cannot be replaced", errno);
        std::error_code ignored;
        const auto real = std::filesystem::canonical(path, ignored);
        if (!ignored) target_ = real.string();
        if (!direct_) mode = info.st_mode & 0777;
    }
    if (direct_) {
        descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor_ < 0) return failed("cannot be written", errno);
        return std::nullopt;
    }
    // Not a fixed name: two runs may write the same result at the same time.
    const std::filesystem::path target(target_);
    const std::string ending = target.extension().string();
    const std::string stem = target_.substr(0, target_.size() - ending.size()) + ".partial";
    for (int attempt = 1; attempt <= 1000; ++attempt) {
        temporary_ = stem + (attempt > 1 ? "-" + std::to_string(attempt) : std::string()) + ending;
        descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ >= 0) {
            if (mode) ::fchmod(descriptor_, *mode);
            if (claim(descriptor_)) return std::nullopt;
            ::close(descriptor_);
            descriptor_ = -1;
            errno = EEXIST;
        }
        if (errno != EEXIST) break;
    }
    const int error = errno;
    if (error == EEXIST)
        return fmt::format("{}: too many unfinished results beside it ({})", path_, temporary_);
    std::error_code ignored;
    const std::filesystem::path directory = target.parent_path();
    if (error == ENOENT && !directory.empty() && !std::filesystem::exists(directory, ignored))
        return results_messages::no_directory(path_, directory.string());
    return failed("cannot be written", error);
}

Problem OutputFile::append(std::string_view bytes, std::size_t& written) {
    written = 0;
    while (written < bytes.size()) {
        const ssize_t n = ::write(descriptor_, bytes.data() + written, bytes.size() - written);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return failed("writing stopped", n < 0 ? errno : ENOSPC);
        written += static_cast<std::size_t>(n);
        size_ += static_cast<std::uint64_t>(n);
    }
    return std::nullopt;
}

Problem OutputFile::overwrite(std::uint64_t offset, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return failed("writing stopped", n < 0 ? errno : ENOSPC);
        bytes.remove_prefix(static_cast<std::size_t>(n));
        offset += static_cast<std::uint64_t>(n);
    }
    return std::nullopt;
}

void OutputFile::truncate(std::uint64_t size) {
    if (direct_ || ::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) return;
    ::lseek(descriptor_, 0, SEEK_END);
    size_ = size;
}

namespace {

// Whether the file was begun a moment ago, so that writing it again would take no longer.
bool just_begun(int descriptor) {
    struct statx status {};
    struct timespec now {};
    if (::statx(descriptor, "", AT_EMPTY_PATH, STATX_BTIME, &status) != 0) return false;
    if (!(status.stx_mask & STATX_BTIME) || ::clock_gettime(CLOCK_REALTIME, &now) != 0) return false;
    const double passed = double(now.tv_sec - status.stx_btime.tv_sec) +
                          1e-9 * (double(now.tv_nsec) - status.stx_btime.tv_nsec);
    return passed >= 0 && passed < 0.5;
}

}  // namespace

Problem OutputFile::close(bool keep) {
    if (descriptor_ < 0) return std::nullopt;
    Problem problem;
    // Before the rename, or a crash of the machine could leave an empty file in place of an older good one.
    // Where the run took a moment, waiting for the disk would take longer than to run it again.
    if (!direct_ && keep && !just_begun(descriptor_) && ::fdatasync(descriptor_) != 0 && errno != EINVAL)
        problem = failed("writing stopped", errno);
    const int lock = ::dup(descriptor_);  // it holds until the file has its name
    if (::close(descriptor_) != 0 && !problem) problem = failed("writing stopped", errno);
    descriptor_ = -1;
    if (!direct_ && !keep) {
        ::unlink(temporary_.c_str());
    } else if (!direct_ && ::rename(temporary_.c_str(), target_.c_str()) != 0) {
        const int error = errno;
        problem = fmt::format("{}: cannot be replaced: {}; the results are in {}", path_,
                              std::strerror(error), temporary_);
    }
    if (lock >= 0) ::close(lock);
    return problem;
}

std::optional<std::string> target_of_partial(const std::string& name) {
    constexpr std::string_view mark = ".partial";
    const std::string ending = std::filesystem::path(name).extension().string();
    const std::size_t at = name.rfind(mark);
    if (at == std::string::npos || at + mark.size() + ending.size() > name.size()) return std::nullopt;
    const std::string number = name.substr(at + mark.size(), name.size() - at - mark.size() - ending.size());
    if (!number.empty() && (number.size() < 2 || number[0] != '-' ||
                            number.find_first_not_of("0123456789", 1) != std::string::npos))
        return std::nullopt;
    return name.substr(0, at) + ending;
}

void remove_abandoned(const std::string& partial) {
    const int descriptor = ::open(partial.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return;
    // Only who writes a file renames it, and holds its lock: with the lock ours, the name stays.
    struct stat locked, named;
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && ::fstat(descriptor, &locked) == 0 &&
        ::stat(partial.c_str(), &named) == 0 && locked.st_dev == named.st_dev &&
        locked.st_ino == named.st_ino)
        ::unlink(partial.c_str());
    ::close(descriptor);
}

Problem write_whole_file(const std::string& path, std::string_view text) {
    OutputFile file;
    if (Problem problem = file.open(path)) return problem;
    std::size_t written = 0;
    if (Problem problem = file.append(text, written)) {
        file.close(false);
        return problem;
    }
    return file.close(true);
}

}  // namespace cutset
