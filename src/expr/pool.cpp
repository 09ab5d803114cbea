// The Pool: storage, hash consing, and the rules that make expressions canonical.
#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <cstring>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "base/diagnostic.h"
#include "expr/elementary_functions.h"
#include "expr/expr.h"

namespace cutset {

namespace {

bool is_integer(double v) {
    return std::isfinite(v) && v == std::floor(v);
}

// A number that could not be folded, like 1/0 or sqrt(-1): no rule may make it disappear.
bool is_unfolded_number(Expr e) {
    if (e->argument_count == 0 || e->op == Op::Apply || e->op == Op::Element) return false;
    for (Expr a : e->args())
        if (!a->is_number()) return false;
    return true;
}

}  // namespace

struct Pool::Implementation {
    struct Term {  // coefficient*rest, rest neither number nor sum
        Expr rest;
        double coefficient;
    };

    struct Factor {  // base^exponent
        Expr base;
        double exponent;
    };

    // A node and its arguments stand together: who looks at one looks at the other.
    static constexpr std::size_t chunk_bits = 13, chunk_words = std::size_t(1) << chunk_bits;
    static constexpr std::size_t node_words = sizeof(Node) / sizeof(Expr);
    static_assert(sizeof(Node) % sizeof(Expr) == 0 && alignof(Node) == alignof(Expr));
    static_assert(std::is_trivially_destructible_v<Node>);
    using Place = std::uint32_t;  // chunk and word in it; 0: none
    static constexpr std::size_t most_chunks = std::size_t(1) << (32 - chunk_bits);
    std::vector<std::unique_ptr<Expr[]>> chunks = std::vector<std::unique_ptr<Expr[]>>(1);  // first: none
    Place next_place = 0;
    // By callee: the rules that modellers give.
    std::unordered_map<std::uint32_t, CalleeIndex> derivatives;
    std::unordered_map<std::uint32_t, std::vector<DerivativeRule>> time_derivatives;
    std::size_t words_left = 0;

    // The nodes that there are, by hash. A node stands in the region of its youngest argument's age, with
    // those of a similar one: who builds one equation after the other then stays in a small part of the
    // table, which a large model's cache misses would otherwise make slow. Where slots are all taken (many
    // products with the same variable) it stands in the table of the others.
    struct Entry {
        std::uint32_t hash = 0;  // here too, so that most misses need not look at the node
        Place place = 0;
    };
    static constexpr std::size_t region = 1024;  // slots
    static constexpr std::size_t near_probes = 16;
    std::vector<Entry> near =
        std::vector<Entry>(region);  // two slots for each node: all ages have their region
    std::vector<Entry> others = std::vector<Entry>(region);  // a power of two, at most half full
    std::size_t other_count = 0;
    int other_shift = 64 - std::countr_zero(region);  // of `spread`: what is left says the slot
    static constexpr std::size_t orders = 2, most_variables = 100'000'000;
    std::vector<Expr> variables[orders];  // by order and index: these are not in the table
    std::uint32_t count = 0;
    // Nodes that were restored and are not in the tables yet: most runs of a kept Program build no
    // expression.
    std::vector<Place> restored;

    Expr zero = nullptr, one = nullptr, minus_one = nullptr, yes = nullptr, no = nullptr;

    Implementation() {
        zero = number(0);
        one = number(1);
        minus_one = number(-1);
        no = truth(false);
        yes = truth(true);
    }

    // ---- storage

    static std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
        h = (h ^ v) * 0x9E3779B97F4A7C15ull;
        return h ^ (h >> 32);
    }
    static std::uint64_t number_bits(const Node& n) {
        return n.op == Op::Number ? std::bit_cast<std::uint64_t>(n.number) : 0;
    }
    static std::uint32_t hash(const Node& n) {
        std::uint64_t h = static_cast<std::uint64_t>(n.op) | (std::uint64_t(n.derivatives) << 8) |
                          (std::uint64_t(n.by[0]) << 16) | (std::uint64_t(n.by[1]) << 24) |
                          (std::uint64_t(n.index) << 32);
        h = mix(h, n.order);
        h = mix(h, number_bits(n));
        for (std::uint32_t i = 0; i < n.argument_count; ++i) h = mix(h, n.arguments[i]->id + 1);
        return static_cast<std::uint32_t>(mix(h, n.argument_count));
    }
    static bool same(const Node& a, const Node& b) {
        return a.op == b.op && a.index == b.index && a.order == b.order && a.derivatives == b.derivatives &&
               a.by[0] == b.by[0] && a.by[1] == b.by[1] && a.argument_count == b.argument_count &&
               number_bits(a) == number_bits(b) &&
               std::equal(a.arguments, a.arguments + a.argument_count, b.arguments);
    }

    // The upper bits are the slot among the others; the lower bits of the hash chose the place in the region.
    static std::uint64_t spread(std::uint32_t h) { return h * 0x9E3779B97F4A7C15ull; }

    // Where the node is, or the empty slot where it belongs. `is_it` is asked about nodes of the same hash.
    template <class IsIt>
    Entry& find(std::uint32_t h, std::uint32_t youngest, IsIt is_it) {
        const std::size_t base = youngest / (region / 2) * region;
        for (std::size_t k = 0; k < near_probes; ++k) {
            Entry& e = near[base + ((h + k) & (region - 1))];
            if (e.place == 0 || (e.hash == h && is_it(e))) return e;
        }
        if (2 * (other_count + 1) > others.size()) grow_others();
        for (std::size_t i = spread(h) >> other_shift;; i = (i + 1) & (others.size() - 1)) {
            Entry& e = others[i];
            if (e.place == 0) ++other_count;  // who finds an empty slot takes it
            if (e.place == 0 || (e.hash == h && is_it(e))) return e;
        }
    }
    static std::uint32_t youngest_argument(const Node& n) {
        std::uint32_t youngest = 0;
        for (std::uint32_t i = 0; i < n.argument_count; ++i)
            youngest = std::max(youngest, n.arguments[i]->id);
        return youngest;
    }
    static std::uint64_t youngest_leaf(Expr e) { return e->is_number() ? 0 : e->youngest_leaf; }
    static std::uint64_t youngest_leaf_below(const Node& n) {
        std::uint64_t youngest = 0;
        for (std::uint32_t i = 0; i < n.argument_count; ++i)
            youngest = std::max(youngest, youngest_leaf(n.arguments[i]));
        return youngest;
    }
    static bool has_own_place(const Node& n) {
        return n.op == Op::Variable && n.order < orders && n.index < most_variables;
    }

    void grow_near() {
        while (2 * std::size_t(count) >= near.size()) near.resize(2 * near.size());
    }
    void grow_others() {
        std::vector<Entry> before(2 * others.size());
        before.swap(others);
        --other_shift;
        for (const Entry& e : before) {  // in about the order of the new slots
            if (e.place == 0) continue;
            std::size_t i = spread(e.hash) >> other_shift;
            while (others[i].place != 0) i = (i + 1) & (others.size() - 1);
            others[i] = e;
        }
    }

    Expr* at(Place place) { return chunks[place >> chunk_bits].get() + (place & (chunk_words - 1)); }
    Expr node_at(Place place) { return std::launder(reinterpret_cast<Expr>(at(place))); }

    Place new_chunk(std::size_t words) {
        if (chunks.size() == most_chunks) throw std::bad_alloc();
        chunks.push_back(std::make_unique_for_overwrite<Expr[]>(words));
        return static_cast<Place>((chunks.size() - 1) << chunk_bits);
    }
    Place words(std::size_t n) {
        if (n > words_left) {
            if (n > chunk_words / 4) return new_chunk(n);  // of its own
            next_place = new_chunk(chunk_words);
            words_left = chunk_words;
        }
        words_left -= n;
        return std::exchange(next_place, next_place + static_cast<Place>(n));
    }

    // The node equal to `n`, made if there is none yet. `n.arguments` need not outlive the call.
    Expr intern(const Node& n) {
        if (has_own_place(n)) return own_place(n);
        grow_near();
        if (!restored.empty()) enter_restored();
        const std::uint32_t h = hash(n);
        Entry& e = place_of(n, h);
        if (e.place == 0) e = {h, make(n)};
        return node_at(e.place);
    }
    Entry& place_of(const Node& n, std::uint32_t h) {
        return find(h, youngest_argument(n), [&](const Entry& e) { return same(*node_at(e.place), n); });
    }

    Expr own_place(const Node& n) {
        std::vector<Expr>& known = variables[n.order];
        if (n.index >= known.size()) known.resize(std::max<std::size_t>(n.index + 1, 2 * known.size()));
        if (!known[n.index]) known[n.index] = node_at(make(n));
        return known[n.index];
    }

    // A node that is not there yet, unless it is a leaf or one of those that every pool has.
    Expr restore(const Node& n) {
        if (has_own_place(n)) return own_place(n);
        for (Expr e : {zero, one, minus_one, no, yes})
            if (same(*e, n)) return e;
        if (n.argument_count == 0 && n.op != Op::Number) {
            grow_near();
            const std::uint32_t h = hash(n);
            Entry& e = place_of(n, h);
            if (e.place == 0) e = {h, make(n)};
            return node_at(e.place);
        }
        restored.push_back(make(n));
        return node_at(restored.back());
    }
    void enter_restored() {
        for (Place place : std::exchange(restored, {})) {
            const Node& n = *node_at(place);
            const std::uint32_t h = hash(n);
            find(h, youngest_argument(n), [](const Entry&) { return false; }) = {h, place};
        }
    }

    Place make(const Node& n) {
        const Place place = words(node_words + n.argument_count);
        Expr* const begin = at(place);
        std::copy(n.arguments, n.arguments + n.argument_count, begin + node_words);
        Node* const made = new (begin) Node(n);
        made->arguments = n.argument_count > 0 ? begin + node_words : nullptr;
        made->id = count++;
        if (n.op != Op::Number)
            made->youngest_leaf = n.argument_count == 0 ? made->id : youngest_leaf_below(n);
        return place;
    }

    Expr leaf(Op op, std::uint32_t index = 0, std::uint32_t order = 0) {
        Node n;
        n.op = op;
        n.index = index;
        n.order = order;
        return intern(n);
    }
    Expr node(Op op, std::span<const Expr> arguments, bool boolean = false) {
        Node n;
        n.op = op;
        n.boolean = boolean;
        n.argument_count = static_cast<std::uint32_t>(arguments.size());
        n.arguments = arguments.data();
        return intern(n);
    }
    Expr node(Op op, Expr a, Expr b, bool boolean = false) {
        const Expr both[2] = {a, b};
        return node(op, both, boolean);
    }

    Expr number(double v) {
        Node n;
        n.op = Op::Number;
        n.number = v == 0 ? 0 : v;  // no negative zero
        return intern(n);
    }
    Expr truth(bool v) {
        Node n;
        n.op = Op::Truth;
        n.boolean = true;
        n.index = v;
        return intern(n);
    }

    // ---- the order of terms and factors

    // A term: its factors without the number. Of a power with a number as exponent, its base.
    static std::span<const Expr> factors(const Expr& e) {
        if (e->op != Op::Multiply) return {&e, 1};
        return e->args().subspan(e->arg(0)->is_number() ? 1 : 0);
    }
    static double coefficient(Expr e) {
        return e->op == Op::Multiply && e->arg(0)->is_number() ? e->arg(0)->number : 1;
    }
    static bool is_numeric_power(Expr e) { return e->op == Op::Power && e->arg(1)->is_number(); }
    static Expr base(Expr e) { return is_numeric_power(e) ? e->arg(0) : e; }
    static double exponent(Expr e) { return is_numeric_power(e) ? e->arg(1)->number : 1; }
    static bool number_before(double a, double b) {
        return std::abs(a) != std::abs(b) ? std::abs(a) < std::abs(b) : a < b;
    }

    static bool before(Expr a, Expr b) {
        while (a != b) {
            if (youngest_leaf(a) != youngest_leaf(b)) return youngest_leaf(a) < youngest_leaf(b);
            if (a->is_number() && b->is_number()) return number_before(a->number, b->number);
            const auto f = factors(a), g = factors(b);
            const auto [x, y] = std::mismatch(f.begin(), f.end(), g.begin(), g.end());
            if (x == f.end() || y == g.end()) {
                if (f.size() != g.size()) return f.size() < g.size();
                return number_before(coefficient(a), coefficient(b));
            }
            const Expr a_factor = *x, b_factor = *y;
            a = base(a_factor);
            b = base(b_factor);
            // x + x^2 + x^3: what is ready first comes first.
            if (a == b) return exponent(a_factor) < exponent(b_factor);
            if (a->op == Op::Multiply || b->op == Op::Multiply || is_numeric_power(a) || is_numeric_power(b))
                continue;  // (3*x)^0.5
            if (youngest_leaf(a) != youngest_leaf(b) || (a->is_number() && b->is_number())) continue;
            const auto kind = [](Expr e) {
                return std::tuple(e->op, e->argument_count, e->index, e->order, e->derivatives, e->by[0],
                                  e->by[1]);
            };
            if (const auto order = kind(a) <=> kind(b); order != 0) return order < 0;
            // The same but for some arguments: the first of these decides.
            const auto [p, q] = std::mismatch(a->arguments, a->arguments + a->argument_count, b->arguments);
            a = *p;
            b = *q;
        }
        return false;
    }
    // In products leaves stand before what is composed: R*(u - v), k*sqrt(h).
    static bool factor_before(Expr a, Expr b) {
        const bool a_leaf = a->argument_count == 0, b_leaf = b->argument_count == 0;
        return a_leaf != b_leaf ? a_leaf : before(a, b);
    }

    // ---- sums

    std::vector<Expr> built_sum, built_product;  // of `build` and `term`, kept for the next

    struct Sum {
        std::vector<Term> terms;
        double constant = 0;
    };

    void append(Sum& sum, Expr e, double scale) {
        if (e->op == Op::Add) {
            for (Expr a : e->args()) append_term(sum, a, scale);
        } else {
            append_term(sum, e, scale);
        }
    }
    void append_term(Sum& sum, Expr e, double scale) {
        if (e->is_number()) {
            const double total = sum.constant + scale * e->number;
            if (std::isfinite(total)) {
                sum.constant = total;
                return;
            }
        }
        if (e->op == Op::Multiply && e->arg(0)->is_number()) {
            const double coefficient = scale * e->arg(0)->number;
            const bool vanishes = coefficient == 0 && e->arg(0)->number != 0;
            if (std::isfinite(coefficient) && !vanishes) {
                sum.terms.push_back({rest_of_product(e), coefficient});
                return;
            }
        }
        sum.terms.push_back({e, scale});
    }
    // x*y of 3*x*y.
    Expr rest_of_product(Expr product) {
        const auto rest = product->args().subspan(1);
        return rest.size() == 1 ? rest[0] : node(Op::Multiply, rest);
    }
    Expr term(const Term& t) {
        if (t.coefficient == 1) return t.rest;
        std::vector<Expr>& factors = built_product;
        factors.assign(1, number(t.coefficient));
        if (t.rest->op == Op::Multiply)
            factors.insert(factors.end(), t.rest->args().begin(), t.rest->args().end());
        else
            factors.push_back(t.rest);
        return node(Op::Multiply, factors);
    }
    Expr build(Sum& sum) {
        std::vector<Term>& terms = sum.terms;
        const auto earlier = [](const Term& a, const Term& b) { return before(a.rest, b.rest); };
        if (terms.size() <= 16) {  // in place, where the library would ask for memory
            for (std::size_t i = 1; i < terms.size(); ++i)
                for (std::size_t j = i; j > 0 && earlier(terms[j], terms[j - 1]); --j)
                    std::swap(terms[j], terms[j - 1]);
        } else if (!std::is_sorted(terms.begin(), terms.end(), earlier)) {
            std::stable_sort(terms.begin(), terms.end(), earlier);
        }
        std::vector<Expr>& built = built_sum;
        built.clear();
        for (std::size_t i = 0; i < terms.size();) {
            Term merged = terms[i++];
            while (i < terms.size() && terms[i].rest == merged.rest) {
                const double total = merged.coefficient + terms[i].coefficient;
                if (!std::isfinite(total)) break;
                merged.coefficient = total;
                ++i;
            }
            if (merged.coefficient != 0 || is_unfolded_number(merged.rest)) built.push_back(term(merged));
        }
        if (built.empty()) return number(sum.constant);
        if (sum.constant != 0) built.push_back(number(sum.constant));
        return built.size() == 1 ? built[0] : node(Op::Add, built);
    }
    // c*e, distributed over a sum. `divide`: e/c, so that (5*x)/3 has the coefficient nearest to 5/3.
    Expr scale(Expr e, double c, bool divide) {
        Sum sum;
        const auto scaled = [&](double v) { return divide ? v / c : v * c; };
        const auto one_term = [&](Expr a) {
            if (a->is_number() && std::isfinite(scaled(a->number))) {
                sum.constant += scaled(a->number);
            } else if (a->op == Op::Multiply && a->arg(0)->is_number() &&
                       std::isfinite(scaled(a->arg(0)->number)) && scaled(a->arg(0)->number) != 0) {
                sum.terms.push_back({rest_of_product(a), scaled(a->arg(0)->number)});
            } else {
                sum.terms.push_back({a, scaled(1)});
            }
        };
        if (e->op == Op::Add)
            for (Expr a : e->args()) one_term(a);
        else
            one_term(e);
        return build(sum);
    }

    // ---- products and powers

    void append_factor(std::vector<Factor>& factors, double& coefficient, Expr e) {
        if (e->op == Op::Multiply) {
            for (Expr a : e->args())
                append_factor(factors, coefficient, a);  // products do not nest: one level
        } else if (e->is_number() && std::isfinite(coefficient * e->number)) {
            coefficient *= e->number;
        } else if (e->op == Op::Power && e->arg(1)->is_number()) {
            factors.push_back({e->arg(0), e->arg(1)->number});
        } else {
            factors.push_back({e, 1});
        }
    }

    Expr multiply(std::span<const Expr> list) {
        double coefficient = 1;
        std::vector<Factor> factors;
        factors.reserve(list.size() + 4);
        for (Expr e : list) append_factor(factors, coefficient, e);
        const auto earlier = [](const Factor& a, const Factor& b) { return factor_before(a.base, b.base); };
        if (!std::is_sorted(factors.begin(), factors.end(), earlier))
            std::stable_sort(factors.begin(), factors.end(), earlier);
        std::vector<Expr> built;
        built.reserve(factors.size() + 1);
        bool again = false;  // merging made something that is a product or a number itself
        bool unfolded = false;
        for (std::size_t i = 0; i < factors.size();) {
            Factor merged = factors[i];
            bool was_merged = false;
            for (++i; i < factors.size() && factors[i].base == merged.base; ++i) {
                merged.exponent += factors[i].exponent;
                was_merged = true;
            }
            if (was_merged && merged.exponent == 0 && !is_unfolded_number(merged.base) &&
                !merged.base->is_number(0))
                continue;
            const Expr factor =
                was_merged ? power(merged.base, number(merged.exponent))
                           : (merged.exponent == 1 ? merged.base
                                                   : node(Op::Power, merged.base, number(merged.exponent)));
            if (was_merged && (factor->op == Op::Multiply || factor->is_number() ||
                               (factor->op == Op::Power && factor->arg(0) != merged.base)))
                again = true;
            unfolded = unfolded || is_unfolded_number(factor);
            built.push_back(factor);
        }
        if (coefficient == 0 && !unfolded) return zero;
        if (again) {
            built.push_back(number(coefficient));
            return multiply(built);
        }
        if (built.empty()) return number(coefficient);
        if (coefficient == 1) return built.size() == 1 ? built[0] : node(Op::Multiply, built);
        if (built.size() == 1 && built[0]->op == Op::Add) return scale(built[0], coefficient, false);
        built.insert(built.begin(), number(coefficient));
        return node(Op::Multiply, built);
    }
    Expr multiply(Expr a, Expr b) {
        const Expr both[2] = {a, b};
        return multiply(both);
    }

    Expr power(Expr base, Expr exponent) {
        if (exponent->is_number(1)) return base;
        if (exponent->is_number(0)) return one;
        if (base->is_number(1)) return one;
        if (base->is_number() && exponent->is_number()) {
            const double value = apply_binary(Op::Power, base->number, exponent->number);
            if (std::isfinite(value)) return number(value);
        }
        if (exponent->is_number() && is_integer(exponent->number)) {
            if (base->op == Op::Power) return power(base->arg(0), multiply(base->arg(1), exponent));
            if (base->op == Op::Multiply) {
                std::vector<Expr> factors;
                factors.reserve(base->argument_count);
                for (Expr a : base->args()) factors.push_back(power(a, exponent));
                return multiply(factors);
            }
        }
        return node(Op::Power, base, exponent);
    }

    // ---- conditions

    Expr relation(Op op, Expr a, Expr b) {
        if (a->is_number() && b->is_number()) return apply_binary(op, a->number, b->number) != 0 ? yes : no;
        if (a->op == Op::Truth && b->op == Op::Truth)
            return apply_binary(op, a->index, b->index) != 0 ? yes : no;
        if (a == b) return op == Op::LessEqual || op == Op::Equal ? yes : no;
        return node(op, a, b, true);
    }

    // And: `neutral` true, `decisive` false; Or the other way round. The order is kept: it is the order of
    // evaluation.
    Expr junction(Op op, std::span<const Expr> conditions, Expr neutral, Expr decisive) {
        std::vector<Expr> parts;
        const auto add = [&](Expr c) {
            if (c != neutral && std::find(parts.begin(), parts.end(), c) == parts.end()) parts.push_back(c);
        };
        for (Expr c : conditions) {
            if (c->op == op)
                for (Expr part : c->args()) add(part);
            else
                add(c);
        }
        const auto decides = std::find(parts.begin(), parts.end(), decisive);
        if (decides != parts.end()) return decisive;
        if (parts.empty()) return neutral;
        return parts.size() == 1 ? parts[0] : node(op, parts, true);
    }

    Expr choose(std::span<const Expr> parts) {
        CUTSET_ASSERT(parts.size() % 2 == 1);
        std::vector<Expr> kept;
        Expr otherwise = parts.back();
        for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
            if (parts[i] == no) continue;
            if (parts[i] == yes) {
                otherwise = parts[i + 1];
                break;
            }
            kept.push_back(parts[i]);
            kept.push_back(parts[i + 1]);
        }
        if (otherwise->op == Op::If) {  // else if = elseif
            kept.insert(kept.end(), otherwise->args().begin(), otherwise->args().end() - 1);
            otherwise = otherwise->args().back();
        }
        while (!kept.empty() && kept.back() == otherwise) kept.resize(kept.size() - 2);
        if (kept.empty()) return otherwise;
        kept.push_back(otherwise);
        return node(Op::If, kept, otherwise->boolean);
    }
};

Pool::Pool() : self_(std::make_unique<Implementation>()) {}
Pool::~Pool() = default;

Expr Pool::number(double v) {
    return self_->number(v);
}
Expr Pool::truth(bool v) {
    return v ? self_->yes : self_->no;
}
Expr Pool::variable(VariableIndex v, std::uint32_t order) {
    return self_->leaf(Op::Variable, v.value, order);
}
Expr Pool::previous(VariableIndex v) {
    return self_->leaf(Op::Previous, v.value);
}
Expr Pool::time() {
    return self_->leaf(Op::Time);
}
Expr Pool::local(std::uint32_t slot) {
    return self_->leaf(Op::Local, slot);
}

Expr Pool::element(std::uint32_t first_slot, std::uint32_t length, Expr position) {
    Node n;
    n.op = Op::Element;
    n.index = first_slot;
    n.order = length;
    n.argument_count = 1;
    n.arguments = &position;
    return self_->intern(n);
}

Expr Pool::add(std::span<const Expr> terms) {
    Implementation::Sum sum;
    sum.terms.reserve(terms.size());
    for (Expr t : terms) self_->append(sum, t, 1);
    return self_->build(sum);
}
Expr Pool::add(Expr a, Expr b) {
    if (a->is_number(0)) return b;
    if (b->is_number(0)) return a;
    const Expr both[2] = {a, b};
    return add(both);
}
Expr Pool::subtract(Expr a, Expr b) {
    if (b->is_number(0)) return a;
    Implementation::Sum sum;
    self_->append(sum, a, 1);
    self_->append(sum, b, -1);
    return self_->build(sum);
}
Expr Pool::negate(Expr a) {
    return self_->scale(a, -1, false);
}
Expr Pool::multiply(std::span<const Expr> factors) {
    return self_->multiply(factors);
}
Expr Pool::multiply(Expr a, Expr b) {
    if (a->is_number(1)) return b;
    if (b->is_number(1)) return a;
    return self_->multiply(a, b);
}
Expr Pool::divide(Expr a, Expr b) {
    if (b->is_number() && b->number != 0 && std::isfinite(b->number) && std::isfinite(1 / b->number) &&
        !a->is_number(0))
        return self_->scale(a, b->number, true);
    return self_->multiply(a, self_->power(b, self_->minus_one));
}
Expr Pool::power(Expr base, Expr exponent) {
    return self_->power(base, exponent);
}

Expr Pool::less(Expr a, Expr b) {
    return self_->relation(Op::Less, a, b);
}
Expr Pool::less_equal(Expr a, Expr b) {
    return self_->relation(Op::LessEqual, a, b);
}
Expr Pool::equal(Expr a, Expr b) {
    return self_->relation(Op::Equal, a, b);
}
Expr Pool::not_equal(Expr a, Expr b) {
    return self_->relation(Op::NotEqual, a, b);
}
Expr Pool::all_of(std::span<const Expr> conditions) {
    return self_->junction(Op::And, conditions, self_->yes, self_->no);
}
Expr Pool::any_of(std::span<const Expr> conditions) {
    return self_->junction(Op::Or, conditions, self_->no, self_->yes);
}
Expr Pool::negation(Expr condition) {
    if (condition->op == Op::Truth) return truth(!condition->index);
    if (condition->op == Op::Not) return condition->arg(0);
    return self_->node(Op::Not, std::span<const Expr>(&condition, 1), true);
}
Expr Pool::choose(Expr condition, Expr then, Expr otherwise) {
    const Expr parts[3] = {condition, then, otherwise};
    return self_->choose(parts);
}
Expr Pool::choose(std::span<const Expr> parts) {
    return self_->choose(parts);
}

Expr Pool::call(Op function, std::span<const Expr> arguments) {
    switch (function) {
        case Op::NoEvent:
            CUTSET_ASSERT(arguments.size() == 1);
            if (arguments[0]->is_number() || arguments[0]->op == Op::Truth || arguments[0]->op == Op::NoEvent)
                return arguments[0];
            return self_->node(function, arguments, arguments[0]->boolean);
        case Op::Sample:
        case Op::Starting:
        case Op::Ending:
        case Op::Edge:
        case Op::Change:
            return self_->node(function, arguments, true);
        case Op::Delay:
            return self_->node(function, arguments, arguments[0]->boolean);
        case Op::Min:
        case Op::Max: {
            CUTSET_ASSERT(!arguments.empty());
            // Halves of a long list, so that depth grows with its logarithm only.
            if (arguments.size() > 100) {
                const std::size_t half = arguments.size() / 2;
                const Expr both[2] = {call(function, arguments.first(half)),
                                      call(function, arguments.subspan(half))};
                return call(function, both);
            }
            Expr so_far = arguments[0];
            for (Expr next : arguments.subspan(1)) {
                if (so_far->is_number() && next->is_number())
                    so_far = number(apply_binary(function, so_far->number, next->number));
                else
                    so_far = self_->node(function, so_far, next);
            }
            return so_far;
        }
        default: {
            const ElementaryFunction* f = elementary_function(function);
            CUTSET_ASSERT(f && arguments.size() == f->arguments);
            if (arguments[0]->is_number() && arguments.back()->is_number()) {
                const double value = f->arguments == 1
                                         ? f->of_one(arguments[0]->number)
                                         : f->of_two(arguments[0]->number, arguments[1]->number);
                if (std::isfinite(value)) return number(value);
            }
            return self_->node(function, arguments);
        }
    }
}

Expr Pool::apply(CalleeIndex callee, std::uint32_t output, std::span<const Expr> arguments,
                 std::span<const std::uint16_t> differentiated_by) {
    CUTSET_ASSERT(differentiated_by.size() <= 2);
    if (!differentiated_by.empty())
        if (const auto rule = self_->derivatives.find(callee.value); rule != self_->derivatives.end()) {
            std::vector<Expr> all(arguments.begin(), arguments.end());
            for (std::size_t k = 0; k < arguments.size(); ++k)
                all.push_back(number(k == differentiated_by[0] ? 1 : 0));
            return apply(rule->second, output, all, differentiated_by.subspan(1));
        }
    Node n;
    n.op = Op::Apply;
    n.index = callee.value;
    n.order = output;
    n.derivatives = static_cast<std::uint8_t>(differentiated_by.size());
    std::copy(differentiated_by.begin(), differentiated_by.end(), n.by);
    if (n.derivatives == 2 && n.by[0] > n.by[1]) std::swap(n.by[0], n.by[1]);  // mixed partials are equal
    n.argument_count = static_cast<std::uint32_t>(arguments.size());
    n.arguments = arguments.data();
    return self_->intern(n);
}

void Pool::set_derivative(CalleeIndex callee, CalleeIndex rule) {
    self_->derivatives.insert_or_assign(callee.value, rule);
}

void Pool::set_derivative(CalleeIndex callee, std::vector<DerivativeRule> rules) {
    self_->time_derivatives.insert_or_assign(callee.value, std::move(rules));
}

const std::vector<DerivativeRule>& Pool::time_derivatives(CalleeIndex callee) const {
    static const std::vector<DerivativeRule> none;
    const auto found = self_->time_derivatives.find(callee.value);
    return found == self_->time_derivatives.end() ? none : found->second;
}

Expr Pool::rebuild(Expr model, std::span<const Expr> arguments) {
    CUTSET_ASSERT(arguments.size() == model->argument_count);
    if (std::equal(arguments.begin(), arguments.end(), model->arguments)) return model;
    switch (model->op) {
        case Op::Number:
        case Op::Truth:
        case Op::Variable:
        case Op::Previous:
        case Op::Time:
        case Op::Local:
            return model;
        case Op::Element:
            return element(model->index, model->order, arguments[0]);
        case Op::Add:
            return add(arguments);
        case Op::Multiply:
            return multiply(arguments);
        case Op::Power:
            return power(arguments[0], arguments[1]);
        case Op::Less:
        case Op::LessEqual:
        case Op::Equal:
        case Op::NotEqual:
            return self_->relation(model->op, arguments[0], arguments[1]);
        case Op::And:
            return all_of(arguments);
        case Op::Or:
            return any_of(arguments);
        case Op::Not:
            return negation(arguments[0]);
        case Op::If:
            return choose(arguments);
        case Op::Apply:
            return apply(model->callee(), model->order, arguments, {model->by, model->derivatives});
        default:
            return call(model->op, arguments);
    }
}

Expr Pool::restore(const Node& like) {
    return self_->restore(like);
}

Expr Pool::restore(Op leaf, std::uint32_t index, std::uint32_t order) {
    Node n;
    n.op = leaf;
    n.index = index;
    n.order = order;
    return self_->restore(n);
}

Expr Pool::copy(Expr from_other_pool) {
    std::unordered_map<Expr, Expr> copies;  // looked up only
    for_each_node(from_other_pool, [&](Expr e) {
        Node n = *e;
        std::vector<Expr> arguments;
        for (Expr a : e->args()) arguments.push_back(copies.at(a));
        n.arguments = arguments.data();
        copies.emplace(e, self_->intern(n));
    });
    return copies.at(from_other_pool);
}

std::size_t Pool::size() const {
    return self_->count;
}

std::vector<Expr> Pool::nodes() const {
    std::vector<Expr> all(self_->count);
    const auto add = [&](Expr e) {
        if (e) all[e->id] = e;
    };
    for (const auto* table : {&self_->near, &self_->others})
        for (const auto& entry : *table)
            if (entry.place != 0) add(self_->node_at(entry.place));
    for (const auto& list : self_->variables)
        for (Expr e : list) add(e);
    for (const auto place : self_->restored) add(self_->node_at(place));
    return all;
}

}  // namespace cutset
