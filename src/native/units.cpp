#include "native/units.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <ctime>
#include <map>

#include "base/load_module.h"
#include "expr/elementary_functions.h"
#include "generate/interpreter.h"

namespace cutset::native {

namespace {

constexpr std::size_t most_recorded = 3'000'000;   // instructions of a Program
constexpr std::size_t batch_steps = 1000;          // of functions, times parts, that are compiled in one go
constexpr std::size_t most_pending = 100'000'000;  // bytes that wait to be written

double processor_seconds_now() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double power(double x, double y) {
    return apply_binary(Op::Power, x, y);
}

HostFunctions host_functions() {
    HostFunctions host;
    host.runtime = Interpreter::runtime_functions();
    for (const ElementaryFunction& f : elementary_functions)
        host.functions[static_cast<std::size_t>(f.op)] =
            f.of_one ? reinterpret_cast<const void*>(f.of_one) : reinterpret_cast<const void*>(f.of_two);
    host.power = power;
    host.pow = static_cast<double (*)(double, double)>(std::pow);
    return host;
}

std::unique_ptr<Compiler> load_compiler(const HostFunctions& host, std::string& problem) {
    const auto make =
        reinterpret_cast<MakeCompiler>(load_from_module(module_file, make_compiler_name, problem));
    if (!make) return nullptr;
    return std::unique_ptr<Compiler>(make(module_version, host, problem));
}

std::vector<std::uint32_t> places_of(const Piece& piece) {
    std::vector<std::uint32_t> places;
    for (const PieceColumn& column : piece.columns) places.push_back(column.at);
    return places;
}

// LLVM makes parts of itself when they are first needed. What is thrown on the way, for want of memory,
// leaves them half made, and who needs them next waits for ever: then the compiler is not called again.
std::atomic<bool> compiler_is_broken{false};

template <class Compile>
bool guarded(Compile compile) {
    try {
        return compile();
    } catch (...) {
        compiler_is_broken = true;
        throw;
    }
}

bool fits(const CodeImage& image, std::size_t columns) {
    return std::all_of(image.places.begin(), image.places.end(),
                       [&](const CodeImage::Place& p) { return p.column < columns; });
}

}  // namespace

RecordedFunction recorded(const FunctionPlan& plan, const Fingerprint& key) {
    RecordedFunction out{static_cast<std::uint32_t>(plan.callee.value),         plan.kind, plan.careful,
                         {plan.remembered.offset, plan.with_derivative.offset}, key,       {}};
    for (const CallSite& site : plan.code->calls)
        out.called.push_back(static_cast<std::uint32_t>(site.callee.value));
    return out;
}

CodeUnits::CodeUnits(std::shared_ptr<CodeStore> store, bool images)
    : store_(std::move(store)), host_(host_functions()) {
    host_.images = images;
}

CodeUnits::~CodeUnits() = default;

bool CodeUnits::loaded(std::string& problem) {
    if (compiler_is_broken) {
        problem = "the compiler ran out of memory";
        return false;
    }
    if (!tried_) {
        tried_ = true;
        const double begin = processor_seconds_now();
        compiler_ = load_compiler(host_, problem_);
        statistics_.load_seconds = processor_seconds_now() - begin;
        if (compiler_ && store_) {
            if (compiler_->makes_images())
                store_->compiler_is(compiler_->library());
            else
                store_ = nullptr;
        }
    }
    problem = problem_;
    return compiler_ != nullptr;
}

const std::string& CodeUnits::identity() const {
    static const std::string none;
    return store_ ? store_->identity() : none;
}

bool CodeUnits::find(const Fingerprint& key, CodeImage& image) {
    if (!may_find()) return false;
    const auto bytes = store_->find(key);
    if (!bytes) return false;
    auto found = CodeImage::unarchive(*bytes);
    if (!found) return false;
    image = std::move(*found);
    ++statistics_.found;
    statistics_.found_bytes += image.bytes.size();
    const std::lock_guard lock(keep_mutex_);
    if (kept_identity_.empty()) kept_identity_ = identity();
    return true;
}

void CodeUnits::made(const Fingerprint& key, const CodeImage& image) {
    ++statistics_.compiled;
    if (!store_ || image.linked || pending_bytes_ > most_pending) return;
    const std::lock_guard lock(keep_mutex_);
    kept_identity_ = identity();
    pending_.emplace_back(key, image.archive());
    pending_bytes_ += image.bytes.size();
}

const void* CodeUnits::host(std::uint32_t target) const {
    const auto address = [](auto* function) { return reinterpret_cast<const void*>(function); };
    switch (target) {
        case call_target:
            return address(host_.runtime.call);
        case call_all_target:
            return address(host_.runtime.call_all);
        case solve_target:
            return address(host_.runtime.solve);
        case delay_target:
            return address(host_.runtime.delay);
        case callee_target:
            return address(host_.runtime.callee);
        case power_target:
            return address(host_.power);
        case pow_target:
            return address(host_.pow);
        case memcpy_target:
            return address(std::memcpy);
        default:
            return target < 256 ? host_.functions[target] : nullptr;
    }
}

bool CodeUnits::make(const std::vector<Piece>& pieces, bool optimise, std::vector<Unit>& units,
                     std::string& problem) {
    std::unique_lock lock(mutex_);
    // What is kept is known by the compiler's library, too.
    if (store_ && !store_->ready() && !loaded(problem)) return false;
    units.assign(pieces.size(), {});
    Images images;
    std::vector<const Piece*> missing;
    std::vector<Fingerprint> missing_keys;
    for (std::size_t k = 0; k < pieces.size(); ++k) {
        units[k].key = key_of(pieces[k], optimise, identity());
        if (const auto known = whole_.find(units[k].key); known != whole_.end()) {
            units[k].function = known->second;
            continue;
        }
        const auto [image, is_new] = images.try_emplace(units[k].key);
        if (!is_new || (find(units[k].key, image->second) && fits(image->second, pieces[k].columns.size())))
            continue;
        missing.push_back(&pieces[k]);
        missing_keys.push_back(units[k].key);
    }
    if (!missing.empty()) {
        if (!loaded(problem)) return false;
        std::vector<CodeImage> compiled(missing.size());
        lock.unlock();
        const bool good = guarded([&] {
            return compiler_->compile(missing.data(), missing.size(), optimise, compiled.data(), problem);
        });
        lock.lock();
        if (!good) return false;
        for (std::size_t k = 0; k < missing.size(); ++k) {
            made(missing_keys[k], compiled[k]);
            images[missing_keys[k]] = std::move(compiled[k]);
        }
    }
    std::vector<const CodeImage*> placed;
    std::vector<std::size_t> whose;
    std::unordered_map<Fingerprint, std::size_t, KeyHash> first;  // of the units of one image without places
    for (std::size_t k = 0; k < pieces.size(); ++k) {
        if (units[k].function) continue;
        const CodeImage& image = images[units[k].key];
        if (image.linked) {
            units[k].function = reinterpret_cast<NativeFunction>(image.linked);
            units[k].is_new = true;
            continue;
        }
        if (image.places.empty() && !first.emplace(units[k].key, k).second) continue;
        placed.push_back(&image);
        whose.push_back(k);
    }
    std::vector<char*> begins;
    if (!memory_.open(placed, begins)) {
        problem = "there is no memory for code";
        return false;
    }
    for (std::size_t j = 0; j < placed.size(); ++j) {
        memory_.link(begins[j], *placed[j], places_of(pieces[whose[j]]),
                     [&](std::uint32_t target) { return host(target); });
        units[whose[j]].function = reinterpret_cast<NativeFunction>(begins[j]);
        units[whose[j]].is_new = true;
        if (placed[j]->places.empty()) whole_[units[whose[j]].key] = units[whose[j]].function;
    }
    for (Unit& unit : units)
        if (!unit.function) unit.function = whole_.at(unit.key);
    if (memory_.close()) return true;
    problem = "the system does not let code be run that was made while the program runs";
    return false;
}

bool CodeUnits::make(const std::vector<FunctionPlan>& plans, const FindFunction& compiled,
                     const std::function<bool()>& stopped, std::vector<FunctionUnit>& units,
                     std::string& problem) {
    std::unique_lock lock(mutex_);
    if (store_ && !store_->ready() && !loaded(problem)) return false;
    units.assign(plans.size(), {});
    std::vector<CodeImage> images(plans.size());
    std::vector<const FunctionPlan*> missing;
    std::vector<std::size_t> missing_at;
    for (std::size_t k = 0; k < plans.size(); ++k) {
        units[k].key = key_of(plans[k], identity());
        if (find(units[k].key, images[k]) && fits(images[k], 2)) continue;
        missing.push_back(&plans[k]);
        missing_at.push_back(k);
    }
    for (std::size_t from = 0; from < missing.size();) {
        if (!loaded(problem) || stopped()) return false;
        std::size_t count = 0;
        for (std::size_t steps = 0; from + count < missing.size() && steps < batch_steps; ++count)
            steps += missing[from + count]->code->steps.size() * parts_of(missing[from + count]->kind);
        std::vector<CodeImage> fresh(count);
        lock.unlock();
        const bool good =
            guarded([&] { return compiler_->compile(missing.data() + from, count, fresh.data(), problem); });
        lock.lock();
        if (!good) return false;
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t at = missing_at[from + k];
            made(units[at].key, fresh[k]);
            images[at] = std::move(fresh[k]);
        }
        from += count;
    }
    std::vector<const CodeImage*> placed;
    std::vector<std::size_t> whose;
    std::map<std::pair<std::size_t, FunctionKind>, std::size_t> of_callee;
    for (std::size_t k = 0; k < plans.size(); ++k) {
        of_callee[{plans[k].callee.value, plans[k].kind}] = k;
        if (images[k].linked) {
            units[k].function = reinterpret_cast<NativeCallee>(images[k].linked);
        } else {
            placed.push_back(&images[k]);
            whose.push_back(k);
        }
    }
    std::vector<char*> begins;
    if (!memory_.open(placed, begins)) {
        problem = "there is no memory for code";
        return false;
    }
    for (std::size_t j = 0; j < placed.size(); ++j)
        units[whose[j]].function = reinterpret_cast<NativeCallee>(begins[j]);
    bool good = true;
    for (std::size_t j = 0; j < placed.size(); ++j) {
        const FunctionPlan& plan = plans[whose[j]];
        const std::uint32_t places[] = {plan.remembered.offset, plan.with_derivative.offset};
        memory_.link(begins[j], *placed[j], places, [&](std::uint32_t target) -> const void* {
            if (!is_site(target)) return host(target);
            if (site_of(target) >= plan.code->calls.size()) {
                good = false;
                return nullptr;
            }
            const CalleeIndex callee = plan.code->calls[site_of(target)].callee;
            const auto beside = of_callee.find({callee.value, kind_of(target)});
            const NativeCallee found = beside != of_callee.end() ? units[beside->second].function
                                                                 : compiled(callee, kind_of(target));
            good = good && found;
            return reinterpret_cast<const void*>(found);
        });
    }
    good = memory_.close() && good;
    if (!good) problem = "the code of functions could not be linked";
    return good;
}

std::optional<CodeUnits::Restored> CodeUnits::restore(const Program& program) {
    const std::lock_guard lock(mutex_);
    if (!may_find() || !records(program)) return std::nullopt;
    const auto bytes = store_->find_record(key_of(program, identity()));
    if (!bytes) return std::nullopt;
    auto recorded = CodeRecord::unarchive(*bytes);
    if (!recorded) return std::nullopt;
    Images images;
    std::unordered_map<Fingerprint, bool, KeyHash> known;
    const auto have = [&](const Fingerprint& key) {
        const auto [place, is_new] = known.emplace(key, false);
        if (is_new) {
            CodeImage image;
            if (find(key, image)) {
                place->second = true;
                images.emplace(key, std::move(image));
            }
        }
        return place->second;
    };
    // Functions call each other: all of them, or none.
    bool complete = true;
    std::map<std::pair<std::size_t, FunctionKind>, NativeCallee> functions;
    for (const RecordedFunction& f : recorded->functions) {
        if (static_cast<std::size_t>(f.kind) >= function_kinds || f.callee >= program.functions.size())
            return std::nullopt;
        functions[{f.callee, f.kind}] = nullptr;
        complete = complete && have(f.key) && fits(images.at(f.key), 2);
    }
    for (const RecordedFunction& f : recorded->functions) {
        if (!complete) break;
        for (const CodeImage::Call& call : images.at(f.key).calls)
            if (is_site(call.target))
                complete = complete && site_of(call.target) < f.called.size() &&
                           functions.contains({f.called[site_of(call.target)], kind_of(call.target)});
    }
    Restored out;
    std::vector<const CodeImage*> placed;
    if (complete) {
        out.record.functions = recorded->functions;
        for (const RecordedFunction& f : recorded->functions) placed.push_back(&images.at(f.key));
    }
    const std::size_t function_count = placed.size();
    struct Step {
        std::size_t section, step;
    };
    std::vector<Step> whose;
    std::vector<Step> shared;
    for (RecordedSection& section : recorded->sections) {
        const bool whole = std::all_of(section.steps.begin(), section.steps.end(), [&](const auto& step) {
            return have(step.key) && fits(images.at(step.key), step.places.size());
        });
        if (!whole) continue;
        auto code = std::make_unique<CompiledSection>();
        code->scratch = section.scratch;
        code->steps.resize(section.steps.size());
        for (std::size_t s = 0; s < section.steps.size(); ++s) {
            const RecordedStep& step = section.steps[s];
            code->steps[s].count = step.count;
            if (!step.table.empty()) {
                code->tables.push_back(step.table);
                code->steps[s].table = code->tables.back().data();
            }
            const CodeImage& image = images.at(step.key);
            // Code without addresses in it is shared by all that have the same.
            if (image.places.empty() && !whole_.emplace(step.key, nullptr).second) {
                shared.push_back({out.sections.size(), s});
                continue;
            }
            placed.push_back(&image);
            whose.push_back({out.sections.size(), s});
        }
        out.sections.push_back(std::move(code));
        out.numbers.push_back(section.number);
        out.record.sections.push_back(std::move(section));
    }
    std::vector<char*> begins;
    if (!memory_.open(placed, begins)) {
        whole_.clear();
        return std::nullopt;
    }
    for (std::size_t f = 0; f < function_count; ++f) {
        const RecordedFunction& function = out.record.functions[f];
        out.functions.push_back(reinterpret_cast<NativeCallee>(begins[f]));
        functions[{function.callee, function.kind}] = out.functions.back();
    }
    for (std::size_t f = 0; f < function_count; ++f) {
        const RecordedFunction& function = out.record.functions[f];
        memory_.link(begins[f], *placed[f], function.places, [&](std::uint32_t target) -> const void* {
            if (!is_site(target)) return host(target);
            return reinterpret_cast<const void*>(
                functions.at({function.called[site_of(target)], kind_of(target)}));
        });
    }
    for (std::size_t j = 0; j < whose.size(); ++j) {
        const RecordedStep& step = out.record.sections[whose[j].section].steps[whose[j].step];
        const CodeImage& image = *placed[function_count + j];
        memory_.link(begins[function_count + j], image, step.places,
                     [&](std::uint32_t target) { return host(target); });
        const auto function = reinterpret_cast<NativeFunction>(begins[function_count + j]);
        out.sections[whose[j].section]->steps[whose[j].step].function = function;
        if (image.places.empty()) whole_[step.key] = function;
    }
    for (const Step& s : shared)
        out.sections[s.section]->steps[s.step].function =
            whole_.at(out.record.sections[s.section].steps[s.step].key);
    if (!memory_.close()) {
        whole_.clear();
        return std::nullopt;
    }
    return out;
}

bool CodeUnits::records(const Program& program) const {
    if (!store_) return false;
    std::size_t instructions = 0;
    for_each_section(program, [&](const Section& s) { instructions += s.instructions.size(); });
    return instructions <= most_recorded;
}

void CodeUnits::keep(const Program& program, const CodeRecord& record) {
    const std::lock_guard lock(keep_mutex_);
    if (!store_ || kept_identity_.empty()) return;
    store_->keep(pending_);
    pending_.clear();
    if (records(program)) store_->keep_record(key_of(program, kept_identity_), record.archive());
}

}  // namespace cutset::native
