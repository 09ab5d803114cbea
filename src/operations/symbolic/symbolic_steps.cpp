#include "operations/symbolic/symbolic_steps.h"

#include "base/split_names.h"
#include "languages/dymola/parse.h"
#include "operations/symbolic/symbolic_messages.h"

namespace cutset {

namespace {

std::optional<tree::Expression> parse(const std::string& option, const std::string& text, Sources& sources,
                                      Diagnostics& diagnostics) {
    return dymola::parse_expression(sources, sources.add(option, text), diagnostics);
}

std::string without_outer_blanks(std::string text) {
    while (!text.empty() && text.front() == ' ') text.erase(0, 1);
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text;
}

// The two sides of NAME=…
std::optional<std::pair<std::string, std::string>> sides(const std::string& option, const std::string& text,
                                                         Diagnostics& diagnostics) {
    const std::size_t equal = text.find('=');
    if (equal == std::string::npos || equal == 0 || equal + 1 >= text.size()) {
        diagnostics.report(symbolic_messages::name_and_value_wanted(option, text));
        return std::nullopt;
    }
    return std::pair(without_outer_blanks(text.substr(0, equal)),
                     without_outer_blanks(text.substr(equal + 1)));
}

bool apply(const SymbolicStep& step, SymbolicSystem& system, Sources& sources, Diagnostics& diagnostics) {
    switch (step.kind) {
        case SymbolicStepKind::Rename: {
            const auto names = sides("--rename", step.text, diagnostics);
            return names && system.rename(names->first, names->second, diagnostics);
        }
        case SymbolicStepKind::Substitute: {
            const auto pair = sides("--substitute", step.text, diagnostics);
            const auto value =
                pair ? parse("--substitute", pair->second, sources, diagnostics) : std::nullopt;
            return value && system.substitute(pair->first, *value, diagnostics);
        }
        case SymbolicStepKind::Eliminate:
            for (const std::string& name : split_list(step.text))
                if (!system.eliminate(name, diagnostics)) return false;
            return true;
        case SymbolicStepKind::SolveFor:
            return system.solve(split_list(step.text), diagnostics);
        case SymbolicStepKind::Differentiate:
            return system.differentiate(without_outer_blanks(step.text), diagnostics);
        case SymbolicStepKind::Assume:
            for (const std::string& part : split_list(step.text)) {
                const auto condition = parse("--assume", part, sources, diagnostics);
                if (!condition || !system.assume(*condition, diagnostics)) return false;
            }
            return true;
        case SymbolicStepKind::Collect:
            return system.collect(without_outer_blanks(step.text), diagnostics);
        case SymbolicStepKind::Expand:
            system.expand();
            return true;
        case SymbolicStepKind::Factor:
            system.factor();
            return true;
        case SymbolicStepKind::Simplify:
            system.simplify();
            return true;
    }
    return false;
}

}  // namespace

std::optional<SymbolicSystem> symbolic_system(const std::string& expression, Sources& sources,
                                              Diagnostics& diagnostics) {
    const auto text = parse("--expr", expression, sources, diagnostics);
    if (!text) return std::nullopt;
    return SymbolicSystem::of_expression(*text, diagnostics);
}

bool apply_steps(const std::vector<SymbolicStep>& steps, SymbolicSystem& system, Sources& sources,
                 Diagnostics& diagnostics) {
    for (const SymbolicStep& step : steps)
        if (!apply(step, system, sources, diagnostics)) return false;
    return true;
}

}  // namespace cutset
