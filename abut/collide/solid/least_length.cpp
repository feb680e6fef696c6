#include "abut/collide/solid/least_length.h"

#include <algorithm>
#include <span>

namespace abut {

double least_length(const Polyhedron& p) {
  double least = p.size;
  for (int f = 0; f < p.face_count(); ++f) {
    const std::span<const int> loop = p.face_loop(f);
    const Vec3& corner = p.vertices[static_cast<std::size_t>(loop[0])];
    Vec3 area = Vec3::Zero();
    double across = 0;
    for (std::size_t k = 1; k < loop.size(); ++k) {
      const Vec3 to = p.vertices[static_cast<std::size_t>(loop[k])] - corner;
      across = std::max(across, to.norm());
      if (k > 1)
        area += 0.5 * (p.vertices[static_cast<std::size_t>(loop[k - 1])] - corner).cross(to);
    }
    least = std::min(least, area.norm() / across);
  }
  for (const Polyhedron::Edge& e : p.edges)
    least = std::min(least, (p.vertices[static_cast<std::size_t>(e.head)] -
                             p.vertices[static_cast<std::size_t>(e.tail)])
                                .norm());
  return least;
}

}  // namespace abut
