// Runs functions of the language: the steps of a FunctionCode over a frame of numbers. The number type
// decides what comes out: double the values, Dual<double> with one partial derivative, Dual<Dual<double>>
// with a second one.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "expr/dual.h"
#include "generate/arithmetic.h"
#include "generate/external_libraries.h"
#include "generate/interpreter.h"
#include "ir/program.h"

namespace cutset {

// Arrays of numbers that are taken and given back, so that calls do not ask for memory.
class FrameStore {
  public:
    FrameStore() = default;
    FrameStore(const FrameStore&) {}  // what is free here is of no use elsewhere
    FrameStore& operator=(const FrameStore&) { return *this; }

    template <class T>
    class Taken {
      public:
        Taken(FrameStore& store) : free_(std::get<std::vector<std::vector<T>>>(store.free_)) {
            if (free_.empty()) return;
            numbers = std::move(free_.back());
            free_.pop_back();
            numbers.clear();
        }
        ~Taken() { free_.push_back(std::move(numbers)); }
        Taken(const Taken&) = delete;
        Taken& operator=(const Taken&) = delete;
        std::vector<T> numbers;

      private:
        std::vector<std::vector<T>>& free_;
    };

  private:
    template <class T>
    using Free = std::vector<std::vector<T>>;
    std::tuple<Free<double>, Free<Dual<double>>, Free<Dual<Dual<double>>>> free_;
};

// What functions need from the run they belong to.
struct FrameContext {
    const Program& program;
    ExternalLibraries& libraries;
    bool allow_external;
    std::vector<bool>& tables_left;
    FrameStore& store;
    std::optional<RunError> error;
    static constexpr std::size_t most_steps = 100'000'000;  // the message says it
    static constexpr int most_depth = 200;
    std::size_t steps_left = most_steps;  // an endless loop stops here
    int depth_left = most_depth;          // calls within calls

    // Because without one everything would be set to zero first, call by call.
    FrameContext(const Program& program_, ExternalLibraries& libraries_, bool allow_external_,
                 std::vector<bool>& tables_left_, FrameStore& store_)
        : program(program_),
          libraries(libraries_),
          allow_external(allow_external_),
          tables_left(tables_left_),
          store(store_) {}

    bool fail(RunError::Kind kind, std::string message, Span where) {
        if (!error) error = RunError{kind, std::move(message), where};
        return false;
    }
    bool external(const FunctionData& f, bool ok, const std::string& problem) {
        return ok || fail(RunError::Kind::ExternalFailed, problem, f.origin.where);
    }
};

// ---- calls, one level of derivatives at a time

double table_number(FrameContext& context, CalleeIndex callee, double x, double y, int dx, int dy);
template <class T>
Dual<T> table_number(FrameContext& context, CalleeIndex callee, const Dual<T>& x, const Dual<T>& y, int dx,
                     int dy) {
    T derivative(0.0);
    if (varies(x.d)) derivative = derivative + table_number(context, callee, x.v, y.v, dx + 1, dy) * x.d;
    if (varies(y.d)) derivative = derivative + table_number(context, callee, x.v, y.v, dx, dy + 1) * y.d;
    return {table_number(context, callee, x.v, y.v, dx, dy), derivative};
}

bool external_call(FrameContext& context, const FunctionData& f, std::span<const double> arguments,
                   std::vector<double>& results);
// ∂results/∂argument
bool external_partial(FrameContext& context, const FunctionData& f, std::span<const double> arguments,
                      std::uint32_t by, std::vector<double>& results);
bool external_partial(FrameContext& context, const FunctionData& f, std::span<const Dual<double>> arguments,
                      std::uint32_t by, std::vector<Dual<double>>& results);
template <class T>
bool external_call(FrameContext& context, const FunctionData& f, std::span<const Dual<T>> arguments,
                   std::vector<Dual<T>>& results) {
    std::vector<T> plain_arguments, values, partials;
    for (const Dual<T>& a : arguments) plain_arguments.push_back(a.v);
    if (!external_call(context, f, std::span<const T>(plain_arguments), values)) return false;
    results.assign(values.size(), Dual<T>(0.0));
    for (std::size_t k = 0; k < values.size(); ++k) results[k].v = values[k];
    for (std::uint32_t i = 0; i < arguments.size(); ++i) {
        if (!varies(arguments[i].d)) continue;
        if (!external_partial(context, f, std::span<const T>(plain_arguments), i, partials)) return false;
        for (std::size_t k = 0; k < values.size(); ++k)
            results[k].d = results[k].d + partials[k] * arguments[i].d;
    }
    return true;
}

template <class T>
class FrameMachine {
  public:
    explicit FrameMachine(FrameContext& context) : context_(context) {}

    // All outputs of a table or function. False when it failed: context.error says why.
    bool call(CalleeIndex callee, std::span<const T> arguments, std::vector<T>& results) {
        const Callee& what = context_.program.partition->model.callees[callee];
        if (std::holds_alternative<TableData>(what)) {
            results.assign(1, table_number(context_, callee, arguments[0],
                                           arguments.size() > 1 ? arguments[1] : T(0.0), 0, 0));
            return !context_.error;
        }
        const auto& function = std::get<FunctionData>(what);
        if constexpr (!std::is_same_v<T, double>)
            if (function.derivative) return call_by_rule(callee, *function.derivative, arguments, results);
        if (function.external) return external_call(context_, function, arguments, results);
        if (context_.depth_left == 0)
            return context_.fail(RunError::Kind::EndlessLoop,
                                 "function " + function.name + " calls itself without end, or very deeply",
                                 function.origin.where);
        --context_.depth_left;
        const bool ok = run(function, context_.program.functions[callee.value], arguments, results);
        ++context_.depth_left;
        return ok;
    }

  private:
    // The values of f(x), and their differentials by the function g(x, dx) that the modeller gives.
    bool call_by_rule(CalleeIndex callee, CalleeIndex rule, std::span<const T> arguments,
                      std::vector<T>& results) {
        using Part = decltype(T::v);
        FrameStore::Taken<Part> x(context_.store), values(context_.store), differentials(context_.store);
        for (const T& a : arguments) x.numbers.push_back(a.v);
        FrameMachine<Part> machine(context_);
        if (!machine.call(callee, x.numbers, values.numbers)) return false;
        for (const T& a : arguments) x.numbers.push_back(a.d);
        if (!machine.call(rule, x.numbers, differentials.numbers)) return false;
        results.clear();
        for (std::size_t k = 0; k < values.numbers.size(); ++k)
            results.push_back(T(values.numbers[k], differentials.numbers[k]));
        return true;
    }

    bool run(const FunctionData& function, const FunctionCode& code, std::span<const T> arguments,
             std::vector<T>& results) {
        // What was not set is not a number.
        FrameStore::Taken<T> frame(context_.store), call_arguments_taken(context_.store),
            call_results_taken(context_.store);
        std::vector<T>&r = frame.numbers, &call_arguments = call_arguments_taken.numbers,
        &call_results = call_results_taken.numbers;
        r.assign(code.frame, T(std::numeric_limits<double>::quiet_NaN()));
        std::copy(arguments.begin(), arguments.end(), r.begin());
        for (const auto& [slot, value] : function.constants) r[slot] = T(value);
        const Slot first_constant = code.frame - static_cast<Slot>(code.constants.size());
        for (std::size_t i = 0; i < code.constants.size(); ++i) r[first_constant + i] = T(code.constants[i]);

        Made made;
        using Kind = FunctionCode::Step::Kind;
        for (std::size_t at = 0;;) {
            const FunctionCode::Step& step = code.steps[at++];
            const Instruction& i = step.instruction;
            if (context_.steps_left-- == 0) {
                context_.steps_left = 0;
                return context_.fail(
                    RunError::Kind::EndlessLoop,
                    "function " + function.name + " does not come to an end within 100 million steps",
                    code.statements.empty() ? function.origin.where : code.statements[step.statement]);
            }
            switch (step.kind) {
                case Kind::Operation: {
                    const bool computed = compute_slot(i, r.data(), first_constant);
                    CUTSET_ASSERT(computed);
                    break;
                }
                case Kind::LoadElement:
                case Kind::StoreElement: {
                    const double position = plain(r[i.a]);
                    if (!(position >= 1 && position <= step.length) || position != std::floor(position))
                        return bad_index(function, code, step, position);
                    const std::size_t place = step.first + static_cast<std::size_t>(position) - 1;
                    if (step.kind == Kind::LoadElement)
                        r[i.to] = r[place];
                    else
                        r[place] = r[i.b];
                    break;
                }
                case Kind::Jump:
                    at = i.to;
                    break;
                case Kind::JumpFalse:
                    if (plain(r[i.a]) == 0) at = i.to;
                    break;
                case Kind::Call: {
                    const CallSite& site = code.calls[i.a];
                    call_arguments.clear();
                    for (Slot s : site.arguments) call_arguments.push_back(r[s]);
                    if (function.impure && goes_on(site, call_arguments, made)) {
                        r[i.to] = made.results[site.output];
                        break;
                    }
                    if (!call(site.callee, call_arguments, call_results)) return false;
                    r[i.to] = call_results[site.output];
                    if (function.impure) made = {&site, call_arguments, call_results};
                    break;
                }
                case Kind::Assert:
                    if (plain(r[i.a]) == 0)
                        return context_.fail(
                            RunError::Kind::AssertionFailed,
                            fmt::format("in function {}: {}", function.name, code.assertions[i.b]),
                            code.statements[step.statement]);
                    break;
                case Kind::Return:
                    results.assign(r.begin() + code.inputs, r.begin() + code.inputs + code.outputs);
                    return true;
            }
        }
    }

    // The last call that an impure function made.
    struct Made {
        const CallSite* site = nullptr;
        std::vector<T> arguments, results;
    };
    // Another result of the same call: they are asked for one after the other.
    static bool goes_on(const CallSite& site, const std::vector<T>& arguments, const Made& made) {
        if (!made.site || made.site->callee != site.callee || site.output <= made.site->output) return false;
        return std::equal(arguments.begin(), arguments.end(), made.arguments.begin(), made.arguments.end(),
                          [](const T& a, const T& b) { return plain(a) == plain(b); });
    }

    bool bad_index(const FunctionData& function, const FunctionCode& code, const FunctionCode::Step& step,
                   double position) {
        std::string name =
            step.first < function.slot_names.size() ? function.slot_names[step.first] : "an array";
        if (const std::size_t bracket = name.find('['); bracket != std::string::npos) name.resize(bracket);
        return context_.fail(
            RunError::Kind::IndexRange,
            fmt::format("in function {} the index {} of {} is not a whole number from 1 to {}", function.name,
                        number_text(position), name, step.length),
            code.statements[step.statement]);
    }

    FrameContext& context_;
};

}  // namespace cutset
