// ClassTree: verification. Its text is in tree_text.cpp.
#include "ir/class_tree.h"

#include <fmt/format.h>

#include "base/overloaded.h"
#include "ir/require.h"

namespace cutset {

namespace tree {
namespace {

class TreeVerifier {
  public:
    void file(const File& f) {
        for (const auto& c : f.classes) verify_class(c, nullptr);
        for (const auto& function : f.functions) verify_function(function);
        for (const Table& t : f.tables) table(t);
    }

  private:
    void expressions(const std::vector<Expression>& list) {
        for (const Expression& e : list) expression(e);
    }
    void reference(const Reference& r) {
        require(!r.parts.empty(), "a reference has a name");
        for (std::size_t i = 0; i < r.parts.size(); ++i) {
            require((i == 0) == (r.parts[i].before == Separator::None),
                    "the first part of a reference, and no other, stands behind nothing");
            expressions(r.parts[i].indices);
        }
    }
    void expression(const Expression& e) {
        const std::size_t n = e.arguments.size();
        switch (e.kind) {
            case ExpressionKind::Number:
            case ExpressionKind::Truth:
            case ExpressionKind::Text:
                require(n == 0, "a number or a text has no arguments");
                break;
            case ExpressionKind::Reference:
                reference(e.reference);
                break;
            case ExpressionKind::Sum:
            case ExpressionKind::Product:
                require(n > 0 && e.text.size() == n, "a sum or product has a sign for each term");
                break;
            case ExpressionKind::Power:
            case ExpressionKind::Relation:
                require(n == 2, "a power or relation has two arguments");
                break;
            case ExpressionKind::Negate:
            case ExpressionKind::Not:
                require(n == 1, "a negation has one argument");
                break;
            case ExpressionKind::And:
            case ExpressionKind::Or:
                require(n >= 2, "and, or have two arguments or more");
                break;
            case ExpressionKind::If:
                require(n >= 3 && n % 2 == 1, "a choice has a condition for each value but the last");
                break;
            case ExpressionKind::Call:
                require(!e.text.empty(), "a call has a name");
                break;
            case ExpressionKind::Derivative:
                require(n >= 1 && e.number >= 1, "a derivative has an argument and an order");
                break;
            case ExpressionKind::Array:
                break;
            case ExpressionKind::Index:
                require(n >= 2, "an element has an array and an index");
                break;
            case ExpressionKind::Range:
                require(n == 0 || n == 2, "a range has two ends or none");
                break;
        }
        expressions(e.arguments);
    }
    void declaration(const VariableDeclaration& v) {
        require(!v.name.empty(), "a declared variable has a name");
        expressions(v.dimensions);
        for (const Box<Expression>* e : {&v.value, &v.nominal, &v.minimum, &v.maximum})
            if (*e) expression(**e);
    }
    void table(const Table& t) {
        require(!t.arguments.empty() && t.arguments.size() <= 3, "a table has one to three arguments");
        if (t.file_from) reference(*t.file_from);
        for (const auto& row : t.rows) expressions(row);
    }
    void verify_function(const std::shared_ptr<Function>& f) {
        require(f && !f->name.empty(), "a function has a name");
        for (const auto* list : {&f->inputs, &f->outputs, &f->locals})
            for (const VariableDeclaration& v : *list) declaration(v);
    }
    void connection(const ConnectionExpression& e) {
        std::visit(overloaded{
                       [&](const Reference& r) { reference(r); },
                       [&](const ConnectionList& l) {
                           require(l.parts.size() == l.roles.size(), "each part of a cut has its role");
                           for (const ConnectionExpression& part : l.parts) connection(part);
                       },
                       [&](const ConnectionPath& p) {
                           require(p.ends.size() == 2, "a path has two ends");
                           for (const ConnectionExpression& end : p.ends) connection(end);
                       },
                       [&](const ConnectionOperation& o) {
                           require(o.operands.size() == (o.op == ConnectionOperator::Reversed ? 1u : 2u),
                                   "an operation on connections has its operands");
                           for (const ConnectionExpression& operand : o.operands) connection(operand);
                       },
                       [&](const ConnectionValue& v) {
                           if (v.value) expression(*v.value);
                       },
                   },
                   e.what);
    }
    void equation(const Equation& e) {
        expression(e.left);
        expression(e.right);
    }
    void when(const When& w) {
        expression(w.condition);
        for (const ElseWhen& e : w.otherwise) expression(e.condition);
        for_each_statement(w, [&](const WhenStatement& s) {
            std::visit(overloaded{
                           [&](const WhenAssignment& a) {
                               reference(a.target);
                               expression(a.value);
                           },
                           [&](const WhenReinit& r) {
                               reference(r.target);
                               expression(r.value);
                           },
                           [](const WhenTerminate&) {},
                           [&](const WhenEquation& e) {
                               expression(e.left);
                               expression(e.right);
                           },
                           [&](const WhenIf& choice) {
                               for (const WhenBranch& b : choice.branches)
                                   if (b.condition) expression(*b.condition);
                           },
                           [&](const WhenFor& loop) {
                               expression(loop.from);
                               expression(loop.to);
                               if (loop.step) expression(*loop.step);
                           },
                       },
                       s.what);
        });
    }
    void items(const std::vector<Item>& list, const Class* within) {
        for (const Item& item : list)
            std::visit(overloaded{
                           [&](const VariableDeclaration& v) { declaration(v); },
                           [&](const DefaultValue& d) {
                               reference(d.variable);
                               expression(d.value);
                           },
                           [&](const Component& c) {
                               require(!c.name.empty() && !c.type.empty(),
                                       "a submodel has a name and a type");
                               expressions(c.dimensions);
                               for (const Argument& a : c.arguments) expression(a.value);
                           },
                           [&](const Port& p) { expressions(p.dimensions); },
                           [](const Path&) {},
                           [&](const Connection& c) {
                               for (const ConnectionExpression& e : c.expressions) connection(e);
                           },
                           [&](const Equation& e) { equation(e); },
                           [&](const InitialEquation& e) { equation(e.equation); },
                           [&](const InitialValue& v) {
                               reference(v.variable);
                               expression(v.value);
                           },
                           [&](const ProcedureCall& p) {
                               for (const Reference& r : p.outputs) reference(r);
                               expressions(p.arguments);
                           },
                           [&](const Valid& v) { expression(v.condition); },
                           [&](const When& w) { when(w); },
                           [&](const Table& t) { table(t); },
                           [&](const std::shared_ptr<Function>& f) { verify_function(f); },
                           [&](const std::shared_ptr<Class>& c) { verify_class(c, within); },
                           [&](const StructureIf& s) {
                               for (std::size_t i = 0; i < s.branches.size(); ++i) {
                                   const StructureBranch& b = s.branches[i];
                                   require(b.condition || i + 1 == s.branches.size(),
                                           "only the last branch has no condition");
                                   if (b.condition) expression(*b.condition);
                                   items(b.items, within);
                               }
                           },
                           [&](const StructureFor& f) {
                               require(f.from && f.to, "a repetition has its bounds");
                               expression(*f.from);
                               expression(*f.to);
                               if (f.step) expression(*f.step);
                               items(f.items, within);
                           },
                           [&](const PreferredStates& s) {
                               for (const Reference& r : s.variables) reference(r);
                           },
                       },
                       item.what);
    }
    void verify_class(const std::shared_ptr<Class>& c, const Class* within) {
        require(c && !c->name.empty(), "a class has a name");
        require(c->parent == within, fmt::format("class {} knows which class encloses it", c->name));
        items(c->items, c.get());
    }
};

}  // namespace
}  // namespace tree

void verify(const ClassTree& classes) {
    tree::TreeVerifier verifier;
    for (const auto& f : classes.files) {
        require(f != nullptr, "a file of the tree is there");
        verifier.file(*f);
    }
}

}  // namespace cutset
