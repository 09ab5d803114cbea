// Programs kept on disk, so that a second start of the same model goes straight to its run.
//
// An entry serves a question (model, parameters, inputs, … as given) as long as every text that went into the
// answer is the same, byte for byte: the files that were read, the lists of files in library directories, and
// the places where nothing was found. It also belongs to one build of Cutset. Models that read tables or
// inputs from files are not kept, nor those that are translated in a moment.
#pragma once

#include <optional>
#include <string>

#include "driver/workspace.h"

namespace cutset {

class TranslationCache {
  public:
    // In $CUTSET_CACHE, else $XDG_CACHE_HOME/cutset, else ~/.cache/cutset; nothing with CUTSET_CACHE=off.
    static std::optional<TranslationCache> open();
    // `shortest`: seconds of a translation; what takes less is not kept.
    explicit TranslationCache(std::string directory, double shortest = 0.4)
        : directory_(std::move(directory)), shortest_(shortest) {}

    // Whether a translation would be kept: it took long enough, and read nothing but sources.
    bool takes(const Workspace& workspace, const Program& program) const;
    // The Program, the workspace having its sources and messages then.
    std::optional<Program> find(const std::string& question, Workspace& workspace) const;
    // `messages`: those of the translation. Problems are nobody's concern: the next start translates again.
    // Only reads what it is given, and may do so while the Program runs.
    void store(const std::string& question, const Workspace& workspace, const Diagnostics& messages,
               const Program& program) const;

  private:
    std::string path(const std::string& question) const;

    std::string directory_;
    double shortest_;
};

}  // namespace cutset
