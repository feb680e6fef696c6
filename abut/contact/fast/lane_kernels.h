// The inner loops of the wide sweep over a range of blocks (lanes.h). Each instruction set has its
// own copy, compiled from the same source (lane_kernels.inl): operations are those of IEEE, lane by
// lane and in the same order, so that all copies give the same bits.
#pragma once

#include "abut/contact/fast/lanes.h"

namespace abut {

// Which blocks a pass leaves out: those of bodies that neither this pass nor the one before moved.
struct LaneStir {
  std::int32_t* last = nullptr;  // one a mover: the last pass in which an impulse on it changed
  std::int32_t pass = 0;         // passes are counted from 1; the first one leaves out none
};

struct LaneKernels {
  // D, its inverse and the steps of the local solver, from arms and masses.
  void (*prepare)(const LanePair* first, const LanePair* last, LanePoint* points,
                  const LaneMass* masses);
  // u += M^-1 J' p.
  void (*push)(const LanePair* first, const LanePair* last, const LanePoint* points,
               const LaneMass* masses, LaneMotion* u, int movers);
  // One Gauss-Seidel pass: each contact in turn is solved for its own impulse (Coulomb's law), and
  // u follows. Notes what changed in the blocks, and in `stir`.
  void (*sweep)(LanePair* first, LanePair* last, LanePoint* points, const LaneMass* masses,
                LaneMotion* u, int movers, const LaneStir& stir);
  // Gaps (m) where u leads in the time h: LanePoint::gap += h J_n u, plus `driven`, which is in b.
  // Returns the worst overlap beyond the slack (m), 0 if there is none.
  double (*advance_gaps)(const LanePair* first, const LanePair* last, LanePoint* points, double h,
                         const LaneMotion* u);
  // One Gauss-Seidel pass of the position correction: gap + J_n s >= -slack / 2 by lifts that push.
  // Returns the largest overlap beyond the slack that it found (m).
  double (*lift)(const LanePair* first, const LanePair* last, LanePoint* points,
                 const LaneMass* masses, LaneMotion* s, int movers, const LaneStir& stir);
};

const LaneKernels& lane_kernels_sse2();
const LaneKernels& lane_kernels_avx2();  // wants a processor that has it

// The widest that this processor has.
const LaneKernels& best_lane_kernels();

}  // namespace abut
