#include "abut/contact/impact/impacts.h"

#include <algorithm>
#include <array>

#include "abut/collide/manifold/tolerances.h"
#include "abut/constrain/rows/step_contacts.h"
#include "abut/contact/impact/impact_law.h"
#include "abut/contact/impact/impact_set.h"
#include "abut/contact/impact/tolerances.h"
#include "abut/dynamics/bias.h"
#include "abut/dynamics/jacobian.h"
#include "abut/math/index.h"

namespace abut {

namespace {

using Block = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

}  // namespace

Impacts::Impacts(const Model& model) : model_(model), materials_(model), rows_(model) {}

void Impacts::add_place(const ContactData& data, int index, const Vec3& p, const Material& material,
                        double slow, const Input& input, const Derived& d) {
  const Patch& patch = data.patches[at(index)];
  const int a = model_.geoms[at(patch.geom_a)].body, b = model_.geoms[at(patch.geom_b)].body;
  const Mat3 frame = contact_frame(patch.normal);
  Place place;
  place.patch = index;
  place.position = p;
  place.frame = frame;
  place.group = rows_.add(3, a, b);
  for (int k = 0; k < 3; ++k) {
    rows_.add_point(place.group, k, b, p, frame.col(k), 1);
    rows_.add_point(place.group, k, a, p, frame.col(k), -1);
  }
  place.mu = material.condim == 1 ? 0 : material.friction;
  place.restitution = material.restitution;
  place.slow = slow;
  // of a whole step: parts of it have the same bounces
  place.bounces = std::max(
      slow, bounce_speed(material.restitution, gravity(model_).norm(), model_.option.timestep));
  place.driven = frame.transpose() * (driven_twist(model_, input, d, b, p).lin -
                                      driven_twist(model_, input, d, a, p).lin);
  places_.push_back(place);
}

// Of the points in near_.
Vec3 Impacts::centroid(const ContactData& data, const Patch& patch, double L) {
  const auto point = [&](int i) -> Vec3 {
    return 0.5 * (data.points.p_A[at(i)] + data.points.p_B[at(i)]);
  };
  const Mat3 frame = contact_frame(patch.normal);
  Vec3 mean = Vec3::Zero();
  for (const int i : near_) mean += point(i) / static_cast<double>(near_.size());
  flat_.clear();
  for (const int i : near_)
    flat_.emplace_back(frame.col(1).dot(point(i) - mean), frame.col(2).dot(point(i) - mean));
  planar_hull(flat_, kManifoldMerge * L, kManifoldLeastArea * L * L, surface_);
  double area = 0;
  Vec2 first = Vec2::Zero();
  for (std::size_t k = 0, n = surface_.points.size(); k < n; ++k) {
    const Vec2 &p = surface_.points[k], &q = surface_.points[(k + 1) % n];
    const double twice = p.x() * q.y() - p.y() * q.x();
    area += twice;
    first += twice / 3 * (p + q);
  }
  if (!(area > kManifoldLeastArea * L * L)) return mean;
  first /= area;
  return mean + frame.col(1) * first.x() + frame.col(2) * first.y();
}

bool Impacts::resolve(double h, const ContactData& data, std::span<const double> sizes,
                      const Options& options, const Input& input, const Derived& d,
                      std::span<double> u) {
  work_ = 0;
  hits_ = 0;
  exhausted_ = false;
  places_.clear();
  asleep_.assign(options.resting.begin(), options.resting.end());
  asleep_.resize(data.patches.size(), 0);
  rows_.begin(d);
  for (int index = 0; index < static_cast<int>(data.patches.size()); ++index) {
    const Patch& patch = data.patches[at(index)];
    const double L = sizes[at(patch.geom_a)] + sizes[at(patch.geom_b)];
    near_.clear();
    for (int i = patch.begin; i < patch.end; ++i)
      if (data.points.psi[at(i)] <= options.tolerance * L ||
          data.points.psi[at(i)] + h * parting(data, patch, i, input, d) < -options.ahead * L)
        near_.push_back(i);
    if (near_.empty()) continue;
    Material material = materials_.of(patch.geom_a, patch.geom_b);
    if (options.frictionless) material.friction = 0;
    const double slow = this->slow(h, L);
    add_place(data, index, centroid(data, patch, L), material, slow, input, d);
    if (near_.size() < 2) continue;
    for (const int i : near_)
      add_place(data, index, 0.5 * (data.points.p_A[at(i)] + data.points.p_B[at(i)]), material,
                slow, input, d);
  }
  if (places_.empty()) return false;

  // velocities in the contacts, kept up to date through J M^-1 J'
  w_.assign(at(rows_.rows()), 0.0);
  p_.assign(w_.size(), 0.0);
  rows_.velocities(u, w_);
  for (const Place& place : places_)
    for (int k = 0; k < 3; ++k) w_[at(3 * place.group + k)] += place.driven[k];
  Place* next = next_place();
  if (next == nullptr) return false;

  rows_.finish();
  rows_.delassus(A_);
  const int most = options.rounds * static_cast<int>(places_.size());
  for (; next != nullptr && hits_ < 2 * most; next = next_place(), ++hits_) {
    exhausted_ = hits_ >= most;
    if (!hit(*next, options.law, exhausted_)) asleep_[at(next->patch)] = 1;  // no law holds there
  }
  rows_.add_impulses(p_, u);
  impulses_.clear();
  for (const Place& place : places_) {
    const Vec3 p(p_[at(3 * place.group)], p_[at(3 * place.group + 1)], p_[at(3 * place.group + 2)]);
    if (p[0] > 0)
      impulses_.push_back({.patch = place.patch,
                           .position = place.position,
                           .force = place.frame * p,
                           .energy = place.taken});
  }
  return true;
}

// Rounding of what rests must not count.
double Impacts::slow(double h, double L) const {
  return slowest_approach(gravity(model_).norm(), L, h);
}

double Impacts::parting(const ContactData& data, const Patch& patch, int point, const Input& input,
                        const Derived& d) const {
  const Vec3 p = 0.5 * (data.points.p_A[at(point)] + data.points.p_B[at(point)]);
  const auto velocity = [&](int geom) {
    return body_twist(model_, input, d, model_.geoms[at(geom)].body, p).lin;
  };
  return patch.normal.dot(velocity(patch.geom_b) - velocity(patch.geom_a));
}

bool Impacts::approaches(double h, const ContactData& data, const Patch& patch,
                         std::span<const double> sizes, const Options& options, const Input& input,
                         const Derived& d) const {
  const double L = sizes[at(patch.geom_a)] + sizes[at(patch.geom_b)];
  for (int i = patch.begin; i < patch.end; ++i) {
    const double psi = data.points.psi[at(i)], v = parting(data, patch, i, input, d);
    if (v < -slow(h, L) && (psi <= options.tolerance * L || psi + h * v < -options.ahead * L))
      return true;
  }
  return false;
}

// Where to hit next: of the pair with the place that approaches fastest the centroid, if that
// approaches, else the place. Null: nothing approaches.
Impacts::Place* Impacts::next_place() {
  Place *found = nullptr, *centroid = nullptr, *first = nullptr;
  double most = 0;
  for (Place& place : places_) {
    if (first == nullptr || first->patch != place.patch) first = &place;
    const double approach = this->approach(place);
    if (approach <= (1 + kSameMoment) * most) continue;
    most = approach;
    found = &place;
    centroid = first;
  }
  return found != nullptr && approach(*centroid) > 0 ? centroid : found;
}

// m/s; 0: none that counts.
double Impacts::approach(const Place& place) const {
  const double v = -w_[at(3 * place.group)];
  return asleep_[at(place.patch)] || v <= place.slow ? 0 : v;
}

// False: the law has no answer there.
bool Impacts::hit(Place& place, RestitutionLaw law, bool plastic) {
  const int g = place.group;
  const Vec3 v(w_[at(3 * g)], w_[at(3 * g + 1)], w_[at(3 * g + 2)]);
  double e = v[0] < -place.bounces && !plastic ? place.restitution : 0;
  const double* K = A_.block(A_.find(g, g));
  Vec3 p;
  if (!impact_impulse(K, v, place.mu, law, e, p)) return false;
  const double work = p.dot(v) + 0.5 * p.dot(Eigen::Map<const Block>(K) * p);
  work_ += work;
  place.taken -= work;
  for (int k = 0; k < 3; ++k) p_[at(3 * g + k)] += p[k];
  for (int i = A_.row_begin[at(g)]; i < A_.row_begin[at(g) + 1]; ++i) {
    const Vec3 change = Eigen::Map<const Block>(A_.block(i)).transpose() * p;
    for (int k = 0; k < 3; ++k) w_[at(3 * A_.column[at(i)] + k)] += change[k];
    asleep_[at(places_[at(A_.column[at(i)])].patch)] = 0;
  }
  return true;
}

}  // namespace abut
