// StackDampers: implicit dampers between bodies that lie on each other, in addition to the explicit
// dampers of a penalty model. Explicit damping is limited to about m / h, with the mass m of a single
// body (step_budget.h). But a tower sways with its whole mass: four slender blocks lose only a third of
// that motion in a second. Implicit dampers, which are solved for all bodies together, have no such
// limit.
//
// A contact has three rows, the speed w along its normal and tilting about the two directions of
// its plane, and impulses p in them. With D what the dampers resist,
//
//   p = -h D w+,   w+ = J u+,   u+ = u_free + M^-1 J' p
//
// minimises ½ p' (J M^-1 J' + (h D)^-1) p + p' J u_free. Sweeps over the contacts begin at p = 0 and
// lower this function one contact at a time. Wherever its value is not positive the impulses have
// removed kinetic energy, so that the sweeps may end at any time. Bodies at rest have no such forces;
// their sag does not change.
//
// Dampers never pull: the sum of damper and spring acts inside the contact's shadow (H-E7).
//
//   dampers.begin(h);
//   dampers.add(contact, scene);
//   dampers.solve(d, u, u_rate, forces);
#pragma once

#include <span>
#include <vector>

#include "abut/contact/penalty/force_law.h"

namespace abut {

// Between free bodies, or one and what is fixed or driven.
struct StackContact {
  int patch = 0;
  Vec3 center = Vec3::Zero(), normal = Vec3::Zero();  // world; unit, from A to B
  Mat3 second = Mat3::Zero();                         // m^2, about the center, of the shadow
  Mat3 tilting = Mat3::Identity();                    // what of a turn tilts it (rolling.h)
  double damping = 0;                                 // N s/m, along the normal
  double rocking = 1;                                 // tilting is resisted this many times as much
  Vec3 moment = Vec3::Zero();                         // N m, about the center: of what presses
  double load = 0;                                    // N
};

class StackDampers {
 public:
  explicit StackDampers(const Model& model);

  void begin(double h);
  void add(const StackContact& contact, const ForceScene& scene);
  bool empty() const { return contacts_.empty(); }
  // u (m/s), u_rate (m/s^2): velocities and accelerations under all other forces, in solver coordinates
  // (solver_velocity.h). Appends one force for each contact to `out`, in the order of the contacts.
  void solve(const Derived& d, std::span<const double> u, std::span<const double> u_rate,
             std::vector<ContactForce>& out);

  static constexpr int kSweeps = 8;    // at most
  static constexpr double kTimes = 8;  // as strong as a model's own

 private:
  struct Side {
    int link = -1;
    double sign = 0;
    Vec3 turn = Vec3::Zero();  // of a unit impulse along the normal
    Eigen::Matrix<double, 3, 2> tilt = Eigen::Matrix<double, 3, 2>::Zero();
    Vec3 arm = Vec3::Zero();  // r x n
    double inverse_mass = 0;
  };
  using Mat2 = Eigen::Matrix2d;
  struct Solved {
    StackContact contact;
    Eigen::Matrix<double, 3, 2> plane;  // directions
    Side side[2];
    double soft = 0, along = 0;  // 1 / (h c), and what a unit impulse does
    Mat2 dampers, tilts, solve;
    Mat2 shadow;  // y' shadow y <= reach P^2
    double reach = 0, arm = 0;
    Vec2 moment = Vec2::Zero();  // impulse of what presses
    Vec3 driven = Vec3::Zero();
    Vec3 p = Vec3::Zero();
  };
  void prepare(const Derived& d, Solved& c) const;
  double sweep(Solved& c);
  void apply(const Solved& c, double along, const Vec2& tilt);

  const Model& model_;
  double h_ = 0;
  std::vector<Solved> contacts_;
  std::vector<Vec3> velocity_, turning_;  // of links
};

}  // namespace abut
