#include "base/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace cutset {

Span join(Span a, Span b) {
    if (!a.known()) return b;
    if (!b.known() || a.source != b.source) return a;
    return {a.source, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

Sources::Sources() {
    add("<none>", "");
}

SourceId Sources::add(std::string name, std::string text) {
    File file{std::move(name), std::move(text), {0}};
    for (std::size_t i = file.text.find('\n'); i != std::string::npos; i = file.text.find('\n', i + 1))
        file.line_starts.push_back(static_cast<std::uint32_t>(i + 1));
    return files_.add(std::move(file));
}

std::string_view Sources::text(Span span) const {
    const std::string& all = files_[span.source].text;
    const std::size_t begin = std::min<std::size_t>(span.begin, all.size());
    const std::size_t end = std::clamp<std::size_t>(span.end, begin, all.size());
    return std::string_view(all).substr(begin, end - begin);
}

Location Sources::locate(SourceId id, std::uint32_t offset) const {
    const File& file = files_[id];
    offset = std::min<std::uint32_t>(offset, static_cast<std::uint32_t>(file.text.size()));
    const auto after = std::upper_bound(file.line_starts.begin(), file.line_starts.end(), offset);
    const std::size_t line = static_cast<std::size_t>(after - file.line_starts.begin());
    std::size_t column = 1;
    for (std::size_t i = file.line_starts[line - 1]; i < offset; ++i)
        if ((static_cast<unsigned char>(file.text[i]) & 0xC0) != 0x80) ++column;  // count UTF-8 characters
    return {file.name, line, column};
}

std::string_view Sources::line(SourceId id, std::size_t number) const {
    const File& file = files_[id];
    if (number == 0 || number > file.line_starts.size()) return {};
    const std::size_t begin = file.line_starts[number - 1];
    std::size_t end = number < file.line_starts.size() ? file.line_starts[number] - 1 : file.text.size();
    if (end > begin && file.text[end - 1] == '\r') --end;
    return std::string_view(file.text).substr(begin, end - begin);
}

namespace {

// Of what has no size of its own (a pipe, a terminal): positions in a text have 32 bits.
constexpr std::size_t longest_stream = 4'000'000'000;

// Why a file of this kind is not read; "" when it may be.
std::string refused(int fd, const struct stat& status, InputKind kind) {
    if (S_ISDIR(status.st_mode)) return "is a directory";
    if (S_ISREG(status.st_mode)) return "";
    if (S_ISBLK(status.st_mode)) return "is a device, not a file";
    const bool empty = S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);  // /dev/null
    if (S_ISCHR(status.st_mode) && !empty && !::isatty(fd)) return "is a device, not a file";
    if (kind == InputKind::FileOnly) return "is a pipe or a device, not a file";
    return "";
}

std::optional<std::string> read_all(int fd, std::size_t guess, std::size_t most, std::string& problem) {
    std::string text(guess, '\0');
    std::size_t done = 0;
    for (;;) {
        if (done == text.size()) text.resize(2 * text.size());
        const ssize_t n = ::read(fd, text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            problem = std::string("cannot be read: ") + std::strerror(errno);
            return std::nullopt;
        }
        if (n == 0) break;
        done += static_cast<std::size_t>(n);
        if (done > most) {
            problem = "gives more than 4 GB";
            return std::nullopt;
        }
    }
    text.resize(done);
    return text;
}

}  // namespace

std::optional<std::string> read_file(const std::string& path, std::string& problem, InputKind kind) {
    // A FIFO that a model names would wait for ever for a writer.
    const int waiting = kind == InputKind::FileOnly ? O_NONBLOCK : 0;
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | waiting);
    if (fd < 0) {
        problem = std::strerror(errno);
        return std::nullopt;
    }
    struct stat status {};
    std::optional<std::string> text;
    if (::fstat(fd, &status) != 0) {
        problem = std::strerror(errno);
    } else if (problem = refused(fd, status, kind); problem.empty()) {
        // The size is a guess: pipes have none, and files may grow.
        const bool file = S_ISREG(status.st_mode);
        text = read_all(fd, file && status.st_size > 0 ? static_cast<std::size_t>(status.st_size) + 1 : 65536,
                        file ? std::string::npos : longest_stream, problem);
    }
    ::close(fd);
    if (text && (text->starts_with("\xFF\xFE") || text->starts_with("\xFE\xFF"))) {
        problem = "its text is in UTF-16; save it as UTF-8";
        text.reset();
    }
    return text;
}

std::optional<std::string> read_file(const std::string& path, std::string& problem) {
    return read_file(path, problem, InputKind::Any);
}

}  // namespace cutset
