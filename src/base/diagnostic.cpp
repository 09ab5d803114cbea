#include "base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>

namespace cutset {

void Diagnostics::report(Diagnostic d) {
    if (d.severity == Severity::Error) ++errors_;
    all_.push_back(std::move(d));
}

namespace {

struct Style {
    const char* bold = "";
    const char* red = "";
    const char* yellow = "";
    const char* cyan = "";
    const char* reset = "";
};

// The source line and a marker under [span.begin, span.end), clipped to that line.
std::string quote(Span span, const Sources& sources, const Style& s) {
    const Location at = sources.locate(span);
    const std::string_view line = sources.line(span.source, at.line);
    std::string shown;
    for (char c : line) shown += (c == '\t' || std::iscntrl(static_cast<unsigned char>(c))) ? ' ' : c;
    std::size_t length = 0;
    for (char c : sources.text(span)) {
        if (c == '\n') break;
        if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++length;
    }
    // A very long line is shown around its place only.
    constexpr std::size_t widest = 160;
    std::size_t column = at.column;
    if (shown.size() > widest) {
        const std::size_t from = column > widest / 2 ? column - widest / 2 : 0;
        shown = (from ? "…" : "") + shown.substr(std::min(from, shown.size()), widest) + "…";
        column = column - from + (from ? 1 : 0);
        length = std::min(length, widest / 2);
    }
    const std::string number = std::to_string(at.line);
    return fmt::format("{:>5} | {}\n{:>5} | {}{}{}{}\n", number, shown, "", std::string(column - 1, ' '),
                       s.red, std::string(std::max<std::size_t>(length, 1), '^'), s.reset);
}

}  // namespace

std::string render(const Diagnostic& d, const Sources& sources, bool colour) {
    Style s;
    if (colour) s = {"\033[1m", "\033[1;31m", "\033[1;33m", "\033[36m", "\033[0m"};
    const char* word = d.severity == Severity::Error     ? "error"
                       : d.severity == Severity::Warning ? "warning"
                                                         : "note";
    const char* tint = d.severity == Severity::Error     ? s.red
                       : d.severity == Severity::Warning ? s.yellow
                                                         : s.cyan;
    std::string out;
    if (d.where.known()) {
        const Location at = sources.locate(d.where);
        out += fmt::format("{}{}:{}:{}:{} ", s.bold, at.file, at.line, at.column, s.reset);
    }
    out += fmt::format("{}{}:{} {}{}{}", tint, word, s.reset, s.bold, d.message, s.reset);
    if (!d.submodel.empty()) out += fmt::format(" (in submodel {})", d.submodel);
    out += "\n";
    if (d.where.known()) out += quote(d.where, sources, s);
    for (const std::string& detail : d.details) out += "      " + detail + "\n";
    for (const RelatedPlace& r : d.related) {
        if (r.where.known()) {
            const Location at = sources.locate(r.where);
            out +=
                fmt::format("  {}{}:{}:{}:{} {}\n", s.bold, at.file, at.line, at.column, s.reset, r.message);
            out += quote(r.where, sources, s);
        } else {
            out += "  " + r.message + "\n";
        }
    }
    if (!d.help.empty()) out += fmt::format("  {}help:{} {}\n", s.cyan, s.reset, d.help);
    return out;
}

namespace {

// Letters to change, add, leave out, or swap with their neighbour.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1), before(b.size() + 1), before_that(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before_that.swap(before);
        before.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before_that[j - 2] + 1);
        }
    }
    return row[b.size()];
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
    return out;
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
    const std::string folded = lower(name);
    for (const std::string& c : candidates)
        if (lower(c) == folded) return c;
    if (name.size() < 2) return "";  // any letter is one change away from any other
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
    for (const std::string& c : candidates) {
        if (c.size() > name.size() + best_distance || name.size() > c.size() + best_distance) continue;
        const std::size_t distance = edit_distance(folded, lower(c));
        if (distance < best_distance) {
            best_distance = distance;
            best = c;
        }
    }
    return best;
}

void internal_error(const char* condition, const char* file, int line) {
    std::fprintf(
        stderr,
        "cutset: internal error: %s does not hold (%s:%d).\n"
        "This is a bug in Cutset, not in your model. Please report it with the model that shows it.\n",
        condition, file, line);
    std::abort();
}

}  // namespace cutset
