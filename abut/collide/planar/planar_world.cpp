#include "abut/collide/planar/planar_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/collide/planar/tolerances.h"

namespace abut {
namespace {

const char* name_of(const WorldPlane& plane) {
  return plane.n == 2 ? "xy" : plane.n == 0 ? "yz" : "zx";
}
char axis_name(int i) { return "xyz"[i]; }

// Poses of the bodies at qpos0.
std::vector<Pose> poses_at_rest(const Model& model) {
  std::vector<Pose> poses(model.bodies.size());
  for (std::size_t i = 1; i < poses.size(); ++i) {
    const Body& body = model.bodies[i];
    poses[i] = poses[static_cast<std::size_t>(body.parent)] * body.pose;
  }
  return poses;
}

// Joints turn and slide about axes of a body that itself only turns about the normal, so that axes
// that lie in the plane at qpos0 stay in it.
std::string link_trouble(const Model& model, const WorldPlane& plane, const Link& link,
                         const Pose& X_WB) {
  const Body& body = model.bodies[static_cast<std::size_t>(link.body)];
  const std::string name = model.body_names[link.body];
  const std::string wanted = fmt::format(
      "a planar world (abut.plane = {}) needs two slides along {} and {} and a hinge about {}",
      name_of(plane), axis_name(plane.u), axis_name(plane.v), axis_name(plane.n));
  if (link.parent >= 0)
    return fmt::format("body '{}' hangs on another mover; in {}, from the world", name, wanted);
  std::vector<Vec3> slides;
  int hinges = 0;
  for (int j = body.joint_begin; j < body.joint_begin + body.joint_count; ++j) {
    const Joint& joint = model.joints[static_cast<std::size_t>(j)];
    const Vec3 axis = X_WB.q * joint.axis;
    if (joint.type == JointType::slide && std::abs(axis[plane.n]) <= kPlanarAngle) {
      slides.push_back(axis);
    } else if (joint.type == JointType::hinge &&
               axis.cross(plane.normal()).norm() <= kPlanarAngle) {
      ++hinges;
    } else {
      return fmt::format("joint '{}' of body '{}' leaves the plane; {}", model.joint_names[j], name,
                         wanted);
    }
  }
  if (slides.size() != 2 || hinges != 1)
    return fmt::format("body '{}' has {} slides in the plane and {} hinges normal to it; {}", name,
                       slides.size(), hinges, wanted);
  if (slides[0].cross(slides[1]).norm() <= kPlanarAngle)
    return fmt::format("body '{}' has two slides along one axis; {}", name, wanted);
  return {};
}

bool collides(const Model& model, int geom) {
  const Geom& g = model.geoms[static_cast<std::size_t>(geom)];
  return g.contype != 0 || g.conaffinity != 0 ||
         std::any_of(model.pairs.begin(), model.pairs.end(), [&](const ContactPair& pair) {
           return pair.geom1 == geom || pair.geom2 == geom;
         });
}

}  // namespace

std::optional<WorldPlane> plane_of(const Model& model) {
  const auto setting = model.custom.find("abut.plane");
  if (setting == model.custom.end()) return std::nullopt;
  const auto plane = plane_named(setting->second.text);
  if (!plane)
    throw WorldError(
        setting->second.source,
        fmt::format("abut.plane is '{}'; it must be xy, yz or zx", setting->second.text));
  return plane;
}

std::string planar_trouble(const Model& model, const WorldPlane& plane) {
  const std::vector<Pose> poses = poses_at_rest(model);
  for (const Link& link : model.links) {
    std::string wrong =
        link_trouble(model, plane, link, poses[static_cast<std::size_t>(link.body)]);
    if (!wrong.empty()) return wrong;
  }
  const ConvexSet solids(model);
  Polygon polygon;
  for (int g = 0; g < static_cast<int>(model.geoms.size()); ++g) {
    const Geom& geom = model.geoms[static_cast<std::size_t>(g)];
    if (!collides(model, g)) continue;
    const Pose X_WG = poses[static_cast<std::size_t>(geom.body)] * geom.pose;
    if (make_polygon(solids[g], X_WG, plane, X_WG.p, polygon, kPlanarAngle)) continue;
    return fmt::format(
        "geom '{}' ({}) is no {}; what collides in a planar world (abut.plane = {}) must be a "
        "prism along {} (a box or a mesh) or a plane whose normal lies in {}",
        model.geom_names[g], name(geom.shape.kind),
        geom.shape.kind == ShapeKind::plane ? "half-space across the plane"
                                            : "prism along the plane's normal",
        name_of(plane), axis_name(plane.n), name_of(plane));
  }
  return {};
}

std::vector<double> planar_sizes(const Model& model, const ConvexSet& solids,
                                 const WorldPlane& plane) {
  const std::vector<Pose> poses = poses_at_rest(model);
  std::vector<double> sizes(model.geoms.size(), 0.0);
  Polygon polygon;
  for (int g = 0; g < static_cast<int>(sizes.size()); ++g) {
    const Geom& geom = model.geoms[static_cast<std::size_t>(g)];
    const Pose X_WG = poses[static_cast<std::size_t>(geom.body)] * geom.pose;
    if (!collides(model, g) || !make_polygon(solids[g], X_WG, plane, X_WG.p, polygon, kPlanarAngle))
      continue;
    double& size = sizes[static_cast<std::size_t>(g)];
    for (int i = 0; i < polygon.vertex_count(); ++i)
      for (int j = 0; j < i; ++j)
        size = std::max(size, (polygon.point(i) - polygon.point(j)).norm());
  }
  return sizes;
}

std::optional<WorldPlane> checked_plane_of(const Model& model) {
  const std::optional<WorldPlane> plane = plane_of(model);
  if (!plane) return plane;
  if (const std::string wrong = planar_trouble(model, *plane); !wrong.empty())
    throw WorldError(model.custom.at("abut.plane").source, wrong);
  return plane;
}

}  // namespace abut
