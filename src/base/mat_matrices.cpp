#include "base/mat_matrices.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>

namespace cutset {

double MatMatrix::at(std::uint64_t element) const {
    unsigned char bytes[8];
    const std::size_t n = element_size();
    std::memcpy(bytes, data.data() + element * n, n);
    if (big_endian) std::reverse(bytes, bytes + n);
    const auto as = [&](auto value) {
        std::memcpy(&value, bytes, sizeof value);
        return static_cast<double>(value);
    };
    switch (precision) {
        case 0:
            return as(double{});
        case 1:
            return as(float{});
        case 2:
            return as(std::int32_t{});
        case 3:
            return as(std::int16_t{});
        case 4:
            return as(std::uint16_t{});
        default:
            return as(std::uint8_t{});
    }
}

namespace {

std::uint32_t word(std::string_view bytes, std::size_t at, bool big_endian) {
    std::uint32_t v;
    std::memcpy(&v, bytes.data() + at, sizeof v);
    return big_endian ? __builtin_bswap32(v) : v;
}

}  // namespace

std::optional<MatMatrix> next_mat_matrix(std::string_view bytes, std::size_t& at) {
    constexpr std::size_t header = 5 * sizeof(std::uint32_t);
    if (bytes.size() - at < header) return std::nullopt;
    MatMatrix m;
    std::uint32_t type = word(bytes, at, false);
    if (type > 4999) {
        m.big_endian = true;
        type = word(bytes, at, true);
    }
    const unsigned machine = type / 1000;
    m.precision = type / 10 % 10;
    const unsigned kind = type % 10;
    if (type > 4999 || machine > 1 || type / 100 % 10 != 0 || m.precision > 5 || kind > 1)
        return std::nullopt;
    if ((machine == 1) != m.big_endian && type != 0) return std::nullopt;
    m.text = kind == 1;
    m.rows = word(bytes, at + 4, m.big_endian);
    m.columns = word(bytes, at + 8, m.big_endian);
    const std::uint32_t imaginary = word(bytes, at + 12, m.big_endian);
    const std::uint32_t name_size = word(bytes, at + 16, m.big_endian);
    at += header;
    if (imaginary > 1 || name_size == 0 || name_size > 1000 || bytes.size() - at < name_size)
        return std::nullopt;
    m.name = bytes.substr(at, name_size);
    m.name = m.name.substr(0, m.name.find('\0'));
    at += name_size;
    // rows, columns < 2^32: their product fits, times the element size it need not.
    const std::uint64_t left = bytes.size() - at;
    const std::uint64_t elements = m.rows * m.columns;
    const std::uint64_t limit = left / m.element_size() + 1;
    const std::uint64_t size = std::min(elements, limit) * m.element_size();
    m.data = bytes.substr(at, std::min(size, left));
    at += std::min(size, left);
    if (imaginary) at += std::min<std::uint64_t>(size, bytes.size() - at);
    return m;
}

std::string NamedMatrix::text_row(std::size_t row) const {
    std::string out;
    for (std::size_t c = 0; c < columns; ++c) {
        const double v = at(row, c);
        if (v <= 0 || v > 255) break;
        out += static_cast<char>(static_cast<unsigned char>(v));
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
}

namespace {

constexpr std::size_t largest = 200'000'000;  // elements of one matrix

// An element of level 5: type, size, data; small ones have all in eight bytes.
struct Element {
    std::uint32_t type = 0;
    std::string_view data;
};

std::optional<Element> next_element(std::string_view bytes, std::size_t& at, bool big_endian) {
    if (at > bytes.size() || bytes.size() - at < 8) return std::nullopt;
    const std::uint32_t first = word(bytes, at, big_endian);
    if (first >> 16) {
        const std::size_t size = first >> 16;
        if (size > 4) return std::nullopt;
        const Element e{first & 0xffff, bytes.substr(at + 4, size)};
        at += 8;
        return e;
    }
    const std::size_t size = word(bytes, at + 4, big_endian);
    if (size > bytes.size() - at - 8) return std::nullopt;
    const Element e{first, bytes.substr(at + 8, size)};
    at += 8 + (first == 15 ? size : (size + 7) / 8 * 8);
    return e;
}

std::optional<std::string> inflated(std::string_view data) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) return std::nullopt;
    std::string out, part(1 << 16, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
    int status = Z_OK;
    while (status == Z_OK && out.size() < 8 * largest) {
        stream.next_out = reinterpret_cast<Bytef*>(part.data());
        stream.avail_out = static_cast<uInt>(part.size());
        status = inflate(&stream, Z_NO_FLUSH);
        out.append(part, 0, part.size() - stream.avail_out);
        if (stream.avail_in == 0 && stream.avail_out) break;
    }
    inflateEnd(&stream);
    if (status != Z_STREAM_END && status != Z_OK && status != Z_BUF_ERROR) return std::nullopt;
    return out;
}

// The numbers of an element by its type; nothing for types that are no numbers.
std::optional<std::vector<double>> numbers(const Element& e, bool big_endian) {
    static constexpr std::size_t sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8, 0, 0, 1, 2, 4};
    if (e.type >= std::size(sizes) || sizes[e.type] == 0) return std::nullopt;
    const std::size_t n = sizes[e.type];
    std::vector<double> out;
    for (std::size_t i = 0; i + n <= e.data.size(); i += n) {
        unsigned char bytes[8];
        std::memcpy(bytes, e.data.data() + i, n);
        if (big_endian) std::reverse(bytes, bytes + n);
        const auto as = [&](auto value) {
            std::memcpy(&value, bytes, sizeof value);
            return static_cast<double>(value);
        };
        switch (e.type) {
            case 1:
                out.push_back(as(std::int8_t{}));
                break;
            case 2:
            case 16:
                out.push_back(as(std::uint8_t{}));
                break;
            case 3:
                out.push_back(as(std::int16_t{}));
                break;
            case 4:
            case 17:
                out.push_back(as(std::uint16_t{}));
                break;
            case 5:
                out.push_back(as(std::int32_t{}));
                break;
            case 6:
            case 18:
                out.push_back(as(std::uint32_t{}));
                break;
            case 7:
                out.push_back(as(float{}));
                break;
            case 9:
                out.push_back(as(double{}));
                break;
            case 12:
                out.push_back(as(std::int64_t{}));
                break;
            default:
                out.push_back(as(std::uint64_t{}));
                break;
        }
    }
    return out;
}

void read_level5_matrix(std::string_view bytes, bool big_endian, std::vector<NamedMatrix>& out) {
    std::size_t at = 0;
    const auto flags = next_element(bytes, at, big_endian);
    const auto sizes = next_element(bytes, at, big_endian);
    const auto name = next_element(bytes, at, big_endian);
    const auto data = next_element(bytes, at, big_endian);
    if (!flags || !sizes || !name || !data || flags->data.size() < 8) return;
    const unsigned kind = word(flags->data, 0, big_endian) & 0xff;
    const bool text = kind == 4;
    if (!text && (kind < 6 || kind > 15)) return;
    const auto dimensions = numbers(*sizes, big_endian);
    const auto values = numbers(*data, big_endian);
    if (!dimensions || dimensions->size() != 2 || !values) return;
    NamedMatrix m;
    m.name = std::string(name->data);
    m.text = text;
    m.rows = static_cast<std::size_t>(std::max(0.0, (*dimensions)[0]));
    m.columns = static_cast<std::size_t>(std::max(0.0, (*dimensions)[1]));
    if (m.rows && m.columns > largest / m.rows) return;
    if (values->size() < m.rows * m.columns) return;
    m.values.assign(values->begin(), values->begin() + static_cast<std::ptrdiff_t>(m.rows * m.columns));
    out.push_back(std::move(m));
}

}  // namespace

std::optional<std::vector<NamedMatrix>> read_mat_matrices(std::string_view bytes, std::string& problem) {
    std::vector<NamedMatrix> out;
    if (bytes.substr(0, 6) == "MATLAB") {
        if (bytes.size() < 128) {
            problem = "the file ends in its head";
            return std::nullopt;
        }
        const bool big_endian = bytes[126] == 'M' && bytes[127] == 'I';
        const unsigned version = static_cast<unsigned char>(bytes[big_endian ? 124 : 125]);
        if (version != 1) {
            problem = "it is of a later level than 5 (-v7.3); save it with -v7 or -v4";
            return std::nullopt;
        }
        std::size_t at = 128;
        while (const auto e = next_element(bytes, at, big_endian)) {
            if (e->type == 14) read_level5_matrix(e->data, big_endian, out);
            if (e->type != 15) continue;
            const auto plain = inflated(e->data);
            if (!plain) continue;
            std::size_t inside = 0;
            if (const auto m = next_element(*plain, inside, big_endian); m && m->type == 14)
                read_level5_matrix(m->data, big_endian, out);
        }
        return out;
    }
    std::size_t at = 0;
    while (const auto m = next_mat_matrix(bytes, at)) {
        if (!m->complete() || m->rows * m->columns > largest) continue;
        NamedMatrix named{std::string(m->name), m->text, m->rows, m->columns, {}};
        for (std::uint64_t i = 0; i < m->rows * m->columns; ++i) named.values.push_back(m->at(i));
        out.push_back(std::move(named));
    }
    if (out.empty()) {
        problem = "it has no matrices of MAT level 4 or 5";
        return std::nullopt;
    }
    return out;
}

std::string mat_matrices_text(const std::vector<NamedMatrix>& matrices) {
    std::string out;
    const auto put = [&](std::uint32_t v) {
        for (int k = 0; k < 4; ++k) out += static_cast<char>((v >> (8 * k)) & 0xff);
    };
    for (const NamedMatrix& m : matrices) {
        put(m.text ? 51 : 0);  // letters as uint8, numbers as double, little endian
        put(static_cast<std::uint32_t>(m.rows));
        put(static_cast<std::uint32_t>(m.columns));
        put(0);
        put(static_cast<std::uint32_t>(m.name.size() + 1));
        out += m.name;
        out += '\0';
        for (double v : m.values) {
            if (m.text) {
                out += static_cast<char>(static_cast<unsigned char>(v));
                continue;
            }
            std::uint64_t bits;
            std::memcpy(&bits, &v, sizeof bits);
            put(static_cast<std::uint32_t>(bits));
            put(static_cast<std::uint32_t>(bits >> 32));
        }
    }
    return out;
}

}  // namespace cutset
