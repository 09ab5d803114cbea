#include "operations/steady.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "operations/rest.h"
#include "operations/solution_search.h"
#include "operations/static_messages.h"
#include "transform/parametric_value.h"

namespace cutset {

namespace {

constexpr int most_settlings = 30;        // of discrete variables
constexpr double near_by = 0.3;           // of the size of a variable: a point is the one meant by a guess
constexpr double holds = 1e-6;            // an equation, in units of its terms
constexpr std::size_t most_paths = 2000;  // through the solutions of the loops
constexpr std::size_t tried_within_bounds = 20;

class SteadySearch {
  public:
    SteadySearch(const FlatModel& given, const StaticQuestion& question, const SteadyOptions& options,
                 std::string what, Diagnostics& diagnostics)
        : given_(given),
          question_(question),
          options_(options),
          what_(std::move(what)),
          diagnostics_(diagnostics) {}

    SteadyResult run() {
        auto posed = pose(given_, question_, diagnostics_);
        if (!posed) return {};
        posed_ = std::move(*posed);
        result_.sampled = posed_.sampled;
        result_.stationary = question_.stationary;
        run_.start = question_.time;
        run_.allow_external = options_.allow_external;
        run_.interrupt = options_.interrupt;
        if (!translate() || !settle()) return failed();
        finish();
        return std::move(result_);
    }

  private:
    SteadyResult failed() {
        if (!said_) {
            const bool had_bounds = std::any_of(
                posed_.model.variables.begin(), posed_.model.variables.end(), [](const Variable& v) {
                    return v.variability > Variability::Parameter && (v.minimum || v.maximum);
                });
            diagnostics_.report(static_messages::none_found(what_, !question_.guesses.empty(), had_bounds));
        }
        SteadyResult nothing;
        nothing.sampled = posed_.sampled;
        return nothing;
    }

    bool translate() {
        Diagnostics own;
        std::optional<Partition> sorted = transform(posed_.model, posed_.options, own);
        if (!sorted) {
            said_ = own.has_errors();
            forward(own);
            return false;
        }
        translated_ = std::move(own);
        program_ = std::make_shared<const Program>(
            generate(std::make_shared<const Partition>(std::move(*sorted)), JacobianKind::States));
        return true;
    }
    const Partition& partition() const { return *program_->partition; }

    // What the start problem says about starts is said in other words here.
    void forward(const Diagnostics& from) {
        static const std::set<std::string> start_words = {
            "zero-start",     "steady-leaves-open", "parameters-found", "init-without-effect",
            "start-not-kept", "small-states",       "validity"};
        for (const Diagnostic& d : from.all())
            if (d.code == "not-steady") {
                explained_ = true;
                diagnostics_.report(static_messages::cannot_rest(partition().model, d, left_open()));
                return;  // the first says it
            }
        for (const Diagnostic& d : from.all())
            if (d.severity != Severity::Note && (d.severity == Severity::Error || !start_words.count(d.code)))
                diagnostics_.report(d);
    }

    // ---- one solution

    // From the guesses; nothing when that fails, with the reasons in `own`.
    std::optional<StartPoint> attempt(LoopSearch* search, Diagnostics& own) {
        return operating_point(*program_, run_, search, own);
    }

    bool was_meant(const StartPoint& point) const {
        bool any = false;
        for (VariableIndex v : shown_states(partition())) {
            const Variable& variable = partition().model.variables[v];
            if (!variable.start || !variable.start->value->is_number()) continue;
            any = true;
            const double value = point.values[v.value], start = variable.start->value->number;
            const double size =
                std::max({std::abs(value), std::abs(start), std::abs(variable.nominal.value_or(1))});
            if (!(std::abs(value - start) <= near_by * size)) return false;
        }
        return any;
    }
    bool grows(const StartPoint& point) const { return judge(point, false).stability == Stability::Unstable; }

    std::optional<StartPoint> solve_one(Diagnostics& own) {
        std::optional<StartPoint> first = attempt(nullptr, own);
        if (!question_.stationary || !posed_.sampled.empty() || !question_.sought.empty()) return first;
        if (first && (!options_.prefer_stable || was_meant(*first) || !grows(*first))) return first;
        // By way of the motion.
        Diagnostics quiet;
        TransformOptions moving = posed_.options;
        moving.initial = InitialMode::Given;
        std::optional<Partition> sorted = transform(posed_.model, moving, quiet);
        if (!sorted) return first;
        const Program motion =
            generate(std::make_shared<const Partition>(std::move(*sorted)), JacobianKind::None);
        const std::optional<Rest> rest = find_rest(motion, run_);
        if (!rest || (first && rest->growth > 0)) return first;
        const std::shared_ptr<const Program> before = program_;
        const FlatModel model_before = posed_.model;
        for (VariableIndex v(0); v < posed_.model.variables.end_index(); ++v.value) {
            Variable& variable = posed_.model.variables[v];
            if (variable.variability != Variability::Continuous || variable.boolean) continue;
            variable.start = Start{posed_.model.pool->number(rest->values[v.value]), variable.origin};
        }
        if (translate())
            if (std::optional<StartPoint> second = attempt(nullptr, quiet);
                second && (!first || !grows(*second))) {
                own = {};
                return second;
            }
        program_ = before;
        posed_.model = model_before;
        return first;
    }

    // Until discrete variables keep their values.
    bool settle() {
        std::set<std::vector<double>> met;
        for (int round = 0; round < most_settlings; ++round) {
            Diagnostics own;
            point_ = solve_one(own);
            if (!point_) {
                if (find_within_bounds()) {
                    own = {};
                } else {
                    said_ = own.has_errors();
                    forward(own);
                    if (said_ && !explained_)
                        diagnostics_.report(
                            static_messages::none_found(what_, !question_.guesses.empty(), has_bounds()));
                    return false;
                }
            } else if (!respect_bounds()) {
                return false;
            }
            forward(own);
            const auto changes = question_.stationary
                                     ? pending_changes(posed_, point_->values, question_.time)
                                     : std::vector<std::pair<VariableIndex, double>>();
            if (changes.empty()) return true;
            std::vector<double> discrete;
            std::vector<VariableIndex> changing;
            for (const auto& [v, value] : changes) {
                posed_.model.variables[v].binding = posed_.model.pool->number(value);
                changing.push_back(v);
            }
            for (const Variable& v : posed_.model.variables)
                if (v.variability == Variability::Discrete && v.binding && v.binding->is_number())
                    discrete.push_back(v.binding->number);
            if (!met.insert(discrete).second || round + 1 == most_settlings) {
                diagnostics_.report(static_messages::does_not_settle(posed_.model, changing));
                said_ = true;
                return false;
            }
            if (!translate()) return false;
        }
        return false;
    }

    // ---- bounds

    bool has_bounds() const {
        return std::any_of(posed_.model.variables.begin(), posed_.model.variables.end(),
                           [](const Variable& v) {
                               return v.variability > Variability::Parameter && (v.minimum || v.maximum);
                           });
    }

    // Variables outside their bounds are iterated instead, so that Newton's method sees the bounds; then many
    // points within them are tried.
    bool respect_bounds() {
        const std::vector<VariableIndex> outside = outside_bounds(posed_.model, point_->values);
        if (outside.empty()) return true;
        const StartPoint beyond = *point_;
        const std::shared_ptr<const Program> program_before = program_;
        for (VariableIndex v : outside)
            if (posed_.model.variables[v].variability == Variability::Continuous)
                posed_.options.tear.push_back(posed_.model.path(v));
        if (translate()) {
            Diagnostics quiet;
            point_ = attempt(nullptr, quiet);
            if (point_ && outside_bounds(posed_.model, point_->values).empty()) return true;
            if (find_within_bounds()) return true;
        }
        program_ = program_before;
        std::vector<static_messages::Valued> list;
        for (VariableIndex v : outside) list.push_back({v, beyond.values[v.value]});
        diagnostics_.report(static_messages::outside_bounds(posed_.model, list));
        said_ = true;
        return false;
    }

    bool find_within_bounds() {
        LoopSearch search(partition(), tried_within_bounds);
        std::size_t paths = 0;
        do {
            search.begin();
            Diagnostics quiet;
            point_ = attempt(&search, quiet);
            if (point_ && outside_bounds(posed_.model, point_->values).empty()) return true;
        } while (search.next() && ++paths < most_paths);
        return false;
    }

    // ---- the result

    void finish() {
        result_.program = program_;
        result_.sought = posed_.found;
        add(*point_);
        if (options_.solutions > 1) find_others();
        std::stable_sort(result_.points.begin(), result_.points.end(),
                         [&](const SteadyPoint& a, const SteadyPoint& b) { return key(a) < key(b); });
        if (result_.points.empty()) {
            result_ = {};
            return;
        }
        if (!conditions_hold()) return;
        result_.left_open = left_open();
        // Where the motion has no zero eigenvalue nothing is free: a start was only as good as an equation.
        const std::vector<Mode>& modes = result_.points[0].stability.modes;
        bool any_zero = modes.empty();
        for (std::size_t i = 0; i < modes.size(); ++i) any_zero = any_zero || is_zero(modes, i);
        if (!any_zero) result_.left_open.clear();
        std::vector<static_messages::Valued> list;  // those that nobody chose
        for (VariableIndex v : result_.left_open) {
            const std::optional<Start>& start = posed_.model.variables[v].start;
            const bool chosen =
                (start && start->from_user) ||
                std::any_of(question_.conditions.begin(), question_.conditions.end(),
                            [&](const StaticQuestion::Condition& c) { return c.variable == v; });
            if (!chosen) list.push_back({v, result_.points[0].at.values[v.value]});
        }
        if (!list.empty()) diagnostics_.report(static_messages::left_open(partition().model, list));
        const std::size_t n = partition().states.size();
        if (!question_.stationary) return;
        if (options_.stability && n > most_states_judged)
            diagnostics_.report(static_messages::too_many_states(n, most_states_judged));
        if (options_.stability && !posed_.sampled.empty() && n > 0)
            diagnostics_.report(static_messages::sampled_not_judged(partition().model, posed_.sampled));
        else if (options_.stability && posed_.delayed && n > 0)
            diagnostics_.report(static_messages::delayed_not_judged());
    }

    // Conditions without anything sought chose among what was open; elsewhere they may disagree.
    bool conditions_hold() {
        if (!question_.stationary || !question_.sought.empty()) return true;
        const std::vector<double>& values = result_.points[0].at.values;
        for (const StaticQuestion::Condition& condition : question_.conditions) {
            if (condition.order > 0) continue;
            const auto wanted = parametric_value(posed_.model, condition.value,
                                                 [&](VariableIndex p) { return values[p.value]; });
            const double value = values[condition.variable.value];
            if (!wanted ||
                std::abs(*wanted - value) <= holds * std::max({1.0, std::abs(value), std::abs(*wanted)}))
                continue;
            diagnostics_.report(
                static_messages::known_differs(posed_.model, condition.variable, *wanted, value));
            result_ = {};
            return false;
        }
        return true;
    }

    // Starts that hold although all derivatives are zero.
    std::vector<VariableIndex> left_open() const {
        std::vector<VariableIndex> open;
        if (!question_.stationary) return open;
        const auto look = [&](EquationIndex e, bool from_initial) {
            if (!from_initial || e.value < posed_.model.initial_equations.size()) return;
            const Expr left = partition().model.initial_equations[e].left;
            // Not what index reduction added.
            if (left->op == Op::Variable && left->order == 0 && left->index < posed_.model.variables.size() &&
                !partition().model.variables[left->variable()].internal)
                open.push_back(left->variable());
        };
        for (const Block& block : partition().initial_blocks) {
            for (const SolvedEquation& s : block.inner) look(s.equation, s.from_initial);
            for (const ResidualEquation& r : block.residuals) look(r.equation, r.from_initial);
        }
        std::sort(open.begin(), open.end());
        return open;
    }

    std::vector<double> key(const SteadyPoint& p) const {
        std::vector<double> values;
        for (VariableIndex v : shown_states(partition())) values.push_back(p.at.values[v.value]);
        for (VariableIndex v : posed_.found) values.push_back(p.at.values[v.value]);
        for (const Block& block : partition().initial_blocks)
            for (const Unknown& u : block.torn)
                if (u.order == 0) values.push_back(p.at.values[u.variable.value]);
        return values;
    }

    bool is_known(const StartPoint& point) const {
        for (const SteadyPoint& other : result_.points) {
            bool equal = true;
            for (VariableIndex v(0); v < partition().model.variables.end_index() && equal; ++v.value) {
                const double a = point.values[v.value], b = other.at.values[v.value];
                const double nominal = std::abs(partition().model.variables[v].nominal.value_or(1));
                equal = !(std::abs(a - b) > 1e-5 * std::max({std::abs(a), std::abs(b), nominal}));
            }
            if (equal) return true;
        }
        return false;
    }

    void find_others() {
        LoopSearch search(partition(), options_.solutions);
        std::size_t paths = 0;
        do {
            if (options_.interrupt && *options_.interrupt) return;
            search.begin();
            Diagnostics quiet;
            const std::optional<StartPoint> point = attempt(&search, quiet);
            if (!point || is_known(*point) || !outside_bounds(posed_.model, point->values).empty()) continue;
            if (question_.stationary && !pending_changes(posed_, point->values, question_.time).empty())
                continue;
            add(*point);
        } while (result_.points.size() < options_.solutions && search.next() && ++paths < most_paths);
    }

    void add(const StartPoint& point) {
        SteadyPoint p;
        p.at = point;
        std::set<VariableIndex> listed;
        for (std::size_t i = 0; i < point.states.size(); ++i)
            if (listed.insert(point.states[i]).second) p.rates.emplace_back(point.states[i], point.rates[i]);
        // Of the others that are differentiated only zero is known, and only when stationary.
        std::vector<std::pair<VariableIndex, double>> rates = p.rates;
        if (question_.stationary)
            for (VariableIndex v(0); v < posed_.model.variables.end_index(); ++v.value)
                if (!listed.count(v)) rates.emplace_back(v, 0.0);
        const Misfit worst = misfit(posed_.model, point.values, rates, question_.time);
        p.residual = worst.residual;
        if (question_.stationary)
            for (std::size_t i = 0; i < point.states.size(); ++i) {
                const VariableIndex v = point.states[i];
                const double size = std::max({1.0, std::abs(point.values[v.value]),
                                              std::abs(partition().model.variables[v].nominal.value_or(1))});
                p.residual = std::max(p.residual, std::abs(point.rates[i]) / size);
            }
        if (worst.residual > holds && worst.equation) {
            if (result_.points.empty())
                diagnostics_.report(
                    static_messages::does_not_hold(posed_.model, *worst.equation, worst.residual));
            return;
        }
        if (options_.stability && question_.stationary) {
            if (!posed_.delayed) p.stability = judge(point, options_.participation);
            if (!posed_.sampled.empty() && p.stability.stability != Stability::NoStates)
                p.stability.stability = Stability::NotJudged;
        }
        result_.points.push_back(std::move(p));
    }

    const FlatModel& given_;
    const StaticQuestion& question_;
    const SteadyOptions& options_;
    std::string what_;
    Diagnostics& diagnostics_;
    StaticModel posed_;
    SimulateOptions run_;
    std::shared_ptr<const Program> program_;
    Diagnostics translated_;
    std::optional<StartPoint> point_;
    SteadyResult result_;
    bool said_ = false;       // why nothing was found
    bool explained_ = false;  // so that no more need be said
};

}  // namespace

std::vector<VariableIndex> outside_bounds(const FlatModel& model, const std::vector<double>& values) {
    std::vector<VariableIndex> outside;
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value) {
        const Variable& variable = model.variables[v];
        if (variable.variability <= Variability::Parameter) continue;
        const double x = values[v.value], slack = 1e-8 * std::max(1.0, std::abs(x));
        if ((variable.minimum && x < *variable.minimum - slack) ||
            (variable.maximum && x > *variable.maximum + slack))
            outside.push_back(v);
    }
    return outside;
}

SteadyResult find_steady(const FlatModel& model, const StaticQuestion& question, const SteadyOptions& options,
                         const std::string& what, Diagnostics& diagnostics) {
    return SteadySearch(model, question, options, what, diagnostics).run();
}

}  // namespace cutset
