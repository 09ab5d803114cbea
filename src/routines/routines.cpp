#include "routines/routines.h"

#include <charconv>
#include <cmath>

#include "routines/fortran_call.h"
#include "routines/numeric_routines.h"

namespace cutset {

namespace {

using Kind = RoutineArgument::Kind;

std::string number_text(double x) {
    char text[40];
    const auto end = std::to_chars(text, text + sizeof text, x);
    return std::string(text, end.ptr);
}

std::string argument_text(const RoutineArgument& a) {
    if (a.kind == Kind::Text) return '"' + a.text + '"';
    std::string out = a.kind == Kind::Real ? "r" : "i";
    for (std::size_t k = 0; k < a.dimensions.size(); ++k)
        out += (k ? "," : "[") + std::to_string(a.dimensions[k]);
    if (!a.dimensions.empty()) out += "]";
    if (a.constant) out += "=" + number_text(*a.constant);
    if (a.wanted) out += "!";
    return out;
}

std::optional<RoutineArgument> argument_of(std::string_view text) {
    RoutineArgument a;
    const char *at = text.data(), *const end = at + text.size();
    if (at == end) return std::nullopt;
    if (*at == '"') {
        a.kind = Kind::Text;
        if (text.size() < 2 || text.back() != '"') return std::nullopt;
        a.text = text.substr(1, text.size() - 2);
        return a;
    }
    if (*at != 'r' && *at != 'i') return std::nullopt;
    a.kind = *at++ == 'r' ? Kind::Real : Kind::Integer;
    if (at != end && *at == '[') {
        do {
            std::uint32_t size = 0;
            const auto read = std::from_chars(at + 1, end, size);
            if (read.ec != std::errc()) return std::nullopt;
            a.dimensions.push_back(size);
            at = read.ptr;
        } while (at != end && *at == ',');
        if (at == end || *at++ != ']') return std::nullopt;
    }
    if (at != end && *at == '=') {
        double value = 0;
        const auto read = std::from_chars(at + 1, end, value);
        if (read.ec != std::errc()) return std::nullopt;
        a.constant = value;
        at = read.ptr;
    }
    if (at != end && *at == '!') {
        a.wanted = true;
        ++at;
    }
    return at == end ? std::optional(a) : std::nullopt;
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        if (end > begin) words.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

}  // namespace

std::size_t RoutineArgument::size() const {
    std::size_t n = 1;
    for (const std::uint32_t d : dimensions) n *= d;
    return n;
}

std::size_t RoutineCall::inputs() const {
    std::size_t n = 0;
    for (const RoutineArgument& a : arguments)
        if (a.kind != Kind::Text && !a.constant) n += a.size();
    return n;
}

std::size_t RoutineCall::outputs() const {
    std::size_t n = result ? 1 : 0;
    for (const RoutineArgument& a : arguments)
        if (a.wanted) n += a.size();
    return n;
}

bool is_routine(std::string_view symbol) {
    return find_numeric_routine(symbol) || is_fortran_routine(symbol);
}

std::string to_text(const RoutineCall& call) {
    std::string out = (call.fortran ? "fortran " : "c ") + call.symbol;
    for (const RoutineArgument& a : call.arguments) out += " " + argument_text(a);
    if (call.result) out += *call.result == Kind::Real ? " -> r" : " -> i";
    return out;
}

std::optional<RoutineCall> routine_call_of(std::string_view text) {
    const std::vector<std::string_view> words = words_of(text);
    if (words.size() < 2 || (words[0] != "fortran" && words[0] != "c")) return std::nullopt;
    RoutineCall call;
    call.fortran = words[0] == "fortran";
    call.symbol = words[1];
    std::size_t last = words.size();
    if (last >= 4 && words[last - 2] == "->") {
        call.result = words[last - 1] == "r" ? Kind::Real : Kind::Integer;
        last -= 2;
    }
    for (std::size_t k = 2; k < last; ++k) {
        auto a = argument_of(words[k]);
        if (!a) return std::nullopt;
        call.arguments.push_back(std::move(*a));
    }
    return call;
}

bool run_routine(const RoutineCall& call, std::span<const double> inputs, std::vector<double>& outputs,
                 std::string& problem) {
    if (inputs.size() != call.inputs()) {
        problem = call.symbol + " is given the wrong number of values";
        return false;
    }
    std::vector<std::vector<double>> values;
    std::size_t next = 0;
    for (const RoutineArgument& a : call.arguments) {
        const std::size_t n = a.kind == Kind::Text ? 0 : a.size();
        if (a.constant) {
            values.emplace_back(n, *a.constant);
        } else {
            values.emplace_back(inputs.begin() + static_cast<std::ptrdiff_t>(next),
                                inputs.begin() + static_cast<std::ptrdiff_t>(next + n));
            next += n;
        }
    }
    double result = 0;
    if (const NumericRoutine routine = find_numeric_routine(call.symbol)) {
        if (!routine(values, result, problem)) return false;
    } else if (!call_fortran(call, values, result, problem)) {
        return false;
    }
    outputs.clear();
    for (std::size_t k = 0; k < values.size(); ++k)
        if (call.arguments[k].wanted) outputs.insert(outputs.end(), values[k].begin(), values[k].end());
    if (call.result) outputs.push_back(result);
    return true;
}

}  // namespace cutset
