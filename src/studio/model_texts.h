// The texts of a model as the studio has them: unsaved ones count instead of the files, and files have the
// names of the protocol. One place that the threads of a worker share.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "translate/model_request.h"
#include "translate/places_json.h"

namespace cutset::studio {

// Which model a worker works for. Paths of files are relative to the directory, which is where it works.
struct ModelPlace {
    std::string directory;  // absolute, without links
    std::string file;
    std::string model;  // of the class; empty: the default one
    std::vector<std::string> libraries;
    bool allow_external = false;
};

class ModelTexts {
  public:
    explicit ModelTexts(ModelPlace place) : place_(std::move(place)) {}

    // Nothing: the file counts again.
    void set(const std::string& file, std::optional<std::string> text, std::uint64_t version);
    // Grows with every change.
    std::uint64_t generation() const;
    Json versions() const;       // by file, of those that are edited
    bool are_all_saved() const;  // no text counts instead of a file

    const ModelPlace& place() const { return place_; }
    ModelRequest request() const;
    // Of spans in these texts, with bytes.
    Places places(const Sources& sources) const;
    // "plant/boiler.dym", "library:electrical.dym"
    std::string file_name(const std::string& path) const;

  private:
    struct Text {
        std::string text;
        std::uint64_t version;
    };
    ModelPlace place_;
    mutable std::mutex mutex_;
    std::map<std::string, Text> texts_;
    std::uint64_t generation_ = 1;
};

// Directories of libraries that every model may use: CUTSET_PATH, what comes with Cutset, MODELICAPATH and
// what is remembered.
std::vector<std::string> library_directories();

}  // namespace cutset::studio
