// Maximal coordinates (C-1): the same world with every link a free body, and its joints as
// constraints between bodies (constrain/rows/loop_joint.h). A world asks for it with
//
//   <custom><text name="abut.coordinates" data="maximal"/></custom>
//
// Names of bodies, geoms and sites stay; a joint's name is that of its constraint. Poses and
// velocities of keyframes are translated, and links next to each other still do not collide.
//
// One hinge, slide or ball on a body, a slide and a hinge on one axis (cylindrical), two hinges
// that cross at right angles (universal), and two slides with a hinge square to both (planar) can
// be said. Springs, damping, armature, limits and dry friction of joints, actuators on joints,
// tendons and couplings speak of coordinates that are read off the poses (maximal_joints.h): they
// do what they did. What cannot be said is refused with its name and the reason: other sets of
// joints on one body, actuatorgravcomp, and more than an axis on a driven body.
#pragma once

#include "abut/model/model.h"

namespace abut {

// Whether the world asks for it. Throws WorldError for a word that is neither maximal nor
// generalized.
bool wants_maximal(const World& world);
// Says so, whatever it said before: "maximal" or "generalized".
void ask_for_coordinates(World& world, const std::string& name);

// `model` is the world compiled as it is. Throws WorldError with what cannot be said.
World in_maximal_coordinates(const World& world, const Model& model);

}  // namespace abut
