// cutset structure: what influences what, controllability and observability by structure, subsystems.
#include "operations/structure/structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "base/json.h"
#include "commands.h"
#include "model/model_options.h"
#include "operations/structure/structure_messages.h"
#include "operations/structure/structure_picture.h"
#include "output/console.h"
#include "output/json_output.h"
#include "transform/choose_known.h"
#include "transform/loose_ends.h"
#include "translate/places_json.h"
#include "translate/translator.h"

namespace cutset::cli {

namespace {

struct StructureOptions : ModelOptions {
    std::vector<std::string> inputs, outputs;
    std::string output;     // picture of the subsystems
    bool by_state = false;  // that picture shows states
    std::string incidence;  // picture of the incidence matrices
};

constexpr std::size_t most_columns = 24, most_rows = 60, most_matrix = 300, most_orders = 10;

std::string listed(const std::vector<std::string>& names, std::size_t most = 10) {
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < most; ++i) text += (i ? ", " : "") + names[i];
    if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
    return text;
}

std::string symbol(const Influence& influence) {
    if (influence.order) return std::to_string(*influence.order);
    return influence.later ? "*" : "-";
}

std::size_t width_of(const std::string& text) {
    return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}
std::string padded(const std::string& text, std::size_t width, bool right) {
    const std::string space(width - std::min(width, width_of(text)), ' ');
    return right ? space + text : text + space;
}

void print_table(const Structure& s) {
    const std::size_t inputs = s.inputs.size(), columns = inputs + s.states.size();
    std::vector<std::string> rows = s.outputs, titles = s.inputs;
    std::vector<const std::vector<Influence>*> lists;
    for (const auto& r : s.of_outputs) lists.push_back(&r);
    if (s.of_states.size() == s.states.size()) {
        rows.insert(rows.end(), s.states.begin(), s.states.end());
        for (const auto& r : s.of_states) lists.push_back(&r);
    }
    titles.insert(titles.end(), s.states.begin(), s.states.end());
    if (lists.empty() || columns == 0) return;
    fmt::print("\nlowest derivative of the row in which the column appears (- no influence{}{})\n",
               s.has_later ? ", * at events or after a delay only" : "", [&] {
                   for (const auto* list : lists)
                       for (const Influence& i : *list)
                           if (i.order && *i.order < 0)
                               return ", -1 the row contains the derivative of the input";
                   return "";
               }());
    if (columns <= most_columns && lists.size() <= most_rows) {
        std::size_t widest = 0;
        for (const std::string& name : rows) widest = std::max(widest, width_of(name));
        std::string head = "  " + padded("", widest, false);
        for (std::size_t c = 0; c < columns; ++c)
            head += (c == inputs && inputs > 0 ? "  |  " : "  ") + padded(titles[c], 2, true);
        fmt::print("{}\n", head);
        for (std::size_t r = 0; r < lists.size(); ++r) {
            if (r == s.outputs.size() && r > 0) fmt::print("\n");
            std::string line = "  " + padded(rows[r], widest, false);
            for (std::size_t c = 0; c < columns; ++c)
                line += (c == inputs && inputs > 0 ? "  |  " : "  ") +
                        padded(symbol((*lists[r])[c]), std::max<std::size_t>(2, width_of(titles[c])), true);
            fmt::print("{}\n", line);
        }
        return;
    }
    // Too large for a table: what acts on each, by order.
    for (std::size_t r = 0; r < lists.size() && r < most_rows; ++r) {
        std::map<int, std::vector<std::string>> by_order;
        std::vector<std::string> later;
        std::vector<std::string> direct;
        for (std::size_t c = 0; c < inputs; ++c)
            if (const Influence& i = (*lists[r])[c]; i.any()) direct.push_back(titles[c] + " " + symbol(i));
        for (std::size_t c = inputs; c < columns; ++c) {
            const Influence& i = (*lists[r])[c];
            if (i.order) by_order[*i.order].push_back(titles[c]);
            if (i.later) later.push_back(titles[c]);
        }
        fmt::print("  {}\n", rows[r]);
        if (!direct.empty()) fmt::print("    inputs: {}\n", listed(direct));
        if (!by_order.empty()) fmt::print("    states:\n");
        std::size_t shown = 0;
        for (const auto& [order, names] : by_order) {
            if (shown++ == most_orders) {
                fmt::print("    up to {}\n", by_order.rbegin()->first);
                break;
            }
            fmt::print("    {:>2}  {}\n", order, listed(names));
        }
        if (!later.empty()) fmt::print("     *  {}\n", listed(later));
    }
    if (lists.size() > most_rows) fmt::print("  and {} more rows\n", lists.size() - most_rows);
}

void print_rank(const char* what, const StructuralRank& rank, const Structure& s, const char* matrix) {
    if (!rank.asked || s.states.empty()) return;
    fmt::print("\nstructurally {}: {} (rank {} = {} of {}{})\n", what, rank.holds() ? "yes" : "no", matrix,
               rank.rank, s.states.size(), rank.exact ? "" : ", at most");
    for (const StructuralDefect& d : rank.defects) fmt::print("  {}\n", explain(d, s));
    if (rank.pattern_rank && *rank.pattern_rank > rank.rank)
        fmt::print("  (the rank would be {} if the elements of {} were independent of each other)\n",
                   *rank.pattern_rank, matrix);
}

std::string subsystem_name(const Subsystem& part, const Structure& s, const FlatModel& model) {
    if (!part.junction.empty()) return part.junction + " (no state)";
    std::vector<std::string> names;
    for (std::uint32_t i : part.states) names.push_back(s.states[i]);
    for (VariableIndex v : part.discretes) names.push_back(model.path(v) + " (discrete)");
    return listed(names);
}

void print_subsystems(const Structure& s, const FlatModel& model) {
    if (s.subsystems.empty()) return;
    fmt::print("\n{}, each influenced by earlier ones only\n", counted(s.subsystems.size(), "subsystem"));
    const std::size_t most = 40;
    for (std::size_t i = 0; i < s.subsystems.size() && i < most; ++i) {
        const Subsystem& part = s.subsystems[i];
        std::vector<std::string> from, to;
        for (std::uint32_t u : part.inputs) from.push_back(s.inputs[u]);
        for (std::uint32_t n : part.needs) from.push_back(std::to_string(n + 1));
        for (std::size_t y = 0; y < s.outputs.size(); ++y)
            for (std::uint32_t n : s.output_sources[y].subsystems)
                if (n == i) to.push_back(s.outputs[y]);
        fmt::print("  {:>2}  {}{}{}\n", i + 1, subsystem_name(part, s, model),
                   from.empty() ? "" : "   from " + listed(from), to.empty() ? "" : "   to " + listed(to));
    }
    if (s.subsystems.size() > most) fmt::print("  and {} more\n", s.subsystems.size() - most);
}

Json pattern(const std::vector<Structure::Direct>& rows, bool inputs, std::size_t columns) {
    Json out = Json::array();
    for (const Structure::Direct& row : rows) {
        std::vector<int> line(columns);
        for (std::uint32_t c : inputs ? row.inputs : row.states) line[c] = 1;
        out.push_back(line);
    }
    return out;
}

const char* defect_word(StructuralDefect::Kind kind) {
    using Kind = StructuralDefect::Kind;
    switch (kind) {
        case Kind::Unreached:
            return "unreached";
        case Kind::UnreachedNow:
            return "reached-at-events";
        case Kind::Unseen:
            return "unseen";
        case Kind::UnseenNow:
            return "seen-at-events";
        case Kind::Constant:
            return "constant";
        case Kind::Dilation:
            return "dilation";
        case Kind::Combination:
            return "constant-combination";
        case Kind::Hidden:
            return "hidden";
        case Kind::Contraction:
            return "contraction";
        case Kind::HiddenCombination:
            return "hidden-combination";
    }
    return "";
}

Json as_json(const StructuralRank& rank, const Structure& s) {
    if (!rank.asked) return nullptr;
    Json out = {{"holds", rank.holds()},
                {"rank", rank.rank},
                {"pattern_rank", rank.pattern_rank ? Json(*rank.pattern_rank) : Json()},
                {"exact", rank.exact},
                {"failures", Json::array()}};
    for (const StructuralDefect& d : rank.defects) {
        Json states = Json::array();
        for (std::uint32_t i : d.states) states.push_back(s.states[i]);
        out["failures"].push_back({{"kind", defect_word(d.kind)},
                                   {"states", std::move(states)},
                                   {"through", d.through},
                                   {"message", explain(d, s)}});
    }
    return out;
}

Json row_json(const std::vector<Influence>& row, const Structure& s) {
    Json out = Json::object();
    for (std::size_t c = 0; c < row.size(); ++c) {
        const std::string& name = c < s.inputs.size() ? s.inputs[c] : s.states[c - s.inputs.size()];
        if (row[c].order)
            out[name] = *row[c].order;
        else if (row[c].later)
            out[name] = "later";
    }
    return out;
}

Json as_json(const Structure& s, const Workspace& workspace, const FlatModel& model) {
    Json out = {{"model", model.name},
                {"status", "ok"},
                {"states", s.states},
                {"inputs", s.inputs},
                {"outputs", s.outputs},
                {"controllability", as_json(s.controllability, s)},
                {"observability", as_json(s.observability, s)},
                {"subsystems", Json::array()}};
    Json& influence = out["influence"];
    influence = {{"outputs", Json::object()}};
    for (std::size_t y = 0; y < s.outputs.size(); ++y)
        influence["outputs"][s.outputs[y]] = row_json(s.of_outputs[y], s);
    if (s.of_states.size() == s.states.size()) {
        influence["states"] = Json::object();
        for (std::size_t i = 0; i < s.states.size(); ++i)
            influence["states"][s.states[i]] = row_json(s.of_states[i], s);
    }
    Json& degree = out["relative_degree"] = Json::object();
    for (std::size_t y = 0; y < s.outputs.size(); ++y)
        for (std::size_t u = 0; u < s.inputs.size(); ++u) {
            const Influence& i = s.of_outputs[y][u];
            degree[s.outputs[y]][s.inputs[u]] = i.order ? Json(*i.order) : Json();
        }
    if (s.rate_needs.size() == s.states.size() && s.states.size() <= most_matrix) {
        out["A"] = pattern(s.rate_needs, false, s.states.size());
        out["B"] = pattern(s.rate_needs, true, s.inputs.size());
        out["C"] = pattern(s.output_needs, false, s.states.size());
        out["D"] = pattern(s.output_needs, true, s.inputs.size());
    }
    for (std::size_t i = 0; i < s.subsystems.size(); ++i) {
        const Subsystem& part = s.subsystems[i];
        Json one = {{"states", Json::array()},
                    {"inputs", Json::array()},
                    {"needs", part.needs},
                    {"outputs", Json::array()}};
        for (std::uint32_t x : part.states) one["states"].push_back(s.states[x]);
        for (VariableIndex v : part.discretes) one["discrete"].push_back(model.path(v));
        if (!part.junction.empty()) one["junction"] = part.junction;
        for (std::uint32_t u : part.inputs) one["inputs"].push_back(s.inputs[u]);
        for (std::size_t y = 0; y < s.outputs.size(); ++y)
            for (std::uint32_t n : s.output_sources[y].subsystems)
                if (n == i) one["outputs"].push_back(s.outputs[y]);
        out["subsystems"].push_back(std::move(one));
    }
    out["warnings"] = diagnostics_json(workspace.diagnostics, {workspace.text.sources()}, Severity::Warning);
    return out;
}

int structure(const StructureOptions& options) {
    Workspace workspace;
    auto experiment = open_model(options, workspace);
    if (!experiment) return finish(workspace, options);
    experiment->open = true;  // only the structure is asked for: inputs need no values
    Diagnostics& diagnostics = workspace.diagnostics;
    auto flat = Translator(workspace).collect(options.model, *experiment, diagnostics);
    if (!flat) return finish(workspace, options);
    StructureRequest request;
    request.inputs = open_inputs(*flat, options.inputs, diagnostics);
    request.outputs = options.outputs;
    if (!diagnostics.has_errors()) choose_known(*flat, diagnostics);
    if (!diagnostics.has_errors()) settle_loose_ends(*flat);
    if (diagnostics.has_errors()) return finish(workspace, options);
    std::optional<IncidencePicture> before;
    if (!options.incidence.empty()) before = incidence_of(*flat);
    const auto partition =
        sort_equations(std::move(*flat), transform_options(options, workspace.text), diagnostics);
    if (!partition) return finish(workspace, options);
    const auto found = find_structure(*partition, request, diagnostics);
    if (!found) return finish(workspace, options);
    if (found->states.empty()) diagnostics.report(structure_messages::no_states(partition->model.name));
    if (found->inputs.empty()) diagnostics.report(structure_messages::no_inputs());
    if (found->outputs.empty()) diagnostics.report(structure_messages::no_outputs());
    std::vector<std::string> pictures;
    const auto write = [&](const Drawing& drawing, const std::string& path) {
        if (const auto problem = write_picture(drawing, path))
            diagnostics.report(structure_messages::cannot_write(*problem));
        else
            pictures.push_back(path);
    };
    if (options.by_state && !can_draw_states(*found))
        diagnostics.report(
            structure_messages::too_many_states(found->states.size(), most_drawn_states, most_drawn_arrows));
    else if (!options.output.empty())
        write((options.by_state ? draw_states : draw_subsystems)(*found, partition->model), options.output);
    if (before) write(draw_incidence(std::move(*before), incidence_of(*partition)), options.incidence);
    if (diagnostics.has_errors()) return finish(workspace, options);
    if (options.json) {
        Json out = as_json(*found, workspace, partition->model);
        if (!pictures.empty()) out["pictures"] = pictures;
        print_json(out);
    } else if (!options.quiet) {
        fmt::print("{}: {}, {}, {}\n", partition->model.name, counted(found->states.size(), "state"),
                   counted(found->inputs.size(), "input"), counted(found->outputs.size(), "output"));
        print_table(*found);
        print_rank("controllable", found->controllability, *found, "[A B]");
        print_rank("observable", found->observability, *found, "[A; C]");
        print_subsystems(*found, partition->model);
        for (const std::string& path : pictures)
            fmt::print("{}{}\n", &path == pictures.data() ? "\n" : "", path);
    }
    std::fflush(stdout);
    return finish(workspace, options);
}

}  // namespace

void add_structure(CommandLine& line) {
    auto o = std::make_shared<StructureOptions>();
    Command& c = line.add("structure", groups::model,
                          "what influences what, structural controllability and observability, subsystems",
                          [o] { return structure(*o); });
    add_model_options(c, *o);
    c.list("--inputs", o->inputs, "inputs to look at: u,v (all inputs of the model); parameters too");
    c.list("--outputs", o->outputs, "outputs to look at: y,z or der(x) (the outputs of the model)");
    c.option("-o,--output", o->output, "picture of the subsystems: .svg, .png or .pdf");
    c.flag("--states", o->by_state, "that picture with a box for each state");
    c.option(
        "--incidence", o->incidence,
        "picture of which unknown occurs in which equation, before and after sorting: .svg, .png or .pdf");
    c.footer(
        "Examples:\n"
        "  cutset structure motor.dym\n"
        "  cutset structure motor.dym -o subsystems.svg --incidence matrices.svg\n"
        "  cutset structure motor.dym --inputs u --outputs theta,der(omega)\n"
        "  cutset structure motor.dym --json\n"
        "Inputs need no values here. Everything holds for almost all values of the parameters.");
}

}  // namespace cutset::cli
