#include "run/model_functions.h"

#include <algorithm>
#include <cmath>

#include "base/finite.h"
#include "run/equilibrium.h"
#include "run/infinite_slope.h"
#include "run/run_messages.h"

namespace cutset {

namespace {

std::vector<SchurComplement::Element> elements_of(const LinearizedEquations& equations) {
    std::vector<SchurComplement::Element> elements;
    for (const JacobianEntry& e : equations.entries) elements.push_back({e.row, e.column});
    return elements;
}

}  // namespace

ModelFunctions::ModelFunctions(std::shared_ptr<const Program> program,
                               std::shared_ptr<MachineCode> machine_code)
    : program_(std::move(program)),
      layout_(program_->layout),
      equations_(*program_->linearized),
      loops_(*program_, program_->partition->model),
      values_(*program_, {&loops_, nullptr, false}),
      selector_(*program_),
      schur_(elements_of(equations_), equations_.states + equations_.of.size(),
             equations_.states + equations_.by.size(), equations_.intermediates),
      elements_(equations_.entries.size()) {
    values_.set_machine_code(std::move(machine_code));
    values_.set_live_switches(!program_->partition->switches.empty());
    loops_.set_robust(true);
    set_parameters(present_parameters());
}

VariableIndex ModelFunctions::state_variable(std::size_t i) const {
    return selector_.stands_for(program_->partition->states[i]);
}

std::vector<double> ModelFunctions::present_parameters() const {
    std::vector<double> p;
    for (VariableIndex v : equations_.by) p.push_back(value(v));
    return p;
}

bool ModelFunctions::run(const Section& section) {
    values_.clear_error();
    singular_.reset();
    const bool good = values_.run(section);
    failed_ = good ? nullptr : &section;
    return good;
}

bool ModelFunctions::set_parameters(std::span<const double> p) {
    CUTSET_ASSERT(p.size() == parameters());
    for (std::size_t i = 0; i < p.size(); ++i) guess(equations_.by[i]) = p[i];
    loops_.forget_matrices();
    return run(program_->parameters) && run(program_->fixed) && run(program_->stepwise);
}

bool ModelFunctions::start(double time, Diagnostics& diagnostics, bool allow_external) {
    SimulateOptions options;
    options.start = time;
    options.allow_external = allow_external;
    for (VariableIndex v : equations_.by) options.given.emplace_back(v, value(v));
    const std::optional<Equilibrium> found = initialize_run(*program_, options, diagnostics);
    return found && take(time, found->values);
}

bool ModelFunctions::take(double time, std::span<const double> values) {
    values_[layout_.time] = time;
    values_[layout_.starting] = 0;
    const FlatModel& m = model();
    for (VariableIndex v(0); v.value < values.size(); ++v.value) {
        if (m.variables[v].variability <= Variability::Parameter || std::isnan(values[v.value])) continue;
        guess(v) = values[v.value];
        if (const Slot previous = layout_.previous[v.value]) values_[previous] = values[v.value];
    }
    if (!run(program_->stepwise)) return false;
    if (!selector_.empty() && !(selector_.choose(values_) && run(program_->stepwise))) return false;
    const std::vector<double> x(state().begin(), state().end());
    return evaluate(time, x);
}

bool ModelFunctions::evaluate(double time, std::span<const double> x) {
    values_[layout_.time] = time;
    if (!x.empty() && x.data() != state().data()) std::copy(x.begin(), x.end(), &values_[layout_.state[0]]);
    if (!run(equations_.equations)) return false;
    bool finite = all_finite(derivatives());
    for (std::size_t i = 0; i < outputs(); ++i) finite = finite && std::isfinite(output(i));
    if (!finite) failed_ = &equations_.equations;
    return finite;
}

bool ModelFunctions::complete() {
    return run(program_->continuous) && run(program_->eliminated);
}

bool ModelFunctions::linearize(std::span<double> elements) {
    if (!run(equations_.section)) return false;
    for (std::size_t i = 0; i < elements_.size(); ++i) elements_[i] = values_[equations_.entries[i].slot];
    if (!schur_.evaluate(elements_, elements)) {
        singular_ = schur_.singular();
        failed_ = &equations_.section;
        return false;
    }
    if (all_finite(elements)) return true;
    failed_ = &equations_.section;
    return false;
}

bool ModelFunctions::linearize_start(std::vector<double>& matrix) {
    const LinearizedEquations& start = *program_->linearized_start;
    const std::size_t n = states(), m = parameters();
    if (!run(start.section)) return false;
    SchurComplement schur(elements_of(start), n, m, start.intermediates);
    std::vector<double> entries, elements(schur.pattern().elements());
    for (const JacobianEntry& e : start.entries) entries.push_back(values_[e.slot]);
    if (!schur.evaluate(entries, elements)) {
        singular_ = schur.singular();
        failed_ = &start.section;
        return false;
    }
    matrix.assign(n * m, 0);
    const SparsePattern& pattern = schur.pattern();
    for (std::size_t c = 0; c < m; ++c)
        for (auto i = pattern.starts[c]; i < pattern.starts[c + 1]; ++i)
            matrix[c * n + std::size_t(pattern.row[std::size_t(i)])] = elements[std::size_t(i)];
    return true;
}

std::vector<std::size_t> ModelFunctions::conditions_at_corner() {
    constexpr double meeting = 1e-12;
    std::vector<std::size_t> result;
    if (!complete() || !run(program_->crossings)) return result;
    for (std::size_t i = 0; i < layout_.crossings.size(); ++i)
        if (!program_->partition->switches[i].instant && std::abs(values_[layout_.crossings[i]]) <= meeting)
            result.push_back(i);
    return result;
}

std::optional<Diagnostic> ModelFunctions::failure() const {
    if (!failed_) return std::nullopt;
    const auto singular = [&] {
        const auto slope = find_infinite_slope(model(), time(), [&](VariableIndex v) {
            return std::optional(values_[layout_.variable[v.value]]);
        });
        return run_messages::singular_linearization(
            model(), slope ? std::optional(slope->equation) : std::nullopt, time());
    };
    if (values_.error()) return run_messages::run_error(*values_.error(), time());
    if (loops_.failure())
        return run_messages::loop_failed(model(), *loops_.failure()->loop, values_, loops_.failure()->reason,
                                         time());
    if (singular_) return singular();
    Interpreter copy = values_;
    if (const auto what = copy.explain_non_finite(*failed_))
        return run_messages::not_finite(model(), *what, time());
    return singular();
}

}  // namespace cutset
