// quasirigid: contact of rigid bodies in thin compliant layers (Cheng Yi and Drumwright;
// K-6, K-7, K-20). The layer presses with p = K depth + D d(depth)/dt (layers.h),
// over an area that grows as solids sink in; nothing is divided by it, as volumetric does. The
// pressure is integrated (--data volume, the default) or sampled at vertices (--data vertices, as
// the paper has it): layer_samples.h.
//
//   explicit   forces at the start of the step, or in the stages of rk4; friction by springs
//              (spread_forces.h)
//   implicit   the depth at the end of the step counts: each sample is a row
//              0 <= J u' + e psi/h + c p  perp  p >= 0,  e = h k/(h k + b), c = 1/(h (h k + b))
//              with k = K A_i, b = D A_i (Lacoursiere; K-20), in one problem with joints and the
//              friction cone, as st's contacts are. Stiff layers run at any step.
//
// Deeper than the layer is thick, the core is met: a thousand times as stiff (implicit alone).
//
// abut.quasirigid.layers = faces (implicit alone): the layer lies over the faces of the solid, as in
// Fig. 1 of the paper (surface/face_layers.h).
//
// Settings: abut.layer, abut.quasirigid.step (implicit, explicit), .layers (inside, faces), .zeta,
// .parts (explicit alone).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "abut/contact/penalty/initial_overlap.h"
#include "abut/contact/penalty/stiffness/carried_loads.h"
#include "abut/contact/penalty/surface/contact_pieces.h"
#include "abut/contact/penalty/surface/face_layers.h"
#include "abut/contact/penalty/surface/layer_samples.h"
#include "abut/contact/penalty/surface/layers.h"
#include "abut/contact/settings.h"

namespace abut {

// Forces. Throws WorldError for settings that there are not.
std::unique_ptr<ForceModel> make_quasirigid(const Model& model, const Collider& collider,
                                            const ContactSettings& settings);

// Rows of a problem.
class LayerContacts {
 public:
  LayerContacts(const Model& model, const Collider& collider, const ContactSettings& settings);

  // m, one a geom, or empty: how far from a solid its layer reaches.
  std::span<const double> reach() const {
    return faces_ ? faces_->reach() : std::span<const double>();
  }
  // The samples of all pairs that overlap in `patches`, as contact data with a patch each. `memory`
  // has the normals of the last step, and left().
  void find(double h, const Input& input, const Derived& d, const Collider& collider,
            const ContactData& patches, const ContactMemory& memory, ContactData& out);
  // One a point: e psi/h (m/s), and c (1/kg).
  std::span<const double> yield() const { return yield_; }
  std::span<const double> softness() const { return softness_; }
  // What is left of the overlap that a pair began with, for the first value of its memory.
  double left(PairKey key) const { return overlap_.left(key); }
  static constexpr int kPairWidth = 1;
  // J: stored in the layers, where find() looked.
  double energy() const { return energy_; }

 private:
  void find_inside(double h, const ForceScene& scene, const ContactMemory& memory,
                   ContactData& out);
  void find_over_faces(double h, const ForceScene& scene, ContactData& out);
  void add_rows(double h, const Layer& layer, bool alone, double part, ContactData& out);
  void count_neighbours(const ContactData& patches);
  bool lands(const Patch& patch) const;

  const Model& model_;
  bool vertices_;
  Materials materials_;
  Mobility mobility_;
  LayerTable layers_;
  InitialOverlap overlap_;
  ContactPieces pieces_;
  std::optional<FaceLayers> faces_;  // abut.quasirigid.layers = faces
  CommonPart in_box_;
  CarriedLoads carried_;
  std::vector<LayerSample> samples_;
  std::vector<PairKey> pairs_;   // of bodies that overlap
  std::vector<int> neighbours_;  // of each body: how many it overlaps
  std::vector<double> yield_, softness_;
  double energy_ = 0;
};

}  // namespace abut
