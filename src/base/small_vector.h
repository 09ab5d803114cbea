// A vector of plain values whose first few stand in itself: millions of short lists ask for no memory, and
// reading one reads one place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>

namespace cutset {

template <class T, std::uint32_t own>
class SmallVector {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  public:
    SmallVector() {}
    SmallVector(std::initializer_list<T> values) {
        for (const T& v : values) push_back(v);
    }
    SmallVector(const SmallVector& other) {
        for (const T& v : other) push_back(v);
    }
    SmallVector(SmallVector&& other) noexcept { take(other); }
    SmallVector& operator=(SmallVector other) noexcept {
        free();
        take(other);
        return *this;
    }
    ~SmallVector() { free(); }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T* begin() { return is_own() ? own_ : elsewhere_; }
    T* end() { return begin() + size_; }
    const T* begin() const { return is_own() ? own_ : elsewhere_; }
    const T* end() const { return begin() + size_; }
    T& operator[](std::size_t i) { return begin()[i]; }
    const T& operator[](std::size_t i) const { return begin()[i]; }
    T& back() { return end()[-1]; }

    void push_back(T value) {
        if (size_ == capacity_) grow();
        std::construct_at(end(), value);
        ++size_;
    }
    void pop_back() { --size_; }

    bool operator==(const SmallVector& other) const {
        return std::equal(begin(), end(), other.begin(), other.end());
    }

  private:
    bool is_own() const { return capacity_ == own; }
    void grow() {
        T* const larger = std::allocator<T>().allocate(2 * std::size_t(capacity_));
        std::uninitialized_copy(begin(), end(), larger);
        const std::uint32_t capacity = 2 * capacity_;
        free();
        capacity_ = capacity;
        elsewhere_ = larger;
    }
    void free() {
        if (!is_own()) std::allocator<T>().deallocate(elsewhere_, capacity_);
    }
    // Leaves the other empty. What this one had is gone already.
    void take(SmallVector& other) {
        size_ = std::exchange(other.size_, 0);
        capacity_ = std::exchange(other.capacity_, own);
        if (is_own())
            std::uninitialized_copy(other.own_, other.own_ + size_, own_);
        else
            elsewhere_ = other.elsewhere_;
    }

    std::uint32_t size_ = 0, capacity_ = own;
    union {
        T own_[own];
        T* elsewhere_;
    };
};

}  // namespace cutset
