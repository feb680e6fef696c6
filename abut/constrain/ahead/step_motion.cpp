#include "abut/constrain/ahead/step_motion.h"

#include <algorithm>
#include <cmath>

#include "abut/constrain/tolerances.h"
#include "abut/math/index.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

// The rotation vector of the way from one orientation to another, the short way round.
Vec3 turn_between(const Quat& from, const Quat& to) {
  Quat turn = to * from.conjugate();
  if (turn.w() < 0) turn.coeffs() *= -1;
  const double sine = turn.vec().norm();
  if (sine < kNoTurn) return 2 * turn.vec();
  return 2 * std::atan2(sine, turn.w()) / sine * turn.vec();
}

}  // namespace

bool StepMotion::is_unchanged(const Tree& tree) const {
  const auto of_tree = change.subspan(at(tree.dof_begin), at(tree.dof_count));
  return std::all_of(of_tree.begin(), of_tree.end(), [](double x) { return x == 0; });
}

GeomMotion StepMotion::of(int geom) const {
  GeomMotion m;
  m.start = geom_pose(model, start, geom);
  const int body = model.geoms[at(geom)].body, link = model.bodies[at(body)].link;
  if (link < 0) {
    const int weld = model.bodies[at(body)].weld, mocap = model.bodies[at(weld)].mocap;
    if (mocap < 0) return m;
    m.pivot = start.body_pose[at(weld)].p;
    m.velocity = input.mocap_velocity[at(mocap)].head<3>();
    m.omega = input.mocap_velocity[at(mocap)].tail<3>();
    return m;
  }
  const Link& l = model.links[at(link)];
  const Pose &from = start.body_pose[at(l.body)], &to = end.body_pose[at(l.body)];
  m.pivot = from * l.mass.com;
  m.velocity = (to * l.mass.com - m.pivot) / h;
  m.omega = turn_between(from.q, to.q) / h;
  const Tree& tree = model.trees[at(l.tree)];
  if (tree.free_body && is_unchanged(tree))
    m.bow = 2 / h * (m.velocity - twist_at(model, start, link, m.pivot).lin);
  return m;
}

GeomMotion StepMotion::as_solved(int geom) const {
  GeomMotion m = of(geom);
  const int link = model.bodies[at(model.geoms[at(geom)].body)].link;
  if (link < 0) return m;
  const Tree& tree = model.trees[at(model.links[at(link)].tree)];
  if (!tree.free_body) return m;
  const double* v = &u[at(tree.dof_begin)];
  m.velocity = Vec3(v[0], v[1], v[2]);
  m.omega = Vec3(v[3], v[4], v[5]);
  m.bow.setZero();
  return m;
}

Pose StepMotion::end_pose(int geom) const {
  const bool fixed = model.bodies[at(model.geoms[at(geom)].body)].link < 0;
  return fixed ? of(geom).at(h, h) : geom_pose(model, end, geom);
}

}  // namespace abut
