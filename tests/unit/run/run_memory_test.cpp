// A run that stands still between two steps goes on to the bit.
#include "run/run_memory.h"

#include <cmath>

#include "run/run_point.h"
#include "small_model.h"

namespace cutset {
namespace {

using test::KeptRows;
using test::SmallModel;

constexpr const char* bouncing =
    "  local h v\n  discrete n=0\n  h' = v\n  v' = -9.81\n  h(0) = 1\n  v(0) = 0\n"
    "  when h < 0 then\n    reinit(v, -0.8*pre(v))\n    new(n) = pre(n) + 1\n  end\n";
// Nonlinear and linear loops, a delay, a clock, conditions.
constexpr const char* all_kinds =
    "  local x y z w u a b\n  discrete s=0\n  x' = y\n  y' = -x - 0.2*z + s\n  z + sin(z)/2 + w**3 = x\n"
    "  w + exp(w) = y + 1 + z/3\n  2*a + x*b = y\n  a - 3*b = 1 + x\n  u' = a - u + delay(x, 0.3)\n"
    "  x(0) = 1\n  y(0) = 0\n  u(0) = 0\n"
    "  when sample(0.1, 0.25) then\n    new(s) = if x > 0.2 then -0.5 else 0.5\n  end\n";
constexpr const char* stiff_text =
    "  local x y z\n  x' = -0.04*x + 1e4*y*z\n  y' = 0.04*x - 1e4*y*z - 3e7*y**2\n  z' = 3e7*y**2\n"
    "  x(0) = 1\n  y(0) = 0\n  z(0) = 0\n";

// The rows of a run that stands still at these times.
std::vector<std::vector<double>> rows_with_pauses(const SmallModel& m, const std::vector<double>& pauses) {
    std::vector<std::vector<double>> rows;
    std::optional<RunPoint> from;
    Diagnostics diagnostics;
    for (std::size_t k = 0; k <= pauses.size(); ++k) {
        SimulateOptions options = m.options;
        options.keep_point = true;
        if (k < pauses.size()) options.pause = pauses[k];
        KeptRows part;
        std::optional<RunPoint> end;
        const RunSummary summary = from ? simulate_from(*m.program, options, *from, part, diagnostics, end)
                                        : simulate(*m.program, options, part, diagnostics, end);
        EXPECT_EQ(summary.outcome, k < pauses.size() ? RunOutcome::Interrupted : RunOutcome::Finished);
        for (std::size_t i = from ? 1 : 0; i < part.rows.size(); ++i) rows.push_back(part.rows[i]);
        // The row of the point, unless it is one of the output points.
        if (k < pauses.size()) {
            EXPECT_TRUE(end && end->memory && end->memory->serves(*m.program, options));
            const double t = rows.back()[0] / m.options.stop * 100;
            if (std::abs(t - std::round(t)) > 1e-9) rows.pop_back();
        }
        from = end;
    }
    return rows;
}

void expect_same(const char* text, double stop, std::vector<Solver> solvers) {
    SmallModel m(text);
    ASSERT_TRUE(m.program) << m.messages();
    m.options.stop = stop;
    m.options.points = 101;
    for (Solver solver : solvers) {
        m.options.solver = solver;
        if (describe(solver).fixed_step) m.options.step_size = stop / 3000;
        const auto whole = rows_with_pauses(m, {});
        EXPECT_GT(whole.size(), 100u);
        EXPECT_EQ(rows_with_pauses(m, {0.111 * stop, 0.1201 * stop, 0.513 * stop, 0.93 * stop}), whole)
            << name_of(solver);
    }
}

const std::vector<Solver> own{Solver::Auto,  Solver::Bdf,     Solver::Adams, Solver::Dopri,
                              Solver::Radau, Solver::Hamming, Solver::Rk4};

TEST(RunMemory, EventsGoOnToTheBit) {
    expect_same(bouncing, 3, own);
}

TEST(RunMemory, LoopsDelaysAndClocksGoOnToTheBit) {
    expect_same(all_kinds, 5, own);
}

TEST(RunMemory, StiffRunsGoOnToTheBit) {
    expect_same(stiff_text, 40, {Solver::Auto, Solver::Bdf, Solver::Radau});
}

TEST(RunMemory, ServesTheSameSettingsOnly) {
    SmallModel m(bouncing);
    m.options.pause = 0.3;
    m.options.keep_point = true;
    KeptRows rows;
    std::optional<RunPoint> end;
    simulate(*m.program, m.options, rows, m.diagnostics, end);
    ASSERT_TRUE(end && end->memory);
    EXPECT_TRUE(end->memory->serves(*m.program, m.options));
    SimulateOptions other = m.options;
    other.stop = 2;
    EXPECT_FALSE(end->memory->serves(*m.program, other));
    other = m.options;
    other.solver = Solver::Radau;
    EXPECT_FALSE(end->memory->serves(*m.program, other));
    SmallModel heavier(bouncing + std::string("  local k\n  k = 2*h\n"));
    EXPECT_FALSE(end->memory->serves(*heavier.program, m.options));
}

TEST(RunMemory, ACheckpointOnTheWayDisturbsNothing) {
    SmallModel m(all_kinds);
    m.options.stop = 5;
    m.options.points = 101;
    const auto whole = rows_with_pauses(m, {});
    int asked = 0, taken = 0;
    m.options.checkpoint_due = [&] { return ++asked % 10 == 0; };
    m.options.checkpoint = [&](const RunPoint& point) {
        EXPECT_TRUE(point.memory);
        ++taken;
    };
    EXPECT_EQ(rows_with_pauses(m, {}), whole);
    EXPECT_GT(taken, 5);
}

TEST(RunMemory, ARunThatFailsWritesItsLastPoint) {
    SmallModel m("  local x\n  x' = x**2\n  x(0) = 1\n");
    m.options.stop = 4;
    m.options.points = 5;
    KeptRows rows;
    std::optional<RunPoint> end;
    EXPECT_EQ(simulate(*m.program, m.options, rows, m.diagnostics, end).outcome, RunOutcome::Failed);
    ASSERT_EQ(rows.rows.size(), 2u);
    EXPECT_NEAR(rows.rows.back()[0], 1, 1e-3);
    EXPECT_LT(rows.rows.back()[0], 1);
}

}  // namespace
}  // namespace cutset
