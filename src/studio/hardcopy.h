// Pictures of curves and of classes for paper, and rows as a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/drawing.h"
#include "studio/message.h"
#include "studio/run_list.h"

namespace cutset::studio {

enum class HardcopyFormat { Svg, Pdf, Png, Csv };

struct CurveHardcopy {
    std::optional<std::size_t> run;
    std::vector<std::string> wishes;  // names, or y(x)
    std::optional<double> t0, t1;
    HardcopyFormat format = HardcopyFormat::Svg;
    std::string name;  // of the file, without ending
};
Answer curve_hardcopy(const StudioRun& run, const CurveHardcopy& wanted, const std::string& folder);
// Of several pages, as PDF.
Answer pages_hardcopy(const std::vector<Drawing>& pages, HardcopyFormat format, const std::string& name);
Answer drawing_hardcopy(const Drawing& drawing, HardcopyFormat format, const std::string& name);
// "svg", "pdf", "png", "csv"; told where it is none.
HardcopyFormat read_format(Arguments& arguments);

}  // namespace cutset::studio
