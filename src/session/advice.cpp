#include "session/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "flat/shape_text.h"
#include "session/run_shape.h"

namespace cutset {

namespace {

constexpr std::size_t most_curves = 6;

struct RunShapes {
    std::vector<std::pair<std::string, CurveShape>> curves;
    bool any(CurveKind kind) const {
        return std::any_of(curves.begin(), curves.end(),
                           [&](const auto& c) { return c.second.kind == kind; });
    }
    bool sustained() const {
        return std::any_of(curves.begin(), curves.end(), [](const auto& c) {
            return c.second.kind == CurveKind::Oscillation && !c.second.dies_out();
        });
    }
};

RunShapes shapes(const SessionFacts& facts) {
    RunShapes result;
    if (!facts.run || !facts.run->result || facts.run->result->empty()) return result;
    const Trajectory& rows = *facts.run->result;
    std::vector<double> time(rows.rows());
    for (std::size_t i = 0; i < time.size(); ++i) time[i] = rows.time(i);
    for (const std::string& name : facts.run->curves) {
        const auto column = rows.find(name);
        if (column) result.curves.emplace_back(name, shape_of(time, rows.values(*column)));
    }
    return result;
}

std::string number(double v) {
    return fmt::format("{:.6g}", v == 0 ? 0.0 : v);
}

std::string how_it_ended(const SessionFacts::Run& run) {
    const std::string interval = fmt::format("from {} to {}", number(run.from), number(run.to));
    const std::string events =
        run.events == 0 ? "" : fmt::format(", with {} event{}", run.events, run.events == 1 ? "" : "s");
    switch (run.outcome) {
        case RunOutcome::Finished:
            return fmt::format("The run {} went to its end{}.", interval, events);
        case RunOutcome::Terminated:
            return fmt::format("The model itself ended the run at {} (asked for: {}){}.", number(run.reached),
                               interval, events);
        case RunOutcome::Interrupted:
            return fmt::format("You stopped the run at {} (asked for: {}){}. SIMU -CONT goes on from there.",
                               number(run.reached), interval, events);
        case RunOutcome::Failed:
            return fmt::format("The run {} failed at {}{}. What came before is drawn and can be trusted.",
                               interval, number(run.reached), events);
    }
    return {};
}

void add_reported(std::vector<std::string>& lines, const std::vector<Diagnostic>& reported) {
    std::set<std::string> said;
    for (const Diagnostic& d : reported) {
        const char* kind = d.severity == Severity::Error     ? "Error"
                           : d.severity == Severity::Warning ? "Warning"
                                                             : "Note";
        if (!said.insert(d.message).second) continue;
        lines.push_back(fmt::format("{}: {}", kind, d.message));
        if (!d.help.empty()) lines.push_back("  Try: " + d.help);
    }
}

// What the operations of the program answer, in a sentence.
struct Meaning {
    std::string_view operation, answer;
};
constexpr Meaning meanings[] = {
    {"steady",
     "An equilibrium was sought: values for which no state changes. The table is that point; "
     "`poles` says whether the system stays there."},
    {"linearize",
     "The model near a point is x' = Ax + Bu, y = Cx + Du: valid for small deviations from it only."},
    {"poles",
     "Poles with a negative real part die out, those with a positive one grow; an imaginary part is an "
     "oscillation with that angular frequency."},
    {"zeros",
     "Zeros are the rates at which an input can act without being seen at the output; with a positive "
     "real part the system first answers in the wrong direction."},
    {"bode",
     "The upper curve is how much a sine is amplified, the lower one how much it is delayed, by angular "
     "frequency."},
    {"margins", "How much more gain or delay the closed loop stands before it becomes unstable."},
    {"nyquist",
     "The closed loop is stable when the curve goes round -1 as often, counterclockwise, as the open "
     "loop has unstable poles."},
    {"check",
     "The model was translated: its equations suffice for its unknowns unless an error says otherwise."},
    {"why", "The variables and equations that the answer depends on."},
    {"equations", "The equations in the order in which they are solved; blocks are solved together."},
    {"optimize", "Parameters for which the criterion is least, as far as was searched."},
    {"fit", "Parameters for which the model comes nearest to the measurements."},
    {"simulate", "The run was done on its own: the session stands where it stood."},
    {"sensitivity", "How much the results change with each parameter."},
};

}  // namespace

std::vector<std::string> explain_last(const SessionFacts& facts, const std::vector<Diagnostic>& reported) {
    std::vector<std::string> lines;
    if (facts.executed.empty()) {
        lines.push_back("Nothing has been done yet. `??` proposes a beginning, `help` lists the commands.");
        return lines;
    }
    const SessionFacts::Executed& last = facts.executed.back();
    static const std::set<std::string> running = {"SIMU", "BRANCH", "SHOW"};
    const bool ran =
        (running.count(last.command) || (last.command != "SYST" && facts.runs > 0 && facts.run)) &&
        facts.run && std::none_of(std::begin(meanings), std::end(meanings), [&](const Meaning& m) {
            return m.operation == last.command;
        });
    if (ran && !(last.failed && !running.count(last.command))) {
        lines.push_back(how_it_ended(*facts.run));
        const RunShapes found = shapes(facts);
        std::size_t width = 0;
        for (const auto& [name, shape] : found.curves) width = std::max(width, name.size());
        std::size_t shown = 0;
        for (const auto& [name, shape] : found.curves) {
            if (++shown > most_curves) {
                lines.push_back(fmt::format("  … and {} more curves", found.curves.size() - most_curves));
                break;
            }
            lines.push_back(fmt::format("  {:<{}}  {}", name, width, shape_text(shape)));
            if (const std::string extremes = extremes_text(shape); !extremes.empty())
                lines.push_back(fmt::format("  {:<{}}  {}", "", width, extremes));
        }
        if (found.curves.empty()) lines.push_back("  No curve was chosen: PLOT names some, then SIMU again.");
    } else if (last.failed) {
        lines.push_back(fmt::format("`{}` failed{}", last.line, reported.empty() ? "." : ":"));
    } else {
        const auto* meaning = std::find_if(std::begin(meanings), std::end(meanings),
                                           [&](const Meaning& m) { return m.operation == last.command; });
        if (meaning != std::end(meanings))
            lines.push_back(std::string(meaning->answer));
        else if (last.command == "SYST" && !facts.model.empty())
            lines.push_back(
                fmt::format("{} is the active system: {} state{}, {} parameter{}. Nothing has run yet.",
                            facts.model, facts.states, facts.states == 1 ? "" : "s", facts.parameters,
                            facts.parameters == 1 ? "" : "s"));
        else
            lines.push_back(fmt::format("`{}` was done; it has no result of its own.", last.line));
    }
    add_reported(lines, reported);
    return lines;
}

namespace {

// Names of the active system as its commands take them.
class Names {
  public:
    explicit Names(const SessionFacts& facts) {
        for (const SystemSummary& system : facts.systems)
            for (const SystemSummary::Variable& v : system.variables) {
                const std::string name = system.path.empty() ? v.name
                                         : facts.simnon      ? fmt::format("{}[{}]", v.name, system.path)
                                                             : fmt::format("{}.{}", system.path, v.name);
                switch (v.role) {
                    case SystemRole::State:
                        states.push_back(name);
                        break;
                    case SystemRole::Output:
                        outputs.push_back(name);
                        break;
                    case SystemRole::Input:
                        inputs.push_back(name);
                        break;
                    case SystemRole::Parameter:
                        parameters.push_back(name);
                        break;
                    default:
                        break;
                }
            }
    }
    std::vector<std::string> states, outputs, inputs, parameters;

    std::string some(const std::vector<std::string>& from, std::size_t count) const {
        std::string text;
        for (std::size_t i = 0; i < std::min(count, from.size()); ++i) text += (i ? " " : "") + from[i];
        return text;
    }
};

bool was_done(const SessionFacts& facts, std::string_view command) {
    // Since the last SYST.
    for (std::size_t i = facts.executed.size(); i-- > 0;) {
        if (facts.executed[i].command == command && !facts.executed[i].failed) return true;
        if (facts.executed[i].command == "SYST") break;
    }
    return false;
}

bool changed_since_run(const SessionFacts& facts) {
    static const std::set<std::string> changes = {"PAR", "INIT",    "INPUT", "STATE",
                                                  "GET", "RESTORE", "ALGOR", "ERROR"};
    for (std::size_t i = facts.executed.size(); i-- > 0;) {
        const SessionFacts::Executed& e = facts.executed[i];
        if (e.command == "SIMU" || e.command == "BRANCH" || e.command == "SYST") return false;
        if (changes.count(e.command) && !e.failed) return true;
    }
    return false;
}

// A range that begins and ends with round numbers.
std::string round_range(double low, double high) {
    const double length = high - low;
    if (!(length > 0) || !std::isfinite(length))
        return fmt::format("{} {}", number(low - 1), number(high + 1));
    const double unit = std::pow(10, std::floor(std::log10(length))) / 2;
    return fmt::format("{} {}", number(std::floor(low / unit) * unit), number(std::ceil(high / unit) * unit));
}

// What would be sensible next, the most sensible first.
class Proposer {
  public:
    Proposer(const SessionFacts& facts, const std::vector<Diagnostic>& reported,
             const std::vector<std::string>& files_here)
        : facts_(facts), reported_(reported), files_here_(files_here), names_(facts) {}

    std::vector<Proposal> run() {
        after_failed_command();
        if (facts_.model.empty()) {
            choose_model();
            return std::move(list_);
        }
        if (facts_.run) after_run_cut_short();
        if (facts_.plotted.empty()) choose_curves();
        if (!facts_.run) {
            first_run();
            return std::move(list_);
        }
        const RunShapes found = shapes(facts_);
        if (facts_.run->outcome != RunOutcome::Failed) look_into(found);
        if (!facts_.axes && !found.curves.empty() && facts_.horizontal.empty()) fix_axes(found);
        run_again();
        if (!facts_.changed.empty() && !was_done(facts_, "SAVE"))
            add("SAVE VALUES", "keep the present parameters and initial values");
        if (facts_.inputs > 0 && !was_done(facts_, "bode") && !found.any(CurveKind::Oscillation))
            add("bode", "how the system answers to sines");
        if (!was_done(facts_, "HCOPY") && !found.curves.empty())
            add("HCOPY run.svg", "the picture as a file");
        if (list_.size() > 7) list_.resize(7);
        return std::move(list_);
    }

  private:
    void add(std::string line, std::string why) {
        if (std::none_of(list_.begin(), list_.end(), [&](const Proposal& p) { return p.line == line; }))
            list_.push_back({std::move(line), std::move(why)});
    }

    void after_failed_command() {
        if (facts_.executed.empty() || !facts_.executed.back().failed) return;
        const SessionFacts::Executed& last = facts_.executed.back();
        if (last.command == "SIMU") return;
        if (last.command == "SYST") {
            const std::size_t blank = last.line.find_last_of(" \t");
            const auto d = std::find_if(reported_.begin(), reported_.end(),
                                        [](const Diagnostic& d) { return d.severity == Severity::Error; });
            if (last.concern != Concern::MissingFile && blank != std::string::npos && d != reported_.end())
                add("EDIT " + last.line.substr(blank + 1), d->help.empty() ? d->message : d->help);
        } else if (last.concern == Concern::UnknownCommand) {
            add("help", "the commands that there are");
        } else {
            add("help " + last.command, "how that command is written");
        }
    }

    void choose_model() {
        for (std::size_t i = 0; i < std::min<std::size_t>(files_here_.size(), 6); ++i) {
            std::string name = files_here_[i];
            if (name.ends_with(".t")) name.resize(name.size() - 2);
            add("SYST " + name, "make the model of " + files_here_[i] + " the active one");
        }
        if (files_here_.empty()) add("SYST MYSYST", "there is no model here: write one, line by line");
        add("help SYST", "how a model is made the active one");
    }

    void after_run_cut_short() {
        if (facts_.run->outcome == RunOutcome::Interrupted)
            add("SIMU -CONT", "go on from where it was stopped");
        if (facts_.run->outcome != RunOutcome::Failed) return;
        add("check", "what the translator says about the model");
        add("DISP", "the values where the run ended");
        if (!facts_.plotted.empty()) add("WHY " + facts_.plotted.front(), "the equations behind it");
        if (const auto d = std::find_if(reported_.begin(), reported_.end(),
                                        [](const Diagnostic& d) { return !d.help.empty(); });
            d != reported_.end())
            add("?", d->help);
        add(fmt::format("SIMU {} {}", number(facts_.start), number(facts_.run->reached)),
            "look at the run up to the failure");
        if (!facts_.changed.empty()) add("SYST " + facts_.model, "begin again with the values of the text");
    }

    void choose_curves() {
        const std::string choice = names_.some(names_.outputs.empty() ? names_.states : names_.outputs, 3);
        if (!choice.empty()) add("PLOT " + choice, "choose the curves");
        if (names_.states.size() >= 2 && names_.states.size() <= 4)
            add(fmt::format("PLOT {} ({})", names_.states[1], names_.states[0]), "… or the phase plane");
    }

    void first_run() {
        const std::string interval =
            fmt::format("{} {}", number(facts_.start), number(facts_.stop > 1 ? facts_.stop : 10));
        if (!facts_.axes && !facts_.plotted.empty())
            add("AXES H " + interval, "axes to draw into; without them each run chooses its own");
        add("SIMU " + interval, "simulate over that time");
        add("DISP", "all variables with their present values");
        if (!was_done(facts_, "steady")) add("steady", "an equilibrium of the system");
    }

    void look_into(const RunShapes& found) {
        if (found.any(CurveKind::Oscillation)) {
            if (!was_done(facts_, "linearize"))
                add("linearize", found.sustained()
                                     ? "the linear model at the equilibrium: does it drive away?"
                                     : "the linear model behind the oscillation");
            if (!was_done(facts_, "poles")) add("poles", "frequencies and damping near the equilibrium");
            if (facts_.horizontal.empty() && names_.states.size() >= 2)
                add(fmt::format("PLOT {} ({})", names_.states[1], names_.states[0]),
                    "the same run as a phase plane");
        }
        if (found.any(CurveKind::Growth)) {
            add("steady", "is there an equilibrium at all?");
            add("poles", "which part of the system grows");
        }
        if (found.any(CurveKind::Approach) || found.any(CurveKind::Steady) || found.any(CurveKind::Turns)) {
            add(fmt::format("SIMU {} {}", number(facts_.start),
                            number(facts_.start + 4 * (facts_.stop - facts_.start))),
                "not settled yet: a longer run");
            add("SIMU -CONT", "… or go on from where it stands");
        }
        if (found.any(CurveKind::Rest) && !found.any(CurveKind::Oscillation) &&
            !was_done(facts_, "linearize"))
            add("linearize", "the linear model at the equilibrium");
    }

    void fix_axes(const RunShapes& found) {
        double low = INFINITY, high = -INFINITY;
        for (const auto& [name, shape] : found.curves) {
            low = std::min(low, shape.lowest);
            high = std::max(high, shape.highest);
        }
        add(fmt::format("AXES H {} {} V {}", number(facts_.start), number(facts_.stop),
                        round_range(low, high)),
            "fixed axes, so that the next runs are drawn over this one");
    }

    void run_again() {
        if (changed_since_run(facts_)) {
            add("SIMU", "run again with what was changed" +
                            (facts_.changed.empty() ? std::string() : ": " + facts_.changed.back()));
            return;
        }
        if (!names_.parameters.empty())
            add(fmt::format("PAR {0}:1.5*{0}", names_.parameters.front()),
                "change a parameter, then SIMU again");
        if (!names_.states.empty() && list_.size() < 5)
            add(fmt::format("INIT {0}:{0}", names_.states.front()),
                "begin the next run where this one ended");
    }

    const SessionFacts& facts_;
    const std::vector<Diagnostic>& reported_;
    const std::vector<std::string>& files_here_;
    const Names names_;
    std::vector<Proposal> list_;
};

}  // namespace

std::vector<Proposal> propose_next(const SessionFacts& facts, const std::vector<Diagnostic>& reported,
                                   const std::vector<std::string>& files_here) {
    return Proposer(facts, reported, files_here).run();
}

std::vector<std::string> proposal_lines(const std::vector<Proposal>& proposals) {
    std::vector<std::string> lines;
    std::size_t width = 0;
    for (const Proposal& p : proposals) width = std::max(width, p.line.size());
    width = std::min<std::size_t>(width, 44);
    for (const Proposal& p : proposals) lines.push_back(fmt::format("  {:<{}}  {}", p.line, width, p.why));
    return lines;
}

}  // namespace cutset
