// A bug of ours that showed itself: a promise of our own code did not hold (CUTSET_ASSERT).
//
// It ends what was being done, one case of a sweep, one command of the shell, one command line, and nothing
// else: what starts such a piece of work catches it, says so, and goes on with the next one. What was
// changed so far is undone or kept whole by destructors, as after any exception. Programs that look for bugs
// (fuzzers) end at once instead, so that the place is seen.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "base/diagnostic.h"

namespace cutset {

class InternalError : public std::logic_error {
  public:
    using std::logic_error::logic_error;  // what(): "a < b does not hold (file.cpp:12)"
};

// What became of work that ended with an exception, in words for its user.
struct Failure {
    enum class Kind {
        Internal,     // a bug of ours
        OutOfMemory,  // which another try, or a smaller model, may not meet
        System,       // no thread, no file: the system refused something
    };
    Kind kind = Kind::Internal;
    std::string message, help;
};
// Of the exception that is being handled; call it in a catch block.
Failure current_failure();
// The same as an error to report.
Diagnostic failure_diagnostic(const Failure& failure);

}  // namespace cutset
