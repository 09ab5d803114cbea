#include "session/macro.h"

#include <algorithm>

#include "session/command_text.h"
#include "session/messages.h"

namespace cutset {

namespace messages = session_messages;

namespace {

struct TextLine {
    std::string_view text;
    std::size_t begin;
};
std::vector<TextLine> split_lines(std::string_view text) {
    std::vector<TextLine> out;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.size(), text.find('\n', begin));
        out.push_back({text.substr(begin, end - begin), begin});
        begin = end + 1;
    }
    return out;
}

// A transcript of the definition has `>` before each line.
std::string_view command_part(std::string_view line) {
    line = trimmed(line);
    while (!line.empty() && line[0] == '>') line = trimmed(line.substr(1));
    return without_comment(line);
}

}  // namespace

bool Macro::has_default(const std::string& formal) const {
    return std::any_of(lines.begin(), lines.end(), [&](const Line& line) {
        TokenReader tokens(line.text);
        const auto word = tokens.word();
        return word && equal_ignoring_case(*word, "DEFAULT") && tokens.word() == formal;
    });
}

bool is_macro_text(std::string_view text) {
    for (const TextLine& line : split_lines(text)) {
        const std::string_view command = command_part(line.text);
        if (command.empty()) continue;
        TokenReader tokens(command);
        const auto word = tokens.word();
        return word && equal_ignoring_case(*word, "MACRO");
    }
    return false;
}

namespace {

class MacroParser {
  public:
    MacroParser(SourceId source, const std::string& text, Diagnostics& diagnostics)
        : source_(source), text_(text), diagnostics_(diagnostics) {
        macro_->text = text;
    }

    std::shared_ptr<const Macro> parse() {
        const std::size_t errors = diagnostics_.error_count();
        for (const TextLine& line : split_lines(text_)) {
            const std::string_view command = command_part(line.text);
            const std::size_t begin =
                command.empty() ? line.begin : static_cast<std::size_t>(command.data() - text_.data());
            const Span where{source_, static_cast<std::uint32_t>(begin),
                             static_cast<std::uint32_t>(begin + command.size())};
            if (begun_) {
                take(line, command, where);
            } else if (!command.empty()) {
                if (!take_head(command, where)) return nullptr;
                begun_ = true;
            }
        }
        for (const auto& [variable, where] : loops_)
            diagnostics_.report(messages::for_without_next(where, variable));
        if (!begun_ || !ended_) {
            const auto end = static_cast<std::uint32_t>(std::min(text_.size(), text_.find('\n')));
            diagnostics_.report(messages::macro_without_end(Span{source_, 0, end}, macro_->name));
        }
        for (const Macro::Line& line : macro_->lines) check_jumps(line);
        return diagnostics_.error_count() > errors ? nullptr : macro_;
    }

  private:
    // MACRO name a, b, c
    bool take_head(std::string_view command, Span where) {
        TokenReader tokens(command);
        const std::string word = upper_case(tokens.word().value_or(""));
        const auto name = tokens.word();
        if (word != "MACRO" || !name) {
            diagnostics_.report(messages::macro_without_name(where));
            return false;
        }
        macro_->name = *name;
        std::vector<std::string>& formals = macro_->formals;
        while (!tokens.at_end()) {
            const CommandToken formal = tokens.any();
            if (formal.is(',')) continue;
            if (formal.kind != CommandToken::Kind::Word) {
                diagnostics_.report(messages::formal_is_no_name(where, formal.text));
                return false;
            }
            if (std::find(formals.begin(), formals.end(), formal.text) != formals.end())
                diagnostics_.report(messages::formal_twice(where, formal.text));
            formals.push_back(formal.text);
        }
        return true;
    }

    void take(const TextLine& line, std::string_view command, Span where) {
        if (ended_) {
            if (!command.empty()) diagnostics_.report(messages::text_after_end(where));
            return;
        }
        TokenReader tokens(command);
        const std::string word = upper_case(tokens.word().value_or(""));
        if (word == "END" && tokens.at_end()) {
            ended_ = true;
            return;
        }
        if (word == "MACRO") diagnostics_.report(messages::macro_in_macro(where));
        if (word == "LABEL") take_label(upper_case(tokens.word().value_or("")), where);
        if (word == "FOR") loops_.emplace_back(tokens.word().value_or(""), where);
        if (word == "NEXT") take_next(tokens.word().value_or(""), where);
        // With its comment: operations of the program take double quotes for themselves.
        std::string_view whole = trimmed(line.text);
        while (!whole.empty() && whole[0] == '>') whole = trimmed(whole.substr(1));
        macro_->lines.push_back({command.empty() ? std::string() : std::string(whole), where});
    }

    void take_label(const std::string& label, Span where) {
        if (label.empty())
            diagnostics_.report(messages::label_without_name(where));
        else if (!macro_->labels.emplace(label, macro_->lines.size()).second)
            diagnostics_.report(messages::label_twice(where, label));
    }

    void take_next(const std::string& variable, Span where) {
        if (!loops_.empty() && (variable.empty() || loops_.back().first == variable)) {
            loops_.pop_back();
            return;
        }
        diagnostics_.report(
            messages::next_without_for(where, variable, loops_.empty() ? "" : loops_.back().first));
    }

    // Jumps to nowhere are found before anything is done.
    void check_jumps(const Macro::Line& line) {
        const std::vector<CommandToken> tokens = command_tokens(without_comment(line.text));
        if (tokens.empty()) return;
        const std::string word = upper_case(tokens[0].text);
        if (word != "GOTO" && word != "IF") return;
        for (std::size_t k = 0; k + 1 < tokens.size(); ++k)
            if (equal_ignoring_case(tokens[k].text, "GOTO") &&
                !macro_->labels.contains(upper_case(tokens[k + 1].text))) {
                std::vector<std::string> labels;
                for (const auto& [label, place] : macro_->labels) labels.push_back(label);
                diagnostics_.report(messages::unknown_label(line.where, tokens[k + 1].text, labels));
            }
    }

    SourceId source_;
    const std::string& text_;
    Diagnostics& diagnostics_;
    std::shared_ptr<Macro> macro_ = std::make_shared<Macro>();
    bool begun_ = false, ended_ = false;
    std::vector<std::pair<std::string, Span>> loops_;  // that are open
};

}  // namespace

std::shared_ptr<const Macro> parse_macro(SourceId source, const Sources& sources, Diagnostics& diagnostics) {
    return MacroParser(source, sources.text(source), diagnostics).parse();
}

std::shared_ptr<const Macro> Macros::find(std::string_view name) const {
    for (const auto& macro : defined)
        if (equal_ignoring_case(macro->name, name)) return macro;
    return nullptr;
}
void Macros::forget(std::string_view name) {
    std::erase_if(defined, [&](const auto& macro) { return equal_ignoring_case(macro->name, name); });
}
void Macros::define(std::shared_ptr<const Macro> macro) {
    forget(macro->name);
    defined.push_back(std::move(macro));
}

std::string replace_words(std::string_view text,
                          const std::vector<const std::map<std::string, std::string>*>& values) {
    std::string out;
    std::size_t done = 0;
    for (const CommandToken& token : command_tokens(text)) {
        if (token.kind != CommandToken::Kind::Word) continue;
        for (const auto* map : values) {
            const auto at = map->find(token.text);
            if (at == map->end()) continue;
            out += text.substr(done, token.begin - done);
            out += at->second;
            done = token.end;
            break;
        }
    }
    return out += text.substr(done);
}

}  // namespace cutset
