// A run through modes. The equations of all modes together, with one choice of states, are used as long as
// they can be solved. Where they cannot, because the mode at hand has another index (a switch ties two
// capacitors together, a diode in series with an inductance blocks), the run goes over to the equations of
// that mode alone, with its conditions fixed, and comes back when one of them changes.
//
//     next mode after an event:
//         all modes together, if their equations can be solved from here
//         else, over the values of the conditions in the block that failed, then of all conditions: the first
//         combination whose equations can be solved, whose conditions come out as they were assumed and go on
//         to do so, and in which nothing that is differentiated jumps; else the first one in which it does
//
// What is differentiated keeps its value into a mode; where the mode ties such variables together they jump
// so that what is conserved is kept (jump_conditions.h).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "run/run.h"
#include "transform/fix_conditions.h"

namespace cutset {

class ModeChanges {
  public:
    ModeChanges(const Program& program, const SimulateOptions& options, RowSink& sink,
                Diagnostics& diagnostics);
    RunSummary run();
    // From where another run stood; `settle`: only what follows at that instant.
    RunSummary run_from(const RunPoint& from, bool settle);
    // Only the initialization.
    RunSummary start();
    // Where it stands, once something was computed.
    std::optional<RunPoint> point();

  private:
    struct Mode {
        ModeModel model;  // without its equations: the partition has them
        std::shared_ptr<const Program> program;
        std::unique_ptr<Run> run;
        std::string problem;  // why there is no program
    };
    struct Key {
        std::vector<Expr> conditions;
        std::vector<bool> truth;
        bool operator<(const Key& other) const;
    };
    bool begin();
    RunSummary go_on(bool good);
    const FlatModel& source();
    bool has_choice() const;
    const Switch* last_changed();  // null: no conditions
    Mode& mode(const Key& key);
    void enter(Run& mode);
    Run* enter_mode(const Handover& from, const RunPoint::Mode& wanted);
    Run* choose_next(const Handover& from);
    Run* search(const Handover& from, const std::vector<Expr>& conditions);
    std::vector<bool> present(const Handover& from, const std::vector<Expr>& conditions) const;
    std::string text(const Key& key) const;
    void add(const RunSummary& part);
    std::shared_ptr<const RunMemory> memory();
    void take_up(const RunPoint& from);
    void remember(MemoryStream& stream);

    const Program& program_;
    const SimulateOptions& options_;
    SimulateOptions mode_options_;
    RowSink& sink_;
    Diagnostics& diagnostics_;
    const FlatModel* source_ = nullptr;  // nothing when there are no modes
    std::unique_ptr<FlatModel> given_;   // the same with the parameters that the options give
    bool began_ = false;
    Run base_;
    Run* current_ = nullptr;
    std::map<Key, Mode> modes_;

    std::vector<double> sizes_;       // by variable: the largest met
    std::vector<std::string> tried_;  // combinations at this instant, and what was wrong with them
    std::set<std::vector<std::uint32_t>> jumps_told_;
    Diagnostics quiet_;
    RunSummary total_;
    std::set<const Run*> written_;  // that know their columns; looked up only
    double last_change_ = 0;
    int changes_at_once_ = 0;
};

}  // namespace cutset
