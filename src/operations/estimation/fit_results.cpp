#include "operations/estimation/fit_results.h"

#include <limits>

#include "run/trajectory_sink.h"

namespace cutset {

Plot fit_plot(const FitResult& r) {
    Plot plot;
    plot.x_label = "time";
    plot.x_unit = "s";
    const double gap = std::numeric_limits<double>::quiet_NaN();
    std::size_t model = 0;
    std::string file;
    std::optional<Trajectory> run;
    for (std::size_t k = 0; k < r.series.size(); ++k) {
        const FittedSeries& s = r.series[k];
        const std::string mark = r.models.size() > 1 ? ", " + s.file : "";
        if (k == 0 || s.file != file) {
            model = k == 0 ? 0 : model + 1;
            file = s.file;
            std::vector<double> values;
            for (std::size_t place : r.places[model]) values.push_back(r.values[place]);
            TrajectorySink sink;
            Diagnostics quiet;
            r.models[model]->simulate(values, sink, quiet);
            run = sink.kept;
        }
        Curve curve{s.variable + mark, s.unit, {}, {}, false};
        if (const auto column = run->find(s.variable)) {
            curve.x = run->values(ColumnIndex(0));
            curve.y = run->values(*column);
        }
        Curve dots{s.column + " measured" + mark, s.unit, {}, {}, false};
        for (std::size_t i = 0; i < s.times.size(); ++i) {
            dots.x.insert(dots.x.end(), {s.times[i], s.times[i]});
            dots.y.insert(dots.y.end(), {s.measured[i], gap});
        }
        plot.curves.push_back(std::move(curve));
        plot.curves.push_back(std::move(dots));
    }
    return plot;
}

Trajectory residual_table(const FitResult& result) {
    Columns columns;
    columns.push_back(time_column());
    for (const char* name : {"series", "measured", "fitted", "residual"}) columns.push_back({.name = name});
    Trajectory table(columns);
    for (std::size_t k = 0; k < result.series.size(); ++k)
        for (std::size_t i = 0; i < result.series[k].times.size(); ++i) {
            const FittedSeries& s = result.series[k];
            const double row[] = {s.times[i], static_cast<double>(k + 1), s.measured[i], s.fitted[i],
                                  s.residuals[i]};
            table.append(row);
        }
    return table;
}

}  // namespace cutset
