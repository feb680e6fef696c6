// HeldFriction: static friction by the linear system A x = b (Drumwright, III-B; D-13 e). A and
// b are those of an LCP method: A = J M^-1 J' over the tangential rows of all contacts; b holds the
// accelerations of the contact points under all other forces, and those that stop the points within
// the step. The solution x is the friction that prevents all slip, for all bodies at once. The system
// is dense, and suits few contacts, such as wheels and feet.
//
// The contacts of one robot are redundant and A is singular: two wheels can share a force along their
// axle in many ways. Among all solutions x the one with the least sum of x_i^2 / (mu F_n)_i is used,
// so that each contact takes a share by its load. Without this choice, noise along the null space
// exceeds the limits of contacts that carry nothing: a standing robot was thrown up by 40 m.
//
// A contact has three rows: the two directions of its plane at the centre of its load, and rotation
// about its normal unless the contact is a point. A contact slips if it needs more than
//
//   (f / mu F_n)^2 + (c / mu F_n r)^2 = 1        r: mean distance of the load from its centre
//
// It slips first about its normal only, with the couple that its tangential force leaves within the
// limit; then in all directions, with the limit as its force. The other contacts are then solved again.
//
//   held.begin(d);
//   held.add(contact);                          // numbered from 0
//   held.solve(h, u, u_rate);
//   use(held.force(0), held.couple(0));
#pragma once

#include <Eigen/Eigenvalues>
#include <span>
#include <vector>

#include "abut/constrain/rows/constraint_rows.h"
#include "abut/math/block_rows.h"

namespace abut {

struct HeldContact {
  int body_a = 0, body_b = 0;
  Vec3 position = Vec3::Zero(), normal = Vec3::Zero();  // world; unit, from A to B
  double load = 0, mu = 0;                              // F_n (N)
  double arm = 0;                                       // r (m)
  Vec3 driven = Vec3::Zero();  // m/s: of B's point less A's, by bodies that are driven
  double driven_turn = 0;      // rad/s, about the normal
};

class HeldFriction {
 public:
  explicit HeldFriction(const Model& model) : rows_(model) {}

  void begin(const Derived& d);
  void add(const HeldContact& contact);
  // u (m/s), u_rate (m/s^2): velocities and accelerations of the bodies without static friction, in
  // solver coordinates (solver_velocity.h). Needs factor().
  void solve(double h, std::span<const double> u, std::span<const double> u_rate);

  const Vec3& position(int contact) const {
    return held_[static_cast<std::size_t>(contact)].contact.position;
  }
  Vec3 force(int contact) const;     // N, on B
  double couple(int contact) const;  // N m, on B about the normal
  bool slips(int contact) const { return held_[static_cast<std::size_t>(contact)].slips; }

 private:
  struct Held {
    HeldContact contact;
    Mat3 frame = Mat3::Identity();  // normal, and the plane's directions
    int rows = 2;
    bool turns = false, slips = false;  // about the normal; in all its rows
    bool holds(int row) const { return !slips && !(row == 2 && turns); }
  };
  bool solve_held();
  bool share(int rows);
  bool let_slip();

  ConstraintRows rows_;
  BlockRows A_;
  std::vector<Held> held_;
  std::vector<double> b_, x_, rate_;
  std::vector<double> dense_, right_;
  VecX scale_, y_;
  Eigen::SelfAdjointEigenSolver<MatX> eigen_;
  std::vector<int> index_;  // of each row among those that hold; -1: slips
};

}  // namespace abut
