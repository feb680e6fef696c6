// abut.contact: distance, patch, manifold and common volume of two shapes.
#include "abut/collide/pair_contact.h"
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

// Three numbers: a position; seven: position and quaternion wxyz.
Pose pose_of(const std::vector<double>& x) {
  if (x.size() != 3 && x.size() != 7)
    throw py::value_error("pose: write x,y,z or x,y,z,qw,qx,qy,qz");
  Pose pose;
  pose.p = {x[0], x[1], x[2]};
  pose.q = x.size() == 3 ? Quat(1, 0, 0, 0) : Quat(x[3], x[4], x[5], x[6]);
  if (!pose.p.allFinite() || !(pose.q.norm() > 0) || !std::isfinite(pose.q.norm()))
    throw py::value_error("pose: numbers must be finite, and the quaternion not zero");
  pose.q.normalize();
  return pose;
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

}  // namespace

void bind_contact(py::module_& m) {
  py::class_<HeldShape>(m, "Shape", "A convex solid for abut.contact.");
  m.def(
      "box", [](const Vec3& half) { return primitive(ShapeKind::box, half); }, py::arg("half"));
  m.def(
      "sphere",
      [](double r) {
        return primitive(ShapeKind::sphere, {r, 0, 0});
      },
      py::arg("r"));
  m.def(
      "capsule",
      [](double r, double h) {
        return primitive(ShapeKind::capsule, {r, h, 0});
      },
      py::arg("r"), py::arg("half"));
  m.def(
      "cylinder",
      [](double r, double h) {
        return primitive(ShapeKind::cylinder, {r, h, 0});
      },
      py::arg("r"), py::arg("half"));
  m.def("hull", &hull, py::arg("points"), "The convex hull of points.");
  py::class_<PairContact>(m, "Contact", "Contact data of two solids; world axes.")
      .def_property_readonly(
          "distance", [](const PairContact& c) { return c.proximity.distance; },
          "m; negative: the solids overlap")
      .def_property_readonly(
          "normal", [](const PairContact& c) { return c.normal.normal; }, "Unit, from A to B.")
      .def_property_readonly("indeterminate",
                             [](const PairContact& c) { return c.proximity.indeterminate; })
      .def_property_readonly(
          "closest",
          [](const PairContact& c) { return py::make_tuple(c.proximity.p_A, c.proximity.p_B); })
      .def_property_readonly("points_a", [](const PairContact& c) { return c.patch.points.p_A; })
      .def_property_readonly("points_b", [](const PairContact& c) { return c.patch.points.p_B; })
      .def_property_readonly(
          "gaps", [](const PairContact& c) { return c.patch.points.psi; }, "m, one a point")
      .def_property_readonly(
          "manifold", [](const PairContact& c) { return c.manifold.points; }, "Kissing manifold.")
      .def_property_readonly(
          "volume", [](const PairContact& c) { return c.common.volume; }, "Common volume (m^3).");
  m.def("contact", &contact, py::arg("a"), py::arg("b"), py::arg("pose_a"), py::arg("pose_b"),
        py::arg("reach") = 0.0,
        "Contact data of two shapes. A pose is x,y,z or x,y,z,qw,qx,qy,qz.");
}

}  // namespace abut::python
