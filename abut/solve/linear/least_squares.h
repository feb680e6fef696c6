// min |J x - r|^2 + mu |x|^2 by Householder's QR with column pivoting, with any number of rows up
// to the given one, and without allocation once sized.
//
//   ls.resize(most_rows, n);
//   .. fill the first m >= n rows of ls.J and ls.r
//   ls.factor(m);
//   ls.solve(ls.condition() > 1e12 ? 1e-4 : 0, x);
#pragma once

#include <Eigen/Core>
#include <vector>

namespace abut {

class LeastSquares {
 public:
  Eigen::MatrixXd J;  // overwritten by factor
  Eigen::VectorXd r;

  void resize(int most_rows, int n);
  void factor(int m);
  // Largest over smallest diagonal entry of R: about the condition number of J. Infinite if J does
  // not have full rank.
  double condition() const;
  double smallest() const;  // |R_nn|: about the smallest singular value
  // May be called again with another mu. With mu = 0, J must have full rank.
  void solve(double mu, Eigen::VectorXd& x);

 private:
  Eigen::VectorXd norm_, first_norm_, c_, y_;
  Eigen::MatrixXd R_, T_;  // of the damped system
  std::vector<int> order_;
};

}  // namespace abut
