// A picture as data: what `cutset picture --json` prints and the studio sends to its page.
#pragma once

#include "base/json.h"
#include "base/source.h"
#include "picture/class_picture.h"

namespace cutset::picture {

// "model", "connector" …
const char* json_word(ClassKind kind);
Json picture_json(const ClassPicture& picture, const Sources& sources);

}  // namespace cutset::picture
