// Linear systems of models, against derivatives by hand.
#include <cmath>

#include "operations/linearize/linear_model.h"
#include "support/model_file.h"

namespace cutset {
namespace {

class LinearizeTest : public ModelFile {
  protected:
    LinearQuestion question(const std::string& text, const std::string& at, bool descriptor = false) {
        const auto request = about(text);
        const auto experiment = open_model(request, workspace_);
        EXPECT_TRUE(experiment) << said();
        LinearQuestion q;
        q.experiment = *experiment;
        q.transform = transform_options(request, workspace_.text);
        q.at = at;
        q.descriptor = descriptor;
        return q;
    }
};

constexpr const char* pendulum =
    "model pendulum\n input M\n default M = 0\n output y\n parameter g=9.81 l=2 d=0.3\n local th w\n th' = "
    "w\n "
    "w' = -g/l*sin(th) - d*w + M\n y = l*sin(th)\n th(0) = 0\nend\n";

TEST_F(LinearizeTest, APendulumHangingDown) {
    const auto model = linear_model(workspace_, question(pendulum, "steady"));
    ASSERT_TRUE(model) << said();
    const Linearization& l = model->linear;
    ASSERT_EQ(l.states, (std::vector<std::string>{"th", "w"}));
    EXPECT_EQ(l.inputs, std::vector<std::string>{"M"});
    EXPECT_NEAR(l.A.coeff(0, 1), 1, 1e-12);
    EXPECT_NEAR(l.A.coeff(1, 0), -9.81 / 2, 1e-12);
    EXPECT_NEAR(l.A.coeff(1, 1), -0.3, 1e-12);
    EXPECT_NEAR(l.B.coeff(1, 0), 1, 1e-12);
    EXPECT_NEAR(l.C.coeff(0, 0), 2, 1e-12);
    EXPECT_NEAR(l.D.coeff(0, 0), 0, 1e-12);
}

TEST_F(LinearizeTest, TheFormulasGiveTheSameMatrix) {
    const auto model = symbolic_linear_model(workspace_, question(pendulum, "start"));
    ASSERT_TRUE(model) << said();
    ASSERT_EQ(model->formulas.A.size(), 2u);
    const Expr element = model->formulas.A[1][0];
    bool has_cosine = false;
    for_each_node(element, [&](Expr e) { has_cosine = has_cosine || e->op == Op::Cos; });
    EXPECT_TRUE(has_cosine);
}

TEST_F(LinearizeTest, TheDescriptorFormKeepsAllEquations) {
    const auto model = linear_model(workspace_, question(pendulum, "start", true));
    ASSERT_TRUE(model) << said();
    ASSERT_TRUE(model->linear.E);
    EXPECT_EQ(model->linear.E->rows(), model->linear.A.rows());
    EXPECT_GE(model->linear.A.rows(), 3);
}

TEST_F(LinearizeTest, AnUnknownOutputIsReported) {
    LinearQuestion q = question(pendulum, "start");
    q.outputs = {"nothing"};
    EXPECT_FALSE(linear_model(workspace_, q));
    EXPECT_TRUE(workspace_.diagnostics.has_errors());
}

}  // namespace
}  // namespace cutset
