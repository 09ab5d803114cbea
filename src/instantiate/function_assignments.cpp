#include "instantiate/function_assignments.h"

#include <algorithm>
#include <utility>

#include "expr/expr.h"

namespace cutset {

namespace {

enum class Assigned : std::uint8_t { No, Perhaps, Yes };
using Slots = std::vector<Assigned>;
using Body = std::vector<FunctionStatement>;

class Follower {
  public:
    explicit Follower(const FunctionData& f) : f_(f), now_(f.slots, Assigned::No) {
        std::fill_n(now_.begin(), f.inputs, Assigned::Yes);
        for (const auto& [slot, value] : f.constants) now_[slot] = Assigned::Yes;
    }

    AssignmentFaults run() {
        if (follow(f_.body)) merge_into(at_end_, now_);
        if (at_end_) now_ = *at_end_;
        for (std::uint32_t slot = f_.inputs; slot < f_.inputs + f_.outputs; ++slot)
            if (now_[slot] == Assigned::Perhaps) faults_.left_open.push_back(f_.slot_names[slot]);
        return std::move(faults_);
    }

  private:
    // False where it does not come to its end: `return` or `break` leaves it.
    bool follow(const Body& body) {
        for (const FunctionStatement& s : body) {
            where_ = s.where;
            if (const auto* a = std::get_if<FunctionAssign>(&s.what)) {
                use(a->value);
                if (a->target->op == Op::Element) use(a->target->arg(0));
                assign(a->target, Assigned::Yes);
            } else if (const auto* branches = std::get_if<FunctionIf>(&s.what)) {
                if (!follow_branches(*branches)) return false;
            } else if (const auto* loop = std::get_if<FunctionFor>(&s.what)) {
                for (Expr e : {loop->from, loop->to, loop->step}) use(e);
                now_[loop->slot] = Assigned::Yes;
                follow_loop(loop->body);
            } else if (const auto* w = std::get_if<FunctionWhile>(&s.what)) {
                use(w->condition);
                follow_loop(w->body);
            } else if (const auto* a = std::get_if<FunctionAssert>(&s.what)) {
                use(a->condition);
            } else {
                if (!std::get<FunctionLeave>(s.what).loop) merge_into(at_end_, now_);
                return false;
            }
        }
        return true;
    }

    static void merge_into(std::optional<Slots>& merged, const Slots& other) {
        if (!merged) {
            merged = other;
            return;
        }
        for (std::size_t k = 0; k < other.size(); ++k)
            if ((*merged)[k] != other[k]) (*merged)[k] = Assigned::Perhaps;
    }

    bool follow_branches(const FunctionIf& branches) {
        std::optional<Slots> merged;
        const Slots before = now_;
        bool otherwise = false;
        for (const auto& [condition, body] : branches.branches) {
            now_ = before;
            if (condition) use(condition);
            otherwise = otherwise || !condition;
            if (follow(body)) merge_into(merged, now_);
        }
        if (!otherwise) merge_into(merged, before);
        if (merged) now_ = *merged;
        return merged.has_value();
    }

    // How often a loop turns is not known: what it assigns counts as assigned behind it, not within it.
    void follow_loop(const Body& body) {
        const Slots before = now_;
        mark(body, Assigned::Perhaps);
        follow(body);
        now_ = before;
        mark(body, Assigned::Yes);
    }

    void mark(const Body& body, Assigned as) {
        for (const FunctionStatement& s : body) {
            if (const auto* a = std::get_if<FunctionAssign>(&s.what)) {
                assign(a->target, as);
            } else if (const auto* branches = std::get_if<FunctionIf>(&s.what)) {
                for (const auto& [condition, inner] : branches->branches) mark(inner, as);
            } else if (const auto* loop = std::get_if<FunctionFor>(&s.what)) {
                mark(loop->body, as);
            } else if (const auto* w = std::get_if<FunctionWhile>(&s.what)) {
                mark(w->body, as);
            }
        }
    }

    // Of an array, which element is not known: all of them.
    void assign(Expr target, Assigned as) {
        const std::uint32_t count = target->op == Op::Element ? target->order : 1;
        for (std::uint32_t k = 0; k < count; ++k)
            now_[target->index + k] = std::max(now_[target->index + k], as);
    }

    void use(Expr e) {
        if (!e || faults_.before_assignment) return;
        for_each_node(e, [&](Expr n) {
            if ((n->op != Op::Local && n->op != Op::Element) || faults_.before_assignment) return;
            const std::uint32_t count = n->op == Op::Element ? n->order : 1;
            for (std::uint32_t k = 0; k < count; ++k)
                if (now_[n->index + k] != Assigned::No) return;
            faults_.before_assignment = {f_.slot_names[n->index], where_};
        });
    }

    const FunctionData& f_;
    Slots now_;
    std::optional<Slots> at_end_;  // of the function, by whatever way
    Span where_;
    AssignmentFaults faults_;
};

}  // namespace

AssignmentFaults check_assignments(const FunctionData& function) {
    return Follower(function).run();
}

}  // namespace cutset
