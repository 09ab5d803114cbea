#include "native/plan.h"

#include <algorithm>

#include "base/diagnostic.h"

namespace cutset::native {

std::optional<Plan> Plan::make(const Program& program, const Section& section, SlotWork& work) {
    auto statements = cut_into_statements(program, section, work);
    if (!statements) return std::nullopt;
    Plan plan;
    plan.statements_ = std::move(*statements);
    const auto n = static_cast<std::uint32_t>(plan.statements_.size());
    plan.scratch_stamp_.assign(plan.statements_.scratch, 0);
    plan.scratch_count_.assign(plan.statements_.scratch, 0);
    plan.scratch_reference_.assign(plan.statements_.scratch, 0);
    if (n < fewest_kernel_rows) {
        plan.schedule_.order.resize(n);
        for (std::uint32_t s = 0; s < n; ++s) plan.schedule_.order[s] = s;
        plan.straight(0, n);
        return plan;
    }
    plan.schedule_ = schedule(program, plan.statements_, work);
    std::vector<std::uint32_t> in_large_groups(plan.statements_.shapes.size(), 0);
    for (const Group& g : plan.schedule_.groups)
        if (g.count >= fewest_group_rows) in_large_groups[g.shape] += g.count;
    std::vector<std::uint32_t> last(plan.statements_.shapes.size(), ~0u);
    plan.next_.assign(n, ~0u);
    for (std::uint32_t p = n; p-- > 0;) {
        std::uint32_t& l = last[plan.shape_at(p)];
        plan.next_[p] = l;
        l = p;
    }
    std::uint32_t loose_from = 0;
    for (const Group& g : plan.schedule_.groups) {
        if (g.count < fewest_group_rows || in_large_groups[g.shape] < fewest_kernel_rows) continue;
        plan.loose(loose_from, g.first, work);
        plan.pieces_.push_back({g.first, g.count, 1});
        loose_from = g.first + g.count;
    }
    plan.loose(loose_from, n, work);
    plan.next_ = {};
    return plan;
}

// Sequences that repeat become kernels, the rest straight-line code.
void Plan::loose(std::uint32_t from, std::uint32_t to, SlotWork& work) {
    std::uint32_t straight_from = from;
    Shape first, other;
    std::vector<std::uint32_t> operands;
    // Rows from `at` on that are equal: the same shapes, and operands that coincide in the same way.
    const auto equal_rows = [&](std::uint32_t at, std::uint32_t period) {
        std::uint32_t rows = 1;
        for (;; ++rows) {
            const std::uint32_t begin = at + rows * period;
            if (begin + period > to) break;
            std::uint32_t k = 0;
            while (k < period && shape_at(at + k) == shape_at(begin + k)) ++k;
            if (k < period) break;
            if (rows == 1) row(at, period, work, first, operands);
            row(begin, period, work, other, operands);
            if (!(other == first)) break;
        }
        return rows;
    };
    for (std::uint32_t at = from; at < to;) {
        std::uint32_t rows = 0, period = 0, next = next_[at];
        for (int attempt = 0; attempt < 3 && next < to && next - at <= longest_period; ++attempt) {
            period = next - at;
            rows = equal_rows(at, period);
            if (rows >= fewest_group_rows && rows * period >= fewest_kernel_rows) break;
            rows = 0;
            next = next_[next];
        }
        if (rows == 0) {
            ++at;
            continue;
        }
        straight(straight_from, at);
        pieces_.push_back({at, rows, period});
        at += rows * period;
        straight_from = at;
    }
    straight(straight_from, to);
}

void Plan::straight(std::uint32_t from, std::uint32_t to) {
    while (from < to) {
        std::uint32_t end = from;
        std::size_t instructions = 0;
        do {
            instructions += statements_.shapes[shape_at(end)].code.size();
            ++end;
        } while (end < to && instructions < most_chunk_instructions);
        pieces_.push_back({from, 1, end - from});
        from = end;
    }
}

// Several statements as one. Values that pass between them and go nowhere else become locals.
void Plan::row(std::uint32_t from, std::uint32_t count, SlotWork& work, Shape& shape,
               std::vector<std::uint32_t>& operands) const {
    shape.clear();
    operands.clear();
    const std::uint32_t stamp = ++work.now;
    if (count > 1)
        for (std::uint32_t p = from; p < from + count; ++p) {
            const std::uint32_t s = schedule_.order[p];
            const Shape& part = statements_.shapes[statements_.shape[s]];
            const auto places = statements_.operands_of(s);
            for (std::size_t c = 0; c < part.columns.size(); ++c) {
                if (part.columns[c].kind != ColumnKind::Scratch) continue;
                if (scratch_stamp_[places[c]] != stamp) {
                    scratch_stamp_[places[c]] = stamp;
                    scratch_count_[places[c]] = 0;
                    scratch_reference_[places[c]] = ~0u;
                }
                ++scratch_count_[places[c]];
            }
        }
    std::vector<Reference> reference;
    for (std::uint32_t p = from; p < from + count; ++p) {
        const std::uint32_t s = schedule_.order[p];
        const Shape& part = statements_.shapes[statements_.shape[s]];
        const auto places = statements_.operands_of(s);
        if (count == 1) {
            shape = part;
            operands.assign(places.begin(), places.end());
            return;
        }
        reference.resize(part.columns.size());
        for (std::size_t c = 0; c < part.columns.size(); ++c) {
            const ShapeColumn& column = part.columns[c];
            const auto add = [&] {
                shape.columns.push_back({column.kind, false, false});
                operands.push_back(places[c]);
                return static_cast<Reference>(shape.columns.size() - 1);
            };
            Reference r;
            if (column.kind == ColumnKind::Number) {
                r = add();
            } else if (column.kind == ColumnKind::Value) {
                if (work.stamp[places[c]] != stamp) {
                    work.stamp[places[c]] = stamp;
                    work.place[places[c]] = add();
                }
                r = work.place[places[c]];
            } else {
                Reference& known = scratch_reference_[places[c]];
                if (known == ~0u)
                    known = scratch_count_[places[c]] == statements_.scratch_uses[places[c]]
                                ? local_bit | shape.locals++
                                : add();
                r = known;
            }
            if (!is_local(r)) {
                shape.columns[r].read |= column.read;
                shape.columns[r].written |= column.written;
            }
            reference[c] = r;
        }
        const auto begin = static_cast<std::uint32_t>(shape.code.size());
        const std::uint32_t first_local = shape.locals;
        const auto renamed = [&](Reference r) { return is_local(r) ? r + first_local : reference[r]; };
        const auto first_argument = static_cast<std::uint32_t>(shape.arguments.size());
        for (Reference r : part.arguments) shape.arguments.push_back(renamed(r));
        for (ShapeInstruction i : part.code) {
            switch (i.code) {
                case Code::Jump:
                    i.to += begin;
                    break;
                case Code::JumpFalse:
                    i.to += begin;
                    i.a = renamed(i.a);
                    break;
                case Code::Call:
                    i.a = renamed(i.a);
                    i.b += first_argument;
                    i.to = renamed(i.to);
                    break;
                case Code::Solve:
                    i.a = renamed(i.a);
                    break;
                case Code::Delay:
                    i.a = renamed(i.a);
                    i.b = renamed(i.b);
                    i.time = renamed(i.time);
                    i.to = renamed(i.to);
                    break;
                case Code::Copy:
                case Code::Negate:
                case Code::Unary:
                    i.a = renamed(i.a);
                    i.to = renamed(i.to);
                    break;
                default:
                    i.a = renamed(i.a);
                    if (!i.has_literal) i.b = renamed(i.b);
                    i.to = renamed(i.to);
                    break;
            }
            shape.code.push_back(i);
        }
        shape.locals += part.locals;
    }
}

Piece Plan::build(const PieceOutline& outline, SlotWork& work) const {
    Piece piece;
    std::vector<std::uint32_t> operands;
    row(outline.first, outline.statements, work, piece.shape, operands);
    piece.rows = outline.rows;
    const std::size_t columns = piece.shape.columns.size();
    piece.columns.resize(columns);
    for (std::size_t c = 0; c < columns; ++c) piece.columns[c].at = operands[c];
    if (!outline.is_kernel()) return piece;

    // All operands row by row, then each column looked at: the same, a constant stride, or a table.
    const std::size_t rows = outline.rows;
    std::vector<std::uint32_t> all = operands;
    all.reserve(rows * columns);
    Shape shape;
    for (std::size_t r = 1; r < rows; ++r) {
        if (outline.statements == 1) {
            const auto places = statements_.operands_of(schedule_.order[outline.first + r]);
            all.insert(all.end(), places.begin(), places.end());
        } else {
            row(outline.first + static_cast<std::uint32_t>(r) * outline.statements, outline.statements, work,
                shape, operands);
            CUTSET_ASSERT(shape.columns.size() == columns);
            all.insert(all.end(), operands.begin(), operands.end());
        }
    }
    for (std::size_t c = 0; c < columns; ++c) {
        PieceColumn& column = piece.columns[c];
        column.mode = ColumnMode::Affine;
        column.stride = std::int64_t(all[columns + c]) - std::int64_t(all[c]);
        for (std::size_t r = 1; r < rows; ++r)
            if (std::int64_t(all[r * columns + c]) - std::int64_t(all[(r - 1) * columns + c]) !=
                column.stride) {
                column.mode = ColumnMode::Table;
                break;
            }
    }

    // What the rows write, by the row that writes it.
    const std::uint32_t stamp = ++work.now;
    piece.independent = true;
    for (std::size_t c = 0; c < columns; ++c) {
        const ShapeColumn& column = piece.shape.columns[c];
        if (!column.written) continue;
        for (std::size_t r = 0; r < rows; ++r) {
            const std::uint32_t place = all[r * columns + c];
            if (column.kind == ColumnKind::Value) {
                if (work.stamp[place] == stamp && work.place[place] != r) piece.independent = false;
                work.stamp[place] = stamp;
                work.place[place] = static_cast<std::uint32_t>(r);
            } else {
                if (scratch_stamp_[place] == stamp && scratch_count_[place] != r) piece.independent = false;
                scratch_stamp_[place] = stamp;
                scratch_count_[place] = static_cast<std::uint32_t>(r);
            }
        }
    }
    const auto writer = [&](ColumnKind kind, std::uint32_t place) {
        if (kind == ColumnKind::Scratch) return scratch_stamp_[place] == stamp ? scratch_count_[place] : ~0u;
        return work.stamp[place] == stamp ? work.place[place] : ~0u;
    };
    const bool solves = std::any_of(piece.shape.code.begin(), piece.shape.code.end(),
                                    [](const ShapeInstruction& i) { return i.code == Code::Solve; });
    for (std::size_t c = 0; c < columns; ++c) {
        const ShapeColumn& column = piece.shape.columns[c];
        if (column.kind == ColumnKind::Number) continue;
        PieceColumn& place = piece.columns[c];
        if (place.mode == ColumnMode::Affine && place.stride == 0)
            place.hoisted = !solves && writer(column.kind, place.at) == ~0u;
        for (std::size_t r = 0; r < rows && piece.independent; ++r) {
            const std::uint32_t by = writer(column.kind, all[r * columns + c]);
            if (by != ~0u && by != r) piece.independent = false;
        }
    }
    for (std::size_t c = 0; c < columns; ++c)
        if (piece.columns[c].mode == ColumnMode::Table) piece.columns[c].at = piece.width++;
    if (piece.width > 0) {
        piece.table.resize(rows * piece.width);
        for (std::size_t c = 0; c < columns; ++c)
            if (piece.columns[c].mode == ColumnMode::Table)
                for (std::size_t r = 0; r < rows; ++r)
                    piece.table[r * piece.width + piece.columns[c].at] = all[r * columns + c];
    }
    return piece;
}

}  // namespace cutset::native
