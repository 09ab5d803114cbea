// A sorted model as a list of procedures.
#include "export/listing.h"

#include <gtest/gtest.h>

#include "../generate/sample_model.h"
#include "export/listed_temporaries.h"
#include "export/program_parts.h"

namespace cutset {
namespace {

// x' = -k*y, y = sin(x) + sin(x)^2, z^3 + z = x
struct Sample : SampleModel {
    VariableIndex k = parameter("k", 2), x = state("x"), y = variable("y"), z = variable("z");
    Sample() {
        const Expr sine = call(Op::Sin, at(x));
        assign(y, add(sine, mul(sine, sine)));
        assign(x, mul(n(-1), mul(at(k), at(y))), 1);
        Block loop;
        loop.kind = BlockKind::Nonlinear;
        loop.torn = {{z, 0}};
        loop.residuals = {residual(sub(add(pool.power(at(z), n(3)), at(z)), at(x)))};
        p.blocks.push_back(loop);
    }
};

TEST(Listing, SlotsAreTimeStatesDerivativesAndTheOthers) {
    Sample s;
    const Listing l = make_listing(s.p, {}, {});
    EXPECT_EQ(l.slot_of({s.x, 0}), 1u);
    EXPECT_EQ(l.slot_of({s.x, 1}), 2u);
    EXPECT_EQ(l.slots, 6u);
    EXPECT_EQ((std::set<Slot>{l.variable[s.k.value], l.variable[s.y.value], l.variable[s.z.value]}),
              (std::set<Slot>{3, 4, 5}));
}

TEST(Listing, DerivativesNeedLessThanTheRest) {
    Sample s;
    const Listing l = make_listing(s.p, {}, {});
    // x' needs y, and the loop for z is left to the auxiliary variables.
    for (const CodeLine& line : l.derivatives.lines) EXPECT_NE(line.kind, CodeLine::Kind::Solve);
    ASSERT_EQ(l.auxiliaries.lines.size(), 1u);
    EXPECT_EQ(l.auxiliaries.lines[0].kind, CodeLine::Kind::Solve);
    ASSERT_EQ(l.loops.size(), 1u);
    EXPECT_FALSE(l.loops[0].linear);
    EXPECT_EQ(l.loops[0].torn, std::vector<Slot>{l.variable[s.z.value]});
}

TEST(Listing, JacobianOfALoopIsExact) {
    Sample s;
    const Listing l = make_listing(s.p, {}, {});
    const Procedure& jacobian = l.loops[0].jacobian;
    ASSERT_EQ(jacobian.lines.size(), 2u);
    // d(z^3 + z - x)/dz, first as a temporary, then in its place
    EXPECT_EQ(to_text(jacobian.lines[0].value, s.m.printer()), "3*z^2 + 1");
    EXPECT_EQ(jacobian.lines[1].place.kind, Place::Kind::Jacobian);
    EXPECT_EQ(jacobian.lines[1].value->index, listed_temporary);
}

TEST(Listing, WhatStandsTwiceIsATemporary) {
    Sample s;
    const Listing l = make_listing(s.p, {}, {});
    ASSERT_EQ(l.derivatives.temporaries, 1u);
    EXPECT_EQ(l.derivatives.lines[0].place.kind, Place::Kind::Temporary);
    EXPECT_EQ(l.derivatives.lines[0].value, s.call(Op::Sin, s.at(s.x)));
}

TEST(Listing, TemporariesThatNoLineMentionsAreNotWritten) {
    Procedure procedure;
    SampleModel s;
    const VariableIndex a = s.variable("a");
    procedure.temporaries = 2;
    for (std::uint32_t i = 0; i < 2; ++i)
        procedure.lines.push_back({CodeLine::Kind::Assign, {Place::Kind::Temporary, i}, s.at(a), 0});
    procedure.lines.push_back({CodeLine::Kind::Assign, {Place::Kind::Quantity, 1}, s.at(a), 0});
    std::vector<std::uint32_t> used;
    const auto lines = used_lines(procedure, used, [&](const CodeLine& line) {
        if (line.place.kind == Place::Kind::Quantity) used.push_back(1);
        return (line.place.kind == Place::Kind::Temporary ? "t" : "q") + std::to_string(line.place.index);
    });
    EXPECT_EQ(lines, (std::vector<std::string>{"t1", "q1"}));
}

TEST(Listing, TrackedAreIterationVariablesOfNonlinearLoops) {
    Sample s;
    const Listing l = make_listing(s.p, {}, {});
    EXPECT_EQ(tracked_slots(l), std::vector<Slot>{l.variable[s.z.value]});
    const auto inputs = loop_inputs(l, l.loops[0]);
    ASSERT_TRUE(inputs);
    EXPECT_EQ(*inputs, std::vector<int>{static_cast<int>(l.slot_of({s.x, 0}))});
}

TEST(Listing, ColumnsAreThoseOfASimulation) {
    Sample s;
    std::vector<std::string> names;
    for (const auto& [name, slot] : result_columns(make_listing(s.p, {}, {}))) names.push_back(name);
    EXPECT_EQ(names, (std::vector<std::string>{"time", "x", "y", "z", "der(x)"}));
}

TEST(Listing, KnotsOfTablesOverTimeAreBreakpoints) {
    SampleModel s;
    TableData table;
    table.name = "T";
    table.x = {0, 1, 1, 3};
    table.values = {0, 0, 5, 5};
    const CalleeIndex callee = s.m.callees.add(Callee{table});
    const VariableIndex y = s.variable("y");
    const Expr arguments[] = {s.pool.time()};
    s.assign(y, s.pool.apply(callee, 0, arguments));
    const auto found = table_breakpoints(s.p);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[1].time, 1);
    EXPECT_TRUE(found[1].jumps);
    EXPECT_FALSE(found[2].jumps);
}

}  // namespace
}  // namespace cutset
