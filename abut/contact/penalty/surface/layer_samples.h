// Where the pressure of a layer is taken: points of a contact, each with its depth and the area
// that it stands for.
//
//   vertices   those of the common part's surface, each for an equal part of the shadow (K-6,
//              K-17: the mean over its ends is the mean over an edge). Depth is the
//              length of the line along the normal in the common part, a hundredth inside its rim.
//   volume     points with the area, mean and second moments of the shadow, and with depths whose
//              force and moment are those of the volume: as integrated. Two on each principal axis,
//              sqrt(2) spreads from the mean; or, `at_rim`, sqrt(3) from it, the rim of a
//              rectangle, and one at the mean (Simpson's rule), unless the depth at the rim would
//              be less than none
//
// A round solid is not sampled along the way that it rolls (rolling.h): a wheel has its samples on
// the line below its axis, a ball has one. Samples ahead would be pressed and those behind let go,
// which turned a ball of 20 cm down 10 degrees 13 % too slowly. So a ball that spins about the
// normal is not slowed down.
//
// Dampers need not be where springs are: at the rim they stop what rocks as rigid bodies are
// stopped that land on their far edge; farther in, half of that is lost (volumetric.md).
//
// The two agree on the force along an edge and on little else: the ends of an edge alone resist
// tilting three times as much as all of it does (K-E5).
#pragma once

#include <vector>

#include "abut/contact/penalty/surface/contact_surface.h"

namespace abut {

struct LayerSample {
  Vec3 point = Vec3::Zero();  // world
  double depth = 0;           // m
  double area = 0;            // m^2: of springs
  double rim = 0;             // m^2: of dampers, which have the same sum
  std::uint64_t id = 0;       // stable while the same faces make it
};

// The outer plane of a layer that lies over a face (face_layers.h): depth is measured from there.
struct LayerTop {
  double offset = 0;  // m: of the plane, along the contact's normal
  bool of_a = true;   // the core is A, on the normal's far side; else B
};

// Of a surface that is not thin.
void sample_vertices(const CommonPart& part, const ContactSurface& surface,
                     std::vector<LayerSample>& out, const LayerTop* top = nullptr);
void sample_moments(const ContactSurface& surface, bool at_rim, std::vector<LayerSample>& out);

}  // namespace abut
