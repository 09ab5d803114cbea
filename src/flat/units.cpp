#include "flat/units.h"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "base/diagnostic.h"

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

// In the order of docs/dymola-language.md, which lists them.
constexpr Named table[] = {
    {"m", {1}, 1, 0, true},
    {"in", {1}, 0.0254, 0, false},
    {"ft", {1}, 0.3048, 0, false},
    {"yd", {1}, 0.9144, 0, false},
    {"mi", {1}, 1609.344, 0, false},
    {"nmi", {1}, 1852, 0, false},
    {"ha", {2}, 1e4, 0, false},
    {"l", {3}, 1e-3, 0, true},
    {"L", {3}, 1e-3, 0, true},
    {"gal", {3}, 3.785411784e-3, 0, false},
    {"s", {0, 0, 1}, 1, 0, true},
    {"min", {0, 0, 1}, 60, 0, false},
    {"h", {0, 0, 1}, 3600, 0, false},
    {"d", {0, 0, 1}, 86400, 0, false},
    {"wk", {0, 0, 1}, 604800, 0, false},
    {"yr", {0, 0, 1}, 31557600, 0, false},
    {"Hz", {0, 0, -1}, 1, 0, true},
    {"Bq", {0, 0, -1}, 1, 0, true},
    {"kn", {1, 0, -1}, 1852.0 / 3600, 0, false},
    {"mph", {1, 0, -1}, 0.44704, 0, false},
    {"gpm", {3, 0, -1}, 3.785411784e-3 / 60, 0, false},
    {"cfm", {3, 0, -1}, 0.028316846592 / 60, 0, false},
    {"g", {0, 1}, 1e-3, 0, true},
    {"t", {0, 1}, 1e3, 0, true},
    {"lb", {0, 1}, 0.45359237, 0, false},
    {"lbm", {0, 1}, 0.45359237, 0, false},
    {"oz", {0, 1}, 0.028349523125, 0, false},
    {"slug", {0, 1}, 14.593902937206364, 0, false},
    {"N", {1, 1, -2}, 1, 0, true},
    {"dyn", {1, 1, -2}, 1e-5, 0, false},
    {"kgf", {1, 1, -2}, 9.80665, 0, false},
    {"kp", {1, 1, -2}, 9.80665, 0, false},
    {"lbf", {1, 1, -2}, 4.4482216152605, 0, false},
    {"Pa", {-1, 1, -2}, 1, 0, true},
    {"bar", {-1, 1, -2}, 1e5, 0, true},
    {"atm", {-1, 1, -2}, 101325, 0, false},
    {"at", {-1, 1, -2}, 98066.5, 0, false},
    {"torr", {-1, 1, -2}, 101325.0 / 760, 0, false},
    {"Torr", {-1, 1, -2}, 101325.0 / 760, 0, false},
    {"mmHg", {-1, 1, -2}, 133.322387415, 0, false},
    {"inHg", {-1, 1, -2}, 3386.388640341, 0, false},
    {"mmH2O", {-1, 1, -2}, 9.80665, 0, false},
    {"inH2O", {-1, 1, -2}, 249.08891, 0, false},
    {"psi", {-1, 1, -2}, 6894.757293168361, 0, false},
    {"ksi", {-1, 1, -2}, 6894757.293168361, 0, false},
    {"P", {-1, 1, -1}, 0.1, 0, true},
    {"St", {2, 0, -1}, 1e-4, 0, true},
    {"J", {2, 1, -2}, 1, 0, true},
    {"Wh", {2, 1, -2}, 3600, 0, true},
    {"eV", {2, 1, -2}, 1.602176634e-19, 0, true},
    {"cal", {2, 1, -2}, 4.184, 0, true},
    {"erg", {2, 1, -2}, 1e-7, 0, false},
    {"BTU", {2, 1, -2}, 1055.05585262, 0, false},
    {"W", {2, 1, -3}, 1, 0, true},
    {"VA", {2, 1, -3}, 1, 0, true},
    {"var", {2, 1, -3}, 1, 0, true},
    {"hp", {2, 1, -3}, 745.69987158227022, 0, false},
    {"PS", {2, 1, -3}, 735.49875, 0, false},
    {"A", {0, 0, 0, 1}, 1, 0, true},
    {"C", {0, 0, 1, 1}, 1, 0, true},
    {"Ah", {0, 0, 1, 1}, 3600, 0, true},
    {"V", {2, 1, -3, -1}, 1, 0, true},
    {"Ohm", {2, 1, -3, -2}, 1, 0, true},
    {"ohm", {2, 1, -3, -2}, 1, 0, true},
    {"Ω", {2, 1, -3, -2}, 1, 0, true},
    {"S", {-2, -1, 3, 2}, 1, 0, true},
    {"F", {-2, -1, 4, 2}, 1, 0, true},
    {"H", {2, 1, -2, -2}, 1, 0, true},
    {"Wb", {2, 1, -2, -1}, 1, 0, true},
    {"T", {0, 1, -2, -1}, 1, 0, true},
    {"K", {0, 0, 0, 0, 1}, 1, 0, true},
    {"degC", {0, 0, 0, 0, 1}, 1, 273.15, false},
    {"°C", {0, 0, 0, 0, 1}, 1, 273.15, false},
    {"degF", {0, 0, 0, 0, 1}, 5.0 / 9, 459.67 * 5.0 / 9, false},
    {"°F", {0, 0, 0, 0, 1}, 5.0 / 9, 459.67 * 5.0 / 9, false},
    {"degR", {0, 0, 0, 0, 1}, 5.0 / 9, 0, false},
    {"mol", {0, 0, 0, 0, 0, 1}, 1, 0, true},
    {"kat", {0, 0, -1, 0, 0, 1}, 1, 0, true},
    {"cd", {0, 0, 0, 0, 0, 0, 1}, 1, 0, true},
    {"lm", {0, 0, 0, 0, 0, 0, 1}, 1, 0, true},
    {"lx", {-2, 0, 0, 0, 0, 0, 1}, 1, 0, true},
    {"Gy", {2, 0, -2}, 1, 0, true},
    {"Sv", {2, 0, -2}, 1, 0, true},
    {"rad", {0, 0, 0, 0, 0, 0, 0, 1}, 1, 0, true},
    {"deg", {0, 0, 0, 0, 0, 0, 0, 1}, pi / 180, 0, false},
    {"degree", {0, 0, 0, 0, 0, 0, 0, 1}, pi / 180, 0, false},
    {"°", {0, 0, 0, 0, 0, 0, 0, 1}, pi / 180, 0, false},
    {"arcmin", {0, 0, 0, 0, 0, 0, 0, 1}, pi / 10800, 0, false},
    {"arcsec", {0, 0, 0, 0, 0, 0, 0, 1}, pi / 648000, 0, false},
    {"grad", {0, 0, 0, 0, 0, 0, 0, 1}, pi / 200, 0, false},
    {"gon", {0, 0, 0, 0, 0, 0, 0, 1}, pi / 200, 0, false},
    {"rev", {0, 0, 0, 0, 0, 0, 0, 1}, 2 * pi, 0, false},
    {"rpm", {0, 0, -1, 0, 0, 0, 0, 1}, 2 * pi / 60, 0, false},
    {"%", {}, 0.01, 0, false},
    {"ppm", {}, 1e-6, 0, false},
    {"sr", {}, 1, 0, false},
};

// What people write for them.
constexpr std::pair<std::string_view, std::string_view> spelled_out[] = {
    {"sec", "s"},    {"hr", "h"},         {"hour", "h"},    {"day", "d"},   {"kph", "km/h"},
    {"amp", "A"},    {"volt", "V"},       {"watt", "W"},    {"meter", "m"}, {"metre", "m"},
    {"kelvin", "K"}, {"celsius", "degC"}, {"rps", "rev/s"}, {"liter", "l"}, {"litre", "l"}};

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
    // The symbol at which reading stopped because it is not known.
    std::string_view unknown() const { return unknown_; }

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
            // The digit of mmH2O belongs to the symbol, that of m2 is a power.
            if (text_.substr(at_, 2) == "2O") at_ += 2;
            u = symbol_unit(text_.substr(from, at_ - from));
            if (!u) unknown_ = text_.substr(from, at_ - from);
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
    std::string_view unknown_;
    std::size_t at_ = 0;
};

}  // namespace

std::optional<Unit> parse_unit(std::string_view text) {
    return Reader(text).whole();
}

UnknownSymbol unknown_symbol(std::string_view text) {
    Reader reader(text);
    reader.whole();
    UnknownSymbol result{std::string(reader.unknown()), {}};
    if (result.symbol.empty()) return result;
    for (const auto& [written, symbol] : spelled_out)
        if (written == result.symbol) result.near = symbol;
    if (!result.near.empty()) return result;
    std::vector<std::string> candidates;
    for (const Named& n : table) candidates.emplace_back(n.symbol);
    for (const Named& n : table)
        for (std::string_view prefix : {"k", "M", "m", "u", "c", "G", "n"})
            if (n.prefixes) candidates.push_back(std::string(prefix) + std::string(n.symbol));
    result.near = nearest_name(result.symbol, candidates);
    return result;
}

std::vector<std::string_view> unit_symbols() {
    std::vector<std::string_view> symbols;
    for (const Named& n : table) symbols.push_back(n.symbol);
    return symbols;
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
