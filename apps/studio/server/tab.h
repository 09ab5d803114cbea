// A tab of the browser, as the supervisor sees it: messages go there, from any thread and without waiting.
#pragma once

#include <cstdint>
#include <string>

namespace cutset::studio {

class Tab {
  public:
    virtual ~Tab() = default;
    virtual void send_text(std::string text) = 0;
    virtual void send_binary(std::string bytes) = 0;
    // Of messages with one key only the last one counts: one that still waits is replaced.
    virtual void send_latest(std::uint64_t key, std::string bytes) = 0;
};

}  // namespace cutset::studio
