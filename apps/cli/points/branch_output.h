// Branches of stationary points on the terminal, as files, pictures and JSON.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "operations/points/branch.h"
#include "translate/workspace.h"

namespace cutset::cli {

Json branch_json(const Branch& branch, const Workspace& workspace);
void print_branch(const Branch& branch, const std::vector<std::string>& shown);
// A result, .csv or .mat, with the arc as time; .json; or a picture of `shown` over the parameter, stable and
// unstable parts as curves of their own. False when it cannot be written, reported.
bool write_branch(const Branch& branch, const std::string& path, const std::vector<std::string>& shown,
                  Workspace& workspace);
void draw_branch(const Branch& branch, const std::vector<std::string>& shown);

}  // namespace cutset::cli
