// deepest (alias pm): one force at the deepest point of each pair, the penalty
// method that the papers compare with (Drumwright, II-A and eqs 1 to 3 with r =
// 1; D-4, D-6, D-7).
//
//   p     |f| = max(k_p d, 0)
//   pd    |f| = max(k_p d - k_v v, 0)               v > 0: the two part
//   pid   |f| = max(k_p d - k_v v + k_i I, 0)       the default
//         I_t = sum over i < t of lambda^(t-i-1) d_i: I <- lambda I + d in each
//         step, 0 when the two have parted
//   moore-wilhelms   |f| = k_p d, nothing while they part: discontinuous
//   (Moore, Wilhelms 1988)
//
// Where the force acts (abut.deepest.point):
//
//   shared    the default. The depth is that of the deepest point, and the force acts at the mean of
//             all points that touch, each weighted by what a spring and damper would push with
//             there, max(k_p d_i - k_v v_i, 0). A single corner is its own mean. A face
//             that lies flat is pushed at its middle; as it tilts, the force moves to the
//             deeper side and to the side that sinks, so that the face is held and comes to rest.
//             Friction resists turning about the normal too, by the mean distance of these points.
//   deepest   as printed, and the default with the papers' gains: at the deepest point itself. Where
//             depths tie, the first point by its name is taken; so a box that lies flat rocks from
//             corner to corner, which is what is wrong with the method.
//
// Settings: abut.deepest.law, .point, and gains.h's.
#pragma once

#include <memory>
#include <optional>

#include "abut/contact/penalty/force_law.h"
#include "abut/contact/penalty/friction/spread_friction.h"
#include "abut/contact/penalty/stiffness/gains.h"
#include "abut/contact/settings.h"

namespace abut {

enum class DeepestForm { p, pd, pid, moore_wilhelms };

enum class ForcePoint { shared, deepest };

class DeepestLaw {
 public:
  // Throws WorldError for settings that there are not.
  DeepestLaw(const Model& model, const Collider& collider, DeepestForm form,
             const FrictionRule& friction, const GainKind& gains,
             std::optional<ForcePoint> point = {});

  static constexpr int kPairWidth = 1 + kSpreadWidth,
                       kPointWidth = 0;  // I, friction

  template <class Push>
  void forces(const PairView& pair, const PairRecall& memory, Push&& push) const {
    const Place place = place_of(pair);
    if (place.depth > 0) push(force_at(pair, memory, place));
  }
  void advance(const PairView& pair, const PairRecall& before, PairKeep now, PairKeep after) const;
  bool keeps_accounts() const { return point_ == ForcePoint::shared && gains_.all_free(); }
  bool recovers() const { return gains_.all_free(); }
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  // Where a pair's force acts, and what it depends on.
  struct Place {
    Vec3 point = Vec3::Zero();     // m, world
    Vec3 velocity = Vec3::Zero();  // m/s: of B's point less A's
    double depth = 0;              // m: the largest
    // of the points that share the force: mean distance from `point` (m), mean square (m^2)
    double arm = 0, arm2 = 0;
  };
  Place place_of(const PairView& pair) const;
  void share(const PairView& pair, Place& place) const;
  ContactForce force_at(const PairView& pair, const PairRecall& memory, const Place& place) const;
  double normal_force(const Gains& g, double depth, double speed, double sum) const;
  SpreadContactPoint rubbing(const PairView& pair, const Gains& g, const Place& place,
                             double load) const;

  DeepestForm form_;
  FrictionRule friction_;
  GainTable gains_;
  ForcePoint point_;
  std::vector<std::string> warnings_;
  double step_;
};

std::unique_ptr<ForceModel> make_deepest(const Model& model, const Collider& collider,
                                         const ContactSettings& settings);

// Against the drift of models that carry weights by other means (abut.NAME.kp,
// .kv, .zeta, .gains): pd without friction. By default critically damped and a
// sixteenth of eq. 8: depth goes away in 20 steps or so, and what bounces off
// with more than that is let go.
std::unique_ptr<ForceModel> make_drift_penalty(const Model& model, const Collider& collider,
                                               std::string_view name);

}  // namespace abut
