// Names of variables as a person writes them: `Y[MOTOR]`, `Y(MOTOR)`, `MOTOR.Y`, or `YR` alone when there is
// one only; in any letter case where that is no question.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.h"
#include "live/live_model.h"
#include "session/command_text.h"

namespace cutset {

// What stands in a command.
struct WrittenName {
    std::string name;    // `Y`, `MOTOR.Y`, `s[3].x`
    std::string system;  // empty when none was written
    std::string text() const { return system.empty() ? name : name + "[" + system + "]"; }
};

struct NamedQuantity {
    std::string path;   // in results
    std::string shown;  // as the session writes it: `Y[MOTOR]`
    LiveModel::Kind kind = LiveModel::Kind::Other;
};

// The path in results of a variable of a system: "MOTOR.Y", "der(MOTOR.X)".
std::string path_in(const SystemSummary& system, const std::string& name);

class NameIndex {
  public:
    NameIndex() = default;
    NameIndex(const std::vector<LiveModel::Quantity>& quantities, const std::vector<SystemSummary>& systems,
              bool brackets, std::string listing = "DISP shows all");

    // Reads one variable; `V(U)` is V followed by a parenthesis, unless U is a system.
    std::optional<WrittenName> read(TokenReader& tokens) const;

    // `wanted`: where names are equal, those of these kinds count before the others.
    std::optional<NamedQuantity> find(const WrittenName& written, const std::vector<LiveModel::Kind>& wanted,
                                      std::optional<Diagnostic>& problem) const;

    const SystemSummary* system(std::string_view name) const;
    std::string shown(const std::string& path) const;
    // All variables of these kinds (all when empty) as the session writes them, and by their short names when
    // those are unique.
    // `shown_only`: as the session writes them and no other way.
    std::vector<std::string> spellings(const std::vector<LiveModel::Kind>& kinds,
                                       bool shown_only = false) const;

  private:
    struct Entry {
        std::string path;
        LiveModel::Kind kind;
        std::string last;  // `Y` of `MOTOR.Y`
    };
    std::vector<Entry> entries_;
    std::vector<SystemSummary> systems_;
    std::unordered_map<std::string, std::vector<std::size_t>> by_path_, by_last_;  // in lower case
    bool brackets_ = false;
    std::string listing_;  // "DISP shows all": what to try for a name that is not there
};

}  // namespace cutset
