// A JSON value to be printed. What commands say with --json is put together with it; texts are read with a
// library.
//
// It is written as JSON is: a list of pairs that begin with a text is an object, every other list an array.
//
//     Json point = {{"status", "ok"}, {"values", {{"x", 1.5}, {"y", 2}}}, {"sizes", {1, 2, 3}}};
//
// Keys are printed in alphabetical order. Numbers that are not finite become null, bytes that are no UTF-8
// the replacement character.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cutset {

class Json {
  public:
    using Array = std::vector<Json>;
    using Object = std::map<std::string, Json, std::less<>>;

    Json() = default;
    Json(std::nullptr_t) {}
    template <std::same_as<bool> T>
    Json(T truth) : value_(truth) {}
    template <std::signed_integral T>
    Json(T number) : value_(std::int64_t(number)) {}
    template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>) Json(T number) : value_(std::uint64_t(number)) {}
    Json(double number) : value_(number) {}
    Json(const char* text) : value_(std::string(text)) {}
    Json(std::string text) : value_(std::move(text)) {}
    Json(std::string_view text) : value_(std::string(text)) {}
    template <class T>
    Json(const std::vector<T>& list) : value_(Array(list.begin(), list.end())) {}
    Json(std::initializer_list<Json> list);

    static Json array(std::initializer_list<Json> list = {});
    static Json object(std::initializer_list<Json> list = {});

    // The member of that name, which comes into being; nothing at all becomes an object.
    Json& operator[](std::string_view key);
    Json& operator[](std::size_t index);
    Json& back() { return (*this)[size() - 1]; }
    // At the end; nothing at all becomes an array.
    void push_back(Json element);
    // The members of another object, in place of those of the same name.
    void update(const Json& other);

    bool contains(std::string_view key) const;
    bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
    bool is_array() const { return std::holds_alternative<Array>(value_); }
    bool is_object() const { return std::holds_alternative<Object>(value_); }
    std::size_t size() const;  // of an array or object; 0 of nothing, else 1
    bool empty() const { return size() == 0; }

    // On one line, or on many with that many spaces for each level.
    std::string dump(int indent = -1) const;

  private:
    void print(std::string& out, int indent, int level) const;

    std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object>
        value_ = nullptr;
};

}  // namespace cutset
