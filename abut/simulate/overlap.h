// Overlap: the depth of overlap of solids, measured from poses by exact queries, independent of the
// contact model. Pairs are found by a search of its own (bounding balls, swept along x), so that a
// pair that the broad phase missed is not missed here.
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
#include "abut/collide/parts/compound_contact.h"
#include "abut/collide/planar/planar_world.h"
#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/model/derived.h"
#include "abut/simulate/tolerances.h"

namespace abut {

// Pairs touch when their distance is below kKissing (1e-7) of their size; the depth of a pair is
// max(0, -distance).
struct Overlap {
  std::int64_t touching = 0;
  double deepest = 0;                  // m
  double sum = 0;                      // m, of the depths
  int deepest_a = -1, deepest_b = -1;  // geoms; -1: nothing overlaps
  std::int64_t deep = 0;               // pairs deeper than kReportedDepth of their size
  double deep_depth = 0;               // m: the deepest of these,
  int deep_a = -1, deep_b = -1;        // and its geoms

  double mean() const { return touching > 0 ? sum / static_cast<double>(touching) : 0; }
  void add(const Overlap& other);
};

// A warning if solids overlap at the start of a world: the deepest pair by name, and the number of
// other pairs. Empty if none overlap.
std::string overlap_warning(const Model& model, const Overlap& start);

class OverlapMeasure {
 public:
  explicit OverlapMeasure(const Model& model);

  // Requires positions().
  Overlap of(const Derived& d);

  // Signed distance (m) and size of a pair at the poses of the last of().
  double distance(int a, int b, double limit = std::numeric_limits<double>::infinity());
  double size_of(int a, int b) const { return pair_size(solids_[a], solids_[b]); }

  // Number of pairs whose exact distance the last of() computed.
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
  CompoundContact compound_;
  std::int64_t asked_ = 0;
};

}  // namespace abut
