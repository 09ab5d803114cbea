// Second derivatives by dual numbers against differences of exact first ones.
#include "operations/collocation/second_derivatives.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "run/model_functions.h"
#include "translate/translator.h"

namespace cutset {
namespace {

std::shared_ptr<const Program> program_of(Workspace& w, const std::string& text,
                                          const OpenQuantities& question) {
    const auto path = std::filesystem::temp_directory_path() / "cutset-second.dym";
    std::ofstream(path) << text;
    w.text.load(path.string(), {}, w.diagnostics);
    TranslationQuestion asked;
    asked.open = question;
    const auto translation = Translator(w).translate(asked, w.diagnostics);
    std::filesystem::remove(path);
    return translation ? translation->program : nullptr;
}

void compare(const std::string& text, const std::vector<double>& x, std::vector<double> p, double time) {
    Workspace w;
    OpenQuantities question;
    question.inputs = true;
    question.outputs = {"y"};
    const auto program = program_of(w, text, question);
    for (const Diagnostic& d : w.diagnostics.all()) ADD_FAILURE() << d.message;
    ASSERT_TRUE(program);
    ModelFunctions f(program);
    SecondDerivatives second(*program);
    ASSERT_TRUE(second.available());
    ASSERT_EQ(f.states(), x.size());
    ASSERT_EQ(f.parameters(), p.size());
    const std::size_t n = x.size(), m = p.size(), rows = n + f.outputs(), k = n + m;
    std::vector<double> weights(rows);
    for (std::size_t i = 0; i < rows; ++i) weights[i] = 0.7 + 0.3 * double(i);
    // Gradient of the weighted sum by x, p and t at a point moved in one direction.
    const auto gradient = [&](std::size_t direction, double by) {
        std::vector<double> moved = x, open = p;
        double t = time;
        (direction < n ? moved[direction] : direction < k ? open[direction - n] : t) += by;
        EXPECT_TRUE(f.set_parameters(open));
        EXPECT_TRUE(f.evaluate(t, moved));
        std::vector<double> elements(f.pattern().elements()), by_time(rows), result(k + 1, 0);
        EXPECT_TRUE(f.linearize(elements));
        for (std::size_t c = 0; c < k; ++c)
            for (auto e = f.pattern().starts[c]; e < f.pattern().starts[c + 1]; ++e)
                result[c] += weights[std::size_t(f.pattern().row[std::size_t(e)])] * elements[std::size_t(e)];
        EXPECT_TRUE(second.take(f.values()));
        EXPECT_TRUE(second.by_time(by_time));
        for (std::size_t r = 0; r < rows; ++r) result[k] += weights[r] * by_time[r];
        return result;
    };
    gradient(0, 0);
    std::vector<double> elements(second.pattern().elements());
    ASSERT_TRUE(second.evaluate(weights, elements));
    std::vector<double> full((k + 1) * (k + 1), 0);
    for (std::size_t c = 0; c <= k; ++c)
        for (auto e = second.pattern().starts[c]; e < second.pattern().starts[c + 1]; ++e) {
            const auto r = std::size_t(second.pattern().row[std::size_t(e)]);
            full[r * (k + 1) + c] = full[c * (k + 1) + r] = elements[std::size_t(e)];
        }
    const double h = 1e-5;
    for (std::size_t j = 0; j <= k; ++j) {
        const std::vector<double> plus = gradient(j, h), minus = gradient(j, -h);
        for (std::size_t i = 0; i <= k; ++i) {
            const double difference = (plus[i] - minus[i]) / (2 * h);
            EXPECT_NEAR(full[i * (k + 1) + j], difference, 1e-6 * (1 + std::abs(difference)))
                << i << " " << j;
        }
    }
}

TEST(SecondDerivatives, OfExplicitEquationsWithTimeAndInputs) {
    compare(
        "model a\n input u\n output y\n local x z\n parameter k=2\n der(x) = sin(x*z) + u**2*exp(-time)*k\n "
        "der(z) = x/(1 "
        "+ z**2) + u*time**2\n y = x*u + sqrt(1 + z**2)*cos(time)\nend\n",
        {0.4, 1.3}, {0.7}, 0.9);
}

TEST(SecondDerivatives, ThroughNonlinearAndLinearLoops) {
    compare(
        "model a\n input u\n output y\n local x a b c d\n der(x) = a*b - x + d\n a + exp(a*b) = u*x + 3\n b "
        "- tanh(a)*x = "
        "u*time\n c + (1 + x**2)*d = u\n x*c - d = time*x\n y = a**2 + c*d\nend\n",
        {0.6}, {0.8}, 0.5);
}

TEST(SecondDerivatives, OfFunctionsAndConditions) {
    compare(
        "model a\n input u\n output y\n local x\n function f(s, t) returns r\n r := s**3*t + sin(t)\n end\n "
        "der(x) = "
        "f(x, u) + (if x > 0 then x**2*u else u**3)\n y = f(u, x*u)\nend\n",
        {0.5}, {1.2}, 0);
}

TEST(SecondDerivatives, ALinearModelHasNone) {
    Workspace w;
    OpenQuantities question;
    question.inputs = true;
    const auto program = program_of(
        w, "model a\n input u\n output y\n local x v\n der(x) = v\n der(v) = u - 3*x\n y = x + v\nend\n",
        question);
    ASSERT_TRUE(program);
    const SecondDerivatives second(*program);
    EXPECT_EQ(second.pattern().elements(), 0u);
    EXPECT_FALSE(second.depends_on_time());
}

}  // namespace
}  // namespace cutset
