#include "results/zip.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace cutset::zip {

namespace {

constexpr std::uint32_t local_mark = 0x04034b50, central_mark = 0x02014b50, end_mark = 0x06054b50,
                        end64_mark = 0x06064b50, locator_mark = 0x07064b50;
constexpr std::uint16_t version = 45;                    // the first with 64-bit fields
constexpr std::uint16_t utf8_names = 1 << 11, day = 33;  // 1980-01-01: files repeat to the bit
constexpr std::uint32_t see_64 = 0xffffffff;
constexpr unsigned stored = 0, deflated = 8;
constexpr std::size_t local_size = 30, central_size = 46, end_size = 22, end64_size = 56, locator_size = 20;

template <class T>
void put(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// False when it does not stand there.
template <class T>
bool get(std::string_view bytes, std::uint64_t at, T& value) {
    if (at > bytes.size() || bytes.size() - at < sizeof value) return false;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return true;
}

template <class T>
T number(std::string_view bytes, std::uint64_t at) {
    T value = 0;
    get(bytes, at, value);
    return value;
}

// Where the directory begins, and how many entries it has; from the 64-bit end where there is one.
struct DirectoryPlace {
    std::uint64_t at = 0, entries = 0;
};
std::optional<DirectoryPlace> find_directory(std::string_view bytes) {
    if (bytes.size() < end_size) return std::nullopt;
    const std::size_t farthest = std::min<std::size_t>(bytes.size(), end_size + 0xffff);
    for (std::size_t back = end_size; back <= farthest; ++back) {
        const std::size_t end = bytes.size() - back;
        if (number<std::uint32_t>(bytes, end) != end_mark) continue;
        DirectoryPlace place{number<std::uint32_t>(bytes, end + 16), number<std::uint16_t>(bytes, end + 10)};
        if (end >= locator_size && number<std::uint32_t>(bytes, end - locator_size) == locator_mark) {
            const auto end64 = number<std::uint64_t>(bytes, end - locator_size + 8);
            if (number<std::uint32_t>(bytes, end64) == end64_mark)
                place = {number<std::uint64_t>(bytes, end64 + 48), number<std::uint64_t>(bytes, end64 + 32)};
        }
        return place;
    }
    return std::nullopt;
}

// Replaces those of the sizes and the offset that stand in the 64-bit field, in its order.
void take_64(std::string_view extra, Archive::Entry& entry) {
    for (std::size_t at = 0; at + 4 <= extra.size();) {
        const auto id = number<std::uint16_t>(extra, at), length = number<std::uint16_t>(extra, at + 2);
        at += 4;
        if (id == 1) {
            std::size_t field = at;
            for (std::uint64_t* value : {&entry.size, &entry.packed, &entry.offset}) {
                if (*value != see_64) continue;
                if (field + 8 > at + length || !get(extra, field, *value)) return;
                field += 8;
            }
        }
        at += length;
    }
}

}  // namespace

std::string local_header(const Member& member) {
    std::string out;
    put(out, local_mark);
    for (std::uint16_t v : {version, utf8_names, std::uint16_t(stored), std::uint16_t(0), day}) put(out, v);
    put(out, member.crc);
    put(out, see_64);
    put(out, see_64);
    put(out, static_cast<std::uint16_t>(member.name.size()));
    put(out, std::uint16_t(20));
    out += member.name;
    put(out, std::uint16_t(1));
    put(out, std::uint16_t(16));
    put(out, member.size);
    put(out, member.size);
    return out;
}

std::string directory(const std::vector<Member>& members, std::uint64_t offset) {
    std::string out;
    for (const Member& m : members) {
        put(out, central_mark);
        for (std::uint16_t v : {version, version, utf8_names, std::uint16_t(stored), std::uint16_t(0), day})
            put(out, v);
        put(out, m.crc);
        put(out, see_64);
        put(out, see_64);
        put(out, static_cast<std::uint16_t>(m.name.size()));
        put(out, std::uint16_t(28));
        for (int i = 0; i < 3; ++i) put(out, std::uint16_t(0));  // comment, disk, attributes
        put(out, std::uint32_t(0));
        put(out, see_64);
        out += m.name;
        put(out, std::uint16_t(1));
        put(out, std::uint16_t(24));
        put(out, m.size);
        put(out, m.size);
        put(out, m.offset);
    }
    const std::uint64_t length = out.size(), count = members.size();
    put(out, end64_mark);
    put(out, std::uint64_t(end64_size - 12));
    put(out, version);
    put(out, version);
    put(out, std::uint32_t(0));
    put(out, std::uint32_t(0));
    for (std::uint64_t v : {count, count, length, offset}) put(out, v);
    put(out, locator_mark);
    put(out, std::uint32_t(0));
    put(out, offset + length);
    put(out, std::uint32_t(1));
    const auto few = static_cast<std::uint16_t>(std::min<std::uint64_t>(count, 0xffff));
    put(out, end_mark);
    for (std::uint16_t v : {std::uint16_t(0), std::uint16_t(0), few, few}) put(out, v);
    put(out, static_cast<std::uint32_t>(std::min<std::uint64_t>(length, see_64)));
    put(out, static_cast<std::uint32_t>(std::min<std::uint64_t>(offset, see_64)));
    put(out, std::uint16_t(0));
    return out;
}

std::uint32_t crc_of(std::uint32_t before, std::string_view bytes) {
    return static_cast<std::uint32_t>(
        crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::optional<Archive> Archive::open(std::string_view bytes, std::string& problem) {
    const auto place = find_directory(bytes);
    if (!place) {
        problem = "it has no directory at its end: was it cut off?";
        return std::nullopt;
    }
    Archive archive;
    archive.bytes_ = bytes;
    std::uint64_t at = place->at;
    for (std::uint64_t i = 0; i < place->entries; ++i) {
        std::uint32_t mark = 0;
        if (!get(bytes, at, mark) || mark != central_mark || bytes.size() - at < central_size) {
            problem = "its directory is damaged";
            return std::nullopt;
        }
        Entry entry;
        entry.method = number<std::uint16_t>(bytes, at + 10);
        entry.crc = number<std::uint32_t>(bytes, at + 16);
        entry.packed = number<std::uint32_t>(bytes, at + 20);
        entry.size = number<std::uint32_t>(bytes, at + 24);
        entry.offset = number<std::uint32_t>(bytes, at + 42);
        const std::size_t name = number<std::uint16_t>(bytes, at + 28),
                          extra = number<std::uint16_t>(bytes, at + 30),
                          comment = number<std::uint16_t>(bytes, at + 32);
        const std::string_view rest = bytes.substr(at + central_size);
        if (rest.size() < name + extra + comment) {
            problem = "its directory is damaged";
            return std::nullopt;
        }
        entry.name = rest.substr(0, name);
        take_64(rest.substr(name, extra), entry);
        archive.entries_.push_back(std::move(entry));
        at += central_size + name + extra + comment;
    }
    return archive;
}

std::optional<std::string_view> Archive::read(const Entry& entry, bool growing, std::string& unpacked,
                                              std::string& problem) const {
    const auto failed = [&](const char* reason) {
        problem = entry.name + " " + reason;
        return std::nullopt;
    };
    std::uint32_t mark = 0;
    if (!get(bytes_, entry.offset, mark) || mark != local_mark || bytes_.size() - entry.offset < local_size)
        return failed("is not where the directory says");
    const std::uint64_t begin = entry.offset + local_size + number<std::uint16_t>(bytes_, entry.offset + 26) +
                                number<std::uint16_t>(bytes_, entry.offset + 28);
    if (begin > bytes_.size() || entry.packed > bytes_.size() - begin) return failed("is cut off");
    std::string_view content = bytes_.substr(begin, entry.packed);
    if (entry.method == deflated) {
        // No file is packed more than that; a size beyond it is a lie, and would be taken from memory.
        constexpr std::uint64_t most_packed = 1040;
        if (entry.size / most_packed > entry.packed + 1 ||
            entry.size > std::numeric_limits<std::uint32_t>::max() ||
            entry.packed > std::numeric_limits<std::uint32_t>::max())
            return failed("is too large");
        unpacked.resize(entry.size);
        z_stream z{};
        if (inflateInit2(&z, -MAX_WBITS) != Z_OK) return failed("cannot be unpacked");
        z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
        z.avail_in = static_cast<uInt>(content.size());
        z.next_out = reinterpret_cast<Bytef*>(unpacked.data());
        z.avail_out = static_cast<uInt>(unpacked.size());
        const int status = inflate(&z, Z_FINISH);
        const bool whole = status == Z_STREAM_END && z.avail_out == 0;
        inflateEnd(&z);
        if (!whole) return failed("cannot be unpacked");
        content = unpacked;
    } else if (entry.method != stored || entry.packed != entry.size) {
        return failed("is packed in a way that is not known here");
    }
    if (!growing && crc_of(0, content) != entry.crc) return failed("is damaged");
    return content;
}

}  // namespace cutset::zip
