#include "frequency_channels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/json.h"
#include "control/frequency_response.h"
#include "control/transfer_realization.h"
#include "linear_output.h"

namespace cutset::cli {

namespace {

constexpr Eigen::Index small_order = 250;  // up to here zeros and poles of every channel are computed

// A system without zeros and poles, and the place of its first channel.
struct LargeSystem {
    StateSpace system;
    std::size_t first = 0;
};

// The response of a large system at enough frequencies; the phase is made continuous from point to point,
// beginning with the angle that the slope of the magnitude tells (-90° for each integrator).
void sweep(const LargeSystem& large, const FrequencyOptions& options, std::vector<Channel>& channels) {
    const StateSpace& s = large.system;
    const FrequencyResponse response(s);
    const double fastest =
        std::sqrt(s.A.cwiseAbs().rowwise().sum().maxCoeff() * s.A.cwiseAbs().colwise().sum().maxCoeff());
    const double nyquist = s.sample_time ? std::numbers::pi / *s.sample_time : 0;
    double high = options.to.value_or(
        nyquist ? nyquist : std::pow(10, std::ceil(std::log10(std::max(fastest, 1e-12)))));
    if (nyquist) high = std::min(high, nyquist);
    const double low = options.from.value_or(high / 1e7);
    std::vector<double> grid;
    const int count = options.points.value_or(400);
    for (int k = 0; k < count; ++k)
        grid.push_back(low * std::pow(high / low, static_cast<double>(k) / (count - 1)));
    std::vector<Eigen::MatrixXcd> values = response.at_frequencies(grid);
    // Halved where neighbours differ by more than 1 dB or 10 degrees.
    for (int round = 0; round < 5 && grid.size() < 4000; ++round) {
        std::vector<double> more;
        for (std::size_t k = 0; k + 1 < grid.size(); ++k) {
            bool rough = false;
            for (Eigen::Index e = 0; e < values[k].size() && !rough; ++e) {
                const Complex ratio = values[k + 1](e) / values[k](e);
                rough = std::fabs(std::log(std::abs(ratio))) > 0.115 + std::log(grid[k + 1] / grid[k]) * 4 ||
                        std::fabs(std::arg(ratio)) > 0.175;
            }
            if (rough) more.push_back(std::sqrt(grid[k] * grid[k + 1]));
        }
        if (more.empty() || more.size() > 2000) break;
        const std::vector<Eigen::MatrixXcd> added = response.at_frequencies(more);
        std::vector<std::pair<double, Eigen::MatrixXcd>> all;
        for (std::size_t k = 0; k < grid.size(); ++k) all.emplace_back(grid[k], std::move(values[k]));
        for (std::size_t k = 0; k < more.size(); ++k) all.emplace_back(more[k], added[k]);
        std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        grid.clear();
        values.clear();
        for (auto& [w, v] : all) {
            grid.push_back(w);
            values.push_back(std::move(v));
        }
    }
    for (Eigen::Index i = 0; i < s.C.rows(); ++i)
        for (Eigen::Index j = 0; j < s.B.cols(); ++j) {
            Channel& c = channels[large.first + static_cast<std::size_t>(i * s.B.cols() + j)];
            double phase = 0;
            for (std::size_t k = 0; k < grid.size(); ++k) {
                const Complex v = values[k](i, j);
                const double angle = std::arg(v);
                if (k == 0) {
                    const double slope =
                        std::log(std::abs(values[1](i, j) / v)) / std::log(grid[1] / grid[0]);
                    const double expected = std::round(slope) * std::numbers::pi / 2;
                    // Within half a turn below what the slope tells, so that a negative gain begins at -180°.
                    phase = angle + 2 * std::numbers::pi *
                                        std::round((expected - 1e-6 - angle) / (2 * std::numbers::pi));
                } else {
                    phase += std::remainder(angle - phase, 2 * std::numbers::pi);
                }
                c.points.push_back({grid[k], std::log(std::abs(v)), phase});
            }
        }
}

// Channels of one system; the prefix tells several systems apart.
bool add_channels(const LinearSystem& system, const std::string& prefix, std::vector<Channel>& out,
                  std::vector<LargeSystem>& large, Diagnostics& diagnostics) {
    const auto name = [&](const std::string& input, const std::string& output) {
        return prefix.empty() ? channel_name(output, input) : prefix;
    };
    if (const auto* g = std::get_if<ExactTransferMatrix>(&system)) {
        if (!g->symbols.empty()) {
            realize(*g, diagnostics);  // says which symbols need values
            return false;
        }
        for (std::size_t i = 0; i < g->rows(); ++i)
            for (std::size_t k = 0; k < g->columns(); ++k) {
                Channel c{name(g->inputs[k], g->outputs[i]), g->inputs[k], g->outputs[i], {}, {}, {}};
                c.function = transfer_function(g->elements[i][k], g->delays[i][k], g->sample_time);
                out.push_back(std::move(c));
            }
        return true;
    }
    const StateSpace& s = std::get<StateSpace>(system);
    if (s.order() > small_order) large.push_back({s, out.size()});
    for (Eigen::Index i = 0; i < s.C.rows(); ++i)
        for (Eigen::Index k = 0; k < s.B.cols(); ++k) {
            const std::string &input = s.inputs[static_cast<std::size_t>(k)],
                              &output = s.outputs[static_cast<std::size_t>(i)];
            Channel c{name(input, output), input, output, {}, {}, {}};
            if (s.order() <= small_order) {
                c.function = transfer_function(s, k, i);
                if (!c.function) {
                    diagnostics.report(bad_option("the eigenvalues of the system could not be computed"));
                    return false;
                }
            }
            out.push_back(std::move(c));
        }
    return true;
}

}  // namespace

double decibel(double log_magnitude) {
    return log_magnitude * 20 / std::numbers::ln10;
}

double degrees(double radians) {
    return radians * 180 / std::numbers::pi;
}

void add_frequency_options(Command& c, FrequencyOptions& o) {
    add_linear_options(c, o);
    c.option("--also", o.also, "a further system to compare with: a transfer function or a file");
    c.option("--from", o.from, "lowest frequency [rad/s]; default: below the slowest pole or zero");
    c.option("--to", o.to, "highest frequency [rad/s]; default: above the fastest, or the Nyquist frequency");
    c.option("--points", o.points,
             "number of frequencies to begin with; more are added where the curve bends (200)");
    c.option("-o,--output", o.output, "picture file: .svg, .png or .pdf; default: on the terminal");
    c.option("--title", o.title, "title of the plot");
    c.flag("--hz", o.hertz, "frequencies in Hz instead of rad/s, in pictures and text");
    c.flag("--no-margins", o.no_margins, "do not look at the closed loop");
}

std::optional<std::vector<Channel>> open_channels(const FrequencyOptions& options, Workspace& workspace) {
    const auto fail = [&](const std::string& message, const std::string& help = "") {
        workspace.diagnostics.report(bad_option(message, help));
        return std::nullopt;
    };
    for (const auto& [name, value] : {std::pair{"--from", options.from}, {"--to", options.to}})
        if (value && !(*value > 0 && std::isfinite(*value)))
            return fail(fmt::format("{} must be a positive number", name));
    if (options.from && options.to && !(*options.from < *options.to))
        return fail("--from must be below --to");
    if (options.points && (*options.points < 2 || *options.points > 100000))
        return fail("--points must be between 2 and 100000");
    const auto system = open_linear(options, workspace);
    if (!system) return std::nullopt;
    std::vector<Channel> channels;
    std::vector<LargeSystem> large;
    const std::string first = options.also.empty()  ? ""
                              : !options.tf.empty() ? options.tf
                                                    : options.file.substr(options.file.rfind('/') + 1);
    if (!add_channels(*system, first, channels, large, workspace.diagnostics)) return std::nullopt;
    for (const std::string& text : options.also) {
        LinearOptions other;
        static_cast<ModelOptions&>(other) = options;
        other.file.clear();
        other.set.clear();
        other.sample_time = options.sample_time;
        if (is_linear_file(text) || text.ends_with(".dym"))
            other.file = text;
        else
            other.tf = text;
        const auto more = open_linear(other, workspace);
        if (!more) return std::nullopt;
        if (!add_channels(*more, text.substr(is_linear_file(text) ? text.rfind('/') + 1 : 0), channels, large,
                          workspace.diagnostics))
            return std::nullopt;
    }
    for (const LargeSystem& l : large) sweep(l, options, channels);
    std::erase_if(channels, [&](const Channel& c) {
        if (!c.function || !c.function->is_zero()) return false;
        Diagnostic d = bad_option(fmt::format("{}: the transfer function is zero and is left out", c.name));
        d.severity = Severity::Warning;
        d.code = "zero-transfer";
        workspace.diagnostics.report(std::move(d));
        return true;
    });
    if (channels.empty())
        return fail("no input has an effect on any output that was chosen",
                    "choose others with --inputs and --outputs");
    if (channels.size() > 36)
        return fail(fmt::format("{} curves are too many for one picture", channels.size()),
                    "choose some with --inputs and --outputs");
    std::vector<TransferFunction> functions;
    for (const Channel& c : channels)
        if (c.function) functions.push_back(*c.function);
    if (functions.empty()) return channels;
    if (options.from && functions[0].sample_time &&
        *options.from >= std::numbers::pi / *functions[0].sample_time)
        return fail(fmt::format("--from lies above the Nyquist frequency, {} rad/s",
                                short_number(std::numbers::pi / *functions[0].sample_time)));
    const std::vector<double> grid = frequency_grid(functions, options.from, options.to,
                                                    static_cast<std::size_t>(options.points.value_or(200)));
    for (Channel& c : channels) {
        if (!c.function) continue;
        for (double w : grid) {
            // Sampled systems of different rates: each to its own Nyquist frequency.
            if (c.function->sample_time && w > std::numbers::pi / *c.function->sample_time * (1 + 1e-12))
                break;
            c.points.push_back(frequency_point(*c.function, w));
        }
        if (!options.no_margins) c.margins = loop_margins(*c.function);
    }
    return channels;
}

std::string frequency_text(double frequency, const FrequencyOptions& options) {
    if (options.hertz) return short_number(frequency / (2 * std::numbers::pi)) + " Hz";
    return short_number(frequency) + " rad/s";
}

Json margins_json(const LoopMargins& m) {
    Json j;
    const auto gain = [](const LoopMargins::Gain& g) {
        return Json{{"frequency", g.frequency}, {"factor", g.factor}, {"db", 20 * std::log10(g.factor)}};
    };
    const auto phase = [](const LoopMargins::Phase& p) {
        return Json{{"frequency", p.frequency}, {"degrees", p.angle}, {"delay_margin", number_json(p.delay)}};
    };
    j["gain_margin"] = m.gain ? Json(m.gain->factor) : Json();
    j["gain_margin_db"] = m.gain ? Json(20 * std::log10(m.gain->factor)) : Json();
    j["phase_crossover"] = m.gain ? Json(m.gain->frequency) : Json();
    j["phase_margin"] = m.phase ? Json(m.phase->angle) : Json();
    j["gain_crossover"] = m.phase ? Json(m.phase->frequency) : Json();
    j["delay_margin"] = m.phase ? number_json(m.phase->delay) : Json();
    j["all_gain_margins"] = Json::array();
    for (const auto& g : m.gains) j["all_gain_margins"].push_back(gain(g));
    j["all_phase_margins"] = Json::array();
    for (const auto& p : m.phases) j["all_phase_margins"].push_back(phase(p));
    j["max_sensitivity"] = number_json(m.sensitivity);
    j["max_sensitivity_frequency"] = m.sensitivity_frequency;
    j["open_loop_unstable"] = m.open_loop_unstable;
    j["encirclements"] = m.encirclements ? Json(*m.encirclements) : Json();
    j["closed_loop_unstable"] = m.closed_loop_unstable ? Json(*m.closed_loop_unstable) : Json();
    j["closed_loop_stable"] = m.stable ? Json(*m.stable) : Json();
    j["closed_loop_poles"] = complex_json(m.closed_loop_poles);
    return j;
}

std::string margins_text(const LoopMargins& m, const FrequencyOptions& options) {
    std::string out;
    if (m.gain)
        out += fmt::format("  gain margin    {:.4g} dB (factor {}) at {}\n", 20 * std::log10(m.gain->factor),
                           short_number(m.gain->factor), frequency_text(m.gain->frequency, options));
    else
        out += "  gain margin    infinite: the phase does not reach -180°\n";
    if (m.phase)
        out += fmt::format("  phase margin   {:.4g}° at {}, delay margin {} s\n", m.phase->angle,
                           frequency_text(m.phase->frequency, options), short_number(m.phase->delay));
    else
        out += "  phase margin   infinite: the gain does not pass 1\n";
    if (m.gains.size() > 1 || m.phases.size() > 1) {
        for (const auto& g : m.gains)
            out += fmt::format("    phase -180° at {}: {:.4g} dB\n", frequency_text(g.frequency, options),
                               20 * std::log10(g.factor));
        for (const auto& p : m.phases)
            out += fmt::format("    gain 1 at {}: {:.4g}°\n", frequency_text(p.frequency, options), p.angle);
    }
    out += fmt::format("  closed loop    {}\n",
                       !m.stable ? "on the border of stability"
                       : *m.stable
                           ? "stable (negative feedback of 1)"
                           : fmt::format("unstable, {} pole{} (negative feedback of 1)",
                                         *m.closed_loop_unstable, *m.closed_loop_unstable == 1 ? "" : "s"));
    return out;
}

}  // namespace cutset::cli
