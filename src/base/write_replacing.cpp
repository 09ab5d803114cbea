#include "base/write_replacing.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>

#include "base/source.h"

namespace cutset {

namespace {

// A new file beside `path`, open for writing: its descriptor, or -1 with errno.
int open_beside(const std::string& path, mode_t mode, std::string& name) {
    static constexpr char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    std::random_device random;
    for (int attempt = 0; attempt < 100; ++attempt) {
        name = path + ".";
        for (int i = 0; i < 6; ++i) name += letters[random() % (sizeof letters - 1)];
        const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (descriptor >= 0 || errno != EEXIST) return descriptor;
    }
    return -1;
}

bool write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n == 0) errno = ENOSPC;
        if (n <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

}  // namespace

bool write_replacing(const std::string& path, std::string_view bytes, FileMode mode, std::string& problem) {
    std::string temporary;
    const int descriptor = open_beside(path, mode == FileMode::Private ? 0600 : 0666, temporary);
    if (descriptor < 0) {
        problem = std::strerror(errno);
        return false;
    }
    struct stat before {};
    const bool same_mode =
        mode == FileMode::AsBefore && ::stat(path.c_str(), &before) == 0 && S_ISREG(before.st_mode);
    bool good = !same_mode || ::fchmod(descriptor, before.st_mode & 0777) == 0;
    good = good && write_all(descriptor, bytes);
    int error = errno;
    if (::close(descriptor) != 0 && good) {
        error = errno;
        good = false;
    }
    if (good && ::rename(temporary.c_str(), path.c_str()) != 0) {
        error = errno;
        good = false;
    }
    if (good) return true;
    problem = std::strerror(error);
    ::unlink(temporary.c_str());
    return false;
}

bool write_file(const std::string& path, std::string_view text, std::string& problem) {
    return write_replacing(path, text, FileMode::AsBefore, problem);
}

}  // namespace cutset
