// Where a linear system comes from: a model that is linearised, a file of matrices or of a transfer function,
// or text.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "control/exact_matrix.h"
#include "control/linear_system.h"
#include "translate/model_request.h"

namespace cutset {

// `file` is a model, or a linear system: .json, .mat, .mim.
struct LinearRequest : ModelRequest {
    std::string tf;                            // a transfer function as text, instead of a file
    std::vector<std::string> inputs, outputs;  // by name or number; empty: all
    std::string at;                            // steady, start, time=T, a file; empty: steady, else the start
    std::optional<double> sample_time;         // for functions of z
    std::optional<int> pade;                   // order, for delays
    bool symbolic = false;                     // parameters of a model stay symbols
    // Hears what is being done, for messages about what takes long: "the Smith form".
    std::function<void(const char*)> on_step;

    void begin(const char* step) const {
        if (on_step) on_step(step);
    }
    // Whether it is a model that is linearised, not a linear system in a file or in text.
    bool is_model() const;
};

// Polynomial matrices of a fraction N D^-1 or D^-1 N as text, instead of a system.
struct FractionText {
    std::string numerator, denominator;
    bool given() const { return !numerator.empty() || !denominator.empty(); }
};
struct GivenFraction {
    ExactTransferMatrix N, D;  // of the same symbols
};

// Whether a system without inputs or outputs is an error.
enum class Signals { Needed, NotNeeded };

// The system with the inputs and outputs asked for, as it is given: transfer functions stay exact. Nothing
// when errors were reported.
std::optional<LinearSystem> open_linear(const LinearRequest& request, Workspace& workspace,
                                        Signals needed = Signals::Needed);

// The two matrices that are given, with the values of --set; their elements may be fractions.
std::optional<GivenFraction> open_fraction(const LinearRequest& request, const FractionText& text,
                                           Workspace& workspace);

// The same in state space.
std::optional<StateSpace> open_state_space(const LinearRequest& request, Workspace& workspace,
                                           Signals needed = Signals::Needed);

// The matrices of a file as they are written, when that is with few digits: their zeros, gains and multiple
// poles are exact then. Nothing for models, whose numbers are computed, and for large systems.
std::optional<ExactStateSpace> exact_numbers(const LinearRequest& request, const StateSpace& system);

// "y from u", for titles.
std::string channel_name(const std::string& output, const std::string& input);

}  // namespace cutset
