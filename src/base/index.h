// Typed indices: an EquationIndex is not a VariableIndex.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace cutset {

template <class Tag>
struct Index {
    std::uint32_t value = 0;

    Index() = default;
    constexpr explicit Index(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}
    auto operator<=>(const Index&) const = default;
};

// A vector that is indexed by one kind of index only.
template <class I, class T>
class IndexedVector : public std::vector<T> {
    using Base = std::vector<T>;

  public:
    using Base::Base;
    typename Base::reference operator[](I i) { return Base::operator[](i.value); }
    typename Base::const_reference operator[](I i) const { return Base::operator[](i.value); }

    // Appends and returns the index of the new element.
    I add(T element) {
        Base::push_back(std::move(element));
        return I(Base::size() - 1);
    }
    I end_index() const { return I(Base::size()); }
};

}  // namespace cutset

template <class Tag>
struct std::hash<cutset::Index<Tag>> {
    std::size_t operator()(cutset::Index<Tag> i) const noexcept { return i.value * 0x9E3779B97F4A7C15ull; }
};
