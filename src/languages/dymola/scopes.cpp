#include "languages/dymola/scopes.h"

namespace cutset::dymola {

namespace {

std::string_view written(const Token& t, std::string_view text) {
    return text.substr(t.begin, t.end - t.begin);
}

// The names outside all brackets up to the end of the statement: those the statement declares. Most variables
// are only counted.
void declare(const std::vector<Token>& tokens, std::size_t i, std::string_view text, std::uint8_t kind,
             Scope& scope) {
    int depth = 0;
    std::size_t names = 0;
    for (; tokens[i].kind != TokenKind::Separator && tokens[i].kind != TokenKind::End; ++i) {
        switch (tokens[i].symbol) {
            case Symbol::LeftRound:
            case Symbol::LeftSquare:
                ++depth;
                break;
            case Symbol::RightRound:
            case Symbol::RightSquare:
                --depth;
                break;
            case Symbol::Less:
                if (kind == Scope::Path) ++depth;  // path P <A - B>
                break;
            case Symbol::Greater:
                if (kind == Scope::Path) --depth;
                break;
            default:
                break;
        }
        if (depth != 0 || tokens[i].kind != TokenKind::Name) continue;
        const std::string_view name = written(tokens[i], text);
        if (kind != Scope::Variable || name == "guess" || name == "clock") scope.names[name] |= kind;
        ++names;
    }
    if (names > 1) scope.items += names - 1;  // the statement itself is counted where it ends
}

}  // namespace

Scopes collect_scopes(const std::vector<Token>& tokens, std::string_view text) {
    Scopes out;
    struct Open {
        Word word;
        Scope* outer;  // the scope outside, to return to
    };
    std::vector<Open> open;
    Scope* scope = &out.file;
    Word before = Word::None;  // the word before, separators apart
    bool of_when = false;      // the last `then` is that of a `when`
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        const Token& t = tokens[i];
        if (t.kind == TokenKind::Separator) {
            ++scope->items;
            continue;
        }
        const Word last = before;
        before = t.word;
        if (t.kind != TokenKind::Keyword) continue;
        if (t.word == Word::When || t.word == Word::Elsewhen) of_when = true;
        if (t.word == Word::If || t.word == Word::Elseif) of_when = false;
        switch (t.word) {
            case Word::Model:
                if (tokens[i + 1].kind == TokenKind::Name && scope != &out.file)
                    scope->names[written(tokens[i + 1], text)] |= Scope::Submodel;
                open.push_back({t.word, scope});
                scope = &out.models[i];
                break;
            case Word::Begin:
                // `when … then begin … end` is closed by one `end`.
                if (!open.empty() && open.back().word == Word::When && last == Word::Then && of_when) break;
                open.push_back({t.word, scope});
                break;
            case Word::Case:
            case Word::When:
                open.push_back({t.word, scope});
                break;
            case Word::End:
                if (open.empty()) break;
                scope = open.back().outer;
                open.pop_back();
                break;
            case Word::Function:
            case Word::Table:
                if (tokens[i + 1].kind == TokenKind::Name)
                    scope->names[written(tokens[i + 1], text)] |= Scope::Callable;
                if (t.word == Word::Function) open.push_back({t.word, scope});
                break;
            case Word::Submodel:
                declare(tokens, i + 1, text, Scope::Submodel, *scope);
                break;
            case Word::Cut:
            case Word::Node:
                declare(tokens, i + 1, text, Scope::Cut, *scope);
                break;
            case Word::Path:
                declare(tokens, i + 1, text, Scope::Path, *scope);
                break;
            default:
                if (t.word >= Word::Parameter && t.word <= Word::External)
                    declare(tokens, i + 1, text, Scope::Variable, *scope);
                break;
        }
    }
    return out;
}

}  // namespace cutset::dymola
