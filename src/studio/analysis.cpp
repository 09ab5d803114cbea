#include "studio/analysis.h"

#include <algorithm>
#include <utility>

#include "base/internal_error.h"
#include "operations/structure/structure_json.h"
#include "studio/messages.h"
#include "translate/open_inputs.h"
#include "translate/translator.h"

namespace cutset::studio {

namespace {

constexpr std::size_t most_instances = 20000, most_matrix_rows = 2000;

Json paths_of(const FlatModel& model, const std::vector<VariableIndex>& variables) {
    Json out = Json::array();
    for (VariableIndex v : variables) out.push_back(model.path(v));
    return out;
}

// The submodel and all below it.
bool is_below(const FlatModel& model, InstanceIndex instance, InstanceIndex top) {
    while (instance != top && instance.value != 0) instance = model.instances[instance].parent;
    return instance == top;
}

std::optional<InstanceIndex> find_instance(const FlatModel& model, const std::string& path) {
    for (InstanceIndex i{0}; i < model.instances.end_index(); ++i.value)
        if (model.path(i) == path) return i;
    return std::nullopt;
}

std::string near_instance(const FlatModel& model, const std::string& path) {
    std::vector<std::string> names;
    for (InstanceIndex i{1}; i < model.instances.end_index(); ++i.value) names.push_back(model.path(i));
    return nearest_name(path, names);
}

}  // namespace

Json all_diagnostics(const Diagnostics& diagnostics, const Places& places) {
    Json out = Json::array();
    for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note})
        for (Json& one : diagnostics_json(diagnostics, places, severity)) out.push_back(std::move(one));
    return out;
}

void Analysis::renew() {
    const std::uint64_t now = texts_.generation();
    if (generation_ == now) return;
    generation_ = now;
    versions_ = texts_.versions();
    partition_.reset();
    flat_.reset();
    workspace_ = std::make_unique<Workspace>();
    const ModelRequest request = texts_.request();
    try {
        const auto experiment = open_model(request, *workspace_);
        if (!experiment) return;
        auto flat =
            flatten_open(Translator(*workspace_), request.model, *experiment, workspace_->diagnostics);
        if (!flat) return;
        flat_ = std::make_unique<FlatModel>(*flat);
        auto sorted = sort_equations(std::move(*flat), transform_options(request, workspace_->text),
                                     workspace_->diagnostics);
        if (sorted) partition_ = std::move(*sorted);
    } catch (...) {
        workspace_->diagnostics.report(failure_diagnostic(current_failure()));
    }
}

Json Analysis::diagnostics() const {
    return all_diagnostics(workspace_->diagnostics, places());
}

Answer Analysis::check(Arguments& arguments) {
    if (const auto problem = arguments.problem()) return *problem;
    return summary();
}

const Partition* Analysis::partition() {
    renew();
    return partition_ ? &*partition_ : nullptr;
}

Refusal Analysis::refusal() {
    return messages::model_has_errors(diagnostics());
}

Json Analysis::summary() {
    renew();
    Json out = {{"version", versions_},
                {"class", texts_.place().model},
                {"ok", partition_.has_value()},
                {"diagnostics", diagnostics()}};
    if (!partition_) return out;
    const Partition& p = *partition_;
    const FlatModel& model = p.model;
    out["class"] = model.name;
    std::size_t loops = 0, largest = 0, parameters = 0;
    for (const Block& block : p.blocks) {
        loops += block.loop_size > 0;
        largest = std::max(largest, block.loop_size);
    }
    Json inputs = Json::array(), outputs = Json::array();
    for (VariableIndex v{0}; v < model.variables.end_index(); ++v.value) {
        parameters += model.variables[v].variability == Variability::Parameter;
        if (model.variables[v].top_input) inputs.push_back(model.path(v));
        if (model.variables[v].top_output) outputs.push_back(model.path(v));
    }
    out["counts"] = {{"equations", p.flat_equations},
                     {"states", shown_states(p).size()},
                     {"parameters", parameters},
                     {"loops", loops},
                     {"largest_loop", largest},
                     {"index", p.index},
                     {"instances", model.instances.size()}};
    out["states"] = paths_of(model, shown_states(p));
    out["inputs"] = std::move(inputs);
    out["outputs"] = std::move(outputs);
    return out;
}

Answer Analysis::instances(Arguments& arguments) {
    const std::string path = arguments.text_if("path").value_or("");
    const auto depth = arguments.count_if("depth", 1000);
    if (const auto problem = arguments.problem()) return *problem;
    const Partition* const p = partition();
    if (!p) return refusal();
    const FlatModel& model = p->model;
    const auto top = find_instance(model, path);
    if (!top) return messages::unknown_instance(path, near_instance(model, path));
    // Parents stand before their submodels.
    std::vector<std::size_t> level(model.instances.size(), 0), children(model.instances.size(), 0);
    for (InstanceIndex i{1}; i < model.instances.end_index(); ++i.value) {
        const InstanceIndex parent = model.instances[i].parent;
        ++children[parent.value];
        if (parent == *top)
            level[i.value] = 1;
        else if (level[parent.value] > 0)
            level[i.value] = level[parent.value] + 1;
    }
    Json list = Json::array();
    bool truncated = false;
    for (InstanceIndex i{1}; i < model.instances.end_index(); ++i.value) {
        if (level[i.value] == 0 || (depth && level[i.value] > *depth)) continue;
        if (list.size() == most_instances) {
            truncated = true;
            break;
        }
        const Instance& instance = model.instances[i];
        Json one = {{"path", model.path(i)},
                    {"name", instance.name},
                    {"class", instance.type},
                    {"children", children[i.value]}};
        put_place(one, instance.where, places());
        list.push_back(std::move(one));
    }
    return Json{{"instances", std::move(list)}, {"truncated", truncated}};
}

Answer Analysis::why(Arguments& arguments) {
    const std::string path = arguments.text("path");
    if (const auto problem = arguments.problem()) return *problem;
    const Partition* const p = partition();
    if (!p) return refusal();
    const auto found = where_computed(*p, path);
    if (!found) return messages::unknown_variable(path, nearest_name(path, variable_names(*p)));
    Json out = where_json(found->answer, p->model, places(), found->name);
    out["integrated"] = found->integrated;
    if (found->why) {
        out["state"] = state_json(*found->why, p->model, places());
        out["sentence"] = sentence(*found->why, p->model);
    }
    return out;
}

Answer Analysis::loops(Arguments& arguments) {
    if (const auto problem = arguments.problem()) return *problem;
    const Partition* const p = partition();
    if (!p) return refusal();
    return Json{{"loops", loops_json(*p, places())}};
}

Answer Analysis::equations(Arguments& arguments) {
    const auto below = arguments.text_if("below");
    if (const auto problem = arguments.problem()) return *problem;
    const Partition* const p = partition();
    if (!p) return refusal();
    if (!below || below->empty()) return equations_json(*p, places());
    const FlatModel& model = p->model;
    const auto top = find_instance(model, *below);
    if (!top) return messages::unknown_instance(*below, near_instance(model, *below));
    Partition part = *p;
    std::erase_if(part.blocks, [&](const Block& block) {
        const auto here = [&](EquationIndex e, bool from_initial) {
            const Equation& equation = from_initial ? model.initial_equations[e] : model.equations[e];
            return is_below(model, equation.origin.instance, *top);
        };
        return std::none_of(block.inner.begin(), block.inner.end(),
                            [&](const SolvedEquation& s) { return here(s.equation, s.from_initial); }) &&
               std::none_of(block.residuals.begin(), block.residuals.end(),
                            [&](const ResidualEquation& r) { return here(r.equation, r.from_initial); });
    });
    std::erase_if(part.eliminated,
                  [&](const Eliminated& e) { return !is_below(model, e.origin.instance, *top); });
    std::erase_if(part.discrete,
                  [&](const DiscreteAssignment& d) { return !is_below(model, d.origin.instance, *top); });
    return equations_json(part, places());
}

Answer Analysis::incidence(Arguments& arguments) {
    if (const auto problem = arguments.problem()) return *problem;
    const Partition* const p = partition();
    if (!p) return refusal();
    if (flat_->equations.size() > most_matrix_rows)
        return messages::too_much("the matrix has more than 2000 rows");
    return Json{{"before", incidence_json(incidence_of(*flat_, most_matrix_rows), *flat_, places())},
                {"after", incidence_json(incidence_of(*p, most_matrix_rows), p->model, places())}};
}

}  // namespace cutset::studio
