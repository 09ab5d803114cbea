#include "languages/dymola/documentation.h"

#include <algorithm>

namespace cutset::dymola {

namespace {

std::string_view trim(std::string_view s) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    while (!s.empty() && blank(s.front())) s.remove_prefix(1);
    while (!s.empty() && blank(s.back())) s.remove_suffix(1);
    return s;
}

// Rules such as ------ or ====== are layout.
bool decoration(std::string_view line) {
    return line.find_first_not_of("-=*_#~ \t") == std::string_view::npos;
}

std::string_view trim_end(std::string_view s) {
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r')) s.remove_suffix(1);
    return s;
}

// Without the comment marks and without the indentation that all lines share, so that drawings survive.
std::string clean(std::string_view comment) {
    if (comment.substr(0, 2) == "--") {
        comment.remove_prefix(2);
        if (decoration(comment)) return "";
        if (comment.front() == ' ') comment.remove_prefix(1);
        return std::string(trim_end(comment));
    }
    comment.remove_prefix(1);
    if (!comment.empty() && comment.back() == '}') comment.remove_suffix(1);
    std::vector<std::string_view> lines;
    for (;;) {
        const std::size_t n = comment.find('\n');
        lines.push_back(trim_end(comment.substr(0, n)));
        if (n == std::string_view::npos) break;
        comment.remove_prefix(n + 1);
    }
    std::size_t shared = std::string_view::npos;
    for (std::size_t i = 1; i < lines.size(); ++i)
        if (!lines[i].empty()) shared = std::min(shared, lines[i].find_first_not_of(" \t"));
    std::string out;
    bool gap = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::string_view line = i == 0 ? trim(lines[0]) : lines[i].substr(std::min(shared, lines[i].size()));
        if (decoration(line)) {
            gap = !out.empty();
            continue;
        }
        if (!out.empty()) out += gap ? "\n\n" : "\n";
        out += line;
        gap = false;
    }
    return out;
}

std::size_t position(const std::vector<Token>& all, std::uint32_t offset) {
    return static_cast<std::size_t>(
        std::lower_bound(all.begin(), all.end(), offset,
                         [](const Token& t, std::uint32_t o) { return t.begin < o; }) -
        all.begin());
}

std::string join_cleaned(const std::vector<std::string_view>& comments) {
    std::string out;
    for (std::string_view c : comments) {
        const std::string text = clean(c);
        if (text.empty()) continue;
        if (!out.empty()) out += "\n";
        out += text;
    }
    return out;
}

}  // namespace

std::string comments_before(const std::vector<Token>& all, std::string_view text, std::uint32_t offset) {
    std::vector<std::string_view> comments;
    int new_lines = 0;
    for (std::size_t i = position(all, offset); i > 0;) {
        const Token& t = all[--i];
        if (t.kind == TokenKind::NewLine) {
            if (++new_lines == 2) break;
        } else if (t.kind == TokenKind::Comment) {
            comments.push_back(text.substr(t.begin, t.end - t.begin));
            new_lines = 0;
        } else if (t.kind != TokenKind::Blank) {
            // A comment on the line of the statement before belongs to that statement.
            if (new_lines == 0 && !comments.empty()) comments.pop_back();
            break;
        }
    }
    std::reverse(comments.begin(), comments.end());
    return join_cleaned(comments);
}

std::string comments_after(const std::vector<Token>& all, std::string_view text, std::uint32_t offset) {
    std::vector<std::string_view> comments;
    int new_lines = 0;
    for (std::size_t i = position(all, offset); i < all.size(); ++i) {
        const Token& t = all[i];
        if (t.kind == TokenKind::NewLine) {
            if (++new_lines == 2) break;
        } else if (t.kind == TokenKind::Comment) {
            comments.push_back(text.substr(t.begin, t.end - t.begin));
            new_lines = 0;
        } else if (t.kind != TokenKind::Blank) {
            break;
        }
    }
    return join_cleaned(comments);
}

}  // namespace cutset::dymola
