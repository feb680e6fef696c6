// Planar worlds: `abut.plane` declares a world planar, and these functions check that it is.
//
//   if (auto plane = abut::plane_of(model))
//     if (std::string wrong = abut::planar_trouble(model, *plane); !wrong.empty()) fail(wrong);
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/collide/planar/planar.h"
#include "abut/model/model.h"

namespace abut {

// The plane that `abut.plane` names; none if the world is not planar. Throws WorldError if it names
// anything else.
std::optional<WorldPlane> plane_of(const Model& model);

// Why a model is not planar and what to write instead; "" if it is planar. Every moving body must
// be attached to the world by two slides in the plane and a hinge normal to it. Every colliding
// geom must be a prism along the normal, or a half-space whose normal lies in the plane.
std::string planar_trouble(const Model& model, const WorldPlane& plane);

// L of each geom of a planar world (m): the diameter of its polygon, whatever its thickness; 0 for
// a half-space and for a geom that does not collide.
std::vector<double> planar_sizes(const Model& model, const ConvexSet& solids,
                                 const WorldPlane& plane);

// As plane_of(); throws WorldError if the world is declared planar and is not.
std::optional<WorldPlane> checked_plane_of(const Model& model);

}  // namespace abut
