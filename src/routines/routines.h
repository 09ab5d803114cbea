// Routines that libraries of other languages call as external functions: random generators, Fourier
// transforms, LAPACK. They are part of the program and run without --allow-external.
//
// A call says how each argument is passed. As text it names a routine in models that are stored:
//
//     fortran dgesv i=3 i=1 r[3,3] i=3 i[3]=0 r[3]! i=3 i=0!
//     c ModelicaRandom_xorshift64star i[2] i[2]=0! r=0!
//
// i, r: whole and real numbers; [n]: an array of so many, the last index fastest; =v: not an input, it begins
// with v; !: an output; "N": a character. `-> r` at the end: the result of the routine itself, the last
// output.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cutset {

struct RoutineArgument {
    enum class Kind : std::uint8_t { Real, Integer, Text };
    Kind kind = Kind::Real;
    std::vector<std::uint32_t> dimensions;  // empty: a scalar
    std::string text;                       // Text
    std::optional<double> constant;         // not an input
    bool wanted = false;                    // an output

    std::size_t size() const;
};

struct RoutineCall {
    std::string symbol;
    bool fortran = false;  // by reference, columns first
    std::vector<RoutineArgument> arguments;
    std::optional<RoutineArgument::Kind> result;

    std::size_t inputs() const;
    std::size_t outputs() const;
};

bool is_routine(std::string_view symbol);

std::string to_text(const RoutineCall& call);
// Nothing where the text is none of a call.
std::optional<RoutineCall> routine_call_of(std::string_view text);

// False with a reason where the arguments do not fit the routine.
bool run_routine(const RoutineCall& call, std::span<const double> inputs, std::vector<double>& outputs,
                 std::string& problem);

}  // namespace cutset
