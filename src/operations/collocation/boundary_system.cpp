#include "operations/collocation/boundary_system.h"

#include <algorithm>
#include <cmath>

namespace cutset {

BoundarySystem::BoundarySystem(ModelFunctions& functions, const CollocationScheme& scheme,
                               std::vector<double> mesh, double from, double to,
                               const std::vector<BoundaryCondition>& conditions,
                               const std::vector<StateStart>& starts, std::size_t sought,
                               std::vector<double> scale, std::vector<double> parameter_scale,
                               std::vector<double> held)
    : functions_(functions),
      scheme_(scheme),
      mesh_(std::move(mesh)),
      from_(from),
      to_(to),
      conditions_(conditions),
      starts_(starts),
      n_(functions.states()),
      sought_(sought),
      unknowns_((intervals() * (scheme.stages + 1) + 1) * n_ + sought),
      scale_(std::move(scale)),
      parameter_scale_(std::move(parameter_scale)),
      held_(std::move(held)),
      shift_(conditions.size() + starts.size(), 0),
      point_(functions.pattern().elements()),
      state_(n_) {
    std::vector<std::pair<std::size_t, std::size_t>> visited, sorted;
    visit_structure([&](std::size_t row, std::size_t column) { visited.emplace_back(column, row); });
    sorted = visited;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    pattern_.rows = pattern_.columns = unknowns_;
    pattern_.starts.assign(unknowns_ + 1, 0);
    for (const auto& [column, row] : sorted) {
        ++pattern_.starts[column + 1];
        pattern_.row.push_back(std::int64_t(row));
    }
    for (std::size_t c = 0; c < unknowns_; ++c) pattern_.starts[c + 1] += pattern_.starts[c];
    for (const auto& v : visited)
        place_.push_back(std::size_t(std::lower_bound(sorted.begin(), sorted.end(), v) - sorted.begin()));
    elements_.resize(sorted.size());
    lu_.set_pattern(pattern_);
}

double BoundarySystem::time(std::size_t interval, double tau) const {
    return from_ + (to_ - from_) * (mesh_[interval] + (mesh_[interval + 1] - mesh_[interval]) * tau);
}

std::vector<double> BoundarySystem::parameters(std::span<const double> v) const {
    std::vector<double> p;
    for (std::size_t i = 0; i < sought_; ++i) p.push_back(v[unknowns_ - sought_ + i] * parameter_scale_[i]);
    p.insert(p.end(), held_.begin(), held_.end());
    return p;
}

bool BoundarySystem::set_parameters(std::span<const double> v) {
    return functions_.set_parameters(parameters(v));
}

bool BoundarySystem::go_to_end(std::span<const double> v, bool at_start) {
    const std::size_t first = at_start ? 0 : index(intervals(), 0, 0);
    for (std::size_t s = 0; s < n_; ++s) state_[s] = v[first + s] * scale_[s];
    functions_.evaluate(at_start ? from_ : to_, state_);
    return true;
}

// Rows by interval: the collocation equations, then continuity; then the conditions.
template <class Visit>
void BoundarySystem::visit_structure(Visit visit) const {
    const SparsePattern& model = functions_.pattern();
    const std::size_t stages = scheme_.stages;
    const auto visit_model = [&](std::size_t model_row, std::size_t row, std::size_t node) {
        for (std::size_t c = 0; c < n_ + sought_; ++c)
            for (auto k = model.starts[c]; k < model.starts[c + 1]; ++k)
                if (std::size_t(model.row[std::size_t(k)]) == model_row)
                    visit(row, c < n_ ? node + c : unknowns_ - sought_ + c - n_);
    };
    for (std::size_t i = 0; i < intervals(); ++i) {
        for (std::size_t k = 1; k <= stages; ++k)
            for (std::size_t s = 0; s < n_; ++s) {
                const std::size_t row = index(i, k - 1, s);
                for (std::size_t l = 0; l <= stages; ++l) visit(row, index(i, l, s));
                visit_model(s, row, index(i, k, 0));
            }
        for (std::size_t s = 0; s < n_; ++s) {
            const std::size_t row = index(i, stages, s);
            for (std::size_t l = 0; l <= stages; ++l) visit(row, index(i, l, s));
            visit(row, index(i + 1, 0, s));
        }
    }
    std::size_t row = index(intervals(), 0, 0);
    for (const BoundaryCondition& c : conditions_) {
        if (c.at_start) visit_model(n_ + *c.at_start, row, 0);
        if (c.at_end) visit_model(n_ + *c.at_end, row, index(intervals(), 0, 0));
        ++row;
    }
    for (const StateStart& s : starts_) visit(row++, s.state);
}

bool BoundarySystem::conditions(std::span<const double> v, std::span<double> values) {
    if (!set_parameters(v)) return false;
    for (std::size_t i = 0; i < conditions_.size(); ++i) values[i] = -conditions_[i].target;
    for (const bool at_start : {true, false}) {
        go_to_end(v, at_start);
        for (std::size_t i = 0; i < conditions_.size(); ++i)
            if (const auto& output = at_start ? conditions_[i].at_start : conditions_[i].at_end)
                values[i] += functions_.output(*output);
    }
    for (std::size_t i = 0; i < starts_.size(); ++i)
        values[conditions_.size() + i] = v[starts_[i].state] * scale_[starts_[i].state] - starts_[i].value;
    return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

bool BoundarySystem::residual(std::span<const double> v, std::span<double> r) {
    if (!conditions(v, r.subspan(index(intervals(), 0, 0)))) return false;
    for (std::size_t i = 0; i < shift_.size(); ++i) r[index(intervals(), 0, 0) + i] -= shift_[i];
    const std::size_t stages = scheme_.stages;
    for (std::size_t i = 0; i < intervals(); ++i) {
        for (std::size_t k = 1; k <= stages; ++k) {
            for (std::size_t s = 0; s < n_; ++s) state_[s] = v[index(i, k, s)] * scale_[s];
            if (!functions_.evaluate(time(i, scheme_.nodes[k]), state_)) return false;
            for (std::size_t s = 0; s < n_; ++s) {
                double sum = -length(i) * functions_.derivatives()[s] / scale_[s];
                for (std::size_t l = 0; l <= stages; ++l) sum += scheme_.d(k - 1, l) * v[index(i, l, s)];
                r[index(i, k - 1, s)] = sum;
            }
        }
        for (std::size_t s = 0; s < n_; ++s) {
            double sum = -v[index(i + 1, 0, s)];
            for (std::size_t l = 0; l <= stages; ++l) sum += scheme_.end[l] * v[index(i, l, s)];
            r[index(i, stages, s)] = sum;
        }
    }
    return true;
}

bool BoundarySystem::jacobian(std::span<const double> v) {
    const SparsePattern& model = functions_.pattern();
    const std::size_t stages = scheme_.stages;
    std::fill(elements_.begin(), elements_.end(), 0);
    std::size_t visit = 0;
    const auto add = [&](double value) { elements_[place_[visit++]] += value; };
    const auto add_model = [&](std::size_t model_row, double factor) {
        for (std::size_t c = 0; c < n_ + sought_; ++c)
            for (auto k = model.starts[c]; k < model.starts[c + 1]; ++k)
                if (std::size_t(model.row[std::size_t(k)]) == model_row)
                    add(factor * point_[std::size_t(k)] * (c < n_ ? scale_[c] : parameter_scale_[c - n_]));
    };
    if (!set_parameters(v)) return false;
    for (std::size_t i = 0; i < intervals(); ++i) {
        for (std::size_t k = 1; k <= stages; ++k) {
            for (std::size_t s = 0; s < n_; ++s) state_[s] = v[index(i, k, s)] * scale_[s];
            if (!functions_.evaluate(time(i, scheme_.nodes[k]), state_) || !functions_.linearize(point_))
                return false;
            for (std::size_t s = 0; s < n_; ++s) {
                for (std::size_t l = 0; l <= stages; ++l) add(scheme_.d(k - 1, l));
                add_model(s, -length(i) / scale_[s]);
            }
        }
        for (std::size_t s = 0; s < n_; ++s) {
            for (std::size_t l = 0; l <= stages; ++l) add(scheme_.end[l]);
            add(-1);
        }
    }
    std::vector<double> at_start(point_.size()), at_end(point_.size());
    go_to_end(v, true);
    functions_.linearize(at_start);
    go_to_end(v, false);
    functions_.linearize(at_end);
    for (const BoundaryCondition& c : conditions_) {
        if (c.at_start) {
            point_.swap(at_start);
            add_model(n_ + *c.at_start, 1);
            point_.swap(at_start);
        }
        if (c.at_end) {
            point_.swap(at_end);
            add_model(n_ + *c.at_end, 1);
            point_.swap(at_end);
        }
    }
    for (const StateStart& s : starts_) add(scale_[s.state]);
    return std::all_of(elements_.begin(), elements_.end(), [](double x) { return std::isfinite(x); });
}

// Newton's method, damped so that the simplified correction gets shorter (natural monotonicity test).
BoundarySystem::Newton BoundarySystem::solve(std::vector<double>& v, double tolerance,
                                             std::size_t& iterations) {
    constexpr int most = 60;
    constexpr double least_damping = 1e-5;
    std::vector<double> r(unknowns_), step(unknowns_), next(unknowns_), simplified(unknowns_);
    const auto norm = [&](std::span<const double> x) {
        double sum = 0;
        for (double e : x) sum += e * e;
        return std::sqrt(sum / double(x.size()));
    };
    double damping = 1;
    for (int k = 0; k < most; ++k) {
        ++iterations;
        if (!residual(v, r) || !jacobian(v)) return Newton::Undefined;
        if (!lu_.factor(elements_)) return Newton::Singular;
        for (std::size_t i = 0; i < unknowns_; ++i) step[i] = -r[i];
        lu_.solve(step);
        const double length = norm(step);
        if (!std::isfinite(length)) return Newton::Singular;
        const double size = 1 + norm(v);
        if (length <= tolerance * size) {
            for (std::size_t i = 0; i < unknowns_; ++i) v[i] += step[i];
            return Newton::Converged;
        }
        damping = std::min(1.0, 4 * damping);
        for (bool accepted = false; !accepted; damping /= 2) {
            if (damping < least_damping) return Newton::NoProgress;
            for (std::size_t i = 0; i < unknowns_; ++i) next[i] = v[i] + damping * step[i];
            if (!residual(next, r)) continue;
            for (std::size_t i = 0; i < unknowns_; ++i) simplified[i] = -r[i];
            lu_.solve(simplified);
            accepted = norm(simplified) <= (1 - damping / 4) * length;
            if (accepted) break;
        }
        v.swap(next);
    }
    return Newton::NoProgress;
}

void BoundarySystem::state_at(std::span<const double> v, std::size_t interval, double tau,
                              std::span<double> x, std::span<double> rate) const {
    std::vector<double> weight(scheme_.stages + 1), slope(scheme_.stages + 1);
    lagrange_values(scheme_.nodes, tau, weight);
    lagrange_derivatives(scheme_.nodes, tau, slope);
    for (std::size_t s = 0; s < n_; ++s) {
        x[s] = 0;
        if (!rate.empty()) rate[s] = 0;
        for (std::size_t l = 0; l <= scheme_.stages; ++l) {
            const double at = v[index(interval, l, s)] * scale_[s];
            x[s] += weight[l] * at;
            if (!rate.empty()) rate[s] += slope[l] * at;
        }
    }
}

std::vector<double> BoundarySystem::errors(std::span<const double> v) {
    const CollocationScheme fine = gauss_collocation(scheme_.stages + 1);
    std::vector<double> result, x(n_), rate(n_), sizes = scale_;
    for (std::size_t i = 0; i + sought_ < unknowns_; ++i)
        sizes[i % n_] = std::max(sizes[i % n_], std::abs(v[i]) * scale_[i % n_]);
    set_parameters(v);
    for (std::size_t i = 0; i < intervals(); ++i) {
        std::vector<double> missed(n_, 0);
        bool good = true;
        for (std::size_t k = 0; k < fine.stages && good; ++k) {
            state_at(v, i, fine.nodes[k + 1], x, rate);
            good = functions_.evaluate(time(i, fine.nodes[k + 1]), x);
            for (std::size_t s = 0; s < n_ && good; ++s)
                missed[s] += fine.weights[k] * std::abs(rate[s] - length(i) * functions_.derivatives()[s]);
        }
        double worst = good ? 0 : std::numeric_limits<double>::infinity();
        for (std::size_t s = 0; s < n_ && good; ++s) worst = std::max(worst, missed[s] / sizes[s]);
        result.push_back(worst);
    }
    return result;
}

std::vector<double> BoundarySystem::interpolate(std::span<const double> v, const BoundarySystem& onto) const {
    std::vector<double> result(onto.unknowns_), x(n_);
    std::size_t old = 0;
    for (std::size_t i = 0; i < onto.intervals(); ++i)
        for (std::size_t node = 0; node <= scheme_.stages; ++node) {
            const double fraction = onto.mesh_[i] + (onto.mesh_[i + 1] - onto.mesh_[i]) * scheme_.nodes[node];
            while (old + 1 < intervals() && (onto.mesh_[i] + onto.mesh_[i + 1]) / 2 > mesh_[old + 1]) ++old;
            state_at(v, old, (fraction - mesh_[old]) / (mesh_[old + 1] - mesh_[old]), x, {});
            for (std::size_t s = 0; s < n_; ++s) result[onto.index(i, node, s)] = x[s] / scale_[s];
        }
    for (std::size_t s = 0; s < n_; ++s)
        result[onto.index(onto.intervals(), 0, s)] = v[index(intervals(), 0, s)];
    for (std::size_t p = 0; p < sought_; ++p)
        result[onto.unknowns_ - sought_ + p] = v[unknowns_ - sought_ + p];
    return result;
}

}  // namespace cutset
