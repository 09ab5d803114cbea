// Clocked variables become when clauses: partitions, rates, bodies, and what is refused.
#include "model_builder.h"
#include "transform/lower_clocks.h"

namespace cutset::test {
namespace {

using Kind = ClockOperator::Kind;

struct ClockBuilder : ModelBuilder {
    Expr op(Kind kind, Expr result, Expr argument, std::uint32_t factor = 1, std::uint32_t resolution = 1,
            Expr clock = nullptr) {
        ClockOperator o;
        o.equation = equation(result, argument);
        o.kind = kind;
        o.factor = factor;
        o.resolution = resolution;
        if (clock) o.clock = clock->variable();
        model.clock_operators.push_back(o);
        return result;
    }
    std::string lowered() {
        Diagnostics diagnostics;
        lower_clocks(model, diagnostics);
        if (diagnostics.has_errors()) return diagnostics.all().front().code;
        std::string text;
        for (const WhenClause& when : model.whens) {
            text += to_text(when.condition, model.printer()) + ":";
            for (const WhenAction& action : when.actions) {
                const auto& a = std::get<WhenAssign>(action);
                text += " " + model.path(a.target) + (a.implicit ? ": 0 = " : " := ") +
                        to_text(a.value, model.printer()) +
                        (a.guard ? " where " + to_text(a.guard, model.printer()) : "") + ";";
            }
            text += "\n";
        }
        return text;
    }
    std::string discrete_equations() const {
        std::string text;
        for (const Equation& e : model.discrete_equations)
            text += to_text(e.left, model.printer()) + " = " + to_text(e.right, model.printer()) + ";";
        return text;
    }
};

TEST(Clocks, ControllerOfTwoRates) {
    ClockBuilder b;
    const Expr x = b.variable("x", 0), c = b.variable("c"), y = b.variable("y"), i = b.variable("i", 2),
               slow = b.variable("slow"), w = b.variable("w"), fast = b.variable("fast"), u = b.variable("u");
    b.equation(b.der(x), u);
    b.op(Kind::Periodic, c, b.number(0.1));
    b.op(Kind::Sample, y, x, 1, 1, c);
    b.equation(b.sub(i, b.pool().previous(i->variable())), y);  // i = previous(i) + y, solved for i
    b.op(Kind::SubSample, slow, i, 5);
    b.equation(w, b.add(slow, b.pool().previous(w->variable())));
    b.op(Kind::SuperSample, fast, w, 5);
    b.op(Kind::Hold, u, fast);
    EXPECT_EQ(b.lowered(),
              "sample(0, 0.1): c := 1; y := pre(x); i := y + pre(i);\n"
              "sample(0, 0.5): slow := i; w := slow + pre(w);\n"
              "sample(0, 0.1): fast := w;\n");
    EXPECT_EQ(b.model.equations.size(), 2u);  // x' = u, u = fast
    EXPECT_EQ(b[u].variability, Variability::Continuous);
    EXPECT_EQ(b[i].variability, Variability::Discrete);
    EXPECT_TRUE(b[i].binding->is_number(2));
}

TEST(Clocks, ShiftsAreExactRatios) {
    ClockBuilder b;
    const Expr c = b.variable("c"), s = b.variable("s"), t = b.variable("t"), r = b.variable("r");
    b.op(Kind::Periodic, c, b.number(3));
    b.op(Kind::SuperSample, s, c, 3);
    b.op(Kind::Shift, t, s, 4, 2);
    b.op(Kind::Back, r, t, 1, 1);
    EXPECT_EQ(b.lowered(),
              "sample(0, 3): c := 1;\nsample(0, 1): s := c;\nsample(2, 1): t := s;\n"
              "sample(1, 1): r := t;\n");
}

TEST(Clocks, IntervalFirstTickAndEvents) {
    ClockBuilder b;
    const Expr x = b.variable("x", 0), c = b.variable("c"), h = b.variable("h"), f = b.variable("f");
    b.equation(b.der(x), b.number(1));
    b.op(Kind::Event, c, b.pool().less(b.number(1), x));
    b.op(Kind::Interval, h, c);
    b.op(Kind::FirstTick, f, c);
    EXPECT_EQ(b.lowered(),
              "pre(clock condition): c := pre(c) + 1; "
              "h := if ticks < 1.5 then 0 else time of the last tick - pre(time of the last tick); "
              "f := ticks < 1.5; ticks := min(2, pre(ticks) + 1); time of the last tick := time;\n");
    EXPECT_EQ(b.discrete_equations(), "clock condition = if x > 1 then 1 else 0;");
}

TEST(Clocks, ClocksThatDoNotFit) {
    const auto two = [](double second) {
        ClockBuilder b;
        const Expr c = b.variable("c"), d = b.variable("d"), y = b.variable("y"), z = b.variable("z");
        b.op(Kind::Periodic, c, b.number(0.1));
        b.op(Kind::Periodic, d, b.number(second));
        b.op(Kind::SubSample, y, c, 4);
        b.op(Kind::Sample, z, b.number(1), 1, 1, d);
        b.equation(b.add(y, z), b.number(0));
        return b.lowered();
    };
    EXPECT_EQ(two(0.3), "clocks-do-not-fit");
    EXPECT_NE(two(0.4), "clocks-do-not-fit");
}

TEST(Clocks, MissingClocksAndEquations) {
    ClockBuilder no_clock;
    const Expr x = no_clock.variable("x", 0), y = no_clock.variable("y");
    no_clock.equation(no_clock.der(x), no_clock.number(1));
    no_clock.op(Kind::Sample, y, x);
    EXPECT_EQ(no_clock.lowered(), "no-clock");

    ClockBuilder events;
    const Expr c = events.variable("c"), s = events.variable("s"), t = events.variable("t", 0);
    events.equation(events.der(t), events.number(1));
    events.op(Kind::Event, c, events.pool().less(events.number(1), t));
    events.op(Kind::SuperSample, s, c, 2);
    EXPECT_EQ(events.lowered(), "clock-of-events");

    ClockBuilder unclocked;
    const Expr z = unclocked.variable("z");
    unclocked.equation(z, unclocked.pool().previous(z->variable()));
    unclocked.model.asked_before.push_back(z->variable());
    EXPECT_EQ(unclocked.lowered(), "no-clock");

    ClockBuilder early;
    const Expr e = early.variable("e"), back = early.variable("back");
    early.op(Kind::Periodic, e, early.number(1));
    early.op(Kind::Back, back, e, 1, 2);
    EXPECT_EQ(early.lowered(), "clock-before-start");

    ClockBuilder many;
    const Expr d = many.variable("d"), v = many.variable("v");
    many.op(Kind::Periodic, d, many.number(1));
    many.op(Kind::Sample, v, many.number(1), 1, 1, d);
    many.equation(v, many.number(2));
    EXPECT_EQ(many.lowered(), "clocked-too-many");
}

TEST(Clocks, EverySecondEventFromTheThirdOn) {
    ClockBuilder b;
    const Expr x = b.variable("x", 0), c = b.variable("c"), s = b.variable("s"), t = b.variable("t");
    b.equation(b.der(x), b.number(1));
    b.op(Kind::Event, c, b.pool().less(b.number(1), x));
    b.op(Kind::Shift, s, c, 2);
    b.op(Kind::SubSample, t, s, 2);
    EXPECT_EQ(b.lowered(),
              "pre(clock condition): c := pre(c) + 1;\n"
              "pre(clock condition): s := c where pre(c) - 2 > -0.5 and mod(pre(c) - 2, 1) < 0.5;\n"
              "pre(clock condition): t := s where pre(c) - 2 > -0.5 and mod(pre(c) - 2, 2) < 0.5;\n");
}

TEST(Clocks, FactorsThatFollowFromTwoClocks) {
    const auto ratio = [](double slow) {
        ClockBuilder b;
        const Expr c = b.variable("c"), d = b.variable("d"), y = b.variable("y"), z = b.variable("z");
        b.op(Kind::Periodic, c, b.number(0.02));
        b.op(Kind::Periodic, d, b.number(slow));
        b.op(Kind::Sample, y, b.pool().time(), 1, 1, c);
        b.op(Kind::SubSample, z, y, 0, 1, d);
        return b.lowered();
    };
    EXPECT_EQ(ratio(0.06), "sample(0, 0.02): c := 1; y := time;\nsample(0, 0.06): d := 1; z := y;\n");
    EXPECT_EQ(ratio(0.05), "clock-ratio");
}

TEST(Clocks, MembersOfAClockWithoutVariablesInCommon) {
    ClockBuilder b;
    const Expr c = b.variable("c"), n = b.variable("n", 0);
    b.op(Kind::Periodic, c, b.number(1));
    b.model.clock_operators.push_back({b.equation(n, b.number(3)), Kind::Member, 1, 1, c->variable()});
    EXPECT_EQ(b.lowered(), "sample(0, 1): c := 1; n := 3;\n");
}

TEST(Clocks, DerivativesByTheMethodOfTheClock) {
    const auto with = [](ClockSolver solver) {
        ClockBuilder b;
        const Expr c = b.variable("c"), d = b.variable("d"), u = b.variable("u"), x = b.variable("x", 0);
        b.op(Kind::Periodic, c, b.number(0.5));
        b.op(Kind::Solved, d, c);
        b.model.clock_operators.back().solver = solver;
        b.op(Kind::Sample, u, b.pool().time(), 1, 1, d);
        b.equation(b.der(x), b.sub(u, x));
        return b.lowered();
    };
    EXPECT_EQ(with(ClockSolver::None), "clocked-derivative");
    const auto by = [](const std::string& step) {
        return "sample(0, 0.5): c := 1; d := c; u := time; der(x) := u - x; x := if ticks < 1.5 then pre(x) "
               "else " +
               step + " + pre(x); ticks := min(2, pre(ticks) + 1);\n";
    };
    EXPECT_EQ(with(ClockSolver::ExplicitEuler), by("0.5*pre(der(x))"));
    EXPECT_EQ(with(ClockSolver::ImplicitEuler), by("0.5*der(x)"));
}

}  // namespace
}  // namespace cutset::test
