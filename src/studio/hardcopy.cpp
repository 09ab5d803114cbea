#include "studio/hardcopy.h"

#include <unistd.h>

#include <cmath>
#include <utility>

#include "base/source.h"
#include "results/plot.h"
#include "results/select_columns.h"
#include "results/writer.h"
#include "studio/messages.h"
#include "studio/operation.h"

namespace cutset::studio {

namespace {

const char* ending(HardcopyFormat format) {
    switch (format) {
        case HardcopyFormat::Svg:
            return ".svg";
        case HardcopyFormat::Pdf:
            return ".pdf";
        case HardcopyFormat::Png:
            return ".png";
        case HardcopyFormat::Csv:
            break;
    }
    return ".csv";
}

Answer as_file(const std::string& name, HardcopyFormat format, std::string_view bytes) {
    const std::string file = name + ending(format);
    return Json{{"name", file}, {"type", media_type(file)}, {"base64", base64(bytes)}};
}

template <class Picture>
Answer picture_hardcopy(const Picture& picture, HardcopyFormat format, const std::string& name) {
    switch (format) {
        case HardcopyFormat::Svg:
            return as_file(name, format, to_svg(picture));
        case HardcopyFormat::Pdf:
            return as_file(name, format, to_pdf(picture));
        case HardcopyFormat::Png:
            return as_file(name, format, to_png(picture));
        case HardcopyFormat::Csv:
            break;
    }
    return messages::bad_argument("a picture cannot be a csv file");
}

Trajectory between(const Trajectory& rows, double t0, double t1, const std::vector<std::string>& names,
                   bool all_columns) {
    std::vector<std::string> wanted = names;
    if (all_columns)
        for (std::size_t i = 1; i < rows.columns().size(); ++i)
            wanted.push_back(rows.columns()[ColumnIndex(i)].name);
    const ColumnSelection selection = select_columns(rows.columns(), wanted);
    Trajectory out(selection.columns);
    std::vector<double> row, kept(selection.stored.size());
    for (std::size_t k = rows.first_row_at(t0); k < rows.first_row_after(t1); ++k) {
        row.clear();
        for (ColumnIndex i{0}; i < rows.columns().end_index(); ++i.value)
            if (rows.columns()[i].stored()) row.push_back(rows.value(i, k));
        for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = row[selection.stored[i]];
        out.append(kept);
    }
    return out;
}

}  // namespace

HardcopyFormat read_format(Arguments& arguments) {
    const std::string format = arguments.text("format");
    for (const HardcopyFormat one :
         {HardcopyFormat::Svg, HardcopyFormat::Pdf, HardcopyFormat::Png, HardcopyFormat::Csv})
        if ("." + format == ending(one)) return one;
    arguments.fail("format is none of svg, pdf, png, csv");
    return HardcopyFormat::Svg;
}

Answer curve_hardcopy(const StudioRun& run, const CurveHardcopy& wanted, const std::string& folder) {
    std::shared_ptr<ResultStore> store;
    {
        const std::lock_guard lock(run.lock);
        store = run.rows;
    }
    if (!store || store->rows() == 0) return messages::no_active_run("draw: it has not begun");
    const Trajectory rows = store->copy();
    const double t0 = wanted.t0.value_or(-INFINITY), t1 = wanted.t1.value_or(INFINITY);
    if (wanted.format == HardcopyFormat::Csv) {
        for (const std::string& path : wanted.wishes)
            if (!rows.find(path)) return messages::unknown_variable(path, rows.suggest(path));
        const std::string file = folder + "/hardcopy.csv";
        if (const Problem problem =
                write_result(between(rows, t0, t1, wanted.wishes, wanted.wishes.empty()), file))
            return messages::cannot_write("the file", *problem);
        std::string problem;
        const auto bytes = read_file(file, problem, InputKind::FileOnly);
        ::unlink(file.c_str());
        if (!bytes) return messages::cannot_read("the file", problem);
        return as_file(wanted.name, wanted.format, *bytes);
    }
    Diagnostics diagnostics;
    auto plot = make_plot(rows, wanted.wishes, diagnostics);
    if (!plot)
        return messages::failed(
            diagnostics.all().empty() ? "it cannot be drawn" : diagnostics.all()[0].message, Json::array());
    const bool over_time = plot->x_label == rows.columns()[ColumnIndex(0)].name;
    if (over_time && (wanted.t0 || wanted.t1))
        plot->x_range =
            PlotRange{wanted.t0.value_or(rows.time(0)), wanted.t1.value_or(rows.time(rows.rows() - 1))};
    plot->title = wanted.name;
    return picture_hardcopy(*plot, wanted.format, wanted.name);
}

Answer pages_hardcopy(const std::vector<Drawing>& pages, HardcopyFormat format, const std::string& name) {
    if (format != HardcopyFormat::Pdf) return messages::bad_argument("a whole model is written as pdf only");
    return as_file(name, format, to_pdf(pages));
}

Answer drawing_hardcopy(const Drawing& drawing, HardcopyFormat format, const std::string& name) {
    return picture_hardcopy(drawing, format, name);
}

}  // namespace cutset::studio
