#include "abut/contact/complementarity/peg/peg_scene.h"

#include <cmath>

#include "abut/contact/complementarity/peg/tolerances.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/math/index.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

// In the memory of a pair, beside its plane: rows are where the surfaces meet.
constexpr std::int32_t kMeets = 1 << 30;

// Part t of the way.
Pose between(const Pose& from, const Pose& to, double t) {
  return {(1 - t) * from.p + t * to.p, from.q.slerp(t, to.q)};
}

double angle_between(const Pose& a, const Pose& b) { return a.q.angularDistance(b.q); }

}  // namespace

PegScene::PegScene(const Model& model, const Collider& collider)
    : model_(model), view_(collider), end_(model) {}

void PegScene::begin(const PegStep& step) {
  step_ = &step;
  has_end_ = false;
  lets_stay_ = false;
}

void PegScene::go_to_end(std::span<const double> change) {
  if (has_end_ && std::equal(change.begin(), change.end(), end_change_.begin())) return;
  has_end_ = true;
  end_is_factored_ = false;
  end_change_.assign(change.begin(), change.end());
  end_state_ = step_->start.state;
  step_->move(end_state_, change);
  end_input_ = step_->start.input;
  for (std::size_t i = 0; i < end_input_.mocap.size(); ++i) {
    const Vec6& v = end_input_.mocap_velocity[i];
    Pose& X = end_input_.mocap[i];
    X.p += step_->h * v.head<3>();
    X.q = (exp_rotation(step_->h * v.tail<3>()) * X.q).normalized();
  }
  positions(model_, end_state_, end_input_, end_);
}

void PegScene::factor_end() {
  if (end_is_factored_) return;
  end_is_factored_ = true;
  mass_matrix(model_, end_);
  factor(model_, end_, step_->damping);
}

bool PegScene::view(const PegChoice& c, const Derived& d) {
  return view_.place(c.geom_a, c.geom_b, geom_pose(model_, d, c.geom_a),
                     geom_pose(model_, d, c.geom_b));
}

double PegScene::start_separation(const PegChoice& c) {
  Vec3 n;
  if (!view_start(c) || !view_.normal(c.plane, n)) return -kInfinity;
  return view_.separation(n);
}

double PegScene::slack_of(const PegChoice& c) {
  if (!lets_stay_) return 0;
  const double s = start_separation(c);
  return std::isfinite(s) ? std::max(-s, 0.0) : 0;
}

bool PegScene::goes_through(const PegChoice& c) {
  const Pose A0 = geom_pose(model_, start(), c.geom_a), A1 = geom_pose(model_, end_, c.geom_a);
  const Pose B0 = geom_pose(model_, start(), c.geom_b), B1 = geom_pose(model_, end_, c.geom_b);
  const Convex& A = step_->collider.solids()[c.geom_a];
  const Convex& B = step_->collider.solids()[c.geom_b];
  const auto turn = [](const Convex& s, const Pose& from, const Pose& to) {
    return s.is_half_space() ? 0.0 : angle_between(from, to) * (s.radius + s.center.norm());
  };
  const double sweep = ((B1.p - B0.p) - (A1.p - A0.p)).norm() + turn(A, A0, A1) + turn(B, B0, B1);
  if (!view_.place(c.geom_a, c.geom_b, A0, B0) || view_.has_half_space()) return false;
  const double width = view_.width(), deep = 0.5 * width;
  if (!(sweep > 0.25 * width) || view_.proximity().distance < -deep) return false;
  double t = 0;
  for (int i = 0; i < 400 && t < 1; ++i) {
    view_.place(c.geom_a, c.geom_b, between(A0, A1, t), between(B0, B1, t));
    const double distance = view_.proximity().distance;
    if (distance < -deep) return true;
    t += std::max(distance, 0.5 * deep) / sweep;
  }
  return false;
}

std::int32_t PegScene::to_remember(const SeparatingPlane& plane, bool meets) {
  const std::int32_t bits = packed(plane);
  return bits != 0 && meets ? bits | kMeets : bits;
}

SeparatingPlane PegScene::remembered(PairKey key, bool* met) const {
  const ContactMemory& memory = step_->start.state.contacts;
  const int pair = memory.find(key);
  const std::int32_t branch = pair < 0 ? 0 : memory.pairs()[at(pair)].branch;
  if (met != nullptr) *met = (branch & kMeets) != 0;
  return unpacked_plane(branch & ~kMeets);
}

}  // namespace abut
