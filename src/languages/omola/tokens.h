// Tokens of Omola text; layout and comments (% to the end of the line) are gone.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"

namespace cutset::omola {

enum class TokenKind : std::uint8_t { Name, Word, Number, Text, Mark, End };

// Words of the language, in any letter case.
enum class Word : std::uint8_t {
    None,
    And,
    At,
    Do,
    Else,
    End,
    False,
    For,
    If,
    Is,
    Isa,
    Not,
    Or,
    Select,
    Then,
    To,
    True,
    Type,
    Unknown,
    Uses,
    When,
    With,
};

enum class Mark : std::uint8_t {
    None,
    LeftRound,
    RightRound,
    LeftSquare,
    RightSquare,
    Comma,
    Semicolon,
    Colon,
    Dot,
    Assign,  // :=
    Equal,
    NotEqual,  // <>
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    EqualEqual,
    Plus,
    Minus,
    Star,
    Slash,
    Power,
    Prime,
};

struct Token {
    TokenKind kind = TokenKind::End;
    Word word = Word::None;
    Mark mark = Mark::None;
    bool line_start = false;
    std::uint32_t begin = 0, end = 0;
};

std::vector<Token> tokenize(std::string_view text, SourceId source, Diagnostics& diagnostics);
std::string_view spelling(Word word);

}  // namespace cutset::omola
