// Linear differential-algebraic systems of index 1 to 4 with small whole coefficients, whose solution is
// known:
//
//     z0' = -z0                       a state
//     z2' + z1 = f1(t), …, zk = fk(t)  chains of length k, index k
//
// mixed by invertible whole matrices: z = Q x, and the equations are multiplied by P. Every constraint is
// hidden. Coefficients are numbers, or half of them parameters.
#include <cmath>
#include <cstdio>
#include <set>

#include "random_models.h"
#include "run/trajectory_sink.h"
#include "small_model.h"

using namespace cutset;
using namespace cutset::test;

namespace {

// a + b*sin(t) + c*cos(t)
struct Wave {
    int a = 0, b = 0, c = 0;
    Wave derivative() const { return {0, -c, b}; }
    double at(double t) const { return a + b * std::sin(t) + c * std::cos(t); }
};

using Matrix = std::vector<std::vector<int>>;

class LinearDae {
  public:
    enum class Coefficients { Numbers, Parameters };
    LinearDae(Dice& dice, Coefficients coefficients)
        : dice_(dice), parameters_(coefficients == Coefficients::Parameters) {
        while (n_ < 2 || n_ > 6) {
            chains_.clear();
            n_ = states_ = std::size_t(dice.between(1, 2));
            for (int k = dice.between(1, 2); k > 0; --k) {
                chains_.push_back(std::size_t(dice.between(1, 4)));
                n_ += chains_.back();
            }
        }
        for (std::size_t i = 0; i < n_; ++i)
            f_.push_back(i < states_ ? Wave{}
                                     : Wave{dice.between(-1, 1), dice.between(-2, 2), dice.between(-1, 1)});
        solve();
        q_ = invertible(dice);
        p_ = invertible(dice);
        write();
    }
    const std::string& lines() const { return lines_; }
    // The largest error of z = Q x.
    double error(double t, const std::vector<double>& x) const {
        double worst = 0;
        for (std::size_t i = 0; i < n_; ++i) {
            double z = 0;
            for (std::size_t j = 0; j < n_; ++j) z += q_[i][j] * x[j];
            const double exact = i < states_ ? double(i + 1) * std::exp(-double(i + 1) * t) : z_[i].at(t);
            worst = std::max(worst, std::abs(z - exact));
        }
        return worst;
    }
    std::size_t size() const { return n_; }

  private:
    void solve() {
        z_ = f_;
        std::size_t first = states_;
        for (std::size_t length : chains_) {
            for (std::size_t i = first + length - 1; i-- > first;) {
                const Wave d = z_[i + 1].derivative();
                z_[i] = {f_[i].a - d.a, f_[i].b - d.b, f_[i].c - d.c};
            }
            first += length;
        }
    }
    Matrix invertible(Dice& dice) const {
        while (true) {
            Matrix m(n_, std::vector<int>(n_));
            for (auto& row : m)
                for (int& e : row) e = dice.one_in(3) ? 0 : dice.between(-3, 3);
            if (determinant(m) != 0) return m;
        }
    }
    static double determinant(const Matrix& m) {
        std::vector<std::vector<double>> a(m.size());
        for (std::size_t i = 0; i < m.size(); ++i) a[i].assign(m[i].begin(), m[i].end());
        double det = 1;
        for (std::size_t k = 0; k < a.size(); ++k) {
            std::size_t p = k;
            for (std::size_t i = k; i < a.size(); ++i)
                if (std::abs(a[i][k]) > std::abs(a[p][k])) p = i;
            std::swap(a[p], a[k]);
            if (std::abs(a[k][k]) < 1e-9) return 0;
            det *= a[k][k];
            for (std::size_t i = k + 1; i < a.size(); ++i)
                for (std::size_t j = a.size(); j-- > k;) a[i][j] -= a[i][k] / a[k][k] * a[k][j];
        }
        return det;
    }
    void write() {
        // Rows of the unmixed system in z' and z.
        Matrix e(n_, std::vector<int>(n_)), a = e;
        for (std::size_t i = 0; i < states_; ++i) {
            e[i][i] = 1;
            a[i][i] = int(i) + 1;
        }
        std::size_t first = states_;
        for (std::size_t length : chains_) {
            for (std::size_t i = first; i < first + length; ++i) {
                a[i][i] = 1;
                if (i + 1 < first + length) e[i][i + 1] = 1;
            }
            first += length;
        }
        lines_ = "  local";
        for (std::size_t j = 0; j < n_; ++j) lines_ += " x" + std::to_string(j);
        lines_ += "\n";
        for (std::size_t r = 0; r < n_; ++r) {
            std::string left;
            Wave right;
            for (std::size_t j = 0; j < n_; ++j) {
                add(left, product(r, e, j), "x" + std::to_string(j) + "'");
                add(left, product(r, a, j), "x" + std::to_string(j));
            }
            for (std::size_t i = 0; i < n_; ++i)
                right = {right.a + p_[r][i] * f_[i].a, right.b + p_[r][i] * f_[i].b,
                         right.c + p_[r][i] * f_[i].c};
            std::string known;
            add(known, right.a, "1");
            add(known, right.b, "sin(time)");
            add(known, right.c, "cos(time)");
            lines_ += "  " + (left.empty() ? "0" : left) + " = " + (known.empty() ? "0" : known) + "\n";
        }
        for (std::size_t i = 0; i < states_; ++i) {
            std::string left;
            for (std::size_t j = 0; j < n_; ++j) add(left, q_[i][j], "x" + std::to_string(j));
            lines_ += "  initial " + left + " = " + std::to_string(i + 1) + "\n";
        }
        for (const int k : named_)
            lines_ += "  parameter k" + std::to_string(k) + "=" + std::to_string(k) + "\n";
    }
    // (P·m·Q)[r][j]
    int product(std::size_t r, const Matrix& m, std::size_t j) const {
        int sum = 0;
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t k = 0; k < n_; ++k) sum += p_[r][i] * m[i][k] * q_[k][j];
        return sum;
    }
    void add(std::string& sum, int factor, const std::string& term) {
        if (factor == 0) return;
        sum += factor < 0 ? (sum.empty() ? "-" : " - ") : (sum.empty() ? "" : " + ");
        if (std::abs(factor) != 1) sum += coefficient(std::abs(factor)) + "*";
        sum += term;
    }
    std::string coefficient(int size) {
        if (!parameters_ || dice_.one_in(2)) return std::to_string(size);
        named_.insert(size);
        return "k" + std::to_string(size);
    }

    Dice& dice_;
    bool parameters_;
    std::set<int> named_;  // parameters, by their values
    std::size_t n_ = 0, states_ = 1;
    std::vector<std::size_t> chains_;
    std::vector<Wave> f_, z_;
    Matrix p_, q_;
    std::string lines_;
};

double worst_error(const LinearDae& dae, const Trajectory& found) {
    double worst = 0;
    for (std::size_t row = 0; row < found.rows(); ++row) {
        std::vector<double> x;
        for (std::size_t j = 0; j < dae.size(); ++j)
            x.push_back(found.value("x" + std::to_string(j), row).value_or(NAN));
        const double error = dae.error(found.time(row), x);
        if (!(error <= worst)) worst = error;
    }
    return worst;
}

}  // namespace

namespace {

void try_models(Dice dice, LinearDae::Coefficients coefficients, std::size_t models) {
    ModelAtHand at_hand;
    std::size_t right = 0, refused = 0, failed = 0, wrong = 0;
    for (std::size_t m = 0; m < models; ++m) {
        const LinearDae dae(dice, coefficients);
        at_hand = dae.lines();
        SmallModel model(dae.lines());
        if (!model.program) {
            ++refused;
            ADD_FAILURE() << model.messages() << dae.lines();
            continue;
        }
        model.options.points = 3;
        TrajectorySink rows;
        const RunSummary summary = simulate(*model.program, model.options, rows, model.diagnostics);
        if (summary.outcome != RunOutcome::Finished) {
            ++failed;
            ADD_FAILURE() << model.messages() << dae.lines();
            continue;
        }
        const double error = worst_error(dae, rows.kept);
        if (error < 1e-4) {
            ++right;
        } else {
            ++wrong;
            ADD_FAILURE() << "error " << error << "\n" << model.messages() << dae.lines();
        }
    }
    std::printf("%zu linear differential-algebraic systems: %zu right, %zu refused, %zu failed, %zu wrong\n",
                models, right, refused, failed, wrong);
}

}  // namespace

TEST(RandomModels, LinearDaesAreSolvedRight) {
    try_models(Dice(24), LinearDae::Coefficients::Numbers, models_to_try(300));
}

TEST(RandomModels, LinearDaesWithParametersAreSolvedRight) {
    try_models(Dice(31), LinearDae::Coefficients::Parameters, models_to_try(100));
}
