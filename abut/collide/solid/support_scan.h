// The farthest of a few points, by looking at all of them, with whatever vector unit
// the machine has. All units give the same answer: the first of the farthest.
#pragma once

#include <cstddef>

namespace abut {

// Coordinates side by side; `count` is a multiple of 4 (repeat a point to fill up).
int scan_farthest(const double* x, const double* y, const double* z, std::size_t count, double dx,
                  double dy, double dz);

// Of the points (3 doubles each) with the numbers ids[0 .. count), `count` even.
int gather_farthest(const double* points, const int* ids, int count, double dx, double dy,
                    double dz);

}  // namespace abut
