// Root loci: the roots of P0(s) + k·P1(s) + k²·P2(s) + … = 0 as k varies, with branches that stay joined.
//
// Gains at which roots meet are computed first, as those for which the polynomial has a multiple root;
// between them the branches are smooth. Each stretch is followed with a gain that moves slowly at its ends
// (there a root goes like the square root of the gain), and steps are halved until every root is nearer to
// its continuation than to any other root.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "control/local_branches.h"
#include "control/matrix_fraction.h"
#include "control/polynomial.h"

namespace cutset {

struct LocusPolynomial {
    std::vector<std::vector<double>> by_gain;  // P0, P1, …: each highest power first
    std::optional<double> sample_time;
    // For 1 + k·L = 0 with one input and output: roots of P0 and P1.
    std::vector<Complex> poles, zeros;
    double leading_gain = 1;  // of L
    // Gains with a multiple root, where they are known exactly: real zeros of the discriminant.
    std::optional<std::vector<double>> critical_gains;

    std::vector<double> at(double gain) const;
};
// det(D(s) + k·N(s)) of a square transfer matrix N D^-1: feedback of -k times each output to its input.
LocusPolynomial locus_polynomial(const MatrixFraction& right, std::optional<double> sample_time);
LocusPolynomial locus_polynomial(const std::vector<Complex>& zeros, const std::vector<Complex>& poles,
                                 double gain, std::optional<double> sample_time);

struct LocusBranch {
    std::vector<double> gain;
    std::vector<Complex> root;
};

struct RootLocus {
    std::vector<LocusBranch> branches;
    struct Meeting {  // breakaway and break-in points
        double gain = 0;
        Complex root;
        unsigned multiplicity = 2;
        std::vector<LocalBranches> leave;  // how the branches leave it with growing gain
    };
    std::vector<Meeting> meetings;
    struct Crossing {  // of the stability boundary
        double gain = 0;
        Complex root;
        double frequency = 0;  // rad/s
        bool outwards = true;  // with growing gain
    };
    std::vector<Crossing> crossings;
    struct Interval {
        double low = 0, high = 0;
    };
    // Gains at which the highest coefficient vanishes: roots pass through infinity there, branches end and
    // others begin, and the closed loop is not well posed.
    std::vector<double> passages;
    std::vector<Interval>
        stable;  // gains for which all roots are stable, within the range, without `passages`

    double low = 0, high = 0;  // the range of gains

    // One input and output only.
    struct Asymptotes {
        double center = 0;
        std::vector<double> angles;  // degrees, in (-180, 180]
    };
    std::optional<Asymptotes> asymptotes;
    struct Angle {
        Complex root;
        double angle = 0;  // degrees: of the branch that leaves a pole or arrives at a zero
    };
    std::vector<Angle> departures, arrivals;
};

// Without a range: from 0 to a gain at which all that happens has happened.
RootLocus root_locus(const LocusPolynomial& p, std::optional<double> low, std::optional<double> high);

// Roots as a parameter varies, joined in the same way; `roots_at` gives as many each time, or none when it
// fails. A value of the parameter is tried about `points` times, more where roots come near to each other.
struct TrackedRoots {
    std::vector<LocusBranch> branches;
    std::vector<RootLocus::Crossing> crossings;
    bool complete = true;
};
TrackedRoots track_roots(const std::function<std::vector<Complex>(double)>& roots_at, double low, double high,
                         std::size_t points, std::optional<double> sample_time);

}  // namespace cutset
