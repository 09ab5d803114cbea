#include "operations/points/steady.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "operations/points/equilibrium_judgement.h"
#include "operations/points/static_messages.h"
#include "run/equilibrium.h"
#include "run/infinite_slope.h"
#include "run/solution_search.h"
#include "transform/parametric_value.h"
#include "translate/translator.h"

namespace cutset {

namespace {

constexpr int most_settlings = 30;        // of discrete variables
constexpr double holds = 1e-6;            // an equation, in units of its terms
constexpr std::size_t most_paths = 2000;  // through the solutions of the loops
constexpr std::size_t tried_within_bounds = 20;
constexpr int longest_runs = 4;  // each six times as long as the one before
constexpr std::size_t most_states_run = 300;
constexpr double at_rest = 1e-8;      // change of a state over the run, relative
constexpr double slowing_down = 0.5;  // of that change, from one run to the next

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
        const bool said = said_ && !reasons_.has_errors();
        if (!said && !grows_for_ever()) {
            forward(reasons_);
            if (!explained_ && (program_ || !reasons_.has_errors()))
                diagnostics_.report(
                    static_messages::none_found(what_, !question_.guesses.empty(), has_bounds()));
        }
        SteadyResult nothing;
        nothing.sampled = posed_.sampled;
        return nothing;
    }

    bool translate() {
        Diagnostics own;
        const auto translation =
            cutset::translate(posed_.model, {posed_.options, JacobianKind::States, {}, {}}, own);
        if (!translation) {
            said_ = own.has_errors();
            reasons_ = own;
            return false;
        }
        translated_ = std::move(own);
        program_ = translation->program;
        return true;
    }
    const Partition& partition() const { return *program_->partition; }

    // The motion from the initial values, instead of the equilibrium.
    std::shared_ptr<const Program> motion(JacobianKind jacobian) const {
        Diagnostics quiet;
        TransformOptions moving = posed_.options;
        moving.initial = InitialMode::Given;
        const auto translation = cutset::translate(posed_.model, {moving, jacobian, {}, {}}, quiet);
        return translation ? translation->program : nullptr;
    }

    // Variables that nothing depends on, with their derivatives where all other derivatives are zero.
    std::vector<static_messages::Runaway> what_others_drive() {
        StaticQuestion moving = question_;
        std::vector<static_messages::Runaway> list;
        std::set<VariableIndex> seen;
        for (const Equation& e : given_.equations)
            for (Expr side : {e.left, e.right})
                for_each_leaf(side, [&](Expr leaf) {
                    if (leaf->op != Op::Variable || leaf->order == 0 || !seen.insert(leaf->variable()).second)
                        return;
                    const static_messages::Runaway r = runaway(posed_.model, leaf->variable(), 0);
                    if (!r.acts_on_nothing) return;
                    moving.conditions.push_back({r.variable, 1, nullptr});
                    list.push_back(r);
                });
        if (list.empty() || !question_.conditions.empty()) return {};
        SteadyOptions one = options_;
        one.solutions = 1;
        one.stability = false;
        Diagnostics quiet;
        const SteadyResult rest = SteadySearch(given_, moving, one, what_, quiet).run();
        if (rest.points.empty()) return {};
        const FlatModel& model = rest.program->partition->model;
        for (static_messages::Runaway& r : list) {
            const Variable& moved = given_.variables[r.variable];
            for (const Variable& v : model.variables)
                if (v.name == derivative_name(moved.name) && v.origin.instance == moved.origin.instance)
                    r.rate = rest.points[0].at.values[std::size_t(&v - &*model.variables.begin())];
        }
        std::erase_if(list, [](const static_messages::Runaway& r) { return std::abs(r.rate) < 1e-9; });
        return list;
    }

    // Derivatives that nothing in the model can change: then there is no equilibrium anywhere.
    bool grows_for_ever() {
        if (!question_.stationary || !question_.sought.empty()) return false;
        const std::shared_ptr<const Program> moving = motion(JacobianKind::None);
        if (!moving) return false;
        Diagnostics quiet;
        const std::optional<InitialPoint> start = operating_point(*moving, run_, nullptr, quiet);
        std::vector<static_messages::Runaway> list;
        for (std::size_t i = 0; start && i < start->states.size(); ++i) {
            // Transformation has added variables for higher derivatives.
            if (start->states[i].value >= posed_.model.variables.size()) continue;
            if (start->derivatives[i] == 0 || moving->partition->model.variables[start->states[i]].internal)
                continue;
            const static_messages::Runaway r = runaway(posed_.model, start->states[i], start->derivatives[i]);
            if (r.depends_on_no_state) list.push_back(r);
        }
        if (list.empty()) list = what_others_drive();
        if (list.empty()) return false;
        diagnostics_.report(static_messages::grows_for_ever(posed_.model, list));
        said_ = true;
        return true;
    }

    // What initialization says about initial values is said in other words here.
    void forward(const Diagnostics& from) {
        const auto of_the_start = [](const Diagnostic& d) {
            return d.concern == Concern::Initialization || d.concern == Concern::SmallStates ||
                   d.concern == Concern::Validity;
        };
        for (const Diagnostic& d : from.all())
            if (d.concern == Concern::NotSteady) {
                explained_ = true;
                std::vector<VariableIndex> loose = left_open();
                std::erase_if(loose,
                              [&](VariableIndex v) { return !runaway(posed_.model, v, 0).acts_on_nothing; });
                diagnostics_.report(static_messages::cannot_rest(partition().model, d, loose));
                return;  // the first says it
            }
        for (const Diagnostic& d : from.all())
            if (d.severity != Severity::Note && (d.severity == Severity::Error || !of_the_start(d)))
                diagnostics_.report(d);
    }

    // ---- one solution

    // From the guesses; nothing when that fails, with the reasons in `own`.
    std::optional<InitialPoint> attempt(LoopSearch* search, Diagnostics& own) {
        return operating_point(*program_, run_, search, own);
    }

    bool was_meant(const InitialPoint& point) const {
        return is_near_initial_values(partition(), point.values);
    }
    bool grows(const InitialPoint& point) const {
        return judge(point, false).stability == Stability::Unstable;
    }

    std::optional<InitialPoint> solve_one(Diagnostics& own) {
        std::optional<InitialPoint> first = attempt(nullptr, own);
        if (!question_.stationary || !posed_.sampled.empty() || !question_.sought.empty()) return first;
        if (first && (!options_.prefer_stable || was_meant(*first) || !grows(*first))) return first;
        // By way of the motion.
        const std::shared_ptr<const Program> moving = motion(JacobianKind::None);
        const std::optional<Equilibrium> rest = moving ? find_equilibrium(*moving, run_) : std::nullopt;
        if (!rest || (first && rest->growth > 0)) return first;
        if (std::optional<InitialPoint> second = solve_from(rest->values, first.has_value())) {
            own = {};
            return second;
        }
        return first;
    }

    // From other initial values; they stay only if a point is found, and a stable one if need be.
    std::optional<InitialPoint> solve_from(const std::vector<double>& values, bool stable_only) {
        Diagnostics quiet;
        const std::shared_ptr<const Program> before = program_;
        const FlatModel model_before = posed_.model;
        for (VariableIndex v(0); v < posed_.model.variables.end_index(); ++v.value) {
            Variable& variable = posed_.model.variables[v];
            if (variable.variability != Variability::Continuous || variable.is_boolean()) continue;
            variable.start = Start{posed_.model.pool->number(values[v.value]), variable.origin};
        }
        if (translate() && keep_starts(model_before))
            if (std::optional<InitialPoint> found = attempt(nullptr, quiet);
                found && (!stable_only || !grows(*found)))
                return found;
        program_ = before;
        posed_.model = model_before;
        return std::nullopt;
    }

    // What any value would do for stays where it starts.
    bool keep_starts(const FlatModel& before) {
        const std::vector<VariableIndex> free = left_open();
        for (VariableIndex v : free) posed_.model.variables[v].start = before.variables[v].start;
        return free.empty() || translate();
    }

    // ---- equilibria on switching surfaces

    bool has_switches() const {
        bool any = false;
        for (const Switch& s : partition().switches) any = any || is_switch(s.node->op);
        return any;
    }

    // Whether an equation of a truth value, a whole number or a name reads the condition: such a variable has
    // one of its values, nothing holds it between two of them.
    static bool decides_discrete(const Partition& partition, Expr condition) {
        const auto reads = [&](Expr e) {
            bool found = false;
            for_each_node(e, [&](Expr node) { found = found || node == condition; });
            return found;
        };
        const auto is_discrete = [&](VariableIndex v) {
            return partition.model.variables[v].type != ValueType::Real;
        };
        const auto determines_discrete = [&](Expr side) {
            return side->op == Op::Variable && is_discrete(side->variable());
        };
        const auto& equations = partition.model.equations;
        const auto& eliminated = partition.eliminated;
        return std::any_of(equations.begin(), equations.end(),
                           [&](const Equation& e) {
                               return (determines_discrete(e.left) || determines_discrete(e.right)) &&
                                      (reads(e.left) || reads(e.right));
                           }) ||
               std::any_of(eliminated.begin(), eliminated.end(),
                           [&](const Eliminated& e) { return is_discrete(e.variable) && reads(e.value); }) ||
               std::any_of(partition.discrete.begin(), partition.discrete.end(),
                           [&](const DiscreteAssignment& d) { return reads(d.value); });
    }

    // The run itself, with the time held, as long as something moves.
    bool rest_on_surface() {
        if (!question_.stationary || !posed_.sampled.empty() || !question_.sought.empty() || posed_.delayed ||
            !question_.conditions.empty() || options_.solutions > 1 || !has_switches())
            return false;
        const std::shared_ptr<const Program> moving = motion(JacobianKind::States);
        if (!moving) return false;
        const FlatModel& model = moving->partition->model;
        Diagnostics quiet;
        const std::optional<InitialPoint> start = operating_point(*moving, run_, nullptr, quiet);
        if (!start || start->states.empty() || start->states.size() > most_states_run) return false;
        const auto size = [&](const std::vector<double>& values, VariableIndex v) {
            return std::max(std::abs(model.variables[v].nominal.value_or(1)), std::abs(values[v.value]));
        };
        double fastest = 0;
        for (std::size_t i = 0; i < start->states.size(); ++i)
            fastest =
                std::max(fastest, std::abs(start->derivatives[i]) / size(start->values, start->states[i]));
        for (Eigen::Index i = 0; i < start->matrix.rows(); ++i)
            fastest = std::max(fastest, std::abs(start->matrix(i, i)));
        SimulateOptions run = run_;
        run.tolerance = 1e-9;
        run.points = 2;
        double length = 30 / (fastest > 0 && std::isfinite(fastest) ? fastest : 1);
        double last_change = std::numeric_limits<double>::infinity();
        for (int k = 0; k < longest_runs; ++k, length *= 6) {
            if (options_.interrupt && *options_.interrupt) return false;
            run.stop = run.start + length;
            const std::optional<EndOfRun> end = end_of_run(*moving, run);
            if (!end) return false;
            double change = 0;  // that another such run would bring, relative
            for (std::size_t i = 0; i < end->states.size(); ++i)
                change = std::max(change,
                                  std::abs(end->derivatives[i]) * length / size(end->values, end->states[i]));
            // What moves on as it did before comes to no equilibrium, and may move ever faster.
            if (change > at_rest && !(change < slowing_down * last_change)) return false;
            last_change = change;
            if (change > at_rest) continue;
            if (end->held.empty()) {  // a point like any other
                if (!point_) point_ = solve_from(end->values, false);
                return false;
            }
            SteadyPoint p;
            for (std::size_t i : end->held) p.held.push_back(moving->partition->switches[i].node);
            if (std::any_of(p.held.begin(), p.held.end(),
                            [&](Expr c) { return decides_discrete(*moving->partition, c); }))
                return false;
            p.at.time = run_.start;
            p.at.values = end->values;
            p.at.states = end->states;
            p.at.derivatives = end->derivatives;
            for (std::size_t i = 0; i < end->states.size(); ++i) {
                p.derivatives.emplace_back(end->states[i], end->derivatives[i]);
                p.residual =
                    std::max(p.residual, std::abs(end->derivatives[i]) / size(end->values, end->states[i]));
            }
            p.stability.stability = Stability::Held;
            if (!outside_bounds(model, p.at.values).empty()) return false;
            program_ = moving;
            held_ = std::move(p);
            return true;
        }
        return false;
    }

    // Until discrete variables keep their values.
    bool settle() {
        std::set<std::vector<double>> met;
        for (int round = 0; round < most_settlings; ++round) {
            Diagnostics own;
            point_ = solve_one(own);
            // Where the equations jump there may be an equilibrium between the two sides, or a whole range.
            if ((!point_ || stands_between_sides(posed_.model, point_->values, question_.time)) &&
                rest_on_surface())
                return true;
            if (!point_) {
                if (find_within_bounds()) {
                    own = {};
                } else {
                    said_ = own.has_errors();
                    reasons_ = own;
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
        const InitialPoint beyond = *point_;
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
        if (held_) {
            diagnostics_.report(static_messages::held_on_surface(partition().model, held_->held));
            result_.points.push_back(std::move(*held_));
            return;
        }
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
        // An eigenvalue that is zero where nothing is free belongs to a multiple root.
        if (result_.left_open.empty())
            for (SteadyPoint& p : result_.points)
                if (p.stability.stability == Stability::Indifferent) p.stability.stability = Stability::Edge;
        // Where the motion has no zero eigenvalue nothing is free: an initial value was only as good as an
        // equation.
        const std::vector<Mode>& modes = result_.points[0].stability.modes;
        bool any_zero = modes.empty();
        for (std::size_t i = 0; i < modes.size(); ++i) any_zero = any_zero || is_zero(modes, i);
        if (!any_zero) result_.left_open.clear();
        std::vector<static_messages::Valued> list;  // those that were not chosen
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

    std::vector<VariableIndex> left_open() const {
        return question_.stationary ? starts_that_hold(partition(), posed_.model)
                                    : std::vector<VariableIndex>();
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

    bool is_known(const InitialPoint& point) const {
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
            const std::optional<InitialPoint> point = attempt(&search, quiet);
            if (!point || is_known(*point) || !outside_bounds(posed_.model, point->values).empty()) continue;
            if (question_.stationary && !pending_changes(posed_, point->values, question_.time).empty())
                continue;
            add(*point);
        } while (result_.points.size() < options_.solutions && search.next() && ++paths < most_paths);
    }

    // Then there are no eigenvalues, and a message says why.
    bool has_infinite_slope(const InitialPoint& point) {
        if (!point.steep) return false;
        const auto slope = find_infinite_slope(posed_.model, question_.time, [&](VariableIndex v) {
            const double value = point.values[v.value];
            return std::isfinite(value) ? std::optional(value) : std::nullopt;
        });
        if (slope) diagnostics_.report(static_messages::slope_not_judged(posed_.model, *slope));
        return slope.has_value();
    }

    void add(const InitialPoint& point) {
        SteadyPoint p;
        p.at = point;
        std::set<VariableIndex> listed;
        for (std::size_t i = 0; i < point.states.size(); ++i)
            if (listed.insert(point.states[i]).second)
                p.derivatives.emplace_back(point.states[i], point.derivatives[i]);
        // Of the others that are differentiated only zero is known, and only when stationary.
        std::vector<std::pair<VariableIndex, double>> derivatives = p.derivatives;
        if (question_.stationary)
            for (VariableIndex v(0); v < posed_.model.variables.end_index(); ++v.value)
                if (!listed.count(v)) derivatives.emplace_back(v, 0.0);
        const Misfit worst = misfit(posed_.model, point.values, derivatives, question_.time);
        p.residual = worst.residual;
        if (question_.stationary)
            for (std::size_t i = 0; i < point.states.size(); ++i) {
                const VariableIndex v = point.states[i];
                const double size = std::max({1.0, std::abs(point.values[v.value]),
                                              std::abs(partition().model.variables[v].nominal.value_or(1))});
                p.residual = std::max(p.residual, std::abs(point.derivatives[i]) / size);
            }
        if (worst.residual > holds && worst.equation) {
            if (result_.points.empty())
                diagnostics_.report(
                    static_messages::does_not_hold(posed_.model, *worst.equation, worst.residual));
            return;
        }
        if (options_.stability && question_.stationary && !has_infinite_slope(point)) {
            if (!posed_.delayed) p.stability = judge(point, options_.participation);
            if (!posed_.delayed && is_on_edge(posed_, partition(), point, p.stability, run_))
                p.stability.stability = Stability::Edge;
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
    Diagnostics reasons_;  // of a failure
    std::optional<InitialPoint> point_;
    std::optional<SteadyPoint> held_;
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
