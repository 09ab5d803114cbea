#include "run/delay_buffer.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cutset {
namespace {

TEST(DelayBuffer, BeforeTheFirstPointItIsTheFirstValue) {
    DelayBuffer buffer(1);
    buffer.record(0, 2, 7);
    buffer.record(0, 3, 8);
    EXPECT_EQ(buffer.value(0, -1), 7);
    EXPECT_EQ(buffer.value(0, 2), 7);
}

TEST(DelayBuffer, SmoothStretchesAreInterpolatedToHighOrder) {
    DelayBuffer buffer(1);
    for (int i = 0; i <= 40; ++i) buffer.record(0, 0.1 * i, std::sin(0.1 * i));
    for (double t = 0.03; t < 3.9; t += 0.07) EXPECT_NEAR(buffer.value(0, t), std::sin(t), 1e-7) << t;
}

TEST(DelayBuffer, AJumpIsNotSmoothedOver) {
    DelayBuffer buffer(1);
    for (int i = 0; i <= 10; ++i) buffer.record(0, i, 0);
    buffer.record(0, 10, 5);
    for (int i = 11; i <= 20; ++i) buffer.record(0, i, 5);
    EXPECT_EQ(buffer.value(0, 9.5), 0);
    EXPECT_EQ(buffer.next_jump(0), 10);
    EXPECT_EQ(buffer.value(0, 10), 0);  // up to the event at which it comes out
    buffer.pass(0);
    EXPECT_EQ(buffer.next_jump(0), std::numeric_limits<double>::infinity());
    EXPECT_EQ(buffer.value(0, 10 - 1e-15), 5);
    EXPECT_EQ(buffer.value(0, 10), 5);
    EXPECT_EQ(buffer.value(0, 10.5), 5);
}

TEST(DelayBuffer, APointThatIsTriedAgainEarlierReplacesLaterOnes) {
    DelayBuffer buffer(1);
    buffer.record(0, 0, 0);
    buffer.record(0, 1, 100);
    buffer.record(0, 0.5, 1);
    buffer.record(0, 1, 2);
    EXPECT_NEAR(buffer.value(0, 0.5), 1, 1e-12);
    EXPECT_EQ(buffer.value(0, 1), 2);
}

TEST(DelayBuffer, ForgettingKeepsWhatIsStillNeeded) {
    DelayBuffer buffer(1);
    for (int i = 0; i <= 100000; ++i) buffer.record(0, i, i, i - 10);
    EXPECT_NEAR(buffer.value(0, 99990.5), 99990.5, 1e-6);
    EXPECT_LE(buffer.lines()[0].points.capacity(), 64u);  // what is dropped makes room
}

TEST(DelayBuffer, ValuesDoNotDependOnWhatWasAskedBefore) {
    DelayBuffer asked(1), fresh(1);
    for (int i = 0; i <= 300; ++i) {
        const double t = 0.1 * i, x = i < 150 ? std::sin(t) : std::cos(t);
        for (DelayBuffer* buffer : {&asked, &fresh}) {
            buffer->record(0, t, i == 150 ? std::sin(t) : x, t - 2);
            if (i == 150) {
                buffer->record(0, t, x);
                buffer->pass(0);
            }
        }
        for (const double back : {2.0, 1.03, 1.97, 0.0, 0.26, 0.13}) {
            DelayBuffer copy = fresh;
            EXPECT_EQ(asked.value(0, t - back), copy.value(0, t - back)) << t << " " << back;
        }
    }
}

TEST(DelayBuffer, AJumpThatIsTriedAgainEarlierIsForgotten) {
    DelayBuffer buffer(1);
    buffer.record(0, 0, 0);
    buffer.record(0, 1, 0);
    buffer.record(0, 1, 5);
    buffer.record(0, 0.5, 0);
    EXPECT_EQ(buffer.next_jump(0), std::numeric_limits<double>::infinity());
    EXPECT_EQ(buffer.value(0, 2), 0);
}

// sin over one step beyond the last point: known up to the error of a polynomial through six points.
TEST(DelayBuffer, WithinThePresentStepThePresentArgumentCounts) {
    DelayBuffer buffer(1);
    for (int k = 0; k <= 40; ++k) buffer.record(0, 0.01 * k, std::sin(0.01 * k));
    buffer.begin(0.48);
    buffer.set_present(0, std::sin(0.48));
    EXPECT_FALSE(buffer.asked());
    EXPECT_EQ(buffer.value(0, 0.48), std::sin(0.48)) << "a delay by 0";
    EXPECT_TRUE(buffer.asked());
    for (double t : {0.401, 0.44, 0.4799}) EXPECT_NEAR(buffer.value(0, t), std::sin(t), 1e-9) << t;
    buffer.forget_asked();
    EXPECT_NEAR(buffer.value(0, 0.345), std::sin(0.345), 1e-12);
    EXPECT_FALSE(buffer.asked()) << "it lies in the past";
}

TEST(DelayBuffer, WithinThePresentStepAJumpIsNotSmoothedOver) {
    DelayBuffer buffer(1);
    for (int k = 0; k <= 10; ++k) buffer.record(0, 0.1 * k, 0);
    buffer.record(0, 1, 5);
    buffer.pass(0);
    buffer.begin(1.2);
    buffer.set_present(0, 5);
    EXPECT_EQ(buffer.value(0, 1.1), 5);
}

}  // namespace
}  // namespace cutset
