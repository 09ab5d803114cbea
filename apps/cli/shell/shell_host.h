// Where a Session meets a person or a script: lines in, text, messages and pictures out.
#pragma once

#include <atomic>
#include <functional>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "session/host.h"
#include "shell/line_editor.h"
#include "shell/shell_history.h"
#include "shell/shell_plots.h"
#include "shell/shell_script.h"
#include "shell/shell_terminal.h"

namespace cutset::cli {

class ShellHost : public SessionHost {
  public:
    void print(std::string_view text) override;
    void report(const Diagnostics& diagnostics, const Sources& sources) override;
    void show(const Plot& plot, bool growing) override;
    void progress(double time, double start, double stop) override;
    bool edit(const std::string& path) override;
    int operation(const std::vector<std::string>& words) override;
    std::vector<std::string> operations() const override;
    std::atomic<bool>& interrupt() override { return shell_interrupt(); }

    // The next command; nothing at the end of the input.
    virtual std::optional<std::string> next_command(const std::string& prompt) = 0;
    // Lines typed so far, the newest last.
    virtual std::vector<std::string> history() const { return {}; }
    // A command of the system, typed after `!`; its exit status.
    int system_command(const std::string& text);

    void begin_command();
    void end_command();
    // What the last command reported.
    const std::vector<Diagnostic>& reported() const { return reported_; }

  protected:
    explicit ShellHost(Terminal* terminal) : terminal_(terminal), plots_(terminal) {}
    // Around what another program does with the terminal.
    virtual void give_terminal() {}
    virtual void take_terminal() {}

    Terminal* terminal_;
    PlotScreen plots_;

  private:
    int run_program(const std::string& path, const std::vector<std::string>& words);
    std::vector<Diagnostic> reported_;
};

class TerminalHost final : public ShellHost {
  public:
    explicit TerminalHost(std::unique_ptr<Terminal> terminal);

    std::optional<std::string> read_line(const std::string& prompt) override;
    std::optional<std::string> next_command(const std::string& prompt) override;
    bool interactive() const override { return true; }
    bool pasting() const override { return editor_.pasting(); }
    bool explore(const Plot& plot) override;
    std::vector<std::string> history() const override { return history_.lines(); }

    std::function<LineCompletion(const std::string& line, std::size_t cursor)> complete;
    std::function<bool(const std::string& word)> is_command;

  private:
    void give_terminal() override;
    void take_terminal() override;
    std::string paint(const std::string& line) const;

    std::unique_ptr<Terminal> owned_;
    History history_;
    LineEditor editor_;
    bool colour_;
    bool input_explained_ = false;
};

class ScriptHost final : public ShellHost {
  public:
    // Echo: commands are printed with their prompt, so that the output is a transcript. Typed: by a person,
    // on a terminal that cannot do more than show lines.
    enum class Way { Echo, Quiet, Typed };
    ScriptHost(std::istream& input, Way way);

    void print(std::string_view text) override;
    void report(const Diagnostics& diagnostics, const Sources& sources) override;
    std::optional<std::string> read_line(const std::string& prompt) override;
    std::optional<std::string> next_command(const std::string& prompt) override;
    bool interactive() const override { return way_ == Way::Typed; }

  private:
    std::optional<std::string> next_line(const std::string& prompt, bool command);
    ScriptLines lines_;
    Way way_;
};

// The names of the operations, and the options of one of them.
const std::vector<std::string>& operation_names();
std::vector<std::string> operation_options(const std::string& operation);

}  // namespace cutset::cli
