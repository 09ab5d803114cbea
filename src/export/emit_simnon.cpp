// A sorted model in the language of Simnon: one continuous system; what a clock samples becomes a discrete
// system each, and a connecting system joins them. Simnon has no equation solver, so that loops must have
// been solved by formula.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "export/code_names.h"
#include "export/emit_messages.h"
#include "export/emitters.h"
#include "export/listed_temporaries.h"
#include "export/listing.h"
#include "expr/elementary_functions.h"
#include "expr/print_code.h"

namespace cutset {

namespace {

const char* const simnon_reserved =
    "t ts continuous discrete connecting system time state der new tsamp input output initial dynamics "
    "connect end if "
    "then else or and not";

constexpr std::size_t longest_table = 30;  // points of a table that is written as conditions

class SimnonEmitter {
  public:
    SimnonEmitter(const Listing& listing, const ExportOptions& options, Diagnostics& diagnostics)
        : l_(listing),
          p_(*listing.partition),
          pool_(*p_.model.pool),
          options_(options),
          diagnostics_(diagnostics),
          names_(false, 30, false),
          start_(pool_),
          printer_(simnon_spelling(), [this](CodePrinter&, Expr e, bool) { return own(e); }) {
        names_.reserve(simnon_reserved);
        names_.reserve(names_of_functions(&FunctionTraits::simnon, " "));
    }

    std::optional<std::string> emit() {
        const std::size_t before = diagnostics_.error_count();
        check();
        if (diagnostics_.error_count() > before) return std::nullopt;
        name_all();
        starts();
        if (diagnostics_.error_count() > before) return std::nullopt;
        const std::string discrete = discrete_systems();
        std::string out = fmt::format("\" {}: made by Cutset from {}\n", p_.model.name,
                                      options_.source.empty() ? "a model" : options_.source);
        out += continuous_system() + discrete;
        if (!p_.clocks.empty()) out += connecting_system();
        if (diagnostics_.error_count() > before) return std::nullopt;
        return out;
    }

  private:
    void refuse(const std::string& what, const Origin& origin) {
        diagnostics_.report(emit_messages::not_in_simnon(p_.model, what, origin));
    }

    // The clock of a when clause that is nothing but sample(…), else nothing.
    std::optional<std::uint32_t> clock_of(const WhenClause& w) const {
        const auto found = l_.clocks.find(w.condition);
        if (found == l_.clocks.end()) return std::nullopt;
        return found->second;
    }

    void check() {
        for (const Procedure* p : {&l_.derivatives, &l_.auxiliaries})
            for (const CodeLine& line : p->lines)
                if (line.kind == CodeLine::Kind::Solve)
                    diagnostics_.report(
                        emit_messages::loop_not_solved(p_.model, *l_.loops[line.number].block));
        for (const WhenClause& w : p_.model.whens) {
            const bool assigns = std::all_of(w.actions.begin(), w.actions.end(), [](const WhenAction& a) {
                const auto* assign = std::get_if<WhenAssign>(&a);
                return assign && !assign->guard && !assign->implicit;
            });
            if (!clock_of(w))
                refuse("events: a when clause must be `when sample(start, period) then`", w.origin);
            else if (!assigns)
                refuse("reinit, terminate, `if` or an equation in new values at a sampling", w.origin);
            else if (w.branch > 0)
                refuse("elsewhen", w.origin);
        }
        if (!p_.delays.empty()) refuse("delay", {});
        if (!p_.selections.empty()) refuse("choice of states during the run", {});
        std::set<const Node*> met;
        const auto look = [&](const Procedure& p) {
            for (const CodeLine& line : p.lines) {
                if (!line.value) continue;
                for_each_node(line.value, [&](Expr n) {
                    if (!met.insert(n).second) return;
                    if (n->op == Op::Apply)
                        check_call(n);
                    else if (n->op == Op::Equal || n->op == Op::NotEqual)
                        refuse("comparison for equality", {});
                    else if (n->op == Op::Edge || n->op == Op::Change || n->op == Op::Starting ||
                             n->op == Op::Ending)
                        refuse("edge, change, start or terminal", {});
                });
            }
        };
        for (const Procedure* p :
             {&l_.derivatives, &l_.auxiliaries, &l_.eliminated, &l_.compute_parameters, &l_.compute_clocks})
            look(*p);
        for (const Procedure& p : l_.when_values) look(p);
    }

    void check_call(Expr n) {
        const Callee& callee = p_.model.callees[n->callee()];
        const auto* table = std::get_if<TableData>(&callee);
        if (!table) {
            const auto& function = std::get<FunctionData>(callee);
            refuse("functions: " + function.name, function.origin);
        } else if (!table->y.empty() || table->x.size() > longest_table ||
                   table->interpolation != Interpolation::Linear || n->derivatives > 0) {
            refuse(fmt::format("tables but short piecewise linear ones of one argument: {}", table->name),
                   table->origin);
        }
    }

    void name_all() {
        name_.assign(l_.slots, "");
        name_[0] = "t";
        for (VariableIndex v{0}; v < p_.model.variables.end_index(); ++v.value)
            name_[l_.variable[v.value]] = names_.make(p_.model.path(v));
        for (VariableIndex v : p_.states) name_[l_.slot_of({v, 1})] = names_.make("d" + p_.model.path(v));
        system_ = names_.make(p_.model.name);
    }

    // ---- expressions

    std::optional<std::string> own(Expr e) {
        if (procedure_) {
            if (const auto found = procedure_->names.find(e);
                found != procedure_->names.end() && e != defining_)
                return temporary(found->second);
        }
        switch (e->op) {
            case Op::Variable:
                if (fresh_ && e->order == 0)
                    if (const auto found = fresh_->find(e->index); found != fresh_->end())
                        return found->second;
                return name_[l_.slot_of({e->variable(), e->order})];
            case Op::Previous:
                return name_[l_.variable[e->index]];
            case Op::Time:
                return "t";
            case Op::Local:
                return temporary(e->index - listed_temporary);
            default:
                return std::nullopt;
        }
    }

    std::string temporary(std::uint32_t number) {
        std::string& name = temporaries_[{procedure_, number}];
        if (name.empty()) name = names_.make("aux" + std::to_string(temporaries_.size()));
        return name;
    }

    // What Simnon has no function for, by others that it has; short tables as conditions.
    Expr spelled(Expr e) {
        Substitution put(pool_);
        for_each_node(e, [&](Expr n) {
            if (n->op == Op::Apply)
                put.replace(n, table(std::get<TableData>(p_.model.callees[n->callee()]), n->arg(0)));
            else if (const ElementaryFunction* f = elementary_function(n->op); f && !f->simnon) {
                std::vector<Symbol> x;
                for (Expr a : n->args()) x.push_back({&pool_, a});
                put.replace(n, f->spelled_out(x).e);
            }
        });
        // One pass rewrites the outer ones; what stands inside them is rewritten by the next.
        const Expr result = put.empty() ? e : put(e);
        return result == e ? e : spelled(result);
    }

    Expr table(const TableData& t, Expr x) {
        const std::size_t n = t.x.size();
        if (n == 1) return pool_.number(t.values[0]);
        const bool extrapolates = t.outside == Outside::Extrapolate;
        std::vector<Expr> parts;
        if (!extrapolates) parts = {pool_.less(x, pool_.number(t.x[0])), pool_.number(t.values[0])};
        const auto piece = [&](std::size_t i) {
            const double slope = (t.values[i + 1] - t.values[i]) / (t.x[i + 1] - t.x[i]);
            return pool_.add(pool_.number(t.values[i]),
                             pool_.multiply(pool_.number(slope), pool_.subtract(x, pool_.number(t.x[i]))));
        };
        for (std::size_t i = 0; i + 1 < n; ++i) {
            if (t.x[i + 1] == t.x[i]) continue;
            if (i + 2 == n && extrapolates) break;
            parts.push_back(pool_.less(x, pool_.number(t.x[i + 1])));
            parts.push_back(piece(i));
        }
        parts.push_back(extrapolates ? piece(n - 2) : pool_.number(t.values[n - 1]));
        return parts.size() == 1 ? parts[0] : pool_.choose(parts);
    }

    std::string text(Expr e) { return printer_.number(spelled(e)); }

    // ---- parameters and initial values

    Expr value_of(VariableIndex v) const {
        const Variable& variable = p_.model.variables[v];
        return variable.binding ? variable.binding : pool_.number(variable.value);
    }

    void parameters(std::string& initial, std::string& constants, const std::set<std::uint32_t>* wanted) {
        for (VariableIndex v : l_.parameters) {
            if (wanted && !wanted->contains(v.value)) continue;
            if (is_input(v)) continue;
            const Expr value = value_of(v);
            const std::string& name = name_[l_.variable[v.value]];
            if (value->is_number())
                constants += fmt::format("{}:{}{}\n", name, number_text(value->number), remark(v));
            else
                initial += fmt::format("{} = {}{}\n", name, text(value), remark(v));
        }
    }

    // That the experiment leaves open: a parameter for other languages.
    bool is_input(VariableIndex v) const {
        const Variable& variable = p_.model.variables[v];
        return variable.top_input && variable.variability == Variability::Parameter;
    }

    std::string remark(VariableIndex v) const {
        const std::string path = p_.model.path(v);
        return path == name_[l_.variable[v.value]] ? "" : "   \" " + path;
    }

    // The initial value of each variable in terms of parameters; what is iterated there by the number found.
    void starts() {
        for (VariableIndex v{0}; v < p_.model.variables.end_index(); ++v.value)
            if (const Variable& d = p_.model.variables[v];
                d.variability == Variability::Discrete && d.binding)
                start_.replace(pool_.variable(v), d.binding);
        const auto put_eliminated = [&](Expr e) {
            std::vector<Expr> open{e};
            std::vector<const Eliminated*> needed;
            while (!open.empty()) {
                const Expr next = open.back();
                open.pop_back();
                for_each_leaf(next, [&](Expr leaf) {
                    if (leaf->op != Op::Variable || leaf->order != 0 || !put_.insert(leaf->index).second)
                        return;
                    for (const Eliminated& x : p_.eliminated)
                        if (x.variable == leaf->variable()) {
                            needed.push_back(&x);
                            open.push_back(x.value);
                        }
                });
            }
            std::sort(needed.begin(), needed.end());  // in their order of computation
            for (const Eliminated* x : needed) start_.replace(pool_.variable(x->variable), start_(x->value));
        };
        for (const Block& block : p_.initial_blocks) {
            for (Unknown u : block.torn) {
                const bool known = u.order == 0 && u.variable.value < options_.solved.size();
                if (!known && block.kind != BlockKind::Explicit) {
                    if (u.order == 0) diagnostics_.report(emit_messages::loop_not_solved(p_.model, block));
                    continue;
                }
                solved_.insert(u.variable.value);
                start_.replace(pool_.variable(u.variable), pool_.number(options_.solved[u.variable.value]));
            }
            for (const SolvedEquation& s : block.inner) {
                put_eliminated(s.value);
                start_.replace(pool_.variable(s.unknown.variable, s.unknown.order), start_(s.value));
            }
        }
    }

    // ---- systems

    std::string continuous_system() {
        std::string out = fmt::format("CONTINUOUS SYSTEM {}\n", system_);
        const auto declare = [&](const char* type, const std::vector<std::string>& list) {
            for (std::size_t i = 0; i < list.size(); i += 8) {
                out += type;
                for (std::size_t k = i; k < std::min(i + 8, list.size()); ++k) out += " " + list[k];
                out += "\n";
            }
        };
        std::vector<std::string> states, derivatives, inputs, outputs;
        for (VariableIndex v : p_.states) {
            states.push_back(name_[l_.variable[v.value]]);
            derivatives.push_back(name_[l_.slot_of({v, 1})]);
        }
        for (VariableIndex v : l_.parameters)
            if (is_input(v)) inputs.push_back(name_[l_.variable[v.value]]);
        for (const auto& [v, clock] : sampled_) inputs.push_back(name_[l_.variable[v]]);
        for (std::uint32_t v : sent_) outputs.push_back(name_[l_.variable[v]]);
        declare("INPUT", inputs);
        declare("OUTPUT", outputs);
        out += "TIME t\n";
        declare("STATE", states);
        declare("DER", derivatives);
        std::string initial, constants, body;
        parameters(initial, constants, nullptr);
        for (VariableIndex v{0}; v < p_.model.variables.end_index(); ++v.value)
            if (const Variable& d = p_.model.variables[v];
                d.variability == Variability::Discrete && !sampled_.contains(v.value)) {
                const Expr value = start_(pool_.variable(v));  // a parameter that initialization determines
                constants += value->is_number() ? fmt::format("{}:{}{}\n", name_[l_.variable[v.value]],
                                                              number_text(value->number), remark(v))
                                                : "";
                if (!value->is_number())
                    initial +=
                        fmt::format("{} = {}{}\n", name_[l_.variable[v.value]], text(value), remark(v));
            }
        for (VariableIndex v : p_.states) {
            const Expr start = start_(pool_.variable(v));
            const std::string& name = name_[l_.variable[v.value]];
            if (start->is_number())
                constants += fmt::format(
                    "{}:{}{}{}\n", name, number_text(start->number), remark(v),
                    solved_.contains(v.value) ? "   \" the initial value as Cutset found it" : "");
            else if (start->op != Op::Variable || start->variable() != v)
                initial += fmt::format("{} = {}{}\n", name, text(start), remark(v));
        }
        std::unordered_set<Slot> assigned;
        for (const Procedure* p : {&l_.derivatives, &l_.auxiliaries, &l_.eliminated}) {
            procedure_ = p;
            for (const CodeLine& line : p->lines) {
                const bool quantity = line.place.kind == Place::Kind::Quantity;
                if (quantity && !assigned.insert(line.place.index).second) continue;
                defining_ = quantity ? nullptr : line.value;
                body +=
                    fmt::format("{} = {}\n", quantity ? name_[line.place.index] : temporary(line.place.index),
                                text(line.value));
                defining_ = nullptr;
            }
            procedure_ = nullptr;
        }
        if (!initial.empty()) out += "INITIAL\n" + initial;
        return out + "OUTPUT\n" + body + constants + "END\n";
    }

    std::string discrete_systems() {
        std::string out;
        for (std::uint32_t k = 0; k < p_.clocks.size(); ++k) {
            clock_name_.push_back(names_.make(p_.model.name + "sampled" + std::to_string(k + 1)));
            std::map<std::uint32_t, std::string> fresh;  // discrete variables → names of their new values
            std::vector<std::pair<VariableIndex, Expr>> actions;
            for (const WhenClause& w : p_.model.whens)
                if (clock_of(w) == k)
                    for (const WhenAction& a : w.actions) {
                        const auto& assign = std::get<WhenAssign>(a);
                        actions.emplace_back(assign.target, assign.value);
                        fresh[assign.target.value] = names_.make("out" + p_.model.path(assign.target));
                        sampled_[assign.target.value] = k;
                    }
            std::set<std::uint32_t> wanted, inputs;
            const auto look = [&](Expr e) {
                for_each_leaf(e, [&](Expr leaf) {
                    if (leaf->op != Op::Variable || fresh.contains(leaf->index)) return;
                    const Variability kind = p_.model.variables[leaf->variable()].variability;
                    const bool parameter = kind == Variability::Parameter || kind == Variability::Constant;
                    (parameter ? wanted : inputs).insert(leaf->index);
                });
            };
            for (const auto& [target, value] : actions) look(value);
            look(p_.clocks[k].first);
            look(p_.clocks[k].period);
            for (std::size_t before = 0; before != wanted.size();) {  // what they are computed from
                before = wanted.size();
                for (std::uint32_t v : std::vector<std::uint32_t>(wanted.begin(), wanted.end()))
                    look(value_of(VariableIndex(v)));
            }
            std::string in, out_names, states, fresh_names, values, updates, initial, constants;
            for (std::uint32_t v : inputs) {
                in += " " + name_[l_.variable[v]];
                from_[k].push_back(v);
                sent_.insert(v);
            }
            fresh_ = &fresh;
            for (const auto& [target, value] : actions) {
                const std::string& name = name_[l_.variable[target.value]];
                const std::string fresh_name = names_.make("new" + p_.model.path(target));
                out_names += " " + fresh[target.value];
                states += " " + name;
                fresh_names += " " + fresh_name;
                values += fmt::format("{} = {}\n", fresh[target.value], text(value));
                updates += fmt::format("{} = {}\n", fresh_name, fresh[target.value]);
                const Expr start = start_(pool_.variable(target));
                if (start->is_number())
                    constants += fmt::format("{}:{}{}\n", name, number_text(start->number), remark(target));
            }
            fresh_ = nullptr;
            parameters(initial, constants, &wanted);
            initial += fmt::format("ts = {}\n", text(p_.clocks[k].first));
            out += fmt::format("DISCRETE SYSTEM {}\n", clock_name_[k]);
            if (!in.empty()) out += "INPUT" + in + "\n";
            out += "OUTPUT" + out_names + "\nSTATE" + states + "\nNEW" + fresh_names +
                   "\nTIME t\nTSAMP ts\nINITIAL\n" + initial + "OUTPUT\n" + values + "DYNAMICS\n" + updates +
                   fmt::format("ts = t + {}\n", text(p_.clocks[k].period)) + constants + "END\n";
            fresh_of_.push_back(fresh);
        }
        // Discrete variables of other clocks come from there, not from the continuous system.
        for (const auto& [v, clock] : sampled_) sent_.erase(v);
        return out;
    }

    std::string connecting_system() {
        std::string out =
            fmt::format("CONNECTING SYSTEM {}\nTIME t\n", names_.make(p_.model.name + "connected"));
        const auto source = [&](std::uint32_t v) {
            const auto found = sampled_.find(v);
            if (found == sampled_.end()) return fmt::format("{}[{}]", name_[l_.variable[v]], system_);
            return fmt::format("{}[{}]", fresh_of_[found->second].at(v), clock_name_[found->second]);
        };
        for (const auto& [clock, list] : from_)
            for (std::uint32_t v : list)
                out += fmt::format("{}[{}] = {}\n", name_[l_.variable[v]], clock_name_[clock], source(v));
        for (const auto& [v, clock] : sampled_)
            out += fmt::format("{}[{}] = {}\n", name_[l_.variable[v]], system_, source(v));
        return out + "END\n";
    }

    const Listing& l_;
    const Partition& p_;
    Pool& pool_;
    const ExportOptions& options_;
    Diagnostics& diagnostics_;
    CodeNames names_;
    Substitution start_;
    CodePrinter printer_;
    std::string system_;
    std::vector<std::string> name_;  // by slot
    std::map<std::pair<const Procedure*, std::uint32_t>, std::string> temporaries_;
    const Procedure* procedure_ = nullptr;
    Expr defining_ = nullptr;
    const std::map<std::uint32_t, std::string>* fresh_ = nullptr;
    std::set<std::uint32_t> put_, solved_;
    std::map<std::uint32_t, std::uint32_t> sampled_;  // discrete variables → clocks
    std::set<std::uint32_t> sent_;                    // continuous variables that discrete systems need
    std::map<std::uint32_t, std::vector<std::uint32_t>> from_;
    std::vector<std::map<std::uint32_t, std::string>> fresh_of_;
    std::vector<std::string> clock_name_;
};

}  // namespace

std::optional<std::string> emit_simnon(const Partition& partition, const ExportOptions& options,
                                       Diagnostics& diagnostics) {
    const Listing listing = make_listing(partition, {}, {});
    return SimnonEmitter(listing, options, diagnostics).emit();
}

}  // namespace cutset
