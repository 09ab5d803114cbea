// cutset symbolic: rename, substitute, eliminate, solve for, differentiate, simplify: on the equations of a
// model or on one expression, step by step in the order of the command line.
#include <fmt/format.h>

#include <memory>
#include <set>

#include "base/json.h"
#include "commands.h"
#include "export/code_names.h"
#include "export/listed_temporaries.h"
#include "expr/print_code.h"
#include "model/model_options.h"
#include "operations/symbolic/symbolic_steps.h"
#include "output/console.h"
#include "output/json_output.h"
#include "translate/translator.h"

namespace cutset::cli {

namespace {

struct SymbolicOptions : ModelOptions {
    std::string expression;
    std::vector<SymbolicStep> steps;
    bool latex = false, c = false;
};

std::string joined(const std::vector<Expr>& list, const Printer& names) {
    std::string text;
    for (Expr e : list) text += (text.empty() ? "" : " and ") + to_text(e, names);
    return text;
}

std::string verdict_text(const SymbolicSystem& s, const SymbolicSystem::Verdict& v) {
    const std::string name = to_text(v.unknown, s.printer());
    return v.every ? fmt::format("holds for every {}", name) : fmt::format("no real solution for {}", name);
}

void print_text(const SymbolicSystem& s) {
    const Printer names = s.printer();
    const auto text = [&](Expr e) { return to_text(e, names); };
    if (s.expression()) fmt::print("{}\n", text(s.expression()));
    const auto list = [&](const char* heading, const std::vector<Equation>& equations, const char* sign,
                          bool numbers) {
        if (equations.empty()) return;
        fmt::print("{}\n", heading);
        for (std::size_t i = 0; i < equations.size(); ++i)
            fmt::print("  {}{} {} {}\n", numbers ? fmt::format("{:>3}  ", i + 1) : "",
                       text(equations[i].left), sign, text(equations[i].right));
    };
    list("equations", s.equations(), "=", true);
    list("given", s.given(), "=", false);
    list("eliminated", s.eliminated(), ":=", false);
    for (const auto& v : s.verdicts()) fmt::print("{}\n", verdict_text(s, v));
    if (!s.branches().empty()) fmt::print("solutions\n");
    for (const auto& b : s.branches()) {
        fmt::print("  {} = {}", text(b.unknown), text(b.solution.value));
        if (!b.solution.conditions.empty()) fmt::print("   if {}", joined(b.solution.conditions, names));
        fmt::print("\n");
        if (!b.solution.note.empty()) fmt::print("      {}\n", b.solution.note);
    }
    if (s.determinant()) fmt::print("determinant\n  {}\n", text(s.determinant()));
    if (!s.conditions().empty()) fmt::print("provided that\n");
    for (Expr c : s.conditions()) fmt::print("  {}\n", text(c));
    if (!s.assumptions().empty()) fmt::print("assuming\n");
    for (Expr c : s.assumptions()) fmt::print("  {}\n", text(c));
}

void print_latex(const SymbolicSystem& s) {
    const Printer names = s.printer();
    const auto latex = [&](Expr e) { return to_latex(e, names); };
    std::vector<std::string> rows;
    if (s.expression()) rows.push_back("& " + latex(s.expression()));
    for (const Equation& e : s.equations()) rows.push_back(latex(e.left) + " &= " + latex(e.right));
    for (const Equation& e : s.given()) rows.push_back(latex(e.left) + " &= " + latex(e.right));
    for (const Equation& e : s.eliminated()) rows.push_back(latex(e.left) + " &:= " + latex(e.right));
    for (const auto& b : s.branches()) {
        std::string row = latex(b.unknown) + " &= " + latex(b.solution.value);
        for (std::size_t i = 0; i < b.solution.conditions.size(); ++i)
            row += (i ? ",\\ " : " \\quad\\text{if } ") + latex(b.solution.conditions[i]);
        rows.push_back(row);
    }
    for (const auto& v : s.verdicts()) rows.push_back("& \\text{" + verdict_text(s, v) + "}");
    for (Expr c : s.conditions()) rows.push_back("& \\text{provided that } " + latex(c));
    fmt::print("\\begin{{align*}}\n");
    for (std::size_t i = 0; i < rows.size(); ++i)
        fmt::print("  {}{}\n", rows[i], i + 1 < rows.size() ? " \\\\" : "");
    fmt::print("\\end{{align*}}\n");
}

// Assignments where an equation has a variable alone on the left, residuals else; shared subexpressions once.
void print_c(const SymbolicSystem& s) {
    CodeNames identifiers(true, 60);
    identifiers.reserve(
        "auto break case char const continue default do double else enum extern float for goto if int "
        "long register return short signed sizeof static struct switch typedef union unsigned void "
        "volatile while inline restrict time");
    std::unordered_map<Expr, std::string> of_leaf;
    const auto leaf_name = [&](Expr e) {
        const auto found = of_leaf.find(e);
        if (found != of_leaf.end()) return found->second;
        std::string name = s.name(e->variable());
        for (std::uint32_t k = 0; k < e->order; ++k) name = "der_" + name;
        return of_leaf[e] = identifiers.make(name);
    };
    Procedure procedure;
    std::vector<std::pair<std::string, Expr>> targets;
    std::uint32_t residual = 0;
    std::set<Expr> assigned;
    const auto add = [&](const Equation& e) {
        if (e.left->op == Op::Variable && !contains(e.right, e.left) && assigned.insert(e.left).second)
            targets.emplace_back(leaf_name(e.left), e.right);
        else
            targets.emplace_back(fmt::format("residual[{}]", residual++), s.pool().subtract(e.left, e.right));
    };
    if (s.expression()) targets.emplace_back("value", s.expression());
    for (const Equation& e : s.equations()) add(e);
    for (std::uint32_t i = 0; i < targets.size(); ++i)
        procedure.lines.push_back({CodeLine::Kind::Assign, {Place::Kind::Quantity, i}, targets[i].second, 0});
    name_shared(procedure);
    Expr defining = nullptr;
    std::vector<std::uint32_t> used;
    CodePrinter printer(c_spelling(), [&](CodePrinter& p, Expr e, bool) -> std::optional<std::string> {
        if (const auto found = procedure.names.find(e); found != procedure.names.end() && e != defining) {
            used.push_back(found->second);
            return fmt::format("t{}", found->second + 1);
        }
        if (e->op == Op::Variable) return leaf_name(e);
        if (e->op == Op::Previous) return "pre_" + s.name(e->variable());
        if (e->op == Op::Time) return "time";
        if (e->op == Op::Apply || c_spelling().function(e->op) == nullptr) {
            if (e->argument_count == 0 || e->boolean || e->op == Op::Add || e->op == Op::Multiply ||
                e->op == Op::Power || e->op == Op::If || e->op == Op::NoEvent)
                return std::nullopt;
            std::string text = e->op == Op::Apply ? s.printer().callee(e->callee()) + "(" : "unknown(";
            for (std::size_t i = 0; i < e->argument_count; ++i) text += (i ? ", " : "") + p.number(e->arg(i));
            return text + ")";
        }
        return std::nullopt;
    });
    const auto text = [&](const CodeLine& line) {
        const bool temporary = line.place.kind == Place::Kind::Temporary;
        defining = temporary ? line.value : nullptr;
        return fmt::format("{} = {};\n",
                           temporary ? fmt::format("const double t{}", line.place.index + 1)
                                     : targets[line.place.index].first,
                           printer.number(line.value));
    };
    for (const std::string& line : used_lines(procedure, used, text)) fmt::print("{}", line);
    procedure.names.clear();
    for (const auto& b : s.branches()) {
        defining = nullptr;
        fmt::print("{} = {};{}\n", leaf_name(b.unknown), printer.number(b.solution.value),
                   b.solution.conditions.empty()
                       ? ""
                       : " /* if " + joined(b.solution.conditions, s.printer()) + " */");
    }
    for (const auto& v : s.verdicts()) fmt::print("/* {} */\n", verdict_text(s, v));
    for (Expr c : s.conditions()) fmt::print("/* provided that {} */\n", to_text(c, s.printer()));
}

Json as_json(const SymbolicSystem& s) {
    const Printer names = s.printer();
    const auto text = [&](Expr e) { return to_text(e, names); };
    const auto texts = [&](const std::vector<Expr>& list) {
        Json out = Json::array();
        for (Expr e : list) out.push_back(text(e));
        return out;
    };
    const auto equations = [&](const std::vector<Equation>& list) {
        Json out = Json::array();
        for (const Equation& e : list)
            out.push_back({{"left", text(e.left)},
                           {"right", text(e.right)},
                           {"equation", text(e.left) + " = " + text(e.right)}});
        return out;
    };
    Json out = {{"status", "done"},
                {"equations", equations(s.equations())},
                {"given", equations(s.given())},
                {"eliminated", Json::array()},
                {"solutions", Json::array()},
                {"conditions", texts(s.conditions())},
                {"assumptions", texts(s.assumptions())}};
    for (const auto& v : s.verdicts()) {
        out["status"] = v.every ? "every" : "none";
        out["message"] = verdict_text(s, v);
    }
    if (s.expression()) out["expression"] = text(s.expression());
    if (s.determinant()) out["determinant"] = text(s.determinant());
    for (const Equation& e : s.eliminated())
        out["eliminated"].push_back({{"variable", text(e.left)}, {"value", text(e.right)}});
    for (const auto& b : s.branches())
        out["solutions"].push_back({{"variable", text(b.unknown)},
                                    {"value", text(b.solution.value)},
                                    {"conditions", texts(b.solution.conditions)},
                                    {"note", b.solution.note}});
    return out;
}

std::optional<SymbolicSystem> opened(const SymbolicOptions& options, Workspace& workspace) {
    if (!options.expression.empty())
        return symbolic_system(options.expression, workspace.text.sources(), workspace.diagnostics);
    auto experiment = open_model(options, workspace);
    if (!experiment) return std::nullopt;
    experiment->open = true;  // inputs need no values
    const auto flat = Translator(workspace).flatten(options.model, *experiment, workspace.diagnostics);
    if (!flat) return std::nullopt;
    return SymbolicSystem(*flat);
}

int symbolic(const SymbolicOptions& options) {
    Workspace workspace;
    if (options.expression.empty() == options.file.empty())
        return refuse(workspace, options,
                      bad_option("a model file or --expr is wanted, and not both",
                                 "`cutset symbolic --help` has examples"));
    std::optional<SymbolicSystem> system = opened(options, workspace);
    const bool good =
        system && apply_steps(options.steps, *system, workspace.text.sources(), workspace.diagnostics);
    if (good && options.json)
        print_json(as_json(*system));
    else if (good && options.latex)
        print_latex(*system);
    else if (good && options.c)
        print_c(*system);
    else if (good)
        print_text(*system);
    std::fflush(stdout);
    if (good && options.json) return 0;
    return finish(workspace, options);
}

}  // namespace

void add_symbolic(CommandLine& line) {
    auto o = std::make_shared<SymbolicOptions>();
    Command& c =
        line.add("symbolic", groups::model,
                 "rename, substitute, eliminate, solve, differentiate and simplify equations by formula",
                 [o] { return symbolic(*o); });
    add_model_options(c, *o, false);
    c.option("--expr", o->expression, "work on this expression or equation instead of a model");
    c.step("--rename", o->steps, SymbolicStepKind::Rename, true, "OLD=NEW: another name for a variable");
    c.step("--substitute", o->steps, SymbolicStepKind::Substitute, true,
           "\"x=EXPRESSION\": put it in for x everywhere; noted as given");
    c.step("--eliminate", o->steps, SymbolicStepKind::Eliminate, true,
           "v1,v2: solve an equation for it and put it into the others; v@3 by equation 3");
    c.step("--solve-for", o->steps, SymbolicStepKind::SolveFor, true,
           "v or der(x): solve an equation for it, all branches; v1,v2,…: linear equations together");
    c.step("--differentiate", o->steps, SymbolicStepKind::Differentiate, true,
           "an equation (its number, or the variable it gives) by time; with --expr the expression by a "
           "variable");
    c.step("--assume", o->steps, SymbolicStepKind::Assume, true,
           "\"x>0\": simplify under this assumption, also in later steps");
    c.step("--simplify", o->steps, SymbolicStepKind::Simplify, false, "the shortest form found");
    c.step("--expand", o->steps, SymbolicStepKind::Expand, false, "products of sums multiplied out");
    c.step("--factor", o->steps, SymbolicStepKind::Factor, false, "common factors in front of sums");
    c.step("--collect", o->steps, SymbolicStepKind::Collect, true, "v: by powers of v");
    c.flag("--latex", o->latex, "typeset");
    c.flag("--c", o->c, "as C: assignments, shared subexpressions once");
    c.footer(
        "Steps are done in the order of the command line; each keeps the equations equivalent. What was "
        "divided by is\n"
        "listed under `provided that`.\n"
        "Examples:\n"
        "  cutset symbolic tank.dym --eliminate P --solve-for \"der(h)\"\n"
        "  cutset symbolic bridge.dym --solve-for i1,i2,i3 --c\n"
        "  cutset symbolic motor.dym --differentiate 3 --simplify --latex\n"
        "  cutset symbolic --expr \"sqrt(x^2*y)\" --assume \"x<0\"\n"
        "  cutset symbolic --expr \"a*x^2 + b*x + c = 0\" --solve-for x\n"
        "  cutset symbolic --expr \"x*exp(-k*t)\" --differentiate t --factor");
}

}  // namespace cutset::cli
