// Calls that the page makes, as they arrive, and their answers: docs/studio-protocol.md.
//
//     {"id": 7, "call": "text.open", "file": "boiler.dym"}  →  {"id": 7, "result": {…}} or {"id": 7, "error":
//     {…}}
//
// What arrives is not trusted: its size, its nesting and every member are looked at, and members that a call
// does not know are errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "base/json.h"

namespace cutset::studio {

inline constexpr std::size_t most_message_bytes = 4 << 20;
inline constexpr std::size_t most_nesting = 64;
inline constexpr int protocol_version = 1;

// Why a call was refused; `more` has further members.
struct Refusal {
    std::string code, message, help;
    Json more = Json::object();
};
using Answer = std::variant<Json, Refusal>;

Json to_json(const Refusal& refusal);
// {"id": …, "result": …} or {"id": …, "error": …}
std::string answer_text(std::uint64_t id, const Answer& answer);

struct Call {
    std::uint64_t id = 0;
    std::string name;
    Json arguments;  // an object: the other members
};
// Nothing with the reason when it is no call.
std::optional<Call> read_call(std::string_view text, std::string& problem);
// An object of bounded nesting; nothing with the reason for anything else.
std::optional<Json> read_object(std::string_view text, std::string& problem);

// The arguments of a call, each asked for by name and type. The first thing wrong is kept; what was not asked
// for is wrong too.
class Arguments {
  public:
    explicit Arguments(const Json& object) : object_(object) {}

    std::string text(const char* name);
    std::optional<std::string> text_if(const char* name);
    double number(const char* name);
    std::optional<double> number_if(const char* name);  // null is none
    // Whole, from 0 to `most`.
    std::size_t count(const char* name, std::size_t most);
    std::optional<std::size_t> count_if(const char* name, std::size_t most);
    bool flag_if(const char* name);
    std::vector<std::string> texts(const char* name, std::size_t most);     // at most so many
    std::vector<std::string> texts_if(const char* name, std::size_t most);  // none: empty
    // An object of numbers, or of texts and numbers, which are written as text; none: empty.
    std::vector<std::pair<std::string, double>> numbers_if(const char* name);
    std::vector<std::pair<std::string, std::string>> values_if(const char* name);
    const Json* object_if(const char* name);
    const Json* list(const char* name);
    bool has(const char* name) const { return object_.contains(name); }
    bool is_null(const char* name);

    void fail(std::string message);
    // What is wrong, unknown members included; to be looked at before anything is done.
    std::optional<Refusal> problem();

  private:
    const Json* member(const char* name, bool required);
    const Json& object_;
    std::set<std::string> known_;
    std::optional<Refusal> problem_;
};

}  // namespace cutset::studio
