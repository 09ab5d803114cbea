#include "transform/modular_gradient.h"

#include <cmath>
#include <unordered_map>

namespace cutset {
namespace {

namespace modular = graph::modular;

std::uint64_t random(Expr n, std::uint64_t which) {
    return modular::random(std::uint64_t(n->id) * 1024 + which);
}
std::optional<std::int64_t> whole(Expr e) {
    if (e->op != Op::Number || e->number != std::floor(e->number) || std::abs(e->number) > 1e6)
        return std::nullopt;
    return std::int64_t(e->number);
}
std::uint64_t power(std::uint64_t base, std::int64_t exponent) {
    const std::uint64_t result = modular::power(base, std::uint64_t(std::abs(exponent)));
    return exponent < 0 ? modular::inverse(result) : result;
}
std::uint64_t of_whole(std::int64_t n) {
    return modular::of_double(double(n));
}

// ∂e/∂n to the arguments of n.
void spread(Expr n, std::uint64_t slope, const NodeMap<std::uint64_t>& values,
            NodeMap<std::uint64_t>& slopes) {
    const auto add = [&](Expr a, std::uint64_t term) {
        if (std::uint64_t* found = slopes.find(a))
            *found = modular::add(*found, term);
        else
            slopes.insert(a, term);
    };
    const auto args = n->args();
    switch (n->op) {
        case Op::Add:
            for (Expr a : args) add(a, slope);
            break;
        case Op::Multiply: {
            // The product of all others: of those before times of those after.
            std::vector<std::uint64_t> after(args.size() + 1, 1);
            for (std::size_t i = args.size(); i-- > 0;)
                after[i] = modular::multiply(after[i + 1], values.at(args[i]));
            std::uint64_t before = slope;
            for (std::size_t i = 0; i < args.size(); ++i) {
                add(args[i], modular::multiply(before, after[i + 1]));
                before = modular::multiply(before, values.at(args[i]));
            }
            break;
        }
        case Op::Power:
            if (const auto k = whole(args[1]); k && (*k > 0 || values.at(args[0]) != 0)) {
                const std::uint64_t base = power(values.at(args[0]), *k - 1);
                add(args[0], modular::multiply(slope, modular::multiply(of_whole(*k), base)));
                break;
            }
            [[fallthrough]];
        default:
            for (std::size_t i = 0; i < args.size(); ++i)
                if (!args[i]->boolean) add(args[i], modular::multiply(slope, random(n, 1 + i)));
            break;
        case Op::NoEvent:
            add(args[0], slope);
            break;
    }
}

}  // namespace

std::uint64_t modulo_prime(const Rational& value) {
    const auto residue = [](const Integer& n) { return mpz_fdiv_ui(n.get_mpz_t(), modular::prime); };
    const std::uint64_t denominator = residue(value.get_den());
    return denominator ? modular::multiply(residue(value.get_num()), modular::inverse(denominator)) : 0;
}

std::uint64_t ModularGradient::value(Expr n, const NodeMap<std::uint64_t>& values) const {
    if (const auto known = known_(n)) return *known;
    switch (n->op) {
        case Op::Number:
            return std::isfinite(n->number) ? modular::of_double(n->number) : random(n, 0);
        case Op::Truth:
            return n->index;
        case Op::Add: {
            std::uint64_t sum = 0;
            for (Expr a : n->args()) sum = modular::add(sum, values.at(a));
            return sum;
        }
        case Op::Multiply: {
            std::uint64_t product = 1;
            for (Expr a : n->args()) product = modular::multiply(product, values.at(a));
            return product;
        }
        case Op::Power:
            if (const auto k = whole(n->arg(1)); k && (*k >= 0 || values.at(n->arg(0)) != 0))
                return power(values.at(n->arg(0)), *k);
            return random(n, 0);
        case Op::NoEvent:
            return values.at(n->arg(0));
        default:
            return random(n, 0);
    }
}

std::uint64_t ModularGradient::value(Expr e) {
    NodeMap<std::uint64_t> values;
    for (Expr n : nodes_in_order(e, [this](Expr n) { return enters(n); })) values.insert(n, value(n, values));
    return values.at(e);
}

std::vector<std::pair<Expr, std::uint64_t>> ModularGradient::operator()(Expr e) {
    const std::vector<Expr> order = nodes_in_order(e, [this](Expr n) { return enters(n); });
    NodeMap<std::uint64_t> values;
    for (Expr n : order) values.insert(n, value(n, values));
    NodeMap<std::uint64_t> slopes;
    slopes.insert(e, 1);
    std::vector<std::pair<Expr, std::uint64_t>> result;
    for (auto n = order.rbegin(); n != order.rend(); ++n) {
        const std::uint64_t* slope = slopes.find(*n);
        if (!slope || *slope == 0) continue;
        if ((*n)->op == Op::Variable || (*n)->op == Op::Apply) result.emplace_back(*n, *slope);
        if (enters(*n)) spread(*n, *slope, values, slopes);
    }
    return result;
}

std::optional<std::int64_t> whole_exponent(Expr power) {
    return power->op == Op::Power ? whole(power->arg(1)) : std::nullopt;
}

bool is_arithmetic(Expr e) {
    return e->op == Op::Add || e->op == Op::Multiply || whole_exponent(e).has_value();
}

bool has_slope(Op op) {
    return op != Op::Delay && op != Op::Sign && op != Op::Truncate && op != Op::Floor;
}

graph::ModularRank rank_of_gradients(ModularGradient& gradient, std::span<const Expr> residuals,
                                     std::span<const Expr> unknowns) {
    constexpr std::size_t effort = 20'000'000;
    std::unordered_map<Expr, std::uint32_t> column;
    for (Expr unknown : unknowns) column.emplace(unknown, std::uint32_t(column.size()));
    std::vector<graph::ModularRow> rows(residuals.size());
    for (std::uint32_t i = 0; i < residuals.size(); ++i) {
        if (!residuals[i]) {
            rows[i].emplace_back(i, 1);
            continue;
        }
        for (const auto& [leaf, slope] : gradient(residuals[i]))
            if (const auto at = column.find(leaf); at != column.end())
                rows[i].emplace_back(at->second, slope);
    }
    return graph::modular_rank(rows, unknowns.size(), effort);
}

}  // namespace cutset
