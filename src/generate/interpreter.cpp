#include "generate/interpreter.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/diagnostic.h"
#include "generate/external_libraries.h"
#include "generate/frame_machine.h"

namespace cutset {

Interpreter::Interpreter(const Program& program, Hooks hooks)
    : program_(&program),
      hooks_(hooks),
      values_(program.layout.slots, 0),
      tables_left_(program.partition->model.callees.size(), false),
      last_calls_(program.partition->model.callees.size()),
      libraries_(std::make_shared<ExternalLibraries>()) {
    std::copy(program.constants.begin(), program.constants.end(), values_.begin() + program.layout.constants);
    const auto& variables = program.partition->model.variables;
    for (std::size_t i = 0; i < variables.size(); ++i)
        values_[program.layout.variable[i]] = variables[VariableIndex(i)].value;
}

bool Interpreter::interpret(const Section& section) {
    double* const r = values_.data();
    const Instruction* const code = section.instructions.data();
    const std::size_t end = section.instructions.size();
    for (std::size_t at = 0; at < end;) {
        const Instruction& i = code[at++];
        switch (i.code) {
            case Code::Copy:
                r[i.to] = r[i.a];
                break;
            case Code::Add:
                r[i.to] = r[i.a] + r[i.b];
                break;
            case Code::Subtract:
                r[i.to] = r[i.a] - r[i.b];
                break;
            case Code::Multiply:
                r[i.to] = r[i.a] * r[i.b];
                break;
            case Code::Divide:
                r[i.to] = r[i.a] / r[i.b];
                break;
            case Code::Negate:
                r[i.to] = -r[i.a];
                break;
            case Code::Unary:
                r[i.to] = apply_unary(i.op, r[i.a]);
                break;
            case Code::Binary:
                r[i.to] = apply_binary(i.op, r[i.a], r[i.b]);
                break;
            case Code::Jump:
                at = i.to;
                break;
            case Code::JumpFalse:
                if (r[i.a] == 0) at = i.to;
                break;
            case Code::Call: {
                const CallSite& site = program_->calls[i.a];
                argument_buffer_.clear();
                for (Slot s : site.arguments) argument_buffer_.push_back(r[s]);
                const auto result = call(site, argument_buffer_);
                if (!result) return false;
                r[i.to] = *result;
                break;
            }
            case Code::Solve:
                if (!solve(i.a)) return false;
                break;
            case Code::Switch:
                if (!live_) {
                    r[i.to] = r[program_->layout.switches[i.a]];
                    at = i.b;
                }
                break;
            case Code::Delay:
                r[i.to] = delayed(i.a, r[program_->layout.time] - r[i.b]);
                break;
        }
    }
    return true;
}

bool Interpreter::solve(std::uint32_t loop) {
    CUTSET_ASSERT(hooks_.loops);
    if (hooks_.loops->solve(program_->loops[loop], loop, *this)) return true;
    failed_loop_ = loop;
    return false;
}

double Interpreter::delayed(std::uint32_t line, double time) {
    return hooks_.delays ? hooks_.delays->value(line, time) : std::numeric_limits<double>::quiet_NaN();
}

bool Interpreter::run(const CompiledSection& code) {
    double* scratch = nullptr;
    if (code.scratch > 0) {
        while (scratch_.levels.size() <= scratch_.depth) scratch_.levels.emplace_back();
        std::vector<double>& level = scratch_.levels[scratch_.depth];
        if (level.size() < code.scratch) level.resize(code.scratch);
        scratch = level.data();
    }
    ++scratch_.depth;
    bool good = true;
    for (const CompiledStep& step : code.steps)
        if (!step.function(values_.data(), scratch, this, step.table, step.count)) {
            good = false;
            break;
        }
    --scratch_.depth;
    return good;
}

namespace {

template <class T>
int call_table(FrameContext& context, CalleeIndex callee, const double* arguments, std::uint32_t count,
               double* result) {
    T in[2] = {T(0.0), T(0.0)};
    std::memcpy(static_cast<void*>(in), arguments, std::min(count, 2u) * sizeof(T));
    const T out = table_number(context, callee, in[0], in[1], 0, 0);
    std::memcpy(static_cast<void*>(result), &out, sizeof(T));
    return !context.error;
}

}  // namespace

RuntimeFunctions Interpreter::runtime_functions() {
    RuntimeFunctions f;
    f.call = [](void* context, std::uint32_t site, const double* arguments, double* result) -> int {
        auto& self = *static_cast<Interpreter*>(context);
        const CallSite& called = self.program_->calls[site];
        const auto value = self.call(called, {arguments, called.arguments.size()});
        if (value) *result = *value;
        return value.has_value();
    };
    f.solve = [](void* context, std::uint32_t loop) -> int {
        return static_cast<Interpreter*>(context)->solve(loop);
    };
    f.delay = [](void* context, std::uint32_t line, double time) {
        return static_cast<Interpreter*>(context)->delayed(line, time);
    };
    f.table = [](void* context, std::uint32_t callee, std::uint32_t level, const double* arguments,
                 std::uint32_t count, double* result) -> int {
        auto& self = *static_cast<Interpreter*>(context);
        FrameContext frame{*self.program_, *self.libraries_, false, self.tables_left_};
        const auto table = level == 0   ? call_table<double>
                           : level == 1 ? call_table<Dual<double>>
                                        : call_table<Dual<Dual<double>>>;
        return table(frame, CalleeIndex(callee), arguments, count, result);
    };
    return f;
}

std::optional<double> Interpreter::call(const CallSite& site, std::span<const double> arguments) {
    FrameContext context{*program_, *libraries_, hooks_.allow_external, tables_left_};
    const auto result = [&](double value) -> std::optional<double> {
        if (!context.error) return value;
        error_ = std::move(context.error);
        return std::nullopt;
    };
    if (std::holds_alternative<TableData>(program_->partition->model.callees[site.callee])) {
        int dx = 0, dy = 0;
        for (int k = 0; k < site.derivatives; ++k) ++(site.by[k] == 0 ? dx : dy);
        return result(table_number(context, site.callee, arguments[0],
                                   arguments.size() > 1 ? arguments[1] : 0, dx, dy));
    }

    LastCall& last = last_calls_[site.callee.value];
    const auto same_argument = [](double a, double b) { return a == b || (a != a && b != b); };
    if (!(last.valid && last.derivatives == site.derivatives && last.by[0] == site.by[0] &&
          last.by[1] == site.by[1] &&
          std::equal(arguments.begin(), arguments.end(), last.arguments.begin(), last.arguments.end(),
                     same_argument))) {
        last.valid = false;
        bool ok;
        if (call_native(site, arguments, last.results)) {
            ok = true;
        } else if (site.derivatives == 0) {
            ok = FrameMachine<double>(context).call(site.callee, arguments, last.results);
        } else if (site.derivatives == 1) {
            using First = Dual<double>;
            std::vector<First> in, out;
            for (std::size_t k = 0; k < arguments.size(); ++k)
                in.emplace_back(arguments[k], k == site.by[0] ? 1.0 : 0.0);
            ok = FrameMachine<First>(context).call(site.callee, in, out);
            last.results.clear();
            for (const First& o : out) last.results.push_back(o.d);
        } else {
            // by[0] in the outer part, by[1] in the inner one: the mixed part is the second derivative.
            using First = Dual<double>;
            using Second = Dual<First>;
            std::vector<Second> in, out;
            for (std::size_t k = 0; k < arguments.size(); ++k)
                in.emplace_back(First(arguments[k], k == site.by[1] ? 1.0 : 0.0),
                                First(k == site.by[0] ? 1.0 : 0.0));
            ok = FrameMachine<Second>(context).call(site.callee, in, out);
            last.results.clear();
            for (const Second& o : out) last.results.push_back(o.d.d);
        }
        if (!ok) return result(0);
        last.valid = true;
        last.derivatives = site.derivatives;
        last.by[0] = site.by[0];
        last.by[1] = site.by[1];
        last.arguments.assign(arguments.begin(), arguments.end());
    }
    return last.results[site.output];
}

// Numbers with their derivatives as in Dual; see below the parts that `call` sets.
bool Interpreter::call_native(const CallSite& site, std::span<const double> arguments,
                              std::vector<double>& results) {
    if (!machine_code_) return false;
    const NativeCallee code = machine_code_->find(site.callee, site.derivatives);
    if (!code) return false;
    const std::size_t parts = std::size_t(1) << site.derivatives;
    const std::size_t outputs = program_->functions[site.callee.value].outputs;
    native_numbers_.assign((arguments.size() + outputs) * parts, 0);
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        double* number = native_numbers_.data() + k * parts;
        number[0] = arguments[k];
        if (site.derivatives == 1) number[1] = k == site.by[0];
        if (site.derivatives == 2) {
            number[1] = k == site.by[1];
            number[2] = k == site.by[0];
        }
    }
    double* const out = native_numbers_.data() + arguments.size() * parts;
    if (!code(native_numbers_.data(), out, this)) return false;
    results.resize(outputs);
    for (std::size_t k = 0; k < outputs; ++k) results[k] = out[k * parts + parts - 1];
    return true;
}

std::vector<CalleeIndex> Interpreter::take_tables_left() {
    std::vector<CalleeIndex> left;
    for (std::size_t i = 0; i < tables_left_.size(); ++i)
        if (tables_left_[i]) left.emplace_back(i);
    tables_left_.assign(tables_left_.size(), false);
    return left;
}

}  // namespace cutset
