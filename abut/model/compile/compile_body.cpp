// Bodies in depth-first order, with their joints, geoms and sites behind them.
#include <fmt/format.h>

#include "abut/model/compile/compile_draft.h"
#include "abut/model/tolerances.h"

namespace abut::compiling {
namespace {

void check_numbers(const Thing& thing, const JointDesc& d) {
  thing.vector("pos", d.pos);
  thing.vector("axis", d.axis);
  thing.number("ref", d.ref);
  thing.number("springref", d.springref);
  thing.numbers("stiffness", d.stiffness);
  thing.numbers("damping", d.damping);
  thing.numbers("springdamper", d.springdamper);
  thing.not_negative("armature", d.armature);
  thing.not_negative("frictionloss", d.frictionloss);
  thing.number("margin", d.margin);
  if ((d.springdamper[0] != 0 || d.springdamper[1] != 0) &&
      (d.springdamper[0] <= 0 || d.springdamper[1] <= 0)) {
    thing.fail(
        fmt::format("springdamper is \"{:g} {:g}\"; both the time constant and the damping "
                    "ratio must be positive",
                    d.springdamper[0], d.springdamper[1]));
  }
}

bool resolve_joint_range(const Thing& thing, const JointDesc& d, bool autolimits) {
  if (d.type == JointType::free) return false;
  if (d.type == JointType::ball && d.limited != false && d.range[0] != 0) {
    thing.fail("the range of a ball joint starts at 0: write range=\"0 angle\"");
  }
  // MuJoCo takes "0 0" for a ball joint that must not turn
  if (d.type == JointType::ball && d.limited == true && d.range[1] == 0) return true;
  return resolve_limited(thing, "limited", "range", d.limited, d.range, autolimits);
}

Joint make_joint(const Thing& thing, const JointDesc& d, int body, bool autolimits) {
  check_numbers(thing, d);
  Joint joint;
  joint.type = d.type;
  joint.body = body;
  if (d.type != JointType::free) joint.pos = d.pos;
  if (is_scalar(d.type)) {
    const double length = d.axis.norm();
    if (length < kNoAxis) {
      thing.fail("its axis has no length; write a direction, such as axis=\"0 0 1\"");
    }
    joint.axis = d.axis / length;
    joint.ref = d.ref;
    joint.spring_ref[0] = d.springref;
    joint.force_limited = resolve_limited(thing, "actuatorfrclimited", "actuatorfrcrange",
                                          d.actuatorfrclimited, d.actuatorfrcrange, autolimits);
    joint.force_range = d.actuatorfrcrange;
  } else {
    joint.spring_ref = {1, 0, 0, 0};
  }
  joint.stiffness = d.stiffness;
  joint.limited = resolve_joint_range(thing, d, autolimits);
  joint.range = d.range;
  joint.margin = d.margin;
  joint.actuator_gravcomp = d.actuatorgravcomp;
  return joint;
}

// Rules about the joints of one body together.
void check_joints(const Draft& draft, int id) {
  const BodyDesc& d = *draft.bodies[std::size_t(id)];
  const Body& body = draft.model.bodies[std::size_t(id)];
  const Thing thing = draft.body(id);
  int dofs = 0, frees = 0;
  bool after_ball = false;
  for (const JointDesc& joint : d.joints) {
    dofs += dof_count(joint.type);
    frees += joint.type == JointType::free ? 1 : 0;
    if (after_ball && (joint.type == JointType::ball || joint.type == JointType::hinge)) {
      thing.fail(
          "a ball joint is followed by another rotation, which it already allows; remove "
          "one, or put a body between them");
    }
    after_ball = after_ball || joint.type == JointType::ball;
  }
  if (id == 0 && !d.joints.empty()) thing.fail("the world cannot have joints; put them on a body");
  if (frees > 0 && d.joints.size() > 1) {
    thing.fail("a free joint allows every motion; remove the other joints of this body");
  }
  if (frees > 0 && body.parent != 0) {
    thing.fail("a free joint is for children of the world only; move the body to the top level");
  }
  if (dofs > 6) {
    thing.fail(
        fmt::format("its joints have {} degrees of freedom, and a rigid body has 6; remove "
                    "some, or put a body between them",
                    dofs));
  }
  if (d.mocap && (!d.joints.empty() || body.parent != 0 || id == 0)) {
    thing.fail("a mocap body is a child of the world without joints; move it, or remove mocap");
  }
}

void add_body(Draft& draft, const BodyDesc& d, int parent) {
  Model& model = draft.model;
  const bool is_world = model.bodies.empty();
  const int id = model.body_names.add(is_world ? "world" : d.name, d.source);
  draft.bodies.push_back(&d);
  Body& body = model.bodies.emplace_back();
  body.parent = parent;
  if (!is_world) body.pose = draft.body(id).pose(d.pose);
  draft.body(id).number("gravcomp", d.gravcomp);
  body.gravcomp = d.gravcomp;
  body.mocap = d.mocap ? model.nmocap++ : -1;
  const Body& above = model.bodies[std::size_t(parent)];
  body.depth = is_world ? 0 : above.depth + 1;
  body.weld = !d.joints.empty() || d.mocap || is_world ? id : above.weld;
  check_joints(draft, id);

  body.joint_begin = static_cast<int>(model.joints.size());
  body.joint_count = static_cast<int>(d.joints.size());
  for (const JointDesc& joint : d.joints) {
    const int j = model.joint_names.add(joint.name, joint.source);
    draft.joints.push_back(&joint);
    model.joints.push_back(make_joint(draft.joint(j), joint, id, draft.world.compiler.autolimits));
  }
  body.geom_begin = static_cast<int>(draft.geoms.size());
  body.geom_count = static_cast<int>(d.geoms.size());
  for (const GeomDesc& geom : d.geoms) {
    model.geom_names.add(geom.name, geom.source);
    model.geoms.emplace_back().body = id;
    draft.geoms.push_back(&geom);
  }
  body.site_begin = static_cast<int>(draft.sites.size());
  body.site_count = static_cast<int>(d.sites.size());
  for (const SiteDesc& site : d.sites) {
    model.site_names.add(site.name, site.source);
    model.sites.emplace_back().body = id;
    draft.sites.push_back(&site);
  }
  for (const BodyDesc& child : d.bodies) add_body(draft, child, id);
}

}  // namespace

void lay_out_bodies(Draft& draft) { add_body(draft, draft.world.worldbody, 0); }

}  // namespace abut::compiling
