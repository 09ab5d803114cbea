#include "control/subspaces.h"

#include <gtest/gtest.h>

#include "systems.h"

namespace cutset {
namespace {

bool same_span(const ExactMatrix& a, const ExactMatrix& b) {
    return rank(a) == rank(b) && rank(beside(a, b)) == rank(a);
}

TEST(Subspaces, KernelAndSolutions) {
    const ExactMatrix A = matrix({{1, 2, 3}, {2, 4, 6}});
    EXPECT_EQ(kernel(A).columns(), 2u);
    EXPECT_TRUE((A * kernel(A)).is_zero());
    EXPECT_FALSE(solve_exactly(A, matrix({{1}, {1}})));
    const auto x = solve_exactly(A, matrix({{1}, {2}}));
    ASSERT_TRUE(x);
    EXPECT_EQ(A * x->particular, matrix({{1}, {2}}));
}

TEST(Subspaces, IntersectionAndGramSchmidt) {
    const ExactMatrix a = matrix({{1, 0}, {0, 1}, {0, 0}}), b = matrix({{0, 1}, {1, 0}, {1, 0}});
    EXPECT_TRUE(same_span(intersection(a, b), matrix({{1}, {0}, {0}})));
    const ExactMatrix q = gram_schmidt(matrix({{1, 1}, {1, 0}, {0, 1}}));
    EXPECT_TRUE((q(0, 0) * q(0, 1) + q(1, 0) * q(1, 1) + q(2, 0) * q(2, 1)).is_zero());
}

TEST(Subspaces, Invariant) {
    // A double integrator and a decoupled mode; y = x1. The unobservable subspace is the third axis.
    const ExactMatrix A = matrix({{0, 1, 0}, {0, 0, 0}, {0, 0, -1}}), C = matrix({{1, 0, 0}});
    EXPECT_TRUE(same_span(largest_invariant(A, kernel(C)), matrix({{0}, {0}, {1}})));
    // With an input on x1' feedback can keep x1 = 0 whatever x2 is.
    EXPECT_TRUE(same_span(largest_controlled_invariant(A, matrix({{1}, {0}, {0}}), kernel(C)), kernel(C)));
    // With the input on x2' it cannot: x2 must be zero too.
    EXPECT_TRUE(same_span(largest_controlled_invariant(A, matrix({{0}, {1}, {0}}), kernel(C)),
                          matrix({{0}, {0}, {1}})));
}

}  // namespace
}  // namespace cutset
