// A sweep: the cases of an ensemble on several threads, their results in a directory, and going on where an
// earlier sweep of the same content stopped.
//
//     cases.csv        one row per case: values, outcome, end values; written anew at the end of each sweep
//     case_0001.csv …  the result of each case
//     sweep.jsonl      what is complete, one line per case, added as cases end; the first line says of which
//                      model, options and values this is the sweep; each line has a checksum
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "operations/ensembles/case_list.h"
#include "operations/ensembles/ensemble.h"
#include "results/writer.h"
#include "run/run_totals.h"

namespace cutset {

// A column of the table that the rows of a run are condensed to.
struct SweepColumn {
    enum class Kind { Final, Minimum, Maximum } kind;
    std::string name;
    std::string title() const;  // "x", "min(x)", "max(x)"
};
// The states and outputs of a model at the end of its runs, the first of them.
std::vector<SweepColumn> default_sweep_columns(const Partition& partition);

struct SweepSettings {
    std::string directory;
    std::vector<SweepColumn> columns;
    std::string format = "csv";  // of the results: csv, mat or npz
    ResultChoice choice;         // of their columns
    bool keep_results = true;    // else the table only
    bool overwrite = false;      // another sweep that stands in the directory
    std::size_t jobs = 1;        // threads
    // Of all that results depend on, values aside: a sweep goes on only where this is the same.
    std::string content;
    const std::atomic<bool>* interrupt = nullptr;
    // Called by the thread that called, several times a second, and at the end.
    std::function<void(std::size_t done, std::size_t all)> progress;
};

// What is known of a case that has been run.
struct SweptCase {
    RunOutcome outcome = RunOutcome::Failed;
    double time = 0;  // reached
    std::size_t rows = 0;
    std::string file;            // of its result; empty when there is none
    std::uint64_t bytes = 0;     // of that file
    std::string checksum;        // of that file
    std::vector<double> values;  // by column of the table; NaN where there is none
    std::string message;         // of the first error
    std::string hash;            // of content and values
};

// What was said of several cases in the same words.
struct SweepMessage {
    Diagnostic diagnostic;             // of the first case
    std::size_t cases = 0, first = 0;  // how many, and the first
};

struct SweepResult {
    std::vector<std::optional<SweptCase>> cases;  // by case; nothing of those that were not run
    std::size_t run = 0, skipped = 0;             // now, and complete from before
    std::vector<SweepMessage> messages;           // errors first
    std::string table;                            // path of cases.csv
    RunTotals totals;                             // of the cases run now
    double seconds = 0, thread_seconds = 0;       // elapsed, and of all threads
    bool stopped_writing =
        false;  // a file could not be written, which is reported, and the sweep stopped there

    std::size_t complete() const { return run + skipped; }
    std::size_t failed() const;
};

// Runs the cases that are not complete, and writes the table. Nothing when the directory cannot be used or
// holds another sweep, which is reported.
std::optional<SweepResult> sweep(Ensemble& ensemble, const CaseList& list, const SweepSettings& settings,
                                 Diagnostics& diagnostics);

}  // namespace cutset
