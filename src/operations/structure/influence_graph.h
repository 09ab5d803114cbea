// Which quantity of a sorted model is computed from which: the graph behind `cutset structure`.
//
// Nodes are the states, their derivatives x', the other variables that blocks compute, eliminated variables,
// discrete variables, inputs, and one node for each loop, through which all its unknowns depend on all that
// occurs in it. An edge goes from a quantity to what it is computed from:
//
//     direct        order 0   v := e(w)
//     integration   order 1   x from x': what appears in x' influences the first derivative of x
//     derivative    order -k  v := e(d^k u/dt^k): index reduction has differentiated an input
//     later         w decides at an event (conditions, when, reinit, sign), or acts after a delay
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "graph/strong_components.h"
#include "ir/partition.h"

namespace cutset {

struct InfluenceGraph {
    enum class Kind : std::uint8_t { State, Rate, Value, Discrete, Loop, Input };
    struct Node {
        Kind kind = Kind::Value;
        Unknown unknown;  // not of a Loop; of an Input: the variable or parameter
    };
    struct Edge {
        std::uint32_t to = 0;
        std::int8_t order = 0;
        bool later = false;
    };
    std::vector<Node> nodes;
    std::vector<std::vector<Edge>> needs;            // by node
    std::vector<std::uint32_t> states, rates;        // nodes, in the order of Partition::states
    std::vector<std::string> state_names;            // "x or y" where the run chooses
    std::vector<std::uint32_t> inputs;               // nodes; the chosen ones, in their order
    std::vector<std::uint32_t> values, derivatives;  // by variable: its node of order 0 and 1, or `none`
    static constexpr std::uint32_t none = 0xFFFFFFFFu;

    std::optional<std::uint32_t> node_of(Unknown u) const;
};

// Inputs of a model as functions of time of which nothing else is known: those of the whole model, whether
// the experiment gives them or not, and the `chosen` ones, which may also be other variables (then a choice
// of boundary variables, see transform/choose_known.h) or parameters. Returns the inputs to look at: the
// chosen ones, or else all. Wrong names are reported. To be called before choose_known and transform.
std::vector<VariableIndex> open_inputs(FlatModel& model, const std::vector<std::string>& chosen,
                                       Diagnostics& diagnostics);

InfluenceGraph influence_graph(const Partition& partition, const std::vector<VariableIndex>& inputs);

// What is decided by its arguments at events only, or tells of the past.
bool acts_later(Op op);

// The leaves of an expression: those it depends on at every instant, and those that act later only. Each
// once, oldest first. Calls of the functions that `open_inputs` has put for inputs count as leaves.
struct Occurrences {
    std::vector<Expr> direct, later;
};
Occurrences occurrences(Expr e);

// The variable that a call of such a function stands for, by callee.
std::vector<std::optional<VariableIndex>> input_functions(const FlatModel& model,
                                                          const std::vector<VariableIndex>& inputs);

}  // namespace cutset
