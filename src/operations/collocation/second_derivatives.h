// Second derivatives of a model x' = f(t, x, p), y = g(t, x, p), exact: the sections of its Program are run
// with dual numbers.
//
//     M = [T F; P E]: the elements of LinearizedEquations, V = [I; -E⁻¹ P] how everything moves with x, p
//     ∂²(λᵀ[f; g])/∂z_i∂z_j = lᵀ (∂M/∂z_j) V_i,      lᵀ = λᵀ [I, -F E⁻¹]
//
// ∂M/∂z_j is one run of the Jacobian with dual numbers; a loop is solved for them by one step of Newton's
// method with its own Jacobian, which is exact to first order in ε.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "expr/dual.h"
#include "generate/interpreter.h"
#include "numerics/linear/matrix_lu.h"
#include "numerics/linear/sparse_pattern.h"

namespace cutset {

class SecondDerivatives {
  public:
    // The Program has `linearized`.
    explicit SecondDerivatives(const Program& program);

    // False where a function is already differentiated twice in the Jacobian.
    bool available() const { return available_; }
    // The directions z: states, open parameters, then the time.
    std::size_t directions() const { return kept_ + 1; }
    bool depends_on_time() const { return time_matters_; }
    // Lower triangle of the Hessian.
    const SparsePattern& pattern() const { return pattern_; }

    // The point: all values after the equations were evaluated there. Must live as long as it is used.
    bool take(const Interpreter& at);
    // ∂f/∂t, then ∂g/∂t.
    bool by_time(std::span<double> rows);
    // By element of `pattern`: the Hessian of Σ weights_i [f; g]_i.
    bool evaluate(std::span<const double> weights, std::span<double> elements);

  private:
    using First = Dual<double>;
    using Second = Dual<First>;
    struct LoopMatrix {
        MatrixLu lu;
        bool factored = false;
    };

    template <class T>
    bool run(const Section& section, std::vector<T>& r);
    template <class T>
    bool solve(std::size_t number, std::vector<T>& r);
    template <class T>
    void load(std::vector<T>& r) const;
    bool run_equations(std::vector<First>& r);
    std::optional<double> call(const CallSite& site, std::span<const double> arguments);
    template <class T>
    std::optional<Dual<T>> call(const CallSite& site, std::span<const Dual<T>> arguments);
    Slot direction_slot(std::size_t j) const;
    Slot row_slot(std::size_t row) const;
    void find_pattern();
    bool eliminate(std::span<const double> weights);

    const Program& program_;
    const LinearizedEquations& equations_;
    std::size_t states_, kept_, rows_, intermediates_;
    bool available_ = true, time_matters_ = false;
    SparsePattern pattern_;
    std::vector<bool> active_;                         // by direction: elements of M change with it
    std::vector<std::vector<std::uint32_t>> columns_;  // by intermediate: the kept columns it moves with
    std::optional<Interpreter> at_;                    // the point, and who calls functions
    std::vector<LoopMatrix> loops_;
    std::vector<First> first_;
    std::vector<Second> second_;
    MatrixLu inner_, inner_transposed_;          // E and its transpose
    std::vector<std::size_t> inner_order_;       // entries of E, by row, for the transpose
    std::vector<double> left_, moves_, column_;  // l; -E⁻¹P by columns; one column of the Hessian
};

}  // namespace cutset
