// Time stepping by complementarity: contacts, joints, limits and dry friction as one problem in
// impulses, solved for the velocities at the end of the step (Stewart and Trinkle; Anitescu and
// Potra; Cline and Pai, eqs 7, 8, 15 with the signs of C-E1; Williams, Lu and Trinkle, eqs 25 to
// 28).
//
//   M (u' - u_free) = J' p
//   joints     J u' + driven = 0
//   limits     0 <= J u' + gap / h perp p >= 0          (st, none; ap: those that are met, J u')
//   friction   |p| <= h frictionloss, against J u'      of joints and tendons
//   inertia    J u' + p / inertia = J u                 armature and damping in maximal coordinates
//   contacts   w_n = J_n u' + driven + b_n,   0 <= w_n perp p_n >= 0, friction in its cone
//
// st   b_n = max(psi, 0) / h: a gap may close in the step, not more (one of less than 1e-10 of the
//      size is none: rounding makes those). Contacts ahead of the motion
//      belong to it. Overlap is left to the stabiliser (`recover` velocity: psi / h, as printed).
// ap   b_n = 0, for contacts within the contact tolerance: gaps do not shrink there. Always has a
//      solution. A pair that pressed in the last step stays in the problem while it can still
//      touch, with b_n = psi / h beyond the tolerance: else a foot that lifts by more than that in
//      a step would fall freely in the next.
//
// baraff b_n = h psi'' instead, for contacts within the tolerance that do not part (baraff.h);
// those
//      that part as ap has them.
//
// quasirigid  b_n = e psi / h, and c on the diagonal: springs and dampers at the end of the step.
//
// Nothing bounces here: impacts come before the step (impact/impact_set.h), and the step of st ends
// where the next one is (contacts_ahead.h).
//
// Islands are solved apart, each from the impulses of the step before (State's contact memory).
#pragma once

#include <span>
#include <vector>

#include "abut/constrain/rows/constraint_rows.h"
#include "abut/constrain/rows/equality.h"
#include "abut/constrain/rows/equality_acceleration.h"
#include "abut/constrain/rows/islands.h"
#include "abut/constrain/rows/joint_rows.h"
#include "abut/constrain/rows/step_contacts.h"
#include "abut/constrain/step/contact_solvers.h"
#include "abut/constrain/step/solve_report.h"
#include "abut/constrain/step/step_moment.h"
#include "abut/constrain/step/step_settings.h"
#include "abut/solve/cone/pyramid.h"
#include "abut/solve/factored/formed_problem.h"
#include "abut/solve/solver.h"

namespace abut {

// What an acceleration-level problem has beside J u_free (baraff.h).
struct AccelerationTerms {
  std::span<const double> gap = {};   // k of psi'' = J u' + k, one a point of the contact data
  std::span<const double> lift = {};  // part of u_free that the rows of contacts are not to see
  bool joints = false;                // joints by their accelerations too, as in a stage of rk4
  // Contacts by velocities instead: what would overlap at the end of the step comes no nearer.
  bool velocities = false;
  // Of contacts with compliant layers (quasirigid.h), one a point: b_n (m/s), and what is added to
  // the diagonal of A (1/kg).
  std::span<const double> yield = {}, softness = {};
  // One a patch, or empty: the patches whose contacts take part (contacts_ahead.h).
  std::span<const std::uint8_t> used = {};
};

class TimeStepping {
 public:
  // `sizes`: L of each geom (m).
  TimeStepping(const Model& model, const StepSettings& settings, std::vector<double> sizes);
  // For a model whose settings decide it.
  void set_gaps(GapRule gaps) { settings_.gaps = gaps; }

  // `change` is what constraints add to u_free. Wants positions(), velocities(), and factor()
  // with the damping that u_free has.
  void solve(double h, const State& state, const Input& input, const Derived& d,
             const ContactData& data, std::span<const double> u_free, std::span<double> change,
             const AccelerationTerms& terms = {}) {
    solve(h, {state, input, d}, nullptr, data, u_free, change, terms);
  }
  // With rows and gaps about another moment than the start, if there is one; `data` is of that
  // moment. It wants positions() and factor() there.
  void solve(double h, const StepMoment& start, const Around* around, const ContactData& data,
             std::span<const double> u_free, std::span<double> change,
             const AccelerationTerms& terms = {});

  // Last step's: contacts, and impulse (N s) of each in world axes, on B.
  const std::vector<Contact>& contacts() const { return contacts_.contacts(); }
  const std::vector<Vec3>& impulses() const { return impulses_; }
  // Per contact: the speed (m/s) at which its two points part along the normal if bodies move
  // with u.
  void partings(std::span<const double> u, std::vector<double>& out);
  // Numbers that a point has in State's contact memory: its impulse.
  static constexpr int kPointMemory = 3;
  // Last step's impulses of joints, limits and dry friction, behind the pairs of the memory.
  void remember_joints(ContactMemory& memory) const;
  // The last step's rows, what belongs together among them, and the impulse of each.
  const ConstraintRows& rows() const { return rows_; }
  const Islands& islands() const { return islands_; }
  std::span<const double> row_impulses() const { return p_; }
  const SolveReport& report() const { return report_; }
  // What the contacts' impulses did to the movers (J): p . J (u + u') / 2, from the velocities
  // before the step to those after it. Negative where friction and impacts took energy.
  double work() const { return work_; }
  // The same from what the forces of the step lead to: p . J (u_free + u') / 2. Never positive, but
  // for what asks for it: overlap that pushes, driven bodies. A body that rests has lost here what
  // gravity gave it in the step.
  double work_on_free() const { return work_on_free_; }
  // Of the change, in the metric of the masses (J): 1/2 (u' - u_free)' M (u' - u_free).
  double motion() const { return motion_; }
  ContactSolvers& solvers() { return solvers_; }

 private:
  double size_of(const Patch& patch) const;  // m
  double tolerance_of(const Patch& patch) const;
  bool pressed(const ContactMemory& memory, const Patch& patch) const;
  void add_bias(double h, const StepMoment& start, const Around* around, const ContactData& data,
                const AccelerationTerms& terms);
  void set_bounds(double h);
  void add_accelerations(double h, const State& state, const Input& input, const Derived& d);
  void recall(const ContactMemory& memory, const ContactData& data);
  void recall_joints(const ContactMemory& memory);
  void note_joint_keys();
  void add_up_work(std::span<const double> u_free, std::span<const double> change);
  void solve_island(std::span<const int> groups);
  void solve_problem();

  const Model& model_;
  StepSettings settings_;
  std::vector<double> sizes_;
  StepContacts contacts_;
  EqualityRows equalities_;
  JointRows joints_;
  EqualityAcceleration accelerations_;
  ConstraintRows rows_;
  Islands islands_;
  ContactSolvers solvers_;
  Pyramid pyramid_;
  Problem problem_;
  FormedProblem formed_;  // for pyramids
  Answer answer_;
  VectorX z_;  // of the island
  SolveReport report_;
  std::vector<int> contact_of_group_;  // -1: a joint's
  std::vector<double> b_, p_, before_, u_, k_;
  std::vector<double> lo_, hi_;         // of the rows of joints, which come before all contacts
  std::vector<double> softness_;        // of the same rows: on the diagonal
  std::vector<double> layer_softness_;  // one a contact with a layer, on that of the normal row
  std::vector<Vec3> impulses_;
  std::vector<PairKey> joint_keys_;  // of the groups of joints, which come first; ascending
  std::vector<double> last_;         // warm start, one a row
  std::vector<double> after_;        // J u', one a row
  std::vector<double> ahead_;        // J change of Around, one a row
  double work_ = 0, work_on_free_ = 0, motion_ = 0;
};

}  // namespace abut
