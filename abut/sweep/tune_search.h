// TuneSearch: looks for the least cost in the cube [0, 1]^n with a few dozen trials, some of which
// may fail. Trials come in batches of one size, so that the search is the same for any number of
// threads that make them:
//
//   spread   points that fill the cube evenly (the R sequence of Roberts 2018, shifted by the seed)
//   near     points around the best so far, in a box of half width r; r grows by a quarter where a
//            batch finds a better one, and shrinks to 0.6 where it does not
//
//   abut::TuneSearch search(2, seed, 24);
//   for (..) { auto points = search.next(); search.tell(points, costs); }
#pragma once

#include <cstdint>
#include <vector>

#include "abut/math/random.h"

namespace abut {

class TuneSearch {
 public:
  using Point = std::vector<double>;  // one number a dimension, 0 to 1
  static constexpr int kBatch = 8;

  // `spread`: trials before those near the best.
  TuneSearch(int dimensions, std::uint64_t seed, int spread);

  std::vector<Point> next();
  // Costs of these points; infinite: failed. Also of points of one's own, to start from.
  void tell(const std::vector<Point>& points, const std::vector<double>& costs);

  const Point& best() const { return best_; }
  double best_cost() const { return best_cost_; }
  bool spreads() const { return count_ < spread_; }

 private:
  Point spread_point();
  Point near_point();

  int dimensions_, spread_;
  int count_ = 0;  // of spread points
  SplitMix random_;
  Point shift_, best_;
  double best_cost_, width_ = 0.25;
};

}  // namespace abut
