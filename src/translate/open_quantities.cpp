#include "translate/open_quantities.h"

#include "base/stopwatch.h"
#include "ir/find_variables.h"
#include "transform/leave_open.h"
#include "translate/messages.h"

namespace cutset {

namespace {

// Those that are asked for, or those of the model.
std::vector<VariableIndex> outputs_of(const FlatModel& flat, const std::vector<std::string>& asked,
                                      Diagnostics& diagnostics) {
    std::vector<VariableIndex> outputs;
    if (asked.empty()) {
        for (VariableIndex v(0); v < flat.variables.end_index(); ++v.value)
            if (flat.variables[v].top_output) outputs.push_back(v);
        return outputs;
    }
    std::vector<std::string> paths;
    for (const std::string& path : asked) paths.push_back(plain_path(path));
    const auto variables = find_variables(flat, paths);
    for (std::size_t i = 0; i < paths.size(); ++i) {
        if (variables[i].empty())
            diagnostics.report(translate_messages::unknown_output(asked[i], nearest_path(flat, asked[i])));
        outputs.insert(outputs.end(), variables[i].begin(), variables[i].end());
    }
    return outputs;
}

// What is open is held: its derivative cannot stand in an equation.
bool refuse_differentiated(const FlatModel& flat, const std::vector<VariableIndex>& open,
                           Diagnostics& diagnostics) {
    std::vector<bool> is_open(flat.variables.size());
    for (VariableIndex v : open) is_open[v.value] = true;
    std::optional<VariableIndex> differentiated;
    const auto is_rate = [&](Expr leaf) {
        if (leaf->op != Op::Variable || leaf->order == 0 || !is_open[leaf->index]) return false;
        differentiated = leaf->variable();
        return true;
    };
    for (const Equation& e : flat.equations)
        if (depends_on(e.left, is_rate) || depends_on(e.right, is_rate)) {
            diagnostics.report(translate_messages::open_input_differentiated(flat, *differentiated, e));
            return true;
        }
    return false;
}

}  // namespace

bool open_quantities(FlatModel& flat, const OpenQuantities& open, ProgramQuestion& asked,
                     Diagnostics& diagnostics, StageTimes& times) {
    const Stopwatch watch(&times.sort);
    std::vector<std::string> paths;
    if (open.inputs)
        for (VariableIndex v : inputs_of(flat)) paths.push_back(flat.path(v));
    paths.insert(paths.end(), open.paths.begin(), open.paths.end());
    std::vector<VariableIndex> opened = leave_open(flat, paths, open.time, diagnostics);
    if (open.derivatives) {
        std::vector<VariableIndex> outputs = outputs_of(flat, open.outputs, diagnostics);
        if (refuse_differentiated(flat, opened, diagnostics)) return false;
        asked.given = opened;
        asked.derivatives = DerivativeRequest{std::move(opened), std::move(outputs), open.start};
    }
    return !diagnostics.has_errors();
}

}  // namespace cutset
