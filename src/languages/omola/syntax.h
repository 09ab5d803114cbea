// What was written in Omola: classes with attributes in categories, before any name is looked up. Expressions
// are those of the object tree.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/box.h"
#include "base/source.h"
#include "ir/object_tree.h"
#include "languages/reading/limits.h"

namespace cutset::omola {

using object::Expression;

using reading::chain_limit;
using reading::error_limit;
using reading::nesting_limit;

struct Definition;

// name: definitions; the first category of a body has no name.
struct Category {
    std::string name;
    std::vector<Definition> definitions;
    Span where;
};

// NAME ISA SUPER WITH … END
struct ClassText {
    std::string name;
    std::vector<Expression> dimensions;  // Tray[n] ISA Tray
    std::string super;
    std::vector<Category> body;
    std::string description;
    Span where, super_where;
};

enum class DefinitionKind : std::uint8_t {
    Class,     // name ISA super …
    Typed,     // name TYPE type := value
    Assign,    // path := value
    Equation,  // left = right
    Connect,   // left AT right
    Select,    // WHEN left SELECT name
    Do,        // WHEN left DO body END
    For,       // FOR name := left TO right: body
};

struct Definition {
    DefinitionKind kind = DefinitionKind::Equation;
    ClassText declared;
    std::string name, type;
    std::vector<std::string> values;     // of an enumeration type
    std::vector<Expression> dimensions;  // TYPE Real[n]
    bool discrete = false;               // TYPE DISCRETE Real
    Box<Expression> left, right;
    std::vector<Definition> body;
    std::string description;
    Span where;
};

struct File {
    SourceId source;
    std::vector<std::string> uses;
    std::vector<Span> uses_where;
    std::vector<ClassText> classes;
};

}  // namespace cutset::omola
