#include "generate/frame_machine.h"

namespace cutset {

double table_number(FrameContext& context, CalleeIndex callee, double x, double y, int dx, int dy) {
    const auto& table = std::get<TableData>(context.program.partition->model.callees[callee]);
    bool outside = false;
    const double value = table_value(table, x, y, dx, dy, outside);
    if (!outside) return value;
    if (table.outside == Outside::Hold) context.tables_left[callee.value] = true;
    if (table.outside == Outside::Error) {
        const bool two = !table.y.empty();
        const double arguments[2] = {x, y};
        const auto range = [](const std::vector<double>& v) {
            return number_text(v.front()) + " to " + number_text(v.back());
        };
        context.fail(RunError::Kind::TableRange,
                     fmt::format("table {} is left: {} is outside {}", table.name,
                                 call_text(table.name, std::span(arguments, two ? 2 : 1)),
                                 two ? range(table.x) + " and " + range(table.y) : range(table.x)),
                     table.origin.where);
    }
    return value;
}

namespace {

// Those that the modeller's function has.
std::span<const double> own_arguments(const FunctionData& f, std::span<const double> arguments) {
    return f.impure ? arguments.first(arguments.size() - 2) : arguments;
}

}  // namespace

bool external_call(FrameContext& context, const FunctionData& f, std::span<const double> arguments,
                   std::vector<double>& results) {
    if (!context.allow_external && !f.external->library.empty())
        return context.fail(RunError::Kind::ExternalFailed,
                            "function " + f.name + " is external code, which runs only with --allow-external",
                            f.origin.where);
    std::string problem;
    return context.external(f, context.libraries.call(f, own_arguments(f, arguments), results, problem),
                            problem);
}

bool external_partial(FrameContext& context, const FunctionData& f, std::span<const double> arguments,
                      std::uint32_t by, std::vector<double>& results) {
    std::string problem;
    return context.external(
        f, context.libraries.derivative(f, own_arguments(f, arguments), by, results, problem), problem);
}

// Second derivatives of external code: central differences of the first.
bool external_partial(FrameContext& context, const FunctionData& f, std::span<const Dual<double>> arguments,
                      std::uint32_t by, std::vector<Dual<double>>& results) {
    std::vector<double> at, value, above, below;
    for (const Dual<double>& a : arguments) at.push_back(a.v);
    if (!external_partial(context, f, at, by, value)) return false;
    results.assign(value.size(), Dual<double>(0.0));
    for (std::size_t k = 0; k < value.size(); ++k) results[k].v = value[k];
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!varies(arguments[i].d)) continue;
        const double x = at[i], h = 1e-4 * std::max(std::abs(x), 1e-3);
        at[i] = x + h;
        if (!external_partial(context, f, at, by, above)) return false;
        at[i] = x - h;
        if (!external_partial(context, f, at, by, below)) return false;
        at[i] = x;
        for (std::size_t k = 0; k < value.size(); ++k)
            results[k].d += (above[k] - below[k]) / (2 * h) * arguments[i].d;
    }
    return true;
}

}  // namespace cutset
