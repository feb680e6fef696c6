// The points on the bottom of a volume of penetration (Drumwright, III-A; D-8, D-E7): its
// surface as seen from below the contact plane.
//
// Points are taken from the deepest on. One is kept if it lies, seen along the normal, outside the
// polygon around those kept before it: inside, it would be above the chord between deeper points.
// What is kept stays kept, also where the polygon grows beyond it. Of the vertices of a convex
// volume all those are kept that have a face that looks down, and a few of its sides (1 in 80 on
// random volumes seen from anywhere): a point can be outside of all that is deeper, and above the
// chord between a deeper and a shallower one. bottom_surface.h, which knows the faces, strikes them
// out.
//
// The paper orders the polygon by angles around the deepest point, which need not be a corner of
// it (a box that stands on one has it in the middle). Here it is two chains, above and below, that
// are searched by the first coordinate: no point has to be inside. O(N log N).
//
//   abut::BottomScan scan;
//   for (int i : scan.find(flat, depth, 1e-9 * L)) use(i);   // deepest first
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abut/math/rank_set.h"
#include "abut/math/types.h"

namespace abut {

class BottomScan {
 public:
  // `flat` (m): places in the contact plane; `depth` (m): how far below it. Points within
  // `tolerance` (m) of the polygon are not outside. Valid until the next call; a warm call
  // allocates nothing.
  std::span<const int> find(std::span<const Vec2> flat, std::span<const double> depth,
                            double tolerance);

  // Comparisons, words searched and points taken off, of the last call.
  std::int64_t operations() const { return operations_; }

 private:
  // The border of the polygon from its first to its last point, over or under its inside.
  struct Chain {
    double side = 1;  // +1: the inside is to the right of it, seen from first to last
    RankSet ranks;
  };
  bool outside(const Chain& chain, int rank, double tolerance);
  void insert(Chain& chain, int rank);
  const Vec2& at(int rank) const { return places_[static_cast<std::size_t>(rank)]; }
  double turn(int a, int b, int c) {  // > 0: left
    ++operations_;
    const Vec2 ab = at(b) - at(a), ac = at(c) - at(a);
    return ab.x() * ac.y() - ab.y() * ac.x();
  }

  std::vector<int> by_depth_, by_place_, rank_, kept_;
  std::vector<Vec2> places_;  // by rank
  Chain over_{1, {}}, under_{-1, {}};
  std::int64_t operations_ = 0;
};

}  // namespace abut
