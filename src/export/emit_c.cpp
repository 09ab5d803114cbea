// A listed model as one C11 file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "export/emit_messages.h"
#include "export/listed_temporaries.h"
#include "export/program_emitter.h"
#include "export/runtime_text.h"
#include "expr/elementary_functions.h"

namespace cutset {

namespace {

const char* const c_reserved =
    "auto break case char const continue default do double else enum extern float for goto if inline int "
    "long "
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile "
    "while asm typeof bool true false complex imaginary I NAN INFINITY NULL EOF SIZE MODEL_NAME "
    "HUGE_VAL HUGE_VALF stdin stdout stderr errno unix linux i386 time all DEFAULT_START DEFAULT_STOP "
    "DEFAULT_STEP DEFAULT_TOLERANCE DEFAULT_POINTS BUFSIZ FILENAME_MAX RAND_MAX";

std::string c_string(const std::string& text) {
    std::string out = "\"";
    for (unsigned char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n')
            out += "\\n";
        else if (c == '?')
            out += "\\?";
        else
            out += static_cast<char>(c);
    }
    return out + "\"";
}

std::string comment(std::string text) {
    for (std::size_t at; (at = text.find("*/")) != std::string::npos;) text.replace(at, 2, "* /");
    for (std::size_t at; (at = text.find("/*")) != std::string::npos;) text.replace(at, 2, "/ *");
    return text;
}

constexpr ProgramSpelling c_program = {
    "", {"m.", ""}, {"[", "]"}, 0, "(starting != 0)", "(ending != 0)", {"(", " != 0)"}, {"&table[", "]"},
    "0"};

class CEmitter : private ProgramEmitter {
  public:
    CEmitter(const Listing& listing, const ExportOptions& options)
        : ProgramEmitter(listing, options, c_program, c_spelling(), CodeNames(true, 60),
                         CodeNames(true, 60)) {
        names_.reserve(c_reserved);
        function_names_.reserve(c_reserved);
    }

    std::string emit() {
        name_quantities();
        heading();
        sizes();
        quantities();
        part(c_runtime::values);
        tables();
        functions();
        part(p_.delays.empty() ? c_runtime::no_delays : c_runtime::delays);
        if (!l_.loops.empty() || !p_.selections.empty() || l_.jacobian) part(c_runtime::linear_equations);
        if (!l_.loops.empty()) part(c_runtime::algebraic_loops);
        procedures();
        data();
        part(c_runtime::instant);
        part(needs_settling(l_) ? c_runtime::settling : c_runtime::no_settling);
        part(p_.selections.empty() ? c_runtime::no_state_selection : c_runtime::state_selection);
        part(c_runtime::results);
        part(c_runtime::events);
        part(c_runtime::right_hand_side);
        part(l_.jacobian ? c_runtime::rodas : c_runtime::no_rodas);
        part(c_runtime::dopri);
        part(c_runtime::integration);
        part(c_runtime::program);
        return std::move(out_);
    }

  private:
    void part(const char* text) {
        out_ += '\n';
        out_ += text;
    }
    void line(const std::string& text) { out_ += wrapped(text, 108, "", std::string(8, ' ')); }

    // ---- parts of the file

    void heading() {
        out_ += fmt::format(
            "/* {}: a program made by Cutset from {}.\n\n"
            "   cc -O2 -o {} {}.c -lm     and then, for example:\n"
            "   ./{} --stop {} > {}.csv      ./{} --help\n\n"
            "   The union `m` holds every quantity of the model under a name made from its path. The\n"
            "   equations stand in the order of computation in state_derivatives() and auxiliaries();\n"
            "   what must be solved together is a loop, solved by Newton's method with exact\n"
            "   derivatives. The initialization problem is solved when the program runs, so that\n"
            "   parameters can be changed on its command line. */\n\n",
            comment(p_.model.name), comment(options_.source.empty() ? "a model" : options_.source),
            p_.model.name, p_.model.name, p_.model.name, number_text(options_.stop), p_.model.name,
            p_.model.name);
        out_ += "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n";
    }

    void sizes() {
        std::size_t most_torn = 0, most_tied = 1, most_knots = 1;
        for (const ListedLoop& loop : l_.loops) most_torn = std::max(most_torn, loop.torn.size());
        for (const StateSelection& s : p_.selections) {
            most_tied = std::max({most_tied, s.candidates.size(), s.constraints.size()});
        }
        for (const Callee& c : p_.model.callees)
            if (const auto* t = std::get_if<TableData>(&c))
                most_knots = std::max({most_knots, t->x.size(), t->y.size()});
        std::size_t most_quantities = 0;
        for (const ListedLoop& loop : l_.loops)
            most_quantities = std::max(most_quantities, loop_quantities(l_, loop).size());
        const std::size_t columns = l_.jacobian ? l_.jacobian->columns : p_.states.size();
        out_ += fmt::format("#define MODEL_NAME {}\n", c_string(p_.model.name));
        const auto real = c_spelling().number;
        out_ += fmt::format(
            "#define DEFAULT_START {}\n#define DEFAULT_STOP {}\n#define DEFAULT_STEP {} /* of the output; 0: "
            "by "
            "the number of points */\n#define DEFAULT_POINTS {}\n#define DEFAULT_TOLERANCE {}\n\n",
            real(options_.start), real(options_.stop), real(options_.step.value_or(0)), options_.points,
            real(options_.tolerance));
        out_ += "enum {\n";
        const std::pair<const char*, std::size_t> sizes[] = {
            {"NX", p_.states.size()},
            {"NV", l_.slots},
            {"NPARAMETER", l_.parameters.size()},
            {"NCOLUMN", columns_.size()},
            {"NLOOP", l_.loops.size()},
            {"MOST_TORN", most_torn},
            {"MOST_QUANTITIES", most_quantities},
            {"NCOLUMNS", columns},
            {"HAS_STIFF", l_.jacobian ? 1 : 0},
            {"NTRACKED", tracked_slots(l_).size()},
            {"NSWITCH", p_.switches.size()},
            {"NSTATE_SWITCH", state_switches(p_)},
            {"CROSSINGS_NEED_EQUATIONS", options_.crossings_need_equations},
            {"NWHEN", p_.model.whens.size()},
            {"NACTION", l_.actions.size()},
            {"NVALUE", l_.values},
            {"NCLOCK", p_.clocks.size()},
            {"NVALID", p_.model.validities.size()},
            {"NPREVIOUS", l_.before.size()},
            {"NDISCRETE", p_.discrete.size()},
            {"TOGETHER", p_.model.whens_together ? 1 : 0},
            {"ASKS_FOR_END", asks_for_end(p_) ? 1 : 0},
            {"NJUMP", p_.jump_causes.size()},
            {"NGROUP", p_.selections.size()},
            {"MOST_TIED", most_tied},
            {"NFREQUENCY", options_.frequencies.size()},
            {"NBREAKPOINT", breakpoints_.size()},
            {"MOST_KNOTS", most_knots},
            {"NDELAY", p_.delays.size()},
            {"NHOMOTOPY", p_.actual_parts.size()},
            {"FEWEST_STEPS", static_cast<std::size_t>(options_.fewest_steps)},
            {"STEPS_OF_PERIOD", static_cast<std::size_t>(options_.steps_of_period)}};
        for (const auto& [name, size] : sizes) out_ += fmt::format("    {} = {},\n", name, size);
        out_ += "};\n\n";
    }

    void quantities() {
        out_ += "static union {\n    double all[NV];\n    struct {\n        double time;\n";
        for (Slot s = 1; s < l_.slots; ++s) {
            if (s == 1 && !p_.states.empty()) out_ += "        /* states, then their derivatives */\n";
            if (s == 1 + 2 * p_.states.size()) out_ += "        /* parameters and other variables */\n";
            const bool same = member_[s] == original_[s];
            out_ += fmt::format("        double {};{}\n", member_[s],
                                same ? "" : fmt::format(" /* {} */", comment(original_[s])));
        }
        out_ += "    };\n} m;\n";
        std::size_t most = 0;
        for (const ListedLoop& loop : l_.loops) most = std::max(most, loop.torn.size());
        if (l_.jacobian) most = std::max(most, l_.jacobian->columns);
        if (most > 0) out_ += fmt::format("static double jacobian[{}];\n", most * most);
        std::size_t selection = 0;
        for (const StateSelection& s : p_.selections) selection += s.constraints.size() * s.candidates.size();
        if (selection > 0) out_ += fmt::format("static double selection[{}];\n", selection);
    }

    void numbers(const std::string& head, const std::vector<double>& list) {
        std::string text = head + "{";
        for (std::size_t i = 0; i < list.size(); ++i) text += (i ? ", " : "") + c_spelling().number(list[i]);
        if (list.empty()) text += "0";
        line(text + "};");
    }

    void tables() {
        std::vector<std::string> rows;
        if (!tables_.empty()) part(c_runtime::tables);
        for (std::size_t n = 0; n < tables_.size(); ++n) {
            const TableData* const t = tables_[n];
            numbers(fmt::format("static const double table_x{}[] = ", n), t->x);
            numbers(fmt::format("static const double table_y{}[] = ", n), t->y);
            numbers(fmt::format("static const double table_values{}[] = ", n), t->values);
            rows.push_back(fmt::format("    {{{}, {}, {}, table_x{}, table_y{}, table_values{}, {}, {}}}",
                                       c_string("table " + t->name + ", whose range was left"), t->x.size(),
                                       t->y.size(), n, n, n, static_cast<int>(t->interpolation),
                                       t->outside == Outside::Hold          ? 0
                                       : t->outside == Outside::Extrapolate ? 1
                                                                            : 2));
        }
        if (rows.empty()) return;
        out_ += "static const Table table[] = {\n";
        for (std::size_t i = 0; i < rows.size(); ++i)
            out_ += rows[i] + (i + 1 < rows.size() ? ",\n" : "};\n");
    }

    // ---- functions of the language

    void functions() {
        const std::vector<ListedFunction> list = listed_functions(l_);
        if (list.empty()) return;
        out_ += "\n/* ---- functions of the model */\n\n";
        name_functions(list);
        const auto head = [&](const ListedFunction& f) {
            std::string text = "static double " + function_name_[f.key] + "(";
            for (std::uint32_t i = 0; i < f.data.inputs; ++i)
                text += fmt::format("{}double a{}", i ? ", " : "", i);
            return text + (f.data.inputs ? ")" : "void)");
        };
        bool elements = false;
        recursive_ = recursive_functions(l_);
        for (const ListedFunction& f : list) {
            if (f.data.external) external(f);
            out_ += head(f) + ";\n";
            elements |= !indexed_arrays(f.data).empty();
        }
        if (elements) part(c_runtime::array_element);
        for (const ListedFunction& f : list) {
            out_ += "\n" + head(f) + "\n{\n";
            if (f.data.external)
                external_body(f);
            else
                body(f);
            out_ += "}\n";
        }
    }

    static std::string symbol(const FunctionData& f) {
        return f.external->symbol.empty() ? f.name : f.external->symbol;
    }

    void external(const ListedFunction& f) {
        std::string arguments;
        for (std::uint32_t i = 0; i < f.data.inputs; ++i) arguments += i ? ", double" : "double";
        if (arguments.empty()) arguments = "void";
        const std::string name = symbol(f.data);
        if (declared_.insert(name).second)
            out_ += fmt::format("{}; /* from {} */\n",
                                f.data.outputs > 1 ? "extern void " + name + "(const double *, double *)"
                                                   : "extern double " + name + "(" + arguments + ")",
                                comment(f.data.external->library));
        if (f.key.derivatives && !f.data.external->derivative.empty() &&
            declared_.insert(f.data.external->derivative).second)
            out_ += "extern double " + f.data.external->derivative + "(int, " + arguments + ");\n";
    }

    void external_body(const ListedFunction& f) {
        std::string arguments;
        for (std::uint32_t i = 0; i < f.data.inputs; ++i) arguments += fmt::format("{}a{}", i ? ", " : "", i);
        if (f.key.derivatives && f.data.external->derivative.empty()) {  // central differences
            const std::uint32_t k = f.key.by0;
            FunctionKey plain = f.key;
            plain.derivatives = plain.by0 = 0;
            const std::string name = f.data.outputs > 1 ? "" : symbol(f.data);
            out_ += fmt::format(
                "    const double h = 6e-6 * larger(fabs(a{}), 1), x = a{};\n    double high;\n", k, k);
            if (!name.empty()) {
                out_ += fmt::format("    a{} = x + h;\n    high = {}({});\n    a{} = x - h;\n", k, name,
                                    arguments, k);
                out_ += fmt::format("    return (high - {}({})) / (2 * h);\n", name, arguments);
            } else {
                out_ += fmt::format(
                    "    double in[] = {{{}}}, low[{}], up[{}];\n    in[{}] = x + h;\n    {}(in, up);\n"
                    "    in[{}] = x - h;\n    {}(in, low);\n    high = up[{}];\n    return (high - low[{}]) "
                    "/ (2 * h);\n",
                    arguments, f.data.outputs, f.data.outputs, k, symbol(f.data), k, symbol(f.data),
                    f.key.output, f.key.output);
            }
        } else if (f.key.derivatives) {
            out_ +=
                fmt::format("    return {}({}, {});\n", f.data.external->derivative, f.key.by0, arguments);
        } else if (f.data.outputs > 1) {
            out_ += fmt::format(
                "    const double in[] = {{{}}};\n    double out_values[{}];\n    {}(in, out_values);\n"
                "    return out_values[{}];\n",
                arguments, f.data.outputs, symbol(f.data), f.key.output);
        } else {
            out_ += fmt::format("    return {}({});\n", symbol(f.data), arguments);
        }
    }

    void body(const ListedFunction& f) {
        CodeNames names(true, 60);
        names.reserve(c_reserved);
        names.reserve(
            "m sw live starting ending problem element switched frozen power pow floor ceil table_value "
            "table");
        names.reserve(names_of_functions(&FunctionTraits::c, " "));
        for (const auto& [key, name] : function_name_) names.reserve(name);
        for (std::uint32_t i = 0; i < f.data.inputs; ++i) names.reserve("a" + std::to_string(i));
        name_locals(f.data, names);
        std::string declarations;
        for (const auto& [first, length] : local_arrays_)
            declarations += fmt::format("    double {}[{}] = {{0}};\n", local_array_[first], length);
        std::string values;
        for (std::uint32_t s = 0; s < f.data.slots; ++s) {
            const std::string initial = s < f.data.inputs ? fmt::format("a{}", s) : "0";
            if (is_in_array(s)) {
                if (s < f.data.inputs) values += fmt::format("    {} = {};\n", local(s), initial);
                continue;
            }
            declarations += fmt::format("    double {} = {};\n", local_name_[s], initial);
            unused_.push_back(local_name_[s]);
        }
        out_ += declarations;
        bool loops = false;
        for_each_in_loops(f.data.body, loops);
        if (loops) out_ += "    long steps_ = 0;\n";
        deep_ = recursive_.contains(f.key.callee);
        if (deep_) out_ += "    static int depth_ = 0;\n";
        out_ += "\n";
        for (const std::string& name : unused_) out_ += fmt::format("    (void){};\n", name);
        unused_.clear();
        if (deep_)
            out_ += fmt::format(
                "    if (depth_ >= {}) {{\n        problem = \"function {} calls itself without end, or very "
                "deeply\";\n        return 0;\n    }}\n    depth_++;\n",
                deepest_recursion, comment(f.data.name));
        out_ += values;
        for (const auto& [slot, v] : f.data.constants)
            out_ += fmt::format("    {} = {};\n", local(slot), c_spelling().number(v));
        result_ = f.result;
        statements(f.data.body, 1);
        leave("    ");
        function_ = nullptr;
    }

    static void for_each_in_loops(const std::vector<FunctionStatement>& body, bool& any) {
        for (const FunctionStatement& s : body) {
            if (std::holds_alternative<FunctionFor>(s.what) || std::holds_alternative<FunctionWhile>(s.what))
                any = true;
            if (const auto* branch = std::get_if<FunctionIf>(&s.what))
                for (const auto& [c, list] : branch->branches) for_each_in_loops(list, any);
        }
    }

    void leave(const std::string& indent) {
        if (deep_) out_ += indent + "depth_--;\n";
        out_ += indent + "return " + local(result_) + ";\n";
    }

    void statements(const std::vector<FunctionStatement>& body, int depth) {
        const std::string indent(static_cast<std::size_t>(4 * depth), ' ');
        const char* guard =
            "if (++steps_ > 100000000) {{\n{0}        problem = \"a function that does not come to an "
            "end\";\n{0}        break;\n{0}    }}\n";
        for (const FunctionStatement& s : body) {
            if (const auto* assign = std::get_if<FunctionAssign>(&s.what)) {
                line(indent + printer_.number(assign->target) + " = " + printer_.number(assign->value) + ";");
            } else if (const auto* branch = std::get_if<FunctionIf>(&s.what)) {
                bool first = true;
                for (const auto& [condition, list] : branch->branches) {
                    out_ += first ? indent : " ";
                    if (condition)
                        out_ += fmt::format("{}if ({}) {{\n", first ? "" : "else ",
                                            printer_.condition(condition));
                    else
                        out_ += first ? "{\n" : "else {\n";
                    statements(list, depth + 1);
                    out_ += indent + "}";
                    first = false;
                }
                out_ += "\n";
            } else if (const auto* loop = std::get_if<FunctionFor>(&s.what)) {
                const std::string v = local(loop->slot);
                const std::string step = loop->step ? printer_.number(loop->step) : "1.0";
                out_ += indent + "{\n" + indent + "    const double from_ = " + printer_.number(loop->from) +
                        ", to_ = " + printer_.number(loop->to) + ", step_ = " + step + ";\n" + indent +
                        "    const long count_ = (long)floor((to_ - from_) / step_ + 1e-9);\n" + indent +
                        "    long k_;\n" + indent + "    for (k_ = 0; k_ <= count_; k_++) {\n" + indent +
                        "        " + v + " = from_ + (double)k_ * step_;\n" + indent + "        " +
                        fmt::format(fmt::runtime(guard), indent + "    ");
                statements(loop->body, depth + 2);
                out_ += indent + "    }\n" + indent + "}\n";
            } else if (const auto* loop = std::get_if<FunctionWhile>(&s.what)) {
                out_ += indent + "while (" + printer_.condition(loop->condition) + ") {\n" + indent + "    " +
                        fmt::format(fmt::runtime(guard), indent);
                statements(loop->body, depth + 1);
                out_ += indent + "}\n";
            } else if (const auto* leave = std::get_if<FunctionLeave>(&s.what)) {
                if (leave->loop)
                    out_ += indent + "break;\n";
                else
                    this->leave(indent);
            } else if (const auto* a = std::get_if<FunctionAssert>(&s.what)) {
                line(indent + "if (!(" + printer_.condition(a->condition) +
                     ")) problem = " + c_string(a->text) + ";");
            }
        }
    }

    // ---- procedures

    std::string line_text(const CodeLine& c) {
        if (c.kind == CodeLine::Kind::Solve)
            return fmt::format("if (solve({})) return 1; /* {} */", c.number,
                               comment(unknowns_text(p_.model, *l_.loops[c.number].block)));
        const bool temporary = c.place.kind == Place::Kind::Temporary;
        defining_ = temporary ? c.value : nullptr;
        const std::string text = place(c.place) + " = " + printer_.number(c.value) + ";";
        defining_ = nullptr;
        if (c.kind == CodeLine::Kind::Parameter) return fmt::format("if (!given[{}]) {}", c.number, text);
        return temporary ? "const double " + text : text;
    }

    void write_lines(const Procedure& procedure) {
        procedure_ = &procedure;
        for (const std::string& text :
             used_lines(procedure, used_, [&](const CodeLine& c) { return line_text(c); }))
            line("    " + text);
        procedure_ = nullptr;
    }

    void procedure(const std::string& name, const Procedure& p, bool solves, const std::string& what) {
        out_ += fmt::format("\n{}static {} {}(void)\n{{\n", what.empty() ? "" : "/* " + what + " */\n",
                            solves ? "int" : "void", name);
        write_lines(p);
        out_ += solves ? "    return 0;\n}\n" : "}\n";
    }

    void procedures() {
        out_ += "\n/* ---- the model */\n";
        procedure("parameters", l_.compute_parameters, false,
                  "Parameters that were not given on the command line, in order of computation.");
        procedure("clocks", l_.compute_clocks, false, "First ticks and periods of clocks.");
        procedure("guesses", l_.guesses, false,
                  "Guesses for the initialization, discrete variables before the first event.");
        for (std::size_t i = 0; i < l_.loops.size(); ++i) {
            const ListedLoop& loop = l_.loops[i];
            procedure(fmt::format("residuals_{}", i), loop.residual, false,
                      fmt::format("Loop {}, {}: {}", i, loop.linear ? "linear" : "nonlinear",
                                  comment(unknowns_text(p_.model, *loop.block))));
            procedure(fmt::format("partials_{}", i), loop.jacobian, false, "");
        }
        if (!l_.loops.empty()) {
            if (needs_settling(l_)) out_ += "\nstatic void eliminated(void);\n";
            std::vector<std::string> kept;
            for (std::size_t i = 0; i < l_.loops.size(); ++i) {
                const ListedLoop& loop = l_.loops[i];
                std::string text = fmt::format("static const int loop_z{}[] = {{", i);
                for (std::size_t k = 0; k < loop.torn.size(); ++k)
                    text += fmt::format("{}{}", k ? ", " : "", loop.torn[k]);
                out_ += i ? "" : "\n";
                line(text + "};");
                numbers(fmt::format("static const double loop_nominal{}[] = ", i), loop.nominal);
                numbers(fmt::format("static const double loop_minimum{}[] = ", i), loop.minimum);
                numbers(fmt::format("static const double loop_maximum{}[] = ", i), loop.maximum);
                const auto inputs = loop_inputs(l_, loop);
                kept.push_back(inputs ? fmt::format("{}, loop_input{}, loop_found{}", inputs->size(), i, i)
                                      : "-1, NULL, NULL");
                const std::vector<OpenQuantity> quantities = loop_quantities(l_, loop);
                kept.back() += quantities.empty()
                                   ? ", 0, NULL, NULL, NULL"
                                   : fmt::format(", {}, loop_quantity{}, loop_size{}, eliminated",
                                                 quantities.size(), i, i);
                if (!quantities.empty()) {
                    std::vector<std::size_t> slots;
                    std::vector<double> sizes;
                    for (const OpenQuantity& q : quantities) {
                        slots.push_back(l_.slot_of(q.unknown));
                        sizes.push_back(q.size);
                    }
                    integers(fmt::format("static const int loop_quantity{}[] = ", i), slots);
                    numbers(fmt::format("static const double loop_size{}[] = ", i), sizes);
                }
                if (!inputs) continue;
                text = fmt::format("static const int loop_input{}[] = {{", i);
                for (std::size_t k = 0; k < inputs->size(); ++k)
                    text += fmt::format("{}{}", k ? ", " : "", (*inputs)[k]);
                line(text + (inputs->empty() ? "0};" : "};"));
                out_ +=
                    fmt::format("static double loop_found{}[{}];\n", i, loop.torn.size() + inputs->size());
            }
            out_ += "static const Loop loops[NLOOP] = {\n";
            for (std::size_t i = 0; i < l_.loops.size(); ++i)
                line(
                    fmt::format("    {{{}, {}, {}, loop_z{}, loop_nominal{}, loop_minimum{}, loop_maximum{}, "
                                "residuals_{}, partials_{}, {}}}{}",
                                c_string(loop_problem(p_.model, *l_.loops[i].block)), l_.loops[i].torn.size(),
                                l_.loops[i].linear      ? 1
                                : l_.loops[i].piecewise ? 2
                                                        : 0,
                                i, i, i, i, i, i, kept[i], i + 1 < l_.loops.size() ? "," : ""));
            out_ += "};\n";
        }
        procedure("initial", l_.initial, true, "Initialization: states and all other variables.");
        procedure("homotopy", l_.homotopy, true,
                  "Initialization, between the simplified and the actual model.");
        procedure("jump", l_.jump, true, "States after a jump of what is differentiated.");
        procedure("state_derivatives", l_.derivatives, true,
                  "The derivatives of the states, and what they need.");
        procedure("auxiliaries", l_.auxiliaries, true, "What the derivatives do not need.");
        procedure("eliminated", l_.eliminated, false, "Variables that are sums or names of others.");
        procedure("crossings", l_.crossings, false,
                  "What changes its sign where a relation changes, instants of time events.");
        procedure("conditions", l_.conditions, false, "Conditions of when clauses and of validity.");
        if (!p_.selections.empty())
            procedure("selections", l_.selections, false,
                      "Partial derivatives of constraints, for the choice of states.");
        if (l_.jacobian)
            procedure("state_jacobian_elements", l_.jacobian->elements, false,
                      "Partial derivatives of the right-hand side and of the residuals of loops by states "
                      "and iterated "
                      "unknowns.");
        for (std::size_t w = 0; w < l_.when_values.size(); ++w)
            procedure(fmt::format("when_values_{}", w), l_.when_values[w], false,
                      "when " + comment(to_text(p_.model.whens[w].condition, p_.model.printer())));
        out_ += "\nstatic void when_values(int w)\n{\n    switch (w) {\n";
        for (std::size_t w = 0; w < l_.when_values.size(); ++w)
            out_ += fmt::format("    case {}: when_values_{}(); break;\n", w, w);
        out_ += "    default: break;\n    }\n}\n";
    }

    // ---- data of the driver

    void integers(const std::string& head, const std::vector<std::size_t>& list) {
        std::string text = head + "{";
        for (std::size_t i = 0; i < list.size(); ++i) text += fmt::format("{}{}", i ? ", " : "", list[i]);
        if (list.empty()) text += "0";
        line(text + "};");
    }

    void rows(const std::string& head, const std::vector<std::string>& list, const std::string& none) {
        out_ += head + "{\n";
        for (std::size_t i = 0; i < list.size(); ++i)
            line("    " + list[i] + (i + 1 < list.size() ? "," : ""));
        if (list.empty()) out_ += "    " + none + "\n";
        out_ += "};\n";
    }

    void data() {
        out_ += "\n/* ---- lists for what follows */\n\n";
        std::vector<std::string> list;
        for (VariableIndex v : l_.parameters)
            list.push_back(fmt::format("{{{}, {}, {}, {}}}", c_string(p_.model.path(v)), l_.variable[v.value],
                                       p_.model.variables[v].structural || fixed(v) ? 1 : 0,
                                       c_string(p_.model.variables[v].unit)));
        rows("static const Parameter parameter_list[SIZE(NPARAMETER)] = ", list, "{\"\", 0, 0, \"\"}");
        list.clear();
        for (const auto& [name, slot] : columns_)
            list.push_back(fmt::format("{{{}, {}}}", c_string(name), slot));
        rows("static const Column columns[NCOLUMN] = ", list, "");
        std::vector<std::size_t> kinds, timed, kinks;
        for (const Switch& s : p_.switches) {
            kinks.push_back(s.kink);
            kinds.push_back(static_cast<std::size_t>(kind_of(s)));
            timed.push_back(s.instant != nullptr);
        }
        integers("static const int switch_kind[SIZE(NSWITCH)] = ", kinds);
        integers("static const int switch_timed[SIZE(NSWITCH)] = ", timed);
        integers("static const int switch_kink[SIZE(NSWITCH)] = ", kinks);
        integers("static const int switch_branch[SIZE(NSWITCH)] = ",
                 {l_.branches.begin(), l_.branches.end()});
        if (needs_settling(l_)) {
            integers("static const int switch_in_loop[SIZE(NSWITCH)] = ",
                     {options_.in_loops.begin(), options_.in_loops.end()});
            integers("static const int switch_uncertain[SIZE(NSWITCH)] = ",
                     {options_.uncertain.begin(), options_.uncertain.end()});
        }
        integers("static const int acts_at_start[SIZE(NWHEN)] = ", l_.acts_at_start);
        integers("static const int branches_before[SIZE(NWHEN)] = ", l_.branches_before);
        integers("static const int delay_circular[SIZE(NDELAY)] = ",
                 {options_.circular_delays.begin(), options_.circular_delays.end()});
        integers("static const int delay_varies[SIZE(NDELAY)] = ",
                 {options_.varying_delays.begin(), options_.varying_delays.end()});
        std::vector<std::size_t> parts;
        for (VariableIndex v : p_.actual_parts) parts.push_back(l_.variable[v.value]);
        integers("static const int actual_part[SIZE(NHOMOTOPY)] = ", parts);
        list.clear();
        for (const ListedAction& a : l_.actions)
            list.push_back(fmt::format("{{{}, {}, {}, {}, {}, {}, {}}}", static_cast<int>(a.kind), a.when,
                                       a.target, a.before, a.value, a.guard, c_string(a.message)));
        rows("static const Action actions[SIZE(NACTION)] = ", list, "{0, 0, 0, 0, 0, 0, \"\"}");
        const auto pairs = [&](const char* name, const char* size,
                               const std::vector<VariableIndex>& variables) {
            list.clear();
            for (VariableIndex v : variables)
                list.push_back(fmt::format("{{{}, {}}}", l_.variable[v.value], l_.previous[v.value]));
            rows(fmt::format("static const Copy {}[SIZE({})] = ", name, size), list, "{0, 0}");
        };
        pairs("previous", "NPREVIOUS", l_.before);
        pairs("jump_causes", "NJUMP", p_.jump_causes);
        list.clear();
        for (const Validity& v : p_.model.validities) list.push_back(c_string(assertion_text(p_.model, v)));
        rows("static const char *const validities[SIZE(NVALID)] = ", list, "\"\"");
        std::vector<std::size_t> levels;
        for (const Validity& v : p_.model.validities) levels.push_back(v.level == AssertionLevel::Error);
        integers("static const int assertion_ends[SIZE(NVALID)] = ", levels);
        list.clear();
        for (VariableIndex v : p_.states) list.push_back(c_string(p_.model.path(v)));
        rows("static const char *const state_names[SIZE(NX)] = ", list, "\"\"");
        std::vector<std::size_t> tracked;
        for (Slot s : tracked_slots(l_)) tracked.push_back(s);
        integers("static const int tracked[SIZE(NTRACKED)] = ", tracked);
        numbers("static const double state_scale[SIZE(NX)] = ", state_scales(p_));
        list.clear();
        for (const Breakpoint& b : breakpoints_)
            list.push_back(fmt::format("{{{}, {}}}", c_spelling().number(b.time), b.jumps ? 1 : 0));
        rows("static const Breakpoint breakpoints[SIZE(NBREAKPOINT)] = ", list, "{0, 0}");
        groups();
    }

    // Parameters whose values the program has taken in elsewhere: constants.
    bool fixed(VariableIndex v) const { return p_.model.variables[v].variability == Variability::Constant; }

    void groups() {
        if (p_.selections.empty()) return;
        std::vector<std::string> list;
        std::size_t first = 0;
        for (std::size_t i = 0; i < p_.selections.size(); ++i) {
            const StateSelection& s = p_.selections[i];
            std::vector<std::size_t> candidates, states, selectors, chosen;
            std::vector<double> nominal, weight;
            for (std::size_t c = 0; c < s.candidates.size(); ++c) {
                candidates.push_back(l_.variable[s.candidates[c].value]);
                nominal.push_back(std::abs(p_.model.variables[s.candidates[c]].nominal.value_or(1)));
                weight.push_back(std::min(s.weights[c], 2.0));
            }
            for (std::size_t k = 0; k < s.states.size(); ++k) {
                states.push_back(l_.variable[s.states[k].value]);
                chosen.push_back(k);
                for (VariableIndex v : s.selectors[k]) selectors.push_back(l_.variable[v.value]);
            }
            integers(fmt::format("static const int group_candidate{}[] = ", i), candidates);
            integers(fmt::format("static const int group_state{}[] = ", i), states);
            integers(fmt::format("static const int group_selector{}[] = ", i), selectors);
            integers(fmt::format("static int group_chosen{}[] = ", i), chosen);
            numbers(fmt::format("static const double group_nominal{}[] = ", i), nominal);
            numbers(fmt::format("static const double group_weight{}[] = ", i), weight);
            list.push_back(fmt::format(
                "{{{}, {}, {}, {}, group_candidate{}, group_state{}, group_selector{}, "
                "group_nominal{}, group_weight{}, group_chosen{}}}",
                s.candidates.size(), s.constraints.size(), s.states.size(), first, i, i, i, i, i, i));
            first += s.constraints.size() * s.candidates.size();
        }
        rows("static const Group groups[SIZE(NGROUP)] = ", list, "");
    }

    std::set<std::string> declared_;
    std::uint32_t result_ = 0;           // slot of the function at hand
    std::set<std::uint32_t> recursive_;  // functions, by callee
    bool deep_ = false;                  // the function at hand is one
    std::vector<std::string> unused_;
};

}  // namespace

std::optional<std::string> emit_c(const Partition& partition, const ExportOptions& options,
                                  Diagnostics& diagnostics) {
    Listing listing = make_listing(partition, options.frequencies, options.solved);
    mark_piecewise(listing, options);
    if (!can_be_program(listing, TargetLanguage::C, diagnostics)) return std::nullopt;
    return CEmitter(listing, options).emit();
}

}  // namespace cutset
