// The initialization problem: which conditions hold, by structure and by numbers.
#include <gtest/gtest.h>

#include <algorithm>

#include "instantiate/instantiate.h"
#include "languages/dymola/parse.h"
#include "model_builder.h"
#include "transform/transform.h"

using namespace cutset;
using namespace cutset::test;

namespace {

struct Started {
    Sources sources;
    Diagnostics diagnostics;
    std::optional<Partition> partition;

    explicit Started(const std::string& text, InitialMode mode = InitialMode::Given) {
        ClassTree classes;
        classes.files.push_back(dymola::parse_file(sources, sources.add("test.dym", text), diagnostics));
        auto flat = instantiate(classes, "", {}, sources, diagnostics);
        if (!flat) return;
        TransformOptions options;
        options.initial = mode;
        partition = transform(std::move(*flat), options, diagnostics);
    }
    std::vector<std::string> checked(StartCheck::Kind kind) const {
        std::vector<std::string> names;
        for (const StartCheck& c : partition->start_checks)
            if (c.kind == kind) names.push_back(partition->model.path(c.variable));
        std::sort(names.begin(), names.end());
        return names;
    }
    std::vector<std::string> zeros() const {
        std::vector<std::string> names;
        for (VariableIndex v : partition->zero_starts) names.push_back(partition->model.path(v));
        return names;
    }
    std::string codes() const {
        std::string all;
        for (const Diagnostic& d : diagnostics.all()) all += d.code + " ";
        return all;
    }
};

using Names = std::vector<std::string>;

std::string pendulum(const std::string& starts) {
    return "model m\n local x y vx vy T\n der(x) = vx\n der(y) = vy\n der(vx) = -T*x\n der(vy) = -T*y - "
           "9.81\n"
           " x**2 + y**2 = 1\n" +
           starts + "\nend\n";
}

}  // namespace

// Of equal variables the start counts that was given nearest to the top, whichever of them is kept; an
// initial value counts more than a guess, and --init more than all.
TEST(StartProblem, OfEqualVariablesTheOneNearestToTheTopCounts) {
    struct Given {
        double value;
        std::uint32_t depth;
        bool only_guess = true, from_user = false;
    };
    const auto start_kept = [](Given first, Given second) {
        ModelBuilder b;
        const Expr x = b.variable("x"), y = b.variable("y");
        const auto give = [&](Expr v, const Given& g) {
            Start start{b.number(g.value), b.origin(), g.from_user};
            start.only_guess = g.only_guess;
            start.depth = g.depth;
            b[v].start = start;
        };
        give(x, first);
        give(y, second);
        b.equation(x, y);
        b.equation(b.add(b.pool().power(x, b.number(3)), y), b.number(10));
        const Result r = run(b);
        EXPECT_TRUE(r.partition) << r.text();
        if (!r.partition || r.partition->eliminated.size() != 1) return 0.0;
        const VariableIndex kept =
            r.partition->eliminated[0].variable == x->variable() ? y->variable() : x->variable();
        return r.partition->model.variables[kept].start->value->number;
    };
    for (bool swapped : {false, true}) {
        const auto of = [&](Given one, Given other) {
            return swapped ? start_kept(other, one) : start_kept(one, other);
        };
        EXPECT_EQ(of({5, 1}, {7, 2}), 5);
        EXPECT_EQ(of({5, 1}, {7, 2, false}), 7);
        EXPECT_EQ(of({5, 0, false}, {7, 2, false}), 5);
        EXPECT_EQ(of({5, 0, false}, {7, 2, false, true}), 7);
    }
}

// With x = 1 fixed, y**2 = 0 would be singular.
TEST(StartProblem, TheChoiceIsMadeByNumbers) {
    const Started right(pendulum("x(0) = 1\n y(0) = 0\n vx(0) = 0\n vy(0) = 3"));
    ASSERT_TRUE(right.partition) << right.codes();
    EXPECT_EQ(right.checked(StartCheck::Kind::Start), (Names{"vx", "x"}));
    const Started down(pendulum("x(0) = 0\n y(0) = -1\n vx(0) = 3\n vy(0) = 0"));
    ASSERT_TRUE(down.partition) << down.codes();
    EXPECT_EQ(down.checked(StartCheck::Kind::Start), (Names{"vy", "y"}));
}

// What is given counts more than 0 where they do not agree, and the better conditioned one where they do.
TEST(StartProblem, GivenStartsCountMoreThanZero) {
    const Started half(pendulum("x(0) = 0.6"));
    ASSERT_TRUE(half.partition) << half.codes();
    EXPECT_TRUE(half.checked(StartCheck::Kind::Start).empty());
    EXPECT_EQ(half.zeros().size(), 1u);  // a speed
    const Started whole(pendulum("x(0) = 1"));
    ASSERT_TRUE(whole.partition) << whole.codes();
    EXPECT_EQ(whole.checked(StartCheck::Kind::Start), (Names{"x"}));
    const Names zeros = whole.zeros();
    EXPECT_TRUE(std::count(zeros.begin(), zeros.end(), "y"));
}

TEST(StartProblem, ParameterToBeFound) {
    const Started s(
        "model m\n parameter p = ?\n local x\n der(x) = p - x\n x(0) = 3\n initial der(x) = 1\nend\n");
    ASSERT_TRUE(s.partition) << s.codes();
    bool computed = false;
    for (const Block& b : s.partition->initial_blocks)
        for (const SolvedEquation& e : b.inner)
            computed |= s.partition->model.path(e.unknown.variable) == "p";
    EXPECT_TRUE(computed);
    for (const Block& b : s.partition->blocks)
        for (const SolvedEquation& e : b.inner) EXPECT_NE(s.partition->model.path(e.unknown.variable), "p");
    const Started few("model m\n parameter p = ?\n local x\n der(x) = p - x\n x(0) = 3\nend\n");
    EXPECT_FALSE(few.partition);
    EXPECT_EQ(few.codes(), "start-not-determined ");
}

TEST(StartProblem, HomotopyHasBlocksOfItsOwn) {
    const Started s("model m\n local x y\n der(x) = -x\n x(0) = 1\n homotopy(exp(y), y) = x\nend\n");
    ASSERT_TRUE(s.partition) << s.codes();
    EXPECT_EQ(s.partition->actual_parts.size(), 1u);
    EXPECT_EQ(s.partition->homotopy_blocks.size(), s.partition->initial_blocks.size());
    const Started none("model m\n local x y\n der(x) = -x\n x(0) = 1\n exp(y) = x\nend\n");
    EXPECT_TRUE(none.partition->actual_parts.empty());
}

// h1 + h2 is open: one of the steady conditions follows from the other.
TEST(StartProblem, SteadyStateThatIsNotUnique) {
    const Started s(
        "model m\n local h1 h2\n der(h1) = -(h1 - h2)\n der(h2) = h1 - h2\n h1(0) = 3\n h2(0) = 1\nend\n",
        InitialMode::Steady);
    ASSERT_TRUE(s.partition) << s.codes();
    EXPECT_EQ(s.codes(), "steady-leaves-open ");
    EXPECT_EQ(s.checked(StartCheck::Kind::Steady).size(), 1u);
}

TEST(StartProblem, EqualStatesMayJump) {
    const std::string text =
        "model m\n local v1 v2 i\n 10 = i + v1\n i = 0.5*der(v1) + 1.5*der(v2)\n v1 = v2\n v1(0) = 6\n v2(0) "
        "= -3\nend\n";
    const Started given(text);
    EXPECT_FALSE(given.partition);
    const Started jump(text, InitialMode::Jump);
    ASSERT_TRUE(jump.partition) << jump.codes();
    EXPECT_EQ(jump.checked(StartCheck::Kind::Jump), (Names{"v1", "v2"}));
}
