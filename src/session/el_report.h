// Reports of EL experiments as text files (.rpt): a table with a column for each variable, or a list with a
// variable on each line.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "results/writer.h"

namespace cutset {

enum class ReportForm : std::uint8_t { Table, List };

// `variables`: patterns of names; none: all.
std::unique_ptr<ResultWriter> make_report_writer(std::string path, ReportForm form,
                                                 std::vector<std::string> variables);

}  // namespace cutset
