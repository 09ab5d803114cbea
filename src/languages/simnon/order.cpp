#include "languages/simnon/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "languages/simnon/messages.h"
#include "languages/simnon/walk.h"

namespace cutset::simnon {

namespace {

// Calls executes(system, statement) where an output section is executed first, and undefined(system, input,
// statement) for inputs that have no value then.
template <class Executes, class Undefined>
void walk_order(const System& connecting, const std::vector<System>& systems, Executes&& executes,
                Undefined&& undefined) {
    std::map<std::string, const System*> by_name;
    for (const System& s : systems) by_name.emplace(s.name, &s);
    std::set<const System*> executed;
    std::set<std::pair<std::string, std::string>> defined;  // inputs

    const auto execute = [&](const System& s, Span statement) {
        if (!executed.insert(&s).second) return;
        executes(s, statement);
        for (const SystemVariable& v : s.variables)
            if (v.role == SystemRole::Input && !defined.count({s.name, v.name})) undefined(s, v, statement);
    };
    for (const SystemAssignment& a : connecting.assignments) {
        if (a.section == Section::Initial) continue;
        for_each_reference(a.value, [&](const tree::Reference& r) {
            if (r.parts.size() != 2) return;
            const auto s = by_name.find(r.parts[0].name);
            if (s == by_name.end()) return;
            const auto found = s->second->find(r.parts[1].name);
            if (!found) return;
            const SystemVariable& v = s->second->variables[*found];
            const bool in_output =
                v.assigned && s->second->assignments[*v.assigned].section == Section::Output;
            if (v.role == SystemRole::Output || in_output) execute(*s->second, a.where);
        });
        if (!a.system.empty()) defined.insert({a.system, a.target});
    }
    for (const System& s : systems) {
        const bool has_output_section =
            !s.library.empty() ||
            std::any_of(s.assignments.begin(), s.assignments.end(),
                        [](const SystemAssignment& a) { return a.section == Section::Output; });
        if (has_output_section) execute(s, connecting.end);
    }
}

}  // namespace

std::vector<ComputationRemark> order_of_computation(const System& connecting,
                                                    const std::vector<System>& systems) {
    std::vector<ComputationRemark> remarks;
    const auto when = [](const System& s) { return s.kind == SystemKind::Discrete ? " IF SAMPLING" : ""; };
    walk_order(
        connecting, systems,
        [&](const System& s, Span statement) {
            remarks.push_back(
                {statement, fmt::format("PRECEDED BY EXECUTION OF OUTPUT-SECTION OF {}{}", s.name, when(s)),
                 false});
        },
        [&](const System& s, const SystemVariable& v, Span statement) {
            remarks.push_back(
                {statement,
                 fmt::format("WARNING: {} IS UNDEFINED IN OUTPUT-SECTION OF {}{}", v.name, s.name, when(s)),
                 true});
        });
    return remarks;
}

namespace {

// What each variable needs at the same instant.
class Dependence {
  public:
    Dependence(const System* connecting, const std::vector<System>& systems) {
        for (const System& s : systems) add(s, s.name);
        if (connecting) add(*connecting, "");
        for (const System& s : systems) edges(s, s.name);
        if (connecting) edges(*connecting, "");
    }

    // `undefined`: inputs without a value, in the order of computation.
    void report(const std::vector<std::pair<std::string, std::string>>& undefined,
                std::vector<System>& systems, bool strict, Diagnostics& diagnostics) {
        constexpr std::size_t most = 20;  // loops told
        std::vector<bool> gone(nodes_.size(), false);
        remove_ends(gone);
        break_sampled(undefined, systems, gone, strict, diagnostics);
        remove_ends(gone);
        std::size_t told = 0;
        for (std::size_t first = 0; first < nodes_.size() && told < most; ++first) {
            if (gone[first]) continue;
            ++told;
            // Every node that is left needs one that is left: following them ends in a loop.
            std::vector<std::size_t> way;
            std::unordered_map<std::size_t, std::size_t> place;
            std::size_t at = first;
            while (place.try_emplace(at, way.size()).second) {
                way.push_back(at);
                at = *std::find_if(nodes_[at].needs.begin(), nodes_[at].needs.end(),
                                   [&](std::size_t n) { return !gone[n]; });
            }
            way.erase(way.begin(), way.begin() + static_cast<std::ptrdiff_t>(place[at]));
            // It begins at a connecting statement, if there is one.
            const auto begin =
                std::find_if(way.begin(), way.end(), [&](std::size_t n) { return nodes_[n].connecting; });
            if (begin != way.end()) std::rotate(way.begin(), begin, way.end());
            tell(way, "", strict, diagnostics);
            for (std::size_t n : way) gone[n] = true;
            remove_ends(gone);
        }
    }

  private:
    void tell(const std::vector<std::size_t>& way, const std::string& read_before, bool strict,
              Diagnostics& diagnostics) const {
        std::vector<std::string> names;
        for (std::size_t n : way) names.push_back(nodes_[n].name);
        names.push_back(names.front());
        diagnostics.report(algebraic_loop(nodes_[way.front()].where, names, read_before, strict));
    }

    // Loops through inputs of discrete systems: such an input is read before the sampling, so that it needs
    // nothing of this instant.
    void break_sampled(const std::vector<std::pair<std::string, std::string>>& undefined,
                       std::vector<System>& systems, std::vector<bool>& gone, bool strict,
                       Diagnostics& diagnostics) {
        struct Input {
            std::size_t node;
            SystemVariable* variable;
            bool defined;
        };
        std::vector<Input> inputs;
        for (System& s : systems)
            for (SystemVariable& v : s.variables)
                if (s.kind == SystemKind::Discrete && v.role == SystemRole::Input)
                    inputs.push_back({numbers_.at({s.name, v.name}), &v,
                                      std::find(undefined.begin(), undefined.end(),
                                                std::pair(s.name, v.name)) == undefined.end()});
        std::stable_sort(inputs.begin(), inputs.end(),
                         [](const Input& a, const Input& b) { return a.defined < b.defined; });
        for (const Input& input : inputs) {
            if (gone[input.node]) continue;
            const std::vector<std::size_t> way = way_back(input.node, gone);
            if (way.empty()) continue;
            tell(way, nodes_[input.node].name, strict, diagnostics);
            input.variable->read_before = true;
            gone[input.node] = true;
        }
    }

    // The shortest loop through a node; empty when there is none.
    std::vector<std::size_t> way_back(std::size_t first, const std::vector<bool>& gone) const {
        std::unordered_map<std::size_t, std::size_t> from;
        std::vector<std::size_t> queue{first};
        for (std::size_t i = 0; i < queue.size(); ++i)
            for (std::size_t n : nodes_[queue[i]].needs) {
                if (n == first) {
                    std::vector<std::size_t> way;
                    for (std::size_t at = queue[i]; at != first; at = from.at(at)) way.push_back(at);
                    way.push_back(first);
                    std::reverse(way.begin(), way.end());
                    return way;
                }
                if (!gone[n] && from.try_emplace(n, queue[i]).second) queue.push_back(n);
            }
        return {};
    }

    struct Node {
        std::string name;
        Span where;
        std::vector<std::size_t> needs, serves;
        bool connecting = false;
    };

    void add(const System& s, const std::string& prefix) {
        for (const SystemVariable& v : s.variables) {
            numbers_.emplace(std::pair(prefix, v.name), nodes_.size());
            nodes_.push_back({prefix.empty() ? v.name : fmt::format("{}[{}]", v.name, prefix), v.where});
        }
    }
    void edge(std::size_t target, std::size_t source) {
        nodes_[target].needs.push_back(source);
        nodes_[source].serves.push_back(target);
    }
    void edges(const System& s, const std::string& prefix) {
        if (!s.library.empty() && s.kind == SystemKind::Discrete)  // any output may need any input
            for (const SystemVariable& y : s.variables)
                for (const SystemVariable& u : s.variables)
                    if (y.role == SystemRole::Output && u.role == SystemRole::Input)
                        edge(numbers_.at({prefix, y.name}), numbers_.at({prefix, u.name}));
        for (const SystemAssignment& a : s.assignments) {
            if (a.section == Section::Initial) continue;
            if (s.kind != SystemKind::Connecting && !a.system.empty()) continue;  // a jump
            const auto target = numbers_.find({a.system.empty() ? prefix : a.system, a.target});
            if (target == numbers_.end()) continue;
            Node& node = nodes_[target->second];
            node.where = a.where;
            node.connecting = s.kind == SystemKind::Connecting;
            for_each_needed(a.value, [&](const tree::Reference& r) {
                const bool own = r.parts.size() == 1;
                const auto source =
                    numbers_.find({own ? prefix : r.parts[0].name, own ? r.parts[0].name : r.parts[1].name});
                if (source == numbers_.end()) return;
                edge(target->second, source->second);
            });
        }
    }
    // pre(v) is no value of this instant.
    template <class Visit>
    static void for_each_needed(const tree::Expression& e, Visit&& visit) {
        if (e.kind == tree::ExpressionKind::Call && e.text == "pre") return;
        if (e.kind == tree::ExpressionKind::Reference) visit(e.reference);
        for (const tree::Expression& argument : e.arguments) for_each_needed(argument, visit);
    }

    // What needs nothing that is left, or serves nothing that is left, is in no loop.
    void remove_ends(std::vector<bool>& gone) const {
        std::vector<std::size_t> needs(nodes_.size()), serves(nodes_.size()), waiting;
        const auto left = [&](std::size_t n) { return !gone[n]; };
        const auto count = [&](const std::vector<std::size_t>& list) {
            return static_cast<std::size_t>(std::count_if(list.begin(), list.end(), left));
        };
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            needs[i] = count(nodes_[i].needs);
            serves[i] = count(nodes_[i].serves);
        }
        // All are counted before the first is gone: going lowers the counts of its neighbours.
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            if (left(i) && (needs[i] == 0 || serves[i] == 0)) waiting.push_back(i);
        for (std::size_t i : waiting) gone[i] = true;
        while (!waiting.empty()) {
            const std::size_t i = waiting.back();
            waiting.pop_back();
            const auto reduce = [&](const std::vector<std::size_t>& list, std::vector<std::size_t>& counts) {
                for (std::size_t n : list)
                    if (!gone[n] && --counts[n] == 0) {
                        gone[n] = true;
                        waiting.push_back(n);
                    }
            };
            reduce(nodes_[i].serves, needs);
            reduce(nodes_[i].needs, serves);
        }
    }

    std::vector<Node> nodes_;
    std::map<std::pair<std::string, std::string>, std::size_t> numbers_;
};

}  // namespace

void report_loops(const System* connecting, std::vector<System>& systems, bool strict,
                  Diagnostics& diagnostics) {
    std::vector<std::pair<std::string, std::string>> undefined;
    if (connecting)
        walk_order(
            *connecting, systems, [](const System&, Span) {},
            [&](const System& s, const SystemVariable& v, Span) { undefined.emplace_back(s.name, v.name); });
    Dependence(connecting, systems).report(undefined, systems, strict, diagnostics);
}

}  // namespace cutset::simnon
