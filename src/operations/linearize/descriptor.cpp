// The descriptor form: every flat equation differentiated by every variable, without sorting.
#include <algorithm>
#include <cmath>
#include <map>

#include "operations/linearize/linearize.h"
#include "operations/linearize/linearize_messages.h"
#include "transform/parametric_value.h"

namespace cutset {

namespace {

class Descriptor {
  public:
    Descriptor(const DescriptorQuestion& question, Diagnostics& diagnostics)
        : question_(question),
          model_(question.model),
          pool_(*question.model.pool),
          diagnostics_(diagnostics) {}

    std::optional<Linearization> run() {
        number_columns();
        for (EquationIndex e(0); e < model_.equations.end_index(); ++e.value) add_equation(e);
        // x' = der(x) where der(x) is a variable of its own.
        for (const auto& [key, column] : columns_) {
            if (key.second == 0) continue;
            const int row = int(rows_++);
            e_.emplace_back(row, columns_.at({key.first, key.second - 1}), 1.0);
            a_.emplace_back(row, column, 1.0);
        }
        for (std::size_t i = 0; i < question_.outputs.size(); ++i) add_output(int(i));
        if (failed_) return std::nullopt;
        const std::size_t n = columns_.size();
        if (rows_ != n) {
            diagnostics_.report(linearize_messages::not_square(model_, rows_, n));
            return std::nullopt;
        }
        Linearization result;
        const auto build = [](SparseMatrix& matrix, std::size_t rows, std::size_t columns, const auto& list) {
            matrix.resize(Eigen::Index(rows), Eigen::Index(columns));
            matrix.setFromTriplets(list.begin(), list.end());
        };
        result.E.emplace();
        build(*result.E, n, n, e_);
        build(result.A, n, n, a_);
        build(result.B, n, question_.inputs.size(), b_);
        build(result.C, question_.outputs.size(), n, c_);
        build(result.D, question_.outputs.size(), question_.inputs.size(), d_);
        result.states.resize(n);
        result.x.resize(n);
        result.derivatives.resize(n);
        for (const auto& [key, column] : columns_) {
            std::string name = model_.path(VariableIndex(key.first));
            for (std::uint32_t i = 0; i < key.second; ++i) name = derivative_name(name);
            result.states[std::size_t(column)] = name;
            result.x[std::size_t(column)] = value(VariableIndex(key.first), key.second).value_or(NAN);
            result.derivatives[std::size_t(column)] =
                value(VariableIndex(key.first), key.second + 1).value_or(0);
        }
        for (VariableIndex u : question_.inputs) {
            result.inputs.push_back(model_.path(u));
            result.u.push_back(value(u, 0).value_or(NAN));
        }
        for (VariableIndex y : question_.outputs) {
            result.outputs.push_back(model_.path(y));
            result.y.push_back(value(y, 0).value_or(NAN));
        }
        result.time = question_.time;
        return result;
    }

  private:
    using Key = std::pair<std::uint32_t, std::uint32_t>;  // variable, order

    // Variables in their order; x and der(x) where x'' occurs.
    void number_columns() {
        std::vector<std::uint32_t> highest(model_.variables.size(), 0);
        std::vector<bool> used(model_.variables.size(), false);
        for (const Equation& e : model_.equations)
            for (Expr side : {e.left, e.right})
                for_each_leaf(side, [&](Expr leaf) {
                    if (leaf->op != Op::Variable) return;
                    used[leaf->index] = true;
                    highest[leaf->index] = std::max(highest[leaf->index], std::uint32_t(leaf->order));
                });
        for (VariableIndex v(0); v < model_.variables.end_index(); ++v.value) {
            if (model_.variables[v].variability != Variability::Continuous || !used[v.value]) continue;
            for (std::uint32_t order = 0; order == 0 || order < highest[v.value]; ++order)
                columns_.emplace(Key{v.value, order}, 0);
        }
        int next = 0;
        for (auto& [key, column] : columns_) column = next++;
        for (std::size_t i = 0; i < question_.inputs.size(); ++i) input_[question_.inputs[i].value] = int(i);
    }

    std::optional<double> value(VariableIndex v, std::uint32_t order) const {
        if (model_.variables[v].variability <= Variability::Parameter && order > 0) return 0;
        return question_.value(v, order);
    }

    std::optional<double> value(Expr e) {
        Environment environment;
        environment.leaf = [&](Expr leaf) -> std::optional<double> {
            if (leaf->op == Op::Time) return question_.time;
            if (leaf->op == Op::Previous) return value(leaf->variable(), 0);
            if (leaf->op != Op::Variable) return std::nullopt;
            return value(leaf->variable(), leaf->order);
        };
        environment.apply = [&](Expr call, std::span<const double> arguments) {
            return table_call_value(model_, call, arguments);
        };
        return evaluate(e, environment);
    }

    void add_equation(EquationIndex e) {
        const Equation& equation = model_.equations[e];
        const Expr terms[2] = {equation.left, pool_.negate(equation.right)};
        const Expr residual = pool_.add(terms);
        const int row = int(rows_++);
        std::vector<Expr> leaves;
        for_each_leaf(residual, [&](Expr leaf) {
            if (leaf->op == Op::Variable && std::find(leaves.begin(), leaves.end(), leaf) == leaves.end())
                leaves.push_back(leaf);
        });
        for (Expr leaf : leaves) {
            const auto input = input_.find(leaf->index);
            const bool is_input = input != input_.end() && leaf->order == 0;
            if (!is_input && model_.variables[leaf->variable()].variability != Variability::Continuous)
                continue;
            const std::optional<double> d = value(differentiate(pool_, residual, leaf));
            if (!d || !std::isfinite(*d)) {
                if (!failed_) diagnostics_.report(linearize_messages::no_value(model_, e, leaf->variable()));
                failed_ = true;
                return;
            }
            if (is_input) {
                b_.emplace_back(row, input->second, -*d);
                continue;
            }
            // The highest derivative of a variable is that of its last column.
            const auto own = columns_.find({leaf->index, leaf->order});
            if (own != columns_.end())
                a_.emplace_back(row, own->second, -*d);
            else
                e_.emplace_back(row, columns_.at({leaf->index, leaf->order - 1}), *d);
        }
    }

    void add_output(int row) {
        const VariableIndex y = question_.outputs[std::size_t(row)];
        if (const auto own = columns_.find({y.value, 0}); own != columns_.end())
            c_.emplace_back(row, own->second, 1.0);
        else if (const auto input = input_.find(y.value); input != input_.end())
            d_.emplace_back(row, input->second, 1.0);
    }

    const DescriptorQuestion& question_;
    const FlatModel& model_;
    Pool& pool_;
    Diagnostics& diagnostics_;
    std::map<Key, int> columns_;
    std::map<std::uint32_t, int> input_;
    std::vector<Eigen::Triplet<double>> e_, a_, b_, c_, d_;
    std::size_t rows_ = 0;
    bool failed_ = false;
};

}  // namespace

std::optional<Linearization> descriptor_form(const DescriptorQuestion& question, Diagnostics& diagnostics) {
    return Descriptor(question, diagnostics).run();
}

}  // namespace cutset
