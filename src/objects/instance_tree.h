// What classes become in their instances: the meaning of a name depends on where a class stands, not on its
// text alone.
//
//     ClassInstance       a class of the text in a place where its outer names are looked up, with the
//                         modifications that come with its name (`type Voltage = Real(unit = "V")`, a
//                         redeclared package). It has one table of elements, what it inherits included.
//     ComponentInstance   a component (or the model itself, or a package as the owner of its constants): its
//                         class instance, and the modifications that reach it from outside.
//
// Modifications are never merged or copied. Those that reach an element are a list of `Layer`s, outer before
// inner, each a pointer into the text with the place in which its expressions are looked up; the first that
// says something of an attribute, a part or the value counts. So all components of a class share one class
// instance with one table, whatever their values are, and only redeclarations make another one.
//
// Everything is made when it is asked for (objects/class_instances.h): of a library only what a model
// reaches.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/name_table.h"
#include "ir/flat_model.h"
#include "ir/object_tree.h"

namespace cutset::objects {

struct ClassInstance;
struct ComponentInstance;
struct Element;

// Where a name is looked up: among what class `in` declares and inherits, in `instance`; then where `in`
// was written. `in` is the class of the instance, or one that it inherits from: `extends B` sees the names of
// B, but with the meaning that they have in the heir.
struct Place {
    ComponentInstance* instance = nullptr;
    ClassInstance* in = nullptr;
    explicit operator bool() const { return in != nullptr; }
    bool operator==(const Place&) const = default;
};

// One modification that reaches an element. Of `Resistor r[2](R = {1, 2})` the layer of R in r[2] is `= {1,
// 2}` with the index 2 of where it was written on: it is taken out of the value where that is used.
struct Layer {
    const object::Argument* argument = nullptr;          // one of the two: of a modification from outside,
    const object::Modification* modification = nullptr;  // what stands in its parentheses and behind its =
    // Where it was written. `place.instance` null: in the instance at hand (extends clauses and declarations
    // of a class, before it has an instance).
    Place place;
    std::vector<std::uint32_t> indices;  // from 1; of `each` none
    std::uint32_t part = 0;              // of an argument `a.b = e`: how many parts of its name lie behind
    bool final = false;                  // it, or one around it
    bool arguments_only = false;         // of a declaration that was replaced: what others give counts
    bool operator==(const Layer&) const = default;
};

enum class Builtin : std::uint8_t {
    None,
    Real,
    Integer,
    Boolean,
    String,
    Enumeration,
    Clock,
    ExternalObject,
};

// What a class declares or inherits under one name.
struct Element {
    std::string_view name;
    const object::Component* component = nullptr;  // one of the three
    const object::Class* declared = nullptr;
    const object::EnumerationLiteral* literal = nullptr;
    object::ElementPrefixes prefixes;   // protected also by `protected extends`
    ClassInstance* origin = nullptr;    // in whose text it stands
    std::vector<Layer> layers;          // of extends clauses between the class and the origin
    const Element* replaced = nullptr;  // what it redeclares
    std::uint32_t number = 0;           // among the elements of the class; of literals from 1
    bool broken = false;                // taken out by `break`
};

// Equations and algorithms with the class in whose text they stand.
template <class Section>
struct Inherited {
    const Section* section = nullptr;
    ClassInstance* origin = nullptr;
};

struct Base {
    ClassInstance* type = nullptr;
    const object::Extends* clause = nullptr;  // null for a short class and `class extends`
};

enum class Progress : std::uint8_t { New, Active, Done, Failed };

struct ClassInstance {
    const object::Class* text = nullptr;  // null for the builtin types and for the top of all names
    Builtin builtin = Builtin::None;      // of a type that is, or is derived from, a builtin one
    Place parent;                         // where it was written; none at the top
    std::vector<Layer> layers;            // that came with its name; their places are complete
    const Element* replaced = nullptr;    // of class extends: what it inherits and replaces
    std::string path;                     // "Modelica.Units.SI.Voltage"

    // The table, once `progress` is Done (elements_of).
    Progress progress = Progress::New;
    std::vector<Base> bases;
    std::deque<Element> elements;  // in the order of the text, those of bases where the clause stands
    NameTable<std::uint32_t> names;
    std::vector<const object::Import*> imports;
    std::vector<Inherited<object::EquationSection>> equations;
    std::vector<Inherited<object::AlgorithmSection>> algorithms;
    const object::External* external = nullptr;
    ClassInstance* external_origin = nullptr;
    std::vector<Layer> builtin_layers;  // what it and its bases say of the attributes of its builtin type
    // Of short classes on the way to the builtin type or record: `type Vector = Real[3]`, where it stands.
    std::vector<std::pair<const object::Expression*, Place>> dimensions;
    object::TypePrefixes prefixes;  // connector RealInput = input Real
    const object::Class* enumeration = nullptr;

    // `break connect(a, b)` of extends clauses: both sides, and the class that has the connection.
    std::vector<std::pair<const std::vector<object::Expression>*, ClassInstance*>> broken_connections;

    std::deque<Element> early;  // its own elements, as they are seen while its bases are looked up
    // Classes found from here by their own names, and types of components, where the instance at hand
    // redeclares nothing.
    std::unordered_map<std::string_view, ClassInstance*> nested;
    std::vector<ClassInstance*> component_types;  // by element
    ComponentInstance* self = nullptr;            // as the owner of its constants, once asked for
    // Whether classes in it depend on what the instance at hand says, once asked for.
    std::optional<bool> classes_of_instances;

    bool is_builtin() const { return builtin != Builtin::None; }
};

enum class Presence : std::uint8_t { Unknown, Active, Present, Absent, Failed };

struct ComponentInstance {
    const Element* element = nullptr;     // null for the model itself and for owners of constants
    ComponentInstance* parent = nullptr;  // the instance it is a part of
    ClassInstance* type = nullptr;
    std::string name;           // with the number of the element: "r[2]"
    std::vector<Layer> layers;  // from outside, outer before inner; those of its class come after them
    // Some layer redeclares something in it, or modifies a class: what its class has found by name need not
    // hold here.
    bool own_classes = false;
    object::TypePrefixes prefixes;  // with those of its type and of what it is part of

    Presence presence = Presence::Unknown;
    // Sizes of an array; of an element of an array of components none, its numbers stand in `indices`.
    std::optional<std::vector<std::uint32_t>> dimensions;
    std::vector<std::uint32_t> indices;
    std::vector<std::unique_ptr<ComponentInstance>> elements;  // of an array of components, in order
    std::vector<std::unique_ptr<ComponentInstance>> children;  // by element; made when asked for
    const object::Component* declared = nullptr;  // its declaration: of a redeclared one the new one,
    const object::Component* original = nullptr;  // and the one that was replaced
    Place place;                                  // where names of `declared` are looked up
    Place original_place;
    std::unordered_map<std::string_view, ClassInstance*> nested;  // classes, where own_classes
    ComponentInstance* outer_of = nullptr;  // `outer`: the inner component it stands for

    InstanceIndex flat;                     // in the flat model, of what is not a variable
    std::optional<VariableIndex> variable;  // its first scalar, of a variable that was declared
    Progress evaluation = Progress::New;    // of its value, while it is asked for
    bool sizing = false;                    // its sizes are being asked for
    bool shaping = false;                   // its value has shaped the model
};

// Whose rules hold: of a class, of what a class declares, of a component where it is declared.
inline bool is_modelica(const ClassInstance& c) {
    return c.text && c.text->language == object::Language::Modelica;
}
inline bool is_modelica(const Element& e) {
    return e.origin && is_modelica(*e.origin);
}
inline bool is_modelica(const ComponentInstance& c) {
    return c.place.in && is_modelica(*c.place.in);
}

}  // namespace cutset::objects
