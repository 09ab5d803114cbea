// Objects of Omola: classes with their inherited attributes merged, and the objects inside them. A
// redefinition takes the place of what it redefines; connections and equations are inherited and added to.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "languages/omola/syntax.h"

namespace cutset::omola {

// What the roots of the class tree say an object is.
enum class Kind : std::uint8_t {
    Other,
    Model,
    Simple,  // SimpleTerminal, InTerminal, OutTerminal
    Record,  // RecordTerminal
    Vector,  // VectorTerminal: a simple one with `length` elements
    Parameter,
    Equations,  // SetOfDAE
    Structure,
};
inline bool is_terminal(Kind k) {
    return k == Kind::Simple || k == Kind::Record || k == Kind::Vector;
}
inline bool is_realization(Kind k) {
    return k == Kind::Equations || k == Kind::Structure;
}

struct Object;

struct Attribute {
    std::string name;
    std::string category;
    std::string type;  // real, integer, boolean, string …; empty: only a value
    bool discrete = false;
    std::vector<Expression> dimensions;
    Box<Expression> value;
    Box<Expression> local_value;     // from the body of a component: its names may be those outside
    bool unknown = false;            // := UNKNOWN
    std::shared_ptr<Object> object;  // none: a simple variable
    std::string description;
    Span where, value_where;
};

// path := value, for an attribute of a component; the names of `value` are looked up where this stands.
struct Assignment {
    object::Name path;
    Expression value;
    bool local = false;  // it stands in the body of a component: the names may be those outside
    Span where;
};

// An equation, a connection, an event, a FOR over them.
struct Rule {
    const Definition* definition = nullptr;
    std::string category;
};

struct Object {
    Kind kind = Kind::Other;
    std::string
        class_name;  // of the class that it shares with others; with a body of its own: where it stands
    bool own_body = false;                // more than values stands in its own body
    std::optional<object::Name> foreign;  // of another language: where its class is found
    std::vector<std::string> supers;
    std::vector<Attribute> attributes;
    std::vector<Assignment> assignments;
    std::vector<Rule> rules;
    Span where;

    Attribute* find(const std::string& name);
    const Attribute* find(const std::string& name) const;
    // Exact letter case first, else the only one that differs in case.
    const Attribute* find_any_case(const std::string& name, bool& other_case) const;
    // The text of an attribute with a name or a text for its value, in lower case: direction, causality …
    std::string word(const std::string& name) const;
};

// The realization that the model has chosen, else its first; null where it has none.
Attribute* chosen_realization(Object& o);
const Object* chosen_realization(const Object& o);

// Classes of other languages that the files use, and how those that they refer to are found.
struct ForeignClasses {
    std::vector<const object::Class*> packages;
    std::function<const object::Class*(const std::string&)> find;
};

struct Library {
    std::map<std::string, const ClassText*> classes;
    std::map<std::string, const object::Class*> foreign;
    std::function<const object::Class*(const std::string&)> find_foreign;
};
Library make_library(const std::vector<File>& files, const ForeignClasses& foreign, Diagnostics& diagnostics);

// Makes objects of class texts.
class Objects {
  public:
    Objects(const Library& library, Diagnostics& diagnostics)
        : library_(library), diagnostics_(diagnostics) {}
    // None: what is wrong has been reported.
    std::shared_ptr<Object> of_class(const std::string& name, Span where);
    std::shared_ptr<Object> of_text(const ClassText& text, const Object* inherited, const std::string& place);

  private:
    void put(Object& o, const Definition& d, const std::string& category, bool is_component,
             const std::string& place);
    void put_component(Object& o, const Definition& d, const std::string& category, const std::string& place);
    void assign(Object& o, const Definition& d, const std::string& category, bool is_component);
    void assign_inside(Object& o, const Definition& d, bool local);
    void report_unknown(const Object& among, const std::string& name, Span where);
    void replace(Object& o, Attribute a);
    std::shared_ptr<Object> root(const std::string& name, Span where);
    std::vector<std::string> class_names() const;

    const Library& library_;
    Diagnostics& diagnostics_;
    std::vector<const ClassText*> open_;
};

// value, unit, direction …: what the system gives to terminals and models, without a declaration.
bool is_system_attribute(const std::string& name);
// "kg/s" of a text, or of an expression such as kg/s or kPa.
std::string unit_text(const Expression& e);
std::string lower_case(std::string_view text);

}  // namespace cutset::omola
