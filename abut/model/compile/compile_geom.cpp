// Shapes, poses and masses of geoms; sites.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "abut/math/rotation.h"
#include "abut/model/compile/compile_draft.h"
#include "abut/model/tolerances.h"

namespace abut::compiling {
namespace {

struct Placement {
  Pose pose;
  Vec3 size;
};

// MJCF's fromto: the axis of the shape runs between two points.
Placement placed_between(const Thing& thing, ShapeKind kind, const std::array<double, 6>& ends,
                         const Pose& pose, const Vec3& size) {
  const bool box_like = kind == ShapeKind::box || kind == ShapeKind::ellipsoid;
  if (!box_like && kind != ShapeKind::capsule && kind != ShapeKind::cylinder) {
    thing.fail(
        fmt::format("fromto is for capsules, cylinders, boxes and ellipsoids, not for a {}; "
                    "write pos and size",
                    name(kind)));
  }
  if (pose.p != Vec3::Zero()) thing.fail("it has both pos and fromto; remove one");
  thing.numbers("fromto", ends);
  const Vec3 from(ends[0], ends[1], ends[2]), to(ends[3], ends[4], ends[5]);
  const double half_length = 0.5 * (from - to).norm();
  if (half_length < kNoAxis) thing.fail("the two points of fromto coincide; move them apart");
  const Pose placed{0.5 * (from + to), rotation_from_z(from - to)};
  if (box_like) return {placed, {size[0], size[0], half_length}};
  return {placed, {size[0], half_length, size[2]}};
}

Placement placement(const Thing& thing, ShapeKind kind,
                    const std::optional<std::array<double, 6>>& fromto, const Pose& pose,
                    const Vec3& size) {
  thing.vector("size", size);
  const Pose checked = thing.pose(pose);
  return fromto ? placed_between(thing, kind, *fromto, checked, size) : Placement{checked, size};
}

// The bounding box of a mesh along its axes of inertia; its centre is not the centre of mass.
Aabb principal_aabb(const TriangleMesh& mesh, const Pose& axes) {
  const Pose to_axes = axes.inverse();
  Aabb box;
  for (const Vec3& v : mesh.vertices) box.merge(to_axes * v);
  return box;
}

// Half sides of the box with this mass and inertia.
Vec3 equivalent_half_sides(const PrincipalInertia& inertia) {
  const Vec3& I = inertia.diagonal;
  const Vec3 squares = (Vec3::Constant(I.sum()) - 2 * I) * (6 / inertia.mass);
  return 0.5 * squares.cwiseMax(0).cwiseSqrt();
}

// The primitive that replaces a mesh: by inertia, or by its box.
Placement fitted(Draft& draft, const Thing& thing, const GeomDesc& d, int mesh) {
  const PrincipalInertia& inertia = mesh_inertia(draft, mesh);
  Pose axes = inertia.pose;
  const bool by_box = draft.world.compiler.fit_aabb;
  Vec3 half = equivalent_half_sides(inertia);
  if (by_box) {
    const Aabb box = principal_aabb(draft.model.assets.meshes[std::size_t(mesh)], axes);
    axes.p = axes * box.center();
    half = 0.5 * box.extent();
  }
  Vec3 size = half;
  const double radius = by_box ? std::max(half[0], half[1]) : 0.5 * (half[0] + half[1]);
  switch (d.type) {
    case ShapeKind::sphere:
      size = {by_box ? half.maxCoeff() : half.mean(), 0, 0};
      break;
    case ShapeKind::capsule:
      // MuJoCo's rule by inertia subtracts half a radius, where a whole one would preserve the
      // length
      size = {radius, by_box ? half[2] - radius : std::max(0.0, half[2] - 0.5 * radius), 0};
      break;
    case ShapeKind::cylinder:
      size = {radius, half[2], 0};
      break;
    case ShapeKind::box:
    case ShapeKind::ellipsoid:
      break;
    default:
      thing.fail(fmt::format("a {} cannot be fitted to a mesh", name(d.type)));
  }
  return {thing.pose(d.pose) * axes, size * d.fitscale};
}

Vec3 fluid_semiaxes(Draft& draft, const Shape& shape) {
  const Vec3& s = shape.size;
  switch (shape.kind) {
    case ShapeKind::sphere:
      return Vec3::Constant(s[0]);
    case ShapeKind::capsule:
      return {s[0], s[0], s[0] + s[1]};
    case ShapeKind::cylinder:
      return {s[0], s[0], s[1]};
    case ShapeKind::mesh: {
      const Aabb box = principal_aabb(draft.model.assets.meshes[std::size_t(shape.asset)],
                                      mesh_inertia(draft, shape.asset).pose);
      return box.min.cwiseAbs().cwiseMax(box.max.cwiseAbs());
    }
    default:
      return s;
  }
}

void make_shape(Draft& draft, int id) {
  const GeomDesc& d = *draft.geoms[std::size_t(id)];
  const Thing thing = draft.geom(id);
  Geom& geom = draft.model.geoms[std::size_t(id)];
  geom.shape.kind = d.type;
  Placement placed;
  if (d.type == ShapeKind::mesh || !d.mesh.empty()) {
    if (d.mesh.empty()) thing.fail("a mesh geom needs mesh=\"name of an asset\"");
    if (d.fromto) thing.fail("fromto cannot place a mesh; write pos and quat");
    const int mesh = lookup(thing, draft.model.mesh_names, d.mesh);
    if (d.type == ShapeKind::mesh) {
      if (d.shell) thing.fail("write inertia=\"shell\" on the mesh asset, not on the geom");
      geom.shape.asset = mesh;
      placed = {thing.pose(d.pose), Vec3::Zero()};
    } else {
      placed = fitted(draft, thing, d, mesh);
    }
  } else {
    placed = placement(thing, d.type, d.fromto, d.pose, d.size);
  }
  if (d.type == ShapeKind::hfield) {
    if (d.hfield.empty()) thing.fail("an hfield geom needs hfield=\"name of an asset\"");
    geom.shape.asset = lookup(thing, draft.model.hfield_names, d.hfield);
    placed.size.setZero();
  } else if (!d.hfield.empty()) {
    thing.fail("it names an hfield, so write type=\"hfield\"");
  }
  geom.pose = placed.pose;
  geom.shape.size = placed.size;
  if (d.type != ShapeKind::mesh) {  // a mesh that cannot collide has no hull to check
    const std::string wrong = check_size(geom.shape, draft.model.assets);
    if (!wrong.empty()) thing.fail(wrong);
  }
}

// A plane is infinite, so its body must be fixed or driven.
void check_plane(const Draft& draft, int id) {
  const Geom& geom = draft.model.geoms[std::size_t(id)];
  if (geom.shape.kind != ShapeKind::plane) return;
  const int weld = draft.model.bodies[std::size_t(geom.body)].weld;
  if (draft.model.bodies[std::size_t(weld)].joint_count > 0) {
    draft.geom(id).fail(
        "a plane is a half-space and cannot move; put it on a body without joints, "
        "or write a flat box");
  }
}

void make_contact_properties(const Thing& thing, const GeomDesc& d, Geom& geom) {
  if (d.condim != 1 && d.condim != 3 && d.condim != 4 && d.condim != 6) {
    thing.fail(fmt::format("condim is {}; it must be 1, 3, 4 or 6", d.condim));
  }
  for (int i = 0; i < 3; ++i) thing.not_negative("friction", d.friction[i]);
  thing.number("margin", d.margin);
  thing.number("gap", d.gap);
  geom.friction = d.friction;
  geom.condim = d.condim;
  geom.contype = d.contype;
  geom.conaffinity = d.conaffinity;
  geom.priority = d.priority;
  geom.group = d.group;
  geom.margin = d.margin;
  geom.gap = d.gap;
  geom.rgba = d.rgba;
}

// Whether the geom's mass counts: its body has no inertial element, or the compiler settings demand
// it.
bool carries_mass(const Draft& draft, int id) {
  const CompilerSettings& settings = draft.world.compiler;
  const GeomDesc& d = *draft.geoms[std::size_t(id)];
  const int body = draft.model.geoms[std::size_t(id)].body;
  return body > 0 && d.group >= settings.inertia_group_range[0] &&
         d.group <= settings.inertia_group_range[1] &&
         (!draft.bodies[std::size_t(body)]->inertial ||
          settings.inertia_from_geom == InertiaFromGeom::yes);
}

// At one kg per m^2. For an ellipsoid it is a layer of kEllipsoidLayer, as in MuJoCo, and not the
// limit of a thin layer, so that a file has the same masses in both.
MassProperties shell_of(const Shape& shape, const ShapeAssets& assets) {
  MassProperties shell = shell_properties(shape, assets);
  if (shape.kind == ShapeKind::ellipsoid) {
    const MassProperties inner = solid_ellipsoid(shape.size);
    const MassProperties outer = solid_ellipsoid(shape.size.array() + kEllipsoidLayer);
    shell.inertia = (outer.inertia - inner.inertia) * (shell.mass / (outer.mass - inner.mass));
  }
  return shell;
}

PrincipalInertia geom_inertia(Draft& draft, int id) {
  const GeomDesc& d = *draft.geoms[std::size_t(id)];
  const Geom& geom = draft.model.geoms[std::size_t(id)];
  const Thing thing = draft.geom(id);
  if (d.mass) thing.not_negative("mass", *d.mass);
  thing.not_negative("density", d.density);
  const double given = d.mass.value_or(d.density);
  if (!carries_mass(draft, id) || given == 0 || geom.shape.kind == ShapeKind::plane) return {};

  // at density 1 the mass is the volume
  PrincipalInertia inertia;
  if (geom.shape.kind == ShapeKind::mesh) {
    inertia = mesh_inertia(draft, geom.shape.asset);
  } else {
    const MassProperties unit = d.shell ? shell_of(geom.shape, draft.model.assets)
                                        : solid_properties(geom.shape, draft.model.assets);
    inertia = {unit.mass, {unit.com, Quat::Identity()}, unit.inertia.diagonal()};
  }
  const double density = d.mass ? *d.mass / inertia.mass : d.density;
  return {inertia.mass * density, geom.pose * inertia.pose, inertia.diagonal * density};
}

}  // namespace

void make_geoms(Draft& draft) {
  const int count = static_cast<int>(draft.geoms.size());
  draft.geom_inertia.reserve(draft.geoms.size());
  for (int id = 0; id < count; ++id) {
    const GeomDesc& d = *draft.geoms[std::size_t(id)];
    Geom& geom = draft.model.geoms[std::size_t(id)];
    make_shape(draft, id);
    check_plane(draft, id);
    make_contact_properties(draft.geom(id), d, geom);
    draft.geom_inertia.push_back(geom_inertia(draft, id));
    geom.mass = draft.geom_inertia.back().mass;
    geom.fluid_ellipsoid = d.fluid_ellipsoid;
    geom.fluidcoef = d.fluidcoef;
    geom.fluid_pose = geom.pose;
    if (d.fluid_ellipsoid) {
      geom.fluid_semiaxes = fluid_semiaxes(draft, geom.shape);
      if (geom.shape.kind == ShapeKind::mesh) {
        geom.fluid_pose = geom.pose * mesh_inertia(draft, geom.shape.asset).pose;
      }
    }
  }
}

void number_solids(Draft& draft) {
  std::vector<Shape> shapes;
  for (const Geom& geom : draft.model.geoms) shapes.push_back(geom.shape);
  try {
    draft.model.solids = SolidNumbers(shapes, draft.model.assets);
  } catch (const std::length_error& error) {
    throw WorldError(error.what());
  }
}

void make_sites(Draft& draft) {
  for (int id = 0; id < static_cast<int>(draft.sites.size()); ++id) {
    const SiteDesc& d = *draft.sites[std::size_t(id)];
    Site& site = draft.model.sites[std::size_t(id)];
    const Placement placed = placement(draft.site(id), d.type, d.fromto, d.pose, d.size);
    site.pose = placed.pose;
    site.size = placed.size;
    site.kind = d.type;
  }
}

}  // namespace abut::compiling
