#include "operations/sensitivity/linearized_run.h"

#include <algorithm>

namespace cutset {

LinearizedRun::LinearizedRun(const Program& program, const SensitivitySettings& settings)
    : program(program),
      layout(program.layout),
      states(program.layout.state.size()),
      settings(settings),
      loops(program, program.partition->model),
      values(program, {&loops, nullptr, settings.allow_external}),
      tape(program) {
    values.set_machine_code(settings.machine_code);
}

void LinearizedRun::take(std::span<const double> from) {
    std::copy(from.begin(), from.end(), &values[0]);
    loops.forget_past();
    loops.forget_matrices();
}

void LinearizedRun::move_to(double t, const RunPath& path) {
    values[layout.time] = t;
    if (states > 0) path.states(t, {&values[layout.state[0]], states});
}

bool LinearizedRun::record(std::initializer_list<const Section*> sections, bool backward) {
    const std::vector<const Section*> list(sections);
    values.clear_error();
    if (tape.record(list, values, backward)) return true;
    return fail(values.error() ? values.error()->message : tape.problem());
}

std::span<const double> LinearizedRun::derivatives() const {
    return values.values().subspan(states > 0 ? layout.derivative[0] : 0, states);
}

std::optional<IvpJacobian> LinearizedRun::jacobian(std::size_t copies, bool transposed,
                                                   std::function<void(double)> move) {
    if (!program.jacobian) return std::nullopt;
    const StateJacobian& from = *program.jacobian;
    struct Element {
        std::size_t row, column, number;
    };
    std::vector<Element> elements;
    for (std::size_t k = 0; k < from.entries.size(); ++k) {
        const JacobianEntry& e = from.entries[k];
        elements.push_back(transposed ? Element{e.column, e.row, k} : Element{e.row, e.column, k});
    }
    std::sort(elements.begin(), elements.end(), [](const Element& a, const Element& b) {
        return a.column != b.column ? a.column < b.column : a.row < b.row;
    });
    IvpJacobian j;
    j.intermediates = (from.columns - states) * copies;
    j.pattern.rows = j.pattern.columns = from.columns * copies;
    j.pattern.starts.push_back(0);
    std::vector<std::size_t> order;
    std::size_t at = 0;
    for (std::size_t c = 0; c < from.columns; ++c) {
        const std::size_t first = at;
        while (at < elements.size() && elements[at].column == c) ++at;
        for (std::size_t k = 0; k < copies; ++k) {
            for (std::size_t i = first; i < at; ++i) {
                j.pattern.row.push_back(static_cast<std::int64_t>(elements[i].row * copies + k));
                order.push_back(elements[i].number);
            }
            j.pattern.starts.push_back(static_cast<std::int64_t>(j.pattern.row.size()));
        }
    }
    j.evaluate = [this, order = std::move(order), move = std::move(move)](
                     double t, std::span<const double>, std::span<const double>, std::span<double> result) {
        move(t);
        if (!values.run(program.derivatives) || !values.run(program.jacobian->section)) return 1;
        for (std::size_t k = 0; k < order.size(); ++k) {
            const double value = values[program.jacobian->entries[order[k]].slot];
            result[k] = std::isfinite(value) ? value : 0;
        }
        return 0;
    };
    return j;
}

}  // namespace cutset
