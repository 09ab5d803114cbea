// A model of a language with inheritance (Modelica: file .mo, a directory, or the name of a class in a
// library; Omola: .om; EL: .el), and the classes that it may reach.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "languages/el/syntax.h"
#include "languages/omola/syntax.h"
#include "objects/library.h"

namespace cutset {

struct ObjectText {
    ClassLibrary library;
    std::vector<const object::Class*> own;  // of the file that was named
    std::string model;                      // what is asked for when nothing else is
    std::vector<std::string> experiment;    // what its annotation proposes, as options of the command line
    std::vector<el::File> el;               // of EL: experiments are programs
    std::vector<omola::File> omola;         // of Omola: as it was written
    std::shared_ptr<const object::File> lowered;  // of both: what was made of them
    std::vector<const object::Class*> guests;     // packages of other languages that an Omola file uses
    std::mutex busy;                              // reading goes on while models are instantiated
};

// Whether the words of a command mean such a model: the ending of a file, a directory of classes, or a name
// with dots that is no file.
bool is_object_model(const std::string& words);

// How the text of a file is read; nothing and the reason when it cannot be.
using ReadText =
    std::function<std::optional<std::string>(const std::string& path, std::string& problem, InputKind kind)>;

struct ObjectRequest {
    std::string words;                           // what names it
    std::string model;                           // the class that is asked for; empty: the last one
    std::vector<std::string> directories;        // of libraries
    bool tolerant = false;                       // of a text with errors what can be understood
    std::vector<std::string> realizations = {};  // of Omola: path=NAME
    ReadText read = [](const std::string& path, std::string& problem, InputKind kind) {
        return read_file(path, problem, kind);
    };
};
std::unique_ptr<ObjectText> load_object_text(const ObjectRequest& request, Sources& sources,
                                             Diagnostics& diagnostics);
// Chooses a class by its whole name, or by that within the file; what it proposes for a run is read.
void choose_class(ObjectText& text, const std::string& name, Sources& sources, Diagnostics& diagnostics);

// The whole name of a class that is named so or by its name within the file; as it is when there is none.
std::string class_path(ObjectText& text, const std::string& name);

// The options of a run that `annotation(experiment(StopTime = 1, …))` of the class proposes.
std::vector<std::string> experiment_words(const object::Class& c, const Sources& sources,
                                          Diagnostics& diagnostics);

// The classes within a class, itself first, in the order of the text and of package.order.
std::vector<const object::Class*> all_classes(ClassLibrary& library, const object::Class& c);

}  // namespace cutset
