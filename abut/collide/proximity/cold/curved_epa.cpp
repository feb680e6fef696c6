// The expanding polytope for curved differences: a polytope inside B - A whose nearest facet is
// pushed out to the surface until it is on the surface.
#include <algorithm>

#include "abut/collide/proximity/cold/curved_parts.h"
#include "abut/collide/proximity/tolerances.h"

namespace abut::curved_parts {
namespace {

// Facets shrink with the square root of the error. An isolated nearest point takes some tens of
// vertices. A whole curve of nearest points would take thousands; there the local search below
// takes over.
constexpr int kVertices = 320, kFaces = 2 * kVertices;

struct Polytope {
  struct Face {
    std::array<int, 3> v;
    Vec3 n;  // outward
    double offset;
  };
  std::array<Vec3, kVertices> vertex;
  std::array<Face, kFaces> face;
  int vertices = 0, faces = 0;

  const Vec3& at(int i) const { return vertex[static_cast<std::size_t>(i)]; }
  // Returns false if the three points are collinear.
  bool add(int i, int j, int k) {
    const Vec3 e = at(j) - at(i), f = at(k) - at(i);
    Vec3 n = e.cross(f);
    const double length = n.norm();
    if (faces == kFaces || !(length > kFlatFacet * e.norm() * f.norm())) return false;
    n /= length;
    face[static_cast<std::size_t>(faces++)] = {{i, j, k}, n, n.dot(at(i))};
    return true;
  }
};

// Starts with four points of the surface that span a volume.
bool begin(const Difference& D, Polytope& p) {
  const auto put = [&](const Vec3& w) { p.vertex[static_cast<std::size_t>(p.vertices++)] = w; };
  put(D.farthest(Vec3::UnitX()).w);
  put(D.farthest(-Vec3::UnitX()).w);
  const Vec3 e = p.at(1) - p.at(0);
  // the farther of the two directions from the line, then from the plane
  const auto put_farther = [&](const Vec3& n) {
    const Vec3 up = D.farthest(n).w, down = D.farthest(-n).w;
    put(n.dot(up - p.at(0)) > n.dot(p.at(0) - down) ? up : down);
  };
  int least = 0;
  e.cwiseAbs().minCoeff(&least);
  put_farther(e.cross(Vec3::Unit(least)).normalized());
  const Vec3 n = e.cross(p.at(2) - p.at(0));
  if (!(n.norm() > 0)) return false;
  put_farther(n.normalized());
  if (n.dot(p.at(3) - p.at(0)) > 0) std::swap(p.vertex[1], p.vertex[2]);
  return p.add(0, 1, 2) && p.add(0, 3, 1) && p.add(1, 3, 2) && p.add(2, 3, 0);
}

// Replaces the facets that see the point by a cone from it. Returns false if rounding leaves no
// closed rim.
bool grow(Polytope& p, const Vec3& w, double slack) {
  struct Edge {
    int tail, head;
  };
  std::array<Edge, 3 * kFaces> rim;
  int edges = 0;
  for (int f = 0; f < p.faces;) {
    const Polytope::Face& face = p.face[static_cast<std::size_t>(f)];
    if (face.n.dot(w) - face.offset <= slack) {
      ++f;
      continue;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const Edge e{face.v[k], face.v[(k + 1) % 3]};
      // an edge between two such facets occurs twice, once in each direction, and is removed
      int same = 0;
      while (same < edges && !(rim[static_cast<std::size_t>(same)].tail == e.head &&
                               rim[static_cast<std::size_t>(same)].head == e.tail))
        ++same;
      if (same < edges)
        rim[static_cast<std::size_t>(same)] = rim[static_cast<std::size_t>(--edges)];
      else
        rim[static_cast<std::size_t>(edges++)] = e;
    }
    p.face[static_cast<std::size_t>(f)] = p.face[static_cast<std::size_t>(--p.faces)];
  }
  if (edges < 3 || p.vertices == kVertices) return false;
  const int top = p.vertices++;
  p.vertex[static_cast<std::size_t>(top)] = w;
  for (int k = 0; k < edges; ++k) {
    const Edge& e = rim[static_cast<std::size_t>(k)];
    if (!p.add(e.tail, e.head, top)) return false;
  }
  return true;
}

// Turns m towards smaller width, by ever smaller steps.
Vec3 descend(const Difference& D, Vec3 m) {
  double width = D.width(m);
  double turn = 0.3;
  for (double step = 0.05; step > kLeastTurn;) {
    int least = 0;
    m.cwiseAbs().minCoeff(&least);
    const Vec3 x = m.cross(Vec3::Unit(least)).normalized(), y = m.cross(x);
    bool better = false;
    for (int k = 0; k < 6; ++k) {
      turn += 1.0471975511965976;
      const Vec3 tried = (m + step * (std::cos(turn) * x + std::sin(turn) * y)).normalized();
      if (const double w = D.width(tried); w < width) {
        width = w;
        m = tried;
        better = true;
        break;
      }
    }
    if (!better) {
      step *= 0.5;
      turn += 0.7;  // other directions than on the coarser ring
    }
  }
  return m;
}

}  // namespace

Vec3 least_width_direction(const Difference& D, double tolerance) {
  Polytope p;
  Vec3 best = Vec3::UnitX();
  double upper = D.width(best);
  const auto consider = [&](const Vec3& n, double width) {
    if (width < upper) {
      upper = width;
      best = n;
    }
  };
  bool sound = begin(D, p);
  while (sound) {
    int nearest = 0;
    for (int f = 1; f < p.faces; ++f)
      if (p.face[static_cast<std::size_t>(f)].offset <
          p.face[static_cast<std::size_t>(nearest)].offset)
        nearest = f;
    const Polytope::Face face = p.face[static_cast<std::size_t>(nearest)];
    const Vec3 w = D.farthest(face.n).w;
    const double width = face.n.dot(w);
    consider(face.n, width);
    if (upper - face.offset <= tolerance) return best;
    sound = grow(p, w, kCurvedFlat * D.L);
  }
  return descend(D, best);
}

}  // namespace abut::curved_parts
