// The farthest of a few points, by a scan over all of them with the best vector unit of the
// machine. All units give the same answer: the first of the farthest points.
#pragma once

#include <cstddef>

namespace abut {

// Coordinates as columns; `count` is a multiple of 4 (repeat a point as padding).
int scan_farthest(const double* x, const double* y, const double* z, std::size_t count, double dx,
                  double dy, double dz);

// The same for the points (3 doubles each) with indices ids[0 .. count); `count` is even.
int gather_farthest(const double* points, const int* ids, int count, double dx, double dy,
                    double dz);

}  // namespace abut
