#include "generate/symmetric_matrix.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <unordered_map>
#include <unordered_set>

#include "expr/expr.h"
#include "generate/section_builder.h"

namespace cutset {

namespace {

constexpr std::size_t fewest_instructions = 20, most_instructions = 50'000;
constexpr int points = 4;
constexpr double rounding = 1e-9;

bool is_straight(const Section& section) {
    return std::all_of(section.instructions.begin(), section.instructions.end(), [](const Instruction& i) {
        return i.code <= Code::Negate || i.code == Code::Unary || i.code == Code::Binary;
    });
}

using Elements = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;

// With numbers by chance for all that the section reads; each slot has its own.
Elements at_random(const Loop& loop, std::span<const double> constants, std::mt19937& random) {
    std::uniform_real_distribution<double> size(0.5, 2);
    std::unordered_map<Slot, double> values;
    const auto value = [&](Slot slot) {
        if ((slot & slot_tag::mask) == slot_tag::constant) return constants[slot & ~slot_tag::mask];
        const auto [at, is_new] = values.try_emplace(slot, 0);
        if (is_new) at->second = random() % 2 ? size(random) : -size(random);
        return at->second;
    };
    for (const Instruction& i : loop.jacobian.instructions) {
        const double a = value(i.a), b = i.code == Code::Unary || i.code == Code::Copy ? 0 : value(i.b);
        double& to = values[i.to];
        switch (i.code) {
            case Code::Copy:
                to = a;
                break;
            case Code::Negate:
                to = -a;
                break;
            case Code::Add:
                to = a + b;
                break;
            case Code::Subtract:
                to = a - b;
                break;
            case Code::Multiply:
                to = a * b;
                break;
            case Code::Divide:
                to = a / b;
                break;
            case Code::Unary:
                to = apply_unary(i.op, a);
                break;
            default:
                to = apply_binary(i.op, a, b);
                break;
        }
    }
    Elements elements;
    for (const JacobianEntry& e : loop.jacobian_entries) elements[{e.row, e.column}] = value(e.slot);
    return elements;
}

bool is_symmetric(const Loop& loop, std::span<const double> constants) {
    std::mt19937 random;
    for (int point = 0; point < points; ++point) {
        const Elements elements = at_random(loop, constants, random);
        double largest = 0;
        for (const auto& [place, element] : elements) largest = std::max(largest, std::abs(element));
        for (const auto& [place, element] : elements) {
            const auto other = elements.find({place.second, place.first});
            if (other == elements.end()) return false;
            const double size = std::max({std::abs(element), std::abs(other->second), 1e-3 * largest});
            if (!(std::abs(element - other->second) <= rounding * size)) return false;
        }
    }
    return true;
}

// What these slots need of a section without jumps.
Section needed(const Section& section, std::unordered_set<Slot> slots) {
    Section out;
    for (std::size_t k = section.instructions.size(); k-- > 0;) {
        const Instruction& i = section.instructions[k];
        if (slots.erase(i.to) == 0) continue;
        slots.insert(i.a);
        if (i.code != Code::Copy && i.code != Code::Negate && i.code != Code::Unary) slots.insert(i.b);
        out.instructions.push_back(i);
    }
    std::reverse(out.instructions.begin(), out.instructions.end());
    return out;
}

}  // namespace

void use_symmetry(std::span<const double> constants, Loop& loop) {
    const std::size_t instructions = loop.jacobian.instructions.size();
    if (loop.torn.size() < 2 || instructions < fewest_instructions || instructions > most_instructions ||
        !is_straight(loop.jacobian) || !is_symmetric(loop, constants))
        return;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Slot> slots;
    for (const JacobianEntry& e : loop.jacobian_entries) slots[{e.row, e.column}] = e.slot;
    const auto half = [&](bool lower) {
        std::unordered_set<Slot> wanted;
        for (const JacobianEntry& e : loop.jacobian_entries)
            if (lower ? e.row >= e.column : e.row <= e.column) wanted.insert(e.slot);
        return needed(loop.jacobian, std::move(wanted));
    };
    Section lower = half(true), upper = half(false);
    const bool use_lower = lower.instructions.size() <= upper.instructions.size();
    for (JacobianEntry& e : loop.jacobian_entries)
        if (use_lower ? e.row < e.column : e.row > e.column) e.slot = slots[{e.column, e.row}];
    loop.jacobian.instructions = std::move((use_lower ? lower : upper).instructions);
}

}  // namespace cutset
