// One request and the cache of translations on disk: what the cache has for it, and what it gets.
#pragma once

#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "translate/model_request.h"
#include "translate/question.h"
#include "translate/translation.h"
#include "translate/translation_cache.h"

namespace cutset {

// A translation on its way to the disk.
class KeepingOnDisk {
  public:
    KeepingOnDisk() = default;  // nothing is kept
    // `beside`: on another thread from now on; else when the run is over.
    KeepingOnDisk(std::function<void()> store, bool beside);
    // Waits until it is there. What has not begun is left undone when the run was stopped.
    void finish(bool stopped);

  private:
    std::function<void()> store_;
    std::future<void> beside_;
};

// Shared, since storing may outlast the translator.
class RequestCache : public std::enable_shared_from_this<RequestCache> {
  public:
    RequestCache(TranslationCache cache, const ModelRequest& request);

    // Whether the request was translated for the same text: the workspace has its sources and messages
    // then.
    bool find_same_text(Workspace& workspace);
    bool has_same_text() const { return same_text_.has_value(); }
    std::optional<Translation> take_same_text();

    // What is kept of an earlier text of which the flat model is the same, or some equations: a translation,
    // or a Partition, or neither. Decisions of sorting are to be remembered, for later texts.
    struct Earlier {
        std::optional<Translation> translation;
        std::optional<Partition> partition;
        Provenance provenance;
    };
    Earlier find_earlier_text(const FlatModel& flat, const TranslationQuestion& question,
                              TransformOptions& transform, StageTimes& times);
    // The translation is that of this text only.
    void forget_identity() { made_of_.reset(); }

    // Stores the translation, if it is to be kept. The workspace and the Program are not changed as long as
    // that lasts.
    KeepingOnDisk keep(const Workspace& workspace, const Translation& translation) const;

  private:
    TranslationCache cache_;
    std::string key_;
    std::optional<TranslationCache::Kept> same_text_;
    bool lasting_ = false;  // nothing in it comes from a run or from files other than sources
    std::optional<FlatIdentity> made_of_;
    TranslationCache::KeptBytes of_other_text_;
};

}  // namespace cutset
