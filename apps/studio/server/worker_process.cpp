#include "worker_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace cutset::studio {

namespace {

constexpr std::size_t most_words = 4000;

std::string reason_of(int status) {
    if (WIFSIGNALED(status))
        return fmt::format("signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
    return fmt::format("status {}", WEXITSTATUS(status));
}

}  // namespace

std::unique_ptr<WorkerProcess> WorkerProcess::start(std::string start, Heard heard, std::string& problem) {
    int sockets[2], words[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
        problem = std::strerror(errno);
        return nullptr;
    }
    if (::pipe2(words, O_CLOEXEC) != 0) {
        problem = std::strerror(errno);
        ::close(sockets[0]);
        ::close(sockets[1]);
        return nullptr;
    }
    const pid_t process = ::fork();
    if (process == 0) {  // only what is safe after a fork with threads
        ::dup2(words[1], STDERR_FILENO);
        ::dup2(sockets[1], 3);
        const int nothing = ::open("/dev/null", O_RDWR);
        ::dup2(nothing, STDIN_FILENO);
        ::dup2(nothing, STDOUT_FILENO);
        ::close_range(4, ~0U, 0);
        ::setpgid(0, 0);  // Ctrl-C is for the server
        sigset_t none;
        ::sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        ::execl("/proc/self/exe", "cutset", "--studio-worker", static_cast<char*>(nullptr));
        ::_exit(127);
    }
    ::close(sockets[1]);
    ::close(words[1]);
    if (process < 0) {
        problem = std::strerror(errno);
        ::close(sockets[0]);
        ::close(words[0]);
        return nullptr;
    }
    std::unique_ptr<WorkerProcess> worker(new WorkerProcess(process, sockets[0], words[0], std::move(heard)));
    worker->send(FrameKind::Command, 0, 0, std::move(start));
    return worker;
}

WorkerProcess::WorkerProcess(pid_t process, int socket, int words, Heard heard)
    : process_(process), socket_(socket), words_(words), heard_(std::move(heard)), listener_([this] {
          listen();
      }) {}

WorkerProcess::~WorkerProcess() {
    leaving_ = true;
    ::kill(process_, SIGKILL);
    socket_.shut();
    listener_.join();
    ::close(words_);
}

void WorkerProcess::send(FrameKind kind, std::uint32_t connection, std::uint64_t id, std::string bytes) {
    sender_.post([this, kind, connection, id, bytes = std::move(bytes)] {
        socket_.send(kind, connection, id, bytes);  // where it is gone, listen() hears of it
    });
}

void WorkerProcess::listen() {
    ::fcntl(words_, F_SETFL, O_NONBLOCK);
    std::string words;
    const auto read_words = [&] {
        char part[4096];
        ssize_t n;
        while ((n = ::read(words_, part, sizeof part)) > 0) {
            words.append(part, std::size_t(n));
            if (words.size() > 2 * most_words) words.erase(0, words.size() - most_words);
        }
        return n != 0;
    };
    pollfd ways[2] = {{socket_.descriptor(), POLLIN, 0}, {words_, POLLIN, 0}};
    while (true) {
        if (::poll(ways, 2, -1) < 0 && errno != EINTR) break;
        if (ways[1].revents && !read_words()) ways[1].fd = -1;
        if (ways[0].revents) {
            Frame frame;
            if (!socket_.receive(frame)) break;
            heard_.frame(std::move(frame));
        }
    }
    ::kill(process_, SIGKILL);  // one that closed the socket without ending
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    read_words();
    if (words.size() > most_words) words.erase(0, words.size() - most_words);
    if (!leaving_) heard_.ended(reason_of(status), words);
}

}  // namespace cutset::studio
