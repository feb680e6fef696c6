// Substeps: the division of a step into substeps. Most steps have one substep. Others have more:
//
//   parts     equal parts that a penalty model requests ("choose_parts")
//   bounces   a substep ends where a pair bounces, and the rest of the part follows
//   impacts   a substep ends where solids meet (abut.impact.time regress), and the rest follows
//   halves    a substep that cannot be solved is divided into halves (peg), recursively
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

  // Starts a step of h seconds in this many equal parts.
  void begin(double h, int parts, const Input& input);
  bool done() const { return parts_.empty(); }

  // The next substep: its length (s), and the input at its start, with driven bodies at their poses
  // then.
  double length() const { return length_; }
  const Input& input() const { return input_; }
  // Whether this substep completes its part.
  bool ends_part() const;
  bool may_halve() const { return parts_.back().halvings < kMostHalvings; }
  // Whether the step has more than one substep.
  bool several() const { return several_; }

  // Repeat the substep with a shorter length, or in halves.
  void shorten(double length);
  void halve();
  // The substep is complete.
  void taken();

 private:
  struct Part {
    double whole, left;  // s
    int halvings;
  };

  std::vector<Part> parts_;  // a stack: the last part comes next
  double length_ = 0;
  bool several_ = false;
  Input input_;
};

// Moves driven bodies to their poses after a time (s).
void carry(double time, Input& input);

}  // namespace abut
