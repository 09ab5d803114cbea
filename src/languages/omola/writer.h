// One model of Omola becomes one class of the object tree: what its realization holds stands beside what the
// model itself has.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/disjoint_sets.h"
#include "languages/omola/objects.h"

namespace cutset::omola {

// The classes that have been written, shared by equal objects.
struct Written {
    std::vector<std::shared_ptr<object::Class>> classes;
    std::map<std::string, std::string> names;  // key of the object → name of its class
    Diagnostics& diagnostics;
    int depth = 0;
    std::string unique(const std::string& wanted);
    std::set<std::string> taken = {};
};

// A simple terminal somewhere inside a terminal.
struct Leaf {
    std::vector<std::string> path;  // below the outermost terminal
    const Object* object = nullptr;
    const Attribute* attribute = nullptr;  // of its own, in a record
    long length = 0;                       // of a vector, 0: scalar
};

enum class Direction : std::uint8_t { Across, In, Out };

// direction, variability, unit … as the object or its attributes say.
Direction direction_of(const Object& leaf);
bool is_time_invariant(const Leaf& leaf);
std::vector<Leaf> leaves_of(const Object& terminal);

class Writer {
  public:
    Writer(Written& written, Object& model);
    // Its name.
    std::string write();

  private:
    // One realization, with all that it and the model have.
    struct Part {
        Object* object = nullptr;
        std::vector<Rule> rules;
    };
    struct Endpoint {
        object::Name name;  // of the leaf
        Leaf leaf;
        bool own = false;
        std::string top;  // own terminal, or submodel
        Span where;
        const Attribute* terminal = nullptr;
    };

    // ---- declarations (writer.cpp)
    void gather();
    std::vector<object::PortDescription> port_descriptions() const;
    void declare(const Attribute& a);
    void declare_variable(const Attribute& a);
    void declare_terminal(const Attribute& a);
    void declare_submodel(const Attribute& a);
    void deduce_terminals();
    std::string terminal_class(const Object& terminal, const std::string& place);
    void leaf_component(const std::string& name, const Object& o, std::vector<object::Element>& out);
    void modifications();
    void local_values(const std::string& prefix, const Object& o, std::vector<std::string> path);
    void modify(std::vector<std::string> path, Expression value, Span where);
    void constraints();
    std::vector<Expression> sizes(const std::vector<Expression>& written, const std::string& name);
    std::optional<double> number(const Expression& e, int depth = 0) const;
    bool is_state(const std::string& name) const { return states_.contains(name); }
    bool in_parameters_of(const Attribute& a) const;

    // ---- names and rules (rules.cpp)
    Expression translate(const Expression& e, bool after = false);
    Expression translate_name(const Expression& e);
    object::Name resolve(const object::Name& n, bool& ok);
    void find_states(const Expression& e);
    void find_rule_names(const Definition& d);
    void rules();
    void rule(const Definition& d, const std::string& category, object::EquationSection& out);
    void for_each(const Definition& d, const std::function<void(const Definition&)>& f);
    void when(const Definition& d, object::EquationSection& out);
    void select();
    void declare_automatically(const std::string& name, Span where);

    // ---- connections (connect.cpp)
    void connect(const Definition& d);
    std::optional<std::vector<Endpoint>> endpoints(const Expression& e);
    void join(const Endpoint& a, const Endpoint& b, Span where);
    void write_sets();
    void write_set(const std::vector<std::size_t>& set);
    Expression variable_of(std::size_t endpoint, Span where) const;
    Expression converted(std::size_t endpoint, std::size_t reference, Span where) const;
    void pass_value(const std::vector<std::size_t>& set, std::size_t reference, Span where);
    void compare_values(std::size_t a, std::size_t b, std::size_t reference, Span where);
    std::size_t index_of(const Endpoint& e);
    void check(const Endpoint& a, const Endpoint& b, Span where);
    bool modified(const Endpoint& e) const;
    void check_set(const std::vector<std::size_t>& set);
    bool joined_directly(std::size_t a, std::size_t b) const;

    Written& written_;
    Diagnostics& diagnostics_;
    Object& model_;
    Object all_;  // attributes of the model and of its realization together
    std::vector<Part> parts_;
    std::vector<const Definition*> selections_;
    std::set<std::string> states_;      // under dot( )
    std::set<std::string> assigned_;    // by WHEN … DO
    std::set<std::string> structural_;  // parameters that sizes depend on
    std::map<std::string, long> indices_;
    std::map<std::string, int> orders_;
    std::vector<object::Element> elements_;
    object::EquationSection equations_, initial_;
    std::map<std::string, object::Modification> modifications_;  // of terminals and submodels
    std::vector<Endpoint> endpoints_;
    DisjointSets sets_;                                     // of endpoints
    std::set<std::pair<std::size_t, std::size_t>> direct_;  // joined by one connection
    std::map<std::string, std::size_t> endpoint_of_;
    std::set<std::string> automatic_;
    std::set<std::string> noted_;
    std::set<std::string> solved_;  // parameters that constraints determine
};

}  // namespace cutset::omola
