#include "control/polynomial_messages.h"

#include <fmt/format.h>

#include "base/message_parts.h"

namespace cutset::polynomial_messages {

namespace {

std::string joined(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& n : names) out += (out.empty() ? "" : ", ") + n;
    return out;
}

}  // namespace

Diagnostic not_understood(Span where, const std::string& found) {
    return make_error(
        where, "transfer-syntax", fmt::format("`{}` cannot stand here", found),
        "write numbers, s or z, names of parameters, + - * / ^ and brackets: (s+1)/(s^2+3*s+2)");
}

Diagnostic text_ends(Span where) {
    return make_error(where, "transfer-syntax", "the transfer function ends too early",
                      "an operator needs something after it, as in 1/(s+1)");
}

Diagnostic bracket_open(Span where) {
    return make_error(where, "transfer-bracket", "this bracket is never closed");
}

Diagnostic nested_too_deep(Span where) {
    return make_error(where, "transfer-nesting", "brackets are nested more than 100 deep");
}

Diagnostic unclear_product(Span where) {
    return make_error(
        where, "transfer-product",
        "a product without * after a division can be read in two ways: 1/2s is 1/(2*s) or (1/2)*s",
        "write the * and put brackets around the whole denominator");
}

Diagnostic exponent_not_whole(Span where) {
    return make_error(where, "transfer-exponent", "an exponent must be a whole number");
}

Diagnostic exponent_too_large(Span where) {
    return make_error(where, "transfer-exponent", "exponents go up to 200");
}

Diagnostic number_out_of_range(Span where) {
    return make_error(where, "transfer-number", "this is no number that can be used here");
}

Diagnostic unknown_function(Span where, const std::string& name) {
    return make_error(where, "transfer-function-name",
                      fmt::format("{}(…) cannot be part of a transfer function", name),
                      "the only function is exp(-T*s), a delay of T seconds");
}

Diagnostic delay_not_understood(Span where) {
    return make_error(where, "transfer-delay",
                      "exp must be a delay: exp(-T*s) with a number T that is not negative");
}

Diagnostic delays_differ(Span where) {
    return make_error(
        where, "transfer-delay", "terms with different delays cannot be added to one transfer function",
        "a product of one rational function and one delay is possible, as in exp(-0.2*s)/(s+1)");
}

Diagnostic delay_below_line(Span where) {
    return make_error(where, "transfer-delay", "a delay below the line would look into the future");
}

Diagnostic delay_sampled(Span where) {
    return make_error(where, "transfer-delay", "exp cannot be used together with z",
                      "a delay of k samples is z^-k");
}

Diagnostic divides_by_zero(Span where) {
    return make_error(where, "transfer-zero-denominator", "this divides by zero");
}

Diagnostic two_variables(Span where) {
    return make_error(where, "transfer-variables", "s and z stand in one transfer function",
                      "a system is continuous (s) or sampled (z); sample the continuous part first");
}

Diagnostic not_a_polynomial(Span where) {
    return make_error(where, "not-a-polynomial", "this divides by the variable: a polynomial is expected",
                      "give the characteristic polynomial, or a transfer function with --tf");
}

Diagnostic ragged_matrix(Span where, std::size_t row, std::size_t found, std::size_t expected) {
    return make_error(
        where, "transfer-matrix",
        fmt::format("row {} has {} element{}, the first row has {}", row, found, plural(found), expected),
        "elements of a row are separated by commas, rows by semicolons: [1/s, 2; 0, 1/(s+1)]");
}

Diagnostic empty_matrix(Span where) {
    return make_error(where, "transfer-matrix", "there is no transfer function here");
}

Diagnostic symbols_without_value(const std::vector<std::string>& names) {
    return make_error(
        "symbol-without-value",
        fmt::format("{} {} no value, and this question needs numbers", joined(names),
                    names.size() == 1 ? "has" : "have"),
        fmt::format("give {} with --set {}=NUMBER", names.size() == 1 ? "it" : "each", names.front()));
}

Diagnostic unknown_symbol(const std::string& name, const std::vector<std::string>& names) {
    return make_error("unknown-symbol",
                      fmt::format("--set {}: the transfer function has no such symbol", name),
                      names.empty() ? "it has no symbols" : fmt::format("its symbols are {}", joined(names)));
}

Diagnostic improper(const std::string& element, int numerator, int denominator) {
    return make_error(
        "improper",
        fmt::format("{} is not proper: its numerator has degree {}, its denominator {}", element, numerator,
                    denominator),
        "a state space form exists only when the numerator's degree is not larger; add a fast pole, "
        "for example "
        "s/(1+0.001*s) for s");
}

Diagnostic gain_out_of_range(const std::string& element) {
    return make_error(
        "gain-out-of-range",
        fmt::format("the gain of {}, the ratio of its highest coefficients, is beyond the range of "
                    "numbers (1e-308 to 1e308)",
                    element),
        "choose another unit of time, so that the time constants are nearer to 1");
}

Diagnostic zero_denominator(const std::string& element) {
    return make_error("transfer-zero-denominator", fmt::format("the denominator of {} is zero", element));
}

Diagnostic delay_needs_frequency(const std::string& element) {
    return make_error("delay-not-rational",
                      fmt::format("{} has a delay, which has no poles, zeros or states", element),
                      "delays are for bode, nyquist and nichols; elsewhere use an approximation: --pade 3");
}

Diagnostic cancelled(const std::string& element, const std::string& factor, bool unstable) {
    Diagnostic d =
        make_diagnostic(unstable ? Severity::Warning : Severity::Note, Span{}, "cancelled",
                        fmt::format("{} has {} above and below the line; it is cancelled", element, factor));
    if (unstable)
        d.help =
            "this mode is not stable and stays hidden in the system: nothing that is seen from outside tells "
            "of it";
    return d;
}

}  // namespace cutset::polynomial_messages
