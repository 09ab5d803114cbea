#include "studio/messages.h"

#include <fmt/format.h>

#include <utility>

#include "base/message_parts.h"

namespace cutset::studio::messages {

namespace {

std::string or_near(const std::string& near) {
    return did_you_mean(near);
}

}  // namespace

Refusal bad_argument(std::string what) {
    return {"bad-argument", std::move(what), ""};
}
Refusal unknown_call(const std::string& name) {
    return {"unknown-call", fmt::format("there is no call {}", name), ""};
}
Refusal wrong_protocol(double theirs) {
    return {
        "wrong-protocol",
        fmt::format("the page speaks version {} of the protocol, the server {}", theirs, protocol_version),
        "reload the page"};
}
Refusal too_much(std::string what) {
    return {"too-much", std::move(what), ""};
}
Refusal no_such_model(const std::string& model) {
    return {"no-model", fmt::format("no model {} is open", model), "open it again"};
}
Refusal worker_died(const std::string& reason) {
    return {"worker-died", fmt::format("the process that works for this model ended: {}", reason), ""};
}

Refusal edits_out_of_order(std::size_t begin, std::size_t end, std::size_t size) {
    return {"bad-argument",
            fmt::format("the edit of bytes {} to {} of {} is not in order after the one before it", begin,
                        end, size),
            ""};
}
Refusal edit_in_character(std::size_t begin, std::size_t end) {
    return {"bad-argument",
            fmt::format("the edit of bytes {} to {} begins or ends within a character", begin, end), ""};
}
Refusal text_too_large() {
    return {"too-much", "the text would be larger than 16 MB", ""};
}
Refusal not_open(const std::string& file) {
    return {"not-open", fmt::format("{} is not open", file), ""};
}
Refusal read_only(const std::string& file) {
    return {"read-only", fmt::format("{} belongs to a library and is read only", file),
            "copy what you want to change into a file of your own"};
}
Refusal stale(const std::string& file) {
    return {"stale", fmt::format("{} was changed meanwhile", file), ""};
}
Refusal nothing_to_undo(const char* what) {
    return {"nothing-to-undo", fmt::format("there is nothing to {}", what), ""};
}
Refusal conflict(const std::string& file) {
    return {"conflict", fmt::format("{} was changed by another program", file),
            "compare the two texts; save over it, or take its text"};
}
Refusal bad_file_name(const std::string& file, const std::string& reason) {
    return {"bad-file-name", fmt::format("{} is no name of a file here: {}", file, reason), ""};
}
Refusal cannot_read(const std::string& file, const std::string& reason) {
    return {"cannot-read", fmt::format("{} cannot be read: {}", file, reason), ""};
}
Refusal cannot_write(const std::string& file, const std::string& reason) {
    return {"cannot-write", fmt::format("{} cannot be written: {}", file, reason),
            "your text is kept; save it again when there is room"};
}
Refusal already_there(const std::string& file) {
    return {"already-there", fmt::format("{} is there already", file), "choose another name"};
}

Refusal model_has_errors(Json diagnostics) {
    return {
        "no-model", "the model has errors", "see the messages", {{"diagnostics", std::move(diagnostics)}}};
}
Refusal failed(const std::string& message, Json diagnostics) {
    return {"failed", message, "", {{"diagnostics", std::move(diagnostics)}}};
}
Refusal no_active_run(const char* what) {
    return {"no-run", fmt::format("there is no run to {}", what), "start one"};
}
Refusal no_such_run(std::size_t run) {
    return {"no-run", fmt::format("there is no run {}", run), ""};
}
Refusal no_such_checkpoint(std::size_t checkpoint) {
    return {"no-run", fmt::format("there is no checkpoint {}", checkpoint), ""};
}
Refusal not_standing() {
    return {"no-run", "the run has ended, it cannot go on", "start another one, or branch at a checkpoint"};
}
Refusal unknown_variable(const std::string& path, const std::string& near) {
    return {"unknown-name", fmt::format("the model has no variable {}", path), or_near(near)};
}
Refusal unknown_class(const std::string& name, const std::string& near) {
    return {"unknown-name", fmt::format("there is no class {}", name), or_near(near)};
}
Refusal unknown_instance(const std::string& path, const std::string& near) {
    return {"unknown-name", fmt::format("the model has no submodel {}", path), or_near(near)};
}
Refusal not_allowed(const std::string& what, const std::string& help) {
    return {"not-allowed", what, help};
}

}  // namespace cutset::studio::messages
