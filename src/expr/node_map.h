// A table keyed by expression nodes, for the memos of passes over expressions. Open addressing by node id;
// where it holds many of the nodes of a pool, a list by node id. The order of its entries is never looked at,
// so results do not depend on it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "expr/expr.h"

namespace cutset {

template <class T>
class NodeMap {
  public:
    NodeMap() : entries_(smallest) {}

    const T* find(Expr key) const {
        if (by_id_) {
            if (key->id >= entries_.size() || !entries_[key->id].first) return nullptr;
            return &entries_[key->id].second;
        }
        for (std::size_t i = place(key);; i = next(i)) {
            if (entries_[i].first == key) return &entries_[i].second;
            if (!entries_[i].first) return nullptr;
        }
    }
    T* find(Expr key) { return const_cast<T*>(std::as_const(*this).find(key)); }
    bool contains(Expr key) const { return find(key) != nullptr; }
    const T& at(Expr key) const { return *find(key); }

    // Keeps the value that is there already; true when `key` is new.
    bool insert(Expr key, T value) {
        highest_ = std::max(highest_, key->id);
        if (2 * (used_ + 1) > entries_.size() && !by_id_) grow();
        if (by_id_) return insert_by_id(key, std::move(value));
        for (std::size_t i = place(key);; i = next(i)) {
            if (entries_[i].first == key) return false;
            if (!entries_[i].first) {
                entries_[i] = {key, std::move(value)};
                ++used_;
                return true;
            }
        }
    }
    // Replaces the value that may be there.
    void set(Expr key, T value) {
        if (T* known = find(key))
            *known = std::move(value);
        else
            insert(key, std::move(value));
    }
    // What is there must be there. Those behind move up into its place where their search would stop at it.
    void erase(Expr key) {
        if (by_id_) {
            entries_[key->id] = {};
            --used_;
            return;
        }
        std::size_t hole = place(key);
        while (entries_[hole].first != key) hole = next(hole);
        for (std::size_t i = next(hole); entries_[i].first; i = next(i)) {
            const std::size_t mask = entries_.size() - 1, begin = place(entries_[i].first);
            if (((i - begin) & mask) < ((i - hole) & mask)) continue;
            entries_[hole] = std::move(entries_[i]);
            hole = i;
        }
        entries_[hole] = {};
        --used_;
    }
    void clear() {
        entries_.assign(smallest, {});
        used_ = 0;
        highest_ = 0;
        by_id_ = false;
    }
    std::size_t size() const { return used_; }

  private:
    static constexpr std::size_t smallest = 16;

    std::size_t next(std::size_t i) const { return (i + 1) & (entries_.size() - 1); }
    std::size_t place(Expr key) const {
        // Nodes of similar age stand together: who goes through a large model looks at one after the other.
        constexpr std::uint32_t together = 8;
        const std::uint64_t group = key->id / together * 0x9E3779B97F4A7C15ull >> 32;
        return (group * together + key->id % together) & (entries_.size() - 1);
    }
    bool insert_by_id(Expr key, T value) {
        if (key->id >= entries_.size())
            entries_.resize(std::max<std::size_t>(key->id + 1, 2 * entries_.size()));
        if (entries_[key->id].first) return false;
        entries_[key->id] = {key, std::move(value)};
        ++used_;
        return true;
    }
    void grow() {
        // A list that is not more than twice as long as the table would be: no search, and neighbours stand
        // together.
        constexpr std::size_t many = 1024;
        const std::size_t size = entries_.size() * 2;
        by_id_ = size >= many && highest_ < 2 * size;
        std::vector<std::pair<Expr, T>> old(by_id_ ? highest_ + 1 : size);
        old.swap(entries_);
        used_ = 0;
        for (auto& [key, value] : old)
            if (key) insert(key, std::move(value));
    }

    std::vector<std::pair<Expr, T>> entries_;
    std::size_t used_ = 0;
    std::uint32_t highest_ = 0;  // id so far
    bool by_id_ = false;         // entries_[id], else hashed
};

// The distinct nodes of `e`, arguments before the node. `enter` may refuse to look below a node.
template <class Enter>
std::vector<Expr> nodes_in_order(Expr e, Enter enter) {
    std::vector<Expr> order;
    if (e->argument_count == 0) {
        order.push_back(e);
        return order;
    }
    order.reserve(16);
    // What was seen is either done, and in `order`, or above the node at hand, where its arguments cannot be.
    // While that is little, it is looked through.
    constexpr std::size_t little = 24;
    std::optional<NodeMap<bool>> many;
    const auto is_new = [&](Expr n) {
        if (many) return !many->contains(n);
        return std::find(order.begin(), order.end(), n) == order.end();
    };
    const auto add = [&](Expr n) {
        order.push_back(n);
        if (many) {
            many->insert(n, true);
        } else if (order.size() > little) {
            many.emplace();
            for (Expr done : order) many->insert(done, true);
        }
    };
    std::vector<std::pair<Expr, std::uint32_t>> stack{{e, 0}};
    while (!stack.empty()) {
        auto& [node, next] = stack.back();
        if (next == 0 && !enter(node)) next = node->argument_count;
        if (next < node->argument_count) {
            const Expr child = node->arguments[next++];
            if (!is_new(child)) continue;
            if (child->argument_count > 0) {
                stack.emplace_back(child, 0);
            } else {
                enter(child);
                add(child);
            }
        } else {
            const Expr finished = node;
            stack.pop_back();
            add(finished);
        }
    }
    return order;
}
inline std::vector<Expr> nodes_in_order(Expr e) {
    return nodes_in_order(e, [](Expr) { return true; });
}

}  // namespace cutset
