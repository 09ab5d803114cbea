#include <utility>

#include "picture/class_picture.h"

namespace cutset::picture {

Medium medium_of(std::string_view name) {
    // Longer words first where one holds another.
    constexpr std::pair<std::string_view, Medium> known[] = {
        {"steam", Medium::Steam}, {"extraction", Medium::Steam}, {"heat", Medium::Heat},
        {"gas", Medium::Gas},     {"fuel", Medium::Fuel},        {"water", Medium::Water},
        {"drain", Medium::Water}, {"makeup", Medium::Water},     {"power", Medium::Power},
        {"shaft", Medium::Shaft}, {"oil", Medium::Oil},          {"air", Medium::Air}};
    for (const auto& [word, medium] : known)
        if (name.find(word) != std::string_view::npos) return medium;
    return Medium::None;
}

}  // namespace cutset::picture
