#include "studio/message.h"

#include <fmt/format.h>

#include <cmath>

#include "studio/messages.h"

namespace cutset::studio {

namespace {

// Deeper texts are not given to the parser. Brackets in strings do not count.
std::size_t nesting_of(std::string_view text) {
    std::size_t depth = 0, deepest = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            deepest = std::max(deepest, ++depth);
        } else if ((c == ']' || c == '}') && depth > 0) {
            --depth;
        }
    }
    return deepest;
}

bool is_whole(const Json& value, std::uint64_t most) {
    return value.is_number_unsigned() && value.get<std::uint64_t>() <= most;
}

}  // namespace

Json to_json(const Refusal& refusal) {
    Json out = refusal.more;
    out["code"] = refusal.code;
    out["message"] = refusal.message;
    if (!refusal.help.empty()) out["help"] = refusal.help;
    return out;
}

std::string answer_text(std::uint64_t id, const Answer& answer) {
    Json out = {{"id", id}};
    if (const Json* const result = std::get_if<Json>(&answer))
        out["result"] = *result;
    else
        out["error"] = to_json(std::get<Refusal>(answer));
    return json_text(out);
}

std::optional<Json> read_object(std::string_view text, std::string& problem) {
    if (text.size() > most_message_bytes) {
        problem = "the message is longer than 4 MB";
        return std::nullopt;
    }
    if (nesting_of(text) > most_nesting) {
        problem = fmt::format("the message is nested deeper than {}", most_nesting);
        return std::nullopt;
    }
    Json value = Json::parse(text, nullptr, false);
    if (!value.is_object()) {
        problem = value.is_discarded() ? "the message is no JSON" : "the message is no JSON object";
        return std::nullopt;
    }
    return value;
}

std::optional<Call> read_call(std::string_view text, std::string& problem) {
    auto value = read_object(text, problem);
    if (!value) return std::nullopt;
    constexpr std::uint64_t largest = (std::uint64_t(1) << 53) - 1;  // that JavaScript counts exactly
    const auto id = value->find("id"), name = value->find("call");
    if (id == value->end() || !is_whole(*id, largest)) {
        problem = "the message has no id";
        return std::nullopt;
    }
    if (name == value->end() || !name->is_string() || name->get_ref<const std::string&>().size() > 64) {
        problem = "the message has no call";
        return std::nullopt;
    }
    Call call{id->get<std::uint64_t>(), name->get<std::string>(), {}};
    value->erase("id");
    value->erase("call");
    call.arguments = std::move(*value);
    return call;
}

const Json* Arguments::member(const char* name, bool required) {
    known_.insert(name);
    const auto at = object_.find(name);
    if (at != object_.end()) return &*at;
    if (required) fail(fmt::format("{} is missing", name));
    return nullptr;
}

void Arguments::fail(std::string message) {
    if (!problem_) problem_ = messages::bad_argument(std::move(message));
}

std::optional<Refusal> Arguments::problem() {
    if (!problem_)
        for (const auto& [name, value] : object_.items())
            if (!known_.contains(name)) fail(fmt::format("no argument is called {}", name));
    return problem_;
}

std::string Arguments::text(const char* name) {
    const Json* const value = member(name, true);
    if (!value) return {};
    if (value->is_string()) return value->get<std::string>();
    fail(fmt::format("{} is no text", name));
    return {};
}

std::optional<std::string> Arguments::text_if(const char* name) {
    const Json* const value = member(name, false);
    if (!value || value->is_null()) return std::nullopt;
    return text(name);
}

double Arguments::number(const char* name) {
    const Json* const value = member(name, true);
    if (!value) return 0;
    const double number = value->is_number() ? value->get<double>() : NAN;
    if (std::isfinite(number)) return number;
    fail(fmt::format("{} is no finite number", name));
    return 0;
}

std::optional<double> Arguments::number_if(const char* name) {
    const Json* const value = member(name, false);
    if (!value || value->is_null()) return std::nullopt;
    return number(name);
}

std::size_t Arguments::count(const char* name, std::size_t most) {
    const Json* const value = member(name, true);
    if (!value) return 0;
    if (is_whole(*value, most)) return value->get<std::size_t>();
    fail(fmt::format("{} is no whole number from 0 to {}", name, most));
    return 0;
}

std::optional<std::size_t> Arguments::count_if(const char* name, std::size_t most) {
    const Json* const value = member(name, false);
    if (!value || value->is_null()) return std::nullopt;
    return count(name, most);
}

bool Arguments::flag_if(const char* name) {
    const Json* const value = member(name, false);
    if (!value) return false;
    if (!value->is_boolean()) fail(fmt::format("{} is neither true nor false", name));
    return value->is_boolean() && value->get<bool>();
}

bool Arguments::is_null(const char* name) {
    const Json* const value = member(name, false);
    return value && value->is_null();
}

std::vector<std::string> Arguments::texts(const char* name, std::size_t most) {
    std::vector<std::string> out;
    const Json* const value = list(name);
    if (!value) return out;
    if (value->size() > most) fail(fmt::format("{} has more than {} members", name, most));
    for (const Json& one : *value) {
        if (!one.is_string()) {
            fail(fmt::format("{} is no list of texts", name));
            return out;
        }
        out.push_back(one.get<std::string>());
    }
    return out;
}

std::vector<std::string> Arguments::texts_if(const char* name, std::size_t most) {
    return member(name, false) ? texts(name, most) : std::vector<std::string>();
}

std::vector<std::pair<std::string, double>> Arguments::numbers_if(const char* name) {
    std::vector<std::pair<std::string, double>> out;
    const Json* const object = object_if(name);
    if (!object) return out;
    for (const auto& [key, value] : object->items()) {
        if (!value.is_number() || !std::isfinite(value.get<double>())) {
            fail(fmt::format("{}: {} is no finite number", name, key));
            return out;
        }
        out.emplace_back(key, value.get<double>());
    }
    return out;
}

std::vector<std::pair<std::string, std::string>> Arguments::values_if(const char* name) {
    std::vector<std::pair<std::string, std::string>> out;
    const Json* const object = object_if(name);
    if (!object) return out;
    for (const auto& [key, value] : object->items()) {
        if (!value.is_string() && !value.is_number()) {
            fail(fmt::format("{}: {} is neither a text nor a number", name, key));
            return out;
        }
        out.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
    }
    return out;
}

const Json* Arguments::object_if(const char* name) {
    const Json* const value = member(name, false);
    if (!value) return nullptr;
    if (value->is_object()) return value;
    fail(fmt::format("{} is no object", name));
    return nullptr;
}

const Json* Arguments::list(const char* name) {
    const Json* const value = member(name, true);
    if (!value) return nullptr;
    if (value->is_array()) return value;
    fail(fmt::format("{} is no list", name));
    return nullptr;
}

}  // namespace cutset::studio
