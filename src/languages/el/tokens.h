// Tokens of EL text. Layout is gone but for the ends of statements: EL has one statement per line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"

namespace cutset::el {

enum class TokenKind : std::uint8_t { Name, Keyword, Integer, Number, Text, Mark, EndOfStatement, End };

// Reserved words, in upper case only.
enum class Word : std::uint8_t {
    None,
    Abstract,
    After,
    Alg,
    And,
    At,
    Body,
    Boolean,
    Bound,
    Bounds,
    Break,
    Cardinality,
    Close,
    Component,
    Connect,
    Const,
    Continue,
    Continuous,
    Data,
    Decls,
    Discr,
    Discrete,
    Else,
    ElseIf,
    End,
    Enum,
    Equal,
    Except,
    Expand,
    ExpandBlock,
    Experiment,
    Expl,
    False,
    Filepath,
    For,
    Function,
    Hidden,
    If,
    Impl,
    In,
    Include,  // #include
    Init,
    Insert,
    Integer,
    Inverse,
    IsA,
    Library,
    Not,
    Objects,
    On,
    Or,
    Others,
    Out,
    Partition,
    Path,
    Port,
    Ports,
    Priority,
    Private,
    Range,
    Real,
    Return,
    Sequential,
    SetOf,
    Single,
    States,
    Stop,
    String,
    Sum,
    Table1D,
    Table2D,
    Table3D,
    Then,
    To,
    Tol,
    Topology,
    True,
    Units,
    Unknown,
    Use,
    Version,
    When,
    While,
    Zone,
    Assert,
};

enum class Mark : std::uint8_t {
    None,
    LeftRound,
    RightRound,
    LeftSquare,
    RightSquare,
    LeftBrace,
    RightBrace,
    Comma,
    Semicolon,
    Dot,
    Colon,
    Assign,       // =
    Causal,       // :=
    PlusAssign,   // +=
    MinusAssign,  // -=
    Plus,
    Minus,
    Star,
    Slash,
    Power,  // **
    Prime,
    EqualEqual,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
};

struct Token {
    TokenKind kind = TokenKind::End;
    Word word = Word::None;
    Mark mark = Mark::None;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

// A statement ends with its line, or at `&`, unless the line ends in `\`, an operator, a comma or inside a
// bracket. The last token is End.
std::vector<Token> tokenize(std::string_view text, SourceId source, Diagnostics& diagnostics);

// How the keyword is written.
std::string_view spelling(Word word);
// The keyword that is written in lower case here, as it should be; "" for other names.
std::string word_in_lower_case(std::string_view name);

}  // namespace cutset::el
