// How sums and products are taken apart for the reader; shared by the printers.
#pragma once

#include <string>
#include <vector>

#include "expr/expr.h"

namespace cutset {

// sign * numerator/denominator * Π above / Π below
struct ProductParts {
    bool negative = false;
    double numerator = 1;    // not negative
    double denominator = 1;  // 3 for a coefficient of 0.333…
    struct Factor {
        Expr base;
        double exponent = 1;  // > 0
    };
    std::vector<Factor> above, below;
};
ProductParts product_parts(Expr e);

struct SumParts {
    // All terms have this in common; 1 when nothing. Printed as `common*(…)`.
    bool has_common = false;
    ProductParts common;
    std::vector<Expr> terms;     // in the order of printing
    std::vector<bool> negative;  // sign of each
};
SumParts sum_parts(Expr e);

// Whether Less(a, b) reads better as b > a.
bool reads_as_greater(Expr relation);

}  // namespace cutset
