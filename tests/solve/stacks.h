// Columns of boxes as cone problems, A = G M^-1 G' in blocks of 3 x 3, b = G v after a step of
// gravity: what the cone solvers are tried on. Redundant by nature: 4 contacts a face, 12
// unknowns for 6 freedoms.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <random>
#include <vector>

#include "abut/solve/problem.h"

namespace abut::test {

struct Stack {
  int boxes = 10;
  int contacts = 4;  // a face; a grid, the corners first
  double mu = 0.5;
  double mass_ratio = 1;  // of the heaviest (every second one) to the lightest
  double push = 0.02;     // random velocities before the step, m/s
  std::uint64_t seed = 1;
};

inline Problem stack_problem(const Stack& s) {
  using Eigen::Matrix3d, Eigen::Vector3d;
  std::mt19937_64 random(s.seed);
  const auto uniform = [&] {
    return 2 * (static_cast<double>(random() >> 11) / 9007199254740992.0) - 1;
  };
  using Rows = Eigen::Matrix<double, 3, 6>;
  using Motion = Eigen::Matrix<double, 6, 1>;

  std::vector<Motion> inverse_mass(s.boxes), v(s.boxes);
  for (int i = 0; i < s.boxes; ++i) {
    const double mass = i % 2 ? s.mass_ratio : 1;
    inverse_mass[i] << Vector3d::Constant(1 / mass), Vector3d::Constant(6 / mass);
    for (int k = 0; k < 6; ++k) v[i][k] = s.push * uniform();
    v[i][2] -= 9.81 * 0.01;
  }
  struct Contact {
    int below, above;  // -1: ground
    Rows below_rows, above_rows;
  };
  std::vector<Contact> contacts;
  const int side = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(s.contacts))));
  for (int i = 0; i < s.boxes; ++i) {
    for (int k = 0; k < s.contacts; ++k) {
      // rows: normal up, then the two tangents
      const double x = side > 1 ? -0.5 + static_cast<double>(k % side) / (side - 1) : 0;
      const double y = side > 1 ? -0.5 + static_cast<double>(k / side) / (side - 1) : 0;
      const auto rows = [](const Vector3d& arm) {
        Matrix3d R;
        R << 0, 0, 1, 1, 0, 0, 0, 1, 0;
        Matrix3d cross;
        cross << 0, -arm.z(), arm.y(), arm.z(), 0, -arm.x(), -arm.y(), arm.x(), 0;
        Rows r;
        r << R, -R * cross;
        return r;
      };
      contacts.push_back({i - 1, i, rows({x, y, 0.5}), rows({x, y, -0.5})});
    }
  }
  Problem p;
  p.A.set_blocks();
  BlockRows& A = p.A.blocks();
  const int n = static_cast<int>(contacts.size());
  p.resize(3 * n);
  for (int i = 0; i < n; ++i) {
    const Contact& a = contacts[i];
    A.add_row(3);
    p.cones.push_back({3 * i, 3, s.mu});
    Vector3d b = a.above_rows * v[a.above];
    if (a.below >= 0) b -= a.below_rows * v[a.below];
    p.b.segment<3>(3 * i) = b;
    for (int j = 0; j < n; ++j) {
      const Contact& c = contacts[j];
      Matrix3d block = Matrix3d::Zero();
      bool meet = false;
      const auto add = [&](int body, const Rows& r, int other, const Rows& t, double sign) {
        if (body < 0 || body != other) return;
        block += sign * r * inverse_mass[body].asDiagonal() * t.transpose();
        meet = true;
      };
      add(a.above, a.above_rows, c.above, c.above_rows, 1);
      add(a.above, a.above_rows, c.below, c.below_rows, -1);
      add(a.below, a.below_rows, c.above, c.above_rows, -1);
      add(a.below, a.below_rows, c.below, c.below_rows, 1);
      if (!meet) continue;
      Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(A.block(A.add_block(j, 3))) = block;
    }
  }
  return p;
}

inline Problem made_dense(const Problem& blocks) {
  Problem p = blocks;
  DenseRows A;
  blocks.A.to_dense(A);
  p.A.set_dense(p.size());
  p.A.rows() = A;
  return p;
}

}  // namespace abut::test
