#include "abut/contact/penalty/stiffness/step_budget.h"

#include <algorithm>
#include <cmath>

#include "abut/contact/penalty/tolerances.h"
#include "abut/math/index.h"
#include "abut/math/rotation.h"

namespace abut {

namespace {

// What `along` and `across` (N/m, N s/m) do against a velocity of the place and a turn about it:
// along the normal the speed is n . v + (n x omega) . y, over all y.
Mat6 resistance(const SpreadContact& c, double along, double across, double rocking) {
  const Vec3& n = c.normal;
  const Mat3 N = skew(n);
  const Mat3 nn = n * n.transpose();
  Mat3 second = c.second;
  if (rocking != 1) {
    const Mat3 mean = c.first * c.first.transpose();
    second = mean + rocking * (c.second - mean);
  }
  Mat6 G;
  G.topLeftCorner<3, 3>() = (along - across) * nn + across * Mat3::Identity();
  G.topRightCorner<3, 3>() = along * n * (c.first.transpose() * N);
  G.bottomLeftCorner<3, 3>() = G.topRightCorner<3, 3>().transpose();
  G.bottomRightCorner<3, 3>() =
      along * (N.transpose() * second * N) + across * c.second.trace() * nn;
  return G;
}

}  // namespace

StepBudget::StepBudget(const Model& model, double step)
    : h_(step), shares_(model.links.size(), 0.0) {}

void StepBudget::begin() {
  for (const int l : touched_) shares_[at(l)] = 0;
  touched_.clear();
  contacts_.clear();
}

void StepBudget::add(const SpreadContact& c) {
  OfContact& out = contacts_.emplace_back();
  out.link[0] = c.link_a, out.link[1] = c.link_b;
  out.W[0] = c.W_a, out.W[1] = c.W_b;
  out.share = std::max(c.share, kLeastShare);
  const Mat6 W = c.W_a + c.W_b;
  const Vec3 t = c.normal.unitOrthogonal(), s = c.normal.cross(t);
  const Mat3 lin = W.topLeftCorner<3, 3>();
  const double tt = t.dot(lin * t), ss = s.dot(lin * s), ts = t.dot(lin * s);
  out.along = 0.5 * (tt + ss) + std::hypot(0.5 * (tt - ss), ts);
  out.about = c.normal.dot(W.bottomRightCorner<3, 3>() * c.normal);
  out.springs = resistance(c, h_ * h_ * c.kp, h_ * h_ * c.kt, 1);
  out.dampers = resistance(c, 2 * h_ * c.kv, 2 * h_ * c.kvt, c.rocking);
  if (!(c.kp > 0) && !(c.kv > 0)) return;
  for (const int l : out.link)
    if (l >= 0) {
      if (shares_[at(l)] == 0) touched_.push_back(l);
      shares_[at(l)] += out.share;
    }
}

void StepBudget::finish() {
  for (OfContact& c : contacts_) {
    Mat6 P = Mat6::Zero();
    for (const int k : {0, 1})
      if (c.link[k] >= 0 && shares_[at(c.link[k])] > 0)
        P += shares_[at(c.link[k])] / c.share * c.W[k];
    // the trace is more than the largest, and cheap
    if (P.cwiseProduct(c.springs + c.dampers).sum() <= kRoom) continue;
    const double springs = largest_motion(P, c.springs), dampers = largest_motion(P, c.dampers);
    if (!(dampers > 0)) continue;
    c.scale = std::clamp((kRoom - springs) / dampers, kLeast, 1.0);
  }
}

}  // namespace abut
