// Operations on values: of scalars, element by element, of matrices, of texts, and of records by the
// functions that their class declares.
#pragma once

#include <functional>

#include "objects/evaluator.h"

namespace cutset::objects {

Value operate(Evaluator& e, object::Operator op, const Value& a, const Value& b, Frame& frame, Span where);
Value operate(Evaluator& e, object::Operator op, const Value& a, Frame& frame, Span where);

// c1, v1, c2, v2, …, otherwise: one value, element by element. All conditions are scalar.
Value choose(Evaluator& e, Expr condition, const Value& then, const Value& otherwise, Span where);

// f of each element.
Value each(const Value& a, Basic type, const std::function<Expr(Expr)>& f);

// The type that both have, Integer becoming Real where they differ so; throws `refusal`() otherwise.
Type common_type(const Type& a, const Type& b, const std::function<Diagnostic()>& refusal);
bool same_type(const Type& a, const Type& b);
bool is_numeric(const Type& t);
// Element k as a value.
Value element(const Value& a, std::size_t k);

// a = b for scalars of one type: numbers, Booleans, texts.
Expr equal_scalars(Evaluator& e, const Value& a, const Value& b, Span where);

}  // namespace cutset::objects
