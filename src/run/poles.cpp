#include "run/poles.h"

#include <algorithm>

#include "run/leaf_values.h"
#include "run/run_messages.h"

namespace cutset {

namespace {

constexpr std::size_t most = 100;  // divisors that are watched: of a large model the first

bool is_divisor(Expr e) {
    return e->op == Op::Power && e->arg(1)->is_number() && e->arg(1)->number < 0;
}

bool varies(const FlatModel& model, Expr e) {
    bool found = false;
    for_each_leaf(e, [&](Expr leaf) {
        found = found || leaf->op == Op::Time ||
                (leaf->op == Op::Variable &&
                 model.variables[leaf->variable()].variability == Variability::Continuous);
    });
    return found;
}

}  // namespace

Poles::Poles(Instant& now) : now_(now) {
    std::unordered_set<Expr> seen;  // looked up only
    for (const Block& block : now.partition.blocks)
        for (const SolvedEquation& s : block.inner)
            collect(s.value, now.model.equations[s.equation].origin, seen);
    for (const Eliminated& e : now.partition.eliminated) collect(e.value, e.origin, seen);
}

void Poles::collect(Expr root, const Origin& origin, std::unordered_set<Expr>& seen) {
    std::vector<Expr> open{root};
    while (!open.empty() && divisors_.size() < most) {
        const Expr e = open.back();
        open.pop_back();
        if (!seen.insert(e).second) continue;  // expressions share their parts
        if (e->op == Op::If || e->op == Op::NoEvent || e->op == Op::Delay) continue;
        std::vector<Expr> above, below;
        if (e->op == Op::Multiply) {
            for (Expr factor : e->args()) (is_divisor(factor) ? below : above).push_back(factor);
            open.insert(open.end(), above.begin(), above.end());
        } else if (is_divisor(e)) {
            below.push_back(e);
        } else {
            open.insert(open.end(), e->args().begin(), e->args().end());
        }
        for (Expr factor : below) {
            const Expr divisor = factor->arg(0);
            open.push_back(divisor);
            const bool known = std::any_of(divisors_.begin(), divisors_.end(),
                                           [&](const Divisor& d) { return d.divisor == divisor; });
            if (!known && varies(now_.model, divisor)) divisors_.push_back({divisor, above, origin});
        }
    }
}

void Poles::look(const Interpreter& values, std::size_t row) {
    if (divisors_.empty()) return;
    const Environment environment = leaf_values(now_, values);
    const double time = values[now_.layout.time];
    const bool follows = last_row_ + 1 == row && time > last_time_ && !same_instant(time, last_time_);
    for (Divisor& d : divisors_) {
        const double divisor = evaluate(d.divisor, environment).value_or(0);
        double numerator = 1;
        for (Expr factor : d.numerator) numerator *= evaluate(factor, environment).value_or(0);
        if (follows && !d.told && d.last * divisor < 0 && d.last_numerator * numerator > 0) {
            d.told = true;
            const double part = d.last / (d.last - divisor);
            now_.report(run_messages::pole_passed(now_.model, d.divisor, d.origin,
                                                  last_time_ + part * (time - last_time_)));
        }
        d.last = divisor;
        d.last_numerator = numerator;
    }
    last_row_ = row;
    last_time_ = time;
}

}  // namespace cutset
