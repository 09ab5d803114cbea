#include "picture/text_of.h"

namespace cutset::picture {

std::string_view raw_text(const Sources& sources, Span where) {
    if (!where.known() || where.end < where.begin) return {};
    return sources.text(where);
}

std::string written(const Sources& sources, Span where) {
    std::string out;
    bool blank = false;
    const std::string_view text = raw_text(sources, where);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool goes_on = c == '-' && i + 1 < text.size() && text[i + 1] == '>';
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || goes_on) {
            if (goes_on) ++i;
            blank = true;
            continue;
        }
        if (blank && !out.empty()) out += ' ';
        blank = false;
        out += c;
    }
    return out;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t most) {
    std::vector<std::string> lines;
    while (text.size() > most) {
        std::size_t at = text.rfind(' ', most);
        if (at == std::string_view::npos || at == 0) at = text.find(' ', most);
        if (at == std::string_view::npos) break;
        lines.emplace_back(text.substr(0, at));
        text.remove_prefix(at + 1);
    }
    if (!text.empty()) lines.emplace_back(text);
    return lines;
}

std::string first_sentence(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n' && i + 1 < text.size() && text[i + 1] == '\n') break;
        if (c == '\n' || c == '\t' || c == '\r') {
            if (!out.empty() && out.back() != ' ') out += ' ';
            continue;
        }
        if (c == ' ' && (out.empty() || out.back() == ' ')) continue;
        const bool ends = i + 1 == text.size() || text[i + 1] == ' ' || text[i + 1] == '\n';
        if (c == '.' && ends) {
            out += c;
            break;
        }
        out += c;
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
}

}  // namespace cutset::picture
