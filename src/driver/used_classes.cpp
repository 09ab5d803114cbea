#include "driver/used_classes.h"

#include <set>
#include <string>

namespace cutset {

namespace {

// Collects the names of types, functions and tables that items refer to.
class Names {
  public:
    std::set<std::string> found;
    std::set<std::string> types, declared;  // of submodels; classes

    void items(const std::vector<tree::Item>& list) {
        for (const tree::Item& item : list) std::visit([this](const auto& what) { visit(what); }, item.what);
    }
    void function(const tree::Function& f) {
        for (const auto* declarations : {&f.inputs, &f.outputs, &f.locals})
            for (const tree::VariableDeclaration& d : *declarations) visit(d);
        statements(f.body);
    }

  private:
    void expression(const tree::Expression& e) {
        if (e.kind == tree::ExpressionKind::Call) found.insert(e.text);
        for (const tree::Expression& argument : e.arguments) expression(argument);
        for (const tree::ReferencePart& part : e.reference.parts)
            for (const tree::Expression& index : part.indices) expression(index);
    }
    void expression(const std::optional<tree::Expression>& e) {
        if (e) expression(*e);
    }
    void statements(const std::vector<tree::Statement>& list) {
        for (const tree::Statement& s : list)
            std::visit([this](const auto& what) { statement(what); }, s.what);
    }
    void statement(const tree::Assignment& s) { expression(s.value); }
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

    void visit(const tree::VariableDeclaration& d) {
        for (const tree::Expression& e : d.dimensions) expression(e);
        expression(d.value);
        expression(d.nominal);
        expression(d.minimum);
        expression(d.maximum);
    }
    void visit(const tree::DefaultValue& d) { expression(d.value); }
    void visit(const tree::Component& c) {
        found.insert(c.type);
        types.insert(c.type);
        for (const tree::Argument& a : c.arguments) expression(a.value);
        for (const tree::Expression& e : c.dimensions) expression(e);
    }
    void visit(const tree::Port&) {}
    void visit(const tree::Path&) {}
    void visit(const tree::Connection&) {}
    void visit(const tree::Equation& e) {
        expression(e.left);
        expression(e.right);
    }
    void visit(const tree::InitialEquation& e) { visit(e.equation); }
    void visit(const tree::InitialValue& e) { expression(e.value); }
    void visit(const tree::ProcedureCall& c) {
        found.insert(c.procedure);
        for (const tree::Expression& e : c.arguments) expression(e);
    }
    void visit(const tree::Valid& v) { expression(v.condition); }
    void visit(const tree::PreferredStates&) {}
    void visit(const tree::When& w) {
        expression(w.condition);
        for (const tree::WhenStatement& s : w.statements) {
            if (const auto* assign = std::get_if<tree::WhenAssignment>(&s)) expression(assign->value);
            if (const auto* reinit = std::get_if<tree::WhenReinit>(&s)) expression(reinit->value);
        }
    }
    void visit(const tree::Table& t) {
        for (const auto& row : t.rows)
            for (const tree::Expression& e : row) expression(e);
    }
    void visit(const std::shared_ptr<tree::Function>& f) { function(*f); }
    void visit(const std::shared_ptr<tree::Class>& c) {
        declared.insert(c->name);
        items(c->items);
    }
    void visit(const tree::StructureIf& s) {
        for (const tree::StructureBranch& b : s.branches) {
            expression(b.condition);
            items(b.items);
        }
    }
    void visit(const tree::StructureFor& s) {
        expression(s.from);
        expression(s.to);
        items(s.items);
    }
};

}  // namespace

ClassTree used_classes(const ClassTree& all) {
    ClassTree used;
    if (all.files.empty()) return used;
    Names names;
    const tree::File& own = *all.files.front();
    for (const auto& c : own.classes) names.items(c->items);
    for (const auto& f : own.functions) names.function(*f);

    std::set<const void*> taken;
    for (bool more = true; more;) {  // each round follows the names that the last one found
        more = false;
        for (std::size_t i = 1; i < all.files.size(); ++i) {
            for (const auto& c : all.files[i]->classes)
                if (names.found.contains(c->name) && taken.insert(c.get()).second) {
                    names.items(c->items);
                    more = true;
                }
            for (const auto& f : all.files[i]->functions)
                if (names.found.contains(f->name) && taken.insert(f.get()).second) {
                    names.function(*f);
                    more = true;
                }
        }
    }
    used.files.push_back(all.files.front());
    for (std::size_t i = 1; i < all.files.size(); ++i) {
        auto part = std::make_shared<tree::File>(*all.files[i]);
        std::erase_if(part->classes, [&](const auto& c) { return !taken.contains(c.get()); });
        std::erase_if(part->functions, [&](const auto& f) { return !taken.contains(f.get()); });
        std::erase_if(part->tables, [&](const tree::Table& t) { return !names.found.contains(t.name); });
        if (!part->classes.empty() || !part->functions.empty() || !part->tables.empty())
            used.files.push_back(part);
    }
    return used;
}

std::vector<std::string> submodel_types(const tree::File& file) {
    Names names;
    for (const auto& c : file.classes) {
        names.declared.insert(c->name);
        names.items(c->items);
    }
    std::vector<std::string> types;
    for (const std::string& name : names.types)
        if (!names.declared.contains(name)) types.push_back(name);
    return types;
}

}  // namespace cutset
