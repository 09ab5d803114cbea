// Random expressions: what the pool makes of them has the value of what was written; derivatives agree with
// differences; text reads back as the same node.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "expr/elementary_functions.h"

namespace cutset {
namespace {

constexpr int variables = 4;

// What was written, its value computed step by step, and the largest number met on the way.
struct Written {
    Expr e;
    double value;
    double largest;
};

class Writer {
  public:
    Writer(Pool& pool, unsigned seed) : pool_(pool), random_(seed) {
        for (double& v : values) v = std::uniform_real_distribution<double>(0.3, 2.5)(random_);
    }
    double values[variables];

    Written write(int depth) {
        const int kind = depth == 0 ? roll(2) : roll(14);
        switch (kind) {
            case 0: {
                const double v = (roll(9) - 4) * (roll(2) ? 0.5 : 1);
                return leaf(pool_.number(v), v);
            }
            case 1: {
                const int i = roll(variables);
                return leaf(pool_.variable(VariableIndex(i)), values[i]);
            }
            case 2:
            case 3: {
                const Written a = write(depth - 1), b = write(depth - 1);
                return made(pool_.add(a.e, b.e), a.value + b.value, a, b);
            }
            case 4:
            case 5: {
                const Written a = write(depth - 1), b = write(depth - 1);
                return made(pool_.subtract(a.e, b.e), a.value - b.value, a, b);
            }
            case 6:
            case 7: {
                const Written a = write(depth - 1), b = write(depth - 1);
                return made(pool_.multiply(a.e, b.e), a.value * b.value, a, b);
            }
            case 8: {
                const Written a = write(depth - 1), b = write(depth - 1);
                return made(pool_.divide(a.e, b.e), a.value / b.value, a, b);
            }
            case 9: {
                const Written a = write(depth - 1);
                const int n = roll(6) - 2;
                return made(pool_.power(a.e, pool_.number(n)), std::pow(a.value, n), a, a);
            }
            case 10: {
                const Written a = write(depth - 1), b = write(depth - 1), c = write(depth - 1),
                              d = write(depth - 1);
                Written chosen = made(pool_.choose(pool_.less(a.e, b.e), c.e, d.e),
                                      a.value < b.value ? c.value : d.value, c, d);
                // Too near the switch to tell after rounding, or not a number before simplification.
                if (!(std::abs(a.value - b.value) > 1e-6) || !(std::max(a.largest, b.largest) < 1e4))
                    chosen.value = NAN;
                return chosen;
            }
            case 11: {
                const Op f = any_function([](const auto& g) {
                    return g.arguments == 1 && g.op != Op::Truncate && g.op != Op::Floor;
                });
                const Written a = write(depth - 1);
                return made(pool_.call(f, a.e), apply_unary(f, a.value), a, a);
            }
            case 12: {
                const Op f = any_function([](const auto& g) {
                    return g.arguments == 2 && g.op != Op::Remainder && g.op != Op::Modulo;
                });
                const Written a = write(depth - 1), b = write(depth - 1);
                const Expr both[2] = {a.e, b.e};
                return made(pool_.call(f, both), apply_binary(f, a.value, b.value), a, b);
            }
            default: {
                const Written a = write(depth - 1), b = write(depth - 1);
                return made(pool_.power(pool_.call(Op::Exp, a.e), b.e), std::pow(std::exp(a.value), b.value),
                            a, b);
            }
        }
    }
    int roll(int n) { return static_cast<int>(random_() % n); }
    template <class Fits>
    Op any_function(Fits fits) {
        for (;;) {
            const ElementaryFunction& f = elementary_functions[roll(std::size(elementary_functions))];
            if (fits(f)) return f.op;
        }
    }

  private:
    Pool& pool_;
    std::mt19937 random_;

    static Written leaf(Expr e, double v) { return {e, v, std::abs(v) + 1}; }
    static Written made(Expr e, double v, const Written& a, const Written& b) {
        return {e, v, std::max({std::abs(v), a.largest, b.largest, 1 / std::abs(v)})};
    }
};

Environment at(const double* values) {
    Environment environment;
    environment.leaf = [values](Expr leaf) -> std::optional<double> {
        if (leaf->op == Op::Variable) return values[leaf->index];
        return std::nullopt;
    };
    return environment;
}

TEST(RandomExpressions, KeepTheirValue) {
    int compared = 0;
    for (unsigned seed = 0; seed < 4000; ++seed) {
        Pool pool;
        Writer writer(pool, seed);
        const Written w = writer.write(2 + writer.roll(4));
        if (!std::isfinite(w.value) || !(w.largest < 1e4)) continue;
        const auto value = evaluate(w.e, at(writer.values));
        ASSERT_TRUE(value);
        EXPECT_NEAR(*value, w.value, 1e-9 * (1 + std::abs(w.value)))
            << "seed " << seed << ": " << to_text(w.e, {});
        ++compared;
    }
    EXPECT_GT(compared, 1000);
}

TEST(RandomExpressions, DerivativesAgreeWithDifferences) {
    int compared = 0;
    for (unsigned seed = 0; seed < 4000; ++seed) {
        Pool pool;
        Writer writer(pool, seed);
        const Written w = writer.write(2 + writer.roll(3));
        if (!std::isfinite(w.value) || !(w.largest < 1e3)) continue;
        for (int i = 0; i < variables; ++i) {
            const auto derivative =
                evaluate(differentiate(pool, w.e, pool.variable(VariableIndex(i))), at(writer.values));
            ASSERT_TRUE(derivative);
            // Two difference quotients that agree: away from kinks and steps.
            const auto quotient = [&](double h) {
                double values[variables];
                std::copy(writer.values, writer.values + variables, values);
                values[i] += h;
                const double above = *evaluate(w.e, at(values));
                values[i] -= 2 * h;
                return (above - *evaluate(w.e, at(values))) / (2 * h);
            };
            const double coarse = quotient(1e-4), fine = quotient(2e-5);
            if (!std::isfinite(coarse) || !std::isfinite(fine) || std::abs(fine) > 1e4 ||
                std::abs(coarse - fine) > 1e-6 * (1 + std::abs(fine)))
                continue;
            // asin(-1) of a number has an infinite slope, and 0 times that is no number.
            if (!std::isfinite(*derivative)) continue;
            EXPECT_NEAR(*derivative, fine, 2e-5 * (1 + std::abs(fine)))
                << "seed " << seed << ": " << to_text(w.e, {}) << " by v" << i;
            ++compared;
        }
    }
    EXPECT_GT(compared, 4000);
}

TEST(RandomExpressions, LinearFormsAddUp) {
    int linear = 0;
    for (unsigned seed = 0; seed < 4000; ++seed) {
        Pool pool;
        Writer writer(pool, seed);
        const Written w = writer.write(2 + writer.roll(3));
        if (!std::isfinite(w.value) || !(w.largest < 1e4)) continue;
        const Expr leaf = pool.variable(VariableIndex(0));
        if (!contains(w.e, leaf)) continue;
        const auto form = as_linear(pool, w.e, leaf);
        if (!form) continue;
        EXPECT_FALSE(contains(form->coefficient, leaf));
        EXPECT_FALSE(contains(form->rest, leaf));
        const auto c = evaluate(form->coefficient, at(writer.values)),
                   r = evaluate(form->rest, at(writer.values));
        if (!std::isfinite(*c) || !std::isfinite(*r) || std::abs(*r) > 1e4) continue;
        EXPECT_NEAR(*c * writer.values[0] + *r, w.value, 1e-9 * (1 + std::abs(w.value)))
            << "seed " << seed << ": " << to_text(w.e, {});
        ++linear;
    }
    EXPECT_GT(linear, 300);
}

// Reads what to_text wrote, with the precedence of the language.
class Reader {
  public:
    Reader(Pool& pool, std::string text) : pool_(pool), text_(std::move(text)) {}
    Expr read() {
        const Expr e = choice();
        skip();
        EXPECT_EQ(at_, text_.size()) << text_;
        return e;
    }

  private:
    Pool& pool_;
    std::string text_;
    std::size_t at_ = 0;

    void skip() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }
    bool take(const std::string& word) {
        skip();
        if (text_.compare(at_, word.size(), word) != 0) return false;
        at_ += word.size();
        return true;
    }
    Expr choice() {
        if (!take("if ")) return sum();
        std::vector<Expr> parts;
        do {
            parts.push_back(relation());
            EXPECT_TRUE(take("then "));
            parts.push_back(sum());
        } while (take("elseif "));
        EXPECT_TRUE(take("else "));
        parts.push_back(sum());
        return pool_.choose(parts);
    }
    Expr relation() {
        if (take("true")) return pool_.truth(true);
        if (take("false")) return pool_.truth(false);
        const Expr a = sum();
        if (take("<")) return pool_.less(a, sum());
        EXPECT_TRUE(take(">"));
        return pool_.less(sum(), a);
    }
    Expr sum() {
        Expr e = product();
        for (;;) {
            if (take("+"))
                e = pool_.add(e, product());
            else if (take("-"))
                e = pool_.subtract(e, product());
            else
                return e;
        }
    }
    Expr product() {
        // A product is one list: 3*(x + 1)*y is not (3*x + 3)*y.
        std::vector<Expr> above, below;
        if (take("-")) above.push_back(pool_.number(-1));
        above.push_back(minus());
        for (;;) {
            if (take("*"))
                above.push_back(minus());
            else if (take("/"))
                below.push_back(minus());
            else
                break;
        }
        if (below.size() == 1 && below[0]->is_number()) return pool_.divide(pool_.multiply(above), below[0]);
        for (Expr b : below) above.push_back(pool_.power(b, pool_.number(-1)));
        return pool_.multiply(above);
    }
    Expr minus() { return take("-") ? pool_.negate(minus()) : power(); }
    Expr power() {
        const Expr base = primary();
        return take("^") ? pool_.power(base, minus()) : base;
    }
    Expr primary() {
        skip();
        if (take("(")) {
            const Expr e = choice();
            EXPECT_TRUE(take(")")) << text_.substr(at_);
            return e;
        }
        if (std::isdigit(static_cast<unsigned char>(text_[at_]))) {
            std::size_t used = 0;
            const double v = std::stod(text_.substr(at_), &used);
            at_ += used;
            return pool_.number(v);
        }
        if (text_[at_] == 'v') {
            ++at_;
            return pool_.variable(VariableIndex(text_[at_++] - '0'));
        }
        for (const ElementaryFunction& f : elementary_functions) {
            if (!take(std::string(f.name) + "(")) continue;
            std::vector<Expr> arguments{choice()};
            while (take(",")) arguments.push_back(choice());
            EXPECT_TRUE(take(")"));
            return pool_.call(f.op, arguments);
        }
        ADD_FAILURE() << "unreadable: " << text_.substr(at_) << " in " << text_;
        at_ = text_.size();
        return pool_.number(0);
    }
};

TEST(RandomExpressions, TextReadsBackAsTheSameNode) {
    for (unsigned seed = 0; seed < 4000; ++seed) {
        Pool pool;
        Writer writer(pool, seed);
        const Written w = writer.write(2 + writer.roll(4));
        bool divides_by_zero = false;  // 1/0^2 reads back as 1/0
        for_each_node(w.e, [&](Expr node) {
            divides_by_zero = divides_by_zero || (node->op == Op::Power && node->arg(0)->is_number(0));
        });
        if (divides_by_zero) continue;
        const std::string text = to_text(w.e, {});
        EXPECT_EQ(Reader(pool, text).read(), w.e) << "seed " << seed << ": " << text;
        if (HasFailure()) return;
    }
}

TEST(RandomExpressions, LatexHasItsBracketsInPairs) {
    for (unsigned seed = 0; seed < 1000; ++seed) {
        Pool pool;
        Writer writer(pool, seed);
        const std::string text = to_latex(writer.write(5).e, {});
        int depth = 0;
        for (char c : text) {
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            ASSERT_GE(depth, 0) << text;
        }
        EXPECT_EQ(depth, 0) << text;
    }
}

TEST(RandomExpressions, AreTheSameInEveryPool) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        Pool one, two;
        Writer a(one, seed), b(two, seed);
        EXPECT_EQ(to_text(a.write(5).e, {}), to_text(b.write(5).e, {}));
        EXPECT_EQ(one.size(), two.size());
    }
}

// Whatever else was built before, as long as the leaves are of the same order of age.
TEST(RandomExpressions, DependOnNothingElse) {
    for (unsigned seed = 0; seed < 2000; ++seed) {
        Pool one, two;
        for (Pool* pool : {&one, &two})
            for (int i = variables; i-- > 0;) pool->variable(VariableIndex(i));
        Writer other(two, 10000 + seed);
        for (int i = 0; i < 5; ++i) other.write(4);
        const auto same = [](auto self, Expr x, Expr y) -> bool {
            return x->op == y->op && x->index == y->index && x->argument_count == y->argument_count &&
                   (!x->is_number() || x->number == y->number) &&
                   std::equal(x->args().begin(), x->args().end(), y->args().begin(),
                              [&](Expr p, Expr q) { return self(self, p, q); });
        };
        const Expr x = Writer(one, seed).write(5).e, y = Writer(two, seed).write(5).e;
        EXPECT_TRUE(same(same, x, y)) << "seed " << seed << ": " << to_text(x, {}) << ", " << to_text(y, {});
        if (HasFailure()) return;
    }
}

// The terms of a sum stand in one order, in whatever order they come.
TEST(RandomExpressions, SumsAndProductsHaveOneOrder) {
    for (unsigned seed = 0; seed < 500; ++seed) {
        Pool pool;
        Writer writer(pool, seed);
        std::vector<Expr> parts;
        for (int i = 0; i < 8; ++i) {
            const Expr e = writer.write(3).e;
            if (!e->is_number()) parts.push_back(e);  // numbers are added as they come
        }
        std::vector<Expr> mixed = parts;
        std::shuffle(mixed.begin(), mixed.end(), std::mt19937(seed));
        const auto order = [&](Expr sum) {
            std::vector<Expr> leading;  // without numbers, whose sums round
            for (Expr term : sum->args())
                if (!term->is_number())
                    leading.push_back(term->op == Op::Multiply && term->arg(0)->is_number()
                                          ? pool.multiply(term->args().subspan(1))
                                          : term);
            return leading;
        };
        EXPECT_EQ(order(pool.add(parts)), order(pool.add(mixed))) << "seed " << seed;
        if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace cutset
