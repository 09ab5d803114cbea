#include "objects/instance_scope.h"

#include <span>

#include "ir/object_text.h"
#include "objects/instance_messages.h"
#include "objects/lookup.h"
#include "objects/rule_messages.h"

namespace cutset::objects {

namespace {

const char* kind_text(const ClassInstance& c) {
    return c.text && c.text->kind == object::ClassKind::Package ? "a package" : "a class";
}

class InstanceScope : public Scope {
  public:
    InstanceScope(Instances& instances, Place place) : instances_(instances), place_(place) {}

    Value value(const object::Name& name, Evaluator& evaluator, Frame& frame) override {
        std::size_t parts = 0;
        const Found f = find_prefix(instances_.tree(), name, place_, parts);
        const object::NamePart& last = name.parts[parts - 1];
        if (!f) {
            if (name.parts.size() == 1 && name.parts[0].name == "time")
                return Value(Basic::Real, Scalar(evaluator.pool().time()));
            throw Refused{unknown(name, last)};
        }
        if (f.element && f.element->literal) return instances_.literal(*f.owner->type, *f.element);
        if (f.type) throw Refused{messages::not_a_variable(name.where, name_text(name), kind_text(*f.type))};
        ComponentInstance& declared = instances_.tree().child(*f.owner, *f.element);
        refuse_outside(f, declared, name);
        ComponentInstance& c = instances_.tree().resolve_outer(declared);
        return instances_.value_of_parts(c, std::span(name.parts).subspan(parts - 1), frame);
    }

    Meaning callable(const object::Name& name) override {
        ClassInstance* found = find_class(instances_.tree(), name, place_);
        if (!found) return std::monostate{};
        InstanceTree& tree = instances_.tree();
        tree.complete(*found);
        switch (found->builtin) {
            case Builtin::Real:
                return Basic::Real;
            case Builtin::Integer:
                return Basic::Integer;
            case Builtin::Boolean:
                return Basic::Boolean;
            case Builtin::String:
                return Basic::String;
            case Builtin::Clock:
                return Basic::Clock;
            case Builtin::Enumeration:
                return instances_.type_of(*found).enumeration;
            case Builtin::ExternalObject: {
                const Element* constructor = tree.find(*found, "constructor");
                if (!constructor || !constructor->declared) return std::monostate{};
                return instances_.callable(tree.class_of(tree.self(*found), *constructor));
            }
            case Builtin::None:
                break;
        }
        return instances_.callable(*found);
    }

    std::vector<std::shared_ptr<const Callable>> operators(const Callable& record,
                                                           const std::string& op) override {
        std::vector<std::shared_ptr<const Callable>> out;
        InstanceTree& tree = instances_.tree();
        ClassInstance& type = instances_.class_of(record);
        const Element* e = tree.find(type, op);
        if (!e || !e->declared) return out;
        ClassInstance& found = tree.class_of(tree.self(type), *e);
        tree.complete(found);
        if (found.text->kind == object::ClassKind::Operator) {
            for (const Element& f : found.elements)
                if (f.declared) out.push_back(instances_.callable(tree.class_of(tree.self(found), f)));
        } else {
            out.push_back(instances_.callable(found));
        }
        return out;
    }

    std::optional<Value> special_call(const object::Expression& call, Evaluator&, Frame& frame) override {
        if (!instances_.connections) return std::nullopt;
        return instances_.connections->answer(call, place_, frame);
    }

    Place place() const { return place_; }

    InstanceIndex instance() const override {
        return place_.instance ? place_.instance->flat : InstanceIndex(0);
    }
    std::string path() const override {
        return place_.instance ? instances_.path(*place_.instance) : std::string();
    }

  private:
    // Of the classes around this one only constants are seen: they have no instance here, and a value of
    // theirs would be that of the class, not of the component at hand (MLS 5.3.1).
    void refuse_outside(const Found& f, const ComponentInstance& found, const object::Name& name) const {
        if (!place_.in || !place_.in->text || place_.in->text->language != object::Language::Modelica) return;
        if (found.prefixes.variability == object::Variability::Constant) return;
        const ComponentInstance* own =
            place_.instance ? place_.instance : &instances_.tree().self(*place_.in);
        if (f.owner == own) return;
        throw Refused{
            messages::outside_instance(name.where, name_text(name), place_.in->path, found.declared->where)};
    }

    Diagnostic unknown(const object::Name& name, const object::NamePart& missing) {
        std::vector<std::string> near;
        for (const ClassInstance* c = place_.in; c; c = c->parent.in)
            for (const Element& e : c->elements) near.emplace_back(e.name);
        return messages::unknown_name(name.where, name_text(name), missing.name,
                                      place_.in ? place_.in->path : "", nearest_name(missing.name, near));
    }

    Instances& instances_;
    Place place_;
};

}  // namespace

std::shared_ptr<Scope> make_scope(Instances& instances, Place place) {
    return std::make_shared<InstanceScope>(instances, place);
}

Place place_of(const Scope& scope) {
    const auto* of_instance = dynamic_cast<const InstanceScope*>(&scope);
    CUTSET_ASSERT(of_instance != nullptr);
    return of_instance->place();
}

}  // namespace cutset::objects
