#include "abut/load/mjcf/mjcf_elements.h"

#include "abut/load/attributes.h"

namespace abut {
namespace {

// "Up to n of them" over a list of which some may be there already.
void read_into(const Element& e, std::string_view name, std::size_t most,
               std::vector<double>& list) {
  std::vector<double> given(most);
  const auto count = static_cast<std::size_t>(read_some(e, name, given));
  if (count == 0) return;
  if (list.size() < count) list.resize(count);
  std::copy_n(given.begin(), count, list.begin());
}

// A quat does not undo the axisangle, xyaxes, zaxis or euler of a class.
template <typename Desc>
void read_oriented(const Element& e, const AngleRules& rules, Oriented<Desc>& thing) {
  read(e, "pos", thing.desc.pose.p);
  Quat q;
  const Orientation kind = read_orientation(e, rules, q);
  if (kind == Orientation::absent) return;
  if (kind == Orientation::quat && thing.alternative) return;
  thing.desc.pose.q = q;
  thing.alternative = kind == Orientation::alternative;
}

constexpr std::pair<std::string_view, ShapeKind> kShapes[] = {{"plane", ShapeKind::plane},
                                                              {"hfield", ShapeKind::hfield},
                                                              {"sphere", ShapeKind::sphere},
                                                              {"capsule", ShapeKind::capsule},
                                                              {"ellipsoid", ShapeKind::ellipsoid},
                                                              {"cylinder", ShapeKind::cylinder},
                                                              {"box", ShapeKind::box},
                                                              {"mesh", ShapeKind::mesh},
                                                              {"sdf", ShapeKind::mesh}};

}  // namespace

void read_joint(const Element& e, JointDesc& joint) {
  constexpr std::pair<std::string_view, JointType> types[] = {{"free", JointType::free},
                                                              {"ball", JointType::ball},
                                                              {"slide", JointType::slide},
                                                              {"hinge", JointType::hinge}};
  read(e, "name", joint.name);
  read_word(e, "type", types, joint.type);
  read(e, "pos", joint.pos);
  read(e, "axis", joint.axis);
  read(e, "ref", joint.ref);
  read(e, "springref", joint.springref);
  read_some(e, "stiffness", joint.stiffness);
  read_some(e, "damping", joint.damping);
  read(e, "springdamper", joint.springdamper);
  read(e, "armature", joint.armature);
  read(e, "frictionloss", joint.frictionloss);
  read(e, "limited", joint.limited);
  read(e, "range", joint.range);
  read(e, "margin", joint.margin);
  read(e, "actuatorfrclimited", joint.actuatorfrclimited);
  read(e, "actuatorfrcrange", joint.actuatorfrcrange);
  read(e, "actuatorgravcomp", joint.actuatorgravcomp);
  read(e, "group", joint.group);
  joint.source = e.where;
}

void finish_joint(const AngleRules& rules, JointDesc& joint) {
  if (joint.type == JointType::hinge || joint.type == JointType::ball)
    for (double& limit : joint.range) limit = rules.radians(limit);
  if (joint.type == JointType::hinge) {
    joint.ref = rules.radians(joint.ref);
    joint.springref = rules.radians(joint.springref);
  }
}

void read_geom(const Element& e, const AngleRules& rules, Oriented<GeomDesc>& geom) {
  constexpr std::pair<std::string_view, bool> fluid_shapes[] = {{"none", false},
                                                                {"ellipsoid", true}};
  GeomDesc& g = geom.desc;
  read(e, "name", g.name);
  read_word(e, "type", kShapes, g.type);
  g.size_count = std::max(g.size_count, read_some(e, "size", {g.size.data(), 3}));
  read_oriented(e, rules, geom);
  read(e, "fromto", g.fromto);
  read(e, "mass", g.mass);
  read(e, "density", g.density);
  read(e, "shellinertia", g.shell);
  read_some(e, "friction", {g.friction.data(), 3});
  read(e, "condim", g.condim);
  read(e, "contype", g.contype);
  read(e, "conaffinity", g.conaffinity);
  read(e, "priority", g.priority);
  read(e, "group", g.group);
  read(e, "margin", g.margin);
  read(e, "gap", g.gap);
  read(e, "solmix", g.solmix);
  read_into(e, "solref", 2, g.solref);
  read_into(e, "solimp", 5, g.solimp);
  read(e, "mesh", g.mesh);
  read(e, "hfield", g.hfield);
  read(e, "material", g.material);
  read(e, "fitscale", g.fitscale);
  read_word(e, "fluidshape", fluid_shapes, g.fluid_ellipsoid);
  read_some(e, "fluidcoef", g.fluidcoef);
  read(e, "rgba", g.rgba);
  g.source = e.where;
}

void read_site(const Element& e, const AngleRules& rules, Oriented<SiteDesc>& site) {
  SiteDesc& s = site.desc;
  read(e, "name", s.name);
  read_word(e, "type", kShapes, s.type);
  read_some(e, "size", {s.size.data(), 3});
  read_oriented(e, rules, site);
  read(e, "fromto", s.fromto);
  read(e, "rgba", s.rgba);
  read(e, "group", s.group);
  s.source = e.where;
}

InertialDesc read_inertial(const Element& e, const AngleRules& rules) {
  InertialDesc inertial;
  inertial.source = e.where;
  required(e, "pos");
  required(e, "mass");
  read_pose(e, rules, inertial.pose);
  read(e, "mass", inertial.mass);
  const bool diagonal = read(e, "diaginertia", inertial.diaginertia);
  const bool full = read(e, "fullinertia", inertial.fullinertia);
  if (full && diagonal) fail(e, "both diaginertia and fullinertia; keep one");
  if (full)
    for (std::string_view turn : {"quat", "axisangle", "xyaxes", "zaxis", "euler"})
      if (e.find(turn))
        fail(e, turn, "fullinertia is in the axes of the body; remove the orientation");
  return inertial;
}

void read_mesh_attributes(const Element& e, MeshDesc& mesh) {
  constexpr std::pair<std::string_view, MeshInertia> modes[] = {{"convex", MeshInertia::convex},
                                                                {"exact", MeshInertia::exact},
                                                                {"legacy", MeshInertia::legacy},
                                                                {"shell", MeshInertia::shell}};
  read(e, "name", mesh.name);
  read(e, "scale", mesh.scale);
  read(e, "refpos", mesh.refpos);
  Vec4 quat;
  if (read(e, "refquat", quat)) {
    if (!(quat.norm() > 0))
      fail(e, "refquat", "all its parts are zero; write 1 0 0 0 for no rotation");
    mesh.refquat = Quat(quat[0], quat[1], quat[2], quat[3]).normalized();
  }
  read_word(e, "inertia", modes, mesh.inertia);
  if (read(e, "maxhullvert", mesh.maxhullvert) && mesh.maxhullvert != -1 && mesh.maxhullvert < 4)
    fail(e, "maxhullvert", "a hull has at least 4 vertices; write 4 or more, or -1 for no limit");
  mesh.source = e.where;
}

void read_pair(const Element& e, PairDesc& pair) {
  read(e, "name", pair.name);
  read(e, "condim", pair.condim);
  read_into(e, "friction", 5, pair.friction);
  read(e, "margin", pair.margin);
  read(e, "gap", pair.gap);
  pair.source = e.where;
}

void read_tendon(const Element& e, TendonDesc& tendon) {
  read(e, "name", tendon.name);
  read(e, "limited", tendon.limited);
  read(e, "range", tendon.range);
  read(e, "margin", tendon.margin);
  read_some(e, "stiffness", tendon.stiffness);
  read_some(e, "damping", tendon.damping);
  if (read_some(e, "springlength", tendon.springlength) == 1)
    tendon.springlength[1] = tendon.springlength[0];
  read(e, "frictionloss", tendon.frictionloss);
  read(e, "armature", tendon.armature);
  read(e, "actuatorfrclimited", tendon.actuatorfrclimited);
  read(e, "actuatorfrcrange", tendon.actuatorfrcrange);
  tendon.source = e.where;
}

}  // namespace abut
