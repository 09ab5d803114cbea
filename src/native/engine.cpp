#include "native/engine.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include "native/better_code.h"
#include "native/hidden_slots.h"
#include "native/piece_table.h"
#include "native/units.h"

namespace cutset {

namespace {

using namespace native;

// Instructions interpreted before LLVM is loaded; and runs of a section before it is compiled.
constexpr std::uint64_t interpreted_first = 500'000;
constexpr std::uint32_t runs_first = 20;
// Before an earlier run is looked for, which takes little.
constexpr std::uint64_t interpreted_before_looking = 20'000;
constexpr std::size_t most_slots = 1u << 27;  // places are numbers of 32 bits, eight for each
// Of straight-line code and of kernels compiled in one go; between them the thread looks whether it shall
// end.
constexpr std::size_t batch_instructions = 800, batch_kernels = 4;
constexpr std::size_t batch_steps = 500;  // of functions, times parts²

// Runs of a function before it is compiled: compiling takes as long as some thousand runs.
constexpr std::uint32_t function_runs_first = 300;
constexpr std::uint32_t most_specialised = 8;  // kernels of one shape with strides of their own

// Of this thread, in seconds of the processor.
double processor_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
double seconds_since(double from) {
    return processor_seconds() - from;
}

// By function: its steps and those of the functions that it calls, as if all of them ran once; of chains
// deeper than a few calls the rest is left out.
std::vector<std::size_t> steps_with_calls(const Program& program) {
    constexpr int deepest = 8;
    constexpr std::size_t most = 1'000'000;
    std::vector<std::size_t> sums(program.functions.size());
    for (int level = 0; level < deepest; ++level) {
        const std::vector<std::size_t> before = sums;
        for (std::size_t c = 0; c < sums.size(); ++c) {
            sums[c] = program.functions[c].steps.size();
            for (const CallSite& site : program.functions[c].calls)
                if (site.callee.value < before.size())
                    sums[c] = std::min(most, sums[c] + before[site.callee.value]);
        }
        if (sums == before) break;
    }
    return sums;
}

// Of all engines, in this thread; measurements take differences.
thread_local double waited_here = 0;

class NativeEngineOnDemand : public NativeEngine {
  public:
    NativeEngineOnDemand(const Program& program, std::size_t sections, Engine engine,
                         std::shared_ptr<CodeStore> store)
        : NativeEngine(sections, program.functions.size()),
          program_(program),
          engine_(engine),
          function_steps_(steps_with_calls(program)),
          counted_functions_(new Counted[function_kinds * program.functions.size()]),
          counted_(new Counted[sections]),
          units_(std::move(store)),
          records_(units_.records(program)),
          functions_(program, false),
          careful_functions_(program, true),
          forms_(functions_.forms()),
          pays_(forms_) {
        for_each_section(program, [&](const Section& s) { sections_.push_back(&s); });
    }

    ~NativeEngineOnDemand() override {
        stop_.store(true, std::memory_order_relaxed);
        {
            const std::lock_guard lock(queue_mutex_);
            ending_ = true;
        }
        wake_.notify_all();
        if (thread_.joinable()) thread_.join();
        try {
            NativeEngineOnDemand::keep();
        } catch (...) {  // what is not kept is made again
        }
    }

    void keep() override {
        const std::lock_guard lock(record_mutex_);
        if (record_is_new_) units_.keep(program_, record_);
        record_is_new_ = false;
    }

    // LLVM, unless there is code from an earlier run.
    bool load(std::string& problem) {
        look();
        if (!record_.sections.empty() || !record_.functions.empty()) return true;
        const bool good = units_.load(problem);
        count_units();
        return good;
    }

    NativeStatistics statistics() const override {
        const std::lock_guard lock(statistics_mutex_);
        return statistics_;
    }

    double waited() const override { return waited_here; }
    double waited_by_all() const override {
        const std::lock_guard lock(statistics_mutex_);
        return waited_;
    }

    double waited_processor() const override {
        const std::lock_guard lock(statistics_mutex_);
        return waited_processor_;
    }

    void settle() override {
        std::unique_lock lock(queue_mutex_);
        idle_.wait(lock, [&] { return (queue_.empty() && !busy_) || failed_.load(); });
    }

  protected:
    const CompiledSection* missing(const Section& section) override {
        if (sections_[section.number] != &section) return nullptr;  // of another Program
        Counted& counted = counted_[section.number];
        if (section.instructions.empty() || counted.refused.load(std::memory_order_relaxed)) return nullptr;
        if (engine_ == Engine::Native) {
            const Waiting waiting(*this);
            const std::lock_guard lock(compile_mutex_);
            if (!published(section.number)) {
                compile(section);
                if (at_once_ && published(section.number)) compile_carefully(section);
                if (&section == &program_.derivatives && published(section.number)) prepare_derivatives();
            }
            return published(section.number);
        }
        if (look_once()) return published(section.number);
        if (worth(counted, section.instructions.size(), runs_first))
            ask({&section, CalleeIndex(), FunctionKind::Value, nullptr});
        return nullptr;
    }

    NativeCallee missing(CalleeIndex callee, FunctionKind kind) override {
        Counted& counted = counted_functions_[place(callee, kind)];
        const std::size_t steps = function_steps_[callee.value];
        if (program_.functions[callee.value].steps.empty() || counted.refused.load(std::memory_order_relaxed))
            return nullptr;
        if (engine_ == Engine::Native) {
            const Waiting waiting(*this);
            {
                const std::lock_guard lock(compile_mutex_);
                if (!published(callee, kind)) compile(callee, kind);
            }
            if (at_once_ && published(callee, kind)) compile_carefully(callee, kind);
            return published(callee, kind);
        }
        if (look_once()) return published(callee, kind);
        if (worth(counted, steps, function_runs_first)) ask({nullptr, callee, kind, nullptr});
        return nullptr;
    }

    // A call that went round in loops counts as so many as have its steps.
    void interpreted(CalleeIndex callee, FunctionKind kind, std::uint64_t steps) override {
        const std::uint64_t length = std::max<std::size_t>(1, function_steps_[callee.value]);
        if (steps <= length) return;
        std::atomic<std::uint32_t>& runs = counted_functions_[place(callee, kind)].runs;
        const std::uint64_t more = runs.load(std::memory_order_relaxed) + (steps - length) / length;
        runs.store(static_cast<std::uint32_t>(std::min<std::uint64_t>(more, 1u << 31)),
                   std::memory_order_relaxed);
        interpreted_.fetch_add(steps - length, std::memory_order_relaxed);
    }

    void often(const CompiledSection& code) override {
        const Section& section = *code.section;
        const std::uint32_t runs = code.runs.load(std::memory_order_relaxed);
        code.often.store(pays_.next(section, runs), std::memory_order_relaxed);
        if (runs >= BetterCodePays::section(section) && !counted_[section.number].careful.exchange(true))
            ask({&section, CalleeIndex(), FunctionKind::Value, &code});
        for (const auto& [place, after] : pays_.functions(section))
            if (runs >= after && !counted_functions_[place].careful.exchange(true))
                ask({nullptr, CalleeIndex(place / function_kinds),
                     static_cast<FunctionKind>(place % function_kinds), &code});
    }

  private:
    // Adds the time of its life, by the clock on the wall, to waited_ and waited_here, and the thread's to
    // waited_processor_.
    class Waiting {
      public:
        explicit Waiting(NativeEngineOnDemand& engine)
            : engine_(engine),
              began_(std::chrono::steady_clock::now()),
              processor_began_(processor_seconds()) {}
        ~Waiting() {
            const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began_;
            const std::lock_guard lock(engine_.statistics_mutex_);
            waited_here += seconds.count();
            engine_.waited_ += seconds.count();
            engine_.waited_processor_ += seconds_since(processor_began_);
        }
        Waiting(const Waiting&) = delete;
        Waiting& operator=(const Waiting&) = delete;

      private:
        NativeEngineOnDemand& engine_;
        std::chrono::steady_clock::time_point began_;
        double processor_began_;
    };

    struct Counted {
        std::atomic<std::uint32_t> runs{0};
        std::atomic<bool> asked{false};
        std::atomic<bool> refused{false};  // to be interpreted always
        std::atomic<bool> careful{false};  // better code has been asked for
    };
    struct Job {
        const Section* section;  // or a function
        CalleeIndex callee;
        FunctionKind kind;
        const CompiledSection* often;  // better code is asked for, because this has been run often
    };

    // Counts, and says once that it is time to compile.
    bool worth(Counted& counted, std::size_t instructions, std::uint32_t fewest_runs) {
        if (failed_.load(std::memory_order_relaxed)) return false;
        // A count that another thread overtakes does not matter; it shall cost nothing.
        const std::uint32_t runs = counted.runs.load(std::memory_order_relaxed) + 1;
        counted.runs.store(runs, std::memory_order_relaxed);
        const std::uint64_t all = interpreted_.load(std::memory_order_relaxed) + instructions;
        interpreted_.store(all, std::memory_order_relaxed);
        if (all < interpreted_first || runs < fewest_runs || !looked_.load(std::memory_order_acquire))
            return false;
        return !counted.asked.load(std::memory_order_relaxed) && !counted.asked.exchange(true);
    }

    void ask(Job job) {
        const std::lock_guard lock(queue_mutex_);
        if (ending_) return;
        queue_.push_back(job);
        try {
            if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
        } catch (const std::system_error&) {  // no thread: everything is interpreted
            failed_.store(true);
        }
        wake_.notify_one();
    }

    // What an earlier run of the same Program has compiled. True when that is done now.
    bool look_once() {
        if (looked_.load(std::memory_order_acquire) ||
            interpreted_.load(std::memory_order_relaxed) < interpreted_before_looking)
            return false;
        const Waiting waiting(*this);
        const std::lock_guard lock(compile_mutex_);
        if (looked_.load(std::memory_order_relaxed)) return false;
        look();
        looked_.store(true, std::memory_order_release);
        return true;
    }
    void look() {
        auto restored = units_.restore(program_);
        if (!restored) return;
        std::vector<const CompiledSection*> trials(sections_.size(), nullptr);
        for (std::size_t k = 0; k < restored->sections.size(); ++k) {
            const std::size_t number = restored->numbers[k];
            if (number >= 2 * sections_.size()) continue;
            const Section* section = sections_[number % sections_.size()];
            restored->sections[k]->section = section;
            restored->sections[k]->often.store(pays_.next(*section, 0), std::memory_order_relaxed);
            code_.push_back(std::move(restored->sections[k]));
            if (number < sections_.size())
                publish(restored->numbers[k], code_.back().get());
            else
                trials[number - sections_.size()] = code_.back().get();
        }
        for (std::uint32_t number = 0; number < trials.size(); ++number)
            if (const CompiledSection* whole = published(number); whole && trials[number])
                whole->trial.store(trials[number], std::memory_order_release);
        for (std::size_t k = 0; k < restored->functions.size(); ++k) {
            const RecordedFunction& f = restored->record.functions[k];
            functions_.done(CalleeIndex(f.callee), f.kind);
            if (f.careful) careful_functions_.done(CalleeIndex(f.callee), f.kind);
            publish(CalleeIndex(f.callee), f.kind, restored->functions[k]);
        }
        {
            const std::lock_guard lock(record_mutex_);
            record_ = std::move(restored->record);
        }
        count_units();
    }
    void count_units() {
        const std::lock_guard lock(statistics_mutex_);
        const UnitStatistics& now = units_.statistics();
        statistics_.units_compiled = now.compiled;
        statistics_.units_found = now.found;
        statistics_.found_bytes = now.found_bytes;
        statistics_.load_seconds = now.load_seconds;
    }

    void work() {
        std::unique_lock lock(queue_mutex_);
        for (;;) {
            wake_.wait(lock, [&] { return ending_ || !queue_.empty(); });
            if (ending_) return;
            const auto first =
                std::max_element(queue_.begin(), queue_.end(),
                                 [&](const Job& x, const Job& y) { return urgency_of(x) < urgency_of(y); });
            const Job job = *first;
            queue_.erase(first);
            busy_ = true;
            lock.unlock();
            try {
                compile(job);
            } catch (...) {  // no memory, or a bug of ours: everything is interpreted from now on
                failed_.store(true);
            }
            lock.lock();
            busy_ = false;
            if (queue_.empty() || failed_.load()) idle_.notify_all();
            if (failed_.load()) return;
        }
    }
    void compile(const Job& job) {
        if (job.often && !job.section) return compile_carefully(job.callee, job.kind);  // others may compile
        const std::lock_guard compiling(compile_mutex_);
        if (job.often)
            compile_carefully(*job.section);
        else if (job.section)
            compile(*job.section);
        else
            compile(job.callee, job.kind);
    }
    // What has no code yet, the busiest first; then better code for what is run most often and takes the
    // least time to make: for derivatives that is more than in proportion.
    std::pair<bool, std::uint64_t> urgency_of(const Job& job) const {
        if (job.often) {
            const std::uint64_t parts =
                job.section ? parts_of(FunctionKind::OneDirection) : parts_of(job.kind);
            constexpr std::uint64_t runs_before = 100;
            return {false, (runs_before + job.often->runs.load(std::memory_order_relaxed)) / (parts * parts)};
        }
        const Counted& counted =
            job.section ? counted_[job.section->number] : counted_functions_[place(job.callee, job.kind)];
        const std::size_t length =
            job.section ? job.section->instructions.size() : function_steps_[job.callee.value];
        return {true, std::uint64_t(counted.runs.load(std::memory_order_relaxed)) * length};
    }

    // What the derivatives call will be called often: better code of it is begun while the rest is still
    // compiled.
    void prepare_derivatives() {
        const CompiledSection* derivatives = published(program_.derivatives.number);
        const auto prepare = [&](const Section& section) {
            for (const auto& [place, after] : pays_.functions(section))
                if (!counted_functions_[place].careful.exchange(true))
                    ask({nullptr, CalleeIndex(place / function_kinds),
                         static_cast<FunctionKind>(place % function_kinds), derivatives});
        };
        prepare(program_.derivatives);
        for (const Instruction& i : program_.derivatives.instructions)
            if (i.code == Code::Solve) prepare(program_.loops[i.a].residual);
    }

    bool stopped() const { return stop_.load(std::memory_order_relaxed); }

    void compile(const Section& section) {
        auto compiled = make_code(section);
        if (!compiled) {
            counted_[section.number].refused.store(true, std::memory_order_relaxed);
            return;
        }
        code_.push_back(std::move(compiled));
        publish(section.number, code_.back().get());
    }

    // The same once more, with more effort.
    void compile_carefully(const Section& section) {
        if (!hidden_) hidden_.emplace(program_);
        const bool derivatives = &section == &program_.derivatives;
        auto compiled = make_code(section, true, section.number,
                                  derivatives ? hidden_->in_derivatives() : std::vector<Slot>{});
        if (!compiled) return;
        for (const Loop& loop : program_.loops) {
            if (&loop.residual != &section) continue;
            const std::vector<Slot> hidden = hidden_->in_trial(loop);
            if (hidden.empty()) break;
            auto trial = make_code(section, true, trial_number(section.number), hidden);
            if (!trial) break;
            compiled->trial.store(trial.get(), std::memory_order_release);
            code_.push_back(std::move(trial));
            break;
        }
        code_.push_back(std::move(compiled));
        publish(section.number, code_.back().get());
    }
    // In records; see CompiledSection::trial.
    std::uint32_t trial_number(std::uint32_t section) const {
        return static_cast<std::uint32_t>(sections_.size()) + section;
    }

    // A function and those that it calls.
    void compile(CalleeIndex callee, FunctionKind kind) {
        const double begin = processor_seconds();
        const auto plans = functions_.missing(callee, kind);
        std::vector<CodeUnits::FunctionUnit> made;
        NativeStatistics done;
        if (!plans.empty() && !stopped() && make(plans, made)) {
            publish_and_record(plans, made);
            done.functions = plans.size();
            for (const FunctionPlan& plan : plans) done.instructions += plan.code->steps.size();
        } else if (!plans.empty()) {
            note_new();
        }
        if (!published(callee, kind))
            counted_functions_[place(callee, kind)].refused.store(true, std::memory_order_relaxed);
        count_units();
        const std::lock_guard lock(statistics_mutex_);
        statistics_.functions += done.functions;
        statistics_.instructions += done.instructions;
        statistics_.compile_seconds += seconds_since(begin);
    }

    // The same once more, with more effort: those that are called before those that call them, some at a
    // time, so that waiting is short.
    void compile_carefully(CalleeIndex callee, FunctionKind kind) {
        const std::lock_guard compiling(careful_mutex_);
        std::vector<FunctionPlan> plans = careful_functions_.missing(callee, kind);
        while (!plans.empty()) {
            std::vector<FunctionPlan> now = next_of(plans);
            const double begin = processor_seconds();
            std::vector<CodeUnits::FunctionUnit> made;
            if (stopped() || !make(now, made)) return note_new();
            publish_and_record(now, made);
            count_units();
            const std::lock_guard lock(statistics_mutex_);
            statistics_.compile_seconds += seconds_since(begin);
        }
    }

    // Takes out of `plans` what calls none of the others, up to a moderate length.
    static std::vector<FunctionPlan> next_of(std::vector<FunctionPlan>& plans) {
        std::vector<FunctionPlan> now;
        std::size_t length = 0;
        const auto waits = [&](const FunctionPlan& plan) {
            for (std::size_t c = 0; c < plan.calls.size(); ++c)
                for (const FunctionPlan& other : plans)
                    if (plan.calls[c].native && other.callee == plan.code->calls[c].callee &&
                        other.kind == plan.calls[c].kind && &other != &plan)
                        return true;
            return false;
        };
        while (length < batch_steps) {
            const auto next = std::find_if_not(plans.begin(), plans.end(), waits);
            if (next == plans.end()) break;
            const std::size_t parts = parts_of(next->kind);
            length += next->code->steps.size() * parts * parts;
            now.push_back(std::move(*next));
            plans.erase(next);
        }
        if (now.empty()) now.swap(plans);  // they call each other in a circle
        return now;
    }

    bool make(const std::vector<FunctionPlan>& plans, std::vector<CodeUnits::FunctionUnit>& made) {
        return note_problem([&](std::string& problem) {
            return units_.make(
                plans, [&](CalleeIndex which, FunctionKind how) { return published(which, how); },
                [&] { return stopped(); }, made, problem);
        });
    }
    // What is better stays.
    void publish_and_record(const std::vector<FunctionPlan>& plans,
                            const std::vector<CodeUnits::FunctionUnit>& made) {
        const std::lock_guard lock(record_mutex_);
        record_is_new_ = true;
        for (std::size_t k = 0; k < plans.size(); ++k) {
            RecordedFunction f = recorded(plans[k], made[k].key);
            const auto same = [&](const RecordedFunction& r) {
                return r.callee == f.callee && r.kind == f.kind;
            };
            const auto known = std::find_if(record_.functions.begin(), record_.functions.end(), same);
            if (known != record_.functions.end() && known->careful && !f.careful) continue;
            publish(plans[k].callee, plans[k].kind, made[k].function);
            if (known == record_.functions.end())
                record_.functions.push_back(std::move(f));
            else
                *known = std::move(f);
        }
    }

    void note_new() {
        const std::lock_guard lock(record_mutex_);
        record_is_new_ = true;
    }

    // Makes code; where there is no compiler at all, everything is interpreted from now on.
    template <class Make>
    bool note_problem(Make make) {
        std::string problem;
        if (make(problem)) return true;
        if (!stopped() && !units_.load(problem)) failed_.store(true);
        return false;
    }

    std::unique_ptr<CompiledSection> make_code(const Section& section) {
        return make_code(section, false, section.number, {});
    }
    // `careful`: straight-line code by the better code generator. Recorded under that number.
    std::unique_ptr<CompiledSection> make_code(const Section& section, bool careful, std::uint32_t number,
                                               const std::vector<Slot>& hidden) {
        const auto begin = processor_seconds();
        if (program_.layout.slots > most_slots) return nullptr;
        if (!work_) {
            work_ = std::make_unique<SlotWork>(program_.layout.slots);
            work_->forms = forms_;
        }
        const auto plan = Plan::make(program_, section, *work_, hidden);
        if (!plan || stopped()) return nullptr;
        auto out = std::make_unique<CompiledSection>();
        out->section = &section;
        out->often.store(pays_.next(section, 0), std::memory_order_relaxed);
        out->scratch = plan->scratch();
        out->steps.resize(plan->pieces().size());
        RecordedSection record{number, out->scratch, {}};
        record.steps.resize(plan->pieces().size());
        NativeStatistics done;
        done.sections = 1;
        done.plan_seconds = seconds_since(begin);

        // Pieces of the same kind are compiled some at a time.
        struct Batch {
            bool optimise;
            std::vector<Piece> pieces;
            std::vector<std::size_t> steps;
            std::size_t instructions = 0;
        } straight{careful, {}, {}, 0}, kernels{true, {}, {}, 0};
        const auto flush = [&](Batch& batch) {
            if (batch.pieces.empty()) return true;
            if (stopped()) return false;
            const auto from = processor_seconds();
            std::vector<CodeUnits::Unit> units;
            if (!note_problem([&](std::string& problem) {
                    return units_.make(batch.pieces, batch.optimise, units, problem);
                }))
                return false;
            for (std::size_t i = 0; i < units.size(); ++i) {
                out->steps[batch.steps[i]].function = units[i].function;
                if (units[i].is_new) done.instructions += batch.pieces[i].shape.code.size();
                RecordedStep& step = record.steps[batch.steps[i]];
                step.key = units[i].key;
                for (const PieceColumn& column : batch.pieces[i].columns) step.places.push_back(column.at);
            }
            done.compile_seconds += seconds_since(from);
            batch.pieces.clear();
            batch.steps.clear();
            batch.instructions = 0;
            return true;
        };
        for (std::size_t s = 0; s < plan->pieces().size(); ++s) {
            const PieceOutline& outline = plan->pieces()[s];
            Piece piece = plan->build(outline, *work_);
            CompiledStep& step = out->steps[s];
            step.count = piece.rows;
            bool tabled = false;  // all operands from the table: a function for all pieces of this shape
            const std::uint64_t hash = piece.shape.hash();
            if (outline.is_kernel()) {
                ++done.kernels;
                done.kernel_rows += piece.rows;
                tabled = (careful ? specialised_[hash] : ++specialised_[hash]) > most_specialised;
            } else if (!careful) {
                ++done.chunks;
                // The same code in several sections (loops of equal structure): from the second time on one
                // function with the places in a table.
                tabled = !met_.insert(hash).second;
            }
            if (tabled) all_from_table(piece);
            numbers_from_table(piece);
            record.steps[s].count = piece.rows;
            if (!piece.table.empty()) {
                if (records_) record.steps[s].table = piece.table;
                out->tables.push_back(std::move(piece.table));
                step.table = out->tables.back().data();
                piece.table = {};
            }
            Batch& batch = outline.is_kernel() || tabled ? kernels : straight;
            batch.instructions += piece.shape.code.size();
            batch.steps.push_back(s);
            batch.pieces.push_back(std::move(piece));
            if ((batch.instructions >= batch_instructions ||
                 (batch.optimise && batch.pieces.size() >= batch_kernels)) &&
                !flush(batch))
                return nullptr;
        }
        if (!flush(straight) || !flush(kernels)) return nullptr;
        {
            const std::lock_guard lock(record_mutex_);
            if (records_) {
                std::erase_if(record_.sections, [&](const RecordedSection& r) { return r.number == number; });
                record_.sections.push_back(std::move(record));
            }
        }
        note_new();
        count_units();
        const std::lock_guard lock(statistics_mutex_);
        statistics_.compile_seconds += done.compile_seconds;
        if (careful) return out;
        statistics_.sections += done.sections;
        statistics_.kernels += done.kernels;
        statistics_.kernel_rows += done.kernel_rows;
        statistics_.chunks += done.chunks;
        statistics_.instructions += done.instructions;
        statistics_.plan_seconds += done.plan_seconds;
        return out;
    }

    const Program& program_;
    const Engine engine_;
    std::vector<const Section*> sections_;           // by number
    const std::vector<std::size_t> function_steps_;  // with those of what they call
    std::unique_ptr<Counted[]> counted_functions_;   // by function and kind
    std::unique_ptr<Counted[]> counted_;             // by section
    std::atomic<std::uint64_t> interpreted_{0};      // instructions
    std::atomic<bool> stop_{false}, failed_{false}, looked_{false};
    const bool at_once_ = std::getenv("CUTSET_CARE") != nullptr;  // better code from the beginning: for tests

    std::mutex queue_mutex_, compile_mutex_;
    std::mutex careful_mutex_;  // for careful_functions_ and what becomes of them
    std::condition_variable wake_, idle_;
    std::deque<Job> queue_;
    bool ending_ = false, busy_ = false;

    // Of the one that compiles: the thread, or the holder of compile_mutex_.
    CodeUnits units_;
    const bool records_;
    std::mutex record_mutex_;  // for the next two, which another thread may ask to be kept
    CodeRecord record_;        // of all code at hand
    bool record_is_new_ = false;
    std::unique_ptr<SlotWork> work_;
    std::optional<HiddenSlots> hidden_;
    FunctionPlanner functions_, careful_functions_;
    const std::vector<CallForm> forms_;  // by call site
    const BetterCodePays pays_;
    std::deque<std::unique_ptr<CompiledSection>> code_;
    std::unordered_set<std::uint64_t> met_;                         // shapes of straight-line code, by hash
    std::unordered_map<std::uint64_t, std::uint32_t> specialised_;  // kernels made of a shape, by hash

    mutable std::mutex statistics_mutex_;
    NativeStatistics statistics_;
    double waited_ = 0, waited_processor_ = 0;
    std::thread thread_;
};

}  // namespace

std::shared_ptr<NativeEngine> NativeEngine::make(const Program& program, Engine engine, std::string& problem,
                                                 std::shared_ptr<CodeStore> store) {
    if (engine == Engine::Interpret) return nullptr;
    std::size_t sections = 0;
    for_each_section(program, [&](const Section&) { ++sections; });
    auto made = std::make_shared<NativeEngineOnDemand>(program, sections, engine, std::move(store));
    if (engine == Engine::Native && !made->load(problem)) return nullptr;
    return made;
}

}  // namespace cutset
