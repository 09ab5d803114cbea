// Matrices of exact coefficients and of polynomials, and exact elimination.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "control/exact_polynomial.h"
#include "control/state_space.h"

namespace cutset {

template <class Element>
class DenseMatrix {
  public:
    DenseMatrix() = default;
    DenseMatrix(std::size_t rows, std::size_t columns)
        : rows_(rows), columns_(columns), elements_(rows * columns) {}
    static DenseMatrix identity(std::size_t n) {
        DenseMatrix m(n, n);
        for (std::size_t i = 0; i < n; ++i) m(i, i) = Element(1);
        return m;
    }

    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }
    Element& operator()(std::size_t i, std::size_t k) { return elements_[i * columns_ + k]; }
    const Element& operator()(std::size_t i, std::size_t k) const { return elements_[i * columns_ + k]; }
    bool operator==(const DenseMatrix& other) const = default;

    DenseMatrix transposed() const {
        DenseMatrix out(columns_, rows_);
        for (std::size_t i = 0; i < rows_; ++i)
            for (std::size_t k = 0; k < columns_; ++k) out(k, i) = (*this)(i, k);
        return out;
    }
    DenseMatrix block(std::size_t row, std::size_t column, std::size_t rows, std::size_t columns) const {
        DenseMatrix out(rows, columns);
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t k = 0; k < columns; ++k) out(i, k) = (*this)(row + i, column + k);
        return out;
    }
    DenseMatrix operator*(const DenseMatrix& other) const {
        DenseMatrix out(rows_, other.columns_);
        for (std::size_t i = 0; i < rows_; ++i)
            for (std::size_t j = 0; j < columns_; ++j) {
                if ((*this)(i, j).is_zero()) continue;
                for (std::size_t k = 0; k < other.columns_; ++k)
                    if (!other(j, k).is_zero()) out(i, k) = out(i, k) + (*this)(i, j) * other(j, k);
            }
        return out;
    }
    DenseMatrix operator+(const DenseMatrix& other) const {
        DenseMatrix out = *this;
        for (std::size_t i = 0; i < elements_.size(); ++i)
            out.elements_[i] = elements_[i] + other.elements_[i];
        return out;
    }
    DenseMatrix operator-(const DenseMatrix& other) const {
        DenseMatrix out = *this;
        for (std::size_t i = 0; i < elements_.size(); ++i)
            out.elements_[i] = elements_[i] - other.elements_[i];
        return out;
    }
    bool is_zero() const {
        for (const Element& e : elements_)
            if (!e.is_zero()) return false;
        return true;
    }
    void swap_rows(std::size_t a, std::size_t b) {
        for (std::size_t k = 0; k < columns_ && a != b; ++k) std::swap((*this)(a, k), (*this)(b, k));
    }
    void swap_columns(std::size_t a, std::size_t b) {
        for (std::size_t i = 0; i < rows_ && a != b; ++i) std::swap((*this)(i, a), (*this)(i, b));
    }
    // Row `to` plus `factor` times row `from`.
    void add_row(std::size_t to, const Element& factor, std::size_t from) {
        for (std::size_t k = 0; k < columns_; ++k)
            if (!(*this)(from, k).is_zero()) (*this)(to, k) = (*this)(to, k) + factor * (*this)(from, k);
    }
    void add_column(std::size_t to, const Element& factor, std::size_t from) {
        for (std::size_t i = 0; i < rows_; ++i)
            if (!(*this)(i, from).is_zero()) (*this)(i, to) = (*this)(i, to) + (*this)(i, from) * factor;
    }

  private:
    std::size_t rows_ = 0, columns_ = 0;
    std::vector<Element> elements_;
};

using ExactMatrix = DenseMatrix<Coefficient>;
using PolynomialMatrix = DenseMatrix<ExactPolynomial>;

template <class Element>
DenseMatrix<Element> beside(const DenseMatrix<Element>& a, const DenseMatrix<Element>& b) {
    DenseMatrix<Element> out(a.rows(), a.columns() + b.columns());
    for (std::size_t i = 0; i < a.rows(); ++i) {
        for (std::size_t k = 0; k < a.columns(); ++k) out(i, k) = a(i, k);
        for (std::size_t k = 0; k < b.columns(); ++k) out(i, a.columns() + k) = b(i, k);
    }
    return out;
}
template <class Element>
DenseMatrix<Element> above(const DenseMatrix<Element>& a, const DenseMatrix<Element>& b) {
    return beside(a.transposed(), b.transposed()).transposed();
}

// The reduced echelon form with leading ones, and the columns that have them.
struct EchelonForm {
    ExactMatrix matrix;
    std::vector<std::size_t> pivots;
};
EchelonForm echelon_form(ExactMatrix m);
std::size_t rank(const ExactMatrix& m);
// Nothing when it is singular.
std::optional<ExactMatrix> inverse(const ExactMatrix& m);

// Exact, by `simple_rational`.
ExactMatrix exact(const Eigen::MatrixXd& m);
Eigen::MatrixXd numbers(const ExactMatrix& m, const std::vector<double>& symbols = {});

// A linear system with exact, possibly symbolic coefficients.
struct ExactStateSpace {
    ExactMatrix A, B, C, D;
    std::size_t order() const { return A.rows(); }
};

}  // namespace cutset
