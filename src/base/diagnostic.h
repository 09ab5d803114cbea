// What Cutset says to the modeller. Three failures, three mechanisms: the user's error is a Diagnostic,
// an expected outcome is a return value, our own bug is CUTSET_ASSERT, which throws.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace cutset {

enum class Severity { Note, Warning, Error };

// A second place that matters to a diagnostic, for example where a name was declared first.
struct RelatedPlace {
    Span where;
    std::string message;
};

// What a caller may act on, beyond telling it.
enum class Concern {
    None,
    Request,      // the question itself: an option that does not fit
    ResultFile,   // it cannot be written
    MissingFile,  // it is not there
    OpenInputs,   // inputs that nothing gives a value
    UnknownCommand,
    UnfinishedText,  // more lines may still mend it
    RestNotRead,     // the text was given up
    Initialization,  // how the initial values were found, or not kept
    NotSteady,       // there is no equilibrium where one was asked for
    SmallStates,     // states below their absolute tolerance
    Validity,        // a region of validity was left
};

// Every diagnostic is made by a named function, place first; each stage keeps its wording in one
// `messages.h`.
struct Diagnostic {
    Severity severity = Severity::Error;
    std::string code;  // short and stable, for example "unknown-name"; tests and `--json` use it
    Span where;
    std::string message;                // one sentence in the words of the modeller
    std::string submodel;               // instance path, empty when it does not apply
    std::vector<std::string> details;   // further lines: the equations and variables concerned
    std::vector<RelatedPlace> related;  // further places, each shown with its line
    std::string help;                   // what to try; empty when nothing is near
    Concern concern = Concern::None;
};

// The sink that library code reports to; it never prints.
class Diagnostics {
  public:
    void report(Diagnostic d);
    void add(const Diagnostics& other);  // as if it had been reported here
    bool has_errors() const { return errors_ > 0; }
    std::size_t error_count() const { return errors_; }
    const std::vector<Diagnostic>& all() const { return all_; }

  private:
    std::vector<Diagnostic> all_;
    std::size_t errors_ = 0;
};

// The diagnostic as text with file:line:column, the source line and a marker under the place.
std::string render(const Diagnostic& d, const Sources& sources, bool colour = false);

// The candidate nearest to `name` (case first, then edit distance), or "" when none is near.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

[[noreturn]] void internal_error(const char* condition, const char* file, int line);

}  // namespace cutset

// A broken promise of our own code: throws an InternalError (base/internal_error.h), which ends what is being
// done and nothing else.
#define CUTSET_ASSERT(condition) \
    ((condition) ? void(0) : ::cutset::internal_error(#condition, __FILE_NAME__, __LINE__))
