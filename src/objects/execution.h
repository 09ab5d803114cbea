// Statements carried out on values, known or not: an `if` whose condition varies makes choices, a loop is
// repeated as often as it says, which must be known. Functions called with numbers are computed so, short
// functions unfolded, and algorithms of models lowered to equations.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "objects/evaluator.h"

namespace cutset::objects {

// A function that cannot be unfolded since its control flow varies.
struct Varies {
    Span where;
};

// Where statements put values, and what else they do.
class Store {
  public:
    using Loop = std::variant<const object::ForStatement*, const object::WhileStatement*>;
    virtual ~Store() = default;
    virtual void assign(const object::Name& target, const Value& value, Frame& frame, Span where) = 0;
    // Taken before a branch and compared after it.
    struct State {
        std::vector<Value> values;
    };
    virtual State state() const = 0;
    virtual void restore(const State& state) = 0;
    // Both branches have been carried out: where they differ, the condition chooses.
    virtual void merge(Expr condition, const State& then, const State& otherwise, Span where) = 0;
    // What follows is done where the condition holds, until the next call of `leave`.
    virtual void enter(Expr) {}
    virtual void leave() {}
    // assert(…) with a condition that varies, terminate(…), when …: false where it has no meaning.
    virtual bool call(const object::Expression& call, Frame& frame) = 0;
    virtual bool when(const object::WhenStatement& when, Frame& frame, Span where) = 0;
    // A loop whose number of turns varies, from the values that variables have now: false where whoever
    // carries out the statements has to do without.
    virtual bool loop(const Loop&, Frame&, Span) { return false; }
};

class Execution {
  public:
    Execution(Evaluator& e, Frame& frame, Store& store, std::string name)
        : e_(e), frame_(frame), store_(store), name_(std::move(name)) {}

    // How statements ended: by `return`; where `left` holds, by `break`; else (null) after the last one.
    struct Goes {
        bool returns = false;
        Expr left = nullptr;
    };
    // Throws Varies where `return` or `while` depend on what varies.
    Goes run(std::span<const object::Statement> statements);

  private:
    Goes step(const object::Assignment& s, Span where);
    Goes step(const object::CallStatement& s, Span where);
    Goes step(const object::IfStatement& s, Span where);
    Goes step(const object::ForStatement& s, Span where);
    Goes step(const object::WhileStatement& s, Span where);
    Goes step(const object::WhenStatement& s, Span where);
    Goes step(const object::BreakStatement&, Span) { return {false, e_.pool().truth(true)}; }
    Goes step(const object::ReturnStatement&, Span) { return {true}; }
    Goes branch(const std::vector<object::StatementBranch>& branches, std::size_t k, Span where);
    Goes loop(const object::ForStatement& s, std::size_t iterator);
    // What `carry` does, but where `left` holds, which is not known: the loop has been left there.
    template <class Carry>
    Goes unless(Expr left, Span where, const Carry& carry);
    static bool is_certain(Expr left) { return left && left->op == Op::Truth && left->index; }
    Goes repeat(const object::WhileStatement& s, Span where);
    // Carries out a loop as it is known by now, or by the store where the number of its turns varies.
    template <class Carry>
    Goes known_or_varying(const Store::Loop& loop, bool may_vary, Span where, const Carry& carry);
    void count(Span where);

    Evaluator& e_;
    Frame& frame_;
    Store& store_;
    std::string name_;
    std::size_t steps_ = 0;
};

// Variables by name: those of a function, in frame.locals.
class LocalStore : public Store {
  public:
    // `inputs` are not assigned to; an array of `open` size takes the size of what is assigned to it.
    LocalStore(Evaluator& e, Frame& frame, std::string function, std::set<std::string> inputs,
               std::set<std::string> open)
        : e_(e),
          frame_(frame),
          function_(std::move(function)),
          inputs_(std::move(inputs)),
          open_(std::move(open)) {}
    void assign(const object::Name& target, const Value& value, Frame& frame, Span where) override;
    State state() const override;
    void restore(const State& state) override;
    void merge(Expr condition, const State& then, const State& otherwise, Span where) override;
    bool call(const object::Expression& call, Frame& frame) override;
    bool when(const object::WhenStatement&, Frame&, Span) override { return false; }
    void enter(Expr) override { ++guards_; }
    void leave() override { --guards_; }

  private:
    int guards_ = 0;  // conditions around that vary
    Evaluator& e_;
    Frame& frame_;
    std::string function_;
    std::set<std::string> inputs_, open_;
};

// `old` where the part of it that is named by the indices of parts[0] and by what follows has another value.
// The name of parts[0] itself is `old`. `set` gets the numbers of the elements of `old` that are assigned.
Value updated(Evaluator& e, const Value& old, std::span<const object::NamePart> parts, const Value& value,
              Frame& frame, Span where, const std::string& what, std::vector<std::size_t>* set = nullptr);

// Assigns the results of one call or the value of an expression to its targets.
void assign_results(Evaluator& e, const object::Assignment& s, Frame& frame, Span where,
                    const std::function<void(const object::Name&, const Value&)>& assign);

}  // namespace cutset::objects
