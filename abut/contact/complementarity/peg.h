// PEG: polygonally exact geometry (Williams, Lu and Trinkle; seed 001; spec P-7 to P-14, P-E7,
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

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/collide/separating_plane.h"
#include "abut/contact/complementarity/time_stepping.h"

namespace abut {

struct PegReport {
  int level = 0;           // of falling back; 0: everything holds
  int pairs = 0;           // that have a plane
  int branches = 0;        // tried, in the step and its halves
  int iterations = 0;      // problems solved, ditto
  int work = 0;            // ditto: the pairs of all these problems, one at least of each
  int most_pairs = 0;      // ditto: that were near, or in one problem
  bool exhaustive = true;  // every branch that could be better was tried
  double motion = 0;       // J: 1/2 (u' - u_free)' M (u' - u_free)
};

class Peg {
 public:
  static constexpr int kMostBranches = 4096;  // of lnc and peg-paper

  // What a search may spend on a step with so many pairs near, in pairs of the problems that it
  // solves; a half of the step half of it, and so on. When it is spent, the search takes the best
  // that it has, or falls back.
  static constexpr int allowance(int pairs) { return 2400 + 40 * pairs; }
  // So no step does more than this, its halves and their halves included: at each of five lengths
  // the search twice (level 2 has its own), and six problems a part beyond: the last one of each
  // search, those that finish the step or fall back.
  static constexpr int most_work(int pairs) { return 10 * allowance(pairs) + 31 * 6 * pairs; }

  Peg(const Model& model, const ContactSettings& settings, const Collider& collider);
  ~Peg();

  // Before a step and its halves.
  void start_step();

  struct Step {
    double h = 0;
    StepMoment start;
    std::span<const double> damping, u_free;
    const ContactData& near;  // contacts ahead at the start, as st has them
    Collider& collider;
    // Takes a state from the start of the step to its end.
    const std::function<void(State&, std::span<const double> change)>& move;
    bool may_halve = false;         // rather than fall back further
    std::span<const double> reach;  // m: how far each geom may come in the step
  };
  // `change` is what constraints add to u_free. False: no branch does, and the step is to be
  // halved.
  bool solve(const Step& step, TimeStepping& stepping, std::span<double> change);

  // v at the end of the step, where it is not that of the motion (see `energy` above); else empty.
  std::span<const double> end_velocity() const;
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
