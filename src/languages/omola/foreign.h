// A class of another language as an object of Omola: its connectors are record terminals, across or flowing
// in, its inputs and outputs simple ones, its parameters parameters.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "languages/omola/objects.h"

namespace cutset::omola {

// `find`: a class by its whole name.
std::shared_ptr<Object> foreign_object(const object::Class& c,
                                       const std::function<const object::Class*(const std::string&)>& find);

}  // namespace cutset::omola
