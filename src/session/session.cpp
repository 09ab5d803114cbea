#include "session/session.h"

namespace cutset {

struct Session::Implementation {
    SessionHost& host;
    Settings settings;
    Plot picture;
};

Session::Session(SessionHost& host, Settings settings)
    : implementation_(std::make_unique<Implementation>(Implementation{host, std::move(settings), {}})) {}
Session::~Session() = default;

Session::Outcome Session::execute(std::string_view line) {
    return line == "STOP" ? Outcome::Stop : Outcome::Done;
}
Session::Completion Session::complete(std::string_view, std::size_t cursor) const {
    return {cursor, {}};
}
std::string Session::prompt() const {
    return ">";
}
SessionFacts Session::facts() const {
    return {};
}
const std::vector<std::string>& Session::commands() {
    static const std::vector<std::string> words = {"STOP"};
    return words;
}
std::string Session::command_of(std::string_view line) const {
    return std::string(line);
}
const Plot& Session::picture() const {
    return implementation_->picture;
}

}  // namespace cutset
