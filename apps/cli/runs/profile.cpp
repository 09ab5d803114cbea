#include "runs/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace cutset::cli {

double seconds_beside(const NativeEngine* engine, Engine kind) {
    if (!engine || kind != Engine::Auto) return 0;
    const NativeStatistics n = engine->statistics();
    return n.load_seconds + n.plan_seconds + n.compile_seconds;
}

std::vector<ProfileLine> profile_lines(const ProfileTimes& t) {
    const auto& translation = t.translation;
    const double compile = translation.generate + t.machine_code;
    const double parts =
        t.runs.jacobians + t.runs.factor + t.runs.solve + t.runs.run.events + t.runs.run.output;
    const double known = translation.parse + translation.instantiate + translation.sort + compile +
                         t.runs.run.initialise + t.runs.run.run;
    std::vector<ProfileLine> lines = {
        {"parse", "reading the model and the libraries", translation.parse},
        {"instantiate", "submodels, connections, equations", translation.instantiate},
        {"sort", "index reduction, sorting, tearing", translation.sort},
        {"compile", "the program of the run, and its machine code where the run waits for it", compile},
        {"initialise", "the start", t.runs.run.initialise},
        {"run", "from the start to the last row; of this:", t.runs.run.run},
        {"jacobians", "partial derivatives", t.runs.jacobians, 1},
        {"factor", "factoring their matrices", t.runs.factor, 1},
        {"solve", "solving with them", t.runs.solve, 1},
        {"events", "events, their rows included", t.runs.run.events, 1},
        {"output", "computing and writing rows", t.runs.run.output, 1},
        {"steps", "the rest: equations, and the steps of the integrator",
         std::max(t.runs.run.run - parts, 0.0), 1},
        {"other", "options, kept translations, closing files", std::max(t.total - known, 0.0)},
        {"total", "all of these but those within the run", t.total},
        {"compileBeside", "machine code, on another thread at the same time", t.beside}};
    if (t.processor)
        lines.push_back({"runProcessor", "of the run, in seconds of the processor", *t.processor});
    return lines;
}

Json profile_json(const std::vector<ProfileLine>& lines) {
    Json out;
    for (const ProfileLine& line : lines) out[line.name] = line.seconds;
    return out;
}

void print_profile(const std::vector<ProfileLine>& lines, std::size_t cases) {
    for (const ProfileLine& line : lines) {
        const std::string mean =
            cases == 0 ? "" : fmt::format("{:>11.4f} ms a case", 1e3 * line.seconds / double(cases));
        fmt::print(stderr, "  {:<15}{:>11.3f} ms{}  {}\n", std::string(line.depth ? "  " : "") + line.name,
                   1e3 * line.seconds, mean, line.explanation);
    }
}

}  // namespace cutset::cli
