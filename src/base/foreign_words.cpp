#include "base/foreign_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/letters.h"

namespace cutset {

namespace {

bool decimal_digit(char c) {
    return c >= '0' && c <= '9';
}

bool of_a_name(char c) {
    return decimal_digit(c) || c == '_' || (lower_case(c) >= 'a' && lower_case(c) <= 'z');
}

// Where the run of digits and points that ends before `at` begins.
std::size_t number_begin(std::string_view text, std::size_t at) {
    while (at > 0 && (decimal_digit(text[at - 1]) || text[at - 1] == '.')) --at;
    return at;
}

}  // namespace

std::string decimal_comma(std::string_view text, std::size_t at) {
    if (at >= text.size()) return "";
    const std::size_t comma = text[at] == ',' ? at : number_begin(text, at) - 1;  // wraps where there is none
    if (comma == 0 || comma >= text.size() || text[comma] != ',') return "";
    std::size_t end = comma + 1;
    while (end < text.size() && decimal_digit(text[end])) ++end;
    const std::size_t begin = number_begin(text, comma);
    const std::string_view whole = text.substr(begin, comma - begin);
    if (end == comma + 1 || whole.empty() || whole.find('.') != std::string_view::npos) return "";
    return fmt::format("{}.{}", whole, text.substr(comma + 1, end - comma - 1));
}

std::string decimal_comma_help(std::string_view text, std::size_t at) {
    const std::string number = decimal_comma(text, at);
    return number.empty() ? "" : fmt::format("if a decimal comma is meant, write `{}`", number);
}

std::string stuck_letters_help(std::string_view text) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::string_view number = text.substr(0, digits), letters = text.substr(digits);
    const bool word = std::all_of(letters.begin(), letters.end(), of_a_name);
    if (number.empty() || letters.empty() || !word || letters == "e" || letters == "E") return "";
    static constexpr std::array<std::pair<std::string_view, int>, 9> prefixes = {
        {{"k", 3}, {"K", 3}, {"M", 6}, {"meg", 6}, {"G", 9}, {"m", -3}, {"u", -6}, {"n", -9}, {"p", -12}}};
    for (const auto& [letter, exponent] : prefixes)
        if (letters == letter)
            return fmt::format("write `{}e{}` for the prefix, `{}*{}` for a product", number, exponent,
                               number, letters);
    return fmt::format("if a product is meant, write `{}*{}`", number, letters);
}

std::string foreign_function_help(std::string_view name, std::string_view derivative,
                                  std::string_view power) {
    static constexpr std::array derivatives = {"d", "dt", "diff", "ddt", "deriv", "derivative", "der", "dot"};
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 24> functions = {{
        {"tg", "tan(x)"},
        {"ctg", "1/tan(x)"},
        {"cot", "1/tan(x)"},
        {"arcsin", "asin(x)"},
        {"arccos", "acos(x)"},
        {"arctan", "atan(x)"},
        {"arctg", "atan(x)"},
        {"arctan2", "atan2(y, x)"},
        {"sh", "sinh(x)"},
        {"ch", "cosh(x)"},
        {"th", "tanh(x)"},
        {"lg", "log10(x)"},
        {"log2", "log(x)/log(2)"},
        {"fabs", "abs(x)"},
        {"sgn", "sign(x)"},
        {"signum", "sign(x)"},
        {"sqr", "x*x"},
        {"square", "x*x"},
        {"round", "floor(x + 0.5)"},
        {"trunc", "int(x)"},
        {"ceiling", "ceil(x)"},
        {"fmod", "rem(x, y)"},
        {"maximum", "max(x, y)"},
        {"minimum", "min(x, y)"},
    }};
    const std::string folded = lower_case(name);
    if (derivative.starts_with(folded + "(")) return "";  // only its letter case is wrong
    if (std::find(derivatives.begin(), derivatives.end(), folded) != derivatives.end())
        return fmt::format("a derivative is written {}", derivative);
    if (folded == "pow" || folded == "power") return fmt::format("a power is written {}", power);
    if (folded == "integral" || folded == "integrate" || folded == "integ")
        return fmt::format("an integral is a variable whose derivative {} is given by an equation",
                           derivative);
    for (const auto& [foreign, ours] : functions)
        if (folded == foreign) return fmt::format("write {}", ours);
    return "";
}

}  // namespace cutset
