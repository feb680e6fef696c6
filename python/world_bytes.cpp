#include "world_bytes.h"

#include <cstring>
#include <deque>
#include <stdexcept>

#include "abut/math/hash.h"
#include "abut/version.h"

namespace abut::python {

namespace {

// Both directions are one list of fields: `a(x.name, x.type, ..)` writes or reads them in turn.
template <class Archive, class Part>
void fields(Archive& a, Part& x);

class Out {
 public:
  std::string bytes;

  template <class... T>
  void operator()(T&... x) {
    (put(x), ...);
  }

 private:
  template <class T>
  void put(T& x) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      bytes.append(reinterpret_cast<const char*>(&x), sizeof x);
    else
      fields(*this, x);
  }
  template <class T>
  void put_all(T& x) {
    std::uint64_t n = x.size();
    put(n);
    for (auto& one : x) put(one);
  }
  void put(std::string& x) {
    std::uint64_t n = x.size();
    put(n);
    bytes += x;
  }
  template <class T>
  void put(std::vector<T>& x) {
    put_all(x);
  }
  template <class T>
  void put(std::deque<T>& x) {
    put_all(x);
  }
  template <class T, std::size_t N>
  void put(std::array<T, N>& x) {
    for (T& one : x) put(one);
  }
  template <class T>
  void put(std::optional<T>& x) {
    bool there = x.has_value();
    put(there);
    if (there) put(*x);
  }
  void put(Source& x) {
    bool there = x.file != nullptr;
    put(there);
    if (there) {
      std::string name = *x.file;
      put(name);
    }
    put(x.line);
  }
  template <int N, int Options>
  void put(Eigen::Matrix<double, N, 1, Options>& x) {
    bytes.append(reinterpret_cast<const char*>(x.data()), sizeof(double) * N);
  }
  void put(Quat& x) {
    bytes.append(reinterpret_cast<const char*>(x.coeffs().data()), sizeof(double) * 4);
  }
};

class In {
 public:
  explicit In(const std::string& bytes) : bytes_(bytes) {}

  template <class... T>
  void operator()(T&... x) {
    (get(x), ...);
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  void take(void* to, std::size_t n) {
    if (n > bytes_.size() - at_) throw std::invalid_argument("a pickled world is cut short");
    std::memcpy(to, bytes_.data() + at_, n);
    at_ += n;
  }
  std::uint64_t count() {
    std::uint64_t n = 0;
    get(n);
    if (n > bytes_.size() - at_) throw std::invalid_argument("a pickled world is damaged");
    return n;
  }
  template <class T>
  void get(T& x) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      take(&x, sizeof x);
    else
      fields(*this, x);
  }
  void get(std::string& x) {
    x.resize(count());
    take(x.data(), x.size());
  }
  template <class T>
  void get(std::vector<T>& x) {
    x.resize(count());
    for (T& one : x) get(one);
  }
  template <class T>
  void get(std::deque<T>& x) {
    x.resize(count());
    for (T& one : x) get(one);
  }
  template <class T, std::size_t N>
  void get(std::array<T, N>& x) {
    for (T& one : x) get(one);
  }
  template <class T>
  void get(std::optional<T>& x) {
    bool there = false;
    get(there);
    x.reset();
    if (there) get(x.emplace());
  }
  void get(Source& x) {
    bool there = false;
    get(there);
    if (there) {
      std::string name;
      get(name);
      x.file = std::make_shared<const std::string>(std::move(name));
    }
    get(x.line);
  }
  template <int N, int Options>
  void get(Eigen::Matrix<double, N, 1, Options>& x) {
    take(x.data(), sizeof(double) * N);
  }
  void get(Quat& x) { take(x.coeffs().data(), sizeof(double) * 4); }

  const std::string& bytes_;
  std::size_t at_ = 0;
};

// --- the parts of a World -----------------------------------------------------------------------

template <class A>
void each(A& a, Pose& x) {
  a(x.p, x.q);
}
template <class A>
void each(A& a, JointDesc& x) {
  a(x.name, x.type, x.pos, x.axis, x.ref, x.springref, x.stiffness, x.damping, x.springdamper,
    x.armature, x.frictionloss, x.limited, x.range, x.margin, x.actuatorfrclimited,
    x.actuatorfrcrange, x.actuatorgravcomp, x.group, x.align, x.source);
}
template <class A>
void each(A& a, GeomDesc& x) {
  a(x.name, x.type, x.size, x.size_count, x.pose, x.fromto, x.mass, x.density, x.shell, x.friction,
    x.condim, x.contype, x.conaffinity, x.priority, x.group, x.margin, x.gap, x.solmix, x.solref,
    x.solimp, x.mesh, x.hfield, x.material, x.fitscale, x.fluid_ellipsoid, x.fluidcoef, x.rgba,
    x.source);
}
template <class A>
void each(A& a, SiteDesc& x) {
  a(x.name, x.type, x.size, x.pose, x.fromto, x.rgba, x.group, x.source);
}
template <class A>
void each(A& a, InertialDesc& x) {
  a(x.mass, x.pose, x.diaginertia, x.fullinertia, x.source);
}
template <class A>
void each(A& a, BodyDesc& x) {
  a(x.name, x.pose, x.mocap, x.gravcomp, x.inertial, x.joints, x.geoms, x.sites, x.bodies,
    x.source);
}
template <class A>
void each(A& a, MeshDesc& x) {
  a(x.name, x.vertices, x.faces, x.scale, x.refpos, x.refquat, x.inertia, x.maxhullvert, x.source);
}
template <class A>
void each(A& a, HfieldDesc& x) {
  a(x.name, x.rows, x.cols, x.size, x.elevation, x.source);
}
template <class A>
void each(A& a, PairDesc& x) {
  a(x.name, x.geom1, x.geom2, x.condim, x.friction, x.margin, x.gap, x.source);
}
template <class A>
void each(A& a, ExcludeDesc& x) {
  a(x.name, x.body1, x.body2, x.source);
}
template <class A>
void each(A& a, EqualityDesc& x) {
  a(x.name, x.type, x.first, x.second, x.by_site, x.active, x.anchor, x.has_anchor, x.relpose,
    x.torquescale, x.polycoef, x.frame_first, x.frame_second, x.axis, x.length, x.teeth, x.source);
}
template <class A>
void each(A& a, MeasureDesc& x) {
  a(x.name, x.kind, x.first, x.second, x.frame, x.other, x.axis, x.axis_in_first, x.scale,
    x.offset);
}
template <class A>
void each(A& a, TendonDesc& x) {
  a(x.name, x.joints, x.coef, x.limited, x.range, x.margin, x.stiffness, x.damping, x.springlength,
    x.frictionloss, x.armature, x.actuatorfrclimited, x.actuatorfrcrange, x.simulated, x.for_joint,
    x.source);
}
template <class A>
void each(A& a, ActuatorDesc& x) {
  a(x.name, x.transmission, x.target, x.refsite, x.gear, x.dynamics, x.gain, x.bias, x.gainprm,
    x.biasprm, x.dynprm, x.ctrllimited, x.forcelimited, x.actlimited, x.ctrlrange, x.forcerange,
    x.actrange, x.actearly, x.damping_ratio, x.inheritrange, x.inherit_act, x.group, x.simulated,
    x.source);
}
template <class A>
void each(A& a, SensorDesc& x) {
  a(x.name, x.type, x.objtype, x.object, x.reftype, x.reference, x.cutoff, x.noise, x.source);
}
template <class A>
void each(A& a, KeyframeDesc& x) {
  a(x.name, x.time, x.qpos, x.qvel, x.act, x.ctrl, x.mpos, x.mquat, x.turn, x.source);
}
template <class A>
void each(A& a, TextDesc& x) {
  a(x.name, x.data, x.source);
}
template <class A>
void each(A& a, NumericDesc& x) {
  a(x.name, x.data, x.source);
}
template <class A>
void each(A& a, TupleDesc::Element& x) {
  a(x.objtype, x.objname, x.prm);
}
template <class A>
void each(A& a, TupleDesc& x) {
  a(x.name, x.elements, x.source);
}
template <class A>
void each(A& a, Options& x) {
  a(x.timestep, x.gravity, x.wind, x.magnetic, x.density, x.viscosity, x.integrator, x.gravity_on,
    x.spring_on, x.damper_on, x.actuation_on, x.clamp_ctrl, x.contact_on, x.constraint_on,
    x.equality_on, x.limit_on, x.frictionloss_on, x.filter_parent, x.euler_damp,
    x.disabled_actuator_groups);
}
template <class A>
void each(A& a, CompilerSettings& x) {
  a(x.inertia_from_geom, x.inertia_group_range, x.bound_mass, x.bound_inertia, x.set_total_mass,
    x.balance_inertia, x.autolimits, x.align_free, x.fit_aabb);
}
template <class A>
void each(A& a, Warning& x) {
  a(x.source, x.text);
}
template <class A>
void each(A& a, World& x) {
  a(x.name, x.option, x.option_source, x.compiler, x.worldbody, x.meshes, x.hfields, x.pairs,
    x.excludes, x.equalities, x.measures, x.tendons, x.actuators, x.sensors, x.keyframes, x.texts,
    x.numerics, x.tuples, x.warnings);
}

template <class Archive, class Part>
void fields(Archive& a, Part& x) {
  each(a, x);
}

// Of the version, and of the sizes of the parts: a field that is added changes them.
std::uint64_t mark() {
  Hash h;
  h.text(version());
  for (const std::size_t size :
       {sizeof(World), sizeof(BodyDesc), sizeof(JointDesc), sizeof(GeomDesc), sizeof(ActuatorDesc),
        sizeof(EqualityDesc), sizeof(TendonDesc)})
    h.value(static_cast<std::uint64_t>(size));
  return h.digest();
}

}  // namespace

std::string world_bytes(const World& world) {
  Out out;
  std::uint64_t m = mark();
  World copy = world;
  out(m, copy);
  return std::move(out.bytes);
}

World world_from_bytes(const std::string& bytes) {
  In in(bytes);
  std::uint64_t m = 0;
  in(m);
  if (m != mark()) throw std::invalid_argument("this world was pickled by another version of abut");
  World world;
  in(world);
  if (!in.at_end()) throw std::invalid_argument("a pickled world is damaged");
  return world;
}

}  // namespace abut::python
