// Connections of a model and the equations that they stand for:
//
//     connect(a, b)      every potential variable of a equals that of b; a connection set has n - 1 equations
//                        Σ ± flow = 0 in each set: + in a connector of a component, - in one of the model
//                        itself, seen from inside; a flow that nothing is connected to is 0
//     stream variables   inStream(h): what would flow in, mixed from all that may flow out into the set
//     overconstrained    records with equalityConstraint form a graph of connections; a spanning tree of it
//                        keeps its equations, of the others only equalityConstraint(a, b) = 0 remains
//
// All connections are collected before the equations are translated: cardinality, inStream and
// Connections.isRoot look at all of them. A connection to a conditional component that is absent vanishes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/disjoint_sets.h"
#include "objects/connection_graph.h"
#include "objects/instances.h"
#include "objects/walk_instances.h"
#include "objects/write_declarations.h"

namespace cutset::objects {

class Connections : public Connector, public ConnectionQueries {
  public:
    explicit Connections(Instances& instances);

    // All connections of the model; errors are reported. Members of expandable
    // connectors are added to what was walked.
    void collect(Walked& walked);
    // What they stand for, into the flat model; after the other equations.
    void add_equations(const std::vector<ComponentInstance*>& flows);

    // For the balance of components by themselves: how many scalar equations the connections in each instance
    // stand for, without those between what does not vary. After add_equations.
    std::vector<std::int32_t> equations_by_instance() const;
    // Where redundant variables are left out, or members come and go, balances cannot be told.
    bool has_open_balance(ClassInstance& type) { return is_expandable(type) || is_overdetermined(type); }

    // They were collected before.
    void connect(const object::Expression&, const object::Expression&, Span, Frame&) override {}
    bool connections_call(const object::Expression& call, Frame& frame) override;
    std::optional<Value> answer(const object::Expression& call, Place place, Frame& frame) override;

  private:
    // One side of a connect: connectors, in an array of these sizes; elements of an array of a builtin type
    // by their number.
    struct Part {
        ComponentInstance* component = nullptr;
        std::optional<std::uint32_t> number;
    };
    struct Side {
        std::vector<Part> parts;
        Dimensions sizes;
        bool absent = false;
        bool outside = false;    // a connector of the model itself
        bool for_graph = false;  // of Connections.branch and the like: parts of connectors, too
        std::string text;
    };
    enum class Kind : std::uint8_t { Potential, Flow, Stream };
    // A variable as it takes part in a set.
    struct Node {
        VariableIndex variable;
        bool outside = false;
        Kind kind = Kind::Potential;
        Origin origin;
    };

    void visit_all(const Declarations& declarations);
    void visit(const std::vector<object::Equation>& equations, Frame& frame, Origin origin);
    void visit_loop(const object::ForEquation& loop, std::size_t iterator, Frame& frame, Origin origin);
    void join(const object::ConnectEquation& c, Frame& frame, Origin origin);
    bool is_broken(const object::ConnectEquation& c, const Place& place) const;
    Side side(const object::Expression& e, Frame& frame, bool for_graph = false);
    void refuse_deep(const ComponentInstance& first, const object::Name& name, const std::string& text) const;
    void check_prefixes(ComponentInstance& a, std::uint32_t a_number, ComponentInstance& b,
                        std::uint32_t b_number, Origin origin);
    void note_source(const ComponentInstance& c, std::uint32_t number, bool outside);
    void check_sources(const std::vector<std::uint32_t>& members);
    void add_parts(ComponentInstance& c, std::span<const object::NamePart> parts, Frame& frame, Side& side,
                   std::vector<std::size_t>& kept);
    void join_components(ComponentInstance& a, bool a_outside, ComponentInstance& b, bool b_outside,
                         Origin origin);
    void join_whole(ComponentInstance& a, bool a_outside, ComponentInstance& b, bool b_outside,
                    Origin origin);
    bool join_in_order(ComponentInstance& a, bool a_outside, ComponentInstance& b, bool b_outside,
                       Origin origin);
    void join_variables(ComponentInstance& a, std::uint32_t a_number, bool a_outside, ComponentInstance& b,
                        std::uint32_t b_number, bool b_outside, Origin origin);
    // Where a name leads: to a component, or to a member of an expandable
    // connector that it may lack.
    struct End {
        ComponentInstance* component = nullptr;
        ComponentInstance* bus = nullptr;
        std::string member;
    };
    End end_of(const object::Expression& e, Frame& frame);
    void note_members(const object::ConnectEquation& c, Frame& frame);
    void unite_buses(ComponentInstance& a, ComponentInstance& b);
    std::uint32_t bus_number(ComponentInstance& bus);
    void add_members(Walked& walked);
    void join_buses(ComponentInstance& a, bool a_outside, ComponentInstance& b, bool b_outside,
                    Origin origin);

    bool is_overdetermined(ClassInstance& type);
    void settle_graph();
    std::uint32_t node(VariableIndex v, bool outside, Kind kind, Origin origin);
    std::vector<std::vector<std::uint32_t>> sets();
    void add_stream_equations(const std::vector<std::uint32_t>& members);
    void add_constraint(const GraphEdge& edge);
    ComponentInstance* graph_node(const object::Expression& e, Frame& frame);
    bool graph_call(const object::Expression& call, Frame& frame);
    Expr in_stream(VariableIndex v);
    // Σ of what flows out of the others into a set, with what it carries; `except` is left out.
    Expr mixed(const std::vector<std::uint32_t>& members, std::uint32_t except, const std::string& name);
    std::optional<VariableIndex> flow_of(VariableIndex stream) const;
    void report(Diagnostic d, InstanceIndex instance);

    Instances& instances_;
    Evaluator& evaluator_;
    FlatModel& model_;
    std::vector<Node> nodes_;
    DisjointSets sets_;  // of nodes
    // Equations between variables, and at which instance a connection stands for them.
    struct Joint {
        VariableIndex a, b;
        InstanceIndex at;
    };
    std::vector<Joint> joints_;
    std::unordered_map<std::uint64_t, std::uint32_t> node_of_;
    std::unordered_map<std::uint64_t, bool> sources_;  // causal variables: whether it gives the value there
    std::unordered_map<const void*, bool> has_connections_;  // by equation
    std::unordered_map<const ComponentInstance*, std::uint32_t> cardinality_;
    std::unordered_map<std::uint32_t, VariableIndex> stream_flow_;               // by stream variable
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> stream_sets_;  // by root
    std::unordered_map<std::uint32_t, Expr> in_streams_;
    ConnectionGraph graph_;
    bool settled_ = false;

    // Expandable connectors in the order in which connections name them, those
    // that are joined in groups.
    struct Bus {
        ComponentInstance* component = nullptr;
        std::map<std::string, ComponentInstance*> members;  // of a group, at its root: what to be like
        std::map<std::string, ComponentInstance*> used;
    };
    struct MemberPair {
        std::uint32_t a, b;
        std::string a_name, b_name;
    };
    std::vector<Bus> buses_;
    DisjointSets bus_groups_;
    std::unordered_map<const ComponentInstance*, std::uint32_t> bus_numbers_;
    std::vector<MemberPair> member_pairs_;
    bool expanding_ = false;  // members are looked for, nothing is joined yet
};

}  // namespace cutset::objects
