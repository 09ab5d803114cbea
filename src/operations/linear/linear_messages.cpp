#include "operations/linear/linear_messages.h"

#include <fmt/format.h>

#include "base/bad_option.h"

namespace cutset::linear_messages {

namespace {

// The first dozen.
std::string list_of(const std::vector<std::string>& names) {
    std::string out;
    for (std::size_t i = 0; i < names.size() && i < 12; ++i) out += (i ? ", " : "") + names[i];
    return names.size() > 12 ? out + ", …" : out;
}

}  // namespace

Diagnostic unknown_signal(const std::string& what, const std::string& name,
                          const std::vector<std::string>& names) {
    const std::string near = nearest_name(name, names);
    Diagnostic d =
        bad_option(fmt::format("the system has no {} {}", what, name),
                   near.empty() ? names.empty() ? fmt::format("it has no {}s", what)
                                                : fmt::format("its {}s are {}", what, list_of(names))
                                : fmt::format("did you mean {}? Its {}s are {}", near, what, list_of(names)));
    d.code = "unknown-signal";
    return d;
}

Diagnostic no_system() {
    return bad_option("there is no system", "give a FILE, or a transfer function: --tf \"1/(s^2+s+1)\"");
}

Diagnostic two_systems(const std::string& file) {
    return bad_option(fmt::format("both {} and --tf are given", file), "leave one of them out");
}

Diagnostic fraction_and_system() {
    return bad_option("--numerator and --denominator are given beside a system",
                      "leave the file or --tf out: the fraction is the system");
}

Diagnostic half_a_fraction(bool numerator_missing) {
    return bad_option(fmt::format("{} is missing", numerator_missing ? "--numerator" : "--denominator"),
                      "a fraction has both: --numerator \"[1, s; 0, 1]\" --denominator \"[s^2, 0; 1, s+1]\"");
}

Diagnostic fraction_not_polynomial(const std::string& option) {
    return bad_option(fmt::format("{} has an element that is no polynomial", option),
                      "a transfer matrix is given with --tf");
}

Diagnostic fraction_sizes(bool left, std::size_t rows_n, std::size_t columns_n, std::size_t rows_d,
                          std::size_t columns_d) {
    return bad_option(fmt::format("the numerator is {} x {}, the denominator {} x {}: {} is not defined",
                                  rows_n, columns_n, rows_d, columns_d, left ? "D^-1 N" : "N D^-1"),
                      left ? "the denominator must be square with as many rows as the numerator"
                           : "the denominator must be square with as many columns as the numerator");
}

Diagnostic fraction_singular() {
    return bad_option("the determinant of the denominator is zero",
                      "its columns, or rows, depend on each other");
}

Diagnostic fraction_not_proper() {
    return bad_option(
        "the fraction is not proper: it has no state space form",
        "no column (left: row) of the numerator may have a higher degree than that of the reduced "
        "denominator");
}

Diagnostic must_be_positive(const std::string& option) {
    return bad_option(fmt::format("{} must be a positive number", option));
}

Diagnostic must_be_between(const std::string& option, std::ptrdiff_t low, std::ptrdiff_t high) {
    return bad_option(fmt::format("{} must be between {} and {}", option, low, high));
}

Diagnostic goes_with_only(const std::string& option, const std::string& other) {
    return bad_option(fmt::format("{} goes with {} only", option, other));
}

Diagnostic too_many_symbolic_states(std::size_t most, std::size_t states) {
    return bad_option(fmt::format("--symbolic is for up to {} states, and the model has {}", most, states),
                      "leave it out: numbers are used then");
}

Diagnostic name_and_number_expected(const std::string& option, const std::string& text) {
    return bad_option(fmt::format("{} {}: NAME=NUMBER is expected", option, text));
}

Diagnostic no_such_symbol(const std::string& text, const std::string& name,
                          const std::vector<std::string>& symbols) {
    Diagnostic d = bad_option(fmt::format("--set {}: the transfer function has no symbol {}", text, name));
    for (const std::string& symbol : symbols) d.help += (d.help.empty() ? "its symbols are " : ", ") + symbol;
    return d;
}

Diagnostic denominator_becomes_zero(const std::string& element) {
    return bad_option(fmt::format("with these values the denominator of {} is zero", element));
}

Diagnostic no_signals(const std::string& what) {
    Diagnostic d = bad_option(
        fmt::format("the system has no {}, so there is no transfer function", what),
        "name some with --inputs and --outputs; for a model: its inputs, parameters, any variables");
    d.code = "no-signals";
    return d;
}

Diagnostic no_eigenvalues() {
    return bad_option("the eigenvalues of the system could not be computed");
}

// ---- frequency responses

Diagnostic no_margins(std::ptrdiff_t states, std::ptrdiff_t most) {
    return make_note(
        "no-margins",
        fmt::format("margins are not computed here: the system has {} states, and zeros and poles of every "
                    "channel are "
                    "computed up to {} only",
                    states, most),
        "cutset margins computes those of one channel of any order; --no-margins does not ask for them");
}

Diagnostic empty_frequency_range() {
    return bad_option("--from must be below --to");
}

Diagnostic above_nyquist_frequency(double limit) {
    return bad_option(fmt::format("--from lies above the Nyquist frequency, {:.6g} rad/s", limit));
}

Diagnostic zero_channel(const std::string& channel) {
    Diagnostic d = bad_option(fmt::format("{}: the transfer function is zero and is left out", channel));
    d.severity = Severity::Warning;
    d.code = "zero-transfer";
    return d;
}

Diagnostic no_effect() {
    return bad_option("no input has an effect on any output that was chosen",
                      "choose others with --inputs and --outputs");
}

Diagnostic too_many_curves(std::size_t count) {
    return bad_option(fmt::format("{} curves are too many for one picture", count),
                      "choose some with --inputs and --outputs");
}

// ---- root loci

Diagnostic locus_not_square(std::size_t outputs, std::size_t inputs) {
    return bad_option(
        fmt::format("a root locus needs as many outputs as inputs; there are {} and {}", outputs, inputs),
        "choose with --inputs and --outputs");
}

Diagnostic gain_without_effect() {
    return bad_option("the transfer function is zero: the gain has no effect");
}

Diagnostic locus_without_poles() {
    return bad_option("the transfer function has no poles, so there is no locus");
}

Diagnostic locus_too_large(std::ptrdiff_t most) {
    return bad_option(fmt::format("root loci of several inputs are for up to {} states", most),
                      "choose one input and one output");
}

Diagnostic states_change(const std::string& parameter) {
    return bad_option(fmt::format("the number of states changes as {} varies", parameter),
                      "choose a range in which the structure stays");
}

Diagnostic with_value(const std::string& parameter, double value, const Diagnostic& reason) {
    Diagnostic d = reason;
    d.where = {};
    d.related.clear();
    d.message = fmt::format("with {} = {}: {}", parameter, value, reason.message);
    return d;
}

// ---- responses

Diagnostic no_initial_states(const std::string& state) {
    return bad_option("--from is missing: the states to start from",
                      fmt::format("for example --from \"{}=1\"; states not named start from 0", state));
}

Diagnostic wrong_number_of_states(std::ptrdiff_t given, std::ptrdiff_t order) {
    return bad_option(fmt::format("--from gives {} numbers, but there are {} states", given, order));
}

Diagnostic too_few_points() {
    return bad_option("--points must be at least 2");
}

Diagnostic response_overflow() {
    Diagnostic d = bad_option("the response grows beyond all numbers within the time shown",
                              "give a shorter --duration");
    d.code = "response-overflow";
    return d;
}

Diagnostic impulse_at_start(const std::string& output, double direct, const std::string& input) {
    return make_warning("impulse-at-start", fmt::format("{} has a direct term {:.6g} from {}: its response "
                                                        "has an infinite impulse of that area at t = 0, "
                                                        "which is not shown",
                                                        output, direct, input));
}

// ---- weights and poles as text

Diagnostic not_a_matrix(const std::string& option, const std::string& text) {
    return bad_option(
        fmt::format("--{} {}: this is no matrix", option, text),
        "write \"[1, 0; 0, 2]\", or name a file: .json with rows [[1, 0], [0, 2]], or .csv with numbers");
}

Diagnostic matrix_file_not_read(const std::string& option, const std::string& file) {
    return bad_option(fmt::format("--{} {}: the file cannot be read", option, file));
}

Diagnostic not_name_and_number(const std::string& option, const std::string& part,
                               const std::string& example) {
    return bad_option(fmt::format("--{}: {} is not NAME=NUMBER", option, part),
                      fmt::format("for example --{} \"{}=10\"", option, example));
}

Diagnostic unknown_weight(const std::string& option, const std::string& wanted, const std::string& among,
                          const std::vector<std::string>& names, const std::string& what,
                          const std::vector<std::string>& alternatives, const std::string& other) {
    std::vector<std::string> all = names;
    all.insert(all.end(), alternatives.begin(), alternatives.end());
    const std::string near = nearest_name(wanted, all);
    std::string help = near.empty() || near == wanted ? "" : fmt::format("did you mean {}? ", near);
    help += fmt::format("the {} are {}", what, list_of(names));
    if (!alternatives.empty())
        help += fmt::format("; or all names are of {}: {}", other, list_of(alternatives));
    Diagnostic d = bad_option(fmt::format("--{}: {} is none of the {}", option, wanted, among), help);
    d.code = "unknown-signal";
    return d;
}

Diagnostic not_a_pole(const std::string& text) {
    return bad_option(fmt::format("--poles: {} is no number", text),
                      "for example --poles \"-1, -2+3i, -2-3i\" or \"-1, -2±3i\"");
}

Diagnostic default_weight(const std::string& option, const std::string& what) {
    return make_note("default-weight", fmt::format("--{} is not given: 1 for each of the {}", option, what));
}

Diagnostic wrong_cross_weight(std::ptrdiff_t rows, std::ptrdiff_t columns, std::ptrdiff_t states,
                              std::ptrdiff_t inputs) {
    return bad_option(
        fmt::format("--N is {} x {}, but must be {} x {}: a row for each state and a column for each input",
                    rows, columns, states, inputs));
}

Diagnostic no_period(bool sample_time_given) {
    return bad_option("--period is missing: the sampling period in s",
                      sample_time_given
                          ? "--sample-time says which sample time a system in z has; give the period of "
                            "the sampling with --period"
                          : "for example --period 0.1");
}

// ---- exact transfer matrices

Diagnostic delay_not_rational(const std::string& element) {
    return bad_option(fmt::format("{} has a delay, which is no rational function", element),
                      "use an approximation: --pade 3");
}

Diagnostic too_large_for_exact(std::ptrdiff_t most, std::ptrdiff_t states) {
    return bad_option(
        fmt::format("exact arithmetic is for up to {} states, and the system has {}", most, states),
        "reduce it first, or take numeric transfer functions: cutset tf");
}

Diagnostic hermite_of_polynomials() {
    return bad_option("the Hermite form is of polynomial matrices, and this one has denominators",
                      "cutset smith without --hermite gives the Smith-McMillan form");
}

Diagnostic bad_crate() {
    return bad_option("--crate is 1 or 2");
}

// ---- stability tables

Diagnostic polynomial_and_system() {
    return bad_option("--polynomial is given together with another system");
}

Diagnostic polynomial_in_other_variable(const std::string& variable, bool sampled) {
    return bad_option(
        fmt::format("the polynomial is in {}, and {} is about {}", variable, sampled ? "jury" : "routh",
                    sampled ? "z" : "s"),
        fmt::format("cutset {} is for polynomials in {}", sampled ? "routh" : "jury", variable));
}

Diagnostic no_such_polynomial_symbol(const std::string& text) {
    return bad_option(fmt::format("--set {}: the polynomial has no such symbol", text));
}

Diagnostic other_table(bool sampled) {
    return bad_option(fmt::format("the system is {}", sampled ? "sampled" : "continuous"),
                      fmt::format("use cutset {}", sampled ? "jury" : "routh"));
}

Diagnostic several_signals() {
    return bad_option("the transfer function has several inputs or outputs",
                      "choose one of each with --inputs and --outputs");
}

Diagnostic delay_without_polynomial() {
    return bad_option("a delay has no characteristic polynomial", "use an approximation: --pade 3");
}

Diagnostic loop_not_well_posed() {
    return bad_option("the closed loop is not well posed: the transfer function is -1 at infinite frequency",
                      "the algebraic loop 1 + G = 0 has no solution; add the lag or delay that the loop has");
}

Diagnostic too_large_for_table(std::ptrdiff_t states, std::ptrdiff_t most) {
    return bad_option(fmt::format("the system has {} states; tables are for up to {}", states, most),
                      "look at its eigenvalues instead");
}

Diagnostic feedback_not_square() {
    return bad_option("feedback needs as many inputs as outputs");
}

Diagnostic feedback_with_direct_term() {
    return bad_option("--feedback with a direct term is possible for transfer functions only");
}

Diagnostic polynomial_is_zero() {
    return bad_option("the polynomial is zero");
}

Diagnostic polynomial_is_constant(const std::string& polynomial, const std::string& variable,
                                  bool of_transfer_function) {
    if (of_transfer_function)
        return bad_option(
            fmt::format("the denominator {} of the transfer function has no {}", polynomial, variable),
            "a characteristic polynomial is given with --polynomial; --tf takes a transfer function, whose "
            "denominator is examined");
    return bad_option(fmt::format("the polynomial {} has no {}", polynomial, variable),
                      "it has no roots, so there is nothing to be stable");
}

Diagnostic degree_too_high(int most) {
    return bad_option(fmt::format("the polynomial has a degree above {}", most));
}

// ---- subspaces

Diagnostic symbols_differ(const std::string& matrix) {
    return bad_option(fmt::format("{}: symbols must be the same in all matrices", matrix));
}

Diagnostic numbers_expected(const std::string& matrix, const std::string& variable) {
    return bad_option(
        fmt::format("{}: numbers and symbols are expected, not functions of {}", matrix, variable));
}

Diagnostic no_matrix_called(const std::string& text) {
    return bad_option(fmt::format("{} is no matrix", text),
                      "write [1, 2; 3, 4], or A, B, C, D of the system, or \"ker C\"");
}

Diagnostic two_matrices_needed(const std::string& option) {
    return bad_option(fmt::format("{} needs two matrices, separated by a comma", option));
}

Diagnostic matrices_do_not_fit(const std::string& option) {
    return bad_option(option + ": the sizes of the matrices do not fit");
}

Diagnostic no_solution() {
    return bad_option("A X = B has no solution", "columns of B lie outside of the image of A");
}

Diagnostic no_subspace_question() {
    return bad_option("there is no question", "for example --kernel C, or --invariant \"ker C\"");
}

}  // namespace cutset::linear_messages
