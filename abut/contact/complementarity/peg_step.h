// A step as Peg (peg.h) is given it, what it may spend on the step, and what it says afterwards.
#pragma once

#include <functional>
#include <span>

#include "abut/collide/collide.h"
#include "abut/constrain/step/time_stepping.h"

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
  double handed = 0;       // N s, in the step and its halves: see Peg::handed()
};

struct PegStep {
  double h = 0;
  StepMoment start;
  std::span<const double> damping, u_free;
  const ContactData& near;  // contacts ahead at the start, as st has them
  Collider& collider;
  // Takes a state from the start of the step to its end.
  const std::function<void(State&, std::span<const double> change)>& move;
  bool may_halve = false;         // rather than fall back further
  std::span<const double> reach;  // m: how far each geom may come in the step

  // What a search may spend on a step with so many pairs near, in pairs of the problems that it
  // solves; a half of the step half of it, and so on. When it is spent, the search takes the best
  // that it has, or falls back.
  static constexpr int allowance(int pairs) { return 2400 + 40 * pairs; }
  // So no step does more than this, its halves and their halves included: at each of five lengths
  // the search twice (level 2 has its own), and twelve problems a part beyond: the last one of each
  // search, one that is solved again as it was too hard, those that finish the step or fall back.
  static constexpr int most_work(int pairs) { return 10 * allowance(pairs) + 31 * 12 * pairs; }
};

}  // namespace abut
