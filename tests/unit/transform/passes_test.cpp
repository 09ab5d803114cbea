// The list of passes: contracts, and what happens around a pass.
#include <filesystem>
#include <set>

#include "model_builder.h"
#include "transform/pass.h"

namespace cutset::test {
namespace {

using passes::Analysis;
using passes::Part;
using passes::Pass;

// C·x' = u - x/R, y = 2·x
struct Lag : ModelBuilder {
    Expr R = parameter("R", 5), C = parameter("C", 2), x = variable("x", 1), y = variable("y");
    Lag() {
        equation(mul(C, der(x)), sub(number(1), div(x, R)));
        equation(y, mul(2, x));
    }
};

TEST(Passes, HaveNamesOfTheirOwnAndACaseEach) {
    std::set<std::string> names;
    for (const Pass& pass : passes::all_passes()) {
        EXPECT_TRUE(names.insert(pass.name).second) << pass.name;
        EXPECT_TRUE(
            std::filesystem::exists(std::string(CUTSET_ROOT "/tests/cases/passes/") + pass.name + ".case"))
            << "pass " << pass.name << " has no case in tests/cases/passes";
    }
}

TEST(Passes, ReadWhatEarlierOnesHaveMade) {
    std::set<Part> made;
    for (std::size_t i = 0; i < passes::part_count; ++i)
        if (passes::given_parts.contains(Part(i))) made.insert(Part(i));
    for (const Pass& pass : passes::all_passes())
        for (std::size_t i = 0; i < passes::part_count; ++i) {
            EXPECT_TRUE(!pass.reads.contains(Part(i)) || made.contains(Part(i)))
                << pass.name << " reads " << passes::name_of(Part(i)) << " before a pass makes it";
            if (pass.changes.contains(Part(i))) made.insert(Part(i));
        }
}

TEST(Passes, MayChangeOnlyWhatTheirContractSays) {
    Analysis a(Lag().model, {});
    const Pass pass = {.name = "meddle", .reads = {}, .changes = {Part::Blocks}, .run = nullptr};
    const passes::PartPrints before = passes::fingerprints(a);
    a.partition.blocks.emplace_back();
    EXPECT_NO_THROW(passes::verify_contract(pass, before, passes::fingerprints(a)));
    a.live[0] = false;
    try {
        passes::verify_contract(pass, before, passes::fingerprints(a));
        FAIL() << "a change of the equations is not seen";
    } catch (const std::logic_error& e) {
        EXPECT_EQ(e.what(), std::string("pass meddle changes equations, which is not in its contract"));
    }
}

TEST(Passes, EveryPartHasAFingerprint) {
    const auto differs = [](Part part, auto change) {
        Analysis a(Lag().model, {});
        const passes::PartPrints before = passes::fingerprints(a);
        change(a);
        const passes::PartPrints after = passes::fingerprints(a);
        for (std::size_t i = 0; i < passes::part_count; ++i)
            EXPECT_EQ(before[i] != after[i], Part(i) == part)
                << passes::name_of(Part(i)) << " when " << passes::name_of(part) << " change";
    };
    const VariableIndex v(0);
    differs(Part::Variables, [&](Analysis& a) { a.model().variables[v].nominal = 2; });
    differs(Part::Equations, [&](Analysis& a) { a.live[0] = false; });
    differs(Part::InitialEquations,
            [&](Analysis& a) { a.model().initial_equations.add(a.model().equations[EquationIndex(0)]); });
    differs(Part::Conditions, [&](Analysis& a) {
        a.model().validities.push_back({a.pool().variable(v), {}});
    });
    differs(Part::ParameterOrder, [&](Analysis& a) { a.partition.parameters.push_back(v); });
    differs(Part::Structural, [&](Analysis& a) { a.make_structural(a.pool().variable(v)); });
    differs(Part::Differentiated, [&](Analysis& a) { a.differentiated[0] = true; });
    differs(Part::BeforeElimination, [&](Analysis& a) { a.differentiated_before = {true}; });
    differs(Part::Eliminated, [&](Analysis& a) { a.gone[0] = true; });
    differs(Part::IndexReduction, [&](Analysis& a) { a.partition.index = 3; });
    differs(Part::Matching, [&](Analysis& a) { a.partition.states.push_back(v); });
    differs(Part::TearingWishes, [&](Analysis& a) { a.torn.push_back({"x", {v, 0}, false}); });
    differs(Part::Blocks, [&](Analysis& a) { a.partition.blocks.emplace_back(); });
    differs(Part::InitialBlocks, [&](Analysis& a) { a.partition.zero_starts.push_back(v); });
    differs(Part::Events, [&](Analysis& a) { a.partition.clocks.emplace_back(); });
}

TEST(Passes, AreToldOfInOrderWithTheirText) {
    std::vector<std::string> seen;
    TransformOptions options;
    options.observe = [&](const StageReport& report) {
        seen.emplace_back(report.stage);
        EXPECT_NE(report.text().find("model test"), std::string::npos) << report.stage;
    };
    Diagnostics diagnostics;
    ASSERT_TRUE(transform(Lag().model, options, diagnostics));
    ASSERT_EQ(seen.size(), pass_list().size() + 2);
    EXPECT_EQ(seen.front(), "flat");
    for (std::size_t i = 0; i < pass_list().size(); ++i) EXPECT_EQ(seen[i + 1], pass_list()[i].name);
    EXPECT_EQ(seen.back(), "partition");
}

TEST(Passes, AreLeftOutOnRequestWhereAModelDoesNotNeedThem) {
    const Result all = run(Lag());
    for (const PassInfo& pass : pass_list()) {
        TransformOptions options;
        options.without = {pass.name};
        std::size_t ran = 0;
        options.observe = [&](const StageReport& report) { ran += report.stage == pass.name; };
        const Result r = run(Lag(), options);
        ASSERT_TRUE(r.partition) << r.text();
        EXPECT_EQ(ran, pass.may_be_left_out ? 0u : 1u) << pass.name;
        EXPECT_EQ(r.partition->states, all.partition->states) << pass.name;
    }
}

TEST(ParameterValues, AreNotInTheModelWhilePassesRun) {
    Lag lag;
    TransformOptions options;
    options.remember_decisions = true;
    Analysis a(lag.model, options);
    EXPECT_TRUE(std::isnan(a.model().variables[lag.R->variable()].value));
    EXPECT_EQ(a.values.ask(lag.R), 5);
    EXPECT_EQ(a.values.shown(lag.C), "2");
    const Partition p = std::move(a).finish();
    EXPECT_EQ(p.model.variables[lag.R->variable()].value, 5);
    EXPECT_EQ(p.model.variables[lag.C->variable()].value, 2);
}

TEST(ParameterValues, RememberEachQuestionOnce) {
    Lag lag;
    TransformOptions options;
    options.remember_decisions = true;
    Analysis a(lag.model, options);
    const auto& remembered = a.partition.decisions.values;
    EXPECT_FALSE(a.values.is_zero(lag.R));
    EXPECT_FALSE(a.values.is_zero(lag.R));
    ASSERT_EQ(remembered.size(), 1u);
    EXPECT_EQ(remembered[0].of, lag.R);
    EXPECT_EQ(remembered[0].asked, ValueDecision::Asked::Zero);
    a.values.ask(lag.R);
    EXPECT_EQ(remembered.size(), 2u);
    a.values.shown(lag.C);
    const auto later = a.values.later(lag.C);
    EXPECT_EQ(remembered.size(), 2u) << "what is only shown, or not looked at, decides nothing";
    EXPECT_EQ(later.look(a.values), 2);
    EXPECT_EQ(remembered.size(), 3u);
    EXPECT_EQ(a.values.ask(lag.x), std::nullopt) << "x is no matter of parameters";
    EXPECT_EQ(remembered.size(), 3u);
}

TEST(ParameterValues, AreNotToBeHadWhereTheyAreLeftOpen) {
    Lag lag;
    lag[lag.R].adjustable = true;
    Analysis a(lag.model, {});
    EXPECT_EQ(a.values.ask(lag.R), std::nullopt);
    EXPECT_FALSE(a.values.can_ask(lag.mul(2, lag.R)));
    EXPECT_EQ(a.values.present(lag.R), 5);
}

}  // namespace
}  // namespace cutset::test
