#include "picture/modelica_graphics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>
#include <string_view>
#include <utility>

#include "languages/modelica/parse.h"

namespace cutset::picture {

namespace {

constexpr std::size_t most_points = 2000, most_primitives = 400;

std::optional<double> plain_number(const object::Expression& e) {
    if (e.kind == object::ExpressionKind::Real || e.kind == object::ExpressionKind::Integer) return e.number;
    const bool sign = e.kind == object::ExpressionKind::Operation && e.arguments.size() == 1 &&
                      (e.op == object::Operator::Minus || e.op == object::Operator::Plus);
    if (!sign) return std::nullopt;
    const auto value = plain_number(e.arguments[0]);
    return value && e.op == object::Operator::Minus ? -*value : value;
}

std::optional<Spot> spot(const object::Expression& e) {
    if (e.kind != object::ExpressionKind::Array || e.arguments.size() != 2) return std::nullopt;
    const auto x = plain_number(e.arguments[0]), y = plain_number(e.arguments[1]);
    if (!x || !y) return std::nullopt;
    return Spot{*x, *y};
}

std::vector<Spot> spots(const object::Expression* e) {
    std::vector<Spot> out;
    if (!e || e->kind != object::ExpressionKind::Array || e->arguments.size() > most_points) return out;
    for (const object::Expression& point : e->arguments)
        if (const auto p = spot(point)) out.push_back(*p);
    if (out.size() != e->arguments.size()) out.clear();
    return out;
}

// The argument `name` of a modification: what stands in its parentheses, and its value.
const object::Modification* part(const object::Modification* m, std::string_view name) {
    if (!m) return nullptr;
    for (const object::Argument& a : m->arguments)
        if (a.name.parts.size() == 1 && a.name.parts[0].name == name && a.value) return &*a.value;
    return nullptr;
}
const object::Expression* value(const object::Modification* m, std::string_view name) {
    const object::Modification* found = part(m, name);
    return found && found->value ? &*found->value : nullptr;
}
double number_or(const object::Expression* e, double otherwise) {
    return (e ? plain_number(*e) : std::nullopt).value_or(otherwise);
}

object::Modification annotation_of(const Sources& sources, Span annotation) {
    Diagnostics none;  // they were reported when the file was read
    return annotation.known() ? modelica::parse_annotation(sources, annotation, none)
                              : object::Modification{};
}

Spot turned(Spot p, double degrees) {
    const double a = degrees * std::numbers::pi / 180, c = std::cos(a), s = std::sin(a);
    return {c * p.x - s * p.y, s * p.x + c * p.y};
}

// ---- graphics

const object::Expression* argument(const object::Expression& call, std::string_view name) {
    for (const object::NamedArgument& a : call.named)
        if (a.name == name) return &*a.value;
    return nullptr;
}

std::string_view last_name(const object::Expression* e) {
    if (!e || e->kind != object::ExpressionKind::Name || e->name.parts.empty()) return {};
    return e->name.parts.back().name;
}

// "#rrggbb"; black where nothing is said.
std::string colour(const object::Expression* e) {
    int rgb[3] = {0, 0, 0};
    if (e && e->kind == object::ExpressionKind::Array && e->arguments.size() == 3)
        for (std::size_t k = 0; k < 3; ++k)
            rgb[k] = std::clamp(static_cast<int>(number_or(&e->arguments[k], 0)), 0, 255);
    return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

std::string fill_of_shape(const object::Expression& call) {
    const std::string_view pattern = last_name(argument(call, "fillPattern"));
    if (pattern.empty() || pattern == "None") return "none";
    return colour(argument(call, "fillColor"));
}

std::string stroke_of_shape(const object::Expression& call, std::string_view attribute) {
    return last_name(argument(call, "pattern")) == "None" ? "none" : colour(argument(call, attribute));
}

std::vector<Spot> rectangle_corners(const std::vector<Spot>& extent) {
    const Spot a = extent[0], b = extent[1];
    return {a, {b.x, a.y}, b, {a.x, b.y}};
}

// An ellipse, or the part of it between two angles.
std::vector<Spot> arc(const std::vector<Spot>& extent, double from, double to) {
    const Spot m{(extent[0].x + extent[1].x) / 2, (extent[0].y + extent[1].y) / 2};
    const double rx = std::fabs(extent[1].x - extent[0].x) / 2, ry = std::fabs(extent[1].y - extent[0].y) / 2;
    const int steps = std::clamp(static_cast<int>(std::fabs(to - from) / 10), 4, 36);
    std::vector<Spot> out;
    for (int k = 0; k <= steps; ++k) {
        const double a = (from + (to - from) * k / steps) * std::numbers::pi / 180;
        out.push_back({m.x + rx * std::cos(a), m.y + ry * std::sin(a)});
    }
    return out;
}

std::optional<Primitive> text_shape(const object::Expression& call, const std::vector<Spot>& extent) {
    const object::Expression* text = argument(call, "textString");
    if (!text) text = argument(call, "string");
    if (!text || text->kind != object::ExpressionKind::String || extent.size() != 2) return std::nullopt;
    if (text->text.empty() || text->text == "%name") return std::nullopt;  // a block shows its name by itself
    Primitive out;
    out.shape = Shape::Text;
    out.text = text->text;
    out.points = {{(extent[0].x + extent[1].x) / 2, (extent[0].y + extent[1].y) / 2}};
    out.size = std::fabs(extent[1].y - extent[0].y);
    const bool coloured = argument(call, "textColor") != nullptr;
    out.stroke = colour(argument(call, coloured ? "textColor" : "lineColor"));
    return out;
}

std::optional<Primitive> shape(const object::Expression& call) {
    if (call.kind != object::ExpressionKind::Call || call.name.parts.empty()) return std::nullopt;
    const std::string_view kind = call.name.parts.back().name;
    const std::vector<Spot> extent = spots(argument(call, "extent"));
    if (kind == "Text") return text_shape(call, extent);
    Primitive out;
    if (kind == "Line" || kind == "Polygon") {
        out.shape = kind == "Line" ? Shape::Line : Shape::Polygon;
        out.points = spots(argument(call, "points"));
        out.smooth = last_name(argument(call, "smooth")) == "Bezier";
    } else if (extent.size() == 2 && (kind == "Rectangle" || kind == "Ellipse")) {
        const double from = number_or(argument(call, "startAngle"), 0);
        const double to = number_or(argument(call, "endAngle"), 360);
        const bool whole = kind == "Rectangle" || std::fabs(to - from) >= 360;
        out.shape = kind == "Rectangle" ? Shape::Rectangle : Shape::Ellipse;
        out.points = extent;
        if (!whole) {
            const bool chord = last_name(argument(call, "closure")) == "None";
            out.shape = chord ? Shape::Line : Shape::Polygon;
            out.points = arc(extent, from, to);
        }
    }
    if (out.points.size() < 2) return std::nullopt;
    out.fill = out.shape == Shape::Line ? "none" : fill_of_shape(call);
    out.stroke = stroke_of_shape(call, kind == "Line" ? "color" : "lineColor");
    return out;
}

void move(Primitive& p, Spot origin, double degrees) {
    if (degrees != 0 && p.shape == Shape::Rectangle) {
        p.points = rectangle_corners(p.points);
        p.shape = Shape::Polygon;
    } else if (degrees != 0 && p.shape == Shape::Ellipse) {
        p.points = arc(p.points, 0, 360);
        p.shape = Shape::Polygon;
    }
    for (Spot& s : p.points) {
        s = turned(s, degrees);
        s = {s.x + origin.x, s.y + origin.y};
    }
}

const char* name_of(DrawnOn layer) {
    return layer == DrawnOn::Icon ? "Icon" : "Diagram";
}

}  // namespace

std::optional<DiagramPlace> diagram_place(const Sources& sources, Span annotation, DrawnOn layer) {
    const object::Modification all = annotation_of(sources, annotation);
    const object::Modification* placement = part(&all, "Placement");
    const object::Modification* t = layer == DrawnOn::Icon ? part(placement, "iconTransformation") : nullptr;
    if (!t) t = part(placement, "transformation");
    const std::vector<Spot> extent = spots(value(t, "extent"));
    if (extent.size() != 2) return std::nullopt;
    const object::Expression* from = value(t, "origin");
    const Spot origin = (from ? spot(*from) : std::nullopt).value_or(Spot{});
    const double rotation = number_or(value(t, "rotation"), 0);
    const Spot middle = turned({(extent[0].x + extent[1].x) / 2, (extent[0].y + extent[1].y) / 2}, rotation);
    DiagramPlace out;
    out.at = {origin.x + middle.x, origin.y + middle.y};
    out.size = {std::fabs(extent[1].x - extent[0].x), std::fabs(extent[1].y - extent[0].y)};
    int quarters = static_cast<int>(std::lround(rotation / 90)) % 4;
    if (quarters < 0) quarters += 4;
    if (quarters % 2 != 0) std::swap(out.size.x, out.size.y);
    out.flip = extent[1].x < extent[0].x;
    if (extent[1].y < extent[0].y) {  // upside down: left and right exchanged, and half a turn
        out.flip = !out.flip;
        quarters = (quarters + 2) % 4;
    }
    out.turn = 90 * quarters;
    if (out.size.x <= 0 || out.size.y <= 0) return std::nullopt;
    return out;
}

std::vector<Spot> line_points(const Sources& sources, Span annotation) {
    const object::Modification all = annotation_of(sources, annotation);
    const object::Modification* line = part(&all, "Line");
    std::vector<Spot> out = spots(value(line, "points"));
    const object::Expression* from = value(line, "origin");
    if (const auto origin = from ? spot(*from) : std::nullopt)
        for (Spot& s : out) s = {s.x + origin->x, s.y + origin->y};
    return out;
}

Box coordinate_system(const Sources& sources, Span annotation, DrawnOn layer) {
    const object::Modification all = annotation_of(sources, annotation);
    const std::vector<Spot> e = spots(value(part(part(&all, name_of(layer)), "coordinateSystem"), "extent"));
    Box out{-100, -100, 100, 100};
    if (e.size() == 2 && e[0].x != e[1].x && e[0].y != e[1].y)
        out = {std::min(e[0].x, e[1].x), std::min(e[0].y, e[1].y), std::max(e[0].x, e[1].x),
               std::max(e[0].y, e[1].y)};
    return out;
}

std::optional<std::string> icon_text(std::string_view text, const IconValue& value) {
    const auto of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    std::string out;
    while (true) {
        const std::size_t percent = std::min(text.find('%'), text.size());
        out += text.substr(0, percent);
        if (percent == text.size()) return out;
        text.remove_prefix(percent + 1);
        const bool braces = text.starts_with('{');
        text.remove_prefix(braces);
        std::size_t end = 0;
        while (end < text.size() && (of_name(text[end]) || (braces && text[end] == '.'))) ++end;
        if (end == 0) {
            out += '%';
            text.remove_prefix(text.starts_with('%'));  // %% is one
            continue;
        }
        const std::string found = value(std::string(text.substr(0, end)));
        if (found.empty()) return std::nullopt;
        out += found;
        text.remove_prefix(std::min(end + braces, text.size()));
    }
}

std::vector<Primitive> icon_graphics(const Sources& sources, Span annotation) {
    const object::Modification all = annotation_of(sources, annotation);
    const object::Expression* graphics = value(part(&all, "Icon"), "graphics");
    std::vector<Primitive> out;
    if (!graphics || graphics->kind != object::ExpressionKind::Array) return out;
    for (const object::Expression& call : graphics->arguments) {
        if (out.size() == most_primitives) break;
        auto made = shape(call);
        if (!made) continue;
        made->condition = last_name(argument(call, "visible"));
        const object::Expression* from = argument(call, "origin");
        move(*made, (from ? spot(*from) : std::nullopt).value_or(Spot{}),
             number_or(argument(call, "rotation"), 0));
        out.push_back(std::move(*made));
    }
    return out;
}

}  // namespace cutset::picture
