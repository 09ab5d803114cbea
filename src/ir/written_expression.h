// An expression as it was written, names not resolved: in the texts of Dymola and Simnon (ir/class_tree.h),
// on the command line and in the shell, whatever language the model is in.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"

namespace cutset::written {

enum class Separator {
    None,      // the first part
    Variable,  // a.v
    Cut,       // a:c
    Path,      // a..p
    Submodel,  // a::b
};

struct Expression;

struct ReferencePart {
    Separator before = Separator::None;
    std::string name;
    std::vector<Expression> indices;
    Span where;
};

// a::b[2].v — parts from left to right.
struct Reference {
    std::vector<ReferencePart> parts;
    Span where;
};

enum class ExpressionKind {
    Number,     // number
    Text,       // text: a string
    Truth,      // number = 0 or 1
    Reference,  // reference (also `time`, which is resolved like any name)
    Sum,        // arguments with operators '+' '-' (the first has '+', or '-' for a leading minus)
    Product,    // arguments with operators '*' '/' (the first has '*')
    Power,      // arguments: base, exponent
    Negate,     // arguments: operand
    Relation,   // text: < <= > >= = <>; arguments: left, right
    And,        // arguments
    Or,         // arguments
    Not,        // argument
    If,         // arguments: c1, v1, c2, v2, …, otherwise
    Call,       // text: function, table or special form (noevent, sample, pre, new, start, delay, min …);
           // arguments. Without arguments and with the text `?`: a parameter that initialization determines
    Derivative,  // number: order; arguments: expression, then initial values if given
    Array,       // arguments: elements; a matrix is an Array of Arrays
    Index,       // `index` inside the modification of a submodel array is an ordinary Reference; this is
                 // expr[indices]
    Range,       // among indices: arguments first and last; none: all elements
};

struct Expression {
    ExpressionKind kind = ExpressionKind::Number;
    Span where;
    double number = 0;
    std::string text;  // for Sum and Product the operators, one character for each argument
    Reference reference;
    std::vector<Expression> arguments;
};

}  // namespace cutset::written
