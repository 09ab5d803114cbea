// An answer made of exact matrices and words about them, as smith, fraction and realize give it: as text, as
// LaTeX or as JSON.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/json.h"
#include "control/exact_matrix.h"
#include "control/polynomial_matrix.h"
#include "control/transfer_text.h"
#include "linear/linear_options.h"

namespace cutset::cli {

struct ExactOptions : OutputOptions {
    bool latex = false;
};

// Of results with symbols: the values for which they may not hold. Lines, each with its end.
std::string exceptions_text(const ExceptionalValues& exceptions, const SymbolNames& symbols);
Json exceptions_json(const ExceptionalValues& exceptions, const SymbolNames& symbols);

class ExactReport {
  public:
    // The variable and the names of symbols are those of `g`, which must live as long.
    explicit ExactReport(const ExactTransferMatrix& g) : g_(g) {}

    // A matrix; of a Smith-McMillan form the diagonal of fractions, zero elsewhere.
    template <class Matrix>
    void add(const std::string& name, const Matrix& matrix) {
        entries_.push_back({name, "", What(std::in_place_type<Matrix>, matrix)});
    }
    // A line of text, and what stands for it in JSON.
    void value(const std::string& key, const std::string& words, Json j) {
        entries_.push_back({key, words, What(std::in_place_type<Json>, std::move(j))});
    }
    // In JSON only.
    using Detail = std::function<Json()>;
    void detail(const std::string& key, Detail make) {
        entries_.push_back({key, "", What(std::in_place_type<Detail>, std::move(make))});
    }
    bool has_symbols() const { return !g_.symbols.empty(); }
    // Nothing without symbols.
    void exceptions(const ExceptionalValues& values);

    Json json() const;
    std::string text() const;
    std::string latex() const;  // matrices only

    // "s*(s + 1)^2"
    std::string factors(const ExactPolynomial& p) const { return factored_text(p, g_.variable, g_.symbols); }
    std::string plain(const ExactPolynomial& p) const { return to_text(p, g_.variable, g_.symbols); }

  private:
    using What = std::variant<PolynomialMatrix, ExactMatrix, SmithMcMillanForm, Json, Detail>;
    struct Entry {
        std::string key, words;
        What what;
    };
    const ExactTransferMatrix& g_;
    std::vector<Entry> entries_;
};

// Text or LaTeX on standard output.
void print_exact(const ExactReport& report, bool latex);

}  // namespace cutset::cli
