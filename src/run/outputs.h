// Rows of results: output points from the integrator's interpolant, and the values before and after events.
// They are computed in a second place, so that output points do not disturb the steps.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "numerics/integrators/integrator.h"
#include "run/following_sink.h"
#include "run/mode_rates.h"
#include "run/poles.h"
#include "run/range_watch.h"
#include "run/result_columns.h"
#include "run/sliding.h"

namespace cutset {

inline constexpr Slot no_slot = ~Slot(0);  // of a column that this mode does not compute

// Tearing variables of the nonlinear loops, at the ends of the step. Between them a loop is solved from the
// line through them, not from the last output point: it may have several solutions.
struct TrackedUnknowns {
    std::vector<Slot> slots;
    std::vector<double> before, after;
    bool empty() const { return slots.empty(); }
    void read(const Interpreter& values, std::vector<double>& to) const;
    void set_beginning(Interpreter& values) const;
    // part: 0 at the beginning of the step, 1 at its end.
    void set_between(Interpreter& values, double part) const;
};

class Outputs {
  public:
    Outputs(Instant& now, Sliding& sliding, Poles& poles, RangeWatch& ranges, RowSink& sink,
            RunSummary& summary);

    // Columns, with the constants as they are now.
    bool begin();
    // The columns of another run of the same model in another mode, by name.
    void take_columns_of(const Outputs& first);

    // The place where outputs are computed gets the values of the run.
    void follow();
    Interpreter& values() { return values_; }

    // A row with the values of the run, or of the outputs once they follow.
    bool write_now() { return write_row(now_.values); }
    bool write_followed();
    // Output points in a step up to the time reached. At an event its own two rows stand for them.
    bool write_step(Integrator& integrator, double from, double reached, std::span<const double> x,
                    bool is_event, const TrackedUnknowns& tracked);
    // The last accepted point of a run that ends before its time, unless its row is there; where it cannot be
    // computed there is none.
    void write_last(double at, std::span<const double> x, const TrackedUnknowns& tracked);
    bool is_due(double reached) const;
    // The first output point after that time comes next.
    void begin_after(double time);
    double last_time() const { return row_[0]; }

    std::size_t count() const;
    double time(std::size_t i) const;

    void remember(MemoryStream& memory);

  private:
    // A step that the integrator can interpolate in.
    struct StepView {
        Integrator& integrator;
        double from, reached;
        std::span<const double> x;  // at its end
        const TrackedUnknowns& tracked;
    };
    using Row = std::vector<double>;

    bool write_row(Interpreter& values);
    bool report_not_finite(Interpreter& values);
    bool write_point(double t);
    bool compute_point(double t);
    void set_point(const StepView& step, double t);
    bool read_row(const Interpreter& values);
    bool check_row(Interpreter& values);
    bool send_row();

    // For a sink that follows.
    bool write_followed_step(const StepView& step, bool is_event);
    std::optional<Row> try_row(const StepView& step, double t);
    std::optional<Row> turning_point(const StepView& step, std::size_t column, const Row& before,
                                     const Row& middle, const Row& after);

    Instant& now_;
    Sliding& sliding_;
    RowSink& sink_;
    RunSummary& summary_;
    NumericLoopSolver loops_;
    Interpreter values_;
    std::vector<double> weights_;  // of sliding
    ResultLayout layout_;
    std::vector<double> row_, inside_;
    double sent_ = -std::numeric_limits<double>::infinity();  // the time of the last row of the results
    FollowingSink* follower_ = nullptr;                       // the sink, when it follows
    std::vector<std::size_t> followed_;                       // places in a row
    bool calls_code_ = false;  // of the user, which may count on time that does not go back
    Poles& poles_;
    RangeWatch& ranges_;
    std::unique_ptr<ModeRates> rates_;
    std::vector<std::optional<ModeRates::Rate>> rate_of_;  // by column without a slot
};

}  // namespace cutset
