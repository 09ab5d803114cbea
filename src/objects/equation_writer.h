// Equations and algorithms of instances become scalar equations of the flat model.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "objects/evaluator.h"
#include "objects/write_declarations.h"

namespace cutset::objects {

// Where equations go, and what messages and origins say of them.
struct EquationPlace {
    InstanceIndex instance;
    std::string path;
    bool initial = false;
};

class EquationWriter {
  public:
    EquationWriter(Evaluator& e, Connector& connector) : e_(e), connector_(connector) {}

    // The variables that `when` gives values to become discrete. First of all, for all sections.
    void mark_discrete(const std::vector<object::Equation>& equations, const EquationPlace& place,
                       Frame& frame);

    void add(const std::vector<object::Equation>& equations, const EquationPlace& place, Frame& frame);
    // left = right, element by element and field by field.
    void equate(const Value& left, const Value& right, const EquationPlace& place, Span where);

    Evaluator& evaluator() { return e_; }
    // What assert(…) says; `guard`: only where it holds; `clause`: only where that acts.
    void add_assertion(const object::Expression& call, Expr guard, WhenClause* clause,
                       const EquationPlace& place, Frame& frame);
    // Streams.error(…): an assertion that fails where the guard holds. False where the call is another.
    bool add_error(const object::Expression& call, Expr guard, WhenClause* clause, const EquationPlace& place,
                   Frame& frame);
    // The text of a message: what varies stands in it by name.
    std::string message(const object::Expression* e, Frame& frame);
    Diagnostic in_place(Diagnostic d, const EquationPlace& place) const;
    // Of {c1, c2} each that becomes true counts, also while another holds: a branch for each. None: never.
    std::vector<Expr> when_conditions(const object::Expression& condition, Frame& frame);
    // The variable that stands alone in an expression; nothing where it is something else.
    std::optional<VariableIndex> variable_of(Expr e) const;

  private:
    // What an equation says: sides before they are written, so that `if` can choose among them.
    struct Sides {
        Expr left, right;
        Span where;
    };
    // The branches around: decided ones only for what is structure.
    struct Around {
        Expr guard = nullptr;  // of assertions in a branch that varies
        std::vector<Sides>* sides = nullptr;
    };

    void add_one(const object::Equation& q, const EquationPlace& place, Frame& frame, Around around);
    void write(const object::SimpleEquation& q, Span where, const EquationPlace& place, Frame& frame,
               Around around);
    void write(const object::ConnectEquation& q, Span where, const EquationPlace& place, Frame& frame,
               Around around);
    void write(const object::ForEquation& q, Span where, const EquationPlace& place, Frame& frame,
               Around around);
    void write(const object::IfEquation& q, Span where, const EquationPlace& place, Frame& frame,
               Around around);
    void write(const object::WhenEquation& q, Span where, const EquationPlace& place, Frame& frame,
               Around around);
    void write(const object::CallEquation& q, Span where, const EquationPlace& place, Frame& frame,
               Around around);
    void add_sides(const Value& left, const Value& right, const EquationPlace& place, Span where,
                   std::vector<Sides>* sides);
    void put(const Sides& s, const EquationPlace& place);
    void choose_sides(const object::IfEquation& q, std::size_t branch, Span where, const EquationPlace& place,
                      Frame& frame, Around around);
    std::vector<Sides> combined(Expr condition, std::vector<Sides> then, std::vector<Sides> otherwise,
                                Span where);
    template <class Body>
    void repeat(const object::ForEquation& q, std::size_t iterator, Frame& frame, Body body);

    void write_clocked(const object::WhenEquation& q, Span where, const EquationPlace& place, Frame& frame);
    void when_body(const std::vector<object::Equation>& body, Expr guard, WhenClause& clause,
                   const EquationPlace& place, Frame& frame);
    void when_equation(const object::Equation& q, Expr guard, WhenClause& clause, const EquationPlace& place,
                       Frame& frame);
    void when_call(const object::Expression& call, Expr guard, WhenClause& clause, const EquationPlace& place,
                   Frame& frame);
    void put_assertion(Validity v, Expr guard, WhenClause* clause);
    void when_assign(const Value& target, const Value& value, Expr guard, WhenClause& clause,
                     const EquationPlace& place, Span where);

    Evaluator& e_;
    Connector& connector_;
};

}  // namespace cutset::objects
