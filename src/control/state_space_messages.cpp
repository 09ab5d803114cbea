#include "control/state_space_messages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "base/message_parts.h"
#include "control/modes.h"

namespace cutset {

std::string shown(std::complex<double> value) {
    const double re = value.real(), im = value.imag();
    if (im == 0) return fmt::format("{:.5g}", re + 0.0);
    return fmt::format("{:.5g}{}{:.5g}i", re + 0.0, im < 0 ? "-" : "+", std::abs(im));
}

std::string shown(const FixedMode& mode, const std::vector<std::string>& states) {
    std::string out = shown(mode.eigenvalue);
    std::string names;
    for (Eigen::Index i : mode.states)
        if (i < static_cast<Eigen::Index>(states.size())) names += (names.empty() ? "" : ", ") + states[i];
    if (!names.empty()) out += " (" + names + ")";
    return out;
}

bool check_stable(const StateSpace& system, const std::string& why, Diagnostics& diagnostics) {
    const auto found = modes(system.A, system.sample_time);
    if (!found) {
        diagnostics.report(state_space_messages::no_convergence("the eigenvalues"));
        return false;
    }
    std::vector<std::string> bad;
    for (const Mode& mode : *found) {
        if (mode.stable(system.is_sampled()) || mode.eigenvalue.imag() < 0) continue;
        FixedMode named{mode.eigenvalue, {}};
        for (const Participant& p : participants(mode)) named.states.push_back(p.state);
        bad.push_back(shown(named, system.states));
    }
    if (bad.empty()) return true;
    diagnostics.report(state_space_messages::not_stable(why, bad, system.is_sampled()));
    return false;
}

bool check_system(const StateSpace& s, Diagnostics& diagnostics) {
    const Eigen::Index n = s.A.rows(), m = s.B.cols(), p = s.C.rows();
    if (s.A.cols() != n || s.B.rows() != n || s.C.cols() != n || s.D.rows() != p || s.D.cols() != m) {
        diagnostics.report(state_space_messages::sizes_differ(
            fmt::format("A is {}x{}, B {}x{}, C {}x{}, D {}x{}", s.A.rows(), s.A.cols(), s.B.rows(),
                        s.B.cols(), s.C.rows(), s.C.cols(), s.D.rows(), s.D.cols())));
        return false;
    }
    const struct {
        const char* name;
        const Eigen::MatrixXd& matrix;
    } all[] = {{"A", s.A}, {"B", s.B}, {"C", s.C}, {"D", s.D}};
    for (const auto& one : all)
        if (!one.matrix.allFinite()) {
            diagnostics.report(state_space_messages::not_finite(one.name));
            return false;
        }
    return true;
}

namespace state_space_messages {

namespace {

const char* modes_word(const std::vector<std::string>& modes) {
    return modes.size() == 1 ? "mode" : "modes";
}

}  // namespace

Diagnostic not_stable(const std::string& why, const std::vector<std::string>& modes, bool sampled) {
    return make_error(
        "not-stable",
        fmt::format("{} for stable systems only; the {} {} {} not stable", why, modes_word(modes),
                    name_list(modes, 8), modes.size() == 1 ? "is" : "are"),
        sampled
            ? "stabilise the system first, for example with `cutset lqr` or `cutset place`"
            : "stabilise the system first, for example with `cutset lqr` or `cutset place`; an integrator "
              "(a pole at 0) that no input reaches or no output shows is removed by `cutset minimal`");
}

Diagnostic no_convergence(const std::string& what) {
    return make_error("no-convergence",
                      fmt::format("{} could not be computed: the iteration did not converge", what),
                      "look for numbers in the matrices that are not finite or extremely large");
}

Diagnostic sizes_differ(const std::string& details) {
    return make_error("sizes-differ", fmt::format("the matrices do not fit together: {}", details),
                      "with n states, m inputs and p outputs, A is n x n, B n x m, C p x n and D p x m");
}

Diagnostic not_finite(const std::string& matrix) {
    return make_error("not-finite",
                      fmt::format("the matrix {} has elements that are not finite numbers", matrix));
}

Diagnostic not_stabilizable(const std::vector<std::string>& modes, const std::vector<std::string>& inputs) {
    return make_error(
        "not-stabilizable",
        fmt::format(
            "no feedback can stabilise the system: the {} {} {} not stable, and the {} {} {} not reach {}",
            modes_word(modes), name_list(modes, 8), modes.size() == 1 ? "is" : "are",
            inputs.size() == 1 ? "input" : "inputs", name_list(inputs, 8), inputs.size() == 1 ? "does" : "do",
            modes.size() == 1 ? "it" : "them"),
        "add an input that acts on the states named, or take them out of the model; `cutset controllability` "
        "shows what the inputs reach");
}

Diagnostic not_detectable(const std::vector<std::string>& modes, const std::vector<std::string>& outputs) {
    return make_error(
        "not-detectable",
        fmt::format(
            "no observer can follow the system: the {} {} {} not stable, and the {} {} {} not show {}",
            modes_word(modes), name_list(modes, 8), modes.size() == 1 ? "is" : "are",
            outputs.size() == 1 ? "output" : "outputs", name_list(outputs, 8),
            outputs.size() == 1 ? "does" : "do", modes.size() == 1 ? "it" : "them"),
        "add an output that depends on the states named; `cutset observability` shows what the outputs see");
}

Diagnostic border_mode_not_weighted(const std::vector<std::string>& modes, const std::string& weight) {
    return make_error(
        "border-mode",
        fmt::format(
            "the {} {} {} on the border of stability and {} does not weight {}: leaving {} alone costs "
            "nothing, so the optimal feedback is not stabilising",
            modes_word(modes), name_list(modes, 8), modes.size() == 1 ? "is" : "are", weight,
            modes.size() == 1 ? "it" : "them", modes.size() == 1 ? "it" : "them"),
        "give a weight, if small, to one of the states named");
}

Diagnostic border_mode_not_excited(const std::vector<std::string>& modes) {
    return make_error(
        "border-mode",
        fmt::format(
            "the {} {} {} on the border of stability and no noise excites {}: the optimal filter would "
            "ignore the measurements there and is not stable",
            modes_word(modes), name_list(modes, 8), modes.size() == 1 ? "is" : "are",
            modes.size() == 1 ? "it" : "them"),
        "give process noise, if small, to one of the states named");
}

Diagnostic not_symmetric(const std::string& matrix) {
    return make_error("not-symmetric", fmt::format("{} is not symmetric", matrix),
                      "only its symmetric part (M + M^T)/2 would count: give that");
}

Diagnostic not_definite(const std::string& matrix, bool strictly, double smallest,
                        const std::string& meaning) {
    return make_error("not-definite",
                      fmt::format("{} must be positive {}, but its smallest eigenvalue is {:.5g}", matrix,
                                  strictly ? "definite" : "semidefinite", smallest),
                      meaning);
}

Diagnostic wrong_size(const std::string& matrix, Eigen::Index rows, Eigen::Index columns,
                      Eigen::Index expected, const std::string& of) {
    return make_error("wrong-size",
                      fmt::format("{} is {} x {}, but must be {} x {}: a row and a column for each of the {}",
                                  matrix, rows, columns, expected, expected, of));
}

Diagnostic riccati_failed(const std::string& equation) {
    return make_error(
        "riccati-failed",
        fmt::format(
            "{} has no stabilising solution that could be computed: closed-loop eigenvalues lie on, or "
            "too near, the border of stability",
            equation),
        "weight every state that is on the border of stability; if weights differ by many powers of ten, try "
        "less "
        "different ones");
}

Diagnostic riccati_inaccurate(const std::string& equation, double residual) {
    return make_warning(
        "riccati-inaccurate",
        fmt::format("the solution of {} is inaccurate: its relative residual is {:.2g}", equation, residual),
        "weights or time scales differ very much; scale the states, or remove fast modes");
}

Diagnostic not_square_poles(std::size_t given, Eigen::Index order) {
    return make_error(
        "pole-count",
        fmt::format("{} {} given, but the system has {} {}", given, given == 1 ? "pole is" : "poles are",
                    order, order == 1 ? "state" : "states"),
        "give as many poles as there are states; a complex pair counts as two");
}

Diagnostic pole_without_conjugate(std::complex<double> pole) {
    return make_error(
        "pole-conjugate",
        fmt::format("the pole {} stands without its conjugate {}", shown(pole), shown(std::conj(pole))),
        "a real system has complex poles in pairs: give both");
}

Diagnostic pole_not_a_number(std::complex<double>) {
    return make_error("pole-not-finite", "a pole that was given is not a finite number");
}

Diagnostic cannot_place(const std::vector<std::string>& modes, const std::vector<std::string>& inputs) {
    return make_error(
        "not-controllable",
        fmt::format("the {} {} cannot be moved: the {} {} {} not reach {}", modes_word(modes),
                    name_list(modes, 8), inputs.size() == 1 ? "input" : "inputs", name_list(inputs, 8),
                    inputs.size() == 1 ? "does" : "do", modes.size() == 1 ? "it" : "them"),
        "keep these eigenvalues among the poles given, or add an input that acts on the states named");
}

Diagnostic placed_inaccurately(double error) {
    return make_warning(
        "poles-inaccurate",
        fmt::format(
            "the closed-loop poles differ from those wanted by up to {:.2g} (relative): their places are "
            "very sensitive",
            error),
        "multiple poles, and poles far from those of the system, are sensitive; spread them or use `cutset "
        "lqr`");
}

Diagnostic not_controllable_form(const std::string& form, const std::string& lacking,
                                 const std::vector<std::string>& modes) {
    return make_error("no-canonical-form",
                      fmt::format("there is no {} form: the system is not {}, see the {} {}", form, lacking,
                                  modes_word(modes), name_list(modes, 8)),
                      "`cutset minimal FILE -o small.json` removes such modes");
}

Diagnostic ill_conditioned_form(double condition) {
    return make_warning(
        "ill-conditioned",
        fmt::format(
            "the transformation has condition number {:.1e}: about {:.0f} digits of the result are lost",
            condition, std::min(16.0, std::log10(condition))),
        "canonical forms are sensitive by nature; `--form balanced` and `--form modal` are not, or less");
}

Diagnostic inputs_and_outputs_needed(const std::string& what) {
    return make_error("no-inputs-outputs",
                      fmt::format("{} needs a system with at least one input and one output", what),
                      "choose them with --inputs and --outputs");
}

Diagnostic one_input_one_output(const std::string& what, const std::vector<std::string>& inputs,
                                const std::vector<std::string>& outputs) {
    return make_error("one-input-one-output",
                      fmt::format("{} needs one input and one output, but there are inputs {} and outputs {}",
                                  what, inputs.empty() ? "(none)" : name_list(inputs, 8),
                                  outputs.empty() ? "(none)" : name_list(outputs, 8)),
                      "choose with --inputs NAME --outputs NAME");
}

Diagnostic already_sampled(double period) {
    return make_error("already-sampled",
                      fmt::format("the system is sampled already, with period {:g} s", period),
                      "`cutset sample --back` goes back to continuous time");
}

Diagnostic not_sampled() {
    return make_error("not-sampled", "the system is continuous: there is nothing to convert back",
                      "--back is for sampled systems, which have a sample_time");
}

Diagnostic delay_too_long(double delay, double period, long most) {
    return make_error(
        "delay-too-long",
        fmt::format("the delay of {:g} s is more than {} periods of {:g} s", delay, most, period),
        "a longer --period");
}

Diagnostic bad_period(double period) {
    return make_error("bad-period",
                      fmt::format("the sampling period must be a positive number, not {:g}", period));
}

Diagnostic pole_at_minus_one() {
    return make_error(
        "tustin-pole",
        "Tustin's method cannot convert this system back: it has a pole at z = -1, which would be at "
        "infinity "
        "in continuous time",
        "such a pole has no continuous counterpart by any method; keep the system sampled, or take "
        "the pole out "
        "first");
}

Diagnostic pole_at_tustin(double s) {
    return make_error(
        "tustin-pole",
        fmt::format(
            "Tustin's method cannot convert this system: it has a pole at {:g}, which is mapped to infinity",
            s),
        "choose another sampling period");
}

Diagnostic no_logarithm(std::complex<double> pole) {
    return make_error(
        "no-logarithm",
        fmt::format(
            "the sampled system has a pole at {}; no continuous system of the same order with a zero-order "
            "hold has it",
            shown(pole)),
        "poles at 0 and on the negative real axis have no continuous counterpart; try --method tustin");
}

Diagnostic aliasing(std::complex<double> pole, double nyquist) {
    return make_warning(
        "aliasing",
        fmt::format(
            "the mode {} oscillates faster than half the sampling frequency ({:.4g} rad/s): in the samples "
            "it looks slower",
            shown(pole), nyquist),
        "choose a shorter period");
}

Diagnostic prewarp_range(double frequency, double nyquist) {
    return make_error(
        "prewarp-range",
        fmt::format(
            "the frequency {:g} rad/s for prewarping must lie between 0 and {:g} rad/s, half the sampling "
            "frequency",
            frequency, nyquist));
}

Diagnostic algebraic_loop(const std::string& where) {
    return make_error(
        "algebraic-loop",
        fmt::format("the feedback has no solution: {} is singular, the loop has direct gain exactly -1",
                    where),
        "change the gain, or take the direct term D out");
}

Diagnostic different_sampling() {
    return make_error("different-sampling", "the two systems have different sampling periods",
                      "convert one of them with `cutset sample`");
}

Diagnostic different_ports(const std::string& what, Eigen::Index first, Eigen::Index second) {
    return make_error("different-ports", fmt::format("{}: {} and {} do not fit", what, first, second));
}

Diagnostic responses_too_long(double duration) {
    return make_error("bad-duration",
                      fmt::format("the duration must be a positive number, not {:g}", duration));
}

}  // namespace state_space_messages

}  // namespace cutset
