// The subproblem of Williams, Lu and Trinkle as it is printed, (25) to (32), with the blocks of
// (29) put right (P-E1, P-E9): one mixed complementarity problem for U, I, X, friction and joints
// together.
//
//   y_k = psi_k / h + G_k' u'                      of a contact: its gap at the end, over h
//
//   joints   J u' = 0                                               perp lambda, free
//   U        y >= 0                                                 perp p
//   I, X     gamma_k = y_1 - y_k + c_2 + .. + c_k >= 0              perp c_k >= 0, k = 2 .. N
//            eps = y_1 + c_2 + .. + c_N - e >= 0                    perp e >= 0
//   I        delta_i = y_i + d_i >= 0                               perp d_i >= 0, i of iota
//            rho_i = y_1 + c_2 + .. + c_N + d_i >= 0                perp p_i >= 0
//   friction sigma_j = D_j' u' + s >= 0                             perp beta_j >= 0
//            zeta = mu p - sum of beta >= 0                         perp s >= 0
//
// y_1 + sum of c is the greatest y (P-21): eps asks for some gap that is not negative, rho lets
// a contact press only where its own is zero and the greatest. Edges that may press have no
// constraint of their own in (21) and (24): they get delta and rho with y alone.
//
// The problem has several solutions, and none that Lemke's method finds (P-N1):
// `abut run WORLD --contact peg-paper --friction pyramid --solver lmmcp` searches them by LMMCP
// from several starts, in place of branching.
//
//   abut::PrintedProblem printed(model, settings);
//   const abut::Problem& p = printed.assemble(h, start, set, contacts, u_free);
//   for (const abut::VectorX& z : abut::lmmcp_solutions(p)) printed.pressed(z, which);
#pragma once

#include <span>
#include <vector>

#include "abut/constrain/step/time_stepping.h"
#include "abut/contact/complementarity/feature_constraints.h"
#include "abut/contact/settings.h"

namespace abut {

class PrintedProblem {
 public:
  PrintedProblem(const Model& model, const ContactSettings& settings);

  // `contacts` has a patch of one point for each contact of the set, in its order. Wants
  // positions() and factor().
  const Problem& assemble(double h, const StepMoment& start, const FeatureConstraints& set,
                          const ContactData& contacts, std::span<const double> u_free);

  const Problem& problem() const { return problem_; }  // last
  // Of a solution: the contacts that press, ascending; the motion (J).
  void pressed(const VectorX& z, std::vector<int>& out) const;
  double motion(const VectorX& z) const;
  // All unknowns from the impulses of the contacts (N s, along their normals, one a contact of the
  // set): the slacks have a closed form (P-21). Without joints and friction.
  VectorX complete(const FeatureConstraints& set, std::span<const double> impulses) const;

 private:
  struct Slacks {                   // of a constraint
    int first_c = 0, e = 0, d = 0;  // d: of its first iota
  };
  void name_unknowns(const FeatureConstraints& set);
  void add_row(int row, const Eigen::VectorXd& of_rows);

  const Model& model_;
  const ContactSettings& settings_;
  EqualityRows equalities_;
  ConstraintRows rows_;
  StepContacts contacts_;
  Matrix delassus_;
  DenseRows W_;
  Eigen::MatrixXd T_, WT_;         // impulses of rows from the unknowns, and what they do
  Eigen::VectorXd rate_;           // one a row: J u_free, driven, psi / h
  std::vector<int> p_, d_, beta_;  // unknowns of each contact; -1: none
  std::vector<Slacks> slacks_;     // of each constraint
  int directions_ = 0, unknowns_ = 0;
  Problem problem_;
};

}  // namespace abut
