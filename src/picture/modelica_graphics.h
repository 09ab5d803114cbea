// What the annotations of a Modelica class draw: its icon, where components and connectors stand, the ways of
// lines. Everything is optional; what is no plain number is left out.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "ir/object_tree.h"
#include "picture/class_picture.h"

namespace cutset::picture {

// Placement(transformation(origin, extent, rotation)), in the coordinates of the class.
struct DiagramPlace {
    Spot at, size;  // as it is seen: turned by a right angle, width and height are exchanged
    int turn = 0;
    bool flip = false;
};

enum class DrawnOn : std::uint8_t { Icon, Diagram };

// Of a component. In the icon a connector has a place of its own, or that of the diagram.
std::optional<DiagramPlace> diagram_place(const Sources& sources, Span annotation, DrawnOn layer);
// Line(points = …) of a connect equation.
std::vector<Spot> line_points(const Sources& sources, Span annotation);
// coordinateSystem(extent = …); 200 by 200 about the origin where nothing is said.
Box coordinate_system(const Sources& sources, Span annotation, DrawnOn layer);
// Icon(graphics = …) of one class, without what it inherits.
std::vector<Primitive> icon_graphics(const Sources& sources, Span annotation);
// A text of an icon with what `value` gives for %name, %class, %parameter; nothing when it gives nothing for
// one of them.
using IconValue = std::function<std::string(const std::string& name)>;
std::optional<std::string> icon_text(std::string_view text, const IconValue& value);

}  // namespace cutset::picture
