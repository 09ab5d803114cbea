// Divisors that pass through zero between two rows of results: what is divided by them has a pole there,
// which no row shows. A divisor inside a branch of a choice is left alone, because the choice may be there to
// avoid its zero, and so is one whose numerator vanishes with it.
#pragma once

#include <cstddef>
#include <unordered_set>
#include <vector>

#include "run/instant.h"

namespace cutset {

class Poles {
  public:
    explicit Poles(Instant& now);

    // A row with these values, the number of it in the results. A warning for each divisor that has another
    // sign than in the row before, once; rows at one instant are those of an event, where it may jump.
    void look(const Interpreter& values, std::size_t row);

  private:
    struct Divisor {
        Expr divisor;
        std::vector<Expr> numerator;  // factors
        Origin origin;
        double last = 0, last_numerator = 0;
        bool told = false;
    };
    void collect(Expr root, const Origin& origin, std::unordered_set<Expr>& seen);

    Instant& now_;
    std::vector<Divisor> divisors_;
    std::size_t last_row_ = 0;
    double last_time_ = 0;
};

}  // namespace cutset
