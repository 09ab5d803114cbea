#include "export/program_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "export/emit_messages.h"
#include "export/listed_functions.h"
#include "export/listed_temporaries.h"
#include "run/result_columns.h"

namespace cutset {

bool can_be_program(const Listing& listing, TargetLanguage language, Diagnostics& diagnostics) {
    const Partition& p = *listing.partition;
    const std::size_t before = diagnostics.error_count();
    for (const Switch& s : p.switches)
        if (const Op op = s.node->op; !s.instant && !s.kink && (op == Op::Equal || op == Op::NotEqual))
            diagnostics.report(emit_messages::equality_event(language, p.model, s));
    std::set<std::uint32_t> candidates;
    for (const StateSelection& s : p.selections)
        for (VariableIndex v : s.candidates) candidates.insert(v.value);
    for (const WhenClause& w : p.model.whens)
        for (const WhenAction& action : w.actions)
            if (const auto* assign = std::get_if<WhenAssign>(&action); assign && assign->implicit)
                diagnostics.report(emit_messages::implicit_new(language, p.model, *assign));
    for (const WhenClause& w : p.model.whens)
        for (const WhenAction& action : w.actions)
            if (const auto* reinit = std::get_if<WhenReinit>(&action);
                reinit && candidates.contains(reinit->target.value))
                diagnostics.report(emit_messages::restarted_candidate(language, p.model, reinit->target,
                                                                      reinit->origin.where));
    std::set<std::uint32_t> refused;
    for_each_listed(listing, [&](Expr e) {
        for_each_node(e, [&](Expr n) {
            if (n->op != Op::Apply || n->derivatives < 2) return;
            const Callee& callee = p.model.callees[n->callee()];
            const auto* table = std::get_if<TableData>(&callee);
            const auto* function = std::get_if<FunctionData>(&callee);
            const bool bad = table ? !table->y.empty() && (n->by[0] == 1 || n->by[1] == 1)
                                   : function->external.has_value();
            if (bad && refused.insert(n->index).second)
                diagnostics.report(
                    emit_messages::second_derivative(language, table ? table->name : function->name,
                                                     table ? table->origin.where : function->origin.where));
        });
    });
    for (const ListedFunction& f : listed_functions(listing))
        if (f.data.impure)
            diagnostics.report(emit_messages::impure(language, f.data));
        else if (f.data.external && f.data.external->library.empty())
            diagnostics.report(emit_messages::routine_of_program(language, f.data));
    return diagnostics.error_count() == before;
}

std::set<std::uint32_t> recursive_functions(const Listing& listing) {
    std::map<std::uint32_t, std::set<std::uint32_t>> calls;
    for (const ListedFunction& f : listed_functions(listing))
        for_each_in_body(f.data.body, [&](Expr e) {
            for_each_node(e, [&](Expr n) {
                if (n->op == Op::Apply) calls[f.key.callee].insert(n->index);
            });
        });
    std::set<std::uint32_t> found;
    for (const auto& [start, first] : calls) {
        std::set<std::uint32_t> reached = first;
        std::vector<std::uint32_t> open(first.begin(), first.end());
        while (!open.empty()) {
            const auto next = calls.find(open.back());
            open.pop_back();
            if (next == calls.end()) continue;
            for (std::uint32_t c : next->second)
                if (reached.insert(c).second) open.push_back(c);
        }
        if (reached.contains(start)) found.insert(start);
    }
    return found;
}

std::vector<std::pair<std::string, Slot>> result_columns(const Listing& listing) {
    const Partition& p = *listing.partition;
    std::vector<std::pair<std::string, Slot>> columns{{"time", 0}};
    std::set<std::string> derivatives;
    const auto add = [&](std::string name, Slot slot) {
        if (name.find_first_of(",;\"\t\r\n #") != std::string::npos) name = "\"" + name + "\"";
        columns.emplace_back(std::move(name), slot);
    };
    const std::vector<bool> without = without_values(p);
    for (VariableIndex v{0}; v < p.model.variables.end_index(); ++v.value) {
        const Variable& variable = p.model.variables[v];
        if (variable.internal || without[v.value]) continue;
        if (variable.variability == Variability::Parameter || variable.variability == Variability::Constant)
            continue;
        if (variable.name.find('(') != std::string::npos) derivatives.insert(p.model.path(v));
        add(p.model.path(v), listing.variable[v.value]);
    }
    for (VariableIndex v : p.states) {
        if (p.model.variables[v].internal) continue;
        const std::string name = derivative_name(p.model.path(v));
        if (!derivatives.contains(name)) add(name, listing.slot_of({v, 1}));
    }
    return columns;
}

std::vector<Breakpoint> table_breakpoints(const Partition& p) {
    std::vector<Breakpoint> found;
    const auto look = [&](Expr root) {
        for_each_node(root, [&](Expr e) {
            if (e->op != Op::Apply) return;
            const auto* table = std::get_if<TableData>(&p.model.callees[e->callee()]);
            if (!table) return;
            for (std::size_t k = 0; k < e->argument_count; ++k) {
                if (e->arg(k)->op != Op::Time) continue;
                const std::vector<double>& x = k == 0 ? table->x : table->y;
                for (std::size_t i = 0; i < x.size(); ++i) {
                    const bool again = i > 0 && std::abs(x[i] - x[i - 1]) <=
                                                    1e-13 * std::max(std::abs(x[i]), std::abs(x[i - 1]));
                    if (again)
                        found.back().jumps = true;
                    else
                        found.push_back({x[i], false});
                }
            }
        });
    };
    for (const Block& block : p.blocks) {
        for (const SolvedEquation& s : block.inner) look(s.value);
        for (const ResidualEquation& r : block.residuals) look(r.residual);
    }
    for (const Eliminated& e : p.eliminated) look(e.value);
    std::stable_sort(found.begin(), found.end(), [](const Breakpoint& a, const Breakpoint& b) {
        return a.time != b.time ? a.time < b.time : a.jumps > b.jumps;
    });
    found.erase(std::unique(found.begin(), found.end(),
                            [](const Breakpoint& a, const Breakpoint& b) { return a.time == b.time; }),
                found.end());
    return found;
}

std::vector<double> state_scales(const Partition& p) {
    std::vector<double> scales;
    for (VariableIndex v : p.states) {
        for (const StateSelection& s : p.selections)
            for (std::size_t i = 0; i < s.states.size(); ++i)
                if (s.states[i] == v) v = s.candidates[i];
        const Variable& variable = p.model.variables[v];
        double scale = 1;
        if (variable.nominal)
            scale = std::abs(*variable.nominal);
        else if (variable.minimum && variable.maximum)
            scale = std::max(std::abs(*variable.minimum), std::abs(*variable.maximum));
        else if (variable.start)
            scale = 0;
        scales.push_back(std::isfinite(scale) ? scale : 1);
    }
    return scales;
}

std::vector<Slot> tracked_slots(const Listing& listing) {
    std::vector<Slot> slots;
    for (const Procedure* p : {&listing.derivatives, &listing.auxiliaries})
        for (const CodeLine& line : p->lines)
            if (line.kind == CodeLine::Kind::Solve && !listing.loops[line.number].linear)
                slots.insert(slots.end(), listing.loops[line.number].torn.begin(),
                             listing.loops[line.number].torn.end());
    return slots;
}

bool asks_for_end(const Partition& p) {
    bool found = false;
    for (const WhenClause& when : p.model.whens)
        for_each_node(when.condition, [&](Expr e) { found = found || e->op == Op::Ending; });
    return found;
}

std::optional<std::vector<int>> loop_inputs(const Listing& listing, const ListedLoop& loop) {
    if (loop.linear) return std::nullopt;
    const Partition& p = *listing.partition;
    std::vector<int> inputs;
    std::unordered_set<int> known(loop.torn.begin(), loop.torn.end());  // looked up only
    const auto read = [&](int input) {
        if (known.insert(input).second) inputs.push_back(input);
    };
    std::unordered_set<Expr> seen[2];  // looked up only
    std::vector<std::pair<Expr, bool>> open;
    for (const CodeLine& line : loop.residual.lines) {
        if (line.kind != CodeLine::Kind::Assign) return std::nullopt;
        open.emplace_back(line.value, false);
        while (!open.empty()) {
            auto [e, without_events] = open.back();
            open.pop_back();
            if (!seen[without_events].insert(e).second) continue;
            if (const auto found = listing.switches.find(e);
                !without_events && found != listing.switches.end() && !p.switches[found->second].kink) {
                read(-1 - static_cast<int>(found->second));
                continue;
            }
            switch (e->op) {
                case Op::Variable:
                    read(static_cast<int>(listing.slot_of({e->variable(), e->order})));
                    break;
                case Op::Previous:
                    read(static_cast<int>(listing.previous[e->index]));
                    break;
                case Op::Time:
                    read(0);
                    break;
                case Op::Local:
                    if (e->index < listed_temporary) return std::nullopt;
                    break;
                case Op::Sample:
                case Op::Starting:
                case Op::Ending:
                case Op::Edge:
                case Op::Change:
                case Op::Delay:
                    return std::nullopt;
                case Op::Apply:
                    if (const auto* f = std::get_if<FunctionData>(&p.model.callees[e->callee()]);
                        f && f->external)
                        return std::nullopt;
                    break;
                case Op::NoEvent:
                    without_events = true;
                    break;
                default:
                    break;
            }
            for (Expr a : e->args()) open.emplace_back(a, without_events);
        }
        if (line.place.kind == Place::Kind::Quantity) known.insert(static_cast<int>(line.place.index));
    }
    return inputs;
}

void mark_piecewise(Listing& listing, const ExportOptions& options) {
    const auto& list = options.piecewise;
    for (ListedLoop& loop : listing.loops)
        loop.piecewise = std::find(list.begin(), list.end(), loop.block) != list.end();
}

std::size_t state_switches(const Partition& p) {
    return static_cast<std::size_t>(
        std::count_if(p.switches.begin(), p.switches.end(), [](const Switch& s) { return !s.instant; }));
}

bool needs_settling(const Listing& listing) {
    return state_switches(*listing.partition) > 0 ||
           (!listing.partition->switches.empty() && !listing.loops.empty());
}

std::vector<OpenQuantity> loop_quantities(const Listing& listing, const ListedLoop& loop) {
    if (!(loop.linear || loop.piecewise) || !needs_settling(listing)) return {};
    return open_quantities(*listing.partition, *loop.block);
}

std::string unknowns_text(const FlatModel& model, const Block& block) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < block.torn.size() && i < most; ++i)
        text += (i ? ", " : "") + model.path(block.torn[i].variable) + (block.torn[i].order ? "'" : "");
    if (block.torn.size() > most) text += ", ...";
    return text;
}

std::string loop_problem(const FlatModel& model, const Block& block) {
    const bool torn = block.kind == BlockKind::Nonlinear && !block.inner.empty();
    return fmt::format("no solution{} for {}",
                       torn ? " (--tear, when translating, iterates on more unknowns)" : "",
                       unknowns_text(model, block));
}

std::string assertion_text(const FlatModel& model, const Validity& v) {
    const std::string condition = to_text(v.condition, model.printer());
    if (v.level == AssertionLevel::Validity) return "the model leaves its region of validity: " + condition;
    const std::string submodel = model.path(v.origin.instance);
    return (submodel.empty() ? "" : submodel + ": ") + v.text + " (" + condition + " does not hold)";
}

SwitchKind kind_of(const Switch& s) {
    switch (s.node->op) {
        case Op::Less:
            return SwitchKind::Less;
        case Op::LessEqual:
            return SwitchKind::LessEqual;
        case Op::Equal:
            return SwitchKind::Equal;
        case Op::NotEqual:
            return SwitchKind::NotEqual;
        case Op::Sign:
            return SwitchKind::Sign;
        case Op::Floor:
            return SwitchKind::Floor;
        default:
            return SwitchKind::Truncate;
    }
}

}  // namespace cutset
