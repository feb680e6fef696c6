#include "abut/contact/penalty/step_budget.h"

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Largest eigenvalue of W D, W = [[l + t, .], [., w]] what a push at the point and a turn do, D =
// diag(1, e) how the force is spread: l + t for a point, the larger of l and w e for a flat contact
// under the centre of mass.
double largest(double linear, double turned, double tilted) {
  const double trace = linear + turned + tilted;
  return 0.5 * (trace + std::sqrt(std::max(trace * trace - 4 * linear * tilted, 0.0)));
}

}  // namespace

StepBudget::StepBudget(const Model& model, const Mobility& mobility)
    : model_(model), mobility_(mobility), h_(model.option.timestep), links_(model.links.size()) {}

void StepBudget::begin() {
  for (const int l : touched_) links_[at(l)] = {};
  touched_.clear();
  contacts_.clear();
  scale_.clear();
  along_.clear();
  about_.clear();
}

void StepBudget::add(const Derived& d, const SpreadContact& c) {
  const int a = model_.bodies[at(c.body_a)].link, b = model_.bodies[at(c.body_b)].link;
  const double factor = a >= 0 && b >= 0 ? 2 : 1;
  double along = 0, about = 0;
  if (a >= 0) add_side(d, c, a, factor, along, about);
  if (b >= 0) add_side(d, c, b, factor, along, about);
  contacts_.push_back({{a, b}});
  along_.push_back(along);
  about_.push_back(about);
}

void StepBudget::add_side(const Derived& d, const SpreadContact& c, int link, double factor,
                          double& along, double& about) {
  const Link& l = model_.links[at(link)];
  const LinkMobility& w = mobility_.link(link);
  const Pose& X = d.body_pose[at(l.body)];
  const Mat3 R = X.q.toRotationMatrix();
  const Mat3 angular = R * w.angular * R.transpose();
  const Vec3 r = c.point - X * l.mass.com;
  const auto turns = [&](const Vec3& t) { return Vec3(r.cross(t)).dot(angular * r.cross(t)); };

  // the trace of angular [n] second [n]': both directions of tilting
  Mat3 tilt;
  for (int k = 0; k < 3; ++k) tilt.col(k) = c.normal.cross(Vec3(c.second.col(k)));
  for (int k = 0; k < 3; ++k)
    tilt.row(k) = c.normal.cross(Vec3(tilt.row(k).transpose())).transpose();
  const double tilted = std::abs((angular * tilt).trace());
  const double normal = largest(w.linear, turns(c.normal), tilted);

  const Vec3 t = c.normal.unitOrthogonal(), s = c.normal.cross(t);
  const double tt = turns(t), ss = turns(s), ts = r.cross(t).dot(angular * r.cross(s));
  const double sliding = w.linear + 0.5 * (tt + ss) + std::hypot(0.5 * (tt - ss), ts);
  const double spinning = c.normal.dot(angular * c.normal);
  const double tangential = std::max(sliding, spinning * c.second.trace());

  OfLink& sum = links_[at(link)];
  if (sum.springs == 0 && sum.dampers == 0) touched_.push_back(link);
  sum.springs += factor * h_ * h_ * (c.kp * normal + c.kt * tangential);
  sum.dampers += factor * 2 * h_ * (c.kv * normal + c.kvt * tangential);
  along += sliding;
  about += spinning;
}

void StepBudget::finish() {
  for (const OfContact& c : contacts_) {
    double scale = 1;
    for (const int l : c.link) {
      if (l < 0 || !(links_[at(l)].dampers > 0)) continue;
      const OfLink& sum = links_[at(l)];
      scale = std::min(scale, std::max((kRoom - sum.springs) / sum.dampers, kLeast));
    }
    scale_.push_back(scale);
  }
}

}  // namespace abut
