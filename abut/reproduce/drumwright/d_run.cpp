#include "abut/reproduce/drumwright/d_run.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "abut/dynamics/energy.h"
#include "abut/model/kinematics.h"
#include "abut/shape/primitives.h"

namespace abut::reproduce {

namespace {

Model compiled(World world, const PenaltyGains& gains) {
  set_gains(world, gains);
  return compile(world);
}

ContactSettings settings_of(const Model& model, const PenaltyGains& gains) {
  ContactSettings s = contact_settings(model);
  set_contact(s, gains.model);
  return s;
}

}  // namespace

double BlockRun::mean_penetration() const {
  return std::accumulate(penetration.begin(), penetration.end(), 0.0) /
         static_cast<double>(penetration.size());
}

double BlockRun::mean_kinetic(int from) const {
  return std::accumulate(kinetic.begin() + from, kinetic.end(), 0.0) /
         static_cast<double>(static_cast<int>(kinetic.size()) - from);
}

BlockRun run_block(const World& world, const PenaltyGains& gains, int steps, const Push& push) {
  const Model model = compiled(world, gains);
  Simulator simulator(model, settings_of(model, gains));
  BlockRun run;
  State& state = run.end = State(model);
  Input input(model);
  Derived d(model);
  const Polyhedron cube = box_polyhedron({0.5, 0.5, 0.5});
  positions(model, state, input, d);
  for (int i = 0; i < steps; ++i) {
    const Pose X = d.body_pose[1];
    run.pose.push_back(X);
    double lowest = 0;
    for (const Vec3& v : cube.vertices) lowest = std::min(lowest, (X * v).z());
    run.penetration.push_back(-lowest);
    if (push) push(i, X, input.wrench[1]);
    simulator.step(state, input);
    positions(model, state, input, d);
    velocities(model, state, d);
    run.kinetic.push_back(energy(model, state, d).kinetic);
  }
  return run;
}

double answer_to_push(const World& world, const PenaltyGains& gains, const State& rest) {
  const Model model = compiled(world, gains);
  Simulator simulator(model, settings_of(model, gains));
  State still = rest, pushed = rest;
  const Input input(model);
  pushed.v[0] += 1e-3;
  simulator.step(still, input);
  simulator.step(pushed, input);
  return pushed.q[0] - still.q[0];
}

Graph::Curve curve(const std::string& name, const std::vector<double>& y, int every, bool log10) {
  Graph::Curve c{name, {}};
  for (std::size_t i = 0; i < y.size(); i += static_cast<std::size_t>(every))
    c.points.emplace_back(static_cast<double>(i), log10 ? std::log10(std::max(y[i], 1e-12)) : y[i]);
  return c;
}

Drawing block_picture(const std::string& title, const std::vector<Pose>& poses) {
  Drawing drawing;
  drawing.title = title;
  drawing.sheets.push_back({{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, Role::a, "ground"});
  for (const Pose& X : poses)
    drawing.solids.push_back({transformed(box_polyhedron({0.5, 0.5, 0.5}), X), Role::b, ""});
  return drawing;
}

}  // namespace abut::reproduce
