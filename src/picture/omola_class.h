// What the picture of an Omola model shows: terminals, the submodels and connections of its realization, or
// its equations; with what it inherits.
#pragma once

#include <memory>
#include <vector>

#include "languages/omola/objects.h"
#include "picture/class_reader.h"

namespace cutset::picture {

// Files that were read together; the first is the one that was named. They outlive it.
struct OmolaTexts {
    const std::vector<omola::File>& files;
    const Sources& sources;
    omola::Library library;
};
std::shared_ptr<const OmolaTexts> omola_texts(const std::vector<omola::File>& files, const Sources& sources);

// Null where the class is no model: a terminal, a set of attributes.
std::unique_ptr<ClassReader> omola_reader(const omola::ClassText& text,
                                          std::shared_ptr<const OmolaTexts> texts);

}  // namespace cutset::picture
