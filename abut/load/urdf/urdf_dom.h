// A URDF document as urdfdom sees it.
//
// urdfdom ignores links that it could not read whole, says so on stderr only, and takes
// numbers from whatever the text holds. So it is given a document that was checked and
// written anew: every number by our own reader, names escaped, and nothing that it does
// not know (a capsule is handed over as a cylinder, a spherical joint as a floating one).
// What it says all the same becomes a WorldError at the element that it names.
#pragma once

#include <urdf_model/model.h>

#include "abut/load/xml_tree.h"

namespace abut {

// Throws WorldError: a number, a name or an element that is missing or makes no sense,
// and links that do not form one tree.
std::shared_ptr<const urdf::ModelInterface> read_urdf_dom(const Element& robot);

}  // namespace abut
