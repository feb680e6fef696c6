#include "abut/constrain/rows/step_contacts.h"

#include <algorithm>

#include "abut/dynamics/jacobian.h"
#include "abut/math/index.h"

namespace abut {

ContactChange described(const Patch& patch, const ContactPoints& points) {
  ContactChange c{.geom_a = patch.geom_a, .geom_b = patch.geom_b, .normal = patch.normal};
  c.gap = points.psi[at(patch.begin)];
  for (int i = patch.begin; i < patch.end; ++i) {
    c.gap = std::min(c.gap, points.psi[at(i)]);
    c.position += 0.5 * (points.p_A[at(i)] + points.p_B[at(i)]) / (patch.end - patch.begin);
  }
  return c;
}

Mat3 contact_frame(const Vec3& normal) {
  // the axis that the normal is farthest from: its cross product is well defined
  const Vec3 a = normal.cwiseAbs();
  const Vec3 axis = a[0] <= a[1] && a[0] <= a[2] ? Vec3::UnitX()
                    : a[1] <= a[2]               ? Vec3::UnitY()
                                                 : Vec3::UnitZ();
  Mat3 frame;
  frame.col(0) = normal;
  frame.col(1) = normal.cross(axis).normalized();
  frame.col(2) = normal.cross(frame.col(1));
  return frame;
}

bool StepContacts::ask(const Patch& patch, const ContactPoints& points) {
  changed_ = described(patch, points);
  changed_.friction = materials_.of(patch.geom_a, patch.geom_b).friction;
  change(changed_);
  return changed_.on;
}

void StepContacts::add(const ContactData& data, int patch, int point, const Input& input,
                       const Derived& d, bool frictionless, ConstraintRows& rows) {
  const Patch& from = data.patches[at(patch)];
  Contact c;
  c.patch = patch;
  c.point = point;
  c.body_a = model_.geoms[at(from.geom_a)].body;
  c.body_b = model_.geoms[at(from.geom_b)].body;
  c.position = 0.5 * (data.points.p_A[at(point)] + data.points.p_B[at(point)]);
  c.frame = contact_frame(from.normal);
  c.psi = data.points.psi[at(point)];
  c.material = materials_.of(from.geom_a, from.geom_b);
  if (change) c.material.friction = changed_.friction;
  if (frictionless || c.material.condim == 1) c.material.friction = 0;
  if (frictionless) c.material.torsion = c.material.rolling = 0;
  const Vec3 driven = driven_twist(model_, input, d, c.body_b, c.position).lin -
                      driven_twist(model_, input, d, c.body_a, c.position).lin;
  c.driven = c.frame.transpose() * driven;
  if (change)
    for (int k = 1; k < 3; ++k) c.driven[k] += c.frame.col(k).dot(changed_.surface_velocity);

  const int size = c.material.friction > 0 ? 3 : 1;
  c.group = rows.add(size, c.body_a, c.body_b);
  for (int k = 0; k < size; ++k) {
    rows.add_point(c.group, k, c.body_b, c.position, c.frame.col(k), 1);
    rows.add_point(c.group, k, c.body_a, c.position, c.frame.col(k), -1);
  }
  contacts_.push_back(c);
}

}  // namespace abut
