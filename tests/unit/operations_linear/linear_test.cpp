// What the studies of linear systems answer, against results by hand.
#include <algorithm>
#include <cmath>
#include <variant>

#include "operations/linear/frequency_study.h"
#include "operations/linear/pole_study.h"
#include "operations/linear/regulator_study.h"
#include "operations/linear/response_study.h"
#include "operations/linear/stability_study.h"
#include "operations/linear/transfer_study.h"
#include "support/model_file.h"

namespace cutset {
namespace {

class LinearStudyTest : public ModelFile {
  protected:
    template <class Request>
    static Request of(const std::string& transfer_function) {
        Request request;
        request.tf = transfer_function;
        return request;
    }
};

// x'' = u
constexpr const char* double_integrator =
    "model m\n input u\n default u = 0\n output y\n local x v\n x' = v\n v' = u\n y = x\nend\n";

TEST_F(LinearStudyTest, PolesOfAnOscillator) {
    const auto study = pole_study(of<LinearRequest>("9/(s^2 + 3*s + 9)"), workspace_);
    ASSERT_TRUE(study) << said();
    const auto& poles = std::get<PoleStudy>(*study);
    ASSERT_EQ(poles.modes.size(), 2u);
    EXPECT_TRUE(poles.stable());
    for (const Mode& mode : poles.modes) {
        EXPECT_NEAR(mode.frequency, 3, 1e-12);
        EXPECT_NEAR(mode.damping.value_or(0), 0.5, 1e-12);
    }
}

TEST_F(LinearStudyTest, PolesWithSymbolsAreFactors) {
    const auto study = pole_study(of<LinearRequest>("1/((s + a)*(s + 1))"), workspace_);
    ASSERT_TRUE(study) << said();
    EXPECT_TRUE(std::holds_alternative<SymbolicRoots>(*study));
}

TEST_F(LinearStudyTest, ZerosAndGain) {
    const auto study = zero_study(of<LinearRequest>("5*(s - 2)/((s + 1)*(s + 3)^2)"), workspace_);
    ASSERT_TRUE(study) << said();
    const auto& zeros = std::get<ZeroStudy>(*study);
    ASSERT_EQ(zeros.transmission.size(), 1u);
    EXPECT_NEAR(zeros.transmission[0].real(), 2, 1e-9);
    EXPECT_EQ(zeros.normal_rank, 1);
    ASSERT_TRUE(zeros.gain);
    EXPECT_NEAR(zeros.gain->value, 5, 1e-9);
    EXPECT_EQ(zeros.gain->more_poles_than_zeros, 2);
}

// L = 4/(s + 1)^3: the phase is -180 degrees at w = sqrt(3), where |L| = 1/2.
TEST_F(LinearStudyTest, MarginsOfALoop) {
    const auto margins = loop_margins(of<LinearRequest>("4/(s + 1)^3"), workspace_);
    ASSERT_TRUE(margins) << said();
    ASSERT_TRUE(margins->gain);
    EXPECT_NEAR(margins->gain->frequency, std::sqrt(3), 1e-6);
    EXPECT_NEAR(margins->gain->factor, 2, 1e-6);
}

TEST_F(LinearStudyTest, AFrequencyResponse) {
    auto request = of<FrequencyRequest>("1/(s + 1)");
    request.from = 0.1;
    request.to = 10;
    const auto study = frequency_study(request, workspace_);
    ASSERT_TRUE(study) << said();
    ASSERT_EQ(study->channels.size(), 1u);
    EXPECT_TRUE(study->from_given && study->to_given);
    EXPECT_GT(study->channels[0].points.size(), 10u);
    EXPECT_NEAR(decibel(0), 0, 0);
    EXPECT_NEAR(degrees(std::acos(-1.0)), 180, 1e-12);
}

TEST_F(LinearStudyTest, AStepResponseSettles) {
    auto request = of<ResponseRequest>("2/(0.5*s + 1)");
    request.duration = 5;
    const auto study = response_study(request, workspace_);
    ASSERT_TRUE(study) << said();
    ASSERT_EQ(study->responses.size(), 1u);
    const Response& r = study->responses[0];
    ASSERT_EQ(r.values.size(), study->time.size());
    for (std::size_t k = 0; k < r.values.size(); ++k)
        EXPECT_NEAR(r.values[k], 2 * (1 - std::exp(-2 * study->time[k])), 1e-6);
    ASSERT_TRUE(r.information);
    EXPECT_NEAR(r.information->final_value, 2, 1e-9);
    EXPECT_NEAR(r.information->rise_time.value_or(0), 0.5 * std::log(9), 0.02);
}

TEST_F(LinearStudyTest, RouthCountsUnstableRoots) {
    StabilityRequest request;
    request.polynomial = "s^3 + s^2 + 2*s + 8";  // (s + 2)(s^2 - s + 4)
    const auto study = stability_study(request, workspace_);
    ASSERT_TRUE(study) << said();
    EXPECT_TRUE(study->numeric());
    EXPECT_EQ(study->table.unstable, 2);
    request.polynomial = "s^3 + 6*s^2 + 11*s + K";
    const auto symbolic = stability_study(request, workspace_);
    ASSERT_TRUE(symbolic) << said();
    EXPECT_FALSE(symbolic->numeric());
    EXPECT_EQ(symbolic->table.conditions.size(), 2u);  // 0 < K < 66
}

TEST_F(LinearStudyTest, ATransferFunctionInLowestTerms) {
    const auto study = transfer_study(of<LinearRequest>("(s^2 - 1)/(s^2 + 3*s + 2)"), workspace_);
    ASSERT_TRUE(study) << said();
    ASSERT_TRUE(study->single());
    EXPECT_EQ(study->elements[0][0].numerator, (std::vector<double>{1, -1}));
    EXPECT_EQ(study->elements[0][0].denominator, (std::vector<double>{1, 2}));
}

// Q = I, R = 1: K = [1, sqrt(3)], poles of s^2 + sqrt(3) s + 1.
TEST_F(LinearStudyTest, TheRegulatorOfADoubleIntegrator) {
    const auto study = lqr_study(about<LqrRequest>(double_integrator), workspace_);
    ASSERT_TRUE(study) << said();
    ASSERT_EQ(study->regulator.K.size(), 2);
    std::vector<double> K(study->regulator.K.data(), study->regulator.K.data() + 2);
    std::sort(K.begin(), K.end());
    EXPECT_NEAR(K[0], 1, 1e-9);
    EXPECT_NEAR(K[1], std::sqrt(3), 1e-9);
    EXPECT_LT(study->regulator.residual, 1e-9);
}

TEST_F(LinearStudyTest, PolesArePlaced) {
    auto request = about<PlacementRequest>(double_integrator);
    request.poles = {"-1, -2"};
    const auto study = placement_study(request, workspace_);
    ASSERT_TRUE(study) << said();
    std::vector<double> K(study->placement.K.data(), study->placement.K.data() + 2);
    std::sort(K.begin(), K.end());
    EXPECT_NEAR(K[0], 2, 1e-9);  // s^2 + 3 s + 2
    EXPECT_NEAR(K[1], 3, 1e-9);
    EXPECT_LT(study->placement.error, 1e-9);
}

TEST_F(LinearStudyTest, AMistakeInTheTextIsReported) {
    EXPECT_FALSE(pole_study(of<LinearRequest>("1/(s + "), workspace_));
    EXPECT_TRUE(workspace_.diagnostics.has_errors());
}

}  // namespace
}  // namespace cutset
