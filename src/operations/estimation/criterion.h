// What is wanted of runs, as given on the command line: numbers made of variables of the model.
//
//     x, x*y + 1       at the end of the run (of a static model: as they are)
//     x@end, x@2.5     at the end, at a time; (a + b)@3
//     integral(e)      over the run
//     max(e), min(e)   the extremes along the run; with several arguments the functions of the language
//
// and limits on them:  "x@end < 3", "integral(u) <= 5". A limit whose expression has none of these marks
// holds along the whole run: "T < 400"; `always: T < 400` says the same.
//
// Expressions over variables become quantities of the Experiment, so that the run computes them with its own
// accuracy; measures say where they are looked at.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "expr/expr.h"
#include "translate/question.h"
#include "translate/workspace.h"

namespace cutset {

struct Measure {
    enum class Kind { End, At, Maximum, Minimum } kind = Kind::End;
    double time = 0;       // At
    std::string quantity;  // of the experiment
    std::string text;
};

// A number made of measures: leaf number k of `value` is measure k.
struct Criterion {
    Expr value = nullptr;
    std::string text;
};

struct Limit {
    Criterion value;
    double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
    std::optional<std::string>
        along;         // the quantity that keeps the bounds all the time; then `value` is not used
    std::string text;  // as written
    std::string left;  // what is bounded
};

class Criteria {
  public:
    // Quantities go to the experiment. `still`: a static model, where "along the run" means as it is.
    Criteria(Workspace& workspace, Experiment& experiment, bool still)
        : workspace_(workspace), experiment_(experiment), still_(still), pool_(std::make_shared<Pool>()) {}

    // Nothing when errors were reported.
    std::optional<Criterion> value(const std::string& option, const std::string& text);
    std::optional<Limit> limit(const std::string& option, const std::string& text, bool at_end = false);

    const std::vector<Measure>& measures() const { return measures_; }
    Pool& pool() { return *pool_; }
    // Set when `value` is one maximum along the run and nothing else: the quantity.
    std::optional<std::string> only_maximum(const Criterion& c) const;

  private:
    std::optional<tree::Expression> parse(const std::string& option, const std::string& text);
    Expr build(const tree::Expression& e, const std::string& option);
    Expr measure(Measure::Kind kind, double time, const tree::Expression& of, bool integral,
                 const std::string& text);
    std::string quantity(const tree::Expression& of, bool integral, const std::string& text);
    std::string text_of(const tree::Expression& e) const;

    Workspace& workspace_;
    Experiment& experiment_;
    bool still_;
    std::shared_ptr<Pool> pool_;
    std::vector<Measure> measures_;
};

}  // namespace cutset
