// The outside of a class: what a block shows that uses it, and where lines can be joined to it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "picture/class_picture.h"

namespace cutset::picture {

// A path, by the ports at its ends; several make a hierarchical end. Empty name: the main path.
struct PathEnds {
    std::string name;
    bool main = false;
    std::vector<std::string> from, to;
};

struct Outside {
    std::string key, title;
    std::vector<Port> ports;
    std::vector<PathEnds> paths;
    Icon icon;
};

// The class that a name means where it is used; null when there is none.
using FindClass = std::function<const Outside*(std::string_view name)>;

const Port* find_port(const std::vector<Port>& ports, std::string_view name);
// The port that has the variable, whole or in a part.
const Port* port_of_variable(const std::vector<Port>& ports, std::string_view variable);

// Chooses sides for ports that have none of their own and spreads them along the sides. `first` and `last`
// are ports where flows enter and leave, as paths and connections of the class say.
void choose_sides(std::vector<Port>& ports, const std::vector<std::string>& first,
                  const std::vector<std::string>& last);

}  // namespace cutset::picture
