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

// A file of trajectories: matrices of names and places, of parameters (data_1) and of variables (data_2).
class MatTrajectory {
  public:
    MatTrajectory(const std::string& file, Diagnostics& diagnostics)
        : file_(file), diagnostics_(diagnostics) {}

    std::optional<Trajectory> read(std::string_view bytes) {
        find_matrices(bytes);
        if (const char* problem = check()) {
            diagnostics_.report(messages::not_a_trajectory(file_, problem));
            return std::nullopt;
        }
        columns_.add(time_column(""));
        columns_.front().description.clear();
        variable_homes_.resize(std::min<std::uint64_t>(wide_, present_));
        if (constants_ && constants_->complete() && constants_->rows && constants_->columns)
            constant_homes_.resize(transposed_ ? constants_->rows : constants_->columns);
        for (std::uint64_t k = 0; k < count_; ++k) add_column(k);
        if (left_out_)
            diagnostics_.report(messages::mat_variables_left_out(file_, left_out_, first_left_out_));
        return read_rows();
    }

  private:
    void find_matrices(std::string_view bytes) {
        std::size_t at = 0;
        while (const auto m = next_mat_matrix(bytes, at)) {
            const auto keep = [&](std::optional<Matrix>& as, std::string_view name) {
                if (m->name == name && !as) as = *m;
            };
            keep(classes_, "Aclass");
            keep(names_, "name");
            keep(descriptions_, "description");
            keep(info_, "dataInfo");
            keep(constants_, "data_1");
            keep(variables_, "data_2");
        }
    }

    // Why it is no trajectory, or null; sets the sizes.
    const char* check() {
        if (!classes_) return "there is no matrix Aclass";
        if (!classes_->complete() || classes_->rows < 4) return "the matrix Aclass is incomplete";
        if (classes_->columns > 1000 || text_at(*classes_, 0, false) != "Atrajectory")
            return "the matrix Aclass does not say Atrajectory";
        const std::string layout = text_at(*classes_, 3, false);
        if (layout != "binTrans" && layout != "binNormal")
            return "the layout is neither binTrans nor binNormal";
        transposed_ = layout == "binTrans";
        if (!names_) return "there is no matrix name";
        if (!info_) return "there is no matrix dataInfo";
        if (!names_->complete()) return "the file ends inside the matrix name";
        if (!info_->complete()) return "the file ends inside the matrix dataInfo";
        count_ = transposed_ ? info_->columns : info_->rows;
        if ((transposed_ ? info_->rows : info_->columns) < 2) return "the matrix dataInfo is too narrow";
        if ((transposed_ ? names_->columns : names_->rows) != count_)
            return "the matrices name and dataInfo do not agree in size";
        if (count_ == 0) return "it has no variables";
        described_ = descriptions_ && descriptions_->complete() &&
                     (transposed_ ? descriptions_->columns : descriptions_->rows) == count_;
        // In the file `data` is variables x times when transposed; a file that ends early has its first whole
        // rows.
        wide_ = variables_ ? (transposed_ ? variables_->rows : variables_->columns) : 0;
        if (!variables_ || wide_ == 0) return "there is no matrix data_2";
        promised_ = transposed_ ? variables_->columns : variables_->rows;
        present_ = variables_->data.size() / variables_->element_size();
        rows_ = std::min(promised_, present_ / wide_);
        if (rows_ < promised_ && !transposed_) return "the file ends inside the matrix data_2";
        return nullptr;
    }

    double info_at(std::uint64_t variable, std::uint64_t field) const {
        return info_->at(transposed_ ? variable * info_->rows + field : field * info_->rows + variable);
    }

    void add_column(std::uint64_t k) {
        Column column;
        column.name = text_at(*names_, k, transposed_);
        if (described_) column.description = text_at(*descriptions_, k, transposed_);
        split_unit(column);
        const double matrix = info_at(k, 0), place = info_at(k, 1);
        const bool negated = place < 0;
        const double size = std::fabs(place);
        const bool sound = size >= 1 && size < 4e9;
        const std::uint64_t index = sound ? static_cast<std::uint64_t>(size) - 1 : 0;
        // The abscissa: matrix 0 as specified, the first variable of data_2 in some files.
        const bool abscissa =
            sound && index == 0 && !negated && (matrix == 0 || (matrix == 2 && column.name == "time"));
        if (abscissa && !time_found_) {
            time_found_ = true;
            column.kind = ColumnKind::Time;
            columns_.front() = std::move(column);
            if (!variable_homes_.empty()) variable_homes_[0] = Home{ColumnIndex(0), false};
            return;
        }
        if (sound && matrix == 1 && index < constant_homes_.size()) {
            place_constant(column, index, negated);
        } else if (sound && (matrix == 2 || matrix == 0) && index < wide_) {
            place_variable(column, index, negated);
        } else {
            if (left_out_++ == 0) first_left_out_ = column.name;
            return;
        }
        columns_.add(std::move(column));
    }

    void place_constant(Column& column, std::uint64_t index, bool negated) {
        std::optional<Home>& home = constant_homes_[index];
        if (home) return refer(column, *home, negated);
        const double value = constants_->at(transposed_ ? index : index * constants_->rows);
        column.kind = ColumnKind::Parameter;
        column.value = negated ? 0.0 - value : value;
        home = Home{columns_.end_index(), negated};
    }

    void place_variable(Column& column, std::uint64_t index, bool negated) {
        const bool has_data = index < variable_homes_.size();
        if (has_data && variable_homes_[index]) return refer(column, *variable_homes_[index], negated);
        if (has_data) variable_homes_[index] = Home{columns_.end_index(), negated};
        source_.push_back({index, negated});
    }

    // The first column of a place of the file; further ones are names of it.
    struct Home {
        ColumnIndex column;
        bool negated = false;
    };
    static void refer(Column& column, const Home& home, bool negated) {
        column.kind = ColumnKind::Alias;
        column.alias_of = home.column;
        column.negated = negated != home.negated;
    }

    // An alias of time met before time itself refers to nothing yet: it then holds its own copy, which is
    // right too.
    std::optional<Trajectory> read_rows() {
        Trajectory trajectory(std::move(columns_));
        std::vector<double> row(source_.size());
        for (std::uint64_t i = 0; i < rows_; ++i) {
            for (std::size_t k = 0; k < source_.size(); ++k) {
                const std::uint64_t index = source_[k].index;
                const double v = variables_->at(transposed_ ? i * wide_ + index : index * promised_ + i);
                row[k] = source_[k].negated ? 0.0 - v : v;
            }
            const double before = trajectory.empty() ? row[0] : trajectory.time(trajectory.rows() - 1);
            if (!(row[0] >= before)) {
                diagnostics_.report(messages::mat_time_backwards(file_, i, before, row[0]));
                return std::nullopt;
            }
            trajectory.append(row);
        }
        if (rows_ < promised_) diagnostics_.report(messages::mat_truncated(file_, rows_));
        return trajectory;
    }

    const std::string& file_;
    Diagnostics& diagnostics_;
    std::optional<Matrix> classes_, names_, descriptions_, info_, constants_, variables_;
    bool transposed_ = false, described_ = false, time_found_ = false;
    std::uint64_t count_ = 0;     // names
    std::uint64_t wide_ = 0;      // variables in data_2
    std::uint64_t promised_ = 0;  // rows, as the head of data_2 says
    std::uint64_t present_ = 0;   // numbers in data_2
    std::uint64_t rows_ = 0;      // whole ones
    Columns columns_;
    struct Source {
        std::uint64_t index;
        bool negated;
    };
    std::vector<Source> source_ = {{0, false}};  // by place in a row: which variable of data_2
    std::vector<std::optional<Home>> variable_homes_, constant_homes_;
    std::size_t left_out_ = 0;
    std::string first_left_out_;
};

}  // namespace

std::optional<Trajectory> read_mat(const std::string& file, std::string_view bytes,
                                   Diagnostics& diagnostics) {
    return MatTrajectory(file, diagnostics).read(bytes);
}

}  // namespace cutset
