// A picture as data: what `cutset picture --json` prints and the studio sends to its page.
#pragma once

#include "base/json.h"
#include "picture/class_picture.h"
#include "translate/places_json.h"

namespace cutset::picture {

Json picture_json(const ClassPicture& picture, const Places& places);

}  // namespace cutset::picture
