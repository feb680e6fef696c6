// Scene: what the page has to know of a world before it can draw a frame, as JSON.
//
// Bodies, geoms with their shapes, meshes (base64 of 32-bit numbers), names of keyframes and
// actuators, how large it all is. docs/viewer.md has the fields.
//
//   send(scene_json(model, derived));
#pragma once

#include <string>
#include <vector>

#include "abut/model/derived.h"

namespace abut::view {

// Bodies whose poses change: of links, of driven bodies, and what hangs on them. Frames have
// these alone, in this order.
std::vector<int> moving_bodies(const Model& model);

// Where frames measure positions from, so that 32 bits are enough far from the world's origin too:
// the middle of what stands and moves at these poses, on a coarse grid.
Vec3 scene_origin(const Model& model, const Derived& poses);

// A ball that the camera is to see (m, from the scene's origin).
struct Ball {
  Vec3 centre = Vec3::Zero();
  double radius = 1;
};
// The same scene with another one.
std::string with_extent(std::string scene, const Ball& extent);

// A box around what moves, at these poses; empty if nothing does.
Aabb movers_box(const Model& model, const Derived& poses);

// Of a ball around what moves, or around all if nothing does (m).
double scene_size(const Model& model, const Derived& poses);

// `origin` is subtracted from positions. `generation`: which of a session's scenes it is.
std::string scene_json(const Model& model, const Derived& poses, const Vec3& origin,
                       int generation = 0);

}  // namespace abut::view
