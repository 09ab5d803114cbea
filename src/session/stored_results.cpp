#include "session/stored_results.h"

#include <filesystem>
#include <map>
#include <set>
#include <vector>

#include "results/reader.h"
#include "session/command_text.h"
#include "session/edit_file.h"
#include "session/messages.h"
#include "session/result_file.h"

namespace cutset {

namespace messages = session_messages;

namespace {

// One variable of a stored result.
struct StoredCurve {
    const StoredResult* of = nullptr;
    NamedQuantity variable;
    ColumnIndex column;
    std::string label() const { return variable.shown + "/" + of->name; }
};
// A curve, or what it differs by from another one.
struct ShownCurve {
    StoredCurve curve;
    std::optional<StoredCurve> less;
    std::string label() const { return curve.label() + (less ? " - " + less->label() : ""); }
};

// Where `U/R1-U/R2` has its minus; nowhere in `U/R1`, and in `U/my-folder/R1` where there is such a result.
std::size_t minus_of(const std::string& word) {
    const std::size_t slash = word.find('/');
    if (slash == std::string::npos || slash == 0 || find_file(word.substr(slash + 1), {".csv"}))
        return std::string::npos;
    const std::size_t last = word.rfind('/');
    const std::size_t minus = last == slash ? std::string::npos : word.rfind('-', last);
    return minus == std::string::npos || minus < slash ? std::string::npos : minus;
}

// The words of `U/R1 U/R2 - U/R3`, with those of a difference in one: "U/R1", "U/R2-U/R3".
std::vector<std::string> curve_words(const std::string& arguments) {
    std::vector<std::string> words;
    bool joins = false;
    for (const std::string& word : shell_words(arguments)) {
        const bool minus = word == "-";
        if ((minus || joins) && !words.empty())
            words.back() += word;
        else
            words.push_back(word);
        joins = minus;
    }
    return words;
}

class ShownCurves {
  public:
    explicit ShownCurves(Workbench& bench) : bench_(bench) {}

    std::optional<ShownCurve> read(const std::string& word) {
        if (word.find('/') == std::string::npos) {
            bench_.fail(messages::show_several_form());
            return std::nullopt;
        }
        ShownCurve shown;
        const std::size_t minus = minus_of(word);
        if (minus == std::string::npos) return curve(word, shown.curve) ? std::optional(shown) : std::nullopt;
        shown.less.emplace();
        if (!curve(word.substr(0, minus), shown.curve) || !curve(word.substr(minus + 1), *shown.less))
            return std::nullopt;
        return shown;
    }

  private:
    bool curve(const std::string& word, StoredCurve& result) {
        const std::size_t slash = word.find('/');
        const std::string file = word.substr(slash + 1);
        auto found = results_.find(file);
        if (found == results_.end()) {
            auto stored = read_stored(bench_, file, true);
            if (!stored) return false;
            found = results_.emplace(file, std::move(*stored)).first;
        }
        const StoredResult& of = found->second;
        TokenReader tokens(word.substr(0, slash));
        if (tokens.peek().kind != CommandToken::Kind::Word)
            return bench_.fail(messages::variable_expected(tokens.peek().text));
        std::optional<Diagnostic> problem;
        const auto variable = of.names.find(*of.names.read(tokens), {}, problem);
        if (!variable) return bench_.fail(problem);
        result = {&of, *variable, *of.trajectory.find(variable->path)};
        return true;
    }

    Workbench& bench_;
    std::map<std::string, StoredResult> results_;  // by file; they stay where they are
};

void draw(Workbench& bench, std::size_t number, const ShownCurve& shown) {
    const Trajectory& rows = shown.curve.of->trajectory;
    for (std::size_t row = 0; row < rows.rows(); ++row) {
        const double time = rows.time(row), value = rows.value(shown.curve.column, row);
        if (!shown.less) {
            bench.picture.point(number, time, value);
            continue;
        }
        const bool behind = row > 0 && rows.time(row - 1) == time;
        if (const auto other = value_between(shown.less->of->trajectory, shown.less->column, time, behind))
            bench.picture.point(number, time, value - *other);
    }
}

}  // namespace

std::optional<StoredResult> read_stored(Workbench& bench, const std::string& name, bool given) {
    const auto path = find_file(name, {".csv"});
    std::error_code error;
    if (!path || std::filesystem::is_directory(*path, error)) {
        bench.fail(messages::no_result(result_path(name), !given));
        return std::nullopt;
    }
    Diagnostics diagnostics;
    auto trajectory = read_result(*path, diagnostics);
    if (!diagnostics.all().empty()) bench.report(diagnostics, bench.sources);
    if (!trajectory) return std::nullopt;
    std::vector<LiveModel::Quantity> quantities;
    std::vector<SystemSummary> systems;
    std::set<std::string> prefixes;
    for (const Column& column : trajectory->columns()) {
        quantities.push_back({column.name, column.unit});
        for (std::size_t dot = column.name.find('.'); dot != std::string::npos;
             dot = column.name.find('.', dot + 1))
            prefixes.insert(column.name.substr(0, dot));
    }
    for (const std::string& prefix : prefixes) {
        SystemSummary system;
        system.name = system.path = prefix;
        systems.push_back(std::move(system));
    }
    const bool brackets = bench.system.simnon || !bench.system.live;
    return StoredResult{name, std::move(*trajectory),
                        NameIndex(quantities, systems, brackets, "SHOW -LIST names all")};
}

bool shows_several(const std::string& arguments) {
    std::size_t results = 0;
    for (const std::string& word : curve_words(arguments)) {
        const std::size_t slash = word.find('/');
        if (slash == std::string::npos || slash == 0) continue;
        results += minus_of(word) == std::string::npos ? 1 : 2;
    }
    return results > 1;
}

bool show_several(Workbench& bench, const std::string& arguments) {
    ShownCurves results(bench);
    std::vector<ShownCurve> curves;
    for (const std::string& word : curve_words(arguments)) {
        auto shown = results.read(word);
        if (!shown) return false;
        curves.push_back(std::move(*shown));
    }
    std::vector<CurveWish> wishes;
    std::string title = "SHOW";
    for (const ShownCurve& c : curves) {
        const Column& column = c.curve.of->trajectory.columns()[c.curve.column];
        wishes.push_back({c.label(), c.label(), column.unit, column.kind == ColumnKind::Discrete});
        title += " " + c.label();
    }
    if (!bench.picture.axes_given()) bench.picture.clear();
    if (bench.switches.plcom) bench.picture.title(title);
    const Column& time = curves.front().curve.of->trajectory.columns()[ColumnIndex(0)];
    bench.picture.begin(wishes, time.name, time.unit, Picture::Run{"", {}, false});
    for (std::size_t k = 0; k < curves.size(); ++k) draw(bench, k, curves[k]);
    bench.show_picture(false);
    return true;
}

std::optional<double> value_between(const Trajectory& trajectory, ColumnIndex column, double time,
                                    bool behind) {
    // The first row after that time, or not before it.
    std::size_t low = 0, high = trajectory.rows();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        const double t = trajectory.time(middle);
        if (behind ? t <= time : t < time)
            low = middle + 1;
        else
            high = middle;
    }
    const auto is_there = [&](std::size_t row) {
        return row < trajectory.rows() && trajectory.time(row) == time;
    };
    if (is_there(low)) return trajectory.value(column, low);
    if (low > 0 && is_there(low - 1)) return trajectory.value(column, low - 1);
    if (low == 0 || low == trajectory.rows()) return std::nullopt;
    const double before = trajectory.time(low - 1), after = trajectory.time(low);
    const double from = trajectory.value(column, low - 1), to = trajectory.value(column, low);
    return from + (to - from) * ((time - before) / (after - before));
}

}  // namespace cutset
