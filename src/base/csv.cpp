#include "base/csv.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/letters.h"

namespace cutset {

namespace {

// Separators in quotes or in the brackets of x[1,2] do not count, unless there is nothing else.
char find_separator(std::string_view line) {
    bool quoted = false;
    int depth = 0;
    std::string outside, inside;
    for (char c : line) {
        if (c == '"') quoted = !quoted;
        if (quoted) continue;
        if (c == '[') ++depth;
        if (c == ']' && depth > 0) --depth;
        if (c == ',' || c == ';' || c == '\t') (depth ? inside : outside) += c;
    }
    for (const std::string& found : {outside, inside})
        for (char candidate : {';', ',', '\t'})
            if (found.find(candidate) != std::string::npos) return candidate;
    return ' ';
}

}  // namespace

std::string CsvField::unquoted() const {
    if (!doubled) return std::string(text);
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        out += text[i];
        if (text[i] == '"') ++i;
    }
    return out;
}

CsvReader::CsvReader(std::string_view text) : text_(text) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
    if (text_.find('\n') == std::string_view::npos && text_.find('\r') != std::string_view::npos)
        line_end_ = '\r';
}

bool CsvReader::next_line() {
    while (at_ < text_.size()) {
        const std::size_t end = text_.find(line_end_, at_);
        ended_ = end != std::string_view::npos;
        line_ = text_.substr(at_, (ended_ ? end : text_.size()) - at_);
        at_ = ended_ ? end + 1 : text_.size();
        ++line_number_;
        if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
        const std::string_view body = trimmed(line_);
        if (!body.empty() && body.front() != '#') return true;
    }
    return false;
}

CsvReader::Next CsvReader::next() {
    if (!next_line()) return Next::End;
    const bool first = separator_ == 0;
    if (first) {
        if (line_.size() == 5 && line_.starts_with("sep=")) {
            separator_ = line_[4];
            if (!next_line()) return Next::End;
        } else {
            separator_ = find_separator(line_);
        }
    }
    if (const Next problem = split(); problem != Next::Row) return problem;
    if (first) {
        trailing_ = fields_.size() > 1 && fields_.back().text.empty() && line_.back() == separator_;
        width_ = fields_.size() - (trailing_ ? 1 : 0);
    }
    if (trailing_ && fields_.size() == width_ + 1 && fields_.back().text.empty()) fields_.pop_back();
    return Next::Row;
}

CsvReader::Next CsvReader::split() {
    fields_.clear();
    const bool blanks = separator_ == ' ';
    std::size_t at = 0;
    while (true) {
        skip_blanks(at);
        if (blanks && at == line_.size()) break;
        CsvField field;
        field.begin = at;
        if (at < line_.size() && line_[at] == '"') {
            if (const Next problem = quoted_field(field, at); problem != Next::Row) return problem;
        } else {
            std::size_t end = at;
            while (end < line_.size() && line_[end] != separator_ && !(blanks && line_[end] == '\t')) ++end;
            field.text = trimmed(line_.substr(at, end - at));
            at = end;
        }
        fields_.push_back(field);
        if (at >= line_.size()) break;
        if (!blanks) ++at;
    }
    return Next::Row;
}

CsvReader::Next CsvReader::quoted_field(CsvField& field, std::size_t& at) {
    std::size_t end = at + 1;
    while (end < line_.size()) {
        if (line_[end] != '"') {
            ++end;
        } else if (end + 1 < line_.size() && line_[end + 1] == '"') {
            field.doubled = true;
            end += 2;
        } else {
            break;
        }
    }
    if (end >= line_.size()) {
        problem_ = at;
        return Next::QuoteNotClosed;
    }
    field.text = line_.substr(at + 1, end - at - 1);
    at = end + 1;
    const std::size_t after = at;
    skip_blanks(at);
    if (at < line_.size() && line_[at] != separator_ && !(separator_ == ' ' && at > after)) {
        problem_ = at;
        return Next::TextAfterQuote;
    }
    return Next::Row;
}

std::string CsvReader::problem_text(Next problem) const {
    return "line " + std::to_string(line_number_) +
           (problem == Next::QuoteNotClosed ? " has a quote that is not closed"
                                            : " has text after a closing quote");
}

void CsvReader::skip_blanks(std::size_t& at) const {
    while (at < line_.size() && (line_[at] == ' ' || (line_[at] == '\t' && separator_ != '\t'))) ++at;
}

std::size_t CsvReader::column_at(std::size_t byte) const {
    std::size_t column = 1;
    for (std::size_t i = 0; i < byte && i < line_.size(); ++i)
        if ((static_cast<unsigned char>(line_[i]) & 0xC0) != 0x80) ++column;
    return column;
}

std::optional<double> CsvReader::number(const CsvField& of) const {
    std::string_view field = trimmed(of.text);
    if (field.empty() || equal_ignoring_case(field, "na")) return std::numeric_limits<double>::quiet_NaN();
    if (equal_ignoring_case(field, "true")) return 1;
    if (equal_ignoring_case(field, "false")) return 0;
    if (field.front() == '+' && field.size() > 1 && field[1] != '-' && field[1] != '+')
        field.remove_prefix(1);
    char changed[64];
    if (separator_ != ',' && field.size() <= sizeof changed) {
        const std::size_t comma = field.find(',');
        if (comma != std::string_view::npos) {
            std::copy(field.begin(), field.end(), changed);
            changed[comma] = '.';
            field = std::string_view(changed, field.size());
        }
    }
    double value = 0;
    const char* const end = field.data() + field.size();
    const auto [stop, error] = std::from_chars(field.data(), end, value);
    if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
    if (error == std::errc::result_out_of_range) {
        // from_chars leaves the value alone: below the smallest number it is 0, above the largest infinite.
        const std::string_view digits = field.substr(field.front() == '-' ? 1 : 0);
        const std::size_t e = digits.find_first_of("eE");
        const bool tiny = e != std::string_view::npos ? digits.substr(e + 1).starts_with('-')
                                                      : digits.starts_with("0") || digits.starts_with('.');
        value = tiny ? 0.0 : std::numeric_limits<double>::infinity();
        if (field.front() == '-') value = -value;
    }
    return value;
}

}  // namespace cutset
