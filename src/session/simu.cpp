// SIMU: runs the active system; curves grow in the picture, stored variables go to the file.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "results/reader.h"
#include "run/following_sink.h"
#include "session/command_text.h"
#include "session/messages.h"
#include "session/result_file.h"
#include "session/run_record.h"
#include "session/workbench.h"

namespace cutset {

namespace messages = session_messages;

std::string result_path(const std::string& name) {
    const std::string ending = lower_case(std::filesystem::path(name).extension().string());
    return ending == ".csv" || ending == ".mat" || ending == ".npz" ? name : name + ".csv";
}

bool may_write_result(Workbench& bench, const std::string& path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return true;
    if (std::filesystem::is_directory(path, error)) return bench.fail(messages::is_directory(path));
    if (!std::filesystem::is_regular_file(path, error)) return true;  // /dev/null
    // Ours begin with the column of the time, or are binary.
    std::ifstream file(path, std::ios::binary);
    std::string head(4096, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    const bool time_first = head.starts_with("time,") || head.starts_with("time\n") ||
                            head.starts_with("time [") || head.starts_with("\"time");
    const bool binary = lower_case(path).ends_with(".mat") || lower_case(path).ends_with(".npz");
    if (head.empty() || time_first || binary) return true;
    return bench.fail(messages::would_overwrite(path, "a result of a run"));
}

namespace {

// Where the value of a column stands in a row.
struct Getter {
    std::size_t slot = 0;
    double factor = 1;
    std::optional<double> constant;
    bool varies() const { return !constant; }
    double operator()(std::span<const double> row) const { return constant ? *constant : factor * row[slot]; }
};

// The columns of a run: where their values stand in its rows, and what they are.
class RunColumns {
  public:
    explicit RunColumns(const Columns& columns) : columns_(columns), slots_(columns.size(), 0) {
        std::size_t next = 0;
        for (std::size_t k = 0; k < columns.size(); ++k)
            if (columns[ColumnIndex(k)].stored()) slots_[k] = next++;
    }

    std::size_t size() const { return columns_.size(); }
    const Column& operator[](std::size_t k) const { return columns_[ColumnIndex(k)]; }

    Getter getter(std::size_t k) const {
        const Column& column = (*this)[k];
        if (column.kind == ColumnKind::Parameter) return {0, 1, column.value};
        if (column.kind == ColumnKind::Alias)
            return {slots_[column.alias_of.value], column.negated ? -1.0 : 1.0, {}};
        return {slots_[k], 1, {}};
    }
    std::optional<std::size_t> find(const std::string& path) const {
        for (std::size_t k = 0; k < size(); ++k)
            if ((*this)[k].name == path) return k;
        return std::nullopt;
    }
    bool is_discrete(std::size_t k) const { return target(k).kind == ColumnKind::Discrete; }
    const std::string& unit(std::size_t k) const {
        const std::string& own = (*this)[k].unit;
        return own.empty() ? target(k).unit : own;
    }
    // The column as one of numbers, which can stand without what it is equal to.
    Column by_itself(std::size_t k) const {
        Column column = (*this)[k];
        column.unit = unit(k);
        column.kind = k == 0           ? ColumnKind::Time
                      : is_discrete(k) ? ColumnKind::Discrete
                                       : ColumnKind::Continuous;
        return column;
    }

  private:
    const Column& target(std::size_t k) const {
        const Column& column = (*this)[k];
        return column.kind == ColumnKind::Alias ? columns_[column.alias_of] : column;
    }

    const Columns& columns_;
    std::vector<std::size_t> slots_;
};

class SessionSink : public FollowingSink {
  public:
    SessionSink(Workbench& bench, const SimuRequest& request) : bench_(bench), request_(request) {}

    std::optional<std::string> begin(const Columns& columns) override {
        const RunColumns run(columns);
        if (!bench_.plotted.empty())
            if (Problem problem = begin_picture(run)) return problem;
        if (bench_.system.simnon) find_dark_flags(run);
        begin_record(run);
        if (request_.file)
            if (Problem problem = begin_file(run)) return problem;
        follow();
        shown_ = std::chrono::steady_clock::now();
        return std::nullopt;
    }

    std::optional<std::string> row(std::span<const double> row) override {
        bool gap = bench_.switches.dark && last_time_ && *last_time_ == row[0];
        for (DarkFlag& flag : dark_) {
            const double value = flag.get(row);
            gap = gap || (flag.counts ? last_time_ && value != flag.last : value > 0.5);
            flag.last = value;
        }
        if (gap) bench_.picture.gap();
        last_time_ = row[0];
        take(row);
        if (writer_) {
            std::vector<double> next(stored_.size());
            for (std::size_t k = 0; k < next.size(); ++k) next[k] = stored_[k](row);
            if (auto problem = store_extremes(next)) return problem;
            values_ = std::move(next);
            if (auto problem = store(values_)) return problem;
        }
        show_progress(row[0]);
        return std::nullopt;
    }

    std::vector<std::size_t> followed() const override { return followed_; }

    // The picture and the record take every step; a file the extremes between two of its rows.
    std::optional<std::string> between(std::span<const double> row) override {
        take(row);
        if (writer_ && stored_.size() <= most_kept + 1) note_extremes(row);
        show_progress(row[0]);
        return std::nullopt;
    }

    Problem finish() { return writer_ ? writer_->finish() : std::nullopt; }
    SessionFacts::Run facts(const RunSummary& summary) const {
        SessionFacts::Run run;
        run.outcome = summary.outcome;
        run.from = request_.start;
        run.to = request_.stop;
        run.reached = summary.time;
        run.events = summary.events;
        run.result = record_ ? record_->trajectory() : nullptr;
        if (record_) run.complete_from = record_->complete_from();
        run.curves.assign(kept_names_.begin(), kept_names_.begin() + static_cast<std::ptrdiff_t>(looked_at_));
        return run;
    }
    bool draws() const { return !curves_.empty(); }

  private:
    static constexpr std::size_t most_kept = 40, most_followed = 20;  // columns

    static Problem not_computed(const NamedQuantity& variable) {
        return "The run does not compute " + variable.shown + ".";
    }

    Problem begin_picture(const RunColumns& run) {
        std::vector<CurveWish> wishes;
        std::string x_label = run[0].name, x_unit = run[0].unit;
        x_ = run.getter(0);
        if (bench_.horizontal) {
            const auto k = run.find(bench_.horizontal->path);
            if (!k) return not_computed(*bench_.horizontal);
            x_ = run.getter(*k);
            x_label = bench_.horizontal->shown;
            x_unit = run.unit(*k);
        }
        for (const NamedQuantity& variable : bench_.plotted) {
            const auto k = run.find(variable.path);
            if (!k) return not_computed(variable);
            wishes.push_back(
                {variable.path, variable.shown, run.unit(*k), run.is_discrete(*k) && !bench_.horizontal});
            curves_.push_back(run.getter(*k));
        }
        bench_.picture.title(plot_heading(bench_));
        Picture::Run drawn{run_label(), {}, request_.go_on};
        if (!bench_.horizontal) drawn.interval = PlotRange{request_.start, request_.stop};
        bench_.picture.begin(wishes, x_label, x_unit, drawn);
        return std::nullopt;
    }

    // Systems of Simnon in shared libraries break curves themselves: by a flag, or a number that counts.
    void find_dark_flags(const RunColumns& run) {
        for (std::size_t k = 1; k < run.size(); ++k)
            if (run[k].name == "LDARK" || run[k].name.ends_with(".LDARK"))
                dark_.push_back({run.getter(k), run.is_discrete(k), 0});
    }

    // What explanations look at: the curves, else the states; the others for questions such as `Y(2.5)`.
    void begin_record(const RunColumns& run) {
        Columns looked_at;
        looked_at.push_back(run[0]);
        kept_.push_back(run.getter(0));
        const auto keep = [&](const std::string& path) {
            const auto k = run.find(path);
            if (!k || *k == 0 || kept_.size() > most_kept ||
                std::find(kept_names_.begin(), kept_names_.end(), path) != kept_names_.end())
                return;
            looked_at.push_back(run.by_itself(*k));
            kept_.push_back(run.getter(*k));
            kept_names_.push_back(path);
        };
        for (const NamedQuantity& variable : bench_.plotted) keep(variable.path);
        const std::vector<LiveModel::Quantity>& quantities = bench_.system.live->quantities();
        for (const LiveModel::Quantity& quantity : quantities)
            if (quantity.kind == LiveModel::Kind::State) keep(quantity.path);
        looked_at_ =
            std::min(kept_names_.size(), bench_.plotted.empty() ? most_followed : bench_.plotted.size());
        for (const LiveModel::Quantity& quantity : quantities) keep(quantity.path);
        record_.emplace(looked_at);
        kept_values_.resize(kept_.size());
    }

    Problem begin_file(const RunColumns& run) {
        Columns chosen;
        const auto add = [&](std::size_t k) {
            chosen.push_back(run.by_itself(k));
            stored_.push_back(run.getter(k));
        };
        add(0);
        if (bench_.store_on) {
            for (const NamedQuantity& variable : bench_.stored) {
                const auto k = run.find(variable.path);
                if (!k) return not_computed(variable);
                if (*k != 0) add(*k);
            }
        } else {
            for (std::size_t k = 1; k < run.size(); ++k) add(k);
        }
        Problem problem;
        const std::string path = result_path(*request_.file);
        writer_ = make_writer(path, problem);
        if (problem) return problem;
        if ((problem = writer_->begin(chosen))) return problem;
        // A run that goes on has the rows before in its file too.
        std::optional<Trajectory>& rows = bench_.system.stored_rows;
        if (!(request_.go_on && rows && bench_.system.stored_file == path && same_columns(*rows, chosen)))
            rows.emplace(chosen);
        bench_.system.stored_file = path;
        values_.resize(chosen.size());
        for (std::size_t row = 0; row < rows->rows(); ++row) {
            for (std::size_t k = 0; k < values_.size(); ++k) values_[k] = rows->value(ColumnIndex(k), row);
            if ((problem = writer_->append(values_))) return problem;
        }
        return std::nullopt;
    }

    // Places in a row of what is looked at, drawn over or stored.
    void follow() {
        std::set<std::size_t> places;
        const auto add = [&](const Getter& get) {
            if (get.varies() && get.slot > 0 && places.size() < most_followed) places.insert(get.slot);
        };
        for (const Getter& get : curves_) add(get);
        if (!curves_.empty()) add(x_);
        for (const Getter& get : stored_) add(get);
        for (std::size_t k = 0; k < looked_at_; ++k) add(kept_[k + 1]);
        followed_.assign(places.begin(), places.end());
    }

    void take(std::span<const double> row) {
        for (std::size_t k = 0; k < curves_.size(); ++k) bench_.picture.point(k, x_(row), curves_[k](row));
        for (std::size_t k = 0; k < kept_values_.size(); ++k) kept_values_[k] = kept_[k](row);
        record_->append(kept_values_);
    }

    std::optional<std::string> store(const std::vector<double>& values) {
        bench_.system.stored_rows->append(values);
        return writer_->append(values);
    }
    void note_extremes(std::span<const double> row) {
        std::vector<double> values(values_.size());
        for (std::size_t k = 0; k < values.size(); ++k) values[k] = stored_[k](row);
        extremes_.resize(2 * values.size());
        for (std::size_t k = 1; k < values.size(); ++k) {
            std::vector<double>&lowest = extremes_[2 * k], &highest = extremes_[2 * k + 1];
            if (lowest.empty() || values[k] < lowest[k]) lowest = values;
            if (highest.empty() || values[k] > highest[k]) highest = values;
        }
    }
    // Of the interval between the last row and the next one, where they lie beyond both.
    std::optional<std::string> store_extremes(const std::vector<double>& next) {
        for (std::size_t n = 0; n < extremes_.size(); ++n) {
            if (extremes_[n].empty()) continue;
            const std::size_t k = n / 2;
            const double value = extremes_[n][k], low = std::min(values_[k], next[k]),
                         high = std::max(values_[k], next[k]);
            const double least = 1e-9 * std::max({std::fabs(value), std::fabs(low), std::fabs(high)});
            if (n % 2 == 0 ? !(value < low - least) : !(value > high + least)) extremes_[n].clear();
        }
        std::erase_if(extremes_, [](const std::vector<double>& values) { return values.empty(); });
        std::sort(extremes_.begin(), extremes_.end());
        extremes_.erase(std::unique(extremes_.begin(), extremes_.end()), extremes_.end());
        for (const std::vector<double>& values : extremes_)
            if (auto problem = store(values)) return problem;
        extremes_.clear();
        return std::nullopt;
    }

    void show_progress(double time) {
        const auto now = std::chrono::steady_clock::now();
        if (now - shown_ < std::chrono::milliseconds(50)) return;
        if (!curves_.empty() && bench_.switches.plots)
            bench_.show_picture(true);
        else
            bench_.host.progress(time, request_.start, request_.stop);
        shown_ = std::chrono::steady_clock::now();
    }

    static bool same_columns(const Trajectory& rows, const Columns& columns) {
        if (rows.columns().size() != columns.size()) return false;
        for (std::size_t k = 0; k < columns.size(); ++k)
            if (rows.columns()[ColumnIndex(k)].name != columns[ColumnIndex(k)].name) return false;
        return true;
    }
    // What makes this run another than the one before.
    std::string run_label() const {
        std::string out;
        if (bench_.system.changed_in_run.size() <= 2)
            for (const std::string& change : bench_.system.changed_in_run)
                out += (out.empty() ? "" : ", ") + change.substr(change.find(' ') + 1);
        if (!out.empty() || bench_.picture.runs() == 0) return out;
        return fmt::format("run {}", bench_.picture.runs() + 1);
    }

    struct DarkFlag {
        Getter get;
        bool counts;
        double last;
    };

    Workbench& bench_;
    const SimuRequest& request_;
    std::vector<DarkFlag> dark_;
    Getter x_;
    std::vector<Getter> curves_, stored_, kept_;
    std::vector<double> values_, kept_values_;
    std::vector<std::vector<double>> extremes_;  // rows to be stored, by column and side
    std::optional<RunRecord> record_;
    std::vector<std::string> kept_names_;
    std::size_t looked_at_ = 0;  // the first of them, by explanations
    std::vector<std::size_t> followed_;
    std::unique_ptr<ResultWriter> writer_;
    std::optional<double> last_time_;
    std::chrono::steady_clock::time_point shown_;
};

// Warnings are printed once, not run after run. That states far below the error bound are not accurate is
// what the bound of Simnon means.
bool is_news(Workbench& bench, const Diagnostic& d) {
    if (d.severity == Severity::Error) return true;
    if (bench.system.simnon && d.concern == Concern::SmallStates) return false;
    return bench.system.warnings.emplace(d).second;
}

// Between samplings there are to be enough points for a smooth curve, also when the run is much longer.
double shortest_sampling(Workbench& bench) {
    double shortest = 0;
    LiveModel& live = *bench.system.live;
    for (const SystemSummary& system : live.systems())
        for (const SystemSummary::Variable& variable : system.variables) {
            if (variable.role != SystemRole::SampleTime) continue;
            Diagnostics ignored;
            const auto next =
                live.value(system.path.empty() ? variable.name : system.path + "." + variable.name, ignored);
            const double interval = next ? *next - live.time() : 0;
            if (interval > 0 && (shortest == 0 || interval < shortest)) shortest = interval;
        }
    return shortest;
}

}  // namespace

bool run_system(Workbench& bench, const SimuRequest& request) {
    LiveModel& live = *bench.system.live;
    if (request.file && !may_write_result(bench, result_path(*request.file))) return false;

    SimulateOptions options;
    options.start = request.start;
    options.stop = request.stop;
    const double length = request.stop - request.start;
    const double increment = bench.run.increment;
    options.tolerance = bench.run.error_bound;
    options.solver = bench.run.algorithm;
    options.allow_external = bench.switches.external;
    options.interrupt = &bench.host.interrupt();
    const bool fixed = describe(options.solver).fixed_step;
    if (fixed) options.step_size = increment > 0 ? increment : length / 100;
    if (!fixed && increment > 0) options.max_step = increment;
    if (increment > 0 && length / increment > 1000) options.step = increment;

    if (!bench.system.sampling) bench.system.sampling = bench.system.simnon ? shortest_sampling(bench) : 0;
    if (const double wanted = *bench.system.sampling > 0 ? 20 * length / *bench.system.sampling : 0;
        wanted > 1000 && !options.step)
        options.step = length / std::ceil(std::min(wanted, 50'000.0));

    SessionSink sink(bench, request);
    Diagnostics diagnostics;
    const RunSummary summary =
        request.go_on ? live.go_on(options, sink, diagnostics) : live.run(options, sink, diagnostics);
    ++bench.system.runs;
    bench.system.last_run = sink.facts(summary);
    bench.system.changed_in_run.clear();
    const Problem written = sink.finish();
    if (summary.outcome == RunOutcome::Terminated && sink.draws()) bench.picture.drop_lone_end();
    if (request.mark && sink.draws()) bench.picture.mark();
    if (sink.draws()) bench.show_picture(false);
    Diagnostics told;
    for (const Diagnostic& d : diagnostics.all())
        if (is_news(bench, d)) told.report(d);
    if (!told.all().empty()) bench.report(told, bench.system.workspace->text.sources());
    if (written) return diagnostics.has_errors() ? false : bench.fail(messages::file_problem(*written));
    if (request.file) bench.result_file = result_path(*request.file);
    switch (summary.outcome) {
        case RunOutcome::Finished:
            return true;
        case RunOutcome::Terminated:
            bench.print(fmt::format("STOPPED BY THE MODEL AT TIME {:.9g}", summary.time));
            return true;
        case RunOutcome::Interrupted:
            bench.print(fmt::format("INTERRUPTED AT TIME {:.9g} (SIMU -CONT GOES ON)", summary.time));
            return true;
        case RunOutcome::Failed:
            break;
    }
    if (diagnostics.error_count() == 0) bench.fail(messages::run_failed(summary.time));
    return false;
}

bool command_simu(Workbench& bench, const std::string& arguments) {
    if (!bench.has_system()) return false;
    std::optional<Diagnostic> problem;
    const auto options = split_options(arguments, {"CONT", "MARK"}, true, problem);
    if (!options) return bench.fail(problem);
    SimuSettings next = bench.run;
    TokenReader tokens(options->arguments);
    std::vector<double> numbers;
    while (!tokens.at_end()) {
        if (tokens.take(',')) continue;
        const auto number = tokens.number();
        if (!number) return bench.fail(messages::simu_form(tokens.rest()));
        numbers.push_back(*number);
    }
    if (numbers.size() == 1 || numbers.size() > 3) return bench.fail(messages::simu_form(""));
    if (numbers.size() >= 2) next.start = numbers[0], next.stop = numbers[1];
    if (numbers.size() == 3) next.increment = numbers[2];
    if (!(next.start < next.stop)) return bench.fail(messages::simu_interval(next.start, next.stop));
    if (next.increment < 0) return bench.fail(messages::negative_increment(next.increment));
    const double points = next.increment > 0 ? (next.stop - next.start) / next.increment : 0;
    constexpr double most_points = 1e8;  // as `cutset simulate` takes
    if (points > most_points)
        return bench.fail(messages::small_increment(next.increment, points, most_points));
    if (options->file) next.file = *options->file;

    SimuRequest request;
    request.go_on = options->has("CONT");
    request.mark = options->has("MARK");
    request.start = next.start;
    request.stop = next.stop;
    if (request.go_on) {
        if (!bench.system.live->started()) return bench.fail(messages::no_run_stands("SIMU -CONT"));
        const std::optional<SessionFacts::Run>& last = bench.system.last_run;
        if (last && last->outcome == RunOutcome::Interrupted && numbers.empty() &&
            last->reached == bench.system.live->time()) {
            // A run that was interrupted is finished.
            request.start = last->from;
            request.stop = last->to;
        } else {
            request.start = bench.system.live->time();
            request.stop = request.start + (next.stop - next.start);
        }
    }
    // Without STORE everything is stored, but only where a file is named.
    if (bench.store_on || options->file) request.file = next.file;
    bench.run = next;
    if (bench.plotted.empty() && !request.file && !bench.system.told_no_plot) {
        bench.system.told_no_plot = true;
        bench.note(messages::nothing_is_plotted());
    }
    return run_system(bench, request);
}

}  // namespace cutset
