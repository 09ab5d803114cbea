// What is known of a component once its construction parameters have values.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "languages/el/constants.h"
#include "languages/el/syntax.h"

namespace cutset::el {

// One dimension of an array: 1 … size, or the values of a set.
struct Dimension {
    long size = 0;
    bool open = false;  // of an argument of a function: as large as what is given
    std::optional<Set> set;
};

struct PortVariable {
    const Declaration* declared = nullptr;
    std::vector<Dimension> dimensions;
};

// A port with its construction parameters.
struct PortType {
    const Component* port = nullptr;
    std::string class_name;
    bool single_in = false, single_out = false;
    std::vector<PortVariable> variables;
    std::vector<const Statement*> equations;
    Constants constants;
    const PortVariable* variable(const std::string& name) const;
};

struct Model;

enum class SymbolKind : std::uint8_t { Data, Continuous, Discrete, Port, Submodel };

struct Symbol {
    SymbolKind kind = SymbolKind::Continuous;
    Type type = Type::Real;
    std::string enumeration;
    std::vector<Dimension> dimensions;
    Direction direction = Direction::None;
    std::shared_ptr<const PortType> port;
    std::shared_ptr<const Model> model;
    const PortUse* use = nullptr;
    Span where;
};

struct Model {
    const Component* component = nullptr;  // none: a function
    std::string class_name;
    std::map<std::string, Symbol> symbols;
    std::vector<std::string> data;  // in the order of their declarations
    std::string path_in, path_out;
    std::set<std::string> initialised;  // by INIT, as written: "x", "t.x"
};

// What component and parents have together; pointers into the files.
struct InitPart {
    int priority = 0;
    const std::vector<Statement>* body = nullptr;
};
struct Merged {
    std::vector<const Declaration*> parameters, data, variables;
    std::vector<const PortUse*> ports;
    std::vector<const Close*> closes;
    std::vector<const Statement*> topology, discrete, continuous;
    std::vector<InitPart> inits;
    std::map<std::string, Span> names;
    std::set<const Component*> parents;
};

// Parents first. Reports unknown parents, equal names, labels that replace nothing.
Merged merge(const Component& c, const Library& library, Diagnostics& diagnostics);

}  // namespace cutset::el
