#include "abut/reproduce/williams_lu_trinkle/p_random.h"
#include "abut/contact/complementarity/peg_model.h"

#include <algorithm>
#include <cmath>

#include "abut/contact/complementarity/peg.h"
#include "abut/dynamics/energy.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/math/index.h"
#include "abut/model/kinematics.h"
#include "abut/reproduce/random_hull.h"
#include "abut/reproduce/williams_lu_trinkle/p_run.h"
#include "abut/simulate/overlap.h"
#include "abut/simulate/simulator.h"

namespace abut::reproduce {

namespace {

constexpr double kStep = 0.25, kTime = 1;  // s
constexpr const char* kNames[] = {"a", "b"};

}  // namespace

Approach random_approach(unsigned seed) {
  Dice dice(seed);
  Approach out;
  const double L = out.L = std::pow(10, dice.uniform(-1, 1));
  for (Approach::Solid& s : out.solids) {
    if (dice.uniform(0, 1) < 0.3) {
      for (int k = 0; k < 3; ++k) s.half[k] = L * dice.uniform(0.1, 0.5);
    } else {
      constexpr int kPoints[] = {4, 5, 6, 8, 8, 12, 20};
      const int count = kPoints[int(dice.uniform(0, 7))];
      for (int i = 0; i < count; ++i) {
        const double r = L * dice.uniform(0.3, 0.6);
        s.points.push_back(r * dice.direction());
      }
    }
    s.mass = dice.uniform(0.5, 2);
    s.pose.q = dice.rotation();
    s.spin = dice.vec(1.7);
  }
  const Vec3 towards = dice.direction();
  const Vec3 beside = L * dice.vec(0.3);
  out.solids[1].pose.p =
      L * dice.uniform(1.3, 1.6) * towards + (beside - beside.dot(towards) * towards);
  out.solids[1].velocity = -L * dice.uniform(0.3, 2) * towards;
  return out;
}

World world_of(const Approach& approach) {
  World world;
  world.option.timestep = kStep;
  world.option.gravity = Vec3::Zero();
  KeyframeDesc& go = world.keyframes.emplace_back();
  go.name = "go";
  for (std::size_t i = 0; i < 2; ++i) {
    const Approach::Solid& s = approach.solids[i];
    BodyDesc& body = world.body(kNames[i], s.pose.p, s.pose.q);
    body.free();
    if (!s.points.empty()) {
      MeshDesc& mesh = world.meshes.emplace_back();
      mesh.name = kNames[i];
      mesh.vertices = s.points;
    }
    GeomDesc& geom = s.points.empty() ? body.box(s.half) : body.mesh(kNames[i]);
    geom.friction[0] = 0;
    geom.mass = s.mass;
    for (const Vec3& v : {s.velocity, s.spin}) go.qvel.insert(go.qvel.end(), {v[0], v[1], v[2]});
  }
  return world;
}

ApproachEnd run_approach(const Approach& approach, const ContactSettings& settings) {
  const Model model = compile(world_of(approach));
  Simulator simulator(model, settings);
  State state(model);
  Input input(model);
  set_keyframe(model, 0, state, &input);
  OverlapMeasure measure(model);
  Derived d(model);
  std::vector<double> u(static_cast<std::size_t>(model.nv));
  const auto look = [&] {
    positions(model, state, input, d);
    velocities(model, state, d);
    to_solver_velocity(model, d, state.v, u);
  };
  look();
  const Momentum start = momentum(model, d);
  const double m_v = approach.solids[1].mass * approach.solids[1].velocity.norm();
  double kinetic = energy(model, state, d).kinetic;
  ApproachEnd out;
  for (; out.steps < std::lround(kTime / kStep); ++out.steps) {
    const Vec3 before = Eigen::Map<const Vec3>(&u[6]);
    simulator.step(state, input);
    look();
    const ContactStep& contact = simulator.contact();
    const SolveReport report = contact.report();
    const double deepest = measure.of(d).deepest;
    out.overlap_any = std::max(out.overlap_any, deepest);
    if (report.fallbacks == 0) out.overlap = std::max(out.overlap, deepest);
    out.fallbacks += static_cast<int>(report.fallbacks);
    out.worst_level = std::max(out.worst_level, report.level);
    const double now = energy(model, state, d).kinetic;
    out.energy_growth = std::max(out.energy_growth, (now - kinetic) / kinetic);
    kinetic = now;
    Vec3 sum = Vec3::Zero();  // N s, on the second body
    for (const Vec3& p : contact.stepping().impulses()) sum += p;
    if (const PegModel* peg = contact.as<PegModel>();
        peg != nullptr && !peg->peg().handed().empty())
      sum += approach.solids[1].mass * Eigen::Map<const Vec3>(&peg->peg().handed()[6]);
    // of a step in halves the impulses are those of the last
    if (contact.contact().has_rows() && report.level == 0)
      out.unexplained = std::max(
          out.unexplained,
          (approach.solids[1].mass * (Eigen::Map<const Vec3>(&u[6]) - before) - sum).norm() / m_v);
    for (std::size_t i = 0; i < contact.stepping().contacts().size(); ++i) {
      if (!(contact.stepping().impulses()[i].norm() > 0)) continue;
      out.touched = true;
      const Contact& c = contact.stepping().contacts()[i];
      for (const int body : {c.body_a, c.body_b})
        out.off_surface = std::max(
            out.off_surface, surface_distance(model, body - 1, d.body_pose[at(body)], c.position));
    }
  }
  const Momentum end = momentum(model, d);
  out.momentum = (end.linear - start.linear).norm() / m_v;
  out.angular = (end.angular - start.angular).norm() / (m_v * approach.L);
  for (std::size_t i = 0; i < 2; ++i) out.poses[i] = d.body_pose[i + 1];
  return out;
}

}  // namespace abut::reproduce
