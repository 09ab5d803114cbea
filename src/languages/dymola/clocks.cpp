// Clocks: `clock slow = every(fast, 5)` names ticks. They are told apart by exact ratios of one period, and
// become sample(first, period) where they stand.
#include <cmath>
#include <numeric>

#include "languages/dymola/messages.h"
#include "languages/dymola/parser.h"

namespace cutset::dymola {

using namespace tree;

namespace {

constexpr std::uint64_t largest_ratio = 1000000000;

Expression combined(ExpressionKind kind, std::string operators, std::vector<Expression> arguments,
                    Span where) {
    Expression e;
    e.kind = kind;
    e.where = where;
    e.text = std::move(operators);
    e.arguments = std::move(arguments);
    return e;
}

Expression whole(std::uint64_t n, Span where) {
    Expression e;
    e.where = where;
    e.number = static_cast<double>(n);
    return e;
}

// period*n/d
Expression multiple(const Expression& period, const Ratio& ratio, Span where) {
    std::vector<Expression> factors{period};
    std::string operators = "*";
    if (ratio.numerator != 1) {
        factors.push_back(whole(ratio.numerator, where));
        operators += '*';
    }
    if (ratio.denominator != 1) {
        factors.push_back(whole(ratio.denominator, where));
        operators += '/';
    }
    if (factors.size() == 1) return period;
    return combined(ExpressionKind::Product, std::move(operators), std::move(factors), where);
}

}  // namespace

bool Ratio::set(std::uint64_t n, std::uint64_t d) {
    const std::uint64_t common = std::gcd(n, d);
    numerator = n / common;
    denominator = d / common;
    return numerator <= largest_ratio && denominator <= largest_ratio;
}

bool Ratio::multiply(const Ratio& by) {
    return set(numerator * by.numerator, denominator * by.denominator);
}

bool Ratio::add(const Ratio& term) {
    const std::uint64_t common = std::gcd(denominator, term.denominator);
    const std::uint64_t to = denominator / common * term.denominator;
    if (to > largest_ratio) return false;
    return set(to / denominator * numerator + to / term.denominator * term.numerator, to);
}

Expression Clock::condition(Span where) const {
    if (!periodic) return event;
    Expression out =
        combined(ExpressionKind::Call, "sample", {first, multiple(period, interval, where)}, where);
    if (begin.numerator != 0)
        out.arguments[0] =
            combined(ExpressionKind::Sum, "++", {first, multiple(period, begin, where)}, where);
    return out;
}

// `clock c = e`: two names before a `=` that are not the results of a procedure.
bool Parser::clock_ahead() const {
    if (!is_name("clock") || ahead(1).kind != TokenKind::Name || ahead(2).symbol != Symbol::Equal)
        return false;
    return scope_.empty() || !(scope_.back()->of("clock") & Scope::Variable);
}

void Parser::clocks() {
    advance();
    do {
        const Span where = span(now());
        const std::string name = expect_name("the name of a clock");
        equals_sign();
        Clock clock = ticks();
        clock.where = where;
        const auto [known, added] = clocks_.try_emplace({open_.back(), name}, std::move(clock));
        if (!added) report(clock_defined_twice(where, name, known->second.where));
    } while (take(Symbol::Comma));
    finish_statement();
}

const Clock* Parser::find_clock(std::string_view name) const {
    if (open_.empty() || clocks_.empty()) return nullptr;
    const auto found = clocks_.find({open_.back(), std::string(name)});
    return found == clocks_.end() ? nullptr : &found->second;
}

// every(c, n), every(c, n, k), between(c, n), later(c, n, m), of a function or a clock of the model.
bool Parser::clock_operator_ahead() const {
    if (!is_name("every") && !is_name("between") && !is_name("later")) return false;
    return ahead(1).symbol == Symbol::LeftRound && !callable(written(now()));
}

// A clock: its name, an operator, sample(t0, h), or a condition whose beginnings are its ticks.
Clock Parser::ticks() {
    const Deeper deeper(*this);
    if (clock_operator_ahead()) return clock_operation();
    if (is(TokenKind::Name) && ahead(1).symbol != Symbol::LeftRound)
        if (const Clock* known = find_clock(written(now()))) {
            advance();
            return *known;
        }
    Clock out;
    Mode list;
    list.equal_is_relation = true;
    const WithMode mode(*this, list);
    Expression e = expression();
    if (e.kind == ExpressionKind::Call && e.text == "sample" && e.arguments.size() == 2) {
        out.first = std::move(e.arguments[0]);
        out.period = std::move(e.arguments[1]);
        out.periodic = true;
    } else {
        out.event = std::move(e);
    }
    return out;
}

Clock Parser::clock_operation() {
    const Token word = now();
    const std::string_view name = written(word);
    advance();
    const Token bracket = now();
    advance();
    const Token argument = now();
    Clock out = ticks();
    if (!out.periodic) fail(clock_of_events({source_, argument.begin, last_end_}, name));
    bool good = true;
    expect(Symbol::Comma, "`,` and a whole number");
    const std::uint64_t n = tick_count(name, 1);
    if (name == "between") {
        good = out.interval.multiply({1, n});
    } else if (name == "later") {
        const std::uint64_t parts = take(Symbol::Comma) ? tick_count(name, 1) : 1;
        Ratio shift = out.interval;
        good = shift.multiply({n, parts}) && out.begin.add(shift);
    } else {
        const std::uint64_t skipped = take(Symbol::Comma) ? tick_count(name, 0) : 0;
        Ratio shift = out.interval;
        good = shift.multiply({skipped, 1}) && out.begin.add(shift) && out.interval.multiply({n, 1});
    }
    if (!good) fail(clock_ratio_too_large(span_from(word.begin), largest_ratio));
    close(Symbol::RightRound, bracket);
    return out;
}

std::uint64_t Parser::tick_count(std::string_view name, std::uint64_t least) {
    const Token at = now();
    const Expression e = expression();
    const bool good = e.kind == ExpressionKind::Number && e.number == std::floor(e.number) &&
                      e.number >= static_cast<double>(least) &&
                      e.number <= static_cast<double>(largest_ratio);
    if (!good) fail(clock_count(span_from(at.begin), name, least));
    return static_cast<std::uint64_t>(e.number);
}

// Clocks are no variables: one name for both would be read as the clock.
void Parser::check_clock_names(const Class& of) {
    for (const auto& [key, clock] : clocks_)
        if (key.first == &of)
            for (const Item& item : of.items)
                if (const auto* v = std::get_if<VariableDeclaration>(&item.what); v && v->name == key.second)
                    report(clock_is_variable(clock.where, key.second, v->where));
}

}  // namespace cutset::dymola
