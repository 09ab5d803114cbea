// Helpers of the parser tests: text in, printed tree and codes of the messages out.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "ir/class_tree.h"
#include "ir/tree_text.h"
#include "languages/dymola/parse.h"

namespace cutset::dymola {

struct Parsed {
    Sources sources;
    Diagnostics diagnostics;
    std::shared_ptr<tree::File> file;

    explicit Parsed(std::string text) {
        const SourceId id = sources.add("test.dym", std::move(text));
        file = parse_file(sources, id, diagnostics);
    }
    std::string tree() const { return tree_text(*file); }
    std::string messages() const {
        std::string out;
        for (const Diagnostic& d : diagnostics.all()) out += render(d, sources);
        return out;
    }
    // "code@line:column" of each message, separated by blanks.
    std::string codes() const {
        std::string out;
        for (const Diagnostic& d : diagnostics.all()) {
            const Location at = sources.locate(d.where);
            out += (out.empty() ? "" : " ") + d.code + "@" + std::to_string(at.line) + ":" +
                   std::to_string(at.column);
        }
        return out;
    }
};

// The printed items of one model with this body; messages, if there are any, come first.
inline std::string items(const std::string& body) {
    const Parsed p("model type M\n" + body + "\nend\n");
    std::string out = p.messages();
    for (const auto& c : p.file->classes)
        for (const tree::Item& i : c->items) out += tree_text(i);
    return out;
}

// The codes of the messages about one model with this body, places counted from the body's first line.
inline std::string problems(const std::string& body) {
    const Parsed p("model type M\n" + body + "\nend\n");
    std::string out;
    for (const Diagnostic& d : p.diagnostics.all()) {
        const Location at = p.sources.locate(d.where);
        out += (out.empty() ? "" : " ") + d.code + "@" + std::to_string(at.line - 1) + ":" +
               std::to_string(at.column);
    }
    return out;
}

inline std::string expression(const std::string& text) {
    Sources sources;
    Diagnostics diagnostics;
    const auto e = parse_expression(sources, sources.add("e", text), diagnostics);
    if (e) return tree::tree_text(*e);
    std::string out;
    for (const Diagnostic& d : diagnostics.all()) out += d.code + " ";
    return out;
}

}  // namespace cutset::dymola
