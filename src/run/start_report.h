// The initial system block by block, as the initialization left it: what each block computes, where a search
// began and why there, how well its equations hold. Made after the fact from the values at hand, so that it
// costs nothing where it is not asked for, and can be had of a start that failed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/partition.h"

namespace cutset {

struct StartReport {
    // What the first value of an iteration variable was taken from.
    enum class GuessFrom {
        CommandLine,  // --init
        Start,        // x(0) = e
        Guess,        // guess x = e
        File,         // SimulateOptions::guesses
        Definition,   // an equation x = e, all of e given
        Nothing,      // 0
    };
    enum class Outcome { Solved, Failed, NotReached };
    struct Guess {
        double value = 0;
        GuessFrom from = GuessFrom::Nothing;
        Span where;  // of what it was taken from
    };
    struct UnknownValue {
        std::string name;
        double value = 0;
        std::optional<Guess> guess;  // of those that are iterated in a nonlinear system
    };
    struct EquationValue {
        std::string text, submodel;
        Span where;
        double residual = 0;  // left - right
        double misfit = 0;    // in units of its terms: at most 1; not a number where it has no value
    };
    struct Part {
        BlockKind kind = BlockKind::Explicit;
        Outcome outcome = Outcome::NotReached;
        std::vector<UnknownValue> unknowns;  // iterated ones first
        std::vector<EquationValue> equations;
        std::string reason;  // Failed: why
    };
    std::vector<Part> parts;
    bool by_homotopy = false;  // found by way of the simplified model
};

std::string_view words(StartReport::GuessFrom from);
std::string_view word(StartReport::Outcome outcome);

}  // namespace cutset
