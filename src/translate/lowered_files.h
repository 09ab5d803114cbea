// Omola (.om) and EL (.el) files, with the libraries that they use, as classes of an object library.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "translate/object_text.h"

namespace cutset {

bool is_lowered_file(const std::string& path);

// Adds the classes of the file and gives the name of the model that it is about: its last experiment or
// component. Libraries, USE LIB or USES Lib, are a file LIB.el or a directory LIB of them beside the file or
// in one of the directories.
std::string load_lowered_file(ObjectText& text, const ObjectRequest& request, Sources& sources,
                              Diagnostics& diagnostics);

// The experiment of that name, motorDC.motor2.exp1; of the model that the text is about where it is empty.
// Null when there is none. An experiment without a model is found by its own name.
const el::Experiment* el_experiment(const ObjectText& text, const std::string& name);

// What the BODY of an experiment sets before it integrates once, as options of a run; nothing where the model
// is not an experiment, or its BODY does more, which is noted. And what ALG says: the variables to iterate
// on.
std::vector<std::string> el_experiment_words(const ObjectText& text, const std::string& model,
                                             Diagnostics& diagnostics);

Diagnostic no_experiment(const std::string& file, const std::string& name);

}  // namespace cutset
