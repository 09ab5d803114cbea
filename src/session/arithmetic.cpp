#include "session/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "expr/elementary_functions.h"
#include "session/messages.h"

namespace cutset {

namespace messages = session_messages;

namespace {

// As the simulation language defines them; LOG10 for LOG, too.
const ElementaryFunction* function_of(std::string_view name) {
    for (const ElementaryFunction& f : elementary_functions)
        if (f.simnon &&
            (equal_ignoring_case(f.simnon, name) || (f.op == Op::Log10 && equal_ignoring_case(f.name, name))))
            return &f;
    return nullptr;
}

// Signs before numbers are operators here: -2^2 is -(2^2), and A -1 a difference.
class Parser {
  public:
    Parser(std::string_view text, const NameReader& name, std::optional<Diagnostic>& problem)
        : tokens_(separated(text)), name_(name), problem_(problem) {}

    std::optional<double> whole() {
        const auto value = sum();
        if (!value) return std::nullopt;
        if (!tokens_.at_end()) {
            problem_ = messages::unexpected_in_expression(tokens_.peek().text);
            return std::nullopt;
        }
        if (!std::isfinite(*value)) {
            problem_ = messages::value_not_finite();
            return std::nullopt;
        }
        return value;
    }

  private:
    static std::string separated(std::string_view text) {
        std::string out;
        std::size_t done = 0;
        for (const CommandToken& token : command_tokens(text)) {
            if (token.kind != CommandToken::Kind::Number || (token.text[0] != '-' && token.text[0] != '+'))
                continue;
            // `(1-` keeps the sign apart, as 1 has a value.
            out += text.substr(done, token.begin - done);
            out += token.text[0];
            out += "(";
            out += token.text.substr(1);
            out += ")";
            done = token.end;
        }
        return out += text.substr(done);
    }

    std::optional<double> sum() {
        if (++depth_ > 100) {
            problem_ = messages::expression_too_deep();
            return std::nullopt;
        }
        auto value = term();
        while (value && (tokens_.next_is('+') || tokens_.next_is('-'))) {
            const bool minus = tokens_.any().is('-');
            const auto right = term();
            if (!right) return std::nullopt;
            value = minus ? *value - *right : *value + *right;
        }
        --depth_;
        return value;
    }
    std::optional<double> term() {
        bool negative = false;
        while (tokens_.next_is('+') || tokens_.next_is('-')) negative ^= tokens_.any().is('-');
        auto value = power();
        while (value && (tokens_.next_is('*') || tokens_.next_is('/')) && !tokens_.peek(1).is('*')) {
            const bool divide = tokens_.any().is('/');
            bool minus = false;
            while (tokens_.next_is('+') || tokens_.next_is('-')) minus ^= tokens_.any().is('-');
            const auto right = power();
            if (!right) return std::nullopt;
            value = (divide ? *value / *right : *value * *right) * (minus ? -1 : 1);
        }
        if (value && negative) value = -*value;
        return value;
    }
    std::optional<double> power() {
        auto value = primary();
        while (value && (tokens_.next_is('^') || (tokens_.next_is('*') && tokens_.peek(1).is('*')))) {
            if (tokens_.any().is('*')) tokens_.any();
            bool minus = false;
            while (tokens_.next_is('+') || tokens_.next_is('-')) minus ^= tokens_.any().is('-');
            const auto right = primary();
            if (!right) return std::nullopt;
            value = std::pow(*value, minus ? -*right : *right);
        }
        return value;
    }
    std::optional<double> primary() {
        if (const auto number = tokens_.number()) return number;
        if (tokens_.take('(')) {
            const auto value = sum();
            return value && close() ? value : std::nullopt;
        }
        if (tokens_.peek().kind == CommandToken::Kind::Word) {
            // The logarithm of Simnon is that of base 10, elsewhere `log` is the natural one.
            if (tokens_.peek(1).is('(') && tokens_.peek().text == "log") {
                problem_ = messages::ambiguous_logarithm();
                return std::nullopt;
            }
            const ElementaryFunction* f =
                tokens_.peek(1).is('(') ? function_of(tokens_.peek().text) : nullptr;
            if (!f) return name_(tokens_, problem_);
            const std::string spelled = upper_case(tokens_.any().text);
            tokens_.any();
            double arguments[2] = {0, 0};
            for (std::size_t k = 0; k < f->arguments; ++k) {
                if (k > 0 && !tokens_.take(',')) {
                    problem_ = messages::function_arguments(spelled, f->arguments);
                    return std::nullopt;
                }
                const auto value = sum();
                if (!value) return std::nullopt;
                arguments[k] = *value;
            }
            if (tokens_.next_is(',')) problem_ = messages::function_arguments(spelled, f->arguments);
            if (problem_ || !close()) return std::nullopt;
            return f->arguments == 1 ? f->of_one(arguments[0]) : f->of_two(arguments[0], arguments[1]);
        }
        problem_ = tokens_.at_end() ? messages::expression_ends_early()
                                    : messages::unexpected_in_expression(tokens_.peek().text);
        return std::nullopt;
    }
    bool close() {
        if (tokens_.take(')')) return true;
        problem_ = messages::missing_parenthesis();
        return false;
    }

    TokenReader tokens_;
    const NameReader& name_;
    std::optional<Diagnostic>& problem_;
    int depth_ = 0;
};

}  // namespace

bool is_function_name(std::string_view name) {
    return function_of(name) != nullptr || name == "log";
}

std::string in_small_letters(std::string_view text) {
    std::string out;
    std::size_t done = 0;
    const std::vector<CommandToken> tokens = command_tokens(text);
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (tokens[k].kind != CommandToken::Kind::Word || tokens[k].text == lower_case(tokens[k].text))
            continue;
        const bool call = k + 1 < tokens.size() && tokens[k + 1].is('(');
        if (!(call && function_of(tokens[k].text)) && !equal_ignoring_case(tokens[k].text, "TIME")) continue;
        out += text.substr(done, tokens[k].begin - done);
        out += tokens[k].text == "LOG" ? "log10" : lower_case(tokens[k].text);
        done = tokens[k].end;
    }
    return out += text.substr(done);
}

std::optional<double> evaluate_arithmetic(std::string_view text, const NameReader& name,
                                          std::optional<Diagnostic>& problem) {
    problem.reset();
    return Parser(text, name, problem).whole();
}

}  // namespace cutset
