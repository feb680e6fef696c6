#include "abut/contact/penalty/stiffness/mobility.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "abut/collide/volume/intersection.h"
#include "abut/dynamics/jacobian.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/math/index.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"
#include "abut/solve/problem.h"

namespace abut {

namespace {

double largest_eigenvalue(const Mat3& A) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(A, Eigen::EigenvaluesOnly).eigenvalues()[2];
}

LinkMobility mobility_of(const Model& model, const Derived& d, int index) {
  const Link& link = model.links[at(index)];
  const Vec3 com = d.body_pose[at(link.body)] * link.mass.com;
  Mat6 W;
  std::vector<double> x(at(model.nv));
  Eigen::Matrix<double, 6, Eigen::Dynamic> J(6, model.nv);
  J.setZero();
  body_jacobian(model, d, link.body, com, J);
  for (int k = 0; k < 6; ++k) {
    std::fill(x.begin(), x.end(), 0.0);
    for (int i = 0; i < model.nv; ++i) x[at(i)] = J(k, i);
    solve(model, d, x);
    W.col(k) = J * Eigen::Map<const VecX>(x.data(), model.nv);
  }
  const Mat3 R = d.body_pose[at(link.body)].q.toRotationMatrix();
  return {largest_eigenvalue(W.topLeftCorner<3, 3>()),
          R.transpose() * W.bottomRightCorner<3, 3>() * R};
}

// The largest arm^2 (m^2) that a normal at the surface has about the centre of mass: at distance
// r, and since the surface is nowhere nearer than r_in along its normal, r^2 - r_in^2 at most.
double longest_arm(const Convex& solid, const Vec3& com_G) {
  double nearest = kInfinity;
  for (const Polyhedron::Face& f : face_planes(solid))
    nearest = std::min(nearest, f.offset - f.eta.dot(com_G));
  if (solid.kind == ShapeKind::sphere)
    nearest = solid.dimensions[0] - (com_G - solid.center).norm();
  double farthest = (com_G - solid.center).norm() + solid.radius;
  if (solid.polyhedron != nullptr) {
    farthest = 0;
    for (const Vec3& v : solid.polyhedron->vertices)
      farthest = std::max(farthest, (v - com_G).norm());
  }
  nearest = std::isfinite(nearest) ? std::max(nearest, 0.0) : 0;
  return std::max(farthest * farthest - nearest * nearest, 0.0);
}

// What an impulse at a vertex turns, at most: over vertices and all directions. Where a body turns
// more easily about one axis than about others, longest_arm() times the largest says too much: the
// corners of a rod are far from its middle, but near the axis about which it turns easily.
double turning(const Convex& solid, const Vec3& com_G, const Mat3& angular_G) {
  if (solid.polyhedron == nullptr) return kInfinity;
  double most = 0;
  for (const Vec3& v : solid.polyhedron->vertices) {
    const Vec3 r = v - com_G;
    const Mat3 cross = skew(r);
    most = std::max(most, largest_eigenvalue(cross.transpose() * angular_G * cross));
  }
  return most;
}

// Diagonal of the box around everything that a link carries, along the axes of its body (m).
std::vector<double> link_sizes(const Model& model, const Derived& d, const Collider& collider) {
  std::vector<Aabb> boxes(model.links.size());
  for (int g = 0; g < static_cast<int>(model.geoms.size()); ++g) {
    const int l = model.bodies[at(model.geoms[at(g)].body)].link;
    const Convex& solid = collider.solids()[g];
    if (l < 0 || solid.is_half_space() || !collider.solids().can_collide(g)) continue;
    const Pose X = d.body_pose[at(model.links[at(l)].body)].inverse() * geom_pose(model, d, g);
    if (solid.tessellation == nullptr) continue;
    for (const Vec3& v : solid.tessellation->vertices) boxes[at(l)].merge(X * v);
  }
  std::vector<double> sizes(boxes.size(), 0.0);
  for (std::size_t l = 0; l < boxes.size(); ++l)
    if (!boxes[l].empty()) sizes[l] = boxes[l].extent().norm();
  return sizes;
}

}  // namespace

double largest_motion(const Mat6& P, const Mat6& G) {
  Mat6 X = P * G;
  const double size = X.trace();
  if (!(size > 0)) return 0;
  X /= size;
  for (int i = 0; i < 2; ++i) X = (X * X).eval();
  return size * std::pow((X.transpose().cwiseProduct(X)).sum(), 1.0 / 8);
}

Mobility::Mobility(const Model& model, const Collider& collider, MobilityOf of) {
  Derived d(model);
  const State state(model);
  const Input input(model);
  positions(model, state, input, d);
  mass_matrix(model, d);
  factor(model, d);

  links_.resize(model.links.size());
  std::vector<double> tree_mass(model.trees.size(), 0.0);
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const Link& link = model.links[l];
    tree_mass[at(link.tree)] += link.mass.mass;
    if (model.trees[at(link.tree)].free_body)
      links_[l] = {1 / link.mass.mass, link.inverse_inertia};
    else
      links_[l] = mobility_of(model, d, static_cast<int>(l));
  }

  for (int g = 0; g < static_cast<int>(model.geoms.size()); ++g) {
    OfGeom& out = geoms_.emplace_back();
    out.size = collider.sizes()[at(g)];
    const Geom& geom = model.geoms[at(g)];
    const int l = model.bodies[at(geom.body)].link;
    if (l < 0) continue;
    const Link& link = model.links[at(l)];
    out.linear = links_[at(l)].linear;
    out.mass = link.mass.mass;
    out.tree_mass = tree_mass[at(link.tree)];
    out.tree = link.tree;
    const Pose X_GB = geom_pose(model, d, g).inverse() * d.body_pose[at(link.body)];
    const Vec3 com_G = X_GB * link.mass.com;
    const Mat3 R = X_GB.q.toRotationMatrix();
    const Mat3 angular_G = R * links_[at(l)].angular * R.transpose();
    out.com_G = com_G;
    out.angular_G = angular_G;
    // the thickness of a planar world's prisms must not show
    const Convex& solid = collider.solids()[g];
    const double arm = collider.plane() ? out.size * out.size / 4 : longest_arm(solid, com_G);
    double turns = arm * largest_eigenvalue(angular_G);
    if (!collider.plane()) turns = std::min(turns, turning(solid, com_G, angular_G));
    out.worst = out.linear + (std::isfinite(turns) ? turns : 0);
  }
  if (of == MobilityOf::bodies) join_bodies(model, link_sizes(model, d, collider), collider);
}

// A planar world's sizes are those of its polygons: there the largest geom's stands for the body's.
void Mobility::join_bodies(const Model& model, std::vector<double> sizes,
                           const Collider& collider) {
  const auto link_of = [&](std::size_t g) { return model.bodies[at(model.geoms[g].body)].link; };
  if (collider.plane()) std::fill(sizes.begin(), sizes.end(), 0.0);
  std::vector<double> worst(sizes.size(), 0.0);
  for (std::size_t g = 0; g < geoms_.size(); ++g)
    if (const int l = link_of(g); l >= 0) {
      worst[at(l)] = std::max(worst[at(l)], geoms_[g].worst);
      if (collider.plane()) sizes[at(l)] = std::max(sizes[at(l)], geoms_[g].size);
    }
  for (std::size_t g = 0; g < geoms_.size(); ++g) {
    const int l = link_of(g);
    geoms_[g].size = l >= 0 ? sizes[at(l)] : 0;  // tiles of a floor must not show
    if (l >= 0) geoms_[g].worst = worst[at(l)];
  }
}

double Mobility::reduced_mass(int geom_a, int geom_b) const {
  const double inverse = of(geom_a).linear + of(geom_b).linear;
  return inverse > 0 ? 1 / inverse : 0;
}

Mat6 Mobility::at_point(int geom, const Pose& X_WG, const Vec3& p) const {
  const OfGeom& g = of(geom);
  Mat6 W = Mat6::Zero();
  if (g.linear <= 0) return W;
  const Vec3 r = p - X_WG * g.com_G;
  Mat3 arm;
  arm << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  const Mat3 R = X_WG.q.toRotationMatrix();
  const Mat3 angular = R * g.angular_G * R.transpose();
  W.bottomRightCorner<3, 3>() = angular;
  W.bottomLeftCorner<3, 3>() = angular * arm;
  W.topRightCorner<3, 3>() = -arm * angular;
  W.topLeftCorner<3, 3>() = g.linear * Mat3::Identity() - arm * angular * arm;
  return W;
}

double Mobility::size(int geom_a, int geom_b) const {
  const double a = of(geom_a).size, b = of(geom_b).size;
  return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
}

}  // namespace abut
