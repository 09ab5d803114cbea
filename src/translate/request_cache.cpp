#include "translate/request_cache.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/fingerprint.h"
#include "base/json.h"
#include "base/stopwatch.h"
#include "translate/remembered_libraries.h"

namespace cutset {

namespace {

constexpr std::size_t most_kept_beside = 200'000;  // variables: some 30 MB

std::string key_of(const ModelRequest& r) {
    Json key = {r.file,    r.model, r.set,     r.init,   r.input,      r.known,
                r.unknown, r.tear,  r.library, r.solver, r.realization};
    const char* path = std::getenv("CUTSET_PATH");
    key.push_back(path ? path : "");
    key.push_back(word_of(r.initial));
    key.push_back(class_directories({}));
    return json_text(key);
}

// What the text may say, too, about how it is translated.
std::string how(const TranslationQuestion& question) {
    Json text = {question.transform.tear, int(question.jacobian)};
    return json_text(text);
}

bool is_lasting(const TranslationQuestion& question) {
    const Experiment& e = question.experiment;
    return question.transform.initial != InitialMode::Steady && e.input_files.empty() &&
           std::none_of(e.knowns.begin(), e.knowns.end(),
                        [](const Experiment::Known& known) { return known.table.has_value(); });
}

}  // namespace

KeepingOnDisk::KeepingOnDisk(std::function<void()> store, bool beside) {
    if (beside)
        beside_ = std::async(std::move(store));  // without a thread, at the end
    else
        store_ = std::move(store);
}

void KeepingOnDisk::finish(bool stopped) {
    try {
        if (beside_.valid())
            beside_.get();
        else if (store_ && !stopped)
            store_();
    } catch (...) {  // what is not kept is made again
    }
}

RequestCache::RequestCache(TranslationCache cache, const ModelRequest& request)
    : cache_(std::move(cache)), key_(key_of(request)) {}

bool RequestCache::find_same_text(Workspace& workspace) {
    same_text_ = cache_.find(key_, workspace);
    return same_text_.has_value();
}

std::optional<Translation> RequestCache::take_same_text() {
    Translation translation = std::move(same_text_->translation);
    same_text_.reset();
    return translation;
}

RequestCache::Earlier RequestCache::find_earlier_text(const FlatModel& flat,
                                                      const TranslationQuestion& question,
                                                      TransformOptions& transform, StageTimes& times) {
    lasting_ = is_lasting(question);
    if (!lasting_ || !may_have_other_values(question.experiment, question.transform) ||
        flat.variables.size() > most_kept_beside)
        return {};
    const Stopwatch watch(&times.sort);
    transform.remember_decisions = true;
    made_of_ = identity_of(flat);
    made_of_->frame = fingerprint(made_of_->frame.text() + key_ + how(question));
    TranslationCache::Alike alike = cache_.find_alike(key_, flat, *made_of_, transform);
    Earlier earlier;
    if (alike.kept) {
        of_other_text_ = std::move(alike.kept->of_other_text);
        earlier.translation = std::move(alike.kept->translation);
    } else if (alike.partition) {
        earlier.partition = std::move(alike.partition);
        earlier.provenance = {Provenance::Kind::EarlierButForSome, alike.reanalysed};
    }
    return earlier;
}

KeepingOnDisk RequestCache::keep(const Workspace& workspace, const Translation& translation) const {
    if (!lasting_ || !cache_.takes(workspace, *translation.program)) return {};
    return {[self = shared_from_this(), &workspace, translation, messages = workspace.diagnostics] {
                self->cache_.store(self->key_, workspace, messages, {translation, self->of_other_text_},
                                   self->made_of_ ? &*self->made_of_ : nullptr);
            },
            translation.model().variables.size() <= most_kept_beside};
}

}  // namespace cutset
