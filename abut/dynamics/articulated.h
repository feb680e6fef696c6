// Forward dynamics by the articulated-body algorithm: O(links), no mass matrix.
#pragma once

#include <span>

#include "abut/model/derived.h"

namespace abut {

// acceleration = (M + diag(extra))^-1 (tau - bias) (Featherstone 2008, table 7.1). All links of a
// tree are about one point in world axes, so that an articulated inertia is added to the parent's
// without a change of frame. A joint of several dofs is a series of single dofs on massless links.
// Requires positions() and velocities(); `extra` may be empty.
void articulated_acceleration(const Model& model, std::span<const double> v,
                              std::span<const double> tau, std::span<const double> extra,
                              Derived& d, std::span<double> acceleration);

// The same, bit for bit, for other velocities or forces at the poses (and with the `extra`) of the last
// call on d: articulated inertias are kept, which are two thirds of the time.
void articulated_acceleration_again(const Model& model, std::span<const double> v,
                                    std::span<const double> tau, Derived& d,
                                    std::span<double> acceleration);

}  // namespace abut
