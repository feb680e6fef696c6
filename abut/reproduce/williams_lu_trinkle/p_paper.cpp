#include "abut/reproduce/williams_lu_trinkle/p_paper.h"

#include <algorithm>
#include <cmath>

#include "abut/contact/complementarity/feature_model.h"
#include "abut/math/index.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/overlap.h"
#include "abut/simulate/simulator.h"

namespace abut::reproduce {

namespace {

// N s along its normal, of each contact of the set.
std::vector<double> impulses_of(const ContactStep& contact, const FeatureConstraints& set) {
  std::vector<double> out(set.contacts().size(), 0.0);
  const std::vector<Contact>& held = contact.stepping().contacts();
  for (std::size_t i = 0; i < held.size(); ++i) {
    const Patch& patch = contact.data().patches[at(held[i].patch)];
    for (std::size_t k = 0; k < out.size(); ++k) {
      const LocalContact& c = set.contacts()[k];
      if (c.geom_a == patch.geom_a && c.geom_b == patch.geom_b && c.a == patch.a && c.b == patch.b)
        out[k] = contact.stepping().impulses()[i].dot(c.normal);
    }
  }
  return out;
}

// Of the step that was taken from `before`.
double residual_of(const Simulator& simulator, const State& before, const Input& input,
                   ContactSettings settings) {
  const FeatureStepping& stepping = simulator.contact().as<FeatureModel>()->stepping();
  const FeatureConstraints& set = stepping.constraints();
  if (set.contacts().empty()) return 0;
  ContactData all;
  for (const LocalContact& c : set.contacts()) append_contact(c, all);
  settings.friction = FrictionKind::none;
  PrintedProblem printed(simulator.model(), settings);
  const Problem& problem =
      printed.assemble(simulator.model().option.timestep, {before, input, simulator.derived()}, set,
                       all, simulator.free_velocities());
  const VectorX z = printed.complete(set, impulses_of(simulator.contact(), set));
  VectorX w, scratch;
  return residuals(problem, z, w, scratch).relative;
}

void look(PaperRun& run, const FeatureStepping& stepping) {
  for (const LocalContact& c : stepping.constraints().contacts()) run.pressed += c.presses;
  run.constraints += stepping.constraints().count();
  run.branches += stepping.report().branches;
}

}  // namespace

PaperRun run_paper(const Model& model, const ContactSettings& settings, int steps) {
  Simulator simulator(model, settings);
  State state(model);
  Input input(model);
  if (const int key = model.find_keyframe("go"); key >= 0) set_keyframe(model, key, state, &input);
  const State start = state;
  OverlapMeasure measure(model);
  Derived d(model);
  PaperRun run;
  run.steps = steps;
  for (int i = 0; i < steps; ++i) {
    const State before = state;
    simulator.step(state, input);
    const SolveReport report = simulator.contact().report();
    run.fallbacks += static_cast<int>(report.fallbacks);
    run.worst_level = std::max(run.worst_level, report.level);
    look(run, simulator.contact().as<FeatureModel>()->stepping());
    if (report.level == 0 && settings.friction == FrictionKind::none)
      run.residual = std::max(run.residual, residual_of(simulator, before, input, settings));
    positions(model, state, input, d);
    run.overlap = std::max(run.overlap, measure.of(d).deepest);
    for (std::size_t k = 0; k < state.q.size(); ++k)
      run.moved = std::max(run.moved, std::abs(state.q[k] - start.q[k]));
  }
  run.pressed /= steps;
  run.constraints /= steps;
  run.branches /= steps;
  run.velocity = state.v;
  return run;
}

}  // namespace abut::reproduce
