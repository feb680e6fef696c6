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
// Settings: abut.deepest.law, and gains.h's. Where the depths of several points
// tie, the first of them by its name is taken; so a box that lies flat rocks
// from corner to corner, which is what is wrong with the method.
#pragma once

#include <memory>

#include "abut/contact/penalty/force_law.h"
#include "abut/contact/penalty/friction/tangential.h"
#include "abut/contact/penalty/stiffness/gains.h"
#include "abut/contact/settings.h"

namespace abut {

enum class DeepestForm { p, pd, pid, moore_wilhelms };

class DeepestLaw {
 public:
  // Throws WorldError for settings that there are not.
  DeepestLaw(const Model& model, const Collider& collider, DeepestForm form,
             const FrictionRule& friction, const GainKind& gains);

  static constexpr int kPairWidth = 1 + kAnchorWidth,
                       kPointWidth = 0;  // I, anchors

  template <class Push>
  void forces(const PairView& pair, const PairRecall& memory, Push&& push) const {
    const int i = deepest_point(pair);
    if (pair.points().psi[static_cast<std::size_t>(i)] < 0) push(force_at(pair, memory, i));
  }
  void advance(const PairView& pair, const PairRecall& before, PairKeep now, PairKeep after) const;
  // A face on one point at a time is held by giving, at one corner, what
  // dampers took at another: accounts would let it sink (docs/laws.md).
  bool keeps_accounts() const { return false; }
  bool recovers() const { return gains_.all_free(); }
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  static int deepest_point(const PairView& pair);
  ContactForce force_at(const PairView& pair, const PairRecall& memory, int point) const;
  double normal_force(const Gains& g, double depth, double speed, double sum) const;
  TangentialContact tangential(const PairView& pair, const Gains& g, const Vec3& point,
                               const Vec3& velocity, double load) const;

  DeepestForm form_;
  FrictionRule friction_;
  GainTable gains_;
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
