#include "control/transfer_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "control/polynomial_messages.h"
#include "expr/elementary_functions.h"

namespace cutset {

namespace messages = polynomial_messages;

bool ExactTransferMatrix::has_delays() const {
    for (const auto& row : delays)
        for (const Rational& d : row)
            if (d != 0) return true;
    return false;
}

void complete_names(std::vector<std::string>& names, std::size_t count, const std::string& letter) {
    names.resize(std::min(names.size(), count));
    if (count == 1 && names.empty()) {
        names.push_back(letter);
        return;
    }
    while (names.size() < count) names.push_back(letter + std::to_string(names.size() + 1));
}

namespace {

struct Value {
    ExactFraction f;
    Rational delay = 0;
};

constexpr int deepest = 100;
constexpr long largest_exponent = 200;

class Parser {
  public:
    Parser(SourceId source, const std::string& text, Diagnostics& diagnostics)
        : source_(source), text_(text), diagnostics_(diagnostics) {}

    std::string variable;  // empty until s or z is met
    SymbolNames names;
    bool failed = false;

    bool at_end() {
        skip();
        return at_ >= text_.size();
    }
    bool accept(char c) {
        skip();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    std::size_t position() {
        skip();
        return at_;
    }
    Span span(std::size_t begin, std::size_t end) const {
        const auto size = static_cast<std::uint32_t>(text_.size());
        return {source_, std::min(static_cast<std::uint32_t>(begin), size),
                std::min(static_cast<std::uint32_t>(end), size)};
    }
    Value fail(Diagnostic d) {
        if (!failed) diagnostics_.report(std::move(d));
        failed = true;
        return {};
    }
    Value fail_here() {
        skip();
        if (at_ >= text_.size()) return fail(messages::text_ends(span(text_.size(), text_.size())));
        return fail(messages::not_understood(span(at_, at_ + 1), text_.substr(at_, 1)));
    }

    Value sum(int depth) {
        skip();
        const std::size_t begin = at_;
        if (depth > deepest) return fail(messages::nested_too_deep(span(at_, at_ + 1)));
        const bool negative = signs();
        Value total = product(depth);
        if (negative) total.f.numerator = -total.f.numerator;
        while (!failed) {
            const bool minus = accept('-');
            if (!minus && !accept('+')) break;
            Value next = product(depth);
            if (minus) next.f.numerator = -next.f.numerator;
            if (failed) break;
            if (next.f.numerator.is_zero()) continue;
            if (total.f.numerator.is_zero()) {
                total = next;
                continue;
            }
            if (total.delay != next.delay) return fail(messages::delays_differ(span(begin, at_)));
            total.f = total.f + next.f;
        }
        return total;
    }

  private:
    void skip() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    }
    bool starts_factor() {
        skip();
        if (at_ >= text_.size()) return false;
        const char c = text_[at_];
        return c == '(' || c == '_' || std::isalnum(static_cast<unsigned char>(c)) || c == '.';
    }

    // Any number of them; true when together they are a minus.
    bool signs() {
        bool negative = false;
        while (true) {
            if (accept('-'))
                negative = !negative;
            else if (!accept('+'))
                return negative;
        }
    }

    Value product(int depth) {
        skip();
        const std::size_t begin = at_;
        Value total = power(depth);
        bool divided = false;
        while (!failed) {
            skip();
            const bool star = at_ < text_.size() && text_[at_] == '*';
            if (star) {
                ++at_;
            } else if (accept('/')) {
                skip();
                const std::size_t from = at_;
                Value next = signed_power(depth);
                if (failed) break;
                if (next.f.numerator.is_zero()) return fail(messages::divides_by_zero(span(from, at_)));
                if (next.delay != 0) return fail(messages::delay_below_line(span(from, at_)));
                total.f = total.f * ExactFraction{next.f.denominator, next.f.numerator};
                divided = true;
                continue;
            } else if (starts_factor()) {
                if (divided) return fail(messages::unclear_product(span(begin, at_ + 1)));
            } else {
                break;
            }
            Value next = star ? signed_power(depth) : power(depth);
            if (failed) break;
            total.f = total.f * next.f;
            total.delay += next.delay;
        }
        return total;
    }

    Value signed_power(int depth) {
        const bool negative = signs();
        Value v = power(depth);
        if (negative) v.f.numerator = -v.f.numerator;
        return v;
    }

    Value power(int depth) {
        skip();
        const std::size_t begin = at_;
        Value base = atom(depth);
        while (!failed) {
            skip();
            if (at_ < text_.size() && text_[at_] == '^')
                ++at_;
            else if (text_.compare(std::min(at_, text_.size()), 2, "**") == 0)
                at_ += 2;
            else
                break;
            skip();
            const std::size_t from = at_;
            const bool bracket = accept('(');
            bool negative = false;
            if (accept('-'))
                negative = true;
            else
                accept('+');
            skip();
            long n = 0;
            const std::size_t digits = at_;
            while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])))
                n = std::min(100000L, n * 10 + (text_[at_++] - '0'));
            if (at_ == digits || (at_ < text_.size() && (text_[at_] == '.' || text_[at_] == 'e')) ||
                (bracket && !accept(')')))
                return fail(messages::exponent_not_whole(span(from, at_ + 1)));
            if (n > largest_exponent ||
                n * std::max({1, base.f.numerator.degree(), base.f.denominator.degree()}) > 1000)
                return fail(messages::exponent_too_large(span(from, at_)));
            if (negative && base.f.numerator.is_zero())
                return fail(messages::divides_by_zero(span(begin, at_)));
            if (negative && base.delay != 0) return fail(messages::delay_below_line(span(begin, at_)));
            const auto exponent = static_cast<unsigned>(n);
            Value v{{base.f.numerator.to_power(exponent), base.f.denominator.to_power(exponent)},
                    Rational(base.delay * n)};
            if (negative) std::swap(v.f.numerator, v.f.denominator);
            base = std::move(v);
        }
        return base;
    }

    Value atom(int depth) {
        skip();
        if (at_ >= text_.size()) return fail_here();
        const std::size_t begin = at_;
        const char c = text_[at_];
        if (c == '(') {
            ++at_;
            Value v = sum(depth + 1);
            if (failed) return v;
            if (!accept(')')) {
                if (at_end()) return fail(messages::bracket_open(span(begin, begin + 1)));
                return fail_here();
            }
            return v;
        }
        if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') {
            while (at_ < text_.size() &&
                   (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.'))
                ++at_;
            // An exponent, unless the e begins a name.
            if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
                std::size_t k = at_ + 1;
                if (k < text_.size() && (text_[k] == '-' || text_[k] == '+')) ++k;
                if (k < text_.size() && std::isdigit(static_cast<unsigned char>(text_[k]))) {
                    while (k < text_.size() && std::isdigit(static_cast<unsigned char>(text_[k]))) ++k;
                    at_ = k;
                }
            }
            const auto number = rational_from_text(std::string_view(text_).substr(begin, at_ - begin));
            if (!number) return fail(messages::number_out_of_range(span(begin, at_)));
            return {{ExactPolynomial(Coefficient(*number)), ExactPolynomial(1)}};
        }
        if (!std::isalpha(static_cast<unsigned char>(c)) && c != '_') return fail_here();
        while (at_ < text_.size() &&
               (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_' ||
                (text_[at_] == '.' && at_ + 1 < text_.size() &&
                 std::isalpha(static_cast<unsigned char>(text_[at_ + 1])))))
            ++at_;
        const std::string name = text_.substr(begin, at_ - begin);
        if (name == "s" || name == "z") {
            if (!variable.empty() && variable != name) return fail(messages::two_variables(span(begin, at_)));
            variable = name;
            return {{ExactPolynomial::variable(), ExactPolynomial(1)}};
        }
        skip();
        if (at_ < text_.size() && text_[at_] == '(') {
            if (name == "exp") return delay(begin, depth);
            if (find_elementary_function(name))
                return fail(messages::unknown_function(span(begin, at_), name));
        }
        auto at = std::find(names.begin(), names.end(), name);
        if (at == names.end()) at = names.insert(names.end(), name);
        return {{ExactPolynomial(Coefficient::symbol(static_cast<unsigned>(at - names.begin()))),
                 ExactPolynomial(1)}};
    }

    // exp( -T*s )
    Value delay(std::size_t begin, int depth) {
        ++at_;
        const Value inside = sum(depth + 1);
        if (failed) return {};
        if (!accept(')'))
            return at_end() ? fail(messages::bracket_open(span(begin, begin + 1))) : fail_here();
        if (variable == "z") return fail(messages::delay_sampled(span(begin, at_)));
        const ExactFraction f = reduced(inside.f);
        if (f.numerator.is_zero()) return {{ExactPolynomial(1), ExactPolynomial(1)}};
        if (inside.delay != 0 || !f.denominator.is_constant() || f.numerator.degree() != 1 ||
            !f.numerator[0].is_zero() || !f.numerator[1].is_number() || f.numerator[1].number() > 0)
            return fail(messages::delay_not_understood(span(begin, at_)));
        return {{ExactPolynomial(1), ExactPolynomial(1)}, Rational(-f.numerator[1].number())};
    }

    SourceId source_;
    const std::string& text_;
    Diagnostics& diagnostics_;
    std::size_t at_ = 0;
};

ExactPolynomial mapped(const ExactPolynomial& p, const std::vector<Coefficient>& values) {
    std::vector<Coefficient> out;
    const auto substituted = [&](const SymbolPolynomial& q) {
        Coefficient sum;
        for (const auto& [m, c] : q.terms()) {
            Coefficient term(c);
            for (std::size_t i = 0; i < m.size(); ++i)
                for (unsigned k = 0; k < m[i]; ++k) term *= values[i];
            sum += term;
        }
        return sum;
    };
    for (const Coefficient& c : p.coefficients()) {
        if (c.is_number()) {
            out.push_back(c);
            continue;
        }
        const Coefficient below = substituted(c.denominator());
        out.push_back(below.is_zero() ? Coefficient() : substituted(c.numerator()) / below);
    }
    return ExactPolynomial(std::move(out));
}

}  // namespace

std::optional<ExactTransferMatrix> parse_transfer_matrix(SourceId source, const Sources& sources,
                                                         std::optional<double> sample_time,
                                                         Diagnostics& diagnostics) {
    const std::string& text = sources.text(source);
    Parser parser(source, text, diagnostics);
    ExactTransferMatrix g;
    g.elements.emplace_back();
    g.delays.emplace_back();
    const auto element = [&] {
        const Value v = parser.sum(0);
        g.elements.back().push_back(v.f);
        g.delays.back().push_back(v.delay);
    };
    if (parser.at_end()) {
        diagnostics.report(messages::empty_matrix(parser.span(0, text.size())));
        return std::nullopt;
    }
    if (parser.accept('[')) {
        const bool nested = parser.accept('[');  // [[a, b], [c, d]]
        while (!parser.failed) {
            element();
            if (parser.failed) break;
            if (parser.accept(',')) continue;
            bool next_row = false;
            if (nested && parser.accept(']')) {
                if (parser.accept(',') || parser.accept(';')) next_row = parser.accept('[');
            } else if (!nested && parser.accept(';')) {
                next_row = true;
            }
            if (next_row) {
                g.elements.emplace_back();
                g.delays.emplace_back();
                continue;
            }
            if (!parser.accept(']')) parser.fail_here();
            break;
        }
    } else {
        element();
    }
    if (!parser.failed && !parser.at_end()) parser.fail_here();
    if (parser.failed) return std::nullopt;
    for (std::size_t i = 0; i < g.rows(); ++i)
        if (g.elements[i].size() != g.columns()) {
            diagnostics.report(messages::ragged_matrix(parser.span(0, text.size()), i + 1,
                                                       g.elements[i].size(), g.columns()));
            return std::nullopt;
        }
    if (parser.variable == "z" || sample_time) g.sample_time = sample_time.value_or(1.0);
    g.variable = parser.variable.empty() ? (sample_time ? "z" : "s") : parser.variable;
    if (g.variable == "s") g.sample_time.reset();
    g.symbols = parser.names;
    complete_names(g.inputs, g.columns(), "u");
    complete_names(g.outputs, g.rows(), "y");
    return g;
}

std::optional<ParsedPolynomial> parse_polynomial(SourceId source, const Sources& sources,
                                                 const std::string& variable, Diagnostics& diagnostics) {
    const std::string& text = sources.text(source);
    Parser parser(source, text, diagnostics);
    const Value v = parser.sum(0);
    if (!parser.failed && !parser.at_end()) parser.fail_here();
    if (parser.failed) return std::nullopt;
    if (v.delay != 0) {
        diagnostics.report(messages::delay_not_understood(parser.span(0, text.size())));
        return std::nullopt;
    }
    const ExactFraction f = reduced(v.f);
    if (!f.denominator.is_constant()) {
        diagnostics.report(messages::not_a_polynomial(parser.span(0, text.size())));
        return std::nullopt;
    }
    return ParsedPolynomial{f.numerator, parser.variable.empty() ? variable : parser.variable, parser.names};
}

ExactPolynomial with_values(const ExactPolynomial& p, const std::vector<std::optional<Rational>>& values) {
    std::vector<Coefficient> map;
    for (std::size_t i = 0; i < values.size(); ++i)
        map.push_back(values[i] ? Coefficient(*values[i]) : Coefficient::symbol(static_cast<unsigned>(i)));
    return mapped(p, map);
}

ExactTransferMatrix with_values(const ExactTransferMatrix& g,
                                const std::vector<std::pair<std::string, Rational>>& values) {
    ExactTransferMatrix out = g;
    out.symbols.clear();
    std::vector<Coefficient> map;
    for (const std::string& name : g.symbols) {
        const auto given =
            std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == name; });
        if (given != values.end()) {
            map.emplace_back(given->second);
        } else {
            map.push_back(Coefficient::symbol(static_cast<unsigned>(out.symbols.size())));
            out.symbols.push_back(name);
        }
    }
    for (auto& row : out.elements)
        for (ExactFraction& f : row) f = {mapped(f.numerator, map), mapped(f.denominator, map)};
    return out;
}

ExactTransferMatrix with_symbols(const ExactTransferMatrix& g, const SymbolNames& names) {
    ExactTransferMatrix out = g;
    out.symbols = names;
    std::vector<Coefficient> map;
    for (const std::string& name : g.symbols)
        map.push_back(Coefficient::symbol(
            static_cast<unsigned>(std::find(names.begin(), names.end(), name) - names.begin())));
    for (auto& row : out.elements)
        for (ExactFraction& f : row) f = {mapped(f.numerator, map), mapped(f.denominator, map)};
    return out;
}

namespace {

// Whether one of the letters stands outside of brackets.
bool has_outside(const std::string& text, std::string_view letters) {
    int depth = 0;
    for (char c : text) {
        if (c == '(') ++depth;
        if (c == ')') --depth;
        if (depth == 0 && letters.find(c) != std::string_view::npos) return true;
    }
    return false;
}

}  // namespace

std::string factor_text(const std::string& text) {
    return has_outside(text, " ") ? "(" + text + ")" : text;
}

std::string fraction_text(const std::string& numerator, const std::string& denominator) {
    if (denominator == "1") return numerator;
    return factor_text(numerator) + "/" +
           (has_outside(denominator, " */^") ? "(" + denominator + ")" : denominator);
}

std::string to_text(const ExactFraction& f, const std::string& variable, const SymbolNames& names,
                    bool factored) {
    const auto part = [&](const ExactPolynomial& p) {
        return factored ? factored_text(p, variable, names) : to_text(p, variable, names);
    };
    return fraction_text(part(f.numerator), part(f.denominator));
}

std::string to_latex(const ExactFraction& f, const std::string& variable, const SymbolNames& names,
                     bool factored) {
    const auto part = [&](const ExactPolynomial& p) {
        return factored ? factored_latex(p, variable, names) : to_latex(p, variable, names);
    };
    if (f.denominator.is_one()) return part(f.numerator);
    return "\\frac{" + part(f.numerator) + "}{" + part(f.denominator) + "}";
}

}  // namespace cutset
