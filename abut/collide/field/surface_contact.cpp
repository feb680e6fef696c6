#include "abut/collide/field/surface_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/collide/field/tolerances.h"
#include "abut/math/index.h"

namespace abut {
namespace {

// Whether what is around a vertex lies on the side of n (both in the mesh's frame), but for kAroundVertex.
bool lies_along(const SurfaceMesh& surface, int vertex, const Vec3& n) {
  const std::vector<Vec3>& vertices = surface.mesh().vertices;
  return std::ranges::all_of(surface.neighbours(vertex), [&](int other) {
    const Vec3 way = vertices[at(other)] - vertices[at(vertex)];
    return n.dot(way) >= -kAroundVertex * way.norm();
  });
}

// Whether x (the solid's frame) is inside, or on the surface but for rounding of that depth.
bool holds(const SurfaceSolid& solid, const Vec3& x, double depth) {
  const double slack = kAroundRidge * depth;
  const SurfaceMesh::Place place = solid.place(x, slack);
  return place.near.triangle >= 0 && place.distance <= slack;
}

}  // namespace

std::span<const SurfacePoint> SurfaceContact::find(const SurfaceSolid& A, const SurfaceSolid& B,
                                                   const Transform& X_AB, double reach) {
  found_.clear();
  pairs_.clear();
  used_facets_ = used_all_points_ = false;
  X_AB_ = X_AB;
  X_BA_ = X_AB.inverse();
  A.surface->tree().pairs(B.surface->tree(), X_AB, std::max(reach, 0.0), pairs_);
  const Look at_A{A, B, X_AB_, reach, true}, at_B{B, A, X_BA_, reach, false};
  inside_A_.clear();
  inside_B_.clear();
  look_at_vertices(at_A, inside_B_);
  look_at_vertices(at_B, inside_A_);
  look_at_ridges(A, B, X_AB, reach);

  double deepest = 0, accounted = 0;
  for (const auto* inside : {&inside_A_, &inside_B_})
    for (const Inside& x : *inside) deepest = std::min(deepest, x.psi);
  for (const SurfacePoint& p : found_) accounted = std::min(accounted, p.psi);
  const double L = A.surface->size() + B.surface->size();
  if (deepest < -kShallow * L && accounted > kAccounted * deepest) {
    used_facets_ = true;
    const auto depth_of = [](const std::vector<Inside>& inside) {
      double least = 0;
      for (const Inside& x : inside) least = std::min(least, x.psi);
      return least;
    };
    depth_of(inside_B_) <= depth_of(inside_A_) ? add_by_facets(at_A, inside_B_)
                                               : add_by_facets(at_B, inside_A_);
  }
  return found_;
}

void SurfaceContact::add(const Look& look, const Vec3& p_S, const Vec3& x, const Vec3& n_S,
                         double psi, int vertex) {
  SurfacePoint p;
  p.psi = psi;
  const Feature own{FeatureKind::vertex, vertex}, other{FeatureKind::surface, 0};
  if (look.s_is_a) {
    p.p_A = p_S;
    p.p_B = x;
    p.normal = n_S;
    p.a = other;
    p.b = own;
  } else {
    p.p_A = X_AB_ * x;
    p.p_B = X_AB_ * p_S;
    p.normal = -(X_AB_.R * n_S);
    p.a = own;
    p.b = other;
  }
  found_.push_back(p);
}

void SurfaceContact::look_at_vertices(const Look& look, std::vector<Inside>& inside) {
  const SurfaceMesh& surface = *look.T.surface;
  seen_.assign(surface.mesh().vertices.size(), 0);
  queue_.clear();
  const auto put = [&](int v) {
    if (seen_[at(v)]) return;
    seen_[at(v)] = 1;
    queue_.push_back(v);
  };
  for (const auto& [a, b] : pairs_)
    for (const int v : surface.mesh().triangles[at(look.s_is_a ? b : a)]) put(v);
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const int v = queue_[i];
    const Vec3 x = look.X_ST * surface.mesh().vertices[at(v)];
    const SurfaceMesh::Place place = look.S.place(x, look.reach);
    if (place.near.triangle < 0 || !(place.distance <= look.reach)) continue;
    if (place.distance < 0) {
      inside.push_back({v, x, place.distance});
      for (const int next : surface.neighbours(v)) put(next);
    }
    const Vec3 n_T = look.X_ST.R.transpose() * place.normal;
    if (lies_along(surface, v, n_T)) add(look, place.near.at.p, x, place.normal, place.distance, v);
  }
}

void SurfaceContact::look_at_ridges(const SurfaceSolid& A, const SurfaceSolid& B,
                                    const Transform& X_AB, double reach) {
  ridges_.clear();
  for (const auto& [s, t] : pairs_)
    for (int i = 0; i < 3; ++i) {
      const int edge_a = A.surface->edge_of(s, i);
      if (!A.surface->edges()[at(edge_a)].ridge) continue;
      for (int k = 0; k < 3; ++k) {
        const int edge_b = B.surface->edge_of(t, k);
        if (B.surface->edges()[at(edge_b)].ridge)
          ridges_.push_back(static_cast<std::uint64_t>(edge_a) << 32 |
                            static_cast<std::uint64_t>(edge_b));
      }
    }
  std::sort(ridges_.begin(), ridges_.end());
  ridges_.erase(std::unique(ridges_.begin(), ridges_.end()), ridges_.end());
  for (const std::uint64_t pair : ridges_)
    add_ridges(static_cast<int>(pair >> 32), static_cast<int>(pair & 0xffffffffu), A, B, X_AB,
               reach);
}

void SurfaceContact::add_ridges(int edge_a, int edge_b, const SurfaceSolid& A,
                                const SurfaceSolid& B, const Transform& X_AB, double reach) {
  const SurfaceMesh::Edge &ea = A.surface->edges()[at(edge_a)],
                          &eb = B.surface->edges()[at(edge_b)];
  const std::vector<Vec3>&va = A.surface->mesh().vertices, &vb = B.surface->mesh().vertices;
  const Vec3 a = va[at(ea.tail)], u = va[at(ea.head)] - a;
  const Vec3 b = X_AB * vb[at(eb.tail)], v = X_AB.R * (vb[at(eb.head)] - vb[at(eb.tail)]);
  Vec3 n = u.cross(v);
  const double area2 = n.squaredNorm();
  if (!(area2 > kParallel * kParallel * u.squaredNorm() * v.squaredNorm())) return;
  // the points of the two lines that are nearest to each other
  const Vec3 w = b - a;
  const double s = w.cross(v).dot(n) / area2, t = w.cross(u).dot(n) / area2;
  if (!(s > 0 && s < 1 && t > 0 && t < 1)) return;
  n /= std::sqrt(area2);
  if (n.dot(ea.normal) < 0) n = -n;
  const Vec3 p_A = a + s * u, p_B = b + t * v;
  const double psi = n.dot(p_B - p_A);
  if (!(psi <= reach)) return;
  const Vec3 n_B = X_AB.R.transpose() * n;
  if (n.dot(ea.into1) > kAroundRidge || n.dot(ea.into2) > kAroundRidge ||
      n_B.dot(eb.into1) < -kAroundRidge || n_B.dot(eb.into2) < -kAroundRidge)
    return;
  if (psi < 0) {
    // else ridges of solids that overlap elsewhere, or on their far sides
    if (!holds(A, p_B, -psi) || !holds(B, X_AB.inverse() * p_A, -psi)) return;
  }
  found_.push_back({p_A, p_B, n, psi, {FeatureKind::edge, edge_a}, {FeatureKind::edge, edge_b}});
}

// Equation 4: of the facets of S that T has to do with, the one whose plane is least far from the point that is
// farthest from it. At first for the deepest point alone: if no other is farther from that facet, it is the one.
void SurfaceContact::add_by_facets(const Look& look, std::span<const Inside> inside) {
  const SurfaceMesh& surface = *look.S.surface;
  near_.clear();
  for (const auto& [a, b] : pairs_) near_.push_back(look.s_is_a ? a : b);
  std::sort(near_.begin(), near_.end());
  near_.erase(std::unique(near_.begin(), near_.end()), near_.end());
  const auto depth = [&](int facet, const Vec3& x) {
    const Vec3& p = surface.mesh().vertices[at(surface.mesh().triangles[at(facet)][0])];
    return surface.normal(facet).dot(p - x);
  };
  const auto farthest = [&](int facet) {
    double most = 0;
    for (const Inside& x : inside) most = std::max(most, depth(facet, x.x));
    return most;
  };
  const Inside& deepest = *std::ranges::min_element(inside, {}, &Inside::psi);
  int best = -1;
  double least = std::numeric_limits<double>::infinity();
  for (const int facet : near_)
    if (const double d = depth(facet, deepest.x); d > 0 && d < least) {
      least = d;
      best = facet;
    }
  if (best < 0) return;
  if (farthest(best) > least) {
    used_all_points_ = true;
    least = std::numeric_limits<double>::infinity();
    for (const int facet : near_)
      if (const double d = farthest(facet); depth(facet, deepest.x) > 0 && d < least) {
        least = d;
        best = facet;
      }
  }
  const Vec3& n = surface.normal(best);
  for (const Inside& x : inside)
    if (const double d = depth(best, x.x); d > 0) add(look, x.x + d * n, x.x, n, -d, x.vertex);
}

// Of the triangles near the centre, places that are nearest for all triangles that meet there.
std::span<const SurfacePoint> SurfaceContact::find_ball(const SurfaceSolid& A, const Vec3& center,
                                                        double radius, double reach, int name) {
  found_.clear();
  const SurfaceMesh& surface = *A.surface;
  const Feature ball{FeatureKind::surface, name};
  const auto put = [&](const Vec3& p, const Vec3& n, double distance, const Feature& feature) {
    if (distance - radius <= reach)
      found_.push_back({p, center - radius * n, n, distance - radius, feature, ball});
  };
  const SurfaceMesh::Place place = A.place(center, radius + reach);
  if (place.near.triangle < 0) return found_;
  if (place.distance <= kOnSurface * surface.size()) {  // its middle is inside
    put(place.near.at.p, place.normal, place.distance, {FeatureKind::face, place.near.triangle});
    return found_;
  }
  near_.clear();
  ridges_.clear();
  surface.tree().in_box(inflated(Aabb{center, center}, radius + reach), near_);
  std::sort(near_.begin(), near_.end());
  for (const int t : near_) {
    const TrianglePoint p = nearest_on_triangle(corners_of(surface.mesh(), t), center);
    const Vec3 way = center - p.p;
    const double distance = way.norm();
    if (!(distance - radius <= reach) || !(distance > 0)) continue;
    const Vec3 n = way / distance;
    const int part = static_cast<int>(p.part);
    Feature feature{FeatureKind::face, t};
    bool is_nearest = n.dot(surface.normal(t)) > 0;
    if (part < 3) {
      const int v = surface.mesh().triangles[at(t)][at(part)];
      feature = {FeatureKind::vertex, v};
      is_nearest = std::ranges::all_of(surface.neighbours(v), [&](int other) {
        const Vec3 side = surface.mesh().vertices[at(other)] - p.p;
        return n.dot(side) <= kAroundBall * side.norm();
      });
    } else if (part < 6) {
      const int e = surface.edge_of(t, part - 3);
      const SurfaceMesh::Edge& edge = surface.edges()[at(e)];
      feature = {FeatureKind::edge, e};
      is_nearest = n.dot(edge.normal) > 0 && n.dot(edge.into1) <= kAroundBall &&
                   (edge.t2 < 0 || n.dot(edge.into2) <= kAroundBall);
    }
    const auto key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(packed(feature)));
    if (!is_nearest || std::ranges::count(ridges_, key) > 0) continue;
    ridges_.push_back(key);
    put(p.p, n, distance, feature);
  }
  return found_;
}

}  // namespace abut
