#include "linear/exact_report.h"

#include <fmt/format.h>

namespace cutset::cli {

namespace {

using Texts = std::vector<std::vector<std::string>>;

// Programs want plain coefficients.
Json coefficients_json(const PolynomialMatrix& m, const ExactTransferMatrix& g) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < m.rows(); ++i) {
        rows.push_back(Json::array());
        for (std::size_t k = 0; k < m.columns(); ++k) {
            if (m(i, k).is_numeric())
                rows.back().push_back(m(i, k).numbers());
            else
                rows.back().push_back(to_text(m(i, k), g.variable, g.symbols));
        }
    }
    return rows;
}

// Readers want factors.
Texts matrix_texts(const PolynomialMatrix& m, const ExactTransferMatrix& g, bool latex) {
    return texts_of(m, g.variable, g.symbols, latex, true);
}
Texts matrix_texts(const ExactMatrix& m, const ExactTransferMatrix& g, bool latex) {
    return texts_of(m, g.symbols, latex);
}
Texts matrix_texts(const SmithMcMillanForm& m, const ExactTransferMatrix& g, bool latex) {
    Texts texts(m.rows, std::vector<std::string>(m.columns, "0"));
    for (std::size_t i = 0; i < m.diagonal.size(); ++i)
        texts[i][i] = latex ? to_latex(m.diagonal[i], g.variable, g.symbols, true)
                            : to_text(m.diagonal[i], g.variable, g.symbols, true);
    return texts;
}

template <class T>
constexpr bool is_matrix = std::is_same_v<T, PolynomialMatrix> || std::is_same_v<T, ExactMatrix> ||
                           std::is_same_v<T, SmithMcMillanForm>;

Json diagonal_json(const SmithMcMillanForm& m, const ExactTransferMatrix& g) {
    Json diagonal = Json::array();
    for (const ExactFraction& f : m.diagonal) {
        Json one = {{"text", to_text(f, g.variable, g.symbols, true)}};
        if (g.symbols.empty()) {
            one["num"] = f.numerator.numbers();
            one["den"] = f.denominator.numbers();
        }
        diagonal.push_back(std::move(one));
    }
    return diagonal;
}

}  // namespace

std::string exceptions_text(const ExceptionalValues& exceptions, const SymbolNames& symbols) {
    if (exceptions.zeros.empty() && exceptions.complete) return "holds for all values of the symbols\n";
    constexpr std::size_t most_lines = 12, most_terms = 12;
    std::string out;
    std::size_t shown = 0;
    for (const SymbolPolynomial& p : exceptions.zeros) {
        if (shown == most_lines || p.terms().size() > most_terms) break;
        out += fmt::format("  {} = 0\n", to_text(p, symbols));
        ++shown;
    }
    const std::size_t more = exceptions.zeros.size() - shown;
    if (more > 0) out += fmt::format("  {} more (--json lists them)\n", more);
    if (!exceptions.complete) out += "  special values that have no short formula\n";
    return "holds for all values of the symbols, except perhaps where\n" + out;
}

Json exceptions_json(const ExceptionalValues& exceptions, const SymbolNames& symbols) {
    Json zeros = Json::array();
    for (const SymbolPolynomial& p : exceptions.zeros) zeros.push_back(to_text(p, symbols));
    return {{"zero", std::move(zeros)}, {"complete", exceptions.complete}};
}

void ExactReport::exceptions(const ExceptionalValues& values) {
    if (!has_symbols()) return;
    std::string words = exceptions_text(values, g_.symbols);
    words.pop_back();
    value("exceptions", words, exceptions_json(values, g_.symbols));
}

Json ExactReport::json() const {
    Json out = Json::object();
    for (const Entry& entry : entries_)
        std::visit(
            [&](const auto& what) {
                using T = std::decay_t<decltype(what)>;
                if constexpr (std::is_same_v<T, PolynomialMatrix>) {
                    out[entry.key] = coefficients_json(what, g_);
                    out[entry.key + "_text"] = Json(matrix_texts(what, g_, false));
                } else if constexpr (std::is_same_v<T, ExactMatrix>) {
                    const bool numeric = g_.symbols.empty();
                    out[entry.key] =
                        numeric ? matrix_json(numbers(what)) : Json(matrix_texts(what, g_, false));
                    if (numeric) out[entry.key + "_text"] = Json(matrix_texts(what, g_, false));
                } else if constexpr (std::is_same_v<T, SmithMcMillanForm>) {
                    out[entry.key] = Json(matrix_texts(what, g_, false));
                    out["diagonal"] = diagonal_json(what, g_);
                } else if constexpr (std::is_same_v<T, Detail>) {
                    out[entry.key] = what();
                } else {
                    out[entry.key] = what;
                }
            },
            entry.what);
    return out;
}

std::string ExactReport::text() const {
    std::string out;
    for (const Entry& entry : entries_)
        std::visit(
            [&](const auto& what) {
                using T = std::decay_t<decltype(what)>;
                if constexpr (is_matrix<T>)
                    out +=
                        fmt::format("{} =\n{}", entry.key, matrix_text(matrix_texts(what, g_, false), "  "));
                else if constexpr (std::is_same_v<T, Json>)
                    out += entry.words + "\n";
            },
            entry.what);
    return out;
}

std::string ExactReport::latex() const {
    std::string out;
    for (const Entry& entry : entries_)
        std::visit(
            [&](const auto& what) {
                if constexpr (is_matrix<std::decay_t<decltype(what)>>)
                    out += fmt::format("{} = {}\n", entry.key, matrix_latex(matrix_texts(what, g_, true)));
            },
            entry.what);
    return out;
}

void print_exact(const ExactReport& report, bool latex) {
    fmt::print("{}", latex ? report.latex() : report.text());
}

}  // namespace cutset::cli
