// Disjoint sets of the numbers 0, 1, … (union-find): each set has a root, a member that stands for it. Paths
// are halved whenever a root is looked up, so that n joins and look-ups take O(n log n) steps at most.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace cutset {

class DisjointSets {
  public:
    explicit DisjointSets(std::size_t numbers = 0) : parent_(numbers) {
        std::iota(parent_.begin(), parent_.end(), 0u);
    }

    // A set of one more number.
    std::uint32_t add() {
        parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
        return parent_.back();
    }
    std::size_t size() const { return parent_.size(); }

    std::uint32_t root(std::uint32_t number) {
        while (parent_[number] != number) number = parent_[number] = parent_[parent_[number]];
        return number;
    }

    // The set of `other` joins that of `kept`, whose root stays. False: they were one set.
    bool join(std::uint32_t kept, std::uint32_t other) {
        kept = root(kept);
        other = root(other);
        parent_[other] = kept;
        return kept != other;
    }

    // For sets that are joined by nothing else: their least member is the root.
    bool join_to_least(std::uint32_t a, std::uint32_t b) {
        a = root(a);
        b = root(b);
        return join(std::min(a, b), std::max(a, b));
    }

  private:
    std::vector<std::uint32_t> parent_;
};

}  // namespace cutset
