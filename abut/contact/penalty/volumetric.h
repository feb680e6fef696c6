// volumetric: springs and dampers spread over the common part of two solids (seed 004; spec section
// 5). The force is that of all of them together, in closed form:
//
//   F_n = k V / A - b mean(u)        V volume of the common part, A its shadow along the normal, u
//                                    the speed at which the two part, linear over the shadow
//   M   = -b mean(y u) x n           about the centroid of the volume, through which the springs
//   act
//
// k = pi^2 m / (8 h)^2 (eq. 8), b = 2 zeta sqrt(k m), m the reduced mass (gains.h says what `auto`
// makes of it). F_n never pulls: where it would, F_n and M are zero, and M never takes the place
// where F_n acts out of the shadow. There friction acts, by springs and dampers that are moved
// along, against sliding and against turning (spread_friction.h).
//
// All pieces of two bodies share their area: each pushes with k V_i / (A_1 + A_2 + ..), so that a
// body that is made of several convex solids rests as one that is not (H-E4, H-T8). Pieces that
// push the same way have one normal, of all their area vectors: what the cuts between them add
// cancels.
//
// Settings: abut.volumetric.normal (area, translation), and gains.h's kp, kv, kt, zeta, gains.
#pragma once

#include <memory>
#include <vector>

#include "abut/contact/penalty/contact_surface.h"
#include "abut/contact/penalty/force_law.h"
#include "abut/contact/penalty/gains.h"
#include "abut/contact/penalty/spread_friction.h"
#include "abut/contact/penalty/step_budget.h"
#include "abut/contact/settings.h"

namespace abut {

class Volumetric final : public ForceModel {
 public:
  // Throws WorldError for settings that there are not.
  Volumetric(const Model& model, const Collider& collider, const ContactSettings& settings);

  int pair_width() const override { return kSpreadWidth; }
  int point_width() const override { return 0; }
  void forces(const ForceScene& scene, const ContactMemory& memory,
              std::vector<ContactForce>& out) override;
  void point_ids(const ForceScene&, int, std::vector<std::uint64_t>& ids) override { ids.clear(); }
  void advance(const ForceScene& scene, const ContactMemory& before, ContactMemory& now,
               ContactMemory& after) override;
  std::vector<std::string> warnings() const override { return warnings_; }

 private:
  // A pair of geoms that overlap.
  struct Piece {
    int patch = 0, part = 0;
    std::uint64_t bodies = 0;  // the two that it is a part of
    bool turned = false;       // A is a piece of the one with the higher number
    ContactSurface surface;
    Gains gains;
    double mu = 0;
    double area = 0;             // m^2: of all pieces of the two bodies
    double share = 1;            // its own part of that
    double damping = 1;          // what of kv the step can follow
    double load = 0;             // F_n (N)
    Vec3 moment = Vec3::Zero();  // N m, about the surface's center
    Vec3 point = Vec3::Zero();   // where F_n acts
  };
  template <class F>
  void for_each_body_pair(F&& f) const;
  void look(const ForceScene& scene, const ContactMemory& memory);
  void find_normals();
  void share_areas();
  void press(const PairView& pair, Piece& piece) const;
  SpreadContactPoint friction_of(const PairView& pair, const Piece& piece, int index) const;

  const Model& model_;
  FrictionRule friction_;
  GainTable gains_;
  StepBudget budget_;
  SurfaceOptions options_;
  ClipBuffers buffers_;
  std::vector<CommonPart> parts_;  // one a piece, and more that are kept for later
  std::vector<Piece> pieces_;
  std::vector<std::pair<std::uint64_t, int>> order_;  // bodies, piece
  const ContactData* looked_at_ = nullptr;  // by advance(); the next forces() asks for the same
  std::vector<std::string> warnings_;
};

std::unique_ptr<ForceModel> make_volumetric(const Model& model, const Collider& collider,
                                            const ContactSettings& settings);

}  // namespace abut
