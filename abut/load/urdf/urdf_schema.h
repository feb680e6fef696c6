// The elements and attributes that URDF defines, and what abut does with each.
//
// URDF is open: tools add elements of their own, and urdfdom ignores unknown elements silently.
// check_urdf_schema() walks a document before it is read. A name that looks like a misspelt URDF
// name is an error, since ignoring <colision> changes the physics. Anything else that is not
// simulated is a warning, once per kind, at its first place.
#pragma once

#include "abut/load/mjcf/mjcf_schema.h"
#include "abut/load/xml_tree.h"

namespace abut {

void check_urdf_schema(const Element& robot, Warnings& warnings);

}  // namespace abut
