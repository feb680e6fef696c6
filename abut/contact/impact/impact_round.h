// ImpactRound: one problem of an impact (impact_set.h): contacts that do not part, and joints that
// close loops, solved together from the velocities before it.
//
//   newton, sequential   0 <= v_n+ + e v_n-   perp   p_n >= 0,   friction in its cone
//   poisson              compression: the same with e = 0; expansion: e times its normal impulses,
//                        and one more problem so that nothing approaches
//
// With friction Newton's law may gain energy (Kane and Levinson 1985): all e of the round are then
// lowered by one factor until it does not.
#pragma once

#include <span>
#include <vector>

#include "abut/constrain/rows/constraint_rows.h"
#include "abut/constrain/rows/step_contacts.h"
#include "abut/constrain/step/contact_solvers.h"
#include "abut/contact/settings.h"

namespace abut {

class ImpactRound {
 public:
  // A group of rows that takes part.
  struct Member {
    int group = 0;
    const Contact* contact = nullptr;  // null: a joint
    double restitution = 0;            // 0: does not bounce
  };

  explicit ImpactRound(const ContactSettings& settings);

  // `w`: one a row, relative velocities before the round. `plastic`: nothing bounces.
  void solve(ConstraintRows& rows, std::span<const Member> members, std::span<const double> w,
             bool plastic);

  // Impulses of the last solve(), one a row of all rows.
  std::span<const double> impulses() const { return impulses_; }
  // J: what they did to the movers, never positive.
  double work() const { return work_; }

 private:
  void assemble(ConstraintRows& rows, std::span<const Member> members, std::span<const double> w);
  void solve_with(double factor);
  void solve_problem();
  double gain();

  RestitutionLaw law_;
  ContactSolvers solvers_;
  std::vector<int> groups_;
  Problem problem_;
  Answer answer_;
  std::vector<double> restitution_;  // one a row of the problem; 0 but in normal rows that bounce
  VectorX start_, z_, Az_;           // w before; impulses; A z
  std::vector<double> impulses_;
  double work_ = 0;
};

}  // namespace abut
