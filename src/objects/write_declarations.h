// Declarations of instances become the flat model: values and attributes of variables, equations, algorithms.
#pragma once

#include "objects/declarations.h"
#include "objects/evaluator.h"

namespace cutset::objects {

// What connections make of a model stands beside the equations: who collects them is told where one stands.
class Connector {
  public:
    virtual ~Connector() = default;
    // `frame` knows the loop variables around it.
    virtual void connect(const object::Expression& left, const object::Expression& right, Span where,
                         Frame& frame) = 0;
    // Connections.branch, root, potentialRoot …: true where the call is one of them.
    virtual bool connections_call(const object::Expression& call, Frame& frame) = 0;
};

// The value that a modification gives: its expression, then the element that it is for, then the field.
Value modifier_value(Evaluator& e, const Modifier& modifier, Reading reading);

// All of it. Errors are reported with their submodel, each declaration and equation for itself.
void write_declarations(Evaluator& e, const Declarations& declarations, Connector& connector);

}  // namespace cutset::objects
