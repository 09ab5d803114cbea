#include "model/parameter_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "output/console.h"

namespace cutset::cli {

std::string option_text(const std::vector<OpenParameter>& parameters, const std::vector<double>& values) {
    std::string text;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const OpenParameter& p = parameters[i];
        const bool initial = p.kind == OpenParameter::Kind::Initial;
        const std::string name = initial ? p.variable : p.path;
        const bool quote = name.find_first_of("([ ") != std::string::npos;
        const std::string setting = fmt::format("{}={}", name, values[i]);
        text += fmt::format("{}--{} {}", text.empty() ? "" : " ",
                            initial                                ? "init"
                            : p.kind == OpenParameter::Kind::Input ? "input"
                                                                   : "set",
                            quote ? "\"" + setting + "\"" : setting);
    }
    return text;
}

bool is_picture(const std::string& path) {
    return path.ends_with(".svg") || path.ends_with(".png") || path.ends_with(".pdf");
}

Trajectory shown(const Trajectory& all) {
    Columns columns;
    std::vector<ColumnIndex> from;
    for (ColumnIndex c(0); c < all.columns().end_index(); ++c.value) {
        if (all.columns()[c].name.starts_with('#') || all.columns()[c].name.starts_with("der(#")) continue;
        Column column = all.columns()[c];
        if (column.kind == ColumnKind::Alias) {  // its target may be left out
            column.kind = ColumnKind::Continuous;
            column.negated = false;
        }
        columns.push_back(std::move(column));
        from.push_back(c);
    }
    Trajectory result(columns);
    std::vector<double> row;
    for (std::size_t r = 0; r < all.rows(); ++r) {
        row.clear();
        for (std::size_t k = 0; k < from.size(); ++k)
            if (columns[ColumnIndex(k)].stored()) row.push_back(all.value(from[k], r));
        result.append(row);
    }
    return result;
}

}  // namespace cutset::cli
