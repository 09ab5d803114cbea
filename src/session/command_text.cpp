#include "session/command_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>

#include "results/writer.h"
#include "session/messages.h"

namespace cutset {

namespace messages = session_messages;

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '#' || c == '$' || c == '~' ||
           static_cast<unsigned char>(c) >= 0x80;
}
bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

// The end of the unsigned number that begins at `i`; `i` when there is none.
std::size_t number_end(std::string_view s, std::size_t i) {
    const std::size_t begin = i;
    std::size_t digits = 0;
    while (i < s.size() && is_digit(s[i])) ++i, ++digits;
    if (i < s.size() && s[i] == '.') {
        ++i;
        while (i < s.size() && is_digit(s[i])) ++i, ++digits;
    }
    if (digits == 0) return begin;
    if (i < s.size() && (s[i] == 'E' || s[i] == 'e')) {
        std::size_t k = i + 1;
        if (k < s.size() && (s[k] == '+' || s[k] == '-')) ++k;
        if (k < s.size() && is_digit(s[k])) {
            while (k < s.size() && is_digit(s[k])) ++k;
            i = k;
        }
    }
    return i;
}

}  // namespace

std::string_view without_comment(std::string_view line) {
    bool text = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\'') text = !text;
        if (line[i] == '"' && !text) return trimmed(line.substr(0, i));
    }
    // A quote without its partner is a letter like any other.
    if (text) return trimmed(line.substr(0, line.find('"')));
    return trimmed(line);
}

std::vector<CommandToken> command_tokens(std::string_view s) {
    using Kind = CommandToken::Kind;
    std::vector<CommandToken> out;
    std::size_t i = 0;
    const auto add = [&](Kind kind, std::size_t begin, std::size_t end) {
        CommandToken token{kind, std::string(s.substr(begin, end - begin)), begin, end};
        // 1E400 is no number that there is.
        if (kind == Kind::Number)
            token.number = number_of(token.text).value_or(std::numeric_limits<double>::infinity());
        out.push_back(std::move(token));
        i = end;
    };
    while (i < s.size()) {
        if (is_blank(s[i])) {
            ++i;
            continue;
        }
        if (s[i] == '\'') {
            const std::size_t end = s.find('\'', i + 1);
            if (end != std::string_view::npos) {
                add(Kind::Text, i + 1, end);
                out.back().begin = i;
                out.back().end = i = end + 1;
                continue;
            }
        }
        const bool follows = !out.empty() && out.back().end == i;
        // A sign belongs to the number unless something that has a value stands directly before it.
        const bool value_before =
            follows && (out.back().kind != Kind::Delimiter || out.back().is(')') || out.back().is(']'));
        const std::size_t unsigned_begin = (s[i] == '-' || s[i] == '+') && !value_before ? i + 1 : i;
        const std::size_t end = number_end(s, unsigned_begin);
        const bool member = s[i] == '.' && follows && (out.back().is(']') || out.back().is(')'));
        if (end > unsigned_begin && !member) {
            std::size_t word = end;
            while (word < s.size() && (is_letter(s[word]) || is_digit(s[word]))) ++word;
            if (word == end || unsigned_begin != i)
                add(Kind::Number, i, end);
            else
                add(Kind::Word, i, word);  // `3phase`
            continue;
        }
        if (is_letter(s[i]) || (member && i + 1 < s.size() && is_letter(s[i + 1]))) {
            std::size_t k = i + 1;
            while (k < s.size()) {
                if (is_letter(s[k]) || is_digit(s[k]) || s[k] == '.')
                    ++k;
                else if (s[k] == ':' && k + 2 < s.size() && s[k + 1] == ':' && is_letter(s[k + 2]))
                    k += 2;
                else
                    break;
            }
            add(Kind::Word, i, k);
            continue;
        }
        add(Kind::Delimiter, i, i + 1);
    }
    return out;
}

std::vector<std::string> shell_words(std::string_view s) {
    std::vector<std::string> words;
    std::string word;
    bool open = false;
    for (std::size_t i = 0; i < s.size(); ++i) {
        const char c = s[i];
        if (is_blank(c)) {
            if (open) words.push_back(std::move(word));
            word.clear();
            open = false;
        } else if (c == '"' || c == '\'') {
            const std::size_t end = s.find(c, i + 1);
            if (end == std::string_view::npos) {
                if (c == '"') break;
                word += c;
            } else {
                word += s.substr(i + 1, end - i - 1);
                i = end;
            }
            open = true;
        } else {
            word += c;
            open = true;
        }
    }
    if (open) words.push_back(std::move(word));
    return words;
}

bool begins_ignoring_case(std::string_view text, std::string_view beginning) {
    return text.size() >= beginning.size() &&
           equal_ignoring_case(text.substr(0, beginning.size()), beginning);
}

std::optional<double> number_of(std::string_view text) {
    text = trimmed(text);
    bool negative = false;
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
        negative = text[0] == '-';
        text.remove_prefix(1);
    }
    if (text.empty() || number_end(text, 0) != text.size()) return std::nullopt;
    double value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return negative ? -value : value;
}

std::string shortest_number(double value) {
    std::string out;
    append_number(out, value);
    return out;
}

WordChoice choose_word(std::string_view written, const std::vector<std::string>& words,
                       std::size_t preferred) {
    WordChoice choice;
    if (written.empty()) return choice;
    for (std::size_t k = 0; k < words.size(); ++k) {
        if (equal_ignoring_case(words[k], written)) return {k, {}};
        if (begins_ignoring_case(words[k], written)) choice.candidates.push_back(k);
    }
    if (choice.candidates.size() == 1) return {choice.candidates[0], {}};
    const auto first = [&](std::size_t k) { return k < preferred; };
    if (std::count_if(choice.candidates.begin(), choice.candidates.end(), first) == 1)
        return {*std::find_if(choice.candidates.begin(), choice.candidates.end(), first), {}};
    return choice;
}

TokenReader::TokenReader(std::string_view text) : text_(text), tokens_(command_tokens(text)) {}

const CommandToken& TokenReader::peek(std::size_t ahead) const {
    static const CommandToken none{CommandToken::Kind::Delimiter, std::string(1, '\0')};
    return next_ + ahead < tokens_.size() ? tokens_[next_ + ahead] : none;
}
bool TokenReader::take(char delimiter) {
    if (!next_is(delimiter)) return false;
    ++next_;
    return true;
}
std::optional<std::string> TokenReader::word() {
    if (at_end() || peek().kind != CommandToken::Kind::Word) return std::nullopt;
    return tokens_[next_++].text;
}
std::optional<double> TokenReader::number() {
    if (at_end() || peek().kind != CommandToken::Kind::Number || !std::isfinite(peek().number))
        return std::nullopt;
    return tokens_[next_++].number;
}
CommandToken TokenReader::any() {
    return at_end() ? peek() : tokens_[next_++];
}
bool TokenReader::adjacent() const {
    return next_ > 0 && next_ < tokens_.size() && tokens_[next_ - 1].end == tokens_[next_].begin;
}
std::string TokenReader::text(std::size_t ahead, std::size_t end) const {
    if (end <= ahead || next_ + end > tokens_.size()) return {};
    const std::size_t begin = tokens_[next_ + ahead].begin;
    return text_.substr(begin, tokens_[next_ + end - 1].end - begin);
}
std::string TokenReader::rest() const {
    return at_end() ? std::string() : text_.substr(tokens_[next_].begin);
}

bool CommandOptions::has(std::string_view option) const {
    return std::find(options.begin(), options.end(), option) != options.end();
}

std::optional<CommandOptions> split_options(std::string_view text, const std::vector<std::string>& known,
                                            bool takes_file, std::optional<Diagnostic>& problem) {
    CommandOptions out;
    std::string arguments(text);
    // `/file` goes to the next blank; options may follow it.
    if (const std::size_t slash = arguments.find('/'); takes_file && slash != std::string::npos) {
        std::size_t begin = slash + 1;
        while (begin < arguments.size() && is_blank(arguments[begin])) ++begin;
        std::size_t end = begin;
        while (end < arguments.size() && !is_blank(arguments[end])) ++end;
        std::string file = arguments.substr(begin, end - begin);
        // `/SIM1-MARK`
        for (const std::string& option : known) {
            const std::size_t at = file.size() - std::min(file.size(), option.size() + 1);
            if (at > 0 && file[at] == '-' && equal_ignoring_case(file.substr(at + 1), option)) {
                file.resize(at);
                end = begin + at;
                break;
            }
        }
        if (file.empty()) {
            problem = messages::missing_file_name();
            return std::nullopt;
        }
        out.file = file;
        arguments = arguments.substr(0, slash) + " " + arguments.substr(end);
    }
    const std::vector<CommandToken> tokens = command_tokens(arguments);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (!(tokens[k].is('-') && k + 1 < tokens.size() && tokens[k + 1].kind == CommandToken::Kind::Word &&
              !known.empty()))
            continue;
        out.arguments += arguments.substr(kept, tokens[k].begin - kept) + " ";
        bool first = true;
        while (k + 1 < tokens.size() && tokens[k + 1].kind == CommandToken::Kind::Word) {
            const WordChoice choice = choose_word(tokens[k + 1].text, known);
            if (!choice.index && !first) break;
            if (!choice.index) {
                problem = messages::unknown_option(tokens[k + 1].text, known);
                return std::nullopt;
            }
            out.options.push_back(known[*choice.index]);
            ++k;
            first = false;
        }
        kept = tokens[k].end;
    }
    out.arguments += arguments.substr(kept);
    out.arguments = trimmed(out.arguments);
    return out;
}

std::optional<CommandOptions> split_path_options(std::string_view text, const std::vector<std::string>& known,
                                                 std::vector<std::string>& words,
                                                 std::optional<Diagnostic>& problem) {
    CommandOptions out;
    const std::vector<std::string> all = shell_words(text);
    bool after_minus = false;
    for (std::size_t k = 0; k < all.size(); ++k) {
        std::string word = all[k];
        if (word == "-" && !known.empty()) {
            after_minus = true;
            continue;
        }
        if (!known.empty() && (after_minus || (word[0] == '-' && word.size() > 1))) {
            const std::string written = after_minus ? word : word.substr(1);
            const WordChoice choice = choose_word(written, known);
            if (!choice.index) {
                problem = messages::unknown_option(written, known);
                return std::nullopt;
            }
            out.options.push_back(known[*choice.index]);
            after_minus = false;
            continue;
        }
        std::error_code error;
        const std::size_t minus = word.rfind('-');
        if (minus != std::string::npos && minus > 0 && !std::filesystem::exists(word, error)) {
            const std::string ending = word.substr(minus + 1);
            if (ending.empty()) {
                word.pop_back();  // `CONN- EDIT`
                after_minus = true;
            } else if (const WordChoice choice = choose_word(ending, known); choice.index) {
                out.options.push_back(known[*choice.index]);
                word.resize(minus);
            }
        }
        words.push_back(std::move(word));
    }
    return out;
}

}  // namespace cutset
