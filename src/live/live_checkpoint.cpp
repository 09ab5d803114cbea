#include "live/live_checkpoint.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/source.h"
#include "live/live_messages.h"

namespace cutset {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kind = "cutset checkpoint";
constexpr int version = 1;

// JSON has finite numbers only.
Json stored(double x) {
    if (std::isfinite(x)) return x;
    return std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
}

double stored(const Json& j) {
    if (j.is_number()) return j.get<double>();
    const std::string text = j.get<std::string>();
    const double infinite = std::numeric_limits<double>::infinity();
    return text == "inf" ? infinite : text == "-inf" ? -infinite : std::nan("");
}

template <class List>
Json named(const List& list) {
    Json out = Json::object();
    for (const auto& [name, value] : list) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, bool>)
            out[name] = value;
        else
            out[name] = stored(value);
    }
    return out;
}

void read_numbers(const Json& from, const char* key, std::vector<std::pair<std::string, double>>& list) {
    for (const auto& [name, value] : from.at(key).items()) list.emplace_back(name, stored(value));
}

void read_truths(const Json& from, std::vector<std::pair<std::string, bool>>& list) {
    for (const auto& [name, value] : from.items()) list.emplace_back(name, value.template get<bool>());
}

template <class Numbers>
Json numbers(const Numbers& list) {
    Json out = Json::array();
    for (double x : list) out.push_back(stored(x));
    return out;
}

Json to_json(const CheckpointFile& file) {
    const NamedPoint& p = file.point;
    Json out;
    out["file"] = kind;
    out["version"] = version;
    out["model"] = file.model;
    out["time"] = stored(p.time);
    const CheckpointOptions& o = file.options;
    out["options"] = {{"set", o.set},     {"init", o.init},       {"input", o.input},
                      {"known", o.known}, {"unknown", o.unknown}, {"initial", o.initial}};
    Json& set = out["set"] = Json::object();
    set["parameters"] = named(file.changes.parameters);
    set["initials"] = named(file.changes.initials);
    set["inputs"] = Json::object();
    for (const auto& [path, input] : file.changes.inputs) set["inputs"][path] = input.text;
    out["values"] = named(p.values);
    out["derivatives"] = named(p.derivatives);
    out["previous"] = named(p.previous);
    out["scales"] = named(p.scales);
    out["parameters"] = named(p.parameters);
    out["internal"] = named(p.internal);
    Json& switches = out["switches"] = Json::object();
    for (const auto& [text, s] : p.switches) {
        Json& one = switches[text];
        one["value"] = stored(s.value);
        if (s.offset != 0) one["offset"] = stored(s.offset);
        if (s.weight != 0) one["weight"] = stored(s.weight);
        if (s.largest != 0) one["largest"] = stored(s.largest);
        if (s.sliding) one["sliding"] = true;
        if (s.algebraic) one["algebraic"] = true;
        if (s.muted) one["muted"] = true;
    }
    Json& clocks = out["clocks"] = Json::object();
    for (const auto& [text, c] : p.clocks)
        clocks[text] = {{"first", stored(c.first)}, {"period", stored(c.period)}, {"ticks", stored(c.ticks)}};
    out["whens"] = named(p.whens);
    out["validities"] = named(p.validities);
    Json& delays = out["delays"] = Json::object();
    for (const auto& [text, line] : p.delays) {
        Json times = Json::array(), values = Json::array();
        for (const DelayBuffer::Point& point : line.points) {
            times.push_back(stored(point.time));
            values.push_back(stored(point.value));
        }
        delays[text] = {{"times", std::move(times)},
                        {"values", std::move(values)},
                        {"jumps", numbers(line.jumps)},
                        {"passed", stored(line.passed)}};
    }
    out["tables"] = p.tables;
    if (p.mode) out["mode"] = named(*p.mode);
    out["changed"] = p.changed;
    return out;
}

CheckpointFile from_json(const Json& in) {
    CheckpointFile file;
    file.model = in.at("model").get<std::string>();
    const Json& options = in.at("options");
    const auto texts = [&](const char* key) { return options.at(key).get<std::vector<std::string>>(); };
    file.options = {texts("set"),   texts("init"),    texts("input"),
                    texts("known"), texts("unknown"), options.at("initial").get<std::string>()};
    const auto read_map = [](const Json& from, std::map<std::string, double>& map) {
        for (const auto& [name, value] : from.items()) map[name] = stored(value);
    };
    read_map(in.at("set").at("parameters"), file.changes.parameters);
    read_map(in.at("set").at("initials"), file.changes.initials);
    for (const auto& [path, text] : in.at("set").at("inputs").items())
        file.changes.inputs[path] = LiveChanges::Input::from(text.template get<std::string>());
    NamedPoint& p = file.point;
    p.time = stored(in.at("time"));
    read_numbers(in, "values", p.values);
    read_numbers(in, "derivatives", p.derivatives);
    read_numbers(in, "previous", p.previous);
    read_numbers(in, "scales", p.scales);
    read_numbers(in, "parameters", p.parameters);
    read_numbers(in, "internal", p.internal);
    for (const auto& [text, s] : in.at("switches").items()) {
        const auto optional = [&s = s](const char* key) { return s.contains(key) ? stored(s.at(key)) : 0.0; };
        p.switches.emplace_back(
            text, RunPoint::SwitchState{stored(s.at("value")), optional("weight"), optional("offset"),
                                        optional("largest"), s.contains("sliding"), s.contains("algebraic"),
                                        s.contains("muted")});
    }
    for (const auto& [text, c] : in.at("clocks").items())
        p.clocks.emplace_back(
            text, ClockState{stored(c.at("first")), stored(c.at("period")), stored(c.at("ticks"))});
    read_truths(in.at("whens"), p.whens);
    read_truths(in.at("validities"), p.validities);
    for (const auto& [text, line] : in.at("delays").items()) {
        DelayBuffer::Line& l = p.delays.emplace_back(text, DelayBuffer::Line{}).second;
        const Json &times = line.at("times"), &values = line.at("values");
        if (times.size() != values.size()) throw std::runtime_error("a delay has times without values");
        for (std::size_t i = 0; i < times.size(); ++i)
            l.points.push_back({stored(times.at(i)), stored(values.at(i))});
        for (const Json& jump : line.at("jumps")) l.jumps.push_back(stored(jump));
        l.passed = stored(line.at("passed"));
    }
    p.tables = in.at("tables").get<std::vector<std::string>>();
    if (in.contains("mode")) read_truths(in.at("mode"), p.mode.emplace());
    p.changed = in.at("changed").get<bool>();
    if (!std::isfinite(p.time)) throw std::runtime_error("its time is no number");
    return file;
}

}  // namespace

Problem write_checkpoint(const std::string& path, const CheckpointFile& file) {
    return write_whole_file(path, to_json(file).dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

void report_misfits(const std::string& path, const PlacedPoint& placed, Diagnostics& diagnostics) {
    if (!placed.unknown.empty())
        diagnostics.report(live_messages::does_not_fit(path + " has what the model no longer has",
                                                       placed.unknown, "these are left out"));
    if (!placed.missing.empty())
        diagnostics.report(live_messages::does_not_fit(path + " says nothing about what is new in the model",
                                                       placed.missing, "these begin as at the start"));
}

std::optional<CheckpointFile> read_checkpoint(const std::string& path, std::string& problem) {
    const auto text = read_file(path, problem);
    if (!text) return std::nullopt;
    const Json in = Json::parse(*text, nullptr, false);
    if (in.is_discarded() || !in.is_object()) {
        problem = "it is not JSON, or not whole";
        return std::nullopt;
    }
    if (in.value("file", "") != kind) {
        problem = "it is another kind of file";
        return std::nullopt;
    }
    if (in.value("version", 0) != version) {
        problem = "it was written by another version of Cutset";
        return std::nullopt;
    }
    try {
        return from_json(in);
    } catch (const std::exception& e) {
        problem = e.what();
        return std::nullopt;
    }
}

}  // namespace cutset
