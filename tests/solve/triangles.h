// The two triangles of the paper on PEG (figs 9, 11; P-X5) as mixed problems in numbers:
// one step of 0.5 s, A comes with (-1, 0) towards B at rest, no gravity, no friction. Built
// here from vertices and eqs 11-15, 25-32 as P-E1 reads them, without the rest of abut.
#pragma once

#include <array>
#include <vector>

#include "abut/solve/problem.h"

namespace abut::test {

using Vec2 = Eigen::Vector2d;
using Triangle = std::array<Vec2, 3>;    // counter-clockwise, the vertex near the other first
using Nu = Eigen::Matrix<double, 6, 1>;  // vA, omegaA, vB, omegaB

struct Triangles {
  Triangle A, B;
};

inline Vec2 at_angle(double degrees) {
  const double a = degrees * 3.14159265358979323846 / 180;
  return {std::cos(a), std::sin(a)};
}

// F11-G: both stand on the same ground.
inline Triangles ground_triangles() {
  const double h = std::sqrt(0.75);
  return {{Vec2(0.1, 0), Vec2(1.1, 0), Vec2(0.6, h)}, {Vec2(0, 0), Vec2(-0.5, h), Vec2(-1, 0)}};
}

// F11-T: tilted by 10 degrees, A 0.05 higher.
inline Triangles tilted_triangles() {
  const Vec2 v(0.1, 0.05);
  return {{v, v + at_angle(10), v + at_angle(70)}, {Vec2(0, 0), at_angle(110), at_angle(170)}};
}

struct Gap {
  double psi;
  Nu G;  // d(psi)/dt = G . nu
};

inline double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

// C1 .. C4 (at 0 .. 3): A's vertex against B's edges into and out of its vertex, then B's
// against A's.
inline std::array<Gap, 4> gaps(const Triangles& t) {
  const auto centre = [](const Triangle& x) { return Vec2((x[0] + x[1] + x[2]) / 3); };
  const Vec2 cA = centre(t.A), cB = centre(t.B);
  std::array<Gap, 4> out;
  for (int k = 0; k < 4; ++k) {
    const bool on_B = k < 2;  // whose edge
    const Triangle& edges = on_B ? t.B : t.A;
    const Vec2 p = on_B ? t.A[0] : t.B[0];
    const Vec2 from = k % 2 == 0 ? edges[2] : edges[0], to = k % 2 == 0 ? edges[0] : edges[1];
    const Vec2 e = (to - from).normalized(), out_of(e.y(), -e.x());
    const Vec2 n = on_B ? Vec2(-out_of) : out_of;  // from A to B
    const double psi = out_of.dot(p - from);
    const Vec2 pA = on_B ? p : Vec2(p - psi * n), pB = on_B ? Vec2(p + psi * n) : p;
    out[k].psi = psi;
    out[k].G << -n, -cross(pA - cA, n), n, cross(pB - cB, n);
  }
  return out;
}

// One constraint over contacts in order, the first `forces` of which may carry one: I with
// forces > 0, X with 0.
struct Constraint {
  std::vector<int> contacts;
  int forces;
};

inline constexpr double kStep = 0.5;

inline Nu mass_diagonal() { return (Nu() << 1, 1, 1. / 12, 1, 1, 1. / 12).finished(); }
inline Nu free_motion() { return (Nu() << -1, 0, 0, 0, 0, 0).finished(); }

// Unknowns: nu (free), then of each constraint c, d, e, p. Impulses: the last `forces` of each.
inline Problem triangles_problem(const std::array<Gap, 4>& gap,
                                 const std::vector<Constraint>& constraints) {
  int n = 6;
  for (const Constraint& c : constraints)
    n += static_cast<int>(c.contacts.size()) - 1 + 2 * c.forces + 1;
  Problem p = Problem::lcp(n);
  DenseRows& A = p.A.rows();
  const Nu mass = mass_diagonal();
  for (int i = 0; i < 6; ++i) {
    p.set_free(i);
    A(i, i) = mass[i];
    p.b[i] = -mass[i] * free_motion()[i];
  }
  int at = 6;
  for (const Constraint& c : constraints) {
    const int N = static_cast<int>(c.contacts.size()), m = c.forces;
    const int c0 = at, d0 = c0 + N - 1, e0 = d0 + m, p0 = e0 + 1;
    const Gap& first = gap[c.contacts[0]];
    for (int k = 1; k < N; ++k) {  // eqs 11, 12: gamma_k
      const Gap& g = gap[c.contacts[k]];
      A.row(c0 + k - 1).head<6>() = (first.G - g.G).transpose();
      for (int l = 1; l <= k; ++l) A(c0 + k - 1, c0 + l - 1) = 1;
      p.b[c0 + k - 1] = (first.psi - g.psi) / kStep;
    }
    // eq. 13: the largest gap is not negative; alpha = 1
    A.row(e0).head<6>() = first.G.transpose();
    A.row(e0).segment(c0, N - 1).setOnes();
    A(e0, e0) = -1;
    p.b[e0] = first.psi / kStep;
    for (int i = 0; i < m; ++i) {
      const Gap& g = gap[c.contacts[i]];
      A.row(d0 + i).head<6>() = g.G.transpose();  // eq. 14
      A(d0 + i, d0 + i) = 1;
      p.b[d0 + i] = g.psi / kStep;
      A.row(p0 + i).head<6>() = first.G.transpose();  // eq. 15
      A.row(p0 + i).segment(c0, N - 1).setOnes();
      A(p0 + i, d0 + i) = 1;
      p.b[p0 + i] = first.psi / kStep;
      A.col(p0 + i).head<6>() -= g.G;
    }
    at = p0 + m;
  }
  return p;
}

// Only C2 and C3 are applicable.
inline std::vector<Constraint> lnc_constraints() { return {{{1, 0}, 1}, {{2, 3}, 1}}; }
// eq. 17 with edges in counter-clockwise order (P-E2): X of (C1, C4) and (C2, C3).
inline std::vector<Constraint> peg_constraints() {
  std::vector<Constraint> c = lnc_constraints();
  c.push_back({{0, 3}, 0});
  c.push_back({{1, 2}, 0});
  return c;
}

}  // namespace abut::test
