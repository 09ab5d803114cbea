// What the instances of a model declare, in the order of the text: written by the walk over the instances
// (walk_instances.h), read by what evaluates bindings and writes equations. Variables and Instances of the
// flat model are there already; their values, attributes and equations are not.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/flat_model.h"
#include "ir/object_tree.h"
#include "objects/value.h"

namespace cutset::objects {

// A field of a record, and of an array of records as a field the element.
struct FieldStep {
    std::string name;
    std::vector<std::uint32_t> indices;  // from 1
};

// What a modification says: `value.expression` in its scope, then the element `indices` of it (from 1; it
// was written for an array of which this is one element), then the field `fields` of that.
struct Modifier {
    Scoped value;
    std::vector<std::uint32_t> indices;
    Dimensions sizes;  // of the array that it was written for, one for each of the indices
    std::vector<FieldStep> fields;
    bool each = false;        // one for all elements
    std::uint32_t depth = 0;  // of the instance in which it stands, 0: in the model itself
    bool by_default = false;  // it stands in the class, not in a modification from outside
    bool from_user = false;   // --set, --init
    bool final = false;
    bool of_type = false;  // the type of the variable says it, no class that declares it
};

enum class Attribute : std::uint8_t {
    Start,
    Fixed,
    Minimum,
    Maximum,
    Nominal,
    StateSelect,
    Unit,
    DisplayUnit,
    Quantity,
    Unbounded,
};

// A variable of a builtin type: Real, Integer, Boolean, an enumeration. Texts and constants that fold are no
// variables of the flat model; Scope::value gives them.
struct DeclaredVariable {
    VariableIndex first;  // of its scalars, one for each element, the last index fastest
    Type type;
    Dimensions dimensions;
    object::Variability variability = object::Variability::None;
    object::Causality causality = object::Causality::None;
    object::Flow flow = object::Flow::None;
    bool top_level = false;  // an input or output of the whole model
    // Declared in Omola or EL: its start is an initial value where it is a state, not only a guess.
    bool start_counts = false;
    InstanceIndex instance;
    std::string path;  // "a.b[2].x"
    std::optional<Modifier> binding;
    std::vector<std::pair<Attribute, Modifier>> attributes;
    Span where;

    const Modifier* find(Attribute a) const {
        for (const auto& [attribute, modifier] : attributes)
            if (attribute == a) return &modifier;
        return nullptr;
    }
};

// Sections of one instance, each with the scope in which its names are looked up (inherited ones have
// another).
struct DeclaredSections {
    InstanceIndex instance;
    std::string path;
    std::vector<std::pair<const object::EquationSection*, std::shared_ptr<Scope>>> equations;
    std::vector<std::pair<const object::AlgorithmSection*, std::shared_ptr<Scope>>> algorithms;
};

struct Declarations {
    std::vector<DeclaredVariable> variables;
    std::vector<DeclaredSections> sections;  // outer instances first
};

}  // namespace cutset::objects
