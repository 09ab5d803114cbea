// Over what `for i in …` goes; without `in`, over the size of the arrays that i is an index of.
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "base/function_ref.h"
#include "objects/evaluator.h"

namespace cutset::objects {

// The body of a loop, where its range is sought: expressions, equations or statements.
struct LoopBody {
    std::vector<const object::Expression*> expressions = {};
    const std::vector<object::Equation>* equations = nullptr;
    const std::vector<object::Statement>* statements = nullptr;

    LoopBody(std::vector<const object::Expression*> e) : expressions(std::move(e)) {}
    LoopBody(std::initializer_list<const object::Expression*> e) : expressions(e) {}
    LoopBody(const std::vector<object::Equation>& e) : equations(&e) {}
    LoopBody(const std::vector<object::Statement>& s) : statements(&s) {}
};

// All values, in order; throws where they are not known.
std::vector<Value> iterator_values(Evaluator& e, const object::Iterator& iterator, const LoopBody& body,
                                   Frame& frame);

// Calls `visit` for each expression of a body, those inside other expressions included.
void for_each_expression(const LoopBody& body, FunctionRef<void(const object::Expression&)> visit);

}  // namespace cutset::objects
