#include "ir/stage_text.h"

#include <fmt/format.h>

#include <type_traits>

namespace cutset {

void SectionedText::line(const std::string& text) {
    if (!heading_.empty()) out_ += "\n" + heading_ + "\n";
    heading_.clear();
    out_ += "  " + text + "\n";
}

std::string counted(std::size_t n, const char* noun) {
    return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

std::string text_of(const FlatModel& model, Unknown unknown) {
    return to_text(model.pool->variable(unknown.variable, unknown.order), model.printer());
}

void write_when(SectionedText& out, const FlatModel& model, const WhenClause& when, const char* sign) {
    const Printer names = model.printer();
    out.line((when.branch > 0 ? "elsewhen " : "when ") + to_text(when.condition, names) + " then");
    for (const WhenAction& action : when.actions)
        std::visit(
            [&](const auto& a) {
                using Action = std::decay_t<decltype(a)>;
                const std::string in = a.guard ? "  if " + to_text(a.guard, names) + " then " : "  ";
                if constexpr (std::is_same_v<Action, WhenTerminate>)
                    out.line(in + "terminate(\"" + a.message + "\")");
                else if constexpr (std::is_same_v<Action, WhenReinit>)
                    out.line(in + "reinit(" + model.path(a.target) + ", " + to_text(a.value, names) + ")");
                else if (a.implicit)
                    out.line(
                        fmt::format("{}new({}): 0 = {}", in, model.path(a.target), to_text(a.value, names)));
                else
                    out.line(fmt::format("{}new({}) {} {}", in, model.path(a.target), sign,
                                         to_text(a.value, a.target, names)));
            },
            action);
    out.line("end");
}

void write_blocks(SectionedText& out, const FlatModel& model, const std::vector<Block>& blocks) {
    const Printer names = model.printer();
    const auto text = [&](const SolvedEquation& s) {
        return text_of(model, s.unknown) + " := " +
               (s.unknown.order == 0 ? to_text(s.value, s.unknown.variable, names) : to_text(s.value, names));
    };
    for (const Block& b : blocks) {
        if (b.torn.empty()) {
            for (const SolvedEquation& s : b.inner) out.line(text(s));
            continue;
        }
        std::string torn;
        for (Unknown u : b.torn) torn += (torn.empty() ? "" : ", ") + text_of(model, u);
        out.line(fmt::format("solve {{  -- {}, {}{}", counted(b.size(), "unknown"),
                             b.kind == BlockKind::Linear ? "linear" : "nonlinear",
                             b.constant_matrix ? " with constant coefficients" : ""));
        for (const SolvedEquation& s : b.inner) out.line("  " + text(s));
        for (const ResidualEquation& r : b.residuals) out.line("  0 = " + to_text(r.residual, names));
        out.line("} for " + torn);
    }
}

void write_events(SectionedText& out, const Partition& partition) {
    const Printer names = partition.model.printer();
    out.section("zero-crossing functions");
    for (const Switch& s : partition.switches) {
        std::string text = to_text(s.node, names);
        if (s.kink) text += "  -- a kink";
        if (s.instant)
            text += "  -- at time " + to_text(s.instant, names);
        else
            text += fmt::format("{} where {} = 0", s.kink ? "" : "  -- changes", to_text(s.crossing, names));
        out.line(text);
        if (s.rate) out.line("  its derivative: " + to_text(s.rate, names));
    }
    out.section("clocks");
    for (const Clock& c : partition.clocks)
        out.line(fmt::format("first {}, then every {}", to_text(c.first, names), to_text(c.period, names)));
    out.section("delays");
    for (const DelayLine& d : partition.delays)
        out.line(fmt::format("{} by {}", to_text(d.argument, names), to_text(d.duration, names)));
}

}  // namespace cutset
