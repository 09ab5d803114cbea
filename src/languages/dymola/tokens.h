// Lossless tokens of Dymola text: every byte of the source belongs to exactly one token, comments and layout
// included.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace cutset::dymola {

enum class TokenKind : std::uint8_t {
    Name,
    Keyword,
    Number,
    Text,    // "…"
    Symbol,  // operators, brackets and marks
    Bad,     // characters the language does not use
    // Layout: not seen by the parser.
    Comment,
    Blank,
    NewLine,
    Continuation,  // `->` at the end of a line
    // Made by split_statements.
    Separator,  // end of a statement
    End,        // end of the text
};

enum class Word : std::uint8_t {
    None,
    Model,
    Type,
    Submodel,
    Parameter,
    Constant,
    Local,
    Discrete,
    Terminal,
    Input,
    Output,
    Default,
    Internal,
    External,
    Structure,
    Cut,
    Main,
    Node,
    Path,
    Connect,
    At,
    To,
    From,
    Par,
    Loop,
    Reversed,
    For,
    Do,
    Begin,
    End,
    If,
    Then,
    Elseif,
    Else,
    Case,
    Of,
    When,
    Elsewhen,
    Valid,
    Initial,
    Table,
    Function,
    Returns,
    Library,
    And,
    Or,
    Not,
};

enum class Symbol : std::uint8_t {
    None,
    LeftRound,
    RightRound,
    LeftSquare,
    RightSquare,
    Comma,
    Semicolon,
    Dot,
    DotDot,
    Colon,
    ColonColon,
    Assign,
    Plus,
    Minus,
    Star,
    Slash,
    SlashSlash,
    Power,
    Backslash,
    Prime,
    Equal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    NotEqual,
    Question,
    // Written by people who come from other languages; understood, reported.
    EqualEqual,
    BangEqual,
    AndAnd,
    OrOr,
    Bang,
};

struct Token {
    TokenKind kind = TokenKind::End;
    Word word = Word::None;
    Symbol symbol = Symbol::None;
    bool malformed = false;     // a number such as 1.2.3
    bool blank_before = false;  // layout stands directly before it
    bool line_start = false;    // the first on its line, layout apart
    bool closed = false;        // an opening bracket that has its closing one (set by split_statements)
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

// All tokens of the text in order. Reports comments and texts without end; `cut_short` says that a comment
// swallowed the rest of the text.
std::vector<Token> tokenize(std::string_view text, SourceId source, Diagnostics& diagnostics,
                            bool& cut_short);

// The tokens the parser sees: no layout, and a Separator after each statement. A new line ends a statement
// unless a bracket is open, the line ends in an operator, a comma or `->`, or the next line starts with an
// operator. A bracket that is still open where a line starts with a word that can only begin a statement is
// taken as forgotten.
std::vector<Token> split_statements(const std::vector<Token>& all);

// The keyword, written in lower or in upper case, or None: `At` is a name.
Word keyword(std::string_view name);

// The keyword that begins a declaration or statement and that `name` is nearest to (other case, or a typing
// error), or "".
std::string nearest_statement_word(std::string_view name);

// How the keyword is written.
std::string_view spelling(Word word);

}  // namespace cutset::dymola
