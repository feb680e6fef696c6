// Joints: what URDF calls one can be up to four of ours.
#include <fmt/format.h>

#include "abut/load/attributes.h"
#include "abut/load/tolerances.h"
#include "abut/load/urdf/urdf_check.h"
#include "abut/load/urdf/urdf_context.h"
#include "abut/math/rotation.h"

namespace abut {
namespace {

void add_slides(BodyDesc& body, const std::string& name, const Mat3& axes, int count) {
  constexpr std::string_view suffix[] = {"_TX", "_TY", "_TZ"};
  for (int i = 0; i < count; ++i) body.slide(name + std::string(suffix[i]), axes.col(i));
}

// The first joint of the body has the name, the limits and the force of the URDF joint.
void read_limit(const Element& e, UrdfContext& urdf, BodyDesc& body) {
  const Element* limit_element = e.child("limit");
  const UrdfLimit limit = urdf_limit(e);
  if (!limit.given) return;
  const std::string_view type = e.text("type");
  const bool scalar = type == "revolute" || type == "prismatic" || type == "continuous";
  JointDesc& joint = body.joints.front();
  const auto warn = [&](const std::string& key, const std::string& text) {
    urdf.warnings.once(key, limit_element->where, text);
  };
  if (limit.bounded && std::max(-limit.lower, limit.upper) >= kUrdfUnlimited) {
    warn("endless range", fmt::format("limits of {:g} and more, as of joint '{}', are read as none",
                                      kUrdfUnlimited, e.text("name")));
  } else if (limit.bounded) {
    joint.range = {limit.lower, limit.upper};
    joint.limited = true;
  } else if (type == "revolute" || type == "prismatic") {
    warn("no range", fmt::format("joint '{}' has lower = upper = 0, which is read as no limit; "
                                 "write type=\"fixed\" to lock it",
                                 e.text("name")));
  } else if (limit.lower != 0 || limit.upper != 0) {
    warn("range of " + std::string(type),
         fmt::format("a {} joint has no lower and upper limit; they are ignored", type));
  }
  // as in MuJoCo, no effort is no bound: many files write 0 for "unknown"
  if (scalar && limit.effort > 0 && limit.effort < kUrdfUnlimited) {
    joint.actuatorfrcrange = {-limit.effort, limit.effort};
    joint.actuatorfrclimited = true;
  }
  if (limit.velocity > 0) warn("velocity", "velocity limits of joints are not simulated by abut");
}

void read_mimic(const Element& e, const urdf::JointMimic& mimic, UrdfContext& urdf) {
  const Element& m = *e.child("mimic");
  const urdf::JointConstSharedPtr other = urdf.dom->getJoint(mimic.joint_name);
  const auto scalar = [](const urdf::Joint& j) {
    return j.type == urdf::Joint::REVOLUTE || j.type == urdf::Joint::CONTINUOUS ||
           j.type == urdf::Joint::PRISMATIC;
  };
  if (e.text("type") == "fixed") {
    urdf.warnings.once("fixed mimic", m.where,
                       fmt::format("joint '{}' is fixed; its <mimic> is ignored", e.text("name")));
    return;
  }
  const bool fixed = other->type == urdf::Joint::FIXED;
  if (fixed)
    urdf.warnings.once("mimic of fixed", m.where,
                       fmt::format("joint '{}' mimics the fixed joint '{}'; it is held at its "
                                   "offset, {:g}",
                                   e.text("name"), other->name, mimic.offset));
  for (const urdf::Joint* j : {urdf.dom->getJoint(required(e, "name")).get(), other.get()})
    if (!scalar(*j) && !(fixed && j == other.get()))
      fail(m, fmt::format("joint '{}' is not revolute, continuous or prismatic, so it can neither "
                          "mimic nor be mimicked; remove <mimic>",
                          j->name));
  if (mimic.joint_name == e.text("name"))
    fail(m, "joint", "a joint cannot mimic itself; name another one");
  EqualityDesc& equality = urdf.world.equalities.emplace_back();
  equality.source = m.where;
  equality.type = EqualityType::joint;
  equality.first = e.text("name");
  if (!fixed) equality.second = mimic.joint_name;
  equality.polycoef = {mimic.offset, fixed ? 0 : mimic.multiplier, 0, 0, 0};
}

}  // namespace

void read_urdf_joint(const Element& e, UrdfContext& urdf, bool static_parent, BodyDesc& body) {
  const std::string name = required(e, "name"), type = urdf_joint_type(e);
  const urdf::Joint& joint = *urdf.dom->getJoint(name);
  if (type == "fixed") {
    if (joint.mimic) read_mimic(e, *joint.mimic, urdf);
    return;
  }
  const Vec3 axis = to_vec(joint.axis);
  if (type == "revolute" || type == "continuous") {
    body.hinge(name, axis);
  } else if (type == "prismatic") {
    body.slide(name, axis);
  } else if (type == "planar") {
    add_slides(body, name, rotation_from_z(axis).toRotationMatrix(), 2);
    body.hinge(name + "_RZ", axis);
  } else if (type == "spherical") {
    body.ball(name);
  } else if (static_parent) {
    body.free(name);
  } else {
    add_slides(body, name, Mat3::Identity(), 3);
    body.ball(name);
  }
  for (JointDesc& j : body.joints) {
    j.source = e.where;
    if (joint.dynamics) {
      j.damping[0] = joint.dynamics->damping;
      j.frictionloss = joint.dynamics->friction;
    }
  }
  read_limit(e, urdf, body);
  if (joint.mimic) read_mimic(e, *joint.mimic, urdf);
}

}  // namespace abut
