#include "abut/shape/shape.h"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <limits>

#include "abut/shape/hull.h"
#include "abut/shape/tolerances.h"

namespace abut {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const Polyhedron& hull_of(const Shape& shape, const ShapeAssets& assets) {
  return assets.hulls[shape.asset];
}
const HeightField& field_of(const Shape& shape, const ShapeAssets& assets) {
  return assets.hfields[shape.asset];
}

bool has_triangles(const Shape& shape, const ShapeAssets& assets) {
  return shape.asset < static_cast<int>(assets.meshes.size()) &&
         !assets.meshes[shape.asset].triangles.empty();
}

// How many of the three sizes a kind needs, and what they are.
struct SizeRule {
  int count;
  const char* meaning;
};
SizeRule size_rule(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::sphere:
      return {1, "radius"};
    case ShapeKind::capsule:
      return {2, "radius and half length of the cylindrical part"};
    case ShapeKind::cylinder:
      return {2, "radius and half length"};
    case ShapeKind::ellipsoid:
      return {3, "three semi-axes"};
    case ShapeKind::box:
      return {3, "three half extents"};
    case ShapeKind::plane:
    case ShapeKind::hfield:
    case ShapeKind::mesh:
      break;
  }
  return {0, ""};
}

// The half space's box: bounded along an axis only if that is the normal, exactly.
Aabb plane_aabb(const Vec3& point, const Vec3& normal) {
  Aabb box{Vec3::Constant(-kInfinity), Vec3::Constant(kInfinity)};
  for (int k = 0; k < 3; ++k) {
    if (normal[(k + 1) % 3] != 0 || normal[(k + 2) % 3] != 0) continue;
    (normal[k] > 0 ? box.max : box.min)[k] = point[k];
  }
  return box;
}

// Half extents along the world's axes of a shape that is its own mirror image.
Vec3 half_extents(const Shape& shape, const Mat3& R) {
  const Vec3 axis = R.col(2).cwiseAbs();
  const double r = shape.size[0], h = shape.size[1];
  switch (shape.kind) {
    case ShapeKind::sphere:
      return Vec3::Constant(r);
    case ShapeKind::capsule:
      return (h * axis).array() + r;
    // a disc's extent along a direction is r times the sine of their angle, and the other
    // two axes' components are that sine without cancellation
    case ShapeKind::cylinder:
      return h * axis + r * R.leftCols<2>().rowwise().norm();
    case ShapeKind::ellipsoid:
      return (R * shape.size.asDiagonal()).rowwise().norm();
    case ShapeKind::box:
      return R.cwiseAbs() * shape.size;
    case ShapeKind::plane:
    case ShapeKind::hfield:
    case ShapeKind::mesh:
      break;
  }
  return Vec3::Zero();
}

// The point of the field farthest along a direction: one of its samples or the base's
// corners.
Vec3 field_support(const HeightField& field, const Vec3& direction) {
  Vec3 best((direction.x() < 0 ? -1 : 1) * field.size.x(),
            (direction.y() < 0 ? -1 : 1) * field.size.y(), -field.z_bottom);
  for (int r = 0; r < field.rows; ++r) {
    for (int c = 0; c < field.cols; ++c) {
      const Vec3 p = vertex(field, r, c);
      if (p.dot(direction) > best.dot(direction)) best = p;
    }
  }
  return best;
}

}  // namespace

int add_mesh(ShapeAssets& assets, TriangleMesh mesh) {
  const int id = add_hull(assets, convex_hull(mesh.vertices));
  assets.meshes[id] = std::move(mesh);
  return id;
}

int add_hull(ShapeAssets& assets, Polyhedron hull) {
  assets.hulls.push_back(std::move(hull));
  assets.meshes.resize(assets.hulls.size());
  return static_cast<int>(assets.hulls.size()) - 1;
}

const char* name(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::plane:
      return "plane";
    case ShapeKind::hfield:
      return "hfield";
    case ShapeKind::sphere:
      return "sphere";
    case ShapeKind::capsule:
      return "capsule";
    case ShapeKind::ellipsoid:
      return "ellipsoid";
    case ShapeKind::cylinder:
      return "cylinder";
    case ShapeKind::box:
      return "box";
    case ShapeKind::mesh:
      return "mesh";
  }
  return "?";
}

std::string check_size(const Shape& shape, const ShapeAssets& assets) {
  const auto missing = [&](std::size_t count) {
    return fmt::format("{} has asset {} of {}; name one that exists", name(shape.kind), shape.asset,
                       count);
  };
  const auto within = [&](std::size_t count) {
    return shape.asset >= 0 && shape.asset < static_cast<int>(count);
  };
  if (shape.kind == ShapeKind::mesh)
    return within(assets.hulls.size()) ? "" : missing(assets.hulls.size());
  if (shape.kind == ShapeKind::hfield) {
    return within(assets.hfields.size()) ? check(field_of(shape, assets))
                                         : missing(assets.hfields.size());
  }
  if (shape.kind == ShapeKind::plane) {
    const bool ok = shape.size.head<2>().allFinite() && (shape.size.head<2>().array() >= 0).all();
    return ok ? ""
              : fmt::format(
                    "plane has size {} {} m; write half extents along x and y, 0 for infinite",
                    shape.size[0], shape.size[1]);
  }
  const SizeRule rule = size_rule(shape.kind);
  for (int k = 0; k < rule.count; ++k) {
    if (std::isfinite(shape.size[k]) && shape.size[k] >= kLeastExtent) continue;
    return fmt::format("{} has size[{}] = {} m; write {}, all positive{}", name(shape.kind), k,
                       shape.size[k], rule.meaning,
                       shape.size[k] > 0 ? fmt::format(" and at least {} m", kLeastExtent) : "");
  }
  return "";
}

Aabb aabb(const Shape& shape, const ShapeAssets& assets, const Pose& X_WG) {
  switch (shape.kind) {
    case ShapeKind::plane:
      return plane_aabb(X_WG.p, X_WG.q.toRotationMatrix().col(2));
    case ShapeKind::hfield:
      return transformed(aabb(field_of(shape, assets)), X_WG);
    case ShapeKind::mesh: {
      const Mat3 R = X_WG.q.toRotationMatrix();
      Aabb box;
      for (const Vec3& v : hull_of(shape, assets).vertices) box.merge(R * v);
      return {box.min + X_WG.p, box.max + X_WG.p};
    }
    default: {
      const Vec3 h = half_extents(shape, X_WG.q.toRotationMatrix());
      return {X_WG.p - h, X_WG.p + h};
    }
  }
}

Aabb local_aabb(const Shape& shape, const ShapeAssets& assets) {
  return aabb(shape, assets, Pose{});
}

Vec3 support(const Shape& shape, const ShapeAssets& assets, const Vec3& d, int* hint) {
  const Vec3& size = shape.size;
  const double up = d.z() < 0 ? -1 : 1;
  switch (shape.kind) {
    case ShapeKind::plane:
      break;
    case ShapeKind::hfield:
      return field_support(field_of(shape, assets), d);
    case ShapeKind::sphere:
      return size[0] * d.stableNormalized();
    case ShapeKind::capsule:
      return size[0] * d.stableNormalized() + Vec3(0, 0, up * size[1]);
    case ShapeKind::ellipsoid:
      return size.cwiseProduct(size.cwiseProduct(d).stableNormalized());
    case ShapeKind::cylinder: {
      const Vec2 radial = size[0] * Vec2(d.x(), d.y()).stableNormalized();
      return {radial.x(), radial.y(), up * size[1]};
    }
    case ShapeKind::box:
      return (d.array() < 0).select(-size, size);
    case ShapeKind::mesh: {
      const Polyhedron& hull = hull_of(shape, assets);
      const int v = support(hull, d, hint ? *hint : 0);
      if (hint) *hint = v;
      return hull.vertices[v];
    }
  }
  assert(!"a half-space has no farthest point");
  return Vec3::Zero();
}

MassProperties solid_properties(const Shape& shape, const ShapeAssets& assets) {
  const Vec3& size = shape.size;
  switch (shape.kind) {
    case ShapeKind::plane:
      return {};
    case ShapeKind::hfield:
      return solid_height_field(field_of(shape, assets));
    case ShapeKind::sphere:
      return solid_sphere(size[0]);
    case ShapeKind::capsule:
      return solid_capsule(size[0], size[1]);
    case ShapeKind::ellipsoid:
      return solid_ellipsoid(size);
    case ShapeKind::cylinder:
      return solid_cylinder(size[0], size[1]);
    case ShapeKind::box:
      return solid_box(size);
    case ShapeKind::mesh:
      break;
  }
  return has_triangles(shape, assets) ? solid_mesh(assets.meshes[shape.asset])
                                      : solid_polyhedron(hull_of(shape, assets));
}

MassProperties shell_properties(const Shape& shape, const ShapeAssets& assets) {
  const Vec3& size = shape.size;
  switch (shape.kind) {
    case ShapeKind::plane:
      return {};
    case ShapeKind::hfield:
      return shell_height_field(field_of(shape, assets));
    case ShapeKind::sphere:
      return shell_sphere(size[0]);
    case ShapeKind::capsule:
      return shell_capsule(size[0], size[1]);
    case ShapeKind::ellipsoid:
      return shell_ellipsoid(size);
    case ShapeKind::cylinder:
      return shell_cylinder(size[0], size[1]);
    case ShapeKind::box:
      return shell_box(size);
    case ShapeKind::mesh:
      break;
  }
  return has_triangles(shape, assets) ? shell_mesh(assets.meshes[shape.asset])
                                      : shell_polyhedron(hull_of(shape, assets));
}

double bounding_radius(const Shape& shape, const ShapeAssets& assets) {
  const Vec3& size = shape.size;
  switch (shape.kind) {
    case ShapeKind::plane:
      return kInfinity;
    case ShapeKind::hfield: {
      const Aabb box = aabb(field_of(shape, assets));
      return box.min.cwiseAbs().cwiseMax(box.max.cwiseAbs()).norm();
    }
    case ShapeKind::sphere:
      return size[0];
    case ShapeKind::capsule:
      return size[0] + size[1];
    case ShapeKind::ellipsoid:
      return size.maxCoeff();
    case ShapeKind::cylinder:
      return std::hypot(size[0], size[1]);
    case ShapeKind::box:
      return size.norm();
    case ShapeKind::mesh:
      break;
  }
  double farthest = 0;
  for (const Vec3& v : hull_of(shape, assets).vertices) farthest = std::max(farthest, v.norm());
  return farthest;
}

}  // namespace abut
