// Expressions → instructions. Used for the sections of a Program and for the bodies of functions, which
// differ in where leaves live and how instructions are stored: that is the CodeSink.
//
// A node that was computed is not computed again, except that what a branch computed is forgotten at its end:
// the branch may not have been taken. A branch that is not taken is never evaluated.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "expr/node_map.h"
#include "ir/program.h"

namespace cutset {

class CodeSink {
  public:
    virtual ~CodeSink() = default;
    virtual Slot temporary() = 0;
    virtual Slot constant(double v) = 0;
    virtual std::size_t position() const = 0;
    // Operations, Jump, JumpFalse, Call, Switch, Delay.
    virtual void emit(Instruction i) = 0;
    // The jump (or Switch) at `at` goes to the present position.
    virtual void land(std::size_t at) = 0;
    virtual std::uint32_t call_site(CallSite site) = 0;
    // Where a leaf lives: Variable, Previous, Time, Local, Starting, Sample.
    virtual Slot leaf(Expr e) = 0;
    virtual void load_element(Slot to, Slot index, Expr element) = 0;
    // Numbers of the switch, or delay line, that a node is, if it is one.
    virtual std::optional<std::uint32_t> switch_number(Expr e) = 0;
    virtual std::uint32_t delay_number(Expr e) = 0;
    // A node that computes edge(b) or change(x).
    virtual Expr lower(Expr e) = 0;
};

class ExpressionCompiler {
  public:
    explicit ExpressionCompiler(CodeSink& sink) : sink_(sink) {}

    // The slot that holds the value: `into` if given.
    Slot compile(Expr e, std::optional<Slot> into = std::nullopt);
    // From here on the value of `e` is in `slot`.
    void define(Expr e, Slot slot) { remember(e, false, slot); }
    bool knows(Expr e) const { return known_[false].contains(e); }
    void forget_all() {
        for (NodeMap<Slot>& known : known_) known.clear();
        log_.clear();
        powers_.clear();
    }

    // Arithmetic on slots.
    Slot binary(Code code, Slot a, Slot b, std::optional<Slot> into = std::nullopt);

  private:
    struct Key {
        Expr node;
        bool without_events;
        bool operator==(const Key&) const = default;
    };
    void remember(Expr e, bool without_events, Slot slot);
    void leave_scope(std::size_t mark);

    Slot compute(Expr e, std::optional<Slot> into);
    void compute_into(Expr e, Slot to);
    void sum(Expr e, Slot to);
    void product(Expr e, Slot to);
    void raised(Expr base, double exponent, Slot to);
    Slot whole_power(Expr base, std::uint32_t exponent, std::optional<Slot> into = std::nullopt);
    Slot factor(Expr base, double exponent);
    void junction(Expr e, Slot to);
    void choice(Expr e, Slot to);
    void relation(Expr e, Slot to);
    void apply(Expr e, Slot to);

    CodeSink& sink_;
    NodeMap<Slot> known_[2];           // with and without events
    std::vector<Key> log_;             // in the order remembered
    std::vector<Slot> above_, below_;  // factors of the products under way, above and below the line
    struct PowerKey {
        Key base;
        std::uint32_t exponent;
        bool operator==(const PowerKey&) const = default;
    };
    struct PowerHash {
        std::size_t operator()(const PowerKey& k) const {
            return std::hash<Expr>()(k.base.node) ^ k.base.without_events ^ (std::size_t(k.exponent) << 1);
        }
    };
    std::unordered_map<PowerKey, Slot, PowerHash> powers_;  // of this scope; forgotten with any scope
    bool without_events_ = false;
};

}  // namespace cutset
