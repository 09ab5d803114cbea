// One function makes every Program: what it asks of a text, of what is kept on disk and of other values.
#include "translate/translator.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace cutset {
namespace {

namespace fs = std::filesystem;
using Kind = Provenance::Kind;

class CollectedRows : public RowSink {
  public:
    std::optional<std::string> begin(const Columns&) override { return std::nullopt; }
    std::optional<std::string> row(std::span<const double> row) override {
        values.insert(values.end(), row.begin(), row.end());
        return std::nullopt;
    }
    std::vector<double> values;
};

std::string decaying(const std::string& parameters, const std::string& rate = "-a*x + b*y") {
    return "model m\n  parameter " + parameters + "\n  local x y\n  der(x) = " + rate +
           "\n  y = x*x\n  x(0) = 1\nend\n";
}

class TranslatorTest : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() /
                  ("cutset-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
        fs::remove_all(folder_);
        fs::create_directories(folder_);
        request_.file = (folder_ / "m.dym").string();
    }
    void TearDown() override { fs::remove_all(folder_); }
    void write(const std::string& text) { std::ofstream(request_.file) << text; }

    // As `cutset simulate` asks, with a cache of everything; and what was translated is kept, which may take
    // longer than the translator lives.
    std::optional<Translation> start() {
        workspace_ = std::make_unique<Workspace>();
        KeepingOnDisk storing;
        auto translation = translate_request(storing);
        storing.finish(false);
        return translation;
    }
    std::optional<Translation> translate_request(KeepingOnDisk& storing) {
        Translator translator(*workspace_);
        const auto experiment =
            translator.open(*workspace_, request_, TranslationCache((folder_ / "cache").string(), 0));
        if (!experiment) return std::nullopt;
        TranslationQuestion question;
        question.experiment = *experiment;
        question.transform = transform_options(request_, workspace_->text);
        question.jacobian = jacobian_for(parse_solver(request_.solver).value_or(Solver::Auto));
        auto translation = translator.translate(question, workspace_->diagnostics);
        if (translation) storing = translator.keep(*workspace_, *translation);
        return translation;
    }
    Provenance provenance() {
        const auto translation = start();
        EXPECT_TRUE(translation);
        return translation ? translation->provenance : Provenance();
    }
    // Without a cache.
    std::optional<Translation> ask(TranslationQuestion question) {
        workspace_ = std::make_unique<Workspace>();
        EXPECT_TRUE(workspace_->text.load(request_.file, {}, workspace_->diagnostics));
        return Translator(*workspace_).translate(question, workspace_->diagnostics);
    }
    static std::vector<double> run(const Translation& translation,
                                   std::vector<std::pair<VariableIndex, double>> given = {}) {
        SimulateOptions options;
        options.stop = 0.5;
        options.points = 9;
        translation.prepare(options);
        options.given.insert(options.given.end(), given.begin(), given.end());
        CollectedRows rows;
        Diagnostics diagnostics;
        EXPECT_EQ(simulate(*translation.program, options, rows, diagnostics).outcome, RunOutcome::Finished);
        return rows.values;
    }

    fs::path folder_;
    ModelRequest request_;
    std::unique_ptr<Workspace> workspace_;
};

TEST_F(TranslatorTest, large_models_are_stored_after_the_run) {
    write("model m\n  local x[200001]\n  for i:=1 to 200001 do x[i]' = -x[i]\nend\n");
    EXPECT_EQ(provenance().kind, Kind::Text);
    EXPECT_EQ(provenance().kind, Kind::SameText);
}

TEST_F(TranslatorTest, TheSameTextIsNotTranslatedTwice) {
    write(decaying("a=2 b=1"));
    const auto first = start();
    ASSERT_TRUE(first);
    EXPECT_EQ(first->provenance.kind, Kind::Text);
    EXPECT_FALSE(workspace_->text.classes().files.empty());
    const auto second = start();
    ASSERT_TRUE(second);
    EXPECT_EQ(second->provenance.kind, Kind::SameText);
    EXPECT_TRUE(workspace_->text.classes().files.empty());  // the text was not parsed
    EXPECT_EQ(run(*first), run(*second));
}

TEST_F(TranslatorTest, AnEditCostsWhatItTouches) {
    write(decaying("a=2 b=1"));
    EXPECT_EQ(provenance().kind, Kind::Text);
    write("{ a comment }\n" + decaying("a=2 b=1"));
    EXPECT_EQ(provenance().kind, Kind::EarlierText);
    EXPECT_EQ(provenance().kind, Kind::SameText);
    write(decaying("a=3 b=1"));
    const auto other_value = start();
    ASSERT_TRUE(other_value);
    EXPECT_EQ(other_value->provenance.kind, Kind::EarlierText);
    EXPECT_EQ(other_value->given.size(), 1u);
    EXPECT_EQ(run(*other_value), run(*ask({})));
    write(decaying("a=3 b=1", "-a*x - b*y"));
    EXPECT_EQ(provenance().kind,
              Kind::Text);  // the kept analysis was made with a=2: values and equations differ
    write(decaying("a=3 b=1", "-a*x + 2*b*y"));
    const auto other_equation = start();
    ASSERT_TRUE(other_equation);
    EXPECT_EQ(other_equation->provenance.kind, Kind::EarlierButForSome);
    EXPECT_EQ(other_equation->provenance.reanalysed, 1u);
    EXPECT_EQ(run(*other_equation), run(*ask({})));
    write(decaying("a=0 b=1", "-a*x + 2*b*y"));  // by which a term vanishes
    EXPECT_EQ(provenance().kind, Kind::Text);
}

TEST_F(TranslatorTest, AnotherRequestIsAnotherTranslation) {
    write(decaying("a=2 b=1"));
    EXPECT_EQ(provenance().kind, Kind::Text);
    request_.set = {"a=3"};
    EXPECT_EQ(provenance().kind, Kind::Text);
    request_.set.clear();
    request_.solver = "dopri";
    EXPECT_EQ(provenance().kind, Kind::Text);
    EXPECT_EQ(provenance().kind, Kind::SameText);
    request_.solver.clear();
    EXPECT_EQ(provenance().kind, Kind::SameText);
}

TEST_F(TranslatorTest, WhatTheTextSaysAboutSortingIsNotForgotten) {
    const std::string loop =
        "model m\n  local x y z\n  der(x) = -x + y\n  y + z**3 = x\n  z + y**3 = 1\n  x(0) = 1\nend\n";
    write("{ experiment: --tear y }\n" + loop);
    EXPECT_EQ(provenance().kind, Kind::Text);
    write("{ experiment: --tear z }\n" + loop);
    EXPECT_EQ(provenance().kind, Kind::Text);
    write("{ experiment: --tear z  }\n" + loop);
    EXPECT_EQ(provenance().kind, Kind::EarlierText);
}

TEST_F(TranslatorTest, WhatIsFoundByARunOrReadFromFilesIsNotKept) {
    write("model m\n  input u\n  local x\n  der(x) = u - x\nend\n");
    std::ofstream(folder_ / "u.csv") << "time,u\n0,1\n10,2\n";
    request_.input = {"u=" + (folder_ / "u.csv").string()};
    EXPECT_EQ(provenance().kind, Kind::Text);
    EXPECT_EQ(provenance().kind, Kind::Text);
    request_.input = {"u=1"};
    request_.initial = InitialMode::Steady;
    EXPECT_EQ(provenance().kind, Kind::Text);
    EXPECT_EQ(provenance().kind, Kind::Text);
}

TEST_F(TranslatorTest, ErrorsAreReportedAndNothingIsKept) {
    write("model m\n  local x\n  der(x) = y\nend\n");
    EXPECT_FALSE(start());
    EXPECT_TRUE(workspace_->diagnostics.has_errors());
    EXPECT_FALSE(start());
}

TranslationQuestion varying(std::vector<VariedQuantity> varied, std::vector<double> values) {
    TranslationQuestion question;
    question.varied = std::move(varied);
    question.values = std::move(values);
    question.other_values = true;
    return question;
}

TEST_F(TranslatorTest, OneProgramForManyValues) {
    write(decaying("a=2 b=1"));
    const auto shared = ask(varying({{"a", false}, {"x", true}}, {2.5, 0.75}));
    ASSERT_TRUE(shared && shared->valid);
    ASSERT_EQ(shared->varied.size(), 2u);
    const VariableIndex a = shared->varied[0].at(0), x0 = shared->varied[1].at(0);
    const auto valid = [&](double value) {
        return shared->valid->contain([&](VariableIndex v) { return std::optional(v == a ? value : 0.75); });
    };
    EXPECT_TRUE(valid(2.5));
    EXPECT_TRUE(valid(17));
    EXPECT_FALSE(valid(0));  // a term vanishes
    TranslationQuestion alone = varying({{"a", false}, {"x", true}}, {17, 0.5});
    alone.other_values = false;
    const auto one = ask(alone);
    ASSERT_TRUE(one);
    EXPECT_FALSE(one->valid);
    EXPECT_TRUE(one->varied.empty());
    EXPECT_EQ(run(*shared, {{a, 17}, {x0, 0.5}}), run(*one));
}

TEST_F(TranslatorTest, ValuesThatShapeTheModelAreTheirs) {
    write(
        "model m\n  structure parameter n=2\n  parameter a=1\n  local x[n]\n  for i:=1 to n do der(x[i]) = "
        "-a*x[i]\n"
        "  for i:=1 to n do x[i](0) = 1\nend\n");
    const auto shaped = ask(varying({{"n", false}}, {3}));
    ASSERT_TRUE(shaped) << (workspace_->diagnostics.all().empty() ? ""
                                                                  : workspace_->diagnostics.all()[0].message);
    EXPECT_EQ(shaped->partition()->states.size(), 3u);
    if (shaped->valid) EXPECT_FALSE(shaped->valid->contain([](VariableIndex) { return std::optional(4.0); }));
    // A choice of boundary variables is made by values: no other ones are valid.
    write("model m\n  input u\n  local x y\n  der(x) = u - x\n  y = 2*x\nend\n");
    TranslationQuestion question = varying({{"x", true}}, {1});
    workspace_ = std::make_unique<Workspace>();
    ASSERT_TRUE(workspace_->text.load(request_.file, {}, workspace_->diagnostics));
    question.experiment.inputs.push_back(
        *parse_setting(workspace_->text, "--input", "u=1", workspace_->diagnostics));
    question.transform.initial = InitialMode::Jump;
    const auto alone = Translator(*workspace_).translate(question, workspace_->diagnostics);
    ASSERT_TRUE(alone);
    EXPECT_FALSE(alone->valid);
}

TEST_F(TranslatorTest, AllParametersOfALiveModel) {
    write(decaying("a=2 b=1 c=2*a"));
    TranslationQuestion question;
    question.other_values = true;
    const auto live = ask(question);
    ASSERT_TRUE(live && live->valid);
    EXPECT_TRUE(live->valid->contain([](VariableIndex) { return std::nullopt; }));
    ASSERT_EQ(live->partition()->states.size(), 1u);
    EXPECT_TRUE(live->start_is_held[live->partition()->states[0].value]);
}

TEST_F(TranslatorTest, AnotherSolverHasTheSamePartition) {
    write(decaying("a=2 b=1"));
    const auto first = ask({});
    ASSERT_TRUE(first);
    EXPECT_FALSE(first->program->jacobian);
    const Translation other = translate(first->partition(), {.jacobian = JacobianKind::States});
    EXPECT_EQ(other.provenance.kind, Kind::OtherTranslation);
    EXPECT_EQ(other.partition(), first->partition());
    EXPECT_TRUE(other.program->jacobian);
}

TEST_F(TranslatorTest, OpenQuantitiesHaveDerivatives) {
    write("model m\n  input u\n  parameter a=2\n  output y\n  local x\n  der(x) = u - a*x\n  y = 3*x\nend\n");
    TranslationQuestion question;
    question.open = OpenQuantities{.paths = {"a"}, .inputs = true};
    const auto open = ask(question);
    ASSERT_TRUE(open && open->program->linearized);
    EXPECT_EQ(open->program->linearized->by.size(), 2u);
    EXPECT_EQ(open->program->linearized->of.size(), 1u);
    question.open->outputs = {"nothing"};
    EXPECT_FALSE(ask(question));
    EXPECT_TRUE(workspace_->diagnostics.has_errors());
}

// Newton's method ends at the top of the pendulum, which cannot last; the motion comes to hang.
TEST_F(TranslatorTest, AnEquilibriumThatCannotLastIsLeftByTheMotion) {
    write(
        "model m\n  local phi w\n  der(phi) = w\n  der(w) = -9.81*sin(phi)\n  phi(0) = 1.7\n  w(0) = "
        "0\nend\n");
    SimulateOptions options;
    TranslationQuestion question;
    question.transform.initial = InitialMode::Steady;
    question.jacobian = JacobianKind::States;
    question.run = &options;
    const auto steady = ask(question);
    ASSERT_TRUE(steady);
    const std::vector<double> rows = run(*steady);
    ASSERT_GT(rows.size(), 2u);
    EXPECT_NEAR(std::abs(std::remainder(rows[1], 2 * 3.14159265358979)), 0, 1e-6);
}

// A switch ties two capacitors together during the run: a mode of another index.
TEST_F(TranslatorTest, RunsThroughModesAskForTheirPrograms) {
    write(
        "model m\n  local u1 u2 i\n  der(u1) = -i\n  der(u2) = i\n"
        "  0 = if time > 0.25 then u1 - u2 else i\n  u1(0) = 1\n  u2(0) = 0\nend\n");
    TranslationQuestion question;
    question.jacobian = JacobianKind::States;
    const auto translation = ask(question);
    ASSERT_TRUE(translation);
    const std::vector<double> rows = run(*translation);
    ASSERT_GT(rows.size(), 4u);
    EXPECT_NEAR(rows[rows.size() - 5], 0.5, 1e-9);  // the charge is shared
    SimulateOptions options;
    options.stop = 0.5;
    CollectedRows sink;
    Diagnostics diagnostics;
    const RunSummary stopped = simulate(*translation->program, options, sink, diagnostics);
    EXPECT_TRUE(stopped.needs_mode);
    EXPECT_NEAR(stopped.time, 0.25, 1e-6);
}

}  // namespace
}  // namespace cutset
