#include "base/source.h"

#include <fcntl.h>
#include <sys/stat.h>
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

std::optional<std::string> read_file(const std::string& path, std::string& problem) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        problem = std::strerror(errno);
        return std::nullopt;
    }
    struct stat status {};
    const bool known = ::fstat(fd, &status) == 0;
    if (known && S_ISDIR(status.st_mode)) {
        problem = "is a directory";
        ::close(fd);
        return std::nullopt;
    }
    // The size is a guess: pipes have none, and files may grow.
    std::string text(known && status.st_size > 0 ? static_cast<std::size_t>(status.st_size) + 1 : 65536,
                     '\0');
    std::size_t done = 0;
    for (;;) {
        if (done == text.size()) text.resize(2 * text.size());
        const ssize_t n = ::read(fd, text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            problem = "cannot be read";
            ::close(fd);
            return std::nullopt;
        }
        if (n == 0) break;
        done += static_cast<std::size_t>(n);
    }
    ::close(fd);
    text.resize(done);
    return text;
}

bool write_file(const std::string& path, std::string_view text, std::string& problem) {
    std::string temporary = path + ".XXXXXX";
    const int fd = ::mkstemp(temporary.data());
    if (fd < 0) {
        problem = std::strerror(errno);
        return false;
    }
    bool ok = true;
    for (std::size_t done = 0; ok && done < text.size();) {
        const ssize_t n = ::write(fd, text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR) continue;
        ok = n > 0;
        if (ok) done += static_cast<std::size_t>(n);
    }
    if (ok) ok = ::fchmod(fd, 0644) == 0;
    if (!ok) problem = std::strerror(errno);
    if (::close(fd) != 0 && ok) {
        problem = std::strerror(errno);
        ok = false;
    }
    if (ok && ::rename(temporary.c_str(), path.c_str()) != 0) {
        problem = std::strerror(errno);
        ok = false;
    }
    if (!ok) ::unlink(temporary.c_str());
    return ok;
}

}  // namespace cutset
