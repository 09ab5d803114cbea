#include "results/row_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace cutset {

namespace {

// A share of the disk stays free, and never less than this.
constexpr std::uint64_t least_free = std::uint64_t(1) << 30, free_share = 10;
constexpr std::int64_t most_bytes = std::int64_t(16) << 30;

bool has_room(int file, std::size_t bytes) {
    struct statvfs disk {};
    if (::fstatvfs(file, &disk) != 0) return false;
    const std::uint64_t free = std::uint64_t(disk.f_bavail) * disk.f_frsize;
    const std::uint64_t all = std::uint64_t(disk.f_blocks) * disk.f_frsize;
    return free > bytes + least_free && free - bytes > all / free_share;
}

}  // namespace

std::shared_ptr<RowFile> RowFile::make(const std::string& folder) {
    const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    return file < 0 ? nullptr : std::shared_ptr<RowFile>(new RowFile(file));
}

RowFile::~RowFile() {
    ::close(file_);
}

void* RowFile::take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (end_ + std::int64_t(bytes) > most_bytes || !has_room(file_, bytes)) return nullptr;
    // Reserved here: a page that finds no room when it is written would end the process.
    if (::posix_fallocate(file_, end_, off_t(bytes)) != 0) return nullptr;
    void* const block = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, end_);
    if (block == MAP_FAILED) return nullptr;
    blocks_[block] = {end_, bytes};
    const std::int64_t page = ::sysconf(_SC_PAGESIZE);
    end_ += (std::int64_t(bytes) + page - 1) / page * page;
    taken_ += bytes;
    return block;
}

bool RowFile::give_back(void* block) {
    const std::lock_guard lock(mutex_);
    const auto at = blocks_.find(block);
    if (at == blocks_.end()) return false;
    ::munmap(block, at->second.bytes);
    ::fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at->second.offset,
                off_t(at->second.bytes));
    taken_ -= at->second.bytes;
    blocks_.erase(at);
    return true;
}

void RowFile::rest(void* block) {
    const std::lock_guard lock(mutex_);
    if (const auto at = blocks_.find(block); at != blocks_.end())
        ::madvise(block, at->second.bytes, MADV_DONTNEED);  // the file keeps it
}

std::size_t RowFile::bytes() const {
    const std::lock_guard lock(mutex_);
    return taken_;
}

}  // namespace cutset
