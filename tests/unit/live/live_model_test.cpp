#include "live/live_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "translate/experiment_text.h"
#include "translate/translator.h"

namespace cutset {
namespace {

class Rows : public RowSink {
  public:
    std::optional<std::string> begin(const Columns& columns) override {
        kept = Trajectory(columns);
        return std::nullopt;
    }
    std::optional<std::string> row(std::span<const double> values) override {
        kept.append(values);
        if (stop_after && kept.rows() >= stop_after) interrupt = true;
        return std::nullopt;
    }
    double at_end(const std::string& name) const { return kept.value(*kept.find(name), kept.rows() - 1); }
    Trajectory kept;
    std::size_t stop_after = 0;
    std::atomic<bool> interrupt{false};
};

std::string texts(const Diagnostics& diagnostics) {
    std::string all;
    for (const Diagnostic& d : diagnostics.all()) all += d.message + "\n";
    return all;
}

class LiveModelTest : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ =
            std::filesystem::temp_directory_path() /
            ("cutset-live-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::string file(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name) << text;
        return (folder_ / name).string();
    }
    void make(const std::string& text, std::vector<std::string> inputs = {}) {
        path_ = file("m.dym", text);
        make_from(path_, std::move(inputs));
    }
    void make_from(const std::string& path, std::vector<std::string> inputs = {}) {
        path_ = path;
        inputs_ = inputs;
        model_.reset();
        workspace_ = std::make_unique<Workspace>();
        ASSERT_TRUE(workspace_->text.load(path, {}, workspace_->diagnostics))
            << texts(workspace_->diagnostics);
        LiveModel::Settings settings;
        for (const std::string& input : inputs)
            settings.experiment.inputs.push_back(
                *parse_setting(workspace_->text, "--input", input, workspace_->diagnostics));
        model_ = LiveModel::make(*workspace_, settings);
        ASSERT_TRUE(model_) << texts(workspace_->diagnostics);
    }
    static SimulateOptions options(double stop, double start = 0) {
        SimulateOptions o;
        o.start = start;
        o.stop = stop;
        o.points = 11;
        return o;
    }
    void run(double stop, double start = 0) { run(options(stop, start)); }
    void run(const SimulateOptions& o) {
        rows_ = std::make_unique<Rows>();
        diagnostics_ = {};
        summary_ = model_->run(o, *rows_, diagnostics_);
    }
    void go_on(double stop) { go_on(options(stop, model_->time())); }
    void go_on(const SimulateOptions& o) {
        rows_ = std::make_unique<Rows>();
        diagnostics_ = {};
        summary_ = model_->go_on(o, *rows_, diagnostics_);
    }
    double value(const std::string& path) {
        Diagnostics d;
        const auto v = model_->value(path, d);
        EXPECT_TRUE(v) << path << ": " << texts(d);
        return v.value_or(NAN);
    }
    // A run of its own, of a model translated with these values.
    Trajectory fresh(const SimulateOptions& o, const std::vector<std::string>& set,
                     const std::vector<std::string>& init) {
        Workspace w;
        EXPECT_TRUE(w.text.load(path_, {}, w.diagnostics));
        Experiment e;
        for (const auto& s : set) e.parameters.push_back(*parse_setting(w.text, "--set", s, w.diagnostics));
        for (const auto& s : init) e.initials.push_back(*parse_setting(w.text, "--init", s, w.diagnostics));
        for (const auto& s : inputs_) e.inputs.push_back(*parse_setting(w.text, "--input", s, w.diagnostics));
        TranslationQuestion question;
        question.experiment = std::move(e);
        question.jacobian = jacobian_for(o.solver);
        question.run = &o;
        const auto translation = Translator(w).translate(question, w.diagnostics);
        EXPECT_TRUE(translation) << texts(w.diagnostics);
        Rows rows;
        if (!translation) return rows.kept;
        SimulateOptions run = o;
        translation->prepare(run);
        simulate(*translation->program, run, rows, w.diagnostics);
        return rows.kept;
    }
    static void expect_equal(const Trajectory& a, const Trajectory& b) {
        ASSERT_EQ(a.rows(), b.rows());
        ASSERT_EQ(a.columns().size(), b.columns().size());
        for (ColumnIndex c{0}; c < a.columns().end_index(); ++c.value)
            for (std::size_t r = 0; r < a.rows(); ++r)
                if (!std::isnan(a.value(c, r)) || !std::isnan(b.value(c, r))) {
                    ASSERT_EQ(a.value(c, r), b.value(c, r)) << a.columns()[c].name << " in row " << r;
                }
    }

    std::filesystem::path folder_;
    std::string path_;
    std::vector<std::string> inputs_;
    std::unique_ptr<Workspace> workspace_;
    std::unique_ptr<LiveModel> model_;
    std::unique_ptr<Rows> rows_;
    Diagnostics diagnostics_;
    RunSummary summary_;
};

const char* const oscillator =
    "model m\n  parameter w=2 d=0.1 k=w**2\n  local x v a\n  x' = v\n  v' = a\n  a = -k*x - d*v\n"
    "  x(0) = 1\n  v(0) = 0\nend\n";

TEST_F(LiveModelTest, ValuesBeforeTheFirstRunAreThoseOfTheStart) {
    make(oscillator);
    EXPECT_FALSE(model_->started());
    EXPECT_EQ(value("x"), 1);
    EXPECT_EQ(value("a"), -4);
    EXPECT_EQ(value("der(v)"), -4);
    EXPECT_EQ(value("k"), 4);
    EXPECT_EQ(model_->initial("x"), 1);
    ASSERT_TRUE(model_->set_parameter("w", 3, diagnostics_));
    EXPECT_EQ(value("k"), 9);
    EXPECT_EQ(value("a"), -9);
    ASSERT_TRUE(model_->set_initial("x", 2, diagnostics_));
    EXPECT_EQ(model_->initial("x"), 2);
    EXPECT_EQ(value("a"), -18);
    EXPECT_EQ(model_->translations(), 1u);
}

TEST_F(LiveModelTest, ARunIsEqualToTheBitToOneThatWasTranslatedForIt) {
    make(oscillator);
    run(5);
    EXPECT_EQ(summary_.outcome, RunOutcome::Finished);
    expect_equal(rows_->kept, fresh(options(5), {}, {}));
    ASSERT_TRUE(model_->set_parameter("w", 3, diagnostics_));
    ASSERT_TRUE(model_->set_initial("v", 0.25, diagnostics_));
    run(5);
    expect_equal(rows_->kept, fresh(options(5), {"w=3"}, {"v=0.25"}));
    // One that others are computed from, and one that is computed from others.
    ASSERT_TRUE(model_->set_parameter("k", 7, diagnostics_));
    run(5);
    expect_equal(rows_->kept, fresh(options(5), {"w=3", "k=7"}, {"v=0.25"}));
    EXPECT_EQ(model_->translations(), 1u);
}

TEST_F(LiveModelTest, AParameterThatShapesTheModelIsTranslatedAnewAndKept) {
    make("model m\n  parameter C=1 R=2\n  local v i\n  C*v' = i\n  i = (5 - v)/R\n  v(0) = 1\nend\n");
    run(5);
    ASSERT_TRUE(model_->set_parameter("C", 0, diagnostics_));
    run(5);
    EXPECT_EQ(model_->translations(), 2u);
    EXPECT_EQ(value("v"), 5);
    expect_equal(rows_->kept, fresh(options(5), {"C=0"}, {}));
    ASSERT_TRUE(model_->set_parameter("C", 3, diagnostics_));
    run(5);
    expect_equal(rows_->kept, fresh(options(5), {"C=3"}, {}));
    ASSERT_TRUE(model_->set_parameter("C", 0, diagnostics_));
    EXPECT_EQ(model_->translations(), 2u);
}

TEST_F(LiveModelTest, TheServoIsTranslatedOnce) {
    make_from(std::string(CUTSET_ROOT) + "/examples/sampled_servo.dym");
    for (double g : {3.0, 2.0, 4.5}) {
        ASSERT_TRUE(model_->set_parameter("SampledPD.G", g, diagnostics_));
        ASSERT_TRUE(model_->set_parameter("SampledPD.dt", 0.01 * g, diagnostics_));
        ASSERT_TRUE(model_->set_initial("SampledPD.held", g, diagnostics_));
        ASSERT_TRUE(model_->set_initial("M1.theta", 0.1 * g, diagnostics_));
        run(2.5);
        const std::string text = std::to_string(g);
        expect_equal(rows_->kept, fresh(options(2.5), {"SampledPD.G=" + text, "SampledPD.dt=0.01*" + text},
                                        {"SampledPD.held=" + text, "M1.theta=0.1*" + text}));
    }
    EXPECT_EQ(model_->translations(), 1u);
}

TEST_F(LiveModelTest, GoingOnIsOneRun) {
    make(oscillator);
    run(10);
    const double x = value("x"), v = value("v");
    run(4);
    EXPECT_EQ(model_->time(), 4);
    go_on(10);
    EXPECT_EQ(summary_.outcome, RunOutcome::Finished);
    EXPECT_EQ(rows_->kept.time(0), 4);
    EXPECT_EQ(rows_->kept.rows(), 11u);
    EXPECT_NEAR(value("x"), x, 1e-6);
    EXPECT_NEAR(value("v"), v, 1e-6);
    // Output points counted from the start of all.
    run(4.5);
    go_on(options(10, 0));
    EXPECT_EQ(rows_->kept.time(0), 4.5);
    EXPECT_EQ(rows_->kept.time(1), 5);
    EXPECT_EQ(rows_->kept.rows(), 7u);
    go_on(9);
    EXPECT_EQ(summary_.outcome, RunOutcome::Failed);
    EXPECT_EQ(model_->time(), 10);
    EXPECT_NE(texts(diagnostics_).find("stands at time 10"), std::string::npos) << texts(diagnostics_);
}

TEST_F(LiveModelTest, AParameterActsAtOnceAndStatesKeepTheirValues) {
    make("model m\n  parameter T=1 u=1\n  local x y\n  T*x' = u - x\n  y = u + x\n  x(0) = 0\nend\n");
    run(1);
    const double x1 = 1 - std::exp(-1.0);
    EXPECT_NEAR(value("x"), x1, 1e-6);
    ASSERT_TRUE(model_->set_parameter("u", 3, diagnostics_));
    EXPECT_NEAR(value("x"), x1, 1e-6);
    EXPECT_NEAR(value("y"), 3 + x1, 1e-6);
    go_on(3);
    EXPECT_NEAR(rows_->kept.value(*rows_->kept.find("y"), 0), 3 + x1, 1e-6);
    EXPECT_NEAR(value("x"), 3 + (x1 - 3) * std::exp(-2.0), 1e-6);
    EXPECT_EQ(model_->translations(), 1u);
    ASSERT_TRUE(model_->set_state("x", 10, diagnostics_));
    EXPECT_EQ(value("y"), 13);
    go_on(4);
    EXPECT_NEAR(value("x"), 3 + 7 * std::exp(-1.0), 1e-5);
    EXPECT_FALSE(model_->set_state("y", 1, diagnostics_));
    EXPECT_NE(texts(diagnostics_).find("y is no state"), std::string::npos);
}

TEST_F(LiveModelTest, AnInputBecomesANumberOrAnExpression) {
    make("model m\n  input u\n  local x\n  x' = u - x\n  x(0) = 0\nend\n", {"u=1"});
    EXPECT_EQ(model_->kind("u"), LiveModel::Kind::Input);
    run(1);
    const double x1 = 1 - std::exp(-1.0);
    ASSERT_TRUE(model_->set_input("u", "4", diagnostics_)) << texts(diagnostics_);
    EXPECT_EQ(model_->kind("u"), LiveModel::Kind::Input);
    EXPECT_EQ(value("u"), 4);
    EXPECT_NEAR(value("der(x)"), 4 - x1, 1e-6);
    go_on(2);
    const double x2 = 4 + (x1 - 4) * std::exp(-1.0);
    EXPECT_NEAR(value("x"), x2, 1e-6);
    const std::size_t made = model_->translations();
    ASSERT_TRUE(model_->set_input("u", "-2.5", diagnostics_));
    go_on(3);
    const double x3 = -2.5 + (x2 + 2.5) * std::exp(-1.0);
    EXPECT_NEAR(value("x"), x3, 1e-6);
    EXPECT_EQ(model_->translations(), made);
    ASSERT_TRUE(model_->set_input("u", "time", diagnostics_)) << texts(diagnostics_);
    go_on(4);
    // x' = t - x: x = t - 1 + c*exp(-t)
    EXPECT_NEAR(value("x"), 3 + (x3 - 2) * std::exp(-1.0), 1e-6);
    EXPECT_FALSE(model_->set_input("u", "sin(", diagnostics_));
    EXPECT_NEAR(value("u"), 4, 1e-12);
    EXPECT_FALSE(model_->set_input("x", "1", diagnostics_));
}

TEST_F(LiveModelTest, SamplesAtTheInstantOfAPauseAreNeitherLostNorDoubled) {
    make(
        "model m\n  discrete n=0 s=0\n  local x\n  x' = n\n  x(0) = 0\n  when sample(0, 0.5) then\n"
        "    new(n) = pre(n) + 1\n    new(s) = pre(s) + x\n  end\nend\n");
    run(4);
    const double n = value("n"), s = value("s"), x = value("x");
    EXPECT_EQ(n, 9);
    for (double pause : {0.5, 1.0, 1.2, 2.5}) {
        run(pause);
        go_on(pause + 0.5);
        go_on(4);
        EXPECT_EQ(value("n"), n) << pause;
        EXPECT_NEAR(value("s"), s, 1e-9);
        EXPECT_NEAR(value("x"), x, 1e-9);
    }
    // Another period: ticks at its multiples from here on.
    make(
        "model m\n  parameter T=0.5\n  discrete n=0\n  when sample(0, T) then\n    new(n) = pre(n) + 1\n"
        "  end\nend\n");
    run(1);
    EXPECT_EQ(value("n"), 3);
    ASSERT_TRUE(model_->set_parameter("T", 0.25, diagnostics_));
    EXPECT_EQ(value("n"), 3);
    go_on(2);
    EXPECT_EQ(value("n"), 7);
}

TEST_F(LiveModelTest, WhenClausesActOnceAlsoThroughAChange) {
    make(
        "model m\n  parameter limit=2\n  discrete n=0\n  local x\n  x' = 1\n  x(0) = 0\n"
        "  when x > limit then\n    new(n) = pre(n) + 1\n  end\nend\n");
    run(1);
    ASSERT_TRUE(model_->set_parameter("limit", 0.5, diagnostics_));
    EXPECT_EQ(value("n"), 1);
    go_on(3);
    EXPECT_EQ(value("n"), 1);
    ASSERT_TRUE(model_->set_parameter("limit", 10, diagnostics_));
    go_on(4);
    EXPECT_EQ(value("n"), 1);
    ASSERT_TRUE(model_->set_parameter("limit", 4.5, diagnostics_));
    go_on(5);
    EXPECT_EQ(value("n"), 2);
    // Exactly at the pause.
    make(
        "model m\n  discrete n=0\n  when time > 2 then\n    new(n) = pre(n) + 1\n  end\n"
        "  when time > 4 then\n    terminate(\"over\")\n  end\nend\n");
    run(2);
    go_on(3);
    EXPECT_EQ(value("n"), 1);
    go_on(10);
    EXPECT_EQ(summary_.outcome, RunOutcome::Terminated);
    EXPECT_EQ(model_->time(), 4);
    go_on(6);
    EXPECT_EQ(summary_.outcome, RunOutcome::Finished);
    EXPECT_EQ(value("n"), 1);
}

TEST_F(LiveModelTest, TheBallBouncesOnThroughPauses) {
    make_from(std::string(CUTSET_ROOT) + "/examples/bouncing_ball.dym");
    run(6);
    const double hard = value("hard.h"), soft = value("soft.h"), bounces = value("hard.bounces");
    run(0.3);
    for (double t : {0.45, 1.0, 2.0, 3.0, 4.0, 4.5, 6.0}) {
        go_on(t);
        ASSERT_EQ(summary_.outcome, RunOutcome::Finished) << t << texts(diagnostics_);
    }
    EXPECT_NEAR(value("hard.h"), hard, 1e-5);
    EXPECT_NEAR(value("soft.h"), soft, 1e-5);
    EXPECT_EQ(value("hard.bounces"), bounces);
}

TEST_F(LiveModelTest, DelaysRememberThePast) {
    make(
        "model m\n  parameter T=0.25\n  local x y z step s\n  x' = -y\n  x(0) = 2\n  y = delay(x, T)\n"
        "  step = if time < 0.3 then 0 else 1\n  s = delay(step, 2*T)\n  z' = s\n  z(0) = 0\nend\n");
    run(2);
    const double x = value("x"), z = value("z");
    EXPECT_NEAR(z, 1.2, 1e-6);
    run(0.1);
    for (double t : {0.3, 0.5, 0.75, 0.8, 1.3, 2.0}) go_on(t);
    EXPECT_NEAR(value("x"), x, 1e-6);
    EXPECT_NEAR(value("z"), z, 1e-6);
}

TEST_F(LiveModelTest, SlidingGoesOn) {
    make(
        "model m\n  parameter a=0.5 level=0\n  local x u\n  x' = u + a*sin(time)\n"
        "  u = if x > level then -1 else 1\n  x(0) = 0.3\nend\n");
    run(2);
    EXPECT_NEAR(value("x"), 0, 1e-6);
    EXPECT_NEAR(value("u"), -0.5 * std::sin(2.0), 1e-4);
    go_on(3);
    EXPECT_NEAR(value("x"), 0, 1e-6);
    EXPECT_NEAR(value("u"), -0.5 * std::sin(3.0), 1e-4);
    // The surface moves away: x goes there and slides on it.
    ASSERT_TRUE(model_->set_parameter("level", -0.2, diagnostics_));
    EXPECT_EQ(value("u"), -1);
    go_on(5);
    EXPECT_NEAR(value("x"), -0.2, 1e-6);
    EXPECT_NEAR(value("u"), -0.5 * std::sin(5.0), 1e-4);
}

// The tolerance of what has become very small is that of its initial value.
TEST_F(LiveModelTest, WhatHasVanishedNeedsNoSteps) {
    make("model m\n  local x y\n  x' = -x\n  x(0) = 1\n  y' = cos(time)\n  y(0) = 0\nend\n");
    run(800);
    go_on(810);
    EXPECT_EQ(summary_.outcome, RunOutcome::Finished) << texts(diagnostics_);
    EXPECT_LT(summary_.integrator.steps, 1000);
    EXPECT_NEAR(value("y"), std::sin(810.0), 1e-4);
}

// At rest a stiff model is integrated with long steps; going on must not try such a step with an explicit
// method.
TEST_F(LiveModelTest, AStiffModelAtRestGoesOn) {
    make(
        "model m\n  local x y z\n  x' = -1000*x + y\n  y' = z - y\n  z = sqrt(x + 1e-6)\n  x(0) = 1\n"
        "  y(0) = 1\nend\n");
    run(1e4);
    go_on(1e6);
    EXPECT_EQ(summary_.outcome, RunOutcome::Finished) << texts(diagnostics_);
    EXPECT_NEAR(1000 * value("x"), value("y"), 1e-6);
}

TEST_F(LiveModelTest, ModesGoOn) {
    make(
        "model capacitors\n  parameter g=0.1\n  local v1 v2 i\n  discrete on=0\n  when time > 1 then\n"
        "    new(on) = 1\n  end\n  0 = if on > 0.5 then v1 - v2 else i\n  v1' = -i - g*v1\n  v2' = i\n"
        "  v1(0) = 10\n  v2(0) = 0\nend\n");
    run(10);
    ASSERT_EQ(summary_.outcome, RunOutcome::Finished) << texts(diagnostics_);
    EXPECT_NEAR(value("v1"), 2.8847491, 1e-5);
    run(0.5);
    go_on(1);
    go_on(4);
    go_on(10);
    ASSERT_EQ(summary_.outcome, RunOutcome::Finished) << texts(diagnostics_);
    EXPECT_NEAR(value("v1"), 2.8847491, 1e-5);
    EXPECT_NEAR(value("v2"), 2.8847491, 1e-5);
    // Other parameters, from the start and within the mode.
    ASSERT_TRUE(model_->set_parameter("g", 0.2, diagnostics_));
    run(4);
    expect_equal(rows_->kept, fresh(options(4), {"g=0.2"}, {}));
    const double v = 5 * std::exp(-0.2) * std::exp(-0.1 * 3);
    EXPECT_NEAR(value("v1"), v, 1e-5);
    ASSERT_TRUE(model_->set_parameter("g", 0.4, diagnostics_));
    go_on(6);
    ASSERT_EQ(summary_.outcome, RunOutcome::Finished) << texts(diagnostics_);
    EXPECT_NEAR(value("v1"), v * std::exp(-0.2 * 2), 1e-5);
    EXPECT_EQ(model_->translations(), 1u);
}

TEST_F(LiveModelTest, AConverterWithIdealSwitchAndDiodeGoesOn) {
    make(
        "model buck\n  parameter U=24 L=100e-6 C=100e-6 R=50 T=1e-4 D=0.3\n"
        "  local vC iL vx sd id isw vsw\n  discrete on=1 ton=0\n"
        "  when sample(0, T) then\n    new(on) = 1\n    new(ton) = time\n  end\n"
        "  when time > ton + D*T then\n    new(on) = 0\n  end\n"
        "  0 = if on > 0.5 then vsw else isw\n  vsw = U - vx\n  -vx = if sd < 0 then sd else 0\n"
        "  id = if sd < 0 then 0 else sd\n  iL = isw + id\n  L*iL' = vx - vC\n  C*vC' = iL - vC/R\n"
        "  iL(0) = 0\n  vC(0) = 0\nend\n");
    run(0.5e-3);
    for (double t : {0.6e-3, 1.01e-3, 2.035e-3, 3.09e-3, 5e-3}) {
        go_on(t);
        ASSERT_EQ(summary_.outcome, RunOutcome::Finished) << t << texts(diagnostics_);
    }
    EXPECT_NEAR(value("vC"), 17.9321650, 1e-3);
}

TEST_F(LiveModelTest, ThePendulumSwingsOn) {
    make_from(std::string(CUTSET_ROOT) + "/examples/full_circle.dym");
    run(2);
    std::vector<std::string> states;
    for (const auto& q : model_->quantities())
        if (q.kind == LiveModel::Kind::State) states.push_back(q.path);
    ASSERT_FALSE(states.empty());
    std::vector<double> at_end;
    for (const auto& s : states) at_end.push_back(value(s));
    run(0.3);
    for (double t : {0.5, 0.9, 1.4, 2.0}) go_on(t);
    for (std::size_t k = 0; k < states.size(); ++k)
        EXPECT_NEAR(value(states[k]), at_end[k], 1e-4) << states[k];
}

TEST_F(LiveModelTest, TwoFuturesOfOnePoint) {
    make_from(std::string(CUTSET_ROOT) + "/examples/sampled_servo.dym");
    run(1);
    const auto point = model_->checkpoint();
    ASSERT_TRUE(point);
    go_on(2.5);
    const Trajectory first = rows_->kept;
    ASSERT_TRUE(model_->restore(point, diagnostics_));
    EXPECT_EQ(model_->time(), 1);
    ASSERT_TRUE(model_->set_parameter("SampledPD.G", 6, diagnostics_));
    go_on(2.5);
    const Trajectory other = rows_->kept;
    ASSERT_TRUE(model_->restore(point, diagnostics_));
    EXPECT_EQ(value("SampledPD.G"), 3);
    go_on(2.5);
    expect_equal(rows_->kept, first);
    const ColumnIndex y = *first.find("M2.y");
    EXPECT_GT(std::abs(other.interpolate(y, 1.1, Side::Before) - first.interpolate(y, 1.1, Side::Before)),
              1e-4);
    EXPECT_EQ(model_->translations(), 1u);
}

TEST_F(LiveModelTest, ACheckpointInAFileIsTheSamePoint) {
    make_from(std::string(CUTSET_ROOT) + "/examples/bouncing_ball.dym");
    ASSERT_TRUE(model_->set_parameter("hard.e", 0.8, diagnostics_));
    run(1.3);
    const auto point = model_->checkpoint();
    const std::string saved = (folder_ / "point.json").string();
    EXPECT_EQ(model_->save(*point, saved), std::nullopt);
    go_on(5);
    const Trajectory first = rows_->kept;
    make_from(std::string(CUTSET_ROOT) + "/examples/bouncing_ball.dym");
    const auto loaded = model_->load(saved, diagnostics_);
    ASSERT_TRUE(loaded) << texts(diagnostics_);
    EXPECT_TRUE(diagnostics_.all().empty()) << texts(diagnostics_);
    EXPECT_EQ(value("hard.e"), 0.7);
    ASSERT_TRUE(model_->restore(loaded, diagnostics_));
    EXPECT_EQ(value("hard.e"), 0.8);
    go_on(5);
    expect_equal(rows_->kept, first);
}

TEST_F(LiveModelTest, ACheckpointSurvivesAnEditAndSaysWhatDoesNotFit) {
    make("model m\n  parameter a=1\n  local x y\n  x' = -a*x\n  y' = 1\n  x(0) = 1\n  y(0) = 0\nend\n");
    run(2);
    const std::string saved = (folder_ / "point.json").string();
    EXPECT_EQ(model_->save(*model_->checkpoint(), saved), std::nullopt);
    make("model m\n  parameter a=1\n  local x z\n  x' = -a*x + z\n  z' = 1\n  x(0) = 1\n  z(0) = 7\nend\n");
    const auto loaded = model_->load(saved, diagnostics_);
    ASSERT_TRUE(loaded);
    EXPECT_NE(texts(diagnostics_).find("no longer has: y"), std::string::npos) << texts(diagnostics_);
    EXPECT_NE(texts(diagnostics_).find("new in the model: z"), std::string::npos) << texts(diagnostics_);
    ASSERT_TRUE(model_->restore(loaded, diagnostics_));
    EXPECT_NEAR(value("x"), std::exp(-2.0), 1e-6);
    EXPECT_EQ(value("z"), 7);
    go_on(3);
    EXPECT_EQ(summary_.outcome, RunOutcome::Finished);
    EXPECT_NEAR(value("z"), 8, 1e-9);
    // Another model, and files that are none.
    make("model other\n  local x\n  x' = -x\n  x(0) = 1\nend\n");
    diagnostics_ = {};
    EXPECT_FALSE(model_->load(saved, diagnostics_));
    EXPECT_NE(texts(diagnostics_).find("of the model m, not of other"), std::string::npos);
    EXPECT_FALSE(model_->load(path_, diagnostics_));
    EXPECT_FALSE(model_->load((folder_ / "none").string(), diagnostics_));
}

TEST_F(LiveModelTest, AnInterruptedRunStandsWhereItWasInterrupted) {
    make(oscillator);
    run(10);
    const double x = value("x");
    rows_ = std::make_unique<Rows>();
    rows_->stop_after = 4;
    SimulateOptions o = options(10);
    o.interrupt = &rows_->interrupt;
    summary_ = model_->run(o, *rows_, diagnostics_);
    EXPECT_EQ(summary_.outcome, RunOutcome::Interrupted);
    EXPECT_GE(model_->time(), 3);
    EXPECT_LT(model_->time(), 5);
    EXPECT_NEAR(value("der(x)"), value("v"), 1e-12);
    go_on(options(10));
    EXPECT_EQ(summary_.outcome, RunOutcome::Finished);
    EXPECT_NEAR(value("x"), x, 1e-6);
}

TEST_F(LiveModelTest, AFailedRunStandsWhereItFailedAndGoesOnWithOtherParameters) {
    make("model m\n  parameter k=1\n  local x\n  x' = k*x**2\n  x(0) = 1\nend\n");
    run(3);
    EXPECT_EQ(summary_.outcome, RunOutcome::Failed);
    EXPECT_NEAR(model_->time(), 1, 1e-3);
    EXPECT_GT(value("x"), 100);
    ASSERT_TRUE(model_->set_parameter("k", -1, diagnostics_));
    ASSERT_TRUE(model_->set_state("x", 2, diagnostics_));
    go_on(3);
    EXPECT_EQ(summary_.outcome, RunOutcome::Finished);
    EXPECT_NEAR(value("x"), 1 / (0.5 + 3 - 1), 1e-3);
}

TEST_F(LiveModelTest, MistakesAreRefusedAndChangeNothing) {
    make(
        "model m\n  structure parameter n=2\n  parameter p=1\n  constant c=3\n  local x[n]\n"
        "  for i:=1 to n do begin\n    der(x[i], i) = -p*x[i]\n  end\nend\n");
    EXPECT_FALSE(model_->set_parameter("q", 1, diagnostics_));
    EXPECT_FALSE(model_->set_parameter("p", NAN, diagnostics_));
    EXPECT_FALSE(model_->set_parameter("x[1]", 1, diagnostics_));
    EXPECT_FALSE(model_->set_initial("p", 1, diagnostics_));
    EXPECT_FALSE(model_->set_state("x[1]", 1, diagnostics_));
    EXPECT_FALSE(model_->checkpoint());
    EXPECT_EQ(model_->kind("n"), LiveModel::Kind::StructureParameter);
    EXPECT_EQ(model_->kind("x[2]"), LiveModel::Kind::State);
    diagnostics_ = {};
    EXPECT_FALSE(model_->set_parameter("n", -1, diagnostics_));
    EXPECT_EQ(value("n"), 2);
    run(1);
    EXPECT_EQ(summary_.outcome, RunOutcome::Finished);
    ASSERT_TRUE(model_->set_parameter("n", 3, diagnostics_)) << texts(diagnostics_);
    run(1);
    EXPECT_NEAR(value("x[3]"), 3 * std::exp(-1.0), 1e-5);
    EXPECT_EQ(model_->kind("x[3]"), LiveModel::Kind::State);
}

// Whatever is changed in an example: what runs is what translating it anew would run.
TEST_F(LiveModelTest, ExamplesWithOneChangeAreEqualToTheBit) {
    for (const char* name :
         {"amplifier", "bouncing_ball", "cablereel", "dcmotor", "full_circle", "inverter", "motor_gear",
          "parallel_capacitors", "sampled_servo", "slider_crank", "tanks", "thermostat", "two_capacitors"}) {
        SCOPED_TRACE(name);
        const std::string path = std::string(CUTSET_ROOT) + "/examples/" + name + ".dym";
        std::vector<std::string> inputs;
        double stop = 1;
        {
            Workspace w;
            ASSERT_TRUE(w.text.load(path, {}, w.diagnostics));
            const auto words = experiment_line(w.text);
            for (std::size_t k = 0; k + 1 < words.size(); k += 2) {
                if (words[k] == "--input") inputs.push_back(words[k + 1]);
                if (words[k] == "--stop") stop = std::stod(words[k + 1]) / 4;
            }
        }
        make_from(path, inputs);
        const auto quantities = model_->quantities();
        int parameters = 0, starts = 0;
        for (const auto& q : quantities) {
            const double now = value(q.path);
            char text[40];
            std::snprintf(text, sizeof text, "%.17g", 1.125 * now + (now == 0 ? 0.25 : 0));
            if (q.kind == LiveModel::Kind::Parameter && parameters++ < 3) {
                SCOPED_TRACE(q.path);
                make_from(path, inputs);
                Diagnostics d;
                if (!model_->set_parameter(q.path, std::stod(text), d)) continue;
                run(stop);
                expect_equal(rows_->kept, fresh(options(stop), {q.path + "=" + text}, {}));
            } else if (q.kind == LiveModel::Kind::State && starts++ < 2) {
                SCOPED_TRACE(q.path);
                make_from(path, inputs);
                Diagnostics d;
                if (!model_->set_initial(q.path, std::stod(text), d)) continue;
                run(stop);
                expect_equal(rows_->kept, fresh(options(stop), {}, {q.path + "=" + text}));
            }
            if (HasFatalFailure()) break;
        }
    }
}

TEST_F(LiveModelTest, EverySolverGoesOn) {
    make(
        "model m\n  local x v y\n  x' = v\n  v' = -4*x - 0.1*v + y\n  y + 0.1*y**3 = sin(time)\n"
        "  x(0) = 1\n  v(0) = 0\nend\n");
    run(6);
    const double x = value("x");
    for (const SolverDescription& solver : solver_list()) {
        SCOPED_TRACE(solver.name);
        SimulateOptions o = options(2.5);
        o.solver = solver.solver;
        if (solver.fixed_step) o.step_size = solver.solver == Solver::Euler ? 1e-5 : 1e-3;
        run(o);
        ASSERT_EQ(summary_.outcome, RunOutcome::Finished) << texts(diagnostics_);
        o.start = 2.5;
        o.stop = 6;
        go_on(o);
        ASSERT_EQ(summary_.outcome, RunOutcome::Finished) << texts(diagnostics_);
        EXPECT_NEAR(value("x"), x, solver.solver == Solver::Euler ? 1e-3 : 1e-5);
    }
    EXPECT_EQ(model_->translations(), 1u);
}

TEST_F(LiveModelTest, AnEquationStaysOnItsBranch) {
    make("model m\n  parameter a=1\n  local x y\n  x' = y\n  y**2 = a + 0.5*sin(time)\n  x(0) = 0\nend\n");
    ASSERT_TRUE(model_->set_initial("y", -1, diagnostics_));
    run(1);
    EXPECT_LT(value("y"), 0);
    ASSERT_TRUE(model_->set_parameter("a", 4, diagnostics_));
    EXPECT_NEAR(value("y"), -std::sqrt(4 + 0.5 * std::sin(1.0)), 1e-9);
    const std::string saved = (folder_ / "point.json").string();
    EXPECT_EQ(model_->save(*model_->checkpoint(), saved), std::nullopt);
    go_on(3);
    EXPECT_NEAR(value("y"), -std::sqrt(4 + 0.5 * std::sin(3.0)), 1e-6);
    const double x = value("x");
    const auto loaded = model_->load(saved, diagnostics_);
    ASSERT_TRUE(loaded && model_->restore(loaded, diagnostics_)) << texts(diagnostics_);
    go_on(3);
    EXPECT_EQ(value("x"), x);
}

TEST_F(LiveModelTest, StartsByExpressionAndOfConstrainedModelsAreTranslatedAnew) {
    make("model m\n  parameter x0=2\n  local x\n  x' = -x\n  x(0) = 3*x0\nend\n");
    EXPECT_EQ(model_->initial("x"), 6);
    ASSERT_TRUE(model_->set_parameter("x0", 1, diagnostics_));
    EXPECT_EQ(model_->initial("x"), 3);
    run(1);
    EXPECT_NEAR(value("x"), 3 * std::exp(-1.0), 1e-6);
    EXPECT_EQ(model_->translations(), 1u);
    for (double x0 : {5.0, 7.0}) {
        ASSERT_TRUE(model_->set_initial("x", x0, diagnostics_));
        run(1);
        EXPECT_NEAR(value("x"), x0 * std::exp(-1.0), 1e-5);
    }
    EXPECT_EQ(model_->translations(), 2u);
    // Two capacitors in parallel: one state.
    make(
        "model m\n  parameter C=2\n  local v1 v2 i1 i2\n  v1 = v2\n  C*v1' = i1\n  v2' = i2\n"
        "  i1 + i2 = -v1\n  v1(0) = 1\nend\n");
    ASSERT_TRUE(model_->set_initial("v1", 4, diagnostics_));
    run(3);
    EXPECT_NEAR(value("v2"), 4 * std::exp(-1.0), 1e-5);
    ASSERT_TRUE(model_->set_parameter("C", 0.5, diagnostics_));
    ASSERT_TRUE(model_->set_state("v2", 2, diagnostics_)) << texts(diagnostics_);
    EXPECT_EQ(value("v1"), 2);
    go_on(4.5);
    EXPECT_NEAR(value("v2"), 2 * std::exp(-1.0), 1e-5);
}

TEST_F(LiveModelTest, DiscreteVariablesCanBeSet) {
    make(
        "model m\n  discrete n=0\n  local x\n  x' = n\n  x(0) = 0\n  when sample(0.5, 1) then\n"
        "    new(n) = pre(n) + 1\n  end\nend\n");
    run(1);
    EXPECT_EQ(value("n"), 1);
    ASSERT_TRUE(model_->set_state("n", 10, diagnostics_));
    EXPECT_EQ(value("der(x)"), 10);
    go_on(2);
    EXPECT_EQ(value("n"), 11);
    EXPECT_NEAR(value("x"), 0.5 + 5 + 5.5, 1e-6);
}

TEST_F(LiveModelTest, BadValuesAreRefusedWhenTheyAreSetOrRun) {
    make("model m\n  parameter T=0.25\n  local x y\n  x' = 1\n  x(0) = 2\n  y = delay(x, T)\nend\n");
    run(1);
    EXPECT_FALSE(model_->set_parameter("T", -1, diagnostics_));
    EXPECT_NE(texts(diagnostics_).find("future"), std::string::npos) << texts(diagnostics_);
    EXPECT_EQ(value("T"), 0.25);
    go_on(2);
    EXPECT_NEAR(value("y"), 3.75, 1e-9);
    make(
        "model m\n  parameter dt=0.25\n  discrete n=0\n  when sample(0, dt) then\n    new(n) = pre(n) + 1\n"
        "  end\nend\n");
    run(1);
    diagnostics_ = {};
    model_->set_parameter("dt", -1, diagnostics_);
    go_on(2);
    EXPECT_EQ(summary_.outcome, RunOutcome::Failed);
    EXPECT_EQ(model_->time(), 1);
    ASSERT_TRUE(model_->set_parameter("dt", 0.5, diagnostics_));
    go_on(2);
    EXPECT_EQ(value("n"), 7);
}

TEST_F(LiveModelTest, SystemsAreSubmodels) {
    make_from(std::string(CUTSET_ROOT) + "/examples/sampled_servo.dym");
    const auto systems = model_->systems();
    ASSERT_EQ(systems.size(), 5u);
    EXPECT_EQ(systems[0].name, "sampled_servo");
    EXPECT_EQ(systems[1].path, "M1");
    std::vector<std::string> names;
    for (const auto& v : systems[1].variables) names.push_back(v.name);
    Diagnostics d;
    for (const auto& system : systems)
        for (const auto& v : system.variables)
            EXPECT_TRUE(model_->value(system.path.empty() ? v.name : system.path + "." + v.name, d))
                << v.name;
    EXPECT_NEAR(value("M1.der2(theta)"), value("der2(M1.theta)"), 0);
    EXPECT_EQ(names[0], "u");
    EXPECT_EQ(names[1], "y");
}

// A model with loops, a clock and a mode of its own from time 1 on; paused, branched, saved, loaded, gone on
// with: the rows at the end are those of the run that was not interrupted.
TEST_F(LiveModelTest, AnInterruptedRunGoesOnToTheBit) {
    make(
        "model m\n  parameter g=0.1\n  local v1 v2 i x y\n  discrete on=0 n=0\n"
        "  when time > 1 then\n    new(on) = 1\n  end\n  when sample(0, 0.3) then\n    new(n) = pre(n) + 1\n "
        " end\n"
        "  0 = if on > 0.5 then v1 - v2 else i\n  v1' = -i - g*v1 + y\n  v2' = i\n  v1(0) = 10\n  v2(0) = 0\n"
        "  y + sin(y)/2 = x/10\n  x' = -x + n\n  x(0) = 1\nend\n");
    SimulateOptions o = options(4);
    o.points = 401;
    run(o);
    ASSERT_EQ(summary_.outcome, RunOutcome::Finished) << texts(diagnostics_);
    const Trajectory whole = rows_->kept;
    for (double pause : {0.4, 0.9, 1.3, 3.1}) {
        SimulateOptions first = o;
        first.pause = pause;
        run(first);
        ASSERT_EQ(summary_.outcome, RunOutcome::Interrupted);
        const auto point = model_->checkpoint();
        ASSERT_FALSE(model_->save(*point, (folder_ / "p.json").string()));
        const auto expect_rest = [&] {
            const Trajectory& rest = rows_->kept;
            ASSERT_GT(rest.rows(), 2u);
            const std::size_t offset = whole.rows() - rest.rows();
            for (ColumnIndex c{0}; c < rest.columns().end_index(); ++c.value)
                for (std::size_t r = 1; r < rest.rows(); ++r) {
                    if (std::isnan(rest.value(c, r)) && std::isnan(whole.value(c, offset + r))) continue;
                    ASSERT_EQ(rest.value(c, r), whole.value(c, offset + r))
                        << rest.columns()[c].name << " in row " << r << " after " << pause;
                }
        };
        go_on(o);
        expect_rest();
        // Another future, then this one again; then from the file.
        ASSERT_TRUE(model_->restore(point, diagnostics_));
        ASSERT_TRUE(model_->set_parameter("g", 0.2, diagnostics_));
        go_on(o);
        EXPECT_EQ(summary_.outcome, RunOutcome::Finished);
        ASSERT_TRUE(model_->restore(point, diagnostics_)) << texts(diagnostics_);
        go_on(o);
        expect_rest();
        ASSERT_TRUE(model_->restore(model_->load((folder_ / "p.json").string(), diagnostics_), diagnostics_))
            << texts(diagnostics_);
        go_on(o);
        expect_rest();
    }
}

}  // namespace
}  // namespace cutset
