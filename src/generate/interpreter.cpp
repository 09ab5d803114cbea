#include "generate/interpreter.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/diagnostic.h"
#include "generate/external_libraries.h"
#include "generate/frame_machine.h"
#include "generate/function_calls.h"

namespace cutset {

Interpreter::CallsOwner::CallsOwner(const Program& program)
    : calls(std::make_unique<FunctionCalls>(program)) {}
Interpreter::CallsOwner::CallsOwner(const CallsOwner& other)
    : calls(std::make_unique<FunctionCalls>(*other.calls)) {}
Interpreter::CallsOwner& Interpreter::CallsOwner::operator=(const CallsOwner& other) {
    *calls = *other.calls;
    return *this;
}
Interpreter::CallsOwner::~CallsOwner() = default;

Interpreter::Interpreter(const Program& program, Hooks hooks)
    : program_(&program),
      hooks_(hooks),
      values_(program.layout.slots, 0),
      tables_left_(program.partition->model.callees.size(), false),
      function_calls_(program),
      libraries_(std::make_shared<ExternalLibraries>()) {
    std::copy(program.constants.begin(), program.constants.end(), values_.begin() + program.layout.constants);
    const auto& variables = program.partition->model.variables;
    for (std::size_t i = 0; i < variables.size(); ++i)
        values_[program.layout.variable[i]] = variables[VariableIndex(i)].value;
}

void Interpreter::set_machine_code(std::shared_ptr<MachineCode> code) {
    function_calls_.calls->unbind();  // from the code that may go with it
    machine_code_ = std::move(code);
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
                if (const double* known = function_calls_.calls->known(site, argument_buffer_.data())) {
                    r[i.to] = *known;
                    break;
                }
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
    // Counted only where the counts are used: what threads write in turn travels between processors.
    if (const std::uint32_t often = code.often.load(std::memory_order_relaxed);
        often != CompiledSection::never) {
        const std::uint32_t runs = code.runs.load(std::memory_order_relaxed) + 1;
        code.runs.store(runs, std::memory_order_relaxed);
        if (runs >= often) machine_code_->often(code);
    }
    SectionRun& run = function_calls_.calls->section_run();
    if (run.interpreter != this) {
        if (!program_->calls.empty())
            function_calls_.calls->bind(*program_, frame_context(), machine_code_.get());
        run.interpreter = this;
    }
    ++scratch_.depth;
    bool good = true;
    for (const CompiledStep& step : code.steps)
        if (!step.function(values_.data(), scratch, &run, step.table, step.count)) {
            good = false;
            break;
        }
    --scratch_.depth;
    return good;
}

RuntimeFunctions Interpreter::runtime_functions() {
    RuntimeFunctions f;
    static constexpr auto of = [](SectionRun* run) -> Interpreter& {
        return *static_cast<Interpreter*>(run->interpreter);
    };
    f.call = [](SectionRun* run, std::uint32_t site, const double* arguments, double* result) -> int {
        auto& self = of(run);
        const CallSite& called = self.program_->calls[site];
        if (const double* known = self.function_calls_.calls->known(called, arguments)) {
            *result = *known;
            return 1;
        }
        const auto value = self.call(called, {arguments, called.arguments.size()});
        if (value) *result = *value;
        return value.has_value();
    };
    f.call_all = [](SectionRun* run, std::uint32_t site, const double* in, double* out) -> int {
        auto& self = of(run);
        if (self.function_calls_.calls->call_all(site, in, out)) return 1;
        self.error_ = std::exchange(self.function_calls_.calls->error(), std::nullopt);
        return 0;
    };
    f.solve = [](SectionRun* run, std::uint32_t loop) -> int { return of(run).solve(loop); };
    f.delay = [](SectionRun* run, std::uint32_t line, double time) { return of(run).delayed(line, time); };
    f.callee = FunctionCalls::call_back;
    return f;
}

FrameContext Interpreter::frame_context() {
    return {*program_, *libraries_, hooks_.allow_external, tables_left_, function_calls_.calls->store()};
}

std::optional<double> Interpreter::call(const CallSite& site, std::span<const double> arguments) {
    FunctionCalls& functions = *function_calls_.calls;
    FrameContext context = frame_context();
    if (std::holds_alternative<TableData>(program_->partition->model.callees[site.callee])) {
        int dx = 0, dy = 0;
        for (int k = 0; k < site.derivatives; ++k) ++(site.by[k] == 0 ? dx : dy);
        const double value =
            table_number(context, site.callee, arguments[0], arguments.size() > 1 ? arguments[1] : 0, dx, dy);
        if (!context.error) return value;
    } else if (const double* value = functions.call(site, arguments.data(), context, machine_code_.get())) {
        return *value;
    }
    error_ = std::move(context.error);
    return std::nullopt;
}

std::vector<CalleeIndex> Interpreter::take_tables_left() {
    std::vector<CalleeIndex> left;
    if (std::find(tables_left_.begin(), tables_left_.end(), true) == tables_left_.end()) return left;
    for (std::size_t i = 0; i < tables_left_.size(); ++i)
        if (tables_left_[i]) left.emplace_back(i);
    tables_left_.assign(tables_left_.size(), false);
    return left;
}

}  // namespace cutset
