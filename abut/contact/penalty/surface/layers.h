// Compliant layers: what quasi-rigid contact presses (Cheng Yi and Drumwright, Fig. 1; K-7). A body
// is a rigid core in a thin layer, which resists with a pressure
//
//   p = K depth + D d(depth)/dt       K in N/m^3, D in N s/m^3
//
//   <numeric name="abut.layer" data="0.005 2e8 1e5"/>         all geoms: thickness (m), K, D
//   <numeric name="abut.layer.tyre" data="0.02 1e7"/>         the geom `tyre`; D from zeta
//
// Of two layers the pressure is the same and the depths add up: K = 1 / (1/K_A + 1/K_B), D
// likewise, thicknesses added. Where neither has one, the lighter body has: 1e-2 of its size thick,
// and as stiff as it takes to carry four times its weight with a depth of 1e-3 of its size on the
// smallest of its faces that it can stand on. Its dampers are at the rim (layer_samples.h), and
// strong: what rocks is to end as rigid bodies do that land without a bounce.
//
// The layer is the outer part of the solid, corners and all, and depth is measured along the one
// normal of a contact. With abut.quasirigid.layers = faces it lies over the faces of the solid,
// which is the core (face_layers.h).
#pragma once

#include <optional>
#include <vector>

#include "abut/constrain/rows/pair_number.h"
#include "abut/contact/penalty/stiffness/mobility.h"

namespace abut {

struct Layer {
  double thickness = 0;  // m
  double stiffness = 0;  // N/m^3
  double damping = 0;    // N s/m^3
  // N s/m^3: instead, where a body touches nothing else and may land on a face. The same if
  // somebody described the layer, whose dampers are then spread as its springs are.
  double landing = 0;
  bool given = false;
};

class LayerTable {
 public:
  // `explicit_step`: layers that nobody described are no stiffer than a step of forces can follow.
  // Throws WorldError for what cannot be, and for planar worlds, which have no areas.
  LayerTable(const Model& model, const Collider& collider, const Mobility& mobility,
             bool explicit_step);

  // s: of the parts that explicit forces take the world's step in, for stiffness that they can
  // follow; as few parts as there are, for stiffness that is chosen by the step.
  void set_step(double step, double longest) { step_ = step, longest_ = longest; }
  bool any_given() const;

  Layer of(int geom_a, int geom_b) const;
  // What was described of a geom alone; damping < 0: from zeta.
  const std::optional<Layer>& of_geom(int geom) const;
  // That layer where `other` presses it.
  Layer of_core(int core, int other) const;
  // Where nobody described a layer and the two carry `load` (N) on `area` (m^2, of all pieces that
  // touch): as stiff as it takes to sink in by half of 1e-3 of `size` (m) in the mean (a round body
  // is twice as deep in the middle), with damping in proportion. Explicit: no stiffer than leaves
  // room for damping.
  Layer under(int geom_a, int geom_b, double load, double size, double area) const;

  std::vector<std::string> warnings(const PairFilter& filter) const;

 private:
  // Faces of all that a link carries (m^2).
  struct Faces {
    double standing = 0, largest = 0;
  };
  double reduced_mass(int a, int b) const { return mobility_.reduced_mass(a, b); }
  int lighter(int a, int b) const;
  Layer by_default(int a, int b) const;
  void damp(Layer& layer, int a, int b) const;

  const Model& model_;
  const Mobility& mobility_;
  bool explicit_;
  double g_ = 0;                   // m/s^2
  double step_ = 0, longest_ = 0;  // s
  PairNumber zeta_;
  std::vector<std::optional<Layer>> geoms_;  // damping < 0: from zeta
  std::vector<Faces> faces_;                 // of the link of each geom
};

}  // namespace abut
