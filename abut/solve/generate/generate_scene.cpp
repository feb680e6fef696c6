#include "abut/solve/generate/generate_scene.h"

namespace abut::family {

void Scene::add_body(const Vec3& center, int lo, int hi, double speed, SplitMix& random) {
  SceneBody body;
  body.center = center;
  const double mass = random.magnitude(lo, hi);
  for (int k = 0; k < 3; ++k) body.inverse_inertia[k] = 1 / mass;
  // between those of a rod and a cube of size about 1
  for (int k = 3; k < 6; ++k) body.inverse_inertia[k] = random.uniform(3, 12) / mass;
  for (int k = 0; k < 6; ++k) body.velocity[k] = random.uniform(-speed, speed);
  bodies.push_back(body);
}

namespace {

// The wrench of a unit force at `point`, about the body's center.
Row6 push(const SceneBody& body, const Vec3& point, const Vec3& d, double sign) {
  const Vec3 r = point - body.center;
  return {sign * d.x(),
          sign * d.y(),
          sign * d.z(),
          sign * (r.y() * d.z() - r.z() * d.y()),
          sign * (r.z() * d.x() - r.x() * d.z()),
          sign * (r.x() * d.y() - r.y() * d.x())};
}

double weighted(const Row6& x, const Row6& weight, const Row6& y) {
  double sum = 0;
  for (int k = 0; k < 6; ++k) sum += x[k] * weight[k] * y[k];
  return sum;
}

double dot(const Row6& x, const Row6& y) {
  double sum = 0;
  for (int k = 0; k < 6; ++k) sum += x[k] * y[k];
  return sum;
}

}  // namespace

SceneRow Scene::row(int a, int b, const Vec3& point, const Vec3& direction) const {
  SceneRow r{a, b, {}, {}};
  if (a >= 0) r.Ja = push(bodies[a], point, direction, -1);
  if (b >= 0) r.Jb = push(bodies[b], point, direction, 1);
  return r;
}

double Scene::free_velocity(const SceneRow& r) const {
  double sum = 0;
  if (r.a >= 0) sum += dot(r.Ja, bodies[r.a].velocity);
  if (r.b >= 0) sum += dot(r.Jb, bodies[r.b].velocity);
  return sum;
}

double Scene::delassus(const SceneRow& p, const SceneRow& q) const {
  double sum = 0;
  if (p.a >= 0 && p.a == q.a) sum += weighted(p.Ja, bodies[p.a].inverse_inertia, q.Ja);
  if (p.a >= 0 && p.a == q.b) sum += weighted(p.Ja, bodies[p.a].inverse_inertia, q.Jb);
  if (p.b >= 0 && p.b == q.a) sum += weighted(p.Jb, bodies[p.b].inverse_inertia, q.Ja);
  if (p.b >= 0 && p.b == q.b) sum += weighted(p.Jb, bodies[p.b].inverse_inertia, q.Jb);
  return sum;
}

Tangents tangents(const Vec3& n) {
  // perpendicular to the axis that is least along the normal
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(n[k]) < std::abs(n[axis])) axis = k;
  const Vec3 first = n.cross(Vec3::Unit(axis)).eval();
  const double length =
      std::sqrt(first.x() * first.x() + first.y() * first.y() + first.z() * first.z());
  const Vec3 t = first / length;
  return {t, n.cross(t)};
}

void fill_delassus(const Scene& scene, const std::vector<SceneRow>& rows, DenseRows& A) {
  const int n = static_cast<int>(rows.size());
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j) A(i, j) = A(j, i) = scene.delassus(rows[i], rows[j]);
}

}  // namespace abut::family
