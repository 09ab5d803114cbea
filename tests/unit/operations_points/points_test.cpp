// Equilibria, design and branches of models whose answers are known in closed form.
#include <cmath>

#include "operations/points/branch.h"
#include "operations/points/design.h"
#include "operations/points/point_request.h"
#include "support/model_file.h"

namespace cutset {
namespace {

class PointsTest : public ModelFile {
  protected:
    std::optional<StaticPreparation> posed(const PointRequest& request, bool stationary = true) {
        StaticRequest question = static_request(request);
        question.stationary = stationary;
        return pose_point(request, question, workspace_);
    }
    SteadyResult steady(const PointRequest& request) {
        const auto p = posed(request);
        if (!p) return {};
        return find_steady(p->model, p->question, steady_options(request), "stationary point",
                           workspace_.diagnostics);
    }
    double value(const SteadyResult& r, std::size_t point, const std::string& name) {
        const auto v = find_named(r.program->partition->model, name, name, workspace_.diagnostics);
        return v ? r.points[point].at.values[v->value] : std::nan("");
    }
};

TEST_F(PointsTest, AllEquilibriaOfABistableElementWithTheirStability) {
    auto request = about<PointRequest>("model m\n local x\n x' = x - x**3\nend\n");
    request.all = true;
    request.bounds = {"x=-2:2"};
    const SteadyResult r = steady(request);
    ASSERT_EQ(r.points.size(), 3u) << said();
    const double expected[] = {-1, 0, 1};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(value(r, i, "x"), expected[i], 1e-9);
        EXPECT_EQ(r.points[i].stability.stability, i == 1 ? Stability::Unstable : Stability::Stable);
        EXPECT_LT(r.points[i].residual, 1e-12);
    }
}

TEST_F(PointsTest, AModelWithoutEquilibriumIsSaidToHaveNone) {
    const SteadyResult r = steady(about<PointRequest>("model m\n local x\n x' = 1 + x**2\nend\n"));
    EXPECT_TRUE(r.points.empty());
    EXPECT_TRUE(workspace_.diagnostics.has_errors());
}

TEST_F(PointsTest, ADesignFindsTheInflowOfATank) {
    auto request = about<PointRequest>(
        "model tank\n input u\n parameter k=2\n local h\n h' = u - k*sqrt(h)\n h(0) = "
        "1\nend\n");
    request.known = {"h=9"};
    request.unknown = {"u"};
    const auto p = posed(request);
    ASSERT_TRUE(p) << said();
    const SteadyResult r = design(p->model, p->question, steady_options(request), workspace_.diagnostics);
    ASSERT_EQ(r.points.size(), 1u) << said();
    ASSERT_EQ(r.sought.size(), 1u);
    EXPECT_NEAR(r.points[0].at.values[r.sought[0].value], 6, 1e-9);
}

TEST_F(PointsTest, AConditionThatCannotBeMetIsAConflict) {
    auto request =
        about<PointRequest>("model m\n parameter a=1 b=1\n local x y\n x' = a - x\n y' = 2 - y\nend\n");
    request.known = {"y=3"};
    request.unknown = {"a"};
    const auto p = posed(request);
    ASSERT_TRUE(p) << said();
    const DesignStructure structure = examine_design(p->model, p->question);
    ASSERT_EQ(structure.conflicts.size(), 1u);
    EXPECT_EQ(structure.conflicts[0].condition, 0u);
    EXPECT_FALSE(structure.sound());
}

TEST_F(PointsTest, ABranchTurnsAtItsFold) {
    // 0 = p - x**2: both roots meet at p = 0.
    auto request = about<PointRequest>("model m\n parameter p=4\n local x\n x' = p - x**2\n x(0) = 2\nend\n");
    const auto prepared = posed(request);
    ASSERT_TRUE(prepared) << said();
    BranchOptions options;
    options.from = 4;
    options.to = -1;
    const Branch branch =
        follow_branch(prepared->model, prepared->question, "p", options, workspace_.diagnostics);
    ASSERT_FALSE(branch.points.empty()) << said();
    std::size_t folds = 0;
    for (const BranchPoint& point : branch.points)
        if (point.event == BranchEvent::Fold) {
            ++folds;
            EXPECT_NEAR(point.parameter, 0, 1e-3);
        }
    EXPECT_EQ(folds, 1u);
    EXPECT_EQ(branch.points.front().stability, Stability::Stable);
    EXPECT_EQ(branch.points.back().stability, Stability::Unstable);
}

}  // namespace
}  // namespace cutset
