#include "export/program_emitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "export/listed_temporaries.h"

namespace cutset {

ProgramEmitter::ProgramEmitter(const Listing& listing, const ExportOptions& options,
                               const ProgramSpelling& spelling, const CodeSpelling& code, CodeNames names,
                               CodeNames function_names)
    : l_(listing),
      p_(*listing.partition),
      options_(options),
      spelling_(spelling),
      names_(std::move(names)),
      function_names_(std::move(function_names)),
      printer_(code, [this](CodePrinter& p, Expr e, bool quiet) { return own(p, e, quiet); }) {}

void ProgramEmitter::name_quantities() {
    member_.assign(l_.slots, "");
    original_.assign(l_.slots, "");
    member_[0] = "time";
    const FlatModel& model = p_.model;
    for (VariableIndex v{0}; v < model.variables.end_index(); ++v.value) {
        original_[l_.variable[v.value]] = model.path(v);
        member_[l_.variable[v.value]] = names_.make(model.path(v));
    }
    for (VariableIndex v : p_.states) {
        original_[l_.slot_of({v, 1})] = "derivative of " + model.path(v);
        member_[l_.slot_of({v, 1})] = names_.make("der_" + model.path(v));
    }
    for (VariableIndex v{0}; v < model.variables.end_index(); ++v.value)
        if (const Slot slot = l_.previous[v.value]) {
            original_[slot] = model.path(v) + " before the event";
            member_[slot] = names_.make("pre_" + model.path(v));
        }
    for (std::uint32_t c = 0; c < model.callees.size(); ++c)
        if (const auto* t = std::get_if<TableData>(&model.callees[CalleeIndex(c)])) {
            table_number_[c] = tables_.size();
            tables_.push_back(t);
        }
    breakpoints_ = table_breakpoints(p_);
    columns_ = result_columns(l_);
}

void ProgramEmitter::name_functions(const std::vector<ListedFunction>& list) {
    for (const ListedFunction& f : list) {
        std::string name = f.data.name;
        if (f.data.outputs > 1) name += "_" + std::to_string(f.key.output + 1);
        if (f.key.derivatives > 0) name += "_by" + std::to_string(f.key.by0 + 1);
        if (f.key.derivatives > 1) name += "_" + std::to_string(f.key.by1 + 1);
        function_name_[f.key] = "fn_" + function_names_.make(name) + spelling_.suffix;
    }
}

void ProgramEmitter::name_locals(const FunctionData& function, CodeNames& names) {
    function_ = &function;
    local_arrays_ = indexed_arrays(function);
    local_array_.clear();
    local_name_.assign(function.slots, "");
    for (const auto& [first, length] : local_arrays_) {
        std::string name = function.slot_names[first];
        if (const std::size_t bracket = name.find('['); bracket != std::string::npos) name.resize(bracket);
        local_array_[first] = names.make(name);
    }
    for (std::uint32_t s = 0; s < function.slots; ++s)
        if (!is_in_array(s))
            local_name_[s] =
                names.make(s < function.slot_names.size() ? function.slot_names[s] : "s" + std::to_string(s));
}

bool ProgramEmitter::is_in_array(std::uint32_t slot) const {
    return std::any_of(local_arrays_.begin(), local_arrays_.end(),
                       [&](const auto& a) { return slot >= a.first && slot < a.first + a.second; });
}

std::string ProgramEmitter::quantity(Slot slot) const {
    return spelling_.quantity[0] + member_[slot] + spelling_.quantity[1];
}

std::string ProgramEmitter::element(const std::string& array, std::size_t index) const {
    return fmt::format("{}{}{}{}{}", array, spelling_.suffix, spelling_.element[0], index + spelling_.first,
                       spelling_.element[1]);
}

std::string ProgramEmitter::place(Place p) const {
    using Kind = Place::Kind;
    switch (p.kind) {
        case Kind::Quantity:
            return quantity(p.index);
        case Kind::Residual:
            return element("residual", p.index);
        case Kind::Jacobian:
            return element("jacobian", p.index);
        case Kind::Crossing:
            return element("crossing", p.index);
        case Kind::Instant:
            return element("instant", p.index);
        case Kind::Condition:
            return element("condition", p.index);
        case Kind::Valid:
            return element("valid", p.index);
        case Kind::Value:
            return element("value", p.index);
        case Kind::DelayArgument:
            return element("delay_argument", p.index);
        case Kind::DelayDuration:
            return element("delay_duration", p.index);
        case Kind::ClockFirst:
            return element("clock_first", p.index);
        case Kind::ClockPeriod:
            return element("clock_period", p.index);
        case Kind::Selection:
            return element("selection", p.index);
        case Kind::Frequency:
            return element("frequency", p.index);
        case Kind::Temporary:
            return fmt::format("t{}{}", p.index + 1, spelling_.suffix);
    }
    return "";
}

std::string ProgramEmitter::temporary(std::uint32_t number) {
    used_.push_back(number);
    return fmt::format("t{}{}", number + 1, spelling_.suffix);
}

std::string ProgramEmitter::local(std::uint32_t slot) const {
    for (const auto& [first, length] : local_arrays_)
        if (slot >= first && slot < first + length)
            return fmt::format("{}{}{}{}", local_array_.at(first), spelling_.element[0],
                               slot - first + spelling_.first, spelling_.element[1]);
    return local_name_[slot];
}

std::optional<std::string> ProgramEmitter::own(CodePrinter& printer, Expr e, bool without_events) {
    if (procedure_ && !without_events) {
        if (const auto found = procedure_->names.find(e); found != procedure_->names.end() && e != defining_)
            return temporary(found->second);
    }
    const char* const suffix = spelling_.suffix;
    switch (e->op) {
        case Op::Variable:
            return quantity(l_.slot_of({e->variable(), e->order}));
        case Op::Previous:
            return quantity(l_.previous[e->index]);
        case Op::Time:
            return quantity(0);
        case Op::Local:
            if (function_) return local(e->index);
            return e->index >= listed_temporary ? temporary(e->index - listed_temporary)
                                                : element("sw_before", e->index);
        case Op::Element:
            return fmt::format("{}{}element{}({}, {}){}", local_array_.at(e->index), spelling_.element[0],
                               suffix, printer.number(e->arg(0)), e->order, spelling_.element[1]);
        case Op::Starting:
            return spelling_.starting;
        case Op::Ending:
            return spelling_.ending;
        case Op::Sample:
            return spelling_.ticking[0] + element("ticking", l_.clocks.at(e)) + spelling_.ticking[1];
        case Op::Delay:
            return fmt::format("delayed{}({}, {} - ({}))", suffix, l_.delays.at(e) + spelling_.first,
                               quantity(0), printer.number(e->arg(1)));
        case Op::Apply:
            return call(printer, e);
        default:
            break;
    }
    if (without_events || function_) return std::nullopt;
    const auto found = l_.switches.find(e);
    if (found == l_.switches.end() || p_.switches[found->second].kink) return std::nullopt;
    return fmt::format("{}{}({}, {})", e->boolean ? "switched" : "frozen", suffix,
                       found->second + spelling_.first, printer.plain(e));
}

std::string ProgramEmitter::call(CodePrinter& printer, Expr e) const {
    std::string arguments;
    for (Expr a : e->args()) arguments += (arguments.empty() ? "" : ", ") + printer.number(a);
    if (std::holds_alternative<FunctionData>(p_.model.callees[e->callee()]))
        return function_name_.at(function_key(e)) + "(" + arguments + ")";
    int by[2] = {0, 0};
    for (int i = 0; i < e->derivatives; ++i) ++by[e->by[i]];
    if (e->argument_count == 1) arguments += std::string(", ") + spelling_.zero;
    return fmt::format("table_value{}({}{}{}, {}, {}, {})", spelling_.suffix, spelling_.table[0],
                       table_number_.at(e->index) + spelling_.first, spelling_.table[1], arguments, by[0],
                       by[1]);
}

}  // namespace cutset
