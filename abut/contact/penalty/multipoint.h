// multipoint: springs and dampers at all points on the bottom of what two bodies have in common,
// with an integral term (Drumwright; D-5 to D-8, D-E3).
//
//   f_i = max(k_p d_i - k_v v_i + k_i I, 0) w_i           eq. 3: d_i depth, v_i > 0 where they part
//   I_t = sum over s < t of lambda^(t-s-1) max_i d_i(s)   eq. 2: I <- lambda I + max d a step;
//                                                         0 when the two have parted
//   w_i = 1 / r, r the number of points with a force      abut.multipoint.share = count, as printed
//         1                                               .. = none
//         its part of the whole bottom's area             .. = area, the default (D-E11: uneven
//                                                         meshes lie flat; and nothing jumps where
//                                                         a point comes or goes)
//
// Two bodies have one I and one r, whatever number of convex pieces they are made of. The sum is
// over steps, so k_i and lambda mean another thing at another step; abut.multipoint.sum = time
// keeps what they do at 1 ms (D-E4).
//
// Forces are for resting contact. Who meets is stopped by impulses before (penalty_forces.h,
// impact/impacts.h), and rests from then on until the two have parted (fig. 2).
//
// Default gains (gains.h) are lowered where the step is too long for what is there: for the points
// that two bodies touch at, with the mass of each body shared out among all that touch it, so that
// 2 h k_v / m + h^2 k_p / m stays below kStable in every motion of them all. Damping gives way
// first, to kLeastDamping of what it was, then both. Gains that the user gave stay as they are.
//
// abut.multipoint.most: no more than so many points a pair (surface/fewest_points.h).
//
// Friction: layer_friction.h; `linear` is held_friction.h's.
#pragma once

#include <memory>

#include "abut/contact/penalty/force_law.h"
#include "abut/contact/penalty/friction/held_friction.h"
#include "abut/contact/penalty/friction/layer_friction.h"
#include "abut/contact/penalty/stiffness/carried_loads.h"
#include "abut/contact/penalty/stiffness/gains.h"
#include "abut/contact/penalty/stiffness/stack_dampers.h"
#include "abut/contact/penalty/surface/bottom_surface.h"
#include "abut/contact/penalty/surface/fewest_points.h"

namespace abut {

enum class PointShare { count, none, area };

struct MultipointOptions {
  PointShare share = PointShare::area;  // gains = paper: count
  bool sum_over_time = false;
  ContactSource data = ContactSource::vertices;
  FrictionRule friction;
};
// From `abut.multipoint.*`. Throws WorldError for what there is not.
MultipointOptions multipoint_options(const Model& model, const ContactSettings& settings);

class Multipoint final : public ForceModel {
 public:
  Multipoint(const Model& model, const Collider& collider, const MultipointOptions& options);

  // I, friction's layer, load, storeys
  int pair_width() const override { return kStoreysSlot + 1; }
  int point_width() const override { return 0; }
  void forces(const ForceScene& scene, const ContactMemory& memory,
              std::vector<ContactForce>& out) override;
  void point_ids(const ForceScene&, int, std::vector<std::uint64_t>& ids) override { ids.clear(); }
  void advance(const ForceScene& scene, const ContactMemory& before, ContactMemory& now,
               ContactMemory& after) override;
  bool has_impacts() const override { return true; }
  bool holds() const override { return wants_factor() || !stack_.empty(); }
  bool wants_factor() const override { return options_.friction.kind == FrictionKind::linear; }
  void hold(const ForceScene& scene, std::span<const double> u, std::span<const double> u_rate,
            std::vector<ContactForce>& out) override;
  int choose_parts(const ContactMemory& memory) override {
    gains_.parts().choose(
        memory,
        {.width = pair_width() + frame_width(), .load = kLoadSlot, .storeys = kStoreysSlot});
    step_ = gains_.step();
    return parts();
  }
  int parts() const override { return gains_.parts().count(); }
  // Static friction by A x = b is one answer for all contacts: what scales one pair down leaves the
  // others unbalanced, and a robot that drove was thrown up.
  bool keeps_accounts() const override { return recovers() && !wants_factor(); }
  bool recovers() const override { return gains_.all_free(); }
  bool keeps_account(const Patch& patch) const override {  // as spread_forces.h
    return carried_.storeys(patch.geom_a, patch.geom_b) == 1;
  }
  std::vector<std::string> warnings() const override {
    return gains_.parts().with_overload(warnings_);
  }

  static constexpr double kStable = 3.6, kLeastDamping = 0.05;
  static constexpr double kLoads = 4;  // times its own weight, for what is touched by several
  // The sum lags behind by 1 / (1 - lambda) steps, and what lags pumps: as damping of
  // -k_i h / (1 - lambda)^2. No more than this part of k_v.
  static constexpr double kLag = 0.25;
  static constexpr int kLoadSlot = 3 + kLayerWidth, kStoreysSlot = kLoadSlot + 1;

 private:
  // A pair of geoms that overlaps.
  struct Touching {
    PairKey bodies = 0;
    int patch = 0, begin = 0, end = 0;  // points
    Gains gains;
    double kt = 0, kvt = 0;     // N/m, N s/m: along the surface
    double area = 0;            // m^2
    double load = 0, part = 0;  // N; of what its bodies press each other with
    double most_damping = 0;    // N s/m
    double settles = 0;         // N s/m, of dampers of stacks (stack_dampers.h)
  };
  // Touching pairs of the same two bodies.
  struct Bodies {
    int begin = 0, end = 0;
    double sum = 0, deepest = 0;  // I, max d
    double area = 0;              // m^2, of all surfaces
  };
  struct Weighed {
    double depth = 0, area = 0, share = 0, speed = 0;  // speed: parting, along the normal
    double pressed = 0;                                // its part of the load
  };

  // Pairs with few points (keep_few): how many a pair may have, and what stays of points_ and
  // weighed_; of one pair all places, pressures and areas.
  struct Few {
    PairNumber most;
    FewestPoints chooser;
    std::vector<LayerPoint> points = {};
    std::vector<Weighed> weighed = {};
    std::vector<Vec3> places = {};
    std::vector<double> pressed = {}, areas = {};
  };

  void find_points(const ForceScene& scene, const ContactMemory& memory);
  void group_by_bodies(const ForceScene& scene, const ContactMemory& memory);
  void choose_gains(const ForceScene& scene, const ContactMemory& memory);
  void keep_few(const ForceScene& scene);
  void keep_few_of(Touching& touching, int most, double sum);
  double pressure(const Touching& t, const Weighed& x, double sum) const {  // of eq. 3
    return t.gains.kp * x.depth - t.gains.kv * x.speed + t.gains.ki * sum;
  }
  void find_loads(const ForceScene& scene, const ContactMemory& memory);
  void take_off_rolling(const PairView& pair, const Touching& t);
  void fit_to_step(const ForceScene& scene, const Bodies& bodies);
  Gains gains_of(int geom_a, int geom_b, double loads, double load) const;
  LayerContact contact_of(const PairView& pair, const Touching& t) const;
  void find_stacks(const ForceScene& scene);
  void hold_friction(const ForceScene& scene, std::span<const double> u,
                     std::span<const double> u_rate, std::vector<ContactForce>& out);

  MultipointOptions options_;
  GainTable gains_;
  std::vector<std::string> warnings_;
  double step_;
  BottomSurface surface_;
  Few few_;
  HeldFriction held_;
  CarriedLoads carried_;
  StackDampers stack_;
  bool loads_known_ = false;  // advance() has found them

  std::vector<Touching> touching_;  // by bodies, then by patch
  std::vector<Bodies> bodies_;
  std::vector<LayerPoint> points_;
  std::vector<Weighed> weighed_;  // of points_
  std::vector<int> neighbours_;   // of each tree: how many bodies press it
  std::vector<Friction> friction_;
  std::vector<std::pair<int, int>> in_order_;  // patch, touching
};

std::unique_ptr<ForceModel> make_multipoint(const Model& model, const Collider& collider,
                                            const ContactSettings& settings);

}  // namespace abut
