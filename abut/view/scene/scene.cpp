#include "abut/view/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "abut/view/scene/bytes.h"

namespace abut::view {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }
Json to_json(const Quat& q) { return Json::array({q.x(), q.y(), q.z(), q.w()}); }

Json to_json(const TriangleMesh& mesh) {
  Bytes vertices, triangles;
  for (const Vec3& v : mesh.vertices) vertices.vec(v);
  for (const auto& t : mesh.triangles)
    for (const int i : t) triangles.u32(static_cast<std::uint64_t>(i));
  return {{"vertices", base64(vertices.str())}, {"triangles", base64(triangles.str())}};
}

bool has_given_colour(const Geom& geom) { return geom.rgba != GeomDesc{}.rgba; }

struct Extent {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;

  void add(const Aabb& box) {
    if (!box.min.allFinite() || !box.max.allFinite()) return;
    low = low.cwiseMin(box.min);
    high = high.cwiseMax(box.max);
  }
  bool any() const { return (low.array() <= high.array()).all(); }
  Vec3 centre() const { return any() ? Vec3(0.5 * (low + high)) : Vec3::Zero(); }
  double radius() const { return any() ? std::max(0.5 * (high - low).norm(), 1e-6) : 1; }
};

Json extent_json(const Extent& extent, const Vec3& origin) {
  const Vec3 centre = extent.centre() - origin;
  const Vec3 half = extent.any() ? Vec3(0.5 * (extent.high - extent.low)) : Vec3::Ones();
  return {{"centre", to_json(centre)},
          {"radius", extent.radius()},
          {"low", to_json(Vec3(centre - half))},
          {"high", to_json(Vec3(centre + half))}};
}

Aabb box_of(const Model& model, const Derived& poses, const Geom& geom) {
  return aabb(geom.shape, model.assets,
              poses.body_pose[static_cast<std::size_t>(geom.body)] * geom.pose);
}

// The extent of all geoms except planes; or of the moving ones, with fixed geoms that are near them
// and not much larger.
Extent extent_of(const Model& model, const Derived& poses, bool movers) {
  constexpr double kNear = 3;
  Extent extent;
  const auto add = [&](bool moving, auto&& wanted) {
    for (const Geom& geom : model.geoms) {
      if (geom.shape.kind == ShapeKind::plane) continue;
      if (movers && (model.bodies[static_cast<std::size_t>(geom.body)].link >= 0) != moving)
        continue;
      if (const Aabb box = box_of(model, poses, geom); wanted(box)) extent.add(box);
    }
  };
  add(true, [](const Aabb&) { return true; });
  if (!movers || !extent.any()) return extent;
  const Vec3 centre = extent.centre();
  const double radius = extent.radius();
  add(false, [&](const Aabb& box) {
    return 0.5 * box.extent().norm() < kNear * radius &&
           (box.center() - centre).norm() < kNear * radius;
  });
  return extent;
}

Json geom_json(const Model& model, int g) {
  const Geom& geom = model.geoms[static_cast<std::size_t>(g)];
  Json j = {
      {"name", model.geom_names[g]},   {"body", geom.body},
      {"kind", name(geom.shape.kind)}, {"size", to_json(geom.shape.size)},
      {"pos", to_json(geom.pose.p)},   {"quat", to_json(geom.pose.q)},
      {"group", geom.group},           {"collides", geom.contype != 0 || geom.conaffinity != 0}};
  if (has_given_colour(geom))
    j["rgba"] = Json::array({geom.rgba[0], geom.rgba[1], geom.rgba[2], geom.rgba[3]});
  if (geom.shape.asset >= 0) j["asset"] = geom.shape.asset;
  return j;
}

}  // namespace

std::vector<int> moving_bodies(const Model& model) {
  std::vector<int> moving;
  std::vector<char> moves(model.bodies.size(), 0);
  for (int b = 1; b < model.nbody(); ++b) {
    const Body& body = model.bodies[static_cast<std::size_t>(b)];
    moves[static_cast<std::size_t>(b)] =
        body.link >= 0 || body.mocap >= 0 || moves[static_cast<std::size_t>(body.parent)];
    if (moves[static_cast<std::size_t>(b)]) moving.push_back(b);
  }
  return moving;
}

Vec3 scene_origin(const Model& model, const Derived& poses) {
  const Extent extent = extent_of(model, poses, true);
  const Vec3 centre = extent.centre();
  // near the world's origin use the origin, so that the page shows world coordinates
  if (!extent.any() || centre.norm() < 1e3 * extent.radius()) return Vec3::Zero();
  return centre.array().round();
}

Aabb movers_box(const Model& model, const Derived& poses) {
  const Extent extent = extent_of(model, poses, true);
  return {extent.low, extent.high};
}

// The extent is the scene's last field.
std::string with_extent(std::string scene, const Aabb& extent) {
  scene.erase(scene.rfind("\"extent\":"));
  return scene + "\"extent\":" + extent_json({extent.min, extent.max}, Vec3::Zero()).dump() + "}";
}

double scene_size(const Model& model, const Derived& poses) {
  const Extent movers = extent_of(model, poses, true);
  return movers.any() ? movers.radius() : extent_of(model, poses, false).radius();
}

std::string scene_json(const Model& model, const Derived& poses, const Vec3& origin,
                       int generation) {
  Json j = {{"name", model.name}, {"generation", generation}, {"origin", to_json(origin)}};
  j["gravity"] = to_json(model.option.gravity_on ? model.option.gravity : Vec3(Vec3::Zero()));
  j["step"] = model.option.timestep;
  if (const auto it = model.custom.find("abut.plane"); it != model.custom.end())
    j["plane"] = it->second.text;
  j["moving"] = moving_bodies(model);

  Json bodies = Json::array();
  for (int b = 0; b < model.nbody(); ++b) {
    const Body& body = model.bodies[static_cast<std::size_t>(b)];
    const Pose& pose = poses.body_pose[static_cast<std::size_t>(b)];
    bodies.push_back({{"name", model.body_names[b]},
                      {"parent", body.parent},
                      {"mass", body.mass.mass},
                      {"link", body.link >= 0},
                      {"pos", to_json(Vec3(pose.p - origin))},
                      {"quat", to_json(pose.q)}});
  }
  j["bodies"] = std::move(bodies);
  Json geoms = Json::array();
  for (int g = 0; g < static_cast<int>(model.geoms.size()); ++g)
    geoms.push_back(geom_json(model, g));
  j["geoms"] = std::move(geoms);

  Json meshes = Json::array(), hfields = Json::array();
  for (std::size_t i = 0; i < model.assets.meshes.size(); ++i) {
    const TriangleMesh hull =
        i < model.assets.hulls.size() ? triangulated(model.assets.hulls[i]) : TriangleMesh{};
    const TriangleMesh& mesh = model.assets.meshes[i];
    Json one = to_json(mesh.triangles.empty() ? hull : mesh);
    if (!mesh.triangles.empty()) one["hull"] = to_json(hull);
    meshes.push_back(std::move(one));
  }
  for (const HeightField& field : model.assets.hfields) hfields.push_back(to_json(surface(field)));
  j["meshes"] = std::move(meshes);
  j["hfields"] = std::move(hfields);

  Json keyframes = Json::array(), actuators = Json::array(), joints = Json::array();
  for (int k = 0; k < model.keyframe_names.size(); ++k)
    keyframes.push_back(model.keyframe_names[k]);
  for (int a = 0; a < model.nu(); ++a) {
    const Actuator& actuator = model.actuators[static_cast<std::size_t>(a)];
    Json one = {{"name", model.actuator_names[a]}};
    if (actuator.ctrl_limited) one["range"] = actuator.ctrl_range;
    actuators.push_back(std::move(one));
  }
  for (int i = 0; i < static_cast<int>(model.joints.size()); ++i) {
    const Joint& joint = model.joints[static_cast<std::size_t>(i)];
    if (joint.type != JointType::hinge && joint.type != JointType::slide) continue;
    Json one = {{"name", model.joint_names[i]},
                {"index", i},
                {"body", joint.body},
                {"unit", joint.type == JointType::hinge ? "rad" : "m"}};
    if (joint.limited) one["range"] = joint.range;
    joints.push_back(std::move(one));
  }
  j["joints"] = std::move(joints);
  j["keyframes"] = std::move(keyframes);
  j["actuators"] = std::move(actuators);

  // the camera looks at the moving bodies, if there are any
  Extent extent = extent_of(model, poses, true);
  if (!extent.any()) extent = extent_of(model, poses, false);
  j["extent"] = extent_json(extent, origin);
  return j.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace abut::view
