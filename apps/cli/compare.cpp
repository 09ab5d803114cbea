// cutset compare: a result against a reference.
#include "results/compare.h"

#include <fmt/format.h>

#include "commands.h"
#include "console.h"
#include "results/reader.h"

namespace cutset::cli {

int compare_results(const CompareCommand& options) {
    Diagnostics diagnostics;
    Sources sources;
    const auto result = read_result(options.result, diagnostics);
    const auto reference = read_result(options.reference, diagnostics);
    if (!result || !reference) {
        print_diagnostics(diagnostics, sources);
        return 2;
    }
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

}  // namespace cutset::cli
