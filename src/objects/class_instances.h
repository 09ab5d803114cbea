// Makes class instances and component instances: inheritance, modifications, redeclarations.
//
// A class gets its table when something is looked up in it first; while the classes that it extends are
// looked up it knows its own names only, so that a package may contain what it inherits from.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.h"
#include "objects/instance_tree.h"
#include "objects/library.h"

namespace cutset::objects {

// The arguments for `name` among modifications, outer before inner.
void add_layers_of(const std::vector<Layer>& layers, std::string_view name, std::vector<Layer>& out);
// What a layer says in its parentheses and behind its `=`; null where it says nothing (here).
const object::Modification* modification_of(const Layer& layer);

// The outermost layer that gives a value; null where none does, or `= break`
// takes it away. The value of a declaration that was replaced holds where
// nothing else gives one.
const Layer* value_layer(const std::vector<Layer>& layers);

// A class that was put in the place of what `element` of an instance says: whether it fits is asked when all
// classes are known (objects/subtypes.h).
struct Replacement {
    ClassInstance* by = nullptr;
    Span where;
    const Element* element = nullptr;
    ComponentInstance* in = nullptr;
    const object::Redeclaration* before = nullptr;  // one that it replaces in its turn
    Place before_place = {};
};

class InstanceTree {
  public:
    InstanceTree(ClassLibrary& library, Diagnostics& diagnostics);
    ~InstanceTree();
    InstanceTree(const InstanceTree&) = delete;
    InstanceTree& operator=(const InstanceTree&) = delete;

    // The top of all names: builtin types and the classes of all files.
    ClassInstance& top() { return *top_; }
    ClassInstance& builtin(Builtin type) { return *builtins_.at(type); }

    // The class in this place with these modifications; the same one for the same question. An alias
    // without modifications (`package Medium = Water`) gives the class that it stands for.
    ClassInstance& class_in(const object::Class& text, Place parent, std::vector<Layer> layers = {},
                            const Element* replaced = nullptr);
    // As the owner of its constants and classes.
    ComponentInstance& self(ClassInstance& type);
    // The model itself.
    ComponentInstance& make_root(ClassInstance& type);

    // Its own and inherited elements; null for an unknown name, and for one that `break` took out.
    const Element* find(ClassInstance& type, std::string_view name);
    // The classes of a package, or of all libraries, that find() reads from files of their own.
    std::vector<std::string> stored_names(const ClassInstance& type);
    // Completes its table.
    void complete(ClassInstance& type);

    // What a class element means in an instance.
    ClassInstance& class_of(ComponentInstance& instance, const Element& element);
    // A component of an instance, as declared and redeclared there; its array as one.
    ComponentInstance& child(ComponentInstance& instance, const Element& element);
    // One element of an array of components; `number` counts from 0, the last index fastest.
    ComponentInstance& array_element(ComponentInstance& array, std::size_t number);
    // One with the numbers 1, for the types in an array that has no element.
    ComponentInstance& sample_element(ComponentInstance& array);
    // What a name means that finds this component: of an `outer` one the inner one around it, else itself. A
    // component that is both stands for the one around it where its own class names it, and for itself to the
    // components inside.
    ComponentInstance& resolve_outer(ComponentInstance& component);
    // Inner components that no class declares, made for outer ones.
    const std::vector<std::unique_ptr<ComponentInstance>>& made_inner() const { return made_inner_; }

    std::string path(const ComponentInstance& instance) const;
    Diagnostics& diagnostics() { return diagnostics_; }
    const std::vector<Replacement>& replacements() const { return replacements_; }

  private:
    struct Declared;  // the names of a class text

    const Declared& declared(const object::Class& text);
    ClassInstance* alias_target(const object::Class& text, Place parent);
    Element* add_own(ClassInstance& c, const object::Component* component, const object::NestedClass* nested);
    void add_base(ClassInstance& c, ClassInstance& base, const object::Modification* modification,
                  Place place, const object::Extends* clause);
    void inherit(ClassInstance& c, const Element& from, const object::Modification* modification, Place place,
                 bool is_protected);
    Element* find_stored(ClassInstance& c, std::string_view name);
    void complete_long(ClassInstance& c, const object::LongDefinition& body);
    void complete_short(ClassInstance& c, const object::ShortDefinition& definition);
    std::unique_ptr<ComponentInstance> make_element(const ComponentInstance& array,
                                                    std::vector<std::uint32_t> indices);
    void add_constraint_layers(const Element& replaced, Place place, std::vector<Layer>& out);
    void check_modifiers(ComponentInstance& c);
    void check_inner(ComponentInstance& outer, ComponentInstance& inner);
    void note_replacement(ClassInstance& by, const Layer& redeclared, const std::vector<Layer>& layers,
                          const Element& element, ComponentInstance& in);
    void note_declared(ClassInstance& type, const Element& element, ComponentInstance& in);

    ClassLibrary& library_;
    Diagnostics& diagnostics_;
    std::deque<ClassInstance> classes_;
    std::unordered_map<const object::Class*, std::vector<ClassInstance*>> by_text_;
    std::unordered_map<const object::Class*, std::unique_ptr<Declared>> declared_;
    std::map<Builtin, ClassInstance*> builtins_;
    std::deque<ComponentInstance> owners_;
    std::deque<Element> more_elements_;
    std::vector<std::unique_ptr<ComponentInstance>> made_inner_;
    std::map<const ComponentInstance*, std::unique_ptr<ComponentInstance>> samples_;
    ClassInstance* top_ = nullptr;
    ComponentInstance* root_ = nullptr;
    std::vector<Replacement> replacements_;
    int depth_ = 0;
};

}  // namespace cutset::objects
