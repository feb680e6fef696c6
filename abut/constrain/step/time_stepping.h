// Time stepping by complementarity: contacts, joints, limits and dry friction as one problem in
// impulses, solved for the velocities at the end of the step (Stewart and Trinkle; Anitescu and
// Potra; Cline and Pai, eqs 7, 8, 15 with the signs of C-E1; Williams, Lu and Trinkle, eqs 25 to
// 28).
//
//   M (u' - u_free) = J' p
//   joints     J u' + driven = 0
//   limits     0 <= J u' + gap / h perp p >= 0          (st, none; ap: J u' of limits that are reached)
//   friction   |p| <= h frictionloss, against J u'      of joints and tendons
//   inertia    J u' + p / inertia = J u                 armature and damping in maximal coordinates
//   contacts   w_n = J_n u' + driven + b_n,   0 <= w_n perp p_n >= 0, friction in its cone
//   turning    |m| <= mu p_n, against the turning of the two   torsional and rolling friction
//
// st          b_n = max(psi, 0) / h: a gap may close in the step, and no more. Contacts that the motion
//             will reach in the step are included. A gap below 1e-10 of the size is rounding and counts
//             as 0. The stabiliser corrects overlap (with `recover` velocity: b_n = psi / h, as printed).
// ap          the same, but only for contacts within the contact tolerance. b_n >= 0, so that the
//             problem always has a solution. A pair that pressed in the last step stays in the problem
//             while it can still touch: otherwise a foot that lifts by more than the tolerance in a step
//             would fall freely in the next.
// baraff      b_n = h psi'', for contacts within the tolerance that do not separate (baraff.h);
//             contacts that separate must not approach again.
// quasirigid  b_n = e psi / h, and c on the diagonal: springs and dampers at the end of the step.
//
// There is no restitution here: impacts are resolved before the step (impact/impact_set.h), and a step
// of st ends at the next impact (contacts_ahead.h).
//
// Each island is solved separately, from the impulses of the last step (State's contact memory):
//
//   StepRows        the rows: J, M^-1 J'
//   RightHandSide   b, bounds
//   RowMemory       the initial guess
//   Islands         sets of rows that are connected
//   IslandPool      solves the islands, on threads
//   IslandSolver    the factored problem of an island, and its solver
//   StepWork        the work of the impulses
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "abut/constrain/rows/islands.h"
#include "abut/constrain/step/island_pool.h"
#include "abut/constrain/step/right_hand_side.h"
#include "abut/constrain/step/row_memory.h"
#include "abut/constrain/step/step_rows.h"
#include "abut/constrain/step/step_work.h"

namespace abut {

class TimeStepping {
 public:
  // `sizes`: L of each geom (m).
  TimeStepping(const Model& model, const StepSettings& settings, std::vector<double> sizes);
  // For a model whose settings decide it.
  void set_gaps(GapRule gaps) { settings_.gaps = gaps; }
  // The time limit of a step, if there is one.
  TimeLimit* limit() { return settings_.limit.get(); }
  void invert_by(InverseBy by) { rows_.invert_by(by); }

  // Called for every pair before its rows are made (contact_change.h).
  void on_contact(ChangeContact change) { rows_.on_contact(std::move(change)); }

  // `change` is what constraints add to u_free. Wants positions(), velocities(), and factor()
  // with the damping that u_free has.
  void solve(double h, const State& state, const Input& input, const Derived& d,
             const ContactData& data, std::span<const double> u_free, std::span<double> change,
             const StepTerms& terms = {}) {
    solve(h, {state, input, d}, nullptr, data, u_free, change, terms);
  }
  // With rows and gaps about another moment than the start, if there is one; `data` is of that
  // moment. It wants positions() and factor() there.
  void solve(double h, const StepMoment& start, const Around* around, const ContactData& data,
             std::span<const double> u_free, std::span<double> change, const StepTerms& terms = {});

  // Last step's: contacts, and impulse (N s) of each in world axes, on B.
  const std::vector<Contact>& contacts() const { return rows_.contacts(); }
  const std::vector<Vec3>& impulses() const { return impulses_; }
  // N m s: couple of each, of torsional and rolling friction.
  const std::vector<Vec3>& couples() const { return couples_; }
  // Per contact: the speed (m/s) at which its two points part along the normal if bodies move
  // with u.
  void partings(std::span<const double> u, std::vector<double>& out);
  static constexpr int kPointMemory = RowMemory::kPointWidth;
  // Last step's impulses of joints, limits and dry friction, behind the pairs of the memory.
  void write_joints(ContactMemory& memory) const { memory_.write_joints(rows_, p_, memory); }
  // The last step's rows, what belongs together among them, and the impulse of each.
  const ConstraintRows& rows() const { return rows_.rows(); }
  const StepRows& step_rows() const { return rows_; }
  const Islands& islands() const { return islands_; }
  std::span<const double> row_impulses() const { return p_; }
  const SolveReport& report() const { return solvers_.report(); }
  // J, of the last step (step_work.h).
  double work() const { return work_.of_contacts(); }
  double work_on_free() const { return work_.on_free(); }
  double motion() const { return work_.motion(); }
  IslandPool& solvers() { return solvers_; }

 private:
  void add_up_impulses();

  const Model& model_;
  StepSettings settings_;
  StepRows rows_;
  RightHandSide rhs_;
  RowMemory memory_;
  Islands islands_;
  IslandPool solvers_;
  StepWork work_;
  std::vector<double> p_;  // one a row
  std::vector<Vec3> impulses_, couples_;
  std::vector<double> rate_;  // scratch of partings()
};

}  // namespace abut
