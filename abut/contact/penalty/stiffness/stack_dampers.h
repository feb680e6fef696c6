// StackDampers: dampers between bodies that lie on each other, taken implicitly, beside those of a
// penalty model. Explicit ones can have m / h or so, m the mass of a single body (step_budget.h).
// A tower that sways moves with all its mass: four slender blocks lose a third of that motion in a
// second, and need many to come to rest. Dampers that may look at all bodies at once have no such
// limit.
//
// A contact has three rows, the speed w along its normal and tilting about the two directions of
// its plane, and impulses p in them. With D what the dampers resist,
//
//   p = -h D w+,   w+ = J u+,   u+ = u_free + M^-1 J' p
//
// makes ½ p' (J M^-1 J' + (h D)^-1) p + p' J u_free least. Sweeps over the contacts from p = 0
// lower it one contact at a time, and wherever it is not positive kinetic energy has been lost, so
// that they may end at any time. What is at rest has no such forces, and sags as it did.
//
// Never a pull: with what else presses there (H-E7) the force stays within the shadow.
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
  // u (m/s), u_rate (m/s^2): as solvers speak them (solver_velocity.h), of all that acts otherwise.
  // Appends to `out`, a force a contact in their order.
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
