// What was written in EL: components, ports, functions, partitions and experiments, before any name is looked
// up. Expressions are those of the object tree; ZONE and IF … ELSE are `If` nodes, an IF inside noEvent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/box.h"
#include "base/source.h"
#include "ir/object_tree.h"
#include "languages/reading/limits.h"

namespace cutset::el {

using object::Expression;

using reading::chain_limit;
using reading::error_limit;
using reading::nesting_limit;

enum class Type : std::uint8_t {
    Real,
    Integer,
    Boolean,
    String,
    Filepath,
    Enum,
    SetOf,
    Table1D,
    Table2D,
    Table3D
};
enum class Direction : std::uint8_t { None, In, Out };
enum class Modifier : std::uint8_t { None, Sum, Equal };

// [CONST] [DISCR | BOUND | ALG | EXPL] [SUM | EQUAL [IN | OUT]] type name[dims] = init UNITS u RANGE lo, hi
// "text"
struct Declaration {
    Type type = Type::Real;
    std::string enumeration;  // of ENUM and SET_OF
    bool constant = false, discrete = false, bound = false, algebraic = false, explicit_equation = false;
    bool is_private = false, hidden = false;
    Modifier modifier = Modifier::None;
    Direction modifier_direction = Direction::None;
    std::string name;
    std::vector<Expression> dimensions;
    Box<Expression> init;
    Box<Expression> units;
    Box<Expression> low, high;
    std::string description;
    Span where;
};

// CLOSE name [= value]
struct Close {
    std::string name;
    Box<Expression> value;
    Span where;
};

// Values by position, then by name: of construction parameters, data or functions.
struct Arguments {
    std::vector<Expression> values;
    std::vector<object::NamedArgument> named;
    bool given = false;  // the brackets stand there
    Span where;
};

// IN fluid f[N] (mix) CARDINALITY 1, 3
struct PortUse {
    Direction direction = Direction::In;
    std::string type;
    Span type_where;
    Arguments parameters;
    std::string name;
    std::vector<Expression> dimensions;
    Box<Expression> least, most;
    std::string description;
    Span where;
};

enum class StatementKind : std::uint8_t {
    Equation,    // left = right: an equation in CONTINUOUS, an assignment elsewhere
    Causal,      // left := right
    Add,         // left += right
    Subtract,    // left -= right
    Call,        // left is the call
    Expand,      // EXPAND, EXPAND_BLOCK, FOR (i IN …): iterators, body
    Count,       // FOR (i = a; c; i = b): left the variable, right its first value, condition, step
    Insert,      // IF (c) INSERT …: branches
    If,          // IF c THEN …: branches
    When,        // WHEN (c) THEN …: branches of one
    While,       // condition, body
    Sequential,  // SEQUENTIAL … END SEQUENTIAL: body
    Assert,      // condition, word the level, text
    Break,
    Continue,
    Return,    // left, if there is one
    Stop,      // text
    Connect,   // CONNECT from TO to
    PathPort,  // PATH from TO to
    Submodel,  // type(parameters) name(data)
};

struct Statement;

struct Branch {
    Box<Expression> condition;  // none: ELSE
    std::vector<Statement> body;
};

// Type(parameters) name[dims] (data)
struct Submodel {
    std::string type;
    Span type_where;
    Arguments parameters;
    std::string name;
    std::vector<Expression> dimensions;
    Arguments data;
    std::string description;
    Span where;
};

enum class AssertWord : std::uint8_t { Note, Warning, Error, Killpoint, Fatal };

// A statement of any block; what may stand where is for the elaboration to say.
struct Statement {
    StatementKind kind = StatementKind::Equation;
    Box<Expression> left, right, condition, step;
    Box<Expression> after, at;
    Box<Expression> tearing;  // IMPL(x): an equation is solved for x iteratively
    std::string label;        // <eq1>
    bool replaces = false;    // <:eq1>
    std::vector<object::Iterator> iterators;
    std::vector<Branch> branches;
    std::vector<Statement> body;
    std::vector<Expression> from, to;
    Box<Submodel> submodel;
    AssertWord level = AssertWord::Warning;
    std::string text;
    Span where;
};

// INIT [PRIORITY n]
struct InitBlock {
    int priority = 0;
    std::vector<Statement> body;
};

struct Parent {
    std::string name;
    Span where;
};

// COMPONENT and PORT have the same parts; a port has no ports.
struct Component {
    bool abstract = false;
    bool is_port = false;
    bool single = false;  // SINGLE
    Direction single_direction = Direction::None;
    std::string name;
    std::vector<Parent> parents;
    std::vector<Declaration> parameters;  // construction parameters
    std::string description;
    std::vector<PortUse> ports;
    std::vector<Declaration> data;
    std::vector<Declaration> variables;  // DECLS; the variables of a port
    std::vector<Close> closes;
    std::vector<Statement> topology;
    std::vector<InitBlock> inits;
    std::vector<Statement> discrete;
    std::vector<Statement> continuous;
    Span where;  // its name
    Span whole;
};

struct Argument {
    Declaration declared;
    bool out = false;
};
struct Function {
    std::string name;
    std::optional<Declaration> result;  // none: NO_TYPE
    std::vector<Argument> arguments;
    std::vector<Declaration> variables;
    std::vector<Statement> body;
    std::string external_library;  // "C" FUNCTION … IN "lib"
    std::string description;
    Span where;
};

struct Enumeration {
    std::string name;
    std::vector<std::string> literals;
    std::vector<Span> places;
    Span where;
};

// PARTITION name ON component: a choice of what is given from outside, and how the rest is computed.
struct Partition {
    std::string name;
    std::string component;
    std::vector<Parent> bounds;   // variables that are given
    std::vector<Parent> unknown;  // data that become unknowns
    std::vector<Parent> tearing;  // ALG
    std::vector<Parent> states;   // wished states
    Span where, component_where;
};

// EXPERIMENT name [ON component.partition]
struct Experiment {
    std::string name;
    std::string component;  // may be empty: a program without a model
    std::string partition;
    std::vector<Declaration> variables;
    std::vector<Statement> init, bounds, body;
    Span where, component_where;
};

struct LibraryUse {
    std::string name;
    bool file = false;  // #include "name": a file beside this one
    Span where;
};

struct File {
    SourceId source;
    std::string library;  // LIBRARY name
    std::vector<LibraryUse> uses;
    std::vector<Component> components;  // and ports
    std::vector<Function> functions;
    std::vector<Enumeration> enumerations;
    std::vector<Declaration> constants;
    std::vector<Partition> partitions;
    std::vector<Experiment> experiments;
};

}  // namespace cutset::el
