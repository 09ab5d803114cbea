#include "languages/simnon/tokens.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "languages/simnon/messages.h"

namespace cutset::simnon {

namespace {

bool letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool digit(char c) {
    return c >= '0' && c <= '9';
}

// The bytes of the UTF-8 character that begins at `at`; one where there is none.
std::size_t character(std::string_view line, std::size_t at) {
    std::size_t n = 1;
    while (at + n < line.size() && (static_cast<unsigned char>(line[at + n]) & 0xC0) == 0x80 && n < 4) ++n;
    return static_cast<unsigned char>(line[at]) >= 0xC0 ? n : 1;
}

}  // namespace

std::optional<std::vector<Token>> tokenize_line(std::string_view line, SourceId source, std::uint32_t offset,
                                                Diagnostics& diagnostics) {
    std::vector<Token> tokens;
    const auto span = [&](std::size_t begin, std::size_t end) {
        return Span{source, offset + static_cast<std::uint32_t>(begin),
                    offset + static_cast<std::uint32_t>(end)};
    };
    const auto symbol = [&](std::size_t begin, std::size_t size, std::string_view text) {
        tokens.push_back({TokenKind::Symbol, text, 0, span(begin, begin + size)});
        return begin + size;
    };
    std::size_t at = offset == 0 && line.starts_with("\xEF\xBB\xBF") ? 3 : 0;  // a byte order mark
    while (at < line.size() && line[at] != '"') {
        const char c = line[at];
        if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
            ++at;
        } else if (letter(c)) {
            std::size_t end = at;
            while (end < line.size() && (letter(line[end]) || digit(line[end]))) ++end;
            tokens.push_back({TokenKind::Name, line.substr(at, end - at), 0, span(at, end)});
            at = end;
        } else if (digit(c) || (c == '.' && at + 1 < line.size() && digit(line[at + 1]))) {
            std::size_t end = at;
            while (end < line.size() && digit(line[end])) ++end;
            if (end < line.size() && line[end] == '.')
                for (++end; end < line.size() && digit(line[end]); ++end) {
                }
            if (end < line.size() && (line[end] == 'E' || line[end] == 'e')) {
                std::size_t power = end + 1;
                if (power < line.size() && (line[power] == '+' || line[power] == '-')) ++power;
                if (power < line.size() && digit(line[power]))
                    for (end = power; end < line.size() && digit(line[end]); ++end) {
                    }
            }
            Token token{TokenKind::Number, line.substr(at, end - at), 0, span(at, end)};
            const char* last = line.data() + end;
            const auto [rest, error] = std::from_chars(line.data() + at, last, token.number);
            // The point of `5.` need not be read.
            if (error == std::errc::result_out_of_range || (rest != last && rest + 1 != last) ||
                !std::isfinite(token.number)) {
                diagnostics.report(bad_number(token.where, token.text));
                return std::nullopt;
            }
            if (end < line.size() && (letter(line[end]) || line[end] == '.')) {
                std::size_t stop = end;
                while (stop < line.size() && (letter(line[stop]) || digit(line[stop]) || line[stop] == '.'))
                    ++stop;
                diagnostics.report(bad_number(span(at, stop), line.substr(at, stop - at)));
                return std::nullopt;
            }
            tokens.push_back(token);
            at = end;
        } else if (line.substr(at, 3) == "\xE2\x86\x91") {
            at = symbol(at, 3, "^");
        } else if (line.substr(at, 2) == "**") {
            at = symbol(at, 2, "^");
        } else if (line.substr(at, 2) == "<=" || line.substr(at, 2) == ">=" || line.substr(at, 2) == "<>") {
            diagnostics.report(relation_not_allowed(span(at, at + 2), line.substr(at, 2)));
            return std::nullopt;
        } else if (std::string_view("+-*/^()[]<>=:,").find(c) != std::string_view::npos) {
            at = symbol(at, 1, line.substr(at, 1));
        } else {
            const std::size_t size = character(line, at);
            diagnostics.report(illegal_character(span(at, at + size), line.substr(at, size)));
            return std::nullopt;
        }
    }
    std::size_t end = std::min(at, line.size());
    if (!tokens.empty()) end = tokens.back().where.end - offset;
    tokens.push_back({TokenKind::End, "", 0, span(end, end)});
    return tokens;
}

}  // namespace cutset::simnon
