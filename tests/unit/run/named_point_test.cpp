// A point by names goes to a model of other equations.
#include "run/named_point.h"

#include "run/simulate.h"
#include "small_model.h"

namespace cutset {
namespace {

using test::KeptRows;
using test::SmallModel;

RunPoint end_of(SmallModel& m) {
    KeptRows rows;
    std::optional<RunPoint> end, middle;
    EXPECT_EQ(simulate(*m.program, m.options, rows, m.diagnostics, end).outcome, RunOutcome::Finished)
        << m.messages();
    return end.value_or(RunPoint{});
}

const double* find(const std::vector<std::pair<std::string, double>>& list, const std::string& name) {
    for (const auto& [path, value] : list)
        if (path == name) return &value;
    return nullptr;
}

TEST(NamedPoint, ComesBackToTheSameModelAsItWas) {
    SmallModel m(
        "  parameter k=2\n  local x\n  discrete n=0\n  x' = k\n  x(0) = 0\n"
        "  when x > 1 then new(n) = pre(n) + 1 end\n");
    m.options.keep_point = true;
    const RunPoint end = end_of(m);
    const NamedPoint named = name_point(end, *m.program->partition);
    ASSERT_TRUE(find(named.values, "x"));
    EXPECT_NEAR(*find(named.values, "x"), 2, 1e-9);
    EXPECT_EQ(*find(named.values, "n"), 1);
    EXPECT_EQ(*find(named.parameters, "k"), 2);
    const auto placed = place_point(named, *m.program->partition, [] { return std::nullopt; });
    ASSERT_TRUE(placed);
    EXPECT_TRUE(placed->unknown.empty());
    EXPECT_TRUE(placed->missing.empty());
    EXPECT_EQ(placed->point.time, end.time);
    EXPECT_EQ(placed->point.values, end.values);
}

TEST(NamedPoint, SaysWhatHasNoPlaceAndWhatIsMissing) {
    SmallModel from("  local x y\n  x' = 1\n  y' = 2\n  x(0) = 0\n  y(0) = 0\n");
    SmallModel to("  local x z\n  x' = -1\n  z' = 3\n  x(0) = 7\n  z(0) = 5\n");
    from.options.keep_point = to.options.keep_point = true;
    const NamedPoint named = name_point(end_of(from), *from.program->partition);
    SimulateOptions none = to.options;
    none.stop = 0;
    const auto placed = place_point(named, *to.program->partition, [&]() -> std::optional<RunPoint> {
        SmallModel start("  local x z\n  x' = -1\n  z' = 3\n  x(0) = 7\n  z(0) = 5\n");
        start.options = none;
        return end_of(start);
    });
    ASSERT_TRUE(placed);
    EXPECT_EQ(placed->unknown, std::vector<std::string>{"y"});
    EXPECT_EQ(placed->missing, std::vector<std::string>{"z"});
    EXPECT_NEAR(placed->point.values[to.variable("x").value], 1, 1e-9);
    EXPECT_EQ(placed->point.values[to.variable("z").value], 5) << "as at the initialization of that model";
}

}  // namespace
}  // namespace cutset
