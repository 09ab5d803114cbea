// Omola text → classes of the object tree as text, and what was said.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "ir/object_text.h"
#include "languages/omola/lower.h"
#include "languages/omola/parse.h"

namespace cutset::omola {

struct Lowered {
    Sources sources;
    Diagnostics diagnostics;
    File file;
    Classes classes;

    explicit Lowered(const std::string& text) {
        file = parse_file(sources, sources.add("test.om", text), diagnostics);
        classes = lower({file}, 1, diagnostics);
    }
    std::string text() const { return object_text(classes.file); }
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

}  // namespace cutset::omola
