#include "picture/picture_json.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace cutset::picture {

const char* json_word(ClassKind k) {
    constexpr const char* words[] = {"model",    "connector",  "record",   "type",       "package",
                                     "function", "continuous", "discrete", "connecting", "external"};
    return words[static_cast<int>(k)];
}

namespace {

const char* json_word(Side s) {
    constexpr const char* words[] = {"left", "right", "bottom", "top"};
    return words[static_cast<int>(s)];
}
const char* json_word(VariableRole r) {
    constexpr const char* words[] = {"across", "through", "input", "output", "terminal"};
    return words[static_cast<int>(r)];
}
const char* json_word(PortKind k) {
    constexpr const char* words[] = {"cut", "node", "terminal", "input", "output"};
    return words[static_cast<int>(k)];
}
const char* json_word(BlockKind k) {
    constexpr const char* words[] = {"submodel",  "sum",        "product", "negate",
                                     "generator", "expression", "node"};
    return words[static_cast<int>(k)];
}
const char* json_word(TextKind k) {
    constexpr const char* words[] = {"parameter", "constant",   "local", "input",    "output",   "terminal",
                                     "state",     "derivative", "cut",   "path",     "submodel", "connect",
                                     "equation",  "initial",    "event", "validity", "other"};
    return words[static_cast<int>(k)];
}
const char* json_word(Shape s) {
    constexpr const char* words[] = {"line", "polygon", "rectangle", "ellipse", "text"};
    return words[static_cast<int>(s)];
}
std::string json_word(Medium m) {
    constexpr const char* words[] = {"",     "steam", "water", "gas", "heat",
                                     "fuel", "power", "shaft", "air", "oil"};
    return words[static_cast<int>(m)];
}
const char* json_word(Level l) {
    constexpr const char* words[] = {"name", "text", "inside"};
    return words[static_cast<int>(l)];
}

double rounded(double v) {
    return std::round(v * 100) / 100;
}
Json json(Spot p) {
    return Json::array({rounded(p.x), rounded(p.y)});
}
Json json(const Box& b) {
    return Json::array({rounded(b.left), rounded(b.bottom), rounded(b.right), rounded(b.top)});
}
Json json(const std::vector<Spot>& points) {
    Json out = Json::array();
    for (const Spot& p : points) out.push_back(json(p));
    return out;
}

// Members that are empty are left out.
void put(Json& out, const char* name, const std::string& text) {
    if (!text.empty()) out[name] = text;
}
void put(Json& out, const char* name, bool value) {
    if (value) out[name] = true;
}

class PictureWriter {
  public:
    PictureWriter(const ClassPicture& picture, const Sources& sources) : p_(picture), sources_(sources) {}

    Json write() const {
        const std::string& file = p_.where.known() ? sources_.name(p_.where.source) : "";
        Json out = {{"key", p_.key},
                    {"name", p_.name},
                    {"kind", json_word(p_.kind)},
                    {"runnable", p_.runnable},
                    {"language", p_.language},
                    {"title", p_.title},
                    {"documentation", p_.documentation},
                    {"file", file},
                    {"where", span(p_.where)},
                    {"whole", span(p_.whole)},
                    {"hash", fmt::format("{:016x}", p_.hash)},
                    {"frame", json(p_.frame)},
                    {"ports", list(p_.ports)},
                    {"blocks", list(p_.blocks)},
                    {"lines", list(p_.lines)},
                    {"texts", list(p_.texts)},
                    {"tables", list(p_.tables)},
                    {"functions", list(p_.functions)},
                    {"classes", p_.classes},
                    {"icon", one(p_.icon)},
                    {"shows", list(p_.breakpoints)},
                    {"plots", list(p_.displays)},
                    {"diagnostics", list(p_.diagnostics)}};
        put(out, "framed", p_.framed);
        if (p_.text_box) out["text_box"] = json(*p_.text_box);
        if (p_.transfer)
            out["transfer"] = {{"input", p_.transfer->input},
                               {"output", p_.transfer->output},
                               {"numerator", p_.transfer->numerator},
                               {"denominator", p_.transfer->denominator},
                               {"ascending", p_.transfer->ascending}};
        return out;
    }

  private:
    Json span(Span where) const {
        if (!where.known()) return nullptr;
        const Location at = sources_.locate(where);
        return {{"file", at.file},
                {"begin", where.begin},
                {"end", where.end},
                {"line", at.line},
                {"column", at.column}};
    }

    template <class Value>
    Json list(const std::vector<Value>& values) const {
        Json out = Json::array();
        for (const Value& v : values) out.push_back(one(v));
        return out;
    }

    Json one(const PortVariable& v) const {
        Json out = {{"name", v.name}, {"role", json_word(v.role)}, {"span", span(v.where)}};
        put(out, "negative", v.negative);
        put(out, "unit", v.unit);
        put(out, "quantity", v.quantity);
        put(out, "description", v.description);
        return out;
    }
    Json one(const Port& p) const {
        Json out = {{"name", p.name},
                    {"kind", json_word(p.kind)},
                    {"side", json_word(p.side)},
                    {"along", std::round(p.along * 1e6) / 1e6},
                    {"x", rounded(p.inside.x)},
                    {"y", rounded(p.inside.y)},
                    {"variables", list(p.variables)},
                    {"span", span(p.where)}};
        put(out, "main", p.main);
        put(out, "open", p.open);
        put(out, "placed", p.placed);
        put(out, "dimensions", p.dimensions);
        if (!p.parts.empty()) out["parts"] = list(p.parts);
        return out;
    }
    Json one(const BlockArgument& a) const {
        Json out = {{"name", a.name}, {"value", a.value}, {"span", span(a.where)}};
        if (a.value_where.known()) out["value_span"] = span(a.value_where);
        return out;
    }
    Json one(const Block::Terminal& t) const {
        return {{"port", t.port}, {"at", json(t.at)}, {"side", json_word(t.side)}};
    }
    Json one(const Block& b) const {
        Json out = {{"kind", json_word(b.kind)},
                    {"name", b.name},
                    {"class", b.type},
                    {"key", b.key},
                    {"arguments", list(b.arguments)},
                    {"at", json(b.at)},
                    {"size", Json::array({rounded(b.width), rounded(b.height)})},
                    {"turn", b.turn},
                    {"terminals", list(b.terminals)},
                    {"span", span(b.where)},
                    {"statement", span(b.statement)}};
        if (b.kind == BlockKind::Submodel) out["icon"] = one(b.icon);
        put(out, "flip", b.flip);
        put(out, "placed", b.placed);
        put(out, "conditional", b.conditional);
        put(out, "condition", b.condition);
        put(out, "dimensions", b.dimensions);
        put(out, "description", b.description);
        put(out, "text", b.text);
        return out;
    }
    Json one(const LineEnd& e) const {
        Json out = {{"block", e.block ? Json(*e.block) : Json()}, {"port", e.port}};
        put(out, "variable", e.variable);
        return out;
    }
    Json one(const Line& l) const {
        Json out = {{"kind", l.kind == LineKind::Signal ? "signal" : "joint"},
                    {"from", one(l.from)},
                    {"to", one(l.to)},
                    {"points", json(l.points)},
                    {"span", span(l.part)},
                    {"statement", span(l.statement)}};
        put(out, "name", l.name);
        if (l.kind == LineKind::Joint) put(out, "medium", json_word(medium_of(l.name)));
        put(out, "conditional", l.conditional);
        if (!l.via.empty()) out["via"] = json(l.via);
        return out;
    }
    Json one(const TextPart& t) const {
        Json out = {{"kind", json_word(t.kind)}, {"text", t.text}, {"span", span(t.where)}};
        if (t.value_where.known()) out["value_span"] = span(t.value_where);
        put(out, "name", t.name);
        put(out, "dimensions", t.dimensions);
        put(out, "value", t.value);
        put(out, "unit", t.unit);
        put(out, "quantity", t.quantity);
        put(out, "description", t.description);
        put(out, "condition", t.condition);
        put(out, "inherited", t.inherited);
        put(out, "drawn", t.drawn);
        return out;
    }
    Json one(const TablePicture& t) const {
        Json out = {
            {"name", t.name}, {"arguments", t.arguments}, {"curves", Json::array()}, {"span", span(t.where)}};
        put(out, "file", t.file);
        put(out, "steps", t.steps);
        for (const TablePicture::Curve& c : t.curves) {
            Json points = Json::array();  // as they are: small values count too
            for (const Spot& p : c.points) points.push_back({p.x, p.y});
            out["curves"].push_back({{"label", c.label}, {"points", std::move(points)}});
        }
        return out;
    }
    Json one(const FunctionPicture& f) const {
        return {{"name", f.name},       {"inputs", f.inputs},
                {"outputs", f.outputs}, {"documentation", f.documentation},
                {"text", f.text},       {"span", span(f.where)}};
    }
    Json one(const Primitive& p) const {
        Json out = {{"shape", json_word(p.shape)}, {"points", json(p.points)}, {"fill", p.fill}};
        put(out, "text", p.text);
        put(out, "stroke", p.stroke);
        if (p.size > 0) out["size"] = rounded(p.size);
        put(out, "smooth", p.smooth);
        return out;
    }
    Json one(const Icon& i) const { return {{"kind", i.kind}, {"primitives", list(i.primitives)}}; }
    Json one(const Breakpoint& b) const {
        Json out = {{"level", json_word(b.level)}, {"span", span(b.where)}};
        if (b.below) out["below"] = *b.below;
        if (b.above) out["above"] = *b.above;
        put(out, "text", b.text);
        return out;
    }
    Json one(const Display& d) const {
        return {{"variables", d.variables},
                {"at", json(d.at)},
                {"size", Json::array({rounded(d.width), rounded(d.height)})},
                {"span", span(d.where)}};
    }
    Json one(const Diagnostic& d) const {
        constexpr const char* words[] = {"note", "warning", "error"};
        Json out = {{"severity", words[static_cast<int>(d.severity)]},
                    {"code", d.code},
                    {"message", d.message},
                    {"span", span(d.where)}};
        put(out, "help", d.help);
        if (!d.details.empty()) out["details"] = d.details;
        return out;
    }

    const ClassPicture& p_;
    const Sources& sources_;
};

}  // namespace

Json picture_json(const ClassPicture& picture, const Sources& sources) {
    return PictureWriter(picture, sources).write();
}

}  // namespace cutset::picture
