// Problems of contacts in a row of bodies.
#pragma once

#include <algorithm>
#include <random>

#include "abut/solve/problem.h"

namespace abut {

// Contacts in a row of bodies, one degree of freedom each: contact i presses bodies i and i + 1
// apart. b decides which ones are closed; `width` 3 makes cones.
inline Problem row_of_bodies(int bodies, int width, double mass, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Problem p;
  p.A.set_blocks();
  BlockRows& A = p.A.blocks();
  const int contacts = bodies - 1;
  for (int i = 0; i < contacts; ++i) {
    A.add_row(width);
    for (int j = std::max(0, i - 1); j <= std::min(contacts - 1, i + 1); ++j) {
      double* block = A.block(A.add_block(j, width));
      for (int k = 0; k < width; ++k) block[k * width + k] = (i == j ? 2 : -1) / mass;
    }
  }
  p.resize(contacts * width);
  for (int i = 0; i < contacts; ++i) {
    // nine in ten are far ahead
    p.b[i * width] = i % 10 == 0 ? -1 - uniform(random) : 1.5 + uniform(random);
    for (int k = 1; k < width; ++k) p.b[i * width + k] = uniform(random);
    if (width > 1) p.cones.push_back({i * width, width, 0.5});
  }
  return p;
}

}  // namespace abut
