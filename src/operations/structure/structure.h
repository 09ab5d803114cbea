// What follows from the structure of a model alone, for almost all values of its parameters.
//
//     influence        the lowest derivative of an output or state in which an input or state appears
//     controllability  each state is reached by an input, and rank [A B] = n generically
//     observability    each state reaches an output, and rank [A; C] = n generically
//     subsystems       states that influence each other form a subsystem; these in an order in which each is
//                      influenced by earlier ones only: A becomes block triangular
//
// Ranks are found on the sorted equations, not on A, whose elements are not independent of each other: with
// rows 0 = F(x', z, x, u) of all equations, z all variables beside the states,
//
//     rank [F_z F_x F_u] = rank [A B] + |z|,     rank [F_z F_x; G_z G_x] = rank [A; C] + |z|.
//
// First by matching, which names what is wrong (a dilation: more states than what drives them), then modulo a
// prime with numbers as they stand in the equations and random values for parameters and variables
// (graph/modular_rank.h), which sees through sums such as e = r - y as well.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "operations/structure/influence_graph.h"

namespace cutset {

// How a column (input or state) acts on a row (output or state).
struct Influence {
    std::optional<int> order;  // the lowest derivative of the row in which the column appears; < 0: the row
                               // contains a derivative of the input
    bool later = false;        // only by way of events or delays
    bool any() const { return order || later; }
};

// Why a state cannot be controlled, or observed.
struct StructuralDefect {
    enum class Kind : std::uint8_t {
        Unreached,     // no input reaches the states
        UnreachedNow,  // inputs reach them at events or after delays only
        Unseen,        // the states reach no output
        UnseenNow,
        Constant,     // the derivative of the state depends on nothing
        Dilation,     // the states are driven through fewer quantities than they are
        Combination,  // a combination of the states is driven by nothing
        Hidden,       // nothing depends on the state
        Contraction,  // the states act through fewer quantities than they are
        HiddenCombination,
    };
    Kind kind;
    std::vector<std::uint32_t> states;  // positions in Structure::states
    std::vector<std::string> through;   // quantities between them and the rest
};

struct StructuralRank {
    bool asked = false;  // there are inputs, or outputs
    std::size_t rank = 0;
    // If all elements of A, B and C that may differ from 0 were independent of each other; where they are
    // known (rate_needs).
    std::optional<std::size_t> pattern_rank;
    bool exact = true;  // false: by matching only, the model being large
    std::vector<StructuralDefect> defects;
    bool holds() const { return defects.empty(); }
};

struct Subsystem {
    std::vector<std::uint32_t> states;  // positions in Structure::states
    std::vector<VariableIndex> discretes;
    std::string junction;               // neither: a quantity through which many act on many
    std::vector<std::uint32_t> needs;   // numbers of earlier subsystems, ascending
    std::vector<std::uint32_t> inputs;  // that act on it without another subsystem between
};

struct Structure {
    std::vector<std::string> states, inputs, outputs;
    // By output, then by state: a row with one element for each input, then one for each state. Rows of
    // states are left out where there are more than `most_states` (Request).
    std::vector<std::vector<Influence>> of_outputs, of_states;
    // What appears in x' and y directly, through algebraic equations only: positions of inputs and states.
    struct Direct {
        std::vector<std::uint32_t> inputs, states;
    };
    std::vector<Direct> rate_needs, output_needs;  // derivatives: as of_states
    StructuralRank controllability, observability;
    std::vector<Subsystem> subsystems;
    struct OutputSource {
        std::vector<std::uint32_t> subsystems, inputs;
    };
    std::vector<OutputSource> output_sources;
    bool has_later = false;  // some influence is by events or delays
};

struct StructureRequest {
    std::vector<VariableIndex> inputs;  // from open_inputs
    std::vector<std::string> outputs;   // names, or der(x); empty: the outputs of the model
    std::size_t most_states = 300;
};

// Nothing when a name is wrong, which is reported.
std::optional<Structure> find_structure(const Partition& partition, const StructureRequest& request,
                                        Diagnostics& diagnostics);

// "x3 is reached by no input", "x1, x2: driven only through q".
std::string explain(const StructuralDefect& defect, const Structure& structure);

}  // namespace cutset
