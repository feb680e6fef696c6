#include "abut/collide/manifold/planar_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut {
namespace {

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

double distance_to_line(const Vec2& x, const Vec2& from, const Vec2& to) {
  const double length = (to - from).norm();
  return length > 0 ? std::abs(cross(to - from, x - from)) / length : (x - from).norm();
}

double distance_to_segment(const Vec2& x, const Vec2& from, const Vec2& to) {
  const Vec2 along = to - from;
  const double t = std::clamp((x - from).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (x - from - t * along).norm();
}

void erase(PlanarSet& set, int i) {
  set.points.erase(set.points.begin() + i);
  set.source.erase(set.source.begin() + i);
}

// The strict hull of points sorted by (x, y), written to `out`.
void monotone_chain(std::span<const Vec2> points, PlanarSet& out) {
  std::vector<int>& chain = out.source;
  chain.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) chain[i] = static_cast<int>(i);
  const auto at = [&](int i) -> const Vec2& { return points[static_cast<std::size_t>(i)]; };
  std::ranges::sort(chain, [&](int i, int j) {
    const Vec2 &a = at(i), &b = at(j);
    return a.x() != b.x() ? a.x() < b.x() : a.y() != b.y() ? a.y() < b.y() : i < j;
  });

  // the lower chain from left to right, then the upper chain back; kept points are stored behind
  // the input
  const std::size_t n = chain.size();
  const auto extend = [&](int i, std::size_t first) {
    while (chain.size() - n >= first + 2) {
      const Vec2 &b = at(chain[chain.size() - 1]), &a = at(chain[chain.size() - 2]);
      if (cross(b - a, at(i) - a) > 0) break;
      chain.pop_back();
    }
    chain.push_back(i);
  };
  for (std::size_t k = 0; k < n; ++k) extend(chain[k], 0);
  const std::size_t lower = chain.size() - n;
  for (std::size_t k = n; k-- > 1;) extend(chain[k - 1], lower - 1);
  chain.erase(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(n));
  if (chain.size() > 1) chain.pop_back();  // the first point again

  out.points.clear();
  for (const int i : chain) out.points.push_back(at(i));
}

double area(const PlanarSet& set) {
  double twice = 0;
  for (int i = 1; i + 1 < set.count(); ++i)
    twice += cross(set.point(i) - set.point(0), set.point(i + 1) - set.point(0));
  return 0.5 * twice;
}

void keep_farthest_two(PlanarSet& set) {
  int a = 0, b = 0;
  double most = -1;
  for (int i = 0; i < set.count(); ++i)
    for (int j = i + 1; j < set.count(); ++j) {
      const double d = (set.point(i) - set.point(j)).squaredNorm();
      if (d > most) most = d, a = i, b = j;
    }
  const Vec2 ends[] = {set.point(a), set.point(b)};
  const int sources[] = {set.source[static_cast<std::size_t>(a)],
                         set.source[static_cast<std::size_t>(b)]};
  set.points.assign(ends, ends + 2);
  set.source.assign(sources, sources + 2);
}

}  // namespace

void planar_hull(std::span<const Vec2> points, double merge, double least_area, PlanarSet& out) {
  monotone_chain(points, out);
  for (int i = 0; out.count() > 1 && i < out.count();) {
    if ((out.after(i) - out.point(i)).norm() > merge) {
      ++i;
    } else {
      erase(out, i + 1 < out.count() ? i + 1 : 0);
    }
  }
  for (int i = 0; out.count() > 2 && i < out.count();) {
    const Vec2& before = out.point(i > 0 ? i - 1 : out.count() - 1);
    if (distance_to_line(out.point(i), before, out.after(i)) > merge) {
      ++i;
    } else {
      erase(out, i);
      i = std::max(i - 1, 0);  // its neighbours have a new line now
    }
  }
  if (out.count() > 2 && area(out) < least_area) keep_farthest_two(out);
}

Feature place_in(const PlanarSet& set, const Vec2& x, double tolerance) {
  for (int i = 0; i < set.count(); ++i)
    if ((x - set.point(i)).norm() <= tolerance) return {FeatureKind::vertex, i};
  for (int i = 0; i < set.edge_count(); ++i)
    if (distance_to_segment(x, set.point(i), set.after(i)) <= tolerance)
      return {FeatureKind::edge, i};
  if (set.count() < 3) return {};
  for (int i = 0; i < set.count(); ++i)
    if (cross(set.after(i) - set.point(i), x - set.point(i)) < 0) return {};
  return {FeatureKind::face, 0};
}

void intersect(const PlanarSet& p, const PlanarSet& q, double tolerance, double least_area,
               PlanarIntersection& out) {
  out.found.clear();
  out.found_in_p.clear();
  out.found_in_q.clear();
  const auto add = [&](const Vec2& x, Feature in_p, Feature in_q) {
    out.found.push_back(x);
    out.found_in_p.push_back(in_p);
    out.found_in_q.push_back(in_q);
  };

  for (int i = 0; i < p.count(); ++i) {
    const Feature place = place_in(q, p.point(i), tolerance);
    if (place.kind != FeatureKind::none) add(p.point(i), {FeatureKind::vertex, i}, place);
  }
  for (int j = 0; j < q.count(); ++j) {
    const Feature place = place_in(p, q.point(j), tolerance);
    // on a vertex of p: found already
    if (place.kind == FeatureKind::none || place.kind == FeatureKind::vertex) continue;
    add(q.point(j), place, {FeatureKind::vertex, j});
  }
  for (int i = 0; i < p.edge_count(); ++i)
    for (int j = 0; j < q.edge_count(); ++j) {
      const Vec2 u = p.after(i) - p.point(i), v = q.after(j) - q.point(j);
      const double lu = u.norm(), lv = v.norm(), turn = cross(u, v);
      // nearly parallel: their ends are found already
      if (std::abs(turn) <= tolerance * std::max(lu, lv)) continue;
      const Vec2 between = q.point(j) - p.point(i);
      const double s = cross(between, v) / turn, t = cross(between, u) / turn;
      // crossings close to an end are found already
      const auto inside = [&](double at, double length) {
        return at * length > tolerance && (1 - at) * length > tolerance;
      };
      if (inside(s, lu) && inside(t, lv))
        add(p.point(i) + s * u, {FeatureKind::edge, i}, {FeatureKind::edge, j});
    }

  planar_hull(out.found, tolerance, least_area, out.set);
  out.in_p.clear();
  out.in_q.clear();
  for (const int i : out.set.source) {
    out.in_p.push_back(out.found_in_p[static_cast<std::size_t>(i)]);
    out.in_q.push_back(out.found_in_q[static_cast<std::size_t>(i)]);
  }
}

}  // namespace abut
