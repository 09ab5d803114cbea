// Workspace: loaded sources and the pipeline from text to program, as one readable function each.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "generate/generate.h"
#include "instantiate/instantiate.h"
#include "ir/class_tree.h"
#include "ir/flat_model.h"
#include "ir/partition.h"
#include "ir/program.h"
#include "ir/system_summary.h"
#include "run/simulate.h"
#include "transform/transform.h"
#include "translate/library_shelf.h"

namespace cutset {

class Workspace {
  public:
    Sources sources;
    Diagnostics diagnostics;
    ClassTree classes;
    std::vector<SystemSummary> systems;  // of the default model, where its language has them
    // What Simnon would say about the order in which its connecting system computes.
    std::vector<ComputationRemark> computation_order;

    // How Simnon systems are read.
    struct SystemOptions {
        bool strict = false;          // algebraic loops are errors, not solved
        bool allow_external = false;  // systems in shared libraries may be loaded
    };
    SystemOptions system_options;

    // Seconds that the stages have taken so far.
    struct Times {
        double parse = 0, instantiate = 0, sort = 0, generate = 0;
    };
    Times times;

    // What `load` looked at: the result would be the same while these are.
    struct Looked {
        std::vector<SourceId> files;           // read
        std::vector<std::string> directories;  // listed
        std::vector<std::string> absent;       // not there
    };
    Looked looked;

    // Directories whose .dym files are searched for model types, in this order, after the file itself.
    std::vector<std::string> library_directories;

    // Reads the file, the libraries it names, and of the library directories what the file refers to. False
    // when errors were reported.
    bool load(const std::string& path);
    // A class that may be asked for although the file does not refer to it.
    void refer_to(const std::string& name);

    // Several Simnon systems, the connecting one last, as the command SYST names them.
    bool load_systems(const std::vector<std::string>& paths);

    // text → ClassTree → FlatModel → Partition → Program; each stops with nothing once errors were reported.
    // `collect` gives the flat model before the choice of boundary variables, `flatten` after it.
    std::optional<FlatModel> collect(const std::string& model, const Experiment& experiment);
    std::optional<FlatModel> flatten(const std::string& model, const Experiment& experiment);
    std::shared_ptr<const Partition> partition(const std::string& model, const Experiment& experiment,
                                               const TransformOptions& options = {});
    std::optional<Program> program(const std::string& model, const Experiment& experiment,
                                   const TransformOptions& options = {},
                                   JacobianKind jacobian = JacobianKind::None);
    std::optional<Program> program(FlatModel flat, const TransformOptions& options, JacobianKind jacobian);
    Program program(Partition sorted, JacobianKind jacobian);
    // A Program that leaves quantities open and has derivatives by them, for ModelFunctions. `inputs`: the
    // inputs are left open too, before the others. Without `outputs` those of the model.
    struct OpenQuestion {
        std::vector<std::string> open, outputs;
        bool inputs = false;
        bool start = false;  // derivatives of the start too
        double time = 0;     // at which inputs have the values that count
        JacobianKind jacobian = JacobianKind::None;
    };
    std::shared_ptr<const Program> open_program(const std::string& model, Experiment experiment,
                                                const TransformOptions& options,
                                                const OpenQuestion& question);
    // The program for a run. A steady start for which Newton's method finds no rest position, or one that
    // cannot last and that nobody asked for, is looked for by way of the motion (operations/rest.h).
    std::optional<Program> program_to_run(const std::string& model, const Experiment& experiment,
                                          const TransformOptions& options, const SimulateOptions& run);

    // An expression from outside; what it refers to in libraries is read.
    std::optional<tree::Expression> parse_expression(const std::string& title, std::string text,
                                                     Diagnostics& sink);
    // "path=value" of --set, --init and --input.
    std::optional<Experiment::Setting> parse_setting(const std::string& option, const std::string& text);
    // --input u=file.csv
    std::optional<Experiment::InputFile> read_input(const std::string& option, const std::string& variable,
                                                    const std::string& file);

    // Options that a comment in the head of the file gives: `experiment: --stop 200 --plot Tank1.h`.
    std::vector<std::string> experiment_line() const;

    // Those of CUTSET_PATH and of Cutset itself are searched too, after those given.
    void add_library_directories();

  private:
    bool load_file(const std::string& path, Span from, Diagnostics& sink);
    void parse_source(tree::File& file, Diagnostics& sink);
    void load_libraries();
    void read_book(LibraryShelf::Book& book);
    void read_referred();
    void read_all_libraries();
    // Simnon systems are read first, and become classes when everything that they may refer to is known.
    struct ReadSystems;
    std::shared_ptr<ReadSystems> read_systems(const std::vector<std::string>& paths, Span from,
                                              Diagnostics& sink);
    void read_system_file(ReadSystems& read, const std::string& path, Span from, const std::string& only,
                          Diagnostics& sink);
    void read_external_system(ReadSystems& read, const std::string& path, Span from, Diagnostics& sink);
    void find_system(ReadSystems& read, const std::string& name, Span where, const std::string& directory,
                     Diagnostics& sink);
    void lower_systems(ReadSystems& read, bool main, Diagnostics& sink);
    void find_systems_of_models();
    bool loaded(const std::optional<FileIdentity>& identity) const;
    std::vector<FileIdentity> loaded_;
    LibraryShelf shelf_;
};

// The .dym files of a directory, sorted; nothing and the reason when it cannot be read.
std::vector<std::string> library_files(const std::string& directory, std::string& problem);

// The libraries that come with Cutset, next to the program or in the source tree; "" when they are not found.
std::string standard_library_directory();

}  // namespace cutset
