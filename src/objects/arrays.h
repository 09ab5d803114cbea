// Arrays made of values: constructors, concatenation, reductions.
#pragma once

#include <string>
#include <vector>

#include "objects/evaluator.h"

namespace cutset::objects {

// {a, b, …}: one more dimension, the first.
Value array_of(Evaluator& e, const std::vector<Value>& parts, Span where);
// cat(dimension, a, b, …): sizes agree but for this dimension (from 1).
Value concatenated(Evaluator& e, std::size_t dimension, const std::vector<Value>& parts, Span where);
// promote(a, n): dimensions of size 1 at the end.
Value promoted(Value a, std::size_t dimensions);
// sum, product, min, max of the first `dimensions` of an array; of what remains element by element.
Value reduced(Evaluator& e, const std::string& reduction, const Value& a, std::size_t dimensions,
              Frame& frame, Span where);
// Every element of an array has this value.
Value filled(const Value& scalar, const Dimensions& dimensions);
Value transposed(const Value& a);

}  // namespace cutset::objects
