#include "languages/simnon/messages.h"

#include <fmt/format.h>

#include "base/foreign_words.h"
#include "base/letters.h"
#include "base/message_parts.h"
#include "expr/elementary_functions.h"

namespace cutset::simnon {

namespace {

Diagnostic error(Span where, std::string code, std::string message, std::string help = "") {
    return make_error(where, std::move(code), std::move(message), std::move(help));
}
// While the text is typed, more lines may take it away.
Diagnostic unfinished(Span where, std::string code, std::string message, std::string help = "") {
    return with_concern(make_error(where, std::move(code), std::move(message), std::move(help)),
                        Concern::UnfinishedText);
}

std::string a_or_an(std::string_view word) {
    const bool vowel =
        !word.empty() && std::string_view("AEIOU").find(word.front()) != std::string_view::npos;
    return fmt::format("{} {}", vowel ? "an" : "a", word);
}

// What a variable is, in words.
std::string role_text(SystemRole role) {
    if (role == SystemRole::Parameter) return "a parameter";
    if (role == SystemRole::Auxiliary) return "an auxiliary variable";
    return fmt::format("declared as {}", spelling(role));
}

}  // namespace

// ---- characters and expressions

Diagnostic illegal_character(Span where, std::string_view text) {
    const unsigned char first = text.empty() ? 0 : static_cast<unsigned char>(text[0]);
    if (text.size() <= 1 && (first < 0x20 || first >= 0x7F))
        return error(where, "illegal-character", fmt::format("ILLEGAL CHARACTER: byte 0x{:02X}", first),
                     "is this a text file in UTF-8?");
    std::string help = "names are made of letters and digits; a comment begins with a double quote";
    if (text == "." || text == ";") help = "each statement stands on a line of its own";
    if (text == "'") help = "a comment begins with a double quote; x' is written as the DER variable of x";
    if (text == "!" || text == "%" || text == "{" || text == "}" || text == "#")
        help = "a comment begins with a double quote";
    if (text == "\xE2\x88\x92" || text == "\xE2\x80\x93") help = "write `-`";
    if (text == "&") help = "write AND";
    if (text == "|") help = "write OR";
    if (text == "\xE2\x89\xA4" || text == "\xE2\x89\xA5") help = "write NOT a > b, or NOT a < b";
    return error(where, "illegal-character", fmt::format("ILLEGAL CHARACTER: {}", text), help);
}

Diagnostic bad_number(Span where, std::string_view text) {
    return error(where, "bad-number", fmt::format("ILLEGAL NUMBER: {}", text),
                 "numbers are written 5, .08, 5.75, 2E5 or 2.59E-4, with a blank or an operator after them");
}

Diagnostic relation_not_allowed(Span where, std::string_view text) {
    const std::string help = text == "<="   ? "write NOT a > b"
                             : text == ">=" ? "write NOT a < b"
                                            : "write a < b OR a > b";
    return error(where, "illegal-operator", fmt::format("ILLEGAL OPERATOR: {}", text),
                 "the relations are < and >; " + help);
}

Diagnostic missing_left_parenthesis(Span where, std::string_view function, bool closing) {
    return error(
        where, "missing-parenthesis", "MISSING LEFT PARENTHESIS",
        closing ? "this `)` has no `(` before it" : fmt::format("{0} is a function: write {0}(…)", function));
}

Diagnostic missing_right_parenthesis(Span where, Span opening) {
    Diagnostic d =
        error(where, "missing-parenthesis", "MISSING RIGHT PARENTHESIS", "close the bracket with `)`");
    d.related.push_back({opening, "opened here"});
    return d;
}

Diagnostic missing_bracket(Span where) {
    return error(where, "missing-bracket", "MISSING RIGHT BRACKET",
                 "a variable of another system is written v[SYSTEM]");
}

Diagnostic missing_operand(Span where, std::string_view found) {
    return error(
        where, "missing-operand",
        found.empty() ? "MISSING OPERAND" : fmt::format("MISSING OPERAND: {} stands in its place", found),
        "a number, a variable, a function or a bracket belongs here");
}

Diagnostic missing_operator(Span where, std::string_view found) {
    return error(where, "missing-operator", fmt::format("MISSING OPERATOR before {}", found),
                 found == "=" || found == ":" ? "only one variable can be assigned in a statement"
                                              : "operators are + - * / ^ < > AND OR NOT");
}

Diagnostic missing_then(Span where) {
    return error(where, "missing-then", "MISSING THEN", "write IF condition THEN value ELSE value");
}

Diagnostic missing_else(Span where) {
    return error(where, "missing-else", "MISSING ELSE", "write IF condition THEN value ELSE value");
}

Diagnostic if_needs_brackets(Span where) {
    return error(where, "if-needs-brackets", "IF MUST STAND IN PARENTHESES",
                 "inside an expression write (IF condition THEN value ELSE value)");
}

Diagnostic relation_chain(Span where) {
    return error(where, "relation-chain", "TWO RELATIONS IN A ROW", "write a < b AND b < c");
}

Diagnostic wrong_argument_count(Span where, std::string_view function, std::size_t wanted,
                                std::size_t found) {
    return error(where, "argument-count", fmt::format("WRONG NUMBER OF ARGUMENTS: {}", function),
                 fmt::format("{} takes {}, here it has {}", function,
                             wanted == 1 ? "one argument" : "two arguments", found));
}

Diagnostic unknown_function(Span where, std::string_view name, const std::string& near) {
    // TANH is a function elsewhere, and no TAN mistyped; and no help names what Simnon does not have.
    const bool elsewhere = find_elementary_function(lower_case(name)) != nullptr;
    std::string foreign = foreign_function_help(name, "as the DER variable of the state");
    if (foreign.starts_with("write ")) {
        const std::string meant = foreign.substr(6, foreign.find('(') - 6);
        const ElementaryFunction* f = find_elementary_function(meant);
        if (f && !f->simnon) foreign.clear();
    }
    return error(where, "unknown-function", fmt::format("UNKNOWN FUNCTION: {}", name),
                 !foreign.empty() ? foreign
                 : !near.empty() && !elsewhere
                     ? fmt::format("did you mean {}?", near)
                     : fmt::format("functions are {}; a variable of another system is written v[SYSTEM], a "
                                   "product with `*`",
                                   names_of_functions(&FunctionTraits::simnon, " ")));
}

Diagnostic too_deep(Span where) {
    return error(where, "nesting-too-deep", "EXPRESSION TOO DEEP",
                 "split it up with auxiliary variables: brackets and conditions can be nested 200 deep");
}

// ---- lines

Diagnostic illegal_statement(Span where, std::string_view found, const std::string& near) {
    return error(where, "illegal-statement", fmt::format("ILLEGAL STATEMENT: {}", found),
                 near.empty()
                     ? "a statement is `variable = expression`, `variable: number`, a declaration, a "
                       "section heading or END"
                     : fmt::format("did you mean {}?", near));
}

Diagnostic missing_heading(Span where) {
    return error(where, "missing-heading", "MISSING SYSTEM HEADING",
                 "begin with CONTINUOUS SYSTEM name, DISCRETE SYSTEM name or CONNECTING SYSTEM name");
}

Diagnostic misspelled_heading(Span where, std::string_view written, std::string_view near) {
    return error(where, "missing-heading", fmt::format("ILLEGAL SYSTEM HEADING: {}", written),
                 fmt::format("did you mean {}?", near));
}

Diagnostic bad_heading(Span where) {
    return error(where, "bad-heading", "ILLEGAL SYSTEM HEADING",
                 "write CONTINUOUS SYSTEM name, DISCRETE SYSTEM name or CONNECTING SYSTEM name");
}

Diagnostic missing_end(Span where, const System& system) {
    Diagnostic d = unfinished(where, "missing-end", "MISSING END",
                              fmt::format("system {} ends with a line END", system.name));
    d.related.push_back({system.where, "the system begins here"});
    return d;
}

Diagnostic end_twice(Span where) {
    return error(where, "end-closes-nothing", "END WITHOUT SYSTEM", "no system is open here: remove it");
}

Diagnostic too_long(Span where, std::string_view what, std::string help) {
    if (help.empty())
        help = "each statement stands on a line of its own; a comment begins with a double quote";
    return error(where, "text-after-statement", fmt::format("TEXT AFTER {}", what), std::move(help));
}

Diagnostic word_as_name(Span where, std::string_view word) {
    return error(where, "word-as-name", fmt::format("RESERVED WORD: {}", word),
                 "a variable cannot have the name of a word of the language");
}

Diagnostic missing_name(Span where, std::string_view what) {
    return error(where, "missing-name", fmt::format("MISSING {}", what),
                 "a name is made of letters and digits and begins with a letter");
}

Diagnostic missing_number(Span where, std::string_view name) {
    return error(
        where, "missing-number", "MISSING NUMBER",
        fmt::format("a constant assignment is `{0}: number`; for a computed value write `{0} = …`", name));
}

Diagnostic no_systems(Span where) {
    return unfinished(where, "no-system", "NO SYSTEM IN THIS FILE",
                      "begin with CONTINUOUS SYSTEM name, DISCRETE SYSTEM name or CONNECTING SYSTEM name");
}

Diagnostic too_many_errors(Span where) {
    return error(where, "too-many-errors", "TOO MANY ERRORS", "the rest of the text was not read");
}

// ---- tables 3 to 5

Diagnostic declaration_not_allowed(Span where, std::string_view word, SystemKind kind) {
    const bool connecting = kind == SystemKind::Connecting;
    std::string help = connecting      ? "a connecting system declares TIME only"
                       : word == "DER" ? "in a discrete system write NEW"
                       : word == "NEW" ? "in a continuous system write DER"
                                       : "sampling times belong to discrete systems";
    return error(where, "not-allowed", fmt::format("{} NOT ALLOWED IN {} SYSTEM", word, spelling(kind)),
                 help);
}

Diagnostic declaration_late(Span where, std::string_view word) {
    return error(where, "wrong-order", fmt::format("WRONG ORDER: {}", word),
                 "declarations stand before the sections and assignments");
}

Diagnostic declared_twice(Span where, std::string_view name, Span first) {
    Diagnostic d = error(where, "declared-twice", fmt::format("DECLARED TWICE: {}", name));
    d.related.push_back({first, "it is here already"});
    return d;
}

Diagnostic only_one(Span where, std::string_view word, Span first) {
    Diagnostic d = error(where, "only-one", fmt::format("ONLY ONE {} VARIABLE", word),
                         "a system has one variable of this type");
    d.related.push_back({first, "the other one"});
    return d;
}

Diagnostic section_not_allowed(Span where, Section section, SystemKind kind) {
    return error(where, "not-allowed",
                 fmt::format("{} NOT ALLOWED IN {} SYSTEM", spelling(section), spelling(kind)),
                 kind == SystemKind::Connecting ? "its sections are INITIAL and CONNECT"
                                                : "its sections are INITIAL, OUTPUT and DYNAMICS");
}

Diagnostic section_order(Span where, Section section, Section after) {
    return error(
        where, "wrong-order", fmt::format("WRONG ORDER: {}", spelling(section)),
        section == after
            ? fmt::format("this section stands here already; all its statements belong together")
            : fmt::format("it must stand before {}; the order is {}", spelling(after),
                          after == Section::Connect ? "INITIAL, CONNECT" : "INITIAL, OUTPUT, DYNAMICS"));
}

Diagnostic not_in_section(Span where, const SystemVariable& variable, Section section, SystemKind kind) {
    const std::string_view word = spelling(variable.role);
    std::string help;
    switch (variable.role) {
        case SystemRole::State:
            help = fmt::format(
                "a state is given its {} by its {} variable; only its initial value is "
                "assigned, in the INITIAL section or as `{}: number`",
                kind == SystemKind::Discrete ? "next value" : "derivative",
                kind == SystemKind::Discrete ? "NEW" : "DER", variable.name);
            break;
        case SystemRole::Output:
            help = "outputs are computed in the OUTPUT section";
            if (section == Section::Initial) help += "; only those of discrete systems have initial values";
            break;
        default:
            help = "it is computed in the OUTPUT or the DYNAMICS section";
    }
    return error(where, "not-in-section",
                 fmt::format("{} {} NOT ALLOWED IN {} SECTION", word, variable.name, spelling(section)),
                 help);
}

Diagnostic not_assignable(Span where, const SystemVariable& variable) {
    Diagnostic d = error(where, "not-assignable",
                         fmt::format("{} {} CANNOT BE ASSIGNED", spelling(variable.role), variable.name),
                         variable.role == SystemRole::Input
                             ? "inputs are assigned by the connecting system, or given with --input"
                             : "the time is given");
    d.related.push_back({variable.where, "declared here"});
    return d;
}

Diagnostic outside_not_allowed(Span where, SystemKind kind, std::string_view name) {
    return error(where, "outside-not-allowed",
                 fmt::format("{} NOT ALLOWED IN {} SYSTEM", name, spelling(kind)),
                 "only discrete and connecting systems refer to variables of other systems: use an INPUT");
}

Diagnostic outside_in_initial(Span where, std::string_view name) {
    return error(where, "not-in-section", fmt::format("{} NOT ALLOWED IN INITIAL SECTION", name),
                 "variables of other systems have no values yet when INITIAL sections are executed");
}

Diagnostic not_parametric(Span where, std::string_view target, const SystemVariable& variable) {
    return error(where, "not-parametric", fmt::format("{} NOT ALLOWED IN INITIAL SECTION", variable.name),
                 fmt::format("{} is computed once, from parameters and the start time; {} is {}", target,
                             variable.name, role_text(variable.role)));
}

Diagnostic constant_not_allowed(Span where, const SystemVariable& variable) {
    return error(where, "constant-not-allowed", fmt::format("CONSTANT NOT ALLOWED: {}", variable.name),
                 fmt::format("it is {}; constant assignments give values to parameters and initial values to "
                             "states{}",
                             role_text(variable.role),
                             variable.role == SystemRole::SampleTime || variable.role == SystemRole::Output
                                 ? ". Others are assigned with `=`, in the INITIAL section"
                                 : ""));
}

Diagnostic assigned_twice(Span where, std::string_view name, Span first) {
    Diagnostic d = error(where, "assigned-twice", fmt::format("ASSIGNED TWICE: {}", name),
                         "every variable is given its value at one place");
    d.related.push_back({first, "it has a value here already"});
    return d;
}

Diagnostic used_before_assigned(Span where, std::string_view name, Span assigned) {
    Diagnostic d =
        error(where, "used-before-assigned", fmt::format("USED BEFORE ASSIGNED: {}", name),
              fmt::format("statements are executed in the order of the text: move the assignment up; a "
                          "parameter is given as `{}: number`",
                          name));
    if (assigned.known()) d.related.push_back({assigned, "assigned here"});
    return d;
}

Diagnostic unassigned(Span where, std::string_view name, SystemRole role, const std::string& near) {
    std::string help;
    switch (role) {
        case SystemRole::Output:
            help = fmt::format("an output needs an assignment `{} = …` in the OUTPUT section", name);
            break;
        case SystemRole::Derivative:
            help = fmt::format("a derivative needs an assignment `{} = …`", name);
            break;
        case SystemRole::New:
            help = fmt::format("a new state needs an assignment `{} = …`", name);
            break;
        case SystemRole::SampleTime:
            help = fmt::format("the next sampling time needs an assignment, such as `{} = T + DT`", name);
            break;
        default:
            help =
                fmt::format("give it a value with `{0}: number`, or compute it before with `{0} = …`", name);
            if (!near.empty()) help = fmt::format("did you mean {}? Otherwise {}", near, help);
            if (name == "T" || name == "TIME" || name == "t" || name == "time")
                help =
                    fmt::format("if the time is meant, declare it with `TIME {}`; otherwise {}", name, help);
    }
    return unfinished(where, "unassigned", fmt::format("UNASSIGNED: {}", name), help);
}

Diagnostic ambiguous_name(Span where, std::string_view name) {
    return error(where, "ambiguous-name", fmt::format("AMBIGUOUS: {}", name),
                 "several names differ from it in upper and lower case only: write it exactly");
}

Diagnostic states_do_not_match(Span where, std::string_view word, std::size_t states, std::size_t others) {
    return unfinished(
        where, "states-do-not-match", fmt::format("STATE AND {} DO NOT MATCH", word),
        fmt::format("there are {} STATE and {} {} variables; they belong together in the order in "
                    "which they are declared",
                    states, others, word));
}

Diagnostic missing_sample_time(Span where, std::string_view system) {
    return unfinished(
        where, "missing-sample-time", "MISSING TSAMP",
        fmt::format("discrete system {} needs a variable for its next sampling time: TSAMP TS, and "
                    "an assignment such as TS = T + DT",
                    system));
}

// ---- systems together

Diagnostic unknown_system(Span where, std::string_view name, const std::string& near,
                          const std::string& directory) {
    return error(where, "unknown-system", fmt::format("UNKNOWN SYSTEM: {}", name),
                 !near.empty()
                     ? fmt::format("did you mean {}?", near)
                     : fmt::format("there is no {0}.t, {0}.so or {0}.dym {1}, and no file there has a "
                                   "system of this name",
                                   name, directory.empty() ? "beside it" : "in " + directory));
}

Diagnostic unknown_variable(Span where, std::string_view name, const System& system,
                            const std::string& near) {
    return error(where, "unknown-variable", fmt::format("UNKNOWN VARIABLE: {}[{}]", name, system.name),
                 near.empty() ? fmt::format("system {} has no variable of this name", system.name)
                              : fmt::format("did you mean {}[{}]?", near, system.name));
}

Diagnostic not_an_input(Span where, const System& system, const SystemVariable& variable) {
    Diagnostic d =
        error(where, "not-an-input", fmt::format("NOT AN INPUT: {}[{}]", variable.name, system.name),
              fmt::format("a connecting system assigns inputs of other systems; {} is {} there",
                          variable.name, role_text(variable.role)));
    d.related.push_back({variable.where, "it is here"});
    return d;
}

Diagnostic not_a_continuous_state(Span where, const System& system, const SystemVariable& variable) {
    return error(
        where, "not-a-state", fmt::format("NOT A STATE: {}[{}]", variable.name, system.name),
        fmt::format("a discrete system modifies states of continuous systems only; {} is {} in {} "
                    "system {}",
                    variable.name, role_text(variable.role), a_or_an(spelling(system.kind)), system.name));
}

Diagnostic input_twice(Span where, std::string_view name, std::string_view system, Span first) {
    return assigned_twice(where, fmt::format("{}[{}]", name, system), first);
}

Diagnostic input_unassigned(Span where, std::string_view name, std::string_view system, Span connecting) {
    Diagnostic d = unfinished(
        where, "unassigned", fmt::format("UNASSIGNED: {}[{}]", name, system),
        fmt::format("the connecting system must give every input a value: {}[{}] = …", name, system));
    if (connecting.known()) d.related.push_back({connecting, "the input is declared here"});
    return d;
}

Diagnostic own_system(Span where, std::string_view name) {
    return error(where, "own-system", fmt::format("OWN SYSTEM: {}", name),
                 "variables of the system itself are written without brackets");
}

Diagnostic needs_connecting(Span where, std::string_view system, std::string_view other) {
    return unfinished(where, "needs-connecting", "MISSING CONNECTING SYSTEM",
                      fmt::format("system {} refers to system {}: it can be used only in a connecting system "
                                  "together with that one",
                                  system, other));
}

Diagnostic system_twice(Span where, std::string_view name, Span first) {
    Diagnostic d = error(where, "system-twice", fmt::format("SYSTEM TWICE: {}", name));
    d.related.push_back({first, "the first one"});
    return d;
}

Diagnostic several_connecting(Span where, Span first) {
    Diagnostic d = error(where, "several-connecting", "TWO CONNECTING SYSTEMS",
                         "one connecting system joins all the others");
    d.related.push_back({first, "the first one"});
    return d;
}

Diagnostic no_connecting(Span where, const std::vector<std::string>& names) {
    return error(where, "no-connecting", "MISSING CONNECTING SYSTEM",
                 fmt::format("the systems {} need a CONNECTING SYSTEM that joins them, the last one named",
                             fmt::join(names, ", ")));
}

Diagnostic connecting_not_last(Span where, std::string_view name) {
    return error(where, "connecting-not-last", "CONNECTING SYSTEM MUST BE LAST",
                 fmt::format("name {} after the systems that it joins", name));
}

Diagnostic algebraic_loop(Span where, const std::vector<std::string>& variables,
                          const std::string& read_before, bool strict) {
    Diagnostic d =
        error(where, "algebraic-loop", fmt::format("ALGEBRAIC LOOP: {}", fmt::join(variables, " -> ")));
    if (strict) {
        d.help =
            "each needs the next one at the same instant: break the loop with a state, or TURN STRICT OFF";
        return d;
    }
    d.severity = Severity::Note;
    d.help = read_before.empty()
                 ? "each needs the next one at the same instant; they are solved together"
                 : fmt::format(
                       "each needs the next one at the same instant; {} is read as it was just before "
                       "the sampling",
                       read_before);
    return d;
}

}  // namespace cutset::simnon
