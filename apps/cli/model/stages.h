// Looking at the stages of a translation: --dump, --verify, --without, --profile of `cutset check`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "command_line.h"
#include "translate/question.h"
#include "translate/workspace.h"

namespace cutset::cli {

struct StageOptions {
    std::string dump;                  // the stage to print; empty: none
    std::vector<std::string> without;  // passes to leave out
    bool verify = false;
    bool profile = false;
};

void add_stage_options(Command& command, StageOptions& options);

// "tree", "flat", the passes, "partition", "program"
std::vector<std::string> stage_names();

// Prints the stage that is asked for when the translation comes by it.
class StageView {
  public:
    explicit StageView(const StageOptions& options) : options_(options) {}

    // Reports names that no stage or pass has; false then.
    bool accept(Diagnostics& diagnostics) const;
    // Makes `transform` tell of its stages.
    void watch(TransformOptions& transform);
    void tree(const ModelText& text, const std::string& model);
    void program(const Program& program);
    bool wants_program() const { return options_.dump == "program" || options_.verify; }
    // Says, where the translation ended before the stage that is asked for, how far it came.
    void finish(Diagnostics& diagnostics) const;

  private:
    void passed(std::string_view stage, FunctionRef<std::string()> text);

    const StageOptions& options_;
    std::string last_;  // stage seen
    bool shown_ = false;
};

}  // namespace cutset::cli
