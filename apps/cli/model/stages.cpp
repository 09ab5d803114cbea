#include "model/stages.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/object_text.h"
#include "ir/tree_text.h"
#include "model/model_options.h"
#include "output/console.h"

namespace cutset::cli {

namespace {

std::string joined(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
    return out;
}

// The class of that name, else what the user's file holds.
std::string text_of_tree(const ClassTree& classes, const std::string& model) {
    if (classes.files.empty()) return "";
    for (const auto& file : classes.files)
        for (const auto& c : file->classes)
            if (c->name == model) return tree_text(*c);
    return tree_text(*classes.files.front());
}

// The class that is asked for.
std::string text_of_objects(ObjectText& objects) {
    const object::Class* c = objects.library.find(objects.model);
    return c ? object::object_text(*c) : "";
}

void report_unknown(const std::string& what, const std::string& name, const std::vector<std::string>& names,
                    Diagnostics& diagnostics) {
    const std::string near = nearest_name(name, names);
    diagnostics.report(bad_option(
        fmt::format("{} {}", what, name),
        (near.empty() ? "" : fmt::format("did you mean {}? ", near)) + "there are " + joined(names)));
}

}  // namespace

std::vector<std::string> stage_names() {
    std::vector<std::string> names = {"tree", "flat"};
    for (const PassInfo& pass : pass_list()) names.push_back(pass.name);
    names.insert(names.end(), {"partition", "program"});
    return names;
}

void add_stage_options(Command& command, StageOptions& options) {
    command.option("--dump", options.dump, "print a stage of the translation: " + joined(stage_names()));
    command.flag("--verify", options.verify, "look after each stage whether Cutset's own promises hold");
    command.list("--without", options.without, "leave out passes, of those that a model may not need");
    command.flag("--profile", options.profile, "how long each pass took");
}

bool StageView::accept(Diagnostics& diagnostics) const {
    bool accepted = true;
    if (const auto names = stage_names();
        !options_.dump.empty() && std::find(names.begin(), names.end(), options_.dump) == names.end()) {
        report_unknown("--dump: there is no stage", options_.dump, names, diagnostics);
        accepted = false;
    }
    std::vector<std::string> optional;
    for (const PassInfo& pass : pass_list())
        if (pass.may_be_left_out) optional.push_back(pass.name);
    for (const std::string& name : options_.without)
        if (std::find(optional.begin(), optional.end(), name) == optional.end()) {
            report_unknown("--without: no pass that may be left out is named", name, optional, diagnostics);
            accepted = false;
        }
    return accepted;
}

void StageView::watch(TransformOptions& transform) {
    transform.verify = transform.verify || options_.verify;
    transform.without = options_.without;
    if (options_.dump.empty() && !options_.profile) return;
    transform.observe = [this](const StageReport& report) {
        passed(report.stage, report.text);
        if (options_.profile) fmt::print("{:>10.6f} s  {}\n", report.seconds, report.stage);
    };
}

void StageView::tree(const ModelText& text, const std::string& model) {
    if (options_.verify) verify(text.classes());
    passed("tree", [&] {
        return text.objects() ? text_of_objects(*text.objects()) : text_of_tree(text.classes(), model);
    });
}

void StageView::program(const Program& program) {
    if (options_.verify) verify(program);
    passed("program", [&] { return print(program); });
}

void StageView::passed(std::string_view stage, FunctionRef<std::string()> text) {
    last_ = stage;
    if (stage != options_.dump) return;
    fmt::print("{}", for_output(text()));
    shown_ = true;
}

void StageView::finish(Diagnostics& diagnostics) const {
    if (options_.dump.empty() || shown_) return;
    Diagnostic d;
    d.severity = Severity::Note;
    d.code = "stage-not-reached";
    const auto left_out = std::find(options_.without.begin(), options_.without.end(), options_.dump);
    d.message = left_out != options_.without.end()
                    ? fmt::format("--dump {}: that pass is left out", options_.dump)
                    : fmt::format("--dump {}: the translation ends before it; the last stage is {}",
                                  options_.dump, last_.empty() ? "the text" : last_);
    diagnostics.report(std::move(d));
}

}  // namespace cutset::cli
