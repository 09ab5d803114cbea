#include "studio_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <list>
#include <thread>
#include <utility>

#include "base/private_file.h"
#include "connection.h"
#include "page_files.h"
#include "studio/confinement.h"

namespace cutset::studio {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_connections = 32;
constexpr unsigned most_wrong_tokens = 5;
constexpr auto after_last_tab = std::chrono::seconds(60);
constexpr auto longest_farewell = std::chrono::milliseconds(500);

int refuse(const std::string& message, const std::string& help, int status = 1) {
    fmt::print(stderr, "error: {}\n", message);
    if (!help.empty()) fmt::print(stderr, "  help: {}\n", help);
    return status;
}

std::string new_token() {
    unsigned char bytes[32];
    if (::getrandom(bytes, sizeof bytes, 0) != ssize_t(sizeof bytes)) return "";
    std::string out;
    for (const unsigned char b : bytes) out += fmt::format("{:02x}", b);
    return out;
}

// A listening socket on 127.0.0.1; -1 with the reason in errno.
int listen_at(int port) {
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0) return -1;
    const int yes = 1;
    ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(std::uint16_t(port));
    if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
        ::listen(listener, 16) == 0)
        return listener;
    const int error = errno;
    ::close(listener);
    errno = error;
    return -1;
}

unsigned short port_of(int listener) {
    sockaddr_in address{};
    socklen_t length = sizeof address;
    ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length);
    return ntohs(address.sin_port);
}

// By a private file that leads there, so that the token stands in no list of processes.
bool open_browser(const std::string& folder, const std::string& url) {
    const std::string file = folder + "/open.html";
    if (!write_private_file(file,
                            "<!doctype html><meta charset=\"utf-8\"><title>Cutset</title>"
                            "<meta http-equiv=\"refresh\" content=\"0; url=" +
                                url + "\">\n"))
        return false;
    const pid_t process = ::fork();
    if (process == 0) {
        const int nothing = ::open("/dev/null", O_RDWR);
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
        ::setsid();
        sigset_t none;
        ::sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        ::execlp("xdg-open", "xdg-open", file.c_str(), static_cast<char*>(nullptr));
        ::_exit(127);
    }
    int status = 0;
    return process > 0 && ::waitpid(process, &status, 0) == process && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

class Listener {
  public:
    Listener(int socket, ServerState& state) : socket_(socket), state_(state) {}
    ~Listener() {
        ::close(socket_);
        for (Served& s : served_) s.connection->end();
        for (Served& s : served_) s.thread.join();
    }

    // Until a signal comes or no window is left.
    void run(int signals, bool stay, Supervisor& supervisor) {
        Clock::time_point last_seen{};  // a tab
        bool seen = false;
        while (true) {
            pollfd ways[2] = {{socket_, POLLIN, 0}, {signals, POLLIN, 0}};
            ::poll(ways, 2, 1000);
            if (ways[1].revents) return;
            if (ways[0].revents) accept();
            sweep();
            supervisor.end_unused();
            if (state_.wrong_tokens >= most_wrong_tokens) {  // guessing is slow
                std::this_thread::sleep_for(std::chrono::seconds(1));
                state_.wrong_tokens = 0;
            }
            if (supervisor.tabs() > 0) {
                seen = true;
                last_seen = Clock::now();
            }
            if (!stay && seen && Clock::now() - last_seen > after_last_tab && !supervisor.has_unsaved())
                return;
        }
    }

  private:
    struct Served {
        std::shared_ptr<Connection> connection;
        std::atomic<bool> over{false};
        std::thread thread;
    };

    void accept() {
        const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
        if (socket < 0) return;
        if (!make_room()) {
            ::close(socket);
            return;
        }
        Served& s = served_.emplace_back();
        s.connection = Connection::make(socket, state_);
        s.thread = std::thread([&s] {
            try {
                s.connection->run();
            } catch (...) {  // of this connection alone
            }
            s.over = true;
        });
    }
    // A connection that has said nothing makes room, so that nobody is kept out by silence.
    bool make_room() {
        const auto until = Clock::now() + longest_farewell;
        for (sweep(); served_.size() >= most_connections; sweep()) {
            const auto silent = std::find_if(served_.begin(), served_.end(),
                                             [](const Served& s) { return !s.connection->is_tab(); });
            if (silent == served_.end() || Clock::now() > until) return false;
            silent->connection->end();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return true;
    }
    void sweep() {
        for (auto s = served_.begin(); s != served_.end();) {
            if (!s->over) {
                ++s;
                continue;
            }
            s->thread.join();
            s = served_.erase(s);
        }
    }

    int socket_;
    ServerState& state_;
    std::list<Served> served_;
};

}  // namespace

int serve(const ServerSettings& settings) {
    namespace fs = std::filesystem;
    const auto page = load_page();
    if (!page)
        return refuse("the page of the studio is not beside the program",
                      "npm run build in apps/studio/page makes it; ./cutset studio does so by itself");
    std::error_code error;
    fs::path folder = settings.path.empty() ? fs::path(".") : fs::path(settings.path);
    std::string file;
    if (!fs::is_directory(folder, error)) {
        if (!fs::is_regular_file(folder, error))
            return refuse(settings.path + ": no such file or directory", "", 2);
        file = folder.filename().string();
        if (const auto bad = bad_name(file)) return refuse(bad->message, bad->help, 2);
        folder = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
    }
    std::string problem;
    auto directory = OpenedDirectory::open(folder.string(), problem);
    if (!directory) return refuse(folder.string() + ": " + problem, "");
    if (!can_confine() && !settings.unconfined)
        return refuse(
            "this kernel has no Landlock, by which a model is held to the opened directory",
            "with --unconfined models may read and write all that you may; open only your own then");
    const auto state = state_folder(directory->path());
    if (!state) return refuse("there is no private folder for unsaved texts", "set HOME or XDG_STATE_HOME");
    const int lock = ::open((*state + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (lock < 0 || ::flock(lock, LOCK_EX | LOCK_NB) != 0)
        return refuse("another studio has this directory open", "use its window, or end it");

    sigset_t ending;
    ::sigemptyset(&ending);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&ending, number);
    ::pthread_sigmask(SIG_BLOCK, &ending, nullptr);
    const int signals = ::signalfd(-1, &ending, SFD_CLOEXEC);

    const int socket = listen_at(settings.port.value_or(0));
    if (socket < 0)
        return refuse(
            fmt::format("port {} cannot be used: {}", settings.port.value_or(0), std::strerror(errno)),
            "choose another --port, or none");
    Supervisor supervisor(std::move(*directory), *state,
                          {file, settings.allow_external, !settings.unconfined || can_confine()});
    ServerState server{*page, supervisor, new_token(), port_of(socket)};
    if (server.token.empty()) return refuse("the system gives no random numbers", "");
    const std::string url = fmt::format("http://127.0.0.1:{}/#k={}", server.port, server.token);
    Listener listener(socket, server);
    supervisor.prepare();
    const bool opened = settings.browser && open_browser(*state, url);
    if (settings.print_url || !opened) {
        fmt::print("{}\n", url);
        std::fflush(stdout);
    }
    listener.run(signals, settings.stay, supervisor);
    ::close(signals);
    ::close(lock);
    return 0;
}

}  // namespace cutset::studio
