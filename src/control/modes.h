// The modes of a linear system: poles, natural frequency and damping of each, and how much each state takes
// part.
//
// With right and left eigenvectors, A v = l v and w^H A = l w^H, the participation of state k in a mode is
// |w_k v_k| / sum_j |w_j v_j|: it does not depend on the units of the states. Of a multiple eigenvalue
// without a full set of eigenvectors it is taken from the projector on its invariant subspace, |P_kk| / sum_j
// |P_jj|.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <optional>
#include <vector>

#include "control/state_space.h"

namespace cutset {

struct Mode {
    std::complex<double> eigenvalue;      // of A: 1/s, or of one sampling period
    double frequency = 0;                 // natural, rad/s: |s|; of a sampled system s = ln(z)/T
    std::optional<double> damping;        // -Re s/|s|; none at s = 0 (and z = 0)
    std::optional<double> time_constant;  // -1/Re s, s; negative: grows; none on the border of stability
    std::vector<double> participation;    // of each state, sum 1; empty when not asked for
    // By how much rounding of the elements of A may move the eigenvalue; 0 when participation was not asked
    // for.
    double rounding = 0;

    // What rounding may have taken from the border of stability (0, the imaginary axis, the unit circle) is
    // put there.
    std::complex<double> settled(bool sampled) const;
    bool on_border(bool sampled) const;
    bool stable(bool sampled) const {
        return !on_border(sampled) && (sampled ? std::abs(eigenvalue) < 1 : eigenvalue.real() < 0);
    }
};

// Frequency, damping and time constant of one pole.
Mode mode_of(std::complex<double> pole, std::optional<double> sample_time);

// Nearest to instability first (largest real part, or largest magnitude when sampled); of a complex pair the
// one with positive imaginary part first. Empty when A has no rows, nothing when A is not finite or the
// iteration failed.
std::optional<std::vector<Mode>> modes(const Eigen::MatrixXd& A, std::optional<double> sample_time = {},
                                       bool with_participation = true);

// In the order of `modes`.
void sort_poles(std::vector<std::complex<double>>& values, bool sampled);
// The eigenvalues in the order of `modes`.
std::optional<std::vector<std::complex<double>>> poles(const Eigen::MatrixXd& A,
                                                       std::optional<double> sample_time = {});

// The same, `Mode::settled`: on the border of stability where rounding may have taken them from it.
std::optional<std::vector<std::complex<double>>> settled_poles(const Eigen::MatrixXd& A,
                                                               std::optional<double> sample_time = {});

struct Participant {
    Eigen::Index state;
    double share;
};
// The states with the largest shares in a mode, largest first: at most `most`, and none below `least` of the
// largest.
std::vector<Participant> participants(const Mode& mode, std::size_t most = 4, double least = 0.05);

}  // namespace cutset
