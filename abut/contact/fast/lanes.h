// The data of the wide sweep: bodies, and blocks of contacts of four pairs side by side.
//
// A block holds four pairs of bodies, one a lane, and no body of it appears twice: the four are
// solved at once by the same operations. Blocks of one colour share no body either.
//
//   LaneBody     velocity of a body, or its displacement, and its inverse mass: a cache line each
//   LanePair     what the points of four pairs share: frame, friction, bodies
//   LanePoint    one contact point of each of the four
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace abut {

inline constexpr int kLanes = 4;

// One number a lane. As a type of the compiler's own, so that the same source gives the same
// operations on each lane under every instruction set.
using Lanes = double __attribute__((vector_size(kLanes * sizeof(double)), aligned(32)));

// Linear and angular part, world axes, at the centre of mass.
struct alignas(64) LaneMotion {
  double lin[3], pad_lin, ang[3], pad_ang;
};

// 1 / m, and the inverse of the inertia about the centre of mass in world axes.
struct alignas(64) LaneMass {
  double inverse, xx, yy, zz, xy, xz, yz, pad;
};

// alignas: without AVX the compiler would align these by 16 bytes alone.
struct alignas(32) LanePair {
  std::int32_t body_a[kLanes], body_b[kLanes];  // index of the motions; the last one never moves
  std::int32_t island[kLanes];                  // -1: the lane has no pair
  std::int32_t begin = 0, end = 0;              // LanePoint
  std::int32_t idle = 0;                        // its islands are solved: sweeps pass by
  Lanes axis[3][3];                             // normal from A to B, two tangents
  Lanes friction;
  Lanes change, sum, pressing;  // of the last sweep: largest change, sum of impulses that press
                                // (N s), their number
  Lanes small;                  // N s: changes of an impulse below this move no other pair
};

struct alignas(32) LanePoint {
  Lanes arm_a[3], arm_b[3];     // from the centres of mass (m)
  Lanes b[3];                   // m/s: what w has beside J u, in the frame
  Lanes p[3];                   // N s, in the frame, on B
  Lanes D[6];                   // J M^-1 J': nn, n1, n2, 11, 12, 22
  Lanes inverse[6];             // of D, in the same order; 0 in a lane without a contact
  Lanes inverse_nn, inverse_t;  // 1 / D_nn; 1 / the largest eigenvalue of the tangents' block
  Lanes gap, slack;             // m: gap; overlap that is not corrected
  Lanes lift;                   // kg m: impulse of the position pass, along the normal
};

static_assert(offsetof(LanePair, axis) == 64 && sizeof(LanePoint) == 29 * sizeof(Lanes));

}  // namespace abut
