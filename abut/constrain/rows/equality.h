// The joints that close loops, MJCF's <equality>, as constraint rows: functions g(q) that are 0 if
// the joint holds, and their rates.
//
//   connect, weld, hinge, slide, ..   two frames coincide, fully or in part: loop_joint.h
//   joint, tendon                     q1 = polynomial(q2): 1 row
#pragma once

#include <span>
#include <string>
#include <vector>

#include "abut/constrain/rows/constraint_rows.h"
#include "abut/model/input.h"
#include "abut/model/state.h"

namespace abut {

class EqualityRows {
 public:
  explicit EqualityRows(const Model& model);

  // Adds the rows of every active equality. Then error() and driven() have one entry for each row,
  // in order; driven() is the part of the rate that driven bodies cause.
  // `sides`: of joints between frames, the rows of one body alone.
  enum class Sides { both, first, second };
  void add(const State& state, const Input& input, const Derived& d, ConstraintRows& rows,
           Sides sides = Sides::both);

  int groups() const { return groups_; }
  // One entry for each group: its index in Model::equalities.
  std::span<const int> ids() const { return ids_; }
  std::span<const double> error() const { return error_; }    // m, rad
  std::span<const double> driven() const { return driven_; }  // m/s, rad/s
  bool is_angle(int row) const { return angle_[static_cast<std::size_t>(row)] != 0; }

  // The largest |g|, of lengths (m) and of angles (rad).
  struct Worst {
    double length = 0, angle = 0;
  };
  Worst worst() const { return worst_; }

 private:
  void add_frames(const Equality& e, const Input& input, const Derived& d, Sides sides,
                  ConstraintRows& rows);
  void add_joints(const Equality& e, const State& state, ConstraintRows& rows);
  void add_tendons(const Equality& e, const Derived& d, ConstraintRows& rows);
  void note(double error, double driven, bool angle);
  template <class F>
  void for_each_term(int tendon, F&& f) const {
    const Tendon& t = model_.tendons[static_cast<std::size_t>(tendon)];
    for (int k = t.term_begin; k < t.term_begin + t.term_count; ++k)
      f(model_.tendon_terms[static_cast<std::size_t>(k)]);
  }

  const Model& model_;
  int groups_ = 0;
  std::vector<int> ids_;
  std::vector<double> error_, driven_;
  std::vector<char> angle_;
  Worst worst_;
  std::vector<int> bodies_;  // scratch
  std::vector<char> simulated_;
};

// Why an equality is not simulated; empty if it is.
std::string why_not_simulated(const Model& model, const Equality& e);

}  // namespace abut
