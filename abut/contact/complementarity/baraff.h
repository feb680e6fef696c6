// baraff: the acceleration-level method, Drumwright's baseline (D-19, C-4; Baraff 1989).
//
//   impacts          impulses, before the first stage (impact/impacts.h)
//   resting contact  0 <= psi'' = J u' + k perp f >= 0 for every point that touches and does not
//                    part: an LCP in normal forces, without friction unless `--friction cone`
//                    or pyramid ask for it: then forces along the surface, mu f at most, that stop
//                    slip by the end of the step (static), or act against it (dynamic; Baraff
//                    1994), and impulses of impacts with friction too
//   drift            a penalty on pairs that overlap, beside the forces of the LCP
//                    (drift_penalty.h)
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

#include <span>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/constrain/ahead/reach_ahead.h"
#include "abut/constrain/rows/gap_acceleration.h"
#include "abut/constrain/step/time_stepping.h"
#include "abut/contact/complementarity/drift_penalty.h"
#include "abut/contact/impact/impacts.h"
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
  // The penalty, for the values that it keeps of a pair.
  const DriftPenalty& drift() const { return drift_; }
  // LCP, penalty, and the impulses of impacts over the step; ascending by patch.
  const std::vector<ContactForce>& forces() const { return forces_; }
  const Impacts& impacts() const { return impacts_; }
  std::vector<std::string> warnings() const { return drift_.warnings(); }

  enum class Order { baraff, guendelman };

 private:
  void look(const State& state, const Derived& d, Collider& collider, ContactData& data,
            std::vector<PairQuery>& queries);

  const Model& model_;
  Order order_;
  int max_points_;  // of a patch
  Impacts::Options impact_options_;
  std::vector<double> sizes_;
  ReachAhead reach_;
  Impacts impacts_;
  GapAcceleration gaps_;
  DriftPenalty drift_;
  int stage_ = 0;  // 1: the first
  bool hit_ = false;
  ContactData data_, stage_data_;
  std::vector<PairQuery> queries_, stage_queries_;
  std::vector<ContactForce> first_drift_, forces_;
  std::vector<double> u_, k_, lift_;
};

}  // namespace abut
