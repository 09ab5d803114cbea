// Programs of small models written as text, and the parts of a run of them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "generate/generate.h"
#include "instantiate/instantiate.h"
#include "languages/dymola/parse.h"
#include "run/run.h"
#include "transform/transform.h"

namespace cutset::test {

struct SmallModel {
    Sources sources;
    Diagnostics diagnostics;
    std::unique_ptr<Program> program;
    SimulateOptions options;

    // The lines of a model without its head and end.
    explicit SmallModel(const std::string& lines, InitialMode initial = InitialMode::Given,
                        bool whens_together = false) {
        ClassTree classes;
        const std::string text = "model m\n" + lines + "end\n";
        classes.files.push_back(dymola::parse_file(sources, sources.add("test.dym", text), diagnostics));
        auto flat = instantiate(classes, "", {}, sources, diagnostics);
        if (!flat) return;
        flat->whens_together = whens_together;
        TransformOptions transformed;
        transformed.initial = initial;
        auto partition = transform(std::move(*flat), transformed, diagnostics);
        if (!partition) return;
        program =
            std::make_unique<Program>(generate(std::make_shared<const Partition>(std::move(*partition))));
        options.stop = 1;
    }
    std::string messages() const {
        std::string text;
        for (const Diagnostic& d : diagnostics.all()) text += d.code + ": " + d.message + "\n";
        return text;
    }
    VariableIndex variable(const std::string& path) const {
        const FlatModel& model = program->partition->model;
        for (VariableIndex v{0}; v < model.variables.end_index(); ++v.value)
            if (model.path(v) == path) return v;
        ADD_FAILURE() << "no variable " << path;
        return VariableIndex(0);
    }
    // The number of the only condition of that kind.
    std::size_t condition(Op op) const {
        const auto& switches = program->partition->switches;
        for (std::size_t i = 0; i < switches.size(); ++i)
            if (switches[i].node->op == op) return i;
        ADD_FAILURE() << "no such condition";
        return 0;
    }
};

// Rows kept in memory.
struct KeptRows : RowSink {
    Columns columns;
    std::vector<std::vector<double>> rows;
    std::optional<std::string> begin(const Columns& of) override {
        columns = of;
        return std::nullopt;
    }
    std::optional<std::string> row(std::span<const double> values) override {
        rows.emplace_back(values.begin(), values.end());
        return std::nullopt;
    }
    std::vector<double> times() const {
        std::vector<double> t;
        for (const auto& row : rows) t.push_back(row[0]);
        return t;
    }
};

struct SmallRun : SmallModel {
    KeptRows rows;
    std::unique_ptr<Run> run;

    explicit SmallRun(const std::string& lines, InitialMode initial = InitialMode::Given,
                      bool whens_together = false)
        : SmallModel(lines, initial, whens_together) {}
    Run& make() {
        EXPECT_TRUE(program) << messages();
        run = std::make_unique<Run>(*program, options, rows, diagnostics);
        return *run;
    }
    // Initialized, with its first row.
    RunParts& begin() {
        EXPECT_TRUE(make().begin()) << messages();
        return run->parts();
    }
    double value(const std::string& path) {
        Instant& now = run->parts().now;
        now.values.run(program->eliminated);
        return now.values[program->layout.variable[variable(path).value]];
    }
    void set(const std::string& path, double to) {
        run->parts().now.values[program->layout.variable[variable(path).value]] = to;
    }
};

}  // namespace cutset::test
