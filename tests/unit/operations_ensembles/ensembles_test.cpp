// Cases, runs with other values, and derivatives of runs against closed-form solutions.
#include <cmath>

#include "operations/ensembles/case_list.h"
#include "operations/ensembles/parametric_runs.h"
#include "operations/ensembles/sensitivity_study.h"
#include "run/trajectory_sink.h"
#include "support/model_file.h"

namespace cutset {
namespace {

constexpr const char* decay = "model decay\n parameter p=2\n local x\n x' = -p*x\n x(0) = 3\nend\n";

TEST(CaseList, AllCombinationsTheFirstSlowest) {
    CaseList list;
    Diagnostics d;
    ASSERT_TRUE(add_variations({"a=1,2", "b=log:1:100:3"}, list, d));
    ASSERT_EQ(list.cases.size(), 6u);
    EXPECT_EQ(list.cases[0], (std::vector<double>{1, 1}));
    EXPECT_DOUBLE_EQ(list.cases[1][1], 10);
    EXPECT_DOUBLE_EQ(list.cases[5][1], 100);
    EXPECT_EQ(list.cases[3][0], 2);
}

TEST(CaseList, InitialValuesAreSaidAsSuch) {
    CaseList list;
    Diagnostics d;
    ASSERT_TRUE(add_variations({"x(0)=0:1:11"}, list, d));
    EXPECT_TRUE(list.quantities[0].initial);
    EXPECT_EQ(list.cases.size(), 11u);
    EXPECT_DOUBLE_EQ(list.cases[3][0], 0.3);
}

TEST(CaseList, WhatIsWrongIsReported) {
    for (const char* text : {"a", "a=", "a=1:2:x", "a=log:-1:1:3", "a=1:2:1e9"}) {
        CaseList list;
        Diagnostics d;
        EXPECT_FALSE(add_variations({text}, list, d)) << text;
        EXPECT_TRUE(d.has_errors()) << text;
    }
    CaseList list;
    Diagnostics d;
    EXPECT_FALSE(add_variations({"a=1,2", "a=3"}, list, d));
}

class EnsembleTest : public ModelFile {
  protected:
    std::unique_ptr<ParametricRuns> runs(const std::string& text, const std::vector<std::string>& open,
                                         double stop) {
        const auto request = about(text);
        const auto experiment = open_model(request, workspace_);
        if (!experiment) return nullptr;
        ParametricSettings settings;
        settings.model = request.model;
        settings.experiment = *experiment;
        settings.transform = transform_options(request, workspace_.text);
        settings.run.stop = stop;
        settings.run.tolerance = 1e-9;
        settings.engine = Engine::Interpret;
        settings.open = open;
        return ParametricRuns::make(workspace_, settings);
    }
};

TEST_F(EnsembleTest, DerivativesByParametersAndInitialValuesAreExact) {
    // x = x0 exp(-p t):  dx/dp = -t x,  dx/dx0 = x/x0
    const auto model = runs(decay, {"p", "x(0)"}, 1.5);
    ASSERT_TRUE(model) << said();
    const std::vector<double> values = model->present_values();
    ASSERT_EQ(values, (std::vector<double>{2, 3}));
    const auto x = model->find("x");
    ASSERT_EQ(x.size(), 1u);
    const double expected = 3 * std::exp(-3.0);
    for (const auto kind : {ParametricRuns::Derivatives::Forward, ParametricRuns::Derivatives::Adjoint}) {
        const auto outcome = model->run(values, x, {}, kind);
        ASSERT_TRUE(outcome.good) << outcome.problem;
        EXPECT_NEAR(outcome.end.values[0], expected, 1e-7);
        EXPECT_NEAR(outcome.end.derivatives[0], -1.5 * expected, 1e-6);
        EXPECT_NEAR(outcome.end.derivatives[1], expected / 3, 1e-6);
    }
    EXPECT_TRUE(model->inexact().empty());
}

TEST_F(EnsembleTest, TheTimeOfAnEventMovesWithTheParameter) {
    // x' = p until x = 1, then x' = -1:  x(T) = 1 - (T - 1/p),  dx/dp = -1/p**2
    const auto model = runs(
        "model m\n parameter p=2\n local x\n discrete d=0\n x' = if d > 0.5 then -1 else p\n when x > 1 "
        "then new(d) = 1 end\nend\n",
        {"p"}, 1);
    ASSERT_TRUE(model) << said();
    const auto outcome =
        model->run(model->present_values(), model->find("x"), {}, ParametricRuns::Derivatives::Forward);
    ASSERT_TRUE(outcome.good) << outcome.problem;
    EXPECT_NEAR(outcome.end.values[0], 0.5, 1e-7);
    EXPECT_NEAR(outcome.end.derivatives[0], -0.25, 1e-6);
}

TEST_F(EnsembleTest, AStudyGivesRelativeSensitivities) {
    const auto model = runs(decay, {"p"}, 1);
    ASSERT_TRUE(model) << said();
    SensitivityRequest request;
    request.of = {"x"};
    request.times = {0.5, 1};
    const auto study = sensitivity_study(*model, request, workspace_.diagnostics);
    ASSERT_TRUE(study) << said();
    ASSERT_EQ(study->rows.size(), 2u);
    EXPECT_NEAR(study->relative(study->rows[0], 0, 0), -2 * 0.5, 1e-6);
    EXPECT_NEAR(study->relative(study->end, 0, 0), -2, 1e-6);
    EXPECT_TRUE(study->exact);
}

TEST_F(EnsembleTest, ACaseIsEqualToASingleRun) {
    const auto request = about(decay);
    const auto experiment = open_model(request, workspace_);
    ASSERT_TRUE(experiment) << said();
    SimulateOptions run;
    run.stop = 2;
    Ensemble ensemble(workspace_, request.model, *experiment, transform_options(request, workspace_.text),
                      run, Engine::Interpret, {{"p", false}});
    const double value = 0.7;
    TrajectorySink of_case;
    ASSERT_EQ(ensemble.run({&value, 1}, of_case, workspace_.diagnostics).summary.outcome,
              RunOutcome::Finished)
        << said();

    Workspace other;
    auto single = about(decay);
    single.set = {"p=0.7"};
    const auto set = open_model(single, other);
    ASSERT_TRUE(set);
    TranslationQuestion question;
    question.experiment = *set;
    question.transform = transform_options(single, other.text);
    question.jacobian = jacobian_for(run.solver);
    const auto translation = Translator(other).translate(question, other.diagnostics);
    ASSERT_TRUE(translation);
    TrajectorySink of_run;
    simulate(*translation->program, run, of_run, other.diagnostics);
    ASSERT_EQ(of_case.kept.rows(), of_run.kept.rows());
    const auto x = of_run.kept.find("x");
    ASSERT_TRUE(x);
    for (std::size_t row = 0; row < of_run.kept.rows(); ++row)
        EXPECT_EQ(of_case.kept.value(*of_case.kept.find("x"), row), of_run.kept.value(*x, row));
}

}  // namespace
}  // namespace cutset
