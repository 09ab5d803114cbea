#include "flat/function_value.h"

#include <variant>
#include <vector>

#include "routines/routines.h"

namespace cutset {

namespace {

// Runs a function's statements on numbers.
struct Runner {
    const FlatModel& model;
    const FunctionData& f;
    std::vector<double> frame;
    std::size_t steps = 0;
    int depth = 0;
    Environment environment;

    std::optional<double> value(Expr e) { return evaluate(e, environment); }

    bool assign(const FunctionAssign& a) {
        const auto v = value(a.value);
        if (!v) return false;
        if (a.target->op == Op::Local) {
            frame[a.target->index] = *v;
            return true;
        }
        const auto position = value(a.target->arg(0));
        if (!position || *position < 1 || *position > a.target->order) return false;
        frame[a.target->index + static_cast<std::size_t>(*position) - 1] = *v;
        return true;
    }

    enum class Goes { On, Break, Return, Failed };

    Goes run(const std::vector<FunctionStatement>& body) {
        for (const FunctionStatement& s : body) {
            if (++steps > 10'000'000) return Goes::Failed;
            const Goes goes = std::visit([&](const auto& what) { return run(what); }, s.what);
            if (goes != Goes::On) return goes;
        }
        return Goes::On;
    }
    Goes run(const FunctionAssign& a) { return assign(a) ? Goes::On : Goes::Failed; }
    Goes run(const FunctionIf& choice) {
        for (const auto& [condition, inner] : choice.branches) {
            const auto holds = condition ? value(condition) : std::optional(1.0);
            if (!holds) return Goes::Failed;
            if (*holds != 0) return run(inner);
        }
        return Goes::On;
    }
    Goes run(const FunctionFor& loop) {
        const auto from = value(loop.from), to = value(loop.to), step = value(loop.step);
        if (!from || !to || !step || *step == 0) return Goes::Failed;
        for (double k = *from; *step > 0 ? k <= *to : k >= *to; k += *step) {
            if (++steps > 10'000'000) return Goes::Failed;
            frame[loop.slot] = k;
            const Goes goes = run(loop.body);
            if (goes == Goes::Break) break;
            if (goes != Goes::On) return goes;
        }
        return Goes::On;
    }
    Goes run(const FunctionWhile& loop) {
        for (;;) {
            if (++steps > 10'000'000) return Goes::Failed;
            const auto holds = value(loop.condition);
            if (!holds) return Goes::Failed;
            if (*holds == 0) return Goes::On;
            const Goes goes = run(loop.body);
            if (goes == Goes::Break) return Goes::On;
            if (goes != Goes::On) return goes;
        }
    }
    Goes run(const FunctionLeave& leave) { return leave.loop ? Goes::Break : Goes::Return; }
    Goes run(const FunctionAssert& a) {
        return value(a.condition).value_or(0) != 0 ? Goes::On : Goes::Failed;
    }
};

// A routine of the program itself; nothing of a library, which is not loaded before the run.
std::optional<double> routine_value(const FunctionData& f, std::uint32_t output,
                                    std::span<const double> arguments) {
    if (!f.external->library.empty()) return std::nullopt;
    const auto call = routine_call_of(f.external->symbol);
    std::vector<double> results;
    std::string problem;
    if (!call || !run_routine(*call, arguments, results, problem)) return std::nullopt;
    return results.at(output);
}

std::optional<double> value_at_depth(const FlatModel& model, CalleeIndex callee, std::uint32_t output,
                                     std::span<const double> arguments, int depth) {
    if (depth > 100) return std::nullopt;
    if (const auto* table = std::get_if<TableData>(&model.callees[callee])) {
        bool outside = false;
        return table_value(*table, arguments[0], arguments.size() > 1 ? arguments[1] : 0, 0, 0, outside);
    }
    const auto& f = std::get<FunctionData>(model.callees[callee]);
    if (f.external) return routine_value(f, output, arguments);
    Runner r{model, f, std::vector<double>(f.slots, 0.0), 0, depth, {}};
    for (std::size_t k = 0; k < arguments.size(); ++k) r.frame[k] = arguments[k];
    for (const auto& [slot, v] : f.constants) r.frame[slot] = v;
    r.environment.leaf = [&r](Expr e) -> std::optional<double> {
        if (e->op == Op::Local) return r.frame[e->index];
        if (e->op != Op::Element) return std::nullopt;
        const auto position = evaluate(e->arg(0), r.environment);
        if (!position || *position < 1 || *position > e->order) return std::nullopt;
        return r.frame[e->index + static_cast<std::size_t>(*position) - 1];
    };
    r.environment.apply = [&](Expr e, std::span<const double> inner) {
        return value_at_depth(model, e->callee(), e->order, inner, depth + 1);
    };
    if (r.run(f.body) == Runner::Goes::Failed) return std::nullopt;
    return r.frame[f.inputs + output];
}

}  // namespace

std::optional<double> function_value(const FlatModel& model, CalleeIndex callee, std::uint32_t output,
                                     std::span<const double> arguments) {
    return value_at_depth(model, callee, output, arguments, 0);
}

}  // namespace cutset
