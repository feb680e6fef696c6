// BroadPhase: the pairs of geoms whose boxes are near enough for a contact.
//
// The box of a geom is its bounding box, grown on every side by its reach. A pair is reported when
// its geoms may touch (filter.h) and their boxes overlap; a pair with a plane is reported when the
// box reaches below the plane. So the reported pairs depend on poses and reach alone, and not on
// earlier calls: the trees are a cache.
//
// Static geoms (fixed to the world) and moving geoms (of links and driven bodies) have a tree each.
// The box of a leaf is a little larger than the geom's box, and longer in the direction of motion.
// While a geom's box stays inside its leaf, neither the tree nor the list of candidate pairs
// changes. Then a step costs one box per geom and one test per candidate, plus one query for each
// leaf that a geom has left. Planes have no leaf; each plane is tested against every moving geom.
//
// A geom whose box is NaN touches nothing; a geom of infinite reach meets all others.
//
//   abut::geom_poses(model, derived, poses);
//   abut::BroadPhase broad(model, filter);
//   broad.update(model, filter, poses, {.pair = 0.01});
//   for (const abut::GeomPair& pair : broad.pairs()) ...
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abut/collide/broad/aabb_tree.h"
#include "abut/collide/broad/filter.h"
#include "abut/model/model.h"

namespace abut {

struct GeomPair {
  int a = 0, b = 0;  // a < b

  bool operator==(const GeomPair&) const = default;
};

// The distance (m) within which two geoms form a pair: the sum of `pair` and of the values of both
// geoms.
struct Reach {
  double pair = 0;
  std::span<const double> geom = {};  // one value for each geom, or empty: 0

  double of(int g) const { return geom.empty() ? 0 : geom[static_cast<std::size_t>(g)]; }
  double between(int a, int b) const { return pair + of(a) + of(b); }
};

class BroadPhase {
 public:
  BroadPhase() = default;
  BroadPhase(const Model& model, const PairFilter& filter);

  // Updates the pairs for these poses of the geoms in the world. A second call of the same size
  // allocates nothing.
  void update(const Model& model, const PairFilter& filter, std::span<const Pose> poses,
              const Reach& reach = {});

  // In ascending order of pair_key.
  std::span<const GeomPair> pairs() const { return pairs_; }

  // Box of a geom at the last update, grown by its reach. Planes have no valid box.
  const Aabb& box(int geom) const { return boxes_[static_cast<std::size_t>(geom)]; }
  // Number of leaves that the last update replaced.
  int leaves_moved() const { return static_cast<int>(moved_.size()); }

 private:
  enum class Place : std::uint8_t { standing, moving, plane };
  enum class Extent : std::uint8_t { bounded, unbounded, nowhere };

  struct Entry {
    Place place = Place::standing;
    Extent extent = Extent::nowhere;
    std::int32_t leaf = -1;  // index in its tree
    bool moved = false;      // has a new leaf in this update
    bool seen = false;       // static geoms: the box is up to date
    double reach = 0;        // m: reach of the current box
  };
  struct Plane {
    int geom = 0;
    Vec3 normal = Vec3::Zero();
    double height = 0;  // the half-space is normal . x <= height, reach included
  };

  AabbTree& tree(Place place) { return place == Place::standing ? standing_ : moving_; }
  void take(const Model& model, const Pose& X_WG, int geom, double reach);
  void renew_candidates(const PairFilter& filter);
  void find_unbounded(const PairFilter& filter, std::span<const Pose> poses, const Reach& reach);
  void report();
  bool below(const Plane& plane, int geom) const;

  std::vector<Entry> geoms_;
  std::vector<Aabb> boxes_;
  AabbTree standing_, moving_;
  std::vector<std::int32_t> standing_geoms_, moving_geoms_;  // indexed by leaf
  std::vector<std::int32_t> plane_geoms_;
  std::vector<std::int32_t> moved_;  // geoms with a new leaf
  std::vector<PairKey> candidates_;  // pairs that are allowed and whose leaves overlap; ascending
  std::vector<PairKey> found_, merged_;
  std::vector<PairKey> others_;  // pairs with planes and with unbounded boxes
  std::vector<GeomPair> pairs_;
};

}  // namespace abut
