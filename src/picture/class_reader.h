// What the pictures need of a class, whatever its language: one implementation for each language, in the file
// that is called after it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "picture/class_picture.h"
#include "picture/layout_lines.h"
#include "picture/outside.h"

namespace cutset::picture {

class ClassReader {
  public:
    virtual ~ClassReader() = default;

    virtual Span whole() const = 0;
    // Of the classes that are declared in it: their layout is not its own.
    virtual std::vector<Span> inner_classes() const { return {}; }
    virtual Outside outside() const = 0;
    // Ports where flows enter and leave.
    virtual void directions(const Outside&, std::vector<std::string>& /*first*/,
                            std::vector<std::string>& /*last*/) const {}
    // Without places. What annotations of the language say of them is added to `layout`.
    virtual ClassPicture picture(const Outside& outside, const FindClass& find, Layout& layout) const = 0;
    // Equations as MathML, by where their texts begin.
    virtual std::map<std::uint32_t, std::string> formulas() const { return {}; }
};

// With which the comment lines of a language begin that hold layout.
constexpr std::string_view dashes_mark = "--@", quote_mark = "\"@", slashes_mark = "//@", percent_mark = "%@";

}  // namespace cutset::picture
