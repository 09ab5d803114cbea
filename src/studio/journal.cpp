#include "studio/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/private_file.h"

namespace cutset::studio {

namespace {

constexpr std::size_t largest_journal = std::size_t(256) << 20;

Json to_json(const FileVersion& v) {
    return {{"inode", v.inode}, {"size", v.size}, {"hash", v.hash}, {"modified", v.modified}};
}

std::optional<FileVersion> version_from(const Json& json) {
    if (!json.is_object()) return std::nullopt;
    return FileVersion{json.value("inode", std::uint64_t(0)), json.value("size", std::uint64_t(0)),
                       json.value("hash", std::uint64_t(0)), json.value("modified", std::int64_t(0))};
}

// False for what no journal of ours holds.
bool apply(RecoveredText& text, const Json& line) {
    const std::string kind = line.value("change", "");
    if (kind == "undo") return text.document.undo().has_value();
    if (kind == "redo") return text.document.redo().has_value();
    if (kind != "edit") return false;
    Arguments arguments(line);
    const std::vector<TextEdit> edits = read_edits(arguments, "edits");
    const bool join = arguments.flag_if("join");
    return !text.document.edit(edits, join);
}

}  // namespace

std::string journal_path(const std::string& folder, const std::string& name) {
    return fmt::format("{}/{:016x}.journal", folder, hash_of(name));
}

std::optional<std::string> state_folder(const std::string& directory) {
    const char* const state = std::getenv("XDG_STATE_HOME");
    const char* const home = std::getenv("HOME");
    std::string base;
    if (state && state[0] == '/')
        base = state;
    else if (home && home[0] == '/')
        base = std::string(home) + "/.local/state";
    else
        return std::nullopt;
    std::string folder = fmt::format("{}/cutset/studio/{:016x}", base, hash_of(directory));
    if (!make_private_folder(folder)) return std::nullopt;
    return folder;
}

Journal::Journal(std::string path, std::string name, std::optional<FileVersion> disk)
    : path_(std::move(path)), name_(std::move(name)), disk_(disk) {}

Journal::~Journal() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

bool Journal::write(const std::string& line) {
    std::string_view rest = line;
    while (!rest.empty()) {
        const ssize_t n = ::write(descriptor_, rest.data(), rest.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        rest.remove_prefix(std::size_t(n));
    }
    return true;
}

bool Journal::add(const std::string& before, const JournalEntry& entry) {
    if (descriptor_ < 0) {
        descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (descriptor_ < 0) return false;
        const Json head = {
            {"journal", 1}, {"name", name_}, {"disk", disk_ ? to_json(*disk_) : Json()}, {"text", before}};
        if (!write(json_text(head) + "\n")) return false;
    }
    Json line;
    switch (entry.kind) {
        case JournalEntry::Kind::Edit:
            line = {{"change", "edit"}, {"edits", studio::to_json(entry.edits)}, {"join", entry.join}};
            break;
        case JournalEntry::Kind::Undo:
            line = {{"change", "undo"}};
            break;
        case JournalEntry::Kind::Redo:
            line = {{"change", "redo"}};
            break;
    }
    return write(json_text(line) + "\n");
}

void Journal::clear(std::optional<FileVersion> disk) {
    disk_ = disk;
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
    ::unlink(path_.c_str());
}

void Journal::go_on() {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
}

namespace {

// As far as it can be read: the program may have been ended in the middle of a line.
void read_lines(std::string_view rest, std::optional<RecoveredText>& out) {
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        if (end == std::string_view::npos) return;
        const Json line = Json::parse(rest.substr(0, end), nullptr, false);
        rest.remove_prefix(end + 1);
        if (!line.is_object()) return;
        if (!out) {
            const auto name = line.find("name"), text = line.find("text");
            if (line.value("journal", 0) != 1 || name == line.end() || !name->is_string() ||
                text == line.end() || !text->is_string() || bad_name(name->get<std::string>()))
                return;
            out.emplace();
            out->name = name->get<std::string>();
            out->disk = version_from(line.value("disk", Json()));
            out->document = TextDocument(text->get<std::string>());
        } else if (!apply(*out, line)) {
            return;
        }
    }
}

}  // namespace

std::optional<RecoveredText> Journal::read(const std::string& path) {
    const auto bytes = read_private_file(path, largest_journal);
    std::optional<RecoveredText> out;
    if (!bytes) return out;
    try {
        read_lines(*bytes, out);
    } catch (const Json::exception&) {  // of another type than we write: the rest was damaged
    }
    return out;
}

}  // namespace cutset::studio
