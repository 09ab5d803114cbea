#include "studio/console.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "studio/operation.h"

namespace cutset::studio {

namespace {

Session::Settings settings_of(const ModelTexts& texts) {
    Session::Settings settings;
    settings.allow_external = texts.place().allow_external;
    return settings;
}

}  // namespace

Console::Console(const ModelTexts& texts, std::function<void(Json)> event, std::string folder)
    : event_(std::move(event)), folder_(std::move(folder)), session_(*this, settings_of(texts)) {}

void Console::tell(const char* kind, std::string_view text) {
    event_({{"event", "console"}, {"kind", kind}, {"text", text}});
}

std::string Console::execute(const std::string& line) {
    interrupt_ = false;
    shown_.reset();
    tell("input", line);
    const Session::Outcome outcome = session_.execute(line);
    if (shown_) tell("picture", to_svg(*shown_));
    return outcome == Session::Outcome::Done     ? "done"
           : outcome == Session::Outcome::Failed ? "failed"
                                                 : "stop";
}

void Console::print(std::string_view text) {
    tell("output", text);
}

void Console::report(const Diagnostics& diagnostics, const Sources& sources) {
    for (const Diagnostic& d : diagnostics.all()) tell("error", render(d, sources));
}

void Console::show(const Plot& plot, bool growing) {
    if (!growing) shown_ = plot;
}

int Console::operation(const std::vector<std::string>& words) {
    const std::vector<std::string>& known = operation_words();
    if (words.empty() || std::find(known.begin(), known.end(), words[0]) == known.end()) return 2;
    // It works in a folder of its own, so that its files are not among those of the person.
    std::vector<std::string> absolute = words;
    std::error_code error;
    for (std::string& word : absolute)
        if (word.find_first_of("/.") != std::string::npos && std::filesystem::is_regular_file(word, error))
            word = std::filesystem::absolute(word, error).string();
    const OperationOutcome done = run_operation(absolute, folder_);
    if (!done.output.empty()) tell("output", done.output);
    if (!done.errors.empty()) tell("error", done.errors);
    return done.status;
}

std::vector<std::string> Console::operations() const {
    return operation_words();
}

}  // namespace cutset::studio
