// A model and what is set in it, in words: what a command line, or a program that embeds Cutset, asks for.
//
//     Workspace workspace;
//     if (const auto experiment = open_model(request, workspace)) { … }
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "flat/experiment.h"
#include "transform/transform.h"
#include "translate/experiment_text.h"
#include "translate/workspace.h"

namespace cutset {

struct ModelRequest {
    std::string file;
    std::string model;                              // empty: the last of the file
    std::vector<std::string> set, init, input;      // path=VALUE
    std::vector<std::string> library;               // directories
    std::vector<std::string> known, unknown, tear;  // each may hold several, separated by commas
    std::vector<std::string> realization;           // of Omola: path=NAME, or NAME of the model's own
    std::optional<InitialMode> initial;             // nothing: what the file proposes, else Given
    std::string solver;                             // of the run; empty: what the file proposes, else auto
    bool allow_external = false;                    // also to load Simnon systems in shared libraries
    // Texts that count instead of files (ModelText::Options).
    std::function<std::optional<std::string>(const std::string& path)> unsaved;
};

// Loads the file and reads what is set. The file may propose settings in its experiment line; those of the
// request overrule them. Nothing when errors were reported.
std::optional<Experiment> open_model(const ModelRequest& request, Workspace& workspace);
TransformOptions transform_options(const ModelRequest& request, const ModelText& text);

}  // namespace cutset
