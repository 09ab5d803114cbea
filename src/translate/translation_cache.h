// Programs kept on disk, so that a second command on the same model goes straight to its run.
//
// An entry answers a question (model, parameters, inputs, … as given) as long as every text that went into
// the answer is the same, byte for byte: the files that were read, the lists of files in library directories,
// and the places where nothing was found. It also belongs to one build of Cutset. Models that read tables or
// inputs from files are not kept, nor those that are translated in a moment.
//
// After an edit the text is read and its equations are collected anew. Where they are those of the entry, but
// for places in the text and for values of parameters and initial values by which sorting decided nothing,
// the entry serves: so a value or a comment that is changed costs no analysis. Where some equations are
// others, the blocks to which they belong are sorted again, if nothing else depends on them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fingerprint.h"
#include "ir/flat_identity.h"
#include "transform/transform.h"
#include "translate/translation.h"
#include "translate/workspace.h"

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
    // Part of the bytes of an entry; empty: none.
    struct KeptBytes {
        std::shared_ptr<const char[]> owner;
        std::string_view bytes;
    };
    struct Kept {
        Translation translation;
        KeptBytes
            of_other_text;  // where it was made of another text: the archive, which is valid for this one
    };
    // For the same text; the workspace has its sources and messages then.
    std::optional<Kept> find(const std::string& question, Workspace& workspace) const;
    // For another text, of which this is the flat model: a translation, or what it was sorted to, or neither.
    struct Alike {
        std::optional<Kept> kept;
        std::optional<Partition> partition;
        std::size_t reanalysed = 0;  // equations, for the Partition
    };
    Alike find_alike(const std::string& question, const FlatModel& flat, const FlatIdentity& identity,
                     const TransformOptions& options) const;
    // `messages`: those of the translation. `made_of`: the flat model, for find_alike and after it; the
    // Partition has its decisions then, and none of the messages comes from sorting. Problems are not
    // reported: the next command translates again. Only reads what it is given, and may do so while the
    // Program runs.
    void store(const std::string& question, const Workspace& workspace, const Diagnostics& messages,
               const Kept& kept, const FlatIdentity* made_of = nullptr) const;

  private:
    Fingerprint key(const std::string& question) const;
    std::string path(const Fingerprint& key) const;

    std::string directory_;
    double shortest_;
};

}  // namespace cutset
