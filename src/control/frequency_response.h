// G(s) = C (s E - A)^-1 B + D at many points, also of large systems: dense ones through Hessenberg form, n^2
// operations for each point; sparse ones by a sparse factorisation for each point, where that is less work.
// On several threads.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "control/state_space.h"

namespace cutset {

// Elements of a sparse matrix; those at the same place add up.
struct SparseElements {
    Eigen::Index rows = 0, columns = 0;
    struct Element {
        Eigen::Index row, column;
        double value;
    };
    std::vector<Element> elements;
};

class FrequencyResponse {
  public:
    explicit FrequencyResponse(const StateSpace& system);
    // Descriptor form, sparse: E x' = A x + B u, y = C x + D u.
    FrequencyResponse(const SparseElements& E, const SparseElements& A, const Eigen::MatrixXd& B,
                      const Eigen::MatrixXd& C, const Eigen::MatrixXd& D,
                      std::optional<double> sample_time = {});
    ~FrequencyResponse();
    FrequencyResponse(FrequencyResponse&&) noexcept;

    // At points of the complex plane; infinite elements at a pole.
    std::vector<Eigen::MatrixXcd> at(std::span<const std::complex<double>> points) const;
    Eigen::MatrixXcd at(std::complex<double> point) const;
    // At frequencies in rad/s: s = i w, sampled z = exp(i w T).
    std::vector<Eigen::MatrixXcd> at_frequencies(std::span<const double> frequencies) const;

    bool uses_sparse() const;

  private:
    struct Dense;
    struct Sparse;
    std::unique_ptr<Dense> dense_;
    std::unique_ptr<Sparse> sparse_;
    Eigen::MatrixXd D_;
    std::optional<double> sample_time_;
};

}  // namespace cutset
