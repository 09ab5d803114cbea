#include "operations/symbolic/symbolic_messages.h"

#include <fmt/format.h>

#include "base/bad_option.h"
#include "base/message_parts.h"

namespace cutset::symbolic_messages {

Diagnostic unknown_name(const std::string& name, const std::vector<std::string>& names, Span where) {
    const std::string near = nearest_name(name, names);
    return make_error(where, "unknown-name", fmt::format("there is no variable {}", name),
                      did_you_mean(near, "`cutset equations FILE --flat` lists the variables"));
}

Diagnostic name_taken(const std::string& name) {
    return make_error("name-taken", fmt::format("there is a variable {} already", name),
                      "two variables with one name could not be told apart; choose another");
}

Diagnostic bad_name(const std::string& name) {
    return make_error("bad-name", fmt::format("`{}` is no name", name),
                      "a name begins with a letter and has letters, digits, _ and dots");
}

Diagnostic not_supported(const std::string& what, Span where) {
    return make_error(where, "not-supported", fmt::format("{} cannot stand here", what),
                      "numbers, names, + - * / ^, elementary functions, der(x), if and comparisons can");
}

Diagnostic not_a_condition(const std::string& text) {
    return make_error("not-a-condition", fmt::format("{} is no condition", text),
                      "assumptions are comparisons: \"x > 0\", \"a < b\", \"x <> 0\", joined by `and`");
}

Diagnostic contradiction(const std::string& text) {
    return make_error("contradiction", fmt::format("{} contradicts what is known or assumed before", text));
}

Diagnostic nothing_to_solve_for() {
    return make_error("nothing-to-solve-for", "--solve-for names no variable",
                      "name what is wanted, --solve-for x, or several with commas between them");
}

Diagnostic in_no_equation(const std::string& name) {
    return make_error("in-no-equation", fmt::format("{} stands in no equation", name),
                      "it may have been eliminated before, or be a parameter whose value was put in");
}

Diagnostic no_formula(const std::string& name, const std::vector<std::string>& equations) {
    Diagnostic d =
        make_error("no-formula", fmt::format("no formula gives {}", name),
                   "it must occur linearly, in second degree, or once under functions that can be inverted; "
                   "`cutset simulate` solves such equations by numbers");
    d.details = equations;
    return d;
}

Diagnostic no_real_solution(const std::string& name, const std::vector<std::string>& equations) {
    Diagnostic d = make_error("no-real-solution", fmt::format("there is no real solution for {}", name),
                              "an equation contradicts itself, or what is assumed excludes its solutions");
    d.details = equations;
    return d;
}

Diagnostic several_branches(const std::string& name, const std::string& equation,
                            const std::vector<std::string>& branches) {
    Diagnostic d = make_error(
        "several-branches", fmt::format("{} has more than one solution for {}", equation, name),
        fmt::format("--assume \"{} > 0\", or what else is known, before this step may decide", name));
    d.details = branches;
    return d;
}

Diagnostic not_linear_together(const std::string& names) {
    return make_error("not-linear",
                      fmt::format("no set of equations is linear in {} together and determines them", names),
                      "eliminate them one after the other instead, or solve for fewer");
}

Diagnostic no_equation(const std::string& what, std::size_t count) {
    return make_error("no-equation",
                      fmt::format("there is no equation {}; they are numbered from 1 to {}", what, count));
}

Diagnostic not_given_by_one(const std::string& name, const std::vector<std::string>& equations) {
    Diagnostic d = make_error("not-given", fmt::format("no equation has {} alone on one side", name),
                              fmt::format("give the number of the equation, or --solve-for {} before", name));
    d.details = equations;
    return d;
}

Diagnostic contains_itself(const std::string& name) {
    return make_error("contains-itself", fmt::format("the expression for {} contains {} itself", name, name),
                      "replace it by something without it");
}

Diagnostic only_for_equations(const std::string& step) {
    return make_error("needs-equations", fmt::format("--{} works on equations", step),
                      "give a model file, or --expr \"a = b\"");
}

Diagnostic name_and_value_wanted(const std::string& option, const std::string& text) {
    return bad_option(fmt::format("{} {}: NAME=… is wanted", option, text));
}

}  // namespace cutset::symbolic_messages
