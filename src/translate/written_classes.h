// The loaded classes as text in a language that has classes.
#pragma once

#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "translate/model_text.h"

namespace cutset {

// The classes of the model as a package of Modelica; those of a Modelica file, or the class that was named,
// as they are. `file` names the package.
std::string modelica_text(ModelText& text, const std::string& file);

// The classes of an Omola file; none for models of other languages (reported).
std::optional<std::string> omola_text(const ModelText& text, const std::string& file,
                                      Diagnostics& diagnostics);

}  // namespace cutset
