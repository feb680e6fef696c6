// Substeps: the lengths in which a step is taken. Most steps are one substep. Others are more:
//
//   parts     equal ones, that a penalty model asks for ("choose_parts")
//   bounces   a substep ends where a pair bounces, and the rest of the part follows
//   impacts   a substep ends where solids meet (abut.impact.time regress), and the rest follows
//   halves    a substep that cannot be solved is taken in two halves (peg), and these in theirs
//
//   for (substeps.begin(h, parts, input); !substeps.done();) {
//     .. // try a substep of substeps.length() under substeps.input()
//     if (too_long) substeps.shorten(to); else substeps.taken();
//   }
#pragma once

#include <vector>

#include "abut/model/input.h"

namespace abut {

class Substeps {
 public:
  static constexpr int kMostHalvings = 4;

  explicit Substeps(const Model& model) : input_(model) {}

  // The step takes h seconds, in this many equal parts.
  void begin(double h, int parts, const Input& input);
  bool done() const { return parts_.empty(); }

  // Of the substep that is to be tried next: its length (s), and the input at its start, with
  // driven bodies where they are then.
  double length() const { return length_; }
  const Input& input() const { return input_; }
  // Whether the part is over after it.
  bool ends_part() const;
  bool may_halve() const { return parts_.back().halvings < kMostHalvings; }
  // Whether there is more than one.
  bool several() const { return several_; }

  // Try again with a shorter one, or in halves.
  void shorten(double length);
  void halve();
  // It was taken.
  void taken();

 private:
  struct Part {
    double whole, left;  // s
    int halvings;
  };

  std::vector<Part> parts_;  // the last is taken first
  double length_ = 0;
  bool several_ = false;
  Input input_;
};

// Driven bodies to where they are after a time (s).
void carry(double time, Input& input);

}  // namespace abut
