// The equations of a boundary value problem on one mesh, and damped Newton for them. Private to
// boundary_value.cpp.
//
// Unknowns: by interval the states at its beginning and at its collocation points, then the states at the
// end, then the parameters that are sought; everything in units of `scale`.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "numerics/linear/sparse.h"
#include "numerics/nonlinear/collocation.h"
#include "operations/collocation/boundary_value.h"

namespace cutset {

class BoundarySystem {
  public:
    // `conditions` as many as states and sought parameters; a state's own initial value is one on no output:
    struct StateStart {
        std::size_t state;
        double value;
    };
    BoundarySystem(ModelFunctions& functions, const CollocationScheme& scheme, std::vector<double> mesh,
                   double from, double to, const std::vector<BoundaryCondition>& conditions,
                   const std::vector<StateStart>& starts, std::size_t sought, std::vector<double> scale,
                   std::vector<double> parameter_scale, std::vector<double> held);

    std::size_t size() const { return unknowns_; }
    std::size_t intervals() const { return mesh_.size() - 1; }
    const std::vector<double>& mesh() const { return mesh_; }
    // Of the conditions, as changed by a homotopy: g - c - shift = 0.
    void set_shift(std::vector<double> shift) { shift_ = std::move(shift); }
    void set_held(std::vector<double> held) { held_ = std::move(held); }

    bool residual(std::span<const double> v, std::span<double> r);
    // The conditions alone: g - c, without shift and unscaled.
    bool conditions(std::span<const double> v, std::span<double> values);

    enum class Newton { Converged, NoProgress, Singular, Undefined };
    Newton solve(std::vector<double>& v, double tolerance, std::size_t& iterations);

    // Values of states in an interval at τ, and their derivative by τ.
    void state_at(std::span<const double> v, std::size_t interval, double tau, std::span<double> x,
                  std::span<double> rate) const;
    std::vector<double> parameters(std::span<const double> v) const;
    double time(std::size_t interval, double tau) const;
    std::size_t index(std::size_t interval, std::size_t node, std::size_t s) const {
        return (interval * (scheme_.stages + 1) + node) * n_ + s;
    }
    // By interval: ∫ |x' - f|, relative to the size of the states.
    std::vector<double> errors(std::span<const double> v);
    // The unknowns for another mesh, from a solution on this one.
    std::vector<double> interpolate(std::span<const double> v, const BoundarySystem& onto) const;

  private:
    bool jacobian(std::span<const double> v);
    bool set_parameters(std::span<const double> v);
    // Puts the model at an end; outputs count, the derivatives need not have values there.
    bool go_to_end(std::span<const double> v, bool at_start);
    template <class Visit>
    void visit_structure(Visit visit) const;
    double length(std::size_t interval) const {
        return (mesh_[interval + 1] - mesh_[interval]) * (to_ - from_);
    }

    ModelFunctions& functions_;
    const CollocationScheme& scheme_;
    std::vector<double> mesh_;
    double from_, to_;
    const std::vector<BoundaryCondition>& conditions_;
    const std::vector<StateStart>& starts_;
    std::size_t n_, sought_, unknowns_;
    std::vector<double> scale_, parameter_scale_, held_, shift_;
    SparsePattern pattern_;
    std::vector<std::size_t> place_;
    std::vector<double> elements_, point_;
    SparseLu lu_{{.singular_when = DenseLu::SingularWhen::ExactZero, .refine = true}};
    std::vector<double> state_;
};

}  // namespace cutset
