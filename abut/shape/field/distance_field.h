// DistanceField: an adaptively sampled signed distance field (Frisken et al. 2000; D-11): an octree whose
// leaves have the distance at their corners, and are cut until the trilinear interpolation between these is
// near enough to the distance. A query costs the depth of the tree, whatever number of triangles the surface
// has.
//
//   abut::DistanceField field(box, exact, {.error = 1e-3});
//   double psi = field.value(x);   // m, negative inside
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "abut/shape/aabb.h"

namespace abut {

struct DistanceFieldOptions {
  double error = 0;    // m: near the surface; above 0
  int deepest = 9;     // levels
  int most = 400'000;  // cells; refinement ends there, and error() says what is left
};

class DistanceField {
 public:
  DistanceField() = default;
  // `box` contains the solid; the field's domain is a cube somewhat larger. `exact`: the signed distance.
  // Cells are cut where the interpolation is off, at 19 points of a cell, by more than `error` and a quarter of
  // the distance: exact near the surface, coarse far away.
  DistanceField(const Aabb& box, const std::function<double(const Vec3&)>& exact,
                const DistanceFieldOptions& options);

  // Beyond the domain a lower bound. `visits`, if given, grows by the nodes that were looked at.
  double value(const Vec3& x, long* visits = nullptr) const;

  bool empty() const { return cells_.empty(); }
  int cells() const { return leaves_; }
  int depth() const { return depth_; }
  // m: the largest |value - distance| at the points that were looked at near the surface, where the distance is
  // at most four times the error that was asked for. A maximum over samples, not a proof.
  double error() const { return error_; }

  // The field as numbers, for files. Nothing comes back from numbers that are none.
  std::vector<double> numbers() const;
  static std::optional<DistanceField> from_numbers(std::span<const double> numbers);

 private:
  struct Cell {
    int child = -1;  // the first of eight; -1: a leaf
    std::array<double, 8>
        corner{};  // m, of leaves; bit k of the index: the upper side along axis k
  };
  friend class FieldBuilder;

  Vec3 center_ = Vec3::Zero();
  double half_ = 0, error_ = 0;
  int leaves_ = 0, depth_ = 0;
  std::vector<Cell> cells_;
};

}  // namespace abut
