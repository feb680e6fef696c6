// SolidNumbers: ids of the convex solids that geoms consist of.
//
// Most geoms are one convex solid, which has the geom's own id. A geom that is not convex, a height
// field or a mesh in pieces, consists of parts, with ids after those of all geoms: first the pieces
// of meshes, then names for the patches of meshes with distance fields (kFieldParts each), then the cells of height
// fields. A cell is the prism under one triangle of the field's
// surface, down to its base. A part has the pose, the filters and the friction of its geom.
//
//   for (int part = numbers.parts(geom).begin; part < numbers.parts(geom).end; ++part)
//     assert(numbers.geom_of(part) == geom);
#pragma once

#include <span>
#include <vector>

#include "abut/shape/shape.h"

namespace abut {

// Patches of a mesh with a distance field and another geom.
inline constexpr int kFieldParts = 32;

class SolidNumbers {
 public:
  struct Range {
    int begin = 0, end = 0;
    int count() const { return end - begin; }
  };

  SolidNumbers() = default;
  // `shapes`: of the geoms. Throws std::length_error if there are more parts than an int can count.
  SolidNumbers(std::span<const Shape> shapes, const ShapeAssets& assets);

  int geom_count() const { return geoms_; }
  // Geoms, pieces and patches of fields; cells have the ids after these.
  int first_cell() const { return first_cell_; }
  bool any_compound() const { return !compounds_.empty(); }
  // The geom consists of parts with ids of their own.
  bool is_compound(int geom) const { return any_compound() && parts(geom).begin != geom; }
  Range parts(int geom) const;
  int geom_of(int solid) const;

 private:
  struct Compound {
    int geom = 0;
    Range parts;
  };

  int geoms_ = 0, first_cell_ = 0;
  std::vector<Compound> compounds_;    // ascending by parts
  std::vector<int> compound_of_geom_;  // index in compounds_, or -1
};

}  // namespace abut
