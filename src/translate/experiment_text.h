// What is asked of a model, as texts: the options of a command line, and of a comment in the head of the
// file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "instantiate/instantiate.h"
#include "transform/transform.h"
#include "translate/workspace.h"

namespace cutset {

// All that a Program depends on beside the texts of the model.
struct ModelRequest {
    std::string file;
    std::string model;  // empty: the last of the file
    std::vector<std::string> set, init, input, library;
    std::vector<std::string> known, unknown, tear;  // as given; each may hold several, separated by commas
    std::string initial;                            // given, steady, jump; empty: given
    std::string solver;           // of the run; empty: the one that the file proposes, else auto
    bool allow_external = false;  // functions and systems of the model may run code in shared libraries
};

// Loads the file and reads --set, --init, --input, --known and --unknown. Nothing when errors were reported.
std::optional<Experiment> read_experiment(const ModelRequest& request, Workspace& workspace,
                                          Diagnostics& diagnostics);
// --tear and --initial.
TransformOptions transform_options(const ModelRequest& request, const ModelText& text);

// "path=value" of --set, --init and --input. Nothing when errors were reported.
std::optional<Experiment::Setting> parse_setting(ModelText& model, const std::string& option,
                                                 const std::string& text, Diagnostics& diagnostics);
// --input u=file.csv
std::optional<Experiment::InputFile> read_input(const std::string& option, const std::string& variable,
                                                const std::string& file, Diagnostics& diagnostics);

// Options that a comment in the head of the file gives: `experiment: --stop 200 --plot Tank1.h`.
std::vector<std::string> experiment_line(const ModelText& text);

}  // namespace cutset
