// Points of a run: kept, restored, written to a file and read again.
#include "ir/find_variables.h"
#include "live/live_implementation.h"
#include "live/live_messages.h"
#include "run/named_point.h"

namespace cutset {

namespace {

// Options of a command line as changes: parameters with the values that they had.
void take_options(CheckpointFile& file) {
    const auto split = [](const std::string& text) {
        const std::size_t equal = text.find('=');
        return std::pair(plain_path(text.substr(0, equal)),
                         equal == std::string::npos ? "" : text.substr(equal + 1));
    };
    for (const std::string& text : file.options.set) {
        const std::string path = split(text).first;
        for (const auto& [name, value] : file.point.parameters)
            if (name == path) file.changes.parameters.try_emplace(path, value);
    }
    for (const std::string& text : file.options.init)
        if (const auto [path, value] = split(text); LiveChanges::Input::from(value).number)
            file.changes.initials.try_emplace(path, *LiveChanges::Input::from(value).number);
    for (const std::string& text : file.options.input)
        if (const auto [path, value] = split(text); !value.empty())
            file.changes.inputs.try_emplace(path, LiveChanges::Input::from(value));
}

}  // namespace

std::shared_ptr<const Checkpoint> LiveModel::checkpoint() const {
    const Implementation& i = *implementation_;
    if (!i.point) return nullptr;
    auto c = std::make_shared<Checkpoint>();
    c->model = partition().model.name;
    c->changes = i.changes;
    c->point = *i.point;
    c->partition = i.point_partition;
    return c;
}

std::shared_ptr<const Checkpoint> LiveModel::checkpoint(const RunPoint& passed) const {
    auto c = std::make_shared<Checkpoint>();
    c->model = partition().model.name;
    c->changes = implementation_->changes;
    c->point = passed;
    c->partition = implementation_->present().partition();
    return c;
}

bool LiveModel::restore(const std::shared_ptr<const Checkpoint>& point, Diagnostics& diagnostics) {
    Implementation& i = *implementation_;
    if (!point) {
        diagnostics.report(live_messages::not_started());
        return false;
    }
    if (point->model != partition().model.name) {
        diagnostics.report(live_messages::other_model("this", point->model, partition().model.name));
        return false;
    }
    if (!i.change(point->changes, diagnostics)) return false;
    i.point = std::make_shared<const RunPoint>(point->point);
    i.point_partition = point->partition;
    i.touched = false;
    i.forget_shown();
    return true;
}

Problem LiveModel::save(const Checkpoint& point, const std::string& path) const {
    return write_checkpoint(
        path,
        {point.model, {}, point.changes, name_point(point.point, *point.partition), point.point.memory});
}

std::shared_ptr<const Checkpoint> LiveModel::load(const std::string& path, Diagnostics& diagnostics) const {
    Implementation& i = *implementation_;
    std::string problem;
    std::optional<CheckpointFile> file = read_checkpoint(path, problem);
    if (!file) {
        diagnostics.report(live_messages::not_a_checkpoint(path, problem));
        return nullptr;
    }
    if (file->model != partition().model.name) {
        diagnostics.report(live_messages::other_model(path, file->model, partition().model.name));
        return nullptr;
    }
    take_options(*file);
    // What was set and is no longer there.
    std::vector<std::string> gone;
    const auto drop = [&](auto& map) {
        std::erase_if(map, [&](const auto& entry) {
            const std::string& path = entry.first;
            if (!i.present().find(differentiated_path(path).value_or(path)).empty()) return false;
            gone.push_back(path);
            return true;
        });
    };
    drop(file->changes.parameters);
    drop(file->changes.initials);
    drop(file->changes.inputs);
    const LiveChanges before = i.changes;
    const auto shown = i.shown;
    const auto parameters = i.parameters;
    const auto back = [&] {
        i.changes = before;
        i.current = false;
        Diagnostics unreported;
        i.translation(unreported);
        i.shown = shown;
        i.parameters = parameters;
    };
    if (!i.change(file->changes, diagnostics)) return nullptr;
    const std::shared_ptr<LiveTranslation> t = i.translations.front();
    Diagnostics own;
    const SimulateOptions o = i.options(*t, i.last, own);
    const Program& program = *t->code(o.solver, own).program;
    auto placed = place_point(file->point, *t->partition(), [&] { return start_point(program, o, own); });
    back();
    if (!placed) {
        for (const Diagnostic& d : own.all()) diagnostics.report(d);
        return nullptr;
    }
    placed->unknown.insert(placed->unknown.begin(), gone.begin(), gone.end());
    report_misfits(path, *placed, diagnostics);
    auto c = std::make_shared<Checkpoint>();
    c->model = file->model;
    c->changes = file->changes;
    c->point = std::move(placed->point);
    c->point.memory = file->memory;
    c->partition = t->partition();
    return c;
}

}  // namespace cutset
