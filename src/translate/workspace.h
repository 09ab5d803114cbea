// Workspace: a text and the libraries that it refers to, as classes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "ir/class_tree.h"
#include "ir/system_summary.h"
#include "translate/library_shelf.h"
#include "translate/stage_times.h"

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

    StageTimes times;  // so far

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
    bool load(const std::string& path, Diagnostics& diagnostics);
    // A class that may be asked for although the file does not refer to it.
    void refer_to(const std::string& name, Diagnostics& diagnostics);

    // Several Simnon systems, the connecting one last, as the command SYST names them.
    bool load_systems(const std::vector<std::string>& paths, Diagnostics& diagnostics);

    // An expression from outside; what it refers to in libraries is read.
    std::optional<tree::Expression> parse_expression(const std::string& title, std::string text,
                                                     Diagnostics& sink);
    // Those of CUTSET_PATH and of Cutset itself are searched too, after those given.
    void add_library_directories();

  private:
    // Where the reading of one file reports to. The errors of a library concern nobody who does not use it:
    // they stay with the library, and the command is told that it was left out.
    struct LoadSink {
        Diagnostics& file;
        Diagnostics& command;
        operator Diagnostics&() const { return file; }
        void report(Diagnostic d) const { file.report(std::move(d)); }
    };
    bool load_file(const std::string& path, Span from, LoadSink sink);
    void parse_source(tree::File& file, LoadSink sink);
    void load_libraries(Diagnostics& diagnostics);
    void read_book(LibraryShelf::Book& book, Diagnostics& diagnostics);
    void read_referred(Diagnostics& diagnostics);
    void read_all_libraries(Diagnostics& diagnostics);
    // Simnon systems are read first, and become classes when everything that they may refer to is known.
    struct ReadSystems;
    std::shared_ptr<ReadSystems> read_systems(const std::vector<std::string>& paths, Span from,
                                              LoadSink sink);
    void read_system_file(ReadSystems& read, const std::string& path, Span from, const std::string& only,
                          LoadSink sink);
    void read_external_system(ReadSystems& read, const std::string& path, Span from, LoadSink sink);
    void find_system(ReadSystems& read, const std::string& name, Span where, const std::string& directory,
                     LoadSink sink);
    void lower_systems(ReadSystems& read, bool main, LoadSink sink);
    void find_systems_of_models(Diagnostics& diagnostics);
    bool loaded(const std::optional<FileIdentity>& identity) const;
    std::vector<FileIdentity> loaded_;
    LibraryShelf shelf_;
};

// The .dym files of a directory, sorted; nothing and the reason when it cannot be read.
std::vector<std::string> library_files(const std::string& directory, std::string& problem);

// The libraries that come with Cutset, next to the program or in the source tree; "" when they are not found.
std::string standard_library_directory();

}  // namespace cutset
