// What an expression of a class with inheritance stands for: an array of scalars, of any number of
// dimensions, each of which may be zero. A scalar is an expression of the pool (a number where it folds), a
// text, a record, or a function given as an argument. The type is that of all elements and never comes from
// the first one, which may be missing.
//
// Truth values are conditions of the pool (`Node::boolean`); values of an enumeration are their numbers
// from 1.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/source.h"
#include "expr/expr.h"
#include "ir/object_tree.h"

namespace cutset::objects {

class Scope;
struct Callable;
struct Value;

enum class Basic : std::uint8_t {
    Real,
    Integer,
    Boolean,
    String,
    Enumeration,
    Record,
    Function,
    Object,
    Clock
};

struct EnumerationType {
    std::string name;  // in full
    std::vector<std::string> literals;
};

struct Type {
    Basic basic = Basic::Real;
    std::shared_ptr<const EnumerationType> enumeration;  // Enumeration
    std::shared_ptr<const Callable> record;              // Record, Object: its class
};
inline Type type_of(Basic b) {
    return Type{b, nullptr, nullptr};
}

using Dimensions = std::vector<std::uint32_t>;
std::size_t count(const Dimensions& dimensions);
// "Real", "Boolean", "Modelica.Blocks.Types.Init" …
std::string type_text(const Type& type);

// Its fields in the order of Callable::members.
struct Record {
    std::vector<Value> fields;
};
// A function as an argument, some of its inputs given.
struct FunctionValue {
    std::shared_ptr<const Callable> function;
    std::vector<std::pair<std::string, Value>> given;
};
// The table of a standard block, a stream of random numbers: what a constructor of an external object made.
struct ExternalObject {
    std::shared_ptr<const Callable> constructor;
    std::vector<Value> arguments;
};
using Scalar = std::variant<Expr, std::string, std::shared_ptr<const Record>,
                            std::shared_ptr<const FunctionValue>, std::shared_ptr<const ExternalObject>>;

struct Value {
    Type type;
    Dimensions dimensions;         // empty: a scalar
    std::vector<Scalar> elements;  // the last index runs fastest

    Value() = default;
    Value(Type t, Scalar s) : type(std::move(t)), elements{std::move(s)} {}
    Value(Basic b, Scalar s) : type(type_of(b)), elements{std::move(s)} {}
    Value(Type t, Dimensions d, std::vector<Scalar> e)
        : type(std::move(t)), dimensions(std::move(d)), elements(std::move(e)) {}

    bool is_scalar() const { return dimensions.empty(); }
    std::size_t size() const { return elements.size(); }
    Expr expr(std::size_t i = 0) const { return std::get<Expr>(elements[i]); }
    const std::string& text(std::size_t i = 0) const { return std::get<std::string>(elements[i]); }
    const Record& record(std::size_t i = 0) const {
        return *std::get<std::shared_ptr<const Record>>(elements[i]);
    }
    bool has_exprs() const {
        return type.basic == Basic::Real || type.basic == Basic::Integer || type.basic == Basic::Boolean ||
               type.basic == Basic::Enumeration || type.basic == Basic::Clock;
    }
};

// ---- functions and records

// An expression and where its names are looked up. `outside`: it stands in a modification from outside, where
// the members of the function or record are not seen.
struct Scoped {
    const object::Expression* expression = nullptr;
    std::shared_ptr<Scope> scope;
    bool outside = false;
    explicit operator bool() const { return expression != nullptr; }
};

// An input, output or local variable of a function; a field of a record.
struct Member {
    std::string name;
    Type type;
    std::vector<Scoped> dimensions;  // all: those of the type, too. Omitted: open
    Scoped binding;                  // its default
    object::Causality causality = object::Causality::None;
    object::Variability variability = object::Variability::None;
    bool is_protected = false;
    bool is_final = false;
    // Records: a field whose own class or modification changes fields inside it, as in `R r(a = 1)`: by the
    // path of the field ("a", "b.c").
    std::vector<std::pair<std::string, Scoped>> inner;
    Span where;
};

struct Algorithm {
    const object::AlgorithmSection* section = nullptr;
    std::shared_ptr<Scope> scope;
};

// A function or a record class in its environment: what it inherits and how it was modified and redeclared
// are in it. Made once for each node and environment, so that equal pointers mean the same function.
struct Callable {
    std::string name;  // in full
    object::ClassKind kind = object::ClassKind::Function;
    const object::Class* declared = nullptr;  // whose body it is (the last of `class extends`, short classes)
    std::vector<Member> members;
    std::vector<Algorithm> algorithms;
    const object::External* external = nullptr;
    std::shared_ptr<Scope> external_scope;
    // Annotations of the class: derivative, inverse, Inline, as spans for who asks.
    std::shared_ptr<Scope> scope;  // where the names in its body are looked up
    bool is_partial = false;
    bool is_impure = false;
    Span where;

    bool is_record() const {
        return kind == object::ClassKind::Record || kind == object::ClassKind::OperatorRecord;
    }
    const Member* find(const std::string& member) const;
    std::size_t position(const std::string& member) const;  // among members; must be there
};

// ---- parts of arrays

// One index of an array: an expression that is not known yet, or positions from 1 (several with `keeps`: the
// dimension stays).
struct IndexChoice {
    std::vector<std::uint32_t> positions;
    Expr varying = nullptr;  // instead of positions
    bool keeps = false;
};

// The elements that are chosen by indices, at most as many as there are dimensions. A varying index becomes
// an element of the frame where the array is a row of slots of a function, else a choice.
Value select(Pool& pool, const Value& array, const std::vector<IndexChoice>& indices);
// v.name for each element of an array of records: dimensions of the array, then those of the field.
Value field(const Value& records, const std::string& name);
// An array of arrays of equal size; `type` is for the case that there is none, `inner` then the size of one.
Value stack(const Type& type, const Dimensions& outer, const std::vector<Value>& parts,
            const Dimensions& inner = {});

}  // namespace cutset::objects
