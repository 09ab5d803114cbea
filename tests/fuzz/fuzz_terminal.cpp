// Arbitrary bytes as the history file of the shell, up to the first zero byte, and behind it as keys typed on
// a terminal.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "scratch_file.h"
#include "shell/line_editor.h"

namespace {

// The terminal takes signals over, and would keep crashes from the fuzzer.
class KeepSignals {
  public:
    KeepSignals() {
        for (int i = 1; i < count; ++i) sigaction(i, nullptr, &actions_[i]);
    }
    void restore() {
        for (int i = 1; i < count; ++i) sigaction(i, &actions_[i], nullptr);
        std::signal(SIGTSTP, SIG_IGN);  // Ctrl-Z
    }

  private:
    static constexpr int count = 32;
    struct sigaction actions_[count] = {};
};

void type(const ScratchFile& keys, const std::string& history_file) {
    using namespace cutset::cli;
    const int input = open(keys.path().c_str(), O_RDONLY);
    dup2(input, STDIN_FILENO);
    close(input);
    KeepSignals signals;
    Terminal terminal;
    signals.restore();
    History history(history_file);
    LineEditor editor(terminal, history);
    editor.complete = [](const std::string& line, std::size_t cursor) {
        return LineCompletion{std::min<std::size_t>(cursor, line.size() / 2), {"SIMU", "SIMULATE", "größer"}};
    };
    while (editor.read("> ", "> ", true).end != LineEditor::End::EndOfInput) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::string folder = [] {
        char name[] = "/tmp/cutset-fuzz-XXXXXX";
        setenv("CUTSET_PLOT", "text", 1);  // the terminal is not asked
        const int nothing = open("/dev/null", O_WRONLY);
        dup2(nothing, STDOUT_FILENO);
        return std::string(mkdtemp(name));
    }();
    const std::uint8_t* end = std::find(data, data + size, 0);
    std::ofstream(folder + "/history", std::ios::binary)
        .write(reinterpret_cast<const char*>(data), end - data);
    if (end != data + size) ++end;
    const ScratchFile keys(end, static_cast<std::size_t>(data + size - end));
    if (keys.good()) type(keys, folder + "/history");
    return 0;
}
