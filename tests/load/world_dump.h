// A world as lines of text, "joint elbow damping=2 0 0", to compare two of them or to
// look for a number.
#pragma once

#include <fmt/format.h>

#include <sstream>
#include <string>
#include <string_view>

#include "abut/load/load.h"

namespace abut::test {

class WorldDump {
 public:
  explicit WorldDump(const World& w) {
    line("world", w.name);
    settings(w);
    body(w.worldbody);
    assets(w);
    relations(w);
    extras(w);
  }
  std::string text() const { return out_.str(); }

 private:
  static std::string show(double x) { return fmt::format("{:.12g}", x + 0.0); }
  static std::string show(int x) { return std::to_string(x); }
  static std::string show(bool x) { return x ? "true" : "false"; }
  static std::string show(const std::string& x) { return x; }
  static std::string show(const Quat& q) { return show(Vec4(q.w(), q.x(), q.y(), q.z())); }
  static std::string show(const Pose& x) { return show(x.p) + " | " + show(x.q); }
  template <typename T>
  static std::string show(const std::optional<T>& x) {
    return x ? show(*x) : "auto";
  }
  template <typename E>
  requires std::is_enum_v<E>
  static std::string show(E x) { return std::to_string(static_cast<int>(x)); }
  template <typename List>
  requires requires(const List& l) { l.begin(); }
  static std::string show(const List& list) {
    std::string all;
    for (const auto& x : list) all += (all.empty() ? "" : " ") + show(x);
    return all;
  }

  template <typename T>
  void line(std::string_view what, const T& value) {
    out_ << who_ << what << "=" << show(value) << "\n";
  }
  void of(std::string_view kind, const std::string& name) {
    who_ = fmt::format("{} {} ", kind, name);
    out_ << who_ << "\n";
  }

#define ABUT_DUMP(object, field) line(#field, (object).field)
  void settings(const World& w) {
    who_ = "option ";
    const Options& o = w.option;
    ABUT_DUMP(o, timestep), ABUT_DUMP(o, gravity), ABUT_DUMP(o, wind), ABUT_DUMP(o, magnetic);
    ABUT_DUMP(o, density), ABUT_DUMP(o, viscosity), ABUT_DUMP(o, integrator);
    ABUT_DUMP(o, gravity_on);
    ABUT_DUMP(o, spring_on), ABUT_DUMP(o, damper_on), ABUT_DUMP(o, actuation_on);
    ABUT_DUMP(o, clamp_ctrl), ABUT_DUMP(o, contact_on), ABUT_DUMP(o, constraint_on);
    ABUT_DUMP(o, equality_on), ABUT_DUMP(o, limit_on), ABUT_DUMP(o, frictionloss_on);
    ABUT_DUMP(o, filter_parent), ABUT_DUMP(o, euler_damp);
    line("disabled_actuator_groups", static_cast<int>(o.disabled_actuator_groups));
    who_ = "compiler ";
    const CompilerSettings& c = w.compiler;
    ABUT_DUMP(c, inertia_from_geom), ABUT_DUMP(c, inertia_group_range), ABUT_DUMP(c, bound_mass);
    ABUT_DUMP(c, bound_inertia), ABUT_DUMP(c, set_total_mass), ABUT_DUMP(c, balance_inertia);
    ABUT_DUMP(c, autolimits), ABUT_DUMP(c, align_free), ABUT_DUMP(c, fit_aabb);
  }

  void body(const BodyDesc& b) {
    of("body", b.name);
    ABUT_DUMP(b, pose), ABUT_DUMP(b, mocap), ABUT_DUMP(b, gravcomp);
    if (b.inertial) {
      const InertialDesc& i = *b.inertial;
      of("inertial", b.name);
      ABUT_DUMP(i, mass), ABUT_DUMP(i, pose), ABUT_DUMP(i, diaginertia), ABUT_DUMP(i, fullinertia);
    }
    for (const JointDesc& j : b.joints) {
      of("joint", j.name);
      ABUT_DUMP(j, type), ABUT_DUMP(j, pos), ABUT_DUMP(j, axis), ABUT_DUMP(j, ref);
      ABUT_DUMP(j, springref), ABUT_DUMP(j, stiffness), ABUT_DUMP(j, damping);
      ABUT_DUMP(j, springdamper), ABUT_DUMP(j, armature), ABUT_DUMP(j, frictionloss);
      ABUT_DUMP(j, limited), ABUT_DUMP(j, range), ABUT_DUMP(j, margin);
      ABUT_DUMP(j, actuatorfrclimited), ABUT_DUMP(j, actuatorfrcrange);
      ABUT_DUMP(j, actuatorgravcomp), ABUT_DUMP(j, group), ABUT_DUMP(j, align);
    }
    for (const GeomDesc& g : b.geoms) {
      of("geom", g.name);
      ABUT_DUMP(g, type), ABUT_DUMP(g, size), ABUT_DUMP(g, size_count), ABUT_DUMP(g, pose);
      ABUT_DUMP(g, fromto), ABUT_DUMP(g, mass), ABUT_DUMP(g, density), ABUT_DUMP(g, shell);
      ABUT_DUMP(g, friction), ABUT_DUMP(g, condim), ABUT_DUMP(g, contype);
      ABUT_DUMP(g, conaffinity), ABUT_DUMP(g, priority), ABUT_DUMP(g, group);
      ABUT_DUMP(g, margin), ABUT_DUMP(g, gap), ABUT_DUMP(g, solmix), ABUT_DUMP(g, solref);
      ABUT_DUMP(g, solimp), ABUT_DUMP(g, mesh), ABUT_DUMP(g, hfield), ABUT_DUMP(g, material);
      ABUT_DUMP(g, fitscale), ABUT_DUMP(g, fluid_ellipsoid), ABUT_DUMP(g, fluidcoef);
      ABUT_DUMP(g, rgba);
    }
    for (const SiteDesc& s : b.sites) {
      of("site", s.name);
      ABUT_DUMP(s, type), ABUT_DUMP(s, size), ABUT_DUMP(s, pose), ABUT_DUMP(s, fromto);
      ABUT_DUMP(s, rgba), ABUT_DUMP(s, group);
    }
    for (const BodyDesc& child : b.bodies) body(child);
  }

  void assets(const World& w) {
    for (const MeshDesc& m : w.meshes) {
      of("mesh", m.name);
      ABUT_DUMP(m, vertices), ABUT_DUMP(m, faces), ABUT_DUMP(m, scale), ABUT_DUMP(m, refpos);
      ABUT_DUMP(m, refquat), ABUT_DUMP(m, inertia), ABUT_DUMP(m, maxhullvert);
    }
    for (const HfieldDesc& h : w.hfields) {
      of("hfield", h.name);
      ABUT_DUMP(h, rows), ABUT_DUMP(h, cols), ABUT_DUMP(h, size), ABUT_DUMP(h, elevation);
    }
  }

  void relations(const World& w) {
    for (const PairDesc& p : w.pairs) {
      of("pair", p.name);
      ABUT_DUMP(p, geom1), ABUT_DUMP(p, geom2), ABUT_DUMP(p, condim), ABUT_DUMP(p, friction);
      ABUT_DUMP(p, margin), ABUT_DUMP(p, gap);
    }
    for (const ExcludeDesc& x : w.excludes) {
      of("exclude", x.name);
      ABUT_DUMP(x, body1), ABUT_DUMP(x, body2);
    }
    for (const EqualityDesc& e : w.equalities) {
      of("equality", e.name);
      ABUT_DUMP(e, type), ABUT_DUMP(e, first), ABUT_DUMP(e, second), ABUT_DUMP(e, by_site);
      ABUT_DUMP(e, active), ABUT_DUMP(e, anchor), ABUT_DUMP(e, has_anchor), ABUT_DUMP(e, relpose);
      ABUT_DUMP(e, torquescale), ABUT_DUMP(e, polycoef);
    }
    for (const TendonDesc& t : w.tendons) {
      of("tendon", t.name);
      ABUT_DUMP(t, joints), ABUT_DUMP(t, coef), ABUT_DUMP(t, limited), ABUT_DUMP(t, range);
      ABUT_DUMP(t, margin), ABUT_DUMP(t, stiffness), ABUT_DUMP(t, damping);
      ABUT_DUMP(t, springlength), ABUT_DUMP(t, frictionloss), ABUT_DUMP(t, armature);
      ABUT_DUMP(t, actuatorfrclimited), ABUT_DUMP(t, actuatorfrcrange), ABUT_DUMP(t, simulated);
    }
    for (const ActuatorDesc& a : w.actuators) {
      of("actuator", a.name);
      ABUT_DUMP(a, transmission), ABUT_DUMP(a, target), ABUT_DUMP(a, refsite), ABUT_DUMP(a, gear);
      ABUT_DUMP(a, dynamics), ABUT_DUMP(a, gain), ABUT_DUMP(a, bias), ABUT_DUMP(a, gainprm);
      ABUT_DUMP(a, biasprm), ABUT_DUMP(a, dynprm), ABUT_DUMP(a, ctrllimited);
      ABUT_DUMP(a, forcelimited), ABUT_DUMP(a, actlimited), ABUT_DUMP(a, ctrlrange);
      ABUT_DUMP(a, forcerange), ABUT_DUMP(a, actrange), ABUT_DUMP(a, actearly);
      ABUT_DUMP(a, damping_ratio), ABUT_DUMP(a, inheritrange), ABUT_DUMP(a, inherit_act);
      ABUT_DUMP(a, group), ABUT_DUMP(a, simulated);
    }
    for (const SensorDesc& s : w.sensors) {
      of("sensor", s.name);
      ABUT_DUMP(s, type), ABUT_DUMP(s, objtype), ABUT_DUMP(s, object), ABUT_DUMP(s, reftype);
      ABUT_DUMP(s, reference), ABUT_DUMP(s, cutoff), ABUT_DUMP(s, noise);
    }
  }

  void extras(const World& w) {
    for (const KeyframeDesc& k : w.keyframes) {
      of("key", k.name);
      ABUT_DUMP(k, time), ABUT_DUMP(k, qpos), ABUT_DUMP(k, qvel), ABUT_DUMP(k, act);
      ABUT_DUMP(k, ctrl), ABUT_DUMP(k, mpos), ABUT_DUMP(k, mquat);
    }
    for (const TextDesc& t : w.texts) of("text", t.name), ABUT_DUMP(t, data);
    for (const NumericDesc& n : w.numerics) of("numeric", n.name), ABUT_DUMP(n, data);
    for (const TupleDesc& t : w.tuples) {
      of("tuple", t.name);
      for (const auto& e : t.elements)
        ABUT_DUMP(e, objtype), ABUT_DUMP(e, objname), ABUT_DUMP(e, prm);
    }
  }
#undef ABUT_DUMP

  std::ostringstream out_;
  std::string who_;
};

inline std::string dump(const World& world) { return WorldDump(world).text(); }

}  // namespace abut::test
