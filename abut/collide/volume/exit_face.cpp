#include "abut/collide/volume/exit_face.h"

#include <array>

namespace abut {
namespace {

// Solids with at most this many faces are scanned completely.
constexpr std::size_t kFewFaces = 12;
// Faces with more edges are searched by bisection, others completely.
constexpr std::size_t kManyEdges = 16;

// Seen from a polygon's first corner, its other corners are in order, and so are its edges. Returns
// the edge, by its place in the loop, of the wedge between two corners that contains a point.
// Beyond the first or the last corner it is the edge from or to the first. `left(k)`: whether the
// point is left of the line from the first corner to corner k.
template <class Left>
std::size_t wedge(std::size_t corners, Left&& left) {
  std::size_t low = 1, high = corners - 1;
  if (!left(low)) return 0;
  if (left(high)) return high;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (left(middle) ? low : high) = middle;
  }
  return low;
}

// A place in the loop and its two neighbours: near a corner, rounding may give the wrong wedge.
std::array<std::size_t, 3> and_next(std::size_t k, std::size_t corners) {
  return {k, k + 1 < corners ? k + 1 : 0, k > 0 ? k - 1 : corners - 1};
}

}  // namespace

int ExitFace::find(const Vec3& p, int own, double flush) {
  if (planes_.size() <= kFewFaces) return highest(p, flush);
  if (own >= 0) {
    if (below_neighbours(p, own, flush)) return -1;
    last_ = own;
  }
  climb(p);
  return height(last_, p) > flush ? last_ : -1;
}

int ExitFace::highest(const Vec3& p, double least) {
  int best = -1;
  looks_ += static_cast<long>(planes_.size());
  for (int f = 0; f < static_cast<int>(planes_.size()); ++f) {
    const double h = planes_[f].eta.dot(p) - planes_[f].offset;
    if (h <= least) continue;
    least = h;
    best = f;
  }
  return best;
}

// If so, a ray through p, which lies in the plane of `own`, leaves through `own`.
bool ExitFace::below_neighbours(const Vec3& p, int own, double flush) {
  const std::span<const int> ring = polyhedron_->face_edge_ring(own);
  if (ring.size() <= kManyEdges) {
    for (const int e : ring)
      if (height(across(e, own), p) > flush) return false;
    return true;
  }
  const std::span<const int> loop = polyhedron_->face_loop(own);
  const Vec3& corner = polyhedron_->vertices[loop[0]];
  // eta . ((v - corner) x (p - corner))
  const Vec3 turned = (p - corner).cross(planes_[own].eta);
  const std::size_t at = wedge(loop.size(), [&](std::size_t k) {
    ++looks_;
    return turned.dot(polyhedron_->vertices[loop[k]] - corner) > 0;
  });
  for (const std::size_t k : and_next(at, loop.size()))
    if (height(across(ring[k], own), p) > flush) return false;
  return true;
}

void ExitFace::climb(const Vec3& p) {
  const Vec3& middle = polyhedron_->center;
  const Vec3 ray = p - middle;
  const auto reach = [&](int f) {
    ++looks_;
    const Polyhedron::Face& plane = planes_[f];
    return plane.eta.dot(ray) / (plane.offset - plane.eta.dot(middle));
  };
  double best = reach(last_);
  for (int at = -1, before = -1; at != last_;) {
    before = at;
    at = last_;
    const auto look_across = [&](int edge) {
      const int other = across(edge, at);
      if (other == before) return;
      if (const double r = reach(other); r > best) {
        best = r;
        last_ = other;
      }
    };
    const std::span<const int> ring = polyhedron_->face_edge_ring(at);
    // a ray to the other side of the centre passes no wedge of this face
    if (ring.size() > kManyEdges && best > 0) {
      const std::span<const int> loop = polyhedron_->face_loop(at);
      // the wedges are pyramids from the centre: the ray need not be intersected with the plane
      const Vec3 normal = ray.cross(polyhedron_->vertices[loop[0]] - middle);
      const std::size_t place = wedge(loop.size(), [&](std::size_t k) {
        ++looks_;
        return normal.dot(polyhedron_->vertices[loop[k]] - middle) > 0;
      });
      for (const std::size_t k : and_next(place, loop.size())) look_across(ring[k]);
    } else {
      for (const int e : ring) look_across(e);
    }
  }
}

}  // namespace abut
