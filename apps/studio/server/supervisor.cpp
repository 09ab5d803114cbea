#include "supervisor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/cache_folder.h"
#include "base/private_file.h"
#include "base/source.h"
#include "base/version.h"
#include "studio/messages.h"
#include "studio/model_texts.h"
#include "translate/model_text.h"
#include "translate/remembered_libraries.h"

namespace cutset::studio {

namespace {

constexpr std::size_t most_models = 16, most_documents = 1000, most_view_bytes = 4096;
constexpr auto short_time = std::chrono::minutes(1);
constexpr auto kept_for =
    std::chrono::seconds(60);           // a model that no tab shows, for one that is loaded again
constexpr std::size_t most_deaths = 3;  // in a short time
constexpr std::string_view library_prefix = "library:";

// "library:Modelica/Blocks/Continuous.mo": its directory and its name there.
std::optional<std::pair<OpenedDirectory, std::string>> find_library(const std::vector<std::string>& libraries,
                                                                    std::string_view file) {
    const std::string name(file.substr(library_prefix.size()));
    if (bad_name(name)) return std::nullopt;
    std::string problem;
    for (const std::string& folder : libraries)
        if (auto directory = OpenedDirectory::open(folder, problem); directory && directory->exists(name))
            return std::pair(std::move(*directory), name);
    return std::nullopt;
}

// The directory in which the outermost package lies that a directory is part of; itself when it is of none.
std::string around_package(std::filesystem::path directory) {
    std::error_code error;
    while (directory.has_relative_path() && std::filesystem::is_regular_file(directory / "package.mo", error))
        directory = directory.parent_path();
    return directory.string();
}

Json listed(const std::string& name, std::uint64_t size, bool read_only, bool unsaved) {
    return {{"file", name},
            {"language", language_of(name).value_or("")},
            {"size", size},
            {"read_only", read_only},
            {"unsaved", unsaved}};
}

}  // namespace

Supervisor::Supervisor(OpenedDirectory directory, std::string folder, StudioSettings settings)
    : directory_(std::move(directory)),
      folder_(std::move(folder)),
      settings_(std::move(settings)),
      libraries_(library_directories()) {
    recover();
    watch_ = std::make_unique<DirectoryWatch>(
        directory_, [this](const std::string& name) { disk_changed(name); },
        [this] {
            const std::lock_guard lock(mutex_);
            tell_all({{"event", "files.changed"}});
        });
}

Supervisor::~Supervisor() {
    watch_ = nullptr;
    std::map<std::string, Model> models;
    {
        const std::lock_guard lock(mutex_);
        models.swap(models_);
    }
}

// ---- tabs

std::uint32_t Supervisor::join(std::shared_ptr<Tab> tab) {
    const std::lock_guard lock(mutex_);
    tabs_[next_tab_] = std::move(tab);
    return next_tab_++;
}

Json Supervisor::welcome(std::uint32_t number) const {
    Json known = Json::array();
    for (const LanguageEnding& l : languages())
        known.push_back({{"name", l.name}, {"endings", Json::array({l.ending})}});
    return {{"version", version()},
            {"protocol", protocol_version},
            {"connection", number},
            {"directory", directory_.path()},
            {"file", settings_.file.empty() ? Json() : Json(settings_.file)},
            {"languages", std::move(known)},
            {"allow_external", settings_.allow_external}};
}

void Supervisor::leave(std::uint32_t number) {
    const std::lock_guard lock(mutex_);
    tabs_.erase(number);
    std::vector<std::string> models, files;
    for (const auto& [id, model] : models_)
        if (model.tabs.contains(number)) models.push_back(id);
    for (const std::string& id : models) leave_model(number, id);
    for (auto& [file, document] : documents_)
        if (document.tabs.erase(number)) files.push_back(file);
    for (const std::string& file : files) forget_unused(file);
    if (views_.erase(number)) tell_views();
}

std::size_t Supervisor::tabs() const {
    const std::lock_guard lock(mutex_);
    return tabs_.size();
}

bool Supervisor::has_unsaved() const {
    const std::lock_guard lock(mutex_);
    return std::any_of(documents_.begin(), documents_.end(),
                       [](const auto& d) { return !d.second.read_only && !d.second.saved(); });
}

void Supervisor::tell(const std::set<std::uint32_t>& tabs, const std::string& text) {
    for (const std::uint32_t number : tabs)
        if (const auto at = tabs_.find(number); at != tabs_.end()) at->second->send_text(text);
}

void Supervisor::tell_all(const Json& event) {
    const std::string text = json_text(event);
    for (const auto& [number, tab] : tabs_) tab->send_text(text);
}

void Supervisor::tell_views() {
    Json views = Json::array();
    for (const auto& [number, view] : views_) views.push_back({{"connection", number}, {"view", view}});
    tell_all({{"event", "views"}, {"views", std::move(views)}});
}

// ---- calls

void Supervisor::call(std::uint32_t number, Call call) {
    const std::lock_guard lock(mutex_);
    const auto tab = tabs_.find(number);
    if (tab == tabs_.end()) return;
    if (const auto answer = own_call(number, call))
        tab->second->send_text(answer_text(call.id, *answer));
    else
        hand_on(number, std::move(call));
}

std::optional<Answer> Supervisor::own_call(std::uint32_t tab, const Call& call) {
    Arguments arguments(call.arguments);
    const std::string& name = call.name;
    if (name == "files.list") return files_list(arguments);
    if (name == "text.open") return text_open(tab, arguments);
    if (name == "text.close") return text_close(tab, arguments);
    if (name == "text.edit") return text_edit(tab, arguments);
    if (name == "text.undo") return text_step(tab, arguments, true);
    if (name == "text.redo") return text_step(tab, arguments, false);
    if (name == "text.save") return text_save(arguments);
    if (name == "text.take_disk") return text_take_disk(tab, arguments);
    if (name == "file.new") return file_new(arguments);
    if (name == "file.remove") return file_remove(arguments);
    if (name == "file.rename") return file_rename(arguments);
    if (name == "model.open") return model_open(tab, arguments);
    if (name == "model.close") return model_close(tab, arguments);
    if (name == "view.set") return view_set(tab, arguments);
    if (name == "view.go") return view_go(tab, arguments);
    if (name == "hello") return Answer(messages::bad_argument("hello was said already"));
    const auto model = call.arguments.find("model");
    if (model == call.arguments.end()) return Answer(messages::unknown_call(name));
    if (!model->is_string()) return Answer(messages::bad_argument("model is no text"));
    const auto at = models_.find(model->get<std::string>());
    if (at == models_.end() || !at->second.tabs.contains(tab))
        return Answer(messages::no_such_model(model->get<std::string>()));
    if (!at->second.worker) return Answer(messages::worker_died("it died three times in a minute"));
    if (at->second.open_calls.size() >= 1000)
        return Answer(messages::too_much("1000 calls are open already"));
    if (at->second.open_calls.contains({tab, call.id}))
        return Answer(messages::bad_argument("a call with this id is open already"));
    return std::nullopt;
}

void Supervisor::hand_on(std::uint32_t tab, Call call) {
    Model& model = models_.find(call.arguments["model"].get<std::string>())->second;
    model.open_calls.emplace(tab, call.id);
    call.arguments.erase("model");
    call.arguments["call"] = call.name;
    model.worker->send(FrameKind::Call, tab, call.id, json_text(call.arguments));
}

Answer Supervisor::view_set(std::uint32_t tab, Arguments& arguments) {
    const Json* const view = arguments.object_if("view");
    if (!view) arguments.fail("view is missing");
    if (view && json_text(*view).size() > most_view_bytes) arguments.fail("view is larger than 4 kB");
    if (const auto problem = arguments.problem()) return *problem;
    views_[tab] = *view;
    tell_views();
    return Json::object();
}

Answer Supervisor::view_go(std::uint32_t tab, Arguments& arguments) {
    const std::size_t to = arguments.count("connection", 0xffffffff);
    const Json* const view = arguments.object_if("view");
    if (!view) arguments.fail("view is missing");
    if (view && json_text(*view).size() > most_view_bytes) arguments.fail("view is larger than 4 kB");
    if (const auto problem = arguments.problem()) return *problem;
    tell({std::uint32_t(to)}, json_text({{"event", "view.go"}, {"view", *view}, {"from", tab}}));
    return Json::object();
}

// ---- files and texts

Answer Supervisor::files_list(Arguments& arguments) {
    if (const auto problem = arguments.problem()) return *problem;
    bool truncated = false;
    Json files = Json::array(), libraries = Json::array();
    std::set<std::string> names;
    for (const ListedFile& file : directory_.list(truncated)) {
        const auto open = documents_.find(file.name);
        names.insert(file.name);
        files.push_back(
            listed(file.name, file.size, false, open != documents_.end() && !open->second.saved()));
    }
    for (const auto& [name, document] : documents_)
        if (!document.read_only && !names.contains(name))
            files.push_back(listed(name, document.document.text().size(), false, true));
    for (const std::string& folder : libraries_) {
        std::string problem;
        for (const std::string& path : library_files(folder, problem)) {
            const std::string name = std::filesystem::path(path).filename().string();
            std::error_code error;
            const auto size = std::filesystem::file_size(path, error);
            if (!error) libraries.push_back(listed(std::string(library_prefix) + name, size, true, false));
        }
    }
    return Json{{"files", std::move(files)}, {"libraries", std::move(libraries)}, {"truncated", truncated}};
}

std::variant<Supervisor::Document*, Refusal> Supervisor::open_document(const std::string& file) {
    if (const auto at = documents_.find(file); at != documents_.end()) return &at->second;
    if (documents_.size() >= most_documents) return messages::too_much("1000 texts are open");
    if (file.starts_with(library_prefix)) {
        const auto found = find_library(libraries_, file);
        if (!found) return messages::cannot_read(file, "there is no such library");
        auto read = found->first.read(found->second);
        if (const auto* refusal = std::get_if<Refusal>(&read)) return *refusal;
        Document library(TextDocument(std::move(std::get<ReadText>(read).text)), nullptr);
        library.read_only = true;
        return &documents_.emplace(file, std::move(library)).first->second;
    }
    auto read = directory_.read(file);
    if (const auto* refusal = std::get_if<Refusal>(&read)) return *refusal;
    ReadText& found = std::get<ReadText>(read);
    Document document(TextDocument(std::move(found.text)),
                      std::make_unique<Journal>(journal_path(folder_, file), file, found.version));
    document.disk = found.version;
    return &documents_.emplace(file, std::move(document)).first->second;
}

// Of a call that changes it: the version must be the present one.
std::variant<Supervisor::Document*, Refusal> Supervisor::find_document(const std::string& file,
                                                                       std::uint64_t version) {
    const auto at = documents_.find(file);
    if (at == documents_.end()) return messages::not_open(file);
    if (at->second.read_only) return messages::read_only(file);
    if (at->second.document.version() == version) return &at->second;
    Refusal refusal = messages::stale(file);
    refusal.more = {{"version", at->second.document.version()}, {"text", at->second.document.text()}};
    return refusal;
}

Json Supervisor::text_state(const Document& d) const {
    return {{"version", d.document.version()},
            {"saved", d.read_only || d.saved()},
            {"conflict", d.conflict},
            {"can_undo", d.document.can_undo()},
            {"can_redo", d.document.can_redo()}};
}

Answer Supervisor::text_open(std::uint32_t tab, Arguments& arguments) {
    const std::string file = arguments.text("file");
    if (const auto problem = arguments.problem()) return *problem;
    const auto found = open_document(file);
    if (const auto* refusal = std::get_if<Refusal>(&found)) return *refusal;
    Document& d = *std::get<Document*>(found);
    d.tabs.insert(tab);
    Json out = text_state(d);
    out["file"] = file;
    out["text"] = d.document.text();
    out["language"] = language_of(file).value_or("");
    out["read_only"] = d.read_only;
    out["recovered"] = d.recovered;
    return out;
}

Answer Supervisor::text_close(std::uint32_t tab, Arguments& arguments) {
    const std::string file = arguments.text("file");
    if (const auto problem = arguments.problem()) return *problem;
    const auto at = documents_.find(file);
    if (at == documents_.end()) return messages::not_open(file);
    at->second.tabs.erase(tab);
    forget_unused(file);
    return Json::object();
}

// What is saved can be read again.
void Supervisor::forget_unused(const std::string& file) {
    const auto at = documents_.find(file);
    if (at == documents_.end() || !at->second.tabs.empty()) return;
    if (at->second.read_only || (at->second.saved() && !at->second.conflict)) documents_.erase(at);
}

void Supervisor::changed(const std::string& file, Document& d, const std::vector<TextEdit>& edits,
                         std::uint32_t by) {
    Json event = text_state(d);
    event["event"] = "text.changed";
    event["file"] = file;
    event["edits"] = to_json(edits);
    event["by"] = by;
    tell(d.tabs, json_text(event));
    tell_workers(file);
    if (d.journal && d.saved() && !d.conflict) d.journal->clear(d.disk);
}

void Supervisor::tell_workers(const std::string& file) {
    Json command = {{"command", "text"}, {"file", file}, {"text", Json()}, {"version", 0}};
    if (const auto at = documents_.find(file); at != documents_.end() && !at->second.read_only) {
        command["version"] = at->second.document.version();
        if (!at->second.saved()) command["text"] = at->second.document.text();
    }
    const std::string text = json_text(command);
    for (auto& [id, model] : models_)
        if (model.worker) model.worker->send(FrameKind::Command, 0, 0, text);
}

Answer Supervisor::text_edit(std::uint32_t tab, Arguments& arguments) {
    const std::string file = arguments.text("file");
    const std::size_t version = arguments.count("version", std::size_t(1) << 52);
    JournalEntry entry;
    entry.edits = read_edits(arguments, "edits");
    entry.join = arguments.flag_if("join");
    arguments.text_if("label");
    if (const auto problem = arguments.problem()) return *problem;
    const auto found = find_document(file, version);
    if (const auto* refusal = std::get_if<Refusal>(&found)) return *refusal;
    Document& d = *std::get<Document*>(found);
    const std::string before = d.document.text();
    if (const auto refusal = d.document.edit(entry.edits, entry.join)) return *refusal;
    const bool kept = d.journal->add(before, entry);
    changed(file, d, entry.edits, tab);
    Json out = text_state(d);
    out["kept"] = kept;
    return out;
}

Answer Supervisor::text_step(std::uint32_t tab, Arguments& arguments, bool undo) {
    const std::string file = arguments.text("file");
    const std::size_t version = arguments.count("version", std::size_t(1) << 52);
    if (const auto problem = arguments.problem()) return *problem;
    const auto found = find_document(file, version);
    if (const auto* refusal = std::get_if<Refusal>(&found)) return *refusal;
    Document& d = *std::get<Document*>(found);
    const std::string before = d.document.text();
    const auto edit = undo ? d.document.undo() : d.document.redo();
    if (!edit) return messages::nothing_to_undo(undo ? "undo" : "redo");
    d.journal->add(before, {undo ? JournalEntry::Kind::Undo : JournalEntry::Kind::Redo, {}, false});
    changed(file, d, {*edit}, tab);
    return text_state(d);
}

Answer Supervisor::text_save(Arguments& arguments) {
    const std::string file = arguments.text("file");
    const std::size_t version = arguments.count("version", std::size_t(1) << 52);
    const bool overwrite = arguments.flag_if("overwrite");
    if (const auto problem = arguments.problem()) return *problem;
    const auto found = find_document(file, version);
    if (const auto* refusal = std::get_if<Refusal>(&found)) return *refusal;
    Document& d = *std::get<Document*>(found);
    if (!overwrite && directory_.exists(file)) {
        const auto now = directory_.read(file);
        const auto* const disk = std::get_if<ReadText>(&now);
        if (!disk || !d.disk || disk->version.hash != d.disk->hash) {
            Refusal refusal = messages::conflict(file);
            refusal.more["disk"] = disk ? Json(disk->text) : Json();
            return refusal;
        }
    }
    const auto written = directory_.write(file, d.document.text());
    if (const auto* refusal = std::get_if<Refusal>(&written)) return *refusal;
    d.disk = std::get<FileVersion>(written);
    d.conflict = d.recovered = false;
    d.journal->clear(d.disk);
    Json event = text_state(d);
    event["event"] = "text.disk";
    event["file"] = file;
    event["state"] = "saved";
    tell(d.tabs, json_text(event));
    tell_workers(file);
    return text_state(d);
}

Answer Supervisor::text_take_disk(std::uint32_t tab, Arguments& arguments) {
    const std::string file = arguments.text("file");
    const std::size_t version = arguments.count("version", std::size_t(1) << 52);
    if (const auto problem = arguments.problem()) return *problem;
    const auto found = find_document(file, version);
    if (const auto* refusal = std::get_if<Refusal>(&found)) return *refusal;
    Document& d = *std::get<Document*>(found);
    auto read = directory_.read(file);
    if (const auto* refusal = std::get_if<Refusal>(&read)) return *refusal;
    const std::string before = d.document.text();
    const TextEdit edit = d.document.replace(std::get<ReadText>(read).text);
    d.disk = std::get<ReadText>(read).version;
    d.conflict = false;
    d.journal->add(before, {JournalEntry::Kind::Edit, {edit}, false});
    changed(file, d, {edit}, tab);
    return text_state(d);
}

Answer Supervisor::file_new(Arguments& arguments) {
    const std::string file = arguments.text("file");
    const std::string text = arguments.text_if("text").value_or("");
    if (const auto problem = arguments.problem()) return *problem;
    if (const auto bad = bad_name(file)) return *bad;
    if (documents_.contains(file) || directory_.exists(file)) return messages::already_there(file);
    if (documents_.size() >= most_documents) return messages::too_much("1000 texts are open");
    Document document(TextDocument(""),
                      std::make_unique<Journal>(journal_path(folder_, file), file, std::nullopt));
    if (const auto refusal = document.document.edit({{0, 0, text}}, false)) return *refusal;
    document.journal->add("", {JournalEntry::Kind::Edit, {{0, 0, text}}, false});
    documents_.emplace(file, std::move(document));
    tell_workers(file);
    tell_all({{"event", "files.changed"}});
    return Json::object();
}

Answer Supervisor::file_remove(Arguments& arguments) {
    const std::string file = arguments.text("file");
    if (const auto problem = arguments.problem()) return *problem;
    const auto at = documents_.find(file);
    if (at == documents_.end() || at->second.disk)
        if (const auto refusal = directory_.remove(file)) return *refusal;
    if (at != documents_.end()) {
        tell(at->second.tabs, json_text({{"event", "text.disk"}, {"file", file}, {"state", "removed"}}));
        if (at->second.journal) at->second.journal->clear(std::nullopt);
        documents_.erase(at);
    }
    tell_workers(file);
    tell_all({{"event", "files.changed"}});
    return Json::object();
}

Answer Supervisor::file_rename(Arguments& arguments) {
    const std::string file = arguments.text("file"), to = arguments.text("to");
    if (const auto problem = arguments.problem()) return *problem;
    if (documents_.contains(to)) return messages::already_there(to);
    if (const auto at = documents_.find(file); at != documents_.end() && !at->second.saved())
        return messages::not_allowed(file + " has changes that are not saved", "save it before");
    if (const auto refusal = directory_.rename(file, to)) return *refusal;
    if (const auto at = documents_.find(file); at != documents_.end()) {
        tell(at->second.tabs, json_text({{"event", "text.disk"}, {"file", file}, {"state", "removed"}}));
        documents_.erase(at);
    }
    tell_workers(file);
    tell_workers(to);
    tell_all({{"event", "files.changed"}});
    return Json::object();
}

// Unsaved edits of a studio that was ended.
void Supervisor::recover() {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
        if (entry.path().extension() != ".journal") continue;
        auto found = Journal::read(entry.path().string());
        if (!found || entry.path().string() != journal_path(folder_, found->name)) continue;
        auto journal = std::make_unique<Journal>(entry.path().string(), found->name, found->disk);
        journal->go_on();
        Document document(std::move(found->document), std::move(journal));
        document.disk = found->disk;
        document.recovered = true;
        const auto now = directory_.read(found->name);
        const auto* const disk = std::get_if<ReadText>(&now);
        document.conflict = disk && (!found->disk || disk->version.hash != found->disk->hash);
        documents_.emplace(found->name, std::move(document));
    }
}

void Supervisor::disk_changed(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto at = documents_.find(name);
    if (at == documents_.end()) return tell_workers(name);
    Document& d = at->second;
    const auto read = directory_.read(name);
    const auto* const disk = std::get_if<ReadText>(&read);
    const char* state = "removed";
    if (disk && d.disk && disk->version.hash == d.disk->hash) {
        d.disk = disk->version;  // our own, or the same text again
        return;
    }
    if (disk && d.saved()) {
        state = "taken";
        d.disk = disk->version;
        changed(name, d, {d.document.replace(disk->text)}, 0);
    } else if (disk) {
        state = "conflict";
        d.conflict = true;
    } else {
        d.disk.reset();  // the text here is all there is
        d.journal->add(d.document.text(), {JournalEntry::Kind::Edit, {}, false});
    }
    Json event = text_state(d);
    event["event"] = "text.disk";
    event["file"] = name;
    event["state"] = state;
    tell(d.tabs, json_text(event));
    tell_workers(name);
}

// ---- models

void Supervisor::prepare() {
    const std::lock_guard lock(mutex_);
    if (!settings_.file.empty()) find_model(settings_.file, "");
}

std::variant<Supervisor::Model*, Refusal> Supervisor::find_model(const std::string& file,
                                                                 const std::string& name) {
    const auto found = open_document(file);
    if (const auto* refusal = std::get_if<Refusal>(&found)) return *refusal;
    forget_unused(file);
    auto at = std::find_if(models_.begin(), models_.end(),
                           [&](const auto& m) { return m.second.file == file && m.second.name == name; });
    if (at == models_.end()) {
        if (models_.size() >= most_models) end_unused(std::chrono::seconds(0));
        if (models_.size() >= most_models) return messages::too_much("16 models are open");
        Model model;
        model.id = fmt::format("m{}", next_model_++);
        model.file = file;
        model.name = name;
        model.folder = fmt::format("{}/{}", folder_, model.id);
        at = models_.emplace(model.id, std::move(model)).first;
    }
    Model& model = at->second;
    if (model.worker) return &model;
    model.deaths.clear();
    std::string problem;
    if (start_worker(model, problem)) return &model;
    if (model.tabs.empty()) models_.erase(at);
    return messages::worker_died(problem);
}

Answer Supervisor::model_open(std::uint32_t tab, Arguments& arguments) {
    const std::string file = arguments.text("file");
    const std::string name = arguments.text_if("class").value_or("");
    if (const auto problem = arguments.problem()) return *problem;
    if (name.size() > 1000) return messages::bad_argument("class is longer than 1000 bytes");
    if (file.starts_with(library_prefix) && name.empty())
        return messages::bad_argument("of a library the class must be named");
    const auto found = find_model(file, name);
    if (const auto* refusal = std::get_if<Refusal>(&found)) return *refusal;
    Model& model = *std::get<Model*>(found);
    model.tabs.insert(tab);
    return Json{{"model", model.id}, {"file", file}, {"class", name}};
}

Answer Supervisor::model_close(std::uint32_t tab, Arguments& arguments) {
    const std::string id = arguments.text("model");
    if (const auto problem = arguments.problem()) return *problem;
    const auto at = models_.find(id);
    if (at == models_.end() || !at->second.tabs.contains(tab)) return messages::no_such_model(id);
    leave_model(tab, id);
    if (at->second.tabs.empty()) end_model(id);
    return Json::object();
}

void Supervisor::leave_model(std::uint32_t tab, const std::string& id) {
    Model& model = models_.find(id)->second;
    model.tabs.erase(tab);
    model.left = std::chrono::steady_clock::now();
    std::erase_if(model.open_calls, [&](const auto& call) { return call.first == tab; });
    if (model.worker)
        model.worker->send(FrameKind::Command, 0, 0, json_text({{"command", "leave"}, {"connection", tab}}));
}

void Supervisor::end_model(const std::string& id) {
    Model& model = models_.find(id)->second;
    auto worker = std::make_shared<std::unique_ptr<WorkerProcess>>(std::move(model.worker));
    endings_.post([worker, folder = model.folder] {
        worker->reset();
        std::error_code error;
        std::filesystem::remove_all(folder, error);
    });
    models_.erase(id);
}

void Supervisor::end_unused() {
    const std::lock_guard lock(mutex_);
    end_unused(kept_for);
}

void Supervisor::end_unused(std::chrono::seconds after) {
    std::vector<std::string> unused;
    for (const auto& [id, model] : models_)
        if (model.tabs.empty() && std::chrono::steady_clock::now() - model.left >= after)
            unused.push_back(id);
    for (const std::string& id : unused) end_model(id);
}

bool Supervisor::start_worker(Model& model, std::string& problem) {
    if (!make_private_folder(model.folder)) {
        problem = "its folder " + model.folder + " cannot be made";
        return false;
    }
    // A library is read where it is.
    std::string file = model.file;
    if (file.starts_with(library_prefix))
        if (const auto found = find_library(libraries_, file))
            file = found->first.path() + "/" + found->second;
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    Json read = {"/usr",
                 "/lib",
                 "/lib64",
                 "/etc/ld.so.cache",
                 "/etc/localtime",
                 "/proc",
                 "/sys/fs/cgroup",
                 "/dev/null",
                 "/dev/urandom",
                 program.parent_path().string(),
                 (program.parent_path().parent_path() / "lib").string()};
    for (const std::string& library : libraries_) read.push_back(library);
    read.push_back(remembered_libraries_file());
    read.push_back(around_package(directory_.path()));
    Json write = {directory_.path(), model.folder, "/dev/null"};
    if (const std::string cache = cache_folder(); !cache.empty()) {
        make_private_folder(cache);
        write.push_back(cache);
    }
    const Json start = {{"directory", directory_.path()},
                        {"file", file},
                        {"model", model.name},
                        {"libraries", libraries_},
                        {"folder", model.folder},
                        {"allow_external", settings_.allow_external},
                        {"confined", settings_.confined},
                        {"read", std::move(read)},
                        {"write", std::move(write)}};
    model.generation = next_worker_++;
    model.worker = WorkerProcess::start(json_text(start),
                                        {[this, id = model.id, generation = model.generation](Frame frame) {
                                             from_worker(id, generation, std::move(frame));
                                         },
                                         [this, id = model.id, generation = model.generation](
                                             const std::string& reason, const std::string& words) {
                                             worker_ended(id, generation, reason, words);
                                         }},
                                        problem);
    if (!model.worker) return false;
    for (const auto& [name, document] : documents_)
        if (!document.read_only && !document.saved())
            model.worker->send(FrameKind::Command, 0, 0,
                               json_text({{"command", "text"},
                                          {"file", name},
                                          {"text", document.document.text()},
                                          {"version", document.document.version()}}));
    if (!model.state.empty())
        model.worker->send(FrameKind::Command, 0, 0,
                           "{\"command\":\"restore\",\"state\":" + model.state + "}");
    return true;
}

void Supervisor::from_worker(const std::string& id, std::uint64_t generation, Frame frame) {
    const std::lock_guard lock(mutex_);
    const auto at = models_.find(id);
    if (at == models_.end() || at->second.generation != generation) return;
    Model& model = at->second;
    const auto tab = tabs_.find(frame.connection);
    const bool there = tab != tabs_.end() && model.tabs.contains(frame.connection);
    switch (frame.kind) {
        case FrameKind::Answer:
        case FrameKind::Columns:
            if (!model.open_calls.erase({frame.connection, frame.id}) || !there) return;
            if (frame.kind == FrameKind::Answer)
                tab->second->send_text(std::move(frame.bytes));
            else
                tab->second->send_binary(std::move(frame.bytes));
            return;
        case FrameKind::Pushed:
            if (there) tab->second->send_latest(generation << 32 | frame.id, std::move(frame.bytes));
            return;
        case FrameKind::Event: {
            // The model's name is put in front of the other members.
            const std::string text = "{\"model\":\"" + id + "\"," + frame.bytes.substr(1);
            if (frame.connection == 0)
                tell(model.tabs, text);
            else if (there)
                tab->second->send_text(text);
            return;
        }
        case FrameKind::State:
            model.state = std::move(frame.bytes);
            return;
        case FrameKind::Call:
        case FrameKind::Command:
            return;
    }
}

void Supervisor::worker_ended(const std::string& id, std::uint64_t generation, const std::string& reason,
                              const std::string& words) {
    const std::lock_guard lock(mutex_);
    const auto at = models_.find(id);
    if (at == models_.end() || at->second.generation != generation) return;
    Model& model = at->second;
    for (const auto& [number, call] : model.open_calls)
        if (const auto tab = tabs_.find(number); tab != tabs_.end())
            tab->second->send_text(answer_text(call, messages::worker_died(reason)));
    model.open_calls.clear();
    // This thread belongs to it.
    auto old = std::make_shared<std::unique_ptr<WorkerProcess>>(std::move(model.worker));
    endings_.post([old] { old->reset(); });
    const auto now = std::chrono::steady_clock::now();
    std::erase_if(model.deaths, [&](const auto& t) { return now - t > short_time; });
    model.deaths.push_back(now);
    std::string problem;
    const bool restarted = model.deaths.size() < most_deaths && start_worker(model, problem);
    Json event = {{"event", "worker.died"},
                  {"model", id},
                  {"reason", reason},
                  {"words", words},
                  {"restarted", restarted}};
    if (!problem.empty()) event["help"] = problem;
    tell(model.tabs, json_text(event));
}

}  // namespace cutset::studio
