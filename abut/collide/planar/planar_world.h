// Planar worlds: `abut.plane` says that a world is flat, and this says whether it is.
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

// The plane that `abut.plane` names; none if the world is not planar. Throws WorldError
// if it names something else.
std::optional<WorldPlane> plane_of(const Model& model);

// What keeps a model from being planar and what to write instead, or "": every mover
// hangs from the world on two slides in the plane and a hinge normal to it, every colliding
// geom is a prism along the normal or a half-space whose normal lies in the plane.
std::string planar_trouble(const Model& model, const WorldPlane& plane);

// L of each geom of a planar world (m): the diameter of what it shows, whatever its thickness; 0
// for a half-space and for what does not collide.
std::vector<double> planar_sizes(const Model& model, const ConvexSet& solids,
                                 const WorldPlane& plane);

// plane_of(), and WorldError if the world says that it is planar and is not.
std::optional<WorldPlane> checked_plane_of(const Model& model);

}  // namespace abut
