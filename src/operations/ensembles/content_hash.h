// 128 bits of FNV-1a, two halves with different beginnings: equal for equal content, and not by accident.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutset {

class ContentHash {
  public:
    void add(std::string_view text) {
        bytes(text.data(), text.size());
        number(text.size());
    }
    void number(std::uint64_t n) { bytes(reinterpret_cast<const char*>(&n), sizeof n); }
    void add(double value) { number(std::bit_cast<std::uint64_t>(value)); }
    void add(const std::vector<double>& values) {
        for (double v : values) add(v);
        number(values.size());
    }
    void add(const std::optional<double>& value) {
        number(value.has_value());
        if (value) add(*value);
    }
    void add(const std::vector<std::string>& texts) {
        for (const std::string& t : texts) add(t);
        number(texts.size());
    }
    std::string text() const;

  private:
    void bytes(const char* data, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) {
            const auto c = static_cast<unsigned char>(data[i]);
            first_ = (first_ ^ c) * 0x100000001b3u;
            second_ = (second_ ^ c) * 0x100000001b3u + 0x9e3779b97f4a7c15u;
        }
    }
    std::uint64_t first_ = 0xcbf29ce484222325u, second_ = 0x84222325cbf29ce4u;
};

}  // namespace cutset
