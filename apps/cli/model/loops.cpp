#include "model/loops.h"

#include <fmt/format.h>

#include <algorithm>

#include "operations/structure/structure_json.h"

namespace cutset::cli {

namespace {

const char* method_text(const Block& block) {
    if (block.symbolic) return "linear, solved by formula";
    if (block.kind == BlockKind::Nonlinear) return "nonlinear, solved by Newton's method";
    return block.constant_matrix ? "linear, its matrix is constant and factored once"
                                 : "linear, its matrix changes and is factored each time";
}

struct Line {
    std::string text;
    std::string place;
};

const Equation& equation_of(const FlatModel& model, EquationIndex e, bool from_initial) {
    return from_initial ? model.initial_equations[e] : model.equations[e];
}

std::string place(const FlatModel& model, const Sources& sources, const Equation& e) {
    std::string out = model.path(e.origin.instance);
    if (e.origin.where.known()) {
        const Location at = sources.locate(e.origin.where);
        out += fmt::format("{}{}:{}", out.empty() ? "" : "  ", at.file, at.line);
    }
    return out;
}

void print_lines(const std::vector<Line>& lines) {
    std::size_t widest = 0;
    for (const Line& l : lines) widest = std::max(widest, std::min<std::size_t>(l.text.size(), 56));
    for (const Line& l : lines) fmt::print("      {:<{}}   {}\n", l.text, widest, l.place);
}

void print_loop(const FlatModel& model, const Sources& sources, const Block& block) {
    const Printer printer = model.printer();
    if (!block.torn.empty()) {
        fmt::print("    iterated\n");
        std::vector<Line> lines;
        for (std::size_t i = 0; i < block.torn.size(); ++i)
            lines.push_back(
                {unknown_name(model, block.torn[i]), i < block.why.size() ? reason_text(block.why[i]) : ""});
        print_lines(lines);
    }
    if (!block.inner.empty()) {
        fmt::print("    computed{} in this order\n", block.torn.empty() ? "" : " from the iterated ones,");
        std::vector<Line> lines;
        for (const SolvedEquation& s : block.inner)
            lines.push_back({unknown_name(model, s.unknown) + " := " + to_text(s.value, printer),
                             place(model, sources, equation_of(model, s.equation, s.from_initial))});
        print_lines(lines);
    }
    if (!block.residuals.empty()) {
        fmt::print("    until these hold\n");
        std::vector<Line> lines;
        for (const ResidualEquation& r : block.residuals) {
            const Equation& e = equation_of(model, r.equation, r.from_initial);
            lines.push_back({model.text(e), place(model, sources, e)});
        }
        print_lines(lines);
    }
}

bool same_loop(const Block& a, const Block& b) {
    const auto same_value = [](const SolvedEquation& x, const SolvedEquation& y) {
        return x.unknown == y.unknown && x.value == y.value;
    };
    const auto same_residual = [](const ResidualEquation& x, const ResidualEquation& y) {
        return x.residual == y.residual;
    };
    return a.kind == b.kind && a.torn == b.torn &&
           std::equal(a.inner.begin(), a.inner.end(), b.inner.begin(), b.inner.end(), same_value) &&
           std::equal(a.residuals.begin(), a.residuals.end(), b.residuals.begin(), b.residuals.end(),
                      same_residual);
}

}  // namespace

void print_loops(const Partition& partition, const Sources& sources) {
    std::size_t number = 0;
    std::vector<const Block*> shown;
    const auto show = [&](const std::vector<Block>& blocks, const char* when) {
        for (const Block& block : blocks) {
            if (block.loop_size == 0) continue;
            shown.push_back(&block);
            const auto same = std::find_if(shown.begin(), shown.end(),
                                           [&](const Block* b) { return same_loop(*b, block); });
            if (*same != &block) {
                fmt::print("  loop {}{}: the same as loop {}\n", ++number, when, same - shown.begin() + 1);
                continue;
            }
            if (block.loop_size == 1)
                fmt::print("  loop {}{}: one equation, {}\n", ++number, when, method_text(block));
            else if (block.torn.empty())
                fmt::print("  loop {}{}: {} unknowns, {}\n", ++number, when, block.loop_size,
                           method_text(block));
            else
                fmt::print("  loop {}{}: {} unknowns, {} iterated; {}\n", ++number, when, block.loop_size,
                           block.torn.size(), method_text(block));
            print_loop(partition.model, sources, block);
        }
    };
    show(partition.blocks, "");
    show(partition.initial_blocks, " at the start");
    if (number == 0) fmt::print("  no loops: everything is computed one after the other\n");
}

}  // namespace cutset::cli
