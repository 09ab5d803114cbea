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

std::shared_ptr<const Macro> parse_macro(SourceId source, const Sources& sources, Diagnostics& diagnostics) {
    const std::string& text = sources.text(source);
    auto macro = std::make_shared<Macro>();
    macro->text = text;
    bool begun = false, ended = false;
    std::vector<std::pair<std::string, Span>> loops;
    const std::size_t errors = diagnostics.error_count();
    for (const TextLine& line : split_lines(text)) {
        const std::string_view command = command_part(line.text);
        const std::size_t begin =
            command.empty() ? line.begin : static_cast<std::size_t>(command.data() - text.data());
        const Span where{source, static_cast<std::uint32_t>(begin),
                         static_cast<std::uint32_t>(begin + command.size())};
        TokenReader tokens(command);
        const std::string word = upper_case(tokens.word().value_or(""));
        if (!begun) {
            if (command.empty()) continue;
            const auto name = tokens.word();
            if (word != "MACRO" || !name) {
                diagnostics.report(messages::macro_without_name(where));
                return nullptr;
            }
            macro->name = *name;
            while (!tokens.at_end()) {
                const CommandToken formal = tokens.any();
                if (formal.is(',')) continue;
                if (formal.kind != CommandToken::Kind::Word) {
                    diagnostics.report(messages::formal_is_no_name(where, formal.text));
                    return nullptr;
                }
                if (std::find(macro->formals.begin(), macro->formals.end(), formal.text) !=
                    macro->formals.end())
                    diagnostics.report(messages::formal_twice(where, formal.text));
                macro->formals.push_back(formal.text);
            }
            begun = true;
            continue;
        }
        if (ended) {
            if (!command.empty()) diagnostics.report(messages::text_after_end(where));
            continue;
        }
        if (word == "END" && tokens.at_end()) {
            ended = true;
            continue;
        }
        if (word == "MACRO") diagnostics.report(messages::macro_in_macro(where));
        if (word == "LABEL") {
            const std::string label = upper_case(tokens.word().value_or(""));
            if (label.empty())
                diagnostics.report(messages::label_without_name(where));
            else if (!macro->labels.emplace(label, macro->lines.size()).second)
                diagnostics.report(messages::label_twice(where, label));
        }
        if (word == "FOR") loops.emplace_back(tokens.word().value_or(""), where);
        if (word == "NEXT") {
            const std::string variable = tokens.word().value_or("");
            if (loops.empty() || (!variable.empty() && loops.back().first != variable))
                diagnostics.report(
                    messages::next_without_for(where, variable, loops.empty() ? "" : loops.back().first));
            else
                loops.pop_back();
        }
        // With its comment: operations of the program take double quotes for themselves.
        std::string_view whole = trimmed(line.text);
        while (!whole.empty() && whole[0] == '>') whole = trimmed(whole.substr(1));
        macro->lines.push_back({command.empty() ? std::string() : std::string(whole), where});
    }
    for (const auto& [variable, where] : loops)
        diagnostics.report(messages::for_without_next(where, variable));
    if (!begun || !ended)
        diagnostics.report(messages::macro_without_end(
            Span{source, 0, static_cast<std::uint32_t>(std::min<std::size_t>(text.size(), text.find('\n')))},
            macro->name));
    // Jumps to nowhere are found before anything is done.
    for (const Macro::Line& line : macro->lines) {
        const std::vector<CommandToken> tokens = command_tokens(without_comment(line.text));
        if (tokens.empty()) continue;
        const std::string word = upper_case(tokens[0].text);
        if (word != "GOTO" && word != "IF") continue;
        for (std::size_t k = 0; k + 1 < tokens.size(); ++k)
            if (equal_ignoring_case(tokens[k].text, "GOTO") &&
                !macro->labels.contains(upper_case(tokens[k + 1].text))) {
                std::vector<std::string> labels;
                for (const auto& [label, place] : macro->labels) labels.push_back(label);
                diagnostics.report(messages::unknown_label(line.where, tokens[k + 1].text, labels));
            }
    }
    if (diagnostics.error_count() > errors) return nullptr;
    return macro;
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
