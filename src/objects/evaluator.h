// One evaluator for all expressions: constants, sizes, conditions, bindings, equations and functions. It
// folds what is known and leaves an expression of the pool where something varies; a size or a condition of
// the structure is the case in which everything must fold (Reading::Constant).
//
// An error of the modeller is thrown as `Refused`: who asks for the value of an equation or a declaration
// catches it, reports it and goes on with the next one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "ir/flat_model.h"
#include "ir/object_tree.h"
#include "objects/value.h"

namespace cutset::objects {

enum class Refusal : std::uint8_t {
    Final,
    // The caller may have another way:
    NotKnown,           // a value that has to be known before the run is not
    TextVaries,         // a text depends on what varies
    StructureInBranch,  // equations that cannot be chosen during the run
};
// The diagnostic is complete but for the submodel, which is added where it is caught.
struct Refused {
    Diagnostic diagnostic;
    Refusal reason = Refusal::Final;
};

enum class Reading : std::uint8_t {
    Symbolic,  // parameters are leaves; only constants fold
    Constant,  // parameters give their values, which thereby shape the model (Variable::structural)
};

class Evaluator;

// What a name stands for where a function or a class is wanted.
using Meaning = std::variant<std::monostate,                          // there is no such name
                             std::shared_ptr<const Callable>,         // a function or a record class
                             std::shared_ptr<const EnumerationType>,  // an enumeration, as in E(2), size(E)
                             Basic>;                                  // Real, Integer, Boolean, String, Clock

// Where names are looked up: an instance with its class, or a class without an instance (a function, a
// package).
class Scope {
  public:
    virtual ~Scope() = default;
    // The value of a component, constant or literal with all its parts and indices: `a.b[2].c`. Indices are
    // evaluated by `evaluator` in `frame`, which also knows `end` and loop variables. Throws Refused for an
    // unknown name, and with Reading::Constant for what is no constant or parameter, or has no value.
    virtual Value value(const object::Name& name, Evaluator& evaluator, struct Frame& frame) = 0;
    virtual Meaning callable(const object::Name& name) = 0;
    // The functions that a record class overloads an operator with: "'+'", "'constructor'", "'0'" …
    virtual std::vector<std::shared_ptr<const Callable>> operators(const Callable& record,
                                                                   const std::string& op) = 0;
    // inStream, actualStream, cardinality, Connections.isRoot, Connections.rooted: what connections know.
    // Nothing where the call is none of them.
    virtual std::optional<Value> special_call(const object::Expression&, Evaluator&, Frame&) { return {}; }
    virtual InstanceIndex instance() const = 0;  // for origins; 0 of a class without an instance
    virtual std::string path() const = 0;        // "a.b[2]", for messages and getInstanceName()
};

// A loop variable, an iterator, or a variable of a function.
struct Local {
    std::string name;
    Value value;
    bool message = false;  // a text made of what varies: only messages may show it
};

// What an expression is evaluated in: a scope, and what is known by name before it is asked.
struct Frame {
    Scope& scope;
    Reading reading = Reading::Symbolic;
    std::vector<Local> locals = {};  // the last of a name counts
    // Among indices: the sizes of the dimension at hand, for `end`.
    std::optional<std::uint32_t> end = {};
    bool message = false;      // the text of a message: what varies stands in it by name
    bool in_function = false;  // names of the model's variables are not seen
    std::uint32_t depth = 0;   // of calls and expressions
    // In an algorithm of a model: the values that variables have by now.
    const std::function<Value(const Value&)>* current = nullptr;

    const Value* find(const std::string& name) const;
    const Local* find_local(const std::string& name) const;
};

struct FunctionTable;  // lower_functions.h: functions that were made, by function and shapes

class Evaluator {
  public:
    Evaluator(FlatModel& model, const Sources& sources, Diagnostics& diagnostics);
    ~Evaluator();

    Value evaluate(const object::Expression& e, Frame& frame);
    // Several results, for (a, b) = f(x) and f(x); as statements.
    std::vector<Value> evaluate_call(const object::Expression& call, Frame& frame);
    // The same by function and arguments.
    std::vector<Value> call(const std::shared_ptr<const Callable>& function, std::vector<Value> positional,
                            std::vector<std::pair<std::string, Value>> named, Frame& frame, Span where);

    // The indices of one part of a name, for an array of these sizes; fewer indices than dimensions are
    // allowed.
    std::vector<IndexChoice> indices(const std::vector<object::Expression>& indices,
                                     const Dimensions& dimensions, Frame& frame);

    // The values that an iterator takes, in order; nothing where they are not known.
    std::optional<std::vector<Value>> iteration(const object::Expression& range, Frame& frame);

    // Sizes, conditions and other things that must be known: with Reading::Constant, whatever frame.reading
    // is.
    std::int64_t integer(const object::Expression& e, Frame& frame);
    bool truth(const object::Expression& e, Frame& frame);
    std::string text(const object::Expression& e, Frame& frame);
    Value constant(const object::Expression& e, Frame& frame);
    // Of a declaration; `open` is the size where `:` stands (none: refused).
    Dimensions dimensions(const std::vector<Scoped>& sizes, Frame& frame, const Dimensions* open = nullptr);

    // The number, text … of each element is there.
    static bool is_known(const Value& v);
    // The truth of a condition that the model's structure may rest on: it is constant, or depends on
    // parameters that are no real numbers, whose values it then has. Nothing where it varies or is left open.
    std::optional<bool> decided(const object::Expression& condition, Expr value, Frame& frame);

    // `value` as one of this type and these sizes: Integer becomes Real, a record goes field by field. Throws
    // Refused where it cannot, in the words "of what" ("the value of x").
    Value converted(const Value& value, const Type& type, const Dimensions& dimensions, Span where,
                    const std::string& what);

    FlatModel& model() { return model_; }
    Pool& pool() { return *model_.pool; }
    const Sources& sources() const { return sources_; }
    Diagnostics& diagnostics() { return diagnostics_; }
    FunctionTable& functions() { return *functions_; }

    // The number of an enumeration in FlatModel::enumerations.
    std::uint32_t enumeration(const EnumerationType& type);

    // The value of an expression in parameters that have values; with `shape` they shape the model.
    std::optional<double> value_of_parameters(Expr e, bool shape);

    // Leaves of the pool as values, and values as the flat model has them (Booleans as 0 and 1).
    Value leaf(const Type& type, const Dimensions& dimensions, VariableIndex first);
    Expr number_of(Expr e) const;  // of a condition: 1 or 0; a Boolean variable's is the variable itself
    Expr truth_of(Expr number) const;

  private:
    bool varies(const Value& v) const;
    Value evaluate_name(const object::Name& name, Frame& frame);
    Value evaluate_if(const object::Expression& e, Frame& frame);
    Value evaluate_array(const object::Expression& e, Frame& frame);
    Value evaluate_range(const object::Expression& e, Frame& frame);
    Value evaluate_comprehension(const object::Expression& e, Frame& frame);
    Value evaluate_function(const object::Expression& e, Frame& frame);
    Value known(const object::Expression& e, Frame& frame, const char* what);

    FlatModel& model_;
    const Sources& sources_;
    Diagnostics& diagnostics_;
    std::unique_ptr<FunctionTable> functions_;
};

}  // namespace cutset::objects
