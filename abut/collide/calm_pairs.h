// CalmPairs: contact data of pairs of solids that hardly move, found again without a query.
//
// The pose of a calm solid is rounded to a grid. Distance and patch are found at the rounded poses,
// and kept while these stay: what they are is a function of the poses alone, so that a cold start
// gives the same bits. The points then move with their solids to the true poses, and each gap is
// taken along the normal, which turns with the solid whose face it is. Since points move by at
// most a cell of the grid, gaps are right to the square of the cell: 1e-8 of the size.
//
//   calm.begin(solids, sizes, poses, is_calm);   // one a geom
//   for (PairQuery& q : queries) q.calm = calm.place(..);
//   calm.append(..);                             // in place of a query and its patch
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "abut/collide/contact_data.h"
#include "abut/collide/patch/patch.h"
#include "abut/collide/solid/convex.h"
#include "abut/math/transform.h"

namespace abut {

// Whether a solid of this size (m) is calm that moves by so much in a step (m, any of its points).
bool is_calm(double size, double motion);

class CalmPairs {
 public:
  // What a pair needs to be found anew.
  struct Scratch {
    PatchScratch patch;
    ContactData found;
  };

  // Poses of the step. `sizes`, `poses`, `calm`: one a geom; solids that never move are calm.
  // `calm` empty: none is.
  void begin(const ConvexSet& solids, std::span<const double> sizes, std::span<const Pose> poses,
             std::span<const Transform> placed, std::span<const std::uint8_t> calm);
  bool any() const { return any_; }

  // The place of a pair of geoms, -1 if one of the two is not calm. Pairs come in ascending order
  // of their keys, and finish() ends them.
  int place(PairKey key);
  void finish();

  // Appends the pair's patch, if it is within reach (m). Different places may be asked for at the
  // same time, with scratches of their own.
  bool append(int place, const ConvexSet& solids, double reach, int max_points, Scratch& scratch,
              WarmStart& warm_start, ContactData& out);

  // Fetches what is known of a pair into the cache of the processor; -1: of none.
  void fetch(int place) const;

 private:
  static constexpr int kMost = 16;  // points of a patch that are kept
  struct Grid {                     // of a geom
    std::array<std::int64_t, 7> cell{};
    Pose pose;  // rounded
    Transform placed;
    double margin = 0;        // m: how far points of the solid are from where the grid has them
    std::uint32_t epoch = 0;  // counts the cells
    bool calm = false;
  };
  struct Point {
    Vec3 a, b;  // on A and B, in their frames
    std::uint64_t id;
  };
  struct Slot {
    std::uint32_t epoch_a = 0, epoch_b = 0;  // 0: nothing is known
    double reach = -1;                       // m: of what is known
    int count = 0;                           // points; -1: more than are kept
    bool turns_with_b = false;
    bool indeterminate = false;
    Feature a, b;
    Vec3 normal;  // in the frame of A or B
    WarmStart warm_start;
    std::array<Point, kMost> points;
  };
  struct Known {
    PairKey key;
    std::int32_t slot;
  };

  void round(Grid& grid, double size, double radius, const Pose& pose);
  void renew(Slot& slot, int a, int b, double reach, int max_points, const ConvexSet& solids,
             Scratch& scratch) const;
  bool append_moved(const Slot& slot, int a, int b, double reach, ContactData& out) const;
  int take_slot();

  bool any_ = false;
  std::span<const Transform> placed_;
  std::vector<Grid> grids_;
  std::vector<Known> before_, now_;  // ascending
  std::size_t next_ = 0;             // of before_
  std::vector<std::int32_t> free_;
  std::vector<Slot> slots_;
};

}  // namespace abut
