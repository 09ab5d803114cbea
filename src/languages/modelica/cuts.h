// Cuts, paths and connections of classes, evaluated on names: which connectors a connection expression joins.
//
// Open cuts and nodes take their structure from what they are joined to; this is found class by class,
// submodels first.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/class_tree.h"

namespace cutset::modelica {

// The structure of a cut: variables in order, and groups of them.
struct Shape {
    struct Element {
        tree::Role role = tree::Role::Across;
        std::string size;          // "" for a scalar, "[3]" for a vector
        std::vector<Shape> group;  // one shape when the element is a cut itself
    };
    std::vector<Element> elements;
    std::size_t weight = 1;  // elements in all groups: cuts of cuts of cuts can grow without bound
    std::string key() const;
};

using ShapePointer = std::shared_ptr<const Shape>;  // null: not known

// What a class declares, structure parts included.
struct Members {
    struct OwnPort {
        const tree::Port* port = nullptr;
        std::string connector;  // its name in Modelica
        bool grouping = false;  // it only groups cuts of its own model, and is not written
    };
    std::vector<const tree::VariableDeclaration*> variables;
    std::map<std::string, const tree::VariableDeclaration*> variable;
    std::map<std::string, const tree::Component*> components;
    std::map<std::string, const tree::Class*> classes;
    std::vector<const tree::Class*> nested;  // all of them, also those that share a name
    std::map<std::string, const tree::Path*> paths;
    std::vector<OwnPort> ports;               // in the order of the text
    std::map<std::string, std::size_t> port;  // by the name in the text
    std::unordered_map<const tree::Port*, std::size_t> position;
    std::optional<std::size_t> main_cut;
    const tree::Path* main_path = nullptr;
    std::map<const tree::PathEnd*, std::size_t> in_place;  // cuts written in place in a path
    std::vector<const tree::Connection*> connections;
    std::deque<tree::Port> made;  // ports for ends written in place
};

// A cut as an operand: a connector by its name, or a list.
struct CutValue {
    std::string path;  // "R1.A", "s[i].hotin"; empty for a list
    ShapePointer shape;
    // A connector of the class itself that is open.
    const tree::Port* open = nullptr;
    bool list = false;
    std::vector<CutValue> parts;
    std::vector<tree::Role> roles;
    bool dot = false;                         // a dot in a list
    const tree::Expression* value = nullptr;  // a number or expression in a list
    std::string value_text;                   // a variable in a list
};

class Cuts {
  public:
    explicit Cuts(const ClassTree& classes);

    const tree::Class* find(const std::string& type, const tree::Class* from) const;
    const Members& members(const tree::Class* c) const { return members_.at(c); }
    ShapePointer shape(const tree::Class* c, const tree::Port& port) const;

    // Works out a connection of the class: `join` is called for each pair of cuts, `problem` with what cannot
    // be said.
    using Join = std::function<void(const CutValue&, const CutValue&)>;
    using Problem = std::function<void(const std::string&)>;
    void evaluate(const tree::Class* c, const tree::Connection& connection, const Join& join,
                  const Problem& problem) const;

    const std::vector<const tree::Class*>& classes() const { return order_; }

  private:
    void collect(const tree::Class* c);
    void collect_items(const tree::Class* c, const std::vector<tree::Item>& items, Members& m);
    void infer(const tree::Class* c);
    ShapePointer build(const tree::Class* c, const tree::Port& port) const;

    std::map<std::string, const tree::Class*> top_;
    std::unordered_map<const tree::Class*, Members> members_;
    std::unordered_map<const tree::Port*, ShapePointer> inferred_;  // of open cuts
    std::unordered_map<const tree::Port*, ShapePointer> shapes_;    // of classes that are done
    const tree::Class* current_ = nullptr;   // the class whose open cuts are being found
    std::vector<const tree::Class*> order_;  // submodels before the models that use them

    friend class Evaluator;
};

}  // namespace cutset::modelica
