// Data that the parts of the URDF reader share.
#pragma once

#include <urdf_model/model.h>

#include <map>
#include <set>
#include <string>

#include "abut/load/mesh/mesh_file.h"
#include "abut/load/mjcf/mjcf_schema.h"
#include "abut/load/urdf/package_path.h"
#include "abut/load/xml_tree.h"
#include "abut/model/world.h"

namespace abut {

struct UrdfContext {
  explicit UrdfContext(World& w) : world(w), warnings(w.warnings) {}

  World& world;
  Warnings warnings;
  std::shared_ptr<const urdf::ModelInterface> dom;
  bool discardvisual = false;
  bool weigh_geoms = false;  // <mujoco> requests masses from geoms

  PackagePlaces places;
  MeshCache mesh_files{ObjObjects::all};
  std::set<std::string, std::less<>> geom_names;
  std::set<std::string, std::less<>> mesh_names;
  std::map<std::string, std::string> meshes;  // path and scale -> name in the world
};

inline Vec3 to_vec(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }
inline Pose to_pose(const urdf::Pose& pose) {
  const urdf::Rotation& r = pose.rotation;
  return {to_vec(pose.position), Quat(r.w, r.x, r.y, r.z).normalized()};
}

// Reads the inertia, visual and collision geoms of a link into its body.
void read_urdf_link(const Element& link, UrdfContext& urdf, BodyDesc& body);

// Reads a URDF joint as joints of the body. `static_parent`: the parent link cannot move, so that a
// floating joint can be a free joint.
void read_urdf_joint(const Element& joint, UrdfContext& urdf, bool static_parent, BodyDesc& body);

}  // namespace abut
