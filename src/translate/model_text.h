// A text and what it refers to in libraries, as classes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "flat/experiment.h"
#include "ir/class_tree.h"
#include "ir/system_summary.h"
#include "translate/library_files.h"
#include "translate/object_text.h"

namespace cutset {

class ModelText {
  public:
    struct Options {
        // Directories whose .dym files are searched for model types, in this order, after the file itself;
        // then those of CUTSET_PATH and of Cutset itself. Of a language with inheritance: directories of
        // class libraries, then those of MODELICAPATH and those remembered.
        std::vector<std::string> libraries;
        bool strict = false;          // algebraic loops of Simnon systems are errors, not solved
        bool allow_external = false;  // Simnon systems in shared libraries may be loaded
        std::vector<std::string> realizations = {};  // of Omola: path=NAME
        bool tolerant = false;                       // what is referred to is read also when there are errors
        std::string model;                           // the class that is asked for; empty: the last one
        // Texts that are edited and count instead of the file of that path; nothing for others.
        std::function<std::optional<std::string>(const std::string& path)> unsaved;
    };
    // Reads the file, the libraries it names, and of the library directories what the file refers to. False
    // when errors were reported.
    bool load(const std::string& path, const Options& options, Diagnostics& diagnostics);
    // Several Simnon systems, the connecting one last, as the command SYST names them.
    bool load_systems(const std::vector<std::string>& paths, const Options& options,
                      Diagnostics& diagnostics);

    // An expression from outside; what it refers to in libraries is read.
    std::optional<tree::Expression> parse_expression(const std::string& title, std::string text,
                                                     Diagnostics& sink);
    // A class that may be asked for although the file does not refer to it.
    void refer_to(const std::string& name, Diagnostics& diagnostics);
    // As it was loaded by an earlier command: the texts, for messages and the experiment line, and no
    // classes.
    void take(Sources sources, std::vector<SourceId> files, std::vector<std::string> experiment_words);
    // One system of equations of the model (empty: the default one). Classes of libraries may be read on the
    // way.
    std::optional<FlatModel> instantiate(const std::string& model, const Experiment& experiment,
                                         Diagnostics& diagnostics) const;

    const Sources& sources() const { return sources_; }
    Sources& sources() { return sources_; }  // texts from elsewhere may be added, for messages about them
    const ClassTree& classes() const { return classes_; }
    // Of a model of a language with inheritance: its classes; else null.
    ObjectText* objects() const { return objects_.get(); }
    // What an annotation proposes for a run, as options.
    const std::vector<std::string>& experiment_words() const { return experiment_words_; }
    // Of the default model, where its language has them.
    const std::vector<SystemSummary>& systems() const { return systems_; }
    // What Simnon would say about the order in which its connecting system computes.
    const std::vector<ComputationRemark>& computation_order() const { return computation_order_; }
    // What `load` looked at: the result would be the same while these are.
    struct Looked {
        std::vector<SourceId> files;           // read, that of the model first
        std::vector<std::string> directories;  // listed
        std::vector<std::string> absent;       // not there
    };
    const Looked& looked() const { return looked_; }

  private:
    // Where the reading of one file reports to. The errors of a library do not concern models that do not use
    // it: they stay with the library, and a message says that it was left out.
    struct LoadSink {
        Diagnostics& file;
        Diagnostics& command;
        operator Diagnostics&() const { return file; }
        void report(Diagnostic d) const { file.report(std::move(d)); }
    };
    void set_options(const Options& options);
    std::optional<std::string> read_text(const std::string& path, std::string& problem, InputKind kind) const;
    bool load_file(const std::string& path, Span from, LoadSink sink);
    void parse_source(tree::File& file, LoadSink sink);
    void load_libraries(Diagnostics& diagnostics);
    void read_library(LibraryFiles::Library& library, Diagnostics& diagnostics);
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

    bool load_objects(const std::string& path, const Options& options, Diagnostics& diagnostics);
    void note_looked() const;

    Options options_;          // with all library directories
    mutable Sources sources_;  // grows when classes of libraries are read
    ClassTree classes_;
    std::unique_ptr<ObjectText> objects_;
    std::vector<std::string> experiment_words_;
    std::vector<SystemSummary> systems_;
    std::vector<ComputationRemark> computation_order_;
    mutable Looked looked_;
    std::vector<FileIdentity> loaded_;
    LibraryFiles libraries_;
};

// The .dym files of a directory, sorted; nothing and the reason when it cannot be read.
std::vector<std::string> library_files(const std::string& directory, std::string& problem);

// The libraries that come with Cutset, next to the program or in the source tree; "" when they are not found.
std::string standard_library_directory();

}  // namespace cutset
