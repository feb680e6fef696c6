#include "abut/simulate/contact_forces.h"

#include <algorithm>
#include <utility>

#include "abut/math/index.h"
#include "abut/model/contact_memory.h"

namespace abut {

namespace {

// Sums the points of a pair.
void add_up(const std::vector<PointForce>& points, PairForce& pair) {
  double weight = 0;
  Vec3 mean = Vec3::Zero(), weighted = Vec3::Zero();
  for (int i = pair.begin; i < pair.end; ++i) {
    const PointForce& p = points[at(i)];
    pair.force += p.force;
    weight += p.normal;
    weighted += p.normal * p.position;
    mean += p.position / (pair.end - pair.begin);
  }
  pair.point = weight > 0 ? Vec3(weighted / weight) : mean;
  for (int i = pair.begin; i < pair.end; ++i)
    pair.torque += (points[at(i)].position - pair.point).cross(points[at(i)].force);
}

bool same_geoms(const PairForce& p, const PairForce& q) {
  return p.geom_a == q.geom_a && p.geom_b == q.geom_b;
}

// One for each pair of geoms: the parts of geoms that are not convex have a patch each.
void join_parts(ContactForces& out) {
  const auto before = [](const PairForce& p, const PairForce& q) {
    return pair_key(p.geom_a, p.geom_b) < pair_key(q.geom_a, q.geom_b);
  };
  const auto not_before = [&](const PairForce& p, const PairForce& q) { return !before(p, q); };
  if (std::ranges::adjacent_find(out.pairs, not_before) == out.pairs.end()) return;
  std::stable_sort(out.pairs.begin(), out.pairs.end(), before);
  std::vector<PointForce> points;
  std::vector<PairForce> pairs;
  for (const PairForce& part : out.pairs) {
    const int begin = static_cast<int>(points.size());
    points.insert(points.end(), out.points.begin() + part.begin, out.points.begin() + part.end);
    if (pairs.empty() || !same_geoms(pairs.back(), part)) {
      pairs.push_back(part);
      pairs.back().begin = begin;
      pairs.back().end = static_cast<int>(points.size());
      continue;
    }
    PairForce& sum = pairs.back();
    const double weight = sum.normal_force(), more = part.normal_force();
    const Vec3 point = weight + more > 0
                           ? Vec3((weight * sum.point + more * part.point) / (weight + more))
                           : Vec3(0.5 * (sum.point + part.point));
    sum.torque +=
        (sum.point - point).cross(sum.force) + part.torque + (part.point - point).cross(part.force);
    const Vec3 normal = weight * sum.normal + more * part.normal;
    if (normal.norm() > 0) sum.normal = normal.normalized();
    sum.point = point;
    sum.force += part.force;
    sum.end = static_cast<int>(points.size());
  }
  out.pairs = std::move(pairs);
  out.points = std::move(points);
}

}  // namespace

void contact_forces(std::span<const ContactForce> forces, const ContactData& data,
                    ContactForces& out) {
  out.pairs.clear();
  out.points.clear();
  for (std::size_t f = 0; f < forces.size();) {
    const Patch& patch = data.patches[at(forces[f].patch)];
    PairForce& pair = out.pairs.emplace_back();
    pair.geom_a = patch.geom_a;
    pair.geom_b = patch.geom_b;
    pair.normal = patch.normal;
    pair.begin = static_cast<int>(out.points.size());
    for (const int of = forces[f].patch; f < forces.size() && forces[f].patch == of; ++f) {
      out.points.push_back(
          {forces[f].position, forces[f].force, forces[f].force.dot(patch.normal)});
      pair.torque += forces[f].couple;
    }
    pair.end = static_cast<int>(out.points.size());
    add_up(out.points, pair);
  }
  join_parts(out);
}

void contact_forces(const ContactStep& step, double h, ContactForces& out) {
  if (const std::vector<ContactForce>* forces = step.forces())
    return contact_forces(*forces, step.data(), out);
  step.contact().impulses(out.impulses);
  for (ContactForce& of : out.impulses) {
    of.force /= h;
    of.couple /= h;
  }
  contact_forces(out.impulses, step.data(), out);
}

Spatial ContactForces::on_body(const Model& model, int body, const Vec3& about) const {
  Spatial sum{Vec3::Zero(), Vec3::Zero()};
  for (const PairForce& pair : pairs) {
    const int a = model.geoms[at(pair.geom_a)].body, b = model.geoms[at(pair.geom_b)].body;
    if (a != body && b != body) continue;
    const double sign = (b == body ? 1 : 0) - (a == body ? 1 : 0);
    sum.lin += sign * pair.force;
    sum.ang += sign * (pair.torque + (pair.point - about).cross(pair.force));
  }
  return sum;
}

void ContactForces::on_bodies(const Model& model, std::vector<BodyForce>& out) const {
  out.assign(model.bodies.size(), {});
  const auto on = [&](int geom) -> BodyForce& { return out[at(model.geoms[at(geom)].body)]; };
  for (const PairForce& pair : pairs) {
    const Vec3 friction = pair.force - pair.normal_force() * pair.normal;
    for (const auto& [geom, sign] : {std::pair{pair.geom_a, -1.0}, {pair.geom_b, 1.0}}) {
      BodyForce& body = on(geom);
      ++body.pairs;
      body.force += sign * pair.force;
      body.friction += sign * friction;
      body.pressed += pair.normal_force();
    }
  }
  for (const PairForce& pair : pairs)
    for (const int geom : {pair.geom_a, pair.geom_b}) {
      BodyForce& body = on(geom);
      // a body without normal forces has the plain mean of its pairs' points
      body.point +=
          (body.pressed > 0 ? pair.normal_force() / body.pressed : 1.0 / body.pairs) * pair.point;
    }
  for (const PairForce& pair : pairs)
    for (const auto& [geom, sign] : {std::pair{pair.geom_a, -1.0}, {pair.geom_b, 1.0}}) {
      BodyForce& body = on(geom);
      body.torque += sign * (pair.torque + (pair.point - body.point).cross(pair.force));
    }
}

double ContactForces::total() const {
  double sum = 0;
  for (const PairForce& pair : pairs) sum += pair.force.norm();
  return sum;
}

Vec3 ContactForces::net(const Model& model) const {
  const auto moves = [&](int geom) {
    return model.bodies[at(model.geoms[at(geom)].body)].link >= 0;
  };
  Vec3 sum = Vec3::Zero();
  for (const PairForce& pair : pairs)
    sum += ((moves(pair.geom_b) ? 1 : 0) - (moves(pair.geom_a) ? 1 : 0)) * pair.force;
  return sum;
}

}  // namespace abut
