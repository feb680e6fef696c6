// Maximal coordinates (C-1): the same world with every link a free body, and its joints as
// constraints between bodies (constrain/rows/loop_joint.h). A world asks for it with
//
//   <custom><text name="abut.coordinates" data="maximal"/></custom>
//
// Names of bodies, geoms and sites stay the same; a joint's name becomes that of its constraint.
// Poses and velocities of keyframes are converted, and neighbouring links still do not collide.
//
// Supported joints of one body: one hinge, slide or ball; a slide and a hinge on one axis
// (cylindrical); two hinges that cross at right angles (universal); two slides with a hinge
// perpendicular to both (planar). Springs, damping, armature, limits and dry friction of joints,
// actuators on joints, tendons and couplings refer to coordinates that are measured from the poses
// (maximal_joints.h); their effect is the same. Other features are refused with name and reason:
// other sets of joints on one body, actuatorgravcomp, and more than one axis on a driven body.
#pragma once

#include "abut/model/model.h"

namespace abut {

// Whether the world requests maximal coordinates. Throws WorldError for a word that is neither
// maximal nor generalized.
bool wants_maximal(const World& world);
// Sets the request, replacing any other: "maximal" or "generalized".
void ask_for_coordinates(World& world, const std::string& name);

// `model` is the world compiled as it is. Throws WorldError that names an unsupported feature.
World in_maximal_coordinates(const World& world, const Model& model);

}  // namespace abut
