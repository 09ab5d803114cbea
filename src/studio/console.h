// The console of a model: commands of the shell (src/session), whose output are events of the page.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/plot.h"
#include "session/host.h"
#include "session/session.h"
#include "studio/message.h"
#include "studio/model_texts.h"

namespace cutset::studio {

class Console : public SessionHost {
  public:
    // `folder`: where commands of the program work.
    Console(const ModelTexts& texts, std::function<void(Json)> event, std::string folder);

    Session& session() { return session_; }
    // "done", "failed" or "stop"
    std::string execute(const std::string& line);
    // Any thread: what is being executed is to end.
    void stop() { interrupt_ = true; }

    // ---- SessionHost
    void print(std::string_view text) override;
    void report(const Diagnostics& diagnostics, const Sources& sources) override;
    std::optional<std::string> read_line(const std::string&) override { return std::nullopt; }
    void show(const Plot& plot, bool growing) override;
    bool edit(const std::string&) override { return false; }
    int operation(const std::vector<std::string>& words) override;
    std::vector<std::string> operations() const override;
    std::atomic<bool>& interrupt() override { return interrupt_; }

  private:
    void tell(const char* kind, std::string_view text);
    std::function<void(Json)> event_;
    std::string folder_;
    std::atomic<bool> interrupt_{false};
    std::optional<Plot> shown_;
    Session session_;
};

}  // namespace cutset::studio
