// Pairs of a branch that share no body do not feel each other: each island of them is a problem of
// its own, and is solved again only when something in it has changed (PegChoice::fresh). So a step
// in which pairs collide here and there costs the sum of their searches, and not every pair every
// time that one of them tries another plane.
//
// Where bodies have joints all pairs are one island: those connect what shares no body.
#pragma once

#include <span>

#include "abut/contact/complementarity/peg/peg_trial.h"
#include "abut/model/model.h"

namespace abut {

class PegIslands {
 public:
  explicit PegIslands(const Model& model);

  bool are_one() const { return are_one_; }

  // Sets `island` of all choices, and makes islands fresh in which one choice is.
  void label(std::span<PegChoice> choices) const;
  // The choices of an island, with the change of their bodies and of no others.
  void take(const PegTrial& from, int island, PegTrial& part) const;
  // What came of a part that was taken.
  void put(const PegTrial& part, PegTrial& into) const;
  // The change of the bodies of those choices: out of `from`.
  void copy_change(std::span<const PegChoice> choices, std::span<const double> from,
                   std::span<double> into) const;
  // The largest velocity of the bodies of those choices.
  double largest(std::span<const PegChoice> choices, std::span<const double> u) const;
  // Bodies that are in no choice move freely.
  void free_others(PegTrial& trial) const;

 private:
  int tree_of(int geom) const;  // -1: it does not move
  bool share(const PegChoice& a, const PegChoice& b) const;

  const Model& model_;
  bool are_one_ = false;
};

}  // namespace abut
