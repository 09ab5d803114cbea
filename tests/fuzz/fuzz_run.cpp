// From arbitrary text to rows: the first byte says how the run begins, the rest is the model. A run is ended
// after some hundred steps.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "generate/generate.h"
#include "instantiate/instantiate.h"
#include "languages/dymola/parse.h"
#include "run/simulate.h"
#include "transform/transform.h"

namespace {

class NoRows : public cutset::RowSink {
  public:
    std::optional<std::string> begin(const cutset::Columns&) override { return std::nullopt; }
    std::optional<std::string> row(std::span<const double>) override { return std::nullopt; }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cutset;
    if (size == 0) return 0;
    Sources sources;
    Diagnostics diagnostics;
    const SourceId id =
        sources.add("fuzz.dym", std::string(reinterpret_cast<const char*>(data + 1), size - 1));
    ClassTree classes;
    classes.files.push_back(dymola::parse_file(sources, id, diagnostics));
    if (diagnostics.has_errors()) return 0;
    auto flat = instantiate(classes, "", {}, sources, diagnostics);
    if (!flat || flat->equations.size() > 200) return 0;
    TransformOptions options;
    constexpr InitialMode modes[] = {InitialMode::Given, InitialMode::Steady, InitialMode::Jump};
    options.initial = modes[data[0] % 3];
    auto sorted = transform(std::move(*flat), options, diagnostics);
    if (!sorted) return 0;
    const Program program = generate(std::make_shared<const Partition>(std::move(*sorted)));
    std::atomic<bool> stop{false};
    std::size_t steps = 0;
    SimulateOptions run;
    run.stop = 1;
    run.points = 5;
    run.interrupt = &stop;
    run.tried_step = [&](const TriedStep&) { stop = ++steps > 300; };
    NoRows rows;
    simulate(program, run, rows, diagnostics);
    for (const Diagnostic& d : diagnostics.all()) render(d, sources);
    return 0;
}
