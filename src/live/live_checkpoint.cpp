#include "live/live_checkpoint.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/fingerprint.h"
#include "base/source.h"
#include "live/live_messages.h"

namespace cutset {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kind = "cutset checkpoint";
constexpr int version = 1;
constexpr int memory_version = 1;  // of what a run remembers; one of another version is left out

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

Json to_json(const Memory& memory) {
    Json out = Json::array();
    for (const Memory::Entry& entry : memory.entries) {
        Json one = Json::array({entry.name});
        if (entry.integers.empty()) {
            for (double x : entry.numbers) one.push_back(stored(x));
        } else {
            one.push_back(true);  // whole numbers
            for (std::int64_t i : entry.integers) one.push_back(i);
        }
        out.push_back(std::move(one));
    }
    return out;
}

Memory memory_from_json(const Json& in) {
    Memory memory;
    for (const Json& one : in) {
        Memory::Entry& entry = memory.entries.emplace_back();
        entry.name = one.at(0).get<std::string>();
        const bool whole = one.size() > 1 && one.at(1).is_boolean();
        for (std::size_t i = whole ? 2 : 1; i < one.size(); ++i) {
            if (whole)
                entry.integers.push_back(one.at(i).get<std::int64_t>());
            else
                entry.numbers.push_back(stored(one.at(i)));
        }
    }
    return memory;
}

// A memory that was changed by hand is not used at all.
std::string check_of(const Json& memory) {
    std::string text;
    for (const char* key : {"program", "settings", "problem", "run", "integrator", "modes", "others"})
        text += memory.at(key).dump();
    return fingerprint(text).text();
}

Json to_json(const RunMemory& memory) {
    Memory settings;
    MemoryStream stream(settings);
    RunSettings(memory.settings).remember(stream);
    Json out;
    out["version"] = memory_version;
    out["program"] = memory.program;
    out["settings"] = to_json(settings);
    out["problem"] = to_json(memory.problem);
    out["run"] = to_json(memory.run);
    out["integrator"] = to_json(memory.integrator);
    out["modes"] = to_json(memory.modes);
    Json& others = out["others"] = Json::array();
    for (const OtherMode& other : memory.others)
        others.push_back(
            {{"conditions", other.conditions}, {"truth", other.truth}, {"run", to_json(other.run)}});
    out["check"] = check_of(out);
    return out;
}

std::shared_ptr<const RunMemory> run_memory_from_json(const Json& in) {
    if (in.at("version") != memory_version || in.at("check") != check_of(in)) return nullptr;
    auto memory = std::make_shared<RunMemory>();
    memory->program = in.at("program").get<std::string>();
    const Memory settings = memory_from_json(in.at("settings"));
    MemoryStream stream(settings);
    memory->settings.remember(stream);
    memory->problem = memory_from_json(in.at("problem"));
    memory->run = memory_from_json(in.at("run"));
    memory->integrator = memory_from_json(in.at("integrator"));
    memory->modes = memory_from_json(in.at("modes"));
    for (const Json& other : in.at("others"))
        memory->others.push_back({other.at("conditions").get<std::vector<std::size_t>>(),
                                  other.at("truth").get<std::vector<bool>>(),
                                  memory_from_json(other.at("run"))});
    return stream.good() ? memory : nullptr;
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
                      {"known", o.known}, {"unknown", o.unknown}, {"initial", word_of(o.initial)}};
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
    if (file.memory) out["memory"] = to_json(*file.memory);
    return out;
}

CheckpointFile from_json(const Json& in) {
    CheckpointFile file;
    file.model = in.at("model").get<std::string>();
    const Json& options = in.at("options");
    const auto texts = [&](const char* key) { return options.at(key).get<std::vector<std::string>>(); };
    file.options = {texts("set"),   texts("init"),    texts("input"),
                    texts("known"), texts("unknown"), initial_mode(options.at("initial").get<std::string>())};
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
    if (in.contains("memory")) file.memory = run_memory_from_json(in.at("memory"));
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
    try {
        if (in.value("file", "") != kind) {
            problem = "it is another kind of file";
            return std::nullopt;
        }
        if (in.value("version", 0) != version) {
            problem = "it was written by another version of Cutset";
            return std::nullopt;
        }
        return from_json(in);
    } catch (const std::exception& e) {
        problem = e.what();
        return std::nullopt;
    }
}

}  // namespace cutset
