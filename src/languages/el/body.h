// One class of the object tree in the making, from a component of EL, a function, or a component under an
// experiment.
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

#include "base/diagnostic.h"
#include "base/disjoint_sets.h"
#include "languages/el/model.h"

namespace cutset::el {

class Elaborator;

// What stands around the component: nothing, a partition, an experiment.
struct Surroundings {
    bool top = false;  // the whole model: its own ports have their equations here
    const Partition* partition = nullptr;
    const Experiment* experiment = nullptr;
};

// The sequential statements executed so far, with symbols for the values: target ↦ value in terms of what the
// variables were before.
struct Assigned {
    struct Entry {
        Expression target, value;
        Span where;
        std::size_t write = 0;  // its number among all writes
    };
    std::map<std::string, Entry> entries;  // by the text of the target
    std::vector<std::string> order;
    std::size_t writes = 0;
    void set(const Expression& target, Expression value, Span where);
};

// "a.b[2].c"
std::string text_of(const object::Name& name);

class Body {
  public:
    Body(Elaborator& elaborator, Surroundings around);

    // The class of a component or of a function; what others must know of it is in `model`.
    std::shared_ptr<object::Class> component(const Component& c, const Constants& parameters,
                                             std::string name, std::shared_ptr<Model> model);
    // A function, or the part of it that computes one of its OUT arguments.
    std::shared_ptr<object::Class> function(const Function& f, const std::string& out);
    // A port with its parameters; its class goes to `classes`.
    void port(const Component& c, const Constants& parameters, const std::string& name, PortType& out,
              std::vector<std::shared_ptr<object::Class>>& classes);

  private:
    // ---- what is declared (declare.cpp)
    void emit_data(const Declaration& d);
    void emit_variable(const Declaration& d);
    void emit_derivative(const Declaration& d, const Symbol& symbol, int order);
    std::shared_ptr<object::Class> class_of(const Component& c, std::string name);
    static object::PortDescription description_of(const Symbol& port, const std::string& name);
    void declare_parameters(const Constants& given);
    void declare_data();
    void declare_ports();
    void declare_variables();
    void declare_submodels();
    void declare_submodel(const Submodel& s);
    void data_of_submodel(const Submodel& s, const Model& model, object::Component& component);
    void declare_experiment();
    void check_partition(const Partition& partition);
    void declare_port_input(const Parent& p);
    void declare_of_experiment(const Declaration& d);
    void take_bound(const Statement& s);
    std::vector<Dimension> dimensions(const std::vector<Expression>& written, const std::string& name);
    void emit(const Declaration& d, const Symbol& symbol, object::TypePrefixes prefixes,
              Box<Expression> value, Box<Expression> start, const std::string& name);
    void attributes(const Declaration& d, object::Modification& m);
    Box<Expression> start_of(const Declaration& d, const std::string& name,
                             const std::vector<Dimension>& dims);
    bool is_boundary(const std::string& name) const;
    void collect_topology(const std::vector<const Statement*>& statements);

    // ---- expressions (translate.cpp)
    Expression translate(const Expression& e);
    Expression translate_name(const Expression& e);
    Expression translate_derivative(const Expression& e);
    Expression translate_call(const Expression& e);
    Expression translate_user_call(const Expression& e, const Function& f, const std::string& out);
    static const Expression* given_to(const Expression& e, const Function& f, std::size_t i);
    std::vector<std::pair<const Expression*, Expression>> results_of(const Expression& e, const Function& f);
    Expression translate_sum(const Expression& e);
    Expression interpolate(const Expression& e, int dimensions, bool smooth);
    std::vector<Expression> translate_all(const std::vector<Expression>& all);
    // The symbol that the name ends at, or none where it is not known (reported).
    struct Resolved {
        Symbol symbol;  // of its last part
        object::Name name;
        bool in_data = true;  // all that it passes through is data
        std::size_t open_dimensions = 0;
    };
    std::optional<Resolved> resolve(const object::Name& name);
    std::optional<long> index_number(const Constant& c, const Dimension& d) const;
    bool is_data(const Expression& e);
    std::optional<Constant> known(const Expression& e);
    void find_orders(const Statement& s);
    void find_orders(const Expression& e);
    std::string with_primes(const std::string& name, int order) const;

    // f is called for each value of the indices, with the indices known.
    void for_each_index(const std::vector<object::Iterator>& iterators, Span where,
                        const std::function<void()>& f);

    // ---- statements (statements.cpp)
    void continuous(const Statement& s);
    void discrete(const Statement& s);
    void when(const Statement& s);
    void emit_when(Expression condition, const Assigned& done, std::vector<object::Equation> others,
                   Span where);
    void assertion(const Statement& s);
    void init();
    void sequential_block(const Statement& s);
    void outputs_in(const Statement& s);
    const std::vector<Statement>* inserted(const Statement& s);
    object::Equation equation_of(const Statement& s);

    // ---- sequential statements, executed with symbols (execute.cpp)
    enum class Where : std::uint8_t { Init, When, Sequential };
    struct Execution {
        Where in = Where::When;
        Assigned assigned;
        std::vector<object::Equation> others;  // terminate
        Expression path_condition;             // under which the statement is reached
        bool conditional = false;
        bool failed = false;
    };
    void execute(const std::vector<Statement>& body, Execution& x);
    void execute(const Statement& s, Execution& x);
    void execute_assignment(const Statement& s, Execution& x);
    void execute_call(const Statement& s, const Function& f, Execution& x);
    void put_results(std::vector<std::pair<const Expression*, Expression>> results, Span where, Execution& x);
    // The target as this block may assign it; none where it may not (reported).
    std::optional<Expression> assigned_target(const Expression& written, Execution& x);
    void put_value(const Expression& target, Expression value, Span where, Execution& x);
    void execute_if(const Statement& s, Execution& x);
    void schedule(const Statement& s, const Expression& target, Execution& x);
    Expression substituted(const Expression& e, const Execution& x);
    Expression before(const Expression& target, const Execution& x);
    std::vector<object::Statement> algorithm(const std::vector<Statement>& body);
    object::Statement algorithm_statement(const Statement& s);
    void terminate(const std::string& text, Execution& x, Span where);

    // ---- connections (connect.cpp)
    struct Endpoint {
        object::Name name;
        std::shared_ptr<const PortType> port;
        Direction direction = Direction::In;  // seen from the connection: an own IN gives
        bool own = false;
        const PortUse* use = nullptr;
        Span where;
        std::vector<Span> joined;  // the CONNECT statements
    };
    void connections();
    void check_joined();
    void connect(const Statement& s);
    std::vector<std::size_t> endpoints(const Expression& written, bool gives, Span where);
    std::size_t endpoint(object::Name name, const Symbol& symbol, bool own, Span where);
    void join(std::size_t a, std::size_t b, Span where);
    void write_set(const std::vector<std::size_t>& set);
    bool check_set(const std::vector<std::size_t>& set);
    void port_equations(const Endpoint& e);
    void all_ports(const std::function<void(object::Name, const Symbol&, bool own)>& f);
    void for_each_element(const std::vector<Dimension>& dims, object::Name name,
                          const std::function<void(object::Name)>& f);

    void add(object::Equation e) { equations_.equations.push_back(std::move(e)); }

    Elaborator& elaborator_;
    const Library& library_;
    Diagnostics& diagnostics_;
    Surroundings around_;
    Merged merged_;
    Constants constants_;
    std::shared_ptr<Model> model_;
    std::vector<const Statement*> topology_;
    std::vector<object::Element> elements_;
    object::EquationSection equations_;
    std::map<std::string, int> orders_;         // variables with second and higher derivatives
    std::set<std::string> differentiated_;      // variables with derivatives
    std::map<std::string, Expression> given_;   // by BOUNDS of the experiment
    std::set<std::string> open_;                // boundaries without an equation
    std::set<std::string> unknown_;             // data that become unknowns
    std::set<std::string> states_;              // wished states
    std::map<std::string, Expression> starts_;  // by INIT
    std::vector<Endpoint> endpoints_;
    DisjointSets sets_;  // of endpoints
    std::map<std::string, std::size_t> endpoint_of_;
    object::Name prefix_;  // of the port whose equations are translated
    const PortType* port_ = nullptr;
    int events_ = 0;
    std::size_t nodes_ = 0;
};

}  // namespace cutset::el
