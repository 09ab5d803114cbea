// operator new and delete: blocks of up to 512 bytes come from pages of blocks of one size, without a header,
// and are given out again for that size. Larger ones are malloc's. What it earns:
// docs/decisions/machinery.md.
//
// Each thread has free lists of its own and needs no lock. What a thread has too much of, and what it leaves
// behind, goes to common lists. A page keeps its size of blocks.
//
// Libraries in C that are linked into the program (SUNDIALS, GMP, KLU …) get their memory here too, by the
// linker's --wrap: some of them crash or abort when malloc returns null, so it throws std::bad_alloc instead,
// as in our own code.
#include "heap.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>

namespace {

// Beyond the first megabytes, all that small models need, the system is asked for pages of two megabytes: of
// the time of translating a model of 20 000 lines a quarter went into taking its memory in pages of four
// kilobytes. Not for all: a virtual machine may take longer to find as much contiguous memory that was never
// used.
constexpr std::size_t large_page = 2 << 20, large_from = 16 << 20, large_to = 80 << 20;

// Beyond that pages come many at a time.
constexpr std::size_t many_pages = 8 << 20;

// Of malloc, when it was last looked at.
constinit std::atomic<char*> end_of_heap = nullptr;

// Nothing depends on whether it gets them.
[[maybe_unused]] void want_pages(char* begin, std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
    ::madvise(begin, bytes, MADV_POPULATE_WRITE);
#else
    (void)begin, (void)bytes;
#endif
}
void want_large_pages(char* begin, const char* end) {
    const std::size_t beyond = reinterpret_cast<std::uintptr_t>(begin) % large_page;
    char* const first = begin + (beyond ? large_page - beyond : 0);
    if (first < end) ::madvise(first, static_cast<std::size_t>(end - first), MADV_HUGEPAGE);
}

}  // namespace

#ifdef CUTSET_WRAPS_MALLOC
// The names are the linker's (--wrap). NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
void* __real_malloc(std::size_t bytes);
void* __real_calloc(std::size_t count, std::size_t bytes);
void* __real_realloc(void* old, std::size_t bytes);

void* __wrap_malloc(std::size_t bytes) {
    void* const p = __real_malloc(bytes);
    if (!p && bytes > 0) throw std::bad_alloc();
    return p;
}
void* __wrap_calloc(std::size_t count, std::size_t bytes) {
    void* const p = __real_calloc(count, bytes);
    if (!p && count > 0 && bytes > 0) throw std::bad_alloc();
    return p;
}
void* __wrap_realloc(void* old, std::size_t bytes) {
    void* const p = __real_realloc(old, bytes);
    if (!p && bytes > 0) throw std::bad_alloc();
    return p;
}
}
// NOLINTEND(bugprone-reserved-identifier)
#endif

namespace cutset::cli {

// Large models fill the heap once and leave it as a whole: no memory goes back to the system in between,
// large lists grow within the heap instead of in mappings of their own, and it asks for more in large
// portions.
void prepare_heap() {
    // Where there is not so much (ulimit -v), it stays as it is.
    constexpr std::size_t portion = large_to + large_page;
    void* const probe =
        ::mmap(nullptr, portion, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (probe == MAP_FAILED) return;
    ::munmap(probe, portion);
    ::mallopt(M_MMAP_MAX, 0);
    ::mallopt(M_TRIM_THRESHOLD, -1);
    ::mallopt(M_TOP_PAD, large_to);
    void* const first = std::malloc(large_page);  // which takes the first portion
    if (first) want_large_pages(static_cast<char*>(first) + large_from, static_cast<char*>(::sbrk(0)));
    std::free(first);
    end_of_heap = static_cast<char*>(::sbrk(0));
}

}  // namespace cutset::cli

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which have their own

namespace {

constexpr std::size_t grain = 16, largest = 512, sizes = largest / grain + 1;
constexpr std::size_t page = 64 << 10, room = std::size_t(16)
                                              << 30;  // of addresses; memory is used where touched
constexpr std::uint32_t too_many = 4096;              // blocks of one size that a thread got back

struct Block {
    Block* next;
};

struct FreeList {
    Block *first = nullptr, *last = nullptr;
    std::uint32_t surplus = 0;  // how many more were put than taken

    void put(Block* block) {
        block->next = first;
        if (!first) last = block;
        first = block;
        ++surplus;
    }
    void* take() {
        Block* const block = first;
        first = block->next;
        if (surplus > 0) --surplus;
        return block;
    }
    void put_all(FreeList& other) {
        if (!other.first) return;
        other.last->next = first;
        if (!first) last = other.last;
        first = other.first;
        other = {};
    }
};

struct Size {
    FreeList free;
    char *fresh = nullptr, *end = nullptr;  // the part of a page that was never given out
};

constinit thread_local Size own[sizes];

struct Common {
    std::mutex lock;
    FreeList free[sizes];
    std::size_t used = 0;  // of the room
};
constinit Common common;
constinit char* begin_of_room = nullptr;
constinit std::size_t size_of_room = 0;            // 0: there is none
constinit std::uint8_t size_of_page[room / page];  // in grains

// What a thread leaves behind when it ends.
struct Legacy {
    ~Legacy() {
        const std::lock_guard guard(common.lock);
        for (std::size_t n = 1; n < sizes; ++n) {
            Size& size = own[n];
            for (; size.fresh != size.end; size.fresh += n * grain)
                size.free.put(reinterpret_cast<Block*>(size.fresh));
            common.free[n].put_all(size.free);
        }
    }
};

bool reserve_room() {
    static const bool reserved = [] {
        void* const begin =
            ::mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (begin == MAP_FAILED) return false;
        begin_of_room = static_cast<char*>(begin);
        size_of_room = room;
        want_large_pages(begin_of_room + large_from, begin_of_room + large_to);
        return true;
    }();
    return reserved;
}

void* from_library(std::size_t bytes) {
    void* const p = std::malloc(bytes);
    if (!p) throw std::bad_alloc();
    // The heap has grown by a portion: a large model fills it.
    char* const end = static_cast<char*>(::sbrk(0));
    char* const before = end_of_heap.exchange(end, std::memory_order_relaxed);
    if (before && before < end) want_pages(before, std::size_t(end - before));
    return p;
}

// The first block of what other threads have left, or of a new page.
[[gnu::noinline]] void* refill(std::size_t n) {
    static thread_local Legacy legacy;
    (void)&legacy;
    Size& size = own[n];
    const std::lock_guard guard(common.lock);
    if (common.free[n].first) {
        size.free.put_all(common.free[n]);
        return size.free.take();
    }
    if (!reserve_room() || common.used == room) return from_library(n * grain);
    char* const begin = begin_of_room + common.used;
    if (common.used >= large_to && (common.used - large_to) % many_pages == 0)
        want_pages(begin, std::min(many_pages, room - common.used));
    size_of_page[common.used / page] = static_cast<std::uint8_t>(n);
    common.used += page;
    size.fresh = begin + n * grain;
    size.end = begin + page / (n * grain) * (n * grain);
    return begin;
}

[[gnu::noinline]] void hand_over(std::size_t n) {
    const std::lock_guard guard(common.lock);
    common.free[n].put_all(own[n].free);
}

}  // namespace

void* operator new(std::size_t bytes) {
    if (bytes > largest) return from_library(bytes);
    const std::size_t n = bytes == 0 ? 1 : (bytes + grain - 1) / grain;
    Size& size = own[n];
    if (size.free.first) return size.free.take();
    if (size.fresh == size.end) return refill(n);
    char* const block = size.fresh;
    size.fresh += n * grain;
    return block;
}

void operator delete(void* p) noexcept {
    const std::size_t place = static_cast<std::size_t>(static_cast<char*>(p) - begin_of_room);
    if (place >= size_of_room) return std::free(p);
    const std::size_t n = size_of_page[place / page];
    own[n].free.put(static_cast<Block*>(p));
    if (own[n].free.surplus > too_many) hand_over(n);
}

void operator delete(void* p, std::size_t) noexcept {
    ::operator delete(p);
}

#endif
