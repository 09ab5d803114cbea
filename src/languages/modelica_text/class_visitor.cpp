#include "languages/modelica_text/class_visitor.h"

#include <variant>

namespace cutset::modelica {

using namespace object;

void ClassVisitor::visit(LongDefinition& body) {
    for (Element& e : body.elements) {
        if (auto* c = std::get_if<Component>(&e)) inside(*c);
        if (auto* section = std::get_if<EquationSection>(&e)) visit(section->equations);
        if (auto* section = std::get_if<AlgorithmSection>(&e)) visit(section->statements);
    }
}

void ClassVisitor::inside(Component& c) {
    component(c);
    all(c.type_dimensions);
    all(c.dimensions);
    if (c.modification) visit(*c.modification);
    optional(c.condition);
}

void ClassVisitor::visit(Modification& m) {
    for (Argument& a : m.arguments) {
        argument(a);
        if (a.value) visit(*a.value);
    }
    optional(m.value);
}

void ClassVisitor::loop(std::vector<Iterator>& iterators) {
    for (Iterator& i : iterators) {
        iterator(i);
        optional(i.range);
    }
}

void ClassVisitor::visit(std::vector<Equation>& equations) {
    for (Equation& e : equations) visit(e);
}

void ClassVisitor::visit(Equation& e) {
    if (auto* s = std::get_if<SimpleEquation>(&e.what)) {
        expression(s->left);
        expression(s->right);
    } else if (auto* k = std::get_if<ConnectEquation>(&e.what)) {
        expression(k->left);
        expression(k->right);
    } else if (auto* c = std::get_if<CallEquation>(&e.what)) {
        expression(c->call);
    } else if (auto* f = std::get_if<ForEquation>(&e.what)) {
        loop(f->iterators);
        visit(f->body);
    } else if (auto* i = std::get_if<IfEquation>(&e.what)) {
        branches(i->branches);
    } else if (auto* w = std::get_if<WhenEquation>(&e.what)) {
        branches(w->branches);
    }
}

void ClassVisitor::visit(std::vector<Statement>& statements) {
    for (Statement& s : statements) visit(s);
}

void ClassVisitor::visit(Statement& s) {
    if (auto* a = std::get_if<Assignment>(&s.what)) {
        expression(a->target);
        expression(a->value);
    } else if (auto* c = std::get_if<CallStatement>(&s.what)) {
        expression(c->call);
    } else if (auto* i = std::get_if<IfStatement>(&s.what)) {
        branches(i->branches);
    } else if (auto* w = std::get_if<WhenStatement>(&s.what)) {
        branches(w->branches);
    } else if (auto* f = std::get_if<ForStatement>(&s.what)) {
        loop(f->iterators);
        visit(f->body);
    } else if (auto* u = std::get_if<WhileStatement>(&s.what)) {
        expression(u->condition);
        visit(u->body);
    }
}

}  // namespace cutset::modelica
