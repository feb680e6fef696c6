#include "abut/contact/penalty/mobility.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "abut/collide/intersection.h"
#include "abut/dynamics/jacobian.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/model/kinematics.h"
#include "abut/solve/problem.h"

namespace abut {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double largest_eigenvalue(const Mat3& A) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(A, Eigen::EigenvaluesOnly).eigenvalues()[2];
}

// What unit forces and torques at a link's centre of mass do to it.
struct LinkMobility {
  double linear = 0, angular = 0;  // 1/kg, 1/(kg m^2)
};

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
  return {largest_eigenvalue(W.topLeftCorner<3, 3>()),
          largest_eigenvalue(W.bottomRightCorner<3, 3>())};
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

}  // namespace

Mobility::Mobility(const Model& model, const Collider& collider) {
  Derived d(model);
  const State state(model);
  const Input input(model);
  positions(model, state, input, d);
  mass_matrix(model, d);
  factor(model, d);

  std::vector<LinkMobility> links(model.links.size());
  std::vector<double> tree_mass(model.trees.size(), 0.0);
  for (std::size_t l = 0; l < links.size(); ++l) {
    const Link& link = model.links[l];
    tree_mass[at(link.tree)] += link.mass.mass;
    if (model.trees[at(link.tree)].free_body)
      links[l] = {1 / link.mass.mass, largest_eigenvalue(link.inverse_inertia)};
    else
      links[l] = mobility_of(model, d, static_cast<int>(l));
  }

  for (int g = 0; g < static_cast<int>(model.geoms.size()); ++g) {
    OfGeom& out = geoms_.emplace_back();
    out.size = collider.sizes()[at(g)];
    const Geom& geom = model.geoms[at(g)];
    const int l = model.bodies[at(geom.body)].link;
    if (l < 0) continue;
    const Link& link = model.links[at(l)];
    out.linear = links[at(l)].linear;
    out.mass = link.mass.mass;
    out.tree_mass = tree_mass[at(link.tree)];
    out.tree = link.tree;
    const Vec3 com_G =
        geom_pose(model, d, g).inverse() * (d.body_pose[at(link.body)] * link.mass.com);
    // the thickness of a planar world's prisms must not show
    const double arm =
        collider.plane() ? out.size * out.size / 4 : longest_arm(collider.solids()[g], com_G);
    out.worst = out.linear + (std::isfinite(arm) ? arm * links[at(l)].angular : 0);
  }
}

double Mobility::reduced_mass(int geom_a, int geom_b) const {
  const double inverse = of(geom_a).linear + of(geom_b).linear;
  return inverse > 0 ? 1 / inverse : 0;
}

double Mobility::size(int geom_a, int geom_b) const {
  const double a = of(geom_a).size, b = of(geom_b).size;
  return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
}

}  // namespace abut
