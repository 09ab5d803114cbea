// The best parameters: of a static model, along a run, from measured data; and the requests for them.
#include <cmath>
#include <functional>

#include "operations/estimation/fit.h"
#include "operations/estimation/optimize_request.h"
#include "support/model_file.h"

namespace cutset {
namespace {

class EstimationTest : public ModelFile {
  protected:
    std::optional<OptimizeResult> optimize(const OptimizeRequest& request) {
        const auto experiment = open_model(request, workspace_);
        if (!experiment || !is_complete(request, workspace_.diagnostics)) return std::nullopt;
        EXPECT_FALSE(seeks_inputs(request, workspace_, *experiment));
        const auto settings = optimize_settings(request, workspace_, *experiment);
        if (!settings) return std::nullopt;
        return optimize_parameters(workspace_, *settings);
    }
};

TEST_F(EstimationTest, AParabolaHasItsLeastValueAtItsVertex) {
    auto request = about<OptimizeRequest>("model m\n parameter a=0\n local y\n y = (a - 3)**2 + 1\nend\n");
    request.minimize = "y";
    request.over = {"a=-10:10"};
    const auto r = optimize(request);
    ASSERT_TRUE(r) << said();
    EXPECT_LE(r->status, OptimizerStatus::Acceptable);
    EXPECT_NEAR(r->values[0].value, 3, 1e-5);
    EXPECT_NEAR(r->objective, 1, 1e-8);
}

TEST_F(EstimationTest, ABoundThatHoldsHasAMultiplier) {
    auto request = about<OptimizeRequest>("model m\n parameter a=0\n local y\n y = (a - 3)**2\nend\n");
    request.minimize = "y";
    request.over = {"a=-10:2"};
    const auto r = optimize(request);
    ASSERT_TRUE(r) << said();
    EXPECT_TRUE(r->values[0].at_upper);
    EXPECT_NEAR(r->values[0].value, 2, 1e-6);
    EXPECT_NEAR(std::abs(r->values[0].multiplier), 2, 1e-3);  // d(a-3)**2/da at 2
}

TEST_F(EstimationTest, TheBestDampingOfAnOscillator) {
    // x'' + 2 z x' + x = 0 from x = 1: integral of x**2 over all time is (1 + 4 z**2)/(4 z), least at z =
    // 1/2.
    auto request = about<OptimizeRequest>(
        "model m\n parameter z=2\n local x v\n x' = v\n v' = -x - 2*z*v\n x(0) = 1\nend\n");
    request.minimize = "integral(x**2)";
    request.over = {"z=0.1:3"};
    request.stop = 60;
    const auto r = optimize(request);
    ASSERT_TRUE(r) << said();
    EXPECT_NEAR(r->values[0].value, 0.5, 1e-4);
    EXPECT_NEAR(r->objective, 1, 1e-6);
}

TEST_F(EstimationTest, RequestsAreCheckedBeforeAnythingRuns) {
    const char* const text = "model m\n parameter a=0\n local x\n x' = a\nend\n";
    OptimizeRequest nothing = about<OptimizeRequest>(text);
    Diagnostics d;
    EXPECT_FALSE(is_complete(nothing, d));
    nothing.minimize = "x";
    EXPECT_FALSE(is_complete(nothing, d));
    EXPECT_EQ(d.all().back().concern, Concern::Request);
    nothing.over = {"a=0:1"};
    EXPECT_TRUE(is_complete(nothing, d));
    const auto experiment = open_model(nothing, workspace_);
    ASSERT_TRUE(experiment) << said();
    for (const auto& change : std::vector<std::function<void(OptimizeRequest&)>>{
             [](OptimizeRequest& r) { r.precision = 2; }, [](OptimizeRequest& r) { r.starts = 0; },
             [](OptimizeRequest& r) { r.horizon = "T=1:2"; },
             [](OptimizeRequest& r) { r.over = {"a=2:1:x"}; }, [](OptimizeRequest& r) { r.stop = -1; }}) {
        OptimizeRequest wrong = nothing;
        change(wrong);
        const std::size_t before = workspace_.diagnostics.error_count();
        EXPECT_FALSE(optimize_settings(wrong, workspace_, *experiment));
        EXPECT_GT(workspace_.diagnostics.error_count(), before);
    }
}

TEST_F(EstimationTest, AnInputOfAMotionIsSoughtAsAFunctionOfTime) {
    auto request = about<OptimizeRequest>("model m\n input u\n local x\n x' = u\nend\n");
    request.input = {"u=0"};
    request.minimize = "x";
    request.over = {"u=-1:1"};
    const auto experiment = open_model(request, workspace_);
    ASSERT_TRUE(experiment) << said();
    EXPECT_TRUE(seeks_inputs(request, workspace_, *experiment));
    request.steady = true;
    EXPECT_FALSE(seeks_inputs(request, workspace_, *experiment));
}

TEST_F(EstimationTest, AFitFindsWhatTheDataWereMadeWith) {
    std::string data = "time,x\n";
    for (int i = 0; i <= 20; ++i)
        data += std::to_string(0.1 * i) + "," + std::to_string(3 * std::exp(-0.8 * 0.1 * i)) + "\n";
    const auto request = about("model decay\n parameter p=2\n local x\n x' = -p*x\n x(0) = 3\nend\n");
    const auto experiment = open_model(request, workspace_);
    ASSERT_TRUE(experiment) << said();
    FitSettings settings;
    settings.runs.experiment = *experiment;
    settings.runs.transform = transform_options(request, workspace_.text);
    settings.runs.run.tolerance = 1e-8;
    settings.runs.engine = Engine::Interpret;
    settings.files = {write("data.csv", data)};
    settings.over = {{"p", 0.1, 10.0, {}}};
    const auto r = fit(workspace_, settings);
    ASSERT_TRUE(r) << said();
    ASSERT_EQ(r->values.size(), 1u);
    EXPECT_NEAR(r->values[0], 0.8, 1e-5);
    ASSERT_EQ(r->series.size(), 1u);
    EXPECT_GT(r->series[0].determination, 0.999999);
}

}  // namespace
}  // namespace cutset
