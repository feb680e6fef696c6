// StepModes: what each contact, limit and dry joint did in a step: held, slid, or did not act; and why
// there is no derivative where that may change.
//
//   contact  free       w_n > 0, P = 0
//            sticks     v = -b n                         P free
//            slides     n . v = -b,  P = p_n (n - mu s)  s = v_t / |v_t|
//            pushes     n . v = -b,  P = p_n n           no friction
//   joint    held       j . u' = -b                      limits that push, dry friction that holds
#pragma once

#include <string>
#include <vector>

#include "abut/simulate/derive/contact_slopes.h"
#include "abut/simulate/simulator.h"

namespace abut {

enum class ContactMode { sticks, slides, pushes };

struct HeldContact {
  ContactMode mode = ContactMode::sticks;
  std::string pair;  // names of the geoms
  int body_a = 0, body_b = 0;
  ContactFeature feature;
  Vec3 position, normal, impulse;  // impulse (N s) on B
  Vec3 velocity;                   // m/s, of B's point less A's, at the end
  double friction = 0;
  double b = 0, b_by_psi = 0;  // n . v = -b; db/dpsi, of a gap that is zero as if open
  bool closed = false;         // the gap is zero: it may open or overlap
};

struct HeldJoint {
  VecX j;  // one a dof
  double b = 0;
  double b_by_gap = 0;  // of a limit; b = b_by_gap gap
  bool closed = false;
};

class StepModes {
 public:
  // Of the last step of the simulator, from `start`. u: velocities at its end, in solver coordinates.
  StepModes(Simulator& simulator, const State& start, const VecX& u);

  // Why there is none; empty: there is.
  const std::string& why_not() const { return why_not_; }
  // Why the modes may change; empty: they stand still.
  const std::string& border() const { return border_; }
  const std::vector<HeldContact>& contacts() const { return contacts_; }
  const std::vector<HeldJoint>& joints() const { return joints_; }
  // What touches and does not press: with a parting of zero.
  const std::vector<HeldContact>& touching() const { return touching_; }
  const std::vector<HeldJoint>& touching_limits() const { return touching_limits_; }

 private:
  void add_contacts(const VecX& u);
  void add_left_out(const State& start, const VecX& u);
  void add_contact(const ContactData& data, const Contact& contact, const Vec3& impulse,
                   const VecX& u);
  void add_limits(const VecX& u);
  void add_dry_joints(const VecX& u);
  void settle(HeldContact& held, double parting, double slip);
  VecX row(int index) const;

  Simulator& simulator_;
  const Model& model_;
  StepSettings settings_;
  double speed_ = 0, impulse_ = 0;  // largest of the step
  std::string why_not_, border_;
  std::vector<HeldContact> contacts_, touching_;
  std::vector<HeldJoint> joints_, touching_limits_;
};

// Velocity of B's point at p_W less that of A's, per unit of each u: 3 rows.
Eigen::Matrix3Xd relative_jacobian(const Model& model, const Derived& d, int body_a, int body_b,
                                   const Vec3& p_W);

}  // namespace abut
