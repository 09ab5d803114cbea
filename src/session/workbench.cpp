#include "session/workbench.h"

#include "session/arithmetic.h"
#include "session/command_language.h"
#include "session/command_text.h"
#include "session/messages.h"
#include "session/run_record.h"

namespace cutset {

namespace messages = session_messages;

void Workbench::print(std::string_view text) {
    host.print(text);
    if (editing) return;
    transcript.push_back({TranscriptLine::Kind::Output, std::string(text)});
    constexpr std::size_t most = 100'000;
    if (transcript.size() > most)
        transcript.erase(transcript.begin(), transcript.begin() + static_cast<std::ptrdiff_t>(most / 10));
}

std::optional<std::string> Workbench::read_line(const std::string& prompt, bool command) {
    auto line = host.read_line(prompt);
    if (!line) return line;
    const bool prompted = command || prompt == ">";
    transcript.push_back({TranscriptLine::Kind::Input, (prompted ? ">" : "") + *line});
    return line;
}

void Workbench::report(const Diagnostics& found, const Sources& texts) {
    // What other parts of the program say of its options is said of the commands here.
    Diagnostics diagnostics;
    for (const Diagnostic& d : found.all()) diagnostics.report(in_commands(d, host.interactive()));
    for (const Diagnostic& d : diagnostics.all()) {
        if (d.severity == Severity::Error && !failure) failure = d.concern;
        if (editing) continue;
        std::string text = render(d, texts);
        while (!text.empty() && text.back() == '\n') text.pop_back();
        transcript.push_back({TranscriptLine::Kind::Output, std::move(text)});
    }
    host.report(diagnostics, texts);
}

bool Workbench::fail(Diagnostic diagnostic) {
    Diagnostics one;
    one.report(std::move(diagnostic));
    report(one, sources);
    return false;
}
bool Workbench::fail(const std::optional<Diagnostic>& diagnostic) {
    return fail(diagnostic ? *diagnostic : messages::not_understood());
}
void Workbench::note(Diagnostic diagnostic) {
    fail(std::move(diagnostic));
}

bool Workbench::has_system() {
    return system.live ? true : fail(messages::no_system());
}

std::optional<NamedQuantity> Workbench::variable(TokenReader& tokens,
                                                 const std::vector<LiveModel::Kind>& wanted) {
    const auto written = system.names.read(tokens);
    if (!written) {
        fail(messages::variable_expected(tokens.peek().text));
        return std::nullopt;
    }
    std::optional<Diagnostic> problem;
    const auto found = system.names.find(*written, wanted, problem);
    if (!found) fail(problem);
    return found;
}

std::optional<double> Workbench::value(const NamedQuantity& quantity) {
    if (quantity.path == "time") return system.live->time();
    Diagnostics diagnostics;
    const auto found = system.live->value(quantity.path, diagnostics);
    if (!diagnostics.all().empty()) report(diagnostics, system.workspace->text.sources());
    if (!found && !diagnostics.has_errors()) fail(messages::no_value(quantity.shown));
    return found;
}

std::optional<double> Workbench::expression(std::string_view text) {
    std::optional<Diagnostic> problem;
    bool told = false;
    const auto name = [&](TokenReader& tokens, std::optional<Diagnostic>& trouble) -> std::optional<double> {
        const auto written = system.names.read(tokens);
        if (!written) return std::nullopt;
        const auto found = system.names.find(*written, {}, trouble);
        if (!found) return std::nullopt;
        std::optional<double> result;
        if (tokens.next_is('(') && tokens.adjacent()) {
            std::size_t length = 1;
            for (int depth = 1; depth > 0 && tokens.place() + length < tokens.size(); ++length)
                depth += tokens.peek(length).is('(') ? 1 : tokens.peek(length).is(')') ? -1 : 0;
            const auto time = expression(tokens.text(1, length - 1));
            tokens.go_to(tokens.place() + length);
            if (time) result = value_at(*found, *time);
        } else {
            result = value(*found);
        }
        told = !result;
        return result;
    };
    const auto result = evaluate_arithmetic(text, name, problem);
    if (!result && !told) fail(problem);
    return result;
}

std::optional<double> Workbench::value_at(const NamedQuantity& quantity, double time) {
    const std::optional<SessionFacts::Run>& run = system.last_run;
    if (!run || !run->result) {
        fail(messages::no_run_stands(quantity.shown + "(" + shortest_number(time) + ")"));
        return std::nullopt;
    }
    const auto column = run->result->find(quantity.path);
    if (!column) {
        // What never changes is the same at all times.
        if (quantity.kind == LiveModel::Kind::Parameter) return value(quantity);
        fail(messages::not_recorded(quantity.shown));
        return std::nullopt;
    }
    const auto found = cutset::value_at(*run->result, *column, time);
    if (found && run->complete_from && time < *run->complete_from && time > run->result->time(0)) {
        fail(messages::left_out(quantity.shown, time, *run->complete_from, run->from));
        return std::nullopt;
    }
    if (!found)
        fail(messages::outside_the_run(time, run->result->time(0),
                                       run->result->time(run->result->rows() - 1)));
    return found;
}

std::string Workbench::unit_of(const std::string& path) const {
    for (const LiveModel::Quantity& quantity : system.live->quantities())
        if (quantity.path == path) return quantity.unit;
    return {};
}

void Workbench::forget_system() {
    system.live.reset();  // before what it refers to
    system = {};
    plotted.clear();
    horizontal.reset();
    stored.clear();
    store_on = false;
    changes.clear();
}

}  // namespace cutset
