#include "translate/translation_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/cache_folder.h"
#include "base/fingerprint.h"
#include "base/private_file.h"
#include "base/stopwatch.h"
#include "ir/archive.h"
#include "transform/reanalyse.h"
#include "translate/valid_values.h"

namespace cutset {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t most_bytes = 1'000'000'000;  // of all entries
constexpr std::size_t largest_entry = 400'000'000;
constexpr std::size_t always_changed = 10, changed_of = 20;  // equations; beyond, all are analysed
constexpr double shortest_kept = 0.04;  // seconds: below it, reading the entry saves nothing noticeable

// This build of the program.
std::string build_identity() {
    return file_version("/proc/self/exe");
}

// At the front of a file of the cache. The head says what the rest was made from; the rest begins with its
// own checksum.
struct Front {
    char magic[8] = {'c', 'u', 't', 's', 'e', 't', 'P', '1'};
    Fingerprint key;                // of the entry: the file stands where it was written
    std::uint64_t head_length = 0;  // in bytes
    std::uint64_t rest_length = 0;
    Fingerprint check;  // of all that stands above it, the head, and the beginning of the rest
};

constexpr std::size_t checked_of_rest = 64;

Fingerprint check_of(const Front& front, std::string_view head, std::string_view rest) {
    std::string text(reinterpret_cast<const char*>(&front), offsetof(Front, check));
    return fingerprint(text.append(head).append(rest.substr(0, checked_of_rest)));
}

// A file of the cache. Its head says what it was made from; the rest is read only if that is valid.
class Entry {
  public:
    Entry(const std::string& file, const Fingerprint& key, const std::string& question)
        : file_(PrivateFile::open(file, 2 * largest_entry)) {
        Front front;
        if (!file_ || !file_->read(reinterpret_cast<char*>(&front), sizeof front) ||
            std::memcmp(front.magic, Front().magic, sizeof front.magic) != 0 || front.key != key ||
            front.head_length > file_->left() || front.rest_length != file_->left() - front.head_length)
            return;
        std::string head(front.head_length, '\0');
        begin_.resize(std::min<std::size_t>(front.rest_length, checked_of_rest));
        if (!file_->read(head.data(), head.size()) || !file_->read(begin_.data(), begin_.size()) ||
            check_of(front, head, begin_) != front.check)
            return;
        nlohmann::json parsed = nlohmann::json::parse(head, nullptr, false);
        if (!parsed.is_object()) return;
        head_ = std::move(parsed);
        if (text("question") != question) head_ = nlohmann::json::object();
    }
    // An empty object when there is no entry, or one for another question.
    const nlohmann::json& head() const { return head_; }
    std::string text(const char* key) const {
        const auto found = head_.find(key);
        return found != head_.end() && found->is_string() ? found->get<std::string>() : "";
    }

    // The rest of it: the archived Program, and the text that it is valid for if it was made of another one.
    bool read() {
        if (head_.empty()) return false;
        const std::size_t rest = begin_.size() + file_->left();
        const auto bytes = std::make_shared_for_overwrite<char[]>(rest);
        std::memcpy(bytes.get(), begin_.data(), begin_.size());
        if (!file_->read(bytes.get() + begin_.size(), file_->left())) return false;
        program_ = {bytes, {bytes.get(), rest}};
        const auto length = head_.find("program");
        if (length == head_.end()) return true;
        if (!length->is_number_unsigned() || *length >= rest) return false;
        program_.bytes = {bytes.get(), length->get<std::size_t>()};
        text_ = std::string_view(bytes.get(), rest).substr(program_.bytes.size());
        return true;
    }
    const TranslationCache::KeptBytes& program() const { return program_; }
    std::string_view other_text() const { return text_; }  // empty: it was made of this one
    // It was used: those that are not go first.
    void touch() const { file_->touch(); }

  private:
    std::optional<PrivateFile> file_;
    nlohmann::json head_ = nlohmann::json::object();
    std::string begin_;  // of the rest
    TranslationCache::KeptBytes program_;
    std::string_view text_;
};

using Changes = std::map<VariableIndex, double>;

Changes changes(const FlatIdentity::Numbers& now, const std::vector<double>& before) {
    Changes found;
    for (std::size_t i = 0; i < before.size(); ++i)
        if (now.values[i] != before[i]) found[now.of[i]] = now.values[i];
    return found;
}

bool valid_for_parameters(const std::shared_ptr<const Partition>& partition, const Changes& parameters) {
    if (parameters.empty()) return true;
    std::vector<VariableIndex> varied;
    for (const auto& [v, value] : parameters) varied.push_back(v);
    return ValidValues(partition, varied).contain([&](VariableIndex v) {
        return std::optional(parameters.at(v));
    });
}

// The initial values of states, where sorting looks at none of them.
bool valid_for_starts(const Partition& partition, const FlatModel& flat, const Changes& starts) {
    if (starts.empty()) return true;
    if (partition.source || partition.index > 1 || !partition.selections.empty() ||
        !partition.dependent.empty())
        return false;
    const WrittenStarts written(flat);
    std::vector<bool> held = held_starts(partition, written);
    for (const Eliminated& e : partition.eliminated)  // two initial values of equal variables are compared
        if (e.variable < flat.variables.end_index() && written.has_start[e.variable.value])
            for_each_leaf(e.value, [&](Expr leaf) {
                if (leaf->op == Op::Variable) held[leaf->index] = false;
            });
    return std::all_of(starts.begin(), starts.end(), [&](const auto& start) {
        return bool(held[start.first.value]) && partition.model.variables[start.first].start;
    });
}

using Values = std::vector<std::pair<VariableIndex, double>>;

Values parameter_values(const FlatModel& flat) {
    Values values;
    for (VariableIndex v(0); v < flat.variables.end_index(); ++v.value)
        if (flat.variables[v].variability == Variability::Parameter)
            values.emplace_back(v, flat.variables[v].value);
    return values;
}

// The archived Program with the numbers of another text; `values` are those of all parameters.
TranslationCache::Kept with_numbers(ArchivedProgram found, const Changes& parameters, const Changes& starts,
                                    const Values& values, TranslationCache::KeptBytes bytes,
                                    Provenance::Kind kind) {
    FlatModel& model = found.partition->model;
    for (const auto& [v, value] : parameters) model.variables[v].binding = model.pool->number(value);
    for (const auto& [v, value] : starts) model.variables[v].start->value = model.pool->number(value);
    for (const auto& [v, value] : values) model.variables[v].value = value;
    TranslationCache::Kept kept;
    kept.translation.program = std::make_shared<const Program>(std::move(found.program));
    kept.translation.provenance.kind = kind;
    kept.translation.given = {parameters.begin(), parameters.end()};
    kept.translation.given_starts = {starts.begin(), starts.end()};
    kept.of_other_text = std::move(bytes);
    return kept;
}

std::string listing(const std::string& directory) {
    std::string problem, text;
    for (const std::string& file : library_files(directory, problem)) text += file + "\n";
    for (const std::string& entry : class_entries(directory)) text += entry + "\n";
    return fingerprint(text + problem).text();
}

}  // namespace

std::optional<TranslationCache> TranslationCache::open() {
    std::string folder = cache_folder();
    if (folder.empty() || build_identity().empty()) return std::nullopt;
    return TranslationCache(std::move(folder), shortest_kept);
}

Fingerprint TranslationCache::key(const std::string& question) const {
    std::error_code ec;
    return fingerprint(build_identity() + "\n" + fs::current_path(ec).string() + "\n" + question);
}

std::string TranslationCache::path(const Fingerprint& key) const {
    return directory_ + "/" + key.text() + ".program";
}

std::optional<TranslationCache::Kept> TranslationCache::find(const std::string& question,
                                                             Workspace& workspace) const {
    const Stopwatch watch(&workspace.times.parse);
    const Fingerprint key = this->key(question);
    Entry entry(path(key), key, question);
    const nlohmann::json& head = entry.head();
    std::string problem;
    std::error_code ec;
    Sources sources;
    std::vector<SourceId> files;
    std::vector<std::string> experiment;
    try {
        experiment = head.at("experiment").get<std::vector<std::string>>();
        for (const auto& directory : head.at("directories"))
            if (listing(directory.at(0).get<std::string>()) != directory.at(1).get<std::string>())
                return std::nullopt;
        for (const auto& place : head.at("absent"))
            if (fs::exists(place.get<std::string>(), ec)) return std::nullopt;
        for (const auto& source : head.at("sources")) {
            std::string name = source.at(0).get<std::string>(), text = source.at(2).get<std::string>();
            if (source.at(1).get<bool>()) {  // a file, of which the fingerprint is kept
                std::optional<std::string> now = read_file(name, problem);
                if (!now || fingerprint(*now).text() != text) return std::nullopt;
                files.push_back(sources.add(std::move(name), std::move(*now)));
            } else {
                sources.add(std::move(name), std::move(text));
            }
        }
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
    if (!entry.read()) return std::nullopt;
    std::optional<ServedText> text;
    if (!entry.other_text().empty()) {
        text = unarchive_text(entry.other_text());
        if (!text) return std::nullopt;
    }
    std::optional<ArchivedProgram> found = unarchive(entry.program().bytes, text ? &text->identity : nullptr);
    if (!found) return std::nullopt;
    workspace.text.take(std::move(sources), std::move(files), std::move(experiment));
    for (Diagnostic& d : text ? text->messages : found->messages) workspace.diagnostics.report(std::move(d));
    entry.touch();
    if (!text) return with_numbers(std::move(*found), {}, {}, {}, {}, Provenance::Kind::SameText);
    const Changes parameters = changes(text->identity.parameters, found->parameters);
    const Changes starts = changes(text->identity.starts, found->starts);
    return with_numbers(std::move(*found), parameters, starts, text->values, entry.program(),
                        Provenance::Kind::SameText);
}

TranslationCache::Alike TranslationCache::find_alike(const std::string& question, const FlatModel& flat,
                                                     const FlatIdentity& identity,
                                                     const TransformOptions& options) const {
    const Fingerprint key = this->key(question);
    Entry entry(path(key), key, question);
    if (entry.text("frame") != identity.frame.text() || !entry.read()) return {};
    std::optional<ArchivedProgram> found = unarchive(
        entry.program().bytes, &identity, std::max(always_changed, flat.equations.size() / changed_of));
    if (!found) return {};
    const Changes parameters = changes(identity.parameters, found->parameters);
    const Changes starts = changes(identity.starts, found->starts);
    Alike result;
    if (const std::size_t count = found->changed.size(); count > 0) {
        if (!parameters.empty() || !starts.empty()) return {};
        result.partition = reanalyse(std::move(*found->partition), flat, identity, found->changed, options);
        if (result.partition) result.reanalysed = count;
        return result;
    }
    if (valid_for_parameters(found->partition, parameters) &&
        valid_for_starts(*found->partition, flat, starts))
        result.kept = with_numbers(std::move(*found), parameters, starts, parameter_values(flat),
                                   entry.program(), Provenance::Kind::EarlierText);
    return result;
}

bool TranslationCache::takes(const Workspace& workspace, const Program& program) const {
    return workspace.times.sum() >= shortest_ && !program.partition->model.reads_files;
}

void TranslationCache::store(const std::string& question, const Workspace& workspace,
                             const Diagnostics& messages, const Kept& kept,
                             const FlatIdentity* made_of) const {
    const Program& program = *kept.translation.program;
    if (!takes(workspace, program)) return;
    nlohmann::json head;
    head["question"] = question;
    head["frame"] = made_of ? made_of->frame.text() : "";
    head["directories"] = nlohmann::json::array();
    for (const std::string& directory : workspace.text.looked().directories)
        head["directories"].push_back({directory, listing(directory)});
    head["experiment"] = workspace.text.experiment_words();
    head["absent"] = workspace.text.looked().absent;
    head["sources"] = nlohmann::json::array();
    const auto& files = workspace.text.looked().files;
    for (SourceId id(1); id < workspace.text.sources().end(); ++id.value) {
        const bool is_file = std::find(files.begin(), files.end(), id) != files.end();
        const std::string& text = workspace.text.sources().text(id);
        head["sources"].push_back(
            {workspace.text.sources().name(id), is_file, is_file ? fingerprint(text).text() : text});
    }
    const std::string_view other = kept.of_other_text.bytes;
    if (!other.empty()) head["program"] = other.size();
    std::string text(sizeof(Front), '\0');
    try {
        text += head.dump();
    } catch (const nlohmann::json::exception&) {
        return;  // a text that is not UTF-8 cannot be told exactly
    }
    Front front;
    front.key = key(question);
    front.head_length = text.size() - sizeof front;
    std::optional<std::string> bytes;
    if (other.empty()) {
        bytes = archive(program, messages.all(), made_of, largest_entry, std::move(text));
    } else {
        CUTSET_ASSERT(made_of);
        bytes = text.append(other) +
                archive(ServedText{*made_of, parameter_values(program.partition->model), messages.all()});
    }
    if (!bytes) return;
    const std::string_view rest = std::string_view(*bytes).substr(sizeof front + front.head_length);
    front.rest_length = rest.size();
    front.check = check_of(front, std::string_view(*bytes).substr(sizeof front, front.head_length), rest);
    std::memcpy(bytes->data(), &front, sizeof front);
    make_private_folder(directory_);
    const std::string file = path(front.key);
    if (write_private_file(file, *bytes)) remove_oldest(directory_, {".program", ".code"}, most_bytes, file);
}

}  // namespace cutset
