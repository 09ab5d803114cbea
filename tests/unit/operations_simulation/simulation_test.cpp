// A run with its files: result, checkpoint, and where it stands.
#include "operations/simulation/simulation.h"

#include <cmath>

#include "results/reader.h"
#include "support/model_file.h"

namespace cutset {
namespace {

class SimulationTest : public ModelFile {
  protected:
    SimulationRequest request(const std::string& text) const {
        auto r = about<SimulationRequest>(text);
        r.engine = Engine::Interpret;
        r.output = (folder_ / "result.csv").string();
        r.stop = 2;
        r.points = 21;
        return r;
    }
    std::optional<SimulationResult> run(SimulationRequest r) {
        SimulationListener silent;
        return run_simulation(std::move(r), workspace_, silent);
    }
};

constexpr const char* decay = "model m\n local x y\n parameter k=1\n x' = -k*x\n y = 2*x\n x(0) = 1\nend\n";

TEST_F(SimulationTest, RowsGoToTheFile) {
    const auto result = run(request(decay));
    ASSERT_TRUE(result) << said();
    EXPECT_EQ(result->summary.outcome, RunOutcome::Finished);
    EXPECT_EQ(result->summary.time, 2);
    const auto rows = read_result(result->output, workspace_.diagnostics, "");
    ASSERT_TRUE(rows) << said();
    EXPECT_EQ(rows->rows(), 21u);
    const auto x = rows->find("x"), y = rows->find("y");
    ASSERT_TRUE(x && y);
    EXPECT_NEAR(rows->value(*x, 20), std::exp(-2), 1e-5);
    EXPECT_NEAR(rows->value(*y, 10), 2 * std::exp(-1), 1e-5);
}

TEST_F(SimulationTest, CurvesAreKept) {
    auto r = request(decay);
    r.plot = {"y"};
    const auto result = run(r);
    ASSERT_TRUE(result) << said();
    EXPECT_EQ(result->curves, std::vector<std::string>{"y"});
    EXPECT_GE(result->kept.rows(), 21u);
}

TEST_F(SimulationTest, GoingOnFromACheckpointGivesTheSameRows) {
    auto whole = request(decay);
    whole.output = (folder_ / "whole.csv").string();
    ASSERT_TRUE(run(whole)) << said();

    auto first = request(decay);
    first.checkpoint = (folder_ / "run.json").string();
    first.pause = 1;
    const auto paused = run(first);
    ASSERT_TRUE(paused) << said();
    EXPECT_TRUE(paused->paused);
    EXPECT_TRUE(paused->checkpoint_written);

    auto rest = request(decay);
    rest.from = first.checkpoint;
    rest.output = (folder_ / "rest.csv").string();
    ASSERT_TRUE(run(rest)) << said();
    const auto a = read_result(whole.output, workspace_.diagnostics, "");
    const auto b = read_result(rest.output, workspace_.diagnostics, "");
    ASSERT_TRUE(a && b) << said();
    EXPECT_EQ(a->value(*a->find("x"), a->rows() - 1), b->value(*b->find("x"), b->rows() - 1));
}

TEST_F(SimulationTest, AModelThatCannotBeSortedGivesNothing) {
    EXPECT_FALSE(run(request("model m\n local x y\n x = 1\n x = 2\nend\n")));
    EXPECT_TRUE(workspace_.diagnostics.has_errors());
}

TEST_F(SimulationTest, ARunThatFailsSaysWhere) {
    const auto result = run(request("model m\n local x\n x' = x**2\n x(0) = 1\nend\n"));
    ASSERT_TRUE(result) << said();
    EXPECT_EQ(result->summary.outcome, RunOutcome::Failed);
    EXPECT_NEAR(result->summary.time, 1, 1e-2);
}

}  // namespace
}  // namespace cutset
