#include "objects/external_functions.h"

#include <cmath>
#include <map>

#include "objects/builtin_functions.h"
#include "objects/combi_tables.h"
#include "objects/value_messages.h"

namespace cutset::objects {

namespace {

struct CallArguments {
    Evaluator& e;
    const std::vector<Value>& values;

    std::string text(std::size_t k) const { return values.at(k).text(); }
    double number(std::size_t k) const { return e.number_of(values.at(k).expr())->number; }
    Value integer(double x) const { return Value(Basic::Integer, e.pool().number(x)); }
    Value boolean(bool b) const { return Value(Basic::Boolean, e.pool().truth(b)); }
    Value string(std::string s) const { return Value(Basic::String, std::move(s)); }
};

using ExternalFunction = std::vector<Value> (*)(const CallArguments&);

std::vector<Value> substring(const CallArguments& a) {
    const std::string s = a.text(0);
    const auto n = static_cast<double>(s.size());
    const double first = std::max(1.0, a.number(1)), last = std::min(n, a.number(2));
    if (first > last) return {a.string("")};
    return {
        a.string(s.substr(static_cast<std::size_t>(first) - 1, static_cast<std::size_t>(last - first) + 1))};
}

std::string lower(std::string s) {
    for (char& c : s)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return s;
}

// -1, 0, 1 become the values 1, 2, 3 of Types.Compare.
std::vector<Value> compare(const CallArguments& a) {
    std::string x = a.text(0), y = a.text(1);
    if (a.number(2) == 0) {
        x = lower(x);
        y = lower(y);
    }
    return {a.integer(x < y ? 1 : x == y ? 2 : 3)};
}

std::vector<Value> skip_white_space(const CallArguments& a) {
    const std::string s = a.text(0);
    auto k = static_cast<std::size_t>(std::max(1.0, a.number(1)));
    while (k <= s.size() && std::string_view(" \t\n\r\f\v").find(s[k - 1]) != std::string_view::npos) ++k;
    return {a.integer(static_cast<double>(k))};
}

const std::map<std::string, ExternalFunction, std::less<>>& known_functions() {
    static const std::map<std::string, ExternalFunction, std::less<>> all = {
        {"ModelicaStrings_substring", substring},
        {"ModelicaStrings_length",
         [](const CallArguments& a) -> std::vector<Value> {
             return {a.integer(static_cast<double>(a.text(0).size()))};
         }},
        {"ModelicaStrings_compare", compare},
        {"ModelicaStrings_skipWhiteSpace", skip_white_space},
        // Files are named from the folder of the model; what is missing is reported where it is opened.
        {"ModelicaInternal_fullPathName",
         [](const CallArguments& a) -> std::vector<Value> { return {a.string(a.text(0))}; }},
        {"ModelicaInternal_print", [](const CallArguments&) -> std::vector<Value> { return {}; }},
        {"ModelicaMessage", [](const CallArguments&) -> std::vector<Value> { return {}; }},
    };
    return all;
}

}  // namespace

bool is_language_function(const Callable& f) {
    return f.external && f.external->language == "builtin";
}

namespace {

// Its body is assert(false, text).
bool only_fails(const Callable& f) {
    if (f.algorithms.size() != 1 || f.algorithms[0].section->statements.size() != 1) return false;
    const auto* call = std::get_if<object::CallStatement>(&f.algorithms[0].section->statements[0].what);
    if (!call || call->call.arguments.size() < 2 || call->call.name.parts.size() != 1) return false;
    const object::Expression& condition = call->call.arguments[0];
    return call->call.name.parts[0].name == "assert" && condition.kind == object::ExpressionKind::Boolean &&
           condition.number == 0;
}

}  // namespace

const object::Expression* error_text(const object::Expression& call, Frame& frame) {
    if (call.kind != object::ExpressionKind::Call) return nullptr;
    const Meaning meaning = frame.scope.callable(call.name);
    const auto* f = std::get_if<std::shared_ptr<const Callable>>(&meaning);
    if (!f) return nullptr;
    const bool external = (*f)->external && (*f)->external->function == "ModelicaError";
    if (!external && !only_fails(**f)) return nullptr;
    if (!call.arguments.empty()) return call.arguments.data();
    return call.named.empty() ? nullptr : &*call.named[0].value;
}

std::vector<Value> external_call(Evaluator& e, const Callable& f, Frame& frame, Span where) {
    const object::External& x = *f.external;
    std::vector<Value> arguments;
    for (const object::Expression& a : x.arguments) arguments.push_back(e.evaluate(a, frame));
    const std::string& symbol = x.function.empty() ? f.name : x.function;
    const auto result_type = [&](std::vector<Value> results) {
        std::size_t k = 0;
        for (const Member& m : f.members)
            if (m.causality == object::Causality::Output && k < results.size()) {
                // Values of enumerations come as whole numbers.
                if (m.type.basic == Basic::Enumeration) results[k].type = m.type;
                ++k;
            }
        return results;
    };
    if (is_language_function(f)) {
        if (auto v = builtin_of_values(e, symbol, arguments, frame, where)) return result_type({*v});
    } else if (auto results = table_call(e, f, symbol, arguments, frame, where)) {
        return std::move(*results);
    } else if (const auto found = known_functions().find(symbol); found != known_functions().end()) {
        for (const Value& a : arguments)
            if (!Evaluator::is_known(a)) throw Refused{messages::text_varies(where), Refusal::TextVaries};
        return result_type(found->second(CallArguments{e, arguments}));
    } else if (symbol == "ModelicaError") {
        throw Refused{messages::assertion(
            where, f.name,
            !arguments.empty() && arguments[0].type.basic == Basic::String ? arguments[0].text() : "")};
    }
    throw Refused{messages::external_function(where, f.name, symbol)};
}

}  // namespace cutset::objects
