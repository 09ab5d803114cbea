#include "transform/sort_whens.h"

#include <functional>
#include <queue>
#include <utility>

namespace cutset::passes {
namespace {

class ActionSorter {
  public:
    explicit ActionSorter(FlatModel& model)
        : model_(model), setters_(model.variables.size()), position_(model.variables.size(), nowhere) {
        for (const WhenClause& when : model.whens)
            for (const WhenAction& action : when.actions)
                if (const auto* assign = std::get_if<WhenAssign>(&action)) ++setters_[assign->target.value];
    }

    void sort(WhenClause& when) {
        list_candidates(when);
        if (list_.empty()) return;
        find_readers(when);
        const std::vector<std::size_t> order = sorted();
        for (std::size_t action : list_) position_[target(when, action).value] = nowhere;

        std::vector<WhenAction> actions;
        std::vector<bool> taken(when.actions.size());
        for (std::size_t k : order) {
            taken[list_[k]] = true;
            actions.push_back(std::move(when.actions[list_[k]]));
            std::get<WhenAssign>(actions.back()).in_order = true;
        }
        for (std::size_t i = 0; i < taken.size(); ++i)
            if (!taken[i]) actions.push_back(std::move(when.actions[i]));
        when.actions = std::move(actions);
    }

  private:
    static constexpr std::uint32_t nowhere = 0xFFFFFFFFu;

    static VariableIndex target(const WhenClause& when, std::size_t action) {
        return std::get<WhenAssign>(when.actions[action]).target;
    }

    void list_candidates(const WhenClause& when) {
        list_.clear();
        for (std::size_t i = 0; i < when.actions.size(); ++i) {
            const auto* assign = std::get_if<WhenAssign>(&when.actions[i]);
            if (!assign || assign->guard || assign->implicit || setters_[assign->target.value] > 1) continue;
            position_[assign->target.value] = static_cast<std::uint32_t>(list_.size());
            list_.push_back(i);
        }
    }

    // By candidate: the candidates that read its new value.
    void find_readers(const WhenClause& when) {
        readers_.assign(list_.size(), {});
        waits_for_.assign(list_.size(), 0);
        for (std::uint32_t k = 0; k < list_.size(); ++k)
            for_each_leaf(std::get<WhenAssign>(when.actions[list_[k]]).value, [&](Expr leaf) {
                if (leaf->op != Op::Variable || leaf->order > 0) return;
                const std::uint32_t read = position_[leaf->index];
                if (read == nowhere) return;
                readers_[read].push_back(k);
                ++waits_for_[k];
            });
    }

    // Those of them that wait for none that waits for itself; otherwise in the order of the text.
    std::vector<std::size_t> sorted() {
        std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
        for (std::uint32_t k = 0; k < list_.size(); ++k)
            if (waits_for_[k] == 0) ready.push(k);
        std::vector<std::size_t> order;
        while (!ready.empty()) {
            const std::uint32_t k = ready.top();
            ready.pop();
            order.push_back(k);
            for (std::uint32_t reader : readers_[k])
                if (--waits_for_[reader] == 0) ready.push(reader);
        }
        return order;
    }

    FlatModel& model_;
    std::vector<std::uint32_t> setters_;   // by variable: actions that set it
    std::vector<std::uint32_t> position_;  // by variable: in list_
    std::vector<std::size_t> list_;        // the actions that may be sorted
    std::vector<std::vector<std::uint32_t>> readers_;
    std::vector<std::uint32_t> waits_for_;
};

}  // namespace

void sort_whens(Analysis& a, Diagnostics&) {
    ActionSorter sorter(a.model());
    for (WhenClause& when : a.model().whens) sorter.sort(when);
}

}  // namespace cutset::passes
