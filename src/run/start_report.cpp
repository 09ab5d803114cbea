#include "run/start_report.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "run/start_report_filler.h"

namespace cutset {

namespace {

constexpr double holds = 1e-6;  // an equation with a smaller misfit does

class Filler {
  public:
    Filler(const Instant& now, const Environment& present, const std::vector<StartReport::Guess>& guesses,
           bool solved)
        : now_(now), model_(now.model), present_(present), guesses_(guesses), solved_(solved) {}

    void fill(StartReport& report) {
        if (!solved_ && now_.loops.failure()) failed_ = now_.loops.failure()->loop->block;
        // What was tried last.
        const auto& simplified = now_.partition.homotopy_blocks;
        const bool by_simplified = failed_ && !simplified.empty() && failed_ >= simplified.data() &&
                                   failed_ < simplified.data() + simplified.size();
        report.parts.clear();
        bool reached = true;
        for (const Block& block : by_simplified ? simplified : now_.partition.initial_blocks) {
            report.parts.push_back(part(block));
            StartReport::Part& made = report.parts.back();
            if (!reached) {
                made.outcome = StartReport::Outcome::NotReached;
                continue;
            }
            made.outcome = StartReport::Outcome::Solved;
            if (solved_) continue;
            const std::string reason = why_failed(block, made);
            if (reason.empty()) continue;
            made.outcome = StartReport::Outcome::Failed;
            made.reason = reason;
            reached = failed_ && &block != failed_;
        }
    }

  private:
    double value(const Unknown& u) const {
        const auto found = present_.leaf(model_.pool->variable(u.variable, u.order));
        return found.value_or(std::numeric_limits<double>::quiet_NaN());
    }
    std::string name(const Unknown& u) const { return model_.path(u.variable) + std::string(u.order, '\''); }

    StartReport::Part part(const Block& block) const {
        StartReport::Part made;
        made.kind = block.kind;
        for (const Unknown& u : block.torn) {
            StartReport::UnknownValue unknown{name(u), value(u), std::nullopt};
            if (block.kind == BlockKind::Nonlinear && u.order == 0)
                unknown.guess = guesses_[u.variable.value];
            made.unknowns.push_back(std::move(unknown));
        }
        for (const SolvedEquation& s : block.inner)
            made.unknowns.push_back({name(s.unknown), value(s.unknown), std::nullopt});
        for (const SolvedEquation& s : block.inner)
            made.equations.push_back(equation(s.equation, s.from_initial));
        for (const ResidualEquation& r : block.residuals)
            made.equations.push_back(equation(r.equation, r.from_initial));
        return made;
    }

    StartReport::EquationValue equation(EquationIndex i, bool from_initial) const {
        const Equation& e = from_initial ? model_.initial_equations[i] : model_.equations[i];
        StartReport::EquationValue made{model_.text(e), model_.path(e.origin.instance), e.origin.where, 0, 0};
        const auto left = evaluate(e.left, present_), right = evaluate(e.right, present_);
        if (!left || !right) {
            made.residual = made.misfit = std::numeric_limits<double>::quiet_NaN();
            return made;
        }
        made.residual = *left - *right;
        made.misfit = made.residual == 0 ? 0 : std::abs(made.residual) / (size(e.left) + size(e.right));
        return made;
    }
    // Of the terms of sums, also within products: what a residual is measured by.
    double size(Expr e) const {
        double sum = 0, product = 1;
        for (Expr part : e->args()) {
            if (e->op == Op::Add) sum += size(part);
            if (e->op == Op::Multiply) product *= size(part);
        }
        if (e->op == Op::Add) return sum;
        if (e->op == Op::Multiply) return product;
        return std::abs(evaluate(e, present_).value_or(0));
    }

    std::string why_failed(const Block& block, const StartReport::Part& made) const {
        if (failed_) return &block == failed_ ? now_.loops.failure()->reason : std::string();
        for (const StartReport::UnknownValue& u : made.unknowns)
            if (!std::isfinite(u.value)) return u.name + " has no finite value";
        if (block.torn.empty()) return {};
        for (const StartReport::EquationValue& e : made.equations)
            if (e.misfit > holds) return "its equations do not hold";
        return {};
    }

    const Instant& now_;
    const FlatModel& model_;
    const Environment& present_;
    const std::vector<StartReport::Guess>& guesses_;
    bool solved_;
    const Block* failed_ = nullptr;
};

}  // namespace

void fill(StartReport& report, const Instant& now, const Environment& present,
          const std::vector<StartReport::Guess>& guesses, bool solved) {
    Filler(now, present, guesses, solved).fill(report);
}

std::string_view words(StartReport::GuessFrom from) {
    using enum StartReport::GuessFrom;
    switch (from) {
        case CommandLine:
            return "--init";
        case Start:
            return "its initial value";
        case Guess:
            return "its guess";
        case File:
            return "--guesses";
        case Definition:
            return "an equation";
        case Nothing:
            return "nothing given";
    }
    return "";
}

std::string_view word(StartReport::Outcome outcome) {
    using enum StartReport::Outcome;
    return outcome == Solved ? "solved" : outcome == Failed ? "failed" : "not reached";
}

}  // namespace cutset
