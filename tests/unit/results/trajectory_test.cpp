#include "results/trajectory.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sample.h"
#include "temporary_directory.h"

namespace cutset {

TEST(Trajectory, FindsColumnsAndSuggestsNames) {
    const Trajectory t = sample();
    EXPECT_EQ(t.find("x"), ColumnIndex(1));
    EXPECT_EQ(t.find("time"), ColumnIndex(0));
    EXPECT_FALSE(t.find("X"));
    EXPECT_EQ(t.suggest("minus_y"), "minus_x");
    EXPECT_EQ(t.suggest("r"), "R");
    EXPECT_EQ(t.suggest("completely different"), "");
}

TEST(Trajectory, GivesParametersAndAliases) {
    const Trajectory t = sample();
    EXPECT_EQ(t.value("R", 4), 4.5);
    EXPECT_EQ(t.value("minus_R", 0), -4.5);
    EXPECT_EQ(t.value("minus_x", 3), 2.0);
    EXPECT_EQ(t.value("same_x", 4), 4.0);
    EXPECT_FALSE(std::signbit(*t.value("minus_x", 0)));
    EXPECT_FALSE(t.value("nothing", 0));
    EXPECT_FALSE(t.value("x", 5));
}

TEST(Trajectory, InterpolatesBothSidesOfAnEvent) {
    const Trajectory t = sample();
    EXPECT_DOUBLE_EQ(*t.interpolate("x", 0.25), 0.125);
    EXPECT_EQ(t.interpolate("x", 1, Side::Before), 1.0);
    EXPECT_EQ(t.interpolate("x", 1, Side::After), -2.0);
    EXPECT_EQ(t.interpolate("minus_x", 1, Side::After), 2.0);
    EXPECT_DOUBLE_EQ(*t.interpolate("x", 1.5), 1.0);
    EXPECT_EQ(t.interpolate("x", -1), 0.0);
    EXPECT_EQ(t.interpolate("x", 9), 4.0);
    EXPECT_EQ(t.interpolate("on", 1.5), 1.0);
    EXPECT_EQ(t.interpolate("on", 0.75), 0.0);
    EXPECT_EQ(t.interpolate("R", 0.3), 4.5);
}

TEST(Trajectory, HoldsDiscreteValuesBetweenRows) {
    Columns c;
    c.add(time_column());
    c.add({"d", "", "", ColumnKind::Discrete});
    Trajectory t(std::move(c));
    t.append(std::vector<double>{0, 1});
    t.append(std::vector<double>{1, 5});
    EXPECT_EQ(t.interpolate("d", 0.9), 1.0);
}

TEST(Trajectory, CrossesBlocks) {
    Columns c;
    c.add(time_column());
    for (int k = 1; k < 100; ++k) c.add({"v" + std::to_string(k)});
    Trajectory t(std::move(c));
    std::vector<double> row(100);
    for (int i = 0; i < 5000; ++i) {
        for (int k = 0; k < 100; ++k) row[k] = i + 0.001 * k;
        t.append(row);
    }
    for (int i = 0; i < 5000; i += 37) EXPECT_EQ(t.value(ColumnIndex(77), i), i + 0.001 * 77);
    EXPECT_EQ(t.values(ColumnIndex(99)).back(), 4999 + 0.001 * 99);
    EXPECT_EQ(t.first_row_at(2500), 2500u);
    EXPECT_EQ(t.first_row_after(2500), 2501u);
}

// Many rows lie in a file, as they would in memory; copies too, and what is dropped is free again.
TEST(Trajectory, ManyRowsLieInAFile) {
    const TemporaryDirectory directory;
    const std::shared_ptr<RowFile> file = RowFile::make(directory.file("."));
    ASSERT_TRUE(file);
    EXPECT_EQ(directory.file_count(), 0u);
    Columns c;
    c.add(time_column());
    for (int k = 1; k < 100; ++k) c.add({"v" + std::to_string(k)});
    Trajectory t(c, file);
    std::vector<double> row(100);
    for (int i = 0; i < 100000; ++i) {
        for (int k = 0; k < 100; ++k) row[k] = i + 0.001 * k;
        t.append(row);
        if (i % 1000 == 999) {
            t.drop_last();
            t.append(row);
        }
    }
    EXPECT_GT(file->bytes(), 10u << 20);
    EXPECT_LT(t.bytes_in_memory(), 70u << 20);
    const Trajectory copy = t;
    for (int i = 0; i < 100000; i += 37) {
        EXPECT_EQ(t.value(ColumnIndex(77), i), i + 0.001 * 77);
        EXPECT_EQ(copy.value(ColumnIndex(77), i), i + 0.001 * 77);
    }
    const std::size_t both = file->bytes();
    t = Trajectory(c);
    EXPECT_LT(file->bytes(), both);
    EXPECT_EQ(copy.value(ColumnIndex(3), 99999), 99999.003);
}

}  // namespace cutset
