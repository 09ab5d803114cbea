// Words that terminals carry, such as their medium, and that may be left open: connections and the relations
// of generic models (`constraints: inlet.medium = outlet.medium;`) make them one. Water that enters a generic
// pipe cannot leave it as oil.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "languages/omola/objects.h"

namespace cutset::omola {

// Places that have one word together: "inlet" with "medium"; "" is the model itself.
struct WordGroup {
    struct Place {
        std::string terminal, word;
    };
    std::vector<Place> places;
    std::string value;  // empty: open
    std::string owner;  // the terminal that has it
    Span where;
};

// The words of a model's own terminals. Reports those that differ within it.
std::vector<WordGroup> word_groups(const Object& model, Diagnostics& diagnostics);

// Whether both sides are words of terminals, or of the model: a relation between them, no equation.
bool is_word_relation(const Object& model, const Definition& d);

}  // namespace cutset::omola
