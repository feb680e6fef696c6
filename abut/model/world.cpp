#include "abut/model/world.h"

namespace abut {

std::string to_string(const Source& where) {
  if (!where.file) return {};
  return where.line > 0 ? *where.file + ":" + std::to_string(where.line) : *where.file;
}

WorldError::WorldError(const Source& where, const std::string& message)
    : std::runtime_error(where.file ? to_string(where) + ": " + message : message) {}

// building in code --------------------------------------------------------------

BodyDesc& BodyDesc::body(std::string child, const Vec3& position, const Quat& orientation) {
  BodyDesc& b = bodies.emplace_back();
  b.name = std::move(child);
  b.pose = {position, orientation};
  return b;
}

JointDesc& BodyDesc::free(std::string joint) {
  JointDesc& j = joints.emplace_back();
  j.name = std::move(joint);
  j.type = JointType::free;
  return j;
}

JointDesc& BodyDesc::ball(std::string joint, const Vec3& anchor) {
  JointDesc& j = joints.emplace_back();
  j.name = std::move(joint);
  j.type = JointType::ball;
  j.pos = anchor;
  return j;
}

JointDesc& BodyDesc::hinge(std::string joint, const Vec3& axis, const Vec3& anchor) {
  JointDesc& j = joints.emplace_back();
  j.name = std::move(joint);
  j.axis = axis;
  j.pos = anchor;
  return j;
}

JointDesc& BodyDesc::slide(std::string joint, const Vec3& axis) {
  JointDesc& j = joints.emplace_back();
  j.name = std::move(joint);
  j.type = JointType::slide;
  j.axis = axis;
  return j;
}

GeomDesc& BodyDesc::geom(ShapeKind kind, const Vec3& size, const Pose& pose) {
  GeomDesc& g = geoms.emplace_back();
  g.type = kind;
  g.size = size;
  g.size_count = 3;
  g.pose = pose;
  return g;
}

GeomDesc& BodyDesc::sphere(double radius, const Vec3& centre) {
  return geom(ShapeKind::sphere, {radius, 0, 0}, {centre, Quat::Identity()});
}

GeomDesc& BodyDesc::box(const Vec3& half_extents, const Pose& pose) {
  return geom(ShapeKind::box, half_extents, pose);
}

GeomDesc& BodyDesc::capsule(const Vec3& from, const Vec3& to, double radius) {
  GeomDesc& g = geom(ShapeKind::capsule, {radius, 0, 0});
  g.fromto = {from.x(), from.y(), from.z(), to.x(), to.y(), to.z()};
  return g;
}

GeomDesc& BodyDesc::cylinder(const Vec3& from, const Vec3& to, double radius) {
  GeomDesc& g = capsule(from, to, radius);
  g.type = ShapeKind::cylinder;
  return g;
}

GeomDesc& BodyDesc::plane(const Pose& pose) { return geom(ShapeKind::plane, Vec3::Zero(), pose); }

GeomDesc& BodyDesc::mesh(std::string asset, const Pose& pose) {
  GeomDesc& g = geom(ShapeKind::mesh, Vec3::Zero(), pose);
  g.mesh = std::move(asset);
  return g;
}

SiteDesc& BodyDesc::site(std::string name, const Pose& pose) {
  SiteDesc& s = sites.emplace_back();
  s.name = std::move(name);
  s.pose = pose;
  return s;
}

BodyDesc& World::body(std::string child, const Vec3& position, const Quat& orientation) {
  return worldbody.body(std::move(child), position, orientation);
}

ActuatorDesc& World::motor(std::string actuator, std::string joint, double gear) {
  ActuatorDesc& a = actuators.emplace_back();
  a.name = std::move(actuator);
  a.target = std::move(joint);
  a.gear[0] = gear;
  return a;
}

ActuatorDesc& World::position(std::string actuator, std::string joint, double kp, double kv) {
  ActuatorDesc& a = motor(std::move(actuator), std::move(joint));
  a.bias = Bias::affine;
  a.gainprm[0] = kp;
  a.biasprm = {0, -kp, -kv};
  return a;
}

ActuatorDesc& World::velocity(std::string actuator, std::string joint, double kv) {
  ActuatorDesc& a = motor(std::move(actuator), std::move(joint));
  a.bias = Bias::affine;
  a.gainprm[0] = kv;
  a.biasprm = {0, 0, -kv};
  return a;
}

}  // namespace abut
