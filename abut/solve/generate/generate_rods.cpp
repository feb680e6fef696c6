// Families of Painleve's rods.
#include <algorithm>
#include <cmath>

#include "abut/solve/generate/generate_families.h"

namespace abut::family {

namespace {

// A uniform rod of mass 1 and half length 1 slides on its lower end, which is at -(c, s) from its
// centre. For the contact force (tangential, normal): J M^-1 J' in the plane, I = 1/3.
struct Rod {
  double c, s;        // cosine and sine of its angle with the ground
  double nn, nt, tt;  // of the Delassus matrix
  double mu;          // so large that pushing down makes the end accelerate downwards
};

Rod painleve_rod(SplitMix& random) {
  // between 20 and 70 degrees, where a moderate mu is sufficient
  double c, s;
  do {
    const Vec3 d = random.direction();
    const double length = std::sqrt(d.x() * d.x() + d.y() * d.y());
    c = std::abs(d.x()) / length, s = std::abs(d.y()) / length;
  } while (!(c > 0.35 && s > 0.35));
  Rod rod{c, s, 1 + 3 * c * c, 3 * s * c, 1 + 3 * s * s, 0};
  rod.mu = rod.nn / rod.nt * random.uniform(1.05, 2);
  return rod;
}

}  // namespace

// For the velocities after a step (C-T13): a solution always exists, where accelerations have none.
// Unknowns of a rod: c_n, c_f forwards, c_f backwards, gamma.
Problem painleve(int n, SplitMix& random, VectorX&) {
  const int rods = std::max(1, (n + 2) / 4);
  Problem p = Problem::lcp(4 * rods);
  for (int k = 0; k < rods; ++k) {
    const Rod rod = painleve_rod(random);
    const double nt = -rod.nt;  // the end is at -(c, s): r x n = -c, r x t = s
    const double block[4][4] = {{rod.nn, nt, -nt, 0},
                                {nt, rod.tt, -rod.tt, 1},
                                {-nt, -rod.tt, rod.tt, 1},
                                {rod.mu, -1, -1, 0}};
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) p.A.rows()(4 * k + i, 4 * k + j) = block[i][j];
    const double speed = random.uniform(0.1, 2);
    const double slide = random.chance(4) ? speed : -speed;
    p.b[4 * k] = -0.01 * random.uniform(1, 10);
    p.b[4 * k + 1] = slide;
    p.b[4 * k + 2] = -slide;
  }
  return p;
}

// For the accelerations while the end slides, with friction at its bound against the sliding: a_n =
// (nn - mu nt) f_n + b with a negative coefficient and b < 0. No force holds the end.
Problem painleve_acceleration(int n, SplitMix& random, VectorX&) {
  Problem p = Problem::lcp(n);
  for (int k = 0; k < n; ++k) {
    const Rod rod = painleve_rod(random);
    p.A.rows()(k, k) = rod.nn - rod.mu * rod.nt;
    const double spin = random.uniform(0, 3);
    p.b[k] = rod.s * spin * spin - 9.81 - 9 * random.uniform(0, 1);
  }
  return p;
}

}  // namespace abut::family
