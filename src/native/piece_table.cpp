#include "native/piece_table.h"

#include <algorithm>

namespace cutset::native {

void all_from_table(Piece& piece) {
    const std::size_t columns = piece.columns.size();
    std::vector<std::uint32_t> table(piece.rows * columns);
    for (std::size_t c = 0; c < columns; ++c) {
        PieceColumn& column = piece.columns[c];
        for (std::size_t r = 0; r < piece.rows; ++r)
            table[r * columns + c] =
                column.mode == ColumnMode::Table
                    ? piece.table[r * piece.width + column.at]
                    : static_cast<std::uint32_t>(std::int64_t(column.at) + std::int64_t(r) * column.stride);
        column = {ColumnMode::Table, false, static_cast<std::uint32_t>(c), 0};
    }
    piece.table = std::move(table);
    piece.width = static_cast<std::uint32_t>(columns);
}

void numbers_from_table(Piece& piece) {
    std::uint32_t width = piece.width;
    for (std::size_t c = 0; c < piece.columns.size(); ++c)
        if (piece.shape.columns[c].kind == ColumnKind::Number && piece.columns[c].mode != ColumnMode::Table)
            ++width;
    if (width == piece.width) return;
    std::vector<std::uint32_t> table(piece.rows * width);
    for (std::size_t r = 0; r < piece.rows; ++r)
        std::copy_n(piece.table.begin() + std::ptrdiff_t(r * piece.width), piece.width,
                    table.begin() + std::ptrdiff_t(r * width));
    std::uint32_t next = piece.width;
    for (std::size_t c = 0; c < piece.columns.size(); ++c) {
        PieceColumn& column = piece.columns[c];
        if (piece.shape.columns[c].kind != ColumnKind::Number || column.mode == ColumnMode::Table) continue;
        for (std::size_t r = 0; r < piece.rows; ++r)
            table[r * width + next] =
                static_cast<std::uint32_t>(std::int64_t(column.at) + std::int64_t(r) * column.stride);
        column = {ColumnMode::Table, false, next++, 0};
    }
    piece.table = std::move(table);
    piece.width = width;
}

}  // namespace cutset::native
