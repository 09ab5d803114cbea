#include "generate/function_calls.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "base/diagnostic.h"

namespace cutset {

namespace {

constexpr std::uint32_t rows_of_a_function = 64;  // a power of two
constexpr std::uint32_t longest_remembered = 32;  // arguments and results; of longer calls the last one
constexpr std::size_t arena_numbers = 1u << 16;   // for arrays of functions in machine code
constexpr std::size_t shortest_remembered = 24;   // steps: what is computed sooner than found is not kept
constexpr std::size_t seldom = 5;                 // one in so many that asks for the same does not pay

}  // namespace

FunctionUse::Directions FunctionUse::directions(std::uint16_t argument) const {
    const auto found = std::find(by.begin(), by.end(), argument);
    if (found == by.end()) return {{argument, 0}, 1};
    const std::size_t first = static_cast<std::size_t>(found - by.begin()) / 2 * 2;
    if (first + 1 == by.size()) return {{argument, 0}, 1};
    return {{by[first], by[first + 1]}, 2};
}

FunctionKind FunctionUse::kind(const CallSite& site) const {
    if (site.derivatives == 0) return FunctionKind::Value;
    return site.derivatives == 1 ? directions(site.by[0]).kind() : FunctionKind::Second;
}

namespace {

// Whether an output depends on the inputs other than by conditions: if-statements that choose a number.
bool outputs_vary(const FunctionCode& code, const std::vector<FunctionUse>& uses) {
    using Step = FunctionCode::Step;
    std::vector<bool> varies(code.frame, false);
    std::fill_n(varies.begin(), code.inputs, true);
    const auto constant = [](const Instruction& i) {
        return (i.op >= Op::Less && i.op <= Op::NotEqual) || i.op == Op::Not;
    };
    for (bool changed = true; changed;) {
        changed = false;
        const auto set = [&](Slot slot) {
            if (!varies[slot]) changed = varies[slot] = true;
        };
        for (const Step& step : code.steps) {
            const Instruction& i = step.instruction;
            switch (step.kind) {
                case Step::Kind::LoadElement:
                    for (std::uint32_t k = 0; k < step.length; ++k)
                        if (varies[step.first + k]) set(i.to);
                    break;
                case Step::Kind::StoreElement:
                    if (varies[i.b])
                        for (std::uint32_t k = 0; k < step.length; ++k) set(step.first + k);
                    break;
                case Step::Kind::Operation: {
                    const bool one = i.code == Code::Copy || i.code == Code::Negate || i.code == Code::Unary;
                    if ((i.code == Code::Unary || i.code == Code::Binary) && constant(i)) break;
                    if (varies[i.a] || (!one && varies[i.b])) set(i.to);
                    break;
                }
                case Step::Kind::Call: {
                    const CallSite& site = code.calls[i.a];
                    if (uses[site.callee.value].varies &&
                        std::any_of(site.arguments.begin(), site.arguments.end(),
                                    [&](Slot a) { return varies[a]; }))
                        set(i.to);
                    break;
                }
                case Step::Kind::Jump:
                case Step::Kind::JumpFalse:
                case Step::Kind::Assert:
                case Step::Kind::Return:
                    break;
            }
        }
    }
    return std::any_of(varies.begin() + code.inputs, varies.begin() + code.inputs + code.outputs,
                       [](bool v) { return v; });
}

// Values and derivatives by the same arguments in what runs at every evaluation of the derivatives of states.
std::vector<std::optional<std::uint32_t>> find_pairs(const Program& program) {
    std::vector<std::optional<std::uint32_t>> pairs(program.calls.size());
    std::map<std::pair<std::size_t, std::vector<Slot>>, std::uint32_t> derivatives;
    const auto sites = [&](const Section& section, std::uint8_t order, auto visit) {
        for (const Instruction& i : section.instructions)
            if (i.code == Code::Call && program.calls[i.a].derivatives == order)
                visit(i.a, std::pair(program.calls[i.a].callee.value, program.calls[i.a].arguments));
    };
    const auto all = [&](std::uint8_t order, auto visit) {
        sites(program.derivatives, order, visit);
        for (const Loop& loop : program.loops) {
            sites(loop.residual, order, visit);
            sites(loop.rest, order, visit);
        }
    };
    all(1, [&](std::uint32_t site, auto key) { derivatives.emplace(std::move(key), site); });
    if (derivatives.empty()) return pairs;
    all(0, [&](std::uint32_t site, const auto& key) {
        if (const auto found = derivatives.find(key); found != derivatives.end()) pairs[site] = found->second;
    });
    return pairs;
}

// What makes it probable that a function is asked for the same again.
struct Asked {
    std::size_t all = 0, again = 0;  // at one evaluation, see count_asked
    bool at_one_point = false;       // its value by loops and other sections that run beside `derivatives`
    bool derivatives = false;        // by sections: several parts come from one call
};

// How often functions are asked for at one evaluation of the derivatives of states, as if all branches were
// taken, and how often with arguments that were passed on from the same place as before.
void count_asked(const Program& program, std::vector<Asked>& asked) {
    constexpr std::size_t most_points = 10'000;
    using Point =
        std::pair<std::size_t, std::vector<std::uint64_t>>;  // callee, where its arguments come from
    std::set<Point> points;
    std::vector<const Point*> open;
    const auto ask = [&](std::size_t callee, std::vector<std::uint64_t> from) {
        const auto [at, is_new] = points.emplace(callee, std::move(from));
        if (is_new) open.push_back(&*at);
        return is_new;
    };
    const auto look = [&](const Section& section) {
        for (const Instruction& i : section.instructions)
            if (i.code == Code::Call && points.size() < most_points) {
                const CallSite& site = program.calls[i.a];
                if (ask(site.callee.value, {site.arguments.begin(), site.arguments.end()}))
                    ++asked[site.callee.value].all;
            }
    };
    look(program.derivatives);
    for (const Loop& loop : program.loops) {
        look(loop.residual);
        look(loop.rest);
    }
    std::uint64_t computed = std::uint64_t(1) << 32;  // by a function: found nowhere else
    while (!open.empty() && points.size() < most_points) {
        const Point& point = *open.back();
        open.pop_back();
        if (point.first >= program.functions.size()) continue;
        const FunctionCode& code = program.functions[point.first];
        for (const CallSite& site : code.calls) {
            std::vector<std::uint64_t> from;
            for (const Slot a : site.arguments)
                from.push_back(a < code.inputs ? point.second[a] : computed++);
            Asked& of = asked[site.callee.value];
            ++of.all;
            if (!ask(site.callee.value, std::move(from))) ++of.again;
        }
    }
}

std::vector<Asked> how_asked(const Program& program) {
    std::vector<Asked> asked(program.partition->model.callees.size());
    count_asked(program, asked);
    const auto look = [&](const Section& section) {
        for (const Instruction& i : section.instructions)
            if (i.code == Code::Call && program.calls[i.a].derivatives == 0)
                asked[program.calls[i.a].callee.value].at_one_point = true;
    };
    for (const Section* s : {&program.event_indicators, &program.past, &program.crossings,
                             &program.conditions, &program.selections})
        look(*s);
    for (const Loop& loop : program.loops)
        for (const Section* s : {&loop.residual, &loop.jacobian, &loop.rest}) look(*s);
    for (const CallSite& site : program.calls)
        if (site.derivatives > 0) asked[site.callee.value].derivatives = true;
    return asked;
}

}  // namespace

FunctionUses function_uses(const Program& program) {
    const auto& callees = program.partition->model.callees;
    FunctionUses result;
    std::vector<FunctionUse>& uses = result.of;
    uses.resize(callees.size());
    if (uses.empty()) return result;
    for (const CallSite& site : program.calls) {
        if (site.derivatives != 1) continue;
        auto& by = uses[site.callee.value].by;
        if (const auto at = std::lower_bound(by.begin(), by.end(), site.by[0]);
            at == by.end() || *at != site.by[0])
            by.insert(at, site.by[0]);
    }
    for (std::size_t c = 0; c < uses.size(); ++c)
        if (const auto* f = std::get_if<FunctionData>(&callees[CalleeIndex(c)]))
            uses[c].external = f->impure || (f->external && !f->external->library.empty());
    // Once around for each level of calls.
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t c = 0; c < std::min(uses.size(), program.functions.size()); ++c)
            for (const CallSite& site : program.functions[c].calls)
                if (uses[site.callee.value].external && !uses[c].external) changed = uses[c].external = true;
    }
    result.comes_with = find_pairs(program);
    for (std::size_t c = 0; c < uses.size(); ++c)
        uses[c].varies = c >= program.functions.size() || program.functions[c].steps.empty() ||
                         std::get<FunctionData>(callees[CalleeIndex(c)]).derivative;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t c = 0; c < program.functions.size() && c < uses.size(); ++c)
            if (!uses[c].varies && outputs_vary(program.functions[c], uses)) changed = uses[c].varies = true;
    }
    // Calls within calls are counted: what reaches itself computes every one of them.
    std::vector<bool> ends(uses.size(), false);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t c = 0; c < uses.size(); ++c) {
            if (ends[c]) continue;
            ends[c] = c >= program.functions.size() ||
                      std::all_of(program.functions[c].calls.begin(), program.functions[c].calls.end(),
                                  [&](const CallSite& site) { return ends[site.callee.value]; });
            changed = changed || ends[c];
        }
    }
    const std::vector<Asked> asked = how_asked(program);
    for (std::size_t c = 0; c < std::min(uses.size(), program.functions.size()); ++c) {
        const FunctionCode& code = program.functions[c];
        const bool long_enough = !code.calls.empty() || code.steps.size() >= shortest_remembered;
        const bool pure = !uses[c].external && ends[c];
        uses[c].quick = pure;
        for (std::size_t k = 0; k < function_kinds; ++k) {
            const std::size_t parts = parts_of(static_cast<FunctionKind>(k));
            const bool small = code.inputs * parts <= CallForm::most_numbers &&
                               code.outputs * parts <= CallForm::most_numbers;
            uses[c].quick = uses[c].quick && small;
            const bool again = asked[c].again * seldom > asked[c].all ||
                               (k == 0 ? asked[c].at_one_point : asked[c].derivatives);
            if (!pure || !small || !(code.outputs > 1 || (long_enough && again))) continue;
            uses[c].remembered[k] = {static_cast<std::uint32_t>(result.remembered_numbers), true};
            result.remembered_numbers += RememberedCalls::rows * ((code.inputs + code.outputs) * parts + 1);
        }
    }
    return result;
}

std::vector<CallForm> call_forms(const Program& program, const FunctionUses& uses) {
    std::vector<CallForm> forms(program.calls.size());
    for (std::size_t k = 0; k < forms.size(); ++k) {
        const FunctionUse& use = uses.of[program.calls[k].callee.value];
        if (!use.quick) continue;
        const bool with = uses.comes_with[k].has_value();
        const CallSite& site = program.calls[with ? *uses.comes_with[k] : k];
        const FunctionKind kind = use.kind(site);
        CallForm& form = forms[k];
        form.code = static_cast<std::uint32_t>(MachineCode::place(site.callee, kind));
        form.inputs = static_cast<std::uint32_t>(site.arguments.size());
        form.outputs = program.functions[site.callee.value].outputs;
        form.parts = parts_of(kind);
        std::uint32_t part = 0;  // of the output
        const auto seed = [&](std::uint32_t argument, std::uint32_t direction) {
            form.seeds |= 1u << (argument * form.parts + direction);
        };
        if (kind == FunctionKind::Second) {
            seed(site.by[1], 1);
            seed(site.by[0], 2);
            part = 3;
        } else if (kind != FunctionKind::Value) {
            const FunctionUse::Directions directions = use.directions(site.by[0]);
            for (std::uint32_t d = 0; d < directions.count; ++d) {
                seed(directions.by[d], 1 + d);
                if (directions.by[d] == site.by[0]) part = 1 + d;
            }
        }
        form.result = program.calls[k].output * form.parts + (with ? 0 : part);
    }
    return forms;
}

FunctionCalls::FunctionCalls(const Program& program)
    : uses_(std::make_shared<const FunctionUses>(function_uses(program))), remembered_(uses_->of.size()) {}

FunctionCalls& FunctionCalls::operator=(const FunctionCalls& other) {
    if (this == &other) return *this;
    if (uses_ != other.uses_) {
        remembered_.assign(other.remembered_.size(), {});
        memory_.reset();
        arena_.reset();
    }
    uses_ = other.uses_;
    unbind();
    return *this;
}

void FunctionCalls::Remembered::take(std::size_t row, std::uint64_t key, const double* at) {
    std::copy(at, at + inputs, arguments(row));
    keys[row] = key;
}

const double* FunctionCalls::call(const CallSite& site, const double* arguments, FrameContext& context,
                                  MachineCode* code) {
    const FunctionUse& use = uses_->of[site.callee.value];
    Remembered& calls = remembered_[site.callee.value];
    if (calls.rows == 0) {
        const auto& data = std::get<FunctionData>(context.program.partition->model.callees[site.callee]);
        if (data.impure) return call_impure(data, site, arguments, context);
        calls.inputs = data.inputs;
        calls.outputs = data.outputs;
        calls.rows = use.external || data.inputs + data.outputs > longest_remembered ? 1 : rows_of_a_function;
        calls.keys.assign(calls.rows, 0);
        calls.numbers.assign(calls.rows * std::size_t(calls.inputs + calls.outputs), 0);
    }
    const std::uint64_t key = key_of(site.derivatives, site.by);
    const std::uint64_t hash = calls.hash(arguments);
    const std::size_t row = calls.row(hash, key);
    double* const results = calls.results(row);
    calls.keys[row] = 0;
    if (code)
        if (const NativeCallee native = code->find(site.callee, use.kind(site)))
            if (run_native(native, use, site, arguments, context, calls, hash)) return results + site.output;
    if (!run_frames(site, {arguments, calls.inputs}, context, results)) return nullptr;
    if (code) code->interpreted(site.callee, use.kind(site), FrameContext::most_steps - context.steps_left);
    calls.take(row, key, arguments);
    return results + site.output;
}

// By what identifies the call. Results of another instant are not asked for again, but for those of no
// instant.
const double* FunctionCalls::call_impure(const FunctionData& data, const CallSite& site,
                                         const double* arguments, FrameContext& context) {
    std::vector<double> key(arguments, arguments + data.inputs);
    key.push_back(site.callee.value);
    for (std::uint32_t k = 0; k < site.derivatives; ++k) key.push_back(site.by[k]);
    const double instant = arguments[data.inputs - 1];
    auto& made = instant == 0 ? once_ : at_instant_;
    if (instant != 0 && std::exchange(instant_, instant) != instant) made.clear();
    const auto [place, is_new] = made.try_emplace(std::move(key));
    if (is_new) {
        place->second.resize(data.outputs);
        if (!run_frames(site, {arguments, data.inputs}, context, place->second.data())) {
            made.erase(place);
            return nullptr;
        }
    }
    return place->second.data() + site.output;
}

void FunctionCalls::prepare_run(FunctionRun& run, FrameContext& context) {
    if (!arena_) {
        arena_.reset(static_cast<double*>(std::malloc(arena_numbers * sizeof(double))));
        memory_.reset(static_cast<double*>(std::calloc(uses_->remembered_numbers + 1, sizeof(double))));
        CUTSET_ASSERT(arena_ && memory_);
    }
    run.steps_left = static_cast<std::int64_t>(FrameContext::most_steps);
    run.arena_end = arena_.get() + arena_numbers;
    run.context = &context;
    run.remembered = memory_.get();
}

void FunctionCalls::bind(const Program& program, FrameContext context, MachineCode* code) {
    bound_.emplace(std::move(context));
    code_ = code;
    forms_ = call_forms(program, *uses_);
    prepare_run(run_, *bound_);
    section_run_ = {nullptr, code->functions(), &run_, arena_.get()};
}

bool FunctionCalls::call_all(std::uint32_t site, const double* in, double* out) {
    const CallForm& form = forms_[site];
    const CalleeIndex callee(form.code / function_kinds);
    const auto kind = static_cast<FunctionKind>(form.code % function_kinds);
    run_.steps_left = static_cast<std::int64_t>(FrameContext::most_steps);
    const NativeCallee code = code_->find(callee, kind);
    if (code && code(in, out, &run_, arena_.get(), FrameContext::most_depth)) return true;
    // The frame machine says why it failed, or finds that it does not.
    bound_->error.reset();
    run_.steps_left = static_cast<std::int64_t>(FrameContext::most_steps);
    if (!call_back(&run_, static_cast<std::uint32_t>(callee.value), form.code % function_kinds, form.inputs,
                   in, out, FrameContext::most_depth))
        return false;
    if (!code)
        code_->interpreted(callee, kind,
                           FrameContext::most_steps - static_cast<std::uint64_t>(run_.steps_left));
    return true;
}

bool FunctionCalls::run_native(NativeCallee code, const FunctionUse& use, const CallSite& site,
                               const double* arguments, FrameContext& context, Remembered& calls,
                               std::uint64_t hash) {
    FunctionRun run;
    prepare_run(run, context);
    const auto ran = [&](const double* in, double* out) {
        if (code(in, out, &run, arena_.get(), FrameContext::most_depth)) return true;
        // The frame machine says why.
        context.error.reset();
        context.steps_left = FrameContext::most_steps;
        context.depth_left = FrameContext::most_depth;
        return false;
    };
    const FunctionKind kind = use.kind(site);
    const std::uint32_t parts = parts_of(kind);
    const std::uint64_t key = key_of(site.derivatives, site.by);
    const std::size_t row = calls.row(hash, key);
    if (kind == FunctionKind::Value) {
        if (!ran(arguments, calls.results(row))) return false;
        calls.take(row, key, arguments);
        return true;
    }
    in_.assign(std::size_t(calls.inputs) * parts, 0);
    out_.resize(std::size_t(calls.outputs) * parts);
    for (std::size_t k = 0; k < calls.inputs; ++k) in_[k * parts] = arguments[k];
    const auto keep = [&](std::size_t at, std::uint64_t of, std::uint32_t part) {
        double* const results = calls.results(at);
        for (std::size_t k = 0; k < calls.outputs; ++k) results[k] = out_[k * parts + part];
        calls.take(at, of, arguments);
    };
    if (kind == FunctionKind::Second) {
        in_[site.by[1] * parts + 1] = 1;
        in_[site.by[0] * parts + 2] = 1;
        if (!ran(in_.data(), out_.data())) return false;
        keep(row, key, 3);
        return true;
    }
    const FunctionUse::Directions directions = use.directions(site.by[0]);
    for (std::uint32_t d = 0; d < directions.count; ++d) in_[directions.by[d] * parts + 1 + d] = 1;
    if (!ran(in_.data(), out_.data())) return false;
    // The one that is asked for last, because they may share a row.
    for (const bool asked : {false, true})
        for (std::uint32_t d = 0; d < directions.count; ++d) {
            if ((directions.by[d] == site.by[0]) != asked) continue;
            const std::uint16_t by[2] = {directions.by[d], 0};
            const std::uint64_t of = key_of(1, by);
            keep(calls.row(hash, of), of, 1 + d);
        }
    return true;
}

bool FunctionCalls::run_frames(const CallSite& site, std::span<const double> arguments, FrameContext& context,
                               double* results) {
    if (site.derivatives == 0) {
        FrameStore::Taken<double> out(store_);
        if (!FrameMachine<double>(context).call(site.callee, arguments, out.numbers)) return false;
        std::copy(out.numbers.begin(), out.numbers.end(), results);
        return true;
    }
    using First = Dual<double>;
    if (site.derivatives == 1) {
        FrameStore::Taken<First> in(store_), out(store_);
        for (std::size_t k = 0; k < arguments.size(); ++k)
            in.numbers.emplace_back(arguments[k], k == site.by[0] ? 1.0 : 0.0);
        if (!FrameMachine<First>(context).call(site.callee, in.numbers, out.numbers)) return false;
        for (std::size_t k = 0; k < out.numbers.size(); ++k) results[k] = out.numbers[k].d;
        return true;
    }
    // by[0] in the outer part, by[1] in the inner one: the mixed part is the second derivative.
    using Second = Dual<First>;
    FrameStore::Taken<Second> in(store_), out(store_);
    for (std::size_t k = 0; k < arguments.size(); ++k)
        in.numbers.emplace_back(First(arguments[k], k == site.by[1] ? 1.0 : 0.0),
                                First(k == site.by[0] ? 1.0 : 0.0));
    if (!FrameMachine<Second>(context).call(site.callee, in.numbers, out.numbers)) return false;
    for (std::size_t k = 0; k < out.numbers.size(); ++k) results[k] = out.numbers[k].d.d;
    return true;
}

int FunctionCalls::call_back(FunctionRun* run, std::uint32_t callee, std::uint32_t kind, std::uint32_t inputs,
                             const double* in, double* out, std::int32_t depth) {
    FrameContext& context = *static_cast<FrameContext*>(run->context);
    context.steps_left = static_cast<std::size_t>(std::max<std::int64_t>(run->steps_left, 0));
    context.depth_left = depth;
    const auto call = [&]<class T>(T, auto argument, auto keep) {
        FrameStore::Taken<T> arguments(context.store), results(context.store);
        for (std::uint32_t k = 0; k < inputs; ++k) arguments.numbers.push_back(argument(k));
        if (!FrameMachine<T>(context).call(CalleeIndex(callee), arguments.numbers, results.numbers))
            return false;
        for (std::size_t k = 0; k < results.numbers.size(); ++k) keep(k, results.numbers[k]);
        return true;
    };
    using First = Dual<double>;
    bool good = true;
    switch (static_cast<FunctionKind>(kind)) {
        case FunctionKind::Value:
            good = call(
                0.0, [&](std::size_t k) { return in[k]; }, [&](std::size_t k, double v) { out[k] = v; });
            break;
        case FunctionKind::OneDirection:
        case FunctionKind::TwoDirections: {
            const std::size_t parts = kind + 1;
            for (std::size_t part = 1; part < parts && good; ++part)
                good = call(
                    First(), [&](std::size_t k) { return First(in[k * parts], in[k * parts + part]); },
                    [&](std::size_t k, const First& v) {
                        out[k * parts] = v.v;
                        out[k * parts + part] = v.d;
                    });
            break;
        }
        case FunctionKind::Second:
            good = call(
                Dual<First>(),
                [&](std::size_t k) {
                    return Dual<First>(First(in[4 * k], in[4 * k + 1]), First(in[4 * k + 2], in[4 * k + 3]));
                },
                [&](std::size_t k, const Dual<First>& v) {
                    out[4 * k] = v.v.v;
                    out[4 * k + 1] = v.v.d;
                    out[4 * k + 2] = v.d.v;
                    out[4 * k + 3] = v.d.d;
                });
            break;
    }
    run->steps_left = static_cast<std::int64_t>(context.steps_left);
    return good;
}

}  // namespace cutset
