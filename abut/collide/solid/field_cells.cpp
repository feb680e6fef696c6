#include "abut/collide/solid/field_cells.h"

#include <algorithm>
#include <array>

#include "abut/math/index.h"

namespace abut {
namespace {

// A cell that no step has asked for during so many ticks gives its place to another. A step has a
// handful of ticks.
constexpr std::int64_t kForgotten = 4096;

Polyhedron prism_under(const HeightField& field, int index) {
  static const std::array<std::vector<int>, 5> loops = {
      std::vector<int>{0, 1, 2}, {3, 5, 4}, {1, 0, 3, 4}, {2, 1, 4, 5}, {0, 2, 5, 3}};
  std::vector<Vec3> vertices;
  vertices.reserve(6);
  for (const Vec3& v : triangle(field, index)) vertices.push_back(v);
  for (int k = 0; k < 3; ++k)
    vertices.emplace_back(vertices[at(k)].x(), vertices[at(k)].y(), -field.z_bottom);
  return make_polyhedron(std::move(vertices), loops);
}

}  // namespace

void FieldCells::add(const HeightField& field, int first_solid) {
  fields_.push_back({field, first_solid});
}

FieldCells::Place FieldCells::place(int solid) const {
  std::size_t i = fields_.size() - 1;
  while (fields_[i].first > solid) --i;
  return {&fields_[i].heights, fields_[i].first, solid - fields_[i].first};
}

std::size_t FieldCells::find(int solid) const {
  const auto it = std::lower_bound(index_.begin(), index_.end(), std::pair(solid, 0));
  return static_cast<std::size_t>(it - index_.begin());
}

const Convex& FieldCells::operator[](int solid) const {
  return made_[at(index_[find(solid)].second)].prism.convex;
}

// A few places are tried a time, so that the search costs the same for any number of cells.
int FieldCells::free_slot() {
  for (int tries = 0; tries < 4 && !made_.empty(); ++tries) {
    hand_ = (hand_ + 1) % made_.size();
    if (made_[hand_].used + kForgotten < now_) {
      index_.erase(index_.begin() + static_cast<std::ptrdiff_t>(find(made_[hand_].solid)));
      return static_cast<int>(hand_);
    }
  }
  made_.emplace_back();
  return static_cast<int>(made_.size()) - 1;
}

void FieldCells::make_ready(int solid) {
  std::size_t i = find(solid);
  if (i == index_.size() || index_[i].first != solid) {
    const Place where = place(solid);
    const int slot = free_slot();
    made_[at(slot)].solid = solid;
    made_[at(slot)].prism.make(prism_under(*where.field, where.triangle));
    i = find(solid);
    index_.insert(index_.begin() + static_cast<std::ptrdiff_t>(i), {solid, slot});
  }
  made_[at(index_[i].second)].used = now_;
}

bool FieldCells::is_surface(int solid, int face) const {
  if (face == top || face == base) return true;
  const Place where = place(solid);
  const HeightField& field = *where.field;
  const int cell = where.triangle / 2, row = cell / (field.cols - 1), col = cell % (field.cols - 1);
  if (where.triangle % 2 == 0)
    return (face == wall_01 && row == 0) || (face == wall_12 && col == field.cols - 2);
  return (face == wall_12 && row == field.rows - 2) || (face == wall_20 && col == 0);
}

}  // namespace abut
