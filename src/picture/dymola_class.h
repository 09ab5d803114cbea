// A class of the 1977 language as a picture, before it is arranged: what it has, not yet where.
#pragma once

#include <string>
#include <vector>

#include "ir/class_tree.h"
#include "picture/class_picture.h"
#include "picture/outside.h"

namespace cutset::picture {

// Ports and paths; sides are not chosen.
Outside dymola_outside(const tree::Class& type, const Sources& sources);
// Ports where flows enter and leave, as paths and connections say.
void dymola_directions(const tree::Class& type, const Outside& outside, std::vector<std::string>& first,
                       std::vector<std::string>& last);

// The rest. `ports` and `paths` are those of its outside; `find` gives the classes of its submodels.
ClassPicture dymola_picture(const tree::Class& type, const Outside& outside, const Sources& sources,
                            const FindClass& find);

}  // namespace cutset::picture
