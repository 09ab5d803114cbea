// Small partitions made by hand, and a plain Newton solver for their loops.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "generate/generate.h"
#include "generate/interpreter.h"

namespace cutset {

struct SampleModel {
    std::shared_ptr<Partition> partition = std::make_shared<Partition>();
    Partition& p = *partition;
    FlatModel& m = p.model;
    Pool& pool = *m.pool;

    SampleModel() {
        m.name = "Sample";
        m.instances.add({"", InstanceIndex(0), "Sample", {}});
    }

    VariableIndex variable(const std::string& name, Variability variability = Variability::Continuous) {
        Variable v;
        v.name = name;
        v.variability = variability;
        const VariableIndex made = m.variables.add(v);
        pool.variable(made);  // its age decides the order in print
        return made;
    }
    VariableIndex parameter(const std::string& name, double value) {
        const VariableIndex v = variable(name, Variability::Parameter);
        m.variables[v].value = value;
        p.parameters.push_back(v);
        return v;
    }
    VariableIndex state(const std::string& name) {
        const VariableIndex v = variable(name);
        p.states.push_back(v);
        return v;
    }
    Expr at(VariableIndex v, std::uint32_t order = 0) { return pool.variable(v, order); }
    Expr n(double v) { return pool.number(v); }
    Expr call(Op op, Expr a) { return pool.call(op, a); }
    Expr add(Expr a, Expr b) { return pool.add(a, b); }
    Expr sub(Expr a, Expr b) { return pool.subtract(a, b); }
    Expr mul(Expr a, Expr b) { return pool.multiply(a, b); }
    Expr div(Expr a, Expr b) { return pool.divide(a, b); }

    SolvedEquation solved(Unknown u, Expr value) {
        return {u, value, m.equations.add({at(u.variable, u.order), value, {}, EquationKind::Written}),
                false};
    }
    ResidualEquation residual(Expr value) {
        return {value, m.equations.add({value, n(0), {}, EquationKind::Written}), false};
    }
    void assign(VariableIndex v, Expr value, std::uint32_t order = 0) {
        Block b;
        b.inner = {solved({v, order}, value)};
        p.blocks.push_back(b);
    }
    void switches_at(Expr relation) {
        Switch s;
        s.node = relation;
        s.crossing =
            relation->op == Op::Truncate ? relation->arg(0) : sub(relation->arg(0), relation->arg(1));
        p.switches.push_back(s);
    }
    Program program() { return generate(partition); }
};

inline double value(const Interpreter& run, VariableIndex v) {
    return run[run.program().layout.variable[v.value]];
}
inline void set(Interpreter& run, VariableIndex v, double x) {
    run[run.program().layout.variable[v.value]] = x;
}

inline std::vector<double> dense_jacobian(const Loop& loop, const Interpreter& run) {
    const std::size_t n = loop.torn.size();
    std::vector<double> j(n * n, 0);
    for (const JacobianEntry& e : loop.jacobian_entries) j[e.column * n + e.row] = run[e.slot];
    return j;
}

class PlainNewton : public LoopSolver {
  public:
    int iterations = 0;
    bool solve(const Loop& loop, std::size_t, Interpreter& run) override {
        const std::size_t n = loop.torn.size();
        for (int k = 0; k < 50; ++k) {
            if (!run.run(loop.residual)) return false;
            double size = 0;
            std::vector<double> r(n);
            for (std::size_t i = 0; i < n; ++i) {
                r[i] = run[loop.residual_slots[i]];
                size += std::abs(r[i]);
            }
            if (!std::isfinite(size)) return false;
            if (size < 1e-13) return true;
            ++iterations;
            if (!run.run(loop.jacobian)) return false;
            std::vector<double> a = dense_jacobian(loop, run);
            // Gauss elimination with row pivots, column-major.
            for (std::size_t c = 0; c < n; ++c) {
                std::size_t pivot = c;
                for (std::size_t i = c; i < n; ++i)
                    if (std::abs(a[c * n + i]) > std::abs(a[c * n + pivot])) pivot = i;
                if (a[c * n + pivot] == 0) return false;
                for (std::size_t j = 0; j < n; ++j) std::swap(a[j * n + c], a[j * n + pivot]);
                std::swap(r[c], r[pivot]);
                for (std::size_t i = c + 1; i < n; ++i) {
                    const double f = a[c * n + i] / a[c * n + c];
                    for (std::size_t j = c; j < n; ++j) a[j * n + i] -= f * a[j * n + c];
                    r[i] -= f * r[c];
                }
            }
            for (std::size_t c = n; c-- > 0;) {
                for (std::size_t j = c + 1; j < n; ++j) r[c] -= a[j * n + c] * r[j];
                r[c] /= a[c * n + c];
            }
            for (std::size_t i = 0; i < n; ++i) run[loop.torn[i]] -= r[i];
        }
        return false;
    }
};

}  // namespace cutset
