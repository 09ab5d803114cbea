// The way from text to Program, the only one.
//
//     text ──load──▶ ClassTree ──instantiate──▶ FlatModel ──transform──▶ Partition ──generate──▶ Program
//
// `translate` is the whole way, for a question about a loaded text. Operations that make a flat model of
// their own (a static problem, a mode, a model with other initial values) have the second half, as a
// function.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "translate/question.h"
#include "translate/request_cache.h"
#include "translate/translation.h"
#include "translate/workspace.h"

namespace cutset {

class Translator {
  public:
    // The workspace outlives this. Its times are those of the stages.
    explicit Translator(Workspace& workspace) : Translator(workspace.text, workspace.times) {}
    // Several threads may translate one text, each with its times.
    Translator(const ModelText& text, StageTimes& times) : text_(text), times_(times) {}

    // Loads the text of a request into the workspace and reads its experiment. With a cache: or finds that
    // the same text was translated for the same request, then the text is not parsed, and `translate` gives
    // that translation. Nothing when errors were reported.
    std::optional<Experiment> open(Workspace& workspace, const ModelRequest& request,
                                   std::optional<TranslationCache> cache);

    // Nothing when errors were reported, also before.
    std::optional<Translation> translate(const TranslationQuestion& question, Diagnostics& diagnostics);
    // Stores what was translated for the request beside the run that begins now.
    KeepingOnDisk keep(const Workspace& workspace, const Translation& translation) const;

    // The first stages alone. `collect` gives the flat model before the choice of boundary variables
    // (transform/choose_known.h), `flatten` after it.
    std::optional<FlatModel> collect(const std::string& model, const Experiment& experiment,
                                     Diagnostics& diagnostics) const;
    std::optional<FlatModel> flatten(const std::string& model, const Experiment& experiment,
                                     Diagnostics& diagnostics) const;
    std::shared_ptr<const Partition> partition(const std::string& model, const Experiment& experiment,
                                               const TransformOptions& options,
                                               Diagnostics& diagnostics) const;

  private:
    const ModelText& text_;
    StageTimes& times_;
    std::shared_ptr<RequestCache> cache_;  // of the request that was opened
};

// The second half: FlatModel → Partition → Program. `times`, if there are any, are added to.
std::optional<Translation> translate(FlatModel flat, const ProgramQuestion& question,
                                     Diagnostics& diagnostics, StageTimes* times = nullptr);
std::optional<Partition> sort_equations(FlatModel flat, const TransformOptions& options,
                                        Diagnostics& diagnostics, StageTimes* times = nullptr);
Translation translate(std::shared_ptr<const Partition> partition, const ProgramQuestion& question,
                      StageTimes* times = nullptr);

}  // namespace cutset
