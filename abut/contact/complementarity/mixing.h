// Anderson's mixing of a fixed-point iteration x <- g(x): the next x is the combination of the last
// few g(x) whose g(x) - x is least. What swings is damped by it, what creeps is hurried.
//
//   Mixing mixing;
//   mixing.begin(n);
//   while (..) mixing.advance(g(x), x);
#pragma once

#include <Eigen/Core>
#include <span>

#include "abut/math/types.h"

namespace abut {

class Mixing {
 public:
  void begin(int n);
  // From x and g(x) = next to the x that comes after.
  void advance(std::span<const double> next, std::span<double> x);

 private:
  static constexpr int kDepth = 4;
  Eigen::MatrixXd df_, dg_;  // differences of g(x) - x and of g(x), a column a step
  VecX f_, g_, new_f_;
  Eigen::Matrix<double, kDepth, kDepth> normal_;
  Eigen::Matrix<double, kDepth, 1> gamma_;
  int count_ = 0;
};

}  // namespace abut
