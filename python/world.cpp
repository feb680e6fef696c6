// World: a world built in code.
#include "abut/model/maximal.h"
#include "abut/shape/kind.h"
#include "held.h"
#include "world_bytes.h"

namespace abut::python {
namespace {

void set_fields(const py::object& object, const py::kwargs& fields) {
  for (const auto& [key, value] : fields) {
    if (!py::hasattr(object, key))
      throw py::type_error("there is no field '" + key.cast<std::string>() + "'");
    py::setattr(object, key, value);
  }
}

// Keywords of a builder are fields of what it adds.
template <class T>
T& with(T& made, const py::kwargs& fields) {
  set_fields(py::cast(&made, py::return_value_policy::reference), fields);
  return made;
}

// A number, or the numbers of a polynomial: the rest are 0.
template <class Owner, std::size_t N>
auto first_of(std::array<double, N> Owner::*member) {
  return [member](Owner& x, const py::object& value) {
    std::vector<double> numbers = py::isinstance<py::sequence>(value)
                                      ? value.cast<std::vector<double>>()
                                      : std::vector<double>{value.cast<double>()};
    if (numbers.empty() || numbers.size() > N)
      throw py::value_error("write 1 to " + std::to_string(N) + " numbers");
    numbers.resize(N, 0);
    std::copy(numbers.begin(), numbers.end(), (x.*member).begin());
  };
}
template <class Owner, class Vector>
auto first_of_vector(Vector Owner::*member) {
  return [member](Owner& x, const py::object& value) {
    const std::vector<double> numbers =
        py::isinstance<py::float_>(value) || py::isinstance<py::int_>(value)
            ? std::vector<double>{value.cast<double>()}
            : value.cast<std::vector<double>>();
    Vector& to = x.*member;
    if (numbers.empty() || static_cast<Eigen::Index>(numbers.size()) > to.size())
      throw py::value_error("write 1 to " + std::to_string(to.size()) + " numbers");
    for (std::size_t i = 0; i < numbers.size(); ++i) to[static_cast<Eigen::Index>(i)] = numbers[i];
  };
}

template <class Owner>
auto quaternion_of() {
  return [](const Owner& x) { return wxyz(x.pose.q); };
}
template <class Owner, class Class>
void bind_pose(Class& type) {
  type.def_property(
          "position", [](const Owner& x) { return x.pose.p; },
          [](Owner& x, const Vec3& p) { x.pose.p = p; }, "m, in the frame that it is in")
      .def_property(
          "quaternion", quaternion_of<Owner>(),
          [](Owner& x, const std::vector<double>& q) { x.pose.q = quat_of(q); }, "w, x, y, z");
}

constexpr auto kInside = py::return_value_policy::reference_internal;

void bind_elements(py::module_& m) {
  py::class_<JointDesc>(
      m, "JointDesc",
      "A joint of a body. Fields are MJCF's attributes.\n\n"
      ">>> joint = abut.World().body('arm').hinge('elbow', [0, 1, 0], damping=0.1)\n"
      ">>> joint.damping\n[0.1, 0.0, 0.0]\n")
      .def_readwrite("name", &JointDesc::name)
      .def_readwrite("position", &JointDesc::pos)
      .def_readwrite("axis", &JointDesc::axis)
      .def_readwrite("ref", &JointDesc::ref)
      .def_readwrite("springref", &JointDesc::springref)
      .def_property(
          "stiffness", [](const JointDesc& j) { return j.stiffness; },
          first_of(&JointDesc::stiffness),
          "N/m or N m/rad: a number, or a, b, c of a x + b x^2 + c x^3")
      .def_property(
          "damping", [](const JointDesc& j) { return j.damping; }, first_of(&JointDesc::damping))
      .def_readwrite("armature", &JointDesc::armature)
      .def_readwrite("frictionloss", &JointDesc::frictionloss)
      .def_readwrite("limited", &JointDesc::limited)
      .def_readwrite("range", &JointDesc::range)
      .def_readwrite("group", &JointDesc::group);

  py::class_<GeomDesc> geom(m, "GeomDesc",
                            "A solid of a body. Fields are MJCF's attributes.\n\n"
                            ">>> ball = abut.World().body('ball').sphere(0.1, friction=0.4)\n"
                            ">>> ball.friction[0]\n0.4\n");
  geom.def_readwrite("name", &GeomDesc::name)
      .def_readwrite("size", &GeomDesc::size)
      .def_readwrite("mass", &GeomDesc::mass)
      .def_readwrite("density", &GeomDesc::density)
      .def_property(
          "friction", [](const GeomDesc& g) { return g.friction; },
          first_of_vector(&GeomDesc::friction), "sliding, torsional (m), rolling (m)")
      .def_readwrite("condim", &GeomDesc::condim)
      .def_readwrite("contype", &GeomDesc::contype)
      .def_readwrite("conaffinity", &GeomDesc::conaffinity)
      .def_readwrite("priority", &GeomDesc::priority)
      .def_readwrite("group", &GeomDesc::group)
      .def_property(
          "rgba", [](const GeomDesc& g) { return g.rgba; }, first_of_vector(&GeomDesc::rgba));
  bind_pose<GeomDesc>(geom);

  py::class_<SiteDesc> site(m, "SiteDesc", "A frame on a body, for sensors.");
  site.def_readwrite("name", &SiteDesc::name).def_readwrite("size", &SiteDesc::size);
  bind_pose<SiteDesc>(site);

  py::class_<ActuatorDesc>(m, "ActuatorDesc", "A motor or a servo.")
      .def_readwrite("name", &ActuatorDesc::name)
      .def_readwrite("target", &ActuatorDesc::target)
      .def_property(
          "gear", [](const ActuatorDesc& a) { return a.gear; },
          first_of_vector(&ActuatorDesc::gear))
      .def_property(
          "ctrlrange", [](const ActuatorDesc& a) { return a.ctrlrange; },
          [](ActuatorDesc& a, const Range& r) { a.ctrlrange = r, a.ctrllimited = true; })
      .def_property(
          "forcerange", [](const ActuatorDesc& a) { return a.forcerange; },
          [](ActuatorDesc& a, const Range& r) { a.forcerange = r, a.forcelimited = true; });
}

using Numbers = std::vector<double>;

void bind_body_desc(py::module_& m) {
  const auto origin = py::arg("position") = Vec3(Vec3::Zero());
  py::class_<BodyDesc> body(m, "BodyDesc",
                            "A body of a world. Builders return what they add; keywords are its "
                            "fields.\n\n"
                            ">>> world = abut.World()\n"
                            ">>> body = world.body('ball', [0, 0, 1])\n"
                            ">>> joint, solid = body.free(), body.sphere(0.1, density=500)\n"
                            ">>> round(world.compile().mass, 4)\n2.0944\n");
  bind_pose<BodyDesc>(body);
  body.def_readwrite("name", &BodyDesc::name)
      .def_readwrite("mocap", &BodyDesc::mocap)
      .def_readwrite("gravcomp", &BodyDesc::gravcomp)
      .def(
          "inertial",
          [](BodyDesc& b, double mass, const Vec3& inertia, const Numbers& pose) {
            b.inertial = InertialDesc{mass, pose_of(pose), inertia, {}, {}};
          },
          py::arg("mass"), py::arg("inertia"), py::arg("pose") = Numbers{0, 0, 0},
          "Mass (kg) and principal inertia (kg m^2), instead of those of the geoms.")
      .def(
          "body",
          [](BodyDesc& b, const std::string& name, const Vec3& p, const Numbers& q) -> BodyDesc& {
            return b.body(name, p, quat_of(q));
          },
          kInside, py::arg("name"), origin, py::arg("quaternion") = Numbers{1, 0, 0, 0})
      .def(
          "free",
          [](BodyDesc& b, const std::string& name, const py::kwargs& k) -> JointDesc& {
            return with(b.free(name), k);
          },
          kInside, py::arg("name") = "")
      .def(
          "hinge",
          [](BodyDesc& b, const std::string& name, const Vec3& axis,
             const py::kwargs& k) -> JointDesc& { return with(b.hinge(name, axis), k); },
          kInside, py::arg("name"), py::arg("axis"))
      .def(
          "slide",
          [](BodyDesc& b, const std::string& name, const Vec3& axis,
             const py::kwargs& k) -> JointDesc& { return with(b.slide(name, axis), k); },
          kInside, py::arg("name"), py::arg("axis"))
      .def(
          "ball",
          [](BodyDesc& b, const std::string& name, const py::kwargs& k) -> JointDesc& {
            return with(b.ball(name), k);
          },
          kInside, py::arg("name"))
      .def(
          "sphere",
          [](BodyDesc& b, double radius, const py::kwargs& k) -> GeomDesc& {
            return with(b.sphere(radius), k);
          },
          kInside, py::arg("radius"))
      .def(
          "box",
          [](BodyDesc& b, const Vec3& half, const py::kwargs& k) -> GeomDesc& {
            return with(b.box(half), k);
          },
          kInside, py::arg("half"))
      .def(
          "capsule",
          [](BodyDesc& b, const Vec3& from, const Vec3& to, double radius,
             const py::kwargs& k) -> GeomDesc& { return with(b.capsule(from, to, radius), k); },
          kInside, py::arg("start"), py::arg("end"), py::arg("radius"))
      .def(
          "cylinder",
          [](BodyDesc& b, const Vec3& from, const Vec3& to, double radius,
             const py::kwargs& k) -> GeomDesc& { return with(b.cylinder(from, to, radius), k); },
          kInside, py::arg("start"), py::arg("end"), py::arg("radius"))
      .def(
          "ellipsoid",
          [](BodyDesc& b, const Vec3& semi_axes, const py::kwargs& k) -> GeomDesc& {
            return with(b.geom(ShapeKind::ellipsoid, semi_axes), k);
          },
          kInside, py::arg("semi_axes"))
      .def(
          "plane", [](BodyDesc& b, const py::kwargs& k) -> GeomDesc& { return with(b.plane(), k); },
          kInside, "The half-space below z = 0 of its frame.")
      .def(
          "mesh",
          [](BodyDesc& b, const std::string& name, const py::kwargs& k) -> GeomDesc& {
            return with(b.mesh(name), k);
          },
          kInside, py::arg("name"), "A mesh of world.mesh().")
      .def(
          "site",
          [](BodyDesc& b, const std::string& name, const py::kwargs& k) -> SiteDesc& {
            return with(b.site(name), k);
          },
          kInside, py::arg("name"))
      .def(
          "__getitem__",
          [](BodyDesc& b, const std::string& name) -> BodyDesc& {
            for (BodyDesc& child : b.bodies)
              if (child.name == name) return child;
            throw py::key_error("no body '" + name + "' in body '" + b.name + "'");
          },
          kInside);
}

// A word or numbers, as <text> or <numeric> of <custom>.
void set_custom(World& world, const std::string& key, const py::object& value) {
  const std::string name = key.starts_with("abut.") ? key : "abut." + key;
  std::erase_if(world.texts, [&](const TextDesc& t) { return t.name == name; });
  std::erase_if(world.numerics, [&](const NumericDesc& n) { return n.name == name; });
  if (py::isinstance<py::str>(value)) {
    world.texts.push_back({name, value.cast<std::string>(), {}});
  } else {
    const bool one = py::isinstance<py::float_>(value) || py::isinstance<py::int_>(value);
    world.numerics.push_back(
        {name, one ? Numbers{value.cast<double>()} : value.cast<Numbers>(), {}});
  }
}

// A number of one geom, or of a pair of geoms, as <tuple> of <custom>.
void set_custom_of(World& world, const std::string& key, const std::vector<std::string>& geoms,
                   double value) {
  if (geoms.empty() || geoms.size() > 2) throw py::value_error("geoms: name one geom, or a pair");
  TupleDesc tuple;
  tuple.name = key.starts_with("abut.") ? key : "abut." + key;
  for (const std::string& geom : geoms) tuple.elements.push_back({"geom", geom, value});
  world.tuples.push_back(std::move(tuple));
}

}  // namespace

void bind_world(py::module_& m) {
  bind_elements(m);
  bind_body_desc(m);
  py::class_<World>(m, "World",
                    "A world that is described in code, or loaded to be changed.\n\n"
                    ">>> world = abut.World('drop')\n"
                    ">>> ground = world.ground.plane()\n"
                    ">>> ball = world.body('ball', [0, 0, 1])\n"
                    ">>> joint, solid = ball.free(), ball.sphere(0.1)\n"
                    ">>> world.timestep = 0.001\n"
                    ">>> model = world.compile()\n"
                    ">>> model.nv\n6\n")
      .def(py::init([](const std::string& name) {
             World world;
             world.name = name;
             return world;
           }),
           py::arg("name") = "world")
      .def_readwrite("name", &World::name)
      .def_property(
          "timestep", [](const World& w) { return w.option.timestep; },
          [](World& w, double h) { w.option.timestep = h; }, "s")
      .def_property(
          "gravity", [](const World& w) { return w.option.gravity; },
          [](World& w, const Vec3& g) { w.option.gravity = g; }, "m/s^2")
      .def_property_readonly(
          "ground", [](World& w) -> BodyDesc& { return w.worldbody; }, kInside,
          "The body that does not move.")
      .def(
          "body",
          [](World& w, const std::string& name, const Vec3& p, const Numbers& q) -> BodyDesc& {
            return w.body(name, p, quat_of(q));
          },
          kInside, py::arg("name"), py::arg("position") = Vec3(Vec3::Zero()),
          py::arg("quaternion") = Numbers{1, 0, 0, 0})
      .def(
          "motor",
          [](World& w, const std::string& name, const std::string& joint, double gear,
             const py::kwargs& k) -> ActuatorDesc& { return with(w.motor(name, joint, gear), k); },
          kInside, py::arg("name"), py::arg("joint"), py::arg("gear") = 1.0)
      .def(
          "position",
          [](World& w, const std::string& name, const std::string& joint, double kp, double kv,
             const py::kwargs& k) -> ActuatorDesc& {
            return with(w.position(name, joint, kp, kv), k);
          },
          kInside, py::arg("name"), py::arg("joint"), py::arg("kp"), py::arg("kv") = 0.0,
          "A servo: force = kp (ctrl - q) - kv v.")
      .def(
          "velocity",
          [](World& w, const std::string& name, const std::string& joint, double kv,
             const py::kwargs& k) -> ActuatorDesc& { return with(w.velocity(name, joint, kv), k); },
          kInside, py::arg("name"), py::arg("joint"), py::arg("kv"))
      .def(
          "mesh",
          [](World& w, const std::string& name, const std::vector<Vec3>& vertices,
             const std::vector<std::array<int, 3>>& faces) {
            MeshDesc& mesh = w.meshes.emplace_back();
            mesh.name = name, mesh.vertices = vertices, mesh.faces = faces;
          },
          py::arg("name"), py::arg("vertices"),
          py::arg("faces") = std::vector<std::array<int, 3>>(),
          "A mesh for body.mesh(); without faces, the convex hull of the vertices.")
      .def(
          "exclude",
          [](World& w, const std::string& a, const std::string& b) {
            w.excludes.push_back({"", a, b, {}});
          },
          py::arg("body1"), py::arg("body2"), "These two bodies do not collide.")
      .def("set", &set_custom, py::arg("key"), py::arg("value"),
           "A setting of the world: world.set('multipoint.ki', 2).")
      .def("set_of", &set_custom_of, py::arg("key"), py::arg("geoms"), py::arg("value"),
           "A number of one geom or of a pair: world.set_of('restitution', ['ball'], 0.5).")
      .def(
          "sensor",
          [](World& w, const std::string& name, const std::string& type, const std::string& objtype,
             const std::string& object, double cutoff) {
            SensorDesc s;
            s.name = name, s.type = type, s.objtype = objtype, s.object = object, s.cutoff = cutoff;
            w.sensors.push_back(std::move(s));
          },
          py::arg("name"), py::arg("type"), py::arg("objtype"), py::arg("object"),
          py::arg("cutoff") = 0.0,
          "By MJCF's names: world.sensor('imu', 'accelerometer', 'site', 's').")
      .def(
          "keyframe",
          [](World& w, const std::string& name, const Numbers& q, const Numbers& v,
             const Numbers& ctrl) {
            KeyframeDesc k;
            k.name = name, k.qpos = q, k.qvel = v, k.ctrl = ctrl;
            w.keyframes.push_back(std::move(k));
          },
          py::arg("name"), py::arg("q") = Numbers(), py::arg("v") = Numbers(),
          py::arg("ctrl") = Numbers())
      .def(
          "compile", [](const World& w) { return hold_model(w); },
          "A Model. Raises WorldError for what cannot be.")
      .def("__copy__", [](const World& w) { return World(w); })
      .def("__deepcopy__", [](const World& w, const py::dict&) { return World(w); })
      .def(py::pickle([](const World& w) { return py::bytes(world_bytes(w)); },
                      [](const py::bytes& b) { return world_from_bytes(b); }));
}

}  // namespace abut::python
