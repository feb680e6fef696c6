#include "abut/constrain/rows/turning_rows.h"

#include "abut/dynamics/jacobian.h"

namespace abut {

namespace {

void add_rate(const Contact& c, int group, int k, const Vec3& direction, ConstraintRows& rows) {
  rows.add_twist(group, k, c.body_b, c.position, {Vec3::Zero(), direction});
  rows.add_twist(group, k, c.body_a, c.position, {Vec3::Zero(), -direction});
}

}  // namespace

void TurningRows::add(int index, const Contact& c, const Model& model, const Input& input,
                      const Derived& d, double length, ConstraintRows& rows) {
  TurningContact t{.contact = index, .length = length};
  t.driven = c.frame.transpose() * (driven_twist(model, input, d, c.body_b, c.position).ang -
                                    driven_twist(model, input, d, c.body_a, c.position).ang);
  if (c.material.torsion > 0) {
    t.torsion = rows.add(1, c.body_a, c.body_b);
    add_rate(c, t.torsion, 0, length * c.frame.col(0), rows);
  }
  if (c.material.rolling > 0) {
    t.rolling = rows.add(3, c.body_a, c.body_b);
    for (int k = 1; k < 3; ++k) add_rate(c, t.rolling, k, length * c.frame.col(k), rows);
  }
  turning_.push_back(t);
}

}  // namespace abut
