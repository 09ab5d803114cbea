// ClassTree: what the modeller wrote, in his structure, whatever the language.
//
// Classes hold items in the order of the text: declarations, equations, connections, conditional and repeated
// groups of items. Names are not resolved and nothing is unrolled or evaluated here. Every node says where it
// stands.
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
#include "ir/written_expression.h"

namespace cutset::tree {

using written::Expression;
using written::ExpressionKind;
using written::Reference;
using written::ReferencePart;
using written::Separator;

// ---- declarations

struct VariableDeclaration {
    VariableKind kind = VariableKind::Local;
    std::string name;
    Span where;
    std::vector<Expression> dimensions;
    Box<Expression> value;
    std::string unit;      // as written between [ ], empty if none
    std::string quantity;  // empty if none
    std::string description;
    Box<Expression> nominal, minimum, maximum;
    std::optional<ValueType> type;      // as declared; else what is assigned to it decides
    std::vector<std::string> literals;  // of an enumeration
};

// `default v = e`: for a terminal that nothing outside refers to.
struct DefaultValue {
    Reference variable;
    Expression value;
    Span where;
};

struct Argument {
    std::optional<std::string> name;  // none: positional
    Expression value;
    Span where;
};

// A submodel. `type` is the class name (equal to `name` when the text gives none).
struct Component {
    std::string type;
    Span type_where;
    std::string name;
    Span where;
    std::vector<Expression> dimensions;
    std::vector<Argument> arguments;
    std::string description;
};

// ---- cuts, nodes, paths

enum class Role { Across, Through };

struct PortElement;

// A cut variable: `Va`, `-I`, `T [K]`. An element of a vector variable is named by indices; a whole vector
// stands for its elements in order.
struct PortVariable {
    Reference variable;
    bool negative = false;
    std::string unit;
};
struct PortDot {};
// Another cut or node of this model (or of a submodel) as part of a hierarchical one.
struct PortReference {
    Reference port;
};
struct PortGroup {
    std::vector<PortElement> elements;
};

// Whether a plain name is a variable or a cut is decided at instantiation: `name` may be either.
struct PortElement {
    Role role = Role::Across;
    std::variant<PortVariable, PortDot, PortReference, PortGroup> what;
    Span where;
};

// cut A(Va / I), cut B, node N, cut C[A, B], main cut (w / T)
struct Port {
    std::string name;  // empty for an anonymous main cut
    Span where;
    bool main = false;
    bool node = false;
    std::vector<Expression> dimensions;            // cut hole[n](x / F)
    std::optional<std::vector<PortElement>> body;  // none: open
};

// ---- connections

enum class ConnectionOperator { At, Reversed, To, From, Par, Loop };

struct ConnectionExpression;

// (a, b / c) in an operand position: a temporary hierarchical cut. Its parts are connection expressions that
// are cuts, values or dots: `(., ., 1000 / 0.2) to Tank1` is the cut of an unnamed submodel with these cut
// variables.
struct ConnectionList {
    std::vector<ConnectionExpression> parts;
    std::vector<Role> roles;  // one per part
};
// A number or bracketed expression in a temporary cut (`value`), or a dot (none).
struct ConnectionValue {
    Box<Expression> value;
};
// (A - B) or a..(A - B): a path made in place out of two cuts; `of` is empty or names the submodel the ends
// belong to.
struct ConnectionPath {
    Reference of;
    std::vector<ConnectionExpression> ends;  // two
};
struct ConnectionOperation {
    ConnectionOperator op = ConnectionOperator::At;
    std::vector<ConnectionExpression> operands;  // one for Reversed, else two
};
// A submodel, cut, node or path by name.
struct ConnectionExpression {
    std::variant<Reference, ConnectionList, ConnectionPath, ConnectionOperation, ConnectionValue> what;
    Span where;
};

// connect (name) e, e, …
struct Connection {
    std::string name;  // of the path or cut that bare submodel names stand for; empty if none
    std::vector<ConnectionExpression> expressions;
    Span where;
};

// path P (A - B): its ends are cut names, hierarchical cuts or cut lists written in place.
struct PathEnd {
    std::variant<Reference, std::vector<PortElement>> what;
    Span where;
};
struct Path {
    std::string name;  // empty for an anonymous main path
    Span where;
    bool main = false;
    PathEnd from, to;
};

// ---- equations

struct Equation {
    Expression left, right;
    Span where;
};
// initial <equation>
struct InitialEquation {
    Equation equation;
};
// x(0) = e, guess x = e
struct InitialValue {
    Reference variable;
    Expression value;
    Span where;
    bool guess = false;  // guess x = e: where the search begins, no condition
};
// y1 y2 y3 = proc(u1 u2)
struct ProcedureCall {
    std::vector<Reference> outputs;
    std::string procedure;
    std::vector<Expression> arguments;
    Span where;
};
struct Valid {
    Expression condition;
    Span where;
    std::string text = {};  // of an assertion
    AssertionLevel level = AssertionLevel::Validity;
};
// state x, y: variables that the modeller would like to see as states, or not: state never x
struct PreferredStates {
    StateSelect select = StateSelect::Prefer;
    std::vector<Reference> variables;
    Span where;
};

struct WhenAssignment {  // new(d) = e
    Reference target;
    Expression value;
    Span where;
};
struct WhenReinit {  // reinit(x, e)
    Reference target;
    Expression value;
    Span where;
};
struct WhenTerminate {  // terminate("…")
    std::string message;
    Span where;
};
struct WhenEquation {  // left = right, in values new(d)
    Expression left, right;
    Span where;
};
struct WhenStatement;
struct WhenBranch {
    std::optional<Expression> condition;  // none: else
    std::vector<WhenStatement> statements;
};
struct WhenIf {
    std::vector<WhenBranch> branches;
    Span where;
};
struct WhenFor {
    std::string variable;
    Expression from, to;
    std::optional<Expression> step;  // none: 1
    std::vector<WhenStatement> statements;
    Span where;
};
struct WhenStatement {
    std::variant<WhenAssignment, WhenReinit, WhenTerminate, WhenEquation, WhenIf, WhenFor> what;
};
struct ElseWhen {
    Expression condition;
    std::vector<WhenStatement> statements;
    Span where;
};
struct When {
    Expression condition;
    std::vector<WhenStatement> statements;
    std::vector<ElseWhen> otherwise;  // each acts where none before it does
    Span where;
};

// Calls visit(statement) for every statement of a `when`, those inside others too.
template <class Visit>
void for_each_statement(const std::vector<WhenStatement>& statements, Visit visit) {
    for (const WhenStatement& s : statements) {
        visit(s);
        if (const auto* choice = std::get_if<WhenIf>(&s.what))
            for (const WhenBranch& b : choice->branches) for_each_statement(b.statements, visit);
        if (const auto* loop = std::get_if<WhenFor>(&s.what)) for_each_statement(loop->statements, visit);
    }
}
template <class Visit>
void for_each_statement(const When& when, Visit visit) {
    for_each_statement(when.statements, visit);
    for (const ElseWhen& e : when.otherwise) for_each_statement(e.statements, visit);
}

// ---- tables and functions

struct Table {
    std::string name;
    Span where;
    std::vector<std::string> arguments;  // one to three
    std::string file;                    // "file.csv" or "data.db:table"; empty when inline
    std::optional<Reference> file_from;  // or the text parameter that names it
    Span file_where;
    std::vector<std::vector<Expression>> rows;  // inline: tuples (x, value) or (x, y, value)
    Interpolation interpolation = Interpolation::Linear;
    Outside outside = Outside::Hold;
    std::vector<std::string> results;  // of several columns; empty: one, with the name of the table
};

struct Statement;
struct Assignment {
    Reference target;
    Expression value;
};
struct Branch {
    std::optional<Expression> condition;  // none: else
    std::vector<Statement> body;
};
struct Conditional {
    std::vector<Branch> branches;
};
struct ForStatement {
    std::string variable;
    Expression from, to;
    std::optional<Expression> step;
    std::vector<Statement> body;
};
struct WhileStatement {
    Expression condition;
    std::vector<Statement> body;
};
struct LeaveStatement {
    bool loop = false;  // break, else return
};
struct AssertStatement {
    Expression condition;
    std::string text;
};
struct Statement {
    std::variant<Assignment, Conditional, ForStatement, WhileStatement, LeaveStatement, AssertStatement> what;
    Span where;
};

struct Function {
    std::string name;
    Span where;
    std::vector<VariableDeclaration> inputs, outputs, locals;  // constants are locals with a value
    std::vector<Statement> body;
    std::optional<ExternalCode> external;
    // The function of x and dx that gives its differentials; functions that give an argument for a result.
    struct Rule {
        std::string function;
        std::string argument;  // of an inverse
        Span where;
        // Of a derivative: the k-th one, from the one before; arguments without a differential, since they
        // follow from the others (`without`), or are constant where the rule holds.
        std::uint32_t order = 1;
        std::vector<std::string> without, constant;
    };
    std::vector<Rule> derivatives;  // the first that fits
    std::vector<Rule> inverses;
    bool inlined = false;  // calls are to become equations
    bool impure = false;   // as written
    std::string documentation;
};

// ---- structure

struct Class;
struct Item;

struct StructureBranch {
    std::optional<Expression> condition;  // none: else
    std::vector<Item> items;
};
// if … then begin … end elseif … else …; `case n of` is lowered onto it (conditions n = 1, n = 2, …).
struct StructureIf {
    std::vector<StructureBranch> branches;
    Span where;
};
struct StructureFor {
    std::string variable;
    Box<Expression> from, to;  // both there
    Box<Expression> step;      // 1 if not there
    std::vector<Item> items;
    Span where;
};

struct Item {
    std::variant<VariableDeclaration, DefaultValue, Component, Port, Path, Connection, Equation,
                 InitialEquation, InitialValue, ProcedureCall, Valid, When, Table, std::shared_ptr<Function>,
                 std::shared_ptr<Class>, StructureIf, StructureFor, PreferredStates>
        what;
};

enum class ClassKind { Model, Connector, Record, Type, Package };

struct Class {
    std::string name;
    Span where;  // the name
    Span whole;  // from `model` to `end`
    ClassKind kind = ClassKind::Model;
    bool in_place =
        false;  // `model m`: a class and one submodel of it, in place; at file level: one that can be run
    std::string documentation;
    std::vector<Item> items;
    const Class* parent = nullptr;  // the class that encloses it
    SourceId source;
};

// One file: its classes, functions and tables at file level, and the libraries it names.
struct File {
    SourceId source;
    std::string path;
    std::string documentation;
    std::vector<std::shared_ptr<Class>> classes;
    std::vector<std::shared_ptr<Function>> functions;
    std::vector<Table> tables;
    struct Library {
        std::string path;  // as written
        Span where;
    };
    std::vector<Library> libraries;
};

}  // namespace cutset::tree

namespace cutset {

// All loaded files. The first is the one the user named; `libraries` are searched after it, in order.
struct ClassTree {
    std::vector<std::shared_ptr<tree::File>> files;
};

// Our own promises about a ClassTree (arguments that an operation needs, names, who encloses whom); throws
// std::logic_error. The text of one: ir/tree_text.h.
void verify(const ClassTree& classes);

}  // namespace cutset
