#include "ir/operator_text.h"

namespace cutset::object {

OperatorText operator_text(Operator op) {
    using enum Strength;
    switch (op) {
        case Operator::Add:
            return {" + ", Sum};
        case Operator::Subtract:
            return {" - ", Sum};
        case Operator::Multiply:
            return {"*", Product};
        case Operator::Divide:
            return {"/", Product};
        case Operator::Power:
            return {"^", Raised};
        case Operator::ElementAdd:
            return {" .+ ", Sum};
        case Operator::ElementSubtract:
            return {" .- ", Sum};
        case Operator::ElementMultiply:
            return {" .* ", Product};
        case Operator::ElementDivide:
            return {" ./ ", Product};
        case Operator::ElementPower:
            return {" .^ ", Raised};
        case Operator::Less:
            return {" < ", Relation};
        case Operator::LessEqual:
            return {" <= ", Relation};
        case Operator::Greater:
            return {" > ", Relation};
        case Operator::GreaterEqual:
            return {" >= ", Relation};
        case Operator::Equal:
            return {" == ", Relation};
        case Operator::NotEqual:
            return {" <> ", Relation};
        case Operator::And:
            return {" and ", Both};
        case Operator::Or:
            return {" or ", Either};
        case Operator::Not:
            return {"not ", Negation};
        case Operator::Plus:
            return {"+", Minus};
        case Operator::Minus:
            return {"-", Minus};
    }
    return {"", Primary};
}

}  // namespace cutset::object
