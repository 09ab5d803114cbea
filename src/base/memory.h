// What an object remembers between one step and the next, as a value: named lists of numbers, exact to the
// bit. One function of the object visits its members in one order; the stream that it is given stores them or
// sets them again:
//
//     void Controller::remember(MemoryStream& memory) {
//         memory("error", error_before_);
//         memory.list("past", past_);
//     }
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace cutset {

struct Memory {
    struct Entry {
        std::string name;
        std::vector<double> numbers;
        std::vector<std::int64_t> integers;  // whole numbers, truth values, enumerations
        bool operator==(const Entry&) const = default;
    };
    std::vector<Entry> entries;
    bool operator==(const Memory&) const = default;
};

class MemoryStream {
  public:
    explicit MemoryStream(Memory& to) : to_(&to) {}
    // Once something does not fit it is no longer `good`, and nothing more is set.
    explicit MemoryStream(const Memory& from) : from_(&from) {}

    bool restores() const { return from_ != nullptr; }
    bool good() const { return good_; }
    void fail() { good_ = false; }
    // All entries were asked for.
    bool at_end() const { return from_ && next_ == from_->entries.size(); }

    // A number, or a list whose length does not change.
    template <class T>
    void operator()(std::string_view name, T& value) {
        visit(name, value, false);
    }
    // A list of any length.
    template <class List>
    void list(std::string_view name, List& values) {
        visit(name, values, true);
    }

  private:
    template <class T>
    static constexpr bool is_complex = std::is_same_v<T, std::complex<double>>;
    template <class T>
    struct IsOptional : std::false_type {};
    template <class T>
    struct IsOptional<std::optional<T>> : std::true_type {};

    template <class T>
    void visit(std::string_view name, T& value, bool any_length) {
        if (restores()) {
            if (const Memory::Entry* entry = take(name)) set(*entry, value, any_length);
        } else {
            Memory::Entry& entry = to_->entries.emplace_back();
            entry.name = name;
            store(entry, value);
        }
    }
    const Memory::Entry* take(std::string_view name) {
        if (good_ && next_ < from_->entries.size() && from_->entries[next_].name == name)
            return &from_->entries[next_++];
        good_ = false;
        return nullptr;
    }

    template <class T>
    static void store(Memory::Entry& entry, const T& value) {
        if constexpr (std::is_floating_point_v<T>) {
            entry.numbers.push_back(value);
        } else if constexpr (is_complex<T>) {
            entry.numbers.push_back(value.real());
            entry.numbers.push_back(value.imag());
        } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
            entry.integers.push_back(static_cast<std::int64_t>(value));
        } else if constexpr (IsOptional<T>::value) {
            if (value) store(entry, *value);
        } else {
            for (const auto& element : value)
                store(entry, static_cast<const typename T::value_type&>(element));
        }
    }

    template <class T>
    static std::size_t count(const Memory::Entry& entry) {
        if constexpr (std::is_floating_point_v<T>)
            return entry.numbers.size();
        else if constexpr (is_complex<T>)
            return entry.numbers.size() / 2;
        else
            return entry.integers.size();
    }
    template <class T>
    static T element(const Memory::Entry& entry, std::size_t i) {
        if constexpr (std::is_floating_point_v<T>)
            return entry.numbers[i];
        else if constexpr (is_complex<T>)
            return {entry.numbers[2 * i], entry.numbers[2 * i + 1]};
        else
            return static_cast<T>(entry.integers[i]);
    }
    template <class T>
    void set(const Memory::Entry& entry, T& value, bool any_length) {
        if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || is_complex<T>) {
            if (count<T>(entry) != 1) return fail();
            value = element<T>(entry, 0);
        } else if constexpr (IsOptional<T>::value) {
            using Element = typename T::value_type;
            const std::size_t n = count<Element>(entry);
            if (n > 1) return fail();
            value.reset();
            if (n == 1) value = element<Element>(entry, 0);
        } else {
            using Element = typename T::value_type;
            const std::size_t n = count<Element>(entry);
            if (n != value.size()) {
                if (!any_length) return fail();
                if constexpr (requires { value.resize(n); }) value.resize(n);
                if (value.size() != n) return fail();
            }
            for (std::size_t i = 0; i < n; ++i) value[i] = element<Element>(entry, i);
        }
    }

    Memory* to_ = nullptr;
    const Memory* from_ = nullptr;
    std::size_t next_ = 0;
    bool good_ = true;
};

}  // namespace cutset
