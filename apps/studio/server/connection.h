// One connection of a browser: HTTP for the files of the page, or the WebSocket of a tab. Each has a thread
// and an io_context of its own, so that everything of it happens on that thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "page_files.h"
#include "supervisor.h"

namespace cutset::studio {

// What all connections share.
struct ServerState {
    const PageFiles& page;
    Supervisor& supervisor;
    std::string token;  // 64 hexadecimal digits
    unsigned short port = 0;
    std::atomic<unsigned> wrong_tokens{0};
};

class Connection {
  public:
    virtual ~Connection() = default;
    // Takes an accepted socket; returns when the connection has ended.
    static std::shared_ptr<Connection> make(int socket, ServerState& server);
    virtual void run() = 0;
    // Any thread: run() returns soon.
    virtual void end() = 0;
    // Its token was shown.
    virtual bool is_tab() const = 0;
};

// Of equal length and equal; takes as long whatever differs.
bool equal_secrets(const std::string& a, const std::string& b);

}  // namespace cutset::studio
