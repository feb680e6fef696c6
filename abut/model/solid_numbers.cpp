#include "abut/model/solid_numbers.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "abut/math/index.h"

namespace abut {

SolidNumbers::SolidNumbers(std::span<const Shape> shapes, const ShapeAssets& assets)
    : geoms_(static_cast<int>(shapes.size())), compound_of_geom_(shapes.size(), -1) {
  std::int64_t next = geoms_;
  const auto number = [&](ShapeKind kind, const auto& count_of) {
    for (int g = 0; g < geoms_; ++g) {
      const Shape& shape = shapes[at(g)];
      const std::int64_t count = shape.kind == kind ? count_of(shape.asset) : 0;
      if (count == 0) continue;
      if (next + count > std::numeric_limits<int>::max())
        throw std::length_error(
            "the height fields have more cells than can be numbered (2^31); give them fewer rows "
            "and columns");
      compound_of_geom_[at(g)] = static_cast<int>(compounds_.size());
      compounds_.push_back({g, {static_cast<int>(next), static_cast<int>(next + count)}});
      next += count;
    }
  };
  number(ShapeKind::mesh, [&](int mesh) {
    const bool cut = at(mesh) < assets.pieces.size();
    return cut ? static_cast<std::int64_t>(assets.pieces[at(mesh)].solids.size()) : 0;
  });
  number(ShapeKind::mesh, [&](int mesh) {
    const bool has_field = at(mesh) < assets.fields.size() && assets.fields[at(mesh)] != nullptr;
    return std::int64_t{has_field ? kFieldParts : 0};
  });
  first_cell_ = static_cast<int>(next);
  number(ShapeKind::hfield, [&](int field) {
    const HeightField& f = assets.hfields[at(field)];
    return std::int64_t{2} * (f.rows - 1) * (f.cols - 1);
  });
}

SolidNumbers::Range SolidNumbers::parts(int geom) const {
  const int compound = geom < geoms_ && any_compound() ? compound_of_geom_[at(geom)] : -1;
  return compound < 0 ? Range{geom, geom + 1} : compounds_[at(compound)].parts;
}

int SolidNumbers::geom_of(int solid) const {
  if (solid < geoms_ || compounds_.empty()) return solid;
  const auto above = std::upper_bound(compounds_.begin(), compounds_.end(), solid,
                                      [](int s, const Compound& c) { return s < c.parts.begin; });
  return std::prev(above)->geom;
}

}  // namespace abut
