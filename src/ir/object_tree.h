// ObjectTree: classes with inheritance, as the modeller wrote them, in Modelica, Omola or EL.
//
//     class C                       elements, equations, algorithms, in the order of the text
//       extends B(m)                what B has, modified by m
//       T x(a = 1, b(c = 2)) = e    a component of class T: its modification is a tree
//       redeclare R y               another class for what B calls y
//
// Names are not resolved here and nothing is evaluated; what a name means depends on the instance in which
// the class stands (objects/lookup.h). Annotations stay as spans until they are asked for. The 1977 language
// and Simnon have a tree of their own, ir/class_tree.h: their classes have no inheritance, their cuts are
// references to variables.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/box.h"
#include "base/source.h"
#include "ir/declared.h"

namespace cutset::object {

enum class Language : std::uint8_t {
    Modelica,
    Omola,
    El,
    Dymola,  // of 1977, and Simnon: written as Modelica by us
};

// ---- names

struct Expression;

struct NamePart {
    std::string name;
    std::vector<Expression> indices;  // a[2, :], only in component references
    Span where;
};
// .A.B.c[2].d — global: it begins with a dot and is looked up from the top.
struct Name {
    bool global = false;
    std::vector<NamePart> parts;
    Span where;
};

// ---- expressions

enum class Operator : std::uint8_t {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,  // + - * / ^
    ElementAdd,
    ElementSubtract,
    ElementMultiply,
    ElementDivide,
    ElementPower,  // .+ .- .* ./ .^
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
    Not,
    Plus,
    Minus,  // the last three have one operand
};

struct NamedArgument {
    std::string name;
    Box<Expression> value;
    Span where;
};
// i in e; without `in`: the range follows from the use of i as an index. `except`: values left out (EL).
struct Iterator {
    std::string name;
    Box<Expression> range;
    Box<Expression> except;
    Span where;
};

enum class ExpressionKind : std::uint8_t {
    Real,           // number
    Integer,        // number
    String,         // text
    Boolean,        // number: 0 or 1
    Name,           // name: a variable, a constant, a class used as a value, `time`
    Operation,      // op; arguments: one or two operands
    If,             // arguments: c1, v1, c2, v2, …, otherwise
    Call,           // name: the function; arguments by position, then `named`
    Function,       // function f(a = 1): partial application; name, named
    Array,          // {a, b, c}: arguments
    Matrix,         // [a, b; c, d]: arguments are Array nodes, one for each row
    Comprehension,  // f(e for i in r, …) or {e for …}: name (empty for { }), one argument, iterators
    Range,          // a:b or a:s:b: arguments first, (step,) last
    Tuple,          // (a, , b): arguments; Omitted where nothing stands
    Omitted,        // nothing between two commas; the whole dimension `:` among indices
    End,            // `end` among indices: the size of that dimension
    Index,          // (e)[i, j]: arguments: the value, then its indices
    Member,         // (e).re: text is the member, one argument
    Derivative,     // x', x'' (EL), dot(x) (Omola), der(x) (Modelica): number is the order, one argument
    Initial,        // of EL and Omola where they differ from a call; text says which
};

struct Expression {
    ExpressionKind kind = ExpressionKind::Real;
    Operator op = Operator::Add;
    Span where;
    double number = 0;
    std::string text;
    Name name;
    std::vector<Expression> arguments;
    std::vector<NamedArgument> named;
    std::vector<Iterator> iterators;
};

// ---- modifications

struct Class;
struct Component;
struct Modification;

// redeclare T x(m), redeclare model M = N(m), replaceable … constrainedby C(m) inside a modification. The
// declaration is an ordinary element, shared by all copies of the modification.
struct Redeclaration {
    std::shared_ptr<const Component> component;  // one of the two
    std::shared_ptr<const Class> declared;
};

// each final a.b(m) = e. Names of several parts (Modelica: only through attributes; EL, Omola) nest as usual.
struct Argument {
    Name name;  // of a redeclaration: the redeclared element
    bool each = false;
    bool final = false;
    bool redeclare = false;
    bool replaceable = false;
    bool remove = false;                        // break x, break connect(a, b): what is inherited is left out
    std::vector<Expression> broken_connection;  // a, b
    Box<Modification> value;
    std::optional<Redeclaration> redeclaration;
    std::string description;
    Span where;
};
struct Modification {
    std::vector<Argument> arguments;
    Box<Expression> value;
    bool assigned = false;  // := instead of =
    bool no_value = false;  // = break: the value inherited does not hold
    Span where;
};

// ---- elements of a class

enum class Variability : std::uint8_t { None, Discrete, Parameter, Constant };
enum class Causality : std::uint8_t { None, Input, Output };
enum class Flow : std::uint8_t { None, Flow, Stream };

struct ElementPrefixes {
    bool is_protected = false;
    bool is_final = false;
    bool redeclare = false;
    bool replaceable = false;
    bool inner = false;
    bool outer = false;
};

struct TypePrefixes {
    Variability variability = Variability::None;
    Causality causality = Causality::None;
    Flow flow = Flow::None;
};

// constrainedby T(m)
struct Constraint {
    Name type;
    Box<Modification> modification;
};

// One component: `Real a, b` are two with the same `statement`.
struct Component {
    ElementPrefixes element;
    TypePrefixes prefixes;
    Name type;
    std::vector<Expression> type_dimensions;  // Real[3] x: before those of x
    std::string name;
    std::vector<Expression> dimensions;
    Box<Modification> modification;
    Box<Expression> condition;  // … if c
    Box<Constraint> constraint;
    std::string description;
    Span where;       // its name
    Span statement;   // the whole declaration
    Span annotation;  // unknown: none
};

struct Import {
    Name package;      // import A.B.C; A.B.*; A.B.{x, y}
    std::string as;    // import D = A.B.C
    bool all = false;  // .*
    std::vector<std::string> names;
    Span where;
};

struct Extends {
    Name base;
    Box<Modification> modification;
    bool is_protected = false;
    Span where;
    Span annotation;
};

// ---- equations and statements

struct Equation;
struct Statement;

struct SimpleEquation {
    Expression left, right;
    bool causal = false;      // := in a continuous part (EL): never turned round
    std::string label;        // <eq1> (EL); a child's equation with the same label replaces it
    Box<Expression> tearing;  // IMPL(x) (EL): a residual with x as tearing variable
};
struct ConnectEquation {
    Expression left, right;
};
struct ForEquation {
    std::vector<Iterator> iterators;
    std::vector<Equation> body;
};
struct EquationBranch {
    Box<Expression> condition;  // none: else
    std::vector<Equation> body;
};
struct IfEquation {
    std::vector<EquationBranch> branches;
    bool structural = false;  // IF … INSERT (EL): decided when the model is made
};
struct WhenEquation {
    std::vector<EquationBranch> branches;  // when, elsewhen …
};
// assert(…), terminate(…), reinit(…), Connections.branch(…), or a function without results.
struct CallEquation {
    Expression call;
};
struct Equation {
    std::variant<SimpleEquation, ConnectEquation, ForEquation, IfEquation, WhenEquation, CallEquation> what;
    std::string description;
    Span where;
    Span annotation;
};

struct Assignment {
    Expression target;  // a name, or a Tuple of names
    Expression value;
    Box<Expression> after;  // x = e AFTER dt (EL): a time event
    Box<Expression> at;     // x = e AT t
};
struct CallStatement {
    Expression call;
};
struct StatementBranch {
    Box<Expression> condition;  // none: else
    std::vector<Statement> body;
};
struct IfStatement {
    std::vector<StatementBranch> branches;
};
struct ForStatement {
    std::vector<Iterator> iterators;
    std::vector<Statement> body;
};
struct WhileStatement {
    Expression condition;
    std::vector<Statement> body;
};
struct WhenStatement {
    std::vector<StatementBranch> branches;
};
struct BreakStatement {};
struct ReturnStatement {};
struct Statement {
    std::variant<Assignment, CallStatement, IfStatement, ForStatement, WhileStatement, WhenStatement,
                 BreakStatement, ReturnStatement>
        what;
    std::string description;
    Span where;
    Span annotation;
};

struct EquationSection {
    bool initial = false;
    std::vector<Equation> equations;
};
struct AlgorithmSection {
    bool initial = false;
    int priority = 0;  // INIT PRIORITY n (EL): higher first
    std::vector<Statement> statements;
};

// external "C" y = f(a, b) annotation(Library = …)
struct External {
    std::string language;
    Box<Expression> result;
    std::string function;
    std::vector<Expression> arguments;
    Span where;
    Span annotation;
};

// A class inside a class.
struct NestedClass {
    ElementPrefixes element;
    std::shared_ptr<Class> declared;
};

using Element = std::variant<Import, Extends, Component, NestedClass, EquationSection, AlgorithmSection>;

// ---- classes

enum class ClassKind : std::uint8_t {
    Class,
    Model,
    Block,
    Record,
    OperatorRecord,
    Connector,
    ExpandableConnector,
    Type,
    Package,
    Function,
    Operator,
    OperatorFunction,
    Attributes,  // Omola: a class of attributes only
};

struct EnumerationLiteral {
    std::string name;
    std::string description;
    Span where;
};

// class A = B[n](m), class A = enumeration(…), class A = der(f, x): definitions without a body.
struct ShortDefinition {
    TypePrefixes prefixes;
    Name base;
    std::vector<Expression> dimensions;
    Box<Modification> modification;
};
struct EnumerationDefinition {
    std::vector<EnumerationLiteral> literals;
    bool open = false;  // enumeration(:)
};
struct DerivativeDefinition {
    Name function;
    std::vector<std::string> inputs;
};
struct LongDefinition {
    std::vector<Element> elements;
    std::optional<External> external;
    // class extends A(m): a class of the same name is inherited and redeclared.
    bool extends_inherited = false;
    Box<Modification> modification;  // of `class extends`
};

// A port of a class whose language says at the port, not in its type, which way what flows counts.
struct PortDescription {
    struct FlowVariable {
        std::string name;      // in the port
        bool outward = false;  // counts positive out of the model
    };
    std::string name;
    std::vector<FlowVariable> flows;
};

struct Class {
    Language language = Language::Modelica;
    ClassKind kind = ClassKind::Class;
    std::string name;
    bool partial = false;
    bool encapsulated = false;
    bool pure = false;    // as written
    bool impure = false;  // as written
    std::variant<LongDefinition, ShortDefinition, EnumerationDefinition, DerivativeDefinition> definition;
    Box<Constraint> constraint;  // of a replaceable class
    std::string description;
    Span where;       // its name
    Span whole;       // from its first word to the end of `end A`
    Span annotation;  // of the class
    // Of a class of Omola or EL, in which all that it has is written out: the classes that it was made from,
    // and what is joined to others.
    std::vector<std::string> inherits;
    std::vector<PortDescription> ports;
    // In which scope it was written: set where it is put there; null at the top (or `within` of its file).
    const Class* parent = nullptr;
};

// What one file holds.
struct File {
    SourceId source;
    Language language = Language::Modelica;
    std::optional<Name> within;
    std::vector<std::shared_ptr<Class>> classes;
};

}  // namespace cutset::object
