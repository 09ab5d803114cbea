#include "numerics/integrators/iteration_matrix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "base/diagnostic.h"
#include "numerics/linear/block_factors.h"
#include "numerics/linear/dense_kernels.h"

namespace cutset {

namespace {

// The iterations of the methods correct themselves: no refinement, and only an exact zero stops.
constexpr DenseLu::Options rough{.singular_when = DenseLu::SingularWhen::ExactZero, .refine = false};

// More unknowns than this are not worth a full matrix where the sparse one is incomplete.
constexpr std::size_t most_quotients = 300;

struct ExtendedPattern {
    SparsePattern pattern;
    std::vector<std::uint32_t> places;    // of the elements of the Jacobian
    std::vector<std::uint32_t> diagonal;  // of the first rows
};

// The pattern with the diagonal of the first `diagonal` rows.
ExtendedPattern with_diagonal(const SparsePattern& p, std::size_t diagonal) {
    ExtendedPattern result;
    SparsePattern& q = result.pattern;
    q.rows = p.rows;
    q.columns = p.columns;
    q.starts.reserve(p.starts.size());
    q.row.reserve(p.row.size() + diagonal);
    result.places.resize(p.row.size());
    result.diagonal.resize(diagonal);
    q.starts.push_back(0);
    for (std::size_t j = 0; j < p.columns; ++j) {
        bool missing = j < diagonal;
        const auto add_diagonal = [&] {
            result.diagonal[j] = static_cast<std::uint32_t>(q.row.size());
            q.row.push_back(static_cast<std::int64_t>(j));
            missing = false;
        };
        for (auto k = static_cast<std::size_t>(p.starts[j]); k < static_cast<std::size_t>(p.starts[j + 1]);
             ++k) {
            const auto i = static_cast<std::size_t>(p.row[k]);
            if (missing && i > j) add_diagonal();
            if (missing && i == j) {
                result.diagonal[j] = static_cast<std::uint32_t>(q.row.size());
                missing = false;
            }
            result.places[k] = static_cast<std::uint32_t>(q.row.size());
            q.row.push_back(p.row[k]);
        }
        if (missing) add_diagonal();
        q.starts.push_back(static_cast<std::int64_t>(q.row.size()));
    }
    return result;
}

}  // namespace

JacobianMatrix::JacobianMatrix(IvpFunctions& functions) : functions_(functions) {
    const IvpProblem& problem = functions.problem();
    n_ = problem.n;
    m_ = problem.jacobian ? problem.jacobian->intermediates : 0;
    differential_ = n_ - problem.algebraic;
    always_dense_ = !problem.jacobian ||
                    dense_is_cheaper(n_, with_diagonal(problem.jacobian->pattern, differential_).pattern);
    dense_ = always_dense_;
    if (dense_) full_.resize(n_ * n_);
    if (!problem.jacobian) return;
    values_.resize(pattern().elements());
    work_.resize(n_ + m_);
    if (!dense_ || problem.jacobian->computed == 0) return;
    backward_.emplace(pattern(), n_, problem.jacobian->computed);
    if (!backward_->pays()) backward_.reset();
}

int JacobianMatrix::evaluate(double t, std::span<const double> x, std::span<const double> fx,
                             std::span<const double> weights, double h) {
    const IvpFunctions::Timer timer(functions_, functions_.jacobian_seconds);
    const std::optional<IvpJacobian>& given = functions_.problem().jacobian;
    const bool incomplete = given && given->valid && !given->valid();
    if (!given || (incomplete && (always_dense_ || n_ <= most_quotients))) {
        dense_ = true;
        evaluated_ = formed_ = false;
        full_.resize(n_ * n_);
        return functions_.difference_quotients(t, x, fx, weights, h, full_);
    }
    dense_ = always_dense_;
    if (evaluated_ && functions_.problem().jacobian->constant) return 0;
    const bool formed = std::exchange(formed_, false);
    evaluated_ = false;
    new_values_.resize(values_.size());
    int flag = functions_.jacobian(t, x, fx, new_values_);
    // After an event it is often the same.
    const bool same = formed && flag == 0 && new_values_ == values_;
    if (!same) {
        std::swap(values_, new_values_);
        intermediates_factored_ = false;
        if (flag == 0 && dense_) flag = form_full();
    }
    evaluated_ = formed_ = flag == 0;
    return flag;
}

void JacobianMatrix::prepare_intermediates() {
    if (intermediates_) return;
    const SparsePattern& p = pattern();
    SparsePattern e;
    e.rows = e.columns = m_;
    e.starts.push_back(0);
    for (std::size_t j = n_; j < n_ + m_; ++j) {
        for (auto k = static_cast<std::size_t>(p.starts[j]); k < static_cast<std::size_t>(p.starts[j + 1]);
             ++k) {
            if (static_cast<std::size_t>(p.row[k]) < n_) continue;
            e.row.push_back(p.row[k] - static_cast<std::int64_t>(n_));
            intermediate_places_.push_back(k);
        }
        e.starts.push_back(static_cast<std::int64_t>(e.row.size()));
    }
    intermediate_values_.resize(e.row.size());
    intermediates_.emplace(rough);
    intermediates_->set_pattern(e);
    ++functions_.symbolic_analyses;
}

// Factors are made again when they are needed: of the same values, with the same pivots.
void JacobianMatrix::remember(MemoryStream& memory) {
    memory("dense matrix", dense_);
    memory("evaluated", evaluated_);
    memory("formed", formed_);
    if (dense_) {
        full_.resize(n_ * n_);
        memory("full", full_);
    }
    memory("elements", values_);
    bool has_intermediates = intermediates_.has_value();
    memory("intermediates", has_intermediates);
    if (!has_intermediates) return;
    if (m_ == 0) return memory.fail();
    if (memory.restores()) intermediates_factored_ = false;
    prepare_intermediates();
    intermediates_->remember_pivots(memory);
}

bool JacobianMatrix::factor_intermediates() {
    if (m_ == 0 || intermediates_factored_) return true;
    prepare_intermediates();
    for (std::size_t k = 0; k < intermediate_values_.size(); ++k)
        intermediate_values_[k] = values_[intermediate_places_[k]];
    return intermediates_factored_ = intermediates_->factor(intermediate_values_);
}

int JacobianMatrix::form_full() {
    if (!(backward_ ? backward_->evaluate(values_, full_) : form_by_columns())) return 1;
    return std::all_of(full_.begin(), full_.end(), [](double v) { return std::isfinite(v); }) ? 0 : 1;
}

// A, and for the columns that reach intermediates B z with z = -E^-1 C e_j, four of them at a time.
bool JacobianMatrix::form_by_columns() {
    const SparsePattern& p = pattern();
    if (!factor_intermediates()) return false;
    std::fill(full_.begin(), full_.end(), 0.0);
    sides_.assign(m_, FourNumbers{});
    std::array<std::size_t, 4> together{};
    std::size_t count = 0;
    for (std::size_t j = 0; j < n_; ++j) {
        double* column = &full_[j * n_];
        bool any = false;
        for (auto k = static_cast<std::size_t>(p.starts[j]); k < static_cast<std::size_t>(p.starts[j + 1]);
             ++k) {
            const auto i = static_cast<std::size_t>(p.row[k]);
            if (i < n_) {
                column[i] = values_[k];
                continue;
            }
            any = true;
            sides_[i - n_][count] = -values_[k];
        }
        if (!any) continue;
        together[count++] = j;
        if (count < together.size()) continue;
        add_intermediates(together);
        count = 0;
        std::fill(sides_.begin(), sides_.end(), FourNumbers{});
    }
    if (count > 0) add_intermediates(std::span(together).first(count));
    return true;
}

void JacobianMatrix::add_intermediates(std::span<const std::size_t> columns) {
    const SparsePattern& p = pattern();
    intermediates_->solve(std::span(sides_));
    for (std::size_t q = 0; q < m_; ++q)
        for (auto k = static_cast<std::size_t>(p.starts[n_ + q]);
             k < static_cast<std::size_t>(p.starts[n_ + q + 1]) && static_cast<std::size_t>(p.row[k]) < n_;
             ++k) {
            const FourNumbers change = values_[k] * sides_[q];
            for (std::size_t s = 0; s < columns.size(); ++s)
                full_[columns[s] * n_ + static_cast<std::size_t>(p.row[k])] += change[s];
        }
}

bool JacobianMatrix::multiply(std::span<const double> v, std::span<double> product) {
    std::fill(product.begin(), product.end(), 0.0);
    if (dense_) {
        for (std::size_t j = 0; j < n_; ++j)
            for (std::size_t i = 0; i < n_; ++i) product[i] += full_[j * n_ + i] * v[j];
        return true;
    }
    if (!factor_intermediates()) return false;
    // [A; C] v, then z = -E^-1 (C v), then + B z
    const SparsePattern& p = pattern();
    std::fill(work_.begin(), work_.end(), 0.0);
    const auto add_column = [&](std::size_t j, double factor) {
        for (auto k = static_cast<std::size_t>(p.starts[j]); k < static_cast<std::size_t>(p.starts[j + 1]);
             ++k)
            work_[static_cast<std::size_t>(p.row[k])] += values_[k] * factor;
    };
    for (std::size_t j = 0; j < n_; ++j) add_column(j, v[j]);
    if (m_ > 0) {
        std::vector<double> z(work_.begin() + static_cast<std::ptrdiff_t>(n_), work_.end());
        intermediates_->solve(z);
        for (std::size_t q = 0; q < m_; ++q) add_column(n_ + q, -z[q]);
    }
    std::copy_n(work_.begin(), n_, product.begin());
    return true;
}

template <class Scalar>
IterationMatrix<Scalar>::IterationMatrix(JacobianMatrix& jacobian)
    : jacobian_(jacobian), dense_(rough), sparse_(rough) {
    if (jacobian.always_dense()) return;
    ExtendedPattern extended = with_diagonal(jacobian.pattern(), jacobian.differential());
    if (extended.pattern.elements() > jacobian.pattern().elements()) places_ = std::move(extended.places);
    diagonal_ = std::move(extended.diagonal);
    values_.resize(extended.pattern.elements());
    unknowns_.resize(jacobian.unknowns());
    sparse_.set_pattern(extended.pattern);
}

template <class Scalar>
bool IterationMatrix<Scalar>::factor(Scalar shift, double factor) {
    IvpFunctions& functions = jacobian_.functions();
    const IvpFunctions::Timer timer(functions, functions.factor_seconds);
    ++functions.factorizations;
    factored_dense_ = jacobian_.dense();
    shift_ = shift;
    factor_ = factor;
    return made_ = factored_dense_ ? factor_dense(shift, factor) : factor_sparse(shift, factor);
}

template <class Scalar>
void IterationMatrix<Scalar>::remember(MemoryStream& memory) {
    memory("matrix made", made_);
    memory("shift", shift_);
    memory("factor", factor_);
    memory("matrix dense", factored_dense_);
    if (!jacobian_.always_dense()) sparse_.remember_pivots(memory);
    if (memory.restores() && memory.good() && made_) factor(shift_, factor_);
}

template <class Scalar>
std::optional<std::size_t> IterationMatrix<Scalar>::singular_unknown() const {
    const auto column = factored_dense_ ? dense_.singular_column() : sparse_.singular_column();
    return column && *column < jacobian_.size() ? column : std::nullopt;
}

template <class Scalar>
bool IterationMatrix<Scalar>::factor_dense(Scalar shift, double factor) {
    const std::size_t n = jacobian_.size(), differential = jacobian_.differential();
    const std::span<const double> values = jacobian_.values();
    const auto form = [&](Scalar* full) {
        if (differential == n) {
            for (std::size_t i = 0; i < n * n; ++i) full[i] = factor * values[i];
        } else {
            for (std::size_t j = 0; j < n; ++j) {
                for (std::size_t i = 0; i < differential; ++i) full[i + j * n] = factor * values[i + j * n];
                for (std::size_t i = differential; i < n; ++i) full[i + j * n] = values[i + j * n];
            }
        }
        for (std::size_t i = 0; i < differential; ++i) full[i * (n + 1)] += shift;
    };
    if constexpr (std::is_same_v<Scalar, double>) {
        form(dense_.place(n).data());
        return dense_.factor_placed();
    } else {
        full_.resize(n * n);
        form(full_.data());
        pivots_.resize(n);
        return factor_full(n, full_.data(), pivots_.data()) == 0;
    }
}

template <class Scalar>
bool IterationMatrix<Scalar>::factor_sparse(Scalar shift, double factor) {
    const SparsePattern& p = jacobian_.pattern();
    const std::span<const double> values = jacobian_.values();
    const auto differential = static_cast<std::int64_t>(jacobian_.differential());
    const bool all = differential == static_cast<std::int64_t>(p.rows);
    const auto value = [&](std::size_t k) {
        return all || p.row[k] < differential ? factor * values[k] : values[k];
    };
    if (places_.empty() && all) {
        for (std::size_t k = 0; k < values.size(); ++k) values_[k] = factor * values[k];
    } else if (places_.empty()) {
        for (std::size_t k = 0; k < values.size(); ++k) values_[k] = value(k);
    } else {
        for (std::uint32_t place : diagonal_) values_[place] = 0;
        for (std::size_t k = 0; k < values.size(); ++k) values_[places_[k]] = value(k);
    }
    for (std::uint32_t place : diagonal_) values_[place] += shift;
    const long before = sparse_.analyses();
    const bool ok = sparse_.factor(values_);
    jacobian_.functions().symbolic_analyses += sparse_.analyses() - before;
    return ok;
}

template <class Scalar>
void IterationMatrix<Scalar>::solve(std::span<Scalar> r) {
    IvpFunctions& functions = jacobian_.functions();
    const IvpFunctions::Timer timer(functions, functions.solve_seconds, functions.solves);
    if (!factored_dense_) {
        if (unknowns_.size() == r.size()) return sparse_.solve(r);
        std::copy(r.begin(), r.end(), unknowns_.begin());
        std::fill(unknowns_.begin() + static_cast<std::ptrdiff_t>(r.size()), unknowns_.end(), Scalar(0));
        sparse_.solve(unknowns_);
        std::copy_n(unknowns_.begin(), r.size(), r.begin());
        return;
    }
    if constexpr (std::is_same_v<Scalar, double>) {
        dense_.solve(r);
    } else {
        solve_with_factors(r.size(), full_.data(), pivots_.data(), r.data());
    }
}

template class IterationMatrix<double>;
template class IterationMatrix<std::complex<double>>;

}  // namespace cutset
