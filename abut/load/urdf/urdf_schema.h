// What URDF defines, and what abut does with each element and attribute.
//
// URDF is open: tools add elements of their own, and urdfdom drops whatever it does not
// know without a word. check_urdf_schema() walks a document before anything is read. A
// name that looks like a slip of one that URDF defines is an error, since dropping
// <colision> changes the physics; anything else that is not simulated is a warning, once
// per kind, at its first place.
#pragma once

#include "abut/load/mjcf/mjcf_schema.h"
#include "abut/load/xml_tree.h"

namespace abut {

void check_urdf_schema(const Element& robot, Warnings& warnings);

}  // namespace abut
