#include "languages/modelica/messages.h"

#include <fmt/format.h>

#include "base/message_parts.h"
#include "languages/modelica/parse.h"

namespace cutset::modelica {

namespace {

std::string found_text(std::string_view found) {
    if (found.empty()) return "the end of the text";
    constexpr std::size_t longest = 40;
    const std::string_view line = found.substr(0, found.find('\n'));
    return fmt::format("`{}{}`", line.substr(0, longest),
                       line.size() > longest || line.size() < found.size() ? "…" : "");
}

Diagnostic with_opening(Diagnostic d, Span opening) {
    d.related.push_back({opening, "begins here"});
    return d;
}

}  // namespace

// ---- characters

Diagnostic comment_without_end(Span where) {
    return make_error(where, "comment-without-end", "this comment has no end", "close it with `*/`");
}

Diagnostic text_without_end(Span where) {
    return make_error(where, "text-without-end", "this text has no closing quotation mark",
                      "close it with `\"`; inside a text a quotation mark is written \\\"");
}

Diagnostic quoted_name_without_end(Span where, bool after_name) {
    return make_error(where, "name-without-end", "this quoted name has no closing mark",
                      after_name ? "if a derivative is meant, write der(x)"
                                 : "close it with `'`; texts stand between double quotation marks");
}

Diagnostic bad_character(Span where, std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    if (text.size() == 1 && (first < 0x20 || first >= 0x7F))
        return make_error(where, "bad-character", fmt::format("byte 0x{:02X} has no meaning here", first),
                          "Modelica files are written in UTF-8");
    std::string help = "outside texts and comments only the characters of Modelica's grammar may stand";
    if (text == "!") help = "write `not`; unequal is written <>";
    if (text == "&") help = "write `and`";
    if (text == "|") help = "write `or`";
    if (text == "%" || text == "#") help = "a comment begins with //";
    if (text == "\xE2\x88\x92" || text == "\xE2\x80\x93") help = "write `-`";
    if (text == "\xE2\x80\x9C" || text == "\xE2\x80\x9D") help = "texts stand between straight marks: \"…\"";
    if (text == "\xC2\xB7" || text == "\xC3\x97") help = "write `*`";
    return make_error(where, "bad-character", fmt::format("`{}` has no meaning here", text), help);
}

// ---- syntax

Diagnostic unexpected_token(Span where, std::string_view found, std::string_view wanted,
                            const std::string& near_keyword) {
    return make_error(where, "unexpected", fmt::format("{} where {} should stand", found_text(found), wanted),
                      near_keyword.empty() ? "" : did_you_mean("`" + near_keyword + "`"));
}

Diagnostic keyword_as_name(Span where, std::string_view keyword, std::string_view wanted) {
    return make_error(where, "keyword-as-name",
                      fmt::format("`{}` is a word of the language, {} should stand here", keyword, wanted),
                      fmt::format("choose another name, or quote it: '{}'", keyword));
}

Diagnostic missing_semicolon(Span where, std::string_view after) {
    return make_error(where, "missing-semicolon", fmt::format("`;` is missing after {}", found_text(after)),
                      "every element, equation and statement ends with `;`");
}

Diagnostic missing_bracket(Span where, std::string_view bracket, std::string_view found, Span opening) {
    Diagnostic d = make_error(where, "missing-bracket",
                              fmt::format("{} where `{}` should stand", found_text(found), bracket),
                              fmt::format("close the bracket with `{}`", bracket));
    d.related.push_back({opening, "opened here"});
    return d;
}

Diagnostic missing_end(Span where, std::string_view construct, std::string_view name, Span opening) {
    return with_opening(make_error(where, "missing-end", fmt::format("{} {} has no end", construct, name),
                                   fmt::format("write `end {};`", name.empty() ? construct : name)),
                        opening);
}

Diagnostic end_of_another(Span where, std::string_view found, std::string_view wanted, Span opening) {
    return with_opening(make_error(where, "end-of-another",
                                   fmt::format("`end {}` where `end {}` should stand", found, wanted),
                                   fmt::format("the class that ends here is named {}", wanted)),
                        opening);
}

Diagnostic wrong_block_end(Span where, std::string_view found, std::string_view wanted, Span opening) {
    return with_opening(make_error(where, "end-of-another",
                                   fmt::format("{} where `end {}` should stand", found_text(found), wanted),
                                   fmt::format("write `end {};`", wanted)),
                        opening);
}

Diagnostic end_without_beginning(Span where, std::string_view found) {
    return make_error(where, "end-without-beginning", fmt::format("`end {}` ends nothing", found),
                      "take it away, or look for the end that is too many before it");
}

Diagnostic misspelled_keyword(Span where, std::string_view found, const std::string& near) {
    return make_error(where, "misspelled-keyword", fmt::format("`{}` begins nothing", found),
                      did_you_mean("`" + near + "`"));
}

Diagnostic equation_needs_equal(Span where, bool assignment) {
    return assignment ? make_error(where, "assignment-as-equation", "`:=` in an equation",
                                   "write `=`; assignments stand in an algorithm section")
                      : make_error(where, "not-an-equation", "this is an expression, not an equation",
                                   "write left side = right side, or call a function");
}

Diagnostic statement_needs_assign(Span where) {
    return make_error(where, "equation-as-assignment", "`=` in an algorithm",
                      "write `:=`; equations stand in an equation section");
}

Diagnostic equation_outside_section(Span where) {
    return make_error(where, "equation-outside-section", "an equation among the declarations",
                      "write `equation` on a line before it");
}

Diagnostic declaration_in_equations(Span where) {
    return make_error(where, "declaration-among-equations", "a declaration among the equations",
                      "declare it before `equation`, or after `public` or `protected`");
}

Diagnostic double_equal(Span where) {
    return make_error(where, "relation-as-equation", "`==` compares and gives true or false",
                      "an equation is written with `=`");
}

Diagnostic wrong_operator(Span where, std::string_view found, std::string_view right) {
    return make_error(where, "wrong-operator", fmt::format("`{}` is no operator of Modelica", found),
                      fmt::format("write `{}`", right));
}

Diagnostic chained_relation(Span where) {
    return make_error(where, "chained-relation", "a relation has two sides",
                      "write a < b and b < c, or use brackets");
}

Diagnostic two_signs(Span where) {
    return make_error(where, "two-signs", "two signs in a row", "put the second in brackets: a*(-b)");
}

Diagnostic prefix_order(Span where, std::string_view prefix, std::string_view before) {
    return make_error(where, "prefix-order", fmt::format("`{}` stands before `{}`", prefix, before),
                      "the order is: redeclare final inner outer replaceable, flow or stream, discrete, "
                      "parameter or constant, input or output");
}

Diagnostic prefix_twice(Span where, std::string_view prefix) {
    return make_error(where, "prefix-twice", fmt::format("`{}` does not go with the words before it", prefix),
                      "one of: flow, stream; one of: discrete, parameter, constant; one of: input, output");
}

Diagnostic named_before_positional(Span where) {
    return make_error(where, "argument-order", "an argument without a name after one with a name",
                      "arguments by position come first");
}

Diagnostic not_a_target(Span where) {
    return make_error(where, "not-assignable", "the left side of `:=` is a variable, or several in brackets",
                      "write name := expression or (a, b) := f(x)");
}

Diagnostic annotation_twice(Span where, Span first) {
    Diagnostic d = make_error(where, "annotation-twice", "a class has one annotation", "join the two");
    d.related.push_back({first, "the first one"});
    return d;
}

Diagnostic elements_after_external(Span where) {
    return make_error(where, "after-external", "nothing but an annotation stands after `external`",
                      "move it before `external`");
}

Diagnostic missing_class(Span where) {
    return make_error(where, "no-class", "there is no class in this text",
                      "a Modelica file holds classes: model A … end A;");
}

Diagnostic within_late(Span where) {
    return make_error(where, "within-late", "`within` stands at the beginning of a file, once",
                      "move it before the first class");
}

Diagnostic number_out_of_range(Span where, std::string_view text) {
    return make_error(where, "bad-number", fmt::format("{} is too large for a number", text),
                      "the largest number is about 1.8e308");
}

Diagnostic nested_too_deeply(Span where) {
    return make_error(
        where, "nested-too-deeply",
        fmt::format("brackets, classes or statements are nested more than {} deep", nesting_limit),
        "divide the expression or the class");
}

Diagnostic too_many_operands(Span where) {
    return make_error(where, "too-many-operands",
                      fmt::format("more than {} operands in a row", operand_limit),
                      "use sum({…}), or brackets around parts");
}

Diagnostic errors_not_shown(Span where) {
    return with_concern(make_error(where, "errors-not-shown", "the rest of the text is not read",
                                   "mend the errors above first"),
                        Concern::RestNotRead);
}

}  // namespace cutset::modelica
