// The incidence matrices of a model before and after sorting, as a picture.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>

#include "operations/structure/picture_text.h"
#include "operations/structure/structure_picture.h"

namespace cutset {

namespace {

constexpr std::size_t most_cells = 240, least_cells = 80;  // of the grid, along each side
constexpr std::size_t most_runs = 4000;                    // rectangles of one matrix
constexpr double panel = 430, named_cell = 13, matrix_font = 10;
constexpr std::size_t longest_matrix_name = 44;
constexpr Colour shades[] = {{152, 188, 222}, {76, 130, 186}, {20, 66, 122}};
constexpr Colour frame_colour{150, 150, 150}, loop_colour{213, 94, 0};
constexpr Colour guide_colour{235, 235, 235};

struct Panel {
    IncidencePicture matrix;
    double cell = 0;           // side of one element
    double left = 0, top = 0;  // room for names
    double width = 0, height = 0;
    bool named = false;

    explicit Panel(IncidencePicture given) : matrix(std::move(given)) {
        const std::size_t n = std::max<std::size_t>({matrix.rows, matrix.columns, 1});
        named = n <= most_named_rows && !matrix.row_names.empty();
        cell = named ? named_cell : panel / double(n);
        top = 26;
        if (named) {
            double names = 0;
            for (const std::string& name : matrix.row_names)
                left = std::max(left, text_room(shortened(name, longest_matrix_name), matrix_font) + 8);
            for (const std::string& name : matrix.column_names)
                names = std::max(names, text_room(shortened(name, longest_matrix_name), matrix_font) + 8);
            top += names;
        }
        width = left + std::max(cell * double(matrix.columns), text_room(matrix.title, 12) - left);
        height = top + cell * double(matrix.rows);
    }

    void draw(Canvas& canvas, Point at) const {
        canvas.text({at.x, at.y + 12}, matrix.title, {12, Anchor::Start, false, ink});
        const Point o{at.x + left, at.y + top};
        const double right = o.x + cell * double(matrix.columns), bottom = o.y + cell * double(matrix.rows);
        if (named) draw_names(canvas, o, right, bottom);
        draw_elements(canvas, o);
        for (const IncidencePicture::Square& s : matrix.loops) {
            if (cell * s.size < 3) continue;
            const double a = cell * s.first, b = cell * (s.first + s.size);
            const Point ring[] = {{o.x + a, o.y + a},
                                  {o.x + b, o.y + a},
                                  {o.x + b, o.y + b},
                                  {o.x + a, o.y + b},
                                  {o.x + a, o.y + a}};
            canvas.polyline(ring, {loop_colour, 1.2});
        }
        const Point frame[] = {{o.x, o.y}, {right, o.y}, {right, bottom}, {o.x, bottom}, {o.x, o.y}};
        canvas.polyline(frame, {frame_colour, 0.8});
    }

  private:
    void draw_names(Canvas& canvas, Point o, double right, double bottom) const {
        for (std::size_t r = 0; r < matrix.rows; ++r) {
            const double y = o.y + cell * (double(r) + 0.5);
            canvas.polyline(std::vector<Point>{{o.x, y}, {right, y}}, {guide_colour, 0.6});
            canvas.text({o.x - 5, y + 3.5}, shortened(matrix.row_names[r], longest_matrix_name),
                        {matrix_font, Anchor::End, false, ink});
        }
        for (std::size_t c = 0; c < matrix.columns; ++c) {
            const double x = o.x + cell * (double(c) + 0.5);
            canvas.polyline(std::vector<Point>{{x, o.y}, {x, bottom}}, {guide_colour, 0.6});
            canvas.text({x + 3.5, o.y - 5}, shortened(matrix.column_names[c], longest_matrix_name),
                        {matrix_font, Anchor::Start, true, ink});
        }
    }

    // A run of equal cells in a row of the grid is one rectangle.
    struct Run {
        std::size_t row, first, end;
        int shade;
    };
    std::vector<Run> runs(std::size_t cells) const {
        const std::size_t n = std::max<std::size_t>({matrix.rows, matrix.columns, 1});
        std::vector<std::uint32_t> count(cells * cells);
        std::uint32_t most = 1;
        for (const auto& [r, c] : matrix.elements) {
            std::uint32_t& at = count[std::size_t(r) * cells / n * cells + std::size_t(c) * cells / n];
            most = std::max(most, ++at);
        }
        const auto shade = [&](std::uint32_t k) -> int {
            if (k == 0) return -1;
            if (cells == n || most == 1) return 2;
            return std::min(2, int(3 * std::log1p(double(k)) / std::log1p(double(most)) - 1e-9));
        };
        std::vector<Run> result;
        for (std::size_t r = 0; r < cells; ++r)
            for (std::size_t c = 0; c < cells;) {
                const int level = shade(count[r * cells + c]);
                std::size_t end = c + 1;
                while (!named && end < cells && shade(count[r * cells + end]) == level) ++end;
                if (level >= 0) result.push_back({r, c, end, level});
                c = end;
            }
        return result;
    }

    void draw_elements(Canvas& canvas, Point o) const {
        const std::size_t n = std::max<std::size_t>({matrix.rows, matrix.columns, 1});
        // Coarser where the picture would become a large file.
        std::size_t cells = std::min(n, most_cells);
        std::vector<Run> list = runs(cells);
        while (list.size() > most_runs && cells > least_cells) {
            cells = std::max(least_cells, cells * 2 / 3);
            list = runs(cells);
        }
        const double side = cell * double(n) / double(cells), inset = named ? 1.5 : 0;
        std::stable_sort(list.begin(), list.end(),
                         [](const Run& a, const Run& b) { return a.shade < b.shade; });
        for (const Run& run : list)
            canvas.fill({o.x + side * double(run.first) + inset, o.y + side * double(run.row) + inset,
                         o.x + side * double(run.end) - inset, o.y + side * double(run.row + 1) - inset},
                        shades[run.shade]);
    }
};

void add_elements(IncidencePicture& picture, std::uint32_t row, std::vector<std::uint32_t>& columns) {
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (std::uint32_t c : columns) picture.elements.emplace_back(row, c);
    columns.clear();
}

std::string counted(std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

}  // namespace

IncidencePicture incidence_of(const FlatModel& model, std::size_t most_named) {
    constexpr std::uint32_t none = 0xFFFFFFFFu;
    IncidencePicture picture;
    std::vector<std::vector<Expr>> leaves;
    std::vector<std::uint32_t> order(model.variables.size()), column(model.variables.size(), none);
    std::vector<bool> used(model.variables.size());
    for (const Equation& e : model.equations) {
        std::vector<Expr>& list = leaves.emplace_back();
        picture.origins.push_back(e.origin);
        for (Expr side : {e.left, e.right})
            for_each_leaf(side, [&](Expr leaf) {
                if (leaf->op != Op::Variable) return;
                if (model.variables[leaf->variable()].variability != Variability::Continuous) return;
                list.push_back(leaf);
                used[leaf->index] = true;
                order[leaf->index] = std::max(order[leaf->index], leaf->order);
            });
    }
    for (std::uint32_t v = 0; v < used.size(); ++v)
        if (used[v]) column[v] = std::uint32_t(picture.columns++);
    picture.rows = leaves.size();
    std::vector<std::uint32_t> columns;
    for (std::uint32_t r = 0; r < leaves.size(); ++r) {
        for (Expr leaf : leaves[r])
            if (leaf->order == order[leaf->index]) columns.push_back(column[leaf->index]);
        add_elements(picture, r, columns);
    }
    if (std::max(picture.rows, picture.columns) <= most_named) {
        for (const Equation& e : model.equations) picture.row_names.push_back(model.text(e));
        for (std::uint32_t v = 0; v < used.size(); ++v) {
            if (!used[v]) continue;
            std::string name = model.path(VariableIndex(v));
            for (std::uint32_t k = 0; k < order[v]; ++k) name = derivative_name(name);
            picture.column_names.push_back(std::move(name));
        }
    }
    picture.title = "before sorting: " + counted(picture.rows, "equation");
    return picture;
}

IncidencePicture incidence_of(const Partition& partition, std::size_t most_named) {
    const FlatModel& model = partition.model;
    IncidencePicture picture;
    constexpr std::uint32_t none = 0xFFFFFFFFu;
    std::vector<std::uint32_t> value(model.variables.size(), none), rate(model.variables.size(), none);
    const auto place = [&](const Unknown& u) -> std::uint32_t& {
        return (u.order ? rate : value)[u.variable.value];
    };
    std::vector<Unknown> unknowns;
    for (const Block& block : partition.blocks) {
        const std::uint32_t first = std::uint32_t(unknowns.size());
        for (const SolvedEquation& s : block.inner) unknowns.push_back(s.unknown);
        unknowns.insert(unknowns.end(), block.torn.begin(), block.torn.end());
        if (block.size() > 1) picture.loops.push_back({first, std::uint32_t(block.size())});
    }
    for (std::uint32_t i = 0; i < unknowns.size(); ++i) place(unknowns[i]) = i;
    picture.rows = picture.columns = unknowns.size();
    const Printer printer = model.printer();
    const auto origin = [&](EquationIndex e, bool from_initial) {
        picture.origins.push_back((from_initial ? model.initial_equations[e] : model.equations[e]).origin);
    };
    const bool named = unknowns.size() <= most_named;
    std::vector<std::uint32_t> columns;
    std::uint32_t row = 0;
    const auto look = [&](Expr e) {
        for_each_leaf(e, [&](Expr leaf) {
            if (leaf->op != Op::Variable) return;
            if (const std::uint32_t c = (leaf->order ? rate : value)[leaf->index]; c != none)
                columns.push_back(c);
        });
    };
    for (const Block& block : partition.blocks) {
        for (const SolvedEquation& s : block.inner) {
            columns.push_back(place(s.unknown));
            origin(s.equation, s.from_initial);
            look(s.value);
            add_elements(picture, row++, columns);
            if (named)
                picture.row_names.push_back(
                    to_text(model.pool->variable(s.unknown.variable, s.unknown.order), printer) +
                    " := " + to_text(s.value, printer));
        }
        for (const ResidualEquation& r : block.residuals) {
            look(r.residual);
            origin(r.equation, r.from_initial);
            add_elements(picture, row++, columns);
            if (named) picture.row_names.push_back("0 = " + to_text(r.residual, printer));
        }
    }
    if (named)
        for (const Unknown& u : unknowns)
            picture.column_names.push_back(u.order ? derivative_name(model.path(u.variable))
                                                   : model.path(u.variable));
    picture.title = "after: " + counted(picture.rows, "equation");
    if (!partition.eliminated.empty())
        picture.title += fmt::format(", {} eliminated exactly", partition.eliminated.size());
    if (!picture.loops.empty()) picture.title += ", " + counted(picture.loops.size(), "loop");
    return picture;
}

Drawing draw_incidence(IncidencePicture before, IncidencePicture after) {
    const auto panels =
        std::make_shared<const std::pair<Panel, Panel>>(Panel(std::move(before)), Panel(std::move(after)));
    const Panel &a = panels->first, &b = panels->second;
    const double width = a.width + b.width + 3 * picture_margin + 20;
    const double height = std::max(a.height, b.height) + 2 * picture_margin;
    return {width, height, [panels, width, height](Canvas& canvas) {
                canvas.fill({0, 0, width, height}, {255, 255, 255});
                panels->first.draw(canvas, {picture_margin, picture_margin});
                panels->second.draw(
                    canvas, {picture_margin + panels->first.width + picture_margin + 20, picture_margin});
            }};
}

}  // namespace cutset
