// FieldCells: the convex cells of height fields, made when they are asked for.
//
// A cell is the prism under a triangle of the surface, from the surface down to the base. A field of
// 500 x 500 points has half a million of them, of which a step needs a few dozen. Those are kept
// while they are in use; a cell depends on the field alone, so that a cache changes no answer.
//
//   cells.make_ready(solid);            // not from several threads
//   const Convex& prism = cells[solid];
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "abut/collide/solid/convex_polyhedron.h"
#include "abut/shape/height_field.h"

namespace abut {

class FieldCells {
 public:
  // Faces of a prism. The walls stand under the sides from corner 0 to 1, 1 to 2 and 2 to 0.
  enum Face { top, base, wall_01, wall_12, wall_20 };

  void add(const HeightField& field, int first_solid);

  // Cells that were not made ready for many ticks may be forgotten.
  void tick() { ++now_; }
  void make_ready(int solid);
  const Convex& operator[](int solid) const;  // ready

  struct Place {
    const HeightField* field = nullptr;
    int first = 0;     // solid of triangle 0
    int triangle = 0;  // index
  };
  Place place(int solid) const;
  // Whether a face of the prism belongs to the field's surface: the top, the base, and walls at its
  // border.
  bool is_surface(int solid, int face) const;

 private:
  struct Field {
    HeightField heights;
    int first = 0;
  };
  struct Made {
    int solid = -1;
    std::int64_t used = 0;
    ConvexPolyhedron prism;
  };
  std::size_t find(int solid) const;  // in index_: the first that is not below
  int free_slot();

  std::deque<Field> fields_;  // ascending by first; stable addresses
  std::deque<Made> made_;
  std::vector<std::pair<int, int>> index_;  // solid, slot in made_; ascending
  std::int64_t now_ = 0;
  std::size_t hand_ = 0;
};

}  // namespace abut
