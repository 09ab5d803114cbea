#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/mat_matrices.h"
#include "results/messages.h"
#include "results/reader.h"

namespace cutset {

namespace {

namespace messages = results_messages;

using Matrix = MatMatrix;

std::string without_padding(std::string text) {
    const std::size_t zero = text.find('\0');
    if (zero != std::string::npos) text.resize(zero);
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text;
}

// A matrix of texts; each is a column of the file when `transposed`, else a row.
std::string text_at(const Matrix& m, std::uint64_t index, bool transposed) {
    const std::uint64_t length = transposed ? m.rows : m.columns;
    std::string out;
    for (std::uint64_t k = 0; k < length; ++k) {
        const double c = m.at(transposed ? index * m.rows + k : k * m.rows + index);
        out += static_cast<char>(static_cast<unsigned char>(c >= 0 && c < 256 ? c : '?'));
    }
    return without_padding(std::move(out));
}

// "Mass [kg]", "Angle [rad|deg]": the unit is in the brackets at the end.
void split_unit(Column& column) {
    std::string& text = column.description;
    if (text.empty() || text.back() != ']') return;
    const std::size_t open = text.rfind('[');
    if (open == std::string::npos) return;
    std::string unit = text.substr(open + 1, text.size() - open - 2);
    unit.resize(std::min(unit.size(), unit.find('|')));
    if (unit.starts_with(":#")) unit.clear();  // attributes of type, no unit
    column.unit = std::move(unit);
    text.resize(open);
    while (!text.empty() && text.back() == ' ') text.pop_back();
}

}  // namespace

std::optional<Trajectory> read_mat(const std::string& file, std::string_view bytes,
                                   Diagnostics& diagnostics) {
    const auto fail = [&](const std::string& reason) {
        diagnostics.report(messages::not_a_trajectory(file, reason));
        return std::nullopt;
    };
    std::optional<Matrix> classes, names, descriptions, info, constants, variables;
    std::size_t at = 0;
    while (const auto m = next_mat_matrix(bytes, at)) {
        const auto keep = [&](std::optional<Matrix>& as, std::string_view name) {
            if (m->name == name && !as) as = *m;
        };
        keep(classes, "Aclass");
        keep(names, "name");
        keep(descriptions, "description");
        keep(info, "dataInfo");
        keep(constants, "data_1");
        keep(variables, "data_2");
    }
    if (!classes) return fail("there is no matrix Aclass");
    if (!classes->complete() || classes->rows < 4) return fail("the matrix Aclass is incomplete");
    if (classes->columns > 1000 || text_at(*classes, 0, false) != "Atrajectory")
        return fail("the matrix Aclass does not say Atrajectory");
    const std::string layout = text_at(*classes, 3, false);
    if (layout != "binTrans" && layout != "binNormal")
        return fail("the layout is neither binTrans nor binNormal");
    const bool transposed = layout == "binTrans";
    if (!names) return fail("there is no matrix name");
    if (!info) return fail("there is no matrix dataInfo");
    if (!names->complete()) return fail("the file ends inside the matrix name");
    if (!info->complete()) return fail("the file ends inside the matrix dataInfo");
    const std::uint64_t count = transposed ? info->columns : info->rows;
    if ((transposed ? info->rows : info->columns) < 2) return fail("the matrix dataInfo is too narrow");
    if ((transposed ? names->columns : names->rows) != count)
        return fail("the matrices name and dataInfo do not agree in size");
    if (count == 0) return fail("it has no variables");
    const auto info_at = [&](std::uint64_t variable, std::uint64_t field) {
        return info->at(transposed ? variable * info->rows + field : field * info->rows + variable);
    };
    const bool described = descriptions && descriptions->complete() &&
                           (transposed ? descriptions->columns : descriptions->rows) == count;

    // In the file `data` is variables x times when transposed; a file that ends early has its first whole
    // rows.
    const std::uint64_t wide = variables ? (transposed ? variables->rows : variables->columns) : 0;
    const std::uint64_t promised = variables ? (transposed ? variables->columns : variables->rows) : 0;
    if (!variables || wide == 0) return fail("there is no matrix data_2");
    const std::uint64_t present = variables->data.size() / variables->element_size();
    std::uint64_t rows = std::min(promised, present / wide);
    if (rows < promised && !transposed) return fail("the file ends inside the matrix data_2");
    const std::uint64_t constant_count = constants ? (transposed ? constants->rows : constants->columns) : 0;
    const bool constants_complete =
        constants && constants->complete() && constants->rows && constants->columns;

    Columns columns;
    columns.add(time_column(""));
    columns.front().description.clear();
    std::vector<std::uint64_t> source = {0};  // by place in a row: which variable of data_2
    std::vector<bool> source_negated = {false};
    struct Home {
        ColumnIndex column;
        bool negated = false;
    };
    std::vector<std::optional<Home>> variable_homes(std::min<std::uint64_t>(wide, present)), constant_homes;
    if (constants_complete) constant_homes.resize(constant_count);
    bool time_found = false;
    std::size_t left_out = 0;
    std::string first_left_out;
    for (std::uint64_t k = 0; k < count; ++k) {
        Column column;
        column.name = text_at(*names, k, transposed);
        if (described) column.description = text_at(*descriptions, k, transposed);
        split_unit(column);
        const double matrix = info_at(k, 0), place = info_at(k, 1);
        const bool negated = place < 0;
        const double size = std::fabs(place);
        const bool sound = size >= 1 && size < 4e9;
        const std::uint64_t index = sound ? static_cast<std::uint64_t>(size) - 1 : 0;
        // The abscissa: matrix 0 as specified, the first variable of data_2 in some files.
        const bool abscissa =
            sound && index == 0 && !negated && (matrix == 0 || (matrix == 2 && column.name == "time"));
        if (abscissa && !time_found) {
            time_found = true;
            column.kind = ColumnKind::Time;
            columns.front() = std::move(column);
            variable_homes.empty() ? void() : void(variable_homes[0] = Home{ColumnIndex(0), false});
            continue;
        }
        if (sound && matrix == 1 && index < constant_homes.size()) {
            if (const auto& home = constant_homes[index]) {
                column.kind = ColumnKind::Alias;
                column.alias_of = home->column;
                column.negated = negated != home->negated;
            } else {
                const double value = constants->at(transposed ? index : index * constants->rows);
                column.kind = ColumnKind::Parameter;
                column.value = negated ? 0.0 - value : value;
                constant_homes[index] = Home{columns.end_index(), negated};
            }
        } else if (sound && (matrix == 2 || matrix == 0) && index < wide) {
            const bool has_data = index < variable_homes.size();
            if (has_data && variable_homes[index]) {
                column.kind = ColumnKind::Alias;
                column.alias_of = variable_homes[index]->column;
                column.negated = negated != variable_homes[index]->negated;
            } else {
                if (has_data) variable_homes[index] = Home{columns.end_index(), negated};
                source.push_back(index);
                source_negated.push_back(negated);
            }
        } else {
            if (left_out++ == 0) first_left_out = column.name;
            continue;
        }
        columns.add(std::move(column));
    }
    if (left_out) diagnostics.report(messages::mat_variables_left_out(file, left_out, first_left_out));
    // An alias of time met before time itself refers to nothing yet: it then holds its own copy, which is
    // right too.
    Trajectory trajectory(std::move(columns));
    std::vector<double> row(source.size());
    for (std::uint64_t i = 0; i < rows; ++i) {
        for (std::size_t k = 0; k < source.size(); ++k) {
            const double v = variables->at(transposed ? i * wide + source[k] : source[k] * promised + i);
            row[k] = source_negated[k] ? 0.0 - v : v;
        }
        const double before = trajectory.empty() ? row[0] : trajectory.time(trajectory.rows() - 1);
        if (!(row[0] >= before)) {
            diagnostics.report(messages::mat_time_backwards(file, i, before, row[0]));
            return std::nullopt;
        }
        trajectory.append(row);
    }
    if (rows < promised) diagnostics.report(messages::mat_truncated(file, rows));
    return trajectory;
}

}  // namespace cutset
