// Which columns of a result are written: those that match one of some patterns.
//
// In a pattern * stands for any letters and ? for one; all others mean themselves, so that x[1] is an
// element.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "results/writer.h"

namespace cutset {

bool matches_pattern(std::string_view name, std::string_view pattern);

// The columns chosen, time first, and where their numbers stand in a row of all.
struct ChosenColumns {
    Columns columns;
    std::vector<std::size_t> stored;       // by number in the new row: place in the old one
    std::vector<double> signs;             // 1, or -1 where an alias is chosen without what it equals
    std::vector<std::string> not_matched;  // patterns
};
ChosenColumns choose_columns(const Columns& all, const std::vector<std::string>& patterns);

// Passes the chosen columns on to a writer. A pattern that no column matches is a problem of `begin`.
std::unique_ptr<ResultWriter> make_choosing_writer(std::unique_ptr<ResultWriter> writer,
                                                   std::vector<std::string> patterns);

}  // namespace cutset
