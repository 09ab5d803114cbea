#include "session/run_shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "session/run_record.h"
#include "session/thin_out.h"

namespace cutset {
namespace {

struct Samples {
    std::vector<double> time, values;
};
template <class Function>
Samples sample(double stop, Function f, std::size_t count = 1001) {
    Samples s;
    for (std::size_t i = 0; i < count; ++i) {
        s.time.push_back(stop * double(i) / double(count - 1));
        s.values.push_back(f(s.time.back()));
    }
    return s;
}
CurveShape shape(const Samples& s) {
    return shape_of(s.time, s.values);
}

TEST(RunShape, ConstantsAndEmptyRuns) {
    EXPECT_EQ(shape(sample(10, [](double) { return 3.0; })).kind, CurveKind::Constant);
    EXPECT_EQ(shape({}).kind, CurveKind::Constant);
    EXPECT_EQ(shape({{0}, {1}}).kind, CurveKind::Constant);
    const CurveShape none = shape(sample(
        1, [](double) { return std::nan(""); }, 7));
    EXPECT_EQ(none.gaps, 7u);
}

TEST(RunShape, RestIsFoundWithItsTime) {
    const CurveShape s = shape(sample(10, [](double t) { return 2 - 2 * std::exp(-t); }));
    EXPECT_EQ(s.kind, CurveKind::Rest);
    EXPECT_NEAR(s.last, 2, 1e-3);
    EXPECT_NEAR(s.rest_from, std::log(100.0), 0.1);  // 2 exp(-t) is a hundredth of 2
}

// Three turns are too few to speak of an oscillation, and its quarters say nothing.
TEST(RunShape, FewTurns) {
    const CurveShape one = shape(sample(1.4, [](double t) { return std::sin(6.2831853 * t); }));
    EXPECT_EQ(one.kind, CurveKind::Turns);
    EXPECT_LT(one.slope, 0);
    EXPECT_EQ(shape_text(one), "goes up and down, falls at the end, where it is 0.5878");
}

TEST(RunShape, ApproachRampAndGrowth) {
    EXPECT_EQ(shape(sample(2, [](double t) { return std::exp(-t); })).kind, CurveKind::Approach);
    const CurveShape ramp = shape(sample(4, [](double t) { return 1 - 3 * t; }));
    EXPECT_EQ(ramp.kind, CurveKind::Steady);
    EXPECT_NEAR(ramp.slope, -3, 1e-6);
    const CurveShape growth = shape(sample(8, [](double t) { return std::exp(t); }));
    EXPECT_EQ(growth.kind, CurveKind::Growth);
    EXPECT_NEAR(growth.doubling, std::log(2.0), 1e-2);
}

TEST(RunShape, OscillationsWithPeriodAndTrend) {
    const CurveShape even = shape(sample(
        30, [](double t) { return 1 + 2 * std::sin(3 * t); }, 3001));
    EXPECT_EQ(even.kind, CurveKind::Oscillation);
    EXPECT_NEAR(even.period, 2 * M_PI / 3, 0.02);
    EXPECT_NEAR(even.low, -1, 1e-3);
    EXPECT_NEAR(even.high, 3, 1e-3);
    EXPECT_EQ(even.swings, Swings::Sustained);

    const CurveShape fading = shape(sample(
        20, [](double t) { return std::exp(-0.1 * t) * std::cos(2 * t); }, 3001));
    EXPECT_EQ(fading.kind, CurveKind::Oscillation);
    EXPECT_EQ(fading.swings, Swings::DieOut);
    EXPECT_NEAR(fading.per_period, std::exp(-0.1 * M_PI), 0.01);

    const CurveShape rising = shape(sample(
        20, [](double t) { return std::exp(0.2 * t) * std::cos(2 * t); }, 3001));
    EXPECT_EQ(rising.kind, CurveKind::Oscillation);
    EXPECT_EQ(rising.swings, Swings::BuildUp);
    EXPECT_NEAR(rising.per_period, std::exp(0.2 * M_PI), 0.05);
}

TEST(RunShape, AnOscillationThatHasDiedOutIsRest) {
    const CurveShape s = shape(sample(
        100, [](double t) { return std::exp(-t) * std::cos(5 * t); }, 5001));
    EXPECT_EQ(s.kind, CurveKind::Rest);
    EXPECT_NEAR(s.last, 0, 1e-6);
}

TEST(RunShape, SwingsThatVaryNeitherDieOutNorBuildUp) {
    // Wherever the run ends: two frequencies, and beats.
    for (const double end : {17.0, 23.0, 31.0, 40.0, 55.0, 61.0, 77.0, 100.0, 131.0}) {
        const CurveShape two = shape(sample(
            end, [](double t) { return std::sin(t) + 0.7 * std::sin(2.3 * t); }, 20001));
        ASSERT_EQ(two.kind, CurveKind::Oscillation) << end;
        EXPECT_TRUE(two.swings == Swings::Vary || two.swings == Swings::Sustained) << end;
        if (end < 60) continue;
        const CurveShape beats = shape(sample(
            end, [](double t) { return std::sin(t) + std::sin(1.2 * t); }, 20001));
        ASSERT_EQ(beats.kind, CurveKind::Oscillation) << end;
        EXPECT_TRUE(beats.swings == Swings::Vary || beats.swings == Swings::Sustained) << end;
    }
}

TEST(RunShape, PeriodsOfSeveralSwings) {
    const CurveShape s = shape(sample(
        50, [](double t) { return std::sin(t) + std::sin(2 * t); }, 20001));
    EXPECT_EQ(s.kind, CurveKind::Oscillation);
    EXPECT_EQ(s.swings, Swings::Sustained);
    EXPECT_NEAR(s.period, 2 * M_PI, 0.01);
    EXPECT_NEAR(s.low, -1.7602, 1e-3);
    EXPECT_NEAR(s.high, 1.7602, 1e-3);
}

TEST(RunShape, SlowDampingIsSeen) {
    const CurveShape s = shape(sample(
        100, [](double t) { return std::exp(-0.002 * t) * std::sin(2 * t); }, 20001));
    EXPECT_EQ(s.swings, Swings::DieOut);
    EXPECT_NEAR(s.per_period, std::exp(-0.002 * M_PI), 1e-3);
}

TEST(RunShape, WhatMovesNearItsLastValueIsNotAtRest) {
    const CurveShape s = shape(sample(
        40, [](double t) { return 1000 * std::exp(-t) + std::sin(3 * t); }, 20001));
    EXPECT_EQ(s.kind, CurveKind::Oscillation);
    EXPECT_EQ(s.swings, Swings::Sustained);
    EXPECT_NEAR(s.period, 2 * M_PI / 3, 0.01);
    EXPECT_NEAR(s.highest, 1000, 1e-9);
    const CurveShape drift = shape(sample(
        40, [](double t) { return 1000 * std::exp(-t) + 0.1 * t; }, 20001));
    EXPECT_EQ(drift.kind, CurveKind::Steady);
    EXPECT_NEAR(drift.slope, 0.1, 1e-3);
}

TEST(Thinning, KeepsEveryExtremeAndGap) {
    std::vector<double> t, x, y;
    Thinning thinning(100, 2000, 100);
    double high = 0, low = 0;
    for (int k = 0; k < 100000; ++k) {
        t.push_back(k);
        x.push_back(std::sin(k));
        y.push_back(k == 777 ? 1e6 : k == 5000 ? std::nan("") : 0.001 * k);
        high = std::max(high, x.back());
        low = std::min(low, x.back());
        if (k > 100 && thinning.is_due(t.size())) thinning.thin_out({&t, &x, &y});
    }
    EXPECT_LE(t.size(), 2100u);
    EXPECT_EQ(t.size(), x.size());
    EXPECT_EQ(*std::max_element(x.begin(), x.end()), high);
    EXPECT_EQ(*std::min_element(x.begin(), x.end()), low);
    EXPECT_EQ(std::count(y.begin(), y.end(), 1e6), 1);
    EXPECT_TRUE(std::any_of(y.begin(), y.end(), [](double v) { return std::isnan(v); }));
    EXPECT_TRUE(std::is_sorted(t.begin(), t.end()));
    EXPECT_EQ(t[99], 99);
    EXPECT_EQ(t.back(), 99999);
    for (std::size_t i = thinning.complete_from(); i + 1 < t.size(); ++i) ASSERT_EQ(t[i] + 1, t[i + 1]);
}

TEST(Thinning, NoPartBecomesThinnerThanAnother) {
    // A fast oscillation, from short to very long: each twentieth of the record shows both of its edges.
    for (const int length : {30'000, 100'000, 1'000'000, 7'000'000}) {
        std::vector<double> t, x;
        Thinning thinning(0, 20'000, 4'000);
        for (int k = 0; k < length; ++k) {
            t.push_back(k);
            x.push_back(std::sin(0.3 * k));
            if (thinning.is_due(t.size())) thinning.thin_out({&t, &x});
        }
        for (int part = 0; part < 20; ++part) {
            const double from = part / 20.0 * length, to = (part + 1) / 20.0 * length;
            std::size_t count = 0;
            double low = 1, high = -1;
            for (std::size_t i = 0; i < t.size(); ++i) {
                if (t[i] < from || t[i] >= to) continue;
                ++count;
                low = std::min(low, x[i]);
                high = std::max(high, x[i]);
            }
            EXPECT_GE(count, 100u) << length << " " << part;
            EXPECT_LT(low, -0.999) << length << " " << part;
            EXPECT_GT(high, 0.999) << length << " " << part;
        }
    }
}

TEST(RunRecord, IsBoundedAndKnowsValuesInBetween) {
    Columns columns;
    columns.push_back({"time", "s", "", ColumnKind::Time});
    columns.push_back({"x", "", "", ColumnKind::Continuous});
    RunRecord record(columns);
    for (int k = 0; k <= 200000; ++k) {
        const double t = 0.01 * k;
        record.append(std::vector<double>{t, k == 12345 ? 7 : std::sin(t)});
    }
    const auto rows = record.trajectory();
    EXPECT_LE(rows->rows(), 40000u);
    EXPECT_LT(record.complete_from().value(), 1999);
    EXPECT_GT(record.complete_from().value(), 1000);
    const std::vector<double> x = rows->values(ColumnIndex(1));
    EXPECT_EQ(*std::max_element(x.begin(), x.end()), 7);
    EXPECT_NEAR(value_at(*rows, ColumnIndex(1), 1999.996).value(), std::sin(1999.996), 1e-7);
    EXPECT_FALSE(value_at(*rows, ColumnIndex(1), 2001));
}

}  // namespace
}  // namespace cutset
