// Calls of the model's functions: arguments by position and name, defaults, calls for each element of an
// array. What is known is computed at once; a short function is unfolded; any other becomes a function of
// the flat model, made once for each combination of sizes, texts, whole numbers and function arguments.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "objects/evaluator.h"
#include "objects/function_rules.h"
#include "objects/table_files.h"

namespace cutset::objects {

struct MadeFunction {
    CalleeIndex callee;
    std::vector<Value> outputs;  // their types and sizes; the elements are no results
    // What its body needs of the model: `function f = g(a = x)`. They are passed after the arguments.
    std::vector<Expr> captured;
    bool complete = false;  // false: its body is being made
    bool impure = false;
};

struct FunctionTable {
    std::map<std::string, MadeFunction> made;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Expr> homotopies;  // by ids of actual and simplified
    // Results of operators of clocks, by call, instance and argument; their arguments by no call.
    std::map<std::tuple<const object::Expression*, std::uint32_t, std::uint32_t>, Expr> clock_results;
    std::map<std::string, std::vector<Value>> results;  // of pure functions of known arguments
    std::map<const object::Class*, FunctionAnnotations> annotations;
    // Values of modifications of which several elements take their parts.
    std::map<std::tuple<const object::Expression*, const Scope*, Reading>,
             std::pair<Value, std::shared_ptr<Scope>>>
        modifiers;
    // Of the standard library (combi_tables.h), by what they were made of: their numbers, and their values as
    // expressions of slots that no function has.
    std::map<std::string, TableMatrix> matrices;
    std::map<std::string, Expr> tables;
    // modelica://Package/Resources/x.txt as the name of a file.
    std::function<std::string(const std::string&)> resource;
    std::uint32_t depth = 0;
    std::uint32_t impure_calls = 0;  // so far
    bool in_when = false;            // what is evaluated is done at events
};

// While the body of a `when` is evaluated.
class AtEvent {
  public:
    explicit AtEvent(Evaluator& e) : e_(e), before_(std::exchange(e.functions().in_when, true)) {}
    ~AtEvent() { e_.functions().in_when = before_; }
    AtEvent(const AtEvent&) = delete;
    AtEvent& operator=(const AtEvent&) = delete;

  private:
    Evaluator& e_;
    bool before_;
};

// The expressions in a value one after the other, Booleans as 0 and 1.
void flatten(const Evaluator& e, const Value& v, std::vector<Expr>& to);
// A value of the same structure with other expressions, which `next` gives in order (as numbers).
Value rebuilt(const Evaluator& e, const Value& like, const std::function<Expr()>& next);
// Says everything about a value but its varying parts: sizes, texts; `numbers`: known numbers, too.
std::string value_key(const Value& v, bool numbers);

// Declares all members: one that needs another which comes later waits for it.
// The outputs of a function whose statements are carried out on values, known or not. Throws Varies where the
// control flow depends on what varies.
std::vector<Value> executed(Evaluator& e, const Callable& f, std::vector<Local> arguments,
                            std::uint32_t depth, Span where);

// x[:]: its size is that of what is assigned to it.
bool has_open_size(const Member& m);

void declare_in_order(const Callable& f, const std::function<void(const Member&)>& declare);

// What a variable of this type has before it is assigned: 0, false, "".
Value zero_value(Evaluator& e, const Type& type, const Dimensions& dimensions, Frame& frame, Span where);
// The same of a member: what is given for its fields, as in `R r(a = 1)`, counts.
Value zero_value(Evaluator& e, const Callable& f, const Member& m, const Dimensions& dimensions,
                 Frame& frame);

}  // namespace cutset::objects
