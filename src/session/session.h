// The experiment language: one defines a system, changes a parameter, simulates, looks, and tries again.
// A Session executes it line by line for models of every language; the terminal, a script or a test is its
// SessionHost. `help`, `?` and `??` are no commands of the Session, see help.h and advice.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/system_summary.h"
#include "results/trajectory.h"
#include "run/simulate.h"
#include "session/host.h"

namespace cutset {

// What has been done so far, for those who explain or advise.
struct SessionFacts {
    std::string model;               // of the active system; empty when there is none
    std::vector<std::string> files;  // of its text, as SYST found them; the connecting system last
    bool simnon = false;             // its text is in Simnon's language
    std::size_t states = 0, parameters = 0, inputs = 0, outputs = 0;
    std::vector<std::string> plotted;  // as PLOT names them; the horizontal variable is apart
    std::string horizontal;            // empty: time
    bool axes = false;                 // AXES was given
    std::vector<std::string> stored;   // as STORE names them
    std::string result_file;           // last written by SIMU
    std::string algorithm;             // of ours: "auto", "dopri"
    double error_bound = 0;
    std::vector<SystemSummary> systems;  // of the active system, for proposals with its names
    // The last run of the active system.
    struct Run {
        RunOutcome outcome = RunOutcome::Finished;
        double from = 0, to = 0;  // asked for
        double reached = 0;
        std::size_t events = 0;
        std::shared_ptr<const Trajectory> result;  // as far as it was kept: the curves at least
        std::vector<std::string> curves;           // columns of it: the plotted ones, else the states
        std::optional<double> complete_from;       // before it steps are left out of `result`
    };
    std::optional<Run> run;
    std::size_t runs = 0;              // of the active system
    double start = 0, stop = 0;        // of the next SIMU
    std::optional<double> time;        // where the run stands
    std::vector<std::string> changed;  // since SYST: "PAR EPS:3", "INIT U:6"
    std::vector<std::string> macros, checkpoints;

    struct Executed {
        std::string command;  // the full word: "SIMU", "linearize", "TRAJ"
        std::string line;     // as typed
        bool failed = false;
        Concern concern = Concern::None;  // of the first error
    };
    std::vector<Executed> executed;  // the last thousand
};

class LiveModel;
struct Workspace;

class Session {
  public:
    struct Settings {
        std::vector<std::string> library_directories;  // searched for model types
        bool open_editor = false;  // EDIT opens the person's own editor, where the host has one
        bool allow_external = false;
        bool draw_plots = true;    // until TURN PLOTS says otherwise
        bool keep_macros = false;  // those typed at the prompt become files NAME.mac
        std::string recovery;      // folder for texts that were typed and not written; empty: nowhere
    };
    explicit Session(SessionHost& host) : Session(host, Settings()) {}
    Session(SessionHost& host, Settings settings);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // A model that the caller works with too becomes the active system: what is set here is set there.
    // `files`: of its text.
    void adopt(std::shared_ptr<Workspace> workspace, std::shared_ptr<LiveModel> live,
               std::vector<std::string> files, std::string model);

    enum class Outcome { Done, Failed, Stop };
    // Whatever the line is, the session lives on; reasons go to the host. Blanks and `>` at the beginning are
    // left out. Commands of several lines (MACRO, the editor, READ) read the others from the host.
    Outcome execute(std::string_view line);

    struct Completion {
        std::size_t begin = 0;  // candidates replace the line from here to the cursor
        std::vector<std::string> candidates;
    };
    Completion complete(std::string_view line, std::size_t cursor) const;

    std::string prompt() const;
    SessionFacts facts() const;
    // The words that execute() takes as commands, the operations of the host and macros not counted.
    static const std::vector<std::string>& commands();
    // The full name that the first word of a line means, an abbreviation in any letter case; empty for none.
    std::string command_of(std::string_view line) const;
    // The picture as it is now.
    const Plot& picture() const;

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace cutset
