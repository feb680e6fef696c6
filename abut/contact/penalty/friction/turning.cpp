#include "abut/contact/penalty/friction/turning.h"

#include <algorithm>
#include <cmath>

#include "abut/math/index.h"

namespace abut {

namespace {

constexpr double kFollowed = 1.0 / 32;  // k h^2 / I

// A spring and a damper with a limit (N m); theta is cut to what the limit lets it be.
struct Limited {
  Vec3 couple;
  double energy;
};
Limited against(const Vec3& omega, double k, double c, double limit, Vec3& theta) {
  if (!(k > 0) || !(limit > 0)) {
    theta.setZero();
    return {Vec3::Zero(), 0};
  }
  const Vec3 m = k * theta + c * omega;
  const double size = m.norm();
  if (size > limit) theta = limit / (k * size) * m;
  return {-std::min(1.0, limit / std::max(size, limit)) * m, 0.5 * k * theta.squaredNorm()};
}

}  // namespace

void TurningFriction::count_pairs(const ForceScene& scene) {
  pairs_.assign(model_.links.size(), 0);
  for (int p = 0; p < static_cast<int>(scene.data.patches.size()); ++p) {
    const PairView pair(scene, p);
    if (!(pressed_[at(p)].load > 0) || !pair.material().turns()) continue;
    for (const int body : {pair.body_a, pair.body_b})
      if (const int link = model_.bodies[at(body)].link; link >= 0) ++pairs_[at(link)];
  }
}

int TurningFriction::pairs_of(int body) const {
  const int link = model_.bodies[at(body)].link;
  return link < 0 ? 0 : pairs_[at(link)];
}

void TurningFriction::add(double h, const ForceScene& scene, const ContactMemory& memory,
                          int pair_width, int point_width, std::size_t slot, bool first,
                          std::vector<ContactForce>& forces) {
  pressed_.assign(scene.data.patches.size(), {});
  for (const ContactForce& f : forces) {
    Pressed& p = pressed_[at(f.patch)];
    if (p.load == 0) p.point = f.position;
    p.load += f.force.dot(scene.data.patches[at(f.patch)].normal);
  }
  count_pairs(scene);
  if (first) theta_.assign(scene.data.patches.size(), Vec3::Zero());
  const std::size_t count = forces.size();
  for (int p = 0; p < static_cast<int>(scene.data.patches.size()); ++p) {
    const PairView pair(scene, p);
    if (!(pressed_[at(p)].load > 0) || !pair.material().turns()) continue;
    Vec3 theta = Vec3::Zero();
    if (const PairRecall known = recall(memory, pair.patch, pair_width, point_width); known.known())
      for (std::size_t k = 0; k < 3; ++k) theta[static_cast<int>(k)] = known.values()[slot + k];
    forces.push_back(couple(h, pair, pressed_[at(p)], theta));
    forces.back().patch = p;
    if (first) theta_[at(p)] = theta;
  }
  if (forces.size() > count)
    std::ranges::sort(forces, {}, [](const ContactForce& f) { return f.patch; });
}

// The velocity of a semi-implicit step is what led here: theta of now is that of the step before and h
// omega.
ContactForce TurningFriction::couple(double h, const PairView& pair, const Pressed& pressed,
                                     Vec3& theta) const {
  const Material material = pair.material();
  const Vec3 &n = pair.patch.normal, &p = pressed.point;
  const Vec3 omega = pair.twist_b(p).ang - pair.twist_a(p).ang;
  const Quat R_WA = pair.pose_a().q;
  const Vec3 turned = R_WA * theta + h * omega;
  const Mat3 W = (mobility_.at_point(pair.patch.geom_a, pair.pose_a(), p) +
                  mobility_.at_point(pair.patch.geom_b, pair.pose_b(), p))
                     .bottomRightCorner<3, 3>();
  const int shared = std::max({1, pairs_of(pair.body_a), pairs_of(pair.body_b)});
  const auto part = [&](double mobility, const Vec3& w, double limit, Vec3& strain) {
    const double I = mobility > 0 ? 1 / mobility : 0;
    const double k = kFollowed * I / (h * h * shared),
                 c = 2 * std::sqrt(kFollowed) * I / (h * shared);
    return against(w, k, c, limit, strain);
  };
  const Mat3 plane = Mat3::Identity() - n * n.transpose();
  Vec3 twist = turned.dot(n) * n, tilt = plane * turned;
  const Limited torsion =
      part(n.dot(W * n), omega.dot(n) * n, material.torsion * pressed.load, twist);
  const Limited rolling =
      part((plane * W * plane).trace(), plane * omega, material.rolling * pressed.load, tilt);
  theta = R_WA.conjugate() * (twist + tilt);
  return {.position = p,
          .couple = torsion.couple + rolling.couple,
          .energy = torsion.energy + rolling.energy};
}

void TurningFriction::keep(std::size_t slot, ContactMemory& after) const {
  for (std::size_t p = 0; p < theta_.size() && p < after.pairs().size(); ++p)
    for (std::size_t k = 0; k < 3; ++k)
      after.pair_values(static_cast<int>(p))[slot + k] = theta_[p][static_cast<int>(k)];
}

}  // namespace abut
