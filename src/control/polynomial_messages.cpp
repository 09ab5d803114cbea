#include "control/polynomial_messages.h"

#include <fmt/format.h>

namespace cutset::polynomial_messages {

namespace {

Diagnostic error(const char* code, Span where, std::string message, std::string help = {}) {
    Diagnostic d;
    d.severity = Severity::Error;
    d.code = code;
    d.where = where;
    d.message = std::move(message);
    d.help = std::move(help);
    return d;
}

std::string joined(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& n : names) out += (out.empty() ? "" : ", ") + n;
    return out;
}

}  // namespace

Diagnostic not_understood(Span where, const std::string& found) {
    return error("transfer-syntax", where, fmt::format("`{}` cannot stand here", found),
                 "write numbers, s or z, names of parameters, + - * / ^ and brackets: (s+1)/(s^2+3*s+2)");
}

Diagnostic text_ends(Span where) {
    return error("transfer-syntax", where, "the transfer function ends too early",
                 "an operator needs something after it, as in 1/(s+1)");
}

Diagnostic bracket_open(Span where) {
    return error("transfer-bracket", where, "this bracket is never closed");
}

Diagnostic nested_too_deep(Span where) {
    return error("transfer-nesting", where, "brackets are nested more than 100 deep");
}

Diagnostic unclear_product(Span where) {
    return error("transfer-product", where,
                 "a product without * after a division can be read in two ways: 1/2s is 1/(2*s) or (1/2)*s",
                 "write the * and put brackets around the whole denominator");
}

Diagnostic exponent_not_whole(Span where) {
    return error("transfer-exponent", where, "an exponent must be a whole number");
}

Diagnostic exponent_too_large(Span where) {
    return error("transfer-exponent", where, "exponents go up to 200");
}

Diagnostic number_out_of_range(Span where) {
    return error("transfer-number", where, "this is no number that can be used here");
}

Diagnostic unknown_function(Span where, const std::string& name) {
    return error("transfer-function-name", where,
                 fmt::format("{}(…) cannot be part of a transfer function", name),
                 "the only function is exp(-T*s), a delay of T seconds");
}

Diagnostic delay_not_understood(Span where) {
    return error("transfer-delay", where,
                 "exp must be a delay: exp(-T*s) with a number T that is not negative");
}

Diagnostic delays_differ(Span where) {
    return error("transfer-delay", where,
                 "terms with different delays cannot be added to one transfer function",
                 "a product of one rational function and one delay is possible, as in exp(-0.2*s)/(s+1)");
}

Diagnostic delay_below_line(Span where) {
    return error("transfer-delay", where, "a delay below the line would look into the future");
}

Diagnostic delay_sampled(Span where) {
    return error("transfer-delay", where, "exp cannot be used together with z",
                 "a delay of k samples is z^-k");
}

Diagnostic divides_by_zero(Span where) {
    return error("transfer-zero-denominator", where, "this divides by zero");
}

Diagnostic two_variables(Span where) {
    return error("transfer-variables", where, "s and z stand in one transfer function",
                 "a system is continuous (s) or sampled (z); sample the continuous part first");
}

Diagnostic not_a_polynomial(Span where) {
    return error("not-a-polynomial", where, "this divides by the variable: a polynomial is expected",
                 "give the characteristic polynomial, or a transfer function with --tf");
}

Diagnostic ragged_matrix(Span where, std::size_t row, std::size_t found, std::size_t expected) {
    return error("transfer-matrix", where,
                 fmt::format("row {} has {} element{}, the first row has {}", row, found,
                             found == 1 ? "" : "s", expected),
                 "elements of a row are separated by commas, rows by semicolons: [1/s, 2; 0, 1/(s+1)]");
}

Diagnostic empty_matrix(Span where) {
    return error("transfer-matrix", where, "there is no transfer function here");
}

Diagnostic symbols_without_value(const std::vector<std::string>& names) {
    return error(
        "symbol-without-value", {},
        fmt::format("{} {} no value, and this question needs numbers", joined(names),
                    names.size() == 1 ? "has" : "have"),
        fmt::format("give {} with --set {}=NUMBER", names.size() == 1 ? "it" : "each", names.front()));
}

Diagnostic unknown_symbol(const std::string& name, const std::vector<std::string>& names) {
    return error("unknown-symbol", {},
                 fmt::format("--set {}: the transfer function has no such symbol", name),
                 names.empty() ? "it has no symbols" : fmt::format("its symbols are {}", joined(names)));
}

Diagnostic improper(const std::string& element, int numerator, int denominator) {
    return error("improper", {},
                 fmt::format("{} is not proper: its numerator has degree {}, its denominator {}", element,
                             numerator, denominator),
                 "a state space form exists only when the numerator's degree is not larger; add a fast pole, "
                 "for example "
                 "s/(1+0.001*s) for s");
}

Diagnostic gain_out_of_range(const std::string& element) {
    return error("gain-out-of-range", {},
                 fmt::format("the gain of {}, the ratio of its highest coefficients, is beyond the range of "
                             "numbers (1e-308 to 1e308)",
                             element),
                 "choose another unit of time, so that the time constants are nearer to 1");
}

Diagnostic zero_denominator(const std::string& element) {
    return error("transfer-zero-denominator", {}, fmt::format("the denominator of {} is zero", element));
}

Diagnostic delay_needs_frequency(const std::string& element) {
    return error("delay-not-rational", {},
                 fmt::format("{} has a delay, which has no poles, zeros or states", element),
                 "delays are for bode, nyquist and nichols; elsewhere use an approximation: --pade 3");
}

Diagnostic cancelled(const std::string& element, const std::string& factor, bool unstable) {
    Diagnostic d;
    d.severity = unstable ? Severity::Warning : Severity::Note;
    d.code = "cancelled";
    d.message = fmt::format("{} has {} above and below the line; it is cancelled", element, factor);
    if (unstable)
        d.help =
            "this mode is not stable and stays hidden in the system: nothing that is seen from outside tells "
            "of it";
    return d;
}

}  // namespace cutset::polynomial_messages
