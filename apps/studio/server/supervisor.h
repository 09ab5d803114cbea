// What all tabs share: the texts of the opened directory, and a process for each opened model. No numerics
// happen here, so that nothing a model does takes the studio down.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "directory_watch.h"
#include "studio/journal.h"
#include "studio/message.h"
#include "studio/opened_directory.h"
#include "studio/text_document.h"
#include "tab.h"
#include "worker_process.h"

namespace cutset::studio {

struct StudioSettings {
    std::string file;  // that the command line named, relative to the directory; empty: none
    bool allow_external = false;
    bool confined = true;  // workers, by the kernel
};

class Supervisor {
  public:
    // `folder`: of the state of this directory (journal.h).
    Supervisor(OpenedDirectory directory, std::string folder, StudioSettings settings);
    ~Supervisor();
    // The model that the command line named is begun with before a tab asks for it.
    void prepare();

    // A tab has shown its token. Its number, and what the answer to hello says.
    std::uint32_t join(std::shared_ptr<Tab> tab);
    Json welcome(std::uint32_t number) const;
    void leave(std::uint32_t number);
    void call(std::uint32_t number, Call call);

    // Now and then: models that no tab has shown for a while end.
    void end_unused();

    bool has_unsaved() const;
    std::size_t tabs() const;

  private:
    struct Document {
        Document(TextDocument text, std::unique_ptr<Journal> j)
            : document(std::move(text)), journal(std::move(j)) {}
        TextDocument document;
        std::unique_ptr<Journal> journal;  // none: of a library
        std::optional<FileVersion> disk;   // as it was read or written last
        bool read_only = false, recovered = false, conflict = false;
        std::set<std::uint32_t> tabs;
        bool saved() const { return disk && disk->hash == hash_of(document.text()); }
    };
    struct Model {
        std::string id, file, name;
        std::string folder;
        std::unique_ptr<WorkerProcess> worker;
        std::uint64_t generation = 0;  // of the worker: what an earlier one still says is not heard
        std::set<std::uint32_t> tabs;
        std::chrono::steady_clock::time_point left = std::chrono::steady_clock::now();  // by the last tab
        std::set<std::pair<std::uint32_t, std::uint64_t>> open_calls;
        std::string state;  // that it is to be started with again
        std::vector<std::chrono::steady_clock::time_point> deaths;
    };

    // ---- calls; the mutex is held
    Answer files_list(Arguments& arguments);
    Answer text_open(std::uint32_t tab, Arguments& arguments);
    Answer text_close(std::uint32_t tab, Arguments& arguments);
    Answer text_edit(std::uint32_t tab, Arguments& arguments);
    Answer text_step(std::uint32_t tab, Arguments& arguments, bool undo);
    Answer text_save(Arguments& arguments);
    Answer text_take_disk(std::uint32_t tab, Arguments& arguments);
    Answer file_new(Arguments& arguments);
    Answer file_remove(Arguments& arguments);
    Answer file_rename(Arguments& arguments);
    Answer model_open(std::uint32_t tab, Arguments& arguments);
    Answer model_close(std::uint32_t tab, Arguments& arguments);
    Answer view_set(std::uint32_t tab, Arguments& arguments);
    Answer view_go(std::uint32_t tab, Arguments& arguments);
    std::optional<Answer> own_call(std::uint32_t tab, const Call& call);
    void hand_on(std::uint32_t tab, Call call);

    // ---- texts
    std::variant<Document*, Refusal> open_document(const std::string& file);
    std::variant<Document*, Refusal> find_document(const std::string& file, std::uint64_t version);
    Json text_state(const Document& document) const;
    void changed(const std::string& file, Document& document, const std::vector<TextEdit>& edits,
                 std::uint32_t by);
    void tell_workers(const std::string& file);
    void recover();
    void disk_changed(const std::string& name);
    void forget_unused(const std::string& file);

    // ---- models
    // The one of this file and class, at work.
    std::variant<Model*, Refusal> find_model(const std::string& file, const std::string& name);
    bool start_worker(Model& model, std::string& problem);
    void from_worker(const std::string& id, std::uint64_t generation, Frame frame);
    void worker_ended(const std::string& id, std::uint64_t generation, const std::string& reason,
                      const std::string& words);
    void leave_model(std::uint32_t tab, const std::string& id);
    void end_model(const std::string& id);
    void end_unused(std::chrono::seconds after);

    void tell(const std::set<std::uint32_t>& tabs, const std::string& text);
    void tell_all(const Json& event);
    void tell_views();

    OpenedDirectory directory_;
    std::string folder_;
    StudioSettings settings_;
    std::vector<std::string> libraries_;

    mutable std::mutex mutex_;
    std::map<std::uint32_t, std::shared_ptr<Tab>> tabs_;
    std::map<std::uint32_t, Json> views_;
    std::uint32_t next_tab_ = 1;
    std::map<std::string, Document> documents_;
    std::map<std::string, Model> models_;
    std::uint64_t next_model_ = 1, next_worker_ = 1;
    // Processes that are to be ended, by a thread that holds no lock.
    JobThread endings_;
    std::unique_ptr<DirectoryWatch> watch_;
};

}  // namespace cutset::studio
