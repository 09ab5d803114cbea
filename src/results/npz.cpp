#include "results/npz.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "flat/shape_text.h"

namespace cutset::npz {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t fixed_length = 256;  // of a header, so that a shape can grow in place

std::string with_head(const std::string& type, const std::string& shape, std::size_t length) {
    std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
    const std::size_t before = magic.size() + 4;
    if (length < before + text.size() + 1) length = (before + text.size() + 1 + 63) / 64 * 64;
    text.append(length - before - text.size() - 1, ' ');
    text += '\n';
    const auto size = static_cast<std::uint16_t>(text.size());
    std::string out(magic);
    out += '\1';
    out += '\0';
    out += static_cast<char>(size & 0xff);
    out += static_cast<char>(size >> 8);
    return out + text;
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
    std::string text;
    for (std::uint64_t n : shape) text += fmt::format("{}, ", n);
    if (shape.size() > 1) text.resize(text.size() - 2);
    if (shape.size() == 1) text.pop_back();  // "(3,)"
    return text;
}

// Characters of four bytes; what is not UTF-8 byte by byte.
std::u32string decoded(std::string_view text) {
    std::u32string out;
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const std::size_t more = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc0 ? 1 : 0;
        char32_t code = more == 0 ? byte : byte & (0x3f >> more);
        bool good = i + more < text.size();
        for (std::size_t k = 1; good && k <= more; ++k) {
            const auto next = static_cast<unsigned char>(text[i + k]);
            good = (next & 0xc0) == 0x80;
            code = code << 6 | (next & 0x3f);
        }
        good = good && code <= 0x10ffff;
        out += good ? code : char32_t(byte);
        i += good ? more + 1 : 1;
    }
    return out;
}

std::string encoded(std::u32string_view text) {
    std::string out;
    for (char32_t c : text) {
        if (c == 0 || c > 0x10ffff) continue;
        if (c < 0x80) {
            out += static_cast<char>(c);
            continue;
        }
        const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        constexpr unsigned first[] = {0, 0xc0, 0xe0, 0xf0};
        out += static_cast<char>(first[more] | c >> 6 * more);
        for (int k = more - 1; k >= 0; --k) out += static_cast<char>(0x80 | (c >> 6 * k & 0x3f));
    }
    return out;
}

std::string_view word(ColumnKind kind) {
    switch (kind) {
        case ColumnKind::Time:
            return "time";
        case ColumnKind::Continuous:
            return "continuous";
        case ColumnKind::Discrete:
            return "discrete";
        case ColumnKind::Parameter:
            return "parameter";
        case ColumnKind::Alias:
            break;
    }
    return "alias";
}

// The text after `'key':` in a header.
std::string_view field(std::string_view head, std::string_view key) {
    const std::size_t at = head.find(key);
    if (at == std::string_view::npos) return {};
    const std::size_t colon = head.find(':', at);
    if (colon == std::string_view::npos) return {};
    std::string_view rest = head.substr(colon + 1);
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    return rest;
}

struct Head {
    char kind = 0;  // f, i, u, b, U
    std::size_t bytes = 0;
    bool by_columns = false;
    std::vector<std::uint64_t> shape;
    std::uint64_t count = 1;  // of elements
};

std::optional<Head> parse_head(std::string_view text) {
    Head head;
    std::string_view type = field(text, "'descr'");
    if (type.size() < 4 || type[0] != '\'' || (type[1] != '<' && type[1] != '|')) return std::nullopt;
    head.kind = type[2];
    for (std::size_t i = 3; i < type.size() && type[i] >= '0' && type[i] <= '9' && head.bytes < 100'000'000;
         ++i)
        head.bytes = 10 * head.bytes + static_cast<std::size_t>(type[i] - '0');
    head.by_columns = field(text, "'fortran_order'").starts_with("True");
    std::string_view shape = field(text, "'shape'");
    if (!shape.starts_with("(")) return std::nullopt;
    shape = shape.substr(1, shape.find(')') == std::string_view::npos ? 0 : shape.find(')') - 1);
    std::optional<std::uint64_t> number;
    const auto take = [&] {
        if (number) head.shape.push_back(*number);
        number.reset();
    };
    for (char c : shape) {
        if (c == ',') take();
        if (c < '0' || c > '9') continue;
        number = 10 * number.value_or(0) + static_cast<std::uint64_t>(c - '0');
        if (*number > 1'000'000'000'000) return std::nullopt;
    }
    take();
    for (std::uint64_t n : head.shape) {
        if (n != 0 && head.count > 1'000'000'000'000 / n) return std::nullopt;
        head.count *= n;
    }
    return head;
}

template <class T>
double element(const char* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return static_cast<double>(value);
}

using ReadElement = double (*)(const char*);
ReadElement reader_of(char kind, std::size_t bytes) {
    if (kind == 'f') return bytes == 8 ? element<double> : bytes == 4 ? element<float> : nullptr;
    if (kind == 'b') return bytes == 1 ? element<std::uint8_t> : nullptr;
    const bool is_signed = kind == 'i';
    if (!is_signed && kind != 'u') return nullptr;
    switch (bytes) {
        case 1:
            return is_signed ? element<std::int8_t> : element<std::uint8_t>;
        case 2:
            return is_signed ? element<std::int16_t> : element<std::uint16_t>;
        case 4:
            return is_signed ? element<std::int32_t> : element<std::uint32_t>;
        case 8:
            return is_signed ? element<std::int64_t> : element<std::uint64_t>;
        default:
            return nullptr;
    }
}

}  // namespace

std::string array_header(const std::vector<std::uint64_t>& shape) {
    return with_head("<f8", shape_text(shape), fixed_length);
}

std::string columns_table(const Columns& columns) {
    std::vector<std::u32string> texts;
    std::size_t longest = 1;
    for (const Column& c : columns)
        for (std::string_view text : {std::string_view(c.name), word(c.kind), std::string_view(c.unit),
                                      std::string_view(c.description)}) {
            texts.push_back(decoded(text));
            longest = std::max(longest, texts.back().size());
        }
    std::string out = with_head(fmt::format("<U{}", longest), fmt::format("{}, 4", columns.size()), 0);
    for (std::u32string& text : texts) {
        text.resize(longest);
        out.append(reinterpret_cast<const char*>(text.data()), 4 * longest);
    }
    return out;
}

std::optional<Array> read_array(std::string_view bytes, std::string& problem) {
    const auto failed = [&](const char* reason) {
        problem = reason;
        return std::nullopt;
    };
    if (!bytes.starts_with(magic) || bytes.size() < 12) return failed("it is no array of NumPy");
    const auto at = [&](std::size_t i) {
        return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
    };
    const bool old = at(6) == 1;
    const std::size_t begin = old ? 10 : 12;
    const std::size_t length = at(8) | at(9) << 8 | (old ? 0 : at(10) << 16 | at(11) << 24);
    if (bytes.size() - begin < length) return failed("it is cut off");
    const auto head = parse_head(bytes.substr(begin, length));
    if (!head) return failed("its description is not understood");
    bytes.remove_prefix(begin + length);
    const std::size_t size = head->kind == 'U' ? 4 * head->bytes : head->bytes;
    const ReadElement read = reader_of(head->kind, head->bytes);
    if (head->kind != 'U' && !read) return failed("it has no numbers that are known here");
    if (size == 0 ? head->count > 1'000'000 : bytes.size() / size < head->count)
        return failed("it is cut off");
    Array out;
    out.shape = head->shape;
    if (head->kind == 'U') {
        std::u32string text(head->bytes, 0);
        for (std::uint64_t i = 0; i < head->count; ++i) {
            std::memcpy(text.data(), bytes.data() + i * size, size);
            out.texts.push_back(encoded(text));
        }
        return out;
    }
    if (head->by_columns && head->shape.size() > 1) return failed("it is stored by columns");
    out.values.resize(head->count);
    for (std::uint64_t i = 0; i < head->count; ++i) out.values[i] = read(bytes.data() + i * size);
    return out;
}

}  // namespace cutset::npz
