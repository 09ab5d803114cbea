#include "studio/operation.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/private_file.h"
#include "base/source.h"
#include "studio/messages.h"

namespace cutset::studio {

namespace {

constexpr std::size_t most_output = std::size_t(4) << 20;
constexpr auto longest = std::chrono::seconds(120);

struct Reading {
    int descriptor;
    std::string text;
};

// Both to their ends, or until it takes too long; false then.
bool read_both(Reading& output, Reading& errors) {
    const auto until = std::chrono::steady_clock::now() + longest;
    pollfd ways[2] = {{output.descriptor, POLLIN, 0}, {errors.descriptor, POLLIN, 0}};
    Reading* const readings[2] = {&output, &errors};
    while (ways[0].fd >= 0 || ways[1].fd >= 0) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
        if (left <= 0) return false;
        if (::poll(ways, 2, int(left)) < 0 && errno != EINTR) return false;
        for (int i = 0; i < 2; ++i) {
            if (!ways[i].revents) continue;
            char part[65536];
            const ssize_t n = ::read(ways[i].fd, part, sizeof part);
            if (n <= 0)
                ways[i].fd = -1;
            else if (readings[i]->text.size() < most_output)
                readings[i]->text.append(part, std::size_t(n));
        }
    }
    return true;
}

Json files_of(const std::string& folder) {
    Json out = Json::array();
    std::vector<std::string> paths;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        if (entry.is_regular_file(error)) paths.push_back(entry.path().string());
    std::sort(paths.begin(), paths.end());
    for (const std::string& path : paths) {
        std::string problem;
        const auto bytes = read_file(path, problem, InputKind::FileOnly);
        if (!bytes || bytes->size() > most_output) continue;
        out.push_back({{"name", std::filesystem::path(path).filename().string()},
                       {"type", media_type(path)},
                       {"base64", base64(*bytes)}});
    }
    return out;
}

}  // namespace

const std::vector<std::string>& operation_words() {
    static const std::vector<std::string> words = {
        "check",    "partition", "equations", "structure", "simulate", "sweep",           "sensitivity",
        "steady",   "design",    "optimize",  "fit",       "bvp",      "linearize",       "poles",
        "zeros",    "step",      "impulse",   "initial",   "margins",  "controllability", "observability",
        "gramians", "minimal",   "canonical", "sample",    "lqr",      "kalman",          "lqg",
        "place",    "tf",        "bode",      "nyquist",   "nichols",  "rootlocus",       "routh",
        "jury",     "smith",     "fraction",  "realize",   "subspace", "symbolic",        "translate",
        "picture"};
    return words;
}

std::string base64(std::string_view bytes) {
    constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto byte = [&](std::size_t k) {
            return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U;
        };
        const unsigned group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for (std::size_t k = 0; k < 4; ++k)
            out += i + k > bytes.size() ? '=' : letters[group >> (18 - 6 * k) & 63];
    }
    return out;
}

std::string media_type(std::string_view file) {
    if (file.ends_with(".svg")) return "image/svg+xml";
    if (file.ends_with(".pdf")) return "application/pdf";
    if (file.ends_with(".png")) return "image/png";
    if (file.ends_with(".csv")) return "text/csv";
    if (file.ends_with(".json")) return "application/json";
    return "application/octet-stream";
}

OperationOutcome run_operation(const std::vector<std::string>& arguments, const std::string& folder) {
    OperationOutcome out;
    const std::string place = folder + "/operation";
    std::error_code error;
    std::filesystem::remove_all(place, error);
    int output[2], errors[2];
    if (!make_private_folder(place) || ::pipe2(output, O_CLOEXEC) != 0) {
        out.status = 3;
        out.errors = std::strerror(errno);
        return out;
    }
    if (::pipe2(errors, O_CLOEXEC) != 0) {
        out.status = 3;
        out.errors = std::strerror(errno);
        ::close(output[0]);
        ::close(output[1]);
        return out;
    }
    std::vector<char*> words = {const_cast<char*>("cutset")};
    for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const pid_t process = ::fork();
    if (process == 0) {  // only what is safe after a fork with threads
        const int nothing = ::open("/dev/null", O_RDONLY);
        ::dup2(nothing, STDIN_FILENO);
        ::dup2(output[1], STDOUT_FILENO);
        ::dup2(errors[1], STDERR_FILENO);
        ::close_range(3, ~0U, 0);
        if (::chdir(place.c_str()) == 0) ::execv("/proc/self/exe", words.data());
        ::_exit(127);
    }
    ::close(output[1]);
    ::close(errors[1]);
    Reading said{output[0], {}}, wrong{errors[0], {}};
    if (process < 0) {
        out.status = 3;
        wrong.text = std::strerror(errno);
    } else {
        if (!read_both(said, wrong)) {
            ::kill(process, SIGKILL);
            wrong.text += "ended after 120 s\n";
        }
        int status = 0;
        while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
        }
        out.status = WIFEXITED(status) ? WEXITSTATUS(status) : 3;
    }
    ::close(output[0]);
    ::close(errors[0]);
    out.output = std::move(said.text);
    out.errors = std::move(wrong.text);
    out.files = files_of(place);
    std::filesystem::remove_all(place, error);
    return out;
}

Answer operate(const ModelTexts& texts, const Json& changes, const std::vector<std::string>& words,
               const std::optional<std::string>& of_class, const std::string& folder) {
    const std::vector<std::string>& known = operation_words();
    if (words.empty() || std::find(known.begin(), known.end(), words[0]) == known.end())
        return messages::not_allowed(
            "no command of the program that can be called here: " + (words.empty() ? "" : words[0]),
            "for example linearize, bode, steady or structure");
    if (!texts.are_all_saved())
        return messages::not_allowed(
            words[0] + " works on the files, and there are changes that are not saved", "save them");
    const ModelPlace& place = texts.place();
    if (of_class && (of_class->empty() || of_class->starts_with('-')))
        return messages::bad_argument("class is no name of a class");
    const std::string model = of_class.value_or(place.model);
    std::vector<std::string> arguments = {words[0],
                                          (std::filesystem::path(place.directory) / place.file).string()};
    if (!model.empty()) arguments.push_back(model);
    if (place.allow_external) arguments.push_back("--allow-external");
    const auto add = [&](const char* kind, const char* option) {
        const auto of_kind = changes.find(kind);
        if (of_kind == changes.end() || words[0] == "picture" || of_class) return;
        for (const auto& [path, value] : of_kind->items()) {
            arguments.push_back(option);
            arguments.push_back(path + "=" + (value.is_string() ? value.get<std::string>() : value.dump()));
        }
    };
    add("parameters", "--set");
    add("initials", "--init");
    add("inputs", "--input");
    arguments.insert(arguments.end(), words.begin() + 1, words.end());
    OperationOutcome done = run_operation(arguments, folder);
    return Json{{"status", done.status},
                {"output", std::move(done.output)},
                {"errors", std::move(done.errors)},
                {"files", std::move(done.files)}};
}

}  // namespace cutset::studio
