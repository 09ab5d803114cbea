#include "linear/frequency_output.h"

#include <fmt/format.h>

#include "linear/margins_output.h"

namespace cutset::cli {

namespace {

Json channel_json(const Channel& c, const FrequencyCurves& curves) {
    Json out = {{"input", c.input}, {"output", c.output}, {"name", c.name}, {"frequency", Json::array()}};
    for (const FrequencyPoint& p : c.points) out["frequency"].push_back(p.frequency);
    for (const auto& [key, value] : curves.columns) {
        Json& column = out[key] = Json::array();
        for (const FrequencyPoint& p : c.points) column.push_back(number_json(value(p)));
    }
    if (c.margins) {
        out["margins"] = margins_json(*c.margins);
        for (const char* key :
             {"encirclements", "open_loop_unstable", "closed_loop_unstable", "closed_loop_stable"})
            out[key] = out["margins"][key];
    }
    return out;
}

Json study_json(const FrequencyStudy& study, const FrequencyCurves& curves) {
    Json list = Json::array();
    for (const Channel& c : study.channels) list.push_back(channel_json(c, curves));
    Json out;
    if (list.size() == 1) out = list[0];
    out["channels"] = std::move(list);
    if (const auto period = study.sample_time()) out["sample_time"] = *period;
    return out;
}

}  // namespace

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

int show_frequency_curves(FrequencyOptions options, const FrequencyCurves& curves) {
    options.margins = !options.no_margins;
    const auto draw = [&](const FrequencyStudy& study, bool quiet, Diagnostics& diagnostics) {
        Plot plot = curves.plot(study, options.hertz);
        plot.title = options.title;
        return show_plot(plot, options.output, quiet, diagnostics);
    };
    return run_study(options, frequency_study,
                     {.write =
                          [&](const FrequencyStudy& study, Diagnostics& diagnostics) {
                              // A picture that could not be written is reported, and the rest is printed.
                              if (!options.json) return draw(study, options.quiet, diagnostics), true;
                              return options.output.empty() || draw(study, true, diagnostics);
                          },
                      .json = [&](const FrequencyStudy& study) { return study_json(study, curves); },
                      .print =
                          [&](const FrequencyStudy& study) {
                              if (options.quiet || study.channels.size() > 6) return;
                              for (const Channel& c : study.channels)
                                  if (c.margins) fmt::print("{}\n{}", c.name, curves.text(c, options.hertz));
                          },
                      .notes = Notes::Added});
}

}  // namespace cutset::cli
