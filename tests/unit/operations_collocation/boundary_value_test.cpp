// Boundary values and optimal control with solutions in closed form.
#include "operations/collocation/boundary_value.h"

#include <cmath>

#include "operations/collocation/boundary_request.h"
#include "operations/collocation/control_request.h"
#include "support/model_file.h"

namespace cutset {
namespace {

class CollocationTest : public ModelFile {};

TEST_F(CollocationTest, AQuarterOfAnOscillation) {
    auto request = about<BoundaryRequest>("model m\n local y v\n y' = v\n v' = -y\nend\n");
    request.from = 0;
    request.to = std::acos(0.0);
    request.at_end = {"y = 1"};
    request.at_start = {"y = 0"};
    const auto experiment = open_model(request, workspace_);
    ASSERT_TRUE(experiment) << said();
    const auto task = pose_boundary_value(request, workspace_, *experiment);
    ASSERT_TRUE(task) << said();
    const auto outcome =
        solve_boundary_value(task->program, task->question, task->options, workspace_.diagnostics);
    ASSERT_TRUE(outcome) << said();
    ASSERT_EQ(outcome->status, BoundaryStatus::Solved) << said();
    for (std::size_t i = 0; i < outcome->states.size(); ++i)
        EXPECT_NEAR(outcome->solutions[0].start[i], outcome->states[i] == "v" ? 1 : 0, 1e-5);
}

TEST_F(CollocationTest, TheLeastEffortToMoveAMass) {
    // From rest at 0 to rest at 1 within 1: u = 6 - 12 t, integral of u**2 = 12.
    auto request = about<OptimizeRequest>("model m\n input u\n local x v\n x' = v\n v' = u\nend\n");
    request.minimize = "integral(u**2)";
    request.over = {"u=-20:20"};
    request.horizon = "1";
    request.end = {"x = 1", "v = 0"};
    const auto experiment = open_model(request, workspace_);
    ASSERT_TRUE(experiment) << said();
    const auto task = control_task(request, workspace_, *experiment);
    ASSERT_TRUE(task) << said();
    EXPECT_EQ(task->names, std::vector<std::string>{"u"});
    const auto found = optimal_control(task->program, task->question, task->options, workspace_.diagnostics);
    ASSERT_TRUE(found) << said();
    EXPECT_LE(found->status, OptimizerStatus::Acceptable);
    EXPECT_NEAR(found->objective, 12, 1e-4);
}

TEST_F(CollocationTest, OptimalControlNeedsAHorizon) {
    auto request = about<OptimizeRequest>("model m\n input u\n local x\n x' = u\nend\n");
    request.minimize = "x";
    request.over = {"u=-1:1"};
    const auto experiment = open_model(request, workspace_);
    ASSERT_TRUE(experiment) << said();
    EXPECT_FALSE(control_task(request, workspace_, *experiment));
    EXPECT_EQ(workspace_.diagnostics.all().back().concern, Concern::Request);
}

}  // namespace
}  // namespace cutset
