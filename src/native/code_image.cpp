#include "native/code_image.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace cutset::native {

namespace {

constexpr std::size_t block_size = 1 << 18;
constexpr std::size_t image_alignment = 64;
// A jump through an address that follows it: jmp *2(%rip), two unused bytes, the address.
constexpr std::size_t stub_size = 16;
constexpr unsigned char stub_code[8] = {0xFF, 0x25, 0x02, 0x00, 0x00, 0x00, 0x90, 0x90};

std::size_t rounded(std::size_t n, std::size_t to) {
    return (n + to - 1) / to * to;
}

std::size_t page_size() {
    static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return size;
}

std::vector<std::uint32_t> targets_of(const CodeImage& image) {
    std::vector<std::uint32_t> targets;
    for (const CodeImage::Call& call : image.calls) targets.push_back(call.target);
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    return targets;
}

std::size_t room(const CodeImage& image) {
    return rounded(rounded(image.bytes.size(), stub_size) + stub_size * targets_of(image).size(),
                   image_alignment);
}

void append(std::string& out, std::uint32_t v) {
    out.append(reinterpret_cast<const char*>(&v), sizeof v);
}

}  // namespace

std::string CodeImage::archive() const {
    std::string out;
    append(out, static_cast<std::uint32_t>(bytes.size()));
    append(out, static_cast<std::uint32_t>(places.size()));
    append(out, static_cast<std::uint32_t>(calls.size()));
    for (const Place& p : places) {
        append(out, p.at);
        append(out, p.column);
        append(out, static_cast<std::uint32_t>(p.addend));
    }
    for (const Call& c : calls) {
        append(out, c.at);
        append(out, c.target);
    }
    return out + bytes;
}

std::optional<CodeImage> CodeImage::unarchive(std::string_view from) {
    std::size_t at = 0;
    const auto next = [&] {
        std::uint32_t v = 0;
        std::memcpy(&v, from.data() + at, sizeof v);
        at += sizeof v;
        return v;
    };
    if (from.size() < 12) return std::nullopt;
    const std::uint64_t size = next(), places = next(), calls = next();
    if (size < 4 || 12 + places * 12 + calls * 8 + size != from.size()) return std::nullopt;
    CodeImage image;
    image.places.resize(places);
    image.calls.resize(calls);
    for (Place& p : image.places) {
        p.at = next();
        p.column = next();
        p.addend = static_cast<std::int32_t>(next());
        if (p.at > size - 4) return std::nullopt;
    }
    for (Call& c : image.calls) {
        c.at = next();
        c.target = next();
        if (c.at > size - 4) return std::nullopt;
        if (c.target > memcpy_target && !is_site(c.target)) return std::nullopt;
    }
    image.bytes = from.substr(at);
    return image;
}

CodeMemory::~CodeMemory() {
    for (const Block& block : blocks_) munmap(block.begin, block.size);
}

bool CodeMemory::open(std::span<const CodeImage* const> images, std::vector<char*>& begins) {
    std::size_t size = 0;
    for (const CodeImage* image : images) size += room(*image);
    size = rounded(size, page_size());
    if (blocks_.empty() || blocks_.back().size - used_ < size) {
        const std::size_t whole = std::max(block_size, size);
        void* memory = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return false;
        blocks_.push_back({static_cast<char*>(memory), whole});
        used_ = 0;
    }
    opened_ = used_;
    used_ += size;
    char* at = blocks_.back().begin + opened_;
    begins.clear();
    for (const CodeImage* image : images) {
        std::copy(image->bytes.begin(), image->bytes.end(), at);
        begins.push_back(at);
        at += room(*image);
    }
    return true;
}

void CodeMemory::link(char* begin, const CodeImage& image, std::span<const std::uint32_t> places,
                      const std::function<const void*(std::uint32_t)>& target) {
    for (const CodeImage::Place& p : image.places) {
        const auto value = static_cast<std::int32_t>(8 * std::int64_t(places[p.column]) + p.addend);
        std::memcpy(begin + p.at, &value, sizeof value);
    }
    // Straight to what is near, else by way of a stub.
    const std::vector<std::uint32_t> targets = targets_of(image);
    char* stubs = begin + rounded(image.bytes.size(), stub_size);
    for (std::size_t k = 0; k < targets.size(); ++k) {
        const void* address = target(targets[k]);
        std::memcpy(stubs + k * stub_size, stub_code, sizeof stub_code);
        std::memcpy(stubs + k * stub_size + sizeof stub_code, &address, sizeof address);
    }
    for (const CodeImage::Call& call : image.calls) {
        const auto k = std::lower_bound(targets.begin(), targets.end(), call.target) - targets.begin();
        const char* stub = stubs + std::size_t(k) * stub_size;
        std::int64_t address = 0;
        std::memcpy(&address, stub + sizeof stub_code, sizeof address);
        const auto from = reinterpret_cast<std::int64_t>(begin + call.at + 4);
        std::int64_t way = address - from;
        if (way > std::numeric_limits<std::int32_t>::max() || way < std::numeric_limits<std::int32_t>::min())
            way = reinterpret_cast<std::int64_t>(stub) - from;
        const auto value = static_cast<std::int32_t>(way);
        std::memcpy(begin + call.at, &value, sizeof value);
    }
}

bool CodeMemory::close() {
    if (used_ == opened_) return true;
    return mprotect(blocks_.back().begin + opened_, used_ - opened_, PROT_READ | PROT_EXEC) == 0;
}

}  // namespace cutset::native
