// A bug of ours is an exception with its place; what went wrong has words for every kind of exception.
#include "base/internal_error.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <new>
#include <system_error>

#include "base/on_threads.h"

namespace cutset {
namespace {

Failure failure_of(const std::function<void()>& work) {
    try {
        work();
    } catch (...) {
        return current_failure();
    }
    return {};
}

TEST(InternalError, says_what_and_where) {
    const int two = 2;
    try {
        CUTSET_ASSERT(two > 3);
        FAIL();
    } catch (const InternalError& e) {
        EXPECT_NE(std::string(e.what()).find("two > 3 does not hold (internal_error_test.cpp:"),
                  std::string::npos)
            << e.what();
    }
    const Failure failure = failure_of([&] { CUTSET_ASSERT(two > 3); });
    EXPECT_EQ(failure.kind, Failure::Kind::Internal);
    EXPECT_NE(failure.help.find("please report"), std::string::npos);
    EXPECT_EQ(failure_diagnostic(failure).code, "internal-error");
}

TEST(InternalError, memory_and_threads_are_no_bugs) {
    const Failure memory = failure_of([] { throw std::bad_alloc(); });
    EXPECT_EQ(memory.kind, Failure::Kind::OutOfMemory);
    EXPECT_EQ(memory.message, "out of memory");
    const Failure thread = failure_of(
        [] { throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again)); });
    EXPECT_EQ(thread.kind, Failure::Kind::System);
    EXPECT_EQ(failure_of([] { throw 1; }).kind, Failure::Kind::Internal);
}

TEST(OnThreads, an_exception_of_one_arrives_when_all_have_ended) {
    std::atomic<int> ended = 0, next = 0;
    EXPECT_THROW(on_threads(4,
                            [&] {
                                if (next++ == 0) throw InternalError("one");
                                ++ended;
                            }),
                 InternalError);
    EXPECT_EQ(ended, 3);
}

}  // namespace
}  // namespace cutset
