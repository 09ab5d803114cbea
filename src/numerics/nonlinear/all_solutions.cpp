#include "numerics/nonlinear/all_solutions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace cutset {

namespace {

constexpr double same = 1e-5;            // distance of equal solutions, in units of the unknowns
constexpr double largest_unknown = 1e6;  // of the size of an unknown
constexpr double reach = 1.5;            // tan(1.5) = 14 sizes: how far to look without bounds
constexpr std::size_t grid = 800;        // points for one unknown
constexpr std::size_t most_dense = 80;   // unknowns with which solutions are deflated
constexpr std::size_t most_starts = 400, few_starts = 40;

class Search {
  public:
    Search(const NonlinearProblem& problem, std::span<const double> guess, const AllSolutionsOptions& options)
        : problem_(problem),
          options_(options),
          n_(problem.n),
          guess_(guess.begin(), guess.end()),
          solver_(problem),
          size_(n_) {
        for (std::size_t i = 0; i < n_; ++i)
            size_[i] = std::max(problem.nominal.empty() ? 1.0 : problem.nominal[i], std::abs(guess_[i]));
    }

    std::vector<std::vector<double>> run() {
        std::vector<double> x = guess_;
        if (solver_.solve(x).converged()) add(x);
        if (n_ == 1)
            scan();
        else
            spread();
        return std::move(found_);
    }

  private:
    bool full() const { return found_.size() >= options_.most; }
    double low(std::size_t i) const {
        return problem_.lower.empty() ? -std::numeric_limits<double>::infinity() : problem_.lower[i];
    }
    double high(std::size_t i) const {
        return problem_.upper.empty() ? std::numeric_limits<double>::infinity() : problem_.upper[i];
    }

    // u from -1 to 1 → the range of unknown i.
    double place(std::size_t i, double u) const {
        const double a = low(i), b = high(i);
        if (std::isfinite(a) && std::isfinite(b)) return std::midpoint(a, b) + 0.5 * u * (b - a);
        if (std::isfinite(a)) return a + size_[i] * std::tan(0.5 * reach * (1 + u));
        if (std::isfinite(b)) return b - size_[i] * std::tan(0.5 * reach * (1 - u));
        return guess_[i] + size_[i] * std::tan(reach * u);
    }

    void add(const std::vector<double>& x) {
        for (std::size_t i = 0; i < n_; ++i) {
            if (!std::isfinite(x[i])) return;
            if (std::abs(x[i]) > largest_unknown * size_[i]) return;  // it ran away
            const double slack = 1e-9 * std::max(size_[i], std::abs(x[i]));
            if (x[i] < low(i) - slack || x[i] > high(i) + slack) return;
        }
        for (const auto& y : found_) {
            bool equal = true;
            for (std::size_t i = 0; i < n_ && equal; ++i) {
                const double size = std::max(
                    {problem_.nominal.empty() ? 1.0 : problem_.nominal[i], std::abs(x[i]), std::abs(y[i])});
                equal = std::abs(x[i] - y[i]) <= same * size;
            }
            if (equal) return;
        }
        found_.push_back(x);
    }

    // ---- one unknown

    double value(double x) {
        double f = 0;
        const bool good = problem_.residual(std::span<const double>(&x, 1), std::span<double>(&f, 1));
        return good && std::isfinite(f) ? f : std::numeric_limits<double>::quiet_NaN();
    }

    void scan() {
        std::vector<double> x(grid), f(grid);
        for (std::size_t k = 0; k < grid; ++k) {
            x[k] = place(0, -1 + 2 * double(k) / double(grid - 1));
            f[k] = value(x[k]);
        }
        for (std::size_t k = 0; k + 1 < grid && !full(); ++k) {
            if (f[k] == 0) follow(x[k]);
            if (f[k] * f[k + 1] < 0) bisect(x[k], x[k + 1], f[k]);
            // A dip without a change of sign may touch zero.
            if (k > 0 && std::abs(f[k]) <= std::abs(f[k - 1]) && std::abs(f[k]) <= std::abs(f[k + 1]) &&
                f[k - 1] * f[k] > 0 && f[k] * f[k + 1] > 0)
                follow(x[k]);
        }
        if (!full() && f[grid - 1] == 0) follow(x[grid - 1]);
    }
    void bisect(double a, double b, double fa) {
        for (int k = 0; k < 60; ++k) {
            const double middle = std::midpoint(a, b), f = value(middle);
            if (std::isnan(f)) return;
            if (f == 0) {
                a = middle;
                break;
            }
            (f * fa > 0 ? a : b) = middle;
        }
        follow(a);
    }
    void follow(double at) {
        std::vector<double> x = {at};
        if (solver_.newton(x).converged()) add(x);
    }

    // ---- several

    static double halton(std::size_t index, std::size_t base) {
        double fraction = 1, result = 0;
        for (std::size_t i = index; i > 0; i /= base) {
            fraction /= double(base);
            result += fraction * double(i % base);
        }
        return result;
    }

    void spread() {
        static constexpr std::size_t primes[] = {2,  3,  5,  7,  11, 13, 17, 19, 23, 29, 31, 37, 41,
                                                 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97};
        const std::size_t starts = options_.starts   ? options_.starts
                                   : n_ > most_dense ? few_starts
                                                     : std::min(most_starts, 60 + 15 * n_);
        deflated_from(guess_);
        std::vector<double> x(n_);
        for (std::size_t k = 1; k <= starts && !full(); ++k) {
            for (std::size_t i = 0; i < n_; ++i) {
                // More unknowns than primes: the same sequence, shifted by the golden section.
                const std::size_t round = i / std::size(primes);
                double u = halton(k, primes[i % std::size(primes)]);
                u = std::fmod(u + 0.6180339887498949 * double(round), 1.0);
                x[i] = place(i, 2 * u - 1);
            }
            const std::vector<double> start = x;
            if (solver_.newton(x).converged()) add(x);
            deflated_from(start);
        }
    }

    void deflated_from(const std::vector<double>& start) {
        if (n_ > most_dense) return;
        while (!full() && !found_.empty()) {
            const std::size_t before = found_.size();
            std::vector<double> x = start;
            for (std::size_t i = 0; i < n_; ++i) x[i] += 1e-3 * size_[i];
            NonlinearSolver deflated(deflate());
            if (!deflated.newton(x).converged() || !solver_.newton(x).converged()) return;
            add(x);
            if (found_.size() == before) return;
        }
    }

    // m(x) = Π (1/|x - x_k|² + 1) and its gradient, distances in units of the unknowns.
    double deflation(std::span<const double> x, std::vector<double>* gradient) const {
        double m = 1;
        if (gradient) gradient->assign(n_, 0);
        for (const auto& y : found_) {
            double distance = 0;
            for (std::size_t i = 0; i < n_; ++i) distance += std::pow((x[i] - y[i]) / size_[i], 2);
            distance = std::max(distance, 1e-30);
            const double factor = 1 / distance + 1;
            if (gradient)
                for (std::size_t i = 0; i < n_; ++i)
                    (*gradient)[i] -=
                        2 * (x[i] - y[i]) / (size_[i] * size_[i]) / (distance * distance) / factor;
            m *= factor;
        }
        if (gradient)
            for (double& g : *gradient) g *= m;
        return m;
    }

    NonlinearProblem deflate() {
        NonlinearProblem p;
        p.n = n_;
        p.nominal = problem_.nominal;
        p.lower = problem_.lower;
        p.upper = problem_.upper;
        p.residual = [this](std::span<const double> x, std::span<double> f) {
            if (!problem_.residual(x, f)) return false;
            const double m = deflation(x, nullptr);
            for (double& v : f) v *= m;
            return true;
        };
        // m J + F ∇mᵀ
        p.jacobian = [this](std::span<const double> x, std::span<double> values) {
            f_.resize(n_);
            if (!problem_.residual(x, f_)) return false;
            const double m = deflation(x, &gradient_);
            if (problem_.pattern) {
                elements_.resize(problem_.pattern->elements());
                if (!problem_.jacobian(x, elements_)) return false;
                std::fill(values.begin(), values.end(), 0.0);
                for (std::size_t j = 0; j < n_; ++j)
                    for (auto k = problem_.pattern->starts[j]; k < problem_.pattern->starts[j + 1]; ++k)
                        values[j * n_ + std::size_t(problem_.pattern->row[std::size_t(k)])] =
                            elements_[std::size_t(k)];
            } else if (!problem_.jacobian(x, values)) {
                return false;
            }
            for (std::size_t j = 0; j < n_; ++j)
                for (std::size_t i = 0; i < n_; ++i)
                    values[j * n_ + i] = m * values[j * n_ + i] + f_[i] * gradient_[j];
            return true;
        };
        if (!problem_.jacobian) p.jacobian = nullptr;
        return p;
    }

    const NonlinearProblem& problem_;
    const AllSolutionsOptions& options_;
    std::size_t n_;
    std::vector<double> guess_;
    NonlinearSolver solver_;
    std::vector<double> size_;
    std::vector<std::vector<double>> found_;
    std::vector<double> f_, gradient_, elements_;
};

}  // namespace

std::vector<std::vector<double>> all_solutions(const NonlinearProblem& problem, std::span<const double> guess,
                                               const AllSolutionsOptions& options) {
    return Search(problem, guess, options).run();
}

}  // namespace cutset
