// Scene: the data of a world that the page needs before it can draw a frame, as JSON.
//
// It contains bodies, geoms with their shapes, meshes (base64 of 32-bit numbers), names of
// keyframes and actuators, and the size of the scene. docs/viewer.md lists the fields.
//
//   send(scene_json(model, derived));
#pragma once

#include <string>
#include <vector>

#include "abut/model/derived.h"

namespace abut::view {

// Bodies whose poses change: of links, of driven bodies, and their descendants. Frames contain only
// these, in this order.
std::vector<int> moving_bodies(const Model& model);

// The origin of positions in frames, so that 32 bits are enough also far from the world's origin:
// the middle of all bodies at these poses, on a coarse grid.
Vec3 scene_origin(const Model& model, const Derived& poses);

// The same scene with another box that the camera is to see (m, from the scene's origin).
std::string with_extent(std::string scene, const Aabb& extent);

// A box around the moving bodies at these poses; empty if there are none.
Aabb movers_box(const Model& model, const Derived& poses);

// Radius of a ball around the moving bodies, or around all if none moves (m).
double scene_size(const Model& model, const Derived& poses);

// `origin` is subtracted from positions. `generation`: number of the scene in a session.
std::string scene_json(const Model& model, const Derived& poses, const Vec3& origin,
                       int generation = 0);

}  // namespace abut::view
