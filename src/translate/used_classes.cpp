#include "translate/used_classes.h"

#include <algorithm>
#include <set>

namespace cutset {

// Walks over items and notes the names that they refer to.
class ReferredNames::Walk {
  public:
    explicit Walk(ReferredNames& names) : names_(names) {}

    void items(const std::vector<tree::Item>& list) {
        for (const tree::Item& item : list) std::visit([this](const auto& what) { visit(what); }, item.what);
    }
    void function(const tree::Function& f) {
        for (const auto* declarations : {&f.inputs, &f.outputs, &f.locals})
            for (const tree::VariableDeclaration& d : *declarations) visit(d);
        statements(f.body);
        for (const tree::Function::Rule& r : f.derivatives) names_.refer(r.function);
        for (const tree::Function::Rule& r : f.inverses) names_.refer(r.function);
    }
    void table(const tree::Table& t) {
        for (const auto& row : t.rows)
            for (const tree::Expression& e : row) expression(e);
        if (t.file_from) reference(*t.file_from);
    }
    void expression(const tree::Expression& e) {
        if (e.kind == tree::ExpressionKind::Call) names_.refer(e.text);
        for (const tree::Expression& argument : e.arguments) expression(argument);
        reference(e.reference);
    }

  private:
    void reference(const tree::Reference& r) {
        for (const tree::ReferencePart& part : r.parts)
            for (const tree::Expression& index : part.indices) expression(index);
    }
    void expression(const std::optional<tree::Expression>& e) {
        if (e) expression(*e);
    }
    void expression(const Box<tree::Expression>& e) {
        if (e) expression(*e);
    }
    void statements(const std::vector<tree::Statement>& list) {
        for (const tree::Statement& s : list)
            std::visit([this](const auto& what) { statement(what); }, s.what);
    }
    void statement(const tree::Assignment& s) {
        reference(s.target);
        expression(s.value);
    }
    void statement(const tree::Conditional& s) {
        for (const tree::Branch& b : s.branches) {
            expression(b.condition);
            statements(b.body);
        }
    }
    void statement(const tree::ForStatement& s) {
        expression(s.from);
        expression(s.to);
        expression(s.step);
        statements(s.body);
    }
    void statement(const tree::WhileStatement& s) {
        expression(s.condition);
        statements(s.body);
    }

    void statement(const tree::LeaveStatement&) {}
    void statement(const tree::AssertStatement& s) { expression(s.condition); }

    void visit(const tree::VariableDeclaration& d) {
        for (const tree::Expression& e : d.dimensions) expression(e);
        expression(d.value);
        expression(d.nominal);
        expression(d.minimum);
        expression(d.maximum);
    }
    void visit(const tree::DefaultValue& d) {
        reference(d.variable);
        expression(d.value);
    }
    void visit(const tree::Component& c) {
        names_.refer(c.type);
        if (names_.types_.find(c.type) == names_.types_.end()) names_.types_.emplace(c.type);
        for (const tree::Argument& a : c.arguments) expression(a.value);
        for (const tree::Expression& e : c.dimensions) expression(e);
    }
    void elements(const std::vector<tree::PortElement>& list) {
        for (const tree::PortElement& e : list) {
            if (const auto* v = std::get_if<tree::PortVariable>(&e.what)) reference(v->variable);
            if (const auto* p = std::get_if<tree::PortReference>(&e.what)) reference(p->port);
            if (const auto* g = std::get_if<tree::PortGroup>(&e.what)) elements(g->elements);
        }
    }
    void visit(const tree::Port& p) {
        for (const tree::Expression& e : p.dimensions) expression(e);
        if (p.body) elements(*p.body);
    }
    void visit(const tree::Path& p) {
        for (const tree::PathEnd* end : {&p.from, &p.to}) {
            if (const auto* r = std::get_if<tree::Reference>(&end->what)) reference(*r);
            if (const auto* list = std::get_if<std::vector<tree::PortElement>>(&end->what)) elements(*list);
        }
    }
    void connection(const tree::ConnectionExpression& e) {
        if (const auto* r = std::get_if<tree::Reference>(&e.what)) return reference(*r);
        const std::vector<tree::ConnectionExpression>* parts = nullptr;
        if (const auto* list = std::get_if<tree::ConnectionList>(&e.what)) parts = &list->parts;
        if (const auto* path = std::get_if<tree::ConnectionPath>(&e.what)) {
            reference(path->of);
            parts = &path->ends;
        }
        if (const auto* o = std::get_if<tree::ConnectionOperation>(&e.what)) parts = &o->operands;
        if (const auto* v = std::get_if<tree::ConnectionValue>(&e.what)) expression(v->value);
        if (parts)
            for (const tree::ConnectionExpression& part : *parts) connection(part);
    }
    void visit(const tree::Connection& c) {
        for (const tree::ConnectionExpression& e : c.expressions) connection(e);
    }
    void visit(const tree::Equation& e) {
        expression(e.left);
        expression(e.right);
    }
    void visit(const tree::InitialEquation& e) { visit(e.equation); }
    void visit(const tree::InitialValue& e) {
        reference(e.variable);
        expression(e.value);
    }
    void visit(const tree::ProcedureCall& c) {
        names_.refer(c.procedure);
        for (const tree::Reference& r : c.outputs) reference(r);
        for (const tree::Expression& e : c.arguments) expression(e);
    }
    void visit(const tree::Valid& v) { expression(v.condition); }
    void visit(const tree::PreferredStates& p) {
        for (const tree::Reference& r : p.variables) reference(r);
    }
    void visit(const tree::When& w) {
        expression(w.condition);
        for (const tree::ElseWhen& e : w.otherwise) expression(e.condition);
        tree::for_each_statement(w, [this](const tree::WhenStatement& s) {
            std::visit(
                [this](const auto& what) {
                    if constexpr (requires { what.target; }) {
                        reference(what.target);
                        expression(what.value);
                    } else if constexpr (requires { what.left; }) {
                        expression(what.left);
                        expression(what.right);
                    } else if constexpr (requires { what.branches; }) {
                        for (const tree::WhenBranch& b : what.branches)
                            if (b.condition) expression(*b.condition);
                    } else if constexpr (requires { what.from; }) {
                        expression(what.from);
                        expression(what.to);
                    }
                },
                s.what);
        });
    }
    void visit(const tree::Table& t) {
        names_.declare(t.name);
        table(t);
    }
    void visit(const std::shared_ptr<tree::Function>& f) {
        names_.declare(f->name);
        function(*f);
    }
    void visit(const std::shared_ptr<tree::Class>& c) {
        names_.declare(c->name);
        items(c->items);
    }
    void visit(const tree::StructureIf& s) {
        for (const tree::StructureBranch& b : s.branches) {
            expression(b.condition);
            items(b.items);
        }
    }
    void visit(const tree::StructureFor& s) {
        expression(*s.from);
        expression(*s.to);
        if (s.step) expression(*s.step);
        items(s.items);
    }

    ReferredNames& names_;
};

void ReferredNames::add(const tree::Class& c) {
    Walk(*this).items(c.items);
}
void ReferredNames::add(const tree::Function& f) {
    Walk(*this).function(f);
}
void ReferredNames::add(const tree::Table& t) {
    Walk(*this).table(t);
}
void ReferredNames::add(const tree::Expression& e) {
    Walk(*this).expression(e);
}

void ReferredNames::refer(std::string_view name) {
    if (seen_.find(name) != seen_.end()) return;
    order_.emplace_back(name);
    seen_.emplace(name);
}

void ReferredNames::declare(std::string_view name) {
    if (declared_.find(name) == declared_.end()) declared_.emplace(name);
}

ClassTree used_classes(const ClassTree& all) {
    ClassTree used;
    if (all.files.empty()) return used;
    ReferredNames names;
    const tree::File& own = *all.files.front();
    for (const auto& c : own.classes) names.add(*c);
    for (const auto& f : own.functions) names.add(*f);

    std::set<const void*> taken;
    for (bool more = true; more;) {  // each round follows the names that the last one found
        more = false;
        for (std::size_t i = 1; i < all.files.size(); ++i) {
            for (const auto& c : all.files[i]->classes)
                if (names.contains(c->name) && taken.insert(c.get()).second) {
                    names.add(*c);
                    more = true;
                }
            for (const auto& f : all.files[i]->functions)
                if (names.contains(f->name) && taken.insert(f.get()).second) {
                    names.add(*f);
                    more = true;
                }
        }
    }
    used.files.push_back(all.files.front());
    for (std::size_t i = 1; i < all.files.size(); ++i) {
        auto part = std::make_shared<tree::File>(*all.files[i]);
        std::erase_if(part->classes, [&](const auto& c) { return !taken.contains(c.get()); });
        std::erase_if(part->functions, [&](const auto& f) { return !taken.contains(f.get()); });
        std::erase_if(part->tables, [&](const tree::Table& t) { return !names.contains(t.name); });
        if (!part->classes.empty() || !part->functions.empty() || !part->tables.empty())
            used.files.push_back(part);
    }
    return used;
}

std::vector<std::string> ReferredNames::undeclared_types() const {
    std::vector<std::string> types;
    for (const std::string& name : types_)
        if (!declares(name)) types.push_back(name);
    std::sort(types.begin(), types.end());
    return types;
}

}  // namespace cutset
