// A value that may be missing, kept apart from its owner: what is there seldom takes the room of a pointer
// only. Copies like a value; otherwise used as std::optional.
#pragma once

#include <memory>
#include <optional>
#include <utility>

namespace cutset {

template <class T>
class Box {
  public:
    Box() = default;
    Box(std::nullopt_t) {}
    Box(T value) : own_(std::make_unique<T>(std::move(value))) {}
    Box(std::optional<T> value) : own_(value ? std::make_unique<T>(std::move(*value)) : nullptr) {}
    Box(const Box& other) : own_(other.own_ ? std::make_unique<T>(*other.own_) : nullptr) {}
    Box(Box&&) noexcept = default;
    Box& operator=(Box other) noexcept {
        own_ = std::move(other.own_);
        return *this;
    }
    ~Box() = default;

    explicit operator bool() const { return own_ != nullptr; }
    bool has_value() const { return own_ != nullptr; }
    T& operator*() { return *own_; }
    const T& operator*() const { return *own_; }
    T* operator->() { return own_.get(); }
    const T* operator->() const { return own_.get(); }
    void reset() { own_.reset(); }

  private:
    std::unique_ptr<T> own_;
};

}  // namespace cutset
