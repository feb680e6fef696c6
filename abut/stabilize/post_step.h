// Post-stabilisation: after a step, the state is moved onto the constraints by the least change,
// measured by the masses (Cline and Pai, eqs 14, 15; C-8 to C-14):
//
//   dp = M^-1 (J_e' l_e + J_c' l_c),   g_e + J_e dp = 0,   0 <= g_c + J_c dp perp l_c >= 0
//
// Limits of joints are rows like those of contacts. Contacts and limits that are near but open
// belong to it, so that the step does not push into them (C-E5).
// Velocities stay as they are (C-13), but for what keeps the angular momentum of bodies that touch
// nothing but each other (keep_momentum.h). A step that would make the worst error larger is halved
// until it does not (C-14).
//
//   abut::PostStep post(model, sizes);
//   post.apply(2, 1e-4, true, input, collider, state, d);
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/dynamics/constraint_rows.h"
#include "abut/dynamics/equality.h"
#include "abut/dynamics/islands.h"
#include "abut/dynamics/joint_rows.h"
#include "abut/model/state.h"
#include "abut/solve/solver.h"
#include "abut/stabilize/keep_momentum.h"
#include "abut/stabilize/pseudo_inverse.h"

namespace abut {

struct PostOptions {
  // Joints and overlapping contacts as equations, by the truncated pseudo-inverse (C-9, C-10),
  // instead of the mixed LCP: contacts may pull, and open ones are not looked at.
  bool pseudo_inverse = false;
  // The most that a post-step moves a body, as part of its size, or turns it (rad): beyond, the
  // constraints' linearisation means little (Cline and Pai, section VI-C). The rest is left to the
  // next one.
  double most = 0.1;
  // Halve a step that would make the worst error larger. Without it, and with `most` infinite, it
  // is the plain post-step of eq. 15, which may do harm where errors are large (C-X5).
  bool back_track = true;
  int max_points = 0;  // of a patch (CollideOptions)
};

struct PostReport {
  int steps = 0;     // taken
  int unsolved = 0;  // problems left as they were
  double before = 0,
         after = 0;  // largest error (m, rad): of joints, and overlap of contacts, limits
  double residual = 0;
  double lifted = 0;  // J: what it changed of the potential energy
  double handed = 0;  // N s: momentum that it took from some bodies and gave to others
};

class PostStep {
 public:
  // `sizes`: L of each geom (m).
  PostStep(const Model& model, std::vector<double> sizes, const PostOptions& options = {});

  // Up to `steps` post-steps. Contacts nearer than `tolerance` of their pair's size take part;
  // none at all where `with_contacts` is false (contact model none). d is left with the poses of
  // the state. Overlap below 1e-10 of the size and errors of joints below 1e-13 of it are let be.
  PostReport apply(int steps, double tolerance, bool with_contacts, const Input& input,
                   Collider& collider, State& state, Derived& d);

  Solver& solver() { return *solver_; }
  // Pairs that are left as they are: those that bounce, and come apart by themselves. Is given
  // positions() and velocities(). Empty: none.
  std::function<bool(const Patch&, const ContactPoints&, const Derived&)> leaves;

 private:
  double gather(double tolerance, bool with_contacts, const Input& input, Collider& collider,
                const State& state, Derived& d);
  void solve(PostReport& report);
  bool solve_problem(PostReport& report);
  void restrict_step();

  const Model& model_;
  std::vector<double> sizes_;
  double size_;         // m: of the largest solid
  bool clean_ = false;  // nothing to repair was gathered
  PostOptions options_;
  std::vector<double> size_of_tree_;  // m: of its largest solid
  EqualityRows equalities_;
  JointRows limits_;
  ConstraintRows rows_;
  Islands islands_;
  MomentumKeeper keeper_;
  std::unique_ptr<Solver> solver_;
  Problem problem_;
  Answer answer_;
  PseudoInverse inverse_;
  DenseRows dense_;
  VectorX rhs_;
  std::vector<int> picked_;  // groups of an island that are in its problem
  ContactData data_;
  std::vector<PairQuery> queries_;
  std::vector<double> g_, l_, dp_, u_, q_;
  std::vector<double> reach_;
  std::vector<double> part_;  // of the step that each tree takes
  int joint_rows_ = 0;
};

}  // namespace abut
