// Flat models built by hand, and a small evaluator that runs the blocks of a partition on numbers,
// independent of the code generator.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "transform/transform.h"

namespace cutset::test {

struct ModelBuilder {
    FlatModel model;
    InstanceIndex here{0};
    std::uint32_t place = 0;

    ModelBuilder() {
        model.name = "test";
        model.instances.add({});
    }
    Pool& pool() { return *model.pool; }
    Origin origin() {
        place += 10;
        return {here, Span{SourceId(1), place, place + 5}};
    }
    InstanceIndex submodel(const std::string& name, InstanceIndex parent = InstanceIndex(0)) {
        return model.instances.add({name, parent, "type", origin().where});
    }
    Expr variable(const std::string& name, std::optional<double> start = std::nullopt) {
        Variable v;
        v.name = name;
        v.origin = origin();
        if (start) v.start = Start{pool().number(*start), v.origin};
        return pool().variable(model.variables.add(std::move(v)));
    }
    Expr parameter(const std::string& name, double value, Expr binding = nullptr) {
        Variable v;
        v.name = name;
        v.origin = origin();
        v.variability = Variability::Parameter;
        v.value = value;
        v.binding = binding;
        return pool().variable(model.variables.add(std::move(v)));
    }
    Expr discrete(const std::string& name, double value) {
        Variable v;
        v.name = name;
        v.origin = origin();
        v.variability = Variability::Discrete;
        v.binding = pool().number(value);
        v.value = value;
        return pool().variable(model.variables.add(std::move(v)));
    }
    Variable& operator[](Expr leaf) { return model.variables[leaf->variable()]; }

    Expr der(Expr v, std::uint32_t order = 1) { return pool().variable(v->variable(), order); }
    Expr number(double v) { return pool().number(v); }
    Expr mul(Expr a, Expr b) { return pool().multiply(a, b); }
    Expr mul(double a, Expr b) { return pool().multiply(number(a), b); }
    Expr add(Expr a, Expr b) { return pool().add(a, b); }
    Expr sub(Expr a, Expr b) { return pool().subtract(a, b); }
    Expr div(Expr a, Expr b) { return pool().divide(a, b); }
    Expr neg(Expr a) { return pool().negate(a); }

    EquationIndex equation(Expr left, Expr right, EquationKind kind = EquationKind::Written) {
        return model.equations.add({left, right, origin(), kind});
    }
    void initial(Expr left, Expr right) { model.initial_equations.add({left, right, origin()}); }

    // A two-pole: across Va, Vb, through I into A and out of B, U = Va - Vb.
    struct TwoPole {
        InstanceIndex instance;
        Expr va, vb, i, u;
    };
    TwoPole two_pole(const std::string& name) {
        TwoPole p;
        here = p.instance = submodel(name);
        p.va = variable("Va");
        p.vb = variable("Vb");
        p.i = variable("I");
        p.u = variable("U");
        equation(p.u, sub(p.va, p.vb));
        return p;
    }
    // A pin of a two-pole: its across variable, and its current into the element.
    struct Pin {
        Expr v, i;
        int sign;
    };
    static Pin a(const TwoPole& p) { return {p.va, p.i, 1}; }
    static Pin b(const TwoPole& p) { return {p.vb, p.i, -1}; }
    void join(const std::vector<Pin>& pins) {
        here = InstanceIndex(0);
        for (std::size_t i = 1; i < pins.size(); ++i) equation(pins[0].v, pins[i].v, EquationKind::Across);
        std::vector<Expr> terms;
        for (const Pin& pin : pins) terms.push_back(pin.sign > 0 ? pin.i : neg(pin.i));
        equation(pool().add(terms), number(0), EquationKind::Through);
    }
    // Joined to a ground: the across variables are zero and its current is free.
    void ground(std::vector<Pin> pins) {
        here = submodel("ground");
        Pin pin{variable("V"), variable("I"), 1};
        equation(pin.v, number(0));
        pins.push_back(pin);
        join(pins);
    }
    TwoPole resistor(const std::string& name, double r) {
        TwoPole p = two_pole(name);
        equation(p.u, mul(parameter("R", r), p.i));
        return p;
    }
    TwoPole capacitor(const std::string& name, double c, std::optional<double> start = 0.0) {
        TwoPole p = two_pole(name);
        equation(p.i, mul(parameter("C", c), der(p.u)));
        if (start) (*this)[p.u].start = Start{number(*start), origin()};
        return p;
    }
    TwoPole inductor(const std::string& name, double l, std::optional<double> start = 0.0) {
        TwoPole p = two_pole(name);
        equation(p.u, mul(parameter("L", l), der(p.i)));
        if (start) (*this)[p.i].start = Start{number(*start), origin()};
        return p;
    }
    TwoPole source(const std::string& name, double v) {
        TwoPole p = two_pole(name);
        equation(p.u, number(v));
        return p;
    }
};

struct Result {
    std::optional<Partition> partition;
    Diagnostics diagnostics;

    std::string text() const {
        std::string all;
        for (const Diagnostic& d : diagnostics.all()) {
            all += d.code + ": " + d.message + "\n";
            for (const std::string& line : d.details) all += "  " + line + "\n";
            all += "  help: " + d.help + "\n";
        }
        return all;
    }
    bool has(const std::string& code) const {
        for (const Diagnostic& d : diagnostics.all())
            if (d.code == code) return true;
        return false;
    }
    const Diagnostic& of(const std::string& code) const {
        for (const Diagnostic& d : diagnostics.all())
            if (d.code == code) return d;
        throw std::runtime_error("no diagnostic " + code + " in\n" + text());
    }
    std::size_t count(const std::string& code) const {
        std::size_t n = 0;
        for (const Diagnostic& d : diagnostics.all()) n += d.code == code;
        return n;
    }
    std::vector<std::string> names(const std::vector<VariableIndex>& variables) const {
        std::vector<std::string> result;
        for (VariableIndex v : variables) result.push_back(partition->model.path(v));
        return result;
    }
};

// Transforms, and verifies the model, each pass and the result.
inline Result run(const FlatModel& model, TransformOptions options = {}) {
    Result r;
    options.verify = true;
    r.partition = transform(model, options, r.diagnostics);
    EXPECT_EQ(r.partition.has_value(), !r.diagnostics.has_errors()) << r.text();
    return r;
}
inline Result run(const ModelBuilder& b, TransformOptions options = {}) {
    return run(b.model, std::move(options));
}

// Runs blocks on numbers.
class Evaluator {
  public:
    explicit Evaluator(const Partition& p) : p_(p) {
        for (std::size_t i = 0; i < p.model.variables.size(); ++i) {
            const Variable& v = p.model.variables[VariableIndex(i)];
            if (v.variability != Variability::Continuous) values_[{VariableIndex(i), 0}] = v.value;
        }
        environment_.leaf = [this](Expr leaf) -> std::optional<double> {
            if (leaf->op == Op::Time) return time;
            if (leaf->op == Op::Starting) return 0;
            const auto at = values_.find({leaf->variable(), leaf->order});
            if (at == values_.end()) return std::nullopt;
            return at->second;
        };
    }
    double time = 0;
    double& operator[](Unknown u) { return values_[u]; }
    double value(const std::string& path, std::uint32_t order = 0) {
        for (std::size_t i = 0; i < p_.model.variables.size(); ++i)
            if (p_.model.path(VariableIndex(i)) == path) {
                const auto at = values_.find({VariableIndex(i), order});
                if (at == values_.end()) break;
                return at->second;
            }
        ADD_FAILURE() << "no value of " << path;
        return NAN;
    }
    double operator()(Expr e) {
        const auto v = evaluate(e, environment_);
        EXPECT_TRUE(v.has_value()) << to_text(e, p_.model.printer());
        return v.value_or(NAN);
    }
    void run(const std::vector<Block>& blocks) {
        for (const Block& b : blocks) {
            if (b.torn.empty())
                inner(b);
            else
                newton(b);
        }
        for (const Eliminated& e : p_.eliminated) values_[{e.variable, 0}] = (*this)(e.value);
    }
    void random_states(unsigned seed = 1) {
        std::mt19937 generator(seed);
        std::uniform_real_distribution<double> d(0.5, 1.5);
        for (VariableIndex x : p_.states) values_[{x, 0}] = d(generator);
        time = d(generator);
    }

  private:
    void inner(const Block& b) {
        for (const SolvedEquation& s : b.inner) values_[s.unknown] = (*this)(s.value);
    }
    std::vector<double> residuals(const Block& b) {
        inner(b);
        std::vector<double> r;
        for (const ResidualEquation& e : b.residuals) r.push_back((*this)(e.residual));
        return r;
    }
    void newton(const Block& b) {
        const std::size_t n = b.torn.size();
        for (Unknown u : b.torn) {
            const auto& start = p_.model.variables[u.variable].start;
            values_[u] = start && u.order == 0 ? (*this)(start->value) : 0.1;
        }
        for (int iteration = 0; iteration < 60; ++iteration) {
            std::vector<double> r = residuals(b);
            std::vector<std::vector<double>> j(n, std::vector<double>(n));
            for (std::size_t c = 0; c < n; ++c) {
                const double x = values_[b.torn[c]], h = 1e-7 * std::max(1.0, std::abs(x));
                values_[b.torn[c]] = x + h;
                const std::vector<double> up = residuals(b);
                values_[b.torn[c]] = x - h;
                const std::vector<double> down = residuals(b);
                values_[b.torn[c]] = x;
                for (std::size_t i = 0; i < n; ++i) j[i][c] = (up[i] - down[i]) / (2 * h);
            }
            double size = 0;
            for (std::size_t k = 0; k < n; ++k) {
                std::size_t p = k;
                for (std::size_t i = k; i < n; ++i)
                    if (std::abs(j[i][k]) > std::abs(j[p][k])) p = i;
                std::swap(j[k], j[p]);
                std::swap(r[k], r[p]);
                for (std::size_t i = k + 1; i < n; ++i) {
                    const double f = j[i][k] / j[k][k];
                    for (std::size_t c = k; c < n; ++c) j[i][c] -= f * j[k][c];
                    r[i] -= f * r[k];
                }
            }
            for (std::size_t k = n; k-- > 0;) {
                for (std::size_t c = k + 1; c < n; ++c) r[k] -= j[k][c] * r[c];
                r[k] /= j[k][k];
                values_[b.torn[k]] -= r[k];
                size = std::max(size, std::abs(r[k]));
            }
            if (size < 1e-14) break;
        }
        residuals(b);
    }

    const Partition& p_;
    Environment environment_;
    std::map<Unknown, double> values_;
};

// Whatever the states are, the blocks and the eliminated variables satisfy every equation as it was given.
inline void expect_equations_hold(const FlatModel& given, const Partition& p, unsigned seed = 1) {
    Evaluator e(p);
    e.random_states(seed);
    e.run(p.blocks);
    // Derivatives of variables that stand for a state, and of der(x).
    for (const Eliminated& gone : p.eliminated)
        if (gone.alias)
            for_each_leaf(gone.value, [&](Expr leaf) {
                if (leaf->op != Op::Variable) return;
                if (std::find(p.states.begin(), p.states.end(), leaf->variable()) == p.states.end()) return;
                const double sign = gone.value == leaf ? 1 : -1;
                e[{gone.variable, 1}] = sign * e[{leaf->variable(), 1}];
            });
    for (const Equation& equation : given.equations) {
        bool high = false;
        for_each_leaf(equation.left, [&](Expr l) { high = high || l->order > 1; });
        for_each_leaf(equation.right, [&](Expr l) { high = high || l->order > 1; });
        if (high) continue;
        const double left = e(equation.left), right = e(equation.right);
        EXPECT_NEAR(left, right, 1e-9 * std::max({1.0, std::abs(left), std::abs(right)}))
            << given.text(equation);
    }
}

inline std::vector<std::string> sorted(std::vector<std::string> v) {
    std::sort(v.begin(), v.end());
    return v;
}

}  // namespace cutset::test
