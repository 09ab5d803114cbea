#include "operations/ensembles/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/fingerprint.h"
#include "base/internal_error.h"
#include "base/json.h"
#include "operations/ensembles/content_hash.h"
#include "operations/ensembles/sweep_messages.h"
#include "results/parameters_file.h"
#include "results/writer.h"
#include "run/outcome_words.h"

namespace cutset {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

std::string case_hash(const std::string& content, const std::vector<double>& values) {
    ContentHash h;
    h.add(content);
    h.add(values);
    return h.text();
}

// Empty when the file cannot be read.
std::string checksum(const fs::path& path) {
    std::string problem;
    const auto content = read_file(path.string(), problem);
    return content ? fingerprint(*content).text() : "";
}

// ---- lines of sweep.jsonl

Json to_json(std::size_t number, const SweptCase& c) {
    Json values = Json::array();
    for (double v : c.values) values.push_back(std::isfinite(v) ? Json(v) : Json());
    return {{"case", number},      {"hash", c.hash},      {"outcome", word(c.outcome)},
            {"time", c.time},      {"rows", c.rows},      {"file", c.file},
            {"bytes", c.bytes},    {"check", c.checksum}, {"values", std::move(values)},
            {"message", c.message}};
}

std::optional<std::pair<std::size_t, SweptCase>> from_json(const nlohmann::json& j) {
    try {
        SweptCase c;
        c.hash = j.at("hash");
        const auto outcome = run_outcome(j.at("outcome").get<std::string>());
        if (!outcome) return std::nullopt;
        c.outcome = *outcome;
        c.message = j.at("message");
        c.file = j.at("file");
        c.time = j.at("time");
        c.rows = j.at("rows");
        c.bytes = j.at("bytes");
        c.checksum = j.value("check", "");
        for (const auto& v : j.at("values")) c.values.push_back(v.is_number() ? v.get<double>() : no_value);
        return std::pair(j.at("case").get<std::size_t>(), std::move(c));
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

// A line of the journal ends with a checksum of what stands before: what was cut or edited is not used.
constexpr std::string_view sum_mark = ",\"sum\":\"";

std::string with_sum(const Json& record) {
    std::string line = json_text(record);
    const std::string sum = fingerprint(line).text();
    line.pop_back();  // the closing brace
    return line.append(sum_mark).append(sum).append("\"}\n");
}

// The record; nothing when the checksum does not fit.
std::optional<nlohmann::json> checked_record(std::string_view line) {
    const std::size_t at = line.rfind(sum_mark);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string body = std::string(line.substr(0, at)) + "}";
    if (line.substr(at + sum_mark.size()) != fingerprint(body).text() + "\"}") return std::nullopt;
    nlohmann::json record = nlohmann::json::parse(body, nullptr, false);
    if (!record.is_object()) return std::nullopt;
    return record;
}

// Rows to a file, and condensed.
class CaseSink : public RowSink {
  public:
    CaseSink(std::unique_ptr<ResultWriter> writer, const std::vector<SweepColumn>& wanted)
        : writer_(std::move(writer)), wanted_(wanted) {}

    std::optional<std::string> begin(const Columns& columns) override {
        if (writer_)
            if (auto problem = writer_->begin(columns)) return problem;
        std::map<std::string_view, std::size_t> found;
        for (const SweepColumn& w : wanted_) found.emplace(w.name, std::size_t(-1));
        std::vector<std::size_t> stored(columns.size());
        std::size_t next = 0;
        for (ColumnIndex c(0); c < columns.end_index(); ++c.value) {
            if (columns[c].stored()) stored[c.value] = next++;
            if (const auto at = found.find(columns[c].name);
                at != found.end() && at->second == std::size_t(-1))
                at->second = c.value;
        }
        for (const SweepColumn& w : wanted_) {
            Source& p = sources_.emplace_back();
            const std::size_t at = found[w.name];
            if (at == std::size_t(-1)) continue;
            const Column& column = columns[ColumnIndex(at)];
            if (column.kind == ColumnKind::Parameter) {
                p.constant = column.value;
            } else {
                const bool alias = column.kind == ColumnKind::Alias;
                p.stored = stored[alias ? column.alias_of.value : at];
                p.sign = alias && column.negated ? -1 : 1;
            }
        }
        values.assign(wanted_.size(), no_value);
        return std::nullopt;
    }
    std::optional<std::string> row(std::span<const double> row) override {
        for (std::size_t i = 0; i < sources_.size(); ++i) {
            const Source& p = sources_[i];
            const double v = p.stored == std::size_t(-1) ? p.constant : p.sign * row[p.stored];
            const SweepColumn::Kind kind = wanted_[i].kind;
            if (first_ || kind == SweepColumn::Kind::Final ||
                (kind == SweepColumn::Kind::Minimum && v < values[i]) ||
                (kind == SweepColumn::Kind::Maximum && v > values[i]))
                values[i] = v;
        }
        first_ = false;
        return writer_ ? writer_->append(row) : std::nullopt;
    }
    std::optional<std::string> finish() { return writer_ ? writer_->finish() : std::nullopt; }

    std::vector<double> values;

  private:
    struct Source {
        std::size_t stored = std::size_t(-1);
        double sign = 1, constant = no_value;
    };
    std::unique_ptr<ResultWriter> writer_;
    const std::vector<SweepColumn>& wanted_;
    std::vector<Source> sources_;
    bool first_ = true;
};

// A field of a CSV file.
std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string result = "\"";
    for (char c : text) {
        if (c == '"') result += '"';
        result += c == '\n' ? ' ' : c;
    }
    return result + '"';
}

class Sweep {
  public:
    Sweep(Ensemble& ensemble, const CaseList& list, const SweepSettings& settings)
        : ensemble_(ensemble),
          list_(list),
          settings_(settings),
          directory_(settings.directory),
          cases_(list.cases.size()) {}

    // What earlier runs of the same sweep have done. False with a message when the directory cannot be used.
    bool open(Diagnostics& diagnostics);
    void run();
    // Removes what a program that was ended has left of cases that are complete by now.
    void remove_leftovers() const;
    bool write_table(std::string& problem) const;
    SweepResult result(Diagnostics& diagnostics);

  private:
    std::string table_path() const { return (directory_ / "cases.csv").string(); }
    std::string file_name(std::size_t number) const;
    bool is_whole(const SweptCase& c) const;
    bool interrupted() const { return settings_.interrupt && *settings_.interrupt; }
    // The length of the whole lines that belong to this sweep; nothing when the directory holds another one.
    std::optional<std::size_t> read_manifest(const fs::path& path, bool& same);
    bool begin_manifest(const fs::path& path, std::optional<std::size_t> complete);
    void work();
    void run_case(std::size_t number);
    // The case, run once, or twice where the equations of all modes together cannot go on.
    SweptCase simulate_case(std::size_t number, Diagnostics& diagnostics);
    // Not `lasting`: the same sweep, continued, runs the case again.
    void add(std::size_t number, SweptCase c, const Diagnostics& diagnostics, bool lasting);
    void remove_result(const std::string& file) const;

    Ensemble& ensemble_;
    const CaseList& list_;
    const SweepSettings& settings_;
    fs::path directory_;
    std::vector<std::pair<std::string, std::string>> leftovers_;  // files, and partial ones of them found
    std::vector<std::size_t> todo_;
    std::atomic<std::size_t> next_{0};
    std::size_t skipped_ = 0;
    double seconds_ = 0;

    std::mutex mutex_;  // guards what follows while threads run
    std::condition_variable ended_;
    std::size_t running_ = 0;
    std::atomic<std::size_t> done_{0};
    std::vector<std::optional<SweptCase>> cases_;
    std::ofstream manifest_;
    std::string write_problem_;
    RunTotals totals_;
    double thread_seconds_ = 0;
    std::map<std::string, SweepMessage> messages_;  // by what is said: failures and warnings
};

std::string Sweep::file_name(std::size_t number) const {
    const std::size_t width = std::max<std::size_t>(4, std::to_string(list_.cases.size()).size());
    return fmt::format("case_{:0{}}.{}", number + 1, width, settings_.format);
}

bool Sweep::is_whole(const SweptCase& c) const {
    std::error_code ec;
    if (c.file.empty()) return true;
    if (fs::file_size(directory_ / c.file, ec) != c.bytes || ec) return false;
    return c.checksum.empty() || checksum(directory_ / c.file) == c.checksum;
}

void Sweep::remove_leftovers() const {
    for (const auto& [file, partial] : leftovers_)
        for (std::size_t i = 0; i < cases_.size(); ++i)
            if (cases_[i] && file_name(i) == file) remove_abandoned((directory_ / partial).string());
}

std::optional<std::size_t> Sweep::read_manifest(const fs::path& path, bool& same) {
    std::ifstream in(path, std::ios::binary);
    std::string line;
    std::size_t complete = 0;
    bool first = true;
    while (std::getline(in, line)) {
        if (in.eof()) break;  // the last line was not finished
        const auto record = checked_record(line);
        if (first) {
            first = false;
            if (!record || record->value("content", "") != settings_.content) return std::nullopt;
            same = true;
        } else if (auto read = record ? from_json(*record) : std::nullopt) {
            auto& [number, c] = *read;
            if (number < 1 || number > cases_.size() ||
                c.hash != case_hash(settings_.content, list_.cases[number - 1]) ||
                c.values.size() != settings_.columns.size())
                return std::nullopt;
            cases_[number - 1] = std::move(c);
        }
        complete += line.size() + 1;
    }
    return complete;
}

// Goes on after the lines that are whole, or begins anew.
bool Sweep::begin_manifest(const fs::path& path, std::optional<std::size_t> complete) {
    std::error_code ec;
    if (complete) {
        for (const auto& entry : fs::directory_iterator(directory_, ec)) {
            const std::string name = entry.path().filename().string();
            if (const auto target = target_of_partial(name)) leftovers_.emplace_back(*target, name);
        }
        fs::resize_file(path, *complete, ec);
        manifest_.open(path, std::ios::binary | std::ios::app);
        return bool(manifest_);
    }
    if (settings_.overwrite)
        for (const auto& entry : fs::directory_iterator(directory_, ec)) {
            const std::string name = entry.path().filename().string();
            if (name.starts_with("case_") || name == "cases.csv") fs::remove(entry.path(), ec);
        }
    manifest_.open(path, std::ios::binary | std::ios::trunc);
    manifest_ << with_sum({{"sweep", 2}, {"content", settings_.content}, {"names", list_.names}})
              << std::flush;
    return bool(manifest_);
}

bool Sweep::open(Diagnostics& diagnostics) {
    std::error_code ec;
    fs::create_directories(directory_, ec);
    if (ec || !fs::is_directory(directory_, ec)) {
        diagnostics.report(sweep_messages::no_directory(settings_.directory,
                                                        ec ? ec.message() : "a file of that name exists"));
        return false;
    }
    const fs::path path = directory_ / "sweep.jsonl";
    bool same = false;
    std::optional<std::size_t> complete;
    if (fs::exists(path, ec) && !settings_.overwrite) {
        complete = read_manifest(path, same);
        if (!complete) {
            diagnostics.report(sweep_messages::another_sweep(settings_.directory));
            return false;
        }
    }
    for (std::size_t i = 0; i < cases_.size(); ++i) {
        if (cases_[i] && !is_whole(*cases_[i])) cases_[i].reset();
        if (cases_[i])
            ++skipped_;
        else
            todo_.push_back(i);
    }
    if (begin_manifest(path, same ? complete : std::nullopt)) return true;
    diagnostics.report(sweep_messages::cannot_write(path.string()));
    return false;
}

SweptCase Sweep::simulate_case(std::size_t number, Diagnostics& diagnostics) {
    SweptCase c;
    c.hash = case_hash(settings_.content, list_.cases[number]);
    c.file = settings_.keep_results ? file_name(number) : "";
    const std::string path = (directory_ / c.file).string();
    for (int attempt = 0; attempt < 2; ++attempt) {
        diagnostics = {};
        std::unique_ptr<ResultWriter> writer;
        Problem problem;
        if (settings_.keep_results) writer = make_writer(path, settings_.choice, problem);
        CaseSink sink(std::move(writer), settings_.columns);
        const Ensemble::Case result = ensemble_.run(list_.cases[number], sink, diagnostics);
        problem = sink.finish();
        {
            const std::lock_guard lock(mutex_);
            totals_.add(result.summary);
        }
        c.values = sink.values;
        if (result.summary.needs_mode) continue;
        c.outcome = result.summary.outcome;
        c.time = result.summary.time;
        c.rows = result.summary.rows;
        if (problem) {
            c.outcome = RunOutcome::Failed;
            const std::lock_guard lock(mutex_);
            if (write_problem_.empty()) write_problem_ = *problem;
        }
        break;
    }
    return c;
}

void Sweep::run_case(std::size_t number) {
    SweptCase c;
    Diagnostics diagnostics;
    bool lasting = true;
    try {
        c = simulate_case(number, diagnostics);
    } catch (...) {  // a bug of ours, or no memory left: this case has failed, the others go on
        const Failure failure = current_failure();
        diagnostics.report(failure_diagnostic(failure));
        c.hash = case_hash(settings_.content, list_.cases[number]);
        lasting = failure.kind == Failure::Kind::Internal;
        if (settings_.keep_results) remove_result(file_name(number));
    }
    const std::string path = (directory_ / c.file).string();
    std::error_code ec;
    if (c.outcome == RunOutcome::Interrupted || (interrupted() && c.outcome != RunOutcome::Finished)) {
        if (!c.file.empty()) remove_result(c.file);  // it will be run again
        return;
    }
    if (c.rows == 0) c.file.clear();
    if (!c.file.empty()) {
        c.bytes = fs::file_size(path, ec);
        c.checksum = checksum(path);
    }
    c.values.resize(settings_.columns.size(), no_value);
    for (const Diagnostic& d : diagnostics.all())
        if (d.severity == Severity::Error && c.message.empty()) c.message = d.message;
    add(number, std::move(c), diagnostics, lasting);
}

void Sweep::add(std::size_t number, SweptCase c, const Diagnostics& diagnostics, bool lasting) {
    const std::string line = with_sum(to_json(number + 1, c));
    const std::lock_guard lock(mutex_);
    if (write_problem_.empty() && lasting) {
        manifest_ << line << std::flush;
        if (!manifest_) write_problem_ = "cannot write " + (directory_ / "sweep.jsonl").string();
    }
    for (const Diagnostic& d : diagnostics.all()) {
        if (d.severity == Severity::Note) continue;
        const std::string key = fmt::format("{}{} {} {}", d.severity == Severity::Error ? 0 : 1, d.code,
                                            d.where.begin, d.submodel);
        SweepMessage& message = messages_[key];
        if (message.cases++ == 0 || number < message.first) {
            message.first = number;
            message.diagnostic = d;
        }
    }
    cases_[number] = std::move(c);
    ++done_;
}

void Sweep::remove_result(const std::string& file) const {
    std::error_code ec;
    fs::remove(directory_ / file, ec);
    if (const std::string beside = parameters_path(file); !beside.empty())
        fs::remove(directory_ / beside, ec);
}

void Sweep::work() {
    const auto began = Clock::now();
    while (!interrupted()) {
        {
            const std::lock_guard lock(mutex_);
            if (!write_problem_.empty()) break;
        }
        const std::size_t i = next_++;
        if (i >= todo_.size()) break;
        run_case(todo_[i]);
    }
    const std::lock_guard lock(mutex_);
    thread_seconds_ += std::chrono::duration<double>(Clock::now() - began).count();
    --running_;
    ended_.notify_all();
}

void Sweep::run() {
    const auto started = Clock::now();
    const std::size_t jobs = std::min(settings_.jobs, std::max<std::size_t>(todo_.size(), 1));
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < jobs; ++i) {
        {
            const std::lock_guard lock(mutex_);
            ++running_;
        }
        try {
            threads.emplace_back([this] { work(); });
        } catch (const std::exception&) {  // fewer threads, then; without any, this one
            if (threads.empty()) {
                work();
            } else {
                const std::lock_guard lock(mutex_);
                --running_;
            }
            break;
        }
    }
    {
        std::unique_lock lock(mutex_);
        while (running_ > 0) {
            ended_.wait_for(lock, std::chrono::milliseconds(settings_.progress ? 100 : 1000));
            if (settings_.progress) settings_.progress(done_, todo_.size());
        }
    }
    for (std::thread& t : threads) t.join();
    remove_leftovers();
    seconds_ = std::chrono::duration<double>(Clock::now() - started).count();
}

bool Sweep::write_table(std::string& problem) const {
    std::string text = "case";
    for (const std::string& name : list_.names) text += ',' + quoted(name);
    text += ",outcome,time";
    for (const SweepColumn& c : settings_.columns) text += ',' + quoted(c.title());
    text += ",message\n";
    for (std::size_t i = 0; i < cases_.size(); ++i) {
        if (!cases_[i]) continue;
        const SweptCase& c = *cases_[i];
        text += std::to_string(i + 1);
        for (double v : list_.cases[i]) append_number(text += ',', v);
        text += fmt::format(",{},", word(c.outcome));
        append_number(text, c.time);
        for (double v : c.values) {
            text += ',';
            if (!std::isnan(v)) append_number(text, v);
        }
        text += ',' + quoted(c.message) + '\n';
    }
    return write_file(table_path(), text, problem);
}

SweepResult Sweep::result(Diagnostics& diagnostics) {
    SweepResult out;
    std::string problem;
    if (!write_table(problem)) diagnostics.report(sweep_messages::table_not_written(problem));
    if (!write_problem_.empty()) diagnostics.report(sweep_messages::writing_stopped(write_problem_));
    out.stopped_writing = !write_problem_.empty();
    out.cases = std::move(cases_);
    out.run = done_;
    out.skipped = skipped_;
    for (auto& [key, message] : messages_) out.messages.push_back(std::move(message));
    out.table = table_path();
    out.totals = totals_;
    out.seconds = seconds_;
    out.thread_seconds = thread_seconds_;
    return out;
}

}  // namespace

std::string SweepColumn::title() const {
    return kind == Kind::Final ? name : (kind == Kind::Minimum ? "min(" : "max(") + name + ")";
}

std::vector<SweepColumn> default_sweep_columns(const Partition& partition) {
    constexpr std::size_t most = 30;
    std::vector<SweepColumn> columns;
    const auto add = [&](VariableIndex v) {
        if (columns.size() < most) columns.push_back({SweepColumn::Kind::Final, partition.model.path(v)});
    };
    for (VariableIndex v : shown_states(partition)) add(v);
    for (VariableIndex v{0}; v < partition.model.variables.end_index(); ++v.value)
        if (partition.model.variables[v].top_output) add(v);
    return columns;
}

std::size_t SweepResult::failed() const {
    return std::size_t(std::count_if(cases.begin(), cases.end(),
                                     [](const auto& c) { return c && c->outcome == RunOutcome::Failed; }));
}

std::optional<SweepResult> sweep(Ensemble& ensemble, const CaseList& list, const SweepSettings& settings,
                                 Diagnostics& diagnostics) {
    Sweep sweep(ensemble, list, settings);
    if (!sweep.open(diagnostics)) return std::nullopt;
    sweep.run();
    return sweep.result(diagnostics);
}

}  // namespace cutset
