// One section under construction: instructions over tagged slots, then temporaries packed so that one whose
// last use is past gives its place to the next.
//
// While a Program is built, a slot carries in its upper bits what it is: a quantity of the layout, a
// temporary, a temporary of a loop (loops run while the section that calls them is under way), or a number.
// `relocate` turns these into places in the one array, when it is known how many there are of each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/integer_map.h"
#include "generate/expression_compiler.h"
#include "ir/program.h"

namespace cutset {

namespace slot_tag {
constexpr Slot mask = 3u << 30;
constexpr Slot quantity = 0, temporary = 1u << 30, loop_temporary = 2u << 30, constant = 3u << 30;
}  // namespace slot_tag

// When a quantity changes: never, at events, at any time.
enum class Rate : std::uint8_t { Fixed, Stepwise, Continuous };

// What all sections of one Program share while it is built.
struct ProgramBuilder {
    explicit ProgramBuilder(const Partition& partition, Program& program);

    const Partition& partition;
    Program& program;
    Slot quantities = 0;   // used so far
    Slot temporaries = 0;  // most used by any section
    Slot loop_temporaries = 0;

    Slot quantity() { return quantities++; }
    Slot constant(double v);
    Slot slot_of(Unknown u) const;
    // Position in Partition::eliminated, or none.
    std::vector<std::uint32_t> eliminated_position;  // by variable, plus one; 0: not eliminated
    std::vector<std::uint32_t> state_position;       // by variable, plus one; 0: no state
    std::unordered_map<Expr, std::uint32_t> switches, clocks, delays;
    std::unordered_map<const Block*, std::uint32_t> loops;  // numbers of those built so far
    // What has been taken out of other sections because it need not run as often as they do, and by quantity
    // how often it changes, as far as `hoist` has found out.
    std::vector<Instruction> fixed, stepwise;
    std::vector<Rate> rates;

    // The eliminated variables that e needs, directly or through others that are not known, as positions in
    // their order of computation. Valid until the next call.
    template <class Known>
    const std::vector<std::uint32_t>& needed_eliminated(Expr e, Known is_known) {
        needed_.clear();
        if (partition.eliminated.empty()) return needed_;
        met_.resize(partition.eliminated.size());
        ++question_;
        open_.assign(1, e);
        while (!open_.empty()) {
            const Expr next = open_.back();
            open_.pop_back();
            for_each_leaf(next, [&](Expr leaf) {
                if (leaf->op != Op::Variable || leaf->order != 0) return;
                const std::uint32_t position = eliminated_position[leaf->index];
                if (position == 0 || met_[position - 1] == question_ || is_known(leaf)) return;
                met_[position - 1] = question_;
                needed_.push_back(position - 1);
                open_.push_back(partition.eliminated[position - 1].value);
            });
        }
        std::sort(needed_.begin(), needed_.end());
        return needed_;
    }

    void relocate();

  private:
    IntegerMap<Slot> constants_;               // by bits: the number plus one
    std::vector<Expr> open_;                   // of needed_eliminated, kept for the next
    std::vector<std::uint32_t> met_, needed_;  // by position: the last question that met it
    std::uint32_t question_ = 0;
};

class SectionBuilder : public CodeSink {
  public:
    enum class Use { Plain, InLoop };
    SectionBuilder(ProgramBuilder& program, Use use) : program_(program), use_(use), compiler_(*this) {}

    // to := e. Eliminated variables in e are computed first.
    void assign(Slot to, Expr e);
    Slot value(Expr e);
    void solve(std::uint32_t loop);
    ExpressionCompiler& compiler() { return compiler_; }
    // Eliminated variables are taken from their slots from here on, not computed.
    void set_eliminated_known() { eliminated_known_ = true; }

    // Packs the temporaries; the builder is empty afterwards.
    Section finish();
    // The same without what depends on parameters or discrete variables only: that is added to
    // ProgramBuilder::fixed and stepwise.
    Section finish_hoisted();

    Slot temporary() override { return slot_tag::temporary + temporaries_++; }
    Slot constant(double v) override { return program_.constant(v); }
    std::size_t position() const override { return section_.instructions.size(); }
    void emit(Instruction i) override { section_.instructions.push_back(i); }
    void land(std::size_t at) override;
    std::uint32_t call_site(CallSite site) override;
    Slot leaf(Expr e) override;
    void load_element(Slot to, Slot index, Expr element) override;
    std::optional<std::uint32_t> switch_number(Expr e) override;
    std::uint32_t delay_number(Expr e) override;
    Expr lower(Expr e) override;

  private:
    void prepare(Expr e);

    ProgramBuilder& program_;
    Use use_;
    ExpressionCompiler compiler_;
    Section section_;
    Slot temporaries_ = 0;
    bool eliminated_known_ = false;
};

}  // namespace cutset
