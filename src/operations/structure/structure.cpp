#include "operations/structure/structure.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/influence.h"
#include "ir/find_variables.h"
#include "operations/structure/structure_messages.h"
#include "operations/structure/structure_rank.h"

namespace cutset {

namespace {

using Kind = InfluenceGraph::Kind;

// A quantity with this many sources and uses stays a node between them, so that p sources and q uses make
// p + q arrows, not p·q.
constexpr std::size_t junction_size = 6;

void sort_unique(std::vector<std::uint32_t>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

class Finder {
  public:
    Finder(const Partition& partition, const StructureRequest& request, Diagnostics& diagnostics)
        : p_(partition), request_(request), diagnostics_(diagnostics) {}

    std::optional<Structure> run() {
        if (!choose_outputs()) return std::nullopt;
        g_ = influence_graph(p_, request_.inputs);
        s_.states = g_.state_names;
        for (VariableIndex v : request_.inputs) s_.inputs.push_back(p_.model.path(v));
        for (const Unknown& u : outputs_) output_nodes_.push_back(g_.node_of(u));
        index_nodes();
        make_graphs();
        find_influence();
        find_direct();
        judge();
        decompose();
        return std::move(s_);
    }

  private:
    bool choose_outputs() {
        const FlatModel& model = p_.model;
        if (request_.outputs.empty()) {
            for (VariableIndex v(0); v < model.variables.end_index(); ++v.value)
                if (model.variables[v].top_output) {
                    outputs_.push_back({v, 0});
                    s_.outputs.push_back(model.path(v));
                }
            return true;
        }
        bool good = true;
        for (const std::string& name : request_.outputs) {
            const std::string path = plain_path(name);
            const auto add = [&](Unknown u, const std::string& text) {
                if (std::find(outputs_.begin(), outputs_.end(), u) != outputs_.end()) return;
                outputs_.push_back(u);
                s_.outputs.push_back(text);
            };
            const auto found = find_variables(model, path);
            for (VariableIndex v : found) add({v, 0}, model.path(v));
            const auto state = std::find_if(p_.states.begin(), p_.states.end(), [&](VariableIndex v) {
                return derivative_name(model.path(v)) == path;
            });
            if (!found.empty()) continue;
            if (state != p_.states.end()) {
                add({*state, 1}, path);
                continue;
            }
            diagnostics_.report(structure_messages::unknown_name("--outputs", name, model));
            good = false;
        }
        return good;
    }

    void index_nodes() {
        position_.assign(g_.nodes.size(), InfluenceGraph::none);
        for (std::uint32_t i = 0; i < g_.states.size(); ++i) position_[g_.states[i]] = i;
        for (std::uint32_t i = 0; i < g_.inputs.size(); ++i) position_[g_.inputs[i]] = i;
    }

    void make_graphs() {
        std::vector<std::uint32_t> direct, all;
        for (const auto& list : g_.needs) {
            direct.clear();
            all.clear();
            for (const InfluenceGraph::Edge& e : list) {
                all.push_back(e.to);
                if (e.later) continue;
                direct.push_back(e.to);
                lengths_.push_back(e.order > 0);
            }
            direct_.add_node(direct);
            all_.add_node(all);
        }
    }

    // The row of a quantity: what it needs, from its node backwards. `own` is a state whose influence on
    // itself is asked for, by way of its derivative.
    std::vector<Influence> row(std::uint32_t node, std::optional<std::uint32_t> own) const {
        const std::uint32_t start = own ? g_.rates[*own] : node;
        const int first = own ? 1 : 0;
        const std::vector<std::uint32_t> distance = graph::shortest_paths(direct_, lengths_, {{start}});
        const std::vector<bool> reached = graph::reached_from(
            all_, own ? all_.successors(node) : std::span<const std::uint32_t>(&start, 1));
        std::vector<Influence> result(g_.inputs.size() + g_.states.size());
        // Derivatives of inputs count less than the shortest path.
        for (std::uint32_t n = 0; n < g_.nodes.size(); ++n) {
            if (distance[n] == graph::not_reached) continue;
            for (const InfluenceGraph::Edge& e : g_.needs[n]) {
                if (e.later || g_.nodes[e.to].kind != Kind::Input) continue;
                Influence& at = result[position_[e.to]];
                const int order = first + int(distance[n]) + e.order;
                at.order = std::min(at.order.value_or(order), order);
            }
        }
        for (std::size_t i = 0; i < g_.states.size(); ++i)
            if (const std::uint32_t d = distance[g_.states[i]]; d != graph::not_reached)
                result[g_.inputs.size() + i].order = first + int(d);
        for (std::size_t i = 0; i < result.size(); ++i) {
            const std::uint32_t n = i < g_.inputs.size() ? g_.inputs[i] : g_.states[i - g_.inputs.size()];
            result[i].later = !result[i].order && reached[n];
        }
        return result;
    }

    void find_influence() {
        for (const auto& node : output_nodes_) {
            s_.of_outputs.push_back(node ? row(*node, std::nullopt)
                                         : std::vector<Influence>(g_.inputs.size() + g_.states.size()));
        }
        if (g_.states.size() <= request_.most_states)
            for (std::uint32_t i = 0; i < g_.states.size(); ++i) s_.of_states.push_back(row(g_.states[i], i));
        for (const auto* rows : {&s_.of_outputs, &s_.of_states})
            for (const auto& r : *rows)
                for (const Influence& influence : r) s_.has_later = s_.has_later || influence.later;
    }

    // Backwards through direct edges, states being ends.
    Structure::Direct direct(std::uint32_t start) const {
        Structure::Direct result;
        std::vector<std::uint32_t> open{start};
        std::vector<bool> met(g_.nodes.size());
        met[start] = true;
        while (!open.empty()) {
            const std::uint32_t n = open.back();
            open.pop_back();
            if (g_.nodes[n].kind == Kind::State) {
                result.states.push_back(position_[n]);
                continue;
            }
            if (g_.nodes[n].kind == Kind::Input) {
                result.inputs.push_back(position_[n]);
                continue;
            }
            for (std::uint32_t next : direct_.successors(n))
                if (!met[next]) {
                    met[next] = true;
                    open.push_back(next);
                }
        }
        std::sort(result.states.begin(), result.states.end());
        std::sort(result.inputs.begin(), result.inputs.end());
        return result;
    }

    void find_direct() {
        for (const auto& node : output_nodes_)
            s_.output_needs.push_back(node ? direct(*node) : Structure::Direct{});
        if (g_.states.size() <= request_.most_states)
            for (std::uint32_t rate : g_.rates) s_.rate_needs.push_back(direct(rate));
    }

    void judge() {
        std::vector<std::uint32_t> seen;
        for (const auto& node : output_nodes_)
            if (node) seen.push_back(*node);
        using Defect = StructuralDefect::Kind;
        if (!g_.inputs.empty()) {
            s_.controllability = controllable_rank(p_, g_, request_.inputs);
            s_.controllability.pattern_rank = pattern_rank(true);
            const auto now = graph::reached_from(graph::reversed(direct_), g_.inputs);
            const auto ever = graph::reached_from(graph::reversed(all_), g_.inputs);
            add_unreached(s_.controllability, now, ever, Defect::Unreached, Defect::UnreachedNow);
        }
        if (!s_.outputs.empty()) {
            s_.observability = observable_rank(p_, g_, seen);
            s_.observability.pattern_rank = pattern_rank(false);
            const auto now = graph::reached_from(direct_, seen);
            const auto ever = graph::reached_from(all_, seen);
            add_unreached(s_.observability, now, ever, Defect::Unseen, Defect::UnseenNow);
        }
    }
    // Rows of the derivatives or columns of the states, in both cases matched with all else.
    std::optional<std::size_t> pattern_rank(bool with_inputs) const {
        if (s_.rate_needs.size() != s_.states.size()) return std::nullopt;
        const std::uint32_t n = std::uint32_t(s_.states.size());
        graph::BipartiteBuilder builder(n + (with_inputs ? s_.inputs.size() : 0));
        for (const Structure::Direct& row : s_.rate_needs) {
            std::vector<std::uint32_t> columns = row.states;
            if (with_inputs)
                for (std::uint32_t u : row.inputs) columns.push_back(n + u);
            builder.add_equation(columns);
        }
        if (!with_inputs)
            for (const Structure::Direct& row : s_.output_needs) builder.add_equation(row.states);
        return graph::maximum_matching(std::move(builder).finish()).size;
    }
    void add_unreached(StructuralRank& rank, const std::vector<bool>& now, const std::vector<bool>& ever,
                       StructuralDefect::Kind never, StructuralDefect::Kind not_now) const {
        StructuralDefect a{never, {}, {}}, b{not_now, {}, {}};
        std::vector<bool> told(g_.states.size());
        for (std::uint32_t i = 0; i < g_.states.size(); ++i) {
            if (now[g_.states[i]]) continue;
            (ever[g_.states[i]] ? b : a).states.push_back(i);
            told[i] = true;
        }
        // What is not reached at all needs no second explanation.
        std::erase_if(rank.defects, [&](const StructuralDefect& d) {
            return !d.states.empty() &&
                   std::all_of(d.states.begin(), d.states.end(), [&](std::uint32_t i) { return told[i]; });
        });
        std::vector<StructuralDefect> first;
        if (!a.states.empty()) first.push_back(std::move(a));
        if (!b.states.empty()) first.push_back(std::move(b));
        rank.defects.insert(rank.defects.begin(), first.begin(), first.end());
    }

    // Strong components come out in the order of computation. One with a state or a variable that a when
    // clause sets is a subsystem; the others hand on what they depend on.
    void decompose() {
        const graph::Components components = graph::strong_components(all_);
        const auto component = graph::component_of(components, g_.nodes.size());
        std::vector<std::uint32_t> uses(components.size());
        for (std::uint32_t n = 0; n < g_.nodes.size(); ++n)
            for (std::uint32_t to : all_.successors(n)) uses[component[to]] += component[to] != component[n];

        struct Sources {
            std::vector<std::uint32_t> subsystems, inputs;
        };
        std::vector<Sources> sources(components.size());
        for (std::uint32_t c = 0; c < components.size(); ++c) {
            Subsystem subsystem;
            bool input = false, moves = false;
            Sources from;
            for (std::uint32_t n : components[c]) {
                const InfluenceGraph::Node& node = g_.nodes[n];
                if (node.kind == Kind::State) subsystem.states.push_back(position_[n]);
                if (node.kind == Kind::Discrete && !g_.needs[n].empty())
                    subsystem.discretes.push_back(node.unknown.variable);
                if (node.kind == Kind::Input) {
                    input = true;
                    sources[c].inputs = {position_[n]};
                }
                for (std::uint32_t to : all_.successors(n)) {
                    if (component[to] == c) continue;
                    const Sources& s = sources[component[to]];
                    from.subsystems.insert(from.subsystems.end(), s.subsystems.begin(), s.subsystems.end());
                    from.inputs.insert(from.inputs.end(), s.inputs.begin(), s.inputs.end());
                }
            }
            if (input) continue;
            sort_unique(from.subsystems);
            sort_unique(from.inputs);
            moves = !subsystem.states.empty() || !subsystem.discretes.empty();
            const std::size_t p = from.subsystems.size() + from.inputs.size();
            if (!moves && (std::min<std::size_t>(p, uses[c]) < junction_size)) {
                sources[c] = std::move(from);
                continue;
            }
            if (!moves) subsystem.junction = name_of(components[c]);
            std::sort(subsystem.states.begin(), subsystem.states.end());
            subsystem.needs = std::move(from.subsystems);
            subsystem.inputs = std::move(from.inputs);
            sources[c].subsystems = {std::uint32_t(s_.subsystems.size())};
            s_.subsystems.push_back(std::move(subsystem));
        }
        for (const auto& node : output_nodes_) {
            s_.output_sources.emplace_back();
            if (!node) continue;
            s_.output_sources.back().subsystems = sources[component[*node]].subsystems;
            s_.output_sources.back().inputs = sources[component[*node]].inputs;
        }
    }
    std::string name_of(std::span<const std::uint32_t> nodes) const {
        for (std::uint32_t n : nodes)
            if (g_.nodes[n].kind != Kind::Loop) {
                const Unknown& u = g_.nodes[n].unknown;
                const std::string path = p_.model.path(u.variable);
                return u.order ? derivative_name(path) : path;
            }
        return "loop";
    }

    const Partition& p_;
    const StructureRequest& request_;
    Diagnostics& diagnostics_;
    Structure s_;
    InfluenceGraph g_;
    std::vector<Unknown> outputs_;
    std::vector<std::optional<std::uint32_t>> output_nodes_;
    std::vector<std::uint32_t> position_;  // of states and inputs, by node
    graph::Digraph direct_, all_;          // to what a node needs
    std::vector<std::uint8_t> lengths_;    // of the edges of direct_
};

std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < most; ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
    return text;
}

}  // namespace

std::optional<Structure> find_structure(const Partition& partition, const StructureRequest& request,
                                        Diagnostics& diagnostics) {
    return Finder(partition, request, diagnostics).run();
}

std::string explain(const StructuralDefect& defect, const Structure& structure) {
    std::vector<std::string> names;
    for (std::uint32_t i : defect.states) names.push_back(structure.states[i]);
    const std::string states = names.empty() ? "the states" : listed(names);
    const bool one = names.size() == 1;
    const std::string through = listed(defect.through);
    using Kind = StructuralDefect::Kind;
    switch (defect.kind) {
        case Kind::Unreached:
            return fmt::format("{} {} reached by no input", states, one ? "is" : "are");
        case Kind::UnreachedNow:
            return fmt::format("{} {} reached by inputs at events or after delays only", states,
                               one ? "is" : "are");
        case Kind::Unseen:
            return fmt::format("{} {} no output", states, one ? "reaches" : "reach");
        case Kind::UnseenNow:
            return fmt::format("{} {} outputs at events or after delays only", states,
                               one ? "reaches" : "reach");
        case Kind::Constant:
            return fmt::format("nothing drives {}: the derivative contains neither a state nor an input",
                               states);
        case Kind::Dilation:
            return fmt::format("{} {} driven only through {}: a combination of them stays constant", states,
                               one ? "is" : "are", through);
        case Kind::Combination:
            return fmt::format("a combination of {} stays constant, whatever the inputs do", states);
        case Kind::Hidden:
            return fmt::format("{} appears in no derivative and no output", states);
        case Kind::Contraction:
            return fmt::format("{} {} only through {}: a combination of them leaves no trace", states,
                               one ? "acts" : "act", through.empty() ? "too few quantities" : through);
        case Kind::HiddenCombination:
            return fmt::format("a combination of {} appears in no derivative and no output", states);
    }
    return {};
}

}  // namespace cutset
