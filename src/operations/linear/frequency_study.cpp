#include "operations/linear/frequency_study.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "control/frequency_response.h"
#include "control/modes.h"
#include "control/state_space_messages.h"
#include "control/transfer_realization.h"
#include "operations/linear/linear_messages.h"
#include "results/linear_file.h"

namespace cutset {

namespace {

constexpr Eigen::Index small_order = 250;  // up to here zeros and poles of every channel are computed

// A system without zeros and poles, and the place of its first channel.
struct LargeSystem {
    StateSpace system;
    std::size_t first = 0;
};

// The response of a large system at enough frequencies; the phase is made continuous from point to point,
// beginning with the angle that the slope of the magnitude tells (-90° for each integrator).
void sample_large(const LargeSystem& large, const FrequencyRequest& options, std::vector<Channel>& channels) {
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
bool add_channels(const LinearSystem& system, const std::string& prefix, bool with_margins,
                  std::vector<Channel>& out, std::vector<LargeSystem>& large, Diagnostics& diagnostics) {
    const auto name = [&](const std::string& input, const std::string& output) {
        return prefix.empty() ? channel_name(output, input) : prefix;
    };
    if (const auto* g = std::get_if<ExactTransferMatrix>(&system)) {
        if (!g->symbols.empty()) {
            check_realizable(*g, diagnostics);  // says which symbols need values
            return false;
        }
        report_cancelled(*g, diagnostics);
        for (std::size_t i = 0; i < g->rows(); ++i)
            for (std::size_t k = 0; k < g->columns(); ++k) {
                Channel c{name(g->inputs[k], g->outputs[i]), g->inputs[k], g->outputs[i], {}, {}, {}};
                c.function = transfer_function(g->elements[i][k], g->delays[i][k], g->sample_time);
                if (with_margins)
                    c.margins = stability_margins(g->elements[i][k], g->delays[i][k], g->sample_time);
                out.push_back(std::move(c));
            }
        return true;
    }
    const StateSpace& s = std::get<StateSpace>(system);
    const bool small = s.order() <= small_order;
    if (!small) {
        large.push_back({s, out.size()});
        if (with_margins) {
            diagnostics.report(linear_messages::no_margins(s.order(), small_order));
        }
    }
    // Once for all channels.
    const auto poles = small ? settled_poles(s.A, s.sample_time) : std::nullopt;
    if (small && !poles) {
        diagnostics.report(linear_messages::no_eigenvalues());
        return false;
    }
    for (Eigen::Index i = 0; i < s.C.rows(); ++i)
        for (Eigen::Index k = 0; k < s.B.cols(); ++k) {
            const std::string &input = s.inputs[static_cast<std::size_t>(k)],
                              &output = s.outputs[static_cast<std::size_t>(i)];
            Channel c{name(input, output), input, output, {}, {}, {}};
            if (small) {
                c.function = transfer_function(s, k, i, &*poles);
                if (!c.function) {
                    diagnostics.report(linear_messages::no_eigenvalues());
                    return false;
                }
                if (with_margins) c.margins = stability_margins(s, k, i, *c.function, *poles, diagnostics);
            }
            out.push_back(std::move(c));
        }
    return true;
}

bool check_range(const FrequencyRequest& request, Diagnostics& diagnostics) {
    for (const auto& [name, value] : {std::pair{"--from", request.from}, {"--to", request.to}})
        if (value && !(*value > 0 && std::isfinite(*value))) {
            diagnostics.report(linear_messages::must_be_positive(name));
            return false;
        }
    if (request.from && request.to && !(*request.from < *request.to))
        diagnostics.report(linear_messages::empty_frequency_range());
    else if (request.points && (*request.points < 2 || *request.points > 100000))
        diagnostics.report(linear_messages::must_be_between("--points", 2, 100000));
    else
        return true;
    return false;
}

// Another system to compare with: a file, or a transfer function.
LinearRequest request_for(const std::string& text, const FrequencyRequest& request) {
    LinearRequest other;
    static_cast<ModelRequest&>(other) = request;
    other.file.clear();
    other.set.clear();
    other.sample_time = request.sample_time;
    (is_linear_file(text) || text.ends_with(".dym") ? other.file : other.tf) = text;
    return other;
}

// All channels that have a transfer function, at common frequencies. False when errors were reported.
bool sample_functions(const FrequencyRequest& request, std::vector<Channel>& channels,
                      Diagnostics& diagnostics) {
    std::vector<TransferFunction> functions;
    for (const Channel& c : channels)
        if (c.function) functions.push_back(*c.function);
    if (functions.empty()) return true;
    const auto nyquist = [](const TransferFunction& g) {
        return g.sample_time ? std::optional(std::numbers::pi / *g.sample_time) : std::nullopt;
    };
    if (const auto limit = nyquist(functions[0]); request.from && limit && *request.from >= *limit) {
        diagnostics.report(linear_messages::above_nyquist_frequency(*limit));
        return false;
    }
    const std::vector<double> grid = frequency_grid(functions, request.from, request.to,
                                                    static_cast<std::size_t>(request.points.value_or(200)));
    for (Channel& c : channels) {
        if (!c.function) continue;
        const auto limit = nyquist(*c.function);
        for (double w : grid) {
            // Sampled systems of different rates: each to its own Nyquist frequency.
            if (limit && w > *limit * (1 + 1e-12)) break;
            c.points.push_back(frequency_point(*c.function, w));
        }
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

std::optional<double> FrequencyStudy::sample_time() const {
    return channels.front().function ? channels.front().function->sample_time : std::nullopt;
}

std::optional<FrequencyStudy> frequency_study(const FrequencyRequest& request, Workspace& workspace) {
    Diagnostics& diagnostics = workspace.diagnostics;
    if (!check_range(request, diagnostics)) return std::nullopt;
    const auto system = open_linear(request, workspace);
    if (!system) return std::nullopt;
    FrequencyStudy study;
    study.from_given = request.from.has_value();
    study.to_given = request.to.has_value();
    std::vector<Channel>& channels = study.channels;
    std::vector<LargeSystem> large;
    const std::string first = request.also.empty()  ? ""
                              : !request.tf.empty() ? request.tf
                                                    : request.file.substr(request.file.rfind('/') + 1);
    if (!add_channels(*system, first, request.margins, channels, large, diagnostics)) return std::nullopt;
    for (const std::string& text : request.also) {
        const auto more = open_linear(request_for(text, request), workspace);
        if (!more) return std::nullopt;
        if (!add_channels(*more, text.substr(is_linear_file(text) ? text.rfind('/') + 1 : 0), request.margins,
                          channels, large, diagnostics))
            return std::nullopt;
    }
    for (const LargeSystem& l : large) sample_large(l, request, channels);
    std::erase_if(channels, [&](const Channel& c) {
        if (!c.function || !c.function->is_zero()) return false;
        diagnostics.report(linear_messages::zero_channel(c.name));
        return true;
    });
    if (channels.empty()) {
        diagnostics.report(linear_messages::no_effect());
        return std::nullopt;
    }
    if (channels.size() > 36) {
        diagnostics.report(linear_messages::too_many_curves(channels.size()));
        return std::nullopt;
    }
    if (!sample_functions(request, channels, diagnostics)) return std::nullopt;
    return study;
}

std::optional<Peak> closed_loop_peak(const Channel& channel) {
    if (!channel.margins || !channel.margins->stable()) return std::nullopt;
    Peak peak;
    for (const FrequencyPoint& p : channel.points) {
        const Complex l = std::polar(std::exp(p.log_magnitude), p.phase);
        const double t = std::abs(l / (1.0 + l));
        if (std::isfinite(t) && t > peak.magnitude) peak = {t, p.frequency};
    }
    return peak;
}

std::optional<Margins> loop_margins(const LinearRequest& request, Workspace& workspace) {
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto system = open_linear(request, workspace);
    if (!system) return std::nullopt;
    if (const auto* g = std::get_if<ExactTransferMatrix>(&*system)) {
        if (!g->symbols.empty()) {
            check_realizable(*g, diagnostics);  // says which symbols need values
            return std::nullopt;
        }
        if (g->rows() != 1 || g->columns() != 1) {
            diagnostics.report(state_space_messages::one_input_one_output("a margin", g->inputs, g->outputs));
            return std::nullopt;
        }
        report_cancelled(*g, diagnostics);
        return stability_margins(g->elements[0][0], g->delays[0][0], g->sample_time);
    }
    const StateSpace& s = std::get<StateSpace>(*system);
    if (!check_system(s, diagnostics)) return std::nullopt;
    if (s.B.cols() != 1 || s.C.rows() != 1) {
        diagnostics.report(state_space_messages::one_input_one_output("a margin", s.inputs, s.outputs));
        return std::nullopt;
    }
    return stability_margins(s, 0, 0, diagnostics);
}

}  // namespace cutset
