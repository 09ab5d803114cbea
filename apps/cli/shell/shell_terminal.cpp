#include "shell/shell_terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace cutset::cli {

namespace {

// What signal handlers need to know.
std::atomic<bool> line_interrupted{false};
std::atomic<int> interrupts{0};
std::atomic<bool> terminal_open{false};
termios original_mode, present_mode;
int wake_pipe[2] = {-1, -1};

constexpr char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";

void say(int file, const char* text) {
    [[maybe_unused]] const ssize_t written = ::write(file, text, std::strlen(text));
}

void give_back() {
    if (!terminal_open) return;
    say(STDOUT_FILENO, paste_off);
    say(STDOUT_FILENO, show_cursor);
    ::tcsetattr(STDIN_FILENO, TCSADRAIN, &original_mode);
}

extern "C" void on_shell_interrupt(int) {
    const int saved = errno;
    line_interrupted = true;
    const int count = ++interrupts;
    if (count == 2) say(STDERR_FILENO, "\r\nstill at work; Ctrl-C once more ends the program\r\n");
    if (count >= 3) {
        give_back();
        ::_exit(130);
    }
    errno = saved;
}

extern "C" void on_shell_end(int signal) {
    give_back();
    std::signal(signal, SIG_DFL);
    ::raise(signal);
}

extern "C" void on_shell_stop(int) {
    const int saved = errno;
    give_back();
    std::signal(SIGTSTP, SIG_DFL);
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    ::raise(SIGTSTP);
    ::sigprocmask(SIG_UNBLOCK, &stop, nullptr);  // stops here until it is continued
    std::signal(SIGTSTP, on_shell_stop);
    if (terminal_open) ::tcsetattr(STDIN_FILENO, TCSADRAIN, &present_mode);
    say(wake_pipe[1], "w");
    errno = saved;
}

extern "C" void on_shell_resize(int) {
    const int saved = errno;
    say(wake_pipe[1], "w");
    errno = saved;
}

void on_signal(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
}

constexpr int ending_signals[] = {SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL};

// Of a character that begins with this byte.
int bytes_of(unsigned char first) {
    return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

}  // namespace

std::atomic<bool>& shell_interrupt() {
    return line_interrupted;
}

InterruptGuard::InterruptGuard() {
    on_signal(SIGINT, on_shell_interrupt);
}
InterruptGuard::~InterruptGuard() {
    std::signal(SIGINT, SIG_DFL);
}
void InterruptGuard::begin_command() {
    line_interrupted = false;
    interrupts = 0;
}

bool Terminal::usable() {
    const char* kind = std::getenv("TERM");
    return ::isatty(STDIN_FILENO) && ::isatty(STDOUT_FILENO) && kind && *kind &&
           std::strcmp(kind, "dumb") != 0;
}

Terminal::Terminal() {
    ::tcgetattr(STDIN_FILENO, &original_mode);
    present_mode = original_mode;
    if (wake_pipe[0] < 0 && ::pipe2(wake_pipe, O_NONBLOCK | O_CLOEXEC) != 0) wake_pipe[0] = wake_pipe[1] = -1;
    terminal_open = true;
    for (int signal : ending_signals) on_signal(signal, on_shell_end);
    on_signal(SIGTSTP, on_shell_stop);
    on_signal(SIGWINCH, on_shell_resize);
    set_mode(Mode::Running);
    // Does it draw sixels, and how large are its characters? The answers come as keys do, see report().
    const char* plots = std::getenv("CUTSET_PLOT");
    if (!plots || !*plots) {
        write("\033[16t\033[c");
        asked_ = true;
    }
}

Terminal::~Terminal() {
    // An answer under way would become input of the next program.
    if (asked_) {
        pollfd input{STDIN_FILENO, POLLIN, 0};
        set_mode(Mode::Editing);
        while (asked_ && ::poll(&input, 1, 100) > 0 && !ended_) read_key();
    }
    give_back();
    terminal_open = false;
    for (int signal : ending_signals) std::signal(signal, SIG_DFL);
    std::signal(SIGTSTP, SIG_DFL);
    std::signal(SIGWINCH, SIG_DFL);
}

void Terminal::set_mode(Mode mode) {
    termios wanted = original_mode;
    if (mode != Mode::Original) {
        wanted.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN);
        wanted.c_cc[VMIN] = 1;
        wanted.c_cc[VTIME] = 0;
    }
    if (mode == Mode::Editing) {
        wanted.c_lflag &= ~tcflag_t(ISIG);
        wanted.c_iflag &= ~tcflag_t(ICRNL | INLCR | IXON);
    }
    present_mode = wanted;
    ::tcsetattr(STDIN_FILENO, TCSADRAIN, &wanted);
    write(mode == Mode::Editing ? paste_on : paste_off);
}

void Terminal::write(std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(STDOUT_FILENO, text.data(), text.size());
        if (n > 0)
            text.remove_prefix(static_cast<std::size_t>(n));
        else if (errno == EAGAIN) {
            pollfd output{STDOUT_FILENO, POLLOUT, 0};
            ::poll(&output, 1, 1000);
        } else if (errno != EINTR)
            return;
    }
}

std::optional<Terminal::CellSize> Terminal::cell() const {
    if (cell_) return cell_;
    winsize window{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 && window.ws_row > 0 &&
        window.ws_xpixel > 0 && window.ws_ypixel > 0)
        return CellSize{window.ws_xpixel / window.ws_col, window.ws_ypixel / window.ws_row};
    return std::nullopt;
}

std::optional<unsigned char> Terminal::byte(int milliseconds) {
    if (!pending_.empty()) {
        const unsigned char b = pending_.front();
        pending_.pop_front();
        return b;
    }
    while (!ended_) {
        pollfd sources[2] = {{STDIN_FILENO, POLLIN, 0}, {wake_pipe[0], POLLIN, 0}};
        const int ready = ::poll(sources, 2, milliseconds);
        if (ready == 0) return std::nullopt;
        if (ready < 0 && errno != EINTR) ended_ = true;
        if (ready <= 0) continue;
        if (sources[1].revents & POLLIN) {
            char dump[64];
            while (::read(wake_pipe[0], dump, sizeof dump) > 0) {
            }
            resized_ = true;
            return std::nullopt;
        }
        if (!(sources[0].revents & (POLLIN | POLLHUP | POLLERR))) continue;
        unsigned char buffer[1024];
        const ssize_t n = ::read(STDIN_FILENO, buffer, sizeof buffer);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n <= 0) {
            ended_ = true;
            break;
        }
        pending_.insert(pending_.end(), buffer + 1, buffer + n);
        return buffer[0];
    }
    return std::nullopt;
}

Key Terminal::read_key() {
    const auto first = byte(-1);
    if (!first) {
        if (resized_) {
            resized_ = false;
            return {KeyKind::Resize};
        }
        return {KeyKind::EndOfInput};
    }
    const unsigned char b = *first;
    switch (b) {
        case '\r':
        case '\n':
            return {KeyKind::Enter};
        case '\t':
            return {KeyKind::Tab};
        case 0x7F:
        case 0x08:
            return {KeyKind::Backspace};
        case 0x1B:
            return escape_sequence();
        default:
            break;
    }
    if (b < 0x20) return {KeyKind::Control, b < 27 && b > 0 ? char32_t('a' + b - 1) : char32_t('@' + b)};
    const int count = bytes_of(b);
    if (count == 1) return {KeyKind::Character, b};
    char32_t c = b & (0xFF >> (count + 1));
    for (int i = 1; i < count; ++i) {
        const auto next = byte(100);
        if (!next) break;
        if ((*next & 0xC0) != 0x80) {
            pending_.push_front(*next);
            return {KeyKind::Character, 0xFFFD};
        }
        c = c << 6 | (*next & 0x3F);
    }
    return {KeyKind::Character, b < 0xC2 || c > 0x10FFFF ? char32_t(0xFFFD) : c};
}

Key Terminal::escape_sequence() {
    const auto next = byte(50);
    if (!next) return {KeyKind::Alt, 0};
    if (*next == 'O') {  // as some terminals send the arrows
        const auto letter = byte(50);
        switch (letter.value_or(0)) {
            case 'A':
                return {KeyKind::Up};
            case 'B':
                return {KeyKind::Down};
            case 'C':
                return {KeyKind::Right};
            case 'D':
                return {KeyKind::Left};
            case 'H':
                return {KeyKind::Home};
            case 'F':
                return {KeyKind::End};
            default:
                return {KeyKind::Other};
        }
    }
    if (*next == 0x7F || *next == 0x08) return {KeyKind::Alt, 0x7F};
    if (*next != '[') return {KeyKind::Alt, *next};

    std::string parameters;
    for (;;) {
        const auto b = byte(50);
        if (!b || parameters.size() > 64) return {KeyKind::Other};
        if (*b >= 0x40 && *b <= 0x7E) {
            const bool with_modifier = parameters.find(';') != std::string::npos;
            switch (*b) {
                case 'A':
                    return {KeyKind::Up};
                case 'B':
                    return {KeyKind::Down};
                case 'C':
                    return {with_modifier ? KeyKind::WordRight : KeyKind::Right};
                case 'D':
                    return {with_modifier ? KeyKind::WordLeft : KeyKind::Left};
                case 'H':
                    return {KeyKind::Home};
                case 'F':
                    return {KeyKind::End};
                case 'Z':
                    return {KeyKind::BackTab};
                case 'c':
                case 't':
                    report(parameters, static_cast<char>(*b));
                    return {KeyKind::Other};
                case '~':
                    break;
                default:
                    return {KeyKind::Other};
            }
            const int number = std::atoi(parameters.c_str());
            switch (number) {
                case 1:
                case 7:
                    return {KeyKind::Home};
                case 4:
                case 8:
                    return {KeyKind::End};
                case 3:
                    return {KeyKind::Delete};
                case 200:
                    return {KeyKind::PasteBegin};
                case 201:
                    return {KeyKind::PasteEnd};
                default:
                    return {KeyKind::Other};
            }
        }
        parameters += static_cast<char>(*b);
    }
}

// "?62;4;22" with c: attributes, 4 is sixel. "6;20;10" with t: height and width of a character.
void Terminal::report(const std::string& parameters, char end) {
    if (end == 'c' && !parameters.empty() && parameters[0] == '?') {
        asked_ = false;
        std::size_t from = 1;
        while (from < parameters.size()) {
            const std::size_t to = std::min(parameters.find(';', from), parameters.size());
            if (from > 1 && parameters.substr(from, to - from) == "4") sixel_ = true;
            from = to + 1;
        }
    }
    int height = 0, width = 0;
    if (end == 't' && std::sscanf(parameters.c_str(), "6;%d;%d", &height, &width) == 2 && height > 2 &&
        height < 200 && width > 1 && width < 200)
        cell_ = CellSize{width, height};
}

}  // namespace cutset::cli
