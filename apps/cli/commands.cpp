#include "commands.h"

#include "base/diagnostic.h"

namespace cutset::cli {

namespace {

struct Entry {
    std::string_view name;
    void (*add)(CommandLine&);
};

#define CUTSET_ENTRY(name) {#name, add_##name},
constexpr Entry commands[] = {CUTSET_COMMANDS(CUTSET_ENTRY)};
#undef CUTSET_ENTRY

}  // namespace

void add_commands(CommandLine& line, std::string_view called) {
    const auto add = [&](const Entry& entry) {
        entry.add(line);
        CUTSET_ASSERT(line.commands().back().name() == entry.name);
    };
    for (const Entry& entry : commands)
        if (entry.name == called) return add(entry);
    for (const Entry& entry : commands) add(entry);
}

}  // namespace cutset::cli
