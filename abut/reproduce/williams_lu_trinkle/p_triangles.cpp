#include "abut/reproduce/williams_lu_trinkle/p_triangles.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace abut::reproduce {

namespace {

using Gaps = std::array<double, 4>;
using Row = Eigen::Matrix<double, 6, 1>;

Vec2 centre(const std::array<Vec2, 3>& p) { return (p[0] + p[1] + p[2]) / 3; }
double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

// A vertex (the first) of one over an edge of the other: 2 comes into its first vertex, 0 leaves.
struct Corner {
  bool vertex_of_a;
  std::size_t edge;
};
constexpr std::array<Corner, 4> kContacts{{{true, 2}, {true, 0}, {false, 2}, {false, 0}}};

Vec2 outward(const std::array<Vec2, 3>& p, std::size_t edge) {
  const Vec2 along = (p[(edge + 1) % 3] - p[edge]).normalized();
  return {along.y(), -along.x()};
}

double gap(const Triangles& t, const Corner& c) {
  const auto &of_vertex = c.vertex_of_a ? t.A : t.B, &of_edge = c.vertex_of_a ? t.B : t.A;
  return outward(of_edge, c.edge).dot(of_vertex[0] - of_edge[c.edge]);
}

// d gap / dt = row . (vA, wA, vB, wB); both lever arms to the middle between vertex and foot, as
// the stepper has them (docs/notation.md: the same for normal rows).
Row gap_rate(const Triangles& t, const Corner& c) {
  const auto &of_vertex = c.vertex_of_a ? t.A : t.B, &of_edge = c.vertex_of_a ? t.B : t.A;
  const Vec2 eta = outward(of_edge, c.edge), v = of_vertex[0];
  Row row = Row::Zero();
  const int vertex_at = c.vertex_of_a ? 0 : 3, edge_at = 3 - vertex_at;
  row.segment<2>(vertex_at) = eta;
  row[vertex_at + 2] = cross(v - centre(of_vertex), eta);
  row.segment<2>(edge_at) = -eta;
  row[edge_at + 2] = -cross(v - centre(of_edge), eta);
  return row;
}

std::vector<TriangleSolution> solutions(const Triangles& t, double h, bool cross_constraints) {
  const Row inverse_mass = (Row() << 1, 1, 12, 1, 1, 12).finished();
  Row free = Row::Zero();
  free[0] = -1;
  const Gaps start = triangle_gaps(t);
  std::array<Row, 4> rows;
  for (std::size_t i = 0; i < 4; ++i) rows[i] = gap_rate(t, kContacts[i]);

  std::vector<TriangleSolution> found;
  const std::array<std::vector<std::size_t>, 4> sets{{{}, {1}, {2}, {1, 2}}};
  for (const std::vector<std::size_t>& pressed : sets) {
    // the impulses that close the gaps of all that is pressed
    const auto n = static_cast<Eigen::Index>(pressed.size());
    Eigen::MatrixXd A(n, n);
    Eigen::VectorXd b(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const Row& row = rows[pressed[std::size_t(i)]];
      b[i] = -(start[pressed[std::size_t(i)]] / h + row.dot(free));
      for (Eigen::Index k = 0; k < n; ++k)
        A(i, k) = row.dot(inverse_mass.cwiseProduct(rows[pressed[std::size_t(k)]]));
    }
    Eigen::VectorXd p(n);
    if (n > 0) p = A.fullPivLu().solve(b);
    if (n > 0 && !(p.minCoeff() > 0)) continue;
    Row v = free;
    TriangleSolution s;
    for (Eigen::Index i = 0; i < n; ++i) {
      v += p[i] * inverse_mass.cwiseProduct(rows[pressed[std::size_t(i)]]);
      s.impulse[pressed[std::size_t(i)]] = p[i];
    }
    Gaps end;
    for (std::size_t i = 0; i < 4; ++i) end[i] = start[i] + h * rows[i].dot(v);
    // I: some gap is not negative, and a force only where the greatest is 0 (P-21)
    constexpr double kZero = 1e-9;
    const auto some = [&](std::size_t i, std::size_t k) {
      return std::max(end[i], end[k]) >= -kZero;
    };
    const auto rests = [&](std::size_t i, std::size_t other) {
      return s.impulse[i] == 0 || std::max(end[i], end[other]) <= kZero;
    };
    bool holds = some(0, 1) && some(2, 3) && rests(1, 0) && rests(2, 3);
    if (cross_constraints) holds = holds && some(0, 3) && some(1, 2);
    if (!holds) continue;
    for (int i = 0; i < 6; ++i) {
      s.velocity[std::size_t(i)] = v[i];
      s.motion += 0.5 * (v[i] - free[i]) * (v[i] - free[i]) / inverse_mass[i];
    }
    found.push_back(s);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.motion < b.motion; });
  return found;
}

}  // namespace

Gaps triangle_gaps(const Triangles& t) {
  Gaps gaps;
  for (std::size_t i = 0; i < 4; ++i) gaps[i] = gap(t, kContacts[i]);
  return gaps;
}

Triangles moved(const Triangles& t, const std::array<double, 6>& by) {
  const auto move = [](const std::array<Vec2, 3>& p, const Vec2& shift, double turn) {
    const Eigen::Rotation2Dd R(turn);
    const Vec2 c = centre(p);
    std::array<Vec2, 3> out;
    for (std::size_t i = 0; i < 3; ++i) out[i] = c + shift + R * (p[i] - c);
    return out;
  };
  return {move(t.A, {by[0], by[1]}, by[2]), move(t.B, {by[3], by[4]}, by[5])};
}

std::vector<TriangleSolution> lnc_solutions(const Triangles& t, double h) {
  return solutions(t, h, false);
}
std::vector<TriangleSolution> peg_solutions(const Triangles& t, double h) {
  return solutions(t, h, true);
}

}  // namespace abut::reproduce
