// measure_native FILE.dym [MODEL] [--pieces]: time of the equations of a model, interpreted and as machine
// code; with --pieces what they are compiled to. measure_native heat N | ladder N: the same by hand, in C.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "generate/interpreter.h"
#include "native/engine.h"
#include "native/plan.h"
#include "translate/translator.h"

extern "C" {
void heat_by_hand(int n, double a, double left, double right, const double* x, double* dx);
void ladder_by_hand(int n, const double* r, const double* c, double u, const double* v, double* dv);
}

namespace {

using namespace cutset;
using namespace cutset::native;

double processor_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Nanoseconds of one call: the least of several measurements.
double nanoseconds(const std::function<void()>& call) {
    double best = 1e300;
    for (int repeat = 0; repeat < 7; ++repeat) {
        int calls = 0;
        const double begin = processor_seconds();
        double passed = 0;
        do {
            call();
            ++calls;
            passed = processor_seconds() - begin;
        } while (passed < 0.05);
        best = std::min(best, 1e9 * passed / calls);
    }
    return best;
}

constexpr std::size_t most_loops = 20;

class NoLoops : public LoopSolver {
  public:
    bool solve(const Loop& loop, std::size_t, Interpreter& values) override {
        return values.run(loop.residual);
    }
};

std::string name_of(Reference r) {
    return (is_local(r) ? "t" : "c") + std::to_string(index_of(r));
}

// The pieces of a section: shapes with their columns.
void show_pieces(const Program& program, const Section& section) {
    SlotWork work(program.layout.slots);
    const auto plan = Plan::make(program, section, work);
    if (!plan) return;
    for (const PieceOutline& outline : plan->pieces()) {
        const Piece piece = plan->build(outline, work);
        fmt::print("    {} rows of {} statements, {} instructions{}:", outline.rows, outline.statements,
                   piece.shape.code.size(), piece.independent ? ", independent" : "");
        for (std::size_t c = 0; c < piece.columns.size() && c < 20; ++c) {
            const PieceColumn& column = piece.columns[c];
            fmt::print(" c{}={}{}", c, piece.shape.columns[c].kind == native::ColumnKind::Scratch ? "s" : "",
                       column.mode == ColumnMode::Table ? "table"
                       : column.hoisted                 ? fmt::format("{} hoisted", column.at)
                                                        : fmt::format("{}{:+}k", column.at, column.stride));
        }
        fmt::print("\n");
        for (std::size_t k = 0; k < piece.shape.code.size() && k < 12; ++k) {
            const ShapeInstruction& i = piece.shape.code[k];
            static const char* codes[] = {"copy",   "add",   "subtract", "multiply", "divide",
                                          "negate", "unary", "binary",   "jump",     "jumpfalse",
                                          "call",   "solve", "switch",   "delay"};
            fmt::print("      {} = {} {} {}\n", name_of(i.to), codes[static_cast<int>(i.code)], name_of(i.a),
                       name_of(i.b));
        }
    }
}

int by_hand(const std::string& what, int n) {
    std::vector<double> x(std::size_t(n), 1), dx(std::size_t(n), 0), r(std::size_t(n), 0),
        c(std::size_t(n), 0);
    for (int i = 0; i < n; ++i) {
        x[std::size_t(i)] = 1.0 / (i + 1);
        r[std::size_t(i)] = 1 + 0.001 * i;
        c[std::size_t(i)] = 2 + 0.001 * i;
    }
    const double ns =
        what == "heat" ? nanoseconds([&] { heat_by_hand(n, 2, 1, 0, x.data(), dx.data()); })
                       : nanoseconds([&] { ladder_by_hand(n, r.data(), c.data(), 1, x.data(), dx.data()); });
    fmt::print("{} by hand, n = {}: {:.2f} ns per state\n", what, n, ns / n);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const std::string file = argv[1];
    const bool pieces = std::string(argv[argc - 1]) == "--pieces";
    argc -= pieces;
    if ((file == "heat" || file == "ladder") && argc > 2) return by_hand(file, std::atoi(argv[2]));
    Workspace workspace;
    if (!workspace.text.load(file, {}, workspace.diagnostics)) return 1;
    TranslationQuestion question;
    if (argc > 2) question.model = argv[2];
    const auto translation = Translator(workspace).translate(question, workspace.diagnostics);
    if (!translation) {
        for (const Diagnostic& d : workspace.diagnostics.all()) fmt::print("{}\n", d.message);
        return 1;
    }
    const std::shared_ptr<const Program> program = translation->program;
    NoLoops loops;
    Interpreter interpreted(*program, {&loops, nullptr, false});
    interpreted.run(program->parameters);
    for (Slot state : program->layout.state) interpreted[state] = 0.5;
    interpreted.run(program->fixed);
    interpreted.run(program->stepwise);
    Interpreter native = interpreted;
    std::string problem;
    const auto engine = NativeEngine::make(*program, Engine::Native, problem);
    if (!engine) {
        fmt::print("{}\n", problem);
        return 1;
    }
    native.set_machine_code(engine);
    const std::size_t states = program->layout.state.size();
    fmt::print("{}: {} states; LLVM loaded in {:.1f} ms\n", file, states,
               1e3 * engine->statistics().load_seconds);
    const auto section = [&](const char* name, const Section& s) {
        if (s.instructions.empty()) return;
        const NativeStatistics before = engine->statistics();
        native.run(s);
        const NativeStatistics after = engine->statistics();
        const double a = nanoseconds([&] { interpreted.run(s); }), b = nanoseconds([&] { native.run(s); });
        fmt::print(
            "  {}: {} instructions, {} kernels over {} rows, {} chunks, {} instructions compiled; plan "
            "{:.1f} "
            "ms, compile {:.1f} ms\n    interpreted {:.2f} ns per instruction, {:.2f} per state; native "
            "{:.2f} and "
            "{:.2f}\n",
            name, s.instructions.size(), after.kernels - before.kernels,
            after.kernel_rows - before.kernel_rows, after.chunks - before.chunks,
            after.instructions - before.instructions, 1e3 * (after.plan_seconds - before.plan_seconds),
            1e3 * (after.compile_seconds - before.compile_seconds), a / double(s.instructions.size()),
            a / double(states), b / double(s.instructions.size()), b / double(states));
        if (pieces) show_pieces(*program, s);
    };
    section("derivatives", program->derivatives);
    section("continuous", program->continuous);
    section("eliminated", program->eliminated);
    if (program->jacobian) section("jacobian", program->jacobian->section);
    for (std::size_t k = 0; k < program->loops.size() && k < most_loops; ++k) {
        const Loop& loop = program->loops[k];
        const auto part = [&](const char* name, const Section& s) {
            section(fmt::format("loop {} of {} unknowns, {}", k, loop.torn.size(), name).c_str(), s);
        };
        part("residual", loop.residual);
        part("jacobian", loop.jacobian);
        part("rest", loop.rest);
    }
    return 0;
}
