// abut.contact: distance, patch, manifold and common volume of two shapes.
#include "abut/collide/collide.h"
#include "abut/collide/pair_contact.h"
#include "abut/collide/world_contacts.h"
#include "abut/model/kinematics.h"
#include "abut/shape/hull.h"
#include "held.h"

namespace abut::python {
namespace {

struct HeldShape {
  Shape shape;
  ShapeAssets assets;
};

HeldShape primitive(ShapeKind kind, const Vec3& size) {
  HeldShape s{{kind, size}, {}};
  if (const std::string wrong = check_size(s.shape, s.assets); !wrong.empty())
    throw py::value_error(wrong);
  return s;
}

HeldShape hull(const std::vector<Vec3>& points) {
  HeldShape s;
  s.shape.kind = ShapeKind::mesh;
  try {
    s.shape.asset = add_hull(s.assets, convex_hull(points));
  } catch (const std::exception& e) {
    throw py::value_error(e.what());
  }
  return s;
}

PairContact contact(const HeldShape& a, const HeldShape& b, const std::vector<double>& pose_a,
                    const std::vector<double>& pose_b, double reach) {
  if (!(reach >= 0)) throw py::value_error("reach: must be zero or positive (m)");
  ConvexSet solids;
  const int ia = solids.add(a.shape, a.assets), ib = solids.add(b.shape, b.assets);
  PairContactOptions options;
  options.reach = reach;
  PairContactScratch scratch;
  return pair_contact(solids[ia], pose_of(pose_a), solids[ib], pose_of(pose_b), options, scratch);
}

// A pair of geoms of a state.
struct StatePair {
  ModelPtr model;
  GeomPair pair;
  PairContact contact;
};

std::vector<StatePair> state_contacts(const HeldState& s, double within, double reach) {
  if (!(reach >= 0)) throw py::value_error("reach: must be zero or positive (m)");
  const Derived d = placed(s);
  std::vector<Pose> poses;
  geom_poses(*s.model, d, poses);
  Collider collider(*s.model);
  WorldContactsOptions options;
  options.within = within, options.contact.reach = reach;
  std::vector<StatePair> out;
  for_each_contact(*s.model, collider, poses, options,
                   [&](const GeomPair& pair, const PairContact* c) {
                     if (c) out.push_back({s.model, pair, *c});
                   });
  return out;
}

template <class Class, class Get>
void bind_contact_fields(Class& type, const Get& get) {
  using T = typename Class::type;
  type.def_property_readonly(
          "distance", [get](const T& c) { return get(c).proximity.distance; },
          "m; negative: the solids overlap")
      .def_property_readonly(
          "normal", [get](const T& c) { return get(c).normal.normal; }, "Unit, from A to B.")
      .def_property_readonly("indeterminate",
                             [get](const T& c) { return get(c).proximity.indeterminate; })
      .def_property_readonly(
          "closest",
          [get](const T& c) { return py::make_tuple(get(c).proximity.p_A, get(c).proximity.p_B); })
      .def_property_readonly(
          "points_a", [get](const T& c) { return rows_of(get(c).patch.points.p_A); },
          "Contact points on A: n x 3 (m).")
      .def_property_readonly("points_b",
                             [get](const T& c) { return rows_of(get(c).patch.points.p_B); })
      .def_property_readonly(
          "gaps",
          [get](const T& c) {
            const std::vector<double>& x = get(c).patch.points.psi;
            return py::array_t<double>(static_cast<py::ssize_t>(x.size()), x.data());
          },
          "m, one a point")
      .def_property_readonly(
          "manifold", [get](const T& c) { return rows_of(get(c).manifold.points); },
          "Kissing manifold: n x 3 (m).")
      .def_property_readonly(
          "volume", [get](const T& c) { return get(c).common.volume; }, "Common volume (m^3).")
      .def_property_readonly(
          "centroid",
          [get](const T& c) -> std::optional<Vec3> {
            if (!(get(c).common.volume > 0)) return {};
            return Vec3(get(c).common.origin + get(c).common.centroid);
          },
          "Of the common volume (m); None if there is none.");
}

}  // namespace

void bind_contact(py::module_& m) {
  py::class_<HeldShape>(m, "Shape", "A convex solid for abut.contact.");
  m.def(
      "box", [](const Vec3& half) { return primitive(ShapeKind::box, half); }, py::arg("half"),
      "Of three half sides (m).\n\n>>> solid = abut.box([1, 1, 1])\n");
  m.def(
      "sphere",
      [](double r) {
        return primitive(ShapeKind::sphere, {r, 0, 0});
      },
      py::arg("r"), ">>> solid = abut.sphere(0.5)\n");
  m.def(
      "capsule",
      [](double r, double h) {
        return primitive(ShapeKind::capsule, {r, h, 0});
      },
      py::arg("r"), py::arg("half"), "Along z.\n\n>>> solid = abut.capsule(0.1, 0.5)\n");
  m.def(
      "cylinder",
      [](double r, double h) {
        return primitive(ShapeKind::cylinder, {r, h, 0});
      },
      py::arg("r"), py::arg("half"), "Along z.\n\n>>> solid = abut.cylinder(0.1, 0.5)\n");
  m.def(
      "ellipsoid", [](const Vec3& axes) { return primitive(ShapeKind::ellipsoid, axes); },
      py::arg("semi_axes"), ">>> solid = abut.ellipsoid([1, 2, 3])\n");
  m.def("hull", &hull, py::arg("points"),
        "The convex hull of points.\n\n"
        ">>> solid = abut.hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])\n");
  py::class_<PairContact> shapes(m, "Contact",
                                 "Contact data of two solids; world axes.\n\n"
                                 ">>> cube = abut.box([1, 1, 1])\n"
                                 ">>> c = abut.contact(cube, cube, [0, 0, 0], [0, 0, 1.9])\n"
                                 ">>> round(c.distance, 9), round(c.volume, 9), len(c.gaps)\n"
                                 "(-0.1, 0.4, 4)\n");
  bind_contact_fields(shapes, [](const PairContact& c) -> const PairContact& { return c; });
  py::class_<StatePair> pairs(m, "PairContact",
                              "Contact data of two solids of a state; world axes.");
  bind_contact_fields(pairs, [](const StatePair& p) -> const PairContact& { return p.contact; });
  pairs.def_property_readonly("a", [](const StatePair& p) { return p.model->geom_names[p.pair.a]; })
      .def_property_readonly("b", [](const StatePair& p) { return p.model->geom_names[p.pair.b]; });
  m.def("contact", &contact, py::arg("a"), py::arg("b"), py::arg("pose_a"), py::arg("pose_b"),
        py::arg("reach") = 0.0,
        "Contact data of two shapes. A pose is x,y,z or x,y,z,qw,qx,qy,qz.\n\n"
        ">>> abut.contact(abut.sphere(1), abut.sphere(1), [0, 0, 0], [0, 0, 3]).distance\n1.0\n");
  auto state = py::reinterpret_borrow<py::class_<HeldState>>(m.attr("State"));
  state.def(
      "contacts", &state_contacts, py::arg("within") = 0.0, py::arg("reach") = 0.0,
      "Contact data of every pair at most `within` apart (m), whatever the contact model. sim."
      "contacts() has the forces of a step.\n\n"
      ">>> [(c.a, c.b) for c in state.contacts(within=1)]\n[('floor', 'shell')]\n");
}

}  // namespace abut::python
