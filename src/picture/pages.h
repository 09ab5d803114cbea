// A whole model on paper: one page for the model and one for each class that it uses, in the order in which
// one comes to them from above.
#pragma once

#include <vector>

#include "picture/class_pictures.h"
#include "results/drawing.h"

namespace cutset::picture {

// The drawings keep what they need of the pictures, which must outlive them.
std::vector<Drawing> model_pages(ClassPictures& pictures, const ClassPicture& model);

}  // namespace cutset::picture
