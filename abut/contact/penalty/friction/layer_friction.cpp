#include "abut/contact/penalty/friction/layer_friction.h"

#include <cmath>

#include "abut/math/rotation.h"

namespace abut {

namespace {

Vec3 in_plane(const Vec3& x, const Vec3& n) { return x - x.dot(n) * n; }

bool is_elastic(FrictionKind kind) {
  return kind == FrictionKind::springs || kind == FrictionKind::anchor;
}

double total_load(const LayerContact& c) {
  double sum = 0;
  for (const LayerPoint& p : c.points) sum += p.load;
  return sum;
}

// From the world to the world: where B's points would be, were nothing strained.
struct Unstrained {
  explicit Unstrained(const LayerContact& c, std::span<const double> layer)
      : normal(c.normal), strained(!layer.empty()) {
    if (!strained) return;
    const Pose X_AB{{layer[0], layer[1], layer[2]}, Quat(layer[3], layer[4], layer[5], layer[6])};
    X = c.X_WA * X_AB * c.X_WB.inverse();
  }
  // How far the layer is sheared at p (m).
  Vec3 shear(const Vec3& p) const { return strained ? in_plane(p - X * p, normal) : Vec3::Zero(); }

  Vec3 normal;
  bool strained;
  Pose X;
};

double limit_ratio(const FrictionRule& rule, bool slides) {
  return slides || rule.kind != FrictionKind::anchor ? 1 : rule.ratio;
}

void write(const Pose& X, std::span<double> layer) {
  for (int k = 0; k < 3; ++k) layer[static_cast<std::size_t>(k)] = X.p[k];
  layer[3] = X.q.w();
  for (int k = 0; k < 3; ++k) layer[static_cast<std::size_t>(4 + k)] = X.q.vec()[k];
}

}  // namespace

void layer_friction(const FrictionRule& rule, const LayerContact& c, std::span<const double> layer,
                    std::span<Friction> out) {
  for (Friction& f : out) f = {};
  const double total = total_load(c);
  if (rule.kind == FrictionKind::none || rule.kind == FrictionKind::linear || c.mu <= 0 ||
      total <= 0)
    return;
  const Unstrained rest(c, is_elastic(rule.kind) ? layer : std::span<const double>());
  const double ratio = limit_ratio(rule, !layer.empty() && layer[7] != 0);
  for (std::size_t i = 0; i < c.points.size(); ++i) {
    const LayerPoint& p = c.points[i];
    if (p.load <= 0) continue;
    const double share = p.load / total;
    if (!is_elastic(rule.kind)) {
      FrictionRule own = rule;
      own.viscous *= share;
      TangentialContact one;
      one.point = p.position;
      one.normal = c.normal;
      one.velocity = p.velocity;
      one.load = p.load;
      one.mu = c.mu;
      one.damping = share * c.damping;
      one.most_damping = share * c.most_damping;
      out[i] = friction_force(own, one, {});
      continue;
    }
    const Vec3 s = rest.shear(p.position), u = in_plane(p.velocity, c.normal);
    const Vec3 f = share * (c.stiffness * s + c.damping * u);
    const double size = f.norm(), most = c.mu * p.load;
    out[i] = {size <= ratio * most ? Vec3(-f) : Vec3(-(most / size) * f),
              0.5 * share * c.stiffness * s.squaredNorm()};
  }
}

void move_layer(const FrictionRule& rule, const LayerContact& c, bool fresh,
                std::span<double> layer) {
  if (!is_elastic(rule.kind)) return;
  const Pose X_AB = c.X_WA.inverse() * c.X_WB;
  const double total = total_load(c);
  if (fresh || total <= 0) {  // nothing presses, nothing holds
    write(X_AB, layer);
    layer[7] = 0;
    return;
  }
  const Unstrained rest(c, layer);
  bool slides = layer[7] != 0, slips = false;
  const double ratio = limit_ratio(rule, slides);

  // a shift and a turn about the normal that fit the shear of each point, after slipping
  Vec3 middle = Vec3::Zero();
  for (const LayerPoint& p : c.points) middle += p.load / total * p.position;
  Vec3 shift = Vec3::Zero();
  double turn = 0, spread = 0, most_force = 0;
  for (const LayerPoint& p : c.points) {
    if (p.load <= 0) continue;
    const double share = p.load / total;
    Vec3 s = rest.shear(p.position);
    const Vec3 f = c.stiffness * s + c.damping * in_plane(p.velocity, c.normal);
    const double size = f.norm();
    most_force = std::max(most_force, size);
    if (size > ratio * c.mu * total) {
      slips = true;
      // where it slips the layer alone is left to carry what friction carries
      if (c.stiffness > 0) s = c.mu * total / (c.stiffness * size) * f;
    }
    const Vec3 r = in_plane(p.position - middle, c.normal);
    shift += share * s;
    turn += share * c.normal.dot(r.cross(s));
    spread += share * r.squaredNorm();
  }
  layer[7] = slips || (slides && most_force >= c.mu * total) ? 1 : 0;
  if (!slips && rule.kind == FrictionKind::springs) return;
  turn = spread > 0 ? turn / spread : 0;
  // back by them: from where B is to where it would be unstrained
  const Quat back = exp_rotation(Vec3(-turn * c.normal));
  const Pose X{middle - shift - back * middle, back};
  write(c.X_WA.inverse() * X * c.X_WB, layer);
}

}  // namespace abut
