#include "ir/object_names.h"

#include <vector>

namespace cutset::object {

namespace {

void visit_all(const std::vector<Expression>& list, VisitName visit) {
    for (const Expression& e : list) visit_names(e, visit);
}

void visit_iterators(const std::vector<Iterator>& list, VisitName visit) {
    for (const Iterator& i : list)
        if (i.range) visit_names(*i.range, visit);
}

void visit_all(const std::vector<Equation>& list, VisitName visit);
void visit_all(const std::vector<Statement>& list, VisitName visit);

template <class Branches>
void visit_branches(const Branches& branches, VisitName visit) {
    for (const auto& b : branches) {
        if (b.condition) visit_names(*b.condition, visit);
        visit_all(b.body, visit);
    }
}

void visit_all(const std::vector<Equation>& list, VisitName visit) {
    for (const Equation& e : list) {
        if (const auto* s = std::get_if<SimpleEquation>(&e.what)) {
            visit_names(s->left, visit);
            visit_names(s->right, visit);
        } else if (const auto* f = std::get_if<ForEquation>(&e.what)) {
            visit_iterators(f->iterators, visit);
            visit_all(f->body, visit);
        } else if (const auto* i = std::get_if<IfEquation>(&e.what)) {
            visit_branches(i->branches, visit);
        } else if (const auto* w = std::get_if<WhenEquation>(&e.what)) {
            visit_branches(w->branches, visit);
        }
    }
}

void visit_all(const std::vector<Statement>& list, VisitName visit) {
    for (const Statement& s : list) {
        if (const auto* a = std::get_if<Assignment>(&s.what)) {
            visit_names(a->target, visit);
            visit_names(a->value, visit);
        } else if (const auto* c = std::get_if<CallStatement>(&s.what)) {
            visit_names(c->call, visit);
        } else if (const auto* f = std::get_if<ForStatement>(&s.what)) {
            visit_iterators(f->iterators, visit);
            visit_all(f->body, visit);
        } else if (const auto* l = std::get_if<WhileStatement>(&s.what)) {
            visit_names(l->condition, visit);
            visit_all(l->body, visit);
        } else if (const auto* i = std::get_if<IfStatement>(&s.what)) {
            visit_branches(i->branches, visit);
        } else if (const auto* w = std::get_if<WhenStatement>(&s.what)) {
            visit_branches(w->branches, visit);
        }
    }
}

}  // namespace

void visit_names(const Expression& e, VisitName visit) {
    if (e.kind == ExpressionKind::Name) visit(e.name);
    for (const NamePart& p : e.name.parts) visit_all(p.indices, visit);
    visit_all(e.arguments, visit);
    for (const NamedArgument& a : e.named) visit_names(*a.value, visit);
    visit_iterators(e.iterators, visit);
}

void visit_names(const Modification& m, VisitName visit) {
    if (m.value) visit_names(*m.value, visit);
    for (const Argument& a : m.arguments) {
        if (a.value) visit_names(*a.value, visit);
        if (!a.redeclaration) continue;
        if (const auto& c = a.redeclaration->component; c && c->modification)
            visit_names(*c->modification, visit);
        if (const auto& c = a.redeclaration->declared)
            if (const auto* alias = std::get_if<ShortDefinition>(&c->definition);
                alias && alias->modification)
                visit_names(*alias->modification, visit);
    }
}

void visit_names(const LongDefinition& body, VisitName visit) {
    for (const Element& e : body.elements) {
        if (const auto* c = std::get_if<Component>(&e)) {
            if (c->modification) visit_names(*c->modification, visit);
            if (c->condition) visit_names(*c->condition, visit);
        } else if (const auto* s = std::get_if<EquationSection>(&e)) {
            visit_all(s->equations, visit);
        } else if (const auto* a = std::get_if<AlgorithmSection>(&e)) {
            visit_all(a->statements, visit);
        }
    }
}

}  // namespace cutset::object
