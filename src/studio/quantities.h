// What a model has that has a value: parameters, inputs, states and all else, chosen by path, kind and words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "live/live_model.h"
#include "studio/message.h"
#include "translate/places_json.h"

namespace cutset::studio {

struct QuantityWish {
    std::string below;               // an instance path
    std::string match = "*";         // `*` is anything
    std::vector<std::string> words;  // each in its path, unit or description, whatever the case
    std::vector<std::string> kinds;
    std::size_t offset = 0, limit = 200;
};
QuantityWish read_quantity_wish(Arguments& arguments);

// `inputs`: expressions that were set.
Json quantities_json(LiveModel& live, const Json& inputs, const Places& places, const QuantityWish& wish);

}  // namespace cutset::studio
