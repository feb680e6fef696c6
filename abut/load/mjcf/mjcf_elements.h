// The elements that have a default class, except actuators: each function reads the element's
// attributes over the present values.
//
// Angles of a joint keep the unit of the file (a class does not know yet whether it is for a slide
// or a hinge); finish_joint() converts them to radians.
#pragma once

#include "abut/load/mjcf/mjcf_drafts.h"
#include "abut/load/mjcf/mjcf_orientation.h"
#include "abut/load/xml_tree.h"

namespace abut {

void read_joint(const Element& e, JointDesc& joint);
void finish_joint(const AngleRules& rules, JointDesc& joint);
void read_geom(const Element& e, const AngleRules& rules, Oriented<GeomDesc>& geom);
void read_site(const Element& e, const AngleRules& rules, Oriented<SiteDesc>& site);
InertialDesc read_inertial(const Element& e, const AngleRules& rules);
void read_mesh_attributes(const Element& e, MeshDesc& mesh);  // all but its data
void read_pair(const Element& e, PairDesc& pair);
void read_tendon(const Element& e, TendonDesc& tendon);  // all but its path

}  // namespace abut
