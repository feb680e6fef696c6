#include "abut/contact/fast/island_newton.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "abut/contact/fast/tolerances.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// Weights of a step, by the inverse inertia of each contact; the last one is kStiff. A soft weight
// finds which contacts press in a few systems, and a hard one needs as few from there.
constexpr double kSoft = 100, kHarder = 10;
// Systems for one weight, and halvings of a step of Newton's method.
constexpr int kMostSystems = 30, kMostHalvings = 10;
// Multiplications for a contact in a system, beside those of the factors.
constexpr double kContactWork = 600;

Vec3 in_lane(const Lanes* x, int lane) { return {x[0][lane], x[1][lane], x[2][lane]}; }

// The nearest point of Coulomb's cone.
Vec3 in_cone(Vec3 p, double friction) {
  const double size = p.tail<2>().norm();
  if (size <= friction * p[0]) return p;
  if (p[0] <= -friction * size) return Vec3::Zero();
  const double normal = (p[0] + friction * size) / (1 + friction * friction);
  p[0] = normal;
  if (size > 0) p.tail<2>() *= friction * normal / size;
  return p;
}

// The derivative of in_cone() at `tried`, which leads to p.
Mat3 cone_slope(const Vec3& tried, const Vec3& p, double friction) {
  if (p[0] <= 0) return Mat3::Zero();
  if (p == tried) return Mat3::Identity();
  const double size = tried.tail<2>().norm();
  const Eigen::Vector2d along = tried.tail<2>() / size;
  const Vec3 edge = Vec3(1, friction * along[0], friction * along[1]) / std::hypot(1, friction),
             across(0, -along[1], along[0]);
  return edge * edge.transpose() + friction * p[0] / size * across * across.transpose();
}

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
  find_contacts(contacts);
  lu_.set(K_);
  return lu_.tree().operations() + kContactWork * static_cast<double>(contacts_.size());
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

void IslandNewton::find_contacts(WideContacts& contacts) {
  contacts_.clear();
  for (Pair& pair : pairs_) {
    const LanePair& of = contacts.pairs()[at(pair.block)];
    const int k = pair.lane;
    pair.begin = static_cast<int>(contacts_.size());
    for (int i = of.begin; i < of.end; ++i) {
      const LanePoint& point = contacts.points()[at(i)];
      if (!(point.inverse_nn[k] > 0)) continue;
      Contact& c = contacts_.emplace_back();
      for (int r = 0; r < 3; ++r) {
        const Vec3 d = in_lane(of.axis[r], k);
        c.of_a.row(r) << -d.transpose(), -in_lane(point.arm_a, k).cross(d).transpose();
        c.of_b.row(r) << d.transpose(), in_lane(point.arm_b, k).cross(d).transpose();
      }
      c.rest = in_lane(point.b, k);
      c.friction = of.friction[k];
      c.inverse_nn = point.inverse_nn[k];
      c.point = i;
    }
    pair.end = static_cast<int>(contacts_.size());
  }
}

// Masses, velocities and impulses at the beginning of a step.
void IslandNewton::find_start(const std::vector<LaneMotion>& u, const WideContacts& contacts) {
  masses_.resize(movers_.size());
  start_.resize(movers_.size());
  for (std::size_t i = 0; i < movers_.size(); ++i) {
    const LaneMass& m = contacts.masses()[at(movers_[i])];
    Mat3 inverse;
    inverse << m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz;
    masses_[i].setZero();
    masses_[i].topLeftCorner<3, 3>() = Mat3::Identity() / m.inverse;
    masses_[i].bottomRightCorner<3, 3>() = inverse.inverse();
    const LaneMotion& of = u[at(movers_[i])];
    start_[i] << of.lin[0], of.lin[1], of.lin[2], of.ang[0], of.ang[1], of.ang[2];
  }
}

int IslandNewton::step(WideContacts& contacts, std::vector<LaneMotion>& u) {
  find_start(u, contacts);
  for (const Pair& pair : pairs_)
    for (int i = pair.begin; i < pair.end; ++i) {
      Contact& c = contacts_[at(i)];
      c.first = c.p = in_lane(contacts.points()[at(c.point)].p, pair.lane);
    }
  int systems = 0;
  for (double weight = kSoft; weight <= kStiff; weight *= kHarder) {
    const int more = minimise(weight);
    if (more == 0) return 0;
    systems += more;
    start_ = moved_;
  }
  apply(contacts, u);
  return systems;
}

// moved_ and the impulses for a weight, from start_ and the impulses so far; how many systems that
// took, 0: it failed.
int IslandNewton::minimise(double weight) {
  moved_ = start_;
  for (const Pair& pair : pairs_)
    for (int i = pair.begin; i < pair.end; ++i) {
      Contact& c = contacts_[at(i)];
      c.before = c.p;
      c.shift = c.friction * slip(pair, c).tail<2>().norm();
    }
  find_impulses(weight);
  int systems = 0;
  while (systems < kMostSystems && find_residual() > kSolvedIsland) {
    if (!find_direction(weight)) return 0;
    ++systems;
    if (!search(weight)) break;
  }
  return std::max(systems, 1);
}

Vec3 IslandNewton::slip(const Pair& pair, const Contact& c) const {
  Vec3 w = c.rest;
  if (pair.a >= 0) w += c.of_a * moved_[at(pair.a)];
  if (pair.b >= 0) w += c.of_b * moved_[at(pair.b)];
  return w;
}

// The impulses that the velocities moved_ lead to.
void IslandNewton::find_impulses(double weight) {
  for (const Pair& pair : pairs_)
    for (int i = pair.begin; i < pair.end; ++i) {
      Contact& c = contacts_[at(i)];
      c.w = slip(pair, c);
      c.w[0] += c.shift;
      c.tried = c.before - weight * c.inverse_nn * c.w;
      c.p = in_cone(c.tried, c.friction);
    }
}

// x_ = J' (p - before) - M (moved_ - start_); its largest element, as part of the largest impulse.
double IslandNewton::find_residual() {
  x_.resize(6 * movers_.size());
  const auto of = [this](int node) { return Eigen::Map<Vec6>(&x_[6 * at(node)]); };
  for (std::size_t i = 0; i < movers_.size(); ++i)
    of(static_cast<int>(i)) = masses_[i] * (start_[i] - moved_[i]);
  double most = 0, worst = 0;
  for (const Pair& pair : pairs_)
    for (int i = pair.begin; i < pair.end; ++i) {
      const Contact& c = contacts_[at(i)];
      most = std::max({most, c.p.norm(), c.before.norm()});
      if (pair.a >= 0) of(pair.a) += c.of_a.transpose() * (c.p - c.before);
      if (pair.b >= 0) of(pair.b) += c.of_b.transpose() * (c.p - c.before);
    }
  for (const double x : x_) worst = std::max(worst, std::abs(x));
  return most > 0 ? worst / most : 0;
}

// What is least at the solution; its gradient is the residual, turned round.
double IslandNewton::cost(double weight) const {
  double sum = 0;
  for (std::size_t i = 0; i < movers_.size(); ++i) {
    const Vec6 d = moved_[i] - start_[i];
    sum += 0.5 * d.dot(masses_[i] * d);
  }
  for (const Contact& c : contacts_)
    sum += 0.5 * c.p.squaredNorm() / (weight * c.inverse_nn) + c.before.dot(c.w);
  return sum;
}

// x_ = the direction of Newton's method, from the residual.
bool IslandNewton::find_direction(double weight) {
  using SixBySix = Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>;
  K_.values.assign(36 * (movers_.size() + 2 * edges_.size()), 0.0);
  for (std::size_t i = 0; i < movers_.size(); ++i) SixBySix(&K_.values[36 * i]) = masses_[i];
  for (const Pair& pair : pairs_) add_pair(pair, weight);
  if (!lu_.factor(K_)) return false;
  lu_.solve(x_.data());
  return std::all_of(x_.begin(), x_.end(), [](double x) { return std::isfinite(x); });
}

// K_ += J' (dp / dw) J of the contacts of a pair.
void IslandNewton::add_pair(const Pair& pair, double weight) {
  using SixBySix = Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>;
  Mat6 aa = Mat6::Zero(), bb = Mat6::Zero(), ab = Mat6::Zero();
  for (int i = pair.begin; i < pair.end; ++i) {
    const Contact& c = contacts_[at(i)];
    if (c.p[0] <= 0) continue;
    const Mat3 slope = weight * c.inverse_nn * cone_slope(c.tried, c.p, c.friction);
    const Rows of_b = slope * c.of_b;
    if (pair.a >= 0) aa.noalias() += c.of_a.transpose() * (slope * c.of_a);
    if (pair.b >= 0) bb.noalias() += c.of_b.transpose() * of_b;
    if (pair.edge >= 0) ab.noalias() += c.of_a.transpose() * of_b;
  }
  if (pair.a >= 0) SixBySix(&K_.values[K_.diagonal[at(pair.a)]]) += aa;
  if (pair.b >= 0) SixBySix(&K_.values[K_.diagonal[at(pair.b)]]) += bb;
  if (pair.edge < 0) return;
  const SparseBlocks::Edge& edge = K_.edges[at(pair.edge)];
  const bool rises = pair.a < pair.b;
  SixBySix(&K_.values[rises ? edge.upper : edge.lower]) += ab;
  SixBySix(&K_.values[rises ? edge.lower : edge.upper]) += ab.transpose();
}

// moved_ by the direction, or a part of it that leads down; false: none does, but for rounding.
bool IslandNewton::search(double weight) {
  const double now = cost(weight);
  from_ = moved_;
  double part = 1;
  for (int k = 0; k <= kMostHalvings; ++k, part *= 0.5) {
    for (std::size_t i = 0; i < movers_.size(); ++i)
      moved_[i] = from_[i] + part * Eigen::Map<const Vec6>(&x_[6 * i]);
    find_impulses(weight);
    if (cost(weight) < now) return true;
  }
  moved_ = from_;
  find_impulses(weight);
  return false;
}

// The impulses, and the velocities that they lead to.
void IslandNewton::apply(WideContacts& contacts, std::vector<LaneMotion>& u) {
  const auto push = [&](int node, const Vec6& impulse) {
    const int mover = movers_[at(node)];
    const LaneMass& m = contacts.masses()[at(mover)];
    const Vec3 t = impulse.tail<3>();
    const Vec3 turn(m.xx * t.x() + m.xy * t.y() + m.xz * t.z(),
                    m.xy * t.x() + m.yy * t.y() + m.yz * t.z(),
                    m.xz * t.x() + m.yz * t.y() + m.zz * t.z());
    for (int k = 0; k < 3; ++k) {
      u[at(mover)].lin[k] += m.inverse * impulse[k];
      u[at(mover)].ang[k] += turn[k];
    }
  };
  for (const Pair& pair : pairs_)
    for (int i = pair.begin; i < pair.end; ++i) {
      const Contact& c = contacts_[at(i)];
      if (pair.a >= 0) push(pair.a, c.of_a.transpose() * (c.p - c.first));
      if (pair.b >= 0) push(pair.b, c.of_b.transpose() * (c.p - c.first));
      for (int x = 0; x < 3; ++x) contacts.points()[at(c.point)].p[x][pair.lane] = c.p[x];
    }
}

}  // namespace abut
