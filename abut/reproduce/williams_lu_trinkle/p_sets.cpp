#include "abut/reproduce/williams_lu_trinkle/p_sets.h"

#include <cmath>
#include <limits>

#include "abut/model/kinematics.h"
#include "abut/model/world.h"

namespace abut::reproduce {

namespace {

// Bodies that could move, so that the pair is one that may collide.
World two_meshes(std::vector<Vec3> a, std::vector<Vec3> b, bool flat) {
  World world;
  if (flat) world.texts.push_back({"abut.plane", "xy", {}});
  const auto add = [&](const char* name, std::vector<Vec3> points) {
    MeshDesc& mesh = world.meshes.emplace_back();
    mesh.name = name;
    mesh.vertices = std::move(points);
    BodyDesc& body = world.body(name);
    if (flat) {
      body.slide("", Vec3::UnitX());
      body.slide("", Vec3::UnitY());
      body.hinge("", Vec3::UnitZ());
    } else {
      body.free();
    }
    body.inertial = InertialDesc{1, {}, {1, 1, 1}, {}, {}};
    body.mesh(name);
  };
  add("a", std::move(a));
  add("b", std::move(b));
  return world;
}

std::vector<Vec3> prism(const std::vector<Vec2>& points) {
  std::vector<Vec3> out;
  for (const double z : {-0.5, 0.5})
    for (const Vec2& p : points) out.emplace_back(p.x(), p.y(), z);
  return out;
}

}  // namespace

PlacedPair::PlacedPair(std::unique_ptr<Model> model)
    : model_(std::move(model)), collider_(std::make_unique<Collider>(*model_)), view_(*collider_) {
  Derived d(*model_);
  positions(*model_, State(*model_), Input(*model_), d);
  view_.place(0, 1, geom_pose(*model_, d, 0), geom_pose(*model_, d, 1));
}

PlacedPair PlacedPair::of(std::vector<Vec3> a, std::vector<Vec3> b) {
  return PlacedPair(
      std::make_unique<Model>(compile(two_meshes(std::move(a), std::move(b), false))));
}

PlacedPair PlacedPair::of(std::vector<Vec2> a, std::vector<Vec2> b) {
  return PlacedPair(std::make_unique<Model>(compile(two_meshes(prism(a), prism(b), true))));
}

FeatureConstraints PlacedPair::constraints(double reach, const FeatureChoice& choice) const {
  FeatureConstraints set;
  set.add(view_, reach, choice);
  return set;
}

double PlacedPair::greatest_separation() const {
  std::vector<SeparatingPlane> planes;
  view_.planes(planes, std::numeric_limits<double>::infinity());
  double most = -INFINITY;
  Vec3 n;
  for (const SeparatingPlane& p : planes)
    if (view_.normal(p, n)) most = std::max(most, view_.separation(n));
  return most;
}

std::vector<std::string> texts(const FeatureConstraints& set) {
  std::vector<std::string> out;
  for (int i = 0; i < set.count(); ++i) out.push_back(set.text(i));
  return out;
}

}  // namespace abut::reproduce
