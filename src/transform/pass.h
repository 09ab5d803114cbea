// A pass: a function of an Analysis with a contract.
//
// `reads` and `changes` name parts of the Analysis. Runs that verify compare the parts before and after a
// pass, and the pass that changed one outside its contract is named; a part that is read must have been made
// by an earlier pass (a unit test goes through the list). `holds` looks whether the promise of the pass is
// kept, after it and after every later pass.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "transform/analysis.h"

namespace cutset::passes {

enum class Part : std::uint8_t {
    Variables,          // FlatModel::variables but for structural, derivative_starts, continuous_variable
    Equations,          // FlatModel::equations, written, live
    InitialEquations,   // FlatModel::initial_equations
    Conditions,         // when clauses, discrete equations, validities, homotopies
    ParameterOrder,     // Partition::parameters
    Structural,         // Partition::structural_parameters, Variable::structural
    Differentiated,     // differentiated, derivative_order
    BeforeElimination,  // before_elimination, starts_before, differentiated_before
    Eliminated,         // Partition::eliminated and what is reported of it, gone, dependencies
    IndexReduction,     // Partition::index, differentiated, dependent, selections, state_groups, …
    Matching,           // matched, continuous, Partition::states
    TearingWishes,      // torn
    Blocks,             // Partition::blocks, loops
    InitialBlocks,      // Partition::initial_blocks, homotopy_blocks, jump_blocks, zero_starts, start_checks
    Events,             // Partition::discrete, switches, clocks, delays
};
inline constexpr std::size_t part_count = 15;
const char* name_of(Part part);

class Parts {
  public:
    constexpr Parts(std::initializer_list<Part> parts) {
        for (Part p : parts) bits_ |= 1u << unsigned(p);
    }
    constexpr bool contains(Part p) const { return bits_ >> unsigned(p) & 1u; }

  private:
    std::uint32_t bits_ = 0;
};

// What a flat model brings along; all else is made by passes.
inline constexpr Parts given_parts = {Part::Variables, Part::Equations, Part::InitialEquations,
                                      Part::Conditions, Part::Structural};

enum class LeftOut : std::uint8_t { Never, OnRequest };

struct Pass {
    const char* name;  // that of its header and source
    Parts reads, changes;
    void (*run)(Analysis&, Diagnostics&);
    void (*holds)(const Analysis&) = nullptr;  // throws std::logic_error
    LeftOut left_out = LeftOut::Never;         // `--without`: a model that does not need it stays sound
};
std::span<const Pass> all_passes();

// A fingerprint of each part.
using PartPrints = std::array<std::uint64_t, part_count>;
PartPrints fingerprints(const Analysis& a);
// Throws std::logic_error when a part differs that the pass does not change.
void verify_contract(const Pass& pass, const PartPrints& before, const PartPrints& after);

// Our own promises about an Analysis between passes, whichever have run; throws std::logic_error.
void verify(const Analysis& a);
// Those of single passes, see Pass::holds.
void parameters_are_ordered(const Analysis& a);
void order_is_one(const Analysis& a);
void eliminated_are_gone(const Analysis& a);
void selections_have_states(const Analysis& a);
void matching_is_perfect(const Analysis& a);
void blocks_compute_all(const Analysis& a);

// The Analysis as text: `cutset check --dump PASS`.
std::string print(Analysis& a, const char* after);

}  // namespace cutset::passes
