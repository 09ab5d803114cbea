// What the server and the process that works for a model send to each other, over a socket: frames with a
// length. Each is for, or from, one tab of the browser, and belongs to a call of it or to none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace cutset::studio {

enum class FrameKind : std::uint8_t {
    Call,     // to the worker: a call of a tab, as JSON
    Command,  // to the worker: of the server itself, as JSON
    Answer,   // from the worker: an answer to a call, as JSON
    Event,    // from the worker: as JSON; to all tabs of the model where `connection` is 0
    Columns,  // from the worker: a binary answer to a call
    Pushed,   // from the worker: a binary message; `id` is the number of the subscription, of which only the
              // last one counts
    State,    // from the worker: what it is to be started with again, as JSON
};

struct Frame {
    FrameKind kind = FrameKind::Call;
    std::uint32_t connection = 0;
    std::uint64_t id = 0;
    std::string bytes;
};

inline constexpr std::size_t most_frame_bytes = std::size_t(64) << 20;

// Reading by one thread, sending by any. The descriptor is closed at the end.
class FrameSocket {
  public:
    explicit FrameSocket(int descriptor) : descriptor_(descriptor) {}
    FrameSocket(const FrameSocket&) = delete;
    FrameSocket& operator=(const FrameSocket&) = delete;
    ~FrameSocket();

    int descriptor() const { return descriptor_; }
    // Waits for a frame; false at the end, or when it is none.
    bool receive(Frame& frame);
    // False when the other side is gone, or the frame is too large.
    bool send(FrameKind kind, std::uint32_t connection, std::uint64_t id, std::string_view bytes);
    // Ends both directions: who waits in receive() gets false.
    void shut();

  private:
    int descriptor_;
    std::mutex sending_;
};

}  // namespace cutset::studio
