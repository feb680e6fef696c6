// Support mapping by hill climbing.
//
// On a convex polyhedron a vertex that no neighbour beats is the farthest one, in exact
// arithmetic. In floating point, and with faces that are planar only to 1e-9 L, a climb
// can stop on a false top: on a cylinder's cap all rim vertices are equally high up to
// rounding, and the highest may be on the other side. So the climb ends with a walk
// over the plateau, everything connected to the top within a slack.
#include <array>

#include "abut/shape/polyhedron.h"
#include "abut/shape/tolerances.h"

namespace abut {
namespace {

// With fewer vertices than this, testing every vertex is as fast as climbing.
constexpr int kFewVertices = 24;
// A plateau with more vertices than this is searched by brute force.
constexpr int kPlateauLimit = 96;

}  // namespace

int support_brute_force(const Polyhedron& p, const Vec3& direction) {
  int best = 0;
  double best_height = p.vertices[0].dot(direction);
  for (int v = 1; v < p.vertex_count(); ++v) {
    const double height = p.vertices[v].dot(direction);
    if (height > best_height) {
      best = v;
      best_height = height;
    }
  }
  return best;
}

int support(const Polyhedron& p, const Vec3& direction, int hint) {
  if (p.vertex_count() <= kFewVertices) return support_brute_force(p, direction);
  const auto height_of = [&](int v) { return p.vertices[v].dot(direction); };

  // climb to the best neighbour until there is none
  int top = hint >= 0 && hint < p.vertex_count() ? hint : 0;
  double top_height = height_of(top);
  for (int v = -1; v != top;) {
    v = top;
    for (const int n : p.neighbours(v)) {
      const double height = height_of(n);
      if (height > top_height) {
        top = n;
        top_height = height;
      }
    }
  }

  // walk over the plateau; the first of the highest wins
  const double slack = kSupportPlateau * p.size * direction.lpNorm<1>();
  std::array<int, kPlateauLimit> plateau{top};
  int count = 1;
  for (int i = 0; i < count; ++i) {
    for (const int n : p.neighbours(plateau[i])) {
      const double height = height_of(n);
      if (!(height >= top_height - slack)) continue;
      bool seen = false;
      for (int j = 0; j < count && !seen; ++j) seen = plateau[j] == n;
      if (seen) continue;
      if (count == kPlateauLimit) return support_brute_force(p, direction);
      plateau[count++] = n;
      if (height > top_height || (height == top_height && n < top)) {
        top = n;
        top_height = height;
      }
    }
  }
  return top;
}

}  // namespace abut
