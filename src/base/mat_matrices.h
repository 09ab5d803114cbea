// Matrices in MAT-files: level 4 as results have them, and numbers and texts of level 5, which Matlab, Octave
// and SciPy write.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutset {

// One matrix of a MAT-file level 4: `rows` x `columns` elements, stored by columns in `data`.
struct MatMatrix {
    std::string_view name;
    bool big_endian = false;
    bool text = false;
    unsigned precision = 0;  // 0 double, 1 single, 2 int32, 3 int16, 4 uint16, 5 uint8
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::string_view data;  // shorter than the header says when the file ends early

    std::size_t element_size() const {
        constexpr std::size_t sizes[6] = {8, 4, 4, 2, 2, 1};
        return sizes[precision];
    }
    bool complete() const { return data.size() / element_size() >= rows * columns; }

    // By its place in the file; the caller stays inside `data`.
    double at(std::uint64_t element) const;
};

// The next matrix of level 4 at `at`, which moves behind it; nothing at the end or when the rest makes no
// sense.
std::optional<MatMatrix> next_mat_matrix(std::string_view bytes, std::size_t& at);

// A matrix of numbers or letters, by columns.
struct NamedMatrix {
    std::string name;
    bool text = false;
    std::size_t rows = 0, columns = 0;
    std::vector<double> values;
    double at(std::size_t row, std::size_t column) const { return values[column * rows + row]; }
    // A row of letters, without blanks at the end.
    std::string text_row(std::size_t row) const;
};
// Of either level; what is neither full and real nor a text is left out. Nothing, with the reason, when this
// is no MAT-file.
std::optional<std::vector<NamedMatrix>> read_mat_matrices(std::string_view bytes, std::string& problem);
// Level 4.
std::string mat_matrices_text(const std::vector<NamedMatrix>& matrices);

}  // namespace cutset
