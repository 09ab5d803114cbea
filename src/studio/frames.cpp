#include "studio/frames.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace cutset::studio {

namespace {

// Both sides are one program on one machine.
struct Head {
    std::uint32_t bytes;
    std::uint32_t connection;
    std::uint64_t id;
    std::uint64_t kind;
};

bool read_all(int descriptor, char* to, std::size_t count) {
    while (count > 0) {
        const ssize_t n = ::read(descriptor, to, count);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        to += n;
        count -= std::size_t(n);
    }
    return true;
}

bool send_all(int descriptor, const char* from, std::size_t count) {
    while (count > 0) {
        const ssize_t n = ::send(descriptor, from, count, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        from += n;
        count -= std::size_t(n);
    }
    return true;
}

}  // namespace

FrameSocket::~FrameSocket() {
    ::close(descriptor_);
}

bool FrameSocket::receive(Frame& frame) {
    std::array<char, sizeof(Head)> bytes;
    if (!read_all(descriptor_, bytes.data(), bytes.size())) return false;
    Head head;
    std::memcpy(&head, bytes.data(), sizeof head);
    if (head.bytes > most_frame_bytes || head.kind > std::uint64_t(FrameKind::State)) return false;
    frame.kind = FrameKind(head.kind);
    frame.connection = head.connection;
    frame.id = head.id;
    frame.bytes.resize(head.bytes);
    return read_all(descriptor_, frame.bytes.data(), frame.bytes.size());
}

bool FrameSocket::send(FrameKind kind, std::uint32_t connection, std::uint64_t id, std::string_view bytes) {
    if (bytes.size() > most_frame_bytes) return false;
    const Head head{std::uint32_t(bytes.size()), connection, id, std::uint64_t(kind)};
    std::array<char, sizeof head> first;
    std::memcpy(first.data(), &head, sizeof head);
    const std::lock_guard lock(sending_);
    return send_all(descriptor_, first.data(), first.size()) &&
           send_all(descriptor_, bytes.data(), bytes.size());
}

void FrameSocket::shut() {
    ::shutdown(descriptor_, SHUT_RDWR);
}

}  // namespace cutset::studio
