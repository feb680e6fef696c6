#include "abut/dynamics/task_space.h"

#include <stdexcept>

#include "abut/dynamics/mass_matrix.h"
#include "abut/dynamics/tolerances.h"
#include "abut/math/dense.h"
#include "abut/model/kinematics.h"

namespace abut {

Spatial point_velocity(const Model& model, const Derived& d, int body, const Vec3& p_W) {
  const int link = model.bodies[body].link;
  return link < 0 ? Spatial::zero() : twist_at(model, d, link, p_W);
}

Jacobian3 com_jacobian(const Model& model, const Derived& d, int root) {
  Jacobian3 sum = Jacobian3::Zero(3, model.nv), J(3, model.nv);
  double mass = 0;
  for (int b = root; b < model.nbody(); ++b) {
    if (b > root && model.bodies[b].depth <= model.bodies[root].depth) break;
    const MassProperties& m = model.bodies[b].mass;
    if (m.mass == 0 || model.bodies[b].link < 0) continue;  // fixed bodies have no part in it
    point_jacobian(model, d, b, d.body_pose[b] * m.com, J);
    sum += m.mass * J;
    mass += m.mass;
  }
  if (mass == 0)
    throw std::invalid_argument("com_jacobian: body '" + model.body_names[root] +
                                "' and its descendants have no moving mass");
  return sum / mass;
}

MatX inverse_mass_matrix(const Model& model, const Derived& d) {
  MatX inverse = MatX::Identity(model.nv, model.nv);
  for (int i = 0; i < model.nv; ++i)
    solve(model, d, {inverse.col(i).data(), static_cast<std::size_t>(model.nv)});
  return inverse;
}

MatX task_inertia(const Model& model, const Derived& d, const Eigen::Ref<const MatX>& J) {
  MatX MinvJT = J.transpose();
  for (int i = 0; i < MinvJT.cols(); ++i)
    solve(model, d, {MinvJT.col(i).data(), static_cast<std::size_t>(model.nv)});
  Eigen::LDLT<MatX> factor;
  factor_symmetric(product(J, MinvJT), factor);
  const VecX D = factor.vectorD();
  if (!(D.minCoeff() > kDependentTask * D.maxCoeff()))
    throw std::invalid_argument("task_inertia: the rows of J depend on each other");
  MatX inertia = MatX::Identity(J.rows(), J.rows());
  solve_symmetric(factor, inertia);
  return inertia;
}

}  // namespace abut
