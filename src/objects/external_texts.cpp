#include "objects/external_texts.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "objects/functions.h"
#include "objects/table_files.h"
#include "objects/value_messages.h"

namespace cutset::objects {

namespace {

std::vector<Value> substring(const CallArguments& a) {
    const std::string s = a.text(0);
    const auto n = static_cast<double>(s.size());
    const double first = std::max(1.0, a.number(1)), last = std::min(n, a.number(2));
    if (first > last) return {a.string("")};
    return {
        a.string(s.substr(static_cast<std::size_t>(first) - 1, static_cast<std::size_t>(last - first) + 1))};
}

std::string in_lower_case(std::string s) {
    for (char& c : s)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return s;
}

// -1, 0, 1 become the values 1, 2, 3 of Types.Compare.
std::vector<Value> compare(const CallArguments& a) {
    std::string x = a.text(0), y = a.text(1);
    if (a.number(2) == 0) {
        x = in_lower_case(x);
        y = in_lower_case(y);
    }
    return {a.integer(x < y ? 1 : x == y ? 2 : 3)};
}

std::vector<Value> skip_white_space(const CallArguments& a) {
    const std::string s = a.text(0);
    auto k = static_cast<std::size_t>(std::max(1.0, a.number(1)));
    while (k <= s.size() && std::string_view(" \t\n\r\f\v").find(s[k - 1]) != std::string_view::npos) ++k;
    return {a.integer(static_cast<double>(k))};
}

// Arash Partow's hash, as the library's seeds are made of names.
std::vector<Value> hash_of(const CallArguments& a) {
    std::uint32_t h = 0xAAAAAAAAu, k = 0;
    for (const char ch : a.text(0)) {
        const auto c = static_cast<std::uint32_t>(static_cast<unsigned char>(ch));
        h ^= (k++ & 1) == 0 ? (h << 7) ^ c * (h >> 3) : ~((h << 11) + (c ^ (h >> 5)));
    }
    return {a.integer(static_cast<std::int32_t>(h))};
}

bool is_space(char c) {
    return std::string_view(" \t\n\r\f\v").find(c) != std::string_view::npos;
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Something that begins behind blanks from a position on. `next` is that position where it is not
// there.
struct Scanned {
    std::string text;
    std::size_t next = 1;
};

template <class Length>
Scanned scan(const CallArguments& a, Length length) {
    const std::string s = a.text(0);
    auto at = static_cast<std::size_t>(std::max(1.0, a.number(1))) - 1;
    while (at < s.size() && is_space(s[at])) ++at;
    const std::size_t n = at < s.size() ? length(std::string_view(s).substr(at)) : 0;
    if (n > 0) return {s.substr(at, n), at + n + 1};
    return {"", static_cast<std::size_t>(std::max(1.0, a.number(1)))};
}

std::size_t digits_from(std::string_view s, std::size_t from) {
    std::size_t n = from;
    while (n < s.size() && is_digit(s[n])) ++n;
    return n - from;
}

std::size_t integer_length(std::string_view s, bool is_unsigned) {
    const std::size_t sign = !is_unsigned && (s[0] == '+' || s[0] == '-') ? 1 : 0;
    const std::size_t n = digits_from(s, sign);
    // A number with a point is no whole one.
    if (n == 0 || (sign + n < s.size() && (s[sign + n] == '.' || s[sign + n] == 'e' || s[sign + n] == 'E')))
        return 0;
    return sign + n;
}

std::size_t real_length(std::string_view s, bool is_unsigned) {
    std::size_t at = !is_unsigned && (s[0] == '+' || s[0] == '-') ? 1 : 0;
    const std::size_t before = digits_from(s, at);
    at += before;
    std::size_t after = 0;
    if (at < s.size() && s[at] == '.') after = digits_from(s, ++at);
    if (before + after == 0) return 0;
    at += after;
    if (at < s.size() && (s[at] == 'e' || s[at] == 'E')) {
        const std::size_t sign = at + 1 < s.size() && (s[at + 1] == '+' || s[at + 1] == '-') ? 1 : 0;
        if (const std::size_t n = digits_from(s, at + 1 + sign)) at += 1 + sign + n;
    }
    return at;
}

// Within quotation marks, the first of which is there.
std::size_t string_length(std::string_view s) {
    if (s[0] != '"') return 0;
    for (std::size_t k = 1; k < s.size(); ++k)
        if (s[k] == '"' && s[k - 1] != '\\') return k + 1;
    return 0;
}

std::size_t identifier_length(std::string_view s) {
    if (!is_letter(s[0])) return 0;
    std::size_t n = 1;
    while (n < s.size() && (is_letter(s[n]) || is_digit(s[n]) || s[n] == '_')) ++n;
    return n;
}

std::vector<Value> scan_number(const CallArguments& a, bool whole) {
    const bool is_unsigned = a.number(2) != 0;
    const Scanned found = scan(a, [&](std::string_view s) {
        return whole ? integer_length(s, is_unsigned) : real_length(s, is_unsigned);
    });
    const double x = found.text.empty() ? 0 : std::strtod(found.text.c_str(), nullptr);
    const Value number = whole ? a.integer(x) : Value(Basic::Real, a.e.pool().number(x));
    return {a.integer(static_cast<double>(found.next)), number};
}

std::vector<Value> scan_string(const CallArguments& a) {
    const Scanned found = scan(a, string_length);
    const std::string inside = found.text.size() < 2 ? "" : found.text.substr(1, found.text.size() - 2);
    return {a.integer(static_cast<double>(found.next)), a.string(inside)};
}

std::vector<Value> scan_identifier(const CallArguments& a) {
    const Scanned found = scan(a, identifier_length);
    return {a.integer(static_cast<double>(found.next)), a.string(found.text)};
}

// ---- files

std::string path_of(const CallArguments& a, std::size_t k) {
    const std::string name = a.text(k);
    const auto& resource = a.e.functions().resource;
    a.e.model().reads_files = true;
    return name.starts_with("modelica://") && resource ? resource(name) : name;
}

std::ifstream opened(const CallArguments& a) {
    const std::string path = path_of(a, 0);
    std::ifstream file(path);
    if (!file) throw Refused{messages::table_file(a.where, path, "the file cannot be read")};
    return file;
}

std::string without_return(std::string line) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return line;
}

std::vector<Value> read_line(const CallArguments& a) {
    std::ifstream file = opened(a);
    std::string line;
    bool there = true;
    for (double k = 0; k < a.number(1) && there; ++k) there = bool(std::getline(file, line));
    return {a.string(there ? without_return(line) : ""), a.boolean(!there)};
}

std::vector<std::string> lines_of(const CallArguments& a) {
    std::ifstream file = opened(a);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(without_return(line));
    return lines;
}

std::vector<Value> read_file(const CallArguments& a) {
    Value all(type_of(Basic::String), {}, {});
    for (std::string& line : lines_of(a)) all.elements.emplace_back(std::move(line));
    all.dimensions = {static_cast<std::uint32_t>(all.elements.size())};
    return {all};
}

// 1: none, 2: a regular file, 3: a folder, 4: something else, as in Types.FileType.
std::vector<Value> kind_of_file(const CallArguments& a) {
    std::error_code error;
    const auto status = std::filesystem::status(path_of(a, 0), error);
    using std::filesystem::file_type;
    switch (status.type()) {
        case file_type::not_found:
        case file_type::none:
            return {a.integer(1)};
        case file_type::regular:
            return {a.integer(2)};
        case file_type::directory:
            return {a.integer(3)};
        default:
            return {a.integer(4)};
    }
}

TableMatrix matrix_in_file(const CallArguments& a) {
    TableMatrix m;
    std::string problem;
    const std::string path = path_of(a, 0);
    if (!read_table_file(path, a.text(1), 0, m, problem))
        throw Refused{messages::table_file(a.where, path, problem)};
    return m;
}

std::vector<Value> matrix_sizes(const CallArguments& a) {
    const TableMatrix m = matrix_in_file(a);
    const Scalar rows = a.e.pool().number(static_cast<double>(m.rows));
    const Scalar columns = a.e.pool().number(static_cast<double>(m.columns));
    return {Value(type_of(Basic::Integer), {2}, {rows, columns})};
}

std::vector<Value> matrix_values(const CallArguments& a) {
    const TableMatrix m = matrix_in_file(a);
    Value v(type_of(Basic::Real), {static_cast<std::uint32_t>(m.rows), static_cast<std::uint32_t>(m.columns)},
            {});
    for (const double x : m.values) v.elements.emplace_back(a.e.pool().number(x));
    return {v};
}

const std::map<std::string, ExternalText, std::less<>>& known_texts() {
    static const std::map<std::string, ExternalText, std::less<>> all = {
        {"ModelicaStrings_substring", substring},
        {"ModelicaStrings_length",
         [](const CallArguments& a) -> std::vector<Value> {
             return {a.integer(static_cast<double>(a.text(0).size()))};
         }},
        {"ModelicaStrings_compare", compare},
        {"ModelicaStrings_skipWhiteSpace", skip_white_space},
        {"ModelicaStrings_hashString", hash_of},
        {"ModelicaStrings_scanReal", [](const CallArguments& a) { return scan_number(a, false); }},
        {"ModelicaStrings_scanInteger", [](const CallArguments& a) { return scan_number(a, true); }},
        {"ModelicaStrings_scanString", scan_string},
        {"ModelicaStrings_scanIdentifier", scan_identifier},
        {"ModelicaInternal_readLine", read_line},
        {"ModelicaInternal_readFile", read_file},
        {"ModelicaInternal_countLines",
         [](const CallArguments& a) -> std::vector<Value> {
             return {a.integer(static_cast<double>(lines_of(a).size()))};
         }},
        {"ModelicaInternal_stat", kind_of_file},
        {"ModelicaIO_readMatrixSizes", matrix_sizes},
        {"ModelicaIO_readRealMatrix", matrix_values},
        // Files are named from the folder of the model; what is not there says whoever opens it.
        {"ModelicaInternal_fullPathName",
         [](const CallArguments& a) -> std::vector<Value> { return {a.string(a.text(0))}; }},
    };
    return all;
}

}  // namespace

bool changes_nothing(std::string_view symbol) {
    static constexpr std::string_view all[] = {"ModelicaMessage", "ModelicaWarning", "ModelicaInternal_print",
                                               "ModelicaStreams_closeFile",
                                               // Only impureRandom, which is refused, would read it.
                                               "ModelicaRandom_setInternalState_xorshift1024star"};
    return std::find(std::begin(all), std::end(all), symbol) != std::end(all);
}

ExternalText find_external_text(std::string_view symbol) {
    const auto found = known_texts().find(symbol);
    return found == known_texts().end() ? nullptr : found->second;
}

}  // namespace cutset::objects
