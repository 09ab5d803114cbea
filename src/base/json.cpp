#include "base/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/diagnostic.h"
#include "base/utf8.h"

namespace cutset {

namespace {

constexpr int least_exponent = -4, most_exponent = 15;  // of numbers that are printed without one

// The shortest digits that give the same number again: 1.0, 0.001, 1.5e-07.
void print_number(std::string& out, double number) {
    if (!std::isfinite(number)) {
        out += "null";
        return;
    }
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific).ptr;
    std::string_view text(buffer, std::size_t(end - buffer));
    if (text.front() == '-') {
        out += '-';
        text.remove_prefix(1);
    }
    const std::size_t e = text.find('e');
    int exponent = 0;
    const char* first = text.data() + e + 1;
    std::from_chars(first + (*first == '+'), text.data() + text.size(), exponent);
    std::string digits;
    for (char c : text.substr(0, e))
        if (c != '.') digits += c;
    const int before = exponent + 1;  // digits in front of the point
    const int count = int(digits.size());
    if (count <= before && before <= most_exponent) {
        out += digits + std::string(std::size_t(before - count), '0') + ".0";
    } else if (0 < before && before <= most_exponent) {
        out += digits.substr(0, std::size_t(before)) + '.' + digits.substr(std::size_t(before));
    } else if (least_exponent < before && before <= 0) {
        out += "0." + std::string(std::size_t(-before), '0') + digits;
    } else {
        out += digits[0];
        if (count > 1) out += '.' + digits.substr(1);
        out += text.substr(e);
    }
}

void print_text(std::string& out, std::string_view text) {
    static constexpr char hexadecimal[] = "0123456789abcdef";
    out += '"';
    while (!text.empty()) {
        const char c = text.front();
        const std::size_t length = character_length(text);
        if (const std::size_t named = std::string_view("\"\\\b\f\n\r\t").find(c);
            named != std::string_view::npos) {
            out += '\\';
            out += "\"\\bfnrt"[named];
        } else if (length == 1 && static_cast<unsigned char>(c) < 0x20) {
            out += "\\u00";
            out += hexadecimal[c >> 4];
            out += hexadecimal[c & 15];
        } else if (length == 0) {
            out += "\xEF\xBF\xBD";
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    out += '"';
}

}  // namespace

Json::Json(std::initializer_list<Json> list) {
    const bool pairs = std::all_of(list.begin(), list.end(), [](const Json& element) {
        const Array* pair = std::get_if<Array>(&element.value_);
        return pair && pair->size() == 2 && std::holds_alternative<std::string>(pair->front().value_);
    });
    *this = pairs ? object(list) : array(list);
}

Json Json::array(std::initializer_list<Json> list) {
    Json result;
    result.value_ = Array(list);
    return result;
}

Json Json::object(std::initializer_list<Json> list) {
    Object members;
    for (const Json& element : list) {
        const Array* pair = std::get_if<Array>(&element.value_);
        CUTSET_ASSERT(pair && pair->size() == 2);
        members.insert_or_assign(std::get<std::string>(pair->front().value_), pair->back());
    }
    Json result;
    result.value_ = std::move(members);
    return result;
}

Json& Json::operator[](std::string_view key) {
    if (is_null()) value_ = Object();
    CUTSET_ASSERT(is_object());
    return std::get<Object>(value_)[std::string(key)];
}

Json& Json::operator[](std::size_t index) {
    CUTSET_ASSERT(is_array() && index < size());
    return std::get<Array>(value_)[index];
}

void Json::push_back(Json element) {
    if (is_null()) value_ = Array();
    CUTSET_ASSERT(is_array());
    std::get<Array>(value_).push_back(std::move(element));
}

void Json::update(const Json& other) {
    for (const auto& [key, member] : std::get<Object>(other.value_)) (*this)[key] = member;
}

bool Json::contains(std::string_view key) const {
    const Object* members = std::get_if<Object>(&value_);
    return members && members->contains(key);
}

std::size_t Json::size() const {
    if (const Array* list = std::get_if<Array>(&value_)) return list->size();
    if (const Object* members = std::get_if<Object>(&value_)) return members->size();
    return is_null() ? 0 : 1;
}

std::string Json::dump(int indent) const {
    std::string out;
    print(out, indent, 0);
    return out;
}

// As deep as the commands make their answers.
void Json::print(std::string& out, int indent, int level) const {
    const auto new_line = [&](int at) {
        if (indent >= 0) out += '\n' + std::string(std::size_t(indent * at), ' ');
    };
    const auto all = [&](const auto& elements, char open, char close, const auto& print_element) {
        out += open;
        bool first = true;
        for (const auto& element : elements) {
            if (!first) out += ',';
            first = false;
            new_line(level + 1);
            print_element(element);
        }
        if (!first) new_line(level);
        out += close;
    };
    if (is_null()) {
        out += "null";
    } else if (const bool* truth = std::get_if<bool>(&value_)) {
        out += *truth ? "true" : "false";
    } else if (const auto* number = std::get_if<std::int64_t>(&value_)) {
        out += std::to_string(*number);
    } else if (const auto* count = std::get_if<std::uint64_t>(&value_)) {
        out += std::to_string(*count);
    } else if (const double* real = std::get_if<double>(&value_)) {
        print_number(out, *real);
    } else if (const std::string* text = std::get_if<std::string>(&value_)) {
        print_text(out, *text);
    } else if (const Array* list = std::get_if<Array>(&value_)) {
        all(*list, '[', ']', [&](const Json& element) { element.print(out, indent, level + 1); });
    } else {
        all(std::get<Object>(value_), '{', '}', [&](const auto& member) {
            print_text(out, member.first);
            out += indent >= 0 ? ": " : ":";
            member.second.print(out, indent, level + 1);
        });
    }
}

}  // namespace cutset
