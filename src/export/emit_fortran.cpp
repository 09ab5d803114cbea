// A listed model as one Fortran 2008 file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "export/listed_temporaries.h"
#include "export/program_emitter.h"
#include "export/runtime_text.h"
#include "expr/elementary_functions.h"

namespace cutset {

namespace {

// Intrinsics that the text uses, beside elementary functions, and names of the module that do not end in `_`.
const char* const fortran_reserved =
    "v dp time merge min max real int nint "
    "floor ceiling huge tiny size trim adjustl adjustr len sum maxval maxloc minval any all count transpose "
    "reshape "
    "matmul dot_product nearest ishft move_alloc allocated index verify repeat kind error_unit ieee_is_nan "
    "ieee_is_finite ieee_value ieee_quiet_nan ieee_arithmetic iso_fortran_env if else end do while call "
    "return stop "
    "function subroutine module program result integer logical character type use";

void reserve_words(CodeNames& names) {
    names.reserve(fortran_reserved);
    names.reserve(names_of_functions(&FunctionTraits::fortran, " "));
}

constexpr std::size_t width = 118;

std::string fortran_string(const std::string& text) {
    std::string out = "'";
    for (char c : text) {
        if (c == '\'') out += '\'';
        out += c == '\n' ? ' ' : c;
    }
    return out + "'";
}

constexpr ProgramSpelling fortran_program = {"_",       {"v(", ")"},        {"(", ")"}, 1,       "starting_",
                                             "ending_", {"is_true_(", ")"}, {"", ""},   "0.0_dp"};

class FortranEmitter : private ProgramEmitter {
  public:
    FortranEmitter(const Listing& listing, const ExportOptions& options)
        : ProgramEmitter(listing, options, fortran_program, fortran_spelling(), CodeNames(false, 58),
                         CodeNames(false, 40)),
          tracked_(tracked_slots(listing)) {
        reserve_words(names_);
    }

    std::string emit() {
        name_quantities();
        heading();
        sizes();
        places();
        part(fortran_runtime::variables);
        data();
        if (!p_.delays.empty()) part(fortran_runtime::delay_lines);
        out_ += "\ncontains\n";
        part(fortran_runtime::values);
        if (!l_.loops.empty() || !p_.selections.empty() || l_.jacobian)
            part(fortran_runtime::linear_equations);
        if (!tables_.empty()) part(fortran_runtime::tables);
        functions();
        part(p_.delays.empty() ? fortran_runtime::no_delays : fortran_runtime::delays);
        if (!l_.loops.empty()) part(fortran_runtime::algebraic_loops);
        procedures();
        set_data();
        part(fortran_runtime::instant);
        part(needs_settling(l_) ? fortran_runtime::settling : fortran_runtime::no_settling);
        part(p_.selections.empty() ? fortran_runtime::no_state_selection : fortran_runtime::state_selection);
        part(fortran_runtime::events);
        part(fortran_runtime::right_hand_side);
        part(l_.jacobian ? fortran_runtime::rodas : fortran_runtime::no_rodas);
        part(fortran_runtime::dopri);
        part(fortran_runtime::integration);
        part(fortran_runtime::results);
        part(fortran_runtime::program);
        out_ +=
            "\nend module\n\nprogram simulate_\n  use model_, only: main_\n  implicit none\n  call "
            "main_\nend program\n";
        return std::move(out_);
    }

  private:
    void part(const char* text) {
        out_ += '\n';
        out_ += text;
    }
    void line(const std::string& text) {
        const std::size_t indent = std::min<std::size_t>(text.find_first_not_of(' '), 20);
        out_ += wrapped(text, width, " &", std::string(indent + 4, ' '), '\'');
    }
    static std::string comment(const std::string& text) { return text.substr(0, 100); }

    // ---- parts of the file

    void heading() {
        out_ += fmt::format(
            "! {}: a program made by Cutset from {}.\n!\n"
            "!   gfortran -O2 -o {} {}.f90     and then, for example:\n"
            "!   ./{} --stop {} > {}.csv      ./{} --help\n!\n"
            "! v(name) is a quantity of the model; the names are made from the paths of the model. The\n"
            "! equations stand in the order of computation in state_derivatives_ and auxiliaries_; what\n"
            "! must be solved together is a loop, solved by Newton's method with exact derivatives. The\n"
            "! initialization problem is solved when the program runs, so that parameters can be changed\n"
            "! on its command line.\n\n"
            "module model_\n"
            "  use, intrinsic :: ieee_arithmetic\n"
            "  use, intrinsic :: iso_fortran_env, only: error_unit\n"
            "  implicit none\n"
            "  integer, parameter :: dp = kind(1.0d0)\n",
            p_.model.name, options_.source.empty() ? "a model" : options_.source, p_.model.name,
            p_.model.name, p_.model.name, number_text(options_.stop), p_.model.name, p_.model.name);
    }

    void sizes() {
        std::size_t most_torn = 0, selection = 0;
        for (const ListedLoop& loop : l_.loops) most_torn = std::max(most_torn, loop.torn.size());
        for (const StateSelection& s : p_.selections) selection += s.constraints.size() * s.candidates.size();
        const std::size_t columns = l_.jacobian ? l_.jacobian->columns : p_.states.size();
        const std::pair<const char*, std::size_t> sizes[] = {
            {"nx_", p_.states.size()},
            {"nv_", l_.slots},
            {"nparameter_", l_.parameters.size()},
            {"ncolumn_", columns_.size()},
            {"most_torn_", most_torn},
            {"ncolumns_", columns},
            {"njacobian_", std::max(most_torn * most_torn, columns * columns)},
            {"has_stiff_", l_.jacobian ? 1 : 0},
            {"ntracked_", tracked_.size()},
            {"nswitch_", p_.switches.size()},
            {"nstate_switch_", state_switches(p_)},
            {"nloop_", l_.loops.size()},
            {"crossings_need_equations_", options_.crossings_need_equations},
            {"nwhen_", p_.model.whens.size()},
            {"naction_", l_.actions.size()},
            {"nvalue_", l_.values},
            {"nclock_", p_.clocks.size()},
            {"nvalid_", p_.model.validities.size()},
            {"nprevious_", l_.before.size()},
            {"ndiscrete_", p_.discrete.size()},
            {"together_", p_.model.whens_together ? 1 : 0},
            {"asks_for_end_", asks_for_end(p_) ? 1 : 0},
            {"njump_", p_.jump_causes.size()},
            {"ngroup_", p_.selections.size()},
            {"nselection_", selection},
            {"nfrequency_", options_.frequencies.size()},
            {"nbreakpoint_", breakpoints_.size()},
            {"ndelay_", p_.delays.size()},
            {"nhomotopy_", p_.actual_parts.size()},
            {"default_points_", options_.points}};
        for (const auto& [name, size] : sizes)
            out_ += fmt::format("  integer, parameter :: {} = {}\n", name, size);
        const auto real = fortran_spelling().number;
        for (const auto& [name, value] : {std::pair{"default_start_", options_.start},
                                          {"default_stop_", options_.stop},
                                          {"default_step_", options_.step.value_or(0)},
                                          {"default_tolerance_", options_.tolerance},
                                          {"fewest_steps_", options_.fewest_steps},
                                          {"steps_of_period_", options_.steps_of_period}})
            out_ += fmt::format("  real(dp), parameter :: {} = {}\n", name, real(value));
        out_ += fmt::format("  character(len=*), parameter :: model_name_ = {}\n\n",
                            fortran_string(p_.model.name));
    }

    void places() {
        out_ +=
            "  ! places in v: the states, their derivatives, parameters and other variables\n"
            "  integer, parameter :: time = 0\n";
        for (Slot s = 1; s < l_.slots; ++s) {
            const bool same = member_[s] == original_[s];
            out_ += fmt::format("  integer, parameter :: {} = {}{}\n", member_[s], s,
                                same ? "" : "  ! " + comment(original_[s]));
        }
    }

    // ---- data: declared here, filled in by set_data_

    void declare_integers(const std::string& name, const std::vector<std::size_t>& list) {
        declare("integer", name, list.size());
        std::vector<std::string> texts;
        for (std::size_t i : list) texts.push_back(std::to_string(i));
        fill(name, texts);
    }
    void declare_numbers(const std::string& name, const std::vector<double>& list) {
        declare("real(dp)", name, list.size());
        std::vector<std::string> texts;
        for (double d : list) texts.push_back(fortran_spelling().number(d));
        fill(name, texts);
    }
    void declare_texts(const std::string& name, const std::vector<std::string>& list) {
        std::size_t longest = 1;
        for (const std::string& text : list) longest = std::max(longest, text.size());
        longest = std::min<std::size_t>(longest, 200);
        out_ += fmt::format("  character(len={}) :: {}({}) = ' '\n", longest, name,
                            std::max<std::size_t>(1, list.size()));
        for (std::size_t i = 0; i < list.size(); ++i)
            data_.push_back(
                fmt::format("    {}({}) = {}", name, i + 1, fortran_string(list[i].substr(0, 90))));
    }
    void declare(const char* type, const std::string& name, std::size_t n) {
        out_ += fmt::format("  {} :: {}({}) = 0\n", type, name, std::max<std::size_t>(1, n));
    }
    void fill(const std::string& name, const std::vector<std::string>& texts) {
        constexpr std::size_t together = 60;
        for (std::size_t from = 0; from < texts.size(); from += together) {
            const std::size_t to = std::min(from + together, texts.size());
            std::string text = fmt::format("    {}({}:{}) = [", name, from + 1, to);
            for (std::size_t i = from; i < to; ++i) text += (i > from ? ", " : "") + texts[i];
            data_.push_back(text + "]");
        }
    }

    void data() {
        out_ += "\n  ! lists, filled in by set_data_\n";
        std::vector<std::size_t> list, list2, list3, list4, list5, list6;
        std::vector<std::string> texts;
        for (VariableIndex v : l_.parameters) {
            texts.push_back(p_.model.path(v));
            list.push_back(l_.variable[v.value]);
            list2.push_back(p_.model.variables[v].structural ||
                            p_.model.variables[v].variability == Variability::Constant);
        }
        declare_texts("parameter_name_", texts);
        texts.clear();
        for (VariableIndex v : l_.parameters) texts.push_back(p_.model.variables[v].unit);
        declare_texts("parameter_unit_", texts);
        declare_integers("parameter_", list);
        declare_integers("parameter_structural_", list2);
        texts.clear();
        list.clear();
        for (const auto& [name, slot] : columns_) {
            texts.push_back(name);
            list.push_back(slot);
        }
        declare_texts("column_name_", texts);
        declare_integers("column_", list);
        list.clear();
        list2.clear();
        for (const Switch& s : p_.switches) {
            list.push_back(static_cast<std::size_t>(kind_of(s)));
            list2.push_back(s.instant != nullptr);
            list3.push_back(s.kink);
        }
        declare_integers("switch_kind_", list);
        declare_integers("switch_timed_", list2);
        declare_integers("switch_kink_", list3);
        declare_integers("switch_branch_", {l_.branches.begin(), l_.branches.end()});
        declare_integers("switch_in_loop_", {options_.in_loops.begin(), options_.in_loops.end()});
        declare_integers("switch_uncertain_", {options_.uncertain.begin(), options_.uncertain.end()});
        declare_integers("acts_at_start_", l_.acts_at_start);
        declare_integers("branches_before_", l_.branches_before);
        list.clear();
        for (VariableIndex v : p_.actual_parts) list.push_back(l_.variable[v.value]);
        declare_integers("actual_part_", list);
        declare_integers("delay_circular_",
                         {options_.circular_delays.begin(), options_.circular_delays.end()});
        declare_integers("delay_varies_", {options_.varying_delays.begin(), options_.varying_delays.end()});
        list.clear(), list2.clear(), list3.clear(), texts.clear();
        for (const ListedAction& a : l_.actions) {
            list.push_back(static_cast<std::size_t>(a.kind));
            list2.push_back(a.when + 1);
            list3.push_back(a.target);
            list4.push_back(a.value + 1);
            list5.push_back(a.before);
            list6.push_back(a.guard);
            texts.push_back(a.message);
        }
        declare_integers("action_kind_", list);
        declare_integers("action_when_", list2);
        declare_integers("action_target_", list3);
        declare_integers("action_value_", list4);
        declare_integers("action_before_", list5);
        declare_integers("action_guard_", list6);
        declare_texts("action_message_", texts);
        list.clear(), list2.clear();
        for (VariableIndex v : l_.before) {
            list.push_back(l_.variable[v.value]);
            list2.push_back(l_.previous[v.value]);
        }
        declare_integers("previous_from_", list);
        declare_integers("previous_to_", list2);
        list.clear(), list2.clear();
        for (VariableIndex v : p_.jump_causes) {
            list.push_back(l_.variable[v.value]);
            list2.push_back(l_.previous[v.value]);
        }
        declare_integers("jump_from_", list);
        declare_integers("jump_to_", list2);
        texts.clear();
        for (const Validity& v : p_.model.validities) texts.push_back(assertion_text(p_.model, v));
        declare_texts("validity_", texts);
        list.clear();
        for (const Validity& v : p_.model.validities) list.push_back(v.level == AssertionLevel::Error);
        declare_integers("assertion_ends_", list);
        texts.clear();
        for (VariableIndex v : p_.states) texts.push_back(p_.model.path(v));
        declare_texts("state_name_", texts);
        declare_numbers("state_scale_", state_scales(p_));
        list.assign(tracked_.begin(), tracked_.end());
        declare_integers("tracked_", list);
        std::vector<double> times;
        list.clear();
        for (const Breakpoint& b : breakpoints_) {
            times.push_back(b.time);
            list.push_back(b.jumps);
        }
        declare_numbers("breakpoint_time_", times);
        declare_integers("breakpoint_jumps_", list);
        loops_data();
        tables_data();
        if (!p_.selections.empty()) groups_data();
    }

    void loops_data() {
        std::vector<std::size_t> sizes, firsts, linear, z;
        std::vector<double> nominal, minimum, maximum;
        std::vector<std::string> texts;
        for (const ListedLoop& loop : l_.loops) {
            firsts.push_back(z.size() + 1);
            sizes.push_back(loop.torn.size());
            linear.push_back(loop.linear ? 1 : loop.piecewise ? 2 : 0);
            z.insert(z.end(), loop.torn.begin(), loop.torn.end());
            nominal.insert(nominal.end(), loop.nominal.begin(), loop.nominal.end());
            minimum.insert(minimum.end(), loop.minimum.begin(), loop.minimum.end());
            maximum.insert(maximum.end(), loop.maximum.begin(), loop.maximum.end());
            texts.push_back(loop_problem(p_.model, *loop.block));
        }
        declare_texts("loop_name_", texts);
        declare_integers("loop_size_", sizes);
        declare_integers("loop_first_", firsts);
        declare_integers("loop_linear_", linear);
        declare_integers("loop_z_", z);
        declare_numbers("loop_nominal_", nominal);
        declare_numbers("loop_minimum_", minimum);
        declare_numbers("loop_maximum_", maximum);
        // What stays near its values where a loop leaves unknowns open.
        std::vector<std::size_t> counts_open, slots;
        std::vector<double> quantity_sizes;
        firsts.clear();
        for (const ListedLoop& loop : l_.loops) {
            const std::vector<OpenQuantity> quantities = loop_quantities(l_, loop);
            firsts.push_back(slots.size() + 1);
            counts_open.push_back(quantities.size());
            for (const OpenQuantity& q : quantities) {
                slots.push_back(l_.slot_of(q.unknown));
                quantity_sizes.push_back(q.size);
            }
        }
        declare_integers("loop_quantities_", counts_open);
        declare_integers("loop_quantity_first_", firsts);
        declare_integers("loop_quantity_", slots);
        declare_numbers("loop_quantity_size_", quantity_sizes);
        // What is compared before a loop is solved again.
        std::vector<std::string> counts, inputs;
        firsts.clear();
        for (const ListedLoop& loop : l_.loops) {
            const auto found = loop_inputs(l_, loop);
            firsts.push_back(inputs.size() + 1);
            counts.push_back(found ? std::to_string(found->size()) : "-1");
            if (!found) continue;
            for (int input : *found) inputs.push_back(std::to_string(input));
        }
        declare("integer", "loop_inputs_", counts.size());
        fill("loop_inputs_", counts);
        declare_integers("loop_input_first_", firsts);
        declare("integer", "loop_input_", inputs.size());
        fill("loop_input_", inputs);
        declare("integer", "loop_solved_", counts.size());
        declare("real(dp)", "loop_found_", z.size());
        declare("real(dp)", "loop_found_for_", inputs.size());
    }

    void tables_data() {
        std::vector<std::size_t> nx, ny, firsts, kinds, outside;
        std::vector<double> all;
        std::vector<std::string> texts;
        for (const TableData* t : tables_) {
            nx.push_back(t->x.size());
            ny.push_back(t->y.size());
            firsts.push_back(all.size() + 1);
            kinds.push_back(static_cast<std::size_t>(t->interpolation));
            outside.push_back(t->outside == Outside::Hold ? 0 : t->outside == Outside::Extrapolate ? 1 : 2);
            texts.push_back("table " + t->name + ", whose range was left");
            for (const auto* list : {&t->x, &t->y, &t->values})
                all.insert(all.end(), list->begin(), list->end());
        }
        if (tables_.empty()) return;
        declare_texts("table_name_", texts);
        declare_integers("table_nx_", nx);
        declare_integers("table_ny_", ny);
        declare_integers("table_first_", firsts);
        declare_integers("table_kind_", kinds);
        declare_integers("table_outside_", outside);
        declare_numbers("table_data_", all);
    }

    void groups_data() {
        std::vector<std::size_t> candidates, constraints, states, first, candidate_first, state_first,
            selector_first;
        std::vector<std::size_t> candidate, state, selector, chosen;
        std::vector<double> nominal, weight;
        std::size_t next = 0;
        for (const StateSelection& s : p_.selections) {
            candidates.push_back(s.candidates.size());
            constraints.push_back(s.constraints.size());
            states.push_back(s.states.size());
            first.push_back(next);
            next += s.constraints.size() * s.candidates.size();
            candidate_first.push_back(candidate.size() + 1);
            state_first.push_back(state.size() + 1);
            selector_first.push_back(selector.size() + 1);
            for (std::size_t c = 0; c < s.candidates.size(); ++c) {
                candidate.push_back(l_.variable[s.candidates[c].value]);
                nominal.push_back(std::abs(p_.model.variables[s.candidates[c]].nominal.value_or(1)));
                weight.push_back(std::min(s.weights[c], 2.0));
            }
            for (std::size_t k = 0; k < s.states.size(); ++k) {
                state.push_back(l_.variable[s.states[k].value]);
                chosen.push_back(k + 1);
                for (VariableIndex v : s.selectors[k]) selector.push_back(l_.variable[v.value]);
            }
        }
        declare_integers("group_candidates_", candidates);
        declare_integers("group_constraints_", constraints);
        declare_integers("group_states_", states);
        declare_integers("group_first_", first);
        declare_integers("group_candidate_first_", candidate_first);
        declare_integers("group_state_first_", state_first);
        declare_integers("group_selector_first_", selector_first);
        declare_integers("group_candidate_", candidate);
        declare_integers("group_state_", state);
        declare_integers("group_selector_", selector);
        declare_integers("group_chosen_", chosen);
        declare_numbers("group_nominal_", nominal);
        declare_numbers("group_weight_", weight);
    }

    void set_data() {
        out_ += "\n  subroutine set_data_\n";
        for (const std::string& text : data_) line(text);
        out_ += "  end subroutine\n";
    }

    // ---- functions of the language

    void functions() {
        const std::vector<ListedFunction> list = listed_functions(l_);
        if (list.empty()) return;
        out_ += "\n  ! ---- functions of the model\n";
        recursive_ = recursive_functions(l_);
        name_functions(list);
        if (std::any_of(list.begin(), list.end(),
                        [](const auto& f) { return !indexed_arrays(f.data).empty(); }))
            part(fortran_runtime::array_element);
        for (const ListedFunction& f : list) {
            std::string arguments;
            for (std::uint32_t i = 0; i < f.data.inputs; ++i)
                arguments += fmt::format("{}a{}_", i ? ", " : "", i);
            out_ += "\n";
            line(
                fmt::format("  recursive function {}({}) result(result_)", function_name_[f.key], arguments));
            if (f.data.inputs) line("    real(dp), intent(in) :: " + arguments);
            out_ += "    real(dp) :: result_\n";
            if (f.data.external)
                external_body(f, arguments);
            else
                body(f);
            out_ += "  end function\n";
        }
    }

    // C functions, by their names: several results by way of arrays.
    void external_body(const ListedFunction& f, const std::string& arguments) {
        const std::string symbol = f.data.external->symbol.empty() ? f.data.name : f.data.external->symbol;
        const std::string derivative = f.data.external->derivative;
        const bool by_formula = f.key.derivatives && !derivative.empty();
        const bool several = f.data.outputs > 1;
        out_ += "    interface\n";
        if (by_formula)
            line(fmt::format("      function external_(k_, {}) bind(c, name={}) result(y_)", arguments,
                             fortran_string(derivative)));
        else if (several)
            line(fmt::format("      subroutine external_(in_, out_) bind(c, name={})",
                             fortran_string(symbol)));
        else
            line(fmt::format("      function external_({}) bind(c, name={}) result(y_)", arguments,
                             fortran_string(symbol)));
        out_ += "        use, intrinsic :: iso_c_binding, only: c_double, c_int\n        implicit none\n";
        if (by_formula) out_ += "        integer(c_int), value :: k_\n";
        if (several && !by_formula) {
            out_ +=
                "        real(c_double), intent(in) :: in_(*)\n        real(c_double), intent(out) :: "
                "out_(*)\n"
                "      end subroutine\n    end interface\n";
            out_ += fmt::format("    real(dp) :: in_({}), low_({}), high_({})\n    in_ = [{}]\n",
                                f.data.inputs, f.data.outputs, f.data.outputs, arguments);
            if (f.key.derivatives) {
                out_ += fmt::format(
                    "    in_({0}) = a{1}_ + 6e-6_dp * max(abs(a{1}_), 1.0_dp)\n"
                    "    call external_(in_, high_)\n"
                    "    in_({0}) = a{1}_ - 6e-6_dp * max(abs(a{1}_), 1.0_dp)\n"
                    "    call external_(in_, low_)\n"
                    "    result_ = (high_({2}) - low_({2})) / (12e-6_dp * max(abs(a{1}_), 1.0_dp))\n",
                    f.key.by0 + 1, f.key.by0, f.key.output + 1);
            } else {
                out_ += fmt::format(
                    "    low_ = 0\n    call external_(in_, high_)\n    result_ = high_({}) + 0 * low_(1)\n",
                    f.key.output + 1);
            }
            return;
        }
        out_ += fmt::format(
            "        real(c_double), value :: {}\n        real(c_double) :: y_\n"
            "      end function\n    end interface\n",
            arguments);
        if (by_formula) {
            out_ += fmt::format("    result_ = external_({}, {})\n", f.key.by0, arguments);
        } else if (f.key.derivatives) {
            std::string up, down;
            for (std::uint32_t i = 0; i < f.data.inputs; ++i) {
                const bool here = i == f.key.by0;
                up += fmt::format("{}a{}_{}", i ? ", " : "", i, here ? " + h_" : "");
                down += fmt::format("{}a{}_{}", i ? ", " : "", i, here ? " - h_" : "");
            }
            out_ += fmt::format(
                "    real(dp) :: h_\n    h_ = 6e-6_dp * max(abs(a{}_), 1.0_dp)\n"
                "    result_ = (external_({}) - external_({})) / (2 * h_)\n",
                f.key.by0, up, down);
        } else {
            out_ += fmt::format("    result_ = external_({})\n", arguments);
        }
    }

    void body(const ListedFunction& f) {
        loops_open_ = loops_declared_ = 0;
        CodeNames names(false, 58);
        reserve_words(names);
        name_locals(f.data, names);
        std::string declarations, values;
        for (const auto& [first, length] : local_arrays_) {
            declarations += fmt::format("    real(dp) :: {}({})\n", local_array_[first], length);
            values += fmt::format("    {} = 0\n", local_array_[first]);
        }
        for (std::uint32_t s = 0; s < f.data.slots; ++s) {
            if (!is_in_array(s))
                declarations += fmt::format("    real(dp) :: {}\n", local_name_[s]);
            else if (s >= f.data.inputs)
                continue;
            values += fmt::format("    {} = {}\n", local(s),
                                  s < f.data.inputs ? fmt::format("a{}_", s) : std::string("0"));
        }
        const std::string before = std::move(out_);
        out_.clear();
        result_ = f.result;
        deep_ = recursive_.contains(f.key.callee);
        statements(f.data.body, 2);
        const std::string text = std::move(out_);
        out_ = before + declarations;
        if (deep_) out_ += "    integer, save :: depth_ = 0\n";
        if (loops_declared_) out_ += "    integer :: steps_\n";
        for (int i = 1; i <= loops_declared_; ++i)
            out_ += fmt::format("    integer :: k{0}_\n    real(dp) :: from{0}_, to{0}_, step{0}_\n", i);
        if (loops_declared_) out_ += "    steps_ = 0\n";
        for (int i = 1; i <= loops_declared_; ++i)
            out_ += fmt::format("    from{0}_ = 0\n    to{0}_ = 0\n    step{0}_ = 0\n    k{0}_ = 0\n", i);
        if (deep_) {
            line(fmt::format("    if (depth_ >= {}) then", deepest_recursion));
            line("      problem_ = " +
                 fortran_string("function " + f.data.name + " calls itself without end, or very deeply"));
            out_ += "      result_ = 0\n      return\n    end if\n    depth_ = depth_ + 1\n";
        }
        out_ += values;
        for (const auto& [slot, v] : f.data.constants)
            out_ += fmt::format("    {} = {}\n", local(slot), fortran_spelling().number(v));
        out_ += text + fmt::format("    result_ = {}\n", local(f.result));
        if (deep_) out_ += "    depth_ = depth_ - 1\n";
        function_ = nullptr;
    }

    void statements(const std::vector<FunctionStatement>& body, int depth) {
        const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
        const std::string guard = indent + "  steps_ = steps_ + 1\n" + indent +
                                  "  if (steps_ > 100000000) then\n" + indent +
                                  "    problem_ = 'a function that does not come to an end'\n" + indent +
                                  "    exit\n" + indent + "  end if\n";
        for (const FunctionStatement& s : body) {
            if (const auto* assign = std::get_if<FunctionAssign>(&s.what)) {
                assignment(indent, printer_.number(assign->target), assign->value);
            } else if (const auto* branch = std::get_if<FunctionIf>(&s.what)) {
                bool first = true;
                for (const auto& [condition, list] : branch->branches) {
                    if (condition)
                        line(fmt::format("{}{}if ({}) then", indent, first ? "" : "else ",
                                         printer_.condition(condition)));
                    else
                        out_ += indent + (first ? "if (.true.) then\n" : "else\n");
                    statements(list, depth + 1);
                    first = false;
                }
                out_ += indent + "end if\n";
            } else if (const auto* loop = std::get_if<FunctionFor>(&s.what)) {
                const int k = ++loops_open_;
                loops_declared_ = std::max({loops_declared_, k, 1});
                line(fmt::format("{}from{}_ = {}", indent, k, printer_.number(loop->from)));
                line(fmt::format("{}to{}_ = {}", indent, k, printer_.number(loop->to)));
                line(fmt::format("{}step{}_ = {}", indent, k,
                                 loop->step ? printer_.number(loop->step) : "1.0_dp"));
                out_ += fmt::format(
                            "{0}do k{1}_ = 0, floor((to{1}_ - from{1}_) / step{1}_ + 1e-9_dp)\n{0}  {2} = "
                            "from{1}_ + k{1}_ * step{1}_\n",
                            indent, k, local(loop->slot)) +
                        guard;
                statements(loop->body, depth + 1);
                out_ += indent + "end do\n";
                --loops_open_;
            } else if (const auto* loop = std::get_if<FunctionWhile>(&s.what)) {
                loops_declared_ = std::max(loops_declared_, 1);
                line(fmt::format("{}do while ({})", indent, printer_.condition(loop->condition)));
                out_ += guard;
                statements(loop->body, depth + 1);
                out_ += indent + "end do\n";
            } else if (const auto* leave = std::get_if<FunctionLeave>(&s.what)) {
                if (leave->loop)
                    out_ += indent + "exit\n";
                else
                    out_ += indent + "result_ = " + local(result_) + "\n" +
                            (deep_ ? indent + "depth_ = depth_ - 1\n" : "") + indent + "return\n";
            } else if (const auto* a = std::get_if<FunctionAssert>(&s.what)) {
                line(indent + "if (.not. (" + printer_.condition(a->condition) +
                     ")) problem_ = " + fortran_string(a->text));
            }
        }
    }

    // ---- procedures

    // A choice becomes statements, so that only the branch that counts is evaluated.
    std::string assignment_text(const std::string& indent, const std::string& target, Expr value) {
        if (value->op != Op::If || (procedure_ && value != defining_ && procedure_->names.contains(value))) {
            const std::string text = indent + target + " = " + printer_.number(value);
            return wrapped(text, width, " &", indent + "    ");
        }
        std::string out;
        for (std::size_t i = 0; i + 1 < value->argument_count; i += 2) {
            out += wrapped(indent + (i ? "else if (" : "if (") + printer_.condition(value->arg(i)) + ") then",
                           width, " &", indent + "    ");
            out += wrapped(indent + "  " + target + " = " + printer_.number(value->arg(i + 1)), width, " &",
                           indent + "      ");
        }
        out += indent + "else\n";
        out += wrapped(indent + "  " + target + " = " + printer_.number(value->args().back()), width, " &",
                       indent + "      ");
        return out + indent + "end if\n";
    }
    void assignment(const std::string& indent, const std::string& target, Expr value) {
        out_ += assignment_text(indent, target, value);
    }

    std::string line_text(const CodeLine& c) {
        if (c.kind == CodeLine::Kind::Solve)
            return fmt::format("    call solve_({}, bad_)  ! {}\n    if (bad_) return\n", c.number + 1,
                               comment(unknowns_text(p_.model, *l_.loops[c.number].block)));
        defining_ = c.place.kind == Place::Kind::Temporary ? c.value : nullptr;
        std::string text;
        if (c.kind == CodeLine::Kind::Parameter)
            text = fmt::format("    if (.not. given_({})) then\n{}    end if\n", c.number + 1,
                               assignment_text("      ", place(c.place), c.value));
        else
            text = assignment_text("    ", place(c.place), c.value);
        defining_ = nullptr;
        return text;
    }

    void procedure(const std::string& name, const Procedure& p, bool solves, const std::string& what) {
        out_ += "\n";
        if (!what.empty()) out_ += "  ! " + what + "\n";
        out_ += fmt::format("  subroutine {}{}\n", name, solves ? "(bad_)" : "");
        if (solves) out_ += "    logical, intent(out) :: bad_\n";
        procedure_ = &p;
        const std::vector<std::string> lines =
            used_lines(p, used_, [&](const CodeLine& c) { return line_text(c); });
        procedure_ = nullptr;
        // Declarations of the temporaries that are left: those that some line assigns.
        std::string text;
        for (const std::string& l : lines) text += l;
        std::string declared;
        for (std::uint32_t i = 0; i < p.temporaries; ++i)
            if (text.find(fmt::format(" t{}_ = ", i + 1)) != std::string::npos) {
                declared += (declared.empty() ? "" : ", ") + fmt::format("t{}_", i + 1);
                if (declared.size() > 90 || i + 1 == p.temporaries) {
                    out_ += "    real(dp) :: " + declared + "\n";
                    declared.clear();
                }
            }
        if (!declared.empty()) out_ += "    real(dp) :: " + declared + "\n";
        if (solves) out_ += "    bad_ = .false.\n";
        out_ += text + "  end subroutine\n";
    }

    void procedures() {
        out_ += "\n  ! ---- the model\n";
        procedure("parameters_", l_.compute_parameters, false,
                  "Parameters that were not given on the command line, in order of computation.");
        procedure("clocks_", l_.compute_clocks, false, "First ticks and periods of clocks.");
        procedure("guesses_", l_.guesses, false,
                  "Guesses for the initialization, discrete variables before the first event.");
        for (std::size_t i = 0; i < l_.loops.size(); ++i) {
            const ListedLoop& loop = l_.loops[i];
            procedure(fmt::format("residuals_{}_", i + 1), loop.residual, false,
                      fmt::format("Loop {}, {}: {}", i + 1, loop.linear ? "linear" : "nonlinear",
                                  comment(unknowns_text(p_.model, *loop.block))));
            procedure(fmt::format("partials_{}_", i + 1), loop.jacobian, false, "");
        }
        const auto dispatch = [&](const std::string& name, const std::string& one, std::size_t n) {
            out_ += fmt::format(
                "\n  subroutine {}(k_)\n    integer, intent(in) :: k_\n    select case (k_)\n", name);
            for (std::size_t i = 1; i <= n; ++i)
                out_ += fmt::format("    case ({})\n      call {}{}_\n", i, one, i);
            out_ += "    case default\n    end select\n  end subroutine\n";
        };
        if (!l_.loops.empty()) {
            dispatch("residuals_", "residuals_", l_.loops.size());
            dispatch("partials_", "partials_", l_.loops.size());
        }
        procedure("initial_", l_.initial, true, "Initialization: states and all other variables.");
        procedure("homotopy_", l_.homotopy, true,
                  "Initialization, between the simplified and the actual model.");
        procedure("jump_", l_.jump, true, "States after a jump of what is differentiated.");
        procedure("state_derivatives_", l_.derivatives, true,
                  "The derivatives of the states, and what they need.");
        procedure("auxiliaries_", l_.auxiliaries, true, "What the derivatives do not need.");
        procedure("eliminated_", l_.eliminated, false, "Variables that are sums or names of others.");
        procedure("crossings_", l_.crossings, false,
                  "What changes its sign where a relation changes, instants of time events.");
        procedure("conditions_", l_.conditions, false, "Conditions of when clauses and of validity.");
        procedure("selections_", l_.selections, false,
                  "Partial derivatives of constraints, for the choice of states.");
        procedure(
            "state_jacobian_elements_", l_.jacobian ? l_.jacobian->elements : Procedure{}, false,
            "Partial derivatives of the right-hand side and of the residuals of loops by states and iterated "
            "unknowns.");
        for (std::size_t w = 0; w < l_.when_values.size(); ++w)
            procedure(fmt::format("when_values_{}_", w + 1), l_.when_values[w], false,
                      "when " + comment(to_text(p_.model.whens[w].condition, p_.model.printer())));
        dispatch("when_values_", "when_values_", l_.when_values.size());
    }

    std::vector<std::string> data_;  // statements of set_data_
    std::vector<Slot> tracked_;
    std::uint32_t result_ = 0;           // slot of the function at hand
    std::set<std::uint32_t> recursive_;  // functions, by callee
    bool deep_ = false;                  // the function at hand is one
    int loops_open_ = 0, loops_declared_ = 0;
};

}  // namespace

std::optional<std::string> emit_fortran(const Partition& partition, const ExportOptions& options,
                                        Diagnostics& diagnostics) {
    Listing listing = make_listing(partition, options.frequencies, options.solved);
    mark_piecewise(listing, options);
    if (!can_be_program(listing, TargetLanguage::Fortran, diagnostics)) return std::nullopt;
    return FortranEmitter(listing, options).emit();
}

}  // namespace cutset
