#include "abut/model/inertia_at_rest.h"

#include "abut/math/dense.h"
#include "abut/math/rotation.h"

namespace abut::compiling {
namespace {

// Twist (angular, linear at the origin) of turning about an axis through a point.
Vec6 turning(const Vec3& axis, const Vec3& through) {
  Vec6 twist;
  twist << axis, through.cross(axis);
  return twist;
}

Vec6 sliding(const Vec3& direction) {
  Vec6 twist;
  twist << Vec3::Zero(), direction;
  return twist;
}

Mat6 inertia_about_origin(const MassProperties& in_W) {
  const Mat3 c = skew(in_W.com);
  Mat6 I;
  I << in_W.inertia - in_W.mass * c * c, in_W.mass * c, -in_W.mass * c,
      in_W.mass * Mat3::Identity();
  return I;
}

}  // namespace

InertiaAtRest::InertiaAtRest(const Model& model, std::span<const Pose> X_WB) : model_(model) {
  // axes, in the order of the dofs
  for (const Joint& joint : model.joints) {
    const Pose& X = X_WB[static_cast<std::size_t>(joint.body)];
    const Mat3 R = X.q.toRotationMatrix();
    switch (joint.type) {
      case JointType::hinge:
        axes_.push_back(turning(X.q * joint.axis, X * joint.pos));
        break;
      case JointType::slide:
        axes_.push_back(sliding(X.q * joint.axis));
        break;
      case JointType::free:
        for (int i = 0; i < 3; ++i) axes_.push_back(sliding(Vec3::Unit(i)));
        [[fallthrough]];
      case JointType::ball:
        for (int i = 0; i < 3; ++i) axes_.push_back(turning(R.col(i), X * joint.pos));
    }
  }

  // composite inertias, from the leaves up
  for (const Link& link : model.links) {
    const Pose& X = X_WB[static_cast<std::size_t>(link.body)];
    composite_.push_back(inertia_about_origin(transformed(link.mass, X)));
  }
  for (std::size_t i = model.links.size(); i-- > 0;) {
    const int parent = model.links[i].parent;
    if (parent >= 0) composite_[static_cast<std::size_t>(parent)] += composite_[i];
  }
}

double InertiaAtRest::diagonal(int dof) const {
  const Vec6& S = axes_[static_cast<std::size_t>(dof)];
  const Dof& d = model_.dofs[static_cast<std::size_t>(dof)];
  return d.armature + S.dot(composite_[static_cast<std::size_t>(d.link)] * S);
}

MatX InertiaAtRest::tree_matrix(const Tree& tree) const {
  MatX M = MatX::Zero(tree.dof_count, tree.dof_count);
  for (int i = tree.dof_begin; i < tree.dof_begin + tree.dof_count; ++i) {
    const int link = model_.dofs[static_cast<std::size_t>(i)].link;
    const Vec6 momentum =
        composite_[static_cast<std::size_t>(link)] * axes_[static_cast<std::size_t>(i)];
    const auto row = static_cast<std::size_t>(i);
    for (int k = model_.M_row[row]; k < model_.M_row[row + 1]; ++k) {
      const int j = model_.M_col[static_cast<std::size_t>(k)];
      const double m = axes_[static_cast<std::size_t>(j)].dot(momentum);
      M(i - tree.dof_begin, j - tree.dof_begin) = M(j - tree.dof_begin, i - tree.dof_begin) = m;
    }
    M(i - tree.dof_begin, i - tree.dof_begin) += model_.dofs[row].armature;
  }
  for (const Tendon& tendon : model_.tendons) {
    if (tendon.armature == 0 || tendon.for_joint) continue;
    VecX J = VecX::Zero(tree.dof_count);
    for (int k = tendon.term_begin; k < tendon.term_begin + tendon.term_count; ++k) {
      const TendonTerm& term = model_.tendon_terms[static_cast<std::size_t>(k)];
      const int i = term.dof - tree.dof_begin;
      if (i >= 0 && i < tree.dof_count) J[i] += term.coef;
    }
    M += tendon.armature * J * J.transpose();
  }
  return M;
}

VecX InertiaAtRest::inverse_weights(int joint_id) const {
  const Joint& joint = model_.joints[static_cast<std::size_t>(joint_id)];
  const int link = model_.dofs[static_cast<std::size_t>(joint.dof)].link;
  const Tree& tree =
      model_.trees[static_cast<std::size_t>(model_.links[static_cast<std::size_t>(link)].tree)];
  const int count = joint.type == JointType::free ? 6 : joint.type == JointType::ball ? 3 : 1;
  const int first = joint.dof - tree.dof_begin;
  Eigen::LDLT<MatX> factor;
  factor_symmetric(tree_matrix(tree), factor);
  VecX weights(count);
  for (int i = 0; i < count; ++i) {
    VecX x = VecX::Unit(tree.dof_count, first + i);
    solve_symmetric(factor, x);
    weights[i] = x[first + i];
  }
  for (int i = 0; i + 3 <= count; i += 3) {
    weights.segment<3>(i).setConstant(weights.segment<3>(i).mean());
  }
  return weights;
}

Vec3 InertiaAtRest::linear(int dof, const Vec3& p_W) const {
  const Vec6& S = axes_[static_cast<std::size_t>(dof)];
  return S.tail<3>() + S.head<3>().cross(p_W);
}

}  // namespace abut::compiling
