#include "linear/symbolic_roots.h"

#include <fmt/format.h>

#include "linear/exact_report.h"

namespace cutset::cli {

Json symbolic_roots_json(const SymbolicRoots& r) {
    Json factors = Json::array();
    for (const SymbolicRoots::Factor& f : r.factors) {
        Json one = {{"factor", to_text(f.factor, r.variable, r.symbols)}, {"multiplicity", f.multiplicity}};
        if (!f.roots.empty()) one["roots"] = f.roots;
        factors.push_back(std::move(one));
    }
    return {{"polynomial", to_text(r.polynomial, r.variable, r.symbols)},
            {"factors", std::move(factors)},
            {"symbols", r.symbols},
            {"exceptions", exceptions_json(r.exceptions, r.symbols)}};
}

void print_symbolic_roots(const SymbolicRoots& r, const char* what) {
    if (r.polynomial.is_zero()) {
        fmt::print("{}\n", zero_function);
        return;
    }
    if (r.polynomial.is_constant()) {
        fmt::print("no {}\n", what);
        return;
    }
    fmt::print("{}: {} = 0\n", what, factored_text(r.polynomial, r.variable, r.symbols));
    for (const SymbolicRoots::Factor& f : r.factors)
        fmt::print("  {}{}\n",
                   f.roots.empty() ? "roots of " + to_text(f.factor, r.variable, r.symbols)
                                   : fmt::format("{} = {}", r.variable, f.roots),
                   f.multiplicity > 1 ? fmt::format(", {} times", f.multiplicity) : "");
    fmt::print("{}", exceptions_text(r.exceptions, r.symbols));
}

}  // namespace cutset::cli
