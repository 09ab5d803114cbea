#include "languages/dymola/messages.h"

#include <fmt/format.h>

#include <cctype>

#include "base/foreign_words.h"
#include "base/message_parts.h"

namespace cutset::dymola {

namespace {

Diagnostic error(Span where, std::string code, std::string message, std::string help = "") {
    return make_error(where, std::move(code), std::move(message), std::move(help));
}

Diagnostic warning(Span where, std::string code, std::string message, std::string help = "") {
    Diagnostic d = error(where, std::move(code), std::move(message), std::move(help));
    d.severity = Severity::Warning;
    return d;
}

}  // namespace

Diagnostic unterminated_comment(Span opening) {
    return error(opening, "unterminated-comment", "the comment that starts here never ends",
                 "close it with `}`; everything after it is taken as comment");
}

Diagnostic comment_in_comment(Span inner, Span outer) {
    Diagnostic d = warning(inner, "comment-in-comment", "a `{` inside a comment has no meaning",
                           "comments do not nest: is a `}` missing before this place?");
    d.related.push_back({outer, "the comment starts here"});
    return d;
}

Diagnostic unterminated_text(Span opening, bool after_name) {
    return error(opening, "unterminated-text", "the text that starts here is not closed on its line",
                 after_name
                     ? "a second derivative is written with two marks `'`: x''; a text is closed with `\"`"
                     : "close it with `\"`; a quote inside a text is written twice");
}

Diagnostic stray_character(Span where, std::string_view text) {
    struct LookAlike {
        std::string_view character, ours;
    };
    static constexpr LookAlike look_alikes[] = {
        {"\xE2\x88\x92", "-"},  {"\xE2\x80\x93", "-"},  {"\xE2\x80\x94", "-"}, {"\xC2\xB7", "*"},
        {"\xC3\x97", "*"},      {"\xE2\x8B\x85", "*"},  {"\xC3\xB7", "/"},     {"\xE2\x80\x9C", "\""},
        {"\xE2\x80\x9D", "\""}, {"\xE2\x80\x99", "'"},  {"\xE2\x80\x98", "'"}, {"\xE2\x80\xB2", "'"},
        {"\xE2\x89\xA4", "<="}, {"\xE2\x89\xA5", ">="}, {"\xE2\x89\xA0", "<>"}};
    for (const LookAlike& l : look_alikes)
        if (text.substr(0, l.character.size()) == l.character)
            return error(where, "stray-character",
                         fmt::format("`{}` is not a character of the language", l.character),
                         fmt::format("write `{}`", l.ours));
    const bool word = text.size() > 1;
    bool control = text.empty() || static_cast<unsigned char>(text[0]) < 0x20 || text[0] == 0x7F;
    // Bytes that are no UTF-8 character are shown by their number.
    if (!word && !text.empty() && static_cast<unsigned char>(text[0]) >= 0x80) control = true;
    if (control)
        return error(where, "stray-character",
                     fmt::format("the byte 0x{:02X} does not belong in a model text",
                                 text.empty() ? 0u : static_cast<unsigned char>(text[0])),
                     "is this a text file in UTF-8?");
    if (word && static_cast<unsigned char>(text.back()) < 0x80)
        return error(where, "stray-character", fmt::format("`{}` is not a name", text),
                     "names are made of the letters a to z, A to Z, digits and `_`");
    if (word)
        return error(where, "stray-character", fmt::format("`{}` cannot stand here", text),
                     "names are made of the letters a to z, A to Z, digits and `_`; any character may stand "
                     "in comments, "
                     "texts and units");
    std::string help = "remove it";
    if (text == "#" || text == "%") help = "comments start with `--` or stand between `{` and `}`";
    if (text == "}") help = "this `}` closes no comment: is a `{` missing?";
    if (text == "&") help = "write `and`";
    if (text == "|") help = "write `or`";
    return error(where, "stray-character", fmt::format("`{}` is not a character of the language", text),
                 help);
}

Diagnostic malformed_number(Span where, std::string_view text) {
    std::string help = stuck_letters_help(text);
    if (help.empty()) help = "numbers are written like 5, .08, 2.59E-4 or 180e-9";
    if (!text.empty() && (text.back() == 'e' || text.back() == 'E')) help += "; the exponent is missing here";
    return error(where, "malformed-number", fmt::format("`{}` is not a number", text), help);
}

Diagnostic number_out_of_range(Span where, std::string_view text) {
    return error(where, "number-out-of-range", fmt::format("`{}` is too large for a number", text),
                 "numbers reach up to about 1.8e308");
}

Diagnostic unclosed_bracket(Span opening, char closing, Span reached, bool at_end) {
    Diagnostic d = error(opening, "unclosed-bracket", "this bracket is never closed",
                         fmt::format("a `{}` is missing", closing));
    d.related.push_back(
        {reached, at_end ? "the statement ends here" : "this cannot stand inside the bracket"});
    return d;
}

Diagnostic closes_nothing(Span where, std::string_view text) {
    return error(where, "unmatched-bracket", fmt::format("this `{}` closes nothing", text),
                 "remove it, or open the bracket it should close");
}

Diagnostic keyword_as_name(Span where, std::string_view word, std::string_view wanted) {
    return error(where, "keyword-as-name",
                 fmt::format("`{}` is a word of the language and cannot be used as a name; {} is wanted here",
                             word, wanted),
                 fmt::format("choose another name, for example `{}_` or `{}1`", word, word));
}

Diagnostic operand_missing(Span where, std::string_view wanted, std::string_view word) {
    return error(
        where, "operand-missing", fmt::format("{} is wanted before `{}`", wanted, word),
        fmt::format(
            "something is missing before `{}`; if it is meant as a name, choose another: it is a word of "
            "the language",
            word));
}

Diagnostic expected(Span where, std::string_view wanted, std::string_view found, std::string help) {
    if (!help.empty())
        return error(where, "unexpected",
                     fmt::format("{} is wanted here, but `{}` stands here", wanted, found), std::move(help));
    const bool operand =
        !found.empty() && (std::isalnum(static_cast<unsigned char>(found[0])) || found[0] == '(');
    if (operand && wanted == "the end of the statement")
        help = "is an operator missing before it, such as `*`?";
    if (operand && wanted == "`=`")
        help =
            "variables are declared by a word such as `local`, `parameter` or `terminal`: `local x y`; if "
            "this is an "
            "equation, an operator is missing";
    if (wanted == "`to`" || wanted == "`:=`") help = "write `for i:=1 to n do …`";
    if (found == "[" && wanted == "the end of the statement")
        help = "a number in an equation has no unit: it counts in the unit of the variables";
    return error(where, "unexpected", fmt::format("{} is wanted here, but `{}` stands here", wanted, found),
                 help);
}

Diagnostic statement_ends_early(Span where, std::string_view wanted) {
    return error(where, "incomplete-statement",
                 fmt::format("the statement ends here, but {} is missing", wanted),
                 "a statement goes on in the next line while a bracket is open, after an operator, a comma "
                 "or `->`, or "
                 "when that line starts with an operator such as `*` or `to`");
}

Diagnostic foreign_operator(Span where, std::string_view written, std::string_view ours) {
    return error(where, "foreign-operator", fmt::format("`{}` is not an operator of the language", written),
                 fmt::format("write `{}`", ours));
}

Diagnostic foreign_comment(Span where) {
    return error(where, "foreign-operator",
                 "`//` joins submodels in parallel and cannot stand in an equation",
                 "comments start with `--` or stand between `{` and `}`; a division is written `/`");
}

Diagnostic comparison_chain(Span where) {
    return error(where, "comparison-chain", "two comparisons cannot follow one another",
                 "write `a < b and b < c` for `a < b < c`");
}

Diagnostic nesting_too_deep(Span where, int limit) {
    return error(
        where, "nesting-too-deep",
        fmt::format("brackets, conditions and models are nested deeper than {} here; the text is not read on",
                    limit),
        "introduce variables for parts of the expression");
}

Diagnostic chain_too_long(Span where, int limit) {
    return error(where, "chain-too-long",
                 fmt::format("this connection joins more than {} operands in one expression", limit),
                 "split it into several statements, or use a `for` statement over indexed submodels");
}

Diagnostic rest_not_read(Span where, std::size_t read, std::size_t size) {
    return error(where, "rest-not-read",
                 fmt::format("the first {} of {} kB are full of errors: the rest is not read", read / 1000,
                             size / 1000),
                 "is this a model?");
}

Diagnostic too_many_errors(Span where, std::size_t shown) {
    return with_concern(error(where, "too-many-errors",
                              fmt::format("after {} errors the rest of the text is not read", shown)),
                        Concern::RestNotRead);
}

Diagnostic file_too_large(Span where) {
    return error(where, "file-too-large", "the text is larger than 4 GB", "split it into libraries");
}

Diagnostic missing_end(Span opening, std::string_view construct, std::string_view name, Span reached,
                       Span suspect) {
    Diagnostic d = error(opening, "missing-end",
                         name.empty() ? fmt::format("this `{}` has no `end`", construct)
                                      : fmt::format("`{}` of `{}` has no `end`", construct, name),
                         "every `model`, `begin`, `case`, `when` and `function` is closed by its own `end`");
    if (suspect.known())
        d.related.push_back({suspect, "an `end` may be missing before this line, as its indentation shows"});
    d.concern = Concern::UnfinishedText;
    d.related.push_back({reached, "the text ends here"});
    return d;
}

Diagnostic end_closes_nothing(Span where, Span single_statement) {
    Diagnostic d = error(where, "end-closes-nothing", "this `end` closes nothing",
                         "is a `begin` missing, or is this `end` one too many?");
    if (single_statement.known()) {
        d.related.push_back(
            {single_statement, "without `begin` only the one statement that follows belongs to this"});
        d.help = "put `begin` before several statements that belong together";
    }
    return d;
}

Diagnostic end_names_another(Span where, std::string_view written, std::string_view model, Span opening) {
    Diagnostic d =
        warning(where, "end-names-another", fmt::format("this `end` closes `{}`, not `{}`", model, written),
                fmt::format("write `end` or `end {}`; is another `end` missing before it?", model));
    d.related.push_back({opening, fmt::format("`{}` starts here", model)});
    return d;
}

Diagnostic foreign_end(Span where, std::string_view written) {
    return error(where, "foreign-end", fmt::format("`{}` is not a word of the language", written),
                 "write `end`");
}

Diagnostic word_after_end(Span where, std::string_view word) {
    return warning(where, "word-after-end", fmt::format("`{}` after `end` is not needed", word),
                   "write just `end`");
}

Diagnostic outside_model(Span where) {
    return error(where, "outside-model",
                 "only models, functions, tables and libraries can stand outside a model",
                 "put this between `model …` and its `end`, or check for an `end` too many before it");
}

Diagnostic library_not_at_top(Span where) {
    return error(where, "library-in-model", "a library is named at the top of the file, not inside a model");
}

Diagnostic missing_then(Span where, std::string_view construct, Span opening) {
    Diagnostic d = error(where, "missing-then",
                         fmt::format("the condition of this `{}` is not followed by `then`", construct),
                         fmt::format("write `{} <condition> then …`", construct));
    d.related.push_back({opening, fmt::format("the `{}` starts here", construct)});
    return d;
}

Diagnostic missing_do(Span where, std::string_view construct, Span opening) {
    Diagnostic d =
        error(where, "missing-do", fmt::format("`do` is missing in this `{}`", construct),
              construct == "for" ? "write `for i:=1 to n do …`" : "write `while <condition> do …`");
    d.related.push_back({opening, fmt::format("the `{}` starts here", construct)});
    return d;
}

Diagnostic else_without_if(Span where, std::string_view word, Span single_statement) {
    Diagnostic d = error(where, "else-without-if", fmt::format("this `{}` belongs to no `if`", word));
    if (single_statement.known()) {
        d.related.push_back(
            {single_statement, "without `begin` only the one statement that follows belongs to this"});
        d.help = "put `begin` and `end` around several statements that belong together";
    }
    return d;
}

Diagnostic clock_defined_twice(Span where, std::string_view name, Span first) {
    Diagnostic d = error(where, "defined-twice", fmt::format("the clock `{}` is defined twice", name),
                         "choose another name");
    d.related = {{first, "first here"}};
    return d;
}

Diagnostic clock_is_variable(Span where, std::string_view name, Span variable) {
    Diagnostic d = error(where, "defined-twice", fmt::format("`{}` is a clock and a variable", name),
                         "choose another name for one of them");
    d.related = {{variable, "the variable"}};
    return d;
}

Diagnostic clock_of_events(Span where, std::string_view word) {
    return error(
        where, "clock-of-events",
        fmt::format("`{}` needs a clock that ticks at equal distances, and this one ticks at events", word),
        "use a clock made of `sample(t0, h)`, or count events: `new(n) = mod(pre(n) + 1, 5)`");
}

Diagnostic clock_count(Span where, std::string_view word, std::uint64_t least) {
    return error(where, "clock-count",
                 fmt::format("`{}` counts ticks: a whole number from {} on is wanted here", word, least),
                 "write a number; clocks that have no whole ratio are `sample(t0, h)` of their own");
}

Diagnostic clock_ratio_too_large(Span where, std::uint64_t largest) {
    return error(
        where, "clock-ratio",
        fmt::format("the ratio of this clock to the one it is made of has numbers above {}", largest),
        "write `sample(t0, h)` with the period that is meant");
}

Diagnostic begin_alone(Span where) {
    return error(where, "begin-alone", "`begin` can stand only after `do`, `then`, `else` or a case label");
}

Diagnostic if_needs_else(Span where) {
    return error(where, "if-needs-else", "an `if` inside an expression needs an `else`",
                 "every case must have a value: `if <condition> then <value> else <value>`");
}

Diagnostic case_needs_label(Span where) {
    return error(where, "case-label", "a label such as `1:` is wanted here",
                 "write `case n of 1: …; 2: … end`");
}

Diagnostic else_not_last(Span where) {
    return error(where, "case-label", "`else` must be the last part of a `case`");
}

Diagnostic when_body(Span where) {
    return error(
        where, "when-statement", "this cannot stand in a `when`",
        "a `when` holds `new(d) = …`, other equations in `new(d)`, `reinit(x, …)`, `terminate(\"…\")`, and "
        "`if` and `for` around them");
}

Diagnostic when_only(Span where, std::string_view word) {
    return error(where, "when-only", fmt::format("`{}` can stand only inside `when … then … end`", word));
}

Diagnostic structure_in_when(Span where, std::string_view word) {
    return error(where, "when-statement", fmt::format("`{}` cannot stand inside a `when`", word),
                 word == "when" ? "write `elsewhen`, or a `when` of its own"
                                : fmt::format("put the `when` inside the `{}`, or write `if`", word));
}

Diagnostic empty_when(Span where) {
    return warning(where, "empty-when", "this `when` does nothing");
}

Diagnostic constant_needs_value(Span where, std::string_view name) {
    return error(where, "constant-needs-value", fmt::format("the constant `{}` has no value", name),
                 fmt::format("write `constant {} = <value>`, or `parameter {}` if it is given from outside",
                             name, name));
}

Diagnostic default_needs_value(Span where) {
    return error(where, "default-needs-value", "a default needs a value", "write `default v = 0`");
}

Diagnostic positional_after_named(Span where) {
    return error(where, "positional-after-named",
                 "a value without name cannot follow one that is given by name",
                 "give the values without name first, in the order of declaration, or name this one too");
}

Diagnostic structure_without_parameter(Span where) {
    return error(where, "unexpected", "`structure` is followed by `parameter`",
                 "write `structure parameter n = 10`");
}

Diagnostic attribute_twice(Span where, std::string_view attribute) {
    return error(where, "attribute-twice", fmt::format("the {} is given twice", attribute));
}

Diagnostic literal_twice(Span where, std::string_view name) {
    return error(where, "literal-twice", fmt::format("`{}` is listed twice", name));
}

Diagnostic cut_needs_name(Span where, std::string_view what) {
    return error(where, "cut-needs-name", fmt::format("this {} has no name", what),
                 fmt::format("only a main {} may be without a name: `main {} (…)`", what, what));
}

Diagnostic two_slashes(Span where) {
    return error(where, "two-slashes",
                 "a cut has one `/`: across variables before it, through variables after it");
}

Diagnostic main_node(Span where) {
    return error(where, "main-node", "only a cut or a path can be `main`",
                 "write `main cut …` or `main path …`");
}

Diagnostic path_needs_ends(Span where) {
    return error(where, "path-needs-ends", "a path goes from one cut to another",
                 "write `path P (A - B)` or `path P <A - B>`");
}

Diagnostic submodel_needs_name(Span where, std::string_view type) {
    return error(
        where, "submodel-needs-name", fmt::format("no submodel of type `{}` is named here", type),
        fmt::format("write `submodel ({}) a b`, with the names on the same line or after a comma or `->`",
                    type));
}

Diagnostic assignment_in_equation(Span where) {
    return error(where, "assignment-in-equation", "`:=` assigns, but a model states equations",
                 "write `=`; `:=` belongs to `for` and to functions");
}

Diagnostic missing_equals(Span where) {
    return error(where, "missing-equals", "this is neither an equation nor a connection",
                 "an equation has the form `expression = expression`; a connection joins submodels, cuts, "
                 "nodes or paths "
                 "of this model");
}

Diagnostic sign_starts_line(Span where) {
    return error(where, "sign-starts-line",
                 "a line that starts with a sign is a new statement, not the rest of the one above",
                 "end the line above with the sign, or with `->`, to go on in this one");
}

Diagnostic nothing_connected(Span where) {
    return error(where, "nothing-connected", "this connection joins nothing",
                 "write an operator and what it is joined to, for example `a to b` or `a at n`");
}

Diagnostic slash_is_not_parallel(Span where) {
    return error(where, "foreign-operator", "`/` is not a connection operator",
                 "a parallel connection is written `par` or `//`");
}

Diagnostic not_a_connection_operand(Span where, std::string_view found) {
    return error(where, "unexpected",
                 fmt::format("a submodel, cut, node or path is wanted here, but `{}` stands here", found));
}

Diagnostic call_of_member(Span where) {
    return error(where, "call-of-member",
                 "only functions and tables can be followed by `(`, and they belong to no submodel",
                 "is an operator missing before the bracket?");
}

Diagnostic dot_outside_cut(Span where) {
    return error(where, "dot-outside-cut", "a `.` alone stands for a missing variable of a cut only");
}

Diagnostic derivative_order_too_high(Span where, int limit) {
    return error(where, "derivative-order", fmt::format("derivatives go up to order {}", limit),
                 "introduce a variable for a derivative of lower order");
}

Diagnostic derivative_arguments(Span where, int order) {
    return error(where, "derivative-arguments",
                 fmt::format("a derivative takes an expression and at most {} initial value{}", order,
                             order == 1 ? "" : "s"),
                 "write der(x), der(x, x0), der2(x, x0, dx0) …");
}

Diagnostic der_without_brackets(Span where, std::string_view variable) {
    return error(where, "unexpected", "`der` is followed by a bracket",
                 fmt::format("write `der({0})` or `{0}'`", variable));
}

Diagnostic procedure_needs_call(Span where) {
    return error(where, "procedure-needs-call",
                 "several variables on the left need a procedure call on the right",
                 "write `y1 y2 = proc(u1 u2)`; an equation has one expression on each side of `=`");
}

Diagnostic result_is_argument(Span where, std::string_view name) {
    return error(where, "result-is-argument",
                 fmt::format("{} is a result of this call and stands among its arguments, too", name),
                 "use another variable for one of them");
}

Diagnostic misspelled_statement(Span where, std::string_view written, std::string_view word) {
    return error(
        where, "misspelled-word", fmt::format("`{}` begins no statement", written),
        fmt::format("did you mean `{}`? Words of the language are written in lower or in upper case", word));
}

Diagnostic table_arguments(Span where) {
    return error(where, "table-arguments", "a table has one to three arguments",
                 "write `table f(x) …`, `table f(x, y) …` or `table f(x, y, z) …`");
}

Diagnostic table_row_length(Span where, std::size_t expected, std::size_t found) {
    return error(where, "table-row", fmt::format("this row has {} numbers instead of {}", found, expected),
                 expected == 2   ? "each row is (argument, value)"
                 : expected == 3 ? "each row is (first argument, second argument, value)"
                                 : "each row is (first, second, third argument, value)");
}

Diagnostic table_without_data(Span where, std::string_view name) {
    return error(where, "table-without-data", fmt::format("the table `{}` has no data", name),
                 "give a file, `table f(x) \"file.csv\"`, or rows, `table f(x) = (0, 1), (10, 2)`");
}

Diagnostic function_without_result(Span where, std::string_view name) {
    return error(where, "function-without-result", fmt::format("the function `{}` returns nothing", name),
                 "write `function f(u) returns y`");
}

Diagnostic not_in_function(Span where, std::string_view word) {
    return error(where, "not-in-function", fmt::format("`{}` cannot stand in a function", word),
                 word == "model" || word == "function"
                     ? "is the `end` of the function before it missing? An external function has one too"
                     : "a function holds `local`, `constant`, assignments, `if`, `for` and `while`");
}

Diagnostic external_with_body(Span where) {
    return error(where, "external-with-body", "an external function has no statements of its own");
}

Diagnostic warning_in_function(Span where) {
    return error(where, "warning-in-function", "an assertion that only warns cannot stand in a function",
                 "put it into the model that calls the function");
}

}  // namespace cutset::dymola
