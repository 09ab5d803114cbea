// What is written by people who come from paper or from other languages, and what it was meant to be: for the
// help of messages in every language.
#pragma once

#include <string>
#include <string_view>

namespace cutset {

// "1.5", where the comma of 1,5 or the digits behind it stand at `at` in the text; else "".
std::string decimal_comma(std::string_view text, std::size_t at);

// "write 1.5: …", where there is such a comma at `at`; else "".
std::string decimal_comma_help(std::string_view text, std::size_t at);

// `1k`, `2u` and `2x`: a number with letters stuck to it, as a prefix and as a product; "" for others.
std::string stuck_letters_help(std::string_view text);

// "write tan(x)", for `tg`; `derivative` is how the language writes der(x), `power` how x^y. "" for names
// that are not known from elsewhere.
std::string foreign_function_help(std::string_view name, std::string_view derivative,
                                  std::string_view power = "x^y");

}  // namespace cutset
