// What the tokenizers of Omola and EL share: a place in the text, the tokens so far, and how names, numbers
// and texts in quotes are found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "languages/reading/messages.h"

namespace cutset::reading {

inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
inline bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

template <class Token>
class Scanner {
  protected:
    Scanner(std::string_view text, SourceId source, Diagnostics& diagnostics, int error_limit)
        : text_(text), source_(source), diagnostics_(diagnostics), error_limit_(error_limit) {}

    char peek(std::size_t i = 0) const { return at_ + i < text_.size() ? text_[at_ + i] : '\0'; }
    bool stands_here(std::string_view what) const { return text_.substr(at_, what.size()) == what; }
    Span span(std::size_t begin, std::size_t end) const {
        return {source_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    }
    std::size_t line_end() const { return std::min(text_.find('\n', at_), text_.size()); }
    void report(Diagnostic d) {
        if (++reported_ <= error_limit_) diagnostics_.report(std::move(d));
    }
    template <class Kind>
    Token& add(Kind kind, std::size_t size) {
        Token t;
        t.kind = kind;
        t.begin = static_cast<std::uint32_t>(at_);
        t.end = static_cast<std::uint32_t>(at_ + size);
        at_ += size;
        return tokens_.emplace_back(t);
    }

    std::size_t name_length() const {
        std::size_t n = 1;
        while (is_letter(peek(n)) || is_digit(peek(n))) ++n;
        return n;
    }
    // 5, 5., .8, 1e-7; `real`: not only digits. What is stuck to it is reported and not part of it.
    std::pair<std::size_t, std::size_t> number_length(bool& real) {
        std::size_t n = digits(0);
        real = peek(n) == '.';
        if (real) n = digits(n + 1);
        if (peek(n) == 'e' || peek(n) == 'E') {
            const std::size_t sign = peek(n + 1) == '+' || peek(n + 1) == '-' ? 1 : 0;
            if (is_digit(peek(n + 1 + sign))) {
                n = digits(n + 1 + sign);
                real = true;
            }
        }
        std::size_t stuck = n;
        while (is_letter(peek(stuck)) || is_digit(peek(stuck))) ++stuck;
        if (stuck > n) report(malformed_number(span(at_, at_ + stuck), text_.substr(at_, stuck)));
        return {n, stuck - n};
    }
    // A character that no token begins with, whole where it has several bytes.
    std::size_t stray_length() const {
        std::size_t n = 1;
        while ((static_cast<unsigned char>(peek(n)) & 0xC0) == 0x80) ++n;
        return n;
    }

    std::string_view text_;
    SourceId source_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;

  private:
    std::size_t digits(std::size_t n) const {
        while (is_digit(peek(n))) ++n;
        return n;
    }

    Diagnostics& diagnostics_;
    int error_limit_;
    int reported_ = 0;
};

}  // namespace cutset::reading
