#include "linear/response_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linear/linear_options.h"

namespace cutset::cli {

namespace {

struct ResponseOptions : ResponseRequest, OutputOptions {
    std::string output, title;
};

std::string end_text(StepEnd end) {
    return end == StepEnd::Settles ? "settles" : end == StepEnd::Oscillates ? "oscillates" : "grows";
}

Json information_json(const StepInformation& i) {
    const auto value = [](const std::optional<double>& v) {
        return v && std::isfinite(*v) ? Json(*v) : Json();
    };
    return {{"final_value", number_json(i.final_value)},
            {"rise_time", value(i.rise_time)},
            {"settling_time", value(i.settling_time)},
            {"overshoot", value(i.overshoot)},
            {"undershoot", value(i.undershoot)},
            {"peak", value(i.peak)},
            {"peak_time", value(i.peak_time)}};
}

void print_information(const StepInformation& i, const std::string& name) {
    const auto text = [](const std::optional<double>& v, const char* unit) {
        return v ? short_number(*v) + unit : std::string("-");
    };
    fmt::print("{:<20} {:>11} {:>11} {:>11} {:>11} {:>11} {:>11}\n", name,
               i.end == StepEnd::Settles ? short_number(i.final_value) : end_text(i.end),
               text(i.rise_time, " s"), text(i.settling_time, " s"), text(i.overshoot, " %"),
               text(i.peak, ""), text(i.peak_time, " s"));
}

const char* kind_word(ResponseKind kind) {
    switch (kind) {
        case ResponseKind::Step:
            return "step";
        case ResponseKind::Impulse:
            return "impulse";
        case ResponseKind::Initial:
            return "initial";
    }
    return "";
}

Json responses_json(const ResponseStudy& study) {
    Json out = {{"inputs", study.inputs}, {"outputs", study.outputs}, {"kind", kind_word(study.kind)}};
    if (study.sample_time) out["sample_time"] = *study.sample_time;
    out["responses"] = Json::array();
    if (!study.time.empty()) out["time"] = study.time;
    for (const Response& r : study.responses) {
        Json one = {{"output", r.output}, {"values", r.values}};
        if (study.kind != ResponseKind::Initial) one["input"] = r.input;
        if (r.information) {
            one.update(information_json(*r.information));
            one["stable"] = r.information->end == StepEnd::Settles;
            one["end"] = end_text(r.information->end);
        }
        out["responses"].push_back(std::move(one));
    }
    return out;
}

void print_step_table(const ResponseStudy& study) {
    if (study.kind != ResponseKind::Step || study.responses.empty()) return;
    fmt::print("{:<20} {:>11} {:>11} {:>11} {:>11} {:>11} {:>11}\n", "", "final", "rise", "settling",
               "overshoot", "peak", "at");
    for (const Response& r : study.responses) print_information(*r.information, r.name);
    const auto any = [&](StepEnd end) {
        return std::any_of(study.responses.begin(), study.responses.end(),
                           [&](const Response& r) { return r.information->end == end; });
    };
    if (any(StepEnd::Oscillates))
        fmt::print("oscillates: poles on the border of stability, so that the response never settles\n");
    if (any(StepEnd::Grows))
        fmt::print("grows: an integrator or an unstable pole, so that there is no final value\n");
}

std::string default_title(const ResponseOptions& options) {
    switch (options.kind) {
        case ResponseKind::Step:
            return "Step response";
        case ResponseKind::Impulse:
            return "Impulse response";
        case ResponseKind::Initial:
            break;
    }
    return "Response from " + options.start;
}

int respond(const ResponseOptions& options) {
    const auto draw = [&](const ResponseStudy& study, bool quiet, Diagnostics& diagnostics) {
        Plot plot = response_plot(study);
        plot.title = options.title.empty() ? default_title(options) : options.title;
        return show_plot(plot, options.output, quiet, diagnostics);
    };
    return run_study(options, response_study,
                     {.write =
                          [&](const ResponseStudy& study, Diagnostics& diagnostics) {
                              if (options.json)
                                  return options.output.empty() || draw(study, true, diagnostics);
                              // A picture that could not be written is reported, and the rest is printed.
                              if (!study.responses.empty()) draw(study, options.quiet, diagnostics);
                              return true;
                          },
                      .json = responses_json,
                      .print =
                          [&](const ResponseStudy& study) {
                              if (!options.quiet) print_step_table(study);
                          }});
}

}  // namespace

void add_response(CommandLine& line, ResponseKind kind, const char* name, const char* description,
                  const char* examples) {
    auto o = std::make_shared<ResponseOptions>();
    o->kind = kind;
    Command& c = line.add(name, groups::linear, description, [o] { return respond(*o); });
    add_linear_options(c, *o);
    if (kind == ResponseKind::Initial)
        c.option("--from", o->start, "states to start from: \"x1=1,x2=-0.5\"; the others 0");
    c.option("--duration", o->duration, "time shown [s]; default: until the slowest mode has settled");
    c.option("--points", o->points, "number of points; default: by the fastest mode");
    c.option("-o,--output", o->output, "picture file: .svg, .png or .pdf");
    c.option("--title", o->title, "title of the plot");
    c.footer(examples);
}

}  // namespace cutset::cli
