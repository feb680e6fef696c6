// Overlap: how deep solids are in each other, measured from poses by exact queries: no number of a
// contact model's own enters. Pairs are found by a walk of its own (balls around the solids, swept
// along x), so that a pair lost by the broad phase is not lost here. The same for every contact
// model.
//
//   abut::OverlapMeasure measure(model);
//   abut::Overlap now = measure.of(derived);
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "abut/collide/broad/filter.h"
#include "abut/collide/planar/planar_world.h"
#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/model/derived.h"

namespace abut {

// Pairs touch when their distance is below kKissing (1e-7) of their size; the depth of a pair is
// max(0, -distance).
struct Overlap {
  std::int64_t touching = 0;
  double deepest = 0;                  // m
  double sum = 0;                      // m, of the depths
  int deepest_a = -1, deepest_b = -1;  // geoms; -1: nothing overlaps
  std::int64_t deep = 0;               // pairs deeper than kDeep of their size
  double deep_depth = 0;               // m: the deepest of these,
  int deep_a = -1, deep_b = -1;        // and its geoms

  double mean() const { return touching > 0 ? sum / static_cast<double>(touching) : 0; }
  void add(const Overlap& other);
};

// Of the pair's size: what a contact model lets be (abut.contact.tolerance) is no more than this.
inline constexpr double kDeep = 1e-4;

// That a world begins with solids in each other: the deepest pair by name, and how many more there
// are. Empty: it does not.
std::string overlap_warning(const Model& model, const Overlap& start);

class OverlapMeasure {
 public:
  explicit OverlapMeasure(const Model& model);

  // Wants positions().
  Overlap of(const Derived& d);

  // Of a pair at the poses of the last of(): its signed distance (m), and its size.
  double distance(int a, int b, double limit = std::numeric_limits<double>::infinity());
  double size_of(int a, int b) const { return pair_size(solids_[a], solids_[b]); }

  // How many pairs the last of() asked for their exact distance.
  std::int64_t asked() const { return asked_; }

 private:
  void ask(int a, int b, Overlap& out);

  const Model& model_;
  ConvexSet solids_;
  PairFilter filter_;
  std::optional<WorldPlane> plane_;
  struct Ball {
    int geom = 0;
    Vec3 center = Vec3::Zero();
    double radius = 0;
  };
  std::vector<Pose> poses_;
  std::vector<Ball> balls_;  // ascending by the lower end along x
  std::vector<int> half_spaces_;
  Polygon polygon_A_, polygon_B_;
  std::int64_t asked_ = 0;
};

}  // namespace abut
