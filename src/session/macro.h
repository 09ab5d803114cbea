// Macros: commands stored under a name, with formal arguments, variables, loops, tests and jumps. A call is a
// frame on a stack, so that macros may call each other, stop in the middle (SUSPEND) and go on (RESUME).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace cutset {

struct Macro {
    std::string name;
    std::vector<std::string> formals;
    struct Line {
        std::string text;  // without blanks at the ends; empty where there is a comment only
        Span where;
    };
    std::vector<Line> lines;  // between MACRO and END
    std::map<std::string, std::size_t> labels;
    std::string text;  // with MACRO and END, as written
    std::string file;  // empty: defined at the prompt
    bool has_default(const std::string& formal) const;
};

// `text` begins with MACRO and ends with END. Nothing with the problems reported.
std::shared_ptr<const Macro> parse_macro(SourceId source, const Sources& sources, Diagnostics& diagnostics);
// Whether the first line that is no comment begins with MACRO.
bool is_macro_text(std::string_view text);

struct MacroLoop {
    std::string variable;
    double from = 0, step = 1;
    std::size_t turn = 0, turns = 0;
    std::size_t first_line = 0;  // of the lines that are repeated
};

struct MacroFrame {
    std::shared_ptr<const Macro> macro;
    std::size_t next = 0;  // line
    std::map<std::string, std::string> variables;
    std::vector<MacroLoop> loops;
    std::size_t jumps = 0;  // back, so far
    bool echo = false;      // MACRO and END too
};

struct Macros {
    std::vector<std::shared_ptr<const Macro>> defined;  // at the prompt
    std::vector<MacroFrame> frames;
    std::vector<std::vector<MacroFrame>> suspended;

    std::shared_ptr<const Macro> find(std::string_view name) const;
    void define(std::shared_ptr<const Macro> macro);
    void forget(std::string_view name);
};

// Words that are equal to a name are replaced by its value; texts in '…' are not.
std::string replace_words(std::string_view text,
                          const std::vector<const std::map<std::string, std::string>*>& values);

}  // namespace cutset
