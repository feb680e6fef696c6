// PEG: polygonally exact geometry (Williams, Lu and Trinkle; P-7 to P-14, P-E7,
// P-N3, P-N4, P-X5). A step ends with every pair apart, and presses only where surfaces meet:
// it neither traps what passes a corner (as unilateral rows on all faces do, Fig. 1) nor lets it
// through.
//
// Two convex solids are apart if some plane of a face or of two edges parts them: a disjunction.
// PEG chooses one plane for each pair that would overlap otherwise, which makes the step a convex
// problem like st's (a branch), and takes the branch whose motion is nearest to the free one:
//
//   min 1/2 (u' - u_free)' M (u' - u_free)   over the branches whose step ends without overlap
//
//   search     pairs that overlap at the end of the step so far get a plane, the cheapest first;
//              then all other planes whose least cost is low enough are tried: every combination
//              up to 4,096 of them, beyond that one pair at a time
//   exact      gaps are linear about the end of the step, found anew there and solved again until
//              they are what they seem (`relinearize`)
//   energy     where bodies turn, the motion that ends without overlap may leave what touches with
//              a velocity to part, which was none of its own. The step keeps the motion, and takes
//              for its velocity the one with J u >= min(J u', 0) at its end: equal to u' where
//              nothing parts, and never of more energy than the free one
//   momentum   the impulses act where the step ends, and move bodies to there: the same velocities
//              are another angular momentum then. Bodies that touch nothing but each other get the
//              least change of the velocity that gives it back (keep_momentum.h), without energy
//   no tunnel  a plane that did not part the pair before the step counts only if the pair can get
//              to its other side without going through: thin plates hold at any step
//   ties       go to the plane of the step before, then to the order of the normals in the world
//
// Should no branch do (solids that begin deep in each other, say), the step falls back and says
// so: level 1, it is taken in two halves, if these do (P-N3), and halves of them; 2, overlap may
// stay as deep as it was; 3, st on the nearest contacts; 4, ap (P-N4).
//
//   abut::Peg peg(model, settings, collider);
//   peg.solve({h, {state, input, d}, damping, u_free, near, collider, move}, stepping, change);
//   peg.data(), peg.report();
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "abut/collide/collide.h"
#include "abut/collide/peg/separating_plane.h"
#include "abut/constrain/step/time_stepping.h"
#include "abut/contact/complementarity/peg_step.h"
#include "abut/contact/settings.h"

namespace abut {

class Peg {
 public:
  static constexpr int kMostBranches = 4096;  // of lnc and peg-paper
  static constexpr int allowance(int pairs) { return PegStep::allowance(pairs); }
  static constexpr int most_work(int pairs) { return PegStep::most_work(pairs); }
  using Step = PegStep;

  Peg(const Model& model, const ContactSettings& settings, const Collider& collider);
  ~Peg();

  // Before a step and its halves.
  void start_step();

  // `change` is what constraints add to u_free. False: no branch does, and the step is to be
  // halved.
  bool solve(const Step& step, TimeStepping& stepping, std::span<double> change);

  // v at the end of the step, where it is not that of the motion (see `energy` above); else empty.
  std::span<const double> end_velocity() const;
  // What its velocity has beside the impulses, so that bodies that touch nothing but each other
  // keep their angular momentum (see `momentum` above); in solver coordinates, or empty.
  std::span<const double> handed() const;
  // The contacts of the branch, one patch for each pair that has a plane, and those planes.
  const ContactData& data() const;
  std::span<const SeparatingPlane> planes() const;
  // What the contact memory keeps of the pair of a patch (PairMemory::branch).
  std::int32_t memory_of(std::size_t patch) const;
  const PegReport& report() const;

 private:
  std::unique_ptr<class PegSearch> search_;
};

}  // namespace abut
