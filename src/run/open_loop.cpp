#include "run/open_loop.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "generate/untorn_loop.h"
#include "numerics/linear/dense_decompositions.h"
#include "run/loop_pattern.h"
#include "run/pool_lock.h"

namespace cutset {

namespace {

// A residual of equations that agree, as a part of the terms it is the sum of.
constexpr double agreeing = 1e-10;
constexpr double has_part = 1e-9;  // in what is open, as a part of the largest

const std::vector<Block>* list_of(const Partition& p, const Block* block) {
    for (const auto* list : {&p.blocks, &p.initial_blocks, &p.homotopy_blocks, &p.jump_blocks})
        if (!list->empty() && block >= list->data() && block < list->data() + list->size()) return list;
    return nullptr;
}

}  // namespace

// What is eliminated counts where all that it is computed from is known once the loop is solved.
std::vector<OpenQuantity> open_quantities(const Partition& partition, const Block& loop) {
    const FlatModel& model = partition.model;
    std::vector<OpenQuantity> quantities;
    const auto add = [&](Unknown u, bool eliminated) {
        const double nominal = std::abs(model.variables[u.variable].nominal.value_or(1));
        quantities.push_back({u, nominal > 0 && std::isfinite(nominal) ? nominal : 1, eliminated});
    };
    for (const Unknown& u : loop.torn) add(u, false);
    for (const SolvedEquation& s : loop.inner)
        if (!model.variables[s.unknown.variable].is_boolean()) add(s.unknown, false);

    const std::vector<Block>* list = list_of(partition, &loop);
    if (!list) return quantities;
    enum : char { Known, Later, Here };
    std::vector<char> when(model.variables.size(), Known);
    char now = Known;
    for (const Block& block : *list) {
        if (&block == &loop) now = Here;
        for (const Unknown& u : block.torn)
            if (u.order == 0) when[u.variable.value] = now;
        for (const SolvedEquation& s : block.inner)
            if (s.unknown.order == 0) when[s.unknown.variable.value] = now;
        if (now == Here) now = Later;
    }
    for (const Eliminated& e : partition.eliminated) {
        char latest = Known;
        for_each_leaf(e.value, [&](Expr leaf) {
            if (leaf->op != Op::Variable) return;
            const char w = leaf->order > 0 ? char(Later) : when[leaf->variable().value];
            if (w == Later || latest == Later)
                latest = Later;
            else if (w == Here)
                latest = Here;
        });
        when[e.variable.value] = latest;
        if (latest == Here && !e.alias) add({e.variable, 0}, true);
    }
    return quantities;
}

OpenLoop::OpenLoop(const Program& program, const Loop& loop)
    : loop_(loop), z_(loop.torn.size()), step_(loop.torn.size()), terms_(loop.torn.size()) {
    lu_.set_pattern(jacobian_pattern(loop));
    for (const OpenQuantity& q : open_quantities(*program.partition, *loop.block)) {
        const Slot variable = program.layout.variable[q.unknown.variable.value];
        const Slot slot =
            q.unknown.order == 0 ? variable : program.layout.derivative[variable - program.layout.state[0]];
        quantities_.push_back({q.unknown, slot, q.size});
        has_eliminated_ = has_eliminated_ || q.eliminated;
    }
}

bool OpenLoop::run(Interpreter& values, std::span<const double> z, bool all) {
    for (std::size_t i = 0; i < z.size(); ++i) values[loop_.torn[i]] = z[i];
    return values.run(loop_.residual) &&
           (!all || !has_eliminated_ || values.run(values.program().eliminated));
}

OpenLoop::Outcome OpenLoop::solve(std::span<const double> elements, Interpreter& values,
                                  std::span<const double> last, bool any, std::optional<std::size_t> shift) {
    const std::size_t n = loop_.torn.size();
    if (!lu_.factor(elements)) return Outcome::Failed;
    for (std::size_t i = 0; i < n; ++i) {
        z_[i] = -values[loop_.residual_slots[i]];
        if (!std::isfinite(z_[i])) return Outcome::Failed;
        terms_[i] = std::abs(z_[i]);
    }
    chosen_.clear();
    for (std::size_t j : lu_.open()) {
        const double before = last[loop_.torn[j]];
        chosen_.push_back(std::isfinite(before) ? before : 0);
    }
    lu_.solve(z_, chosen_);
    if (!run(values, z_, false)) return Outcome::Failed;
    for (std::size_t i = 0; i < n; ++i) step_[i] = -values[loop_.residual_slots[i]];
    chosen_.assign(chosen_.size(), 0.0);
    lu_.solve(step_, chosen_);
    for (std::size_t i = 0; i < n; ++i) z_[i] += step_[i];
    if (!run(values, z_, false)) return Outcome::Failed;
    for (std::size_t k = 0; k < elements.size(); ++k) {
        const JacobianEntry& e = loop_.jacobian_entries[k];
        terms_[e.row] += std::abs(elements[k] * z_[e.column]);
    }
    for (std::size_t i = 0; i < n; ++i)
        if (!(std::abs(values[loop_.residual_slots[i]]) <= agreeing * terms_[i]))
            return Outcome::Contradiction;
    if (directions() == 0 || (any && !shift)) return Outcome::Solved;
    return choose(values, last, shift);
}

// From the solution at hand to the nearest one: |(q + D c - q_last)/size| becomes smallest, where the columns
// of D are the changes of the quantities q along each of the open directions.
OpenLoop::Outcome OpenLoop::choose(Interpreter& values, std::span<const double> last,
                                   std::optional<std::size_t> shift) {
    const std::size_t n = z_.size(), m = quantities_.size(), count = directions();
    const auto read = [&](std::vector<double>& to) {
        for (const Quantity& q : quantities_) to.push_back(values[q.slot]);
    };
    at_z_.clear();
    if (has_eliminated_ && !values.run(values.program().eliminated)) return Outcome::Failed;
    read(at_z_);
    std::vector<double> lengths(count);
    along_.clear();
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t j = lu_.open()[k];
        lengths[k] = std::max(std::abs(z_[j]), quantities_[j].size);
        const std::span<const double> direction = lu_.direction(k);
        for (std::size_t i = 0; i < n; ++i) step_[i] = z_[i] + lengths[k] * direction[i];
        if (!run(values, step_, true)) return Outcome::Failed;
        read(along_);
        for (std::size_t q = 0; q < m; ++q) along_[k * m + q] -= at_z_[q];
    }
    std::vector<double> matrix(m * count), right(std::max(m, count), 0.0);
    for (std::size_t q = 0; q < m; ++q) {
        const double before = last[quantities_[q].slot];
        for (std::size_t k = 0; k < count; ++k) matrix[k * m + q] = along_[k * m + q] / quantities_[q].size;
        right[q] = ((std::isfinite(before) ? before : 0) - at_z_[q]) / quantities_[q].size;
    }
    if (!dense::least_squares(static_cast<int>(m), static_cast<int>(count), matrix.data(), right.data(),
                              1e-12))
        return Outcome::Failed;
    for (std::size_t k = 0; k < count; ++k) {
        const std::span<const double> direction = lu_.direction(k);
        const double c = right[k] + (shift == k ? 1 : 0);
        for (std::size_t i = 0; i < n; ++i) z_[i] += c * lengths[k] * direction[i];
    }
    return run(values, z_, true) ? Outcome::Solved : Outcome::Failed;
}

std::vector<Unknown> OpenLoop::open_unknowns() const {
    std::vector<Unknown> list;
    const std::size_t m = quantities_.size();
    for (std::size_t q = 0; q < m; ++q)
        for (std::size_t k = 0; k < directions() && (k + 1) * m <= along_.size(); ++k) {
            double largest = 0;
            for (std::size_t other = 0; other < m; ++other)
                largest = std::max(largest, std::abs(along_[k * m + other]) / quantities_[other].size);
            if (std::abs(along_[k * m + q]) / quantities_[q].size <= has_part * largest) continue;
            list.push_back(quantities_[q].unknown);
            break;
        }
    return list;
}

std::vector<ResidualEquation> contradicting_equations(const Loop& loop, const Interpreter& from) {
    const std::unique_ptr<const UntornLoop> whole = [&] {
        const std::lock_guard lock(pool_lock());
        return generate_untorn(from.program(), *loop.block);
    }();
    const Loop& all = whole->program.loops[0];
    Interpreter values(whole->program, from.hooks());
    std::copy_n(from.values().begin(), from.program().layout.constants, &values[0]);
    if (!values.run(all.residual) || !values.run(all.jacobian)) return {};
    BorderedLu lu;
    lu.set_pattern(jacobian_pattern(all));
    std::vector<double> elements;
    for (const JacobianEntry& e : all.jacobian_entries) elements.push_back(values[e.slot]);
    if (!lu.factor(elements)) return {};
    std::vector<double> sizes;
    for (Slot slot : all.residual_slots) sizes.push_back(std::abs(values[slot]));
    for (std::size_t k = 0; k < elements.size(); ++k) {
        const JacobianEntry& e = all.jacobian_entries[k];
        sizes[e.row] += std::abs(elements[k] * values[all.torn[e.column]]);
    }
    // The combination of equations that is violated most.
    std::vector<double> most;
    double violation = agreeing;
    for (std::size_t k = 0; k < lu.dependent().size(); ++k) {
        const std::vector<double> y = lu.combination(k);
        double sum = 0, terms = 0;
        for (std::size_t i = 0; i < y.size(); ++i) {
            sum += y[i] * values[all.residual_slots[i]];
            terms += std::abs(y[i]) * sizes[i];
        }
        if (!(std::abs(sum) > violation * terms)) continue;
        violation = std::abs(sum) / terms;
        most = y;
    }
    std::vector<ResidualEquation> list;
    double size = 0;
    for (double y : most) size = std::max(size, std::abs(y));
    for (std::size_t i = 0; i < most.size(); ++i)
        if (std::abs(most[i]) > has_part * size) list.push_back(whole->block.residuals[i]);
    return list;
}

}  // namespace cutset
