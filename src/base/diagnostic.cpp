#include "base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/utf8.h"

namespace cutset {

namespace {

constexpr std::size_t most_of_a_kind = 200;  // errors, and warnings
constexpr std::size_t longest_text = 2'000;  // bytes: the name of a variable may be as long as its file
constexpr std::size_t widest = 160;          // bytes of a source line that are shown
constexpr std::size_t most_details = 1'000;

bool begins_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

// The beginning of a text that is too long, cut between characters.
void shorten(std::string& text) {
    if (text.size() <= longest_text) return;
    std::size_t end = longest_text;
    while (end > 0 && !begins_character(text[end])) --end;
    text.resize(end);
    text += "…";
}

}  // namespace

void Diagnostics::report(Diagnostic d) {
    const bool error = d.severity == Severity::Error;
    if (error) ++errors_;
    if (d.severity != Severity::Note) {
        // A text that is rubbish throughout says no more after some hundred messages.
        std::size_t before = 0;
        if (all_.size() >= most_of_a_kind)
            for (const Diagnostic& other : all_) before += other.severity == d.severity;
        if (before > most_of_a_kind) return;
        if (before == most_of_a_kind)
            d = {.severity = d.severity,
                 .code = error ? "more-errors" : "more-warnings",
                 .message = fmt::format("there are more {}; the first {} are shown",
                                        error ? "errors" : "warnings", most_of_a_kind)};
    }
    shorten(d.message);
    shorten(d.help);
    if (d.details.size() > most_details) {
        const std::size_t left_out = d.details.size() - most_details;
        d.details.resize(most_details);
        d.details.push_back(fmt::format("… and {} more", left_out));
    }
    for (std::string& detail : d.details) shorten(detail);
    for (RelatedPlace& r : d.related) shorten(r.message);
    all_.push_back(std::move(d));
}

void Diagnostics::add(const Diagnostics& other) {
    const std::size_t before = errors_;
    for (const Diagnostic& d : other.all_) report(d);
    errors_ = before + other.errors_;  // those that were not kept, too
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
    std::string_view line = sources.line(span.source, at.line);
    std::size_t length = 0;
    for (char c : sources.text(span)) {
        if (c == '\n' || length == widest) break;
        length += begins_character(c);
    }
    // A very long line is shown around its place only. Columns count characters, places bytes.
    std::size_t column = at.column;
    const char *before = "", *after = "";
    if (line.size() > widest) {
        const std::size_t place = span.begin - std::size_t(line.data() - sources.text(span.source).data());
        std::size_t from = std::min(place, line.size()), back = 0;
        for (; from > 0 && back + 1 < widest / 2; --from) back += begins_character(line[from - 1]);
        std::size_t end = std::min(from + widest, line.size());
        while (end < line.size() && !begins_character(line[end])) ++end;
        before = from > 0 ? "…" : "";
        after = end < line.size() ? "…" : "";
        column = back + (from > 0 ? 2 : 1);
        line = line.substr(from, end - from);
        length = std::min(length, widest / 2);
    }
    const std::string shown = fmt::format("{}{}{}", before, printable(line), after);
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
    // A library of machine code has no lines.
    const auto has_text = [&](Span span) { return !sources.text(span.source).empty(); };
    if (d.where.known()) {
        const Location at = sources.locate(d.where);
        out += has_text(d.where)
                   ? fmt::format("{}{}:{}:{}:{} ", s.bold, printable(at.file), at.line, at.column, s.reset)
                   : fmt::format("{}{}:{} ", s.bold, printable(at.file), s.reset);
    }
    out += fmt::format("{}{}:{} {}{}{}", tint, word, s.reset, s.bold, printable(d.message), s.reset);
    if (!d.submodel.empty()) out += fmt::format(" (in submodel {})", d.submodel);
    out += "\n";
    if (d.where.known() && has_text(d.where)) out += quote(d.where, sources, s);
    for (const std::string& detail : d.details) out += "      " + printable(detail) + "\n";
    for (const RelatedPlace& r : d.related) {
        if (r.where.known()) {
            const Location at = sources.locate(r.where);
            out += fmt::format("  {}{}:{}:{}:{} {}\n", s.bold, printable(at.file), at.line, at.column,
                               s.reset, printable(r.message));
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

}  // namespace cutset
