#include "native/engine.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <ctime>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include "generate/interpreter.h"
#include "native/compiler.h"

namespace cutset {

namespace {

using namespace native;

// Instructions interpreted before LLVM is loaded; and runs of a section before it is compiled.
constexpr std::uint64_t interpreted_first = 500'000;
constexpr std::uint32_t runs_first = 20;
// Of straight-line code and of kernels compiled in one go; between them the thread looks whether it shall
// end.
constexpr std::size_t batch_instructions = 800, batch_kernels = 4;

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

double power(double x, double y) {
    return apply_binary(Op::Power, x, y);
}

HostFunctions host_functions() {
    using Function = double (*)(double);
    HostFunctions host;
    host.runtime = Interpreter::runtime_functions();
    const auto set = [&](Op op, Function f) { host.unary[static_cast<std::size_t>(op)] = f; };
    set(Op::Exp, std::exp);
    set(Op::Ln, std::log);
    set(Op::Log10, std::log10);
    set(Op::Sin, std::sin);
    set(Op::Cos, std::cos);
    set(Op::Tan, std::tan);
    set(Op::Asin, std::asin);
    set(Op::Acos, std::acos);
    set(Op::Atan, std::atan);
    set(Op::Sinh, std::sinh);
    set(Op::Cosh, std::cosh);
    set(Op::Tanh, std::tanh);
    set(Op::Truncate, std::trunc);
    host.power = power;
    host.pow = static_cast<double (*)(double, double)>(std::pow);
    host.atan2 = static_cast<double (*)(double, double)>(std::atan2);
    return host;
}

bool is_known(const Instruction& i) {
    if (i.code == Code::Binary) switch (i.op) {
            case Op::Power:
            case Op::Atan2:
            case Op::Modulo:
            case Op::Min:
            case Op::Max:
            case Op::Less:
            case Op::LessEqual:
            case Op::Equal:
            case Op::NotEqual:
            case Op::Add:
            case Op::Multiply:
                return true;
            default:
                return false;
        }
    if (i.code == Code::Unary) switch (i.op) {
            case Op::Sqrt:
            case Op::Exp:
            case Op::Ln:
            case Op::Log10:
            case Op::Sin:
            case Op::Cos:
            case Op::Tan:
            case Op::Asin:
            case Op::Acos:
            case Op::Atan:
            case Op::Sinh:
            case Op::Cosh:
            case Op::Tanh:
            case Op::Abs:
            case Op::Sign:
            case Op::Truncate:
            case Op::Not:
            case Op::NoEvent:
                return true;
            default:
                return false;
        }
    return true;
}

// The module beside the program, or in the folder of the build that test programs are made in.
std::unique_ptr<Compiler> load_compiler(std::string& problem) {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) {
        problem = "the place of the program is not known";
        return nullptr;
    }
    std::string folder(path, static_cast<std::size_t>(length));
    folder.resize(folder.rfind('/'));
    void* module = nullptr;
    for (const char* where : {"/", "/../lib/cutset/", folder.ends_with("/tests/unit") ? "/../../" : "/"}) {
        const std::string file = folder + where + "libcutset_native.so";
        if (access(file.c_str(), R_OK) != 0) continue;
        module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!module) problem = dlerror();
        break;
    }
    if (!module) {
        if (problem.empty()) problem = "libcutset_native.so is not beside the program";
        return nullptr;
    }
    // Never unloaded: LLVM keeps to the end of the program what it has registered.
    const auto make = reinterpret_cast<MakeCompiler>(dlsym(module, make_compiler_name));
    if (!make) {
        problem = "libcutset_native.so belongs to another version of the program";
        return nullptr;
    }
    return std::unique_ptr<Compiler>(make(module_version, host_functions(), problem));
}

void all_from_table(Piece& piece) {
    const std::size_t columns = piece.columns.size();
    std::vector<std::uint32_t> table(piece.rows * columns);
    for (std::size_t c = 0; c < columns; ++c) {
        PieceColumn& column = piece.columns[c];
        for (std::size_t r = 0; r < piece.rows; ++r)
            table[r * columns + c] =
                column.mode == ColumnMode::Table
                    ? piece.table[r * piece.width + column.at]
                    : static_cast<std::uint32_t>(std::int64_t(column.at) + std::int64_t(r) * column.stride);
        column = {ColumnMode::Table, false, static_cast<std::uint32_t>(c), 0};
    }
    piece.table = std::move(table);
    piece.width = static_cast<std::uint32_t>(columns);
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

class NativeEngineOnDemand : public NativeEngine {
  public:
    NativeEngineOnDemand(const Program& program, std::size_t sections, Engine engine)
        : NativeEngine(sections, program.functions.size()),
          program_(program),
          engine_(engine),
          function_steps_(steps_with_calls(program)),
          counted_functions_(new Counted[function_kinds * program.functions.size()]),
          counted_(new Counted[sections]) {
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
    }

    bool load(std::string& problem) {
        const auto begin = processor_seconds();
        compiler_ = load_compiler(problem);
        const std::lock_guard lock(statistics_mutex_);
        statistics_.load_seconds = seconds_since(begin);
        return compiler_ != nullptr;
    }

    NativeStatistics statistics() const override {
        const std::lock_guard lock(statistics_mutex_);
        return statistics_;
    }

    double waited() const override {
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
            if (!published(section.number)) compile(section);
            return published(section.number);
        }
        if (worth(counted, section.instructions.size(), runs_first))
            ask({&section, CalleeIndex(), FunctionKind::Value, false});
        return nullptr;
    }

    NativeCallee missing(CalleeIndex callee, FunctionKind kind) override {
        Counted& counted = counted_functions_[place(callee, kind)];
        const std::size_t steps = function_steps_[callee.value];
        if (program_.functions[callee.value].steps.empty() || counted.refused.load(std::memory_order_relaxed))
            return nullptr;
        if (engine_ == Engine::Native) {
            const Waiting waiting(*this);
            const std::lock_guard lock(compile_mutex_);
            if (!published(callee, kind)) compile(callee, kind);
            return published(callee, kind);
        }
        if (worth(counted, steps, function_runs_first)) ask({nullptr, callee, kind, false});
        return nullptr;
    }

    void often(CalleeIndex callee, FunctionKind kind) override {
        if (!counted_functions_[place(callee, kind)].careful.exchange(true))
            ask({nullptr, callee, kind, true});
    }

  private:
    // Adds the time of its life, by the clock on the wall, to waited_, and the thread's to waited_processor_.
    class Waiting {
      public:
        explicit Waiting(NativeEngineOnDemand& engine)
            : engine_(engine),
              began_(std::chrono::steady_clock::now()),
              processor_began_(processor_seconds()) {}
        ~Waiting() {
            const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began_;
            const std::lock_guard lock(engine_.statistics_mutex_);
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
        std::atomic<bool> careful{false};  // of a function: better code has been asked for
    };
    struct Job {
        const Section* section;  // or a function
        CalleeIndex callee;
        FunctionKind kind;
        bool careful;
    };

    // Counts, and says once that it is time to compile.
    bool worth(Counted& counted, std::size_t instructions, std::uint32_t fewest_runs) {
        if (failed_.load(std::memory_order_relaxed)) return false;
        // A count that another thread overtakes does not matter; it shall cost nothing.
        const std::uint32_t runs = counted.runs.load(std::memory_order_relaxed) + 1;
        counted.runs.store(runs, std::memory_order_relaxed);
        const std::uint64_t all = interpreted_.load(std::memory_order_relaxed) + instructions;
        interpreted_.store(all, std::memory_order_relaxed);
        if (all < interpreted_first || runs < fewest_runs) return false;
        return !counted.asked.load(std::memory_order_relaxed) && !counted.asked.exchange(true);
    }

    void ask(Job job) {
        const std::lock_guard lock(queue_mutex_);
        if (ending_) return;
        queue_.push_back(job);
        if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
        wake_.notify_one();
    }

    void work() {
        std::string problem;
        if (!compiler_ && !load(problem)) {
            failed_.store(true);
            idle_.notify_all();
            return;
        }
        std::unique_lock lock(queue_mutex_);
        for (;;) {
            wake_.wait(lock, [&] { return ending_ || !queue_.empty(); });
            if (ending_) return;
            // The busiest first.
            const auto busiest =
                std::max_element(queue_.begin(), queue_.end(),
                                 [&](const Job& x, const Job& y) { return work_of(x) < work_of(y); });
            const Job job = *busiest;
            queue_.erase(busiest);
            busy_ = true;
            lock.unlock();
            if (job.careful) {
                compile_carefully(job.callee, job.kind);
            } else {
                const std::lock_guard compiling(compile_mutex_);
                if (job.section)
                    compile(*job.section);
                else
                    compile(job.callee, job.kind);
            }
            lock.lock();
            busy_ = false;
            if (queue_.empty()) idle_.notify_all();
        }
    }
    std::uint64_t work_of(const Job& job) const {
        if (job.careful) return 0;
        const Counted& counted =
            job.section ? counted_[job.section->number] : counted_functions_[place(job.callee, job.kind)];
        const std::size_t length =
            job.section ? job.section->instructions.size() : function_steps_[job.callee.value];
        return std::uint64_t(counted.runs.load(std::memory_order_relaxed)) * length;
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

    // A function and those that it calls.
    void compile(CalleeIndex callee, FunctionKind kind) {
        const double begin = processor_seconds();
        if (!functions_) functions_ = std::make_unique<FunctionPlanner>(program_, false);
        const auto plans = functions_->missing(callee, kind);
        std::vector<NativeCallee> made(plans.size(), nullptr);
        std::string problem;
        NativeStatistics done;
        if (!plans.empty() && !stopped() && compiler_->compile(plans, made.data(), problem))
            for (std::size_t k = 0; k < plans.size(); ++k) {
                publish(plans[k].callee, plans[k].kind, made[k]);
                ++done.functions;
                done.instructions += plans[k].code->steps.size();
            }
        if (!published(callee, kind))
            counted_functions_[place(callee, kind)].refused.store(true, std::memory_order_relaxed);
        const std::lock_guard lock(statistics_mutex_);
        statistics_.functions += done.functions;
        statistics_.instructions += done.instructions;
        statistics_.compile_seconds += seconds_since(begin);
    }

    // The same once more, with more effort: those that are called before those that call them, one at a time,
    // so that nobody waits for long.
    void compile_carefully(CalleeIndex callee, FunctionKind kind) {
        if (!careful_functions_) careful_functions_ = std::make_unique<FunctionPlanner>(program_, true);
        std::vector<FunctionPlan> plans = careful_functions_->missing(callee, kind);
        while (!plans.empty()) {
            const auto waits = [&](const FunctionPlan& plan) {
                for (std::size_t c = 0; c < plan.calls.size(); ++c)
                    for (const FunctionPlan& other : plans)
                        if (plan.calls[c].native && other.callee == plan.code->calls[c].callee &&
                            other.kind == plan.calls[c].kind && &other != &plan)
                            return true;
                return false;
            };
            auto next = std::find_if_not(plans.begin(), plans.end(), waits);
            std::vector<FunctionPlan> now;
            if (next == plans.end()) {  // they call each other in a circle
                now.swap(plans);
            } else {
                now.push_back(std::move(*next));
                plans.erase(next);
            }
            const std::lock_guard compiling(compile_mutex_);
            const double begin = processor_seconds();
            std::vector<NativeCallee> made(now.size(), nullptr);
            std::string problem;
            if (stopped() || !compiler_->compile(now, made.data(), problem)) return;
            for (std::size_t k = 0; k < now.size(); ++k) publish(now[k].callee, now[k].kind, made[k]);
            const std::lock_guard lock(statistics_mutex_);
            statistics_.compile_seconds += seconds_since(begin);
        }
    }

    std::unique_ptr<CompiledSection> make_code(const Section& section) {
        const auto begin = processor_seconds();
        if (!std::all_of(section.instructions.begin(), section.instructions.end(), is_known)) return nullptr;
        if (!work_) work_ = std::make_unique<SlotWork>(program_.layout.slots);
        const auto plan = Plan::make(program_, section, *work_);
        if (!plan || stopped()) return nullptr;
        auto out = std::make_unique<CompiledSection>();
        out->section = &section;
        out->scratch = plan->scratch();
        out->steps.resize(plan->pieces().size());
        NativeStatistics done;
        done.sections = 1;
        done.plan_seconds = seconds_since(begin);

        // Pieces of the same kind are compiled some at a time.
        struct Batch {
            bool optimise;
            std::vector<Piece> pieces;
            std::vector<std::size_t> steps;
            std::vector<std::uint64_t> shared;  // hash of the shape, for pieces that other sections may use
            std::size_t instructions = 0;
        } straight{false, {}, {}, {}, 0}, kernels{true, {}, {}, {}, 0};
        const auto flush = [&](Batch& batch) {
            if (batch.pieces.empty()) return true;
            if (stopped()) return false;
            const auto from = processor_seconds();
            std::vector<const Piece*> pieces;
            for (const Piece& piece : batch.pieces) pieces.push_back(&piece);
            std::vector<NativeFunction> functions(pieces.size());
            std::string problem;
            if (!compiler_->compile(pieces.data(), pieces.size(), batch.optimise, functions.data(), problem))
                return false;
            for (std::size_t i = 0; i < pieces.size(); ++i) {
                out->steps[batch.steps[i]].function = functions[i];
                if (batch.shared[i]) shared_[batch.shared[i]].push_back({pieces[i]->shape, functions[i]});
            }
            done.compile_seconds += seconds_since(from);
            done.instructions += batch.instructions;
            batch.pieces.clear();
            batch.steps.clear();
            batch.shared.clear();
            batch.instructions = 0;
            return true;
        };
        for (std::size_t s = 0; s < plan->pieces().size(); ++s) {
            const PieceOutline& outline = plan->pieces()[s];
            Piece piece = plan->build(outline, *work_);
            CompiledStep& step = out->steps[s];
            step.count = piece.rows;
            std::uint64_t share = 0;
            bool tabled = false;  // all operands from the table: a function for all pieces of this shape
            const std::uint64_t hash = piece.shape.hash();
            if (outline.is_kernel()) {
                ++done.kernels;
                done.kernel_rows += piece.rows;
                tabled = ++specialised_[hash] > most_specialised;
            } else {
                ++done.chunks;
                // The same code in several sections (loops of equal structure): from the second time on one
                // function with the places in a table.
                tabled = !met_.insert(hash).second;
            }
            if (tabled) all_from_table(piece);
            if (!piece.table.empty()) {
                out->tables.push_back(std::move(piece.table));
                step.table = out->tables.back().data();
                piece.table = {};
            }
            if (tabled) {
                share = hash | 1;
                if (const auto found = shared_.find(share); found != shared_.end())
                    for (const Shared& known : found->second)
                        if (known.shape == piece.shape) step.function = known.function;
                if (step.function) continue;
            }
            Batch& batch = outline.is_kernel() || share ? kernels : straight;
            batch.instructions += piece.shape.code.size();
            batch.steps.push_back(s);
            batch.shared.push_back(share);
            batch.pieces.push_back(std::move(piece));
            if ((batch.instructions >= batch_instructions ||
                 (batch.optimise && batch.pieces.size() >= batch_kernels)) &&
                !flush(batch))
                return nullptr;
        }
        if (!flush(straight) || !flush(kernels)) return nullptr;
        const std::lock_guard lock(statistics_mutex_);
        statistics_.sections += done.sections;
        statistics_.kernels += done.kernels;
        statistics_.kernel_rows += done.kernel_rows;
        statistics_.chunks += done.chunks;
        statistics_.instructions += done.instructions;
        statistics_.plan_seconds += done.plan_seconds;
        statistics_.compile_seconds += done.compile_seconds;
        return out;
    }

    const Program& program_;
    const Engine engine_;
    std::vector<const Section*> sections_;           // by number
    const std::vector<std::size_t> function_steps_;  // with those of what they call
    std::unique_ptr<Counted[]> counted_functions_;   // by function and kind
    std::unique_ptr<Counted[]> counted_;             // by section
    std::atomic<std::uint64_t> interpreted_{0};      // instructions
    std::atomic<bool> stop_{false}, failed_{false};

    std::mutex queue_mutex_, compile_mutex_;
    std::condition_variable wake_, idle_;
    std::deque<Job> queue_;
    bool ending_ = false, busy_ = false;

    // Of the one that compiles: the thread, or whoever holds compile_mutex_.
    std::unique_ptr<Compiler> compiler_;
    std::unique_ptr<SlotWork> work_;
    std::unique_ptr<FunctionPlanner> functions_, careful_functions_;
    std::deque<std::unique_ptr<CompiledSection>> code_;
    std::unordered_set<std::uint64_t> met_;                         // shapes of straight-line code, by hash
    std::unordered_map<std::uint64_t, std::uint32_t> specialised_;  // kernels made of a shape, by hash
    struct Shared {
        Shape shape;
        NativeFunction function;
    };
    std::unordered_map<std::uint64_t, std::vector<Shared>> shared_;

    mutable std::mutex statistics_mutex_;
    NativeStatistics statistics_;
    double waited_ = 0, waited_processor_ = 0;
    std::thread thread_;
};

}  // namespace

std::shared_ptr<NativeEngine> NativeEngine::make(const Program& program, Engine engine,
                                                 std::string& problem) {
    if (engine == Engine::Interpret) return nullptr;
    std::size_t sections = 0;
    for_each_section(program, [&](const Section&) { ++sections; });
    auto made = std::make_shared<NativeEngineOnDemand>(program, sections, engine);
    if (engine == Engine::Native && !made->load(problem)) return nullptr;
    return made;
}

}  // namespace cutset
