#include "operations/collocation/point_results.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace cutset {

bool PointResults::record(ModelFunctions& functions) {
    if (!functions.complete()) return false;
    const Interpreter& values = functions.values();
    if (!layout_) {
        layout_ = result_layout(values, false);
        const FlatModel& model = functions.model();
        std::unordered_map<std::string, VariableIndex> by_path;
        for (VariableIndex v(0); v < model.variables.end_index(); ++v.value)
            by_path.emplace(model.path(v), v);
        std::size_t stored = 0;
        for (const Column& c : layout_->columns) {
            std::optional<Slot>& slot = slots_.emplace_back();
            if (c.stored())
                slot = layout_->slots[stored++];
            else if (const auto found = by_path.find(c.name);
                     c.kind == ColumnKind::Parameter && found != by_path.end())
                slot = functions.program().layout.variable[found->second.value];
        }
    }
    std::vector<double> row;
    for (const auto& slot : slots_)
        if (slot) row.push_back(values[*slot]);
    if (!rows_.empty() && rows_.back() == row) return true;
    rows_.push_back(std::move(row));
    return true;
}

Trajectory PointResults::finish() const {
    if (!layout_) return {};
    Columns columns = layout_->columns;
    std::vector<std::size_t> taken;
    std::size_t at = 0;
    for (ColumnIndex c(0); c < columns.end_index(); ++c.value) {
        if (!slots_[c.value]) continue;
        const std::size_t place = at++;
        if (columns[c].kind == ColumnKind::Parameter) {
            const double first = rows_.front()[place];
            if (std::all_of(rows_.begin(), rows_.end(), [&](const auto& r) { return r[place] == first; })) {
                columns[c].value = first;
                continue;
            }
            columns[c].kind = ColumnKind::Continuous;
        }
        taken.push_back(place);
    }
    Trajectory result(columns);
    std::vector<double> row(taken.size());
    for (const auto& all : rows_) {
        for (std::size_t i = 0; i < taken.size(); ++i) row[i] = all[taken[i]];
        result.append(row);
    }
    return result;
}

}  // namespace cutset
