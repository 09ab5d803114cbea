// Lossless tokens of Modelica text: every byte belongs to one token or to the layout (blanks, comments)
// between two.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace cutset::modelica {

enum class TokenKind : std::uint8_t {
    Name,  // also 'quoted'
    Keyword,
    Integer,
    Real,
    Text,  // "…"
    Symbol,
    Bad,  // characters the language does not use
    End,  // end of the text
};

// In the order of `word_spellings` (tokens.cpp).
enum class Word : std::uint8_t {
    None,
    Algorithm,
    And,
    Annotation,
    Block,
    Break,
    Class,
    Connect,
    Connector,
    Constant,
    Constrainedby,
    Der,
    Discrete,
    Each,
    Else,
    Elseif,
    Elsewhen,
    Encapsulated,
    End,
    Enumeration,
    Equation,
    Expandable,
    Extends,
    External,
    False,
    Final,
    Flow,
    For,
    Function,
    If,
    Import,
    Impure,
    In,
    Initial,
    Inner,
    Input,
    Loop,
    Model,
    Not,
    Operator,
    Or,
    Outer,
    Output,
    Package,
    Parameter,
    Partial,
    Protected,
    Public,
    Pure,
    Record,
    Redeclare,
    Replaceable,
    Return,
    Stream,
    Then,
    True,
    Type,
    When,
    While,
    Within,
};

enum class Symbol : std::uint8_t {
    None,
    LeftRound,
    RightRound,
    LeftSquare,
    RightSquare,
    LeftCurly,
    RightCurly,
    Comma,
    Semicolon,
    Colon,
    Dot,
    Equal,
    Assign,
    Plus,
    Minus,
    Star,
    Slash,
    Power,
    DotPlus,
    DotMinus,
    DotStar,
    DotSlash,
    DotPower,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    EqualEqual,
    NotEqual,
};

struct Token {
    TokenKind kind = TokenKind::End;
    Word word = Word::None;
    Symbol symbol = Symbol::None;
    bool line_start = false;  // the first on its line, layout apart
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

// The tokens of bytes [begin, end) of a text, in order; the last is End. Reports comments, texts and quoted
// names without end; `cut_short` says that one of them swallowed the rest.
struct Tokens {
    std::vector<Token> all;
    bool cut_short = false;
};
Tokens tokenize(std::string_view text, std::uint32_t begin, std::uint32_t end, SourceId source,
                Diagnostics& diagnostics);

// How the keyword is written, and the keyword that a name is nearest to (another case, a typing error), or
// "".
std::string_view spelling(Word word);
std::string nearest_keyword(std::string_view name);

// What a text "a\tb" stands for.
std::string text_value(std::string_view written);

}  // namespace cutset::modelica
