// The commands of the program. Each takes its options and returns the exit status: 0 done, 1 the model or the
// run failed, 2 the command line was wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/workspace.h"
#include "limits.h"

namespace cutset::cli {

// Options that all commands on a model share.
struct ModelOptions {
    std::string file;
    std::string model;  // empty: the last of the file
    std::vector<std::string> set, init, input, library;
    std::vector<std::string> known, unknown, tear;  // as given; each may hold several, separated by commas
    std::string initial;                            // given, steady, jump; empty: given
    Limits limits;
    bool json = false;
    bool quiet = false;
};

struct CheckOptions : ModelOptions {
    bool loops = false;
};
int check(const CheckOptions& options);

struct PartitionOptions : ModelOptions {};
int partition(const PartitionOptions& options);

struct EquationsOptions : ModelOptions {
    bool flat = false;
    bool latex = false;
    std::string where;
};
int equations(const EquationsOptions& options);

struct SimulateCommand : ModelOptions {
    std::optional<double> start, stop, step, tolerance, absolute;
    std::optional<double> points;
    std::string solver;
    std::optional<double> step_size, max_step, local_tolerance;
    std::string step_control;       // empty: pi
    std::string engine;             // empty: auto
    std::string steps;              // file for the steps of the integrator
    std::string output;             // empty: MODEL.csv in the present directory
    std::vector<std::string> plot;  // names, or y(x)
    bool every_step = false;
    bool states = false;
    bool strict = false;
    bool allow_external = false;
    bool statistics = false;
    bool profile = false;
};
int simulate(const SimulateCommand& options);

struct SweepCommand : SimulateCommand {
    std::vector<std::string> vary;
    std::string cases;
    std::optional<double> jobs;                             // threads; else one per core
    std::vector<std::string> final_values, minima, maxima;  // columns of the table
    std::string format;                                     // csv or mat; empty: csv
    bool no_results = false;                                // the table only
    bool overwrite = false;
};
int sweep(const SweepCommand& options);
// Fills what the command line left open from the experiment line of the model's file.
bool apply_experiment_line(const std::vector<std::string>& words, SimulateCommand& options,
                           std::string& problem);

struct PlotOptions {
    std::string file;
    std::vector<std::string> names;
    std::string output;
    std::string title;
};
int plot(const PlotOptions& options);

struct TranslateOptions : ModelOptions {
    std::string to;
    std::string output;
};
int translate(const TranslateOptions& options);

struct CompareCommand {
    std::string result, reference;
    double relative = 1e-3, absolute = 0;
    std::vector<std::string> only, skip, names;  // names: REFERENCE=RESULT
    bool all = false;
};
int compare_results(const CompareCommand& options);

// ---- shared by the commands on a model

// Loads the file and reads --set, --init, --input, --known and --unknown. Nothing when errors were reported.
std::optional<Experiment> open_model(const ModelOptions& options, Workspace& workspace);
TransformOptions transform_options(const ModelOptions& options, const Workspace& workspace);
// Prints what was reported, as text or JSON, and gives the exit status.
int finish(const Workspace& workspace, const ModelOptions& options, std::size_t printed = 0);

}  // namespace cutset::cli
