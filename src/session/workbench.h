// What the commands of a session work on: the active system, the picture, the settings of the next run, the
// macros. A command is a function on it; false means that the reason has been reported.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "live/live_model.h"
#include "session/macro.h"
#include "session/names.h"
#include "session/picture.h"
#include "session/session.h"

namespace cutset {

struct SessionSwitches {
    bool warn = true, compu = true, plcom = true, dark = false, macom = false, strict = false,
         external = false, plots = true;
};

// Which warning of a run it is, whatever its sentence says of that run: a place of the text warns once for
// each submodel. Those that have no place are told apart by what they say.
struct WarningOfRun {
    std::string code, submodel;
    std::uint32_t source = 0, begin = 0;
    std::string sentence;  // where there is no place

    explicit WarningOfRun(const Diagnostic& d)
        : code(d.code),
          submodel(d.submodel),
          source(d.where.source.value),
          begin(d.where.begin),
          sentence(d.where.known() ? "" : d.message) {}
    auto operator<=>(const WarningOfRun&) const = default;
};

struct ActiveSystem {
    std::shared_ptr<Workspace> workspace;  // shared with who lends it (Session::adopt)
    std::shared_ptr<LiveModel> live;
    std::vector<std::string> files;  // the connecting system last
    std::string model;
    bool simnon = false;
    NameIndex names;
    // Since SYST, in the order in which they were given first.
    std::vector<std::pair<std::string, double>> parameters, initials;
    std::vector<std::pair<std::string, std::string>> inputs;
    std::map<std::string, double> of_text;    // what the text says of those
    std::vector<std::string> changed;         // "PAR EPS:3"
    std::vector<std::string> changed_in_run;  // since the last run, for the labels of its curves
    std::size_t runs = 0;
    bool told_no_plot = false;
    std::optional<SessionFacts::Run> last_run;
    std::set<WarningOfRun> warnings;        // told already
    std::set<std::string> computed_starts;  // states whose initial value an INITIAL section computes
    std::optional<double> sampling;  // the shortest interval of sampled systems at initialization; 0: none
    // What STORE selected has been computed so far by the run that stands; with the file it went to.
    std::optional<Trajectory> stored_rows;
    std::string stored_file;
    std::map<std::string, std::shared_ptr<const Checkpoint>> checkpoints;
};

// A change of a value, and how it was before, for UNDO.
struct ValueChange {
    enum class Kind { Parameter, Initial, Input };
    Kind kind = Kind::Parameter;
    NamedQuantity variable;
    std::string command;               // "PAR", as DISP -CHANGED writes it
    std::size_t group = 0;             // the line at the prompt that made it
    std::optional<double> before;      // nothing where there was no value
    std::optional<double> remembered;  // given since SYST
    std::optional<std::string> input;  // expression before
};

// Of the next SIMU.
struct SimuSettings {
    double start = 0, stop = 1, increment = 0;
    std::string file = "STORE";
    Solver algorithm = Solver::Auto;  // of ours
    std::string algorithm_name;       // as ALGOR was given; empty: the default
    double error_bound = 1e-6;
};

// Lines as the person gave them and what was answered, for LOG.
struct TranscriptLine {
    enum class Kind { Command, Input, Output };
    Kind kind;
    std::string text;
    bool failed = false;
};

struct Workbench {
    SessionHost& host;
    Session::Settings settings;
    Sources sources;  // texts of macros
    SessionSwitches switches;
    ActiveSystem system;  // `live` is null when there is none
    SimuSettings run;
    Picture picture;
    std::vector<NamedQuantity> plotted, stored;
    std::optional<NamedQuantity> horizontal;
    bool store_on = false;
    std::string result_file;
    Macros macros;
    std::map<std::string, std::string> globals;  // of LET at the prompt
    std::vector<TranscriptLine> transcript;
    std::vector<SessionFacts::Executed> executed;
    std::vector<std::string> pending;  // lines that were read too far; the next one last
    bool editing = false;              // in the editor: what it says is no part of the transcript
    std::optional<Concern> failure;    // of the first error of the command at hand
    std::vector<ValueChange> changes;  // of the active system, the newest last
    std::size_t lines = 0;             // executed at the prompt
    explicit Workbench(SessionHost& h, Session::Settings s) : host(h), settings(std::move(s)) {
        switches.external = settings.allow_external;
        switches.plots = settings.draw_plots;
    }

    void print(std::string_view text);
    std::optional<std::string> read_line(const std::string& prompt, bool command);
    // Reports it with the place in the macro at hand; always false.
    bool fail(Diagnostic diagnostic);
    bool fail(const std::optional<Diagnostic>& diagnostic);
    void report(const Diagnostics& diagnostics, const Sources& texts);
    void note(Diagnostic diagnostic);
    void show_picture(bool growing) {
        if (switches.plots) host.show(picture.plot(), growing);
    }
    bool interrupted() { return host.interrupt().load(); }

    // What only a person at the prompt may do: no macro and no script.
    bool by_person() const { return host.interactive() && macros.frames.empty(); }

    // The active system, or a message that there is none.
    bool has_system();
    std::optional<NamedQuantity> variable(TokenReader& tokens, const std::vector<LiveModel::Kind>& wanted);
    // Present value; reports problems.
    std::optional<double> value(const NamedQuantity& quantity);
    // A number, a variable, its value at a time of the last run (`U(3.2)`), or an expression of them.
    std::optional<double> expression(std::string_view text);
    std::optional<double> value_at(const NamedQuantity& quantity, double time);
    std::string unit_of(const std::string& path) const;
    void forget_system();
};

// ---- the commands, by file
using CommandFunction = bool (*)(Workbench&, const std::string& arguments);

bool command_syst(Workbench& bench, const std::string& arguments);  // syst.cpp
// A model that was made elsewhere becomes the active system.
void adopt_system(Workbench& bench, ActiveSystem system);

bool command_plot(Workbench& bench, const std::string& arguments);  // plot_commands.cpp
// The same without messages; nothing is changed where that cannot be done.
void plot_if_possible(Workbench& bench, const std::string& arguments);
bool command_axes(Workbench& bench, const std::string& arguments);
bool command_show(Workbench& bench, const std::string& arguments);
bool command_hcopy(Workbench& bench, const std::string& arguments);
bool command_clear(Workbench& bench, const std::string& arguments);
bool command_zoom(Workbench& bench, const std::string& arguments);
bool command_cursor(Workbench& bench, const std::string& arguments);

bool command_simu(Workbench& bench, const std::string& arguments);   // simu.cpp
bool command_store(Workbench& bench, const std::string& arguments);  // run_commands.cpp
bool command_algor(Workbench& bench, const std::string& arguments);
bool command_error(Workbench& bench, const std::string& arguments);
bool command_checkpoint(Workbench& bench, const std::string& arguments);
bool command_restore(Workbench& bench, const std::string& arguments);
bool command_branch(Workbench& bench, const std::string& arguments);

bool command_par(Workbench& bench, const std::string& arguments);  // value_commands.cpp
bool command_init(Workbench& bench, const std::string& arguments);
bool command_input(Workbench& bench, const std::string& arguments);
bool command_state(Workbench& bench, const std::string& arguments);
bool command_undo(Workbench& bench, const std::string& arguments);
bool command_save(Workbench& bench, const std::string& arguments);  // saved_values.cpp
bool command_get(Workbench& bench, const std::string& arguments);
bool command_disp(Workbench& bench, const std::string& arguments);  // disp.cpp

bool command_list(Workbench& bench, const std::string& arguments);  // file_commands.cpp
bool command_edit(Workbench& bench, const std::string& arguments);
bool command_log(Workbench& bench, const std::string& arguments);
bool command_turn(Workbench& bench, const std::string& arguments);

// A command of the program on the active system; operations.cpp.
bool run_operation(Workbench& bench, const std::string& operation, std::string_view arguments);

// ---- shared
// (DIS), (TP) or (LP) at the beginning; what is to be printed goes there. `expressions`: another parenthesis
// may hold arithmetic.
enum class Device { Display, LinePrinter };
std::optional<Device> take_device(Workbench& bench, std::string& arguments, bool expressions);
bool print_on(Workbench& bench, Device device, const std::string& text);

// Runs to `stop` as SIMU does; simu.cpp.
struct SimuRequest {
    double start = 0, stop = 1;
    bool go_on = false, mark = false;
    std::optional<std::string> file;  // of the result
};
bool run_system(Workbench& bench, const SimuRequest& request);

}  // namespace cutset
