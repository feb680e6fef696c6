#include "abut/collide/solid/convex.h"

#include <array>
#include <limits>

#include "abut/math/index.h"
#include "abut/shape/primitives.h"

namespace abut {
namespace {

bool same(const Shape& a, const Shape& b) {
  return a.kind == b.kind && a.asset == b.asset && a.size == b.size;
}

}  // namespace

ConvexSet::ConvexSet(const Model& model) : numbers_(model.solids) {
  solids_.reserve(model.geoms.size());
  for (const Geom& geom : model.geoms) add(geom.shape, model.assets);
  if (numbers_.any_compound()) add_parts(model);
}

// Geoms that show the same mesh share its pieces.
void ConvexSet::add_parts(const Model& model) {
  std::vector<int> first(model.assets.pieces.size(), -1);
  for (int g = 0; g < count(); ++g) {
    const Shape& shape = model.geoms[at(g)].shape;
    if (!numbers_.is_compound(g)) continue;
    if (shape.kind == ShapeKind::hfield) {
      cells_.add(model.assets.hfields[at(shape.asset)], numbers_.parts(g).begin);
      continue;
    }
    if (at(shape.asset) < model.assets.fields.size() && model.assets.fields[at(shape.asset)]) {
      fields_.resize(model.geoms.size());
      fields_[at(g)] = model.assets.fields[at(shape.asset)];
      continue;
    }
    int& known = first[at(shape.asset)];
    const int here = static_cast<int>(pieces_.size());
    for (int k = 0; k < numbers_.parts(g).count(); ++k) {
      if (known >= 0) {
        pieces_.push_back(pieces_[at(known + k)]);
        continue;
      }
      made_.emplace_back().make(model.assets.pieces[at(shape.asset)].solids[at(k)]);
      pieces_.push_back(made_.back().convex);
    }
    if (known < 0) known = here;
  }
}

const Convex& ConvexSet::part(int solid) const {
  if (solid >= numbers_.first_cell()) return cells_[solid];
  const int piece = solid - numbers_.geom_count();
  // names of patches of fields come after all pieces
  return at(piece) < pieces_.size() ? pieces_[at(piece)] : solids_[at(numbers_.geom_of(solid))];
}

int ConvexSet::add(Polyhedron polyhedron) {
  made_.emplace_back().make(std::move(polyhedron));
  solids_.push_back(made_.back().convex);
  return count() - 1;
}

int ConvexSet::add(const Shape& shape, const ShapeAssets& assets) {
  for (const auto& [known, solid] : primitives_)
    if (same(known, shape)) {
      solids_.push_back(solids_[static_cast<std::size_t>(solid)]);
      return count() - 1;
    }

  const auto hold = [&](Polyhedron p) { return &tessellations_.emplace_back(std::move(p)); };
  const auto core = [&](SupportMap map) { return &cores_.emplace_back(std::move(map)); };
  Convex c;
  c.kind = shape.kind;
  c.dimensions = shape.size;
  switch (shape.kind) {
    case ShapeKind::plane:
      c.radius = std::numeric_limits<double>::infinity();
      break;
    case ShapeKind::hfield: {
      const Aabb box = aabb(assets.hfields[at(shape.asset)]);
      c.center = box.center();
      c.radius = 0.5 * box.extent().norm();
      solids_.push_back(c);
      return count() - 1;
    }
    case ShapeKind::sphere:
      c.tessellation = hold(sphere_polyhedron(shape.size[0]));
      c.support = core(SupportMap(std::array{Vec3(0, 0, 0)}));
      c.rounding = shape.size[0];
      break;
    case ShapeKind::capsule:
      c.tessellation = hold(capsule_polyhedron(shape.size[0], shape.size[1]));
      c.support =
          core(SupportMap(std::array{Vec3(0, 0, -shape.size[1]), Vec3(0, 0, shape.size[1])}));
      c.rounding = shape.size[0];
      break;
    case ShapeKind::ellipsoid:
      c.tessellation = hold(ellipsoid_polyhedron(shape.size));
      break;
    case ShapeKind::cylinder:
      c.tessellation = hold(cylinder_polyhedron(shape.size[0], shape.size[1]));
      break;
    case ShapeKind::box:
      made_.emplace_back().make(box_polyhedron(shape.size));
      c = made_.back().convex;
      c.kind = shape.kind;
      c.dimensions = shape.size;
      break;
    case ShapeKind::mesh: {
      const Polyhedron& hull = assets.hulls[static_cast<std::size_t>(shape.asset)];
      if (hull.vertices.empty()) break;
      add(hull);
      primitives_.emplace_back(shape, count() - 1);
      return count() - 1;
    }
  }
  if (!c.is_half_space() && shape.kind != ShapeKind::mesh) {
    c.size = local_aabb(shape, assets).extent().norm();
    c.radius = bounding_radius(shape, assets);
  }
  solids_.push_back(c);
  primitives_.emplace_back(shape, count() - 1);
  return count() - 1;
}

bool ConvexSet::can_collide(int i) const {
  const Convex& c = (*this)[i];
  return c.is_half_space() || c.tessellation || is_compound(i);
}

}  // namespace abut
