// cutset partition: which variables to give from outside when there are more unknowns than equations.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/json.h"
#include "base/message_parts.h"
#include "base/source.h"
#include "base/split_names.h"
#include "commands.h"
#include "languages/el/partition_text.h"
#include "model/model_options.h"
#include "output/console.h"
#include "output/json_output.h"
#include "transform/choose_known.h"
#include "translate/translator.h"

namespace cutset::cli {

namespace {

Diagnostic partition_needs_el(const std::string& file) {
    return make_error("partition-needs-el", fmt::format("--save writes to files of EL; {} is none", file),
                      "the line `--known …` above says the same to every command");
}

Diagnostic partition_exists(Span where, const std::string& name, const std::string& component) {
    return make_error(where, "partition-exists",
                      fmt::format("{} has a partition {} already", component, name),
                      "take another name, or take this one out of the file first");
}

std::string names(const FlatModel& model, const std::vector<VariableIndex>& variables, std::size_t most) {
    std::string out;
    for (std::size_t i = 0; i < variables.size() && i < most; ++i)
        out += (i ? ", " : "") + model.path(variables[i]);
    if (variables.size() > most) out += " …";
    return out;
}

std::string place(const Sources& sources, Span where) {
    if (!where.known()) return "";
    const Location at = sources.locate(where);
    return fmt::format("{}:{}", at.file, at.line);
}

Json paths_json(const FlatModel& model, const std::vector<VariableIndex>& variables) {
    Json out = Json::array();
    for (VariableIndex v : variables)
        if (v.value < model.variables.size()) out.push_back(model.path(v));
    return out;
}

Json as_json(const ShownEquation& e, const Sources& sources) {
    Json out = {{"equation", e.text}, {"submodel", e.submodel}};
    if (e.where.known()) {
        const Location at = sources.locate(e.where);
        out["file"] = at.file;
        out["line"] = at.line;
    }
    return out;
}

Json as_json(const std::vector<ShownEquation>& equations, const Sources& sources) {
    Json out = Json::array();
    for (const ShownEquation& e : equations) out.push_back(as_json(e, sources));
    return out;
}

Json as_json(const FlatModel& model, const BoundaryReport& report, const Workspace& workspace) {
    const Sources& sources = workspace.text.sources();
    Json out = {{"model", model.name},
                {"unknowns", report.unknowns},
                {"equations", report.equations},
                {"needed", report.needed},
                {"sound", report.sound()},
                {"missing", report.missing_count},
                {"knowns", Json::array()},
                {"loose_ends", Json::array()},
                {"lifted", Json::array()},
                {"overdetermined", Json::array()},
                {"underdetermined", Json::array()}};
    for (const auto& e : report.knowns)
        out["knowns"].push_back({{"name", model.path(e.variable)},
                                 {"chosen", e.chosen},
                                 {"differentiated", e.differentiated},
                                 {"why", e.why},
                                 {"alternatives", paths_json(model, e.alternatives)}});
    for (const auto& l : report.loose) {
        Json one = as_json(l.shown, sources);
        one["alternatives"] = paths_json(model, l.alternatives);
        out["loose_ends"].push_back(std::move(one));
    }
    for (const auto& l : report.lifted) out["lifted"].push_back(as_json(l.shown, sources));
    for (const auto& c : report.conflicts)
        out["overdetermined"].push_back({{"drop", model.path(c.dropped)},
                                         {"knowns", paths_json(model, c.knowns)},
                                         {"variables", paths_json(model, c.variables)},
                                         {"equations", as_json(c.equations, sources)}});
    for (const auto& m : report.missing)
        out["underdetermined"].push_back(
            {{"variables", paths_json(model, m.variables)}, {"equations", as_json(m.equations, sources)}});
    put_diagnostics(out, workspace.diagnostics, sources, Notes::Left);
    return out;
}

void print_text(const FlatModel& model, const BoundaryReport& report, const Sources& sources) {
    fmt::print("{}: {}, {}", model.name, counted(report.unknowns, "unknown"),
               counted(report.equations, "equation"));
    if (report.needed == 0)
        fmt::print(": nothing is to be given from outside\n");
    else
        fmt::print(": {} to be given from outside\n", report.needed);
    std::size_t chosen = 0, proposed = 0, widest = 0;
    for (const auto& e : report.knowns) {
        ++(e.chosen ? chosen : proposed);
        widest = std::max(widest, model.path(e.variable).size());
    }
    widest = std::min<std::size_t>(widest, 40);
    const auto list = [&](bool wanted) {
        for (const auto& e : report.knowns) {
            if (e.chosen != wanted) continue;
            fmt::print("    {:<{}}  {}{}\n", model.path(e.variable), widest, e.why,
                       e.differentiated ? "; differentiated, so it must be smooth" : "");
            if (!e.alternatives.empty())
                fmt::print("    {:<{}}  or {}\n", "", widest, names(model, e.alternatives, 8));
        }
    };
    if (chosen) {
        fmt::print("  chosen\n");
        list(true);
    }
    if (!report.loose.empty()) {
        fmt::print("  as the model stands\n");
        for (const auto& l : report.loose) {
            fmt::print("    {}   {}\n", l.shown.text, place(sources, l.shown.where));
            if (!l.alternatives.empty()) fmt::print("      or give {}\n", names(model, l.alternatives, 8));
        }
    }
    if (!report.lifted.empty()) {
        fmt::print("  no longer holds, to make room for the choice\n");
        for (const auto& l : report.lifted)
            fmt::print("    {}   {}\n", l.shown.text, place(sources, l.shown.where));
    }
    if (proposed) {
        fmt::print("  proposed{}\n", chosen ? " in addition" : "");
        list(false);
    }
    if (report.knowns.empty()) {
        if (report.needed > 0) fmt::print("  nothing more is needed\n");
        return;
    }
    std::string option;
    for (const auto& e : report.knowns) option += (option.empty() ? "" : ",") + model.path(e.variable);
    fmt::print("  --known {}\n", option);
}

struct PartitionOptions : ModelOptions {
    std::string save;
};

// The choice, and what was asked for beside it, as a PARTITION of EL at the end of the file.
bool save_partition(const PartitionOptions& options, const FlatModel& model, const BoundaryReport& report,
                    Workspace& workspace) {
    el::Partition p;
    p.name = options.save;
    p.component = model.name;
    for (const auto& e : report.knowns) p.bounds.push_back({model.path(e.variable), {}});
    const auto listed = [](const std::vector<std::string>& texts, std::vector<el::Parent>& out) {
        for (const std::string& text : texts)
            for (std::string& name : split_list(text)) out.push_back({std::move(name), {}});
    };
    listed(options.unknown, p.unknown);
    listed(options.tear, p.tearing);
    const ObjectText* objects = workspace.text.objects();
    const bool is_el = objects && !objects->el.empty() && options.file.ends_with(".el");
    if (!is_el) {
        workspace.diagnostics.report(partition_needs_el(options.file));
        return false;
    }
    for (const el::Partition& other : objects->el.front().partitions)
        if (other.name == p.name && other.component == p.component) {
            workspace.diagnostics.report(partition_exists(other.where, p.name, p.component));
            return false;
        }
    std::string problem;
    auto text = read_file(options.file, problem, InputKind::FileOnly);
    if (text && write_file(options.file, *text + "\n" + el::partition_text(p), problem)) return true;
    workspace.diagnostics.report(
        make_error("cannot-write", fmt::format("cannot write {}: {}", options.file, problem)));
    return false;
}

int partition(const PartitionOptions& options) {
    Workspace workspace;
    auto experiment = open_model(options, workspace);
    if (!experiment) return finish(workspace, options);
    experiment->open = true;
    const auto flat = Translator(workspace).collect(options.model, *experiment, workspace.diagnostics);
    if (!flat) return finish(workspace, options);
    const auto report = examine_boundary(*flat, workspace.diagnostics);
    if (!report) return finish(workspace, options);
    // Without a choice nothing can be wrong with it.
    if (!flat->knowns.empty() || !flat->freed.empty()) report_boundary(*flat, *report, workspace.diagnostics);
    if (!options.save.empty() && !workspace.diagnostics.has_errors())
        save_partition(options, *flat, *report, workspace);
    if (options.json) {
        print_json(as_json(*flat, *report, workspace));
        return workspace.diagnostics.has_errors() ? 1 : 0;
    }
    if (!options.quiet) print_text(*flat, *report, workspace.text.sources());
    std::fflush(stdout);
    return finish(workspace, options);
}

}  // namespace

void add_partition(CommandLine& line) {
    auto o = std::make_shared<PartitionOptions>();
    Command& c =
        line.add("partition", groups::model,
                 "more unknowns than equations: propose what to give from outside, or judge a choice",
                 [o] { return partition(*o); });
    add_model_options(c, *o);
    c.option("--save", o->save, "write the choice to the EL file as PARTITION of this name");
    c.footer(
        "Examples:\n"
        "  cutset partition network.dym                      what may be given, with alternatives\n"
        "  cutset partition network.dym --known v1,v2,v3     can these be given? if not, why\n"
        "  cutset partition motor.el motorDC --known v,T --save motor2   as a PARTITION, at the end of the "
        "file\n"
        "  cutset simulate network.dym --known \"v1=sin(time),v2=0,v3=0\"\n"
        "  cutset simulate drive.dym --known \"w=10*time\" --unknown u   the input u that makes w follow\n"
        "Exit status: 0 with a proposal, or when the choice can be simulated; 1 when it cannot.");
}

}  // namespace cutset::cli
