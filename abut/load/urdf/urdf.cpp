// The order of reading: <mujoco>'s settings, then urdfdom's view of the whole document,
// then the tree of links from the root down, in the order of the file.
#include "abut/load/urdf/urdf.h"

#include <fmt/format.h>

#include "abut/load/attributes.h"
#include "abut/load/mjcf/mjcf_context.h"
#include "abut/load/tolerances.h"
#include "abut/load/urdf/urdf_context.h"
#include "abut/load/urdf/urdf_dom.h"
#include "abut/load/urdf/urdf_schema.h"

namespace abut {
namespace {

// MuJoCo's own section: its <compiler> and <option> have the meaning of MJCF.
void read_mujoco(const Element& robot, UrdfContext& urdf) {
  const Element* mujoco = robot.child("mujoco");
  if (!mujoco) return;
  check_schema(*mujoco, urdf.warnings);
  MjcfContext mjcf(urdf.world, urdf.places.directory, 0);
  for (const Element& e : mujoco->children) {
    if (e.tag == "compiler") {
      // handled here, because URDF distinguishes visual elements, which can be omitted
      read(e, "discardvisual", urdf.discardvisual);
      urdf.weigh_geoms = e.find("inertiafromgeom") && e.text("inertiafromgeom") != "false";
      read_compiler(e, mjcf);
      std::erase_if(urdf.world.warnings,
                    [](const Warning& w) { return w.text.starts_with("discardvisual"); });
    } else if (e.tag == "option") {
      read_option(e, mjcf);
    } else if (e.tag != "size") {
      urdf.warnings.once("mujoco <" + std::string(e.tag) + ">", e.where,
                         fmt::format("<{}> is not read in a URDF; of <mujoco> only <compiler> and "
                                     "<option> are",
                                     e.tag));
    }
  }
  urdf.places.meshdir = mjcf.meshdir;
  urdf.places.strippath = mjcf.strippath;
}

bool has_mass(const BodyDesc& body) {
  return body.inertial && body.inertial->mass > 0 && body.inertial->fullinertia;
}

// Whether this body, or one that is welded to it, has an inertia.
bool moves_mass(const BodyDesc& body) {
  if (has_mass(body)) return true;
  for (const BodyDesc& child : body.bodies)
    if (child.joints.empty() && moves_mass(child)) return true;
  return false;
}

// Whether a link with mass hangs somewhere below this one.
bool carries_mass(const BodyDesc& body) {
  if (moves_mass(body)) return true;
  for (const BodyDesc& child : body.bodies)
    if (carries_mass(child)) return true;
  return false;
}

// Files chain joints by links without mass, or with a mass and no inertia. ROS accepts these links.
// A mass matrix needs an inertia for every joint: such a link gets a small one. A link that gives no
// mass, and carries none, is an error: its motion would be nothing but this small inertia's.
void give_mass(BodyDesc& body, UrdfContext& urdf) {
  if (!body.joints.empty() && !moves_mass(body)) {
    if (!carries_mass(body) && !(body.inertial && body.inertial->mass > 0))
      throw WorldError(
          body.source,
          fmt::format(
              "link '{}' moves, but neither it nor a link that is fixed to it has mass and "
              "inertia; add <inertial> with <mass> and <inertia>, or write <mujoco><compiler "
              "inertiafromgeom=\"auto\"/></mujoco> to weigh its collision shapes as water",
              body.name));
    if (!body.inertial) body.inertial.emplace().source = body.source;
    body.inertial->mass = std::max(body.inertial->mass, kLeastUrdfMass);
    body.inertial->fullinertia = {kLeastUrdfInertia, kLeastUrdfInertia, kLeastUrdfInertia, 0, 0, 0};
    urdf.warnings.once("link without mass", body.source,
                       fmt::format("link '{}' moves without mass or inertia; it, and others like "
                                   "it, get at least {:g} kg and {:g} kg m^2",
                                   body.name, kLeastUrdfMass, kLeastUrdfInertia));
  }
  for (BodyDesc& child : body.bodies) give_mass(child, urdf);
}

class TreeBuilder {
 public:
  TreeBuilder(const Element& robot, UrdfContext& urdf) : urdf_(urdf) {
    for (const Element& e : robot.children) {
      if (e.tag == "link") links_[e.text("name")] = &e;
      if (e.tag == "joint") joints_[e.child("parent")->text("link")].push_back(&e);
    }
  }

  void build(bool floating_base) {
    const Element& root = *links_.at(urdf_.dom->getRoot()->name);
    BodyDesc& world = urdf_.world.worldbody;
    const bool is_world = root.text("name") == "world";
    BodyDesc& body = is_world ? world : world.body(std::string(root.text("name")));
    if (is_world && floating_base)
      fail(root,
           "the root link is the world itself, so the base cannot float; hang the robot on a "
           "<joint type=\"floating\">, or leave the option away");
    if (!is_world) body.source = root.where;
    read_urdf_link(root, urdf_, body);
    if (floating_base) body.free(free_name(root)).source = root.where;
    add_children(root.text("name"), body, Pose{}, !floating_base);
  }

 private:
  // A name that no joint of the file has.
  std::string free_name(const Element& root) const {
    std::string name = std::string(root.text("name")) + "_free_joint";
    while (urdf_.dom->getJoint(name)) name += '_';
    return name;
  }

  // X_WB: pose of the body, as long as it is fixed.
  void add_children(std::string_view link, BodyDesc& body, const Pose& X_WB, bool is_static) {
    const auto found = joints_.find(link);
    if (found == joints_.end()) return;
    for (const Element* e : found->second) {
      const urdf::Joint& joint = *urdf_.dom->getJoint(required(*e, "name"));
      const Element& child = *links_.at(e->child("child")->text("link"));
      if (child.text("name") == "world")
        fail(child, "'world' is the name of what does not move; give this link another one");
      const Pose X_BC = to_pose(joint.parent_to_joint_origin_transform);
      // a free joint is for children of the world
      const bool frees = is_static && e->text("type") == "floating";
      BodyDesc& out = (frees ? urdf_.world.worldbody : body).body(joint.child_link_name);
      out.pose = frees ? X_WB * X_BC : X_BC;
      out.source = child.where;
      read_urdf_joint(*e, urdf_, is_static, out);
      read_urdf_link(child, urdf_, out);
      add_children(child.text("name"), out, X_WB * X_BC, is_static && out.joints.empty());
    }
  }

  UrdfContext& urdf_;
  std::map<std::string_view, const Element*> links_;
  std::map<std::string_view, std::vector<const Element*>> joints_;  // by parent, in file order
};

}  // namespace

World read_urdf(const Element& robot, const std::filesystem::path& directory,
                const LoadOptions& options) {
  World world;
  UrdfContext urdf(world);
  urdf.places.directory = directory;
  urdf.places.search = options.package_path;
  check_urdf_schema(robot, urdf.warnings);
  read(robot, "name", world.name);
  read_mujoco(robot, urdf);
  urdf.dom = read_urdf_dom(robot, urdf.warnings);
  TreeBuilder(robot, urdf).build(options.floating_base);
  if (!urdf.weigh_geoms) give_mass(world.worldbody, urdf);
  return world;
}

World parse_urdf(std::string_view xml, const std::string& name,
                 const std::filesystem::path& directory, const LoadOptions& options) {
  const XmlTree tree = read_xml_text(xml, name, directory);
  if (tree.root.tag != "robot")
    fail(tree.root,
         fmt::format("the root element is <{}>; URDF starts with <robot>", tree.root.tag));
  return read_urdf(tree.root, directory, options);
}

}  // namespace abut
