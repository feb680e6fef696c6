#include "abut/contact/fast/island_newton.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "abut/contact/fast/tolerances.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// Systems of a step: each contact that closes or opens asks for another.
constexpr int kMostSystems = 10;

using Twist6 = Eigen::Matrix<double, 1, 6>;
using SixBySix = Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>;

Vec3 in_lane(const Lanes* x, int lane) { return {x[0][lane], x[1][lane], x[2][lane]}; }
Vec3 three(const double* x) { return {x[0], x[1], x[2]}; }

// A contact of a lane, at the velocities u.
struct ContactInLane {
  const LanePair& pair;
  LanePoint& point;
  int lane;
  Mat3 frame;  // columns: normal, two tangents

  ContactInLane(const LanePair& of, LanePoint& at_point, int in)
      : pair(of), point(at_point), lane(in) {
    for (int k = 0; k < 3; ++k) frame.col(k) = in_lane(of.axis[k], in);
  }
  Vec3 p() const { return in_lane(point.p, lane); }
  double stiff() const { return kStiff * point.inverse_nn[lane]; }
  double bound(double normal) const { return pair.friction[lane] * normal; }
  Vec3 slip(const std::vector<LaneMotion>& u) const {
    const LaneMotion &a = u[at(pair.body_a[lane])], &b = u[at(pair.body_b[lane])];
    const Vec3 v = three(b.lin) + three(b.ang).cross(in_lane(point.arm_b, lane)) - three(a.lin) -
                   three(a.ang).cross(in_lane(point.arm_a, lane));
    return frame.transpose() * v + in_lane(point.b, lane);
  }
  // By how much the two twists, of A and B, change the velocity along d.
  std::pair<Twist6, Twist6> row(const Vec3& d) const {
    Twist6 of_a, of_b;
    of_a << -d.transpose(), -in_lane(point.arm_a, lane).cross(d).transpose();
    of_b << d.transpose(), in_lane(point.arm_b, lane).cross(d).transpose();
    return {of_a, of_b};
  }
  Vec3 in_cone(Vec3 p) const {
    p[0] = std::max(p[0], 0.0);
    const double most = bound(p[0]), size = p.tail<2>().norm();
    if (size > most) p.tail<2>() *= most / size;
    return p;
  }
};

}  // namespace

void IslandNewton::index(WideContacts& contacts) {
  begins_.assign(at(contacts.islands()) + 1, 0);
  const auto each = [&](const auto& visit) {
    for (std::size_t b = 0; b < contacts.pairs().size(); ++b)
      for (int k = 0; k < kLanes; ++k)
        if (const int island = contacts.pairs()[b].island[k]; island >= 0)
          visit(static_cast<std::int32_t>(b), k, island);
  };
  each([&](int, int, int island) { ++begins_[at(island) + 1]; });
  for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  next_ = begins_;
  lanes_.resize(at(begins_.back()));
  each([&](std::int32_t b, int k, int island) { lanes_[at(next_[at(island)]++)] = {b, k}; });
  node_of_.assign(at(contacts.movers()) + 1, -1);
  movers_.clear();
}

double IslandNewton::take(int island, WideContacts& contacts) {
  pairs_.clear();
  for (int i = begins_[at(island)]; i < begins_[at(island) + 1]; ++i)
    pairs_.push_back({lanes_[at(i)].first, lanes_[at(i)].second});
  find_nodes(contacts);
  find_edges();
  lu_.set(K_);
  return lu_.tree().operations();
}

void IslandNewton::find_nodes(WideContacts& contacts) {
  for (const int m : movers_) node_of_[at(m)] = -1;
  movers_.clear();
  const auto node = [&](int mover) {
    if (mover >= contacts.movers()) return -1;
    int& known = node_of_[at(mover)];
    if (known < 0) {
      known = static_cast<int>(movers_.size());
      movers_.push_back(mover);
    }
    return known;
  };
  for (Pair& pair : pairs_) {
    const LanePair& of = contacts.pairs()[at(pair.block)];
    pair.a = node(of.body_a[pair.lane]);
    pair.b = node(of.body_b[pair.lane]);
  }
}

void IslandNewton::find_edges() {
  edges_.clear();
  for (const Pair& pair : pairs_)
    if (pair.a >= 0 && pair.b >= 0) edges_.push_back(std::minmax({pair.a, pair.b}));
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  for (Pair& pair : pairs_)
    if (pair.a >= 0 && pair.b >= 0) {
      const std::pair<int, int> key = std::minmax({pair.a, pair.b});
      pair.edge =
          static_cast<int>(std::lower_bound(edges_.begin(), edges_.end(), key) - edges_.begin());
    }

  const std::size_t nodes = movers_.size();
  K_.graph.size.assign(nodes, 6);
  K_.graph.begin.assign(nodes + 1, 0);
  for (const auto& [i, j] : edges_) ++K_.graph.begin[at(i) + 1], ++K_.graph.begin[at(j) + 1];
  for (std::size_t i = 1; i <= nodes; ++i) K_.graph.begin[i] += K_.graph.begin[i - 1];
  next_ = K_.graph.begin;
  K_.graph.neighbour.resize(2 * edges_.size());
  K_.first.resize(nodes);
  K_.diagonal.resize(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    K_.first[i] = 6 * static_cast<int>(i);
    K_.diagonal[i] = 36 * i;
  }
  K_.edges.clear();
  for (const auto& [i, j] : edges_) {
    K_.graph.neighbour[at(next_[at(i)]++)] = j;
    K_.graph.neighbour[at(next_[at(j)]++)] = i;
    const std::size_t begin = 36 * (nodes + 2 * K_.edges.size());
    K_.edges.push_back({i, j, begin, begin + 36});
  }
}

void IslandNewton::add_masses(WideContacts& contacts) {
  K_.values.assign(36 * (movers_.size() + 2 * edges_.size()), 0.0);
  for (std::size_t i = 0; i < movers_.size(); ++i) {
    const LaneMass& m = contacts.masses()[at(movers_[i])];
    Mat3 inverse;
    inverse << m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz;
    SixBySix K(&K_.values[36 * i]);
    K.topLeftCorner<3, 3>() = Mat3::Identity() / m.inverse;
    K.bottomRightCorner<3, 3>() = inverse.inverse();
  }
}

template <class Visit>
void IslandNewton::for_each_contact(WideContacts& contacts, const Visit& visit) {
  std::size_t contact = 0;
  for (const Pair& pair : pairs_) {
    const LanePair& of = contacts.pairs()[at(pair.block)];
    for (int i = of.begin; i < of.end; ++i)
      if (LanePoint& point = contacts.points()[at(i)]; point.inverse_nn[pair.lane] > 0)
        visit(pair, ContactInLane(of, point, pair.lane), contact++);
  }
}

double* IslandNewton::block(const Pair& pair, int of, int with) {
  if (of == with) return &K_.values[K_.diagonal[at(of)]];
  const SparseBlocks::Edge& edge = K_.edges[at(pair.edge)];
  return &K_.values[of < with ? edge.upper : edge.lower];
}

void IslandNewton::add(const Pair& pair, const std::pair<Twists, Twists>& row, double stiff) {
  const std::pair<int, const Twists*> sides[2] = {{pair.a, &row.first}, {pair.b, &row.second}};
  for (const auto& [i, x] : sides)
    for (const auto& [j, y] : sides)
      if (i >= 0 && j >= 0) SixBySix(block(pair, i, j)) += (stiff * x->transpose()) * *y;
}

// x += J' p
void IslandNewton::add_push(const Pair& pair, const std::pair<Twist6, Twist6>& row, double p) {
  for (int k = 0; k < 6; ++k) {
    if (pair.a >= 0) x_[at(6 * pair.a + k)] += row.first[k] * p;
    if (pair.b >= 0) x_[at(6 * pair.b + k)] += row.second[k] * p;
  }
}

int IslandNewton::step(WideContacts& contacts, std::vector<LaneMotion>& u) {
  found_.clear();
  for_each_contact(contacts, [&](const Pair&, const ContactInLane& c, std::size_t) {
    const Vec3 p = c.p();
    found_.push_back({p, p, p[0] > 0});
  });
  moved_ = u;
  int systems = 0;
  for (bool changed = true; changed && systems < kMostSystems; ++systems) {
    if (!solve(contacts, u)) return 0;
    changed = find_pressing(contacts);
  }
  apply(contacts, u);
  return systems;
}

// A step of Newton's method from moved_, with the contacts that press:
// M (moved - u) = J' (p - p of u).
bool IslandNewton::solve(WideContacts& contacts, const std::vector<LaneMotion>& u) {
  add_masses(contacts);
  x_.assign(6 * movers_.size(), 0.0);
  for (std::size_t i = 0; i < movers_.size(); ++i) {
    const LaneMotion &to = moved_[at(movers_[i])], &from = u[at(movers_[i])];
    Eigen::Matrix<double, 6, 1> d;
    d << three(to.lin) - three(from.lin), three(to.ang) - three(from.ang);
    const Eigen::Matrix<double, 6, 1> r = -(SixBySix(&K_.values[36 * i]) * d);
    std::copy_n(r.data(), 6, &x_[6 * i]);
  }
  for_each_contact(contacts, [&](const Pair& pair, const ContactInLane& c, std::size_t k) {
    const Found& f = found_[k];
    const Vec3 w = c.slip(moved_), tried = f.before - c.stiff() * w;
    Vec3 p = Vec3::Zero();
    if (f.presses) {
      p = tried;
      for (int t = 0; t < 3; ++t) add(pair, c.row(c.frame.col(t)), c.stiff());
    }
    add_push(pair, c.row(c.frame * (p - f.before)), 1);
  });
  if (!lu_.factor(K_)) return false;
  lu_.solve(x_.data());
  for (const double x : x_)
    if (!std::isfinite(x)) return false;
  for (std::size_t i = 0; i < movers_.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      moved_[at(movers_[i])].lin[k] += x_[6 * i + at(k)];
      moved_[at(movers_[i])].ang[k] += x_[6 * i + at(k) + 3];
    }
  return true;
}

// Of the impulses that moved_ leads to; whether any has changed.
bool IslandNewton::find_pressing(WideContacts& contacts) {
  bool changed = false;
  for_each_contact(contacts, [&](const Pair&, const ContactInLane& c, std::size_t k) {
    Found& f = found_[k];
    f.tried = f.before - c.stiff() * c.slip(moved_);
    const bool presses = f.tried[0] > 0;
    changed |= presses != f.presses;
    f.presses = presses;
  });
  return changed;
}

// The impulses, and the velocities that they lead to.
void IslandNewton::apply(WideContacts& contacts, std::vector<LaneMotion>& u) {
  const auto push = [&](int mover, const Vec3& arm, const Vec3& impulse) {
    if (mover >= contacts.movers()) return;
    const LaneMass& m = contacts.masses()[at(mover)];
    const Vec3 t = arm.cross(impulse);
    const Vec3 turn(m.xx * t.x() + m.xy * t.y() + m.xz * t.z(),
                    m.xy * t.x() + m.yy * t.y() + m.yz * t.z(),
                    m.xz * t.x() + m.yz * t.y() + m.zz * t.z());
    for (int k = 0; k < 3; ++k) {
      u[at(mover)].lin[k] += m.inverse * impulse[k];
      u[at(mover)].ang[k] += turn[k];
    }
  };
  for_each_contact(contacts, [&](const Pair&, const ContactInLane& c, std::size_t k) {
    const Vec3 p = c.in_cone(found_[k].tried), change = c.frame * (p - found_[k].before);
    push(c.pair.body_a[c.lane], in_lane(c.point.arm_a, c.lane), -change);
    push(c.pair.body_b[c.lane], in_lane(c.point.arm_b, c.lane), change);
    for (int x = 0; x < 3; ++x) c.point.p[x][c.lane] = p[x];
  });
}

}  // namespace abut
