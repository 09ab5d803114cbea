// Pictures of the structure of a model: its subsystems as boxes and arrows, the incidence of its equations.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "operations/structure/structure.h"
#include "results/drawing.h"

namespace cutset {

// Inputs on the left, outputs on the right, subsystems between them in the order of influence. Many
// subsystems are drawn as few boxes: first those with equal neighbours together, then whole columns.
// The drawing refers to both arguments.
Drawing draw_subsystems(const Structure& structure, const FlatModel& model);

// A box for each state and an arrow for each element of A, B, C and D, with two heads where two states act on
// each other. To be read with at most these numbers of both.
inline constexpr std::size_t most_drawn_states = 60, most_drawn_arrows = 160;
bool can_draw_states(const Structure& structure);
Drawing draw_states(const Structure& structure, const FlatModel& model);

// Which unknowns occur in which equation. Differentiated variables count by their highest derivative; what
// is known (states, parameters, the time) is no column.
struct IncidencePicture {
    std::string title;
    std::size_t rows = 0, columns = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> elements;  // row, column
    std::vector<std::string> row_names, column_names;               // empty when there are many
    std::vector<Origin> origins;                                    // by row: of its equation
    struct Square {
        std::uint32_t first = 0, size = 0;  // on the diagonal
    };
    std::vector<Square> loops;  // to be solved together
};
inline constexpr std::size_t most_named_rows = 36;
IncidencePicture incidence_of(const FlatModel& model, std::size_t most_named = most_named_rows);
IncidencePicture incidence_of(const Partition& partition, std::size_t most_named = most_named_rows);
// Side by side. Large matrices are drawn as a grid of cells, darker where there is more.
Drawing draw_incidence(IncidencePicture before, IncidencePicture after);

}  // namespace cutset
