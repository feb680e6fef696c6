#include "abut/simulate/part_forces.h"

#include <utility>

#include "abut/math/index.h"
#include "abut/model/contact_memory.h"

namespace abut {

namespace {

PairKey key_of(const PairForce& pair) { return pair_key(pair.geom_a, pair.geom_b); }

// The mean of two points, weighted by normal force; midway if there is none.
Vec3 between(const Vec3& p, double at_p, const Vec3& q, double at_q) {
  const double sum = at_p + at_q;
  return sum > 0 ? Vec3((at_p * p + at_q * q) / sum) : Vec3(0.5 * (p + q));
}

// Points of `of`, scaled, to the end of `out`.
void put_points(const ContactForces& of, const PairForce& pair, double weight, ContactForces& out) {
  for (int i = pair.begin; i < pair.end; ++i) {
    const PointForce& p = of.points[at(i)];
    out.points.push_back({p.position, weight * p.force, weight * p.normal});
  }
}

void put_pair(const ContactForces& of, const PairForce& pair, double weight, ContactForces& out) {
  PairForce& put = out.pairs.emplace_back(pair);
  put.force *= weight;
  put.torque *= weight;
  put.begin = static_cast<int>(out.points.size());
  put_points(of, pair, weight, out);
  put.end = static_cast<int>(out.points.size());
}

}  // namespace

void add_forces(const ContactForces& a, const ContactForces& b, double weight, ContactForces& out) {
  out.pairs.clear();
  out.points.clear();
  std::size_t i = 0, k = 0;
  while (i < a.pairs.size() || k < b.pairs.size()) {
    if (k == b.pairs.size() || (i < a.pairs.size() && key_of(a.pairs[i]) < key_of(b.pairs[k]))) {
      put_pair(a, a.pairs[i++], 1, out);
      continue;
    }
    if (i == a.pairs.size() || key_of(b.pairs[k]) < key_of(a.pairs[i])) {
      put_pair(b, b.pairs[k++], weight, out);
      continue;
    }
    const PairForce &x = a.pairs[i++], &y = b.pairs[k++];
    put_pair(a, x, 1, out);
    PairForce& sum = out.pairs.back();
    if (x.end - x.begin == y.end - y.begin) {
      for (int p = 0; p < y.end - y.begin; ++p) {
        PointForce& of = out.points[at(sum.begin + p)];
        const PointForce& more = b.points[at(y.begin + p)];
        of.position = between(of.position, of.normal, more.position, weight * more.normal);
        of.force += weight * more.force;
        of.normal += weight * more.normal;
      }
    } else {
      put_points(b, y, weight, out);
      sum.end = static_cast<int>(out.points.size());
    }
    sum.normal = y.normal;  // the current normal
    sum.point = between(x.point, x.normal_force(), y.point, weight * y.normal_force());
    sum.force = x.force + weight * y.force;
    sum.torque = x.torque + (x.point - sum.point).cross(x.force) +
                 weight * (y.torque + (y.point - sum.point).cross(y.force));
  }
}

void PartForces::add(const ContactStep& step, double h) {
  contact_forces(step, h, part_);
  add_part(h / h_);
}

void PartForces::add_struck(const ContactStep& step) {
  contact_forces(step.contact().struck(), step.contact().struck_data(), part_);
  add_part(1 / h_);
}

void PartForces::add_part(double weight) {
  any_ = true;
  add_forces(mean_, part_, weight, sum_);
  std::swap(mean_, sum_);
}

}  // namespace abut
