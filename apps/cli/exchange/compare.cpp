// cutset compare: a result against a reference.
#include "results/compare.h"

#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "output/console.h"
#include "results/reader.h"

namespace cutset::cli {

namespace {

struct CompareCommand {
    std::string result, reference;
    double relative = 1e-3, absolute = 0;
    std::vector<std::string> only, skip, names;  // names: REFERENCE=RESULT
    bool all = false;
};

int compare_results(const CompareCommand& options) {
    Diagnostics diagnostics;
    Sources sources;
    const auto result = read_result(options.result, diagnostics);
    const auto reference = read_result(options.reference, diagnostics);
    if (!result || !reference) {
        print_diagnostics(diagnostics, sources);
        return 2;
    }
    print_diagnostics(diagnostics, sources);
    CompareOptions o;
    o.relative = options.relative;
    o.absolute = options.absolute;
    o.only = options.only;
    o.skip = options.skip;
    for (const std::string& pair : options.names) {
        const std::size_t equal = pair.find('=');
        if (equal == std::string::npos) {
            fmt::print(stderr, "error: --name {}: expected REFERENCE=RESULT\n", pair);
            return 2;
        }
        ResultName name{pair.substr(equal + 1)};
        if (!name.name.empty() && name.name[0] == '-') name = {name.name.substr(1), -1};
        o.names[pair.substr(0, equal)] = name;
    }
    const Comparison comparison = compare(*result, *reference, o);
    if (comparison.passed && !options.all)
        fmt::print("agree: {} variables within {:g} of their range\n", comparison.variables.size(),
                   o.relative);
    else
        fmt::print("{}", to_text(comparison, options.all));
    return comparison.passed ? 0 : 1;
}

}  // namespace

void add_compare(CommandLine& line) {
    auto o = std::make_shared<CompareCommand>();
    Command& c = line.add("compare", groups::results, "compare a result with a reference",
                          [o] { return compare_results(*o); });
    c.positional("RESULT", o->result, "a result, .csv, .mat or .npz", true).files({".csv", ".mat", ".npz"});
    c.positional("REFERENCE", o->reference, "what it should be", true);
    c.option("--tolerance", o->relative, "of each variable's range (1e-3)");
    c.option("--absolute", o->absolute, "added to it (0)");
    c.list("--only", o->only, "compare these reference variables: a,b");
    c.list("--skip", o->skip, "leave these out: a,b");
    c.option("--name", o->names, "REFERENCE=RESULT where names differ; -RESULT turns the sign");
    c.flag("--all", o->all, "print every variable");
    c.footer("Example:\n  cutset compare tanks.csv measured.csv --tolerance 1e-2 --only Tank1.h");
}

}  // namespace cutset::cli
