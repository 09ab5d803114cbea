#include "objects/subtypes.h"

#include <algorithm>

#include "objects/evaluator.h"
#include "objects/instance_messages.h"
#include "objects/lookup.h"
#include "objects/rule_messages.h"

namespace cutset::objects {

namespace {

constexpr int compared_depth = 6;  // components within components that are compared

bool inherits(const ClassInstance& c, const object::Class* from, int depth = 0) {
    if (c.text == from) return true;
    return depth < 50 && std::any_of(c.bases.begin(), c.bases.end(),
                                     [&](const Base& b) { return inherits(*b.type, from, depth + 1); });
}

// The class of the text that a chain of short classes stands for.
const object::Class* meant(const ClassInstance& c) {
    const ClassInstance* at = &c;
    while (std::holds_alternative<object::ShortDefinition>(at->text->definition) && at->bases.size() == 1)
        at = at->bases[0].type;
    return at->text;
}

// Not those of `enumeration(:)`, which stands for any.
bool has_literals(const ClassInstance& c) {
    const auto* e =
        c.enumeration ? std::get_if<object::EnumerationDefinition>(&c.enumeration->definition) : nullptr;
    return e && !e->literals.empty();
}

class Comparison {
  public:
    Comparison(InstanceTree& tree, std::string& how) : tree_(tree), how_(how) {}

    bool fits(ClassInstance& sub, ClassInstance& super, int depth) {
        if (&sub == &super || !super.text || !sub.text || depth > compared_depth) return true;
        tree_.complete(sub);
        tree_.complete(super);
        if (sub.progress != Progress::Done || super.progress != Progress::Done) return true;
        if (sub.is_builtin() || super.is_builtin()) return builtins_fit(sub, super);
        if (inherits(sub, meant(super))) return true;
        return std::all_of(super.elements.begin(), super.elements.end(), [&](const Element& e) {
            return e.broken || e.prefixes.is_protected || element_fits(sub, super, e, depth);
        });
    }

  private:
    bool builtins_fit(const ClassInstance& sub, const ClassInstance& super) {
        if (sub.builtin != super.builtin) {
            how_ = sub.path + " is no " + super.path;
            return false;
        }
        if (sub.builtin == Builtin::Enumeration && sub.enumeration != super.enumeration &&
            has_literals(super)) {
            how_ = sub.path + " and " + super.path + " are different enumerations";
            return false;
        }
        return true;
    }

    bool element_fits(ClassInstance& sub, ClassInstance& super, const Element& e, int depth) {
        const Element* other = tree_.find(sub, e.name);
        if (!other || other->broken || other->prefixes.is_protected) {
            how_ = sub.path + " has no " + std::string(e.name);
            return false;
        }
        if (!e.component || !other->component) {
            if (bool(e.component) == bool(other->component)) return true;
            how_ = std::string(e.name) + " is a component in one and a class in the other";
            return false;
        }
        return fits(*tree_.child(tree_.self(sub), *other).type, *tree_.child(tree_.self(super), e).type,
                    depth + 1);
    }

    InstanceTree& tree_;
    std::string& how_;
};

ClassInstance& constraint_of(InstanceTree& tree, const object::Component& c, Place place) {
    return class_named(tree, c.constraint ? c.constraint->type : c.type, place);
}
ClassInstance& constraint_of(InstanceTree& tree, const object::Class& c, Place place) {
    return c.constraint ? class_named(tree, c.constraint->type, place) : tree.class_in(c, place);
}

// What another one in its place must be: as the last redeclaration before says, if it says so, or the
// declaration.
ClassInstance& constraint_of(InstanceTree& tree, const Replacement& r) {
    if (r.before && r.before->component && r.before->component->constraint)
        return constraint_of(tree, *r.before->component, r.before_place);
    if (r.before && r.before->declared && r.before->declared->constraint)
        return constraint_of(tree, *r.before->declared, r.before_place);
    const Place place{r.in, r.element->origin};
    return r.element->component ? constraint_of(tree, *r.element->component, place)
                                : constraint_of(tree, *r.element->declared, place);
}

void check_replacement(InstanceTree& tree, const Replacement& r) {
    if (r.by->progress != Progress::Done) return;  // nobody has asked for it
    ClassInstance& constraint = constraint_of(tree, r);
    std::string how;
    if (is_subtype(tree, *r.by, constraint, how)) return;
    const Span declared = place_of_declaration(*r.element);
    tree.diagnostics().report(messages::no_subtype(r.where, r.by->path, constraint.path, how, declared));
}

}  // namespace

bool is_subtype(InstanceTree& tree, ClassInstance& sub, ClassInstance& super, std::string& how) {
    try {
        return Comparison(tree, how).fits(sub, super, 0);
    } catch (const Refused&) {
        return true;  // a type that cannot be found is told where it is used
    }
}

void check_replacements(InstanceTree& tree) {
    for (std::size_t k = 0; k < tree.replacements().size(); ++k) try {
            check_replacement(tree, tree.replacements()[k]);
        } catch (const Refused&) {
            // The constraint is unknown: told where it is used, if it is.
        }
}

}  // namespace cutset::objects
