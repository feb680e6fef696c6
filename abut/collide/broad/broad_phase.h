// BroadPhase: the pairs of geoms whose boxes are near enough for a contact.
//
// A geom's box is its bounding box, grown on every side by its reach. A pair is reported
// when its geoms may touch (filter.h) and their boxes overlap; with a plane, when the box
// reaches below the plane. So which pairs come out depends on poses and reach alone, never
// on what was asked before: the trees in here are a cache.
//
// Geoms that stand (fixed to the world) and those that move (links, driven bodies) have a
// tree each. Leaves are a little larger than the geom's box, and longer where it is
// heading. While a box stays in its leaf, neither its place in the tree nor the list of
// candidate pairs is touched: a step costs one box a geom and one test a candidate, plus a
// query for each leaf that was left. Planes have no leaf and meet every mover.
//
// A geom whose box is not a number touches nothing; one of infinite reach meets all.
// Height fields are reported like any other geom, though no query takes them yet.
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

// How near two geoms must be (m): the sum of what is said for the pair and of what is
// said for each geom.
struct Reach {
  double pair = 0;
  std::span<const double> geom = {};  // one a geom, or empty: 0

  double of(int g) const { return geom.empty() ? 0 : geom[static_cast<std::size_t>(g)]; }
  double between(int a, int b) const { return pair + of(a) + of(b); }
};

class BroadPhase {
 public:
  BroadPhase() = default;
  BroadPhase(const Model& model, const PairFilter& filter);

  // Takes the geoms' poses in the world and finds the pairs. Allocates nothing once it is
  // warm.
  void update(const Model& model, const PairFilter& filter, std::span<const Pose> poses,
              const Reach& reach = {});

  // Ascending by pair_key.
  std::span<const GeomPair> pairs() const { return pairs_; }

  // The boxes of the last update, grown by their reach; a plane's is not used.
  const Aabb& box(int geom) const { return boxes_[static_cast<std::size_t>(geom)]; }
  // How many leaves the last update had to replace.
  int leaves_moved() const { return static_cast<int>(moved_.size()); }

 private:
  enum class Place : std::uint8_t { standing, moving, plane };
  enum class Extent : std::uint8_t { bounded, unbounded, nowhere };

  struct Entry {
    Place place = Place::standing;
    Extent extent = Extent::nowhere;
    std::int32_t leaf = -1;  // in its tree
    bool moved = false;      // got a new leaf in this update
    bool seen = false;       // standing geoms: box is known
    double reach = 0;        // with which it was made
  };
  struct Plane {
    int geom = 0;
    Vec3 normal = Vec3::Zero();
    double height = 0;  // the half-space is where normal . x <= height, reach included
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
  std::vector<std::int32_t> standing_geoms_, moving_geoms_;  // by leaf
  std::vector<std::int32_t> plane_geoms_;
  std::vector<std::int32_t> moved_;  // geoms
  std::vector<PairKey> candidates_;  // leaves overlap, allowed; ascending
  std::vector<PairKey> found_, merged_;
  std::vector<PairKey> others_;  // pairs with planes and boxes without bounds
  std::vector<GeomPair> pairs_;
};

}  // namespace abut
