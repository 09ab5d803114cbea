#include "languages/dymola/declared_names.h"

#include <algorithm>

#include "languages/dymola/tokens.h"

namespace cutset::dymola {

namespace {

bool letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool name_part(char c) {
    return letter(c) || (c >= '0' && c <= '9');
}
bool blank(char c) {
    return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r' || c == '\n';
}

}  // namespace

// Comments and texts end as in the lexer (tokens.cpp); of everything else only words count.
DeclaredNames declared_names(std::string_view text) {
    DeclaredNames out;
    bool wanted = false;  // the next name is declared
    bool layout = true;   // a blank, a comment or the beginning stands directly before
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (blank(c)) {
            layout = true;
            ++at;
        } else if (c == '{') {
            at = std::min(text.find('}', at), text.size() - 1) + 1;
            layout = true;
        } else if (c == '-' && layout && text.substr(at, 2) == "--") {
            at = std::min(text.find('\n', at), text.size());
        } else if (c == '"') {
            ++at;  // a quote inside is written twice: seen as two texts
            while (at < text.size() && text[at] != '"' && text[at] != '\n') ++at;
            at += at < text.size() && text[at] == '"';
            layout = wanted = false;
        } else if (name_part(c)) {
            const std::size_t begin = at;
            while (at < text.size() && name_part(text[at])) ++at;
            layout = false;
            if (!letter(c)) continue;
            const std::string_view name = text.substr(begin, at - begin);
            const Word word = name.size() < 4 || name.size() > 8 ? Word::None : keyword(name);
            if (word == Word::Model || word == Word::Function || word == Word::Table) {
                wanted = true;
            } else if (word == Word::Library) {
                out.libraries = true;
            } else if (word != Word::Type) {
                if (wanted) out.names.emplace_back(name);
                wanted = false;
            }
        } else {
            layout = c == '>' && at > 0 && text[at - 1] == '-';  // `->` at the end of a line
            layout = layout || (c == '\xA0' && at > 0 && text[at - 1] == '\xC2');
            wanted = wanted && static_cast<unsigned char>(c) >= 0x80;
            ++at;
        }
    }
    std::sort(out.names.begin(), out.names.end());
    out.names.erase(std::unique(out.names.begin(), out.names.end()), out.names.end());
    return out;
}

}  // namespace cutset::dymola
