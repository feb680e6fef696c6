// FaceLayers: layers as Fig. 1 of Cheng Yi and Drumwright draws them (K-7). A geom is the rigid
// core; over each of its faces lies a box of compliant material, as thick as the layer. There is
// none in the Voronoi regions of vertices and edges, where the normal is indeterminate: a contact
// exists where the core's closest feature is a face, and has the normal of that face.
//
// What is pressed is the part of the other solid that is in the box. The box is continued into the
// core by its own thickness, for solids that have met the core.
//
//   abut::FaceLayers faces(model, collider, layers);
//   collider.find(model, d, memory, {.reach = {.geom = faces.reach()}}, patches, queries);
//   if (faces.find(pair, part, surface)) press(surface, layers.of_core(faces.core(), ..));
#pragma once

#include <vector>

#include "abut/contact/penalty/surface/contact_surface.h"
#include "abut/contact/penalty/surface/layer_samples.h"
#include "abut/contact/penalty/surface/layers.h"

namespace abut {

class FaceLayers {
 public:
  // Throws WorldError where no layer is described, and for one around a solid that is neither a
  // plane nor a convex polyhedron.
  FaceLayers(const Model& model, const Collider& collider, const LayerTable& layers);

  std::span<const double> reach() const { return thickness_; }  // m, one a geom
  // What the pair has in common with the box, seen along the normal from A to B. False: nothing.
  // A warm call allocates nothing.
  bool find(const PairView& pair, CommonPart& part, ContactSurface& surface);
  // Of the last: the geom whose layer it is, and where that ends.
  int core() const { return core_; }
  const LayerTop& top() const { return top_; }

 private:
  void clip(const PairView& pair, bool of_b, const Feature& face, Intersection& common, Pose& X_WL);

  ConvexSet boxes_;
  std::vector<int> first_box_;  // of each geom; -1: a half-space, or no layer
  std::vector<double> thickness_;
  int core_ = -1;
  LayerTop top_;
  SurfaceBuffers buffers_;
};

}  // namespace abut
