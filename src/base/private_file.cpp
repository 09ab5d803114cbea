#include "base/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <filesystem>
#include <utility>

#include "base/write_replacing.h"

namespace cutset {

namespace {

constexpr std::time_t touch_after = 3600;  // seconds

}  // namespace

std::optional<PrivateFile> PrivateFile::open(const std::string& path, std::size_t largest) {
    // Without O_NONBLOCK a FIFO would wait for a writer.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) return std::nullopt;
    struct stat status {};
    const bool good = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                      status.st_uid == ::geteuid() && (status.st_mode & 077) == 0 && status.st_size > 0 &&
                      static_cast<std::size_t>(status.st_size) <= largest;
    if (good) return PrivateFile(descriptor, static_cast<std::size_t>(status.st_size));
    ::close(descriptor);
    return std::nullopt;
}

PrivateFile::PrivateFile(PrivateFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_), done_(other.done_) {}

PrivateFile::~PrivateFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

bool PrivateFile::read(char* to, std::size_t count) {
    while (count > 0) {
        const ssize_t n = ::read(descriptor_, to, count);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        to += n;
        count -= static_cast<std::size_t>(n);
        done_ += static_cast<std::size_t>(n);
    }
    return true;
}

void PrivateFile::touch() const {
    struct stat status {};
    if (::fstat(descriptor_, &status) == 0 && std::time(nullptr) - status.st_mtim.tv_sec > touch_after)
        ::futimens(descriptor_, nullptr);
}

std::optional<std::string> read_private_file(const std::string& path, std::size_t largest) {
    auto file = PrivateFile::open(path, largest);
    if (!file) return std::nullopt;
    std::string bytes(file->size(), '\0');
    if (!file->read(bytes.data(), bytes.size())) return std::nullopt;
    file->touch();
    return bytes;
}

bool write_private_file(const std::string& path, std::string_view bytes) {
    std::string problem;
    return write_replacing(path, bytes, FileMode::Private, problem);
}

bool make_private_folder(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code ec;
    fs::path made;
    for (const fs::path& part : fs::path(path)) {
        made /= part;
        if (!fs::exists(made, ec)) ::mkdir(made.c_str(), 0700);
    }
    return fs::is_directory(path, ec);
}

bool is_private_folder(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace cutset
