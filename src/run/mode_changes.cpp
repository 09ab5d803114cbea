#include "run/mode_changes.h"

#include <algorithm>
#include <cmath>

#include "run/other_starts.h"
#include "run/run_messages.h"
#include "run/run_point.h"

namespace cutset {

namespace {

constexpr std::size_t most_tried = 300;  // combinations at one event
constexpr int most_changes = 50;         // of mode at one instant

}  // namespace

bool ModeChanges::Key::operator<(const Key& other) const {
    const auto older = [](Expr a, Expr b) { return a->id < b->id; };
    if (conditions != other.conditions)
        return std::lexicographical_compare(conditions.begin(), conditions.end(), other.conditions.begin(),
                                            other.conditions.end(), older);
    return truth < other.truth;
}

ModeChanges::ModeChanges(const Program& program, const SimulateOptions& options, RowSink& sink,
                         Diagnostics& diagnostics)
    : program_(program),
      options_(options),
      mode_options_(options),
      sink_(sink),
      diagnostics_(diagnostics),
      base_(program, options, sink, diagnostics),
      current_(&base_) {
    if (program.partition->delays.empty()) source_ = program.partition->source.get();
    base_.parts().now.other_modes = source_ != nullptr;
    if (options.checkpoint) base_.parts().checkpoint = [this] { options_.checkpoint(*point()); };
    mode_options_.machine_code = nullptr;  // it is that of the equations of all modes
    mode_options_.given.clear();           // a mode is translated with them
    mode_options_.given_starts.clear();
    mode_options_.guesses.clear();
    mode_options_.start_report = nullptr;
}

// A mode writes the columns of the whole model.
void ModeChanges::enter(Run& mode) {
    if (written_.insert(&mode).second) mode.parts().outputs.take_columns_of(base_.parts().outputs);
}

void ModeChanges::add(const RunSummary& part) {
    IntegratorStatistics& a = total_.integrator;
    const IntegratorStatistics& b = part.integrator;
    a.steps += b.steps;
    a.rhs_evaluations += b.rhs_evaluations;
    a.jacobians += b.jacobians;
    a.factorizations += b.factorizations;
    a.symbolic_analyses += b.symbolic_analyses;
    a.newton_iterations += b.newton_iterations;
    a.error_test_failures += b.error_test_failures;
    a.convergence_failures += b.convergence_failures;
    a.root_evaluations += b.root_evaluations;
    a.restarts += b.restarts;
    a.last_order = b.last_order;
    total_.events += part.events;
    total_.rows += part.rows;
    total_.loop_solutions += part.loop_solutions;
    total_.loop_iterations += part.loop_iterations;
    total_.loop_factorisations += part.loop_factorisations;
    if (total_.first_method.empty()) total_.first_method = part.first_method;
    total_.switches.add(part.switches);
    total_.times.initialise += part.times.initialise;
    total_.times.events += part.times.events;
    total_.times.output += part.times.output;
    a.jacobian_seconds += b.jacobian_seconds;
    a.factor_seconds += b.factor_seconds;
    a.solve_seconds += b.solve_seconds;
    total_.time = part.time;
    total_.outcome = part.outcome;
}

namespace {

RunSummary stopped_for_mode(RunSummary summary) {
    summary.needs_mode = true;
    summary.outcome = RunOutcome::Failed;
    return summary;
}

}  // namespace

RunSummary ModeChanges::run() {
    const bool good = begin();
    if (!good && base_.trial().wants_mode() && !options_.translate_mode)
        return stopped_for_mode(base_.summary());
    if (good && current_ == &base_) {
        const Instant& now = base_.parts().now;
        std::vector<double> taken;
        for (Slot slot : now.layout.variable) taken.push_back(now.values[slot]);
        report_other_starts(program_, options_, taken, diagnostics_);
    }
    return go_on(good);
}

RunSummary ModeChanges::start() {
    const bool good = begin();
    if (good) base_.summary().outcome = RunOutcome::Finished;
    return base_.finish(good);
}

// The initialization with its row, in the mode that it needs.
bool ModeChanges::begin() {
    bool good = base_.begin();
    if (!good && base_.trial().wants_mode() && options_.translate_mode) {
        last_change_ = options_.start;
        Run* first = choose_next(base_.modes().hand_over_start());
        good = base_.begin_in_mode(first != nullptr);
        if (good && first) {
            current_ = first;
            enter(*first);
            good = first->parts().outputs.write_followed();
        }
    }
    began_ = good;
    return good;
}

RunSummary ModeChanges::run_from(const RunPoint& from, bool settle) {
    last_change_ = from.time;
    bool good = false;
    Run* first = nullptr;
    if (from.mode && source_) {
        good = base_.take_point(from);
        if (good) {
            current_ = nullptr;  // none yet: all modes together are tried too
            const Handover point = base_.hand_over(from);
            first = enter_mode(point, *from.mode);
            if (!first) first = choose_next(point);
            current_ = &base_;
            if (!first)
                diagnostics_.report(run_messages::no_mode(*source_, last_changed(), tried_, from.time));
            good = first && base_.begin_from_in_mode(true);
        }
    } else {
        good = base_.begin_from(from);
        if (!good && base_.trial().wants_mode()) {
            first = choose_next(base_.modes().hand_over());
            good = base_.begin_from_in_mode(first != nullptr);
        }
    }
    if (good && first) {
        current_ = first;
        if (first != &base_) enter(*first);
        good = first->parts().outputs.write_followed();
    }
    began_ = good;
    if (good && !settle) take_up(from);
    if (!settle) return go_on(good);
    if (good) base_.summary().outcome = RunOutcome::Finished;
    return base_.finish(good);
}

Run* ModeChanges::enter_mode(const Handover& from, const RunPoint::Mode& wanted) {
    Mode& known = mode({wanted.conditions, wanted.truth});
    if (!known.program) return nullptr;
    std::vector<std::size_t> disagreeing;
    std::vector<ModeEntry::Jump> jumps;
    known.run->report_to(quiet_);
    const ModeEntry::Outcome entry =
        known.run->modes().enter_mode(from, known.model.before, known.model.exits, disagreeing, jumps);
    if (entry != ModeEntry::Outcome::Entered || !jumps.empty()) return nullptr;
    known.run->report_to(diagnostics_);
    return known.run.get();
}

std::optional<RunPoint> ModeChanges::point() {
    if (!began_) return std::nullopt;
    const std::shared_ptr<const RunMemory> remembered = memory();
    RunPoint point = current_ == &base_ ? base_.point() : base_.point_of(*current_);
    point.memory = remembered;
    for (const auto& [key, mode] : modes_)
        if (mode.run.get() == current_) point.mode = RunPoint::Mode{key.conditions, key.truth};
    return point;
}

void ModeChanges::remember(MemoryStream& stream) {
    stream.list("sizes", sizes_);
    stream("last change", last_change_);
    stream("changes at once", changes_at_once_);
}

// That of the run at hand, with what the others remember.
std::shared_ptr<const RunMemory> ModeChanges::memory() {
    const std::shared_ptr<const RunMemory>& own = current_->parts().memory;
    if (!own || modes_.empty()) return own;
    const std::vector<Expr> all = switched_conditions(*source_);
    auto memory = std::make_shared<RunMemory>(*own);
    MemoryStream stream(memory->modes);
    remember(stream);
    const auto add = [&](OtherMode other, Run& run) {
        if (&run == current_) return;
        MemoryStream to(other.run);
        run.parts().remember(to);
        memory->others.push_back(std::move(other));
    };
    add({}, base_);
    for (const auto& [key, mode] : modes_) {
        if (!mode.run) continue;
        OtherMode other;
        other.truth = key.truth;
        for (Expr condition : key.conditions) {
            const auto found = std::find(all.begin(), all.end(), condition);
            if (found == all.end()) return nullptr;
            other.conditions.push_back(static_cast<std::size_t>(found - all.begin()));
        }
        add(std::move(other), *mode.run);
    }
    return memory;
}

// The run at hand goes on with what it and the others remember, if nothing has changed.
void ModeChanges::take_up(const RunPoint& from) {
    if (!from.memory || base_.differs(from)) return;
    const RunMemory& memory = *from.memory;
    const Instant& now = current_->parts().now;
    if (!memory.serves(now.program, now.options)) return;
    if (!memory.others.empty() && (!source_ || !options_.translate_mode)) return;
    const std::vector<Expr> all = source_ ? switched_conditions(*source_) : std::vector<Expr>();
    for (const OtherMode& other : memory.others) {
        Key key{{}, other.truth};
        for (std::size_t k : other.conditions)
            if (k < all.size()) key.conditions.push_back(all[k]);
        if (key.conditions.size() != key.truth.size()) return;
        Run* const run = key.conditions.empty() ? &base_ : mode(key).run.get();
        if (!run || run == current_) return;
        MemoryStream stream(other.run);
        run->parts().remember(stream);
        if (!stream.good()) return;
    }
    if (!memory.modes.entries.empty()) {
        MemoryStream stream(memory.modes);
        remember(stream);
    }
    current_->go_on_with(from.memory);
}

// Integration from where it stands to the end.
RunSummary ModeChanges::go_on(bool good) {
    if (!good || base_.summary().outcome == RunOutcome::Terminated)
        return (current_ == nullptr ? base_ : *current_).finish(good);
    while (true) {
        good = current_->integrate();
        const bool change = good && current_->trial().wants_mode();
        if (!change && current_ == &base_ && total_.rows == 0) return base_.finish(good);
        add(current_->finish(good));
        current_->summary() = {};
        if (!change) return total_;
        if (!options_.translate_mode) return stopped_for_mode(total_);
        const Handover from = current_->modes().hand_over();
        if (from.time - last_change_ > 1e-12 * (options_.stop - options_.start)) changes_at_once_ = 0;
        last_change_ = from.time;
        Run* next = ++changes_at_once_ > most_changes ? nullptr : choose_next(from);
        if (next) {
            current_ = next;
            current_->summary().time = from.time;
            if (next != &base_) enter(*next);
            good = current_->parts().outputs.write_followed();
        } else {
            // As it would be without modes, and with its messages.
            if (current_ != &base_)
                for (const Diagnostic& d : current_->trial().held().all()) diagnostics_.report(d);
            good =
                current_ == &base_ && base_.trial().retry_event() && base_.parts().outputs.write_followed();
            if (!good && (current_ != &base_ || (base_.parts().now.equations_failed && has_choice())))
                diagnostics_.report(run_messages::no_mode(*source_, last_changed(), tried_, from.time));
        }
        if (!good) {
            current_->parts().good.go_back(true);
            total_.outcome = RunOutcome::Failed;
            total_.time = from.time;
            return total_;
        }
    }
}

// Whether a condition depends on more than the time and parameters: else there is nothing to combine.
const Switch* ModeChanges::last_changed() {
    const std::vector<Switch>& switches = base_.parts().now.partition.switches;
    if (switches.empty()) return nullptr;
    const std::size_t last = base_.parts().now.state.counts.last_fired;
    return &switches[last < switches.size() ? last : 0];
}

bool ModeChanges::has_choice() const {
    const std::vector<Expr> conditions = switched_conditions(*source_);
    return std::any_of(conditions.begin(), conditions.end(), [&](Expr condition) {
        bool open = false;
        for_each_leaf(condition, [&](Expr leaf) {
            open = open || (leaf->op == Op::Variable &&
                            source_->variables[leaf->variable()].variability >= Variability::Discrete);
        });
        return open;
    });
}

// The model with the parameters of this run, as modes are translated from it.
const FlatModel& ModeChanges::source() {
    if (options_.given.empty()) return *source_;
    if (given_) return *given_;
    given_ = std::make_unique<FlatModel>(*source_);
    const std::vector<double> values = parameter_values(program_, options_);
    for (VariableIndex v{0}; v < given_->variables.end_index(); ++v.value)
        if (Variable& variable = given_->variables[v]; variable.variability <= Variability::Parameter)
            variable.value = values[v.value];
    for (const auto& [v, value] : options_.given)
        if (v < given_->variables.end_index()) given_->variables[v].binding = given_->pool->number(value);
    return *given_;
}

ModeChanges::Mode& ModeChanges::mode(const Key& key) {
    const auto [at, fresh] = modes_.try_emplace(key);
    Mode& mode = at->second;
    if (!fresh) return mode;
    CUTSET_ASSERT(options_.translate_mode);
    mode.model = fix_conditions(source(), key.conditions, key.truth);
    Diagnostics problems;
    mode.program = options_.translate_mode(std::move(mode.model.model), program_.partition->source, problems);
    mode.model.model = {};
    if (!mode.program) {
        for (const Diagnostic& d : problems.all())
            if (d.severity == Severity::Error && mode.problem.empty()) mode.problem = d.message;
        return mode;
    }
    mode.run = std::make_unique<Run>(*mode.program, mode_options_, sink_, quiet_);
    mode.run->parts().checkpoint = base_.parts().checkpoint;
    return mode;
}

// The values of the conditions, as far as they can be told.
std::vector<bool> ModeChanges::present(const Handover& from, const std::vector<Expr>& conditions) const {
    Environment environment;
    environment.leaf = [&](Expr leaf) -> std::optional<double> {
        if (leaf->op == Op::Time) return from.time;
        if (leaf->op == Op::Previous) return from.previous[leaf->index].value_or(from.values[leaf->index]);
        if (leaf->op != Op::Variable) return std::nullopt;
        if (leaf->order == 0) {
            const Variable& v = source_->variables[leaf->variable()];
            return v.variability == Variability::Continuous ? from.ahead[leaf->index]
                                                            : from.values[leaf->index];
        }
        std::string name = source_->path(leaf->variable());
        for (std::uint32_t k = 0; k < leaf->order; ++k) name = derivative_name(name);
        for (const auto& [known, value] : from.by_name)
            if (known == name) return value;
        return std::nullopt;
    };
    std::vector<bool> truth;
    for (Expr c : conditions) truth.push_back(evaluate(c, environment).value_or(0) != 0);
    return truth;
}

std::string ModeChanges::text(const Key& key) const {
    std::string result;
    for (std::size_t k = 0; k < key.conditions.size(); ++k) {
        if (k > 0) result += ", ";
        result += (key.truth[k] ? "" : "not ") + to_text(key.conditions[k], source_->printer());
    }
    return result;
}

Run* ModeChanges::choose_next(const Handover& given) {
    Handover from = given;
    sizes_.resize(from.values.size(), 0);
    for (std::size_t v = 0; v < sizes_.size(); ++v)
        if (std::isfinite(from.sizes[v])) sizes_[v] = std::max(sizes_[v], from.sizes[v]);
    from.sizes = sizes_;
    tried_.clear();
    std::vector<EquationIndex> failed = from.failed;
    if (current_ != &base_) {
        base_.report_to(quiet_);
        const ModeEntry::Outcome entry = base_.modes().enter(from);
        base_.report_to(diagnostics_);
        if (entry == ModeEntry::Outcome::Entered) return &base_;
        failed = base_.modes().failed_equations();
    }
    const std::vector<Expr> all = switched_conditions(*source_);
    std::vector<Expr> some = switched_conditions(*source_, failed);
    if (!some.empty() && some.size() < all.size())
        if (Run* found = search(from, some)) return found;
    return search(from, all);
}

// Combinations of the values of `conditions`: the present one, then those that it leads to, then those with
// few changes.
Run* ModeChanges::search(const Handover& from, const std::vector<Expr>& conditions) {
    const std::size_t n = conditions.size();
    const std::vector<bool> first = present(from, conditions);
    std::set<std::vector<bool>> seen;
    std::vector<std::vector<bool>> next{first};
    seen.insert(first);
    std::optional<std::vector<bool>> with_jumps;
    std::size_t least_jumps = 0;
    std::size_t flips = 0;
    std::vector<std::size_t> flipped;
    const auto offer = [&](std::vector<bool> truth) {
        if (seen.insert(truth).second) next.push_back(std::move(truth));
    };
    const auto enter = [&](const std::vector<bool>& truth, std::vector<std::size_t>& disagreeing,
                           std::vector<ModeEntry::Jump>& jumps) {
        Mode& candidate = mode({conditions, truth});
        if (!candidate.program) {
            tried_.push_back(text({conditions, truth}) + ": " + candidate.problem);
            return static_cast<Mode*>(nullptr);
        }
        candidate.run->report_to(quiet_);
        const ModeEntry::Outcome entry = candidate.run->modes().enter_mode(
            from, candidate.model.before, candidate.model.exits, disagreeing, jumps);
        if (entry == ModeEntry::Outcome::Entered) return &candidate;
        if (entry == ModeEntry::Outcome::Failed)
            tried_.push_back(text({conditions, truth}) + ": " + candidate.run->modes().failure());
        for (std::size_t k : disagreeing)
            tried_.push_back(text({conditions, truth}) + ": leads to " +
                             text({{conditions[k]}, {!truth[k]}}));
        return static_cast<Mode*>(nullptr);
    };
    for (std::size_t at = 0; seen.size() < most_tried; ++at) {
        if (at == next.size()) {
            // All that one led to are done: the next choice of `flips` out of n.
            std::size_t k = flips;
            while (k > 0 && flipped[k - 1] == n - flips + k - 1) --k;
            if (k == 0) {
                if (++flips > n) break;
                flipped.resize(flips);
                for (std::size_t j = 0; j < flips; ++j) flipped[j] = j;
            } else {
                ++flipped[k - 1];
                for (; k < flips; ++k) flipped[k] = flipped[k - 1] + 1;
            }
            std::vector<bool> truth = first;
            for (std::size_t j : flipped) truth[j] = !truth[j];
            offer(std::move(truth));
            --at;
            continue;
        }
        const std::vector<bool> truth = next[at];
        std::vector<std::size_t> disagreeing;
        std::vector<ModeEntry::Jump> jumps;
        if (Mode* found = enter(truth, disagreeing, jumps)) {
            // At initialization nothing has jumped from a value that was not given.
            if (from.starting)
                std::erase_if(jumps, [&](const ModeEntry::Jump& j) {
                    const auto& start = source_->variables[j.variable].start;
                    return !start || start->only_guess;
                });
            if (jumps.empty()) {
                found->run->report_to(diagnostics_);
                return found->run.get();
            }
            if (!with_jumps || jumps.size() < least_jumps) {
                with_jumps = truth;
                least_jumps = jumps.size();
            }
            continue;
        }
        if (disagreeing.empty()) continue;
        std::vector<bool> other = truth;
        for (std::size_t k : disagreeing) other[k] = !other[k];
        offer(other);
        for (std::size_t k : disagreeing) {
            other = truth;
            other[k] = !other[k];
            offer(other);
        }
    }
    if (!with_jumps || from.starting) return nullptr;
    std::vector<std::size_t> disagreeing;
    std::vector<ModeEntry::Jump> jumps;
    Mode* found = enter(*with_jumps, disagreeing, jumps);
    if (!found) return nullptr;
    found->run->report_to(diagnostics_);
    std::vector<std::uint32_t> variables;
    for (const ModeEntry::Jump& j : jumps) variables.push_back(j.variable.value);
    if (jumps_told_.insert(variables).second) {
        std::vector<run_messages::StateJump> told;
        for (const ModeEntry::Jump& j : jumps) told.push_back({j.variable, j.from, j.to});
        diagnostics_.report(
            run_messages::states_jump(*source_, told, text({conditions, *with_jumps}), from.time));
    }
    return found->run.get();
}

}  // namespace cutset
