#include "control/chain_realization.h"

#include <algorithm>
#include <cmath>

#include "base/diagnostic.h"

namespace cutset {

namespace {

// The poles and zeros of a section: real ones, or one conjugate pair, of each.
struct ChainSection {
    std::vector<Complex> poles, zeros;
    std::size_t room() const { return poles.size() - zeros.size(); }
};

struct SectionMatrices {
    Eigen::MatrixXd A;
    Eigen::VectorXd B;
    Eigen::RowVectorXd C;
    double D = 0;
};

// Of conjugate roots the one with positive imaginary part stands for both.
std::vector<Complex> without_conjugates(const std::vector<Complex>& roots) {
    std::vector<Complex> out;
    for (const Complex& root : roots)
        if (root.imag() >= 0) out.push_back(root);
    return out;
}

double nearest_pole(const ChainSection& section, Complex zero) {
    double least = INFINITY;
    for (const Complex& pole : section.poles) least = std::min(least, std::abs(pole - zero));
    return least;
}

// Each zero goes to the poles that are nearest to it, pairs first: what is left has room for the rest.
std::vector<ChainSection> sections_of(const TransferFunction& g) {
    std::vector<ChainSection> sections;
    for (const Complex& pole : without_conjugates(g.poles)) {
        sections.push_back({{pole}, {}});
        if (pole.imag() != 0) sections.back().poles.push_back(std::conj(pole));
    }
    const auto nearest = [&](Complex zero, std::size_t room, const ChainSection* except = nullptr) {
        ChainSection* best = nullptr;
        for (ChainSection& s : sections)
            if (&s != except && s.room() >= room &&
                (!best || nearest_pole(s, zero) < nearest_pole(*best, zero)))
                best = &s;
        return best;
    };
    const std::vector<Complex> zeros = without_conjugates(g.zeros);
    for (const Complex& zero : zeros) {
        if (zero.imag() == 0) continue;
        ChainSection* section = nearest(zero, 2);
        if (!section) {
            // Two real poles become one section.
            section = nearest(zero, 1);
            ChainSection* other = nearest(zero, 1, section);
            CUTSET_ASSERT(section && other);
            section->poles.push_back(other->poles.front());
            sections.erase(sections.begin() + (other - sections.data()));
            section = nearest(zero, 2);
        }
        section->zeros = {zero, std::conj(zero)};
    }
    for (const Complex& zero : zeros) {
        if (zero.imag() != 0) continue;
        ChainSection* section = nearest(zero, 1);
        CUTSET_ASSERT(section);
        section->zeros.push_back(zero);
    }
    return sections;
}

// About the largest magnitude for inputs that matter.
double size_of_section(const ChainSection& section, bool sampled) {
    const Complex pole = section.poles.front();
    const double size = std::abs(pole);
    std::vector<Complex> places = {1.0, -1.0, std::polar(1.0, std::arg(pole))};
    if (!sampled) places = {0.0, Complex(0, size)};
    double largest = section.room() == 0 && !sampled ? 1 : 0;
    for (const Complex& v : places) {
        Complex value = 1;
        for (const Complex& zero : section.zeros) value *= v - zero;
        for (const Complex& p : section.poles) value /= v - p;
        if (std::isfinite(std::abs(value))) largest = std::max(largest, std::abs(value));
    }
    return largest > 0 ? largest : 1;
}

// Π (s - zero) / Π (s - pole)
SectionMatrices matrices_of(const ChainSection& section) {
    SectionMatrices m;
    const auto order = static_cast<Eigen::Index>(section.poles.size());
    m.B = Eigen::VectorXd::Zero(order);
    m.B[order - 1] = 1;
    m.D = section.room() == 0 ? 1 : 0;
    if (order == 1) {
        const double pole = section.poles[0].real();
        m.A = Eigen::MatrixXd::Constant(1, 1, pole);
        m.C = Eigen::RowVectorXd::Constant(1, section.zeros.empty() ? 1 : pole - section.zeros[0].real());
        return m;
    }
    // Numerator less D times the denominator: r1 s + r0.
    const auto sum = [](const std::vector<Complex>& r) { return (r[0] + r[1]).real(); };
    const auto product = [](const std::vector<Complex>& r) { return (r[0] * r[1]).real(); };
    double r1 = 0, r0 = 1;
    if (section.zeros.size() == 1) {
        r1 = 1;
        r0 = -section.zeros[0].real();
    } else if (section.zeros.size() == 2) {
        r1 = sum(section.poles) - sum(section.zeros);
        r0 = product(section.zeros) - product(section.poles);
    }
    m.A.resize(2, 2);
    m.C.resize(2);
    const Complex pole = section.poles[0];
    if (pole.imag() == 0) {
        // Π 1/(s - pole), the second first.
        m.A << pole.real(), 1, 0, section.poles[1].real();
        m.C << r0 + r1 * pole.real(), r1;
    } else {
        const double w = std::abs(pole);
        m.A << 0, w, -w, 2 * pole.real();
        m.C << r0 / w, r1;
    }
    return m;
}

}  // namespace

StateSpace chain_realization(const TransferFunction& g) {
    CUTSET_ASSERT(g.zeros.size() <= g.poles.size() || g.is_zero());
    StateSpace chain;
    chain.sample_time = g.sample_time;
    chain.A.resize(0, 0);
    chain.B.resize(0, 1);
    chain.C.resize(1, 0);
    chain.D = Eigen::MatrixXd::Constant(1, 1, 1);
    double gain = g.gain;
    if (!g.is_zero())
        for (const ChainSection& section : sections_of(g)) {
            SectionMatrices m = matrices_of(section);
            const double size = size_of_section(section, g.sample_time.has_value());
            gain *= size;
            m.C /= size;
            m.D /= size;
            // The new section stands in front, so that A stays upper triangular.
            const Eigen::Index before = chain.order(), added = m.A.rows();
            StateSpace next;
            next.sample_time = g.sample_time;
            next.A = Eigen::MatrixXd::Zero(before + added, before + added);
            next.A.topLeftCorner(added, added) = m.A;
            next.A.topRightCorner(added, before) = m.B * chain.C;
            next.A.bottomRightCorner(before, before) = chain.A;
            next.B.resize(before + added, 1);
            next.B << m.B * chain.D(0, 0), chain.B;
            next.C.resize(1, before + added);
            next.C << m.C, m.D * chain.C;
            next.D = m.D * chain.D;
            chain = std::move(next);
        }
    chain.C *= gain;
    chain.D *= gain;
    chain.inputs = {"u"};
    chain.outputs = {"y"};
    complete_names(chain.states, static_cast<std::size_t>(chain.order()), "x");
    return chain;
}

StateSpace chain_realization(const std::vector<std::vector<TransferFunction>>& elements) {
    CUTSET_ASSERT(!elements.empty() && !elements[0].empty());
    const auto outputs = static_cast<Eigen::Index>(elements.size()),
               inputs = static_cast<Eigen::Index>(elements[0].size());
    std::vector<StateSpace> chains;
    Eigen::Index order = 0;
    for (const auto& row : elements)
        for (const TransferFunction& g : row) {
            chains.push_back(chain_realization(g));
            order += chains.back().order();
        }
    StateSpace out;
    out.sample_time = elements[0][0].sample_time;
    out.A = Eigen::MatrixXd::Zero(order, order);
    out.B = Eigen::MatrixXd::Zero(order, inputs);
    out.C = Eigen::MatrixXd::Zero(outputs, order);
    out.D = Eigen::MatrixXd::Zero(outputs, inputs);
    Eigen::Index at = 0;
    for (Eigen::Index i = 0; i < outputs; ++i)
        for (Eigen::Index k = 0; k < inputs; ++k) {
            const StateSpace& chain = chains[static_cast<std::size_t>(i * inputs + k)];
            const Eigen::Index n = chain.order();
            out.A.block(at, at, n, n) = chain.A;
            out.B.block(at, k, n, 1) = chain.B;
            out.C.block(i, at, 1, n) = chain.C;
            out.D(i, k) = chain.D(0, 0);
            at += n;
        }
    complete_names(out.inputs, static_cast<std::size_t>(inputs), "u");
    complete_names(out.outputs, static_cast<std::size_t>(outputs), "y");
    complete_names(out.states, static_cast<std::size_t>(order), "x");
    return out;
}

}  // namespace cutset
