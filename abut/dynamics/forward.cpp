#include "abut/dynamics/forward.h"

#include <algorithm>

#include "abut/dynamics/actuation.h"
#include "abut/dynamics/articulated.h"
#include "abut/dynamics/jacobian.h"
#include "abut/dynamics/passive.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

// A wrench at a point of a body, added to those of its link.
void push(const Model& model, const Derived& d, int body, const Vec3& p_W, const Spatial& wrench,
          std::span<Spatial> link_wrench) {
  const int link = model.bodies[body].link;
  if (link < 0) return;
  link_wrench[link] += shift_wrench(wrench, d.tree_point[model.links[link].tree] - p_W);
}

}  // namespace

void applied_forces(const Model& model, const Input& input, Derived& d) {
  std::copy(input.force.begin(), input.force.end(), d.applied.begin());
  std::fill(d.link_wrench.begin(), d.link_wrench.end(), Spatial{});
  bool any = false;
  for (int b = 1; b < model.nbody(); ++b) {
    const Vec6& w = input.wrench[b];
    if (w.isZero(0)) continue;
    any = true;
    push(model, d, b, d.body_pose[b] * model.bodies[b].mass.com, {w.head<3>(), w.tail<3>()},
         d.link_wrench);
  }
  if (const UserSpring& s = input.spring; s.body > 0) {
    any = true;
    const Vec3 p = d.body_pose[s.body] * s.point;
    const Vec3 v = twist_at(model, d, model.bodies[s.body].link, p).lin;
    push(model, d, s.body, p, {s.stiffness * (s.target - p) - s.damping * v, Vec3::Zero()},
         d.link_wrench);
  }
  if (any) add_link_wrenches(model, d, d.link_wrench, d.applied);
}

void smooth_forces(const Model& model, const State& state, const Input& input, Derived& d,
                   std::span<double> tau) {
  passive_forces(model, state, d);
  actuator_forces(model, state, input, d);
  applied_forces(model, input, d);
  for (int i = 0; i < model.nv; ++i) tau[i] = d.passive[i] + d.actuation[i] + d.applied[i];
}

void forward(const Model& model, const State& state, const Input& input, Derived& d) {
  positions(model, state, input, d);
  velocities(model, state, d);
  smooth_forces(model, state, input, d, d.tau);
  articulated_acceleration(model, state.v, d.tau, {}, d, d.acceleration);
}

}  // namespace abut
