// The best point that an iterative method has seen: its answer if it does not converge.
#pragma once

#include "abut/solve/answer.h"

namespace abut {

class BestSoFar {
 public:
  void start(const Problem& problem) {
    least_ = kInfinity;
    scale_ = problem.size() == 0 ? 1 : 1 + problem.b.cwiseAbs().maxCoeff();
  }

  // Computes the relative residual of z (Residuals::relative) and keeps z if it is the best so far.
  double look(const Problem& problem, const VectorX& z) {
    problem.A.multiply(z, w_);
    w_ += problem.b;
    natural_map(problem, z, w_, map_);
    const double off =
        map_.size() == 0 ? 0 : map_.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() / scale_;
    if (off < least_) {
      least_ = off;
      z_ = z;
    }
    return off;
  }

  double least() const { return least_; }
  const VectorX& w() const { return w_; }      // of the last look
  const VectorX& map() const { return map_; }  // natural map, of the last look
  const VectorX& z() const { return z_; }
  bool any() const { return least_ < kInfinity; }

 private:
  double least_ = kInfinity;
  double scale_ = 1;
  VectorX z_, w_, map_;
};

}  // namespace abut
