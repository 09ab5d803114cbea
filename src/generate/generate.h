// Partition → Program.
#pragma once

#include <memory>
#include <vector>

#include "ir/partition.h"
#include "ir/program.h"

namespace cutset {

// Which Jacobian of the continuous equations a Program has; it costs about as much as the rest.
enum class JacobianKind {
    None,
    States,
    StatesAndLoops,  // for whole-DAE mode: columns of the tearing variables of loops follow the states
};

// Derivatives that a question asks for, see LinearizedEquations.
struct DerivativeRequest {
    std::vector<VariableIndex> by;  // adjustable parameters
    std::vector<VariableIndex> of;  // outputs
    bool start = false;             // those of initialization by the parameters too
};

// The section `parameters` leaves out those that are `given`: their values are put into their slots before.
Program generate(std::shared_ptr<const Partition> partition, JacobianKind jacobian = JacobianKind::None,
                 const std::vector<VariableIndex>& given = {},
                 const DerivativeRequest* derivatives = nullptr);

}  // namespace cutset
