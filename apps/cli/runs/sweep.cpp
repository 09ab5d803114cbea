// cutset sweep: one model, many sets of parameters, on all cores.
//
// In the directory of results:
//     cases.csv        one row per case: values, outcome, end values; written anew at the end of each sweep
//     case_0001.csv …  the result of each case
//     sweep.jsonl      what is complete, one line per case, added as cases end; the first line says of which
//                      model, options and values this is the sweep
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/fingerprint.h"
#include "base/json.h"
#include "commands.h"
#include "operations/ensembles/case_list.h"
#include "operations/ensembles/ensemble.h"
#include "output/console.h"
#include "output/curves.h"
#include "output/diagnostics_json.h"
#include "results/writer.h"
#include "runs/profile.h"
#include "runs/run_options.h"

namespace cutset::cli {

namespace {

struct SweepCommand : RunOptions {
    std::vector<std::string> vary;
    std::string cases;
    std::string output;                                     // directory
    std::optional<double> jobs;                             // threads; else one per core
    std::vector<std::string> final_values, minima, maxima;  // columns of the table
    std::string format;                                     // csv or mat; empty: csv
    bool no_results = false;                                // the table only
    bool overwrite = false;
    bool profile = false;
};

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// 128 bits of FNV-1a, two halves with different beginnings: equal for equal content, and not by accident.
class ContentHash {
  public:
    void add(std::string_view text) {
        bytes(text.data(), text.size());
        number(text.size());
    }
    void number(std::uint64_t n) { bytes(reinterpret_cast<const char*>(&n), sizeof n); }
    void add(double value) { number(std::bit_cast<std::uint64_t>(value)); }
    void add(const std::vector<double>& values) {
        for (double v : values) add(v);
        number(values.size());
    }
    void add(const std::optional<double>& value) {
        number(value.has_value());
        if (value) add(*value);
    }
    void add(const std::vector<std::string>& texts) {
        for (const std::string& t : texts) add(t);
        number(texts.size());
    }
    std::string text() const { return fmt::format("{:016x}{:016x}", first_, second_); }

  private:
    void bytes(const char* data, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) {
            const auto c = static_cast<unsigned char>(data[i]);
            first_ = (first_ ^ c) * 0x100000001b3u;
            second_ = (second_ ^ c) * 0x100000001b3u + 0x9e3779b97f4a7c15u;
        }
    }
    std::uint64_t first_ = 0xcbf29ce484222325u, second_ = 0x84222325cbf29ce4u;
};

// What the results depend on, values aside.
std::string content_hash(const SweepCommand& o, const Workspace& workspace, const Experiment& experiment,
                         const CaseList& list, const std::vector<std::string>& columns) {
    ContentHash h;
    h.add(std::string_view("cutset sweep 1"));
    for (const auto& file : workspace.text.classes().files)
        h.add(workspace.text.sources().text(file->source));
    h.add(o.model);
    for (const auto* texts : {&o.set, &o.init, &o.input, &o.known, &o.unknown, &o.tear}) h.add(*texts);
    for (const Experiment::InputFile& f : experiment.input_files) {
        h.add(f.path);
        h.add(f.table.x);
        h.add(f.table.values);
    }
    for (const Experiment::Known& k : experiment.knowns) {
        h.add(k.path);
        if (k.table) {
            h.add(k.table->x);
            h.add(k.table->values);
        }
    }
    h.add(o.initial);
    for (const auto& value : {o.start, o.stop, o.step, o.tolerance, o.absolute, o.points, o.step_size,
                              o.max_step, o.local_tolerance})
        h.add(value);
    for (const std::string& text : {o.solver, o.step_control, o.format}) h.add(text);
    for (bool flag : {o.every_step, o.states, o.strict, o.allow_external, o.no_results}) h.number(flag);
    h.add(list.names);
    h.add(columns);
    return h.text();
}

std::string case_hash(const std::string& content, const std::vector<double>& values) {
    ContentHash h;
    h.add(content);
    h.add(values);
    return h.text();
}

// A column of the table that the rows of a run are condensed to.
struct Condensed {
    enum class Kind { Final, Minimum, Maximum } kind;
    std::string name;
    std::string title() const {
        return kind == Kind::Final ? name : (kind == Kind::Minimum ? "min(" : "max(") + name + ")";
    }
};

// Empty when the file cannot be read.
std::string checksum(const fs::path& path) {
    std::string problem;
    const auto content = read_file(path.string(), problem);
    return content ? fingerprint(*content).text() : "";
}

// What is known of a case that has been run.
struct Record {
    std::string hash, outcome, message, file;
    std::string check;  // checksum of its file
    double time = 0;
    std::size_t rows = 0;
    std::uint64_t bytes = 0;     // of its file
    std::vector<double> values;  // condensed
    bool failed() const { return outcome == "failed"; }
};

Json to_json(std::size_t number, const Record& r) {
    Json values = Json::array();
    for (double v : r.values) values.push_back(std::isfinite(v) ? Json(v) : Json());
    return {{"case", number},      {"hash", r.hash},   {"outcome", r.outcome},
            {"time", r.time},      {"rows", r.rows},   {"file", r.file},
            {"bytes", r.bytes},    {"check", r.check}, {"values", std::move(values)},
            {"message", r.message}};
}

std::optional<std::pair<std::size_t, Record>> from_json(const nlohmann::json& j) {
    try {
        Record r;
        r.hash = j.at("hash");
        r.outcome = j.at("outcome");
        r.message = j.at("message");
        r.file = j.at("file");
        r.time = j.at("time");
        r.rows = j.at("rows");
        r.bytes = j.at("bytes");
        r.check = j.value("check", "");
        for (const auto& v : j.at("values"))
            r.values.push_back(v.is_number() ? v.get<double>() : std::numeric_limits<double>::quiet_NaN());
        return std::pair(j.at("case").get<std::size_t>(), std::move(r));
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

// Rows to a file, and condensed.
class CaseSink : public RowSink {
  public:
    CaseSink(std::unique_ptr<ResultWriter> writer, const std::vector<Condensed>& wanted)
        : writer_(std::move(writer)), wanted_(wanted) {}

    std::optional<std::string> begin(const Columns& columns) override {
        if (writer_)
            if (auto problem = writer_->begin(columns)) return problem;
        std::map<std::string_view, std::size_t> found;
        for (const Condensed& w : wanted_) found.emplace(w.name, std::size_t(-1));
        std::vector<std::size_t> stored(columns.size());
        std::size_t next = 0;
        for (ColumnIndex c(0); c < columns.end_index(); ++c.value) {
            if (columns[c].stored()) stored[c.value] = next++;
            if (const auto at = found.find(columns[c].name);
                at != found.end() && at->second == std::size_t(-1))
                at->second = c.value;
        }
        for (const Condensed& w : wanted_) {
            Place& p = places_.emplace_back();
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
        values.assign(wanted_.size(), std::numeric_limits<double>::quiet_NaN());
        return std::nullopt;
    }
    std::optional<std::string> row(std::span<const double> row) override {
        for (std::size_t i = 0; i < places_.size(); ++i) {
            const Place& p = places_[i];
            const double v = p.stored == std::size_t(-1) ? p.constant : p.sign * row[p.stored];
            const Condensed::Kind kind = wanted_[i].kind;
            if (first_ || kind == Condensed::Kind::Final ||
                (kind == Condensed::Kind::Minimum && v < values[i]) ||
                (kind == Condensed::Kind::Maximum && v > values[i]))
                values[i] = v;
        }
        first_ = false;
        return writer_ ? writer_->append(row) : std::nullopt;
    }
    std::optional<std::string> finish() { return writer_ ? writer_->finish() : std::nullopt; }

    std::vector<double> values;

  private:
    struct Place {
        std::size_t stored = std::size_t(-1);
        double sign = 1, constant = std::numeric_limits<double>::quiet_NaN();
    };
    std::unique_ptr<ResultWriter> writer_;
    const std::vector<Condensed>& wanted_;
    std::vector<Place> places_;
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
    Sweep(const SweepCommand& command, Workspace& workspace, Ensemble& ensemble, const CaseList& list,
          std::vector<Condensed> columns, std::string content)
        : command_(command),
          workspace_(workspace),
          ensemble_(ensemble),
          list_(list),
          columns_(std::move(columns)),
          content_(std::move(content)),
          directory_(command.output),
          records_(list.cases.size()) {}

    // What earlier runs of the same sweep have done. False with a message when the directory cannot be used.
    bool open(Diagnostics& diagnostics);
    void run(std::size_t jobs);
    // Removes what a program that was ended has left of cases that are complete by now.
    void remove_leftovers() const;
    bool write_table(std::string& problem) const;
    std::size_t done() const { return done_; }
    std::size_t skipped() const { return skipped_; }
    std::size_t failed() const {
        return std::size_t(
            std::count_if(records_.begin(), records_.end(), [](const auto& r) { return r && r->failed(); }));
    }
    const std::vector<std::optional<Record>>& records() const { return records_; }
    const std::string& write_problem() const { return write_problem_; }
    void print_failures() const;
    // Of the cases that were run; `total` is the time of all threads.
    const ProfileTimes& times() const { return times_; }
    std::string table_path() const { return (directory_ / "cases.csv").string(); }

  private:
    std::string file_name(std::size_t number) const;
    bool is_whole(const Record& record) const;
    void work();
    void run_case(std::size_t number);
    void add(std::size_t number, Record record, const Diagnostics& diagnostics);
    void show(Clock::time_point started, bool last) const;

    const SweepCommand& command_;
    Workspace& workspace_;
    Ensemble& ensemble_;
    const CaseList& list_;
    std::vector<Condensed> columns_;
    std::string content_;
    fs::path directory_;
    std::vector<std::pair<std::string, std::string>> leftovers_;  // files, and partial ones of them found
    std::vector<std::size_t> todo_;
    std::atomic<std::size_t> next_{0};
    std::size_t skipped_ = 0;

    mutable std::mutex mutex_;  // guards what follows while threads run
    std::condition_variable ended_;
    std::size_t running_ = 0;
    std::atomic<std::size_t> done_{0};
    std::vector<std::optional<Record>> records_;  // by case
    std::ofstream manifest_;
    std::string write_problem_;
    ProfileTimes times_;
    struct Told {
        std::size_t cases = 0, first = 0;
        std::string text;
    };
    std::map<std::string, Told> told_;  // by what is said: failures and warnings
};

std::string Sweep::file_name(std::size_t number) const {
    const std::size_t width = std::max<std::size_t>(4, std::to_string(list_.cases.size()).size());
    return fmt::format("case_{:0{}}.{}", number + 1, width,
                       command_.format.empty() ? "csv" : command_.format);
}

bool Sweep::is_whole(const Record& r) const {
    std::error_code ec;
    if (r.file.empty()) return true;
    if (fs::file_size(directory_ / r.file, ec) != r.bytes || ec) return false;
    return r.check.empty() || checksum(directory_ / r.file) == r.check;
}

void Sweep::remove_leftovers() const {
    for (const auto& [file, partial] : leftovers_)
        for (std::size_t i = 0; i < records_.size(); ++i)
            if (records_[i] && file_name(i) == file) remove_abandoned((directory_ / partial).string());
}

bool Sweep::open(Diagnostics& diagnostics) {
    std::error_code ec;
    fs::create_directories(directory_, ec);
    if (ec || !fs::is_directory(directory_, ec)) {
        diagnostics.report(bad_option(fmt::format("-o {}: cannot make this directory: {}", command_.output,
                                                  ec ? ec.message() : "a file of that name exists")));
        return false;
    }
    const fs::path path = directory_ / "sweep.jsonl";
    bool same = false, other = false;
    std::size_t complete = 0;  // length of whole lines
    if (fs::exists(path, ec) && !command_.overwrite) {
        std::ifstream in(path, std::ios::binary);
        std::string line;
        bool first = true;
        while (std::getline(in, line)) {
            if (in.eof()) break;  // the last line was not finished
            const auto j = nlohmann::json::parse(line, nullptr, false);
            if (first) {
                first = false;
                if (!j.is_object() || j.value("content", "") != content_) {
                    other = true;
                    break;
                }
                same = true;
            } else if (auto record = from_json(j)) {
                auto& [number, r] = *record;
                if (number < 1 || number > records_.size() ||
                    r.hash != case_hash(content_, list_.cases[number - 1]) ||
                    r.values.size() != columns_.size()) {
                    other = true;
                    break;
                }
                records_[number - 1] = std::move(r);
            }
            complete += line.size() + 1;
        }
    }
    if (other) {
        diagnostics.report(bad_option(
            fmt::format("{} holds another sweep: its model, options or values are not those of this one",
                        command_.output),
            "choose another directory with -o, or add --overwrite to replace what is there"));
        return false;
    }
    for (auto& record : records_)
        if (record && !is_whole(*record)) record.reset();
    for (std::size_t i = 0; i < records_.size(); ++i)
        if (records_[i])
            ++skipped_;
        else
            todo_.push_back(i);
    if (same) {
        for (const auto& entry : fs::directory_iterator(directory_, ec)) {
            const std::string name = entry.path().filename().string();
            if (const auto target = target_of_partial(name)) leftovers_.emplace_back(*target, name);
        }
        fs::resize_file(path, complete, ec);
        manifest_.open(path, std::ios::binary | std::ios::app);
    } else {
        if (command_.overwrite)
            for (const auto& entry : fs::directory_iterator(directory_, ec)) {
                const std::string name = entry.path().filename().string();
                if (name.starts_with("case_") || name == "cases.csv") fs::remove(entry.path(), ec);
            }
        manifest_.open(path, std::ios::binary | std::ios::trunc);
        manifest_ << Json{{"sweep", 1}, {"content", content_}, {"names", list_.names}}.dump() << '\n'
                  << std::flush;
    }
    if (!manifest_) {
        diagnostics.report(bad_option(fmt::format("cannot write {}", path.string())));
        return false;
    }
    return true;
}

void Sweep::run_case(std::size_t number) {
    Record record;
    record.hash = case_hash(content_, list_.cases[number]);
    record.file = command_.no_results ? "" : file_name(number);
    const std::string path = (directory_ / record.file).string();
    Diagnostics diagnostics;
    for (int attempt = 0; attempt < 2; ++attempt) {
        diagnostics = {};
        std::unique_ptr<ResultWriter> writer;
        Problem problem;
        if (!command_.no_results) writer = make_writer(path, problem);
        CaseSink sink(std::move(writer), columns_);
        const Ensemble::Case result = ensemble_.run(list_.cases[number], sink, diagnostics);
        problem = sink.finish();
        {
            const std::lock_guard lock(mutex_);
            times_.add(result.summary);
        }
        record.values = sink.values;
        if (result.summary.needs_mode) continue;
        record.outcome = outcome_name(result.summary.outcome);
        record.time = result.summary.time;
        record.rows = result.summary.rows;
        if (problem) {
            record.outcome = "failed";
            const std::lock_guard lock(mutex_);
            if (write_problem_.empty()) write_problem_ = *problem;
        }
        break;
    }
    std::error_code ec;
    if (record.outcome == "interrupted" || (was_interrupted() && record.outcome != "finished")) {
        if (!record.file.empty()) fs::remove(path, ec);  // it will be run again
        return;
    }
    if (record.rows == 0) record.file.clear();
    if (!record.file.empty()) {
        record.bytes = fs::file_size(path, ec);
        record.check = checksum(path);
    }
    record.values.resize(columns_.size(), std::numeric_limits<double>::quiet_NaN());
    for (const Diagnostic& d : diagnostics.all())
        if (d.severity == Severity::Error && record.message.empty()) record.message = d.message;
    add(number, std::move(record), diagnostics);
}

void Sweep::add(std::size_t number, Record record, const Diagnostics& diagnostics) {
    const std::string line = to_json(number + 1, record).dump() + '\n';
    const std::lock_guard lock(mutex_);
    if (write_problem_.empty()) {
        manifest_ << line << std::flush;
        if (!manifest_) write_problem_ = "cannot write " + (directory_ / "sweep.jsonl").string();
    }
    for (const Diagnostic& d : diagnostics.all()) {
        if (d.severity == Severity::Note || (d.severity == Severity::Warning && command_.quiet)) continue;
        const std::string key = fmt::format("{}{} {} {}", d.severity == Severity::Error ? 0 : 1, d.code,
                                            d.where.begin, d.submodel);
        Told& told = told_[key];
        if (told.cases++ == 0 || number < told.first) {
            told.first = number;
            told.text = render(d, workspace_.text.sources(), colour_on(stderr));
            while (!told.text.empty() && told.text.back() == '\n') told.text.pop_back();
        }
    }
    records_[number] = std::move(record);
    ++done_;
}

void Sweep::work() {
    const auto began = Clock::now();
    while (!was_interrupted()) {
        {
            const std::lock_guard lock(mutex_);
            if (!write_problem_.empty()) break;
        }
        const std::size_t i = next_++;
        if (i >= todo_.size()) break;
        run_case(todo_[i]);
    }
    const std::lock_guard lock(mutex_);
    times_.total += std::chrono::duration<double>(Clock::now() - began).count();
    --running_;
    ended_.notify_all();
}

void Sweep::show(Clock::time_point started, bool last) const {
    const double seconds = std::chrono::duration<double>(Clock::now() - started).count();
    if (!last && seconds < 0.5) return;
    const std::size_t n = done_, all = todo_.size();
    const double rate = seconds > 0 ? double(n) / seconds : 0;
    const int width = 30, filled = all ? static_cast<int>(double(n) / double(all) * width) : width;
    std::string bar;
    for (int i = 0; i < width; ++i) bar += i < filled ? "█" : "░";
    fmt::print(stderr, "\r{} {} of {}  {:.3g}/s  about {:.0f} s left \033[K", bar, n, all, rate,
               rate > 0 ? double(all - n) / rate : 0);
    if (last) fmt::print(stderr, "\r\033[K");
    std::fflush(stderr);
}

void Sweep::run(std::size_t jobs) {
    const auto started = Clock::now();
    const bool bar = !command_.quiet && !command_.json && isatty(STDERR_FILENO);
    jobs = std::min(jobs, std::max<std::size_t>(todo_.size(), 1));
    running_ = jobs;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < jobs; ++i) threads.emplace_back([this] { work(); });
    {
        std::unique_lock lock(mutex_);
        while (running_ > 0) {
            ended_.wait_for(lock, std::chrono::milliseconds(bar ? 100 : 1000));
            if (bar) show(started, false);
        }
    }
    for (std::thread& t : threads) t.join();
    if (bar) show(started, true);
}

bool Sweep::write_table(std::string& problem) const {
    std::string text = "case";
    for (const std::string& name : list_.names) text += ',' + quoted(name);
    text += ",outcome,time";
    for (const Condensed& c : columns_) text += ',' + quoted(c.title());
    text += ",message\n";
    for (std::size_t i = 0; i < records_.size(); ++i) {
        if (!records_[i]) continue;
        const Record& r = *records_[i];
        text += std::to_string(i + 1);
        for (double v : list_.cases[i]) append_number(text += ',', v);
        text += ',' + r.outcome + ',';
        append_number(text, r.time);
        for (double v : r.values) {
            text += ',';
            if (!std::isnan(v)) append_number(text, v);
        }
        text += ',' + quoted(r.message) + '\n';
    }
    return write_file(table_path(), text, problem);
}

void Sweep::print_failures() const {
    constexpr std::size_t most_shown = 5;
    std::size_t shown = 0;
    for (const auto& [key, told] : told_) {
        if (++shown > most_shown) {
            fmt::print(stderr, "and {} more kinds of messages; {} has the message of each case that failed\n",
                       told_.size() - most_shown, table_path());
            break;
        }
        fmt::print(stderr, "{}\n  in {} of {} cases, the first is case {}\n", told.text, told.cases,
                   list_.cases.size(), told.first + 1);
    }
}

std::vector<std::string> default_columns(const Partition& partition) {
    constexpr std::size_t most = 30;
    std::vector<std::string> names;
    for (VariableIndex v : shown_states(partition)) names.push_back(partition.model.path(v));
    for (VariableIndex v{0}; v < partition.model.variables.end_index(); ++v.value)
        if (partition.model.variables[v].top_output) names.push_back(partition.model.path(v));
    if (names.size() > most) names.resize(most);
    return names;
}

std::string without_spaces(const std::string& text) {
    std::string result;
    for (char c : text)
        if (c != ' ') result += c;
    return result;
}

int sweep(const SweepCommand& given) {
    const auto began = Clock::now();
    SweepCommand command = given;
    Workspace workspace;
    Diagnostics& diagnostics = workspace.diagnostics;
    CaseList list;
    const auto wrong = [&](Diagnostic d) {
        diagnostics.report(std::move(d));
        finish(workspace, command);
        return 2;
    };
    if (command.vary.empty() == command.cases.empty())
        return wrong(bad_option("say what to vary: either --vary NAME=FROM:TO:COUNT or --cases FILE.csv",
                                "for example cutset sweep motor.dym --vary J=0.01:0.1:10 -o out"));
    if (command.output.empty()) return wrong(bad_option("say where the results go: -o DIRECTORY"));
    if (command.jobs &&
        !(*command.jobs >= 1 && *command.jobs <= 4096 && *command.jobs == std::floor(*command.jobs)))
        return wrong(bad_option("--jobs must be a whole number from 1 to 4096"));
    if (command.cases.empty() ? !add_variations(command.vary, list, diagnostics)
                              : !read_cases(command.cases, list, diagnostics)) {
        finish(workspace, command);
        return 2;
    }
    auto experiment = open_model(command, workspace);
    if (!experiment) return finish(workspace, command);
    std::string problem;
    if (!apply_experiment_line(experiment_line(workspace.text), command, problem)) {
        diagnostics.report(bad_option("the experiment line of " + command.file + ": " + problem));
        return finish(workspace, command);
    }
    // What is varied overrules the file's experiment line; on the command line it may stand once only.
    for (std::size_t i = 0; i < list.quantities.size(); ++i) {
        const VariedQuantity& q = list.quantities[i];
        for (const std::string& text : q.initial ? command.init : command.set)
            if (without_spaces(text.substr(0, text.find('='))) == q.path)
                return wrong(bad_option(fmt::format("{} is varied, and {} gives it a value too",
                                                    list.names[i], q.initial ? "--init" : "--set")));
        std::erase_if(q.initial ? experiment->initials : experiment->parameters,
                      [&](const Experiment::Setting& s) { return without_spaces(s.path) == q.path; });
    }
    const auto options = experiment_options(command, diagnostics);
    if (!options) {
        finish(workspace, command);
        return 2;
    }

    SimulateOptions run = *options;
    run.measure_times = command.profile || command.json;
    Ensemble ensemble(workspace, command.model, *experiment, transform_options(command, workspace.text), run,
                      engine_of(command), list.quantities);
    // A case that can be translated says which variables there are; a wrong name fails in all cases.
    std::shared_ptr<const Partition> partition;
    Diagnostics first;
    for (std::size_t i : {std::size_t(0), list.cases.size() - 1, list.cases.size() / 2}) {
        Diagnostics tried;
        partition = ensemble.partition(list.cases[i], tried);
        if (i == 0) first = tried;
        if (partition) break;
    }
    if (!partition) {
        for (Diagnostic d : first.all()) {
            for (const char* option : {"--set ", "--init "})
                if (d.message.starts_with(option))
                    d.message.replace(0, std::string_view(option).size(),
                                      command.cases.empty() ? "--vary " : "--cases: ");
            diagnostics.report(std::move(d));
        }
        return finish(workspace, command);
    }
    const std::vector<std::string> paths = variable_paths(*partition);
    std::vector<Condensed> columns;
    std::vector<std::string> titles;
    const auto add = [&](const std::vector<std::string>& names, Condensed::Kind kind, const char* option) {
        for (const std::string& name : names) {
            if (name != "time" && std::find(paths.begin(), paths.end(), name) == paths.end())
                diagnostics.report(bad_option(fmt::format("{}: the model has no variable {}", option, name),
                                              suggestion(name, paths)));
            columns.push_back({kind, name});
            titles.push_back(columns.back().title());
        }
    };
    add(command.final_values.empty() ? default_columns(*partition) : command.final_values,
        Condensed::Kind::Final, "--final");
    add(command.minima, Condensed::Kind::Minimum, "--min");
    add(command.maxima, Condensed::Kind::Maximum, "--max");
    if (diagnostics.has_errors()) {
        finish(workspace, command);
        return 2;
    }
    const std::size_t printed =
        command.json ? 0 : print_diagnostics(diagnostics, workspace.text.sources(), 0, command.quiet);

    Sweep sweep(command, workspace, ensemble, list, columns,
                content_hash(command, workspace, *experiment, list, titles));
    if (!sweep.open(diagnostics)) {
        finish(workspace, command, printed);
        return 2;
    }
    const std::size_t jobs = command.jobs ? static_cast<std::size_t>(*command.jobs)
                                          : std::max(1u, std::thread::hardware_concurrency());
    const auto started = Clock::now();
    catch_interrupt();
    set_stage("the sweep", true);
    sweep.run(jobs);
    release_interrupt();
    sweep.remove_leftovers();
    if (const std::string limit = limit_exceeded(); !limit.empty())
        diagnostics.report(
            bad_option(limit, "what is complete is kept; the same command again goes on from there"));
    const double seconds = std::chrono::duration<double>(Clock::now() - started).count();
    if (!sweep.write_table(problem)) diagnostics.report(bad_option(problem));
    if (!sweep.write_problem().empty())
        diagnostics.report(bad_option(sweep.write_problem(),
                                      "the sweep stopped there; run the same command again to go on"));
    const std::size_t complete = sweep.done() + sweep.skipped();
    // The sums over all cases and threads: the total is the time of the threads, and of what stands before
    // and after them.
    const double elapsed = std::chrono::duration<double>(Clock::now() - began).count();
    const std::vector<ProfileLine> profile = [&] {
        ProfileTimes times = sweep.times();
        const Ensemble::Times translating = ensemble.times();
        times.translation = translating.stages;
        times.translation.parse = workspace.times.parse;
        times.machine_code = translating.machine_code;
        times.beside = translating.beside;
        times.total += elapsed - seconds;
        return profile_lines(times);
    }();
    if (command.json) {
        Json failures = Json::array();
        for (std::size_t i = 0; i < sweep.records().size(); ++i)
            if (const auto& r = sweep.records()[i]; r && r->failed())
                failures.push_back({{"case", i + 1}, {"values", list.cases[i]}, {"message", r->message}});
        Json sums = profile_json(profile);
        sums["elapsed"] = elapsed;
        const Json out = {
            {"model", partition->model.name},
            {"cases", list.cases.size()},
            {"complete", complete},
            {"run", sweep.done()},
            {"skipped", sweep.skipped()},
            {"failed", sweep.failed()},
            {"failures", std::move(failures)},
            {"interrupted", was_interrupted()},
            {"jobs", jobs},
            {"seconds", seconds},
            {"translations", ensemble.translations()},
            {"profile", std::move(sums)},
            {"table", sweep.table_path()},
            {"errors", diagnostics_json(diagnostics, workspace.text.sources(), Severity::Error)}};
        fmt::print("{}\n", out.dump(2));
    } else {
        print_diagnostics(diagnostics, workspace.text.sources(), printed, command.quiet);
        sweep.print_failures();
        if (command.profile) {
            print_profile(profile, std::max<std::size_t>(sweep.done(), 1));
            fmt::print(stderr,
                       "  sums of {} case{}, {} translation{}, {} at the same time; {:.3f} ms elapsed\n",
                       sweep.done(), sweep.done() == 1 ? "" : "s", ensemble.translations(),
                       ensemble.translations() == 1 ? "" : "s", jobs, 1e3 * elapsed);
        }
        if (!command.quiet) {
            fmt::print("{}: {} of {} cases complete in {}", partition->model.name, complete,
                       list.cases.size(), sweep.table_path());
            if (sweep.skipped()) fmt::print(", {} of them from before", sweep.skipped());
            if (sweep.failed()) fmt::print("; {} failed", sweep.failed());
            if (complete < list.cases.size()) fmt::print("; the same command again goes on from here");
            fmt::print("\n");
        }
    }
    if (was_interrupted() && limit_exceeded().empty() && complete < list.cases.size()) return 130;
    return diagnostics.has_errors() || sweep.failed() ? 1 : 0;
}

}  // namespace

void add_sweep(CommandLine& line) {
    auto o = std::make_shared<SweepCommand>();
    Command& c = line.add("sweep", groups::runs, "run a model for many values of parameters, on all cores",
                          [o] { return sweep(*o); });
    add_model_options(c, *o);
    c.option("--vary", o->vary,
             "values of a parameter, or of an initial value x(0): NAME=FROM:TO:COUNT evenly spaced, "
             "NAME=log:FROM:TO:COUNT evenly spaced on a logarithmic scale, or NAME=V1,V2,V3; several "
             "--vary make all combinations");
    c.option("--cases", o->cases,
             "a .csv file: its first line names parameters and initial values x(0), each further line is a "
             "case");
    c.option("-o,--output", o->output,
             "directory for the results: cases.csv has one row per case, case_0001.csv … the curves");
    c.option("--jobs", o->jobs, "cases at the same time (one per core)");
    c.list("--final", o->final_values,
           "variables whose values at the end stand in cases.csv: v1,v2 (states and outputs)");
    c.list("--min", o->minima, "variables whose smallest value stands in cases.csv: v1,v2");
    c.list("--max", o->maxima, "variables whose largest value stands in cases.csv: v1,v2");
    c.choice("--format", o->format, {"csv", "mat"}, "of the result of each case: csv or mat (csv)");
    c.flag("--no-results", o->no_results, "write cases.csv only");
    c.flag("--overwrite", o->overwrite, "replace another sweep in the same directory");
    c.flag("--profile", o->profile, "where the time went: sums over the cases, and the mean of a case");
    add_run_options(c, *o);
    c.footer(
        "Examples:\n"
        "  cutset sweep motor.dym --vary motor.J=0.01:0.1:100 -o out\n"
        "  cutset sweep motor.dym --vary motor.J=log:1e-3:1:7 --vary \"motor.omega(0)=0,10\" --max motor.I "
        "-o out\n"
        "  cutset sweep motor.dym --cases cases.csv --no-results --final motor.omega -o out\n"
        "A case is what `cutset simulate --set NAME=VALUE` computes, to the last digit. Ctrl-C stops; the "
        "same "
        "command\n"
        "again runs the cases that are left. A case that fails is noted in cases.csv with its message.\n"
        "Exit status: 0 all cases done, 1 some failed, 2 wrong options, 130 interrupted.");
}

}  // namespace cutset::cli
