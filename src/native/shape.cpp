#include "native/shape.h"

#include <algorithm>
#include <bit>

namespace cutset::native {

bool Shape::has_jumps() const {
    return std::any_of(code.begin(), code.end(), [](const ShapeInstruction& i) {
        return i.code == Code::Jump || i.code == Code::JumpFalse;
    });
}

bool Shape::calls_back() const {
    return std::any_of(code.begin(), code.end(), [](const ShapeInstruction& i) {
        return i.code == Code::Call || i.code == Code::Solve || i.code == Code::Delay;
    });
}

std::uint64_t Shape::hash() const {
    std::uint64_t h = code.size() * 0x9E3779B97F4A7C15ull + locals;
    const auto mix = [&](std::uint64_t v) {
        h ^= v;
        h *= 0xFF51AFD7ED558CCDull;
        h ^= h >> 32;
    };
    for (const ShapeInstruction& i : code) {
        mix(static_cast<std::uint64_t>(i.code) << 8 | static_cast<std::uint64_t>(i.op) |
            std::uint64_t(i.to) << 32);
        mix(std::uint64_t(i.a) << 32 | i.b);
        if (i.has_literal) mix(std::bit_cast<std::uint64_t>(i.literal));
        if (i.parts > 0) {
            mix(std::uint64_t(i.function) << 32 | i.seeds);
            mix(std::uint64_t(i.result) << 32 | i.parts);
        }
    }
    for (Reference r : arguments) mix(r);
    for (const ShapeColumn& c : columns)
        mix(static_cast<std::uint64_t>(c.kind) << 2 | (c.read ? 2u : 0u) | (c.written ? 1u : 0u));
    return h;
}

void Shape::clear() {
    code.clear();
    arguments.clear();
    columns.clear();
    locals = 0;
}

std::uint32_t ShapeTable::intern(const Shape& shape) {
    const auto number = static_cast<std::uint32_t>(shapes_.size());
    const auto [place, is_new] = by_hash_.emplace(shape.hash(), number);
    if (!is_new) {
        std::uint32_t at = place->second;
        for (;;) {
            if (shapes_[at] == shape) return at;
            if (!next_[at]) break;
            at = next_[at] - 1;
        }
        next_[at] = number + 1;
    }
    shapes_.push_back(shape);
    next_.push_back(0);
    return number;
}

}  // namespace cutset::native
