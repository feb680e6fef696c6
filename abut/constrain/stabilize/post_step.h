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

#include <vector>

#include "abut/constrain/stabilize/keep_momentum.h"
#include "abut/constrain/stabilize/least_move.h"
#include "abut/constrain/stabilize/move_limit.h"
#include "abut/constrain/stabilize/position_errors.h"
#include "abut/constrain/stabilize/stabilizer.h"

namespace abut {

struct PostOptions {
  PostMetric metric = PostMetric::masses;
  // The most that a post-step moves a body, as part of its size, or turns it (rad): beyond, the
  // constraints' linearisation means little (Cline and Pai, section VI-C). The rest is left to the
  // next one.
  double most = 0.1;
  // Halve a step that would make the worst error larger. Without it, and with `most` infinite, it
  // is the plain post-step of eq. 15, which may do harm where errors are large (C-X5).
  bool back_track = true;
  // Under kPostUntilDone overlap asks for more post-steps too, and not errors of joints alone. A
  // post-step that takes away the last of a large overlap may part solids by a gap of second order:
  // models without look-ahead, which see contacts that touch and no others, would lose the contact.
  bool repeat_for_overlap = true;
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
  PostStep(const Model& model, const std::vector<double>& sizes, const PostOptions& options = {});

  // Up to `steps` post-steps; kPostUntilDone: one, and more while more than kPostStepLeft of the
  // largest solid is left of the worst error and a post-step takes off a tenth of it. Contacts nearer
  // than `tolerance` of their pair's size take part; none at all where `with_contacts` is false (contact model none). d is left with the poses of
  // the state. Overlaps below 1e-10 of the size and joint errors below 1e-13 of it are not corrected.
  PostReport apply(int steps, double tolerance, bool with_contacts, const Input& input,
                   Collider& collider, State& state, Derived& d);

  Solver& solver() { return move_.solver(); }
  static constexpr int kMostSteps = 20;
  static constexpr double kProgress = 0.9;
  PositionErrors::Leaves leaves;  // empty: none

 private:
  double error_to_end(const PostReport& report) const;
  bool is_done(int steps, double before, const PostReport& report) const;
  bool take(const PositionErrors::Which& which, const Input& input, Collider& collider,
            State& state, Derived& d, PostReport& report);

  const Model& model_;
  PostOptions options_;
  PositionErrors errors_;
  LeastMove move_;
  MoveLimit limit_;
  MomentumKeeper keeper_;
  std::vector<double> u_, q_;
};

}  // namespace abut
