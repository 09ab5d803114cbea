#include "operations/points/branch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "numerics/linear/matrix_lu.h"
#include "operations/points/static_messages.h"
#include "run/model_functions.h"
#include "transform/leave_open.h"
#include "translate/translator.h"

namespace cutset {

namespace {

constexpr double axis = 1e-12;  // of the largest eigenvalue: which side of the imaginary axis is rounding
constexpr int refinements = 40;

// The blocks of initialization, their tearing variables given instead of solved for.
class StartResiduals : public LoopSolver {
  public:
    explicit StartResiduals(const Program& program) {
        const std::vector<Block>& blocks = program.partition->initial_blocks;
        for (const Loop& loop : program.loops) {
            const bool own =
                !blocks.empty() && loop.block >= blocks.data() && loop.block < blocks.data() + blocks.size();
            if (own) loop_of_[loop.block] = &loop;
        }
        for (const Block& block : blocks) {  // the order of the Jacobian
            if (block.torn.empty()) continue;
            const Loop& loop = *loop_of_.at(&block);
            first_[&block] = unknowns.size();
            unknowns.insert(unknowns.end(), loop.torn.begin(), loop.torn.end());
            nominal.insert(nominal.end(), loop.nominal.begin(), loop.nominal.end());
            lower.insert(lower.end(), loop.minimum.begin(), loop.minimum.end());
            upper.insert(upper.end(), loop.maximum.begin(), loop.maximum.end());
            for (const Unknown& u : block.torn) variables.push_back(u.variable);
        }
        residuals.resize(unknowns.size());
    }

    bool solve(const Loop& loop, std::size_t, Interpreter& values) override {
        const auto found = first_.find(loop.block);
        if (found == first_.end() || !values.run(loop.residual)) return false;
        for (std::size_t i = 0; i < loop.residual_slots.size(); ++i)
            residuals[found->second + i] = values[loop.residual_slots[i]];
        return true;
    }

    std::vector<Slot> unknowns;
    std::vector<VariableIndex> variables;
    std::vector<double> nominal, lower, upper, residuals;

  private:
    std::map<const Block*, const Loop*> loop_of_;
    std::map<const Block*, std::size_t> first_;
};

class BranchFollower {
  public:
    BranchFollower(std::shared_ptr<const Program> program, VariableIndex parameter,
                   const std::vector<double>& start, const BranchOptions& options, double time)
        : program_(std::move(program)),
          layout_(program_->layout),
          parameter_(parameter),
          options_(options),
          time_(time),
          residuals_(*program_),
          values_(*program_, {&residuals_, nullptr, options.steady.allow_external}) {
        values_[layout_.time] = time;
        values_[layout_.starting] = 1;
        values_.set_live_switches(true);
        set_parameter(options.from);
        for (VariableIndex v(0); v.value < start.size(); ++v.value)
            if (program_->partition->model.variables[v].variability > Variability::Parameter)
                values_[layout_.variable[v.value]] = start[v.value];
        if (program_->linearized && !program_->partition->states.empty()) motion_.emplace(program_);
        pose();
    }

    Branch run() {
        Branch branch;
        branch.program = program_;
        branch.parameter = parameter_;
        std::vector<double> z;
        for (Slot slot : residuals_.unknowns) z.push_back(values_[slot]);
        CurveOptions curve;
        curve.from = options_.from;
        curve.to = options_.to;
        curve.longest = options_.longest;
        curve.most_points = options_.most_points;
        const auto accept = [&](const CurvePoint& point) {
            if (options_.steady.interrupt && *options_.steady.interrupt) return false;
            BranchPoint next = judged(point.p);
            if (point.fold) next.event = BranchEvent::Fold;
            if (!branch.points.empty() && !point.fold) find_change(branch.points, next, last_, point);
            branch.points.push_back(std::move(next));
            last_ = point;
            return true;
        };
        const CurveResult result = follow_curve(problem_, z, curve, accept);
        branch.end = result.end;
        if (result.end == CurveEnd::Bound) branch.bound = residuals_.variables[result.unknown];
        return branch;
    }

  private:
    void set_parameter(double p) {
        values_[layout_.variable[parameter_.value]] = p;
        values_.clear_error();
        values_.run(program_->parameters);
        values_[layout_.variable[parameter_.value]] = p;
    }

    bool evaluate(std::span<const double> z, double p, std::span<double> f) {
        set_parameter(p);
        for (std::size_t i = 0; i < z.size(); ++i) values_[residuals_.unknowns[i]] = z[i];
        if (!values_.run(program_->initial)) return false;
        // Blocks that assign a tearing variable do not exist, so z is as given.
        std::copy(residuals_.residuals.begin(), residuals_.residuals.end(), f.begin());
        return true;
    }

    void pose() {
        const LinearizedEquations& start = *program_->linearized_start;
        problem_.n = residuals_.unknowns.size();
        problem_.intermediates = start.intermediates - problem_.n;
        problem_.nominal = residuals_.nominal;
        problem_.lower = residuals_.lower;
        problem_.upper = residuals_.upper;
        problem_.residual = [this](std::span<const double> z, double p, std::span<double> f) {
            return evaluate(z, p, f);
        };
        // Rows of the states come first and say nothing here.
        SparsePattern& pattern = problem_.pattern;
        pattern = {start.intermediates, start.intermediates + 1, {0}, {}};
        for (std::size_t k = 0; k < start.entries.size(); ++k) {
            const JacobianEntry& e = start.entries[k];
            if (e.row < start.states) continue;
            while (pattern.starts.size() <= e.column) pattern.starts.push_back(std::int64_t(chosen_.size()));
            pattern.row.push_back(std::int64_t(e.row - start.states));
            chosen_.push_back(k);
        }
        while (pattern.starts.size() <= pattern.columns)
            pattern.starts.push_back(std::int64_t(chosen_.size()));
        problem_.jacobian = [this](std::span<double> elements) {
            if (!values_.run(program_->linearized_start->section)) return false;
            for (std::size_t i = 0; i < chosen_.size(); ++i) {
                elements[i] = values_[program_->linearized_start->entries[chosen_[i]].slot];
                if (!std::isfinite(elements[i])) return false;
            }
            return true;
        };
    }

    // ---- stability

    // The point that was evaluated last.
    BranchPoint judged(double p) {
        BranchPoint point;
        point.parameter = p;
        values_.run(program_->eliminated);
        for (Slot slot : layout_.variable) point.values.push_back(values_[slot]);
        const std::size_t n = program_->partition->states.size();
        if (n == 0) point.stability = Stability::NoStates;
        if (!options_.steady.stability || n == 0 || n > most_states_judged || !motion_) return point;
        const double parameters[] = {p};
        std::vector<double> elements(motion_->pattern().elements());
        if (!motion_->set_parameters(parameters) || !motion_->take(time_, point.values) ||
            !motion_->linearize(elements))
            return point;
        InitialPoint at;
        at.matrix = Eigen::MatrixXd::Zero(Eigen::Index(n), Eigen::Index(n));
        for (std::size_t c = 0; c < n; ++c) {
            at.states.push_back(motion_->state_variable(c));
            for (auto k = motion_->pattern().starts[c]; k < motion_->pattern().starts[c + 1]; ++k)
                if (const auto row = motion_->pattern().row[std::size_t(k)]; row < std::int64_t(n))
                    at.matrix(Eigen::Index(row), Eigen::Index(c)) = elements[std::size_t(k)];
        }
        const StabilityReport report = judge(at, false);
        point.stability = report.stability;
        for (const Mode& mode : report.modes) point.eigenvalues.push_back(mode.eigenvalue);
        return point;
    }

    static std::size_t growing(const BranchPoint& point) {
        double largest = 0;
        std::size_t count = 0;
        for (const auto& s : point.eigenvalues) largest = std::max(largest, std::abs(s));
        for (const auto& s : point.eigenvalues) count += s.real() > axis * largest;
        return count;
    }

    // Between two points of the branch other eigenvalues grow: where, and which kind.
    void find_change(std::vector<BranchPoint>& points, const BranchPoint& next, const CurvePoint& a,
                     const CurvePoint& b) {
        const BranchPoint& before = points.back();
        if (before.eigenvalues.empty() || next.eigenvalues.empty()) return;
        if (before.event == BranchEvent::Fold || a.fold || a.slope * b.slope < 0) return;
        const std::size_t n0 = growing(before), n1 = growing(next);
        if (n0 == n1) return;
        // By bisection over p; the branch is single-valued here.
        double low = a.p, high = b.p;
        std::vector<double> z_low = a.z, z_high = b.z, z;
        BranchPoint found = next;
        for (int k = 0;
             k < refinements && std::abs(high - low) > 1e-10 * std::abs(options_.to - options_.from); ++k) {
            const double p = std::midpoint(low, high);
            z.resize(z_low.size());
            for (std::size_t i = 0; i < z.size(); ++i) z[i] = std::midpoint(z_low[i], z_high[i]);
            if (!solve_at(p, z)) break;
            BranchPoint middle = judged(p);
            if (middle.eigenvalues.empty()) break;
            const bool like_before = growing(middle) == n0;
            (like_before ? low : high) = p;
            (like_before ? z_low : z_high) = z;
            found = std::move(middle);
        }
        // The eigenvalue nearest to the axis decides.
        std::complex<double> nearest = found.eigenvalues[0];
        for (const auto& s : found.eigenvalues)
            if (std::abs(s.real()) < std::abs(nearest.real())) nearest = s;
        found.event = nearest.imag() != 0 ? BranchEvent::Hopf : BranchEvent::Crossing;
        points.push_back(std::move(found));
    }

    // Newton with p held.
    bool solve_at(double p, std::vector<double>& z) {
        const SparsePattern& whole = problem_.pattern;
        SparsePattern pattern{whole.rows, whole.rows, {}, {}};
        for (std::size_t c = 1; c <= whole.columns; ++c)
            pattern.starts.push_back(whole.starts[c] - whole.starts[1]);
        pattern.row.assign(whole.row.begin() + whole.starts[1], whole.row.end());
        MatrixLu lu({.singular_when = DenseLu::SingularWhen::ExactZero});
        lu.set_pattern(pattern);
        std::vector<double> f(problem_.n), elements(whole.elements()), right(whole.rows);
        for (int k = 0; k < 12; ++k) {
            if (!evaluate(z, p, f) || !problem_.jacobian(elements)) return false;
            if (!lu.factor(std::span<const double>(elements).subspan(std::size_t(whole.starts[1]))))
                return false;
            std::fill(right.begin(), right.end(), 0.0);
            for (std::size_t i = 0; i < f.size(); ++i) right[i] = -f[i];
            lu.solve(right);
            double change = 0;
            for (std::size_t i = 0; i < z.size(); ++i) {
                z[i] += right[i];
                change = std::max(change, std::abs(right[i]) / std::max(problem_.nominal[i], std::abs(z[i])));
            }
            if (!(change < 10)) return false;
            if (change < 1e-11) return evaluate(z, p, f);
        }
        return evaluate(z, p, f);
    }

    std::shared_ptr<const Program> program_;
    const Layout& layout_;
    VariableIndex parameter_;
    const BranchOptions& options_;
    double time_;
    StartResiduals residuals_;
    Interpreter values_;
    std::optional<ModelFunctions> motion_;
    CurveProblem problem_;
    std::vector<std::size_t> chosen_;  // entries of the Jacobian that the curve needs
    CurvePoint last_;
};

}  // namespace

const char* word(BranchEvent event) {
    switch (event) {
        case BranchEvent::Fold:
            return "fold";
        case BranchEvent::Hopf:
            return "hopf";
        case BranchEvent::Crossing:
            return "crossing";
        case BranchEvent::None:
            break;
    }
    return "";
}

Branch follow_branch(FlatModel model, const StaticQuestion& question, const std::string& parameter,
                     const BranchOptions& options, Diagnostics& diagnostics) {
    const std::array<std::string, 1> names = {parameter};
    const std::vector<VariableIndex> opened = leave_open(model, names, question.time, diagnostics);
    if (opened.size() != 1) {
        if (!opened.empty()) diagnostics.report(static_messages::one_parameter(parameter));
        return {};
    }
    Variable& p = model.variables[opened[0]];
    p.value = options.from;
    p.binding = model.pool->number(options.from);
    // Parameters computed from it have the values that belong to it.
    SteadyOptions first = options.steady;
    first.solutions = 1;
    SteadyResult start =
        find_steady(model, question, first, "stationary point at the beginning", diagnostics);
    if (start.points.empty()) return {};
    if (!start.points[0].held.empty()) {
        diagnostics.report(static_messages::no_branch_when_held(model, start.points[0].held));
        return {};
    }
    ProgramQuestion derivatives;
    derivatives.given = opened;
    derivatives.derivatives = DerivativeRequest{opened, {}, true};
    const auto program = translate(start.program->partition, derivatives).program;
    if (!program->linearized_start) {
        diagnostics.report(static_messages::no_derivatives());
        return {};
    }
    BranchOptions judged = options;
    if (!start.sampled.empty() || start.points[0].stability.stability == Stability::NotJudged)
        judged.steady.stability = false;
    return BranchFollower(program, opened[0], start.points[0].at.values, judged, question.time).run();
}

}  // namespace cutset
