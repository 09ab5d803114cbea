// Linear systems as files.
//
//   .json  {"A": [[…], …], "B": …, "C": …, "D": …, "E": …, "states": […], "inputs": […], "outputs": […],
//   "sample_time": T}
//          or {"num": [1, 2], "den": [1, 3, 2]}, highest power first; for several inputs and outputs
//          num[i][j] and den[i][j] are the polynomials from input j to output i, or one den serves all; or
//          {"tf": "1/(s+1)"} or rows of such texts.
//   .mat   matrices of the same names, level 4 or 5; also Dymola's and OpenModelica's ABCD, nx, xuyName.
//   .mim   the text `nmp = n m p`, then a = …, b = …, c = …, d = ….
//
// B, C and D may be missing: without B there are no inputs, without C every state is an output.
#pragma once

#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "control/linear_system.h"
#include "results/output_file.h"

namespace cutset {

// By the ending of the name.
bool is_linear_file(const std::string& path);

// Nothing after an error. The file joins `sources`, so that messages can show it.
std::optional<LinearSystem> read_linear_file(const std::string& path, Sources& sources,
                                             Diagnostics& diagnostics);
std::optional<LinearSystem> read_linear_json(const std::string& path, const std::string& text,
                                             Sources& sources, Diagnostics& diagnostics);

// By the ending of the name: .json, .mat, .mim, and .dym for a component of a model, with the name of the
// file; a transfer matrix as .json.
Problem write_linear_file(const StateSpace& system, const std::string& path);
Problem write_linear_file(const ExactTransferMatrix& system, const std::string& path);

// With names for what has none, and empty matrices of the right sizes. Says what does not fit together, ""
// when all does.
std::string complete(StateSpace& system);

}  // namespace cutset
