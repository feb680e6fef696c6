#include "abut/constrain/stabilize/keep_momentum.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "abut/math/index.h"
#include "abut/math/rotation.h"

namespace abut {

void MomentumKeeper::read(std::span<const int> trees, std::span<const double> v, const Derived& d) {
  bodies_.clear();
  for (const int index : trees) {
    const Tree& tree = model_.trees[at(index)];
    const Link& link = model_.links[at(tree.link_begin)];
    const Mat3& R = d.body_rotation[at(link.body)];
    const Eigen::Map<const Vec3> linear(&v[at(tree.dof_begin)]),
        angular(&v[at(tree.dof_begin + 3)]);
    Moving& body = bodies_.emplace_back();
    body.mass = link.mass.mass;
    body.inertia = R * link.mass.inertia * R.transpose();
    body.place = d.body_pose[at(link.body)] * link.mass.com;
    body.omega = R * angular;
    body.velocity = linear + R * angular.cross(link.mass.com);
  }
}

void MomentumKeeper::write(std::span<const int> trees, const Derived& d,
                           std::span<double> v) const {
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const Tree& tree = model_.trees[at(trees[i])];
    const Link& link = model_.links[at(tree.link_begin)];
    const Mat3& R = d.body_rotation[at(link.body)];
    const Vec3 omega = R.transpose() * bodies_[i].omega;
    Eigen::Map<Vec3> linear(&v[at(tree.dof_begin)]), angular(&v[at(tree.dof_begin + 3)]);
    linear = bodies_[i].velocity - R * omega.cross(link.mass.com);
    angular = omega;
  }
}

MomentumKeeper::Together MomentumKeeper::together() const {
  Together all;
  for (const Moving& b : bodies_) {
    all.mass += b.mass;
    all.center += b.mass * b.place;
    all.velocity += b.mass * b.velocity;
    all.kinetic += 0.5 * (b.mass * b.velocity.squaredNorm() + b.omega.dot(b.spin()));
  }
  all.center /= all.mass;
  all.velocity /= all.mass;
  for (const Moving& b : bodies_) {
    const Vec3 r = b.place - all.center;
    all.angular += b.mass * r.cross(b.velocity) + b.spin();
    all.inertia += b.inertia - b.mass * skew(r) * skew(r);
  }
  return all;
}

// Leaves the trees of the island in island_.
bool MomentumKeeper::floats(std::span<const int> island, std::span<const RowGroup> groups,
                            std::span<const double> impulses) {
  island_.clear();
  bool acts = impulses.empty();
  for (const int index : island) {
    const RowGroup& g = groups[at(index)];
    if (g.trees != 2) return false;
    for (int r = g.row; r < g.row + g.size && !acts; ++r) acts = impulses[at(r)] != 0;
    for (int t = 0; t < g.trees; ++t) {
      if (!model_.trees[at(g.tree[t])].free_body) return false;
      island_.push_back(g.tree[t]);
    }
  }
  std::sort(island_.begin(), island_.end());
  island_.erase(std::unique(island_.begin(), island_.end()), island_.end());
  return acts;
}

void MomentumKeeper::note(const Islands& islands, std::span<const RowGroup> groups,
                          std::span<const double> impulses, std::span<const double> v,
                          const Derived& d) {
  trees_.clear();
  spins_.clear();
  before_.clear();
  begin_.assign(1, 0);
  for (int k = 0; k < islands.count(); ++k) {
    if (!floats(islands.groups(k), groups, impulses)) continue;
    read(island_, v, d);
    before_.push_back(together());
    trees_.insert(trees_.end(), island_.begin(), island_.end());
    for (const Moving& b : bodies_) spins_.push_back(b.spin());
    begin_.push_back(static_cast<int>(trees_.size()));
  }
}

void MomentumKeeper::restore(const Derived& d, std::span<double> v, TooLittleEnergy rule) {
  handed_ = 0;
  for (std::size_t k = 0; k < before_.size(); ++k) {
    const std::size_t first = at(begin_[k]), count = at(begin_[k + 1]) - first;
    const std::span<const int> trees(trees_.data() + first, count);
    read(trees, v, d);
    had_ = bodies_;
    keep_spins({spins_.data() + first, count});
    if (!give_back(before_[k]) && rule == TooLittleEnergy::leave) continue;
    // what some lose others get
    for (std::size_t i = 0; i < count; ++i)
      handed_ += 0.5 * bodies_[i].mass * (bodies_[i].velocity - had_[i].velocity).norm();
    write(trees, d, v);
  }
}

void MomentumKeeper::keep_spins(std::span<const Vec3> spins) {
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    bodies_[i].omega = bodies_[i].inertia.ldlt().solve(spins[i]);
}

// False: that takes more energy than there was.
bool MomentumKeeper::give_back(const Together& before) {
  Together now = together();
  const Vec3 turn = now.inertia.ldlt().solve(before.angular - now.angular);
  for (Moving& b : bodies_) {
    b.velocity += turn.cross(b.place - now.center);
    b.omega += turn;
  }

  now = together();
  const Vec3 as_one = now.inertia.ldlt().solve(now.angular);
  const double gained = now.kinetic - before.kinetic;
  const double inside =
      now.kinetic - 0.5 * (now.mass * now.velocity.squaredNorm() + as_one.dot(now.angular));
  if (!(gained > 0)) return true;
  if (!(inside > 0)) return false;
  const double part = std::sqrt(std::max(0.0, 1 - gained / inside));
  for (Moving& b : bodies_) {
    const Vec3 rigid = now.velocity + as_one.cross(b.place - now.center);
    b.velocity = rigid + part * (b.velocity - rigid);
    b.omega = as_one + part * (b.omega - as_one);
  }
  return gained <= inside;
}

}  // namespace abut
