#include "studio/opened_directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <utility>

#include "base/utf8.h"
#include "studio/messages.h"
#include "studio/text_document.h"

namespace cutset::studio {

namespace {

constexpr std::size_t most_files = 10000, deepest_folder = 12;
constexpr const char* trash = ".cutset-trash";

// A descriptor that is closed at the end of its block.
class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    int number() const { return number_; }
    explicit operator bool() const { return number_ >= 0; }

  private:
    int number_;
};

std::string reason(int error) {
    if (error == EXDEV) return "it leads out of the opened directory";
    return std::strerror(error);
}

FileVersion version_of(const struct stat& s, std::string_view text) {
    return {s.st_ino, std::uint64_t(s.st_size), hash_of(text),
            std::int64_t(s.st_mtim.tv_sec) * 1'000'000'000 + s.st_mtim.tv_nsec};
}

bool write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes.remove_prefix(std::size_t(n));
    }
    return true;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

// Where the descriptor leads, "" when that cannot be told.
std::string path_of(int descriptor) {
    std::string path(PATH_MAX, '\0');
    const ssize_t n =
        ::readlink(fmt::format("/proc/self/fd/{}", descriptor).c_str(), path.data(), path.size());
    path.resize(n > 0 ? std::size_t(n) : 0);
    return path;
}

}  // namespace

const std::vector<LanguageEnding>& languages() {
    static const std::vector<LanguageEnding> all = {
        {"dymola", ".dym"}, {"simnon", ".t"}, {"modelica", ".mo"}, {"omola", ".om"}, {"el", ".el"}};
    return all;
}

std::optional<std::string> language_of(std::string_view file) {
    for (const LanguageEnding& l : languages())
        if (file.size() > std::strlen(l.ending) && file.ends_with(l.ending)) return l.name;
    return std::nullopt;
}

std::optional<Refusal> bad_name(const std::string& name) {
    const auto bad = [&](const char* why) { return messages::bad_file_name(name.substr(0, 300), why); };
    if (name.empty() || name.size() > 1024) return bad("it is empty or too long");
    if (name.starts_with("library:")) return bad("so are those of libraries called");
    if (name.front() == '/') return bad("it is not relative to the opened directory");
    for (const char c : name)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\')
            return bad("it holds a character that names of files here do not have");
    std::size_t begin = 0;
    while (begin <= name.size()) {
        const std::size_t end = std::min(name.find('/', begin), name.size());
        if (end == begin) return bad("a folder in it has no name");
        if (name[begin] == '.') return bad("a part of it begins with a dot");
        if (end - begin > 255) return bad("a part of it is too long");
        begin = end + 1;
    }
    if (!language_of(name)) return bad("its ending is not that of a model (.dym, .t, .mo, .om, .el)");
    return std::nullopt;
}

std::uint64_t hash_of(std::string_view bytes) {
    std::uint64_t h = 0xcbf29ce484222325;
    for (const char c : bytes) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return h;
}

std::optional<OpenedDirectory> OpenedDirectory::open(const std::string& path, std::string& problem) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
        problem = std::strerror(errno);
        return std::nullopt;
    }
    OpenedDirectory opened(descriptor, path_of(descriptor));
    if (const int self = opened.open_beneath(".", O_PATH); self >= 0) {
        ::close(self);
        return opened;
    }
    problem = errno == ENOSYS
                  ? "this kernel has no openat2 (Linux 5.6), which the studio needs to stay within it"
                  : std::strerror(errno);
    return std::nullopt;
}

OpenedDirectory::OpenedDirectory(OpenedDirectory&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

OpenedDirectory::~OpenedDirectory() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

int OpenedDirectory::open_beneath(const std::string& name, int flags) const {
    open_how how{};
    how.flags = std::uint64_t(flags) | O_CLOEXEC;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    long opened = -1;
    do opened = ::syscall(SYS_openat2, descriptor_, name.c_str(), &how, sizeof how);
    while (opened < 0 && (errno == EAGAIN || errno == EINTR));
    return int(opened);
}

// The folder of a file, and the file's name in it. A link is followed to the file that it leads to.
int OpenedDirectory::open_folder(const std::string& name, std::string& last) const {
    std::string real = name;
    if (const Descriptor file(open_beneath(name, O_PATH)); file) {
        const std::string there = path_of(file.number());
        if (there.starts_with(path_ + "/")) real = there.substr(path_.size() + 1);
    }
    const std::size_t slash = real.rfind('/');
    last = slash == std::string::npos ? real : real.substr(slash + 1);
    return open_beneath(slash == std::string::npos ? "." : real.substr(0, slash), O_RDONLY | O_DIRECTORY);
}

std::vector<std::string> OpenedDirectory::folders() const {
    std::vector<std::string> out = {""};
    for (std::size_t i = 0; i < out.size() && out.size() < 1000; ++i) {
        if (std::size_t(std::count(out[i].begin(), out[i].end(), '/')) >= deepest_folder) continue;
        const int descriptor = open_beneath(out[i].empty() ? "." : out[i], O_RDONLY | O_DIRECTORY);
        DIR* const folder = descriptor >= 0 ? ::fdopendir(descriptor) : nullptr;
        if (!folder) continue;
        std::vector<std::string> below;
        while (const dirent* const entry = ::readdir(folder))
            if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
                below.push_back(out[i].empty() ? entry->d_name : out[i] + "/" + entry->d_name);
        ::closedir(folder);
        std::sort(below.begin(), below.end());
        out.insert(out.end(), below.begin(), below.end());
    }
    return out;
}

std::vector<ListedFile> OpenedDirectory::list(bool& truncated) const {
    std::vector<ListedFile> out;
    truncated = false;
    for (const std::string& place : folders()) {
        const int descriptor = open_beneath(place.empty() ? "." : place, O_RDONLY | O_DIRECTORY);
        DIR* const folder = descriptor >= 0 ? ::fdopendir(descriptor) : nullptr;
        if (!folder) continue;
        while (const dirent* const entry = ::readdir(folder)) {
            const std::string name = place.empty() ? entry->d_name : place + "/" + entry->d_name;
            if (bad_name(name)) continue;
            struct stat s {};
            const Descriptor file(open_beneath(name, O_PATH));
            if (!file || ::fstat(file.number(), &s) != 0 || !S_ISREG(s.st_mode)) continue;
            if (out.size() == most_files) {
                truncated = true;
                break;
            }
            out.push_back({name, std::uint64_t(s.st_size)});
        }
        ::closedir(folder);
    }
    std::sort(out.begin(), out.end(),
              [](const ListedFile& a, const ListedFile& b) { return a.name < b.name; });
    return out;
}

bool OpenedDirectory::exists(const std::string& name) const {
    return bool(Descriptor(open_beneath(name, O_PATH | O_NOFOLLOW)));  // a link that leads out, too
}

std::variant<ReadText, Refusal> OpenedDirectory::read(const std::string& name) const {
    if (auto bad = bad_name(name)) return *bad;
    const Descriptor file(open_beneath(name, O_RDONLY | O_NONBLOCK | O_NOCTTY));
    if (!file) return messages::cannot_read(name, reason(errno));
    struct stat s {};
    if (::fstat(file.number(), &s) != 0) return messages::cannot_read(name, reason(errno));
    if (!S_ISREG(s.st_mode)) return messages::cannot_read(name, "it is no regular file");
    if (std::uint64_t(s.st_size) > most_text_bytes)
        return messages::cannot_read(name, "it is larger than 16 MB");
    std::string text;
    char part[65536];
    while (true) {
        const ssize_t n = ::read(file.number(), part, sizeof part);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return messages::cannot_read(name, reason(errno));
        if (n == 0) break;
        text.append(part, std::size_t(n));
        if (text.size() > most_text_bytes) return messages::cannot_read(name, "it is larger than 16 MB");
    }
    if (!is_utf8(text)) return messages::cannot_read(name, "it is not UTF-8");
    return ReadText{text, version_of(s, text)};
}

std::variant<FileVersion, Refusal> OpenedDirectory::write(const std::string& name,
                                                          std::string_view text) const {
    if (auto bad = bad_name(name)) return *bad;
    std::string last;
    const Descriptor folder(open_folder(name, last));
    if (!folder) return messages::cannot_write(name, reason(errno));
    struct stat before {};
    const bool replaces = ::fstatat(folder.number(), last.c_str(), &before, AT_SYMLINK_NOFOLLOW) == 0;
    if (replaces && !S_ISREG(before.st_mode)) return messages::cannot_write(name, "it is no regular file");
    const std::string temporary = fmt::format(".{}.{}.tmp", last.substr(0, 200), ::getpid());
    ::unlinkat(folder.number(), temporary.c_str(), 0);  // left by a program of this number that was killed
    const Descriptor file(::openat(folder.number(), temporary.c_str(),
                                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (!file) return messages::cannot_write(name, reason(errno));
    const auto fail = [&](int error) {
        ::unlinkat(folder.number(), temporary.c_str(), 0);
        return messages::cannot_write(name, reason(error));
    };
    if (!write_all(file.number(), text)) return fail(errno);
    if (replaces) {
        if (before.st_uid != ::geteuid() || before.st_gid != ::getegid())
            if (::fchown(file.number(), before.st_uid, before.st_gid) != 0) {
                // Another owner: who may write the file may replace it, and becomes its owner.
            }
        if (::fchmod(file.number(), before.st_mode & 07777) != 0) return fail(errno);
    }
    struct stat after {};
    if (::fsync(file.number()) != 0 || ::fstat(file.number(), &after) != 0) return fail(errno);
    if (::renameat(folder.number(), temporary.c_str(), folder.number(), last.c_str()) != 0)
        return fail(errno);
    ::fsync(folder.number());
    return version_of(after, text);
}

std::optional<Refusal> OpenedDirectory::remove(const std::string& name) const {
    if (auto bad = bad_name(name)) return bad;
    const std::size_t slash = name.rfind('/');
    const std::string last = slash == std::string::npos ? name : name.substr(slash + 1);
    const Descriptor folder(
        open_beneath(slash == std::string::npos ? "." : name.substr(0, slash), O_RDONLY | O_DIRECTORY));
    if (!folder) return messages::cannot_write(name, reason(errno));
    if (::mkdirat(descriptor_, trash, 0700) != 0 && errno != EEXIST)
        return messages::cannot_write(name, reason(errno));
    const Descriptor bin(open_beneath(trash, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    if (!bin) return messages::cannot_write(name, reason(errno));
    // Under a name of its own, so that nothing that was thrown away is replaced.
    for (unsigned k = 0; k < 1000; ++k) {
        const std::string kept = fmt::format("{}.{}.{}", last, std::time(nullptr), k);
        if (::renameat2(folder.number(), last.c_str(), bin.number(), kept.c_str(), RENAME_NOREPLACE) == 0)
            return std::nullopt;
        if (errno != EEXIST) break;
    }
    return messages::cannot_write(name, reason(errno));
}

std::optional<Refusal> OpenedDirectory::rename(const std::string& from, const std::string& to) const {
    for (const std::string& name : {from, to})
        if (auto bad = bad_name(name)) return bad;
    const auto split = [](const std::string& name) {
        const std::size_t slash = name.rfind('/');
        return slash == std::string::npos ? std::pair(std::string("."), name)
                                          : std::pair(name.substr(0, slash), name.substr(slash + 1));
    };
    const auto [from_folder, from_last] = split(from);
    const auto [to_folder, to_last] = split(to);
    const Descriptor source(open_beneath(from_folder, O_RDONLY | O_DIRECTORY));
    const Descriptor target(open_beneath(to_folder, O_RDONLY | O_DIRECTORY));
    if (!source || !target) return messages::cannot_write(to, reason(errno));
    if (::renameat2(source.number(), from_last.c_str(), target.number(), to_last.c_str(), RENAME_NOREPLACE) ==
        0)
        return std::nullopt;
    return errno == EEXIST ? messages::already_there(to) : messages::cannot_write(to, reason(errno));
}

}  // namespace cutset::studio
