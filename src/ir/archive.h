// A Program with all that it refers to as bytes, and back: for caches on disk.
//
// The bytes are meant for the very program that wrote them; what keeps them has to see to that.
// Expressions are written as a list of nodes in the order of their age, so that a Pool that is read back
// orders terms in the same way. Bytes that are damaged give nothing, never a wrong Program: a checksum stands
// before them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "ir/flat_identity.h"
#include "ir/program.h"

namespace cutset {

// The bytes, after `before`. `made_of`: the model that was sorted, so that it can be used for other texts
// that give the same one; the Partition has its decisions then. Nothing when they are more than `largest`.
std::optional<std::string> archive(const Program& program, const std::vector<Diagnostic>& messages,
                                   const FlatIdentity* made_of = nullptr,
                                   std::size_t largest = std::string::npos, std::string before = {});

struct ArchivedProgram {
    Program program;
    std::vector<Diagnostic> messages;        // of its translation
    std::shared_ptr<Partition> partition;    // that of the program
    std::vector<double> parameters, starts;  // the numbers of the model that it was made of (FlatIdentity)
    // The equations that are others now. If there are any, nothing but the Partition is read.
    std::vector<EquationIndex> changed;
};
// `now`: a model with the same frame, from a text in which it may stand elsewhere. The Partition has its
// decisions then, and all places are those of that text. Nothing when more than `most_changed` of its
// equations are others.
std::optional<ArchivedProgram> unarchive(std::string_view bytes, const FlatIdentity* now = nullptr,
                                         std::size_t most_changed = 0);

// A text that an archived Program is valid for although it was made of another one.
struct ServedText {
    FlatIdentity identity;
    std::vector<std::pair<VariableIndex, double>> values;  // of all parameters
    std::vector<Diagnostic> messages;
};
std::string archive(const ServedText& text);
std::optional<ServedText> unarchive_text(std::string_view bytes);

}  // namespace cutset
