#include "session/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "session/arithmetic.h"
#include "session/command_text.h"
#include "session/interpreter.h"
#include "session/messages.h"

namespace cutset {

namespace messages = session_messages;

namespace {

MacroFrame* frame_of(Workbench& bench) {
    return bench.macros.frames.empty() ? nullptr : &bench.macros.frames.back();
}

const std::string* find_value(Workbench& bench, const std::string& name) {
    if (MacroFrame* frame = frame_of(bench))
        if (const auto at = frame->variables.find(name); at != frame->variables.end()) return &at->second;
    const auto at = bench.globals.find(name);
    return at == bench.globals.end() ? nullptr : &at->second;
}

// Names that end with a point, and those of LET at the prompt, are known everywhere.
void assign(Workbench& bench, const std::string& name, std::string value) {
    MacroFrame* const frame = frame_of(bench);
    if (frame && !name.ends_with('.') && frame->macro->name != "FOR")
        frame->variables[name] = std::move(value);
    else
        bench.globals[name] = std::move(value);
}

std::string replaced(Workbench& bench, std::string_view text) {
    std::vector<const std::map<std::string, std::string>*> values;
    if (MacroFrame* frame = frame_of(bench)) values.push_back(&frame->variables);
    values.push_back(&bench.globals);
    return replace_words(text, values);
}

// Digits that only rounding made are left out: 0.1 + 0.2 is 0.3.
std::string clean_number(double value) {
    const double rounded = std::stod(fmt::format("{:.12g}", value));
    return shortest_number(std::fabs(rounded - value) <= 1e-14 * std::fabs(value) ? rounded : value);
}

// A number where the text is arithmetic, else the words themselves.
std::optional<std::string> operand(Workbench& bench, std::string_view text) {
    const std::string written(trimmed(replaced(bench, text)));
    const std::vector<CommandToken> tokens = command_tokens(written);
    if (tokens.size() == 1 && tokens[0].kind == CommandToken::Kind::Text) return tokens[0].text;
    if (tokens.size() == 1 && tokens[0].kind == CommandToken::Kind::Number) return written;
    std::optional<Diagnostic> problem;
    const auto name = [&](TokenReader& reader, std::optional<Diagnostic>& trouble) -> std::optional<double> {
        if (!bench.system.live) {
            trouble = messages::unknown_macro_variable(reader.peek().text);
            return std::nullopt;
        }
        const auto variable = bench.system.names.read(reader);
        if (!variable) return std::nullopt;
        const auto found = bench.system.names.find(*variable, {}, trouble);
        if (!found) return std::nullopt;
        return bench.value(*found);
    };
    const auto value = evaluate_arithmetic(written, name, problem);
    if (value) return clean_number(*value);
    // A single word that means nothing is a text.
    if (tokens.size() == 1 && tokens[0].kind == CommandToken::Kind::Word) return written;
    bench.fail(problem);
    return std::nullopt;
}

bool run_let(Workbench& bench, std::string_view arguments, bool only_default) {
    TokenReader tokens(arguments);
    const auto name = tokens.word();
    if (!name || !(tokens.take('=') || tokens.take(':')) || tokens.at_end())
        return bench.fail(messages::let_form(only_default ? "DEFAULT" : "LET"));
    if (only_default && find_value(bench, *name)) return true;
    const auto value = operand(bench, tokens.rest());
    if (!value) return false;
    if (!frame_of(bench) && bench.system.live && !bench.globals.contains(*name)) {
        std::optional<Diagnostic> problem;
        if (bench.system.names.find({*name, {}}, {}, problem))
            bench.note(messages::name_is_variable_too(*name, *value));
    }
    assign(bench, *name, *value);
    return true;
}

bool go_to(Workbench& bench, const std::string& label) {
    MacroFrame* const frame = frame_of(bench);
    if (!frame) return bench.fail(messages::only_in_macro("GOTO"));
    const auto at = frame->macro->labels.find(upper_case(label));
    if (at == frame->macro->labels.end()) return bench.fail(messages::unknown_label({}, label, {}));
    constexpr std::size_t most = 100'000;
    if (at->second < frame->next && ++frame->jumps > most)
        return bench.fail(messages::endless_loop(frame->macro->name, most));
    frame->next = at->second;
    return true;
}

bool run_if(Workbench& bench, std::string_view arguments) {
    if (!frame_of(bench)) return bench.fail(messages::only_in_macro("IF"));
    const std::vector<CommandToken> tokens = command_tokens(arguments);
    static const std::vector<std::string> relations = {"EQ", "NE", "LT", "GT", "LE", "GE"};
    std::optional<std::size_t> relation, jump;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (tokens[k].kind != CommandToken::Kind::Word) continue;
        const std::string word = upper_case(tokens[k].text);
        if (!relation && std::find(relations.begin(), relations.end(), word) != relations.end()) relation = k;
        if (word == "GOTO") jump = k;
    }
    if (!relation || !jump || *jump < *relation || *jump + 2 != tokens.size())
        return bench.fail(messages::if_form());
    const auto left = operand(bench, arguments.substr(0, tokens[*relation].begin));
    const auto right =
        operand(bench, arguments.substr(tokens[*relation].end, tokens[*jump].begin - tokens[*relation].end));
    if (!left || !right) return false;
    const std::string word = upper_case(tokens[*relation].text);
    const auto a = number_of(*left), b = number_of(*right);
    bool holds = false;
    if (a && b)
        holds = word == "EQ"   ? *a == *b
                : word == "NE" ? *a != *b
                : word == "LT" ? *a < *b
                : word == "GT" ? *a > *b
                : word == "LE" ? *a <= *b
                               : *a >= *b;
    else if (word == "EQ" || word == "NE")
        holds = equal_ignoring_case(*left, *right) == (word == "EQ");
    else
        return bench.fail(messages::texts_have_no_order(*left, *right));
    return holds ? go_to(bench, tokens[*jump + 1].text) : true;
}

void set_turn(Workbench& bench, const MacroLoop& loop) {
    // Not summed up, so that 0.1 TO 1 STEP 0.1 ends with 1.
    const double value = loop.from + static_cast<double>(loop.turn) * loop.step;
    const bool zero = std::fabs(value) < 1e-12 * std::fabs(loop.step);
    frame_of(bench)->variables[loop.variable] = zero ? "0" : clean_number(value);
}

bool run_for(Workbench& bench, std::string_view arguments) {
    MacroFrame& frame = *frame_of(bench);
    const std::vector<CommandToken> tokens = command_tokens(arguments);
    std::optional<std::size_t> to, by;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (equal_ignoring_case(tokens[k].text, "TO") && !to) to = k;
        if (equal_ignoring_case(tokens[k].text, "STEP")) by = k;
    }
    if (tokens.size() < 5 || tokens[0].kind != CommandToken::Kind::Word || !tokens[1].is('=') || !to ||
        (by && *by < *to))
        return bench.fail(messages::for_form());
    const std::size_t end = by ? tokens[*by].begin : arguments.size();
    const auto from = operand(bench, arguments.substr(tokens[1].end, tokens[*to].begin - tokens[1].end));
    if (!from) return false;
    const auto until = operand(bench, arguments.substr(tokens[*to].end, end - tokens[*to].end));
    if (!until) return false;
    const auto step =
        by ? operand(bench, arguments.substr(tokens[*by].end)) : std::optional<std::string>("1");
    if (!step) return false;
    const auto a = number_of(*from), b = number_of(*until), c = number_of(*step);
    if (!a || !b || !c) return bench.fail(messages::for_needs_numbers(!a ? *from : !b ? *until : *step));
    if (*c == 0) return bench.fail(messages::step_is_zero());
    const double turns = std::floor((*b - *a) / *c + 1e-9) + 1;
    if (turns > 1e9) return bench.fail(messages::too_many_turns());
    std::erase_if(frame.loops, [&](const MacroLoop& loop) { return loop.variable == tokens[0].text; });
    MacroLoop loop{tokens[0].text, *a, *c, 0, turns < 1 ? 0 : static_cast<std::size_t>(turns), frame.next};
    if (loop.turns == 0) {
        // On behind its NEXT.
        int depth = 1;
        while (frame.next < frame.macro->lines.size() && depth > 0) {
            TokenReader line(frame.macro->lines[frame.next++].text);
            const std::string word = upper_case(line.word().value_or(""));
            if (word == "FOR") ++depth;
            if (word == "NEXT") --depth;
        }
        return true;
    }
    set_turn(bench, loop);
    frame.loops.push_back(std::move(loop));
    return true;
}

bool run_next(Workbench& bench, std::string_view arguments) {
    MacroFrame* const frame = frame_of(bench);
    if (!frame) return bench.fail(messages::only_in_macro("NEXT"));
    const std::string variable(trimmed(arguments));
    if (!variable.empty())
        while (!frame->loops.empty() && frame->loops.back().variable != variable) frame->loops.pop_back();
    if (frame->loops.empty()) return bench.fail(messages::next_without_for({}, variable, ""));
    MacroLoop& loop = frame->loops.back();
    if (++loop.turn >= loop.turns) {
        frame->loops.pop_back();
        return true;
    }
    set_turn(bench, loop);
    frame->next = loop.first_line;
    return true;
}

bool run_read(Workbench& bench, std::string_view arguments) {
    static const std::vector<std::string> kinds = {"INT", "REAL", "NUM", "NAME", "YESNO"};
    TokenReader tokens(arguments);
    if (tokens.at_end()) return bench.fail(messages::read_form());
    while (!tokens.at_end()) {
        const auto name = tokens.word();
        if (!name) return bench.fail(messages::read_form());
        std::string kind;
        if (!tokens.at_end())
            if (const std::string next = upper_case(tokens.peek().text);
                std::find(kinds.begin(), kinds.end(), next) != kinds.end()) {
                kind = next;
                tokens.any();
            }
        bench.print(*name + (kind.empty() ? "" : " " + kind) + "?");
        for (int tries = 0;; ++tries) {
            const auto line = bench.read_line(">", false);
            if (!line || bench.interrupted()) return bench.fail(messages::read_found_nothing(*name));
            const std::string text(without_comment(without_prompt(*line)));
            const auto number = number_of(text);
            const bool good = kind == "INT"                     ? number && *number == std::trunc(*number)
                              : kind == "REAL" || kind == "NUM" ? number.has_value()
                              : kind == "YESNO"
                                  ? begins_ignoring_case("YES", text) || begins_ignoring_case("NO", text)
                                  : true;
            if (good && !text.empty()) {
                assign(bench, *name, kind == "YESNO" ? (upper_case(text)[0] == 'Y' ? "YES" : "NO") : text);
                break;
            }
            if (tries >= 4) return bench.fail(messages::read_wants(*name, kind));
            bench.note(messages::read_again(kind));
        }
    }
    return true;
}

bool run_write(Workbench& bench, std::string_view written) {
    std::string arguments(trimmed(written));
    const auto device = take_device(bench, arguments, true);
    if (!device) return false;
    std::string out;
    TokenReader tokens(arguments);
    const auto add = [&](const std::string& text) {
        if (!out.empty() && out.back() != ' ' && text.find_first_of(" ,.;:)") != 0) out += ' ';
        out += text;
    };
    while (!tokens.at_end()) {
        const CommandToken& token = tokens.peek();
        if (token.kind == CommandToken::Kind::Text) {
            add(tokens.any().text);
        } else if (token.is('(')) {
            int depth = 0;
            std::string inside;
            do {
                const CommandToken part = tokens.any();
                depth += part.is('(') ? 1 : part.is(')') ? -1 : 0;
                inside += (part.kind == CommandToken::Kind::Text ? "'" + part.text + "'" : part.text) + " ";
            } while (depth > 0 && !tokens.at_end());
            const auto value = operand(bench, inside);
            if (!value) return false;
            add(*value);
        } else if (token.kind == CommandToken::Kind::Word) {
            if (const std::string* value = find_value(bench, token.text)) {
                tokens.any();
                add(*value);
                continue;
            }
            const std::string word = token.text;
            const std::size_t place = tokens.place();
            std::optional<Diagnostic> problem;
            const auto name = bench.system.live ? bench.system.names.read(tokens) : std::nullopt;
            const auto found = name ? bench.system.names.find(*name, {}, problem) : std::nullopt;
            if (found) {
                const auto value = bench.value(*found);
                if (!value) return false;
                add(fmt::format("{:.6g}", *value));
            } else {
                tokens.go_to(place + 1);
                add(word);
            }
        } else {
            add(tokens.any().text);
        }
    }
    return print_on(bench, *device, out);
}

bool run_free(Workbench& bench, std::string_view arguments) {
    for (const std::string& name : shell_words(arguments)) {
        if (name == "*" || name == ".*") {
            bench.globals.clear();
            continue;
        }
        const bool local = frame_of(bench) && frame_of(bench)->variables.erase(name) > 0;
        if (!local && bench.globals.erase(name) == 0)
            return bench.fail(messages::unknown_macro_variable(name));
    }
    return true;
}

bool run_resume(Workbench& bench) {
    if (bench.macros.suspended.empty()) return bench.fail(messages::nothing_to_resume());
    if (!bench.macros.frames.empty()) return bench.fail(messages::only_at_prompt("RESUME"));
    bench.macros.frames = std::move(bench.macros.suspended.back());
    bench.macros.suspended.pop_back();
    return true;
}

}  // namespace

bool run_control(Workbench& bench, const std::string& word, std::string_view arguments) {
    if (word == "LET") return run_let(bench, arguments, false);
    if (word == "DEFAULT") return run_let(bench, arguments, true);
    if (word == "LABEL") return frame_of(bench) ? true : bench.fail(messages::only_in_macro("LABEL"));
    if (word == "GOTO") return go_to(bench, std::string(trimmed(arguments)));
    if (word == "IF") return run_if(bench, arguments);
    if (word == "FOR") return run_for(bench, arguments);
    if (word == "NEXT") return run_next(bench, arguments);
    if (word == "READ") return run_read(bench, arguments);
    if (word == "WRITE") return run_write(bench, arguments);
    if (word == "FREE") return run_free(bench, arguments);
    if (word == "RESUME") return run_resume(bench);
    return bench.fail(messages::only_in_macro(word));
}

}  // namespace cutset
