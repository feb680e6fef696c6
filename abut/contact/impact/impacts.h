// Impacts, pair by pair: impulses that end the approach of two solids where they meet (D-2,
// D-3; Drumwright, III and the sequential method of Baraff with friction as in Moore and Wilhelms,
// Hahn, and Guendelman). Velocities change, positions do not.
//
// Each pair is hit at the centroid of its contact surface: the area of the polygon that its points
// make (D-E9), else their mean. There Coulomb's law holds with Newton's, Poisson's or Stronge's
// restitution (impact_law.h), e = 0 below bounce_speed() (impact_set.h). Points of the surface that
// still come nearer are hit one by one, by the same law. What approaches fastest is hit first,
// until nothing approaches, as the pairs disturb each other. No hit gains energy, and none loses
// any where e = 1 and nothing rubs. After `rounds` hits for each place all e are 0, and exhausted()
// says so.
//
//   abut::Impacts impacts(model);
//   if (impacts.resolve(h, data, within, false, input, d, u)) ..
#pragma once

#include <span>
#include <vector>

#include "abut/collide/contact_data.h"
#include "abut/collide/manifold/planar_set.h"
#include "abut/constrain/rows/constraint_rows.h"
#include "abut/constrain/rows/material.h"
#include "abut/contact/penalty/force_law.h"
#include "abut/contact/settings.h"
#include "abut/math/block_rows.h"
#include "abut/model/input.h"
#include "abut/solve/problem.h"

namespace abut {

class Impacts {
 public:
  explicit Impacts(const Model& model);

  struct Options {
    double tolerance = 0;       // of the pair's size: points as near as this touch
    bool frictionless = false;  // whatever the materials say
    RestitutionLaw law = RestitutionLaw::newton;
    int rounds = 100;  // hits for each place, at most, before all e are 0
    // Points that would be deeper than this part of the size at the end of the step count too.
    double ahead = kInfinity;
    // One a patch, or empty: pairs that rest, which take part once an impulse has reached one of
    // the two from elsewhere (D-1).
    std::span<const std::uint8_t> resting = {};
  };
  // u (solver_velocity.h) to after all impacts; true if there were any. `sizes`: L of each geom.
  // Wants positions() and velocities() in d, and factor() if there are trees that are no free
  // bodies.
  bool resolve(double h, const ContactData& data, std::span<const double> sizes,
               const Options& options, const Input& input, const Derived& d, std::span<double> u);

  // Whether the two come nearer to each other somewhere where they touch. Wants velocities() in d.
  bool approaches(double h, const ContactData& data, const Patch& patch,
                  std::span<const double> sizes, const Options& options, const Input& input,
                  const Derived& d) const;

  // Of the last: what the impulses did to the movers (J), never positive.
  double work() const { return work_; }
  int hits() const { return hits_; }
  bool exhausted() const { return exhausted_; }
  // The impulses (N s in place of N) that were needed, ascending by patch, with what they took (J).
  std::span<const ContactForce> impulses() const { return impulses_; }

 private:
  struct Place {
    int group = 0;
    double mu = 0, restitution = 0;
    double taken = 0;    // J: by its impulses
    double slow = 0;     // m/s: approaches below this are none
    double bounces = 0;  // m/s: approaches above this bounce
    Vec3 driven = Vec3::Zero();
    int patch = 0;
    Vec3 position = Vec3::Zero();
    Mat3 frame = Mat3::Identity();
  };
  void add_place(const ContactData& data, int patch, const Vec3& p, const Material& material,
                 double slow, const Input& input, const Derived& d);
  Vec3 centroid(const ContactData& data, const Patch& patch, double L);
  Place* next_place();
  double approach(const Place& place) const;
  bool hit(Place& place, RestitutionLaw law, bool plastic);
  double slow(double h, double L) const;
  // > 0: they part there (m/s).
  double parting(const ContactData& data, const Patch& patch, int point, const Input& input,
                 const Derived& d) const;

  const Model& model_;
  Materials materials_;
  ConstraintRows rows_;
  BlockRows A_;
  std::vector<Place> places_;
  std::vector<ContactForce> impulses_;
  std::vector<double> w_, p_;
  std::vector<std::uint8_t> asleep_;  // patches that no impulse has reached
  std::vector<int> near_;             // points of a patch that touch
  std::vector<Vec2> flat_;
  PlanarSet surface_;
  double work_ = 0;
  int hits_ = 0;
  bool exhausted_ = false;
};

}  // namespace abut
