// A URDF document parsed by urdfdom.
//
// urdfdom ignores links that it could not read completely, reports that on stderr only, and accepts
// malformed numbers. Therefore it gets a document that was checked and rewritten: every number by
// our own reader, names escaped, and without anything that urdfdom does not support (a capsule
// becomes a cylinder, a spherical joint a floating one). Any remaining message of urdfdom becomes a
// WorldError at the element that it names.
#pragma once

#include <urdf_model/model.h>

#include "abut/load/mjcf/mjcf_schema.h"
#include "abut/load/xml_tree.h"

namespace abut {

// Throws WorldError for a number, a name or an element that is missing or invalid, and for links
// that do not form one tree.
std::shared_ptr<const urdf::ModelInterface> read_urdf_dom(const Element& robot, Warnings& warnings);

}  // namespace abut
