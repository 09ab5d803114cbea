// Where the rows of a long run lie when they are more than memory should hold: a file without a name, mapped
// block by block, that is gone with its last user. The system keeps in memory what is looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <type_traits>

namespace cutset {

class RowFile {
  public:
    // Null when the folder takes no file.
    static std::shared_ptr<RowFile> make(const std::string& folder);
    ~RowFile();
    RowFile(const RowFile&) = delete;
    RowFile& operator=(const RowFile&) = delete;

    // Null when there is no room: a tenth of the disk stays free.
    void* take(std::size_t bytes);
    // False for what is not of this file.
    bool give_back(void* block);
    // It will hardly be looked at soon.
    void rest(void* block);
    std::size_t bytes() const;  // taken

  private:
    explicit RowFile(int file) : file_(file) {}
    struct Block {
        std::int64_t offset;
        std::size_t bytes;
    };
    mutable std::mutex mutex_;
    int file_;
    std::int64_t end_ = 0;
    std::size_t taken_ = 0;
    std::map<void*, Block> blocks_;
};

// Blocks in a file while it has room, else in memory.
template <class T>
struct RowAllocator {
    using value_type = T;
    using propagate_on_container_copy_assignment = std::true_type;
    using propagate_on_container_move_assignment = std::true_type;
    using propagate_on_container_swap = std::true_type;

    std::shared_ptr<RowFile> file;  // null: in memory

    T* allocate(std::size_t count) {
        if (void* block = file ? file->take(count * sizeof(T)) : nullptr) return static_cast<T*>(block);
        return static_cast<T*>(::operator new(count * sizeof(T)));
    }
    void deallocate(T* block, std::size_t) {
        if (!file || !file->give_back(block)) ::operator delete(block);
    }
    bool operator==(const RowAllocator&) const = default;
};

}  // namespace cutset
