// HeldFriction: static friction by the linear system A x = b (Drumwright, III-B; D-13 e). A and
// b are those of an LCP method: A = J M^-1 J' over the tangential rows of all contacts, b the
// acceleration that all other forces give their points, and what stops them within the step. x is
// then the friction that holds everything still, across all bodies at once. It costs what a dense
// system costs, and is for wheels and feet.
//
// Contacts of one robot are redundant, and A is singular: two wheels share a force along their axle
// in any way. Of all x that hold, that of the least sum of x_i^2 / (mu F_n)_i is taken, so that each
// contact has a part by its load. Else noise along the null space passes the limits of contacts that
// nothing pulls: a robot that stood was thrown up by 40 m.
//
// A contact has three rows: the two directions of its plane at the middle of its load, and turning
// about its normal if it is more than a point. What would take more than
//
//   (f / mu F_n)^2 + (c / mu F_n r)^2 = 1        r: mean distance of the load from its middle
//
// slips: first about its normal, with what the force along the plane leaves of the limit, then in
// all. It has that much, and the others are solved for again.
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
  // u (m/s), u_rate (m/s^2): of the movers, as solvers speak them (solver_velocity.h), without the
  // friction that is looked for. Wants factor().
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
