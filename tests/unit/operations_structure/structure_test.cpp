// What acts on what, and generic ranks, on models small enough to see the answer.
#include "operations/structure/structure.h"

#include "operations/structure/where.h"
#include "support/model_file.h"

namespace cutset {
namespace {

class StructureTest : public ModelFile {
  protected:
    std::optional<Structure> structure(const std::string& text) {
        const auto request = about(text);
        auto experiment = open_model(request, workspace_);
        if (!experiment) return std::nullopt;
        experiment->open = true;
        auto flat = Translator(workspace_).collect(request.model, *experiment, workspace_.diagnostics);
        if (!flat) return std::nullopt;
        StructureRequest question;
        question.inputs = open_inputs(*flat, {}, workspace_.diagnostics);
        const auto partition = sort_equations(std::move(*flat), {}, workspace_.diagnostics);
        if (!partition) return std::nullopt;
        return find_structure(*partition, question, workspace_.diagnostics);
    }
};

TEST_F(StructureTest, AChainOfIntegratorsIsReachedOneDerivativeLater) {
    const auto s =
        structure("model chain\n input u\n output y\n local a b c\n a' = b\n b' = c\n c' = u\n y = a\nend\n");
    ASSERT_TRUE(s) << said();
    ASSERT_EQ(s->inputs, std::vector<std::string>{"u"});
    EXPECT_EQ(s->of_outputs[0][0].order, 3);  // y''' = u
    EXPECT_TRUE(s->controllability.holds());
    EXPECT_TRUE(s->observability.holds());
    EXPECT_EQ(s->controllability.rank, 3u);
    EXPECT_EQ(s->subsystems.size(), 3u);
}

TEST_F(StructureTest, AStateThatNoInputReachesIsNamed) {
    const auto s =
        structure("model m\n input u\n output y\n local a b\n a' = u - a\n b' = -b\n y = a + b\nend\n");
    ASSERT_TRUE(s) << said();
    ASSERT_EQ(s->controllability.defects.size(), 1u);
    const StructuralDefect& defect = s->controllability.defects[0];
    EXPECT_EQ(defect.kind, StructuralDefect::Kind::Unreached);
    ASSERT_EQ(defect.states.size(), 1u);
    EXPECT_EQ(s->states[defect.states[0]], "b");
    EXPECT_NE(explain(defect, *s).find("b"), std::string::npos);
    EXPECT_TRUE(s->observability.holds());
}

TEST_F(StructureTest, TwoIntegratorsOfOneInputAreADilation) {
    const auto s =
        structure("model m\n input u\n output y z\n local a b\n a' = u\n b' = 2*u\n y = a\n z = b\nend\n");
    ASSERT_TRUE(s) << said();
    EXPECT_FALSE(s->controllability.holds());
    EXPECT_EQ(s->controllability.rank, 1u);
    EXPECT_TRUE(s->observability.holds());
}

TEST_F(StructureTest, DirectInfluenceHasOrderZero) {
    const auto s = structure("model m\n input u\n output y\n local x\n x' = -x\n y = x + 3*u\nend\n");
    ASSERT_TRUE(s) << said();
    EXPECT_EQ(s->of_outputs[0][0].order, 0);
}

TEST_F(StructureTest, WhereFollowsTheChainOfEquations) {
    const auto p = partition("model m\n parameter k=2\n local x q r\n x' = -q\n q = k*r\n r = sin(x)\nend\n");
    ASSERT_TRUE(p) << said();
    const auto answer = where(*p, "q");
    ASSERT_TRUE(answer);
    ASSERT_EQ(answer->steps.size(), 2u);
    EXPECT_NE(answer->steps[0].text.find("sin(x)"), std::string::npos);
    ASSERT_EQ(answer->states.size(), 1u);
    EXPECT_EQ(p->model.path(answer->states[0]), "x");
    ASSERT_EQ(answer->parameters.size(), 1u);
    EXPECT_EQ(p->model.path(answer->parameters[0]), "k");
    EXPECT_FALSE(answer->uses_time);
    EXPECT_FALSE(where(*p, "nothing"));
    const auto state = where_computed(*p, "x");
    ASSERT_TRUE(state);
    EXPECT_TRUE(state->integrated);
}

}  // namespace
}  // namespace cutset
