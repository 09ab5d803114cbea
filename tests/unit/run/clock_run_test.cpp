// Sampled systems made of clock operators, run: a plant x' = u - x with a controller whose integrator ticks
// every 0.1 s, a filter every 0.3 s, and one that is later. Compared with the difference equations, the plant
// solved in closed form between ticks.
#include <cmath>
#include <string>

#include "run/trajectory_sink.h"
#include "small_model.h"
#include "transform/model_builder.h"

namespace cutset::test {
namespace {

using Kind = ClockOperator::Kind;

TEST(ClockRuns, DifferenceEquations) {
    ModelBuilder b;
    const auto op = [&](Kind kind, Expr v, Expr argument, std::uint32_t factor = 1,
                        std::uint32_t resolution = 1, Expr clock = nullptr) {
        const EquationIndex e = b.equation(v, argument);
        b.model.clock_operators.push_back({e, kind, factor, resolution, {}});
        if (clock) b.model.clock_operators.back().clock = clock->variable();
    };
    const auto pre = [&](Expr v) { return b.pool().previous(v->variable()); };
    const Expr x = b.variable("x", 1), c = b.variable("c"), y = b.variable("y"), i = b.variable("i", 0),
               s = b.variable("s"), f = b.variable("f", 0), t = b.variable("t"), u = b.variable("u");
    b.equation(b.der(x), b.sub(u, x));
    op(Kind::Periodic, c, b.number(0.1));
    op(Kind::Sample, y, x, 1, 1, c);
    b.equation(i, b.add(pre(i), b.mul(0.1, b.sub(b.number(2), y))));
    op(Kind::SubSample, s, i, 3);
    b.equation(f, b.add(b.mul(0.5, pre(f)), s));
    op(Kind::Shift, t, f, 1, 2);  // at 0.15, 0.45, …
    op(Kind::Hold, u, t);
    Diagnostics diagnostics;
    TransformOptions options;
    auto partition = transform(std::move(b.model), options, diagnostics);
    ASSERT_TRUE(partition) << (diagnostics.all().empty() ? "" : diagnostics.all()[0].message);
    const Program program = generate(std::make_shared<const Partition>(std::move(*partition)));
    SimulateOptions run;
    run.stop = 2;
    run.points = 41;
    run.tolerance = 1e-9;
    TrajectorySink rows;
    ASSERT_EQ(simulate(program, run, rows, diagnostics).outcome, RunOutcome::Finished);

    double xx = 1, ii = 0, ff = 0, uu = 0;
    for (int k = 0; k <= 40; ++k) {  // every 0.05 s
        if (k > 0) xx = uu + (xx - uu) * std::exp(-0.05);
        if (k % 2 == 0) ii += 0.1 * (2 - xx);
        if (k % 6 == 0) ff = 0.5 * ff + ii;
        if (k % 6 == 3) uu = ff;
        const double at = 0.05 * k;
        std::size_t last = 0;  // of the rows at that time
        for (std::size_t row = 0; row < rows.kept.rows(); ++row)
            if (std::abs(rows.kept.time(row) - at) < 1e-9) last = row;
        const auto value = [&](const char* name) { return rows.kept.value(name, last).value_or(-1e9); };
        EXPECT_NEAR(value("x"), xx, 1e-7) << at;
        EXPECT_NEAR(value("i"), ii, 1e-7) << at;
        EXPECT_NEAR(value("f"), ff, 1e-7) << at;
        EXPECT_NEAR(value("u"), uu, 1e-7) << at;
    }
}

// The value of a variable in the last row.
double last(SmallModel& model, const char* name, double stop) {
    EXPECT_TRUE(model.program) << model.messages();
    if (!model.program) return NAN;
    model.options.stop = stop;
    model.options.points = 5;
    TrajectorySink rows;
    EXPECT_EQ(simulate(*model.program, model.options, rows, model.diagnostics).outcome, RunOutcome::Finished)
        << model.messages();
    return rows.kept.value(name, rows.kept.rows() - 1).value_or(NAN);
}

// The body is written in the wrong order; n ticks at 0.05, 0.15 …: x = x/2 + n, y = 2x + y/4.
TEST(ClockRuns, RatesInTheDymolaLanguage) {
    const std::string lines =
        "parameter h = 0.1\n"
        "clock fast = sample(0.05, h)\n"
        "clock slow = every(fast, 5), late = later(every(fast, 10, 2), 1, 4)\n"
        "clock same = every(between(slow, 15), 3)\n"
        "discrete x=1 y=0 n=0 m=0 s=0 k=0 seen=0\n"
        "when fast then\n new(y) = 2*new(x) + pre(y)/4\n new(x) = 0.5*x + new(n)\n new(n) = pre(n) + 1\nend\n"
        "when slow then\n new(m) = pre(m) + 1\n new(seen) = n\nend\n"
        "when late then new(s) = pre(s) + 1 end\n"
        "when same then new(k) = pre(k) + 1 end\n";
    double x = 1, y = 0;
    for (int n = 1; n <= 20; ++n) {
        x = 0.5 * x + n;
        y = 2 * x + y / 4;
    }
    const auto at_end = [&](const char* name) {
        SmallModel model(lines);
        return last(model, name, 2);
    };
    EXPECT_EQ(at_end("n"), 20);
    EXPECT_EQ(at_end("x"), x);
    EXPECT_EQ(at_end("y"), y);
    EXPECT_EQ(at_end("m"), 4);      // 0.05, 0.55, 1.05, 1.55
    EXPECT_EQ(at_end("seen"), 16);  // the new value at 1.55
    EXPECT_EQ(at_end("s"), 2);      // 0.5, 1.5
    EXPECT_EQ(at_end("k"), 20);
}

TEST(ClockRuns, ALongChainOfAssignmentsInAnyOrder) {
    std::string lines, body;
    for (int i = 0; i < 3000; ++i) {
        lines += "discrete d" + std::to_string(i) + " = 0\n";
        body += " new(d" + std::to_string(i) +
                ") = " + (i + 1 < 3000 ? "0.5*new(d" + std::to_string(i + 1) + ") + 1" : "time") + "\n";
    }
    SmallModel model(lines + "when sample(0, 0.1) then\n" + body + "end\n");
    EXPECT_EQ(last(model, "d0", 1), 2);
}

// A call that becomes equations, and the same as a call.
TEST(ClockRuns, InlinedFunctions) {
    const auto run = [](const std::string& word, const char* name) {
        SmallModel model("function gain(u, k) returns y z\n" + word +
                         "  local s\n  s = 0\n  for i = 1 to 3 do s = s + i*u\n"
                         "  if k > 1 then y = k*s else y = s\n  z = y + s\nend\n"
                         "function half(u) returns y\n  y = 0.5*u\nend\n"
                         "local a b c x\na b = gain(x - c, 2)\nc = a + b + x*x\n"
                         "x' = -c + (if x > 0.5 then half(x) else 0)\nx(0) = 1\n");
        return last(model, name, 1);
    };
    for (const char* name : {"a", "b", "c", "x"})
        EXPECT_NEAR(run("  inline\n", name), run("", name), 1e-6) << name;
}

}  // namespace
}  // namespace cutset::test
