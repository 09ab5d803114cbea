#include "studio/quantities.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ir/find_variables.h"

namespace cutset::studio {

namespace {

const char* word(LiveModel::Kind kind) {
    switch (kind) {
        case LiveModel::Kind::Parameter:
            return "parameter";
        case LiveModel::Kind::StructureParameter:
            return "structure-parameter";
        case LiveModel::Kind::Input:
            return "input";
        case LiveModel::Kind::State:
            return "state";
        case LiveModel::Kind::Discrete:
            return "discrete";
        case LiveModel::Kind::Other:
            break;
    }
    return "other";
}

const char* word(ValueType type) {
    switch (type) {
        case ValueType::Boolean:
            return "boolean";
        case ValueType::Integer:
            return "integer";
        case ValueType::Enumeration:
            return "enumeration";
        default:
            return "real";
    }
}

Json finite_json(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

// `*` is anything.
bool matches(std::string_view pattern, std::string_view text) {
    std::size_t p = 0, t = 0, star = std::string_view::npos, resumed = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resumed = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resumed;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

bool is_below_path(const std::string& path, const std::string& top) {
    return top.empty() || path == top || path.starts_with(top + ".");
}

std::string lower_case(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

bool has_words(const std::vector<std::string>& words, const std::string& text) {
    if (words.empty()) return true;
    const std::string among = lower_case(text);
    return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
        return among.find(lower_case(word)) != std::string::npos;
    });
}

}  // namespace

QuantityWish read_quantity_wish(Arguments& arguments) {
    QuantityWish wish;
    wish.below = arguments.text_if("below").value_or("");
    wish.match = arguments.text_if("match").value_or("*");
    wish.words = arguments.texts_if("words", 20);
    wish.kinds = arguments.texts_if("kinds", 6);
    wish.offset = arguments.count_if("offset", 100000000).value_or(0);
    wish.limit = arguments.count_if("limit", 5000).value_or(200);
    return wish;
}

Json quantities_json(LiveModel& live, const Json& inputs, const Places& places, const QuantityWish& wish) {
    const FlatModel& flat = live.partition().model;
    std::size_t total = 0;
    Json list = Json::array();
    for (const LiveModel::Quantity& q : live.quantities()) {
        if (!is_below_path(q.path, wish.below) || !matches(wish.match, q.path)) continue;
        if (!wish.kinds.empty() &&
            std::find(wish.kinds.begin(), wish.kinds.end(), word(q.kind)) == wish.kinds.end())
            continue;
        const auto found = find_variables(flat, q.path);
        const Variable* const variable = found.size() == 1 ? &flat.variables[found[0]] : nullptr;
        if (!has_words(wish.words, q.path + " " + q.unit + " " + (variable ? variable->description : "")))
            continue;
        if (total++ < wish.offset || list.size() >= wish.limit) continue;
        Json one = {{"path", q.path}, {"kind", word(q.kind)}};
        if (!q.unit.empty()) one["unit"] = q.unit;
        Diagnostics quiet;
        const auto value = live.value(q.path, quiet);
        one["value"] = value ? finite_json(*value) : Json();
        if (const auto initial = live.initial(q.path)) one["initial"] = finite_json(*initial);
        if (const auto input = inputs.find(q.path); input != inputs.end()) one["expression"] = *input;
        if (variable) {
            const Variable& v = *variable;
            one["type"] = word(v.type);
            if (v.type == ValueType::Enumeration) one["literals"] = flat.enumerations[v.enumeration].literals;
            if (!v.description.empty()) one["description"] = v.description;
            if (v.minimum) one["minimum"] = finite_json(*v.minimum);
            if (v.maximum) one["maximum"] = finite_json(*v.maximum);
            if (v.nominal) one["nominal"] = finite_json(*v.nominal);
            put_place(one, v.origin.where, places);
        }
        list.push_back(std::move(one));
    }
    return Json{{"total", total}, {"quantities", std::move(list)}};
}

}  // namespace cutset::studio
