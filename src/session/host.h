// What a Session needs of the place where a person sits: a terminal, a script, a test.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "results/plot.h"

namespace cutset {

class SessionHost {
  public:
    virtual ~SessionHost() = default;

    // Whole lines, without a newline at the end.
    virtual void print(std::string_view text) = 0;
    virtual void report(const Diagnostics& diagnostics, const Sources& sources) = 0;
    // The next line that the person types; nothing at the end of the input. Commands that go on over several
    // lines (MACRO, the editor, READ) ask for them here.
    virtual std::optional<std::string> read_line(const std::string& prompt) = 0;

    // The picture as it is now; `growing` while a run goes on, then once with false.
    virtual void show(const Plot& plot, bool growing) = 0;

    // Of a run that draws nothing.
    virtual void progress(double time, double start, double stop) { (void)time, (void)start, (void)stop; }

    // A person types, whose word counts for more than that of a script.
    virtual bool interactive() const { return false; }
    // The line that was read last is part of a paste that is not over.
    virtual bool pasting() const { return false; }
    // A cursor on the picture, moved by keys; false where there are none.
    virtual bool explore(const Plot& plot) {
        (void)plot;
        return false;
    }

    // The person's own editor on that file; false when there is none.
    virtual bool edit(const std::string& path) = 0;

    // A command of the program, `linearize servo.t --set CPID.G=3`; its exit status.
    virtual int operation(const std::vector<std::string>& words) = 0;
    virtual std::vector<std::string> operations() const = 0;
    // Of that command: "--set", "--json".
    virtual std::vector<std::string> operation_options(const std::string&) const { return {}; }

    // Becomes true when the person wants the command at hand to stop.
    virtual std::atomic<bool>& interrupt() = 0;
};

}  // namespace cutset
