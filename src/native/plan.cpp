#include "native/plan.h"

#include <algorithm>
#include <unordered_map>

#include "base/diagnostic.h"

namespace cutset::native {

std::optional<Plan> Plan::make(const Program& program, const Section& section, SlotWork& work,
                               std::span<const Slot> hidden) {
    auto plan = make(program, section, work);
    if (plan) plan->find_inside(hidden);
    return plan;
}

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
    // As it stands, if that repeats itself well enough: what a statement computes is then still at hand when
    // the next one needs it. Else sorted by shape.
    plan.schedule_.order.resize(n);
    for (std::uint32_t s = 0; s < n; ++s) plan.schedule_.order[s] = s;
    plan.find_next();
    plan.loose(0, n, work);
    const std::size_t cost = plan.cost();
    if (cost > cheap) {
        Plan sorted;
        sorted.statements_ = std::move(plan.statements_);
        sorted.scratch_stamp_ = std::move(plan.scratch_stamp_);
        sorted.scratch_count_ = std::move(plan.scratch_count_);
        sorted.scratch_reference_ = std::move(plan.scratch_reference_);
        sorted.schedule_ = schedule(program, sorted.statements_, work);
        sorted.by_groups(work);
        if (5 * cost > 6 * sorted.cost()) {
            plan.pieces_ = std::move(sorted.pieces_);
            plan.schedule_ = std::move(sorted.schedule_);
        }
        plan.statements_ = std::move(sorted.statements_);
        plan.scratch_stamp_ = std::move(sorted.scratch_stamp_);
        plan.scratch_count_ = std::move(sorted.scratch_count_);
        plan.scratch_reference_ = std::move(sorted.scratch_reference_);
    }
    plan.next_ = {};
    plan.split_at_strides(work);
    return plan;
}

void Plan::find_next() {
    const auto n = static_cast<std::uint32_t>(statements_.size());
    std::vector<std::uint32_t> last(statements_.shapes.size(), ~0u);
    next_.assign(n, ~0u);
    for (std::uint32_t p = n; p-- > 0;) {
        std::uint32_t& l = last[shape_at(p)];
        next_[p] = l;
        l = p;
    }
}

void Plan::by_groups(SlotWork& work) {
    std::vector<std::uint32_t> in_large_groups(statements_.shapes.size(), 0);
    for (const Group& g : schedule_.groups)
        if (g.count >= fewest_group_rows) in_large_groups[g.shape] += g.count;
    find_next();
    std::uint32_t loose_from = 0;
    for (const Group& g : schedule_.groups) {
        if (g.count < fewest_group_rows || in_large_groups[g.shape] < fewest_kernel_rows) continue;
        loose(loose_from, g.first, work);
        pieces_.push_back({g.first, g.count, 1});
        loose_from = g.first + g.count;
    }
    loose(loose_from, static_cast<std::uint32_t>(statements_.size()), work);
    next_ = {};
}

// Time to compile, one instruction of straight-line code being the unit.
std::size_t Plan::cost() const {
    std::size_t sum = 0;
    for (const PieceOutline& outline : pieces_) {
        std::size_t instructions = 0;
        for (std::uint32_t p = outline.first; p < outline.first + outline.statements; ++p)
            instructions += statements_.shapes[shape_at(p)].code.size();
        sum += outline.is_kernel() ? 200 + 4 * instructions : instructions;
    }
    return sum;
}

// A kernel whose operands go on by constant strides for long stretches is cut where the strides change.
void Plan::split_at_strides(SlotWork& work) {
    std::vector<PieceOutline> out;
    std::vector<std::uint32_t> cuts, before, operands;
    std::vector<std::int64_t> stride;
    Shape shape;
    for (const PieceOutline& outline : pieces_) {
        if (outline.rows < 2 * shortest_stretch) {
            out.push_back(outline);
            continue;
        }
        cuts.clear();
        std::uint32_t begin = 0;  // of the stretch at hand
        for (std::uint32_t r = 0; r < outline.rows && cuts.size() <= most_stretches; ++r) {
            const std::uint32_t at = outline.first + r * outline.statements;
            if (outline.statements == 1) {
                const auto places = statements_.operands_of(schedule_.order[at]);
                operands.assign(places.begin(), places.end());
            } else {
                row(at, outline.statements, work, shape, operands);
            }
            if (r == begin + 1) stride.resize(operands.size());
            bool same = true;
            for (std::size_t c = 0; c < operands.size() && r > begin; ++c) {
                const std::int64_t step = std::int64_t(operands[c]) - std::int64_t(before[c]);
                if (r == begin + 1)
                    stride[c] = step;
                else
                    same = same && stride[c] == step;
            }
            if (!same) {
                cuts.push_back(r);
                begin = r;
            }
            before.swap(operands);
        }
        if (cuts.empty() || cuts.size() > most_stretches ||
            outline.rows / (cuts.size() + 1) < shortest_stretch) {
            out.push_back(outline);
            continue;
        }
        cuts.push_back(outline.rows);
        std::uint32_t from = 0;
        for (std::uint32_t cut : cuts) {
            out.push_back({outline.first + from * outline.statements, cut - from, outline.statements});
            from = cut;
        }
    }
    pieces_ = std::move(out);
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
    // Whether the operands of the first rows go on by constant strides.
    std::vector<std::uint32_t> before;
    std::vector<std::int64_t> stride;
    const auto has_strides = [&](std::uint32_t at, std::uint32_t period) {
        constexpr std::uint32_t looked_at = 8;
        if (at + looked_at * period > to) return false;
        for (std::uint32_t r = 0; r < looked_at; ++r) {
            row(at + r * period, period, work, other, operands);
            if (r > 0 && operands.size() != before.size()) return false;
            if (r == 1) stride.assign(operands.size(), 0);
            for (std::size_t c = 0; c < operands.size() && r > 0; ++c) {
                const std::int64_t step = std::int64_t(operands[c]) - std::int64_t(before[c]);
                if (r == 1)
                    stride[c] = step;
                else if (stride[c] != step)
                    return false;
            }
            before.swap(operands);
        }
        return true;
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
        // Several of them together may go on by strides where one does not: a1 b1 a2 b2 … of one shape.
        if (!has_strides(at, period))
            for (std::uint32_t several : {2u, 3u, 4u, 6u, 8u}) {
                if (several * period > longest_period || !has_strides(at, several * period)) continue;
                const std::uint32_t longer = equal_rows(at, several * period);
                if (longer < fewest_group_rows || 2 * longer * several < rows) continue;
                rows = longer;
                period *= several;
                break;
            }
        straight(straight_from, at);
        pieces_.push_back({at, rows, period});
        at += rows * period;
        straight_from = at;
    }
    straight(straight_from, to);
}

// The places to cut are marked by the statements themselves, so that a change of one statement leaves the
// chunks behind it as they were, and their code can be found again (native/code_store.h).
void Plan::straight(std::uint32_t from, std::uint32_t to) {
    while (from < to) {
        std::uint32_t end = from;
        std::size_t instructions = 0;
        do {
            instructions += statements_.shapes[shape_at(end)].code.size();
            ++end;
        } while (end < to && instructions < most_chunk_instructions &&
                 (instructions < fewest_chunk_instructions || !is_mark(shape_at(end - 1))));
        pieces_.push_back({from, 1, end - from});
        from = end;
    }
}

bool Plan::is_mark(std::uint32_t shape) {
    constexpr std::uint8_t no = 1, yes = 2;
    if (marks_.empty()) marks_.assign(statements_.shapes.size(), 0);
    if (!marks_[shape])
        marks_[shape] = (statements_.shapes[shape].hash() >> 32) % one_mark_in == 0 ? yes : no;
    return marks_[shape] == yes;
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
            if (i.code == Code::Jump || i.code == Code::JumpFalse) i.to += begin;
            if (i.code == Code::Call) i.b += first_argument;
            for_each_reference(i, [&](Reference& r) { r = renamed(r); });
            shape.code.push_back(i);
        }
        shape.locals += part.locals;
    }
}

namespace {

// Calls of one function have one column for its code.
void same_functions(Piece& piece) {
    std::unordered_map<std::uint32_t, std::uint32_t> first;  // column, by place of the code
    for (ShapeInstruction& i : piece.shape.code)
        if (i.code == Code::Call && i.parts > 0)
            i.function = first.emplace(piece.columns[i.function].at, i.function).first->second;
}

}  // namespace

// Hidden slots that one piece alone touches.
void Plan::find_inside(std::span<const Slot> hidden) {
    struct Met {
        const PieceOutline* in = nullptr;
        bool elsewhere = false;
    };
    std::unordered_map<Slot, Met> met;
    for (const Slot slot : hidden) met[slot] = {};
    for (const PieceOutline& piece : pieces_)
        for (std::uint32_t p = piece.first; p < piece.first + piece.rows * piece.statements; ++p) {
            const std::uint32_t s = schedule_.order[p];
            const auto& columns = statements_.shapes[statements_.shape[s]].columns;
            const auto places = statements_.operands_of(s);
            for (std::size_t c = 0; c < columns.size(); ++c) {
                if (columns[c].kind != ColumnKind::Value) continue;
                const auto found = met.find(places[c]);
                if (found == met.end()) continue;
                found->second.elsewhere |= found->second.in && found->second.in != &piece;
                found->second.in = &piece;
            }
        }
    for (const auto& [slot, where] : met)
        if (where.in && !where.elsewhere) inside_.insert(slot);
}

// They become locals of straight-line code.
void Plan::keep_inside(Piece& piece) const {
    if (inside_.empty()) return;
    std::vector<Reference> reference(piece.columns.size());
    for (std::uint32_t c = 0; c < reference.size(); ++c) {
        const ShapeColumn& column = piece.shape.columns[c];
        const bool inside = column.kind == ColumnKind::Value && inside_.contains(piece.columns[c].at);
        reference[c] = inside ? local_bit | piece.shape.locals++ : c;
    }
    const auto rename = [&](Reference& r) {
        if (!is_local(r)) r = reference[r];
    };
    for (ShapeInstruction& i : piece.shape.code) for_each_reference(i, rename);
    for (Reference& r : piece.shape.arguments) rename(r);
}

Piece Plan::build(const PieceOutline& outline, SlotWork& work) const {
    Piece piece;
    std::vector<std::uint32_t> operands;
    row(outline.first, outline.statements, work, piece.shape, operands);
    piece.rows = outline.rows;
    const std::size_t columns = piece.shape.columns.size();
    piece.columns.resize(columns);
    for (std::size_t c = 0; c < columns; ++c) piece.columns[c].at = operands[c];
    if (!outline.is_kernel()) {
        same_functions(piece);
        keep_inside(piece);
        return piece;
    }

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
