// What the picture of an EL component shows: ports, submodels and CONNECT of its topology, equations; its own
// and those of its parents.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "languages/el/library.h"
#include "languages/el/syntax.h"
#include "picture/class_reader.h"

namespace cutset::picture {

// Files that were read together; the first is the one that was named. They outlive it.
struct ElTexts {
    const std::vector<el::File>& files;
    const Sources& sources;
    el::Library library;
};
std::shared_ptr<const ElTexts> el_texts(const std::vector<el::File>& files, const Sources& sources);

std::unique_ptr<ClassReader> el_reader(const el::Component& component, std::shared_ptr<const ElTexts> texts);

}  // namespace cutset::picture
