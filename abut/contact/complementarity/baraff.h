// baraff: the acceleration-level method, Drumwright's baseline (D-19, C-4; Baraff 1989).
//
//   impacts          impulses, before the first stage (impact/impacts.h)
//   resting contact  0 <= psi'' = J u' + k perp f >= 0 for every point that touches and does not
//                    part: an LCP in normal forces, without friction unless `--friction cone`
//                    or pyramid ask for it: then forces along the surface, mu f at most, that stop
//                    slip by the end of the step (static), or act against it (dynamic; Baraff
//                    1994), and impulses of impacts with friction too
//   drift            a deepest-point penalty on what overlaps (penalty/deepest.h), beside forces
//                    of the LCP: these hold accelerations at zero and know nothing of depth
//
// `abut.baraff.order = guendelman` (D-23; Guendelman, Bridson and Fedkiw 2003) has the step in
// another order: collisions of all that would overlap at its end with the velocities it begins
// with, by impulses with restitution; then the velocities of its forces; then contact, without
// restitution, of all that would overlap with these: J u' >= 0 in place of psi'' >= 0; then
// positions. What rests has no velocity before the forces, so that it does not bounce whatever its
// restitution.
//
// This class has all of it but the LCP, which TimeStepping solves together with the joints, with
// h f for the impulses and h psi'' for w. The penalty is among the smooth forces, so that joints
// see it; the rows of contacts do not (StepTerms::lift), so that it lifts what overlaps and
// does not just take over from the LCP.
//
//   baraff.begin(h, state, input, d, collider);             // velocities after impacts
//   baraff.add(stage, input, d, collider, force);           // in each stage
//   stepping.solve(.., baraff.data(), .., baraff.terms(h, stage, input, d, collider, force));
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/constrain/ahead/reach_ahead.h"
#include "abut/constrain/rows/gap_acceleration.h"
#include "abut/constrain/step/time_stepping.h"
#include "abut/contact/impact/bouncing_pairs.h"
#include "abut/contact/impact/impacts.h"
#include "abut/contact/penalty/force_law.h"
#include "abut/contact/penalty/initial_overlap.h"
#include "abut/contact/settings.h"

namespace abut {

class Baraff {
 public:
  // Throws WorldError for settings of the penalty that there are not.
  Baraff(const Model& model, const ContactSettings& settings, const Collider& collider);
  // Empty: the order of the world's abut.baraff.order goes with its stages.
  static std::string why_not_rk4(const Model& model);

  // Contact data at t_n, and the impacts among them: state.v and d's velocities change.
  void begin(double h, State& state, const Input& input, Derived& d, Collider& collider);
  // Contact data of the stage (the first has those of begin()), and its penalty: force += .., in
  // v's coordinates.
  void add(const State& stage, const Input& input, Derived& d, Collider& collider,
           std::span<double> force);
  // What the rows need beside J u_free. `force`: what add() added. Wants factor().
  StepTerms terms(double h, const State& stage, const Input& input, const Derived& d,
                  Collider& collider, std::span<const double> force);
  // Takes the forces of the first stage from the LCP, to be read.
  void keep(double h, const TimeStepping& solved);

  // Of the stage; those of the first stage are kept for first_data(), queries(), forces().
  const ContactData& data() const { return stage_ == 1 ? data_ : stage_data_; }
  bool in_first_stage() const { return stage_ == 1; }
  const ContactData& first_data() const { return data_; }
  const std::vector<PairQuery>& queries() const { return queries_; }
  // What is left of the overlap that a pair began with (initial_overlap.h), for the first value of
  // its memory.
  double left(PairKey key) const { return overlap_.left(key); }
  static constexpr int kPairWidth = 1;
  // LCP, penalty, and the impulses of impacts over the step; ascending by patch.
  const std::vector<ContactForce>& forces() const { return forces_; }
  const Impacts& impacts() const { return impacts_; }
  std::vector<std::string> warnings() const { return drift_->warnings(); }

  enum class Order { baraff, guendelman };

 private:
  void look(const State& state, const Derived& d, Collider& collider, ContactData& data,
            std::vector<PairQuery>& queries);

  const Model& model_;
  Order order_;
  double tolerance_;
  int max_points_;  // of a patch
  bool frictionless_;
  RestitutionLaw law_;
  std::vector<double> sizes_;
  ReachAhead reach_;
  Materials materials_;
  Impacts impacts_;
  BouncingPairs bouncing_;  // left alone by the penalty
  GapAcceleration gaps_;
  std::unique_ptr<ForceModel> drift_;
  InitialOverlap overlap_;
  int stage_ = 0;  // 1: the first
  bool hit_ = false;
  ContactData data_, stage_data_;
  std::vector<PairQuery> queries_, stage_queries_;
  std::vector<ContactForce> drift_forces_, first_drift_, forces_;
  ContactMemory nothing_;  // the law of the penalty remembers nothing
  std::vector<double> u_, k_, lift_;
};

}  // namespace abut
