// Signals: equations that give an input of a submodel its value, as lines and symbols.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/class_tree.h"
#include "picture/class_picture.h"

namespace cutset::picture {

// What a name in an expression is: the source of a signal, or nothing that a line could come from.
using FindSignal = std::function<std::optional<LineEnd>(const tree::Reference&)>;

struct SignalScope {
    const Sources& sources;
    FindSignal find;
    bool symbols = false;  // sums, products and negations get symbols; else one for the whole expression
};

struct Signals {
    std::vector<Block>& blocks;
    std::vector<Line>& lines;
};

// Draws the value of `target`, named `name` in the names of symbols. False when there is nothing to draw:
// a number.
bool add_signal(const tree::Expression& value, const LineEnd& target, const std::string& name, Span statement,
                const SignalScope& scope, Signals out);
// The same for a value that several read: where it comes from. Nothing for a number.
std::optional<LineEnd> signal_source(const tree::Expression& value, const std::string& name, Span statement,
                                     const SignalScope& scope, Signals out);

}  // namespace cutset::picture
