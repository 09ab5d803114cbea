// What instances have when a model is made: whether a component is there, its sizes, its type, its value and
// attributes; and the scopes in which the evaluator looks names up.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/object_tree.h"
#include "objects/class_instances.h"
#include "objects/declarations.h"
#include "objects/evaluator.h"
#include "objects/value.h"

namespace cutset::objects {

// What a call asks of the connections: inStream, actualStream, cardinality, Connections.isRoot …
class ConnectionQueries {
  public:
    virtual ~ConnectionQueries() = default;
    virtual std::optional<Value> answer(const object::Expression& call, Place place, Frame& frame) = 0;
};

// --set or --init: a value for a path, in terms of the model.
struct UserValue {
    object::Expression value;
    std::string path;    // as written
    bool used = false;   // some component took it
    bool final = false;  // the component that it names is final
};
using UserValues = std::map<std::string, UserValue>;

class Instances {
  public:
    Instances(InstanceTree& tree, Evaluator& evaluator, UserValues& settings, UserValues& initials);

    InstanceTree& tree() { return tree_; }
    Evaluator& evaluator() { return evaluator_; }

    std::shared_ptr<Scope> scope(Place place);
    // The instance in which the top model's names are looked up.
    ComponentInstance* root = nullptr;
    ConnectionQueries* connections = nullptr;

    // Of an expandable connector: what connections have added under that name,
    // null if nothing.
    ComponentInstance* added(const ComponentInstance& connector, std::string_view name);
    ComponentInstance& add_to(ComponentInstance& connector, std::string_view name,
                              const ComponentInstance& like);

    bool is_present(ComponentInstance& c);
    const Dimensions& dimensions(ComponentInstance& c);
    // A component whose value is one: of a builtin type, a record, an external object.
    bool is_record(ClassInstance& type);
    bool has_value(ClassInstance& type);
    Type type_of(ClassInstance& type);
    std::shared_ptr<const Callable> callable(ClassInstance& type);
    // The class that a function or record was made of.
    ClassInstance& class_of(const Callable& callable);

    std::optional<Modifier> binding(ComponentInstance& c);
    std::vector<std::pair<Attribute, Modifier>> attributes(ComponentInstance& c);
    // The value of the whole component.
    Value value(ComponentInstance& c, Reading reading, Span where);
    // Of a name, from the component of part `part` on; the first parts have led to it.
    // Values of an enumeration count from 1.
    Value literal(ClassInstance& type, const Element& e);
    Value value_of_parts(ComponentInstance& c, std::span<const object::NamePart> parts, Frame& frame);

    std::string path(const ComponentInstance& c) const { return tree_.path(c); }

  private:
    // A binding, and at which layer of the record around it was given: of two the outer one counts.
    struct Bound {
        Modifier modifier;
        std::size_t layer = 0;
    };
    UserValue* user_value(ComponentInstance& c);
    std::optional<Bound> find_binding(ComponentInstance& c);
    Modifier modifier(const object::Expression& value, const Layer& layer, ComponentInstance* owner);
    Dimensions sizes_around(ComponentInstance* c, std::size_t n);
    Value constant_value(ComponentInstance& c, Span where);
    std::optional<Modifier> text_equation(ComponentInstance& c);
    bool is_in_model(const ComponentInstance& c) const;
    Value record_value(ComponentInstance& c, Reading reading, Span where);
    Value member_value(ComponentInstance& c, std::span<const object::NamePart> parts, Frame& frame);
    Value array_member_value(ComponentInstance& c, std::span<const object::NamePart> parts, Frame& frame);
    void add_member(Callable& into, ComponentInstance& c, const ComponentInstance& owner);
    std::vector<Scoped> size_expressions(ComponentInstance& c, const ComponentInstance* inside);
    std::shared_ptr<const EnumerationType> enumeration(const object::Class& text);

    InstanceTree& tree_;
    Evaluator& evaluator_;
    UserValues& settings_;
    UserValues& initials_;
    struct PlaceHash {
        std::size_t operator()(const Place& p) const {
            return std::hash<const void*>()(p.instance) * 31 + std::hash<const void*>()(p.in);
        }
    };
    std::unordered_map<Place, std::shared_ptr<Scope>, PlaceHash> scopes_;
    std::unordered_map<const ClassInstance*, std::shared_ptr<const Callable>> callables_;
    std::unordered_map<const Callable*, ClassInstance*> classes_;
    std::unordered_map<const object::Class*, std::shared_ptr<const EnumerationType>> enumerations_;
    std::unordered_map<const ComponentInstance*, Value> values_;
    std::unordered_map<const ComponentInstance*,
                       std::map<std::string, std::unique_ptr<ComponentInstance>, std::less<>>>
        added_;
    std::deque<Element> added_elements_;
    const ComponentInstance* constant_ = nullptr;  // whose value is asked for: it depends on constants only
    int depth_ = 0;
};

}  // namespace cutset::objects
