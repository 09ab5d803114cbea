// The words of one line of Simnon text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace cutset::simnon {

enum class TokenKind { Name, Number, Symbol, End };

struct Token {
    TokenKind kind = TokenKind::End;
    std::string_view text;  // of a symbol: + - * / ^ ( ) [ ] < > = : , and <= >= <>, which are refused
    double number = 0;
    Span where;
};

// The tokens of a line, the last one is End. Nothing after an error was reported. What follows a double quote
// is comment.
std::optional<std::vector<Token>> tokenize_line(std::string_view line, SourceId source, std::uint32_t offset,
                                                Diagnostics& diagnostics);

}  // namespace cutset::simnon
