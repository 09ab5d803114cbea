// What is asked of a model, as texts: the options of a command line, and of a comment in the head of the
// file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flat/experiment.h"
#include "translate/model_text.h"

namespace cutset {

// "path=value" of --set, --init and --input. Nothing when errors were reported.
std::optional<Experiment::Setting> parse_setting(ModelText& model, const std::string& option,
                                                 const std::string& text, Diagnostics& diagnostics);
// --input u=file.csv
std::optional<Experiment::InputFile> read_input(const std::string& option, const std::string& variable,
                                                const std::string& file, Diagnostics& diagnostics);

// Options that a comment in the head of the file gives: `experiment: --stop 200 --plot Tank1.h`.
std::vector<std::string> experiment_line(const ModelText& model);
// Where they stand.
std::optional<Span> experiment_span(const ModelText& model);

}  // namespace cutset
