#include "control/frequency_response.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "base/on_threads.h"
#include "control/decompositions.h"
#include "control/scaling.h"
#include "numerics/linear/hessenberg.h"
#include "numerics/linear/sparse.h"

namespace cutset {

namespace {

using Complex = std::complex<double>;

// Below this size a dense system is solved before a sparse analysis is done.
constexpr Eigen::Index smallest_sparse = 60;
// An operation on sparse factors costs that many dense ones.
constexpr double sparse_penalty = 8;
// Points times order squared from which on threads pay.
constexpr double work_for_threads = 2e7;

}  // namespace

struct FrequencyResponse::Dense {
    Eigen::MatrixXd H, B, Ct;
    bool transposed = false;  // the system is the transpose of the one asked for
};

struct FrequencyResponse::Sparse {
    SparsePattern pattern;
    std::vector<double> a, e;  // of s E - A: s e - a
    Eigen::MatrixXd B, C;

    static std::unique_ptr<Sparse> make(const SparseElements& E, const SparseElements& A) {
        auto out = std::make_unique<Sparse>();
        struct Entry {
            Eigen::Index row, column;
            double a, e;
        };
        std::vector<Entry> all;
        for (const auto& x : A.elements) all.push_back({x.row, x.column, x.value, 0});
        for (const auto& x : E.elements) all.push_back({x.row, x.column, 0, x.value});
        std::stable_sort(all.begin(), all.end(), [](const Entry& x, const Entry& y) {
            return x.column != y.column ? x.column < y.column : x.row < y.row;
        });
        out->pattern.rows = static_cast<std::size_t>(A.rows);
        out->pattern.columns = static_cast<std::size_t>(A.columns);
        out->pattern.starts.assign(A.columns + 1, 0);
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i == 0 || all[i].row != all[i - 1].row || all[i].column != all[i - 1].column) {
                out->pattern.row.push_back(all[i].row);
                out->a.push_back(0);
                out->e.push_back(0);
                ++out->pattern.starts[all[i].column + 1];
            }
            out->a.back() += all[i].a;
            out->e.back() += all[i].e;
        }
        for (Eigen::Index j = 0; j < A.columns; ++j) out->pattern.starts[j + 1] += out->pattern.starts[j];
        return out;
    }
};

FrequencyResponse::FrequencyResponse(const StateSpace& system)
    : D_(system.D), sample_time_(system.sample_time) {
    const Eigen::Index n = system.order();
    // States in units that suit the numbers, so that pivots are chosen well.
    const SystemScaling scaling = scaling_of(system);
    const StateSpace s = scaled(system, {scaling.states, Eigen::VectorXd::Ones(system.B.cols()),
                                         Eigen::VectorXd::Ones(system.C.rows())});
    const Eigen::Index filled = (s.A.array() != 0).count();
    if (n >= smallest_sparse && filled < n * n / 8) {
        SparseElements A{n, n, {}}, E{n, n, {}};
        for (Eigen::Index j = 0; j < n; ++j) {
            for (Eigen::Index i = 0; i < n; ++i)
                if (s.A(i, j) != 0) A.elements.push_back({i, j, s.A(i, j)});
            E.elements.push_back({j, j, 1});
        }
        auto sparse = Sparse::make(E, A);
        BasicSparseLu<Complex> lu;
        lu.set_pattern(sparse->pattern);
        const auto effort = lu.effort();
        const double solves = static_cast<double>(s.B.cols());
        const double dense_work = (1 + solves) * 0.5 * static_cast<double>(n) * static_cast<double>(n);
        if (sparse_penalty * (effort.operations + effort.elements * solves) < dense_work) {
            sparse->B = s.B;
            sparse->C = s.C;
            sparse_ = std::move(sparse);
            return;
        }
    }
    dense_ = std::make_unique<Dense>();
    dense_->transposed = s.C.rows() < s.B.cols();
    dense_->H = dense_->transposed ? Eigen::MatrixXd(s.A.transpose()) : s.A;
    dense_->B = dense_->transposed ? Eigen::MatrixXd(s.C.transpose()) : s.B;
    dense_->Ct = dense_->transposed ? s.B : Eigen::MatrixXd(s.C.transpose());
    reduce_to_hessenberg(static_cast<std::size_t>(n), dense_->H.data(),
                         static_cast<std::size_t>(dense_->B.cols()), dense_->B.data(),
                         static_cast<std::size_t>(dense_->Ct.cols()), dense_->Ct.data());
}

FrequencyResponse::FrequencyResponse(const SparseElements& E, const SparseElements& A,
                                     const Eigen::MatrixXd& B, const Eigen::MatrixXd& C,
                                     const Eigen::MatrixXd& D, std::optional<double> sample_time)
    : sparse_(Sparse::make(E, A)), D_(D), sample_time_(sample_time) {
    sparse_->B = B;
    sparse_->C = C;
}

FrequencyResponse::~FrequencyResponse() = default;
FrequencyResponse::FrequencyResponse(FrequencyResponse&&) noexcept = default;

bool FrequencyResponse::uses_sparse() const {
    return sparse_ != nullptr;
}

std::vector<Eigen::MatrixXcd> FrequencyResponse::at(std::span<const Complex> points) const {
    std::vector<Eigen::MatrixXcd> out(points.size());
    std::atomic<std::size_t> next{0};
    constexpr std::size_t chunk = 16;
    const auto dense_worker = [&] {
        const Dense& d = *dense_;
        HessenbergResponse response(static_cast<std::size_t>(d.H.rows()), d.H.data(),
                                    static_cast<std::size_t>(d.B.cols()), d.B.data(),
                                    static_cast<std::size_t>(d.Ct.cols()), d.Ct.data());
        Eigen::MatrixXcd g(d.Ct.cols(), d.B.cols());
        for (std::size_t from; (from = next.fetch_add(chunk)) < points.size();)
            for (std::size_t i = from; i < std::min(from + chunk, points.size()); ++i) {
                response.evaluate(points[i], g.data());
                out[i] = (d.transposed ? Eigen::MatrixXcd(g.transpose()) : g) + D_.cast<Complex>();
            }
    };
    const auto sparse_worker = [&] {
        const Sparse& s = *sparse_;
        BasicSparseLu<Complex> lu;
        lu.set_pattern(s.pattern);
        std::vector<Complex> values(s.a.size()), x(static_cast<std::size_t>(s.B.rows()));
        for (std::size_t from; (from = next.fetch_add(chunk)) < points.size();)
            for (std::size_t i = from; i < std::min(from + chunk, points.size()); ++i) {
                for (std::size_t k = 0; k < values.size(); ++k) values[k] = points[i] * s.e[k] - s.a[k];
                Eigen::MatrixXcd g = D_.cast<Complex>();
                if (!lu.factor(values)) {
                    g.setConstant(std::numeric_limits<double>::infinity());
                    out[i] = std::move(g);
                    continue;
                }
                for (Eigen::Index j = 0; j < s.B.cols(); ++j) {
                    for (Eigen::Index k = 0; k < s.B.rows(); ++k) x[static_cast<std::size_t>(k)] = s.B(k, j);
                    lu.solve(x);
                    g.col(j) +=
                        s.C.cast<Complex>() * Eigen::Map<const Eigen::VectorXcd>(x.data(), s.B.rows());
                }
                out[i] = std::move(g);
            }
    };
    const auto work = [&] { sparse_ ? sparse_worker() : dense_worker(); };
    const double n = static_cast<double>(sparse_ ? sparse_->B.rows() : dense_->H.rows());
    const double effort = static_cast<double>(points.size()) * n * (sparse_ ? 100 : n);
    const unsigned count = effort > work_for_threads ? std::min(8u, std::thread::hardware_concurrency()) : 1;
    on_threads(count, work);
    return out;
}

Eigen::MatrixXcd FrequencyResponse::at(Complex point) const {
    return at(std::span<const Complex>(&point, 1)).front();
}

std::vector<Eigen::MatrixXcd> FrequencyResponse::at_frequencies(std::span<const double> frequencies) const {
    std::vector<Complex> points;
    points.reserve(frequencies.size());
    for (double w : frequencies)
        points.push_back(sample_time_ ? std::polar(1.0, w * *sample_time_) : Complex(0, w));
    return at(points);
}

}  // namespace cutset
