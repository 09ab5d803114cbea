#include "instantiate/units.h"

#include <cctype>
#include <cmath>
#include <cstdlib>

namespace cutset {

namespace {

struct Named {
    std::string_view symbol;
    std::array<int, 8> exponents;  // m, kg, s, A, K, mol, cd, rad
    double factor;
    double offset;
    bool prefixes;
};

constexpr double pi = 3.14159265358979323846;

constexpr Named table[] = {
    {"m", {1}, 1, 0, true},
    {"g", {0, 1}, 1e-3, 0, true},
    {"s", {0, 0, 1}, 1, 0, true},
    {"A", {0, 0, 0, 1}, 1, 0, true},
    {"K", {0, 0, 0, 0, 1}, 1, 0, true},
    {"mol", {0, 0, 0, 0, 0, 1}, 1, 0, true},
    {"cd", {0, 0, 0, 0, 0, 0, 1}, 1, 0, true},
    {"rad", {0, 0, 0, 0, 0, 0, 0, 1}, 1, 0, true},
    {"N", {1, 1, -2}, 1, 0, true},
    {"Pa", {-1, 1, -2}, 1, 0, true},
    {"bar", {-1, 1, -2}, 1e5, 0, true},
    {"atm", {-1, 1, -2}, 101325, 0, false},
    {"psi", {-1, 1, -2}, 6894.757293168361, 0, false},
    {"J", {2, 1, -2}, 1, 0, true},
    {"W", {2, 1, -3}, 1, 0, true},
    {"Wh", {2, 1, -2}, 3600, 0, true},
    {"eV", {2, 1, -2}, 1.602176634e-19, 0, true},
    {"cal", {2, 1, -2}, 4.184, 0, true},
    {"VA", {2, 1, -3}, 1, 0, true},
    {"var", {2, 1, -3}, 1, 0, true},
    {"V", {2, 1, -3, -1}, 1, 0, true},
    {"Ohm", {2, 1, -3, -2}, 1, 0, true},
    {"ohm", {2, 1, -3, -2}, 1, 0, true},
    {"Ω", {2, 1, -3, -2}, 1, 0, true},
    {"S", {-2, -1, 3, 2}, 1, 0, true},
    {"F", {-2, -1, 4, 2}, 1, 0, true},
    {"H", {2, 1, -2, -2}, 1, 0, true},
    {"C", {0, 0, 1, 1}, 1, 0, true},
    {"Wb", {2, 1, -2, -1}, 1, 0, true},
    {"T", {0, 1, -2, -1}, 1, 0, true},
    {"Hz", {0, 0, -1}, 1, 0, true},
    {"Bq", {0, 0, -1}, 1, 0, true},
    {"lm", {0, 0, 0, 0, 0, 0, 1}, 1, 0, true},
    {"lx", {-2, 0, 0, 0, 0, 0, 1}, 1, 0, true},
    {"l", {3}, 1e-3, 0, true},
    {"L", {3}, 1e-3, 0, true},
    {"t", {0, 1}, 1e3, 0, true},
    {"min", {0, 0, 1}, 60, 0, false},
    {"h", {0, 0, 1}, 3600, 0, false},
    {"d", {0, 0, 1}, 86400, 0, false},
    {"deg", {0, 0, 0, 0, 0, 0, 0, 1}, pi / 180, 0, false},
    {"rev", {0, 0, 0, 0, 0, 0, 0, 1}, 2 * pi, 0, false},
    {"rpm", {0, 0, -1, 0, 0, 0, 0, 1}, 2 * pi / 60, 0, false},
    {"degC", {0, 0, 0, 0, 1}, 1, 273.15, false},
    {"°C", {0, 0, 0, 0, 1}, 1, 273.15, false},
    {"degF", {0, 0, 0, 0, 1}, 5.0 / 9, 459.67 * 5.0 / 9, false},
    {"in", {1}, 0.0254, 0, false},
    {"ft", {1}, 0.3048, 0, false},
    {"lb", {0, 1}, 0.45359237, 0, false},
    {"lbf", {1, 1, -2}, 4.4482216152605, 0, false},
    {"hp", {2, 1, -3}, 745.69987158227022, 0, false},
    {"%", {}, 0.01, 0, false},
};

struct Prefix {
    std::string_view symbol;
    double factor;
};
constexpr Prefix prefixes[] = {{"da", 1e1}, {"Y", 1e24},  {"Z", 1e21}, {"E", 1e18}, {"P", 1e15},
                               {"T", 1e12}, {"G", 1e9},   {"M", 1e6},  {"k", 1e3},  {"h", 1e2},
                               {"d", 1e-1}, {"c", 1e-2},  {"m", 1e-3}, {"u", 1e-6}, {"µ", 1e-6},
                               {"n", 1e-9}, {"p", 1e-12}, {"f", 1e-15}};

std::optional<Unit> symbol_unit(std::string_view symbol) {
    const auto make = [](const Named& n, double scale) {
        Unit u;
        u.exponents = n.exponents;
        u.factor = n.factor * scale;
        u.offset = n.offset;
        u.counts_cycles = n.symbol == "Hz";
        return u;
    };
    for (const Named& n : table)
        if (n.symbol == symbol) return make(n, 1);
    for (const Prefix& p : prefixes) {
        if (symbol.size() <= p.symbol.size() || symbol.substr(0, p.symbol.size()) != p.symbol) continue;
        for (const Named& n : table)
            if (n.prefixes && n.symbol == symbol.substr(p.symbol.size())) return make(n, p.factor);
    }
    return std::nullopt;
}

// A number times 10^k is better rounded when made by division for small prefixes, so powers are taken of
// whole factors.
Unit power(const Unit& u, int n) {
    Unit r = u;
    for (int& e : r.exponents) e *= n;
    r.factor = std::pow(u.factor, n);
    r.offset = n == 1 ? u.offset : 0;
    return r;
}

Unit product(const Unit& a, const Unit& b, int sign) {
    Unit r;
    for (std::size_t i = 0; i < r.exponents.size(); ++i)
        r.exponents[i] = a.exponents[i] + sign * b.exponents[i];
    r.factor = sign > 0 ? a.factor * b.factor : a.factor / b.factor;
    r.counts_cycles = a.counts_cycles || b.counts_cycles;
    return r;
}

// product: factor { ('.'|'*'|'·'|' ') factor | '/' factor };  factor: symbol[^]integer | '(' product ')' | 1
class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}

    std::optional<Unit> whole() {
        auto u = product_of(0);
        blanks();
        return u && at_ == text_.size() ? u : std::nullopt;
    }

  private:
    void blanks() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }

    std::optional<Unit> product_of(int depth) {
        if (depth > 20) return std::nullopt;
        auto result = factor(depth);
        bool single = true;
        while (result) {
            const std::size_t before = at_;
            blanks();
            if (at_ >= text_.size() || text_[at_] == ')') break;
            int sign = 1;
            if (text_[at_] == '/') {
                sign = -1;
                ++at_;
            } else if (text_[at_] == '.' || text_[at_] == '*') {
                ++at_;
            } else if (text_.substr(at_, 2) == "·") {
                at_ += 2;
            } else if (at_ == before) {
                return std::nullopt;
            }
            const auto next = factor(depth);
            if (!next) return std::nullopt;
            result = product(*result, *next, sign);
            single = false;
        }
        if (result && !single) result->offset = 0;
        return result;
    }

    std::optional<Unit> factor(int depth) {
        blanks();
        if (at_ >= text_.size()) return std::nullopt;
        std::optional<Unit> u;
        if (text_[at_] == '(') {
            ++at_;
            u = product_of(depth + 1);
            blanks();
            if (!u || at_ >= text_.size() || text_[at_] != ')') return std::nullopt;
            ++at_;
        } else if (text_[at_] == '1' || text_[at_] == '-') {
            if (text_[at_] == '-' && text_.size() != 1) return std::nullopt;
            ++at_;
            return Unit{};
        } else {
            const std::size_t from = at_;
            while (at_ < text_.size() &&
                   (std::isalpha(static_cast<unsigned char>(text_[at_])) || text_[at_] == '%' ||
                    (static_cast<unsigned char>(text_[at_]) >= 0x80 && text_.substr(at_, 2) != "·")))
                ++at_;
            u = symbol_unit(text_.substr(from, at_ - from));
        }
        if (!u) return std::nullopt;
        if (text_.substr(at_, 2) == "**")
            at_ += 2;
        else if (at_ < text_.size() && text_[at_] == '^')
            ++at_;
        std::size_t digits = at_;
        if (digits < text_.size() && (text_[digits] == '-' || text_[digits] == '+')) ++digits;
        if (digits < text_.size() && std::isdigit(static_cast<unsigned char>(text_[digits]))) {
            const int n = std::atoi(std::string(text_.substr(at_, 4)).c_str());
            at_ = digits;
            while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) ++at_;
            u = power(*u, n);
        }
        return u;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

std::optional<Unit> parse_unit(std::string_view text) {
    return Reader(text).whole();
}

bool same_quantity(const Unit& a, const Unit& b) {
    for (std::size_t i = 0; i < 7; ++i)
        if (a.exponents[i] != b.exponents[i]) return false;
    return a.exponents[7] == b.exponents[7] || (!a.counts_cycles && !b.counts_cycles);
}

Conversion conversion(const Unit& from, const Unit& to) {
    Conversion c;
    c.factor = from.factor / to.factor;
    c.offset = (from.offset - to.offset) / to.factor;
    // 1e-3/1e-6 is not exactly 1000: settle near round figures.
    const double rounded = std::round(c.factor);
    if (rounded != 0 && std::abs(c.factor - rounded) <= 4e-16 * rounded) c.factor = rounded;
    const double inverse = std::round(1 / c.factor);
    if (inverse != 0 && std::abs(1 / c.factor - inverse) <= 4e-16 * inverse) c.factor = 1 / inverse;
    return c;
}

}  // namespace cutset
