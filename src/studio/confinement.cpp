#include "studio/confinement.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace cutset::studio {

namespace {

// Of later kernels, where the header is older. Numbers of the interface, which never change.
constexpr std::uint64_t refer = std::uint64_t(1) << 13, truncate_file = std::uint64_t(1) << 14;
constexpr std::uint64_t bind_tcp = 1, connect_tcp = 2;
struct Rules {  // landlock_ruleset_attr of version 4; a kernel takes the part that it knows
    std::uint64_t files = 0, network = 0;
};

constexpr std::uint64_t reading =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t of_files =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | truncate_file;

int version() {
    return int(::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
}

std::uint64_t handled(int version) {
    std::uint64_t all = (std::uint64_t(1) << 13) - 1;  // of the first version
    if (version >= 2) all |= refer;
    if (version >= 3) all |= truncate_file;
    return all;
}

bool allow(int rules, const std::string& path, std::uint64_t access) {
    landlock_path_beneath_attr below{};
    below.parent_fd = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    if (below.parent_fd < 0) return errno == ENOENT || errno == EACCES;  // then there is nothing to allow
    struct stat s {};
    if (::fstat(below.parent_fd, &s) == 0 && !S_ISDIR(s.st_mode)) access &= of_files;
    below.allowed_access = access;
    const bool done = ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &below, 0) == 0;
    ::close(below.parent_fd);
    return done;
}

}  // namespace

bool can_confine() {
    return version() >= 1;
}

bool confine(const Confinement& allowed, std::string& problem) {
    const int kernel = version();
    const auto fail = [&] {
        problem = std::strerror(errno);
        return false;
    };
    if (kernel < 1) return fail();
    Rules rules{handled(kernel), kernel >= 4 ? bind_tcp | connect_tcp : 0};
    const int descriptor = int(
        ::syscall(SYS_landlock_create_ruleset, &rules, kernel >= 4 ? sizeof rules : sizeof rules.files, 0));
    if (descriptor < 0) return fail();
    bool good = true;
    for (const std::string& path : allowed.read) good = good && allow(descriptor, path, reading);
    for (const std::string& path : allowed.write) good = good && allow(descriptor, path, handled(kernel));
    good = good && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           ::syscall(SYS_landlock_restrict_self, descriptor, 0) == 0;
    const int error = errno;
    ::close(descriptor);
    errno = error;
    return good || fail();
}

}  // namespace cutset::studio
