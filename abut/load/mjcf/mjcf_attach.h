// <asset><model> and <attach>: a part of another file's world, under a prefix.
#pragma once

#include "abut/load/mjcf/mjcf_context.h"

namespace abut {

void read_submodel(const Element& e, MjcfContext& mjcf);

// Adds the named body of the model, or what the named frame holds, or all of its world, to `body`,
// with the meshes it uses and everything that refers to it. `frame` may be null.
void attach_model(const Element& e, MjcfContext& mjcf, BodyDesc& body, const Pose* frame);

}  // namespace abut
