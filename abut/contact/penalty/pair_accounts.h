// PairAccounts: an energy account for each pair of a penalty model. No pair returns more energy than
// its account holds.
//
// Springs in discrete time do not conserve energy: a solid is inside another before the springs have
// done any work, a spring pushes for a whole step although the two solids separate within the step, and
// forces that are spread over a volume have no potential at all. So each pair has an account E (J), kept
// in State's contact memory. With U the potential energy of its springs (ContactForce::energy) and
// W the work that its forces do on the bodies in a step,
//
//   E  = min(B, S + 15/16 (B - S))   at the start of the step, S = U + h/2 max(f . u, 0)
//   B' = E - W                       at its end
//
// h/2 f . u is the work of half a step: semi-implicit Euler conserves the energy that the springs had
// half a step ago (leapfrog). The energy that dampers and friction remove is added to B. A sixteenth of
// the energy above S becomes heat in each step. The account stays open while the solids overlap.
//
// The account is U for pairs that the model exempts (ForceModel::keeps_account), and for convex parts of
// one geom: a body that slides over a seam passes from one spring to the next.
//
// The account of a pair that begins to touch is 0, or the energy that impulses of impacts removed from
// the pair; in the first step of a State it is U. Where W would be more than E, all forces of the pair
// are scaled down by one factor (limit). The forces remain equal and opposite, at the same points and
// within the friction cone, so that momentum is conserved. A pair whose account is empty can still
// carry load: any force with p (u + u') <= 0 is allowed, which stops every approach.
//
// W. For a free body, W is the change of the body's energy less the work of all other forces. This
// includes the error of gravity over a step (semi-implicit Euler falls too far by h^2 g / 2). The
// contacts of the body share W by their forces. So kinetic + potential energy + sum of B never grows
// for free bodies. For links of robots, and in worlds with loop joints, W is the work of the contact
// forces only.
//
//   accounts.open(h, fresh, law, state, scene, forces, impulses);  // E
//   accounts.limit(scene, tau, u, u_rate, forces);            // scales forces down
//   accounts.close(state, after);                             // B
#pragma once

#include <span>
#include <vector>

#include "abut/contact/penalty/force_law.h"
#include "abut/model/state.h"

namespace abut {

class PairAccounts {
 public:
  explicit PairAccounts(const Model& model);

  // `forces`: the contact forces at the start of the step, with the energies of the springs.
  // `impulses`: those of impacts before the step, each with the energy that it removed. `fresh`: there
  // is no memory, and each account begins with the energy of the pair's springs. state.contacts has
  // the pairs.
  void open(double h, bool fresh, const ForceModel& law, const State& state,
            const ForceScene& scene, std::span<const ContactForce> forces,
            std::span<const ContactForce> impulses);
  // Scales down the forces of pairs whose work would exceed their accounts; returns whether there were
  // such pairs. `tau`: all other forces, in v's coordinates; u, u_rate: velocities and accelerations of
  // the bodies under all forces, in solver coordinates (solver_velocity.h).
  bool limit(const ForceScene& scene, std::span<const double> tau, std::span<const double> u,
             std::span<const double> u_rate, std::span<ContactForce> forces);
  double scale(int patch) const { return pairs_[static_cast<std::size_t>(patch)].scale; }
  // After the move: the last value of each pair of `after`.
  void close(const State& end, ContactMemory& after);
  // The same where forces are not limited: pairs have what their springs stored at the start.
  void close_as_stored(ContactMemory& after);

  // J: of all pairs, at the start of the step and at its end.
  double at_start() const { return at_start_; }
  double at_end() const { return at_end_; }

  static constexpr int kSweeps = 8;           // over pairs that would do too much
  static constexpr double kKept = 15.0 / 16;  // of what dampers took, from step to step

 private:
  struct Side {
    int link = -1;  // -1: fixed or driven
    bool free = false;
    double sign = 0;
    Vec3 arm = Vec3::Zero();  // from the centre of mass of a free body to the pair's point
    Spatial start, end;       // motion of the pair's point; the end's, unless the body is free
    Spatial response;         // of a free body at its centre of mass, to the pair's impulse
    double share = 0;         // of all that contacts push the body by
  };
  struct OfPair {
    double potential = 0, energy = 0, work = 0, scale = 1;
    bool pushes = false, open = false, limited = false;
    Vec3 point = Vec3::Zero();                         // where its forces are summed up
    Vec3 force = Vec3::Zero(), couple = Vec3::Zero();  // N, N m: on B
    Side side[2];
    double own = 0;    // J: of its impulse on bodies at rest
    double sinks = 0;  // J: what bodies gain by falling h v' when it pushes
  };
  struct OfLink {
    bool touched = false;
    double energy = 0;              // J: kinetic and potential, at the start
    double work = 0, pushed = 0;    // J, N: of its contacts
    Vec6 elsewhere = Vec6::Zero();  // forces, in v's coordinates
    Vec6 v_start = Vec6::Zero();
    Vec3 com = Vec3::Zero();                               // at the start
    Vec3 before = Vec3::Zero();                            // its velocity at the start
    Vec3 velocity = Vec3::Zero(), turning = Vec3::Zero();  // at the end
  };
  void sum_up(const ForceScene& scene, std::span<const ContactForce> forces);
  void touch(const ForceScene& scene, const State& state, OfPair& pair, int body_a, int body_b);
  double energy_of(const State& state, int link) const;
  Spatial end_motion(const Side& side) const;
  double work_on(const OfPair& pair, int side) const;
  double work_of(const OfPair& pair) const { return work_on(pair, 0) + work_on(pair, 1); }
  double fall_of(const OfPair& pair) const;
  void scale_down(OfPair& pair, double work, double fall);

  const Model& model_;
  bool has_loops_ = false;
  double h_ = 0;
  std::vector<OfPair> pairs_;  // one a patch
  std::vector<OfLink> links_;
  std::vector<int> touched_;
  double at_start_ = 0, at_end_ = 0;
};

}  // namespace abut
