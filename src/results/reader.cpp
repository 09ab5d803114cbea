#include "results/reader.h"

#include "base/source.h"
#include "results/messages.h"
#include "results/parameters_file.h"

namespace cutset {

std::optional<Trajectory> read_result(const std::string& path, Diagnostics& diagnostics,
                                      const std::string& time) {
    std::string problem;
    const auto bytes = read_file(path, problem);
    if (!bytes) {
        diagnostics.report(results_messages::cannot_read(path, problem));
        return std::nullopt;
    }
    for (const char* ending : {".dym", ".t", ".mo", ".om", ".el"})
        if (path.ends_with(ending)) {
            diagnostics.report(results_messages::is_a_model(path));
            return std::nullopt;
        }
    if (bytes->starts_with("PK\3\4")) return read_npz(path, *bytes, diagnostics, time);
    // A MAT-file starts with a small integer, so one of its first four bytes is 0; text has none.
    const std::string_view start = std::string_view(*bytes).substr(0, 4);
    if (start.find('\0') != std::string_view::npos) return read_mat(path, *bytes, diagnostics);
    if (start == "MATL") {
        diagnostics.report(results_messages::not_a_trajectory(path, "it is of a later level than 4"));
        return std::nullopt;
    }
    if (std::string_view(*bytes).substr(0, 4096).find('\0') != std::string_view::npos) {
        diagnostics.report(results_messages::unknown_format(path));
        return std::nullopt;
    }
    return read_csv(path, *bytes, diagnostics, time, parameters_beside(path));
}

}  // namespace cutset
