// ConvexSet: the convex solids of a model (convex_solid.h), by the ids of solid_numbers.h: its geoms,
// and the parts of geoms that are not convex.
//
// A height field has no Convex of its own but its size and bounding ball; a mesh in pieces has that of
// its hull. What touches is the parts.
//
//   abut::ConvexSet solids(model);
//   const abut::Convex& a = solids[geom];
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "abut/collide/solid/convex_polyhedron.h"
#include "abut/collide/solid/convex_solid.h"
#include "abut/collide/solid/field_cells.h"
#include "abut/model/model.h"
#include "abut/shape/shape.h"

namespace abut {

// Owns the Convex of each solid of a model, or of solids that a program adds.
class ConvexSet {
 public:
  ConvexSet() = default;
  explicit ConvexSet(const Model& model);
  // Not copyable: solids point into the set that owns them.
  ConvexSet(const ConvexSet&) = delete;
  ConvexSet& operator=(const ConvexSet&) = delete;
  ConvexSet(ConvexSet&&) = default;
  ConvexSet& operator=(ConvexSet&&) = default;

  // Both return the index of the new solid.
  int add(Polyhedron polyhedron);
  int add(const Shape& shape, const ShapeAssets& assets);

  const Convex& operator[](int i) const {
    return i < count() ? solids_[static_cast<std::size_t>(i)] : part(i);
  }
  // Of geoms, or of what was added; parts are not counted.
  int count() const { return static_cast<int>(solids_.size()); }
  // False for a mesh without a hull.
  bool can_collide(int i) const;

  const SolidNumbers& numbers() const { return numbers_; }
  bool is_compound(int geom) const { return numbers_.is_compound(geom); }
  // Null: the geom is no mesh with a distance field.
  const MeshField* field(int geom) const {
    return fields_.empty() ? nullptr : fields_[static_cast<std::size_t>(geom)].get();
  }
  // Cells of height fields must be made ready before they are looked at, by one thread.
  void make_ready(int solid) {
    if (solid >= numbers_.first_cell()) cells_.make_ready(solid);
  }
  FieldCells& cells() { return cells_; }
  const FieldCells& cells() const { return cells_; }

 private:
  const Convex& part(int solid) const;
  void add_parts(const Model& model);

  SolidNumbers numbers_;
  std::vector<Convex> solids_;
  std::vector<Convex> pieces_;
  std::vector<std::shared_ptr<const MeshField>> fields_;  // one a geom, or none at all
  FieldCells cells_;
  std::deque<ConvexPolyhedron> made_;  // stable addresses
  std::deque<Polyhedron> tessellations_;
  std::deque<SupportMap> cores_;
  std::vector<std::pair<Shape, int>> primitives_;  // equal shapes share one tessellation
};

}  // namespace abut
