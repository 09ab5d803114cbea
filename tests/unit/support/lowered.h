// The text of a language that is lowered → classes of the object tree as text, and what was said.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/diagnostic.h"
#include "base/source.h"
#include "ir/object_text.h"

namespace cutset {

// `parse` gives a file of a source, `lower` the classes of a file; File and Classes are those of the
// language.
template <class File, class Classes>
struct LoweredText {
    Sources sources;
    Diagnostics diagnostics;
    File file;
    Classes classes;

    template <class Parse, class Lower>
    LoweredText(const std::string& text, Parse parse, Lower lower) {
        file = parse(sources, sources.add("test", text), diagnostics);
        classes = lower(file, diagnostics);
    }
    std::string text() const { return object::object_text(classes.file); }
    std::string messages() const {
        std::string out;
        for (const Diagnostic& d : diagnostics.all()) {
            const Location at = sources.locate(d.where);
            out += std::to_string(at.line) + ": " + d.code + ": " + d.message + "\n";
        }
        return out;
    }
    bool has(std::string_view part) const { return text().find(part) != std::string::npos; }
};

}  // namespace cutset
